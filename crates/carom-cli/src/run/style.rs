//! How the account looks on a terminal.

use anstyle::{AnsiColor, Style};

/// What is there to be found, not to be read.
pub const FAINT: Style = Style::new().dimmed();
/// Headings.
pub const STRONG: Style = Style::new().bold();

/// A kind of happening: blows and gains stand out.
pub fn of(kind: &str) -> Style {
    let color = match kind {
        "struck" | "squashed" => AnsiColor::Red,
        "took" => AnsiColor::Green,
        "met" => AnsiColor::Blue,
        _ => return Style::new(),
    };
    color.on_default()
}
