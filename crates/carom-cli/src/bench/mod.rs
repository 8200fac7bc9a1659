//! `carom bench`: the broad phases on this machine.

mod measure;
mod methods;
mod questions;
mod scenes;
mod table;

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use measure::{Plan, Row, measure};
use methods::{METHODS, Method};
use scenes::{KINDS, Kind};

/// What `carom bench --help` shows after the arguments.
pub const HELP: &str = "\
Every method gets the same boxes. In each frame all that move do so a little, are set anew, and all
pairs are found; the methods take turns. Before the clock starts, their answers are compared.

  ms/frame   the median of all frames; best is the fastest one
  ns/box     the same, divided by the number of boxes
  tests      how many boxes were held against each other in a frame
  point, box, ray, sweep, nearest
             one look-up: the boxes at a point, those that meet a box of 4 x 4, the first on a ray
             of 100, the first that a unit circle moving 20 hits, the 8 nearest to a point

Examples:
  carom bench                                        a look at everything, about twenty seconds
  carom bench --scene uniform,tiles --sizes 1k,100k,1m
  carom bench --method strips,grid --only pairs --frames 10
  carom bench --json bench.json                      the table, and a file with all figures
  carom bench --json | jq '.[] | select(.scene == \"thin\")'

Exit codes: 0 done; 1 writing failed, or two methods gave different answers; 2 bad arguments.";

/// What to measure.
#[derive(Args)]
pub struct Options {
    /// Only these scenes
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = names(KINDS.map(|it| it.name)))]
    scene: Vec<String>,
    /// Only these methods
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = names(METHODS.iter().map(|it| it.name)))]
    method: Vec<String>,
    /// How many boxes; 10k are ten thousand, 1m a million
    #[arg(long, value_name = "COUNTS", value_delimiter = ',', default_value = "1k,10k", value_parser = size)]
    sizes: Vec<usize>,
    /// How many frames [default: as many as come in a tenth of a second, from 3 to 100]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    frames: Option<u32>,
    /// Leave the rest out
    #[arg(long)]
    only: Option<Part>,
    /// All figures as JSON, to a file, or without one to the standard output in place of the table
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

/// A count with an optional `k` or `m`.
fn size(text: &str) -> Result<usize, String> {
    const MOST: usize = 10_000_000;
    let lower = text.to_lowercase();
    let (digits, unit) = match (lower.strip_suffix('k'), lower.strip_suffix('m')) {
        (Some(thousands), _) => (thousands, 1_000),
        (_, Some(millions)) => (millions, 1_000_000),
        _ => (lower.as_str(), 1),
    };
    let count = digits.parse::<usize>().ok().and_then(|count| count.checked_mul(unit));
    let count = count.ok_or("a count such as 500, 10k or 1m is expected")?;
    match count {
        1..=MOST => Ok(count),
        _ => Err("from 1 to 10m boxes are possible".to_owned()),
    }
}

/// Measures and writes the tables.
///
/// # Errors
/// Where writing fails, and where two methods give different answers.
pub fn run(options: &Options, out: &mut impl Write) -> io::Result<()> {
    let plan = Plan {
        pairs: options.only != Some(Part::LookUps),
        look_ups: options.only != Some(Part::Pairs),
        frames: options.frames.map(|frames| frames as usize),
    };
    let chosen =
        |name: &str, names: &[String]| names.is_empty() || names.iter().any(|it| it == name);
    let kinds: Vec<&Kind> = KINDS.iter().filter(|it| chosen(it.name, &options.scene)).collect();
    let methods: Vec<&Method> =
        METHODS.iter().filter(|it| chosen(it.name, &options.method)).collect();
    let tables = options.json != Some(None);
    let bar = progress(kinds.len() * options.sizes.len());
    let mut all: Vec<Row> = Vec::new();
    for kind in kinds {
        let first = all.len();
        for &boxes in &options.sizes {
            bar.set_message(format!("{} with {boxes} boxes", kind.name));
            let rows = measure(kind, boxes, &methods, plan, &all[first..], || bar.tick());
            all.extend(rows.map_err(io::Error::other)?);
            bar.inc(1);
        }
        if tables {
            bar.suspend(|| writeln!(out, "{}", table::of_scene(kind, &all[first..], plan)))?;
        }
    }
    bar.finish_and_clear();
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

/// Shown on terminals only, on the standard error.
fn progress(steps: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} {spinner}");
    ProgressBar::new(steps as u64).with_style(style.expect("the template is well-formed"))
}
