//! carom side by side with its peers; see README.md.

mod finders;
mod frames;
mod harness;
mod indexes;
mod inputs;
mod oracle;
mod peers;
#[allow(dead_code, reason = "the program also asks about sweeps, which no peer answers")]
#[path = "../../crates/carom-cli/src/bench/questions.rs"]
mod questions;
mod report;
mod results;
mod rows;
#[allow(dead_code, reason = "the program shows more of a scene than the bench does")]
#[path = "../../crates/carom-cli/src/bench/scenes.rs"]
mod scenes;
mod subject;
mod worlds;

use report::Bench;

const USAGE: &str = "usage: carom-bench [FILTER] [--quick] [--ways] [--json FILE]";

fn main() -> Result<(), String> {
    let mut filter = String::new();
    let mut quick = false;
    let mut ways = false;
    let mut file = None;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--quick" => quick = true,
            "--ways" => ways = true,
            "--json" => file = Some(args.next().ok_or("--json needs a file name")?),
            "--help" | "-h" => {
                println!("{USAGE}");
                return Ok(());
            }
            option if option.starts_with('-') => {
                return Err(format!("unknown option {option}; {USAGE}"));
            }
            _ => filter = arg,
        }
    }
    let mut bench = Bench::new(filter, quick, ways);
    rows::run(&mut bench);
    if let Some(file) = file {
        let text = format!("{:#}\n", bench.into_json());
        std::fs::write(&file, text).map_err(|error| format!("{file}: {error}"))?;
    }
    Ok(())
}
