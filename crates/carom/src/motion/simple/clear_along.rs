//! Moving a shape out of obstacles, straight along an axis.
//!
//! For each pair of convex parts that overlap, the translations that keep them overlapping are the
//! interior of a rounded ring. The distance to go is where the ray leaves the ring. The mover is placed
//! there, rounded, and tested exactly again: it may have entered another part, or rounding may have left it
//! inside.

use crate::query::Relation;
use core::ops::ControlFlow;

use glam::{DVec2, Vec2};

use crate::math::{cross, length, perp_cw, sqrt, to_vec2};
use crate::query::composite::visit_part_pairs;
use crate::query::contact::rounding_margin;
use crate::query::mtv::cspace::{Ring, difference};
use crate::query::separation::convex_relation;
use crate::shape::{AsShape, Shape, ShapeRef};

/// Returns the first offset, from a given one on in a direction (a unit vector along an axis), at which the
/// mover overlaps no obstacle. Returns the given one if there is none within the range of `f32`.
pub(super) fn clear_along<'a, S: AsShape + 'a>(
    mover: &Shape,
    offset: Vec2,
    direction: Vec2,
    obstacles: impl Iterator<Item = &'a S> + Clone,
) -> Vec2 {
    let mut at = offset.as_dvec2();
    let mut nudge = 0.0_f64;
    while at.abs().max_element() <= f64::from(f32::MAX) {
        let rounded = to_vec2(at);
        let moved = mover.translated(rounded);
        let overlapped = obstacles.clone().filter(|&obstacle| obstacle.as_shape().overlaps(&moved));
        let ways = overlapped.map(|obstacle| way_out(&moved, obstacle.as_shape(), direction));
        let Some(way) = ways.reduce(f64::max) else { return rounded };
        let bounds = moved.bounds();
        let far = bounds.min().abs().max(bounds.max().abs()).max(rounded.abs()).max_element();
        let margin = rounding_margin(f64::from(far));
        // If rounding alone keeps it inside, it goes farther each time, until a rounded position is free.
        nudge = if way > margin { 0.0 } else { (2.0 * nudge).max(margin / 16.0) };
        at = rounded.as_dvec2() + direction.as_dvec2() * (way + nudge);
    }
    offset
}

/// Returns the distance that a mover has to go to leave the parts of an obstacle that it is in.
fn way_out(mover: &Shape, obstacle: ShapeRef<'_>, direction: Vec2) -> f64 {
    let (mut inside, mut touching) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    let _ = visit_part_pairs(&mover.as_shape(), &obstacle, 0.0, &mut |a, b| {
        let longest = match convex_relation(&a.convex, &b.convex) {
            Relation::Overlapping => &mut inside,
            Relation::Touching => &mut touching,
            Relation::Disjoint => return ControlFlow::Continue(()),
        };
        let radius = f64::from(a.convex.radius) + f64::from(b.convex.radius);
        let ring = difference(&b.convex, &a.convex);
        *longest = longest.max(way_through(&ring, radius, direction.as_dvec2()));
        ControlFlow::Continue(())
    });
    // A line on a seam between two parts only touches them, and is inside all the same.
    if inside > f64::NEG_INFINITY { inside } else { touching }.max(0.0)
}

/// Returns the length of a ray from the origin, which is inside, up to the boundary of a rounded ring.
fn way_through(ring: &Ring, radius: f64, direction: DVec2) -> f64 {
    let edges = (0..ring.len()).map(|i| (ring[i], ring[(i + 1) % ring.len()] - ring[i]));
    let leaving = edges.filter(|&(_, side)| perp_cw(side).dot(direction) > 0.0);
    // Where the ray crosses the line of an edge, moved outwards by the radius.
    let crossing = |(start, side): (DVec2, DVec2)| {
        let out = perp_cw(side);
        (out.dot(start) + radius * length(side)) / out.dot(direction)
    };
    if radius == 0.0 {
        return leaving.map(crossing).reduce(f64::min).unwrap_or(0.0);
    }
    let straight = leaving.filter_map(|(start, side)| {
        let way = crossing((start, side));
        let foot = side.dot(direction * way - start);
        (0.0..=side.dot(side)).contains(&foot).then_some(way)
    });
    let round = ring.iter().filter_map(|&corner| {
        let aside = cross(direction, corner).abs();
        let half = (radius - aside) * (radius + aside);
        (aside < radius).then(|| direction.dot(corner) + sqrt(half))
    });
    straight.chain(round).reduce(f64::max).unwrap_or(0.0)
}
