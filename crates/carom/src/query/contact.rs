//! How deep two shapes overlap, and how to part them.

use core::cmp::Ordering;
use core::ops::Deref;

use glam::{DVec2, Vec2};

use crate::math::{add_up, round, round_up, round1};
use crate::query::relation::{Relation, relate};
use crate::query::separation::Axis;
use crate::shape::ShapeRef;
use crate::shape::core::{Core, Scratch};

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
    pub fn mirrored(self) -> Self {
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
    fn two(first: DVec2, second: DVec2) -> Self {
        let points = [plain(first), plain(second)];
        Self { points, len: if points[0] == points[1] { 1 } else { 2 } }
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
fn plain(v: DVec2) -> Vec2 {
    v.as_vec2() + Vec2::ZERO
}

/// The contact of two convex shapes; `None` if they are apart.
#[inline(never)]
pub(crate) fn convex(a: &Core<'_>, b: &Core<'_>) -> Option<Contact> {
    let relation = relate(a, b, 0.0)?;
    if relation.order == Ordering::Greater {
        return None;
    }
    Some(from_relation(a, b, &relation))
}

#[inline(always)]
pub(crate) fn from_relation(a: &Core<'_>, b: &Core<'_>, relation: &Relation) -> Contact {
    let points = meeting_points(a, b, relation);
    let (depth, push) = if relation.order == Ordering::Equal {
        (0.0, Vec2::ZERO)
    } else {
        // Overlapping by less than f32 can tell is still overlapping.
        let depth = round1(-relation.separation).max(f32::from_bits(1));
        (depth, push(a, b, relation.normal, -relation.separation))
    };
    Contact { normal: plain(relation.normal), depth, push, points }
}

/// The push along a unit normal that takes `a` out of `b`, given how deep it is in: rounded so
/// that `a`, moved and rounded itself, no longer overlaps.
#[inline(always)]
pub(crate) fn push(a: &Core<'_>, b: &Core<'_>, normal: DVec2, depth: f64) -> Vec2 {
    let far = f64::from(a.points[0].abs().max_element()) + a.size;
    // The depth itself is a difference of lengths this large, computed in f64.
    let radii = f64::from(a.radius) + f64::from(b.radius);
    let margin = rounding_margin(far + depth) + 1e-15 * (radii + a.size + b.size);
    let level = if normal.y == 0.0 {
        Vec2::new(level_push(a, b, normal.x, |p| p.x), 0.0)
    } else if normal.x == 0.0 {
        Vec2::new(0.0, level_push(a, b, normal.y, |p| p.y))
    } else {
        return round(normal * (depth + margin));
    };
    // Past a corner, a normal along an axis may not part the whole shapes.
    if f64::from(level.x.abs() + level.y.abs()) <= depth + 4.0 * margin {
        level
    } else {
        round(normal * (depth + margin))
    }
}

/// How far a shape may stray when it is moved and its coordinates, at most this large, are
/// rounded: half a unit in the last place in x and in y, for the position, the corners and the
/// push itself.
pub(crate) fn rounding_margin(far: f64) -> f64 {
    4.0 * f64::from(f32::EPSILON / 2.0) * far + f64::from(f32::from_bits(4))
}

/// The push along an axis: to the nearest coordinate at which the shapes do not overlap. Exact
/// where the numbers allow it, so boxes on a grid come to touch.
fn level_push(a: &Core<'_>, b: &Core<'_>, direction: f64, along: impl Fn(Vec2) -> f32) -> f32 {
    // Mirrored so that `a` is always pushed towards greater coordinates.
    let flip = |x: f32| if direction < 0.0 { -x } else { x };
    let low = a.points.iter().fold(f32::INFINITY, |low, &p| low.min(flip(along(p))));
    let high = b.points.iter().fold(f32::NEG_INFINITY, |high, &p| high.max(flip(along(p))));
    let radii = add_up(f64::from(a.radius), f64::from(b.radius));
    let target = round_up(add_up(f64::from(high), radii));
    let mut push = round_up(f64::from(target) - f64::from(low)).max(f32::from_bits(1));
    // Moved, the coordinate is rounded again: a few steps bring it to the target at last.
    for _ in 0..64 {
        if low + push >= target {
            break;
        }
        push = push.next_up();
    }
    flip(push)
}

/// Where two convex shapes meet: between their surfaces, one point, or two along an edge.
#[inline(always)]
fn meeting_points(a: &Core<'_>, b: &Core<'_>, relation: &Relation) -> ContactPoints {
    // Halfway between the surfaces, for points of the cores that face each other.
    let lift = relation.normal * ((f64::from(b.radius) - f64::from(a.radius)) / 2.0);
    let single = || ContactPoints::one((relation.on_a + relation.on_b) / 2.0 + lift);
    let Some(axis) = &relation.face else { return single() };
    let (owner, other) = if axis.of_a { (a, b) } else { (b, a) };
    if other.points.len() < 2 {
        return single();
    }
    let radii = f64::from(a.radius) + f64::from(b.radius);
    clip(owner, other, axis, radii, lift).unwrap_or_else(single)
}

/// The stretch of the other core's edge that faces the axis' edge, within its ends, as far as it
/// reaches in. Written without branches that depend on the case: they could not be predicted.
#[inline(always)]
fn clip(
    owner: &Core<'_>,
    other: &Core<'_>,
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
    let facing = |edge: usize| {
        let facets = &other.facets[edge / 4];
        f64::from(facets.normal_x[edge % 4]) * axis.normal.x
            + f64::from(facets.normal_y[edge % 4]) * axis.normal.y
    };
    let far = if facing(before) < facing(axis.support) { before } else { after };
    let (corner, far) = (other.points[axis.support].as_dvec2(), other.points[far].as_dvec2());
    // Clip corner–far to the edge's ends.
    let side = far - corner;
    let (from, stretch) = (along.dot(corner - start), along.dot(side));
    let (low, high) = ((0.0 - from) / stretch, (length - from) / stretch);
    let enter = low.min(high).max(0.0);
    let leave = low.max(high).min(1.0);
    // And to what reaches in; the corner is furthest in.
    let rise = axis.normal.dot(side);
    let point = |t: f64| {
        let gap = axis.gap + rise * t;
        (corner + side * t - axis.normal * (gap / 2.0) + lift, gap <= radii)
    };
    let ((first, meets_first), (second, meets_second)) = (point(enter), point(leave));
    let first = if meets_first { first } else { second };
    let both = ContactPoints::two(first, if meets_second { second } else { first });
    // An edge that stands upright is clipped to nothing: NaN, or a span that ends before it starts.
    (enter <= leave && (meets_first || meets_second)).then_some(both)
}

/// The contact of any two shapes.
#[inline(always)]
pub(crate) fn contact(a: ShapeRef<'_>, b: ShapeRef<'_>) -> Option<Contact> {
    let (mut pad_a, mut pad_b) = (Scratch::new(), Scratch::new());
    let core_a = a.core(&mut pad_a);
    let core_b = b.core(&mut pad_b);
    if core_a.points.is_empty() || core_b.points.is_empty() {
        crate::query::combined_push::contact(a, b)
    } else {
        convex(&core_a, &core_b)
    }
}
