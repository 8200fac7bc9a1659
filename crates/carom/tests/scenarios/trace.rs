//! Traces: the frames of a scenario as text, with a line for every run of equal frames.

use std::fmt::Write;

use carom::prelude::*;

/// The motion of the hero in a frame, and its flags.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    pub moved: Vec2,
    /// `floor`, `wall`, ...
    pub flags: Vec<&'static str>,
}

/// Writes a line for every run of equal frames: their number, the motion along x and y, and the flags.
pub fn text(frames: &[Frame]) -> String {
    let mut text = String::new();
    for run in frames.chunk_by(|a, b| line(a) == line(b)) {
        writeln!(text, "{} x {}", run.len(), line(&run[0])).expect("a string takes all");
    }
    text
}

fn line(frame: &Frame) -> String {
    let Frame { moved, flags } = frame;
    let mut line = format!("{} {}", number(moved.x), number(moved.y));
    flags.iter().for_each(|flag| line.extend([" ", flag]));
    line
}

/// Formats a number with four decimals and its sign, without trailing zeros.
fn number(x: f32) -> String {
    let rounded = format!("{x:+.4}");
    let short = rounded.trim_end_matches('0').trim_end_matches('.');
    if matches!(short, "+0" | "-0" | "+" | "-") { "0".into() } else { short.into() }
}

/// Compares a trace with the expected one. Indentation and empty lines do not count.
#[track_caller]
pub fn check(found: &str, expected: &str) {
    let lines = |text: &str| -> Vec<String> {
        let lines = text.lines().map(|line| line.trim().to_string());
        lines.filter(|line| !line.is_empty()).collect()
    };
    assert!(lines(found) == lines(expected), "found:\n{found}\nexpected:\n{expected}");
}

#[test]
fn equal_frames_share_a_line() {
    let frame = |x: f32, y: f32, flags: &[&'static str]| Frame {
        moved: Vec2::new(x, y),
        flags: flags.to_vec(),
    };
    let frames = [
        frame(0.125, -0.0, &["floor"]),
        frame(0.125, 0.0, &["floor"]),
        frame(0.0, -10.0, &["wall", "ceiling"]),
    ];
    check(&text(&frames), "2 x +0.125 0 floor\n1 x 0 -10 wall ceiling");
}
