//! Containment in polygons and chains, by their outlines.

use core::ops::ControlFlow;

use glam::Vec2;
use smallvec::SmallVec;

use crate::math::exact::{Orientation, orient2d};
use crate::query::contains::with_segment;
use crate::query::parts::core_bounds;
use crate::query::relation::Relation;
use crate::query::separation::convex_relation;
use crate::shape::convex::Convex;
use crate::shape::{Aabb, Chain, Polygon};

/// An area is inside a polygon if no outline enters it and it is not outside altogether. A line is
/// inside if no outline crosses it and every stretch between corners that lie on it is.
pub(super) fn polygon_contains(polygon: &Polygon, b: &Convex<'_>) -> bool {
    let near = core_bounds(b);
    if !polygon.tight_bounds().contains_aabb(&near) {
        return false;
    }
    match *b.points {
        [_] if b.radius == 0.0 => {
            any_part(polygon, &near, &mut |part| convex_relation(part, b).intersects())
        }
        [start, end] if b.radius == 0.0 => {
            contains_segment(outline_near(polygon, &near), start, end, |piece, test| {
                any_part(polygon, &core_bounds(piece), test)
            })
        }
        _ => {
            outline_near(polygon, &near)
                .all(|(start, end)| with_segment(start, end, |e| !convex_relation(e, b).overlaps()))
                && any_part(polygon, &near, &mut |part| convex_relation(part, b).overlaps())
        }
    }
}

/// The edges of a polygon's outlines that may touch a box.
pub(crate) fn outline_near<'a>(
    polygon: &'a Polygon,
    near: &'a Aabb,
) -> impl Iterator<Item = (Vec2, Vec2)> + 'a {
    let is_near =
        |&(a, b): &(Vec2, Vec2)| Aabb::new_unchecked(a.min(b), a.max(b)).intersects_aabb(near);
    polygon.edges().filter(is_near)
}

fn any_part(polygon: &Polygon, near: &Aabb, test: &mut dyn FnMut(&Convex<'_>) -> bool) -> bool {
    let found =
        polygon.visit_parts_where(&mut |bounds| bounds.intersects_aabb(near), &mut |part| {
            if test(&part.convex) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    found.is_break()
}

/// Whether a segment lies within outlines, given their edges near it and a way to ask whether any
/// part near a piece of it passes a test.
pub(super) fn contains_segment(
    outline: impl Iterator<Item = (Vec2, Vec2)>,
    start: Vec2,
    end: Vec2,
    any_part: impl Fn(&Convex<'_>, &mut dyn FnMut(&Convex<'_>) -> bool) -> bool,
) -> bool {
    let near = Aabb::new_unchecked(start.min(end), start.max(end));
    let mut cuts: SmallVec<[Vec2; 8]> = SmallVec::new();
    cuts.extend([start, end]);
    for (a, b) in outline {
        let (side_a, side_b) = (orient2d(start, end, a), orient2d(start, end, b));
        let opposite =
            |p: Orientation, q: Orientation| p != Orientation::Collinear && p == q.reverse();
        if opposite(side_a, side_b) && opposite(orient2d(a, b, start), orient2d(a, b, end)) {
            return false;
        }
        let within = Aabb::new_unchecked(a, a).intersects_aabb(&near);
        if side_a == Orientation::Collinear && within {
            cuts.push(a);
        }
    }
    let along = Along::new(start, end);
    cuts.sort_by(|&p, &q| along.of(p).total_cmp(&along.of(q)));
    cuts.dedup();
    let inside = |a: Vec2, b: Vec2| {
        with_segment(a, b, |piece| {
            any_part(piece, &mut |part| {
                convex_relation(part, piece).overlaps()
                    || part.edges().any(|(p, q)| {
                        let level = orient2d(a, b, p) == Orientation::Collinear
                            && orient2d(a, b, q) == Orientation::Collinear;
                        let ((low, high), (from, to)) = (along.stretch(a, b), along.stretch(p, q));
                        level && from.max(low) < to.min(high)
                    })
            })
        })
    };
    cuts.windows(2).all(|ends| inside(ends[0], ends[1]))
}

/// Orders points on a line exactly, by the coordinate that changes more along it.
struct Along {
    level: bool,
}

impl Along {
    fn new(start: Vec2, end: Vec2) -> Self {
        let way = (end.as_dvec2() - start.as_dvec2()).abs();
        Self { level: way.x >= way.y }
    }

    fn of(&self, point: Vec2) -> f32 {
        if self.level { point.x } else { point.y }
    }

    fn stretch(&self, a: Vec2, b: Vec2) -> (f32, f32) {
        (self.of(a).min(self.of(b)), self.of(a).max(self.of(b)))
    }
}

/// A chain holds its points and what runs along it, over any number of joints.
pub(super) fn chain_contains(chain: &Chain, b: &Convex<'_>) -> bool {
    let near = core_bounds(b);
    let touching = &mut |bounds: &Aabb| bounds.intersects_aabb(&near);
    match *b.points {
        _ if !b.has_no_area() => false,
        [start, end] => {
            let along = Along::new(start, end);
            let mut stretches: SmallVec<[(f32, f32); 8]> = SmallVec::new();
            let _ = chain.visit_parts_where::<()>(touching, &mut |part| {
                let points = part.convex.points;
                if points.iter().all(|&p| orient2d(start, end, p) == Orientation::Collinear) {
                    stretches.push(along.stretch(points[0], points[points.len() - 1]));
                }
                ControlFlow::Continue(())
            });
            stretches.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (low, high) = along.stretch(start, end);
            let reach = stretches
                .iter()
                .fold(low, |reach, &(from, to)| if from <= reach { reach.max(to) } else { reach });
            reach >= high
        }
        _ => chain
            .visit_parts_where(touching, &mut |part| match convex_relation(&part.convex, b) {
                Relation::Disjoint => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            })
            .is_break(),
    }
}
