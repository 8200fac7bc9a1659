//! The minimum translation vector (MTV) of composite shapes: the shortest push that clears all
//! parts at once.
//!
//! For each pair of parts, the translations of `a` at which the pair overlaps form the interior of
//! a rounded convex polygon, a *configuration-space obstacle* ([`cspace`]): the Minkowski
//! difference of the parts. The push is the point nearest to the origin that is inside no obstacle.
//!
//! 1. Take the deepest pair of parts. If its push alone clears the shapes, no push is shorter.
//! 2. Collect the obstacles within a radius around the origin.
//! 3. Enumerate candidates from the nearest on ([`search`]): projections of the origin onto
//!    boundary pieces, and intersections of two boundary pieces. Two masks whose pixels have the
//!    same size and orientation enumerate offsets on the pixel lattice instead ([`mask`]).
//! 4. Round each candidate to `f32` in several ways and test the moved shape exactly, until one is
//!    clear. If there is none, repeat with a larger radius.
//! 5. If the best push is much longer than the nearest candidate, because the free space there is
//!    narrower than the spacing of `f32`, repeat with inflated obstacles; the last resort is a push
//!    past the bounding box.

mod certain;
pub(crate) mod cspace;
mod mask;
mod search;

use core::ops::ControlFlow;

use alloc::vec::Vec;
use glam::{DVec2, Vec2};

use crate::math::{length, to_f32, to_vec2, try_normalize};
use crate::query::composite::{
    ConvexParts, Translated, break_if, convex_bounds, moves_by_parts, visit_part_pairs,
};
use crate::query::contact::{Contact, convex, of_separation, rounding_margin};
use crate::query::grid::mask_relation;
use crate::query::overlap::composites_overlap;
use crate::query::sat::Operand;
use crate::query::separation::separation;
use crate::shape::convex::{Convex, ConvexBuffer};
use crate::shape::{Aabb, AsShape, ShapeRef};
use certain::CertainOverlap;
use cspace::{CObstacle, obstacles};
use mask::MaskTranslations;
use search::{Candidate, LazyObstacles, candidates, lazy_candidates};

/// Returns the contact of two shapes, at least one of them composite.
pub(crate) fn contact(a: ShapeRef<'_>, b: ShapeRef<'_>) -> Option<Contact> {
    let overlaps = composites_overlap(&a, &b);
    let deepest = deepest_pair(a, b)?;
    if !overlaps {
        return Some(Contact { depth: 0.0, push: Vec2::ZERO, ..deepest });
    }
    if is_clear(a, b, deepest.push) {
        return Some(deepest);
    }
    let MinimumTranslation { translation, normal, push } =
        minimum_translation(a, b, f64::from(deepest.depth));
    let normal = normal.map_or(deepest.normal, to_vec2);
    let mut depth = to_f32(length(translation)).max(f32::from_bits(1));
    if deepest_pair(b, a).is_some_and(|swapped| is_clear(b, a, swapped.push)) {
        // Of several pairs that are equally deep, the other order takes one whose push clears them
        // all. The depth must not depend on which of the two is moved and rounded.
        depth = deepest.depth;
    }
    Some(Contact { normal, depth, push, points: deepest.points })
}

/// Returns the contact of the pair of parts that overlap deepest. Among pairs that only touch,
/// those across a boundary edge come before those across an internal edge.
fn deepest_pair(a: ShapeRef<'_>, b: ShapeRef<'_>) -> Option<Contact> {
    let mut deepest: Option<(Contact, bool)> = None;
    let _ = visit_part_pairs(&a, &b, 0.0, &mut |part_a, part_b| {
        let limit = max_depth(&part_a.convex, &part_b.convex);
        if deepest.is_some_and(|(best, _)| f64::from(best.depth) > limit) {
            return ControlFlow::Continue(());
        }
        if let Some(separation) = separation(&part_a.convex, &part_b.convex, 0.0)
            && separation.relation.intersects()
        {
            let is_internal = separation.reference_edge.is_some_and(|edge| {
                let owner = if edge.owner == Operand::A { part_a } else { part_b };
                owner.is_internal_edge(edge.edge)
            });
            let contact = of_separation(&part_a.convex, &part_b.convex, &separation);
            let is_better = deepest.is_none_or(|(best, is_best_internal)| {
                contact.depth > best.depth
                    || (contact.depth == best.depth && is_best_internal && !is_internal)
            });
            if is_better {
                deepest = Some((contact, is_internal));
            }
        }
        ControlFlow::Continue(())
    });
    deepest.map(|(contact, _)| contact)
}

/// Returns an upper bound of the depth of two parts: the shortest distance along an axis that separates
/// their bounding boxes.
fn max_depth(a: &Convex<'_>, b: &Convex<'_>) -> f64 {
    let [a, b] = [a, b].map(convex_bounds);
    let overlap = |low: Vec2, high: Vec2| (high.as_dvec2() - low.as_dvec2()).min_element();
    let least = overlap(b.min(), a.max()).min(overlap(a.min(), b.max()));
    least * (1.0 + 1e-6) // depths are rounded
}

/// Returns `true` if `a`, moved by `push`, no longer overlaps `b`: neither its moved parts do nor, if
/// that may differ, the moved shape.
fn is_clear(a: ShapeRef<'_>, b: ShapeRef<'_>, push: Vec2) -> bool {
    if let (ShapeRef::Mask(a), ShapeRef::Mask(_)) = (a, b) {
        let moved = a.translated(push);
        return match mask_relation(b, &moved) {
            Some(relation) => !relation.overlaps(),
            None => !composites_overlap(&moved.as_shape(), &b),
        };
    }
    !composites_overlap(&Translated { shape: &a, by: push }, &b)
        && (moves_by_parts(a) || !composites_overlap(&a.to_shape().translated(push).as_shape(), &b))
}

/// The result of a search.
struct MinimumTranslation {
    /// The shortest translation, whose length does not depend on which of the two shapes moves.
    translation: DVec2,
    /// The direction of the push, or of the translation if the push is longer because no shorter
    /// one is representable. `None` if both are zero.
    normal: Option<DVec2>,
    /// The push of the shape that moves.
    push: Vec2,
}

/// Returns the shortest translation that moves `a` out of `b`, and the push in `f32`. The search
/// takes the shapes in one order whichever of them moves: rounding must not let the length depend
/// on that.
fn minimum_translation(a: ShapeRef<'_>, b: ShapeRef<'_>, depth: f64) -> MinimumTranslation {
    if first_vertices(a) <= first_vertices(b) {
        return ordered_minimum_translation(a, b, Operand::A, depth);
    }
    let MinimumTranslation { translation, normal, push } =
        ordered_minimum_translation(b, a, Operand::B, depth);
    MinimumTranslation { translation: -translation, normal: normal.map(|normal| -normal), push }
}

/// Returns the vertices of a shape's first parts, by which shapes can be ordered.
fn first_vertices(shape: ShapeRef<'_>) -> Vec<[f32; 2]> {
    const ENOUGH: usize = 64;
    let mut vertices = Vec::new();
    let _ = shape.visit_parts_where(&mut |_| true, &mut |part| {
        vertices.extend(part.convex.points.iter().map(|point| point.to_array()));
        break_if(vertices.len() >= ENOUGH)
    });
    vertices
}

/// Returns the shortest translation of `a` out of `b`, and the push of the shape that moves.
/// `depth` is that of the deepest pair.
fn ordered_minimum_translation(
    a: ShapeRef<'_>,
    b: ShapeRef<'_>,
    moving: Operand,
    depth: f64,
) -> MinimumTranslation {
    let far = |bounds: Aabb| bounds.min().abs().max(bounds.max().abs()).as_dvec2();
    let (bounds_a, bounds_b) = (a.bounds(), b.bounds());
    let size = diagonal(bounds_a) + diagonal(bounds_b);
    let far = (far(bounds_a), far(bounds_b));
    let masks = match (a, b) {
        (ShapeRef::Mask(a), ShapeRef::Mask(b)) => Some((a, b)),
        _ => None,
    };
    let mut search = MtvSearch {
        a,
        b,
        moving,
        far,
        size,
        depth,
        tried: 0.0,
        shortest_candidate: None,
        translation: None,
        push: None,
        certain: None,
    };
    // Steps 2 to 4: obstacles beyond the radius cannot block a push that is shorter.
    let mut radius = (1.25 * depth).max(1e-12 * size);
    while radius < 4.0 * size && search.may_improve(radius) {
        match masks.and_then(|(a, b)| MaskTranslations::new(a, b)) {
            Some(masks) if masks.can_test_all(radius) => search.try_all(masks.within(radius)),
            Some(masks) => {
                search.try_distant(&masks);
                break;
            }
            None => {
                let tried = search.tried;
                search.try_candidates(tried, radius, 1e-9 * radius + 1e-13 * size, 0.0);
            }
        }
        search.tried = radius;
        radius = (2.0 * radius).max((1e4 * radius).min(size / 256.0));
    }
    // Step 5. Masks need none of it: their free offsets are whole pixels.
    if masks.is_none() {
        search.retry_inflated();
    }
    match (search.translation, search.push) {
        (Some(translation), Some(Push { push, of })) => {
            let is_longer = length(of) > length(translation) * (1.0 + LENGTH_TOLERANCE);
            let normal = try_normalize(if is_longer { translation } else { of });
            MinimumTranslation { translation, normal, push }
        }
        (translation, _) => {
            let (past_bounds, push) = push_past_bounds(a, b);
            let push = if moving == Operand::A { push } else { -push };
            let translation = translation.unwrap_or(past_bounds);
            MinimumTranslation { translation, normal: try_normalize(translation), push }
        }
    }
}

/// The side length of the squares of translations for which obstacles are collected, in cells of the
/// tile map or mask. In a larger square, more obstacles are compared with each other; several smaller
/// ones collect the same obstacles more often.
const CELLS_PER_SQUARE: f64 = 2.0;

/// The least side length of such a square as a part of the radius of the search, so that the number
/// of squares is bounded where cells are tiny compared with the other shape.
const MIN_SQUARE: f64 = 1.0 / 256.0;

/// Returns `true` if to collect the obstacles of a grid only where they are needed: it has many cells,
/// and the other shape is another grid or not much larger than a cell. Around a large shape, most
/// squares would collect the same cells again, and these can be merged into few boxes instead.
fn is_lazy(grid: ShapeRef<'_>, shape: ShapeRef<'_>, cell: f64) -> bool {
    const MANY: usize = 1024;
    const MAX_SIZE: f64 = 64.0;
    let has_many_cells = grid.cell_bits().is_some_and(|grid| {
        let (columns, rows) = grid.used_range();
        columns.len() * rows.len() > MANY
    });
    has_many_cells && (shape.cell_bits().is_some() || diagonal(shape.bounds()) <= MAX_SIZE * cell)
}

/// Returns the length of the diagonal of a box.
fn diagonal(bounds: Aabb) -> f64 {
    length(bounds.max().as_dvec2() - bounds.min().as_dvec2())
}

/// Translations whose lengths differ by less than this fraction count as equally short.
const LENGTH_TOLERANCE: f64 = 4e-5;

/// A push in `f32`, and the candidate from which it was rounded.
#[derive(Clone, Copy)]
struct Push {
    push: Vec2,
    of: DVec2,
}

/// The state of a search for the minimum translation.
///
/// The translation must clear the shapes if `a` is moved by it or `b` in the opposite direction:
/// the result must not depend on which of them is rounded. The push must clear the shape that
/// moves.
struct MtvSearch<'a> {
    a: ShapeRef<'a>,
    b: ShapeRef<'a>,
    moving: Operand,
    /// The largest coordinates of both shapes, in x and in y.
    far: (DVec2, DVec2),
    /// The sum of the diagonals of both bounding boxes.
    size: f64,
    /// The depth of the deepest pair: no translation is shorter.
    depth: f64,
    /// All candidates up to this length have been tried.
    tried: f64,
    /// The length of the shortest candidate that was tried, even if it did not clear the shapes.
    shortest_candidate: Option<f64>,
    translation: Option<DVec2>,
    push: Option<Push>,
    /// The cells in which tile maps and masks certainly overlap; computed when they are needed.
    certain: Option<CertainOverlap<'a>>,
}

impl MtvSearch<'_> {
    /// Returns `true` if a push of this length would be shorter than the best one.
    fn may_improve(&self, new_length: f64) -> bool {
        self.push.is_none_or(|best| length(best.push.as_dvec2()) > new_length)
    }

    /// Tries the candidates from a distance up to a radius, of obstacles that are inflated by a
    /// margin. Those of tile maps and masks, which may be very many, are collected where they are
    /// needed.
    fn try_candidates(&mut self, nearest: f64, radius: f64, tolerance: f64, margin: f64) {
        let (a, b) = (self.a, self.b);
        let collect = |center: DVec2, radius: f64, is_enough: &dyn Fn(&CObstacle) -> bool| {
            let obstacles = obstacles(a, center, b, radius + margin, is_enough)?;
            if margin == 0.0 {
                return Some(obstacles);
            }
            Some(obstacles.into_iter().map(|obstacle| obstacle.inflated(margin)).collect())
        };
        let cell = a.cell_size().into_iter().chain(b.cell_size()).reduce(f64::min);
        let Some(cell) = cell.filter(|&cell| is_lazy(a, b, cell) || is_lazy(b, a, cell)) else {
            let obstacles = collect(DVec2::ZERO, radius, &|_| false).unwrap_or_default();
            return self.try_all(candidates(obstacles, radius, tolerance));
        };
        // Tolerances grow with the radius, which is less than four times the size.
        let certain = self.certain.take();
        let certain = certain.unwrap_or_else(|| CertainOverlap::new(a, b, 5e-9 * self.size));
        self.try_all(lazy_candidates(
            LazyObstacles {
                collect: &collect,
                covers: &|low, high| certain.covers(low, high),
                square: (CELLS_PER_SQUARE * cell).max(MIN_SQUARE * radius),
                nearest,
            },
            radius,
            tolerance,
        ));
        self.certain = Some(certain);
    }

    /// Tries all candidates of two masks beyond those that have been tried.
    fn try_distant(&mut self, masks: &MaskTranslations<'_>) {
        let certain = CertainOverlap::new(self.a, self.b, 5e-9 * self.size);
        self.try_all(masks.beyond(self.tried, &|low, high| certain.covers(low, high)));
    }

    /// Tries candidates, which come from the nearest on.
    fn try_all(&mut self, candidates: impl IntoIterator<Item = Candidate>) {
        for candidate in candidates {
            let distance = length(candidate.translation);
            // The depth is only as accurate as `f32`.
            let is_too_short = distance < self.depth * (1.0 - 1e-6) - f64::from(f32::from_bits(1));
            if is_too_short || distance < self.tried {
                continue;
            }
            // In a narrow corner, the push may be much longer than the candidate, so a later
            // candidate may be better.
            if !self.may_improve(distance) {
                break;
            }
            self.shortest_candidate = self.shortest_candidate.or(Some(distance));
            let (moving, other) = (self.moving, self.moving.other());
            let push = self.pushes(&candidate, distance, moving).find(|&push| {
                self.may_improve(length(push.as_dvec2())) && self.is_clear(moving, push)
            });
            if self.translation.is_none() {
                let mut pushes = self.pushes(&candidate, distance, other);
                let clears = push.is_some() || pushes.any(|push| self.is_clear(other, push));
                self.translation = clears.then_some(candidate.translation);
            }
            self.push = push.map(|push| Push { push, of: candidate.translation }).or(self.push);
        }
    }

    /// Returns the `f32` pushes of a candidate for one of the shapes. All of them are finite.
    fn pushes<'c>(
        &self,
        candidate: &'c Candidate,
        distance: f64,
        moving: Operand,
    ) -> impl Iterator<Item = Vec2> + use<'c> {
        let (far, sign) = match moving {
            Operand::A => (self.far.0, 1.0),
            Operand::B => (self.far.1, -1.0),
        };
        let pushes = candidate.representable_pushes(margins(far, distance));
        // Out of a shape as large as the range of `f32`, a candidate may be beyond that range.
        pushes.map(move |push| push * sign).filter(|push| push.is_finite())
    }

    fn is_clear(&self, moving: Operand, push: Vec2) -> bool {
        match moving {
            Operand::A => is_clear(self.a, self.b, push),
            Operand::B => is_clear(self.b, self.a, push),
        }
    }

    /// Searches again with obstacles that are inflated by the rounding margin: if the nearest free
    /// point lies in a gap in which no `f32` fits, there may be room close to it.
    fn retry_inflated(&mut self) {
        let size = self.size;
        let Some(shortest) = self.shortest_candidate else { return };
        let margin = margins(self.far.0.max(self.far.1), shortest).max_element();
        let is_long = |length: f64| length > shortest * (1.0 + LENGTH_TOLERANCE) + 4.0 * margin;
        let inflated_search = |length: f64| {
            let radius = length.min(4.0 * size);
            let mut search = MtvSearch {
                tried: 0.0,
                shortest_candidate: None,
                translation: None,
                push: None,
                certain: None,
                ..*self
            };
            search.try_candidates(0.0, radius, 1e-9 * radius + 1e-13 * size, margin);
            (search.translation, search.push)
        };
        // The two are searched separately: the translation must not depend on which shape moves.
        let old_translation = self.translation.map_or(f64::INFINITY, length);
        let old_push = self.push.map_or(f64::INFINITY, |best| length(best.push.as_dvec2()));
        let translation =
            if is_long(old_translation) { inflated_search(old_translation).0 } else { None };
        let push = if is_long(old_push) { inflated_search(old_push).1 } else { None };
        if translation.is_some_and(|new| length(new) < old_translation) {
            self.translation = translation;
        }
        if push.is_some_and(|new| length(new.push.as_dvec2()) < old_push) {
            self.push = push;
        }
    }
}

/// Returns how far rounding may displace a shape in x and in y when it is moved by `distance`.
fn margins(far: DVec2, distance: f64) -> DVec2 {
    (far + distance).map(rounding_margin)
}

/// Returns a push past the bounding box, which always clears the shapes, for numbers so large or
/// small that no candidate survives rounding. The boxes are inflated by a unit in the last place,
/// because those that rounding has flattened would only touch.
fn push_past_bounds(a: ShapeRef<'_>, b: ShapeRef<'_>) -> (DVec2, Vec2) {
    let inflated = |shape: ShapeRef<'_>| {
        let bounds = shape.bounds();
        let (low, high) = (bounds.min().map(f32::next_down), bounds.max().map(f32::next_up));
        Aabb::new_unchecked(low.max(Vec2::MIN), high.min(Vec2::MAX))
    };
    let (a, b) = (inflated(a), inflated(b));
    convex(&a.as_convex(&mut ConvexBuffer::new()), &b.as_convex(&mut ConvexBuffer::new()))
        .map_or((DVec2::X, Vec2::X), |contact| (contact.push.as_dvec2(), contact.push))
}
