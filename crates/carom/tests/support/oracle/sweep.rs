//! The depth of a motion, for the laws of sweeps and rays. It is computed in `f64`; only the test whether a motion
//! enters at all is exact.

use std::cell::OnceCell;

use super::bigint::Int;
use super::depth::Blocker;
use super::exact_pair::ExactPair;
use super::geometry::{Piece, V};

/// A motion of `a` among the pieces of `b`.
pub struct Path {
    pair: ExactPair,
    a: Vec<Piece>,
    b: Vec<Piece>,
    /// The pairs of pieces that can overlap, sorted by their bound on the depth.
    pairs: Vec<Pair>,
    thin: Vec<Blocker>,
    motion: [f64; 2],
    /// `true` if the motion enters the interior of a blocker, exactly.
    pub enters: bool,
    /// `true` if some pair of pieces can touch but never overlap.
    pub has_thin_pair: bool,
}

/// Two pieces, and the translations at which they overlap, computed on demand.
struct Pair {
    a: usize,
    b: usize,
    /// An upper bound on the depth along the path, from the bounding boxes; infinite if these intersect.
    bound: f64,
    blocker: OnceCell<Blocker>,
}

impl Path {
    pub fn new(pair: &ExactPair, motion: [f64; 2]) -> Self {
        let (pair, by) = pair.with_motion(motion);
        let (a, b) = (pair.a.pieces(), pair.b.pieces());
        let boxes = |pieces: &[Piece]| -> Vec<_> {
            pieces.iter().map(|piece| bounds(&pair, piece)).collect()
        };
        let (boxes_a, boxes_b) = (boxes(&a), boxes(&b));
        let (mut pairs, mut thin) = (Vec::new(), Vec::new());
        for (i, p) in a.iter().enumerate() {
            for (j, q) in b.iter().enumerate() {
                let difference = (!p.has_area() && !q.has_area()).then(|| q.minus(p));
                if let Some(difference) = difference.filter(|d| !d.has_area()) {
                    thin.push(Blocker::new(&pair, &difference));
                } else {
                    let bound = bound(boxes_a[i], boxes_b[j], motion);
                    pairs.push(Pair { a: i, b: j, bound, blocker: OnceCell::new() });
                }
            }
        }
        pairs.sort_by(|p, q| q.bound.total_cmp(&p.bound));
        let line = Piece::new(vec![V::ZERO, by], Int::ZERO);
        let near = pairs.iter().take_while(|pair| pair.bound >= 0.0);
        let enters =
            near.into_iter().any(|p| b[p.b].minus(&a[p.a]).minus(&line).has_origin_in_interior());
        Self { pair, a, b, pairs, has_thin_pair: !thin.is_empty(), thin, motion, enters }
    }

    fn blocker<'a>(&'a self, pair: &'a Pair) -> &'a Blocker {
        let Pair { a, b, ref blocker, .. } = *pair;
        blocker.get_or_init(|| Blocker::new(&self.pair, &self.b[b].minus(&self.a[a])))
    }

    /// Returns the blocker, if there is only one pair of pieces.
    pub fn only_blocker(&self) -> Option<&Blocker> {
        match &self.pairs[..] {
            [pair] if !self.has_thin_pair => Some(self.blocker(pair)),
            _ => None,
        }
    }

    pub fn at(&self, time: f64) -> [f64; 2] {
        self.motion.map(|m| m * time)
    }

    /// Returns the maximum depth up to a time, and its time; a negative depth is a gap.
    pub fn deepest(&self, until: f64) -> (f64, f64) {
        let mut deepest = (f64::NEG_INFINITY, 0.0);
        for pair in &self.pairs {
            if pair.bound < deepest.0 {
                break;
            }
            deepest = deeper(deepest, self.top(self.blocker(pair), until));
        }
        deepest
    }

    /// Returns the depth at a time; a negative depth is the gap to pieces near the path.
    pub fn depth_at(&self, time: f64) -> f64 {
        let near = self.pairs.iter().take_while(|pair| pair.bound >= 0.0);
        let depths = near.map(|pair| self.blocker(pair).depth_of(self.at(time)));
        depths.fold(f64::NEG_INFINITY, f64::max)
    }

    /// Finds the maximum depth along a line by golden-section search: the depth is concave for a convex blocker.
    fn top(&self, blocker: &Blocker, until: f64) -> (f64, f64) {
        let depth = |t: f64| blocker.depth_of(self.at(t));
        let (mut low, mut high) = (0.0, until);
        // One of the two inner points is reused in the next step. After 50 steps the ends are 4e-11 of the motion
        // apart, and depth changes no faster than position.
        const RATIO: f64 = 0.618_033_988_749_895;
        let places =
            |low: f64, high: f64| (high - (high - low) * RATIO, low + (high - low) * RATIO);
        let (s, t) = places(low, high);
        let (mut left, mut right) = (depth(s), depth(t));
        for _ in 0..50 {
            let (s, t) = places(low, high);
            if left < right {
                low = s;
                (left, right) = (right, depth(places(low, high).1));
            } else {
                high = t;
                (left, right) = (depth(places(low, high).0), left);
            }
        }
        let ends = [0.0, until, (low + high) * 0.5].map(|t| (depth(t), t));
        ends.into_iter().fold((f64::NEG_INFINITY, 0.0), deeper)
    }

    /// Returns `true` if the path of a point crosses a segment, farther than a margin from all ends.
    pub fn crosses_line(&self, margin: f64) -> bool {
        self.thin.iter().any(|line| line.is_crossed(self.motion, margin))
    }
}

fn deeper(best: (f64, f64), top: (f64, f64)) -> (f64, f64) {
    if top.0 > best.0 { top } else { best }
}

/// Returns the bounds of a piece in the units of the input, rounded: low and high, for x and y.
fn bounds(pair: &ExactPair, piece: &Piece) -> [[f64; 2]; 2] {
    let radius = pair.real_length(&piece.radius);
    let mut bounds = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
    for point in &piece.points {
        for (bounds, at) in bounds.iter_mut().zip(pair.real(point)) {
            *bounds = [bounds[0].min(at - radius), bounds[1].max(at + radius)];
        }
    }
    bounds
}

/// Returns an upper bound on the depth of two pieces along a motion of the first, from their bounds.
fn bound(a: [[f64; 2]; 2], b: [[f64; 2]; 2], motion: [f64; 2]) -> f64 {
    let gap = |axis: usize| {
        let ([a_low, a_high], [b_low, b_high], by) = (a[axis], b[axis], motion[axis]);
        let gap = (b_low - a_high - by.max(0.0)).max(a_low + by.min(0.0) - b_high);
        let size = [a_low, a_high, b_low, b_high, by].iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        (gap - 1e-12 * size).max(0.0)
    };
    let apart = gap(0).hypot(gap(1));
    if apart > 0.0 { -apart } else { f64::INFINITY }
}
