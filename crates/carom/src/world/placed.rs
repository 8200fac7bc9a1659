//! Shapes where their bodies have taken them.

use alloc::boxed::Box;

use crate::math::Pose;
use crate::shape::{Aabb, AsShape, Circle, Measure, Place, Point, Shape, ShapeRef};

/// A placed shape. The smallest and most common ones are kept side by side, so that going through
/// many of them is quick; a large one stays in its own memory when it moves.
#[derive(Debug)]
pub(crate) enum Placed {
    Point(Point),
    Circle(Circle),
    Aabb(Aabb),
    Other(Box<Shape>),
}

impl Placed {
    pub fn new(shape: &Shape, pose: &Pose) -> Self {
        Self::small(shape, pose).unwrap_or_else(|| Self::Other(Box::new(shape.placed(pose))))
    }

    /// Places the shape anew, in the memory it has.
    #[inline]
    pub fn set(&mut self, shape: &Shape, pose: &Pose) {
        match (Self::small(shape, pose), &mut *self) {
            // A box that stands straight for a moment keeps the memory for when it is turned again.
            (Some(small), Self::Other(placed)) => **placed = small.as_shape().to_shape(),
            (Some(small), _) => *self = small,
            (None, Self::Other(placed)) => shape.place_onto(pose, placed),
            (None, _) => *self = Self::Other(Box::new(shape.placed(pose))),
        }
    }

    /// A placed shape that needs no memory of its own.
    #[inline]
    fn small(shape: &Shape, pose: &Pose) -> Option<Self> {
        match shape {
            Shape::Point(point) => Some(Self::Point(point.placed(pose))),
            Shape::Circle(circle) => Some(Self::Circle(circle.placed(pose))),
            // A box that still is one: the same corners as those of the `Rect` it would become.
            Shape::Aabb(aabb) if pose.rotation.keeps_axes() => {
                let [one, other] = [aabb.min(), aabb.max()].map(|corner| pose.apply(corner));
                Some(Self::Aabb(Aabb::spanning(one.min(other), one.max(other))))
            }
            _ => None,
        }
    }

    #[inline]
    pub fn bounds(&self) -> Aabb {
        self.as_shape().bounds()
    }
}

impl AsShape for Placed {
    #[inline(always)]
    fn as_shape(&self) -> ShapeRef<'_> {
        match self {
            Self::Point(point) => point.as_shape(),
            Self::Circle(circle) => circle.as_shape(),
            Self::Aabb(aabb) => aabb.as_shape(),
            Self::Other(shape) => shape.as_shape(),
        }
    }
}

impl Default for Placed {
    fn default() -> Self {
        Self::Point(Point::new([0.0, 0.0]))
    }
}

impl Clone for Placed {
    fn clone(&self) -> Self {
        match self {
            Self::Point(point) => Self::Point(*point),
            Self::Circle(circle) => Self::Circle(*circle),
            Self::Aabb(aabb) => Self::Aabb(*aabb),
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
