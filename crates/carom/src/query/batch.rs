//! Batch queries: one shape against many, and many against many.
//!
//! The results are the same, to the bit, as those of single queries. Batches are faster because
//! bounding boxes are computed once and rule out most pairs; many against many are sorted along x
//! first (sweep and prune).

use alloc::vec::Vec;

use glam::Vec2;

use crate::query::Contact;
use crate::query::dispatch::{contact, intersects};
use crate::shape::{Aabb, AsShape, Circle, ShapeRef};

/// Returns, for each of many shapes, whether it intersects one shape. Touching counts. Exact.
///
/// ```
/// use carom::prelude::*;
/// use carom::query::intersects_each;
/// let blast = Circle::new([0.0, 0.0], 3.0);
/// let foes = [Aabb::new([1.0, 1.0], [2.0, 2.0]), Aabb::new([5.0, 5.0], [6.0, 6.0])];
/// assert_eq!(intersects_each(&blast, &foes), [true, false]);
/// ```
pub fn intersects_each<A: AsShape, B: AsShape>(one: &A, many: &[B]) -> Vec<bool> {
    let one = one.as_shape();
    let bounds = LooseBounds::of(one);
    let mut results = Vec::with_capacity(many.len());
    for some in many.chunks(64) {
        // Circles are first compared in `f32`, branchless. If any result is uncertain, the chunk is
        // compared again, exactly.
        let mut are_certain = true;
        results.extend(some.iter().map(|other| match (one, other.as_shape()) {
            (ShapeRef::Circle(one), ShapeRef::Circle(other)) => {
                let (intersects, is_certain) = circles_intersect(one, other);
                are_certain &= is_certain;
                intersects
            }
            (one, other) => bounds.intersects(&LooseBounds::of(other)) && intersects(one, other),
        }));
        if !are_certain {
            results.truncate(results.len() - some.len());
            results.extend(some.iter().map(|other| intersects(one, other.as_shape())));
        }
    }
    results
}

/// Returns whether two circles intersect, and whether that is certain in `f32`: the bound covers four
/// roundings on each side, and subnormal squares.
#[inline(always)]
fn circles_intersect(a: &Circle, b: &Circle) -> (bool, bool) {
    let (between, radii) = (b.center() - a.center(), a.radius() + b.radius());
    let (left, right) = (between.length_squared(), radii * radii);
    (left < right, (left - right).abs() > 8.0 * f32::EPSILON * (left + right) + 1e-43)
}

/// Returns the contact of one shape with each of many; `None` for those that it does not intersect.
/// The normals and pushes are those of the one shape.
pub fn contact_each<A: AsShape, B: AsShape>(one: &A, many: &[B]) -> Vec<Option<Contact>> {
    let one = one.as_shape();
    let bounds = LooseBounds::of(one);
    let contact_of = |other: &B| {
        let other = other.as_shape();
        if bounds.intersects(&LooseBounds::of(other)) { contact(one, other) } else { None }
    };
    many.iter().map(contact_of).collect()
}

/// Returns the pairs of indices, in order, of shapes of the first slice that intersect shapes of the
/// second. Touching counts. Exact.
///
/// ```
/// use carom::prelude::*;
/// use carom::query::intersecting_pairs;
/// let shots = [Point::new([0.5, 0.5]), Point::new([9.0, 9.0])];
/// let foes = [Aabb::new([5.0, 5.0], [6.0, 6.0]), Aabb::new([0.0, 0.0], [1.0, 1.0])];
/// assert_eq!(intersecting_pairs(&shots, &foes), [(0, 1)]);
/// ```
pub fn intersecting_pairs<A: AsShape, B: AsShape>(
    first: &[A],
    second: &[B],
) -> Vec<(usize, usize)> {
    let sorted = |mut boxes: Vec<(LooseBounds, usize)>| {
        boxes.sort_by(|a, b| a.0.min.x.total_cmp(&b.0.min.x));
        boxes
    };
    let bounds_a =
        first.iter().enumerate().map(|(i, shape)| (LooseBounds::of(shape.as_shape()), i));
    let bounds_b =
        second.iter().enumerate().map(|(i, shape)| (LooseBounds::of(shape.as_shape()), i));
    let (a, b) = (sorted(bounds_a.collect()), sorted(bounds_b.collect()));
    let mut found = Vec::new();
    let mut test = |a: &(LooseBounds, usize), b: &(LooseBounds, usize)| {
        let may_intersect = a.0.intersects(&b.0);
        if may_intersect && intersects(first[a.1].as_shape(), second[b.1].as_shape()) {
            found.push((a.1, b.1));
        }
    };
    // Sweep along x: each box is tested against those of the other slice that begin before it ends.
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i].0.min.x <= b[j].0.min.x {
            b[j..].iter().take_while(|b| b.0.min.x <= a[i].0.max.x).for_each(|b| test(&a[i], b));
            i += 1;
        } else {
            a[i..].iter().take_while(|a| a.0.min.x <= b[j].0.max.x).for_each(|a| test(a, &b[j]));
            j += 1;
        }
    }
    found.sort_unstable();
    found
}

/// A bounding box that is fast to compute and may be slightly too large.
#[derive(Clone, Copy)]
struct LooseBounds {
    min: Vec2,
    max: Vec2,
}

impl LooseBounds {
    #[inline(always)]
    fn of(shape: ShapeRef<'_>) -> Self {
        if let ShapeRef::Circle(circle) = shape {
            // The margin is more than twice the sum of three roundings.
            let (center, radius) = (circle.center(), Vec2::splat(circle.radius()));
            let margin = (center.abs() + radius) * (4.0 * f32::EPSILON) + f32::MIN_POSITIVE;
            return Self { min: center - radius - margin, max: center + radius + margin };
        }
        let bounds: Aabb = shape.bounds();
        Self { min: bounds.min(), max: bounds.max() }
    }

    /// Returns `true` if the shapes may intersect. Branchless: data-dependent, mispredicts.
    #[inline(always)]
    fn intersects(&self, other: &Self) -> bool {
        (self.min.x <= other.max.x)
            & (other.min.x <= self.max.x)
            & (self.min.y <= other.max.y)
            & (other.min.y <= self.max.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    fn things(count: usize, mut seed: u32) -> Vec<Shape> {
        let mut next = |n: u32| {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            (seed >> 16) % n
        };
        let thing = |_| {
            let at = Vec2::new(next(24) as f32, next(24) as f32);
            match next(4) {
                0 => Circle::new(at, 1.0 + next(2) as f32).into(),
                1 => Aabb::from_min_size(at, [1.0 + next(3) as f32, 1.0]).into(),
                2 => Point::new(at).into(),
                _ => Chain::new(&[at, at + Vec2::new(2.0, 1.0), at + Vec2::new(2.0, 3.0)]).into(),
            }
        };
        (0..count).map(thing).collect()
    }

    #[test]
    fn batches_give_the_results_of_single_queries() {
        let (a, b) = (things(60, 1), things(80, 2));
        let mut expected = Vec::new();
        for (i, one) in a.iter().enumerate() {
            let results: Vec<bool> = b.iter().map(|other| one.intersects(other)).collect();
            assert_eq!(intersects_each(one, &b), results);
            let contacts: Vec<_> = b.iter().map(|other| one.contact(other)).collect();
            assert_eq!(contact_each(one, &b), contacts);
            expected.extend((0..b.len()).filter(|&j| results[j]).map(|j| (i, j)));
        }
        assert!(!expected.is_empty());
        assert_eq!(intersecting_pairs(&a, &b), expected);
    }

    #[test]
    fn circles_with_extreme_radii_are_found() {
        for scale in [f32::from_bits(1), 1.0, f32::MAX / 4.0] {
            let (a, b) = (Circle::new([0.0, 0.0], scale), Circle::new([2.0 * scale, 0.0], scale));
            assert_eq!(intersects_each(&a, &[b]), [a.intersects(&b)]);
            assert!(a.intersects(&b));
        }
    }
}
