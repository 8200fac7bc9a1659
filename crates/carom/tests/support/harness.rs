//! Checks laws over every ordered pair of shapes, on all cores, and prints the failures.
//!
//! - `CAROM_CASES=N`: N cases for each ordered pair instead of the default number.
//! - `CAROM_PAIR=Circle-Aabb`: one pair only; `Circle-` or `-Aabb`: all pairs with it on that side.
//! - `CAROM_SLOW=MS`: prints the cases that take longer than `MS` milliseconds.
//! - `CAROM_SEED=S`: the one case of that seed (with `CAROM_PAIR`), or where a longer run starts.
//! - `CAROM_PROGRESS=1`: prints each pair when it is done, and its failures.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

use carom::prelude::*;

use super::cases::Case;

/// The result of a check: an error says what is wrong with the case.
pub type CheckResult = Result<(), String>;

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

/// Defines one test per law, each with its number of cases for every ordered pair. All laws of a module are
/// run_check on the same cases in one run, because generating a case and running the queries is most of the work.
#[macro_export]
macro_rules! laws {
    ($($cases:literal $law:ident),+ $(,)?) => {
        static LAWS: $crate::support::harness::Laws = $crate::support::harness::Laws::new(&[
            $($crate::support::harness::Law { name: stringify!($law), cases: $cases, check: $law }),+
        ]);

        mod law {
            $(
                #[test]
                fn $law() {
                    super::LAWS.assert_holds(stringify!($law));
                }
            )+
        }
    };
}

/// A property that must hold in every case.
pub struct Law {
    pub name: &'static str,
    /// The number of cases for every ordered pair; pairs of complex shapes get fewer.
    pub cases: u64,
    pub check: fn(&Case) -> CheckResult,
}

/// Laws that are run_check together.
pub struct Laws {
    laws: &'static [Law],
    failures: OnceLock<BTreeMap<Kind, Failures>>,
}

/// A kind of failure: the law, the pair of shapes, and the first word of the message.
type Kind = (&'static str, String, String);

#[derive(Default)]
struct Failures {
    count: usize,
    /// The shortest failure of this kind, as text.
    shortest: String,
}

impl Laws {
    pub const fn new(laws: &'static [Law]) -> Self {
        Self { laws, failures: OnceLock::new() }
    }

    /// Panics with the failures of one law. The first call checks all laws.
    pub fn assert_holds(&self, name: &str) {
        let failures = self.failures.get_or_init(|| check_every_pair(self.laws));
        let mut failures: Vec<&Failures> = failures
            .iter()
            .filter(|(kind, _)| kind.0 == name)
            .map(|(_, failures)| failures)
            .collect();
        failures.sort_by_key(|f| f.shortest.len());
        let text: String = failures.iter().map(|f| f.text()).collect();
        assert!(failures.is_empty(), "{} kinds of failures{text}", failures.len());
    }
}

impl Failures {
    fn text(&self) -> String {
        format!("\n{}\n// {} like this\n", self.shortest, self.count)
    }
}

fn check_every_pair(laws: &[Law]) -> BTreeMap<Kind, Failures> {
    let only = std::env::var("CAROM_PAIR").unwrap_or_else(|_| "-".into());
    let (only_a, only_b) = only.split_once('-').expect("CAROM_PAIR looks like Circle-Aabb");
    let wanted = |only: &str, kind: &str| only.is_empty() || only == kind;
    let pairs: Vec<(&str, &str)> = Shape::KINDS
        .iter()
        .flat_map(|&a| Shape::KINDS.iter().map(move |&b| (a, b)))
        .filter(|(a, b)| wanted(only_a, a) && wanted(only_b, b))
        .collect();
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let work = || {
        while let Some(&(a, b)) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let failed = check_pair(a, b, laws);
            failures.lock().expect("no check panics here").extend(failed);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    failures.into_inner().expect("no check panics here")
}

fn check_pair(a: &str, b: &str, laws: &[Law]) -> BTreeMap<Kind, Failures> {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let weight = relative_cost(a) * relative_cost(b);
    let asked = number("CAROM_CASES");
    let cases = |law: &Law| asked.unwrap_or(law.cases.div_ceil(weight));
    let most = laws.iter().map(cases).max().unwrap_or(0);
    let first = number("CAROM_SEED").unwrap_or_else(|| seed_of(a, b));
    let slow = number("CAROM_SLOW");
    let mut failures = BTreeMap::<Kind, Failures>::new();
    let begin = Instant::now();
    for i in 0..most {
        let case = Case::new(a, b, first.wrapping_add(i));
        let start = Instant::now();
        for law in laws.iter().filter(|&law| i < cases(law)) {
            if let Err(message) = run_check(&case, law.check) {
                record(&mut failures, law, &case, &message);
            }
        }
        if slow.is_some_and(|ms| start.elapsed().as_millis() > ms.into()) {
            eprintln!("// {a}-{b} takes {:?}\n{}", start.elapsed(), case.source());
        }
    }
    if std::env::var_os("CAROM_PROGRESS").is_some() {
        let texts: String = failures.values().map(Failures::text).collect();
        eprintln!("{a}-{b}: {most} cases from {first} in {:.1?}{texts}", begin.elapsed());
    }
    failures
}

fn record(failures: &mut BTreeMap<Kind, Failures>, law: &Law, case: &Case, message: &str) {
    let pair = format!("{}-{}", case.a.kind(), case.b.kind());
    let what = message.split([':', ' ']).next().unwrap_or_default().to_string();
    let text = format!("// {pair}: {message}\n{}", case.source());
    let failures = failures.entry((law.name, pair, what)).or_default();
    failures.count += 1;
    if failures.shortest.is_empty() || text.len() < failures.shortest.len() {
        failures.shortest = text;
    }
}

/// Runs a check; a panic is a failure like any other.
fn run_check(case: &Case, check: impl Fn(&Case) -> CheckResult) -> CheckResult {
    catch_unwind(AssertUnwindSafe(|| check(case))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(format!("panics: {}", text.unwrap_or("?")))
    })
}

/// Returns roughly how many times longer the oracle takes for a kind.
fn relative_cost(kind: &str) -> u64 {
    match kind {
        "Ellipse" => 8,
        "Polygon" | "Compound" => 3,
        "TileMap" | "Mask" => 5,
        "Chain" => 2,
        _ => 1,
    }
}

/// Returns the first seed of a pair, far from those of all other pairs.
fn seed_of(a: &str, b: &str) -> u64 {
    let hash = |name: &str| name.bytes().fold(7u64, |h, byte| (h * 31 + u64::from(byte)) % 9973);
    (hash(a) * 10_000 + hash(b)) << 32
}
