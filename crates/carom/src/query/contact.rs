//! Contacts: how deep two shapes overlap, where they touch, and the push that separates them.
//!
//! For two convex shapes ([`convex`]):
//!
//! 1. Find the edge of maximum separation ([`sat`](crate::query::sat)). If the cores overlap, its
//!    normal is the contact normal; if only the radii reach across, the closest points decide
//!    ([`separation`]).
//! 2. The penetration depth is minus the signed distance. The push (minimum translation vector) is
//!    the normal times the depth, rounded away from the other shape ([`push`]).
//! 3. The contact points are found by clipping the incident edge, the edge of the other shape that
//!    faces the normal most, to the reference edge ([`clip_incident_edge`]).
//!
//! A polygon and a circle have a shorter path ([`polygon_circle`]).

use core::ops::Deref;

use glam::{DVec2, Vec2};
use wide::f32x4;

use crate::math::exact::Filtered;
use crate::math::{add_round_up, round_up, sqrt, to_f32};
use crate::query::relation::Relation;
use crate::query::sat::{
    CandidateEdges, EdgeSeparation, Operand, block_gaps, candidate_edges, edge_separation,
    error_bound, max_lane, max_separation_edge,
};
use crate::query::separation::{Separation, separation, separation_along};
use crate::shape::convex::Convex;

/// The contact of two shapes that touch or overlap.
///
/// In other libraries this is a contact manifold, and `push` is the minimum translation vector
/// (MTV).
#[doc(alias = "manifold")]
#[doc(alias = "MTV")]
#[doc(alias = "minimum translation vector")]
#[doc(alias = "penetration")]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Contact {
    /// The unit vector out of the second shape towards the first.
    pub normal: Vec2,
    /// The penetration depth along the normal; 0 if the shapes only touch.
    #[doc(alias = "penetration depth")]
    pub depth: f32,
    /// The vector to add to the first shape's position so that the shapes no longer overlap: the
    /// shortest one, rounded away from the second shape.
    pub push: Vec2,
    /// One or two points of contact, halfway between the two surfaces.
    pub points: ContactPoints,
}

impl Contact {
    /// Returns the contact with the roles of the two shapes exchanged.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { normal: -self.normal, push: -self.push, ..self }
    }

    /// Creates the contact of two shapes that overlap. The depth is positive even if it is less
    /// than the smallest `f32`.
    #[inline(always)]
    pub(super) fn overlapping(
        normal: DVec2,
        depth: f64,
        push: Vec2,
        points: ContactPoints,
    ) -> Self {
        let depth = to_f32(depth).max(f32::from_bits(1));
        Self { normal: to_vec2_unclamped(normal), depth, push, points }
    }
}

/// One or two points; dereferences to a slice.
#[derive(Clone, Copy)]
pub struct ContactPoints {
    points: [Vec2; 2],
    len: u8,
}

impl ContactPoints {
    #[inline]
    pub(crate) fn one(point: DVec2) -> Self {
        Self { points: [to_point(point); 2], len: 1 }
    }

    #[inline]
    pub(super) fn two(first: DVec2, second: DVec2) -> Self {
        let points = [to_point(first), to_point(second)];
        // Branchless: data-dependent, mispredicts.
        Self { points, len: 2 - u8::from(points[0] == points[1]) }
    }
}

impl Deref for ContactPoints {
    type Target = [Vec2];

    fn deref(&self) -> &[Vec2] {
        &self.points[..usize::from(self.len)]
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for ContactPoints {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde::Serialize::serialize(&**self, serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for ContactPoints {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let points: alloc::vec::Vec<Vec2> = serde::Deserialize::deserialize(deserializer)?;
        match points[..] {
            [one] => Ok(Self { points: [one; 2], len: 1 }),
            [one, two] => Ok(Self { points: [one, two], len: 2 }),
            _ => Err(serde::de::Error::invalid_length(points.len(), &"one or two points")),
        }
    }
}

impl core::fmt::Debug for ContactPoints {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl PartialEq for ContactPoints {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

/// Rounds to `f32` without clamping to its range. Minus zero becomes zero.
#[inline(always)]
fn to_vec2_unclamped(v: DVec2) -> Vec2 {
    v.as_vec2() + Vec2::ZERO
}

/// Rounds a point to `f32`. Points between the surfaces of huge shapes are clamped to its range: an infinite
/// coordinate could not be written to JSON.
#[inline(always)]
fn to_point(v: DVec2) -> Vec2 {
    to_vec2_unclamped(v).clamp(Vec2::MIN, Vec2::MAX)
}

/// Returns the contact of two convex shapes; `None` if they are disjoint.
#[inline(always)]
pub(crate) fn convex(a: &Convex<'_>, b: &Convex<'_>) -> Option<Contact> {
    match (a.points.len(), b.points.len()) {
        (3.., 1) => polygon_circle_or_pair(a, b, false),
        (1, 3..) => polygon_circle_or_pair(b, a, true),
        _ => convex_pair(a, b),
    }
}

/// Returns the contact of two convex shapes of any kind.
#[inline(never)]
pub(super) fn convex_pair(a: &Convex<'_>, b: &Convex<'_>) -> Option<Contact> {
    if a.points.len() < 3 && b.points.len() < 3 {
        return from_separation(a, b, separation(a, b, 0.0)?);
    }
    let radii = f64::from(a.radius) + f64::from(b.radius);
    // The usual case: one candidate, and the cores certainly overlap. Kept apart from the rest so
    // that its values stay in registers.
    if let CandidateEdges::Single(edge) = candidate_edges(a, b, radii)? {
        let edge = edge_separation(a, b, edge);
        if cores_certainly_overlap(a, b, &edge) {
            return Some(across_edge(a, b, &edge, radii));
        }
    }
    from_max_separation(a, b, radii)
}

/// Returns `true` if the gap is below zero by far more than its few roundings.
#[inline(always)]
fn cores_certainly_overlap(a: &Convex<'_>, b: &Convex<'_>, edge: &EdgeSeparation) -> bool {
    edge.gap < -1e-12 * (a.extent + b.extent)
}

/// Returns the contact along the edge of maximum separation, of any number of candidates.
#[inline(never)]
fn from_max_separation(a: &Convex<'_>, b: &Convex<'_>, radii: f64) -> Option<Contact> {
    let edge = max_separation_edge(a, b, radii)?;
    if cores_certainly_overlap(a, b, &edge) {
        return Some(across_edge(a, b, &edge, radii));
    }
    from_separation(a, b, separation_along(a, b, edge, radii))
}

#[inline(never)]
fn from_separation(a: &Convex<'_>, b: &Convex<'_>, separation: Separation) -> Option<Contact> {
    separation.relation.intersects().then(|| of_separation(a, b, &separation))
}

/// Returns the contact of two shapes whose cores overlap, across the edge of maximum separation.
#[inline(always)]
fn across_edge(a: &Convex<'_>, b: &Convex<'_>, edge: &EdgeSeparation, radii: f64) -> Contact {
    let (normal, depth) = (edge.normal_towards_a(), radii - edge.gap);
    let points = points_across(a, b, edge, radii, to_midsurface(a, b, normal));
    Contact::overlapping(normal, depth, push(a, b, normal, depth), points)
}

/// Returns the vector from halfway between two opposite points of the cores to halfway between the
/// two surfaces.
#[inline(always)]
fn to_midsurface(a: &Convex<'_>, b: &Convex<'_>, normal: DVec2) -> DVec2 {
    normal * ((f64::from(b.radius) - f64::from(a.radius)) / 2.0)
}

/// Returns the contact of two shapes that touch or overlap.
#[inline(always)]
pub(crate) fn of_separation(a: &Convex<'_>, b: &Convex<'_>, separation: &Separation) -> Contact {
    let points = contact_points(a, b, separation);
    let (normal, depth) = (separation.normal, -separation.distance);
    if separation.relation == Relation::Touching {
        let normal = to_vec2_unclamped(normal);
        return Contact { normal, depth: 0.0, push: Vec2::ZERO, points };
    }
    Contact::overlapping(normal, depth, push(a, b, normal, depth), points)
}

// The push.

/// Returns the push along a unit normal that moves `a` out of `b`, given the penetration depth. It
/// is rounded so that `a`, moved and rounded itself, no longer overlaps.
#[inline(always)]
pub(super) fn push(a: &Convex<'_>, b: &Convex<'_>, normal: DVec2, depth: f64) -> Vec2 {
    rounded_push(a, b, normal, depth, || axis_push(a, b, normal))
}

/// Works like [`push`], with the push for an axis-aligned normal computed by `axis_push`.
#[inline(always)]
pub(super) fn rounded_push(
    a: &Convex<'_>,
    b: &Convex<'_>,
    normal: DVec2,
    depth: f64,
    axis_push: impl FnOnce() -> Vec2,
) -> Vec2 {
    let far = f64::from(a.points[0].abs().max_element()) + a.extent;
    // The depth itself is a difference of lengths of this size, computed in `f64`.
    let radii = f64::from(a.radius) + f64::from(b.radius);
    let margin = rounding_margin(far + depth) + 1e-15 * (radii + a.extent + b.extent);
    // The length is clamped to the range of `f32`, which takes one branch; two coordinates would
    // take one each.
    let (length, longest) = (depth + margin, f64::from(f32::MAX));
    let general = to_vec2_unclamped(normal * if length < longest { length } else { longest });
    if normal.x != 0.0 && normal.y != 0.0 {
        return general;
    }
    let aligned = axis_push();
    // If the normal is that of two vertices, the axis need not separate the whole shapes.
    if f64::from(aligned.x.abs() + aligned.y.abs()) <= depth + 4.0 * margin {
        aligned
    } else {
        general
    }
}

/// Returns how far rounding may displace a shape that is moved, if its coordinates are at most
/// `far`: half a unit in the last place in x and in y, each for the position, the vertices and the
/// push itself.
#[inline(always)]
pub(crate) fn rounding_margin(far: f64) -> f64 {
    4.0 * f64::from(f32::EPSILON / 2.0) * far + f64::from(f32::from_bits(4))
}

/// Returns the push along an axis: to the nearest coordinate at which the shapes do not overlap.
#[inline(never)]
pub(super) fn axis_push(a: &Convex<'_>, b: &Convex<'_>, normal: DVec2) -> Vec2 {
    // Flipped and rotated so that `a` is always pushed towards greater x.
    let (is_horizontal, is_positive) = (normal.y == 0.0, normal.x + normal.y > 0.0);
    let along = |p: &Vec2| {
        let x = if is_horizontal { p.x } else { p.y };
        if is_positive { x } else { -x }
    };
    let min = |low: f32, x: f32| if x < low { x } else { low };
    let low = a.points.iter().map(along).fold(f32::INFINITY, min);
    let high = -b.points.iter().map(|p| -along(p)).fold(f32::INFINITY, min);
    let radii = add_round_up(f64::from(a.radius), f64::from(b.radius));
    let push = coordinate_push(low, add_round_up(f64::from(high), radii));
    let push = if is_positive { push } else { -push };
    if is_horizontal { Vec2::new(push, 0.0) } else { Vec2::new(0.0, push) }
}

/// Returns the least number to add to the coordinate `low` so that it is at least `high`. Exact if
/// the numbers allow it, so that boxes on a grid touch after the push.
#[inline(always)]
pub(super) fn coordinate_push(low: f32, high: f64) -> f32 {
    let target = round_up(high);
    let mut push = round_up(f64::from(target) - f64::from(low)).max(f32::from_bits(1));
    // The moved coordinate is rounded again: a few steps bring it to the target.
    for _ in 0..64 {
        if low + push >= target {
            break;
        }
        push = push.next_up();
    }
    push.min(f32::MAX)
}

// The contact points.

/// Returns the contact points of two convex shapes: one, or two along an edge.
#[inline(always)]
fn contact_points(a: &Convex<'_>, b: &Convex<'_>, separation: &Separation) -> ContactPoints {
    let offset = to_midsurface(a, b, separation.normal);
    let single = || ContactPoints::one((separation.point_a + separation.point_b) / 2.0 + offset);
    let Some(edge) = &separation.reference_edge else { return single() };
    let other = if edge.owner == Operand::A { b } else { a };
    if other.points.len() < 2 {
        return single();
    }
    points_across(a, b, edge, f64::from(a.radius) + f64::from(b.radius), offset)
}

/// Returns the contact points of two shapes across a reference edge.
#[inline(always)]
pub(super) fn points_across(
    a: &Convex<'_>,
    b: &Convex<'_>,
    edge: &EdgeSeparation,
    radii: f64,
    offset: DVec2,
) -> ContactPoints {
    let (owner, other) = edge.owner.select(a, b);
    if other.points.len() > 1
        && let Some(points) = clip_incident_edge(owner, other, edge, radii, offset)
    {
        return points;
    }
    let vertex = other.points[edge.support].as_dvec2();
    ContactPoints::one(vertex - edge.normal * (edge.gap / 2.0) + offset)
}

/// Returns the contact points by Sutherland–Hodgman clipping:
///
/// 1. The incident edge is the one, of the two at the support point, that faces the normal more.
/// 2. Clip it to the ends of the reference edge.
/// 3. Keep the ends that are no farther than the radii from the reference edge.
///
/// Written without branches on the data, which would mispredict, and so that little has to wait
/// for the choice of the edge.
#[inline(always)]
fn clip_incident_edge(
    owner: &Convex<'_>,
    other: &Convex<'_>,
    edge: &EdgeSeparation,
    radii: f64,
    offset: DVec2,
) -> Option<ContactPoints> {
    let (start, end) = owner.edge(edge.edge);
    let start = start.as_dvec2();
    let along = DVec2::new(-edge.normal.y, edge.normal.x);
    let length = along.dot(end.as_dvec2() - start);
    // Step 1.
    let last = other.points.len() - 1;
    let before = if edge.support == 0 { last } else { edge.support - 1 };
    let after = if edge.support == last { 0 } else { edge.support + 1 };
    let facing = |i: usize| edge.normal.dot(other.half_planes[i / 4].normals[i % 4]);
    let is_before = facing(before) < facing(edge.support);
    // Vertices in the frame of the reference edge: x along it, y out of it.
    let to_frame = |vertex: usize| {
        let at = other.points[vertex].as_dvec2() - start;
        DVec2::new(along.dot(at), edge.normal.dot(at))
    };
    let (support, before, after) = (to_frame(edge.support), to_frame(before), to_frame(after));
    let far = if is_before { before } else { after };
    // Steps 2 and 3.
    let slope = (far.y - support.y) / (far.x - support.x);
    let (min, max) = (|a, b| if b < a { b } else { a }, |a, b| if b > a { b } else { a });
    let clipped = |x: f64| {
        let x = min(max(x, 0.0), length);
        let gap = support.y + (x - support.x) * slope;
        (start + along * x + edge.normal * (gap / 2.0) + offset, gap <= radii)
    };
    let ((first, keeps_first), (second, keeps_second)) = (clipped(support.x), clipped(far.x));
    let ends = [first, second];
    let points =
        ContactPoints::two(ends[usize::from(!keeps_first)], ends[usize::from(keeps_second)]);
    // An incident edge along the normal has no slope; one beside the reference edge is clipped
    // away.
    let is_opposite = (min(support.x, far.x) <= length) & (max(support.x, far.x) >= 0.0);
    let is_found = (far.x != support.x) & is_opposite & (keeps_first | keeps_second);
    is_found.then_some(points)
}

// Polygon and circle.

/// Returns the contact of a polygon and a circle by the fast path, or else in general. With
/// `swapped`, the circle is the first shape.
#[inline(never)]
fn polygon_circle_or_pair(
    polygon: &Convex<'_>,
    circle: &Convex<'_>,
    swapped: bool,
) -> Option<Contact> {
    match polygon_circle(polygon, circle, swapped) {
        Filtered::Certain(contact) => contact,
        Filtered::Uncertain if swapped => convex_pair(circle, polygon),
        Filtered::Uncertain => convex_pair(polygon, circle),
    }
}

/// Returns the contact of a polygon, rounded or not, and a circle. With `swapped`, the circle is
/// the first shape.
///
/// The closest point of the polygon is on its edge of maximum separation or at the nearer end of
/// it: any other edge with the closest point would have a gap as large. So the edge of maximum
/// separation must be certain.
#[inline(always)]
fn polygon_circle(
    polygon: &Convex<'_>,
    circle: &Convex<'_>,
    swapped: bool,
) -> Filtered<Option<Contact>> {
    let radii = f64::from(polygon.radius) + f64::from(circle.radius);
    let error = error_bound(polygon, circle);
    let (mut max, mut lanes) = (f32::NEG_INFINITY, [f32x4::ZERO; 4]);
    if polygon.half_planes.len() > lanes.len() {
        return Filtered::Uncertain;
    }
    for (half_planes, lane) in polygon.half_planes.iter().zip(&mut lanes) {
        *lane = block_gaps(half_planes, circle.points, polygon.points[0]);
        let largest = max_lane(*lane);
        max = if largest > max { largest } else { max };
    }
    if f64::from(max) > radii + f64::from(error) {
        return Filtered::Certain(None);
    }
    let floor = f32x4::splat(max - 2.0 * error);
    let mut candidates = 0;
    for (block, lane) in lanes.iter().take(polygon.half_planes.len()).enumerate() {
        candidates |= (!lane.simd_lt(floor).to_bitmask() & 0xf) << (4 * block);
    }
    candidates &= (1 << polygon.points.len()) - 1;
    if candidates.is_power_of_two() {
        let (moved, fixed) = if swapped { (circle, polygon) } else { (polygon, circle) };
        let edge = candidates.trailing_zeros() as usize;
        edge_circle(polygon, circle, edge, swapped, |normal| axis_push(moved, fixed, normal))
    } else {
        Filtered::Uncertain
    }
}

/// Returns the contact of a polygon and a circle, given the edge of maximum separation and the push
/// for an axis-aligned normal.
#[inline(always)]
pub(super) fn edge_circle(
    polygon: &Convex<'_>,
    circle: &Convex<'_>,
    edge: usize,
    swapped: bool,
    axis_push: impl Fn(DVec2) -> Vec2,
) -> Filtered<Option<Contact>> {
    let (side, out) = polygon.edge_normal(edge);
    let (center, forward) = (circle.points[0].as_dvec2(), DVec2::new(-out.y, out.x));
    // The center in the frame of the edge.
    let to_center = center - polygon.points[edge].as_dvec2();
    let (gap, along, length) = (out.dot(to_center), forward.dot(to_center), forward.dot(side));
    let is_ahead = along > 0.0;
    let beyond = if is_ahead { along - length } else { along };
    let at_vertex = (gap > 0.0) & (is_ahead == (beyond > 0.0));
    // Computes both cases: which of them it is would mispredict.
    let vertex_distance = sqrt(gap * gap + beyond * beyond);
    let vertex_normal = (out * gap + forward * beyond) / vertex_distance;
    let distance = if at_vertex { vertex_distance } else { gap };
    let normal = if at_vertex { vertex_normal } else { out };
    let radii = f64::from(polygon.radius) + f64::from(circle.radius);
    let (depth, size) = (radii - distance, polygon.extent + radii);
    // The direction is inaccurate this close to a vertex, and the relation this close to touching.
    if (at_vertex & (distance < 1e-10 * size)) | (depth.abs() < 1e-11 * size) {
        return Filtered::Uncertain;
    }
    if depth < 0.0 {
        return Filtered::Certain(None);
    }
    let offset = (f64::from(polygon.radius) - f64::from(circle.radius) - distance) / 2.0;
    let points = ContactPoints::one(center + normal * offset);
    Filtered::Certain(Some(if swapped {
        let push = rounded_push(circle, polygon, normal, depth, || axis_push(normal));
        Contact::overlapping(normal, depth, push, points)
    } else {
        let push = rounded_push(polygon, circle, -normal, depth, || axis_push(-normal));
        Contact::overlapping(-normal, depth, push, points)
    }))
}
