//! Small worlds drawn as text, scripted input, and the hero's motion frame by frame (R6–R9).

mod glitches;
mod moves;
#[allow(dead_code, reason = "other tests use other parts")]
#[path = "../support/rng.rs"]
mod rng;
mod script;
mod stage;
mod trace;
mod wild;
