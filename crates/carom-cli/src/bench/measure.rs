//! Comparison of the methods on one scene: first of their results, then of their times.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::queries::Queries;
use super::runner::{BroadPhaseRunner, Method, QueryKind};
use super::scenes::{BoxScene, SceneKind};

/// The settings of a measurement.
#[derive(Clone, Copy)]
pub struct Plan {
    pub pairs: bool,
    pub look_ups: bool,
    /// The number of frames. By default as many as fit in a tenth of a second, from 3 to 100.
    pub frames: Option<usize>,
}

/// The results of one method on one scene of one size.
#[derive(Serialize)]
pub struct Row {
    pub scene: &'static str,
    pub boxes: usize,
    pub method: &'static str,
    /// The reason why there are no results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<Frames>,
    /// The time of one query of each kind, in nanoseconds.
    #[serde(rename = "look_ups_ns", skip_serializing_if = "BTreeMap::is_empty")]
    pub look_ups: BTreeMap<&'static str, f64>,
}

/// The cost of updating all moving boxes and finding all pairs.
#[derive(Serialize)]
pub struct Frames {
    pub median_ms: f64,
    pub best_ms: f64,
    pub ns_per_box: f64,
    /// The number of pairs found in the last frame.
    pub pairs: usize,
    /// The number of pairs of boxes tested in the last frame.
    pub tests: u64,
    pub frames: usize,
}

/// A method with its measurements.
struct Contender {
    name: &'static str,
    runner: Box<dyn BroadPhaseRunner>,
    /// The time of each frame, in seconds.
    times: Vec<f64>,
    tests: u64,
    look_ups: BTreeMap<&'static str, f64>,
}

/// Runs all methods on a scene, alternately in each frame. `earlier` contains the rows of the same scene with
/// other sizes.
///
/// # Errors
/// Returns an error if two methods give different results.
pub fn measure(
    kind: &SceneKind,
    boxes: usize,
    methods: &[&Method],
    plan: Plan,
    earlier: &[Row],
) -> Result<Vec<Row>, String> {
    let skipped = |method: &Method| match boxes {
        _ if boxes > kind.max_boxes => Some("too many pairs"),
        _ if boxes > method.max_boxes || would_take_long(method, boxes, earlier) => {
            Some("too slow at this size")
        }
        _ => None,
    };
    let mut contenders = Vec::new();
    if methods.iter().any(|method| skipped(method).is_none()) {
        let mut scene = BoxScene::new(kind, boxes);
        let runs = methods.iter().filter(|method| skipped(method).is_none());
        contenders = runs.map(|method| Contender::new(method, &scene)).collect();
        if plan.pairs {
            time_frames(&mut contenders, &mut scene, plan.frames)?;
        }
        if plan.look_ups {
            time_look_ups(&mut contenders, &scene)?;
        }
    }
    let mut measured = contenders.into_iter();
    let rows = methods.iter().map(|method| {
        let skipped = skipped(method);
        let contender = if skipped.is_none() { measured.next() } else { None };
        let row = Row { scene: kind.name, boxes, method: method.name, skipped, ..Row::EMPTY };
        match contender {
            None => row,
            Some(it) => Row { pairs: it.frames(boxes), look_ups: it.look_ups, ..row },
        }
    });
    Ok(rows.collect())
}

/// Returns `true` if a frame might take more than a few seconds. This extrapolates from fewer boxes: at worst,
/// the time grows with the square of their number.
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

impl Contender {
    fn new(method: &Method, scene: &BoxScene) -> Self {
        let mut runner = (method.make)();
        runner.fill(scene);
        Self { name: method.name, runner, times: Vec::new(), tests: 0, look_ups: BTreeMap::new() }
    }

    fn frame(&mut self, scene: &BoxScene) {
        let start = Instant::now();
        self.tests = self.runner.frame(black_box(scene));
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
            pairs: self.runner.pairs().len(),
            tests: self.tests,
            frames: self.times.len(),
        })
    }
}

fn time_frames(
    contenders: &mut [Contender],
    scene: &mut BoxScene,
    frames: Option<usize>,
) -> Result<(), String> {
    const BUDGET: Duration = Duration::from_millis(100);
    const MIN_FRAMES: usize = 3;
    const MAX_FRAMES: usize = 100;
    for it in &mut *contenders {
        it.runner.frame(scene); // not timed: the first frame builds what later ones reuse
    }
    check_agreement(contenders, scene, "pairs", |it| checksum(it.runner.as_ref()))?;
    let end = Instant::now() + BUDGET * contenders.len() as u32;
    for frame in 0..frames.unwrap_or(MAX_FRAMES) {
        if frames.is_none() && frame >= MIN_FRAMES && Instant::now() > end {
            break;
        }
        scene.advance();
        for turn in 0..contenders.len() {
            let turn = (frame + turn) % contenders.len();
            contenders[turn].frame(scene);
        }
        check_agreement(contenders, scene, "pairs", |it| it.runner.pairs().len() as u64)?;
    }
    Ok(())
}

fn time_look_ups(contenders: &mut [Contender], scene: &BoxScene) -> Result<(), String> {
    const QUERIES: usize = 100;
    const ROUNDS: usize = 5;
    let queries = Queries::new(scene, QUERIES);
    for kind in QueryKind::ALL {
        check_agreement(contenders, scene, kind.name(), |it| it.runner.look_up(kind, &queries))?;
        for round in 0..ROUNDS {
            for turn in 0..contenders.len() {
                let turn = (round + turn) % contenders.len();
                let it = &mut contenders[turn];
                let start = Instant::now();
                black_box(it.runner.look_up(kind, black_box(&queries)));
                let each = start.elapsed().as_secs_f64() * 1e9 / QUERIES as f64;
                let best = it.look_ups.entry(kind.name()).or_insert(f64::INFINITY);
                *best = best.min(each);
            }
        }
    }
    Ok(())
}

/// Returns a checksum of all pairs that does not depend on their order.
fn checksum(runner: &dyn BroadPhaseRunner) -> u64 {
    let mix = |&[a, b]: &[u32; 2]| {
        let pair = u64::from(a) << 32 | u64::from(b);
        (pair ^ pair >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9)
    };
    runner.pairs().iter().map(mix).fold(0, u64::wrapping_add)
}

/// Checks that all methods have the same result, of the kind that the error message names.
fn check_agreement(
    contenders: &[Contender],
    scene: &BoxScene,
    kind: &str,
    result: impl Fn(&Contender) -> u64,
) -> Result<(), String> {
    let mut results = contenders.iter().map(|it| (it, result(it)));
    let Some((first, expected)) = results.next() else { return Ok(()) };
    match results.find(|&(_, found)| found != expected) {
        None => Ok(()),
        Some((other, _)) => Err(format!(
            "{kind}: {} and {} give different results with {} boxes ({} and {} pairs); this is a \
             bug in carom, please report it",
            first.name,
            other.name,
            scene.boxes().len(),
            first.runner.pairs().len(),
            other.runner.pairs().len(),
        )),
    }
}
