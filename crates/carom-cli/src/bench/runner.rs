//! The methods, and the code that runs them.

use std::hint::black_box;

use carom::broad::{
    AabbTree, BroadPhase, BroadPhaseExt, BruteForce, Grid, Mobility, Pair, QuadTree, Strips,
    SweepAndPrune,
};

use super::queries::{NEAREST, Queries};
use super::scenes::BoxScene;

/// All methods.
pub const METHODS: &[Method] = &[
    Method::new("strips", || runner(Strips::new())),
    Method::new("aabb-tree", || runner(AabbTree::new())),
    Method::new("grid", || runner(Grid::new())),
    Method::new("quad-tree", || runner(QuadTree::new())),
    Method::new("sweep-and-prune", || runner(SweepAndPrune::new())),
    Method { max_boxes: 5_000, ..Method::new("brute-force", || runner(BruteForce::new())) },
];

/// A broad phase with a name.
pub struct Method {
    pub name: &'static str,
    /// The maximum number of boxes with which a run does not take too long.
    pub max_boxes: usize,
    pub make: fn() -> Box<dyn BroadPhaseRunner>,
}

impl Method {
    const fn new(name: &'static str, make: fn() -> Box<dyn BroadPhaseRunner>) -> Self {
        Self { name, max_boxes: usize::MAX, make }
    }
}

/// A broad phase that can be measured. Each call does the work of a whole frame or of many queries, so the cost of
/// dynamic dispatch is negligible.
pub trait BroadPhaseRunner {
    /// Inserts all boxes, moving and static.
    fn fill(&mut self, scene: &BoxScene);

    /// Runs a frame: updates the moving boxes and finds all pairs. Returns the number of tested pairs.
    fn frame(&mut self, scene: &BoxScene) -> u64;

    /// Returns the pairs of the last frame.
    fn pairs(&self) -> &[Pair];

    /// Runs all queries of a kind. Returns the sum of all results, for comparison.
    fn look_up(&self, kind: QueryKind, queries: &Queries) -> u64;
}

/// A kind of query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryKind {
    Point,
    Box,
    Ray,
    Sweep,
    Nearest,
}

impl QueryKind {
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

struct Runner<B> {
    broad: B,
    pairs: Vec<Pair>,
}

fn runner<B: BroadPhase + 'static>(broad: B) -> Box<dyn BroadPhaseRunner> {
    Box::new(Runner { broad, pairs: Vec::new() })
}

impl<B: BroadPhase> BroadPhaseRunner for Runner<B> {
    fn fill(&mut self, scene: &BoxScene) {
        for (id, &(bounds, mobility)) in (0..).zip(scene.boxes()) {
            self.broad.set(id, bounds, mobility);
        }
    }

    fn frame(&mut self, scene: &BoxScene) -> u64 {
        for (id, bounds) in scene.moving() {
            self.broad.set(id, bounds, Mobility::Moving);
        }
        self.broad.find_pairs(&mut self.pairs)
    }

    fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    fn look_up(&self, kind: QueryKind, queries: &Queries) -> u64 {
        let broad = &self.broad;
        let (points, boxes) = (&queries.points, &queries.boxes);
        match kind {
            QueryKind::Point => sum(points, |&point| sum(&broad.at_point(point), |&id| id.into())),
            QueryKind::Box => {
                sum(boxes, |bounds| sum(&broad.intersecting_box(bounds), |&id| id.into()))
            }
            QueryKind::Ray => sum(&queries.rays, |ray| first(broad.raycast_first(ray))),
            QueryKind::Sweep => {
                sum(&queries.sweeps, |(circle, motion)| first(broad.sweep_first(circle, *motion)))
            }
            QueryKind::Nearest => {
                sum(points, |&point| sum(&broad.nearest(point, NEAREST), |&(id, _)| id.into()))
            }
        }
    }
}

/// Returns 0 for no hit, else the id of the hit plus 1.
fn first<H>(hit: Option<(u32, H)>) -> u64 {
    hit.map_or(0, |(id, _)| 1 + u64::from(id))
}

fn sum<T>(items: &[T], value: impl Fn(&T) -> u64) -> u64 {
    items.iter().map(|item| value(black_box(item))).sum()
}
