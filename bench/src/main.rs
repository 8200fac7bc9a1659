//! carom side by side with its peers; see README.md.

mod harness;
mod inputs;
mod oracle;
mod peers;
mod report;
mod rows;
mod subject;

use std::time::Duration;

use report::Bench;

const USAGE: &str = "usage: carom-bench [FILTER] [--quick] [--ways] [--json FILE]";

fn main() -> Result<(), String> {
    let mut filter = String::new();
    let mut budget = Duration::from_millis(400);
    let mut ways = false;
    let mut file = None;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--quick" => budget = Duration::from_millis(20),
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
    let mut bench = Bench::new(filter, budget, ways);
    rows::run(&mut bench);
    if let Some(file) = file {
        let text = format!("{:#}\n", bench.into_json());
        std::fs::write(&file, text).map_err(|error| format!("{file}: {error}"))?;
    }
    Ok(())
}
