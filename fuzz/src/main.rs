//! Runs fuzz targets without libFuzzer: `run [TARGET] [COUNT] [FIRST]`.
//!
//! Prints the number of inputs, the slowest and the failures, and writes the inputs that failed to
//! `failures/TARGET-NUMBER`.

use std::{env, fs};

use carom_fuzz::{TARGETS, replay, run};

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let number = |at: usize, default: u64| -> u64 {
        arguments.get(at).map_or(default, |text| text.parse().expect("a number"))
    };
    let wanted = |name: &str| arguments.first().is_none_or(|only| only == name);
    let (count, first) = (number(1, 10_000), number(2, 0));
    let mut failed = false;
    for (name, _) in TARGETS.iter().filter(|target| wanted(target.0)) {
        let mut reports = vec![replay(name)];
        // In pieces, so that a long run shows where it is.
        let mut at = first;
        while at < first + count && reports.iter().all(|report| report.failures.len() < 10) {
            let step = (first + count - at).min(100_000);
            reports.push(run(name, at, step));
            at += step;
            let runs: u64 = reports.iter().map(|report| report.runs).sum();
            let slowest = reports.iter().map(|report| report.slowest).max().unwrap_or_default();
            println!("{name}: {runs} inputs up to {at}, slowest {slowest:.1?}");
        }
        for (i, (input, text)) in reports.iter().flat_map(|report| &report.failures).enumerate() {
            failed = true;
            fs::create_dir_all("failures").expect("a directory for failures");
            let path = format!("failures/{name}-{i}");
            fs::write(&path, input).expect("the input can be written");
            println!("FAILED {path}: {text}\n");
        }
    }
    std::process::exit(i32::from(failed));
}
