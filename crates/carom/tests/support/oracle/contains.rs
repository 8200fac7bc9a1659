//! Containment in a union: subtracts all pieces and checks whether anything remains.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use super::bigint::{Int, Q};
use super::exact_pair::{ExactPair, Line, double_area};
use super::geometry::{Piece, V, hull};

type Point = (Q, Q);

/// Returns whether `b` lies in the closed set `a`. Returns `None` if an arc and several pieces of `a` are so close
/// that inscribed and circumscribed polygons of the arc do not decide.
pub fn contains(pair: &ExactPair) -> Option<bool> {
    let holders = pair.a.pieces();
    let dots = pair.b.dots.iter().map(|p| Some(holds_point(&holders, p)));
    let segments = pair.b.lines.iter().flat_map(Line::segments);
    let segments = segments.map(|[p, q]| Piece::new(vec![p.clone(), q.clone()], Int::ZERO));
    let pieces = segments.chain(pair.b.areas.iter().cloned());
    let mut sure = true;
    for verdict in dots.chain(pieces.map(|piece| covers(&holders, &piece))) {
        match verdict {
            Some(false) => return Some(false),
            Some(true) => {}
            None => sure = false,
        }
    }
    sure.then_some(true)
}

fn holds_point(holders: &[Piece], at: &V) -> bool {
    holders.iter().any(|h| h.map(|p| p - at, h.radius.clone()).has_origin())
}

fn covers(holders: &[Piece], piece: &Piece) -> Option<bool> {
    if holders.iter().any(|h| holds(h, piece)) {
        return Some(true);
    }
    if !piece.points.iter().all(|p| holds_point(holders, p)) {
        return Some(false);
    }
    let near = holders.iter().filter(|h| h.minus(piece).has_origin());
    let near: Vec<Piece> = near.cloned().collect();
    let disk = Disk::new();
    let covered = |holders: &dyn Fn(&Piece) -> Piece, piece: Piece| {
        let holders: Vec<Piece> = near.iter().map(holders).collect();
        if piece.points.len() == 2 {
            covers_segment(&holders, &piece.points)
        } else {
            let polygons = holders.iter().filter(|h| h.points.len() > 2);
            let polygons: Vec<Vec<Point>> = polygons.map(|h| exact(&h.points)).collect();
            covers_polygon(exact(&piece.points), &polygons)
        }
    };
    // Without arcs the polygons below are the pieces themselves, and the first result is exact.
    let surely = covered(&|h| disk.within(h), disk.around(piece));
    if surely || near.iter().chain([piece]).all(|p| p.radius.is_zero()) {
        return Some(surely);
    }
    if covered(&|h| disk.around(h), disk.within(piece)) { None } else { Some(false) }
}

/// Returns `true` if one convex piece lies in another.
pub fn holds(outer: &Piece, inner: &Piece) -> bool {
    let margin = &inner.radius - &outer.radius;
    if margin.sign() <= 0 {
        let grown = -&margin;
        return inner.points.iter().all(|p| outer.map(|q| q - p, grown.clone()).has_origin());
    }
    outer.points.len() > 2
        && inner.points.iter().all(|at| {
            outer.edges().all(|(p, q)| {
                let d = q - p;
                let across = d.cross(&(at - p));
                across.sign() >= 0 && across.square() >= &margin.square() * &d.square()
            })
        })
}

/// A unit disk as two polygons with rational vertices, inscribed and circumscribed. Both touch it in the
/// directions in which exact contacts are common: along the axes, 3:4 and 5:12.
struct Disk {
    within: Vec<V>,
    around: Vec<V>,
    /// The common denominator of the vertices.
    scale: Int,
}

impl Disk {
    fn new() -> Self {
        let one = Q::one();
        let whole = |n: i64| Q::from_integer(BigInt::from(n));
        let parameters = [(0, 1), (1, 8), (1, 5), (1, 3), (1, 2), (2, 3), (7, 8)];
        let quarter = parameters.map(|(n, d)| {
            let t = whole(n) / whole(d);
            let square = &t * &t;
            ((&one - &square) / (&one + &square), whole(2) * t / (&one + &square))
        });
        let turned = |(x, y): &Point| (-y.clone(), x.clone());
        let mut within = quarter.to_vec();
        for i in 0..3 * quarter.len() {
            within.push(turned(&within[i]));
        }
        let next = within.iter().cycle().skip(1);
        let around: Vec<Point> = within
            .iter()
            .zip(next)
            .map(|(u, v)| {
                let den = &one + &u.0 * &v.0 + &u.1 * &v.1;
                ((&u.0 + &v.0) / &den, (&u.1 + &v.1) / den)
            })
            .collect();
        let all = within.iter().chain(&around).flat_map(|p| [&p.0, &p.1]);
        let scale = all.fold(BigInt::one(), |lcm, q| {
            let rest = Q::new(lcm.clone(), q.denom().clone()).denom().clone();
            lcm * rest
        });
        let int = |q: &Q| Int::from((q * &scale).to_integer());
        let ints = |list: &[Point]| list.iter().map(|p| V { x: int(&p.0), y: int(&p.1) }).collect();
        Self { within: ints(&within), around: ints(&around), scale: Int::from(scale) }
    }

    fn within(&self, piece: &Piece) -> Piece {
        self.rounded(piece, &self.within)
    }

    fn around(&self, piece: &Piece) -> Piece {
        self.rounded(piece, &self.around)
    }

    /// Returns the piece, scaled, as a polygon that includes its radius.
    fn rounded(&self, piece: &Piece, disk: &[V]) -> Piece {
        let core = piece.map(|p| p.times(&self.scale), Int::ZERO);
        if piece.radius.is_zero() {
            return core;
        }
        let disk: Vec<V> = disk.iter().map(|p| -&p.times(&piece.radius)).collect();
        core.minus(&Piece { points: hull(disk), radius: Int::ZERO })
    }
}

fn exact(points: &[V]) -> Vec<Point> {
    points.iter().map(|p| (p.x.to_q(), p.y.to_q())).collect()
}

/// Returns `true` if polygons cover another: subtracts one, and checks whether the others cover the
/// rest.
fn covers_polygon(polygon: Vec<Point>, holders: &[Vec<Point>]) -> bool {
    if polygon.len() < 3 || double_area(&polygon).is_zero() {
        return true;
    }
    let Some((holder, rest)) = holders.split_first() else {
        return false;
    };
    let mut inside = polygon;
    for (p, q) in holder.iter().zip(holder.iter().cycle().skip(1)) {
        let side = |at: &Point| (&q.0 - &p.0) * (&at.1 - &p.1) - (&q.1 - &p.1) * (&at.0 - &p.0);
        let sides: Vec<Q> = inside.iter().map(side).collect();
        if !covers_polygon(clipped(&inside, &sides, false), rest) {
            return false;
        }
        inside = clipped(&inside, &sides, true);
        if inside.len() < 3 {
            break;
        }
    }
    true
}

/// Returns the part of a convex polygon on one side of a line, given the sides of its points.
fn clipped(polygon: &[Point], sides: &[Q], left: bool) -> Vec<Point> {
    let mut result = Vec::new();
    for i in 0..polygon.len() {
        let j = (i + 1) % polygon.len();
        let (s, t) = (&sides[i], &sides[j]);
        if s.is_zero() || s.is_positive() == left {
            result.push(polygon[i].clone());
        }
        if (s * t).is_negative() {
            let share = s / (s - t);
            let between = |a: &Q, b: &Q| a + (b - a) * &share;
            let (p, q) = (&polygon[i], &polygon[j]);
            result.push((between(&p.0, &q.0), between(&p.1, &q.1)));
        }
    }
    result
}

/// Returns `true` if convex pieces without radius cover a segment: the union of the intervals they share with
/// it must be 0 to 1.
fn covers_segment(holders: &[Piece], segment: &[V]) -> bool {
    let (p, d) = (&segment[0], &segment[1] - &segment[0]);
    let mut stretches: Vec<(Q, Q)> = holders
        .iter()
        .filter_map(|holder| {
            let (mut low, mut high) = (Q::zero(), Q::one());
            if holder.points.len() < 3 {
                if !holder.points.iter().all(|q| d.cross(&(q - p)).is_zero()) {
                    return None;
                }
                let at = |q: &V| Q::new((q - p).dot(&d).big(), d.square().big());
                let ends = [at(holder.points.first()?), at(holder.points.last()?)];
                let [first, last] =
                    if ends[0] < ends[1] { ends } else { [ends[1].clone(), ends[0].clone()] };
                return Some((low.max(first), high.min(last)));
            }
            for (q, r) in holder.edges() {
                let e = r - q;
                // Inside where rise * t >= level.
                let (rise, level) = (e.cross(&d), e.cross(&(q - p)));
                match rise.sign() {
                    0 if level.sign() > 0 => return None,
                    0 => {}
                    sign => {
                        let t = Q::new(level.big(), rise.big());
                        if sign > 0 { low = low.max(t) } else { high = high.min(t) }
                    }
                }
            }
            (low <= high).then_some((low, high))
        })
        .collect();
    stretches.sort();
    let mut reached = Q::zero();
    for (low, high) in stretches {
        if low > reached {
            return false;
        }
        reached = reached.max(high);
    }
    reached >= Q::one()
}
