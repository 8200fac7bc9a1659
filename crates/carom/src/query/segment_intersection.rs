//! The intersection of two segments.

use core::cmp::Ordering;

use glam::Vec2;

use crate::math::exact::{Orientation, cross_sign, orient2d};
use crate::math::{cross, to_vec2};
use crate::shape::Segment;

/// The intersection of two segments. The variant is exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SegmentIntersection {
    /// The segments share no point, and they are not parallel or lie on one line.
    Disjoint,
    /// The segments are parallel and lie on different lines.
    Parallel,
    /// The segments share one point.
    Point {
        /// The point, rounded. If an end of one segment lies on the other, it is exactly that end.
        point: Vec2,
        /// The position on the first segment: 0 at its start, 1 at its end.
        t: f32,
        /// The position on the second segment.
        u: f32,
    },
    /// The segments lie on one line and share a segment of it.
    Overlap {
        /// The start of the shared segment, in the direction of the first segment.
        from: Vec2,
        /// The end of the shared segment.
        to: Vec2,
    },
}

impl Segment {
    /// Returns the intersection of this segment with another.
    ///
    /// ```
    /// use carom::prelude::*;
    /// use carom::query::SegmentIntersection;
    /// let wall = Segment::new([0.0, 0.0], [4.0, 0.0]);
    /// let intersection = wall.intersection(&Segment::new([1.0, -1.0], [1.0, 3.0]));
    /// assert_eq!(intersection, SegmentIntersection::Point { point: Vec2::new(1.0, 0.0), t: 0.25, u: 0.25 });
    /// let intersection = wall.intersection(&Segment::new([6.0, 0.0], [3.0, 0.0]));
    /// assert_eq!(intersection, SegmentIntersection::Overlap { from: [3.0, 0.0].into(), to: [4.0, 0.0].into() });
    /// ```
    pub fn intersection(&self, other: &Self) -> SegmentIntersection {
        let (a, b, c, d) = (self.a(), self.b(), other.a(), other.b());
        if cross_sign(a, b, c, d) == Ordering::Equal {
            return parallel(self, other);
        }
        let (side_c, side_d) = (orient2d(a, b, c), orient2d(a, b, d));
        let (side_a, side_b) = (orient2d(c, d, a), orient2d(c, d, b));
        let same = |p: Orientation, q: Orientation| p == q && p != Orientation::Collinear;
        if same(side_a, side_b) || same(side_c, side_d) {
            return SegmentIntersection::Disjoint;
        }
        let (ab, cd) = (b.as_dvec2() - a.as_dvec2(), d.as_dvec2() - c.as_dvec2());
        let ac = c.as_dvec2() - a.as_dvec2();
        let area = cross(ab, cd);
        let (t, u) = (cross(ac, cd) / area, cross(ac, ab) / area);
        let mut point = to_vec2(a.as_dvec2() + ab * t);
        let mut positions = [t.clamp(0.0, 1.0) as f32, u.clamp(0.0, 1.0) as f32];
        let ends =
            [(side_a, 0, 0.0, a), (side_b, 0, 1.0, b), (side_c, 1, 0.0, c), (side_d, 1, 1.0, d)];
        for (side, which, at, end) in ends {
            if side == Orientation::Collinear {
                (positions[which], point) = (at, end);
            }
        }
        SegmentIntersection::Point { point, t: positions[0], u: positions[1] }
    }
}

/// Returns the intersection of parallel segments and of segments that are points.
fn parallel(first: &Segment, second: &Segment) -> SegmentIntersection {
    let (a, b, c, d) = (first.a(), first.b(), second.a(), second.b());
    let (start, end) = if a == b { (c, d) } else { (a, b) };
    let on_line = |p: Vec2| orient2d(start, end, p) == Orientation::Collinear;
    if ![a, b, c, d].into_iter().all(on_line) {
        return if a == b || c == d {
            SegmentIntersection::Disjoint
        } else {
            SegmentIntersection::Parallel
        };
    }
    // Along the line, points are ordered by x, and by y if the line is vertical.
    let key = |p: Vec2| (p.x, p.y);
    let ordered = |p: Vec2, q: Vec2| if key(p) <= key(q) { (p, q) } else { (q, p) };
    let ((low_1, high_1), (low_2, high_2)) = (ordered(a, b), ordered(c, d));
    let low = if key(low_1) >= key(low_2) { low_1 } else { low_2 };
    let high = if key(high_1) <= key(high_2) { high_1 } else { high_2 };
    if key(low) > key(high) {
        return SegmentIntersection::Disjoint;
    }
    if low == high {
        return SegmentIntersection::Point {
            point: low,
            t: position(first, low),
            u: position(second, low),
        };
    }
    let forward = key(a) <= key(b);
    let (from, to) = if forward { (low, high) } else { (high, low) };
    SegmentIntersection::Overlap { from, to }
}

/// Returns the position of a point on a segment: 0 at its start, 1 at its end.
fn position(segment: &Segment, point: Vec2) -> f32 {
    let (start, end) = (segment.a().as_dvec2(), segment.b().as_dvec2());
    let (edge, to) = (end - start, point.as_dvec2() - start);
    let (whole, part) = if edge.x.abs() >= edge.y.abs() { (edge.x, to.x) } else { (edge.y, to.y) };
    if whole == 0.0 { 0.0 } else { (part / whole).clamp(0.0, 1.0) as f32 }
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;
    use crate::query::SegmentIntersection;

    fn cross(a: [f32; 4], b: [f32; 4]) -> SegmentIntersection {
        let segment = |s: [f32; 4]| Segment::new([s[0], s[1]], [s[2], s[3]]);
        segment(a).intersection(&segment(b))
    }

    #[test]
    fn all_kinds_of_intersections_are_distinguished() {
        let at = |x: f32, y: f32, t: f32, u: f32| SegmentIntersection::Point {
            point: Vec2::new(x, y),
            t,
            u,
        };
        let base = [0.0, 0.0, 2.0, 2.0];
        assert_eq!(cross(base, [0.0, 2.0, 2.0, 0.0]), at(1.0, 1.0, 0.5, 0.5));
        assert_eq!(cross(base, [2.0, 2.0, 5.0, 0.0]), at(2.0, 2.0, 1.0, 0.0));
        assert_eq!(cross(base, [1.0, 1.0, 5.0, 0.0]), at(1.0, 1.0, 0.5, 0.0));
        assert_eq!(cross(base, [1.0, 0.9999999, 5.0, 0.0]), SegmentIntersection::Disjoint);
        assert_eq!(cross(base, [0.0, 1.0, 2.0, 3.0]), SegmentIntersection::Parallel);
        assert_eq!(cross(base, [3.0, 3.0, 4.0, 4.0]), SegmentIntersection::Disjoint);
        assert_eq!(cross(base, [4.0, 4.0, 2.0, 2.0]), at(2.0, 2.0, 1.0, 1.0));
        let overlap = |from: [f32; 2], to: [f32; 2]| SegmentIntersection::Overlap {
            from: from.into(),
            to: to.into(),
        };
        assert_eq!(cross(base, [5.0, 5.0, 1.0, 1.0]), overlap([1.0, 1.0], [2.0, 2.0]));
        assert_eq!(
            cross([2.0, 2.0, 0.0, 0.0], [1.0, 1.0, 5.0, 5.0]),
            overlap([2.0, 2.0], [1.0, 1.0])
        );
        assert_eq!(
            cross([0.0, 3.0, 0.0, 0.0], [0.0, 1.0, 0.0, 2.0]),
            overlap([0.0, 2.0], [0.0, 1.0])
        );
    }

    #[test]
    fn degenerate_segments_are_points() {
        let point = [1.0, 1.0, 1.0, 1.0];
        let at = |t: f32, u: f32| SegmentIntersection::Point { point: Vec2::new(1.0, 1.0), t, u };
        assert_eq!(cross(point, point), at(0.0, 0.0));
        assert_eq!(cross(point, [0.0, 0.0, 4.0, 4.0]), at(0.0, 0.25));
        assert_eq!(cross([0.0, 0.0, 4.0, 4.0], point), at(0.25, 0.0));
        assert_eq!(cross([0.0, 0.0, 4.0, 5.0], point), SegmentIntersection::Disjoint);
        assert_eq!(cross([2.0, 2.0, 2.0, 2.0], point), SegmentIntersection::Disjoint);
        assert_eq!(cross([2.0, 2.0, 4.0, 4.0], point), SegmentIntersection::Disjoint);
    }

    #[test]
    fn segments_have_an_intersection_exactly_if_they_intersect() {
        let mut seed = 7u32;
        let mut next = || {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            f32::from((seed >> 24) as u8 % 5)
        };
        for _ in 0..5000 {
            let a = Segment::new([next(), next()], [next(), next()]);
            let b = Segment::new([next(), next()], [next(), next()]);
            let is_intersection = !matches!(
                a.intersection(&b),
                SegmentIntersection::Disjoint | SegmentIntersection::Parallel
            );
            assert_eq!(is_intersection, a.intersects(&b), "{a:?} {b:?}");
        }
    }
}
