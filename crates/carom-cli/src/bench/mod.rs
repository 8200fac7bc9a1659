//! `carom bench`: measures the broad phases on this machine.

mod measure;
mod queries;
mod runner;
mod scenes;
mod table;

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use crate::progress::Progress;
use measure::{Plan, Row, measure};
use runner::{METHODS, Method};
use scenes::{KINDS, SceneKind};

/// The help text after the options.
pub const HELP: &str = "\
All methods get the same boxes. In each frame the moving boxes move a little, are updated, and all
overlapping pairs are found. The methods take turns, and their results are compared first.

  ms/frame   median over all frames; best is the fastest frame
  ns/box     median divided by the number of boxes
  tests      box pairs tested per frame
  point, box, ray, sweep, nearest
             one query: the boxes at a point, those that intersect a box of 4 x 4, the first on a
             ray of length 100, the first hit by a unit circle moving 20, the 8 nearest to a point

Examples:
  carom bench                                        everything, in about twenty seconds
  carom bench --scene uniform,tiles --sizes 1k,100k,1m
  carom bench --method strips,grid --only pairs --frames 10
  carom bench --json bench.json                      the table, and a file with all results
  carom bench --json | jq '.[] | select(.scene == \"thin\")'

Exit codes: 0 success; 1 I/O error, or two methods with different results; 2 invalid arguments.";

/// The options of `carom bench`.
#[derive(Args)]
pub struct Options {
    /// Only these scenes
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = names(KINDS.map(|it| it.name)))]
    scene: Vec<String>,
    /// Only these methods
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = names(METHODS.iter().map(|it| it.name)))]
    method: Vec<String>,
    /// Numbers of boxes; 10k is ten thousand, 1m a million
    #[arg(long, value_name = "COUNTS", value_delimiter = ',', default_value = "1k,10k", value_parser = size)]
    sizes: Vec<usize>,
    /// Number of frames [default: as many as fit in a tenth of a second, from 3 to 100]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    frames: Option<u32>,
    /// Measure only this
    #[arg(long)]
    only: Option<Part>,
    /// Write all results as JSON, to a file, or to the standard output instead of the table
    #[arg(long, value_name = "FILE")]
    json: Option<Option<PathBuf>>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    Pairs,
    LookUps,
}

fn names(names: impl IntoIterator<Item = &'static str>) -> PossibleValuesParser {
    PossibleValuesParser::new(names)
}

/// Parses a count with an optional suffix `k` or `m`.
fn size(text: &str) -> Result<usize, String> {
    const MAX_BOXES: usize = 10_000_000;
    let lower = text.to_lowercase();
    let (digits, unit) = match (lower.strip_suffix('k'), lower.strip_suffix('m')) {
        (Some(thousands), _) => (thousands, 1_000),
        (_, Some(millions)) => (millions, 1_000_000),
        _ => (lower.as_str(), 1),
    };
    let count = digits.parse::<usize>().ok().and_then(|count| count.checked_mul(unit));
    let count = count.ok_or("expected a count, such as 500, 10k or 1m")?;
    match count {
        1..=MAX_BOXES => Ok(count),
        _ => Err("expected 1 to 10m boxes".to_owned()),
    }
}

/// Measures the broad phases and writes the tables.
///
/// # Errors
/// Returns an error if writing fails, or if two methods give different results.
pub fn run(options: &Options, out: &mut impl Write) -> io::Result<()> {
    let plan = Plan {
        pairs: options.only != Some(Part::LookUps),
        look_ups: options.only != Some(Part::Pairs),
        frames: options.frames.map(|frames| frames as usize),
    };
    let chosen =
        |name: &str, names: &[String]| names.is_empty() || names.iter().any(|it| it == name);
    let kinds: Vec<&SceneKind> =
        KINDS.iter().filter(|it| chosen(it.name, &options.scene)).collect();
    let methods: Vec<&Method> =
        METHODS.iter().filter(|it| chosen(it.name, &options.method)).collect();
    let tables = options.json != Some(None);
    let mut progress = Progress::new(kinds.len() * options.sizes.len(), "measurement");
    let mut all: Vec<Row> = Vec::new();
    for kind in kinds {
        let first = all.len();
        for &boxes in &options.sizes {
            let rows = measure(kind, boxes, &methods, plan, &all[first..]);
            all.extend(rows.map_err(io::Error::other)?);
            progress.step();
        }
        if tables {
            progress.clear();
            writeln!(out, "{}", table::of_scene(kind, &all[first..], plan))?;
        }
    }
    progress.clear();
    match &options.json {
        None => Ok(()),
        Some(None) => writeln!(out, "{}", serde_json::to_string_pretty(&all)?),
        Some(Some(file)) => {
            let text = serde_json::to_string_pretty(&all)? + "\n";
            let named = |error| io::Error::other(format!("{}: {error}", file.display()));
            fs::write(file, text).map_err(named)
        }
    }
}
