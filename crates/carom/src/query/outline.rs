//! Boundary-only queries: a filled shape as if it were hollow.
//!
//! A shape touches the outline of an area if it intersects the area and is not strictly inside it.
//! The outline of a polygon includes those of its holes. The outline of a compound is that of the
//! union, so boundaries of parts inside other parts do not count.

use core::ops::ControlFlow;

use crate::math::{length, to_f32};
use crate::query::composite::{any_part_in, break_if, convex_bounds, with_segment};
use crate::query::contains::{Containment, containment, polygon_edges_in};
use crate::query::separation::{convex_relation, separation};
use crate::query::union_contains::{depth, union_contains};
use crate::shape::convex::{Convex, ConvexBuffer};
use crate::shape::grid::CellGrid;
use crate::shape::parts::QueryRegion;
use crate::shape::{Aabb, ShapeRef};

/// Returns `true` if `b` touches the outline of `a`.
pub(crate) fn intersects(a: ShapeRef<'_>, b: ShapeRef<'_>) -> bool {
    let corners = a.bounds().corners();
    any_part_in(&b, &QueryRegion::of_corners(&corners), &mut |part| outline_intersects(a, part))
}

/// Returns the distance of `b` from the outline of `a`; infinite if `b` has no parts.
pub(crate) fn distance(a: ShapeRef<'_>, b: ShapeRef<'_>) -> f32 {
    let mut least = f64::INFINITY;
    b.for_each_part(&mut |part| {
        least = if outline_intersects(a, &part.convex) {
            0.0
        } else {
            // The distance is positive even if it is less than the smallest `f32`.
            least.min(outline_distance(a, &part.convex).max(f64::from(f32::from_bits(1))))
        };
    });
    if least == f64::INFINITY { f32::INFINITY } else { to_f32(least) }
}

/// Returns `true` if a convex part touches the outline of `a`.
fn outline_intersects(a: ShapeRef<'_>, b: &Convex<'_>) -> bool {
    let intersects = |convex: &Convex<'_>| convex_relation(convex, b).intersects();
    let area_intersects =
        || any_part_in(&a, &QueryRegion::of_convex(b), &mut |part| intersects(part));
    match a {
        ShapeRef::Polygon(polygon) => polygon_edges_in(polygon, &convex_bounds(b))
            .any(|(start, end)| with_segment(start, end, intersects)),
        ShapeRef::TileMap(map) => grid_outline_intersects(map, b),
        ShapeRef::Mask(mask) => grid_outline_intersects(mask, b),
        ShapeRef::Compound(_) => {
            area_intersects() && !contains_with_margin(a, b, f32::from_bits(1))
        }
        _ => area_intersects() && !is_strictly_inside_part(a, b),
    }
}

fn grid_outline_intersects(grid: &impl CellGrid, b: &Convex<'_>) -> bool {
    let found = grid.visit_outline(&QueryRegion::of_convex(b), &mut |start, end| {
        break_if(with_segment(start, end, |edge| convex_relation(edge, b).intersects()))
    });
    found.is_break()
}

/// Returns `true` if `b` is in the interior of a single part.
fn is_strictly_inside_part(a: ShapeRef<'_>, b: &Convex<'_>) -> bool {
    any_part_in(&a, &QueryRegion::of_convex(b), &mut |part| {
        containment(part, b) == Containment::Inside
    })
}

/// Returns `true` if the union of the parts contains `b` with a margin around it. The margin is at
/// least the smallest that the coverage test can resolve.
fn contains_with_margin(a: ShapeRef<'_>, b: &Convex<'_>, margin: f32) -> bool {
    let bounds = convex_bounds(b);
    let far = bounds.min().abs().max(bounds.max().abs()).max_element();
    let least = far * 1e-7;
    let radius = (b.radius + margin.max(least)).next_up();
    (margin <= least && is_strictly_inside_part(a, b))
        || union_contains(a, &Convex { radius, ..*b })
}

/// Returns the distance of a convex part from the outline of `a`, which it does not touch.
fn outline_distance(a: ShapeRef<'_>, b: &Convex<'_>) -> f64 {
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
        ShapeRef::TileMap(map) => return grid_outline_distance(map, b),
        ShapeRef::Mask(mask) => return grid_outline_distance(mask, b),
        _ => {}
    }
    a.for_each_part(&mut |part| consider(&part.convex));
    if least > 0.0 {
        return least;
    }
    // Inside: the depth of the outermost vertex, or for a compound a search.
    match a.as_convex(&mut ConvexBuffer::new()) {
        Some(a) => {
            let depths = b.points.iter().map(|point| depth(&a, point.as_dvec2()));
            depths.fold(f64::INFINITY, f64::min) - f64::from(b.radius)
        }
        None => margin_inside(a, b),
    }
}

/// Works like [`outline_distance`], for a tile map or mask: searches in a region that grows until it
/// contains the closest edge.
fn grid_outline_distance(grid: &impl CellGrid, b: &Convex<'_>) -> f64 {
    let everything = Aabb::union([grid.used_bounds(), convex_bounds(b)]);
    let farthest = length(everything.max().as_dvec2() - everything.min().as_dvec2());
    let (mut reach, mut least) = (grid.placement().longest_side(), f64::INFINITY);
    loop {
        let _ = grid.visit_outline::<()>(
            &QueryRegion::of_convex(b).inflated(reach),
            &mut |start, end| {
                let found = with_segment(start, end, |edge| separation(edge, b, f64::INFINITY));
                least = least.min(found.map_or(f64::INFINITY, |separation| separation.distance));
                ControlFlow::Continue(())
            },
        );
        if least <= reach || reach > farthest {
            return least;
        }
        reach *= 2.0;
    }
}

/// Returns the largest margin with which the union of the parts contains `b`, by bisection.
fn margin_inside(a: ShapeRef<'_>, b: &Convex<'_>) -> f64 {
    let bounds = a.bounds();
    let size = bounds.max().as_dvec2() - bounds.min().as_dvec2();
    let (mut low, mut high) = (0.0, size.x.min(size.y));
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if contains_with_margin(a, b, middle as f32) { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn a_shape_strictly_inside_does_not_touch_the_outline() {
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
    fn internal_edges_of_a_compound_are_not_on_its_outline() {
        let floor =
            Compound::new([Aabb::new([0.0, 0.0], [4.0, 4.0]), Aabb::new([4.0, 0.0], [8.0, 4.0])]);
        let edge = Segment::new([4.0, 1.0], [4.0, 3.0]);
        assert!(!floor.outline_intersects(&edge));
        assert!((floor.outline_distance(&edge) - 1.0).abs() < 1e-6);
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
