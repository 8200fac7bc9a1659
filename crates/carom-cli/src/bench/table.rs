//! The results of one scene as a table.

use std::fmt::Write;

use super::measure::{Plan, Row};
use super::runner::QueryKind;
use super::scenes::SceneKind;

/// Returns a table with a line about the scene, and a row for each method and size.
pub fn of_scene(kind: &SceneKind, rows: &[Row], plan: Plan) -> String {
    let mut table = format!("{}: {}\n", kind.name, kind.about);
    line(&mut table, "boxes", "method", &heads(plan));
    let mut last = None;
    for row in rows {
        let boxes = if last == Some(row.boxes) { String::new() } else { grouped(row.boxes as u64) };
        last = Some(row.boxes);
        match row.skipped {
            None => line(&mut table, &boxes, row.method, &cells(row, plan)),
            Some(why) => line(&mut table, &boxes, row.method, &[format!("  skipped: {why}")]),
        }
    }
    table
}

fn line(table: &mut String, boxes: &str, method: &str, cells: &[impl AsRef<str>]) {
    let _ = write!(table, "  {boxes:>10}  {method:<16}"); // writing to a string cannot fail
    for cell in cells {
        let _ = write!(table, "{:>11}", cell.as_ref());
    }
    table.truncate(table.trim_end().len());
    table.push('\n');
}

fn heads(plan: Plan) -> Vec<String> {
    let pairs = ["ms/frame", "best", "ns/box", "pairs", "tests"].map(str::to_owned);
    let look_ups = QueryKind::ALL.map(|kind| format!("{} ns", kind.name()));
    let pairs = pairs.into_iter().filter(|_| plan.pairs);
    pairs.chain(look_ups.into_iter().filter(|_| plan.look_ups)).collect()
}

fn cells(row: &Row, plan: Plan) -> Vec<String> {
    let mut cells = Vec::new();
    if let Some(it) = &row.pairs {
        cells.extend([number(it.median_ms), number(it.best_ms), number(it.ns_per_box)]);
        cells.extend([grouped(it.pairs as u64), grouped(it.tests)]);
    }
    if plan.look_ups {
        cells.extend(QueryKind::ALL.map(|kind| number(row.look_ups[kind.name()])));
    }
    cells
}

/// Formats a number with three significant digits, or more before the decimal point.
fn number(value: f64) -> String {
    match value {
        _ if value < 1.0 => format!("{value:.3}"),
        _ if value < 10.0 => format!("{value:.2}"),
        _ if value < 100.0 => format!("{value:.1}"),
        _ => grouped(value.round() as u64),
    }
}

/// Formats an integer with commas between thousands.
fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_show_three_digits_and_thousands_apart() {
        let shown = [0.01234, 1.234, 12.34, 123.4, 1_234_567.0].map(number);
        assert_eq!(shown, ["0.012", "1.23", "12.3", "123", "1,234,567"]);
    }
}
