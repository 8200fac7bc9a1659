//! The minimum translation, by trying every candidate.
//!
//! The translations at which two convex pieces overlap are the interior of their Minkowski difference. The
//! nearest translation outside all of these is a projection onto one boundary, an intersection of two
//! boundaries, or a vertex. All candidates are computed in `f64` and sorted by length; the first that works is
//! the result: with its vertices rounded to `f32`, the moved shape must not overlap according to the exact
//! test. Since rounding may have left a candidate inside, positions a few `f32` steps beside it are accepted.

use super::exact_pair::{ExactPair, Part};
use super::geometry::Piece;
use super::predicates::{overlaps, real_root};

type P = [f64; 2];

/// Returns the length of the shortest push of `a` out of `b`. For two convex pieces it is exact up to the last
/// rounding; otherwise it is an upper bound, too large by a few steps of `f32` at the largest coordinate. Returns
/// `None` if no candidate works.
pub fn depth(a: &[Part], b: &[Part]) -> Option<f64> {
    let pair = &ExactPair::new(a, b);
    if let ([p], [q]) = (&pair.a.pieces()[..], &pair.b.pieces()[..]) {
        return Some(convex_depth(pair, &q.minus(p)));
    }
    let accepted = Accepted::Rounded { pair, a, b, tolerance: tolerance(a, b) };
    Search { blockers: blockers(pair), accepted, best: None }.run()
}

/// Returns the length of the shortest push that keeps a clearance from everything: floats cannot use a gap
/// between parts that is narrower than rounding errors.
pub fn depth_with_clearance(a: &[Part], b: &[Part], clearance: f64) -> Option<f64> {
    let mut blockers = blockers(&ExactPair::new(a, b));
    blockers.iter_mut().for_each(|blocker| blocker.radius += clearance);
    Search { blockers, accepted: Accepted::Free { tolerance: 0.01 * clearance }, best: None }.run()
}

fn blockers(pair: &ExactPair) -> Vec<Blocker> {
    let (p, q) = (pair.a.pieces(), pair.b.pieces());
    let differences = p.iter().flat_map(|p| q.iter().map(move |q| q.minus(p)));
    differences.filter(Piece::has_area).map(|d| Blocker::new(pair, &d)).collect()
}

fn convex_depth(pair: &ExactPair, difference: &Piece) -> f64 {
    let radius = pair.real_length(&difference.radius);
    if difference.core_has_origin() {
        radius + real_root(pair, &difference.core_square_depth())
    } else {
        radius - real_root(pair, &difference.core_square_distance())
    }
}

/// A convex set of translations at which two pieces overlap, with a radius.
pub struct Blocker {
    points: Vec<P>,
    /// The edges: start, vector, and reciprocal of the length.
    edges: Vec<(P, P, f64)>,
    radius: f64,
}

impl Blocker {
    pub fn new(pair: &ExactPair, piece: &Piece) -> Self {
        let points: Vec<P> = piece.points.iter().map(|p| pair.real(p)).collect();
        let n = points.len();
        let edges = (0..if n == 1 { 0 } else { n }).map(|i| {
            let side = sub(points[(i + 1) % n], points[i]);
            (points[i], side, 1.0 / length(side))
        });
        Self { edges: edges.collect(), points, radius: pair.real_length(&piece.radius) }
    }

    fn edges(&self) -> impl Iterator<Item = (P, P)> {
        self.edges.iter().map(|&(p, d, _)| (p, add(p, d)))
    }

    /// Returns the depth of a translation inside; negative outside.
    pub fn depth_of(&self, t: P) -> f64 {
        let within = |&(p, d, inverse): &(P, P, f64)| cross(d, sub(t, p)) * inverse;
        let distance = |&(p, d, _): &(P, P, f64)| segment_distance(t, p, add(p, d));
        let first = self.points.first().map_or(f64::INFINITY, |&p| length(sub(t, p)));
        let (mut inside, mut nearest) = (f64::INFINITY, 0);
        for (i, edge) in self.edges.iter().enumerate() {
            let depth = within(edge);
            if depth < inside {
                (inside, nearest) = (depth, i);
            }
        }
        let least = |edges: &mut dyn Iterator<Item = &(P, P, f64)>| {
            edges.map(distance).fold(first, f64::min)
        };
        if self.points.len() > 2 && inside > 0.0 {
            // In a sliver, rounding may put points inside that lie beyond its ends: inside, the
            // nearest line is as near as the nearest edge.
            let is_inside = distance(&self.edges[nearest]) <= inside * 1.001;
            return self.radius + if is_inside { inside } else { -least(&mut self.edges.iter()) };
        }
        // From outside, an edge that faces the other way is not the nearest.
        self.radius - least(&mut self.edges.iter().filter(|edge| within(edge) <= 0.0))
    }

    /// Returns `true` if a translation lies inside by more than a tolerance.
    fn contains(&self, t: P, tolerance: f64) -> bool {
        let beyond = |&(p, d, inverse): &(P, P, f64)| {
            cross(d, sub(t, p)) * inverse <= tolerance - self.radius
        };
        !self.edges.iter().any(beyond) && self.depth_of(t) > tolerance
    }

    /// Returns `true` if the segment from the origin to a point crosses this segment, with all four ends farther
    /// than a margin from the other's line.
    pub fn is_crossed(&self, to: P, margin: f64) -> bool {
        let [p, q] = self.points[..] else { return false };
        let sides = |a: P, b: P, c: P, d: P| {
            let line = scale(sub(b, a), 1.0 / length(sub(b, a)));
            let (s, t) = (cross(line, sub(c, a)), cross(line, sub(d, a)));
            s.abs() > margin && t.abs() > margin && (s > 0.0) != (t > 0.0)
        };
        sides(p, q, [0.0; 2], to) && sides([0.0; 2], to, p, q)
    }

    fn features(&self) -> Vec<Feature> {
        let edges = self.edges().map(|(p, q)| {
            let d = sub(q, p);
            let out = scale([d[1], -d[0]], self.radius / length(d));
            Feature::Edge(add(p, out), add(q, out))
        });
        let arcs = self.points.iter().map(|&p| Feature::Circle(p, self.radius));
        edges.chain(arcs.filter(|_| self.radius > 0.0)).collect()
    }
}

/// A piece of the boundary of a blocker; arcs are treated as whole circles.
#[derive(Clone, Copy)]
enum Feature {
    Edge(P, P),
    Circle(P, f64),
}

impl Feature {
    fn distance(self) -> f64 {
        match self {
            Self::Edge(p, q) => segment_distance([0.0; 2], p, q),
            Self::Circle(c, r) => (length(c) - r).abs(),
        }
    }

    /// Returns the candidates that depend on this feature alone.
    fn candidates(self) -> Vec<P> {
        match self {
            Self::Edge(p, q) => {
                let d = sub(q, p);
                let t = (-dot(p, d) / dot(d, d)).clamp(0.0, 1.0);
                vec![p, q, add(p, scale(d, t))]
            }
            Self::Circle(c, r) if length(c) > 0.0 => {
                let out = scale(c, r / length(c));
                vec![add(c, out), sub(c, out)]
            }
            Self::Circle(_, r) => vec![[r, 0.0], [0.0, r], [-r, 0.0], [0.0, -r]],
        }
    }

    /// Returns the intersections of two features.
    fn intersections(self, other: Self) -> Vec<P> {
        match (self, other) {
            (Self::Edge(p, q), Self::Edge(r, s)) => {
                let (d, e) = (sub(q, p), sub(s, r));
                let den = cross(d, e);
                let t = cross(sub(r, p), e) / den;
                let u = cross(sub(r, p), d) / den;
                let within = |x: f64| (-1e-9..=1.0 + 1e-9).contains(&x);
                if within(t) && within(u) { vec![add(p, scale(d, t))] } else { vec![] }
            }
            (Self::Edge(p, q), Self::Circle(c, r)) | (Self::Circle(c, r), Self::Edge(p, q)) => {
                let d = scale(sub(q, p), 1.0 / length(sub(q, p)));
                let foot = add(p, scale(d, dot(sub(c, p), d)));
                let half = r * r - dot(sub(foot, c), sub(foot, c));
                let half = scale(d, half.max(0.0).sqrt());
                vec![add(foot, half), sub(foot, half)]
            }
            (Self::Circle(c, r), Self::Circle(d, s)) => {
                let between = sub(d, c);
                let gap = length(between);
                if gap == 0.0 || gap > (r + s) * 1.000_001 {
                    return vec![];
                }
                let along = (gap * gap + r * r - s * s) / (2.0 * gap);
                let unit = scale(between, 1.0 / gap);
                let side = scale([-unit[1], unit[0]], (r * r - along * along).max(0.0).sqrt());
                let foot = add(c, scale(unit, along));
                vec![add(foot, side), sub(foot, side)]
            }
        }
    }
}

/// The translations that are accepted.
enum Accepted<'a> {
    /// The translations outside all blockers.
    Free { tolerance: f64 },
    /// The translations without overlap according to the exact test, before and after rounding `a`.
    Rounded {
        pair: &'a ExactPair,
        a: &'a [Part],
        b: &'a [Part],
        /// A few steps of `f32` at the largest coordinate.
        tolerance: f64,
    },
}

struct Search<'a> {
    blockers: Vec<Blocker>,
    accepted: Accepted<'a>,
    best: Option<f64>,
}

impl Search<'_> {
    fn run(mut self) -> Option<f64> {
        let features: Vec<Feature> = self.blockers.iter().flat_map(Blocker::features).collect();
        self.consider(features.iter().flat_map(|f| f.candidates()).collect());
        let near = |f: &&Feature| self.best.is_none_or(|best| f.distance() <= best);
        let features: Vec<&Feature> = features.iter().filter(near).collect();
        let pairs = features
            .iter()
            .enumerate()
            .flat_map(|(i, f)| features[..i].iter().flat_map(move |g| f.intersections(**g)));
        let best = self.best.unwrap_or(f64::INFINITY);
        let pairs = pairs.filter(|t| length(*t) < best).collect();
        self.consider(pairs);
        self.best
    }

    /// Keeps the shortest candidate that is free, if it is shorter than the current best.
    fn consider(&mut self, mut candidates: Vec<P>) {
        candidates.retain(|t| t[0].is_finite() && t[1].is_finite());
        candidates.sort_by(|s, t| length(*s).total_cmp(&length(*t)));
        candidates.dedup();
        let hidden = |t: P, tolerance: f64| self.blockers.iter().any(|b| b.contains(t, tolerance));
        let found = candidates.into_iter().find(|&t| match self.accepted {
            Accepted::Free { tolerance } => !hidden(t, tolerance),
            Accepted::Rounded { tolerance, .. } => {
                !hidden(t, 2.0 * tolerance) && self.accepted.accepts_near(t)
            }
        });
        self.best = found.map(length).into_iter().chain(self.best).reduce(f64::min);
    }
}

impl Accepted<'_> {
    /// Returns `true` if a candidate works as it is, or a few steps beside it. In the latter case twice the step
    /// must work, too: floats cannot use a gap of zero width.
    fn accepts_near(&self, t: P) -> bool {
        let Self::Rounded { tolerance, .. } = *self else { return true };
        self.accepts(t.map(|x| f64::from(x as f32)))
            || (0..16).any(|i| {
                let angle = f64::from(i) * std::f64::consts::TAU / 16.0;
                let step = scale([angle.cos(), angle.sin()], tolerance);
                self.accepts(add(t, step)) && self.accepts(add(add(t, step), step))
            })
    }

    /// Returns `true` if a translation causes no overlap, both exactly and with rounded vertices.
    fn accepts(&self, t: P) -> bool {
        let Self::Rounded { pair, a, b, .. } = *self else { return true };
        let moved: Vec<Part> = a.iter().map(|part| part.moved(t)).collect();
        !overlaps(&pair.moved(t)) && !overlaps(&ExactPair::new(&moved, b))
    }
}

/// Returns two units in the last place (`f32`) of the largest coordinate.
fn tolerance(a: &[Part], b: &[Part]) -> f64 {
    let largest = a.iter().chain(b).flat_map(Part::numbers).map(f64::abs).fold(0.0, f64::max);
    let largest = (largest as f32).min(f32::MAX / 2.0);
    2.0 * (f64::from(largest.next_up()) - f64::from(largest))
}

fn add(a: P, b: P) -> P {
    [a[0] + b[0], a[1] + b[1]]
}

pub fn sub(a: P, b: P) -> P {
    [a[0] - b[0], a[1] - b[1]]
}

fn scale(a: P, s: f64) -> P {
    [a[0] * s, a[1] * s]
}

fn dot(a: P, b: P) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn cross(a: P, b: P) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

pub fn length(a: P) -> f64 {
    dot(a, a).sqrt()
}

pub fn segment_distance(t: P, p: P, q: P) -> f64 {
    let d = sub(q, p);
    let share = (dot(sub(t, p), d) / dot(d, d)).clamp(0.0, 1.0);
    length(sub(t, add(p, scale(d, share))))
}
