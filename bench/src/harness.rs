//! Rows of contenders: their answers judged, then their times taken in turn.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::results::{Differences, Results, Standing, Times};

/// What all libraries' answers have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer {
    No,
    Yes,
    /// A depth, a distance, or how far along a motion (in units of length).
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

/// A contender's answer against the true one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Agrees,
    /// Differs, but so close to touching that the libraries' tolerances explain it.
    Borderline,
    Differs,
}

struct Contender<'a> {
    results: Times,
    answers: Vec<Answer>,
    /// All questions once, and how long that took.
    pass: Box<dyn FnMut() -> Duration + 'a>,
}

/// One question about one kind of input, and everybody who answers it.
pub struct Row<'a> {
    truth: Vec<Answer>,
    judge: Box<dyn Fn(usize, Answer) -> Verdict + 'a>,
    contenders: Vec<Contender<'a>>,
}

impl<'a> Row<'a> {
    /// `truth` is for show; `judge` decides about an answer to the input of the given index.
    pub fn new(truth: Vec<Answer>, judge: impl Fn(usize, Answer) -> Verdict + 'a) -> Self {
        Self { truth, judge: Box::new(judge), contenders: Vec::new() }
    }

    /// A contender that puts `ask` to each of `items`; `read` reduces what it gets, off the clock.
    pub fn add<T: 'a, R>(
        &mut self,
        library: &'static str,
        way: &'static str,
        items: Vec<T>,
        ask: impl Fn(&T) -> R + 'a,
        read: impl Fn(&R) -> Answer,
    ) -> &mut Self {
        let answers = items.iter().map(|item| read(&ask(item))).collect();
        let pass = move || {
            let start = Instant::now();
            for item in &items {
                // By reference: handed over by value it would be copied, and a copy of what has
                // just been written in other pieces costs more than many an answer.
                let answer = ask(black_box(item));
                black_box(&answer);
            }
            start.elapsed()
        };
        self.add_timed(library, way, answers, pass)
    }

    /// A contender that takes the time of a pass over all questions itself.
    pub fn add_timed(
        &mut self,
        library: &'static str,
        way: &'static str,
        answers: Vec<Answer>,
        pass: impl FnMut() -> Duration + 'a,
    ) -> &mut Self {
        let results = Times::new(library, way);
        self.contenders.push(Contender { results, answers, pass: Box::new(pass) });
        self
    }

    /// Says of the contender added last that its time is not quite comparable.
    pub fn but(&mut self, standing: Standing) {
        self.contenders.last_mut().expect("a contender was added").results.standing = standing;
    }

    /// One pass of each in turn, starting with another one each round, until the time is up.
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
                // Off the clock: the others had the cache.
                (contender.pass)();
                let time = (contender.pass)();
                contender.results.times.push(time.as_nanos() as f64 / questions as f64);
            }
            round += 1;
        }
        let all = self.contenders.into_iter().map(|it| it.results).collect();
        Results { differences, ..Results::new("ns", questions, all) }
    }

    /// Where contenders' answers are not the true ones, for those with any such.
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
