//! Methods held against each other on one scene: first the answers, then the time.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::methods::{LookUpKind, Method, Subject};
use super::questions::Questions;
use super::scenes::{Kind, Scene};

/// What a run is to measure.
#[derive(Clone, Copy)]
pub struct Plan {
    pub pairs: bool,
    pub look_ups: bool,
    /// So many frames; without a number, as many as come in a tenth of a second, up to a hundred.
    pub frames: Option<usize>,
}

/// One method on one scene of one size.
#[derive(Serialize)]
pub struct Row {
    pub scene: &'static str,
    pub boxes: usize,
    pub method: &'static str,
    /// Why there are no figures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<Frames>,
    /// Nanoseconds for one look-up of each kind.
    #[serde(rename = "look_ups_ns", skip_serializing_if = "BTreeMap::is_empty")]
    pub look_ups: BTreeMap<&'static str, f64>,
}

/// What it takes to set all that moves and to find all pairs.
#[derive(Serialize)]
pub struct Frames {
    pub median_ms: f64,
    pub best_ms: f64,
    pub ns_per_box: f64,
    /// In the last frame, and so are the tests.
    pub pairs: usize,
    pub tests: u64,
    pub frames: usize,
}

struct Contestant {
    name: &'static str,
    subject: Box<dyn Subject>,
    /// Seconds, for each frame.
    times: Vec<f64>,
    tests: u64,
    look_ups: BTreeMap<&'static str, f64>,
}

/// Runs all methods on a scene, frame by frame in turn. `earlier` has the rows of the same scene with
/// other sizes; `tick` is called after each frame.
///
/// # Errors
/// Where two methods give different answers.
pub fn measure(
    kind: &Kind,
    boxes: usize,
    methods: &[&Method],
    plan: Plan,
    earlier: &[Row],
    tick: impl FnMut(),
) -> Result<Vec<Row>, String> {
    let skipped = |method: &Method| match boxes {
        _ if boxes > kind.most => Some("too many pairs"),
        _ if boxes > method.most || would_take_long(method, boxes, earlier) => {
            Some("too slow for so many")
        }
        _ => None,
    };
    let mut contestants = Vec::new();
    if methods.iter().any(|method| skipped(method).is_none()) {
        let mut scene = Scene::new(kind, boxes);
        let runs = methods.iter().filter(|method| skipped(method).is_none());
        contestants = runs.map(|method| Contestant::new(method, &scene)).collect();
        if plan.pairs {
            time_frames(&mut contestants, &mut scene, plan.frames, tick)?;
        }
        if plan.look_ups {
            time_look_ups(&mut contestants, &scene)?;
        }
    }
    let mut measured = contestants.into_iter();
    let rows = methods.iter().map(|method| {
        let skipped = skipped(method);
        let contestant = if skipped.is_none() { measured.next() } else { None };
        let row = Row { scene: kind.name, boxes, method: method.name, skipped, ..Row::EMPTY };
        match contestant {
            None => row,
            Some(it) => Row { pairs: it.frames(boxes), look_ups: it.look_ups, ..row },
        }
    });
    Ok(rows.collect())
}

/// Whether a frame might take longer than a few seconds, going by fewer boxes: time grows with the
/// square of their number at worst.
fn would_take_long(method: &Method, boxes: usize, earlier: &[Row]) -> bool {
    const LONG_MS: f64 = 10_000.0;
    let of_method = earlier.iter().filter(|row| row.method == method.name);
    of_method.filter_map(|row| Some((row.pairs.as_ref()?.best_ms, row.boxes))).any(|(ms, fewer)| {
        let growth = boxes as f64 / fewer as f64;
        growth > 1.0 && ms * growth * growth > LONG_MS
    })
}

impl Row {
    const EMPTY: Self = Self {
        scene: "",
        boxes: 0,
        method: "",
        skipped: None,
        pairs: None,
        look_ups: BTreeMap::new(),
    };
}

impl Contestant {
    fn new(method: &Method, scene: &Scene) -> Self {
        let mut subject = (method.make)();
        subject.fill(scene);
        Self { name: method.name, subject, times: Vec::new(), tests: 0, look_ups: BTreeMap::new() }
    }

    fn frame(&mut self, scene: &Scene) {
        let start = Instant::now();
        self.tests = self.subject.frame(black_box(scene));
        self.times.push(start.elapsed().as_secs_f64());
    }

    fn frames(&self, boxes: usize) -> Option<Frames> {
        let mut sorted = self.times.clone();
        sorted.sort_by(f64::total_cmp);
        let (&best, &median) = (sorted.first()?, sorted.get(sorted.len() / 2)?);
        Some(Frames {
            median_ms: median * 1e3,
            best_ms: best * 1e3,
            ns_per_box: median * 1e9 / boxes as f64,
            pairs: self.subject.pairs().len(),
            tests: self.tests,
            frames: self.times.len(),
        })
    }
}

fn time_frames(
    contestants: &mut [Contestant],
    scene: &mut Scene,
    frames: Option<usize>,
    mut tick: impl FnMut(),
) -> Result<(), String> {
    const BUDGET: Duration = Duration::from_millis(100);
    const LEAST: usize = 3;
    const MOST: usize = 100;
    for it in &mut *contestants {
        it.subject.frame(scene); // off the clock: the first frame builds what later ones keep
    }
    agree(contestants, scene, "pairs", |it| checksum(it.subject.as_ref()))?;
    let end = Instant::now() + BUDGET * contestants.len() as u32;
    for frame in 0..frames.unwrap_or(MOST) {
        if frames.is_none() && frame >= LEAST && Instant::now() > end {
            break;
        }
        scene.advance();
        for turn in 0..contestants.len() {
            let turn = (frame + turn) % contestants.len();
            contestants[turn].frame(scene);
        }
        agree(contestants, scene, "pairs", |it| it.subject.pairs().len() as u64)?;
        tick();
    }
    Ok(())
}

fn time_look_ups(contestants: &mut [Contestant], scene: &Scene) -> Result<(), String> {
    const QUESTIONS: usize = 100;
    const ROUNDS: usize = 5;
    let questions = Questions::new(scene, QUESTIONS);
    for kind in LookUpKind::ALL {
        agree(contestants, scene, kind.name(), |it| it.subject.look_up(kind, &questions))?;
        for round in 0..ROUNDS {
            for turn in 0..contestants.len() {
                let turn = (round + turn) % contestants.len();
                let it = &mut contestants[turn];
                let start = Instant::now();
                black_box(it.subject.look_up(kind, black_box(&questions)));
                let each = start.elapsed().as_secs_f64() * 1e9 / QUESTIONS as f64;
                let best = it.look_ups.entry(kind.name()).or_insert(f64::INFINITY);
                *best = best.min(each);
            }
        }
    }
    Ok(())
}

/// A sum over all pairs that does not depend on their order.
fn checksum(subject: &dyn Subject) -> u64 {
    let mix = |&[a, b]: &[u32; 2]| {
        let pair = u64::from(a) << 32 | u64::from(b);
        (pair ^ pair >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9)
    };
    subject.pairs().iter().map(mix).fold(0, u64::wrapping_add)
}

fn agree(
    contestants: &[Contestant],
    scene: &Scene,
    what: &str,
    answer: impl Fn(&Contestant) -> u64,
) -> Result<(), String> {
    let mut answers = contestants.iter().map(|it| (it, answer(it)));
    let Some((first, expected)) = answers.next() else { return Ok(()) };
    match answers.find(|&(_, found)| found != expected) {
        None => Ok(()),
        Some((other, _)) => Err(format!(
            "{what}: {} and {} give different answers with {} boxes ({} and {} pairs); this is a \
             fault in carom, please report it",
            first.name,
            other.name,
            scene.boxes().len(),
            first.subject.pairs().len(),
            other.subject.pairs().len(),
        )),
    }
}
