//! A progress line on the standard error, which is shown on terminals only.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// The minimum time between two updates of the line.
const INTERVAL: Duration = Duration::from_millis(100);

/// A counter of the steps of a long task that shows the number of finished steps.
pub struct Progress {
    total: usize,
    done: usize,
    unit: &'static str,
    /// The time of the last update; `None` if the line is hidden.
    updated: Option<Instant>,
}

impl Progress {
    /// Starts a task with a number of steps, which are called `unit` in the line.
    pub fn new(total: usize, unit: &'static str) -> Self {
        let updated = io::stderr().is_terminal().then(Instant::now);
        Self { total, done: 0, unit, updated }
    }

    /// Counts a step.
    pub fn step(&mut self) {
        self.done += 1;
        if self.updated.is_some_and(|updated| updated.elapsed() >= INTERVAL) {
            eprint!("\r\x1b[2K{} {} of {}", self.unit, self.done, self.total);
            let _ = io::stderr().flush(); // a lost progress line is no error
            self.updated = Some(Instant::now());
        }
    }

    /// Clears the line, before other output or at the end.
    pub fn clear(&self) {
        if self.updated.is_some() {
            eprint!("\r\x1b[2K");
            let _ = io::stderr().flush();
        }
    }
}
