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
    let mut failed = 0;
    for (name, _) in TARGETS.iter().filter(|target| wanted(target.0)) {
        let mut report = replay(name);
        let mut saved = save_failures(name, &report.failures, 0);
        // Run in pieces, so that a long run shows its progress, and keeps all failures if it is stopped.
        let mut at = first;
        while at < first + count && report.failures.len() < 10 {
            let step = (first + count - at).min(100_000);
            report.add(run(name, at, step));
            at += step;
            println!("{name}: {} inputs up to {at}, slowest {:.1?}", report.runs, report.slowest);
            saved = save_failures(name, &report.failures, saved);
        }
        failed += saved;
    }
    std::process::exit(i32::from(failed > 0));
}

/// Writes the failures from number `saved` on to files, and returns the number of all failures.
fn save_failures(name: &str, failures: &[(Vec<u8>, String)], saved: usize) -> usize {
    for (i, (input, text)) in failures.iter().enumerate().skip(saved) {
        fs::create_dir_all("failures").expect("a directory for failures");
        let path = format!("failures/{name}-{i}");
        fs::write(&path, input).expect("the input can be written");
        println!("FAILED {path}: {text}\n");
    }
    failures.len()
}
