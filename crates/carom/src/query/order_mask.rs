//! The verdict on masks, many pixels at a time.

use crate::query::Relation;
use core::ops::{ControlFlow, RangeInclusive};

use crate::query::order::order;
use crate::query::separation::convex_relation;
use crate::shape::convex::ConvexBuffer;
use crate::shape::grid::CellGrid;
use crate::shape::parts::QueryRegion;
use crate::shape::{Mask, ShapeRef};

/// A box, a circle or another mask, and the pixels of a mask; `None` for other shapes.
pub(super) fn with_mask(shape: ShapeRef<'_>, mask: &Mask) -> Option<Relation> {
    let bounds = match shape {
        ShapeRef::Mask(other) => return two_masks(mask, other),
        ShapeRef::Aabb(aabb) if aabb.min().cmplt(aabb.max()).all() => *aabb,
        ShapeRef::Circle(circle) if circle.radius() > 0.0 => circle.bounds(),
        _ => return None,
    };
    let mut least = Relation::Disjoint;
    let corners = bounds.corners();
    let near = QueryRegion::of_corners(&corners);
    let stop_at = |least: Relation| match least {
        Relation::Overlapping => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    if mask.placement().is_axis_aligned() {
        // Pixels side by side are a box too.
        let _ = mask.visit_runs(&near, &mut |run| {
            let pixels = run.level_box();
            least = order(ShapeRef::Aabb(&pixels), shape).map_or(least, |order| least.min(order));
            stop_at(least)
        });
    } else {
        let mut pad = ConvexBuffer::new();
        let core = shape.convex_or_empty(&mut pad);
        let _ = mask.visit_parts_in(&near, &mut |part| {
            least = least.min(convex_relation(&part.convex, &core));
            stop_at(least)
        });
    }
    Some(least)
}

/// Two masks whose pixels are equally large and lie the same way; `None` where they do not, or where
/// rounding leaves it open whether pixels touch or overlap.
///
/// Counted in pixels, pixel `i` of the one lies from `i` to `i + 1`, and pixel `j` of the other from
/// `j + o` to `j + o + 1`. They overlap where `i - j` is nearer to `o` than 1, in x and in y, and touch
/// where it is as near as that: so all pairs of pixels are tested at once by laying one bitmap on the
/// other at each of these few places.
fn two_masks(a: &Mask, b: &Mask) -> Option<Relation> {
    let lattice = a.placement().frame.shared_lattice(&b.placement().frame)?;
    let places = |reach: f64, is_in: fn(f64, f64) -> bool| {
        [0, 1].map(|i| {
            let (at, reach) = (lattice.offset[i], 1.0 + reach * lattice.error[i]);
            let nearest = libm::round(at) as i32;
            let near = |place: i32| is_in((f64::from(place) - at).abs(), reach);
            let first = (nearest - 2..=nearest).find(|&place| near(place))?;
            let last = (nearest..=nearest + 2).rev().find(|&place| near(place))?;
            Some(first..=last)
        })
    };
    let meets = |[x, y]: [Option<RangeInclusive<i32>>; 2]| match (x, y) {
        (Some(x), Some(y)) => a.bitmap().overlaps_at_any(b.bitmap(), x, y),
        _ => false,
    };
    if !meets(places(1.0, |apart, reach| apart <= reach)) {
        return Some(Relation::Disjoint);
    }
    if meets(places(-1.0, |apart, reach| apart < reach)) {
        return Some(Relation::Overlapping);
    }
    lattice.is_exact().then_some(Relation::Touching)
}
