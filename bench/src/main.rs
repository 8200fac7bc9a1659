//! Compares carom with other libraries; see README.md.

mod carom_shapes;
mod frames;
mod harness;
mod indexes;
mod inputs;
mod markdown;
mod motions;
mod oracle;
mod pair_finders;
mod peers;
#[allow(dead_code, reason = "the program also asks about sweeps, which no peer answers")]
#[path = "../../crates/carom-cli/src/bench/queries.rs"]
mod queries;
mod report;
mod results;
mod rows;
#[allow(dead_code, reason = "the program shows more of a scene than the bench does")]
#[path = "../../crates/carom-cli/src/bench/scenes.rs"]
mod scenes;
mod worlds;

use std::fs;

use serde_json::Value;

use report::Bench;

const USAGE: &str = "\
usage: carom-bench [FILTER] [--quick] [--ways] [--json FILE] [--from FILE] [--markdown FILE]

  FILTER           only rows whose name contains it
  --quick          a twentieth of the time, and no large scenes
  --ways           every contender, not only the fastest of each library
  --json FILE      write all results to a file
  --from FILE      read results from such a file instead of running
  --markdown FILE  put the tables between the marks of a file such as README.md";

#[derive(Default)]
struct Options {
    filter: String,
    quick: bool,
    ways: bool,
    json: Option<String>,
    from: Option<String>,
    markdown: Option<String>,
}

fn main() -> Result<(), String> {
    let mut args = std::env::args().skip(1);
    let mut options = Options::default();
    while let Some(arg) = args.next() {
        let mut file = || args.next().map(Some).ok_or(format!("{arg} needs a file name"));
        match arg.as_str() {
            "--quick" => options.quick = true,
            "--ways" => options.ways = true,
            "--json" => options.json = file()?,
            "--from" => options.from = file()?,
            "--markdown" => options.markdown = file()?,
            "--help" | "-h" => {
                println!("{USAGE}");
                return Ok(());
            }
            option if option.starts_with('-') => {
                return Err(format!("unknown option {option}; {USAGE}"));
            }
            _ => options.filter = arg,
        }
    }
    let results = match &options.from {
        Some(file) => serde_json::from_str(&read(file)?).map_err(|it| format!("{file}: {it}"))?,
        None => run(&options),
    };
    if let Some(file) = &options.json {
        write(file, format!("{:#}\n", Value::from(results.clone())))?;
    }
    if let Some(file) = &options.markdown {
        write(
            file,
            markdown::replace(&read(file)?, &results).map_err(|it| format!("{file}: {it}"))?,
        )?;
    }
    Ok(())
}

fn run(options: &Options) -> Vec<Value> {
    let mut bench = Bench::new(options.filter.clone(), options.quick, options.ways);
    let _one_thread = frames::one_thread();
    rows::run(&mut bench);
    bench.into_json()
}

fn read(file: &str) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))
}

fn write(file: &str, text: String) -> Result<(), String> {
    fs::write(file, text).map_err(|error| format!("{file}: {error}"))
}
