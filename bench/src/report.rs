//! The rows run, printed as a table and kept as JSON.

use std::fmt::Display;
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::harness::{BOX2D, CAROM, CAROM_ENUM, Contender, Differences, PARRY, Row};

const COLUMNS: [&str; 4] = [CAROM, CAROM_ENUM, BOX2D, PARRY];

const HEAD: &str = "\
ns for one question, best (median)
ratio: fastest peer / carom, above 1 carom is faster
unprepared: the same, with peers computing relative poses on the clock
";

/// What the command line asked for, and the results so far.
pub struct Bench {
    filter: String,
    /// Time for each contender of a row.
    budget: Duration,
    /// Also print every contender, not only the fastest of each library.
    ways: bool,
    results: Vec<Value>,
}

impl Bench {
    pub fn new(filter: String, budget: Duration, ways: bool) -> Self {
        println!("{HEAD}");
        print_line("row", COLUMNS, ["ratio", "unprepared"]);
        Self { filter, budget, ways, results: Vec::new() }
    }

    /// Builds, judges, times and prints the row, if its name contains the filter.
    pub fn row<'a>(&mut self, name: &str, build: impl FnOnce() -> Row<'a>) {
        if !name.contains(&self.filter) {
            return;
        }
        let mut row = build();
        let differences = row.differences();
        row.time(self.budget);
        self.print(name, &row, &differences);
        self.results.push(as_json(name, &row, &differences));
    }

    fn print(&self, name: &str, row: &Row<'_>, differences: &[Differences]) {
        let times = |it: &Contender<'_>| format!("{:.1} ({:.1})", it.best(), it.median());
        let cells = COLUMNS.map(|library| row.fastest(library).map_or("-".to_owned(), times));
        let ratios = [row.ratio(), row.unprepared_ratio()]
            .map(|ratio| ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}")));
        print_line(name, cells, ratios);
        for it in &row.contenders {
            if self.ways || !COLUMNS.contains(&it.library) {
                println!("    {}: {} {:?}", it.name(), times(it), it.standing);
            }
        }
        for Differences { name, differs, borderline, example } in differences {
            let inputs = row.truth.len();
            println!(
                "  ! {name}: {differs} of {inputs} differ, {borderline} borderline; {example}"
            );
        }
    }

    pub fn into_json(self) -> Value {
        Value::Array(self.results)
    }
}

fn print_line(name: &str, cells: [impl Display; 4], ratios: [impl Display; 2]) {
    let [a, b, c, d] = cells;
    let [e, f] = ratios;
    println!("{name:<38}{a:>16}{b:>16}{c:>16}{d:>16}{e:>8}{f:>12}");
}

fn as_json(name: &str, row: &Row<'_>, differences: &[Differences]) -> Value {
    let best = |library| row.fastest(library).map(|it| rounded(it.best()));
    let peers = row.peers().into_iter().map(|peer| (peer.to_owned(), json!(best(peer))));
    let ways = row.contenders.iter().map(|it| {
        json!({
            "name": it.name(),
            "best": rounded(it.best()),
            "median": rounded(it.median()),
            "rounds": it.rounds(),
            "standing": format!("{:?}", it.standing),
        })
    });
    let differences = differences.iter().map(|it| {
        json!({
            "name": it.name,
            "differs": it.differs,
            "borderline": it.borderline,
            "example": it.example,
        })
    });
    json!({
        "row": name,
        "unit": "ns",
        "carom": best(CAROM),
        "carom_enum": best(CAROM_ENUM),
        "peers": peers.collect::<Map<_, _>>(),
        "ratio": row.ratio().map(rounded),
        "unprepared_ratio": row.unprepared_ratio().map(rounded),
        "inputs": row.truth.len(),
        "ways": ways.collect::<Vec<_>>(),
        "differences": differences.collect::<Vec<_>>(),
    })
}

fn rounded(x: f64) -> f64 {
    (x * 100.0).round() / 100.0
}
