//! Several shapes as one.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use glam::Vec2;

use crate::error::ShapeError;
use crate::math::{Flip, Pose};
use crate::shape::bvh::Bvh;
use crate::shape::parts::{Part, QueryRegion};
use crate::shape::{Aabb, AsShape, Shape, Transform};

/// Several shapes as one: their union. Parts may overlap, touch or be disjoint, and may be
/// compounds themselves. An edge shared by two parts is inside the union.
///
/// ```
/// use carom::prelude::*;
/// let car = Compound::new([
///     Shape::from(Aabb::new([0.0, 0.5], [6.0, 2.0])),
///     Shape::from(Circle::new([1.0, 0.5], 0.5)),
///     Shape::from(Circle::new([5.0, 0.5], 0.5)),
/// ]);
/// let road = Aabb::new([-10.0, -1.0], [10.0, 0.0]);
/// assert!(car.intersects(&road) && !car.overlaps(&road));
/// ```
#[derive(Clone, PartialEq)]
pub struct Compound {
    parts: Vec<Shape>,
    tree: Bvh,
    /// One more than the greatest depth of a part; 1 if no part is a compound.
    depth: u32,
}

impl Compound {
    /// The maximum depth of nested compounds: queries visit them by recursion.
    pub const MAX_DEPTH: u32 = 32;

    /// Creates a compound from its parts.
    ///
    /// # Panics
    /// Panics if [`Compound::try_new`] returns an error.
    pub fn new(parts: impl IntoIterator<Item = impl Into<Shape>>) -> Self {
        Self::try_new(parts).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Creates a compound, or returns an error if the input is invalid.
    ///
    /// # Errors
    /// Returns [`ShapeError::EmptyCompound`] if there are no parts, and [`ShapeError::NestedTooDeep`]
    /// if compounds are nested more than [`Self::MAX_DEPTH`] levels deep.
    pub fn try_new(parts: impl IntoIterator<Item = impl Into<Shape>>) -> Result<Self, ShapeError> {
        let parts: Vec<Shape> = parts.into_iter().map(Into::into).collect();
        if parts.is_empty() {
            return Err(ShapeError::EmptyCompound);
        }
        let compound = Self::from_parts(parts);
        if compound.depth > Self::MAX_DEPTH {
            return Err(ShapeError::NestedTooDeep);
        }
        Ok(compound)
    }

    fn from_parts(parts: Vec<Shape>) -> Self {
        let tree = Bvh::new(parts.iter().map(Shape::bounds));
        let depth_of = |part: &Shape| match part {
            Shape::Compound(compound) => compound.depth,
            _ => 0,
        };
        let depth = 1 + parts.iter().map(depth_of).max().unwrap_or(0);
        Self { parts, tree, depth }
    }

    /// Returns `true` if each part has buffers for that of another compound.
    pub(crate) fn has_buffers_for(&self, other: &Self) -> bool {
        self.parts.len() == other.parts.len()
            && self.parts.iter().zip(&other.parts).all(|(part, other)| part.has_buffers_for(other))
    }

    /// Works like [`Transform::apply_pose`], but writes into the buffers of another compound with as many parts.
    pub(crate) fn transform_into(&self, pose: &Pose, target: &mut Self) {
        for (part, target) in self.parts.iter().zip(&mut target.parts) {
            part.transform_into(pose, target);
        }
        target.tree.rebuild(target.parts.iter().map(Shape::bounds));
    }

    /// Returns the parts as given.
    pub fn parts(&self) -> &[Shape] {
        &self.parts
    }

    pub(crate) fn tight_bounds(&self) -> Aabb {
        self.tree.bounds().unwrap_or(Aabb::new_unchecked(Vec2::ZERO, Vec2::ZERO))
    }

    pub(crate) fn visit_parts_where<B>(
        &self,
        passes: &mut dyn FnMut(&Aabb) -> bool,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut near: smallvec::SmallVec<[u32; 16]> = smallvec::SmallVec::new();
        let _ = self.tree.visit(&mut *passes, |i| {
            near.push(i);
            ControlFlow::<()>::Continue(())
        });
        near.iter()
            .try_for_each(|&i| self.parts[i as usize].as_shape().visit_parts_where(passes, visit))
    }

    pub(crate) fn visit_parts_in<B>(
        &self,
        near: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.tree.visit(
            |bounds| bounds.intersects_aabb(&near.bounds),
            |i| self.parts[i as usize].as_shape().visit_parts_in(near, visit),
        )
    }

    fn mapped(&self, f: impl Fn(&Shape) -> Shape) -> Self {
        Self::from_parts(self.parts.iter().map(f).collect())
    }
}

impl Transform for Compound {
    type Transformed = Self;

    fn apply_pose(&self, pose: &Pose) -> Self {
        self.mapped(|part| part.apply_pose(pose))
    }

    fn apply_translation(&self, by: Vec2) -> Self {
        self.mapped(|part| part.apply_translation(by))
    }

    fn apply_flip(&self, flip: Flip) -> Self {
        self.mapped(|part| part.flipped(flip))
    }
}
