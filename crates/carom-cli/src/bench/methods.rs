//! The methods under test, and how each is put to work.

use std::hint::black_box;

use carom::broad::{
    AabbTree, BroadPhase, BroadPhaseExt, BruteForce, Grid, Mobility, Pair, QuadTree, Strips,
    SweepAndPrune,
};

use super::questions::{NEAREST, Questions};
use super::scenes::Scene;

/// The methods there are. A new one is one more line.
pub const METHODS: &[Method] = &[
    Method::new("strips", || subject(Strips::new())),
    Method::new("aabb-tree", || subject(AabbTree::new())),
    Method::new("grid", || subject(Grid::new())),
    Method::new("quad-tree", || subject(QuadTree::new())),
    Method::new("sweep-and-prune", || subject(SweepAndPrune::new())),
    Method { most: 5_000, ..Method::new("brute-force", || subject(BruteForce::new())) },
];

/// A method by its name.
pub struct Method {
    pub name: &'static str,
    /// With more boxes than that a run would take too long.
    pub most: usize,
    pub make: fn() -> Box<dyn Subject>,
}

impl Method {
    const fn new(name: &'static str, make: fn() -> Box<dyn Subject>) -> Self {
        Self { name, most: usize::MAX, make }
    }
}

/// What is asked of every method. A call has the work of a whole frame or of many look-ups, so that
/// calling through a pointer costs nothing that shows.
pub trait Subject {
    /// Sets all boxes, static ones too.
    fn fill(&mut self, scene: &Scene);

    /// A frame: sets those that move and finds all pairs. Gives the number of tests.
    fn frame(&mut self, scene: &Scene) -> u64;

    /// The pairs of the last frame.
    fn pairs(&self) -> &[Pair];

    /// Answers all questions of a kind. Gives the sum of all answers, to be compared.
    fn look_up(&self, kind: LookUpKind, questions: &Questions) -> u64;
}

/// What can be looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookUpKind {
    Point,
    Box,
    Ray,
    Sweep,
    Nearest,
}

impl LookUpKind {
    pub const ALL: [Self; 5] = [Self::Point, Self::Box, Self::Ray, Self::Sweep, Self::Nearest];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::Box => "box",
            Self::Ray => "ray",
            Self::Sweep => "sweep",
            Self::Nearest => "nearest",
        }
    }
}

struct Run<B> {
    broad: B,
    pairs: Vec<Pair>,
}

fn subject<B: BroadPhase + 'static>(broad: B) -> Box<dyn Subject> {
    Box::new(Run { broad, pairs: Vec::new() })
}

impl<B: BroadPhase> Subject for Run<B> {
    fn fill(&mut self, scene: &Scene) {
        for (id, &(bounds, mobility)) in (0..).zip(scene.boxes()) {
            self.broad.set(id, bounds, mobility);
        }
    }

    fn frame(&mut self, scene: &Scene) -> u64 {
        for (id, bounds) in scene.moving() {
            self.broad.set(id, bounds, Mobility::Moving);
        }
        self.broad.find_pairs(&mut self.pairs)
    }

    fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    fn look_up(&self, kind: LookUpKind, questions: &Questions) -> u64 {
        let broad = &self.broad;
        let (points, boxes) = (&questions.points, &questions.boxes);
        match kind {
            LookUpKind::Point => sum(points, |&point| sum(&broad.at_point(point), |&id| id.into())),
            LookUpKind::Box => {
                sum(boxes, |bounds| sum(&broad.intersecting_box(bounds), |&id| id.into()))
            }
            LookUpKind::Ray => sum(&questions.rays, |ray| first(broad.raycast_first(ray))),
            LookUpKind::Sweep => {
                sum(&questions.sweeps, |(circle, motion)| first(broad.sweep_first(circle, *motion)))
            }
            LookUpKind::Nearest => {
                sum(points, |&point| sum(&broad.nearest(point, NEAREST), |&(id, _)| id.into()))
            }
        }
    }
}

/// The id of what was hit first, told apart from no hit.
fn first<H>(hit: Option<(u32, H)>) -> u64 {
    hit.map_or(0, |(id, _)| 1 + u64::from(id))
}

fn sum<T>(items: &[T], value: impl Fn(&T) -> u64) -> u64 {
    items.iter().map(|item| value(black_box(item))).sum()
}
