//! How deep a motion goes, for the laws of sweeps and rays. In `f64`: only the question whether a
//! motion enters at all is exact.

use super::depth::Blocker;
use super::int::Int;
use super::plane::{Piece, V};
use super::scene::Scene;

/// What a motion of `a` meets in `b`.
pub struct Path {
    pub blockers: Vec<Blocker>,
    motion: [f64; 2],
    /// Whether the motion enters the inside of a blocker, exactly.
    pub enters: bool,
    /// Whether some pair of pieces can touch but never overlap.
    pub has_thin_pair: bool,
    thin: Vec<Blocker>,
}

impl Path {
    pub fn new(scene: &Scene, motion: [f64; 2]) -> Self {
        let (scene, by) = scene.with_motion(motion);
        let (a, b) = (scene.a.pieces(), scene.b.pieces());
        let path = Piece::new(vec![V::ZERO, by], Int::ZERO);
        let differences: Vec<Piece> =
            a.iter().flat_map(|p| b.iter().map(move |q| q.minus(p))).collect();
        let (thick, thin): (Vec<_>, Vec<_>) = differences.into_iter().partition(Piece::has_area);
        Self {
            enters: thick.iter().any(|d| d.minus(&path).has_origin_inside()),
            blockers: thick.iter().map(|d| Blocker::new(&scene, d)).collect(),
            has_thin_pair: !thin.is_empty(),
            thin: thin.iter().map(|d| Blocker::new(&scene, d)).collect(),
            motion,
        }
    }

    pub fn at(&self, time: f64) -> [f64; 2] {
        self.motion.map(|m| m * time)
    }

    /// The greatest depth up to a time, and when; negative is a gap. Depth along a line is
    /// concave for a convex blocker, so narrowing down finds its top.
    pub fn deepest(&self, until: f64) -> (f64, f64) {
        let tops = self.blockers.iter().map(|blocker| {
            let depth = |t: f64| blocker.depth_of(self.at(t));
            let (mut low, mut high) = (0.0, until);
            // By the golden ratio: of the two inner places, one is there again the next time. From
            // the 75th time on, nothing is left between the ends.
            const RATIO: f64 = 0.618_033_988_749_895;
            let places =
                |low: f64, high: f64| (high - (high - low) * RATIO, low + (high - low) * RATIO);
            let (s, t) = places(low, high);
            let (mut left, mut right) = (depth(s), depth(t));
            for _ in 0..75 {
                let (s, t) = places(low, high);
                if left < right {
                    low = s;
                    (left, right) = (right, depth(places(low, high).1));
                } else {
                    high = t;
                    (left, right) = (depth(places(low, high).0), left);
                }
            }
            [0.0, until, (low + high) * 0.5]
                .map(|t| (depth(t), t))
                .into_iter()
                .fold((f64::NEG_INFINITY, 0.0), |best, top| if top.0 > best.0 { top } else { best })
        });
        tops.fold((f64::NEG_INFINITY, 0.0), |best, top| if top.0 > best.0 { top } else { best })
    }

    /// Whether the path of a point crosses a segment, away from all ends by more than a margin.
    pub fn crosses_line(&self, margin: f64) -> bool {
        self.thin.iter().any(|line| line.is_crossed(self.motion, margin))
    }
}
