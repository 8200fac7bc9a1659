//! The questions about two shapes, a file each.
//!
//! All of them are methods of [`Query`], on every shape, for every other shape, in both orders.

pub(crate) mod combined_push;
pub(crate) mod contact;
mod distance;
mod intersects;
pub(crate) mod minkowski;
mod order;
mod overlaps;
pub(crate) mod parts;
pub(crate) mod relation;
pub(crate) mod separation;
mod sweep;
mod sweep_parts;
mod sweep_seams;
mod sweep_turning;

pub use contact::{Contact, ContactPoints};
pub use distance::ClosestPoints;
pub use sweep::Hit;
pub use sweep_turning::Motion;

use glam::Vec2;

use crate::shape::AsShape;

/// The questions, on every shape.
pub trait Query: AsShape {
    /// Whether the two share a point. Touch counts. Exact.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let tile = Aabb::new([0.0, 0.0], [1.0, 1.0]);
    /// assert!(tile.intersects(&Aabb::new([1.0, 0.0], [2.0, 1.0])));
    /// ```
    #[inline(always)]
    fn intersects(&self, other: &impl AsShape) -> bool {
        intersects::intersects(self.as_shape(), other.as_shape())
    }

    /// Whether the two share more than boundary points. Touch does not count. Exact.
    ///
    /// Two areas overlap where their insides meet; an area and a line or point where the line or
    /// point enters the inside; two lines where they cross at a point inside both. Points never
    /// overlap points or lines.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let tile = Aabb::new([0.0, 0.0], [1.0, 1.0]);
    /// assert!(!tile.overlaps(&Aabb::new([1.0, 0.0], [2.0, 1.0])));
    /// ```
    #[inline(always)]
    fn overlaps(&self, other: &impl AsShape) -> bool {
        overlaps::overlaps(self.as_shape(), other.as_shape())
    }

    /// How deep the two overlap and how to part them; `None` if they share no point.
    ///
    /// For shapes made of parts the push clears all parts at once, and is the shortest that does.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let hero = Aabb::new([0.0, 0.75], [1.0, 2.75]);
    /// let floor = Compound::new([Aabb::new([-1.0, 0.0], [0.5, 1.0]), Aabb::new([0.5, 0.0], [2.0, 1.0])]);
    /// assert_eq!(hero.contact(&floor).unwrap().push, Vec2::new(0.0, 0.25));
    /// ```
    #[inline(always)]
    fn contact(&self, other: &impl AsShape) -> Option<Contact> {
        contact::contact(self.as_shape(), other.as_shape())
    }

    /// How far the two are apart; 0 exactly where they intersect.
    #[inline(always)]
    fn distance(&self, other: &impl AsShape) -> f32 {
        distance::distance(self.as_shape(), other.as_shape())
    }

    /// Where the two come closest.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let ball = Circle::new([0.0, 0.0], 1.0);
    /// let wall = Segment::new([3.0, -5.0], [3.0, 5.0]);
    /// let closest = ball.closest_points(&wall);
    /// assert_eq!((closest.distance, closest.on_a.x, closest.on_b.x), (2.0, 1.0, 3.0));
    /// ```
    fn closest_points(&self, other: &impl AsShape) -> ClosestPoints {
        distance::closest_points(self.as_shape(), other.as_shape())
    }

    /// When this shape, moved along a vector, first meets the other. No speed is too high.
    ///
    /// A motion that starts in touch is a hit only if it goes into the other shape: sliding along
    /// it or leaving it is free. One that starts in overlap hits at time 0, with the depth.
    /// A motion that is not finite goes nowhere.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let bullet = Circle::new([0.0, 0.0], 0.1);
    /// let paper = Aabb::new([50.0, -1.0], [50.01, 1.0]);
    /// let hit = bullet.sweep([100_000.0, 0.0], &paper).unwrap();
    /// assert!((hit.time - 49.9 / 100_000.0).abs() < 1e-9);
    /// assert_eq!(hit.normal, Vec2::new(-1.0, 0.0));
    /// ```
    #[inline(always)]
    fn sweep(&self, motion: impl Into<Vec2>, other: &impl AsShape) -> Option<Hit> {
        let motion = motion.into();
        let motion = if motion.is_finite() { motion } else { Vec2::ZERO };
        sweep::sweep(self.as_shape(), motion, other.as_shape())
    }

    /// When this shape, moved and turned, first meets the other; at `hit.time` it is
    /// `self.placed(&motion.at(hit.time))`. As [`sweep`](Self::sweep), but a motion that starts in
    /// touch is tested in 4096 steps.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let sword = Aabb::new([0.0, -0.1], [4.0, 0.1]).to_rect();
    /// let swing = Motion::new([0.0, 0.0], core::f32::consts::FRAC_PI_2, [0.0, 0.0]);
    /// let hit = sword.sweep_turning(&swing, &Point::new([2.0, 2.0])).unwrap();
    /// assert!(hit.time > 0.45 && hit.time < 0.5);
    /// ```
    fn sweep_turning(&self, motion: &Motion, other: &impl AsShape) -> Option<Hit> {
        sweep_turning::sweep_turning(self.as_shape(), motion, other.as_shape())
    }
}

impl<S: AsShape + ?Sized> Query for S {}
