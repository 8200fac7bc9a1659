//! Ray casts: the points at which a ray enters a shape and leaves it.
//!
//! 1. Clip the ray's line to each convex part ([`line_clip`](crate::query::line_clip)), which gives
//!    one chord per part.
//! 2. Sort the chords by their entry and merge those that touch into *pieces*. The ray enters the
//!    union of the parts where a piece begins and leaves it where the piece ends, so an internal
//!    edge between two parts is neither an entry nor an exit.
//! 3. Report the pieces in order. In a tile map or mask, the cells are visited along the ray, and
//!    only as far as needed.
//!
//! Boxes, circles, capsules and small polygons have fast paths for the usual case: the ray starts
//! outside and enters across one edge or arc. Anything else is left to the steps above; a test
//! proves that both agree.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use glam::{DVec2, Vec2};
use smallvec::SmallVec;

use crate::error::ShapeError;
use crate::math::{IntoVec2, cross, length, perp_cw, sqrt, to_f32, to_vec2};
use crate::query::line_clip::{Chord, Grazing, Line, TOLERANCE};
use crate::shape::convex::{Convex, ConvexBuffer};
use crate::shape::grid::{CellGrid, Step};
use crate::shape::parts::Part;
use crate::shape::{Aabb, Capsule, Circle, ShapeRef, validate};

/// A ray: an origin, a direction and a maximum distance.
///
/// ```
/// use carom::prelude::*;
/// let wall = Aabb::new([4.0, -1.0], [5.0, 1.0]);
/// let hit = wall.raycast(&Ray::new([0.0, 0.0], [1.0, 0.0], 100.0)).unwrap();
/// assert_eq!((hit.distance, hit.normal, hit.exit), (4.0, Vec2::new(-1.0, 0.0), 5.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    pub(crate) line: Line,
    /// The position of the ray's end on the line.
    pub(crate) end: f64,
}

impl Ray {
    /// Creates a ray from an origin, a direction of any length and a maximum distance, which may be
    /// infinite.
    ///
    /// # Panics
    /// Panics if [`Ray::try_new`] returns an error.
    pub fn new(origin: impl IntoVec2, direction: impl IntoVec2, max_distance: f32) -> Self {
        Self::try_new(origin, direction, max_distance).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a ray from an origin, a direction of any length and a maximum distance, which may be
    /// infinite.
    ///
    /// # Errors
    /// Returns an error if a coordinate is not finite, the direction is zero, or the distance is NaN
    /// or negative.
    pub fn try_new(
        origin: impl IntoVec2,
        direction: impl IntoVec2,
        max_distance: f32,
    ) -> Result<Self, ShapeError> {
        let origin = validate::vector(origin.into_vec2(), "origin.x", "origin.y")?;
        let direction = validate::vector(direction.into_vec2(), "direction.x", "direction.y")?;
        if max_distance != f32::INFINITY {
            validate::not_negative(max_distance, "max")?;
        }
        let line = Self::line(origin, direction.as_dvec2())?;
        Ok(Self { line, end: f64::from(max_distance) / line.length })
    }

    /// Creates the ray from one point to another.
    ///
    /// # Panics
    /// Panics if [`Ray::try_from_to`] returns an error.
    pub fn from_to(from: impl IntoVec2, to: impl IntoVec2) -> Self {
        Self::try_from_to(from, to).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates the ray from one point to another.
    ///
    /// # Errors
    /// Returns an error if a coordinate is not finite or the points are equal.
    pub fn try_from_to(from: impl IntoVec2, to: impl IntoVec2) -> Result<Self, ShapeError> {
        let from = validate::vector(from.into_vec2(), "from.x", "from.y")?;
        let to = validate::vector(to.into_vec2(), "to.x", "to.y")?;
        Ok(Self { line: Self::line(from, to.as_dvec2() - from.as_dvec2())?, end: 1.0 })
    }

    fn line(origin: Vec2, direction: DVec2) -> Result<Line, ShapeError> {
        let line = Line::new(origin.as_dvec2(), direction);
        if line.length == 0.0 {
            return Err(ShapeError::NotPositive { field: "the direction's length", value: 0.0 });
        }
        Ok(line)
    }

    /// Returns the origin.
    pub fn origin(&self) -> Vec2 {
        to_vec2(self.line.origin)
    }

    /// Returns the direction as a unit vector.
    pub fn direction(&self) -> Vec2 {
        to_vec2(self.line.direction / self.line.length)
    }

    /// Returns the maximum distance.
    pub fn max_distance(&self) -> f32 {
        (self.end * self.line.length) as f32
    }

    /// Returns the point at a distance from the origin.
    pub fn point_at(&self, distance: f32) -> Vec2 {
        to_vec2(self.line.at(f64::from(distance) / self.line.length))
    }
}

/// The points at which a ray enters a shape and leaves it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct RayHit {
    /// The distance along the ray to the entry; 0 if the ray starts inside.
    pub distance: f32,
    /// The point of the entry.
    pub point: Vec2,
    /// The unit normal out of the surface. It points against the ray if there is no surface: the
    /// ray starts inside, or hits a point or the end of a segment head-on.
    pub normal: Vec2,
    /// The distance along the ray to the exit, even if that is beyond the end of the ray. The ray
    /// may enter the shape again later. Equal to `distance` if the ray crosses a segment.
    pub exit: f32,
}

/// Returns the first hit of a ray on a shape.
#[inline(always)]
pub(crate) fn raycast(shape: ShapeRef<'_>, ray: &Ray) -> Option<RayHit> {
    match shape {
        ShapeRef::Aabb(aabb) => return hit_aabb(aabb, ray),
        ShapeRef::Circle(circle) => return hit_circle(circle, ray),
        ShapeRef::Capsule(capsule) => return hit_capsule(capsule, ray),
        _ => {}
    }
    match shape.as_convex(&mut ConvexBuffer::new()) {
        Some(convex) if convex.radius == 0.0 && (3..=64).contains(&convex.points.len()) => {
            hit_polygon(&convex, ray)
        }
        Some(convex) => hit_convex(&convex, ray),
        None => hit_composite(shape, ray),
    }
}

/// Returns all hits in order.
pub(crate) fn raycast_all(shape: ShapeRef<'_>, ray: &Ray) -> Vec<RayHit> {
    let mut hits = Vec::new();
    let _ = visit_ray_hits::<()>(shape, ray, &mut |hit| {
        hits.push(hit);
        ControlFlow::Continue(())
    });
    hits
}

/// Calls `visit` with each hit in order until it returns `Break`.
pub(crate) fn visit_ray_hits<B>(
    shape: ShapeRef<'_>,
    ray: &Ray,
    visit: &mut dyn FnMut(RayHit) -> ControlFlow<B>,
) -> ControlFlow<B> {
    if shape.as_convex(&mut ConvexBuffer::new()).is_some() {
        // A ray enters a convex shape once. This is the same hit to the bit, by the same path.
        return raycast(shape, ray).map_or(ControlFlow::Continue(()), visit);
    }
    visit_pieces(shape, ray, &mut |piece| visit(piece.hit(ray)))
}

/// Returns the first hit on the outline: if the ray starts inside, where it leaves the shape.
pub(crate) fn outline_raycast(shape: ShapeRef<'_>, ray: &Ray) -> Option<RayHit> {
    let mut first = None;
    let _ = visit_pieces(shape, ray, &mut |piece| {
        let Chord { enter, exit, exit_normal, .. } = piece.chord;
        let is_inside = enter < 0.0 && exit > 0.0 && piece.start == Some(Grazing::No);
        // Segments have no interior, and so no exit.
        if !is_inside || exit_normal == DVec2::ZERO {
            first = Some(piece.hit(ray));
        } else if exit <= ray.end {
            first = Some(hit_at(ray, exit, exit, unit_normal(ray, -exit_normal)));
        }
        ControlFlow::Break(())
    });
    first
}

/// Returns the first hit on a convex shape, in general.
#[inline(never)]
fn hit_convex(convex: &Convex<'_>, ray: &Ray) -> Option<RayHit> {
    let piece = Piece::new(ray.line.clip_to(convex)?);
    piece.is_on_ray(ray).then(|| piece.hit(ray))
}

fn hit_composite(shape: ShapeRef<'_>, ray: &Ray) -> Option<RayHit> {
    let mut first = None;
    let _ = visit_pieces(shape, ray, &mut |piece| {
        first = Some(piece.hit(ray));
        ControlFlow::Break(())
    });
    first
}

/// Returns the hit with this entry, exit and unit normal.
#[inline(always)]
fn hit_at(ray: &Ray, enter: f64, exit: f64, normal: Vec2) -> RayHit {
    RayHit {
        distance: to_f32(enter * ray.line.length),
        point: to_vec2(ray.line.at(enter)),
        normal: normal + Vec2::ZERO,
        exit: to_f32(exit * ray.line.length),
    }
}

/// Returns the unit vector of a normal; against the ray if the normal is zero.
#[inline(always)]
fn unit_normal(ray: &Ray, normal: DVec2) -> Vec2 {
    let size = length(normal);
    to_vec2(if size > 0.0 { normal / size } else { -ray.line.direction / ray.line.length })
}

// Pieces: chords merged where parts touch.

/// An interval of the ray inside the union of the parts.
#[derive(Clone, Copy)]
pub(crate) struct Piece {
    chord: Chord,
    /// The kind of start in the parts that contain the ray's origin; `None` if no part does.
    start: Option<Grazing>,
}

impl Piece {
    #[inline(always)]
    fn new(chord: Chord) -> Self {
        let contains_start = chord.enter <= 0.0 && chord.exit >= 0.0;
        let continues = chord.enter < 0.0 && chord.exit > 0.0;
        let start = if continues { chord.grazing } else { Grazing::No };
        Self { chord, start: contains_start.then_some(start) }
    }

    /// Merges a chord that begins no earlier; returns `false` if it does not touch this piece.
    fn merge(&mut self, chord: Chord) -> bool {
        let tolerance = |t: f64| TOLERANCE * t.abs();
        let piece = &mut self.chord;
        if chord.enter > piece.exit + tolerance(piece.exit) {
            return false;
        }
        if chord.enter <= piece.enter + tolerance(piece.enter) {
            let ([onward, backward], [next_onward, next_backward]) =
                (piece.entry_normals, chord.entry_normals);
            piece.entry_normals =
                [exposed(onward, next_onward, 1.0), exposed(backward, next_backward, -1.0)];
        }
        if chord.exit > piece.exit {
            (piece.exit, piece.exit_normal) = (chord.exit, chord.exit_normal);
        }
        self.start = match (self.start, Self::new(chord).start) {
            (Some(a), Some(b)) => Some(if a == b { a } else { Grazing::No }),
            (a, b) => a.or(b),
        };
        true
    }

    #[inline(always)]
    fn is_on_ray(&self, ray: &Ray) -> bool {
        self.chord.exit >= 0.0 && self.chord.enter <= ray.end
    }

    #[inline(always)]
    fn hit(&self, ray: &Ray) -> RayHit {
        let chord = &self.chord;
        let normal = if chord.enter >= 0.0 {
            more_opposite(chord.entry_normals, ray.line.direction)
        } else if chord.exit == 0.0 {
            chord.exit_normal
        } else {
            match self.start {
                Some(Grazing::Left) => perp_cw(ray.line.direction),
                Some(Grazing::Right) => -perp_cw(ray.line.direction),
                _ => DVec2::ZERO,
            }
        };
        hit_at(ray, chord.enter.max(0.0), chord.exit, unit_normal(ray, normal))
    }
}

/// Returns the normal of the exposed edge if several parts are entered at one point, where some
/// edges are hidden behind others. Seen along the ray, the edge that is first when turning in the
/// direction of `turn` is exposed.
fn exposed(a: DVec2, b: DVec2, turn: f64) -> DVec2 {
    let is_b_hidden = a != DVec2::ZERO && cross(a, b) * turn >= 0.0;
    if is_b_hidden || b == DVec2::ZERO { a } else { b }
}

/// Returns the normal that is more opposite to the direction of the ray.
#[inline(always)]
fn more_opposite([a, b]: [DVec2; 2], direction: DVec2) -> DVec2 {
    if a == b || b == DVec2::ZERO {
        return a;
    }
    let slope = |normal: DVec2| normal.dot(direction) / length(normal);
    if a == DVec2::ZERO || slope(b) < slope(a) { b } else { a }
}

/// Calls `visit` with the pieces of the ray inside the shape, in order, until it returns `Break`.
fn visit_pieces<B>(
    shape: ShapeRef<'_>,
    ray: &Ray,
    visit: &mut dyn FnMut(&Piece) -> ControlFlow<B>,
) -> ControlFlow<B> {
    match shape {
        ShapeRef::TileMap(map) => return visit_pieces_of_grid(map, ray, visit),
        ShapeRef::Mask(mask) => return visit_pieces_of_grid(mask, ray, visit),
        _ => {}
    }
    let mut chords: SmallVec<[Chord; 8]> = SmallVec::new();
    let _ = shape.visit_parts_where::<()>(&mut |bounds| ray.line.may_hit(bounds), &mut |part| {
        chords.extend(part_chord(&part, ray));
        ControlFlow::Continue(())
    });
    chords.sort_by(|a, b| a.enter.total_cmp(&b.enter));
    let mut rest = chords.into_iter();
    let mut next = rest.next();
    while let Some(chord) = next {
        let mut piece = Piece::new(chord);
        next = rest.find(|&chord| !piece.merge(chord));
        if piece.is_on_ray(ray) {
            visit(&piece)?;
        }
    }
    ControlFlow::Continue(())
}

/// Returns the chord of a part. A one-sided segment has none if the ray comes from behind or runs
/// along it.
fn part_chord(part: &Part<'_>, ray: &Ray) -> Option<Chord> {
    if let (Some(_), [start, end]) = (part.one_way_direction, part.convex.points)
        && cross(end.as_dvec2() - start.as_dvec2(), ray.line.direction) >= 0.0
    {
        return None;
    }
    ray.line.clip_to(&part.convex)
}

// Tile maps and masks.

/// Works like [`visit_pieces`], for a grid: visits the cells along the ray, only as far as needed.
fn visit_pieces_of_grid<B>(
    grid: &impl CellGrid,
    ray: &Ray,
    visit: &mut dyn FnMut(&Piece) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut merger = PieceMerger { ray, pending: SmallVec::new(), open: None, visit };
    let (columns, rows) = grid.used();
    let (origin, direction) = (ray.line.origin, ray.line.direction);
    let walk = grid.placement().transform.visit_cells_along(
        origin,
        direction,
        columns,
        rows,
        &mut |step| match step {
            Step::Lane(t) => merger.advance_to(t),
            Step::Cell(cell) => grid.visit_cell(cell, &mut |part| {
                merger.pending.extend(part_chord(&part, ray));
                ControlFlow::Continue(())
            }),
        },
    );
    let result = match walk {
        ControlFlow::Continue(()) => merger.advance_to(f64::INFINITY),
        stopped => stopped,
    };
    match result {
        ControlFlow::Break(Stop::ByVisitor(value)) => ControlFlow::Break(value),
        _ => ControlFlow::Continue(()),
    }
}

/// The reason to end the traversal of a grid early.
enum Stop<B> {
    /// The rest of the grid is beyond the end of the ray.
    BeyondEnd,
    /// The visitor returned `Break`.
    ByVisitor(B),
}

/// Merges chords that arrive nearly in order into pieces.
struct PieceMerger<'a, B> {
    ray: &'a Ray,
    pending: SmallVec<[Chord; 8]>,
    open: Option<Piece>,
    visit: &'a mut dyn FnMut(&Piece) -> ControlFlow<B>,
}

impl<B> PieceMerger<'_, B> {
    /// Merges all pending chords that begin before `t`. No later chord begins before `t`.
    fn advance_to(&mut self, t: f64) -> ControlFlow<Stop<B>> {
        self.pending.sort_by(|a, b| a.enter.total_cmp(&b.enter));
        let ready = self.pending.iter().take_while(|chord| chord.enter < t).count();
        let ready: SmallVec<[Chord; 8]> = self.pending.drain(..ready).collect();
        for chord in ready {
            if !self.open.as_mut().is_some_and(|piece| piece.merge(chord)) {
                self.close()?;
                self.open = Some(Piece::new(chord));
            }
        }
        let next = self.pending.first().map_or(t, |chord| chord.enter.min(t));
        let exit = self.open.map_or(f64::NEG_INFINITY, |piece| piece.chord.exit);
        if exit + 2.0 * TOLERANCE * exit.abs() < next {
            self.close()?;
            if next > self.ray.end {
                return ControlFlow::Break(Stop::BeyondEnd);
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits the open piece, which is complete.
    fn close(&mut self) -> ControlFlow<Stop<B>> {
        match self.open.take() {
            Some(piece) if piece.is_on_ray(self.ray) => {
                (self.visit)(&piece).map_break(Stop::ByVisitor)
            }
            _ => ControlFlow::Continue(()),
        }
    }
}

// Fast paths.

/// Returns the hit of a round shape that a fast path would enter at `enter`, behind the end of the ray. If
/// that may be a rounding error, the general path decides.
#[inline(always)]
fn hit_behind_end(convex: &Convex<'_>, ray: &Ray, enter: f64) -> Option<RayHit> {
    if enter - ray.end > TOLERANCE * ray.end { None } else { hit_convex(convex, ray) }
}

/// Hits a circle from outside. The entry and the exit are the midpoint of the chord minus and plus
/// half its length.
#[inline(always)]
fn hit_circle(circle: &Circle, ray: &Ray) -> Option<RayHit> {
    let (line, radius) = (&ray.line, f64::from(circle.radius()));
    let to_center = circle.center().as_dvec2() - line.origin;
    let (middle, side) = (line.direction.dot(to_center), cross(line.direction, to_center));
    let discriminant = radius * radius * line.direction.dot(line.direction) - side * side;
    if discriminant < 0.0 {
        return None;
    }
    let product = to_center.dot(to_center) - radius * radius;
    if product <= 0.0 || radius == 0.0 {
        return hit_convex(&circle.as_convex(), ray);
    }
    let root = sqrt(discriminant);
    let far = middle + root;
    // The entry follows from the product of both solutions: a difference would lose bits. One
    // division serves the entry and the normal.
    let inverse = 1.0 / (far * radius);
    let enter = product * radius * inverse;
    if middle <= 0.0 {
        return None;
    }
    if enter > ray.end {
        return hit_behind_end(&circle.as_convex(), ray, enter);
    }
    let normal = (perp_cw(line.direction) * side - line.direction * root)
        * (far * inverse * line.inv_length_squared);
    let exit = far * line.inv_length_squared;
    Some(hit_at(ray, enter, if exit > enter { exit } else { enter }, normal.as_vec2()))
}

/// Hits a capsule from outside. In the frame of the segment, the line crosses the band between the
/// two straight sides; where it does so beyond an end of the segment, the circle at that end
/// counts instead.
#[inline(always)]
fn hit_capsule(capsule: &Capsule, ray: &Ray) -> Option<RayHit> {
    let (line, convex) = (&ray.line, capsule.as_convex());
    let &[start, end] = convex.points else { return hit_convex(&convex, ray) };
    let (out, radius) = (convex.half_planes[0].normals[0], f64::from(convex.radius));
    let forward = DVec2::new(-out.y, out.x);
    let [start, end] = [start, end].map(|end| end.as_dvec2() - line.origin);
    let (length, rate) = (forward.dot(end - start), out.dot(line.direction));
    let (beside, ahead) = (-out.dot(start), -forward.dot(start));
    // Only lines along the band miss it; they are left to the general path.
    if rate.abs() <= 1e-9 * line.length {
        return hit_convex(&convex, ray);
    }
    let sign = if rate > 0.0 { 1.0 } else { -1.0 };
    let (inverse, speed) = (1.0 / rate, forward.dot(line.direction));
    let (enter, exit) = ((-sign * radius - beside) * inverse, (sign * radius - beside) * inverse);
    let (entry_at, exit_at) = (ahead + speed * enter, ahead + speed * exit);
    let is_beside = |at: f64| at >= 0.0 && at <= length;
    let end_circle = |at: f64| {
        let to_center = if at < 0.0 { start } else { end };
        let (middle, side) = (line.direction.dot(to_center), cross(line.direction, to_center));
        let discriminant = radius * radius * line.direction.dot(line.direction) - side * side;
        (middle, side, discriminant)
    };
    let (enter, normal) = if is_beside(entry_at) {
        (enter, out * -sign)
    } else {
        let (middle, side, discriminant) = end_circle(entry_at);
        if discriminant < 0.0 {
            return None;
        }
        let root = sqrt(discriminant);
        let normal = perp_cw(line.direction) * side - line.direction * root;
        ((middle - root) * line.inv_length_squared, normal * (line.inv_length_squared / radius))
    };
    if enter > ray.end {
        return hit_behind_end(&convex, ray, enter);
    }
    if enter <= 1e-9 * radius / line.length {
        return hit_convex(&convex, ray); // starts inside, or points away
    }
    let exit = if is_beside(exit_at) {
        exit
    } else {
        let (middle, _, discriminant) = end_circle(exit_at);
        let root = sqrt(if discriminant > 0.0 { discriminant } else { 0.0 });
        (middle + root) * line.inv_length_squared
    };
    Some(hit_at(ray, enter, if exit > enter { exit } else { enter }, normal.as_vec2()))
}

/// Hits a polygon from outside, across a single edge.
#[inline(always)]
fn hit_polygon(convex: &Convex<'_>, ray: &Ray) -> Option<RayHit> {
    match <&[Vec2; 4]>::try_from(convex.points) {
        // Most are boxes: with a known number of vertices the loop is unrolled.
        Ok(points) => hit_ring(convex, points, ray),
        Err(_) => hit_ring(convex, convex.points, ray),
    }
}

#[inline(always)]
fn hit_ring(convex: &Convex<'_>, points: &[Vec2], ray: &Ray) -> Option<RayHit> {
    let line = &ray.line;
    // One bit per vertex on the right. Branchless: data-dependent, mispredicts.
    let (mut right, mut least) = (0u64, f64::INFINITY);
    for point in points {
        let side = cross(line.direction, point.as_dvec2() - line.origin);
        right = right << 1 | u64::from(side < 0.0);
        least = if side.abs() < least { side.abs() } else { least };
    }
    if least == 0.0 {
        return hit_convex(convex, ray); // through a vertex
    }
    let last = points.len() - 1;
    let next = right << 1 | right >> last;
    let (falls, rises) = (!right & next, right & !next & (u64::MAX >> (63 - last)));
    if rises == 0 {
        return None;
    }
    let edge = |bit: u64| last - (bit.trailing_zeros() as usize).min(last);
    let entry = edge(falls);
    let enter = line.cross_edge(points, entry);
    let exit = line.cross_edge(points, edge(rises));
    if enter > ray.end || exit < 0.0 {
        return None;
    }
    if enter <= 0.0 {
        return hit_convex(convex, ray);
    }
    let (half_planes, lane) = (&convex.half_planes[entry / 4], entry % 4);
    let normal = Vec2::new(half_planes.normal_x[lane], half_planes.normal_y[lane]);
    Some(hit_at(ray, enter, if exit > enter { exit } else { enter }, normal))
}

/// Hits a box by the slab test.
#[inline(always)]
fn hit_aabb(aabb: &Aabb, ray: &Ray) -> Option<RayHit> {
    let Line { origin, direction, .. } = ray.line;
    let (enter_x, exit_x) = clip_to_slab(aabb.min().x, aabb.max().x, origin.x, direction.x);
    let (enter_y, exit_y) = clip_to_slab(aabb.min().y, aabb.max().y, origin.y, direction.y);
    let (enter, exit) = (enter_x.max(enter_y), exit_x.min(exit_y));
    if enter > exit || exit < 0.0 || enter > ray.end {
        return None;
    }
    if enter < 0.0 && exit > 0.0 && direction.x * direction.y != 0.0 {
        // Starts inside, and does not run along a side: the normal is against the ray.
        return Some(hit_at(ray, 0.0, exit, to_vec2(-direction / ray.line.length)));
    }
    if enter <= 0.0 {
        return hit_convex(&aabb.as_convex(&mut ConvexBuffer::new()), ray);
    }
    let is_horizontal =
        enter_x > enter_y || (enter_x == enter_y && direction.x.abs() >= direction.y.abs());
    let against = |component: f64| if component > 0.0 { -1.0 } else { 1.0 };
    let normal = if is_horizontal {
        Vec2::new(against(direction.x), 0.0)
    } else {
        Vec2::new(0.0, against(direction.y))
    };
    Some(hit_at(ray, enter, exit, normal))
}

/// Returns the interval of the line between two opposite sides of a box.
#[inline(always)]
fn clip_to_slab(low: f32, high: f32, origin: f64, direction: f64) -> (f64, f64) {
    let (to_low, to_high) = (f64::from(low) - origin, f64::from(high) - origin);
    if direction > 0.0 {
        (to_low / direction, to_high / direction)
    } else if direction < 0.0 {
        (to_high / direction, to_low / direction)
    } else if to_low <= 0.0 && to_high >= 0.0 {
        (f64::NEG_INFINITY, f64::INFINITY)
    } else {
        (f64::INFINITY, f64::NEG_INFINITY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::prelude::*;

    #[test]
    fn errors_name_the_invalid_argument() {
        let error = |direction: [f32; 2], max: f32| {
            alloc::format!("{}", Ray::try_new([0.0, 0.0], direction, max).unwrap_err())
        };
        assert!(error([0.0, 0.0], 1.0).contains("direction"));
        assert!(error([f32::NAN, 0.0], 1.0).contains("direction.x"));
        assert!(error([1.0, 0.0], -1.0).contains("max"));
        assert!(error([1.0, 0.0], f32::NAN).contains("max"));
        assert!(Ray::try_from_to([1.0, 1.0], [1.0, 1.0]).is_err());
    }

    fn down(x: f32) -> Ray {
        Ray::new([x, 10.0], [0.0, -1.0], 100.0)
    }

    #[track_caller]
    fn assert_hit(hit: Option<RayHit>, distance: f32, normal: [f32; 2], exit: f32) {
        let hit = hit.expect("a hit");
        assert!((hit.distance - distance).abs() <= 1e-6 * distance, "{hit:?}");
        assert!((hit.exit - exit).abs() <= 1e-6 * exit, "{hit:?}");
        assert!(hit.normal.distance(normal.into()) < 1e-6, "{hit:?}");
    }

    #[test]
    fn rays_enter_and_leave_each_kind_of_shape() {
        let up = [0.0, 1.0];
        let square = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        assert_hit(Circle::new([0.0, 0.0], 2.0).raycast(&down(0.0)), 8.0, up, 12.0);
        assert_hit(Aabb::new([-1.0, -1.0], [1.0, 1.0]).raycast(&down(0.5)), 9.0, up, 11.0);
        assert_hit(ConvexPolygon::new(&square).raycast(&down(0.5)), 9.0, up, 11.0);
        assert_hit(ConvexPolygon::rounded(&square, 0.5).raycast(&down(0.5)), 8.5, up, 11.5);
        assert_hit(Polygon::new(&square).raycast(&down(0.5)), 9.0, up, 11.0);
        assert_hit(Capsule::new([-1.0, 0.0], [1.0, 0.0], 0.5).raycast(&down(0.0)), 9.5, up, 10.5);
        assert_hit(Capsule::new([0.0, -1.0], [0.0, 1.0], 0.5).raycast(&down(0.0)), 8.5, up, 11.5);
        assert_hit(Segment::new([-1.0, 0.0], [1.0, 0.0]).raycast(&down(0.0)), 10.0, up, 10.0);
        assert_hit(Segment::new([0.0, -1.0], [0.0, 1.0]).raycast(&down(0.0)), 9.0, up, 11.0);
        assert_hit(Point::new([0.0, 0.0]).raycast(&down(0.0)), 10.0, up, 10.0);
    }

    #[test]
    fn touching_counts_at_vertices_sides_and_ends() {
        let unit = Aabb::new([0.0, 0.0], [1.0, 1.0]);
        let polygon = ConvexPolygon::new(&unit.corners());
        let disc = Circle::new([0.0, 0.0], 1.0);
        for shape in [&Shape::from(unit), &polygon.into()] {
            assert!(shape.raycast(&Ray::from_to([0.0, 2.0], [2.0, 0.0])).is_some());
            assert!(shape.raycast(&Ray::from_to([0.0, 4.0], [1.5, -0.5])).is_some());
            assert_hit(shape.raycast(&down(1.0)), 9.0, [0.0, 1.0], 10.0);
            assert!(shape.raycast(&Ray::new([3.0, 0.5], [-7.0, 0.0], 2.0)).is_some());
            assert!(shape.raycast(&Ray::new([3.0, 0.5], [-7.0, 0.0], 1.9999999)).is_none());
        }
        assert_hit(disc.raycast(&down(1.0)), 10.0, [1.0, 0.0], 10.0);
        assert!(disc.raycast(&down(1.0f32.next_up())).is_none());
        let capsule = Capsule::new([0.0, 0.0], [0.0, 1.0], 1.0);
        assert_hit(capsule.raycast(&down(1.0)), 9.0, [1.0, 0.0], 10.0);
    }

    #[test]
    fn the_normal_is_against_the_ray_inside_and_that_of_the_surface_on_the_boundary() {
        let unit = Aabb::new([0.0, 0.0], [1.0, 1.0]);
        for shape in [Shape::from(unit), ConvexPolygon::new(&unit.corners()).into()] {
            let cast = |origin: [f32; 2], direction: [f32; 2]| {
                shape.raycast(&Ray::new(origin, direction, f32::INFINITY))
            };
            assert_hit(cast([0.5, 0.5], [1.0, 0.0]), 0.0, [-1.0, 0.0], 0.5);
            assert_hit(cast([0.0, 0.5], [1.0, 0.0]), 0.0, [-1.0, 0.0], 1.0);
            assert_hit(cast([0.0, 0.5], [-1.0, 0.0]), 0.0, [-1.0, 0.0], 0.0);
            assert_hit(cast([0.0, 0.5], [0.0, 1.0]), 0.0, [-1.0, 0.0], 0.5);
            assert!(cast([-0.1, 0.5], [-1.0, 0.0]).is_none());
        }
        let disc = Circle::new([0.0, 0.0], 5.0);
        assert_hit(disc.raycast(&Ray::new([3.0, 4.0], [1.0, 0.0], 9.0)), 0.0, [0.6, 0.8], 0.0);
        assert_hit(disc.raycast(&Ray::new([3.0, 4.0], [-1.0, 0.0], 9.0)), 0.0, [0.6, 0.8], 6.0);
    }

    #[test]
    fn internal_edges_are_neither_entries_nor_exits() {
        let row = (0..5u8).map(|i| Aabb::from_min_size([f32::from(i), 0.0], [1.0, 1.0]));
        let row = Compound::new(row);
        let along = Ray::new([-2.0, 0.5], [1.0, 0.0], 4.0);
        assert_hit(row.raycast(&along), 2.0, [-1.0, 0.0], 7.0);
        assert_eq!(row.raycast_all(&along).len(), 1);
        let (up, slanted) = ([0.0, 1.0], Ray::from_to([0.0, 3.0], [4.0, -1.0]));
        assert_hit(row.raycast(&down(2.0)), 9.0, up, 10.0);
        assert_hit(row.raycast(&slanted), 8f32.sqrt(), up, 18f32.sqrt());
        // Along an internal edge, from inside it.
        assert_hit(row.raycast(&Ray::new([2.0, 0.5], [0.0, -1.0], 9.0)), 0.0, up, 0.5);
        assert_hit(row.raycast(&Ray::new([0.0, 0.5], [0.0, -1.0], 9.0)), 0.0, [-1.0, 0.0], 0.5);
        let stairs =
            Polygon::new(&[[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [1.0, 2.0], [1.0, 1.0], [0.0, 1.0]]);
        assert_hit(stairs.raycast(&Ray::new([-1.0, 0.5], [1.0, 0.0], 9.0)), 1.0, [-1.0, 0.0], 3.0);
        assert_hit(stairs.raycast(&down(1.0)), 8.0, up, 10.0);
        assert_hit(stairs.raycast(&Ray::new([-1.0, 1.0], [1.0, 0.0], 9.0)), 1.0, [-1.0, 0.0], 3.0);
    }

    #[test]
    fn all_pieces_come_in_order() {
        let ring = Polygon::with_holes(
            &[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]],
            &[alloc::vec![[1.0, 1.0], [3.0, 1.0], [3.0, 3.0], [1.0, 3.0]]],
        );
        let hits = ring.raycast_all(&Ray::new([5.0, 2.0], [-1.0, 0.0], 9.0));
        let intervals: Vec<_> = hits.iter().map(|hit| (hit.distance, hit.exit)).collect();
        assert_eq!(intervals, [(1.0, 2.0), (4.0, 5.0)]);
        assert!(hits.iter().all(|hit| hit.normal == Vec2::X));
        let zigzag = Chain::new(&[[0.0, 0.0], [1.0, 1.0], [2.0, 0.0], [3.0, 1.0]]);
        assert_eq!(zigzag.raycast_all(&Ray::new([-1.0, 0.5], [1.0, 0.0], 9.0)).len(), 3);
        assert_eq!(zigzag.raycast_all(&down(1.0)).len(), 1); // the joint, once
    }

    #[test]
    fn one_sided_chains_are_hit_from_their_left_only() {
        let floor = Chain::new(&[[0.0, 0.0], [4.0, 0.0]]).one_sided();
        assert_hit(floor.raycast(&down(1.0)), 10.0, [0.0, 1.0], 10.0);
        assert_eq!(floor.raycast(&Ray::new([1.0, -1.0], [0.0, 1.0], 9.0)), None);
        assert_eq!(floor.raycast(&Ray::new([-1.0, 0.0], [1.0, 0.0], 9.0)), None);
    }

    #[test]
    fn rays_hit_huge_and_tiny_shapes_accurately() {
        for scale in [1e-44, 1e-30, 1e30, 1e37] {
            let disc = Circle::new([0.0, 0.0], scale);
            let ray = Ray::new([-3.0 * scale, 0.0], [scale, 0.0], f32::INFINITY);
            assert_hit(disc.raycast(&ray), 2.0 * scale, [-1.0, 0.0], 4.0 * scale);
            let unit = Aabb::from_center_half_size([0.0, 0.0], [scale, scale]);
            assert_hit(unit.raycast(&ray), 2.0 * scale, [-1.0, 0.0], 4.0 * scale);
            assert_hit(unit.to_obb().raycast(&ray), 2.0 * scale, [-1.0, 0.0], 4.0 * scale);
        }
        let far = Ray::new([-1e30, 0.5], [1e-40, 0.0], f32::INFINITY);
        assert_hit(Aabb::new([0.0, 0.0], [1.0, 1.0]).raycast(&far), 1e30, [-1.0, 0.0], 1e30);
    }

    #[test]
    fn a_ray_hits_what_its_segment_intersects() {
        let mut seed = 3u32;
        let mut next = |n: u32| {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            (seed >> 16) % n
        };
        let square = [[2.0, 2.0], [6.0, 2.0], [6.0, 6.0], [2.0, 6.0]];
        let dart = [[1.0, 1.0], [7.0, 4.0], [1.0, 7.0], [3.0, 4.0]];
        let shapes: [Shape; 9] = [
            Point::new([4.0, 4.0]).into(),
            Segment::new([2.0, 3.0], [6.0, 5.0]).into(),
            Circle::new([4.0, 4.0], 2.0).into(),
            Capsule::new([3.0, 4.0], [5.0, 4.0], 1.0).into(),
            Aabb::new([2.0, 2.0], [6.0, 6.0]).into(),
            ConvexPolygon::new(&square).into(),
            ConvexPolygon::rounded(&square, 1.0).into(),
            Polygon::new(&dart).into(),
            Chain::closed(&dart).into(),
        ];
        for _ in 0..4000 {
            let mut corner = || [next(9) as f32, next(9) as f32];
            let (from, to) = (corner(), corner());
            let Ok(ray) = Ray::try_from_to(from, to) else { continue };
            for shape in &shapes {
                let hit = shape.raycast(&ray);
                assert_eq!(
                    hit.is_some(),
                    shape.intersects(&Segment::new(from, to)),
                    "{shape:?} {ray:?}"
                );
                if let Some(hit) = hit {
                    assert!(shape.distance(&Point::new(hit.point)) < 1e-5, "{shape:?} {ray:?}");
                    assert!(hit.exit >= hit.distance && (hit.normal.length() - 1.0).abs() < 1e-6);
                    let listed = shape.raycast_all(&ray)[0];
                    assert!((listed.distance - hit.distance).abs() < 1e-6);
                }
            }
        }
    }

    #[test]
    fn the_fast_paths_agree_with_the_general_path() {
        let mut seed = 3u32;
        let mut number = || {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            // Often on a grid, so that rays touch, run along sides and through corners.
            let coarse = seed & 0x100 != 0;
            let x = (seed >> 20) as f32;
            if coarse { (x % 9.0) / 2.0 - 2.0 } else { x / 1024.0 - 2.0 }
        };
        let mut hits = 0;
        for _ in 0..40_000 {
            let [a, b, c, d, e, f] = ::core::array::from_fn(|_| number());
            let (x, y) = (number().abs() / 2.0 + 0.25, number().abs() / 2.0 + 0.25);
            if [c, d] == [0.0, 0.0] {
                continue;
            }
            let ray = Ray::new([1.5 * a, 1.5 * b], [c, d], 4.0 + 4.0 * x);
            let shapes: [Shape; 4] = [
                Circle::new([e, f], x).into(),
                Capsule::new([e, f], [e + x, f + b], y / 2.0).into(),
                Aabb::from_center_half_size([e, f], [x, y]).into(),
                Obb::new([e, f], [x, y], a).into(),
            ];
            for shape in &shapes {
                let mut scratch = ConvexBuffer::new();
                let fast = shape.raycast(&ray);
                let general = hit_convex(&shape.as_shape().convex_or_empty(&mut scratch), &ray);
                let report =
                    || alloc::format!("{ray:?} {shape:?}: {fast:?}, general path {general:?}");
                let (Some(fast), Some(general)) = (fast, general) else {
                    // Only a rounding error may make one of them miss.
                    let shortest = fast.or(general).map_or(0.0, |hit| hit.exit - hit.distance);
                    let ends = |hit: RayHit| (hit.distance - ray.max_distance()).abs() < 1e-6;
                    assert!(shortest < 1e-3 || fast.or(general).is_some_and(ends), "{}", report());
                    continue;
                };
                hits += 1;
                assert!((fast.distance - general.distance).abs() < 1e-5, "{}", report());
                assert!((fast.exit - general.exit).abs() < 1e-5, "{}", report());
                assert!(fast.point.distance(general.point) < 1e-5, "{}", report());
                let is_corner = matches!(shape, Shape::Aabb(_) | Shape::Obb(_));
                assert!(is_corner || fast.normal.distance(general.normal) < 1e-4, "{}", report());
            }
        }
        assert!(hits > 20_000);
    }
}
