//! What is wrong with a file, and where.

use std::fmt;

/// Something that is wrong with a scene or a sheet, by where it belongs: `bodies[3].motion.speed`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The fields and places that lead to it, from the outermost on; empty for the whole.
    pub path: String,
    /// What was found, and what was expected.
    pub message: String,
}

impl Fault {
    pub(crate) fn new(path: impl Into<String>, message: impl fmt::Display) -> Self {
        Self { path: path.into(), message: message.to_string() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, message } = self;
        if path.is_empty() { write!(f, "{message}") } else { write!(f, "{path}: {message}") }
    }
}

/// A fault and its place in the text, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
    /// What is wrong.
    pub fault: Fault,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.fault)
    }
}

/// All that is wrong with a text, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems(pub Vec<Problem>);

/// How many problems are told; one slip may cause very many.
const TOLD: usize = 20;

impl Problems {
    /// In the order of the text.
    pub(crate) fn sorted(mut problems: Vec<Problem>) -> Self {
        problems.sort_by_key(|problem| (problem.line, problem.column));
        Self(problems)
    }

    /// What `serde_json` has to say, which is one thing.
    pub(crate) fn from_json(error: &serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let message = error.to_string();
        let place = format!(" at line {line} column {column}");
        let message = message.strip_suffix(&place).unwrap_or(&message);
        Self(vec![Problem { line, column: column.max(1), fault: Fault::new("", message) }])
    }

    /// Line by line, with the name of the file before each.
    pub(crate) fn told(&self, file: &str) -> String {
        let lines = self.0.iter().take(TOLD).map(|problem| format!("{file}{problem}"));
        let mut lines: Vec<String> = lines.collect();
        if self.0.len() > TOLD {
            lines.push(format!("{file} and {} more", self.0.len() - TOLD));
        }
        lines.join("\n")
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told(""))
    }
}

impl std::error::Error for Problems {}
