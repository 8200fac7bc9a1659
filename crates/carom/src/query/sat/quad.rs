//! Triangles and quadrilaterals where games put them: exactly, and without a branch.

use glam::Vec2;
use wide::f64x4;

use crate::math::exact::is_on_exact_grid;
use crate::query::relation::Relation;

/// The corners of a triangle, the first repeated, or of a quadrilateral; and where the edge from
/// each of them leads.
pub(super) struct Quad {
    x: [f64; 4],
    y: [f64; 4],
    way_x: f64x4,
    way_y: f64x4,
}

impl Quad {
    /// The corners of a convex polygon; `None` unless there are three or four, all of them on the
    /// grid on which products of differences are exact in `f64`.
    #[inline(always)]
    pub fn on_grid(points: &[Vec2]) -> Option<Self> {
        let [from, to] = match *points {
            [p, q, r] => [[p, q, r, p], [q, r, p, q]],
            [p, q, r, s] => [[p, q, r, s], [q, r, s, p]],
            _ => return None,
        };
        if !(is_on_exact_grid(from[0], from[1]) & is_on_exact_grid(from[2], from[3])) {
            return None;
        }
        let x = |points: [Vec2; 4]| points.map(|point| f64::from(point.x));
        let y = |points: [Vec2; 4]| points.map(|point| f64::from(point.y));
        let way_x = f64x4::new(x(to)) - f64x4::new(x(from));
        let way_y = f64x4::new(y(to)) - f64x4::new(y(from));
        Some(Self { x: x(from), y: y(from), way_x, way_y })
    }

    /// Apart (`Greater`), touching (`Equal`) or overlapping (`Less`). Polygons are apart if an edge
    /// of one has all of the other beyond its line, and touch if one has none of it on this side.
    #[inline(always)]
    pub fn relation(&self, other: &Self) -> Relation {
        let least = self.reach_of(other).fast_min(other.reach_of(self)).to_array();
        let min = |a: f64, b: f64| if a < b { a } else { b };
        let least = min(min(least[0], least[1]), min(least[2], least[3]));
        // Which of them it is could not be predicted.
        Relation::from_distance(0i8.cmp(&(i8::from(least > 0.0) - i8::from(least < 0.0))))
    }

    /// How far the other reaches in over each edge, times the edge's length.
    #[inline(always)]
    fn reach_of(&self, other: &Self) -> f64x4 {
        let (x, y) = (f64x4::new(self.x), f64x4::new(self.y));
        let reach = |corner: usize| {
            let (at_x, at_y) = (f64x4::splat(other.x[corner]), f64x4::splat(other.y[corner]));
            self.way_x * (at_y - y) - self.way_y * (at_x - x)
        };
        reach(0).fast_max(reach(1)).fast_max(reach(2).fast_max(reach(3)))
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::prelude::*;
    use crate::query::sat::exact_relation;

    /// Small triangles and quadrilaterals; moved by a 64th of a step of the grid, they leave it.
    fn polygons(off: f32) -> Vec<ConvexPolygon> {
        let mut seed = 3u32;
        let mut next = |n: u32| {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            (seed >> 16) % n
        };
        let mut point = || Vec2::new(next(5) as f32 + off, next(5) as f32);
        let mut all: Vec<ConvexPolygon> = Vec::new();
        while all.len() < 120 {
            let corners = [point(), point(), point(), point()];
            let hull = ConvexPolygon::hull(&corners[..3 + all.len() % 2]);
            all.extend(hull.ok().filter(|it| (3..=4).contains(&it.points().len())));
        }
        all
    }

    #[test]
    fn on_the_grid_and_off_it_the_verdict_is_the_same() {
        let (on, off) = (polygons(0.0), polygons(1.0 / 16384.0));
        let mut seen = [0; 3];
        for (a, c) in on.iter().zip(&off) {
            for (b, d) in on.iter().zip(&off) {
                let quads = Quad::on_grid(a.points()).zip(Quad::on_grid(b.points()));
                let (a_quad, b_quad) = quads.expect("on the grid");
                assert!(Quad::on_grid(c.points()).is_none());
                let relation = a_quad.relation(&b_quad);
                assert_eq!(relation, exact_relation(&c.as_convex(), &d.as_convex()), "{a:?} {b:?}");
                seen[(relation as i8 + 1) as usize] += 1;
            }
        }
        assert!(seen.iter().all(|&times| times > 500), "{seen:?}");
    }
}
