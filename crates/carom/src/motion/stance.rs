//! A body where it stands, or might stand: its solid colliders, placed there.

use alloc::vec::Vec;

use crate::math::{Pose, Vec2, clamp_finite};
use crate::query::contact::rounding_margin;
use crate::shape::Aabb;
use crate::world::placed_shape::{InlineShape, LocalShape, PlacedShape};
use crate::world::storage::Storage;

/// The solid colliders of a body at a position.
#[derive(Debug)]
pub(super) struct Stance {
    pub position: Vec2,
    /// In the order of the colliders.
    pub shapes: Vec<PlacedShape>,
    /// What stood here before, for its memory.
    spares: Vec<PlacedShape>,
    /// Around them all.
    pub bounds: Aabb,
    /// The largest coordinate: what decides how finely positions can be told apart.
    pub far: f32,
}

impl Default for Stance {
    fn default() -> Self {
        let bounds = Aabb::new_unchecked(Vec2::ZERO, Vec2::ZERO);
        Self { position: Vec2::ZERO, shapes: Vec::new(), spares: Vec::new(), bounds, far: 0.0 }
    }
}

impl Stance {
    /// Takes a position as a body that is one box, which is given where it is at the origin.
    #[inline(always)]
    pub fn take_box(&mut self, at_origin: &Aabb, position: Vec2) {
        self.settle(position, at_origin.translated(position));
        let placed = PlacedShape::Inline(InlineShape::Aabb(self.bounds));
        match &mut self.shapes[..] {
            [PlacedShape::Inline(_)] => self.shapes[0] = placed,
            _ => {
                self.retire(0);
                self.shapes.push(placed);
            }
        }
    }

    /// Takes a position, in the memory it has.
    pub fn take(&mut self, storage: &Storage, colliders: &[u32], pose: &Pose, position: Vec2) {
        let pose = Pose { position, ..*pose };
        self.retire(colliders.len());
        for (place, &slot) in colliders.iter().enumerate() {
            if let Some(record) = storage.colliders.get_slot(slot) {
                self.shape_for(place, &record.local, &pose).place_at(&record.local, &pose);
            }
        }
        let bounds = match &self.shapes[..] {
            [] => Aabb::new_unchecked(position, position),
            [one] => one.bounds(),
            all => Aabb::union(all.iter().map(PlacedShape::bounds)),
        };
        self.settle(position, bounds);
    }

    #[inline]
    fn settle(&mut self, position: Vec2, bounds: Aabb) {
        let far = bounds.min().abs().max(bounds.max().abs()).max(position.abs());
        (self.position, self.bounds, self.far) = (position, bounds, far.max_element());
    }

    /// The shape at a place, in memory that suits one in its body's frame if there is such.
    fn shape_for(&mut self, place: usize, local: &LocalShape, pose: &Pose) -> &mut PlacedShape {
        if self.shapes.get(place).is_none_or(|shape| !shape.can_hold(local, pose)) {
            self.retire(place);
            let spare = self.spares.iter().position(|spare| spare.can_hold(local, pose));
            let shape = spare.map(|spare| self.spares.swap_remove(spare)).unwrap_or_default();
            self.shapes.push(shape);
        }
        &mut self.shapes[place]
    }

    /// Keeps so many shapes, and the memory of the others.
    fn retire(&mut self, len: usize) {
        const MOST: usize = 32;
        while self.shapes.len() > len {
            let has_memory = |shape: &PlacedShape| matches!(shape, PlacedShape::Other(_));
            let old = self.shapes.pop().filter(has_memory);
            if self.spares.len() < MOST {
                self.spares.extend(old);
            }
        }
    }

    /// Stands nowhere.
    pub fn leave(&mut self) {
        self.position = Vec2::NAN;
    }

    pub fn is_at(&self, position: Vec2) -> bool {
        self.position == position
    }

    /// How near is as good as touching, here: a few units in the last place.
    #[inline]
    pub fn skin(&self) -> f64 {
        2.0 * rounding_margin(f64::from(self.far))
    }

    /// The box around all places on a straight way, and what is within reach of that.
    #[inline]
    pub fn swept(&self, motion: Vec2, reach: f64) -> Aabb {
        self.around(motion.min(Vec2::ZERO), motion.max(Vec2::ZERO), reach)
    }

    /// The box around all places between two, which are given by how far off they are.
    #[inline]
    pub fn around(&self, low: Vec2, high: Vec2, reach: f64) -> Aabb {
        // Four roundings, each of half a unit in the last place at most.
        let far = self.far + low.abs().max(high).max_element();
        let reach = Vec2::splat(reach as f32 + 2.0 * f32::EPSILON * far);
        Aabb::new_unchecked(
            clamp_finite(self.bounds.min() + low - reach),
            clamp_finite(self.bounds.max() + high + reach),
        )
    }
}
