//! Vectors of exact integers, and convex pieces made of them.

use std::cmp::Ordering;
use std::ops::{Add, Neg, Sub};

use super::bigint::{Fraction, Int};

/// A vector with exact coordinates.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct V {
    pub x: Int,
    pub y: Int,
}

impl V {
    pub const ZERO: Self = Self { x: Int::ZERO, y: Int::ZERO };

    pub fn cross(&self, other: &Self) -> Int {
        &self.x * &other.y - &self.y * &other.x
    }

    pub fn dot(&self, other: &Self) -> Int {
        &self.x * &other.x + &self.y * &other.y
    }

    pub fn square(&self) -> Int {
        self.dot(self)
    }

    pub fn times(&self, factor: &Int) -> Self {
        Self { x: &self.x * factor, y: &self.y * factor }
    }

    /// Returns the vector rotated by a quarter turn, counterclockwise.
    pub fn turned(&self) -> Self {
        Self { x: -&self.y, y: self.x.clone() }
    }

    pub fn to_f64(&self) -> [f64; 2] {
        [self.x.to_f64(), self.y.to_f64()]
    }
}

impl Add for &V {
    type Output = V;
    fn add(self, other: Self) -> V {
        V { x: &self.x + &other.x, y: &self.y + &other.y }
    }
}

impl Sub for &V {
    type Output = V;
    fn sub(self, other: Self) -> V {
        V { x: &self.x - &other.x, y: &self.y - &other.y }
    }
}

impl Neg for &V {
    type Output = V;
    fn neg(self) -> V {
        &V::ZERO - self
    }
}

/// Returns twice the signed area of a triangle.
pub fn orient(a: &V, b: &V, c: &V) -> Int {
    (b - a).cross(&(c - a))
}

/// A closed convex set: the strictly convex core (one point, two points or a counterclockwise
/// polygon), with a radius.
#[derive(Clone, Debug)]
pub struct Piece {
    pub points: Vec<V>,
    pub radius: Int,
}

impl Piece {
    /// Returns the convex hull of the points, with a radius.
    pub fn new(points: Vec<V>, radius: Int) -> Self {
        Self { points: hull(points), radius }
    }

    pub fn dot(at: V) -> Self {
        Self { points: vec![at], radius: Int::ZERO }
    }

    pub fn has_area(&self) -> bool {
        self.radius.sign() > 0 || self.points.len() > 2
    }

    /// Returns the edges of the core; a core of two points has two opposite edges.
    pub fn edges(&self) -> impl Iterator<Item = (&V, &V)> {
        let count = if self.points.len() == 1 { 0 } else { self.points.len() };
        (0..count).map(move |i| (&self.points[i], &self.points[(i + 1) % count]))
    }

    pub fn map(&self, f: impl Fn(&V) -> V, radius: Int) -> Self {
        Self { points: self.points.iter().map(f).collect(), radius }
    }

    /// Returns the box around the rounded piece.
    pub fn bounds(&self) -> Bounds {
        let ends = |along: fn(&V) -> &Int| {
            let along = || self.points.iter().map(along);
            let (low, high) = (along().min(), along().max());
            [
                low.expect("a piece has a point") - &self.radius,
                high.expect("a piece has a point") + &self.radius,
            ]
        };
        Bounds([ends(|p| &p.x), ends(|p| &p.y)])
    }

    /// Returns the Minkowski difference: the translations of `other` at which the two intersect. Its edges are the
    /// edges of both, merged by their angle.
    pub fn minus(&self, other: &Self) -> Self {
        let flipped = other.map(|p| -p, other.radius.clone());
        let (a, b) = (self.edges_from_lowest(), flipped.edges_from_lowest());
        let (mut i, mut j) = (0, 0);
        let mut at = a.first().map_or(&self.points[0], |e| e.0)
            + b.first().map_or(&flipped.points[0], |e| e.0);
        let mut points = vec![at.clone()];
        while i < a.len() || j < b.len() {
            let (u, v) = (a.get(i).map(|e| &e.1), b.get(j).map(|e| &e.1));
            let order = match (u, v) {
                (Some(u), Some(v)) => cmp_angles(u, v),
                (Some(_), None) => Ordering::Less,
                _ => Ordering::Greater,
            };
            if order.is_le() {
                at = &at + u.expect("a has an edge left");
                i += 1;
            }
            if order.is_ge() {
                at = &at + v.expect("b has an edge left");
                j += 1;
            }
            points.push(at.clone());
        }
        if points.len() > 1 {
            points.pop(); // back at the start
        }
        Self { points, radius: &self.radius + &other.radius }
    }

    /// Returns the edges as (start, vector), in counterclockwise order from the lowest point (the
    /// leftmost of these), so that their angles rise from 0 to a full turn.
    fn edges_from_lowest(&self) -> Vec<(&V, V)> {
        let mut edges: Vec<_> = self.edges().map(|(p, q)| (p, q - p)).collect();
        let start = (0..edges.len())
            .min_by(|&i, &j| (&edges[i].0.y, &edges[i].0.x).cmp(&(&edges[j].0.y, &edges[j].0.x)))
            .unwrap_or(0);
        edges.rotate_left(start);
        edges
    }

    /// Returns `true` if the origin lies in the closed core.
    pub fn core_has_origin(&self) -> bool {
        match &self.points[..] {
            [p] => *p == V::ZERO,
            [p, q] => p.cross(q).is_zero() && p.dot(q).sign() <= 0,
            _ => self.edges().all(|(p, q)| p.cross(q).sign() >= 0),
        }
    }

    /// Returns the squared distance of the origin from the core.
    pub fn core_square_distance(&self) -> Fraction {
        if self.core_has_origin() {
            return Fraction::whole(Int::ZERO);
        }
        let corners = self.points.iter().map(|p| Fraction::whole(p.square()));
        let sides = self.edges().filter_map(|(p, q)| {
            let d = q - p;
            // The foot of the perpendicular must lie on the edge, its outer side facing the origin.
            let facing = p.cross(q).sign() < 0 && p.dot(&d).sign() < 0 && q.dot(&d).sign() > 0;
            facing.then(|| Fraction { num: p.cross(&d).square(), den: d.square() })
        });
        least(corners.chain(sides)).expect("a core has a point")
    }

    /// Returns the squared distance of the origin, inside the core, from the core's boundary.
    pub fn core_square_depth(&self) -> Fraction {
        if self.points.len() < 3 {
            return Fraction::whole(Int::ZERO);
        }
        let sides =
            self.edges().map(|(p, q)| Fraction { num: p.cross(q).square(), den: (q - p).square() });
        least(sides).expect("a polygon has an edge")
    }

    /// Returns `true` if the closed piece, with its radius, contains the origin.
    pub fn has_origin(&self) -> bool {
        self.core_has_origin()
            || self.core_square_distance().cmp(&Fraction::whole(self.radius.square())).is_le()
    }

    /// Returns `true` if the origin lies in the piece's interior.
    pub fn has_origin_in_interior(&self) -> bool {
        if self.radius.sign() > 0 {
            return self.core_square_distance().cmp(&Fraction::whole(self.radius.square())).is_lt();
        }
        self.points.len() > 2 && self.edges().all(|(p, q)| p.cross(q).sign() > 0)
    }
}

/// A box: low and high, for x and y.
pub struct Bounds([[Int; 2]; 2]);

impl Bounds {
    /// Returns `true` if two boxes share no interior point.
    pub fn has_disjoint_interior(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|([low, high], [l, h])| high <= l || h <= low)
    }

    /// Returns `true` if two boxes share no point.
    pub fn is_disjoint(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|([low, high], [l, h])| high < l || h < low)
    }
}

/// Returns the smallest of many fractions. Rounded values select the few that are compared exactly.
fn least(fractions: impl Iterator<Item = Fraction>) -> Option<Fraction> {
    let all: Vec<(f64, Fraction)> = fractions.map(|f| (f.to_f64(), f)).collect();
    let bound = all.iter().map(|f| f.0).fold(f64::INFINITY, f64::min) * (1.0 + 1e-12);
    all.into_iter().filter(|f| f.0 <= bound).map(|f| f.1).min_by(Fraction::cmp)
}

/// Compares the angles of two vectors, from 0 up to a full turn.
pub fn cmp_angles(u: &V, v: &V) -> Ordering {
    let lower = |w: &V| w.y.sign() < 0 || (w.y.is_zero() && w.x.sign() < 0);
    lower(u).cmp(&lower(v)).then_with(|| 0.cmp(&u.cross(v).sign()))
}

/// Returns `true` if a ring turns left at every point and winds once: only one point is lower than its
/// neighbors.
fn is_strictly_convex(ring: &[V]) -> bool {
    let n = ring.len();
    let three = |i: usize| [&ring[i], &ring[(i + 1) % n], &ring[(i + 2) % n]];
    n > 2
        && (0..n).map(three).filter(|[p, q, r]| q < p && q < r).count() == 1
        && (0..n).map(three).all(|[p, q, r]| orient(p, q, r).sign() > 0)
}

/// Returns the strictly convex hull, counterclockwise; one or two points if there is no area.
pub fn hull(mut points: Vec<V>) -> Vec<V> {
    if is_strictly_convex(&points) {
        return points;
    }
    points.sort();
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |points: &mut dyn Iterator<Item = &V>| {
        let mut chain: Vec<V> = Vec::new();
        for p in points {
            while let [.., a, b] = &chain[..]
                && orient(a, b, p).sign() <= 0
            {
                chain.pop();
            }
            chain.push(p.clone());
        }
        chain.pop();
        chain
    };
    let mut result = half(&mut points.iter());
    result.extend(half(&mut points.iter().rev()));
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::rng::Rng;

    fn v(x: i64, y: i64) -> V {
        V { x: x.into(), y: y.into() }
    }

    fn some_piece(rng: &mut Rng) -> Piece {
        let count = 1 + rng.below(7);
        let points = (0..count).map(|_| v(rng.below(8) as i64, rng.below(8) as i64)).collect();
        Piece::new(points, Int::ZERO)
    }

    #[test]
    fn the_difference_is_the_hull_of_all_differences() {
        for seed in 0..3000 {
            let rng = &mut Rng::new(seed);
            let (a, b) = (some_piece(rng), some_piece(rng));
            let all = a.points.iter().flat_map(|p| b.points.iter().map(move |q| p - q)).collect();
            let mut merged = a.minus(&b).points;
            let expected = hull(all);
            let start = merged.iter().position(|p| *p == expected[0]).expect("same points");
            merged.rotate_left(start);
            assert_eq!(merged, expected, "seed {seed}: {a:?} {b:?}");
        }
    }

    #[test]
    fn distance_and_depth_of_a_square_are_those_of_its_nearest_side() {
        let square = |x: i64, y: i64| {
            Piece::new(vec![v(x, y), v(x + 4, y), v(x + 4, y + 4), v(x, y + 4)], Int::ZERO)
        };
        assert_eq!(square(2, -1).core_square_distance().to_f64(), 4.0);
        assert_eq!(square(3, 4).core_square_distance().to_f64(), 25.0);
        assert_eq!(square(-3, -2).core_square_depth().to_f64(), 1.0);
        assert!(square(0, -1).has_origin() && !square(0, -1).has_origin_in_interior());
        assert!(square(-1, -1).has_origin_in_interior());
    }

    #[test]
    fn rounding_reaches_exactly_as_far_as_the_radius() {
        let mut disk = Piece::dot(v(3, 4));
        disk.radius = 5.into();
        assert!(disk.has_origin() && !disk.has_origin_in_interior());
        disk.points[0] = v(3, 3);
        assert!(disk.has_origin_in_interior());
    }
}
