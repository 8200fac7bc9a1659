//! Calls every target with its seeds and with some generated inputs.
//!
//! `CAROM_FUZZ_RUNS=N` sets the number of inputs of each target, `CAROM_FUZZ_FIRST=N` the first.

use carom_fuzz::{replay, run};

fn check(target: &str, runs: u64) {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
    };
    let mut failures = replay(target).failures;
    failures.extend(
        run(target, number("CAROM_FUZZ_FIRST", 0), number("CAROM_FUZZ_RUNS", runs)).failures,
    );
    failures.sort_by_key(|failure| failure.0.len());
    if let Some((input, text)) = failures.first() {
        panic!("{} failures; the shortest input is {input:?}:\n{text}", failures.len());
    }
}

#[test]
fn shapes() {
    check("shapes", 3000);
}

#[test]
fn shapes_exact() {
    check("shapes_exact", 1000);
}

#[test]
fn worlds() {
    check("worlds", 600);
}

#[test]
fn games() {
    check("games", 600);
}

#[test]
fn files() {
    check("files", 4000);
}

#[test]
fn query_lines() {
    check("query_lines", 4000);
}
