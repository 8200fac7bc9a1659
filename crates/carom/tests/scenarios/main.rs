//! Small worlds drawn as text, scripted input, and what the hero does frame by frame (R6–R9).

mod glitches;
mod script;
mod stage;
mod trace;
