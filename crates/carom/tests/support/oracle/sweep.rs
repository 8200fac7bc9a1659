//! How deep a motion goes, for the laws of sweeps and rays. In `f64`: only the question whether a
//! motion enters at all is exact.

use std::cell::OnceCell;

use super::bigint::Int;
use super::depth::Blocker;
use super::exact_pair::ExactPair;
use super::geometry::{Piece, V};

/// What a motion of `a` meets in `b`.
pub struct Path {
    pair: ExactPair,
    a: Vec<Piece>,
    b: Vec<Piece>,
    /// The pairs of pieces that can overlap, those that may come closest first.
    pairs: Vec<Pair>,
    thin: Vec<Blocker>,
    motion: [f64; 2],
    /// Whether the motion enters the inside of a blocker, exactly.
    pub enters: bool,
    /// Whether some pair of pieces can touch but never overlap.
    pub has_thin_pair: bool,
}

/// Two pieces, and the translations at which they overlap, worked out when asked for.
struct Pair {
    a: usize,
    b: usize,
    /// No depth along the path is greater: their boxes stay so far apart, or nothing is known.
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
            near.into_iter().any(|p| b[p.b].minus(&a[p.a]).minus(&line).has_origin_inside());
        Self { pair, a, b, pairs, has_thin_pair: !thin.is_empty(), thin, motion, enters }
    }

    fn blocker<'a>(&'a self, pair: &'a Pair) -> &'a Blocker {
        let Pair { a, b, ref blocker, .. } = *pair;
        blocker.get_or_init(|| Blocker::new(&self.pair, &self.b[b].minus(&self.a[a])))
    }

    /// The blocker, where there is but one pair of pieces.
    pub fn only_blocker(&self) -> Option<&Blocker> {
        match &self.pairs[..] {
            [pair] if !self.has_thin_pair => Some(self.blocker(pair)),
            _ => None,
        }
    }

    pub fn at(&self, time: f64) -> [f64; 2] {
        self.motion.map(|m| m * time)
    }

    /// The greatest depth up to a time, and when; negative is a gap.
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

    /// The depth at a time, where there is any; negative is a gap, of pieces that come near the path.
    pub fn depth_at(&self, time: f64) -> f64 {
        let near = self.pairs.iter().take_while(|pair| pair.bound >= 0.0);
        let depths = near.map(|pair| self.blocker(pair).depth_of(self.at(time)));
        depths.fold(f64::NEG_INFINITY, f64::max)
    }

    /// Depth along a line is concave for a convex blocker, so narrowing down finds its top.
    fn top(&self, blocker: &Blocker, until: f64) -> (f64, f64) {
        let depth = |t: f64| blocker.depth_of(self.at(t));
        let (mut low, mut high) = (0.0, until);
        // By the golden ratio: of the two inner places, one is there again the next time. After 50
        // times the ends are 4e-11 of the motion apart, and depth changes no faster than place.
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

    /// Whether the path of a point crosses a segment, away from all ends by more than a margin.
    pub fn crosses_line(&self, margin: f64) -> bool {
        self.thin.iter().any(|line| line.is_crossed(self.motion, margin))
    }
}

fn deeper(best: (f64, f64), top: (f64, f64)) -> (f64, f64) {
    if top.0 > best.0 { top } else { best }
}

/// The box around a piece in the units of the input, rounded: low and high, for x and y.
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

/// A depth that two pieces do not exceed along a motion of the first, by their boxes.
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
