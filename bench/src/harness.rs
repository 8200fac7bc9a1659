//! Rows of contenders: their results are judged, then their times are measured, interleaved.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::results::{Comparability, Differences, Results, Times};

/// A result, in the form that all libraries can provide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer {
    No,
    Yes,
    /// A depth, a distance, or a position along a motion (in units of length).
    Value(f64),
}

impl From<bool> for Answer {
    fn from(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

impl From<Option<f32>> for Answer {
    fn from(value: Option<f32>) -> Self {
        value.map_or(Self::No, |value| Self::Value(value.into()))
    }
}

/// The judgment of a result.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Agrees,
    /// Differs, but is so close to touching that a library's tolerance explains it.
    Borderline,
    Differs,
}

struct Contender<'a> {
    results: Times,
    answers: Vec<Answer>,
    /// Runs all inputs once and returns the time.
    pass: Box<dyn FnMut() -> Duration + 'a>,
}

/// One query on one kind of input, and its contenders.
pub struct Row<'a> {
    truth: Vec<Answer>,
    judge: Box<dyn Fn(usize, Answer) -> Verdict + 'a>,
    contenders: Vec<Contender<'a>>,
}

impl<'a> Row<'a> {
    /// `truth` is only printed; `judge` compares a result with the expected one of the given index.
    pub fn new(truth: Vec<Answer>, judge: impl Fn(usize, Answer) -> Verdict + 'a) -> Self {
        Self { truth, judge: Box::new(judge), contenders: Vec::new() }
    }

    /// Adds a contender that calls `ask` for each of `items`; `read` converts its results, unmeasured.
    pub fn add<T: 'a, R>(
        &mut self,
        library: &'static str,
        variant: &'static str,
        items: Vec<T>,
        ask: impl Fn(&T) -> R + 'a,
        read: impl Fn(&R) -> Answer,
    ) -> &mut Self {
        let answers = items.iter().map(|item| read(&ask(item))).collect();
        let pass = move || {
            let start = Instant::now();
            for item in &items {
                // By reference: passing the result by value would copy it, and reading a value that has
                // just been written in smaller pieces stalls longer than many queries take.
                let answer = ask(black_box(item));
                black_box(&answer);
            }
            start.elapsed()
        };
        self.add_timed(library, variant, answers, pass)
    }

    /// Adds a contender that measures a pass over all inputs itself.
    pub fn add_timed(
        &mut self,
        library: &'static str,
        variant: &'static str,
        answers: Vec<Answer>,
        pass: impl FnMut() -> Duration + 'a,
    ) -> &mut Self {
        let results = Times::new(library, variant);
        self.contenders.push(Contender { results, answers, pass: Box::new(pass) });
        self
    }

    /// Marks the contender added last as not fully comparable.
    pub fn but(&mut self, comparability: Comparability) {
        self.contenders.last_mut().expect("a contender was added").results.comparability =
            comparability;
    }

    /// Runs one pass of each contender per round, in a rotating order, until the time is up.
    pub fn time(mut self, budget: Duration) -> Results {
        const LEAST_ROUNDS: usize = 15;
        let differences = self.differences();
        let questions = self.truth.len();
        let count = self.contenders.len();
        let start = Instant::now();
        let mut round = 0;
        while round < LEAST_ROUNDS || start.elapsed() < budget * count as u32 {
            for turn in 0..count {
                let contender = &mut self.contenders[(round + turn) % count];
                // Not measured: the other contenders have evicted the data from the cache.
                (contender.pass)();
                let time = (contender.pass)();
                contender.results.times.push(time.as_nanos() as f64 / questions as f64);
            }
            round += 1;
        }
        let all = self.contenders.into_iter().map(|it| it.results).collect();
        Results { differences, ..Results::new("ns", questions, all) }
    }

    /// Returns the incorrect results of each contender that has any.
    fn differences(&self) -> Vec<Differences> {
        let all = self.contenders.iter().map(|it| self.differences_of(it));
        all.filter(|it| it.differs + it.borderline > 0).collect()
    }

    fn differences_of(&self, contender: &Contender<'a>) -> Differences {
        let answers = contender.answers.iter().enumerate();
        let verdicts: Vec<_> = answers.map(|(i, &answer)| (self.judge)(i, answer)).collect();
        let count = |verdict| verdicts.iter().filter(|&&it| it == verdict).count();
        let first = |verdict| verdicts.iter().position(|&it| it == verdict);
        let example = first(Verdict::Differs).or_else(|| first(Verdict::Borderline));
        let show = |i| format!("input {i}: {:?}, truth {:?}", contender.answers[i], self.truth[i]);
        Differences {
            name: contender.results.name(),
            differs: count(Verdict::Differs),
            borderline: count(Verdict::Borderline),
            example: example.map_or(String::new(), show),
        }
    }
}
