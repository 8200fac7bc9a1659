//! A body where it stands, or might stand: its solid colliders, placed there.

use alloc::vec::Vec;

use crate::math::{Pose, Vec2};
use crate::shape::Aabb;
use crate::world::placed::Placed;
use crate::world::roster::Roster;

/// The solid colliders of a body at a position.
#[derive(Debug)]
pub(super) struct Stance {
    pub position: Vec2,
    /// In the order of the colliders.
    pub shapes: Vec<Placed>,
    /// Around them all.
    pub bounds: Aabb,
}

impl Default for Stance {
    fn default() -> Self {
        let bounds = Aabb::spanning(Vec2::ZERO, Vec2::ZERO);
        Self { position: Vec2::ZERO, shapes: Vec::new(), bounds }
    }
}

impl Stance {
    /// Takes a position, in the memory it has.
    pub fn take(&mut self, roster: &Roster, colliders: &[u32], pose: &Pose, position: Vec2) {
        self.position = position;
        let pose = Pose { position, ..*pose };
        self.shapes.resize_with(colliders.len(), Placed::default);
        for (placed, &slot) in self.shapes.iter_mut().zip(colliders) {
            if let Some(record) = roster.colliders.at(slot) {
                placed.set(&record.local, &pose);
            }
        }
        self.bounds = match &self.shapes[..] {
            [] => Aabb::spanning(position, position),
            [one] => one.bounds(),
            all => Aabb::around(all.iter().map(Placed::bounds)),
        };
    }

    /// Stands nowhere.
    pub fn leave(&mut self) {
        self.position = Vec2::NAN;
    }

    pub fn is_at(&self, position: Vec2) -> bool {
        self.position == position
    }

    /// The largest coordinate: what decides how finely positions can be told apart.
    pub fn far(&self) -> f64 {
        let Self { position, bounds, .. } = self;
        let far = bounds.min().abs().max(bounds.max().abs()).max(position.abs());
        f64::from(far.max_element())
    }

    /// The box around all places on a straight way, and what is within reach of that.
    pub fn swept(&self, motion: Vec2, reach: f64) -> Aabb {
        // Four roundings, each of half a unit in the last place at most.
        let far = self.far() as f32 + motion.abs().max_element();
        let reach = Vec2::splat(reach as f32 + 2.0 * f32::EPSILON * far);
        let clamp = |corner: Vec2| corner.clamp(Vec2::splat(f32::MIN), Vec2::splat(f32::MAX));
        Aabb::spanning(
            clamp(self.bounds.min() + motion.min(Vec2::ZERO) - reach),
            clamp(self.bounds.max() + motion.max(Vec2::ZERO) + reach),
        )
    }
}
