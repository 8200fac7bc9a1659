//! Motion: named tests of faults that were once found, and random suites that share no code with the
//! mover.

#[path = "../support/rust_source.rs"]
mod rust_source;

mod characters;
mod faults;
mod images;
mod laws;
mod levels;
mod oracle;
mod pushing;
mod regressions;
mod riders;
mod stage;
mod story;
