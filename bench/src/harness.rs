//! Rows of contenders: their answers judged, then their times taken in turn.

use std::hint::black_box;
use std::time::{Duration, Instant};

pub const CAROM: &str = "carom";
pub const CAROM_ENUM: &str = "carom_enum";
pub const BOX2D: &str = "box2d";
pub const PARRY: &str = "parry2d";

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

/// What a contender's time can be held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Starts from two placed shapes, or shapes and their poses, and answers in full.
    Full,
    /// Answers in full, but is handed the pair's relative pose, computed off the clock.
    Prepared,
    /// Gives less than the row asks for: shown, but in no ratio.
    Partial,
}

pub struct Contender<'a> {
    pub library: &'static str,
    /// Which of the library's functions; empty for its only one.
    pub way: &'static str,
    pub standing: Standing,
    answers: Vec<Answer>,
    pass: Box<dyn FnMut() + 'a>,
    /// Nanoseconds for one question, a round each; sorted once all are taken.
    times: Vec<f64>,
}

impl Contender<'_> {
    pub fn best(&self) -> f64 {
        self.times[0]
    }

    pub fn median(&self) -> f64 {
        self.times[self.rounds() / 2]
    }

    pub fn rounds(&self) -> usize {
        self.times.len()
    }

    pub fn name(&self) -> String {
        format!("{} {}", self.library, self.way).trim_end().to_owned()
    }

    fn is_peer(&self) -> bool {
        ![CAROM, CAROM_ENUM].contains(&self.library)
    }
}

/// One question about one kind of input, and everybody who answers it.
pub struct Row<'a> {
    pub truth: Vec<Answer>,
    judge: Box<dyn Fn(usize, Answer) -> Verdict + 'a>,
    pub contenders: Vec<Contender<'a>>,
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
        let pass = Box::new(move || {
            for item in &items {
                black_box(ask(black_box(item)));
            }
        });
        let (standing, times) = (Standing::Full, Vec::new());
        self.contenders.push(Contender { library, way, standing, answers, pass, times });
        self
    }

    /// Says of the contender added last that its time is not quite comparable.
    pub fn but(&mut self, standing: Standing) {
        self.contenders.last_mut().expect("a contender was added").standing = standing;
    }

    /// One pass of each in turn, starting with another one each round, until the time is up.
    pub fn time(&mut self, budget: Duration) {
        const LEAST_ROUNDS: usize = 15;
        let items = self.truth.len() as f64;
        let count = self.contenders.len();
        let start = Instant::now();
        let mut round = 0;
        while round < LEAST_ROUNDS || start.elapsed() < budget * count as u32 {
            for turn in 0..count {
                let contender = &mut self.contenders[(round + turn) % count];
                // Off the clock: the others had the cache.
                (contender.pass)();
                let start = Instant::now();
                (contender.pass)();
                contender.times.push(start.elapsed().as_nanos() as f64 / items);
            }
            round += 1;
        }
        for contender in &mut self.contenders {
            contender.times.sort_by(f64::total_cmp);
        }
    }

    /// The library's fastest full answer, prepared or not.
    pub fn fastest(&self, library: &str) -> Option<&Contender<'a>> {
        self.fastest_of(|it| it.library == library && it.standing != Standing::Partial)
    }

    fn fastest_of(&self, which: impl Fn(&Contender<'a>) -> bool) -> Option<&Contender<'a>> {
        let these = self.contenders.iter().filter(|it| which(it));
        these.min_by(|a, b| a.best().total_cmp(&b.best()))
    }

    /// Every library but carom itself, in order of appearance.
    pub fn peers(&self) -> Vec<&'static str> {
        let peers = self.contenders.iter().filter(|it| it.is_peer());
        let mut peers: Vec<_> = peers.map(|it| it.library).collect();
        peers.dedup();
        peers
    }

    /// How many times as fast carom is as the fastest peer's full answer.
    pub fn ratio(&self) -> Option<f64> {
        self.ratio_to(|it| it.standing != Standing::Partial)
    }

    /// The same, with none of a peer's work done off the clock.
    pub fn unprepared_ratio(&self) -> Option<f64> {
        self.ratio_to(|it| it.standing == Standing::Full)
    }

    fn ratio_to(&self, which: impl Fn(&Contender<'a>) -> bool) -> Option<f64> {
        let peer = self.fastest_of(|it| it.is_peer() && which(it))?;
        Some(peer.best() / self.fastest(CAROM)?.best())
    }

    /// Where contenders' answers are not the true ones, for those with any such.
    pub fn differences(&self) -> Vec<Differences> {
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
            name: contender.name(),
            differs: count(Verdict::Differs),
            borderline: count(Verdict::Borderline),
            example: example.map_or(String::new(), show),
        }
    }
}

pub struct Differences {
    pub name: String,
    pub differs: usize,
    pub borderline: usize,
    pub example: String,
}
