//! Rows of whole frames: boxes move a little, and every contender finds all pairs again.

use std::time::{Duration, Instant};

use carom::broad::{Mobility, Pair};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::results::{Differences, Results, Times};
use crate::scenes::BoxScene;

/// Follows a scene and finds its pairs: boxes that intersect, of which at least one is moving.
pub trait Finder {
    /// Updates the moved boxes and finds the current pairs.
    fn frame(&mut self, scene: &BoxScene);

    /// Returns the pairs of the last frame. Not measured.
    fn pairs(&mut self) -> Vec<Pair>;
}

struct OnAllThreads<F> {
    threads: ThreadPool,
    finder: F,
}

impl<F: Finder + Send> Finder for OnAllThreads<F> {
    fn frame(&mut self, scene: &BoxScene) {
        self.threads.install(|| self.finder.frame(scene));
    }

    fn pairs(&mut self) -> Vec<Pair> {
        self.finder.pairs()
    }
}

/// While the returned guard lives, rayon uses only the current thread.
pub fn one_thread() -> ThreadPool {
    let builder = ThreadPoolBuilder::new().num_threads(1).use_current_thread();
    builder.build().expect("no other pool has this thread")
}

struct Contender {
    results: Times,
    finder: Box<dyn Finder>,
    spent: Duration,
}

/// A scene and the contenders that find its pairs.
pub struct Frames {
    /// The frame before the measured one, and the measured one. Every contender runs both.
    scenes: [BoxScene; 2],
    contenders: Vec<Contender>,
    /// Returns the distance of the contents of two boxes that intersect.
    gap: fn(&BoxScene, Pair) -> f32,
}

/// Libraries that enlarge their boxes may report pairs that are this far apart.
const MARGIN: f32 = 0.25;

impl Frames {
    pub fn new(make: impl Fn() -> BoxScene) -> Self {
        let mut scenes = [make(), make()];
        scenes[1].advance();
        Self { scenes, contenders: Vec::new(), gap: box_gap }
    }

    /// Creates a row whose boxes contain other shapes.
    pub fn of_shapes(make: impl Fn() -> BoxScene, gap: fn(&BoxScene, Pair) -> f32) -> Self {
        Self { gap, ..Self::new(make) }
    }

    /// The scene before it moves.
    pub fn scene(&self) -> &BoxScene {
        &self.scenes[0]
    }

    pub fn boxes(&self) -> usize {
        self.scene().boxes().len()
    }

    pub fn has_static(&self) -> bool {
        self.scene().moving().len() < self.boxes()
    }

    /// Adds a contender that has been given the scene.
    pub fn add(
        &mut self,
        library: &'static str,
        variant: &'static str,
        finder: impl Finder + 'static,
    ) {
        let (results, spent) = (Times::new(library, variant), Duration::ZERO);
        self.contenders.push(Contender { results, finder: Box::new(finder), spent });
    }

    /// Adds a contender that runs on all threads; the others have one, see [`one_thread`].
    pub fn add_on_all_threads(
        &mut self,
        library: &'static str,
        variant: &'static str,
        finder: impl Finder + Send + 'static,
    ) {
        let threads = ThreadPoolBuilder::new().build().expect("threads start");
        self.add(library, variant, OnAllThreads { threads, finder });
    }

    /// Compares the results, then measures all contenders frame by frame, interleaved, until their time
    /// is up.
    pub fn time(mut self, budget: Duration) -> Results {
        const LEAST: usize = 15;
        const MOST: usize = 1000;
        let differences = self.differences();
        let (boxes, count) = (self.boxes(), self.contenders.len());
        for round in 0..MOST {
            let [before, now] = &mut self.scenes;
            for scene in [&mut *before, &mut *now] {
                scene.advance();
                scene.advance();
            }
            let mut all_done = true;
            for turn in 0..count {
                let it = &mut self.contenders[(round + turn) % count];
                if it.spent > budget && round >= LEAST {
                    continue;
                }
                all_done = false;
                // Not measured: the other contenders have evicted the data from the cache.
                it.finder.frame(before);
                let start = Instant::now();
                it.finder.frame(now);
                let time = start.elapsed();
                it.spent += time;
                it.results.times.push(time.as_secs_f64() * 1e3);
            }
            if all_done {
                break;
            }
        }
        let all: Vec<Times> = self.contenders.into_iter().map(|it| it.results).collect();
        let rounds = all.iter().map(Times::rounds).max().unwrap_or(0);
        Results { objects: Some(boxes), differences, ..Results::new("ms", rounds, all) }
    }

    /// Differences in the first frame and after the first motion; each contender is reported once.
    fn differences(&mut self) -> Vec<Differences> {
        let mut differences: Vec<Differences> = Vec::new();
        for scene in &self.scenes {
            let mut truth = all_pairs(scene);
            truth.retain(|&pair| (self.gap)(scene, pair) <= 0.0);
            for it in &mut self.contenders {
                it.finder.frame(scene);
                let mut found = it.finder.pairs();
                found.sort_unstable();
                let close = |&pair: &Pair| (self.gap)(scene, pair) <= MARGIN;
                let compared = compare(it.results.name(), &truth, &found, close);
                differences
                    .extend(compared.filter(|it| differences.iter().all(|d| d.name != it.name)));
            }
        }
        differences
    }
}

/// Returns the missing and superfluous pairs, if any. Superfluous pairs within the margin are borderline.
fn compare(
    name: String,
    truth: &[Pair],
    found: &[Pair],
    close: impl Fn(&Pair) -> bool,
) -> Option<Differences> {
    let missing = || truth.iter().filter(|pair| found.binary_search(pair).is_err());
    let extra = || found.iter().filter(|pair| truth.binary_search(pair).is_err());
    let twice = found.windows(2).filter(|pairs| pairs[0] == pairs[1]).count();
    let borderline = extra().filter(|pair| close(pair)).count();
    let differs = missing().count() + extra().count() - borderline + twice;
    let example = match (missing().next(), extra().next()) {
        (Some(pair), _) => format!("pair {pair:?} of {} is missing", truth.len()),
        (_, Some(pair)) => format!("pair {pair:?} is none ({} are)", truth.len()),
        _ => format!("{twice} pairs come twice"),
    };
    (differs + borderline > 0).then_some(Differences { name, differs, borderline, example })
}

/// Returns the distance of two boxes along the axis on which they are farther apart.
fn box_gap(scene: &BoxScene, [a, b]: Pair) -> f32 {
    let [a, b] = [a, b].map(|id| scene.boxes()[id as usize].0);
    (a.min() - b.max()).max(b.min() - a.max()).max_element()
}

/// Finds all pairs by a sweep over boxes sorted by their left sides. It shares no code with any library.
fn all_pairs(scene: &BoxScene) -> Vec<Pair> {
    let boxes = scene.boxes();
    let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
    let left = |id: u32| boxes[id as usize].0.min().x;
    order.sort_unstable_by(|&a, &b| left(a).total_cmp(&left(b)));
    // In the order of the sweep: left, right, bottom, top.
    let sides = order.iter().map(|&id| {
        let bounds = boxes[id as usize].0;
        [bounds.min().x, bounds.max().x, bounds.min().y, bounds.max().y]
    });
    let sides: Vec<[f32; 4]> = sides.collect();
    let mut pairs = Vec::new();
    for (i, &a) in order.iter().enumerate() {
        let [_, right, bottom, top] = sides[i];
        let following = sides[i + 1..].iter().zip(&order[i + 1..]);
        for (other, &b) in following.take_while(|(other, _)| other[0] <= right) {
            let still = |id: u32| boxes[id as usize].1 == Mobility::Fixed;
            if other[2] <= top && bottom <= other[3] && !(still(a) && still(b)) {
                pairs.push([a.min(b), a.max(b)]);
            }
        }
    }
    pairs.sort_unstable();
    pairs
}
