//! The contact of shapes made of parts: one push that clears them all, the shortest there is.
//!
//! For each pair of parts, the translations of `a` that make the pair overlap are the inside of a
//! rounded convex polygon, an *obstacle* in the space of translations. The push is the point
//! nearest to the origin that is inside no obstacle. It is either the foot of the origin on one
//! obstacle's border, or a place where two borders cross. These candidates are tried from the
//! nearest on, each with the exact verdict on the moved shape, until one is clear.

use crate::query::Relation;
use core::ops::ControlFlow;

use alloc::vec::Vec;
use glam::{DVec2, Vec2};

use crate::math::{length, to_f32, to_vec2, try_normalize};
use crate::query::candidates::{Candidate, candidates};
use crate::query::contact::{Contact, from_separation, rounding_margin};
use crate::query::mask_push::ways_out;
use crate::query::obstacle::{Obstacle, obstacles};
use crate::query::overlaps::{overlaps, overlaps_parts};
use crate::query::parts::{Moved, Parts, each_pair, moves_by_parts};
use crate::query::separation::separation;
use crate::shape::convex::ConvexBuffer;
use crate::shape::{Aabb, AsShape, ShapeRef};

/// The contact of any two shapes, at least one of them made of parts.
pub(crate) fn contact(a: ShapeRef<'_>, b: ShapeRef<'_>) -> Option<Contact> {
    let overlaps = overlaps_parts(&a, &b);
    let deepest = deepest_pair(a, b)?;
    if !overlaps {
        return Some(Contact { depth: 0.0, push: Vec2::ZERO, ..deepest });
    }
    if is_clear(a, b, deepest.push) {
        return Some(deepest); // no way is shorter than this pair needs
    }
    let (way, push) = shortest_way_out(a, b, f64::from(deepest.depth));
    if deepest_pair(b, a).is_some_and(|swapped| is_clear(b, a, swapped.push)) {
        // The depth must not depend on which of the two is moved and rounded.
        return Some(Contact { push, ..deepest });
    }
    let normal = try_normalize(way).unwrap_or(deepest.normal.as_dvec2());
    let depth = to_f32(length(way)).max(f32::from_bits(1));
    Some(Contact { normal: to_vec2(normal), depth, push, points: deepest.points })
}

/// The contact of the pair of parts that overlap deepest. Among pairs that only touch, one across
/// an edge of the outline comes before one across a seam.
fn deepest_pair(a: ShapeRef<'_>, b: ShapeRef<'_>) -> Option<Contact> {
    let mut deepest: Option<(Contact, bool)> = None;
    let _ = each_pair(&a, &b, 0.0, &mut |part_a, part_b| {
        if let Some(separation) = separation(&part_a.convex, &part_b.convex, 0.0)
            && separation.relation != Relation::Disjoint
        {
            let on_seam = separation.reference_edge.is_some_and(|axis| {
                let owner = if axis.of_a { part_a } else { part_b };
                owner.is_internal_edge(axis.edge)
            });
            let contact = from_separation(&part_a.convex, &part_b.convex, &separation);
            let better = deepest.is_none_or(|(best, best_on_seam)| {
                contact.depth > best.depth
                    || (contact.depth == best.depth && best_on_seam && !on_seam)
            });
            if better {
                deepest = Some((contact, on_seam));
            }
        }
        ControlFlow::Continue(())
    });
    deepest.map(|(contact, _)| contact)
}

/// Whether `a`, moved, overlaps `b` no more: neither do its moved parts nor, where that is not the
/// same, the moved shape.
fn is_clear(a: ShapeRef<'_>, b: ShapeRef<'_>, push: Vec2) -> bool {
    if let (ShapeRef::Mask(a), ShapeRef::Mask(_)) = (a, b) {
        return !overlaps(a.translated(push).as_shape(), b); // many pixels at a time
    }
    !overlaps_parts(&Moved { shape: &a, by: push }, &b)
        && (moves_by_parts(a) || !overlaps_parts(&a.to_shape().translated(push).as_shape(), &b))
}

/// The shortest translation that takes `a` out of `b`, and the push that does it in `f32`. Looked
/// for in one order whichever of the two is moved: rounding must not let its length depend on that.
fn shortest_way_out(a: ShapeRef<'_>, b: ShapeRef<'_>, least: f64) -> (DVec2, Vec2) {
    if first_corners(a) <= first_corners(b) {
        way_out_of_pair(a, b, Moves::First, least)
    } else {
        let (way, push) = way_out_of_pair(b, a, Moves::Second, least);
        (-way, push)
    }
}

/// The corners of a shape's first parts, by which shapes can be put in order.
fn first_corners(shape: ShapeRef<'_>) -> Vec<[f32; 2]> {
    const ENOUGH: usize = 64;
    let mut corners = Vec::new();
    let _ = Parts::visit(&shape, &mut |_| true, &mut |part| {
        corners.extend(part.convex.points.iter().map(|point| point.to_array()));
        if corners.len() < ENOUGH { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    corners
}

/// Which of two shapes is to be moved.
#[derive(Clone, Copy, PartialEq)]
enum Moves {
    First,
    Second,
}

impl Moves {
    fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// The shortest translation of `a` out of `b`, and the push of the one that moves.
fn way_out_of_pair(a: ShapeRef<'_>, b: ShapeRef<'_>, moves: Moves, least: f64) -> (DVec2, Vec2) {
    let span = |bounds: Aabb| length(bounds.max().as_dvec2() - bounds.min().as_dvec2());
    let far = |bounds: Aabb| bounds.min().abs().max(bounds.max().abs()).as_dvec2();
    let (bounds_a, bounds_b) = (Parts::bounds(&a), Parts::bounds(&b));
    let size = span(bounds_a) + span(bounds_b);
    let far = (far(bounds_a), far(bounds_b));
    let masks = match (a, b) {
        (ShapeRef::Mask(a), ShapeRef::Mask(b)) => Some((a, b)),
        _ => None,
    };
    let mut exact =
        Search { a, b, moves, far, least, tried: 0.0, found: None, way: None, push: None };
    // All that could block a way of this length is taken in; if none is found, look further.
    let mut radius = (1.25 * least).max(1e-12 * size);
    while radius < 4.0 * size && exact.may_improve(radius) {
        match masks.and_then(|(a, b)| ways_out(a, b, radius)) {
            Some(ways) => exact.search(ways),
            None => {
                let slack = 1e-9 * radius + 1e-13 * size;
                exact.search(candidates(&obstacles(a, b, radius), radius, slack));
            }
        }
        exact.tried = radius;
        radius = (2.0 * radius).max((1e4 * radius).min(size / 256.0));
    }
    if masks.is_none() {
        exact.look_for_room(size); // which masks have at whole pixels, if any
    }
    match (exact.way, exact.push) {
        (Some(way), Some(push)) => (way, push),
        (way, _) => {
            let (beside, push) = beside(a, b);
            (way.unwrap_or(beside), if moves == Moves::First { push } else { -push })
        }
    }
}

/// What is found so far.
///
/// The way must clear when `a` takes it or when `b` goes the other way: which of them is rounded
/// when moved must not matter to the answer. The push must clear the one that moves.
struct Search<'a> {
    a: ShapeRef<'a>,
    b: ShapeRef<'a>,
    moves: Moves,
    /// The largest coordinates of both, in x and in y.
    far: (DVec2, DVec2),
    /// No way is shorter than the deepest pair alone needs.
    least: f64,
    /// All candidates up to this length have been tried.
    tried: f64,
    /// How long the shortest candidate was, whether it cleared or not.
    found: Option<f64>,
    way: Option<DVec2>,
    push: Option<Vec2>,
}

impl Search<'_> {
    /// Whether a push of some length would be shorter than the one found.
    fn may_improve(&self, long: f64) -> bool {
        self.push.is_none_or(|push| length(push.as_dvec2()) > long)
    }

    /// Tries candidates, nearest first.
    fn search(&mut self, candidates: impl IntoIterator<Item = Candidate>) {
        for candidate in candidates {
            let long = length(candidate.way);
            // As far as f32 can tell.
            let is_short = long < self.least * (1.0 - 1e-6) - f64::from(f32::from_bits(1));
            if is_short || long < self.tried {
                continue;
            }
            // In a narrow corner, the push may be much longer than the way: another may be better.
            if !self.may_improve(long) {
                break;
            }
            self.found = self.found.or(Some(long));
            let (moving, other) = (self.moves, self.moves.other());
            let push = self.pushes(&candidate, long, moving).find(|&push| {
                self.may_improve(length(push.as_dvec2())) && self.is_clear(moving, push)
            });
            if self.way.is_none() {
                let mut pushes = self.pushes(&candidate, long, other);
                let clears = push.is_some() || pushes.any(|push| self.is_clear(other, push));
                self.way = clears.then_some(candidate.way);
            }
            self.push = push.or(self.push);
        }
    }

    /// The pushes of one of the shapes that a candidate comes to.
    fn pushes<'c>(
        &self,
        candidate: &'c Candidate,
        long: f64,
        moves: Moves,
    ) -> impl Iterator<Item = Vec2> + use<'c> {
        let (far, sign) = match moves {
            Moves::First => (self.far.0, 1.0),
            Moves::Second => (self.far.1, -1.0),
        };
        candidate.pushes(margins(far, long)).map(move |push| push * sign)
    }

    fn is_clear(&self, moves: Moves, push: Vec2) -> bool {
        match moves {
            Moves::First => is_clear(self.a, self.b, push),
            Moves::Second => is_clear(self.b, self.a, push),
        }
    }

    /// Where the shortest way leads between obstacles so close that no `f32` fits, there may be
    /// room a little aside: looks for it among obstacles that are larger by what rounding takes.
    fn look_for_room(&mut self, size: f64) {
        let Some(shortest) = self.found else { return };
        let margin = margins(self.far.0.max(self.far.1), shortest).max_element();
        let is_long = |long: f64| long > shortest * (1.0 + 4e-5) + 4.0 * margin;
        let roomy = |long: f64| {
            let radius = long.min(4.0 * size);
            let grown: Vec<Obstacle> = (obstacles(self.a, self.b, radius).into_iter())
                .map(|obstacle| obstacle.grown(margin))
                .collect();
            let mut roomy = Search { tried: 0.0, found: None, way: None, push: None, ..*self };
            roomy.search(candidates(&grown, radius, 1e-9 * radius + 1e-13 * size));
            (roomy.way, roomy.push)
        };
        // Each on its own: the way must not depend on which of the two is pushed.
        let way = self.way.map_or(f64::INFINITY, length);
        let push = self.push.map_or(f64::INFINITY, |push| length(push.as_dvec2()));
        let found_way = if is_long(way) { roomy(way).0 } else { None };
        let found_push = if is_long(push) { roomy(push).1 } else { None };
        if found_way.is_some_and(|found| length(found) < way) {
            self.way = found_way;
        }
        if found_push.is_some_and(|found| length(found.as_dvec2()) < push) {
            self.push = found_push;
        }
    }
}

/// How far a shape may stray, in x and in y, when it is moved this far and rounded.
fn margins(far: DVec2, moved: f64) -> DVec2 {
    (far + moved).map(rounding_margin)
}

/// The way out past the bounds, which always clears: for numbers so large or small that no
/// candidate survives rounding. Boxes that rounding has flattened may only touch: they are taken
/// a unit in the last place larger.
fn beside(a: ShapeRef<'_>, b: ShapeRef<'_>) -> (DVec2, Vec2) {
    let larger = |shape: ShapeRef<'_>| {
        let bounds = Parts::bounds(&shape);
        let (low, high) = (bounds.min(), bounds.max());
        let (low, high) = (low.map(f32::next_down), high.map(f32::next_up));
        Aabb::new_unchecked(low.max(Vec2::MIN), high.min(Vec2::MAX))
    };
    let (a_box, b_box) = (larger(a), larger(b));
    crate::query::contact::convex(
        &a_box.as_convex(&mut ConvexBuffer::new()),
        &b_box.as_convex(&mut ConvexBuffer::new()),
    )
    .map_or((DVec2::X, Vec2::X), |contact| (contact.push.as_dvec2(), contact.push))
}
