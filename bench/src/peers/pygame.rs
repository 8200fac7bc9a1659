//! pygame's masks, in a separate Python process, interleaved with the other contenders.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

const SCRIPT: &str = include_str!("pygame_masks.py");

/// Two masks in a Python process.
pub struct Masks {
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
    pub overlap: bool,
}

impl Masks {
    /// Creates the masks. Returns `None` if there is no Python with pygame.
    pub fn start(side: u32, patterns: [&str; 2], at: [i32; 2]) -> Option<Self> {
        let mut python = Command::new("python3");
        python.args(["-c", SCRIPT, &side.to_string(), patterns[0], patterns[1]]);
        python.args(at.map(|at| at.to_string()));
        python.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = python.spawn().ok()?;
        let (questions, answers) = (process.stdin.take()?, process.stdout.take()?);
        let mut answers = BufReader::new(answers);
        let mut line = String::new();
        answers.read_line(&mut line).ok()?;
        let overlap = match line.trim() {
            "hit" => true,
            "miss" => false,
            _ => return None,
        };
        Some(Self { process, questions, answers, overlap })
    }

    /// Returns the time of `count` overlap tests, without that of the calls.
    pub fn time(&mut self, count: usize) -> Duration {
        writeln!(self.questions, "{count}").expect("pygame reads");
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("pygame answers");
        Duration::from_nanos(line.trim().parse().expect("pygame answers with a number"))
    }
}

impl Drop for Masks {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
