//! The outline alone: a filled shape as if it were hollow.
//!
//! What touches the outline of an area is what meets the area and is not strictly inside it. The
//! outline of a polygon includes those of its holes; that of a compound is the outline of the
//! union, so the borders of parts inside other parts do not count.

use core::ops::ControlFlow;

use crate::math::{length, to_f32};
use crate::query::contains::{Containment, containment, with_segment};
use crate::query::contains_outlines::outline_near;
use crate::query::cover::{covers, depth};
use crate::query::parts::core_bounds;
use crate::query::relation::Relation;
use crate::query::separation::{convex_relation, separation};
use crate::shape::convex::{Convex, ConvexBuffer};
use crate::shape::grid::CellGrid;
use crate::shape::parts::QueryRegion;
use crate::shape::{Aabb, ShapeRef};

pub(crate) fn intersects(a: ShapeRef<'_>, b: ShapeRef<'_>) -> bool {
    let corners = a.bounds().corners();
    let found = b.visit_parts_in(&QueryRegion::of_corners(&corners), &mut |part| {
        if touches(a, &part.convex) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found.is_break()
}

pub(crate) fn distance(a: ShapeRef<'_>, b: ShapeRef<'_>) -> f32 {
    let mut least = f64::INFINITY;
    b.for_each_part(&mut |part| {
        if !touches(a, &part.convex) {
            // Apart by less than f32 can tell is still apart.
            least = least.min(gap(a, &part.convex).max(f64::from(f32::from_bits(1))));
        } else {
            least = 0.0;
        }
    });
    // Nothing at all is infinitely far.
    if least == f64::INFINITY { f32::INFINITY } else { to_f32(least) }
}

/// Whether a convex part touches the outline.
fn touches(a: ShapeRef<'_>, b: &Convex<'_>) -> bool {
    match a {
        ShapeRef::Polygon(polygon) => outline_near(polygon, &core_bounds(b))
            .any(|(start, end)| with_segment(start, end, |e| convex_relation(e, b)).intersects()),
        ShapeRef::TileMap(map) => touches_cells(map, b),
        ShapeRef::Mask(mask) => touches_cells(mask, b),
        ShapeRef::Compound(_) => meets(a, b) && !is_deep(a, b, f32::from_bits(1)),
        _ => meets(a, b) && !is_inside_one(a, b),
    }
}

fn touches_cells(grid: &impl CellGrid, b: &Convex<'_>) -> bool {
    let found = grid.visit_outline(
        &QueryRegion::of_convex(b),
        &mut |start, end| match with_segment(start, end, |edge| convex_relation(edge, b)) {
            Relation::Disjoint => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        },
    );
    found.is_break()
}

fn meets(a: ShapeRef<'_>, b: &Convex<'_>) -> bool {
    any_part(a, b, |part| convex_relation(part, b).intersects())
}

/// Whether one part alone holds `b` strictly inside.
fn is_inside_one(a: ShapeRef<'_>, b: &Convex<'_>) -> bool {
    any_part(a, b, |part| containment(part, b) == Containment::Inside)
}

fn any_part(a: ShapeRef<'_>, b: &Convex<'_>, test: impl Fn(&Convex<'_>) -> bool) -> bool {
    let found = a.visit_parts_in(&QueryRegion::of_convex(b), &mut |part| {
        if test(&part.convex) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found.is_break()
}

/// Whether the parts together hold `b` with a margin; next to nothing where there is none to spare.
fn is_deep(a: ShapeRef<'_>, b: &Convex<'_>, margin: f32) -> bool {
    let bounds = core_bounds(b);
    let far = bounds.min().abs().max(bounds.max().abs()).max_element();
    let least = far * 1e-7; // a cover can tell a little less
    let radius = (b.radius + margin.max(least)).next_up();
    (margin <= least && is_inside_one(a, b)) || covers(a, &Convex { radius, ..*b })
}

/// The distance of a convex part from the outline that it does not touch.
fn gap(a: ShapeRef<'_>, b: &Convex<'_>) -> f64 {
    let mut least = f64::INFINITY;
    let mut consider = |part: &Convex<'_>| {
        if let Some(separation) = separation(part, b, f64::INFINITY) {
            least = least.min(separation.distance);
        }
    };
    match a {
        ShapeRef::Polygon(polygon) => {
            polygon.edges().for_each(|(start, end)| with_segment(start, end, &mut consider));
            return least;
        }
        ShapeRef::TileMap(map) => return gap_to_cells(map, b),
        ShapeRef::Mask(mask) => return gap_to_cells(mask, b),
        _ => {}
    }
    a.for_each_part(&mut |part| consider(&part.convex));
    if least > 0.0 {
        return least;
    }
    match a.as_convex(&mut ConvexBuffer::new()) {
        Some(a) => {
            let deep = b.points.iter().map(|point| depth(&a, point.as_dvec2()));
            deep.fold(f64::INFINITY, f64::min) - f64::from(b.radius)
        }
        None => margin_inside(a, b),
    }
}

/// The same for a tile map or a mask: looks further and further until an edge is found.
fn gap_to_cells(grid: &impl CellGrid, b: &Convex<'_>) -> f64 {
    let everything = Aabb::union([grid.used_bounds(), core_bounds(b)]);
    let furthest = length(everything.max().as_dvec2() - everything.min().as_dvec2());
    let (mut reach, mut least) = (grid.placement().longest_side(), f64::INFINITY);
    loop {
        let _ = grid.visit_outline::<()>(
            &QueryRegion::of_convex(b).inflated(reach),
            &mut |start, end| {
                let found = with_segment(start, end, |e| separation(e, b, f64::INFINITY));
                least = least.min(found.map_or(f64::INFINITY, |separation| separation.distance));
                ControlFlow::Continue(())
            },
        );
        if least <= reach || reach > furthest {
            return least;
        }
        reach *= 2.0;
    }
}

/// How far `b` can grow before it leaves the union of the parts, by halving.
fn margin_inside(a: ShapeRef<'_>, b: &Convex<'_>) -> f64 {
    let bounds = a.bounds();
    let size = bounds.max().as_dvec2() - bounds.min().as_dvec2();
    let (mut low, mut high) = (0.0, size.x.min(size.y));
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if is_deep(a, b, middle as f32) { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn what_is_strictly_inside_does_not_touch() {
        let ring = Circle::new([0.0, 0.0], 5.0);
        assert!(!ring.outline_intersects(&Circle::new([0.0, 0.0], 4.0)));
        assert!(ring.outline_intersects(&Circle::new([3.0, 0.0], 2.0)));
        assert!(ring.outline_intersects(&Circle::new([3.0, 0.0], 2.1)));
        assert!(ring.outline_intersects(&Circle::new([8.0, 0.0], 3.0)));
        assert!(!ring.outline_intersects(&Circle::new([9.0, 0.0], 3.0)));
        assert!(ring.outline_intersects(&ring));
        assert_eq!(ring.outline_distance(&Point::new([0.0, 3.0])), 2.0);
        assert_eq!(ring.outline_distance(&Circle::new([8.0, 0.0], 1.0)), 2.0);
        assert_eq!(ring.outline_distance(&Circle::new([3.0, 0.0], 2.0)), 0.0);
    }

    #[test]
    fn holes_have_outlines_too() {
        let frame = Polygon::with_holes(
            &[[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]],
            &[alloc::vec![[3.0, 3.0], [6.0, 3.0], [6.0, 6.0], [3.0, 6.0]]],
        );
        let coin = Circle::new([1.5, 4.5], 1.0);
        assert!(!frame.outline_intersects(&coin));
        assert_eq!(frame.outline_distance(&coin), 0.5);
        assert!(frame.outline_intersects(&Circle::new([1.5, 4.5], 1.5)));
        assert_eq!(frame.outline_distance(&Point::new([4.5, 4.0])), 1.0);
    }

    #[test]
    fn seams_inside_a_compound_are_no_outline() {
        let floor =
            Compound::new([Aabb::new([0.0, 0.0], [4.0, 4.0]), Aabb::new([4.0, 0.0], [8.0, 4.0])]);
        let seam = Segment::new([4.0, 1.0], [4.0, 3.0]);
        assert!(!floor.outline_intersects(&seam));
        assert!((floor.outline_distance(&seam) - 1.0).abs() < 1e-6);
        assert!(floor.outline_intersects(&Segment::new([4.0, 1.0], [4.0, 4.0])));
        assert!(!floor.outline_intersects(&Circle::new([4.0, 2.0], 1.9)));
        assert!(floor.outline_intersects(&Circle::new([4.0, 2.0], 2.0)));
    }

    #[test]
    fn rays_from_inside_hit_the_far_wall() {
        let room =
            Compound::new([Aabb::new([0.0, 0.0], [4.0, 4.0]), Aabb::new([4.0, 0.0], [8.0, 4.0])]);
        let hit = room.outline_raycast(&Ray::new([1.0, 1.0], [1.0, 0.0], 9.0)).unwrap();
        assert_eq!((hit.distance, hit.normal), (7.0, Vec2::new(-1.0, 0.0)));
        assert_eq!(room.outline_raycast(&Ray::new([1.0, 1.0], [1.0, 0.0], 6.0)), None);
        let hit = room.outline_raycast(&Ray::new([-1.0, 1.0], [1.0, 0.0], 6.0)).unwrap();
        assert_eq!((hit.distance, hit.normal), (1.0, Vec2::new(-1.0, 0.0)));
    }
}
