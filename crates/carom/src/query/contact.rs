//! How deep two shapes overlap, and how to part them.

use crate::query::Relation;
use core::ops::Deref;

use glam::{DVec2, Vec2};

use crate::math::{add_round_up, round_up, to_f32};
use crate::query::contact_quick::{
    box_and_circle, boxes, capsules, circles, obb_and_circle, polygon_and_disc,
};
use crate::query::sat::{Axis, Near, axis_of, best_axis, near_edges};
use crate::query::separation::{Separation, separation, separation_along};
use crate::shape::ShapeRef;
use crate::shape::convex::{Convex, ConvexBuffer};

/// Two shapes that touch or overlap: how deep, and how to part them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Contact {
    /// Unit vector out of the second shape towards the first.
    pub normal: Vec2,
    /// How far they overlap along the normal; 0 where they only touch.
    pub depth: f32,
    /// What to add to the first shape's position so that they no longer overlap: the shortest way
    /// out, rounded away from the second shape.
    pub push: Vec2,
    /// One or two points where they meet, between the two surfaces.
    pub points: ContactPoints,
}

impl Contact {
    /// The same contact, seen from the other shape.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { normal: -self.normal, push: -self.push, ..self }
    }
}

/// One or two points; reads as a slice.
#[derive(Clone, Copy)]
pub struct ContactPoints {
    points: [Vec2; 2],
    len: u8,
}

impl ContactPoints {
    #[inline]
    pub(crate) fn one(point: DVec2) -> Self {
        Self { points: [plain(point); 2], len: 1 }
    }

    #[inline]
    pub(super) fn two(first: DVec2, second: DVec2) -> Self {
        let points = [plain(first), plain(second)];
        // No branch: it could not be predicted.
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

/// A vector in `f32`, without minus zeros.
#[inline(always)]
pub(super) fn plain(v: DVec2) -> Vec2 {
    v.as_vec2() + Vec2::ZERO
}

/// The contact of two convex shapes; `None` if they are apart.
#[inline(always)]
pub(crate) fn convex(a: &Convex<'_>, b: &Convex<'_>) -> Option<Contact> {
    match (a.points.len(), b.points.len()) {
        (3.., 1) | (1, 3..) => with_disc(a, b),
        _ => of_cores(a, b),
    }
}

/// The contact of a polygon and a disc, in either order.
#[inline(never)]
fn with_disc(a: &Convex<'_>, b: &Convex<'_>) -> Option<Contact> {
    let swapped = a.points.len() == 1;
    let (polygon, disc) = if swapped { (b, a) } else { (a, b) };
    polygon_and_disc(polygon, disc, swapped).unwrap_or_else(|| of_cores(a, b))
}

/// The contact of any two cores.
#[inline(never)]
fn of_cores(a: &Convex<'_>, b: &Convex<'_>) -> Option<Contact> {
    if a.points.len() < 3 && b.points.len() < 3 {
        return contact_of_separation(a, b, separation(a, b, 0.0)?);
    }
    let radii = f64::from(a.radius) + f64::from(b.radius);
    // Apart from the rest, so that nothing of the plain case goes through memory.
    if let Near::One(edge) = near_edges(a, b, radii)? {
        let axis = axis_of(a, b, edge);
        if surely_overlap(a, b, &axis) {
            return Some(overlapping(a, b, &axis, radii));
        }
    }
    with_any_axis(a, b, radii)
}

/// Far more than the few roundings of the gap can come to.
#[inline(always)]
fn surely_overlap(a: &Convex<'_>, b: &Convex<'_>, axis: &Axis) -> bool {
    axis.gap < -1e-12 * (a.extent + b.extent)
}

#[inline(never)]
fn with_any_axis(a: &Convex<'_>, b: &Convex<'_>, radii: f64) -> Option<Contact> {
    let axis = best_axis(a, b, radii)?;
    if surely_overlap(a, b, &axis) {
        return Some(overlapping(a, b, &axis, radii));
    }
    contact_of_separation(a, b, separation_along(a, b, axis, radii))
}

#[inline(never)]
fn contact_of_separation(
    a: &Convex<'_>,
    b: &Convex<'_>,
    separation: Separation,
) -> Option<Contact> {
    (separation.relation != Relation::Disjoint).then(|| from_separation(a, b, &separation))
}

/// The contact of two cores that surely overlap, across the edge with the largest gap.
#[inline(always)]
fn overlapping(a: &Convex<'_>, b: &Convex<'_>, axis: &Axis, radii: f64) -> Contact {
    let (normal, depth) = (if axis.of_a { -axis.normal } else { axis.normal }, radii - axis.gap);
    let lift = normal * ((f64::from(b.radius) - f64::from(a.radius)) / 2.0);
    Contact {
        normal: plain(normal),
        depth: to_f32(depth).max(f32::from_bits(1)),
        push: push(a, b, normal, depth),
        points: points_across(a, b, axis, radii, lift),
    }
}

/// Where two shapes meet across an edge.
#[inline(always)]
pub(super) fn points_across(
    a: &Convex<'_>,
    b: &Convex<'_>,
    axis: &Axis,
    radii: f64,
    lift: DVec2,
) -> ContactPoints {
    let side = usize::from(!axis.of_a);
    let (owner, other) = ([a, b][side], [b, a][side]);
    if other.points.len() > 1
        && let Some(points) = clip(owner, other, axis, radii, lift)
    {
        return points;
    }
    let corner = other.points[axis.support].as_dvec2();
    ContactPoints::one(corner - axis.normal * (axis.gap / 2.0) + lift)
}

#[inline(always)]
pub(crate) fn from_separation(a: &Convex<'_>, b: &Convex<'_>, separation: &Separation) -> Contact {
    let points = meeting_points(a, b, separation);
    let (depth, push) = if separation.relation == Relation::Touching {
        (0.0, Vec2::ZERO)
    } else {
        // Overlapping by less than f32 can tell is still overlapping.
        let depth = to_f32(-separation.distance).max(f32::from_bits(1));
        (depth, push(a, b, separation.normal, -separation.distance))
    };
    Contact { normal: plain(separation.normal), depth, push, points }
}

/// The push along a unit normal that takes `a` out of `b`, given how deep it is in: rounded so
/// that `a`, moved and rounded itself, no longer overlaps.
#[inline(always)]
pub(crate) fn push(a: &Convex<'_>, b: &Convex<'_>, normal: DVec2, depth: f64) -> Vec2 {
    push_or(a, b, normal, depth, || along_axis(a, b, normal))
}

/// The same, told what the push along an axis is, should it go along one.
#[inline(always)]
pub(super) fn push_or(
    a: &Convex<'_>,
    b: &Convex<'_>,
    normal: DVec2,
    depth: f64,
    along_axis: impl FnOnce() -> Vec2,
) -> Vec2 {
    let far = f64::from(a.points[0].abs().max_element()) + a.extent;
    // The depth itself is a difference of lengths this large, computed in f64.
    let radii = f64::from(a.radius) + f64::from(b.radius);
    let margin = rounding_margin(far + depth) + 1e-15 * (radii + a.extent + b.extent);
    // Held within `f32` as a whole: two coordinates would take a branch each.
    let (length, longest) = (depth + margin, f64::from(f32::MAX));
    let longer = plain(normal * if length < longest { length } else { longest });
    if normal.x != 0.0 && normal.y != 0.0 {
        return longer;
    }
    let level = along_axis();
    // Past a corner, a normal along an axis may not part the whole shapes.
    if f64::from(level.x.abs() + level.y.abs()) <= depth + 4.0 * margin { level } else { longer }
}

/// How far a shape may stray when it is moved and its coordinates, at most this large, are
/// rounded: half a unit in the last place in x and in y, for the position, the corners and the
/// push itself.
#[inline(always)]
pub(crate) fn rounding_margin(far: f64) -> f64 {
    4.0 * f64::from(f32::EPSILON / 2.0) * far + f64::from(f32::from_bits(4))
}

/// The push along an axis: to the nearest coordinate at which the shapes do not overlap.
#[inline(never)]
pub(super) fn along_axis(a: &Convex<'_>, b: &Convex<'_>, normal: DVec2) -> Vec2 {
    // Mirrored and turned so that `a` is always pushed towards a greater x.
    let (level, ahead) = (normal.y == 0.0, normal.x + normal.y > 0.0);
    let along = |p: &Vec2| {
        let x = if level { p.x } else { p.y };
        if ahead { x } else { -x }
    };
    let min = |low: f32, x: f32| if x < low { x } else { low };
    let low = a.points.iter().map(along).fold(f32::INFINITY, min);
    let high = -b.points.iter().map(|p| -along(p)).fold(f32::INFINITY, min);
    let radii = add_round_up(f64::from(a.radius), f64::from(b.radius));
    let push = level_push(low, add_round_up(f64::from(high), radii));
    let push = if ahead { push } else { -push };
    if level { Vec2::new(push, 0.0) } else { Vec2::new(0.0, push) }
}

/// What to add to a coordinate so that it comes to a greater one or beyond, the least that does.
/// Exact where the numbers allow it, so boxes on a grid come to touch.
#[inline(always)]
pub(super) fn level_push(low: f32, high: f64) -> f32 {
    let target = round_up(high);
    let mut push = round_up(f64::from(target) - f64::from(low)).max(f32::from_bits(1));
    // Moved, the coordinate is rounded again: a few steps bring it to the target at last.
    for _ in 0..64 {
        if low + push >= target {
            break;
        }
        push = push.next_up();
    }
    push
}

/// Where two convex shapes meet: between their surfaces, one point, or two along an edge.
#[inline(always)]
fn meeting_points(a: &Convex<'_>, b: &Convex<'_>, separation: &Separation) -> ContactPoints {
    // Halfway between the surfaces, for points of the cores that face each other.
    let lift = separation.normal * ((f64::from(b.radius) - f64::from(a.radius)) / 2.0);
    let single = || ContactPoints::one((separation.point_a + separation.point_b) / 2.0 + lift);
    let Some(axis) = &separation.reference_edge else { return single() };
    let other = if axis.of_a { b } else { a };
    if other.points.len() < 2 {
        return single();
    }
    points_across(a, b, axis, f64::from(a.radius) + f64::from(b.radius), lift)
}

/// The stretch of the other core's edge that faces the axis' edge, within its ends, as far as it
/// reaches in. Written without branches that depend on the case, as they could not be predicted,
/// and so that little has to wait for the choice of the edge.
#[inline(always)]
fn clip(
    owner: &Convex<'_>,
    other: &Convex<'_>,
    axis: &Axis,
    radii: f64,
    lift: DVec2,
) -> Option<ContactPoints> {
    let (start, end) = owner.edge(axis.edge);
    let start = start.as_dvec2();
    let along = DVec2::new(-axis.normal.y, axis.normal.x);
    let length = along.dot(end.as_dvec2() - start);
    // Of the two edges at the corner furthest in, the one that faces the axis more squarely.
    let last = other.points.len() - 1;
    let before = if axis.support == 0 { last } else { axis.support - 1 };
    let after = if axis.support == last { 0 } else { axis.support + 1 };
    let facing = |edge: usize| axis.normal.dot(other.half_planes[edge / 4].normals[edge % 4]);
    let is_before = facing(before) < facing(axis.support);
    // Where corners lie: along the edge, and how far beyond it.
    let place = |corner: usize| {
        let at = other.points[corner].as_dvec2() - start;
        DVec2::new(along.dot(at), axis.normal.dot(at))
    };
    let (corner, before, after) = (place(axis.support), place(before), place(after));
    let far = if is_before { before } else { after };
    let slope = (far.y - corner.y) / (far.x - corner.x);
    let (min, max) = (|a, b| if b < a { b } else { a }, |a, b| if b > a { b } else { a });
    let point = |x: f64| {
        let x = min(max(x, 0.0), length);
        let gap = corner.y + (x - corner.x) * slope;
        (start + along * x + axis.normal * (gap / 2.0) + lift, gap <= radii)
    };
    let ((first, meets_first), (second, meets_second)) = (point(corner.x), point(far.x));
    let ends = [first, second];
    let points =
        ContactPoints::two(ends[usize::from(!meets_first)], ends[usize::from(meets_second)]);
    // An edge that stands upright has no slope; one beside the axis' edge does not face it.
    let faces = (min(corner.x, far.x) <= length) & (max(corner.x, far.x) >= 0.0);
    let found = (far.x != corner.x) & faces & (meets_first | meets_second);
    found.then_some(points)
}

/// The contact of any two shapes.
#[inline(always)]
pub(crate) fn contact(a: ShapeRef<'_>, b: ShapeRef<'_>) -> Option<Contact> {
    let sure = match (a, b) {
        (ShapeRef::Circle(a), ShapeRef::Circle(b)) => circles(a, b),
        (ShapeRef::Aabb(a), ShapeRef::Aabb(b)) => boxes(a, b),
        (ShapeRef::Aabb(a), ShapeRef::Circle(b)) => box_and_circle(a, b, false),
        (ShapeRef::Circle(a), ShapeRef::Aabb(b)) => box_and_circle(b, a, true),
        (ShapeRef::Obb(a), ShapeRef::Circle(b)) => obb_and_circle(a, b, false),
        (ShapeRef::Circle(a), ShapeRef::Obb(b)) => obb_and_circle(b, a, true),
        (ShapeRef::Capsule(a), ShapeRef::Capsule(b)) => capsules(a, b),
        _ => return of_any(a, b, convex),
    };
    match sure {
        Some(contact) => contact,
        None => general(a, b),
    }
}

/// The contact without any of the short ways.
#[cold]
#[inline(never)]
pub(super) fn general(a: ShapeRef<'_>, b: ShapeRef<'_>) -> Option<Contact> {
    of_any(a, b, of_cores)
}

#[inline(always)]
fn of_any(
    a: ShapeRef<'_>,
    b: ShapeRef<'_>,
    of_cores: fn(&Convex<'_>, &Convex<'_>) -> Option<Contact>,
) -> Option<Contact> {
    let (mut buffer_a, mut buffer_b) = (ConvexBuffer::new(), ConvexBuffer::new());
    let core_a = a.convex_or_empty(&mut buffer_a);
    let core_b = b.convex_or_empty(&mut buffer_b);
    if core_a.points.is_empty() || core_b.points.is_empty() {
        crate::query::combined_push::contact(a, b)
    } else {
        of_cores(&core_a, &core_b)
    }
}
