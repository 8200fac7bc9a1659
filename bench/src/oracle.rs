//! The correct results, by brute force in `f64`, so that no library is judged by another.
//!
//! Two convex shapes `a` and `b` touch where the origin touches their Minkowski difference
//! `b - a`; moving `a` moves the origin. Every query is then one about a point and a hull.

use crate::inputs::{Point, Solid};

type Point64 = [f64; 2];

/// The space of displacements of `a`, seen from `b`.
pub struct Gap {
    /// Counter-clockwise hull of all `b - a`; a single point for two circles.
    hull: Vec<Point64>,
    radius: f64,
}

impl Gap {
    pub fn between(a: &Solid, b: &Solid) -> Self {
        let differences =
            b.points.iter().flat_map(|&q| a.points.iter().map(move |&p| sub(wide(q), wide(p))));
        Self {
            hull: hull(differences.collect()),
            radius: f64::from(a.radius) + f64::from(b.radius),
        }
    }

    /// Returns the distance of the two after `a` has moved by `displacement`; minus the depth if they overlap.
    pub fn separation_at(&self, displacement: Point64) -> f64 {
        let mut nearest = f64::INFINITY;
        let mut inside = self.hull.len() > 2;
        for (p, q) in edges(&self.hull) {
            nearest = nearest.min(distance_to_segment(displacement, p, q));
            inside &= cross(sub(q, p), sub(displacement, p)) >= 0.0;
        }
        (if inside { -nearest } else { nearest }) - self.radius
    }

    pub fn separation(&self) -> f64 {
        self.separation_at([0.0, 0.0])
    }

    /// The least separation along `motion`, and how far along it (in 0..=1) the two first touch.
    /// The separation is convex along a line, so ternary search and bisection find both.
    pub fn along(&self, motion: Point) -> (f64, Option<f64>) {
        let at = |t: f64| self.separation_at(wide(motion).map(|x| x * t));
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..80 {
            let third = (high - low) / 3.0;
            if at(low + third) < at(high - third) { high -= third } else { low += third }
        }
        let least = at(low);
        if least > 0.0 {
            return (least, None);
        }
        let (mut free, mut hit) = (0.0, low);
        for _ in 0..50 {
            let middle = (free + hit) / 2.0;
            if at(middle) > 0.0 { free = middle } else { hit = middle }
        }
        (least, Some(hit))
    }
}

/// Signed distance from a point to an outline, negative inside (even-odd rule).
pub fn distance_to_outline(point: Point, outline: &[Point]) -> f64 {
    let [x, y] = wide(point);
    let outline: Vec<_> = outline.iter().copied().map(wide).collect();
    let mut nearest = f64::INFINITY;
    let mut inside = false;
    for (p, q) in edges(&outline) {
        nearest = nearest.min(distance_to_segment([x, y], p, q));
        if (p[1] > y) != (q[1] > y) && x < p[0] + (y - p[1]) / (q[1] - p[1]) * (q[0] - p[0]) {
            inside = !inside;
        }
    }
    if inside { -nearest } else { nearest }
}

/// Returns whether two filled outlines intersect, and the distance of the nearest vertex to the other
/// boundary.
pub fn outlines_meet(a: &[Point], b: &[Point]) -> (bool, f64) {
    let a_to_b: Vec<f64> = a.iter().map(|&p| distance_to_outline(p, b)).collect();
    let b_to_a: Vec<f64> = b.iter().map(|&p| distance_to_outline(p, a)).collect();
    let distances = || a_to_b.iter().chain(&b_to_a);
    let wide_a: Vec<_> = a.iter().copied().map(wide).collect();
    let wide_b: Vec<_> = b.iter().copied().map(wide).collect();
    let crossing =
        edges(&wide_a).any(|(p, q)| edges(&wide_b).any(|(r, s)| cross_properly(p, q, r, s)));
    let meet = crossing || distances().any(|&d| d <= 0.0);
    (meet, distances().fold(f64::INFINITY, |least, d| least.min(d.abs())))
}

fn cross_properly(p: Point64, q: Point64, r: Point64, s: Point64) -> bool {
    let side = |a, b, c| cross(sub(b, a), sub(c, a)) > 0.0;
    side(p, q, r) != side(p, q, s) && side(r, s, p) != side(r, s, q)
}

fn wide([x, y]: Point) -> Point64 {
    [f64::from(x), f64::from(y)]
}

fn sub(a: Point64, b: Point64) -> Point64 {
    [a[0] - b[0], a[1] - b[1]]
}

fn cross(a: Point64, b: Point64) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn edges(points: &[Point64]) -> impl Iterator<Item = (Point64, Point64)> + '_ {
    points.iter().copied().zip(points.iter().copied().cycle().skip(1))
}

fn distance_to_segment(point: Point64, a: Point64, b: Point64) -> f64 {
    let (along, to) = (sub(b, a), sub(point, a));
    let length_squared = along[0] * along[0] + along[1] * along[1];
    let dot = to[0] * along[0] + to[1] * along[1];
    let t = if length_squared > 0.0 { (dot / length_squared).clamp(0.0, 1.0) } else { 0.0 };
    (to[0] - along[0] * t).hypot(to[1] - along[1] * t)
}

/// Monotone chain, counterclockwise.
fn hull(mut points: Vec<Point64>) -> Vec<Point64> {
    points.sort_by(|a, b| a.partial_cmp(b).expect("inputs are finite"));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |points: &mut dyn Iterator<Item = Point64>| {
        let mut chain: Vec<Point64> = Vec::new();
        for point in points {
            while let [.., p, q] = chain[..]
                && cross(sub(q, p), sub(point, p)) <= 0.0
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut lower = half(&mut points.iter().copied());
    lower.extend(half(&mut points.iter().rev().copied()));
    lower
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(center: Point) -> Solid {
        Solid::polygon(vec![[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]).at(center)
    }

    #[test]
    fn separation_is_the_distance_outside_and_minus_the_depth_inside() {
        let apart = Gap::between(&square([0.0, 0.0]), &square([5.0, 6.0]));
        assert!((apart.separation() - 5.0).abs() < 1e-12);
        let deep = Gap::between(&square([0.0, 0.0]), &square([0.5, 0.0]));
        assert!((deep.separation() + 1.5).abs() < 1e-12);
    }

    #[test]
    fn a_motion_first_touches_where_the_gap_is_used_up() {
        let gap = Gap::between(&square([0.0, 0.0]), &square([5.0, 0.0]));
        let (least, first) = gap.along([6.0, 0.0]);
        assert!((least + 2.0).abs() < 1e-9);
        assert!((first.expect("they meet") - 0.5).abs() < 1e-9);
        assert_eq!(gap.along([0.0, 6.0]).1, None);
    }
}
