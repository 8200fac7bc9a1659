//! The shapes of colliders, in body space and in world space.

use alloc::boxed::Box;
use alloc::sync::Arc;

use crate::math::Pose;
use crate::shape::{Aabb, AsShape, Circle, Point, Shape, ShapeRef, Transform};

/// A shape in body space. Small and common shapes are also stored inline, so that moving them needs no
/// pointer access.
#[derive(Clone, Debug)]
pub(crate) struct LocalShape {
    shape: Arc<Shape>,
    inline: Option<InlineShape>,
}

impl LocalShape {
    pub fn new(shape: Arc<Shape>) -> Self {
        let inline = match *shape {
            Shape::Point(point) => Some(InlineShape::Point(point)),
            Shape::Circle(circle) => Some(InlineShape::Circle(circle)),
            Shape::Aabb(aabb) => Some(InlineShape::Aabb(aabb)),
            _ => None,
        };
        Self { shape, inline }
    }

    #[inline]
    pub fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }

    /// Returns the shape, to edit one that is not stored inline.
    pub fn shape_mut(&mut self) -> &mut Arc<Shape> {
        &mut self.shape
    }

    /// Returns `true` if the shape is small and common: a point, a circle or an axis-aligned box.
    pub fn is_small(&self) -> bool {
        self.inline.is_some()
    }

    /// Returns the shape if it is an axis-aligned box.
    #[inline]
    pub fn as_box(&self) -> Option<&Aabb> {
        match &self.inline {
            Some(InlineShape::Aabb(aabb)) => Some(aabb),
            _ => None,
        }
    }

    /// Returns the shape placed at a pose if the result is small enough to be stored inline.
    #[inline]
    fn place_inline(&self, pose: &Pose) -> Option<InlineShape> {
        match self.inline? {
            InlineShape::Point(point) => Some(InlineShape::Point(point.apply_pose(pose))),
            InlineShape::Circle(circle) => Some(InlineShape::Circle(circle.apply_pose(pose))),
            InlineShape::Aabb(aabb) => aabb.placed(pose).map(InlineShape::Aabb),
        }
    }
}

impl Default for LocalShape {
    fn default() -> Self {
        Self::new(Arc::new(Point::new([0.0, 0.0]).into()))
    }
}

/// A shape that is small enough to be stored inline.
#[derive(Clone, Copy, Debug)]
pub(crate) enum InlineShape {
    Point(Point),
    Circle(Circle),
    Aabb(Aabb),
}

/// A shape in world space. Small ones are stored inline, so that iterating over many of them is fast. A
/// large one keeps its allocation when it moves.
#[derive(Debug)]
pub(crate) enum PlacedShape {
    Inline(InlineShape),
    Other(Box<Shape>),
}

impl PlacedShape {
    pub fn new(local: &LocalShape, pose: &Pose) -> Self {
        match local.place_inline(pose) {
            Some(small) => Self::Inline(small),
            None => Self::Other(Box::new(local.shape().apply_pose(pose))),
        }
    }

    /// Drops the content that the shape shares with others, but keeps the allocation. It must be placed again.
    pub fn release(&mut self) {
        if let Self::Other(shape) = self {
            **shape = Point::new([0.0, 0.0]).into();
        }
    }

    /// Returns `true` if `local` can be placed at `pose` without a new allocation.
    pub fn can_hold(&self, local: &LocalShape, pose: &Pose) -> bool {
        match self {
            Self::Inline(_) => match local.inline {
                Some(InlineShape::Aabb(_)) => pose.rotation.keeps_axes_aligned(),
                small => small.is_some(),
            },
            Self::Other(placed) => placed.has_buffers_for(&local.shape),
        }
    }

    /// Places `local` at `pose` and returns the bounds. Reuses the allocation.
    #[inline(always)]
    pub fn place_at(&mut self, local: &LocalShape, pose: &Pose) -> Aabb {
        if let Self::Inline(placed) = self
            && pose.is_translation()
        {
            match &local.inline {
                Some(InlineShape::Aabb(aabb)) => {
                    let aabb = aabb.apply_translation(pose.position);
                    *placed = InlineShape::Aabb(aabb);
                    return aabb;
                }
                Some(InlineShape::Circle(circle)) => {
                    let circle = circle.apply_translation(pose.position);
                    *placed = InlineShape::Circle(circle);
                    return circle.bounds();
                }
                _ => {}
            }
        }
        self.place_any_at(local, *pose)
    }

    #[inline(never)] // keeps the fast path small
    fn place_any_at(&mut self, local: &LocalShape, pose: Pose) -> Aabb {
        match (local.place_inline(&pose), &mut *self) {
            (Some(small), Self::Inline(placed)) => *placed = small,
            // A rotated box that becomes axis-aligned keeps its allocation for the next rotation.
            (Some(small), Self::Other(placed)) => **placed = small.as_shape().to_shape(),
            (None, Self::Other(placed)) => local.shape().transform_into(&pose, placed),
            (None, Self::Inline(_)) => *self = Self::new(local, &pose),
        }
        self.as_shape().bounds()
    }

    #[inline]
    pub fn bounds(&self) -> Aabb {
        match self {
            Self::Inline(InlineShape::Aabb(aabb)) => *aabb,
            _ => self.bounds_of_other(),
        }
    }

    #[inline(never)] // keeps the fast path small
    fn bounds_of_other(&self) -> Aabb {
        self.as_shape().bounds()
    }
}

impl AsShape for InlineShape {
    #[inline(always)]
    fn as_shape(&self) -> ShapeRef<'_> {
        match self {
            Self::Point(point) => point.as_shape(),
            Self::Circle(circle) => circle.as_shape(),
            Self::Aabb(aabb) => aabb.as_shape(),
        }
    }
}

impl AsShape for PlacedShape {
    #[inline(always)]
    fn as_shape(&self) -> ShapeRef<'_> {
        match self {
            Self::Inline(small) => small.as_shape(),
            Self::Other(shape) => shape.as_shape(),
        }
    }
}

impl Default for PlacedShape {
    fn default() -> Self {
        Self::Inline(InlineShape::Point(Point::new([0.0, 0.0])))
    }
}

impl Clone for PlacedShape {
    fn clone(&self) -> Self {
        match self {
            Self::Inline(small) => Self::Inline(*small),
            Self::Other(shape) => Self::Other(shape.clone()),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (Self::Other(shape), Self::Other(source)) => shape.clone_from(source),
            (this, _) => *this = source.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::math::Vec2;
    use crate::shape::{Chain, Compound, ConvexPolygon, Ellipse, Polygon};

    /// Returns the points of all parts as bits, in order.
    fn parts(placed: &PlacedShape) -> Vec<(Vec<[u32; 2]>, Option<Vec2>)> {
        let mut parts = Vec::new();
        placed.as_shape().for_each_part(&mut |part| {
            let points = part.convex.points.iter().map(|point| point.to_array().map(f32::to_bits));
            parts.push((points.collect(), part.one_way_direction));
        });
        parts
    }

    #[test]
    fn placing_in_an_old_allocation_gives_the_same_bits_as_a_new_one() {
        let outline = [[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [3.0, 3.0], [3.5, 1.0], [0.0, 3.0]];
        let hole = alloc::vec![[1.0, 0.5], [2.0, 0.5], [1.5, 1.0]];
        let polygon = Polygon::with_holes(&outline, &[hole]);
        let chain = Chain::closed(&outline).one_sided();
        let shapes: [Shape; 6] = [
            Aabb::new([-1.0, -2.0], [3.0, 1.0]).into(),
            ConvexPolygon::rounded(&outline[..3], 0.5).into(),
            Ellipse::new([1.0, 0.0], [3.0, 0.5], 0.4).into(),
            chain.clone().into(),
            polygon.clone().into(),
            Compound::new([
                Shape::from(polygon),
                chain.into(),
                Circle::new([0.0, 0.0], 1.0).into(),
            ])
            .into(),
        ];
        // Far from the origin, parts degenerate by rounding; back at the origin they must be restored.
        let poses = [
            Pose::new([3.0, 4.0], 0.7),
            Pose::from_translation([1e8, -3e7]),
            Pose::new([0.1, 0.2], 3.0).with_scale(1e-3),
            Pose::new([5e6, 0.0], 1.0),
            Pose::IDENTITY,
        ];
        for shape in shapes {
            let local = LocalShape::new(Arc::new(shape));
            let mut placed = PlacedShape::new(&local, &Pose::IDENTITY);
            for pose in &poses {
                placed.place_at(&local, pose);
                let expected = PlacedShape::new(&local, pose);
                assert_eq!(parts(&placed), parts(&expected), "{:?} at {pose:?}", local.shape());
                assert_eq!(placed.bounds(), expected.bounds());
            }
        }
    }
}
