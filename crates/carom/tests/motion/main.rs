//! Motion: named tests of faults that were once found, and random suites that share no code with the
//! mover.

mod faults;
mod stage;
