//! One against many, and many against many.
//!
//! The answers are those of asking one by one, to the bit. What is gained: boxes around the
//! shapes are made once and rule out most, and many against many are sorted along an axis first.

use alloc::vec::Vec;

use glam::Vec2;

use crate::query::Contact;
use crate::query::dispatch::{contact, intersects};
use crate::shape::{Aabb, AsShape, Circle, ShapeRef};

/// Whether each of many shapes shares a point with one; touch counts. Exact.
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
    let near = Reach::of(one);
    let mut answers = Vec::with_capacity(many.len());
    for some in many.chunks(64) {
        // Circles first go by f32, without a branch; where that is not sure, once more.
        let mut sure = true;
        answers.extend(some.iter().map(|other| match (one, other.as_shape()) {
            (ShapeRef::Circle(one), ShapeRef::Circle(other)) => {
                let (meet, is_sure) = discs_meet(one, other);
                sure &= is_sure;
                meet
            }
            (one, other) => near.touches(&Reach::of(other)) && intersects(one, other),
        }));
        if !sure {
            answers.truncate(answers.len() - some.len());
            answers.extend(some.iter().map(|other| intersects(one, other.as_shape())));
        }
    }
    answers
}

/// Whether two circles share a point, and whether `f32` is sure of it: four roundings to a side,
/// and a little for squares so small that they lose bits.
#[inline(always)]
fn discs_meet(a: &Circle, b: &Circle) -> (bool, bool) {
    let (between, radii) = (b.center() - a.center(), a.radius() + b.radius());
    let (left, right) = (between.length_squared(), radii * radii);
    (left < right, (left - right).abs() > 8.0 * f32::EPSILON * (left + right) + 1e-43)
}

/// The contact of one shape with each of many; `None` for those that share no point with it. The
/// normals and pushes are those of the one.
pub fn contact_each<A: AsShape, B: AsShape>(one: &A, many: &[B]) -> Vec<Option<Contact>> {
    let one = one.as_shape();
    let near = Reach::of(one);
    let contact_of = |other: &B| {
        let other = other.as_shape();
        if near.touches(&Reach::of(other)) { contact(one, other) } else { None }
    };
    many.iter().map(contact_of).collect()
}

/// Which of the first shapes share a point with which of the second, by their places in the two
/// slices, in order. Touch counts. Exact.
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
    let sorted = |mut boxes: Vec<(Reach, usize)>| {
        boxes.sort_by(|a, b| a.0.min.x.total_cmp(&b.0.min.x));
        boxes
    };
    let reaches_a = first.iter().enumerate().map(|(i, shape)| (Reach::of(shape.as_shape()), i));
    let reaches_b = second.iter().enumerate().map(|(i, shape)| (Reach::of(shape.as_shape()), i));
    let (a, b) = (sorted(reaches_a.collect()), sorted(reaches_b.collect()));
    let mut found = Vec::new();
    let mut test = |a: &(Reach, usize), b: &(Reach, usize)| {
        let touches = a.0.touches(&b.0);
        if touches && intersects(first[a.1].as_shape(), second[b.1].as_shape()) {
            found.push((a.1, b.1));
        }
    };
    // Sweep along x: each box meets those of the other side that begin while it lasts.
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

/// A box around a shape that is quickly made and may be a little too large.
#[derive(Clone, Copy)]
struct Reach {
    min: Vec2,
    max: Vec2,
}

impl Reach {
    #[inline(always)]
    fn of(shape: ShapeRef<'_>) -> Self {
        if let ShapeRef::Circle(circle) = shape {
            // Three roundings, each of which the last step makes up for twice over.
            let (center, radius) = (circle.center(), Vec2::splat(circle.radius()));
            let slack = (center.abs() + radius) * (4.0 * f32::EPSILON) + f32::MIN_POSITIVE;
            return Self { min: center - radius - slack, max: center + radius + slack };
        }
        let bounds: Aabb = shape.bounds();
        Self { min: bounds.min(), max: bounds.max() }
    }

    /// Whether the two may share a point. No branches: they could not be predicted.
    #[inline(always)]
    fn touches(&self, other: &Self) -> bool {
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
    fn batches_answer_as_one_by_one() {
        let (a, b) = (things(60, 1), things(80, 2));
        let mut expected = Vec::new();
        for (i, one) in a.iter().enumerate() {
            let answers: Vec<bool> = b.iter().map(|other| one.intersects(other)).collect();
            assert_eq!(intersects_each(one, &b), answers);
            let contacts: Vec<_> = b.iter().map(|other| one.contact(other)).collect();
            assert_eq!(contact_each(one, &b), contacts);
            expected.extend((0..b.len()).filter(|&j| answers[j]).map(|j| (i, j)));
        }
        assert!(!expected.is_empty());
        assert_eq!(intersecting_pairs(&a, &b), expected);
    }

    #[test]
    fn circles_at_the_edge_of_the_numbers_are_not_lost() {
        for scale in [f32::from_bits(1), 1.0, f32::MAX / 4.0] {
            let (a, b) = (Circle::new([0.0, 0.0], scale), Circle::new([2.0 * scale, 0.0], scale));
            assert_eq!(intersects_each(&a, &[b]), [a.intersects(&b)]);
            assert!(a.intersects(&b));
        }
    }
}
