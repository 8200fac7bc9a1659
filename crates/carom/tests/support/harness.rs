//! Runs a check over every ordered pair of shapes, on all cores, and prints what fails.
//!
//! - `CAROM_CASES=N`: N cases for each ordered pair instead of the default number.
//! - `CAROM_PAIR=Circle-Aabb`: one pair only; `Circle-` or `-Aabb`: all pairs with it on that side.
//! - `CAROM_SLOW=MS`: prints the cases that take longer than so many milliseconds.
//! - `CAROM_SEED=S`: the one case of that seed (with `CAROM_PAIR`), or where a longer run starts.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use carom::prelude::*;

use super::cases::Case;

/// What a check finds wrong with a case, if anything.
pub type Verdict = Result<(), String>;

/// Fails with a message unless the condition holds.
#[macro_export]
macro_rules! ensure {
    ($condition:expr, $($message:tt)+) => {
        match $condition {
            true => {}
            false => return Err(format!($($message)+)),
        }
    };
}

#[derive(Default)]
struct Failures {
    count: usize,
    /// The shortest of them, as text.
    shortest: String,
}

/// Checks `cases` cases of every ordered pair; pairs with shapes of many parts or vertices get
/// fewer of them.
pub fn for_every_pair(cases: u64, check: impl Fn(&Case) -> Verdict + Sync) {
    let only = std::env::var("CAROM_PAIR").unwrap_or_else(|_| "-".into());
    let (only_a, only_b) = only.split_once('-').expect("CAROM_PAIR looks like Circle-Aabb");
    let wanted = |only: &str, kind: &str| only.is_empty() || only == kind;
    let pairs: Vec<(&str, &str)> = Shape::KINDS
        .iter()
        .flat_map(|&a| Shape::KINDS.iter().map(move |&b| (a, b)))
        .filter(|(a, b)| wanted(only_a, a) && wanted(only_b, b))
        .collect();
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(&(a, b)) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let failed = check_pair(a, b, cases, &check).into_values();
            failures.lock().expect("no check panics here").extend(failed);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    report(failures.into_inner().expect("no check panics here"));
}

/// What fails, by the first word of the message.
fn check_pair(
    a: &str,
    b: &str,
    cases: u64,
    check: impl Fn(&Case) -> Verdict,
) -> BTreeMap<String, Failures> {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let weight = slowness(a) * slowness(b);
    let cases = number("CAROM_CASES").unwrap_or(cases.div_ceil(weight));
    let first = number("CAROM_SEED").unwrap_or_else(|| seed_of(a, b));
    let slow = number("CAROM_SLOW");
    let mut failures = BTreeMap::<String, Failures>::new();
    for seed in first..first.wrapping_add(cases) {
        let case = Case::new(a, b, seed);
        let start = Instant::now();
        let verdict = checked(&case, &check);
        if slow.is_some_and(|ms| start.elapsed().as_millis() > ms.into()) {
            eprintln!("// {a}-{b} takes {:?}\n{}", start.elapsed(), case.source());
        }
        let Err(message) = verdict else { continue };
        let what = message.split([':', ' ']).next().unwrap_or_default().to_string();
        let failures = failures.entry(what).or_default();
        failures.count += 1;
        let text = format!("// {a}-{b}: {message}\n{}", case.source());
        if failures.shortest.is_empty() || text.len() < failures.shortest.len() {
            failures.shortest = text;
        }
    }
    failures
}

/// A panic is a fault of the case like any other.
fn checked(case: &Case, check: impl Fn(&Case) -> Verdict) -> Verdict {
    catch_unwind(AssertUnwindSafe(|| check(case))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(format!("panics: {}", text.unwrap_or("?")))
    })
}

/// How much longer than others the oracle takes for a kind, roughly.
fn slowness(kind: &str) -> u64 {
    match kind {
        "Ellipse" => 8,
        "Polygon" | "Compound" => 3,
        "Chain" => 2,
        _ => 1,
    }
}

/// Where a pair's seeds start: far from those of all other pairs.
fn seed_of(a: &str, b: &str) -> u64 {
    let hash = |name: &str| name.bytes().fold(7u64, |h, byte| (h * 31 + u64::from(byte)) % 9973);
    (hash(a) * 10_000 + hash(b)) << 32
}

fn report(mut failures: Vec<Failures>) {
    if failures.is_empty() {
        return;
    }
    failures.sort_by_key(|f| f.shortest.len());
    let mut text = String::new();
    for Failures { count, shortest } in &failures {
        text += &format!("\n{shortest}\n// {count} like this\n");
    }
    panic!("{} kinds of failures{text}", failures.len());
}
