//! Runs the rows, prints them as tables and writes them as JSON.

use std::fmt::Display;
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::frames::Frames;
use crate::harness::Row;
use crate::results::{
    BOX2D, CAROM, CAROM_ENUM, CAROM_PARALLEL, Differences, PARRY, Results, Times,
};

/// The command-line options and the results so far.
pub struct Bench {
    filter: String,
    quick: bool,
    /// Print every variant, not only the fastest of each library.
    ways: bool,
    table: Option<Table>,
    results: Vec<Value>,
}

/// The layout of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Table {
    /// Queries about two shapes: one column per library.
    Two,
    /// Queries about many objects: carom and the fastest of the other libraries.
    Many,
}

impl Bench {
    pub fn new(filter: String, quick: bool, ways: bool) -> Self {
        Self { filter, quick, ways, table: None, results: Vec::new() }
    }

    pub fn is_quick(&self) -> bool {
        self.quick
    }

    /// The time for each contender of a row.
    fn budget(&self) -> Duration {
        Duration::from_millis(if self.quick { 20 } else { 400 })
    }

    /// Builds, judges, measures and prints a row about two shapes, if its name contains the filter.
    pub fn row<'a>(&mut self, name: &str, build: impl FnOnce() -> Row<'a>) {
        self.run(Table::Two, name, |budget| build().time(budget));
    }

    /// Builds, judges, measures and prints a row about many boxes.
    pub fn queries<'a>(&mut self, name: &str, build: impl FnOnce() -> Row<'a>) {
        self.run(Table::Many, name, |budget| build().time(budget));
    }

    /// Builds, judges, measures and prints a row of whole frames.
    pub fn frames(&mut self, name: &str, build: impl FnOnce() -> Frames) {
        self.run(Table::Many, name, |budget| build().time(budget));
    }

    fn run(&mut self, table: Table, name: &str, run: impl FnOnce(Duration) -> Results) {
        if !name.contains(&self.filter) {
            return;
        }
        if self.table != Some(table) {
            table.print_head();
            self.table = Some(table);
        }
        let results = run(self.budget());
        table.print(name, &results);
        self.print_notes(table, &results);
        self.results.push(as_json(name, &results));
    }

    fn print_notes(&self, table: Table, results: &Results) {
        for it in &results.all {
            if self.ways || (table == Table::Two && !TWO.contains(&it.library)) {
                println!("    {}: {} {:?}", it.name(), best_and_median(it), it.comparability);
            }
        }
        for Differences { name, differs, borderline, example } in &results.differences {
            println!("  ! {name}: {differs} differ, {borderline} borderline; {example}");
        }
    }

    pub fn into_json(self) -> Vec<Value> {
        self.results
    }
}

const TWO: [&str; 4] = [CAROM, CAROM_ENUM, BOX2D, PARRY];

impl Table {
    fn print_head(self) {
        match self {
            Self::Two => {
                println!("ns for one question, best (median)");
                println!("ratio: fastest peer / carom, above 1 carom is faster");
                println!(
                    "unprepared: the same, with peers computing relative poses on the clock\n"
                );
                print_two("row", TWO, ["ratio", "unprepared"]);
            }
            Self::Many => {
                println!("\nms for one frame, ns for one look-up; best (median)");
                println!(
                    "ratio: fastest peer / carom by the best, and usually in the same round\n"
                );
                let heads = ["carom", "parallel", "ns/object", "ratio", "by round"];
                print_many("row", heads, "fastest peer");
            }
        }
    }

    fn print(self, name: &str, results: &Results) {
        let times = |it: Option<&Times>| it.map_or("-".to_owned(), best_and_median);
        let ratio = |ratio: Option<f64>| ratio.map_or("-".to_owned(), |it| format!("{it:.2}"));
        match self {
            Self::Two => {
                let cells = TWO.map(|library| times(results.fastest(library)));
                print_two(name, cells, [ratio(results.ratio()), ratio(results.unprepared_ratio())]);
            }
            Self::Many => {
                let [carom, parallel] =
                    [CAROM, CAROM_PARALLEL].map(|library| times(results.fastest(library)));
                let each = ns_per_object(results).map_or("-".to_owned(), |ns| format!("{ns:.1}"));
                let peer = results.fastest_peer();
                let peer = peer
                    .map_or("-".to_owned(), |it| format!("{} {}", best_and_median(it), it.name()));
                let ratios = [ratio(results.ratio()), ratio(results.ratio_by_round())];
                let [best, by_round] = ratios;
                print_many(name, [carom, parallel, each, best, by_round], &peer);
            }
        }
    }
}

fn print_two(name: &str, cells: [impl Display; 4], ratios: [impl Display; 2]) {
    let [a, b, c, d] = cells;
    let [e, f] = ratios;
    println!("{name:<38}{a:>16}{b:>16}{c:>16}{d:>16}{e:>8}{f:>12}");
}

fn print_many(name: &str, cells: [impl Display; 5], peer: &str) {
    let [a, b, c, d, e] = cells;
    println!("{name:<30}{a:>18}{b:>18}{c:>11}{d:>8}{e:>11}  {peer}");
}

fn best_and_median(it: &Times) -> String {
    format!("{} ({})", short(it.best()), short(it.median()))
}

/// Formats a number with three significant digits, and all digits before the point.
pub fn short(value: f64) -> String {
    match value {
        _ if value < 1.0 => format!("{value:.3}"),
        _ if value < 10.0 => format!("{value:.2}"),
        _ => format!("{value:.1}"),
    }
}

/// The time per object in carom's best frame.
fn ns_per_object(results: &Results) -> Option<f64> {
    Some(results.fastest(CAROM)?.best() * 1e6 / results.objects? as f64)
}

fn as_json(name: &str, results: &Results) -> Value {
    let best = |library| results.fastest(library).map(|it| rounded(it.best()));
    let peers = results.peers().into_iter().map(|peer| (peer.to_owned(), json!(best(peer))));
    let variants = results.all.iter().map(|it| {
        json!({
            "name": it.name(),
            "best": rounded(it.best()),
            "median": rounded(it.median()),
            "rounds": it.rounds(),
            "standing": format!("{:?}", it.comparability),
        })
    });
    let differences = results.differences.iter().map(|it| {
        json!({
            "name": it.name,
            "differs": it.differs,
            "borderline": it.borderline,
            "example": it.example,
        })
    });
    let mut row = json!({
        "row": name,
        "unit": results.unit,
        "carom": best(CAROM),
        "carom_enum": best(CAROM_ENUM),
        "carom_parallel": best(CAROM_PARALLEL),
        "peers": peers.collect::<Map<_, _>>(),
        "ratio": results.ratio().map(rounded),
        "unprepared_ratio": results.unprepared_ratio().map(rounded),
        "ratio_by_round": results.ratio_by_round().map(rounded),
        "objects": results.objects,
        "ns_per_object": ns_per_object(results).map(rounded),
        "inputs": results.inputs,
        "ways": variants.collect::<Vec<_>>(),
        "differences": differences.collect::<Vec<_>>(),
    });
    if let Value::Object(row) = &mut row {
        row.retain(|name, value| !value.is_null() || matches!(name.as_str(), "carom" | "ratio"));
    }
    row
}

/// Rounds to four significant digits.
fn rounded(x: f64) -> f64 {
    let unit = 10f64.powf(3.0 - x.abs().max(1e-9).log10().floor());
    (x * unit).round() / unit
}
