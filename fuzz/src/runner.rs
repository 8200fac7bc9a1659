//! Calls the targets without libFuzzer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};
use std::{env, fs};

use crate::support::rng::Rng;
use crate::{TARGETS, Target};

/// The maximum length of a random input, in bytes.
const MAX_LEN: usize = 512;

/// The result of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The number of inputs.
    pub runs: u64,
    /// The inputs that failed, with the message of each.
    pub failures: Vec<(Vec<u8>, String)>,
    /// The longest time that an input took.
    pub slowest: Duration,
}

/// Returns the target with a name.
fn target(name: &str) -> Target {
    let found = TARGETS.iter().find(|target| target.0 == name);
    found.unwrap_or_else(|| panic!("no target {name}; there are {:?}", TARGETS.map(|it| it.0))).1
}

/// Calls a target with all its seeds.
pub fn replay(name: &str) -> Report {
    let mut report = Report::default();
    for seed in seeds(name) {
        report.call(target(name), &seed);
    }
    report
}

/// Calls a target with generated inputs: seeds that are changed at random, and random bytes. The inputs depend only
/// on `first` and `count`. Stops early after ten failures.
pub fn run(name: &str, first: u64, count: u64) -> Report {
    let (mut report, seeds) = (Report::default(), seeds(name));
    for number in first..first + count {
        let mut rng = Rng::new(number);
        let input = match seeds.len() {
            0 => random_bytes(&mut rng),
            _ if rng.one_in(3) => random_bytes(&mut rng),
            _ => mutate(&seeds, &mut rng),
        };
        report.call(target(name), &input);
        if report.failures.len() >= 10 {
            break;
        }
    }
    report
}

impl Report {
    /// Adds the inputs of another report.
    pub fn add(&mut self, other: Self) {
        self.runs += other.runs;
        self.failures.extend(other.failures);
        self.slowest = self.slowest.max(other.slowest);
    }

    fn call(&mut self, target: Target, input: &[u8]) {
        self.runs += 1;
        let start = Instant::now();
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| target(input))) {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            self.failures.push((input.to_vec(), text.unwrap_or("a panic without a text").into()));
        }
        self.slowest = self.slowest.max(start.elapsed());
    }
}

/// Reads the committed inputs of a target: seeds, and inputs that failed in the past.
fn seeds(name: &str) -> Vec<Vec<u8>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(name);
    let mut paths: Vec<_> = fs::read_dir(directory).into_iter().flatten().flatten().collect();
    paths.sort_by_key(fs::DirEntry::path);
    paths.iter().map(|entry| fs::read(entry.path()).expect("a seed can be read")).collect()
}

fn random_bytes(rng: &mut Rng) -> Vec<u8> {
    (0..rng.below(MAX_LEN)).map(|_| rng.next() as u8).collect()
}

/// Returns a seed with a few bytes changed, removed, repeated, or replaced by a part of another seed.
fn mutate(seeds: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let mut input = rng.pick(seeds);
    for _ in 0..1 + rng.below(4) {
        let (at, end) = (rng.below(input.len() + 1), rng.below(input.len() + 1));
        let (start, end) = (at.min(end), at.max(end).min(at.min(end) + 64));
        match rng.below(6) {
            0 => drop(input.drain(start..end)),
            1 => input.splice(at..at, input[start..end].to_vec()).for_each(drop),
            2 => {
                let other = rng.pick(seeds);
                let from = rng.below(other.len() + 1);
                let part = other[from..].iter().take(64).copied().collect::<Vec<_>>();
                input.splice(start..end, part).for_each(drop);
            }
            3 => {
                let numbers =
                    ["-1", "0", "1e39", "1e-46", "4294967296", "null", "[]", "\"\"", "9e99"];
                input
                    .splice(start..(start + 1).min(end), rng.pick(&numbers).bytes())
                    .for_each(drop);
            }
            _ if input.is_empty() => input.push(rng.next() as u8),
            _ => {
                let at = at.min(input.len() - 1);
                input[at] = rng.pick(&[
                    rng.clone().next() as u8,
                    input[at] ^ 1 << rng.clone().below(8),
                    0,
                    255,
                ]);
            }
        }
    }
    input
}
