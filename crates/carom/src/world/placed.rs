//! Shapes where their bodies have taken them.

use alloc::boxed::Box;
use alloc::sync::Arc;

use crate::math::{Pose, round};
use crate::shape::{Aabb, AsShape, Circle, Measure, Place, Point, Shape, ShapeRef};

/// A shape in its body's frame. What is small and common is kept here as well: moving it need not look
/// anywhere else.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    shape: Arc<Shape>,
    small: Option<Small>,
}

impl Local {
    pub fn new(shape: Arc<Shape>) -> Self {
        let small = match *shape {
            Shape::Point(point) => Some(Small::Point(point)),
            Shape::Circle(circle) => Some(Small::Circle(circle)),
            Shape::Aabb(aabb) => Some(Small::Aabb(aabb)),
            _ => None,
        };
        Self { shape, small }
    }

    #[inline]
    pub fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }

    /// Placed where it needs no memory of its own.
    #[inline]
    fn placed_small(&self, pose: &Pose) -> Option<Small> {
        match self.small? {
            Small::Point(point) => Some(Small::Point(point.placed(pose))),
            Small::Circle(circle) => Some(Small::Circle(circle.placed(pose))),
            // A box that still is one: the same corners as those of the `Rect` it would become.
            Small::Aabb(aabb) => pose.rotation.keeps_axes().then(|| {
                let [one, other] = [aabb.min(), aabb.max()].map(|corner| match pose.scale {
                    // The same sum, without the turn that leaves it as it is.
                    1.0 if pose.rotation.is_identity() => {
                        round(pose.position.as_dvec2() + corner.as_dvec2())
                    }
                    _ => pose.apply(corner),
                });
                Small::Aabb(Aabb::spanning(one.min(other), one.max(other)))
            }),
        }
    }
}

/// The smallest and most common shapes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Small {
    Point(Point),
    Circle(Circle),
    Aabb(Aabb),
}

/// A placed shape. Small ones are kept side by side, so that going through many of them is quick; a
/// large one stays in its own memory when it moves.
#[derive(Debug)]
pub(crate) enum Placed {
    Small(Small),
    Other(Box<Shape>),
}

impl Placed {
    pub fn new(local: &Local, pose: &Pose) -> Self {
        match local.placed_small(pose) {
            Some(small) => Self::Small(small),
            None => Self::Other(Box::new(local.shape().placed(pose))),
        }
    }

    /// Places the shape anew, in the memory it has.
    #[inline]
    pub fn set(&mut self, local: &Local, pose: &Pose) {
        match (local.placed_small(pose), &mut *self) {
            (Some(small), Self::Small(placed)) => *placed = small,
            // A box that stands straight for a moment keeps the memory for when it is turned again.
            (Some(small), Self::Other(placed)) => **placed = small.as_shape().to_shape(),
            (None, Self::Other(placed)) => local.shape().place_onto(pose, placed),
            (None, Self::Small(_)) => *self = Self::new(local, pose),
        }
    }

    #[inline]
    pub fn bounds(&self) -> Aabb {
        self.as_shape().bounds()
    }
}

impl AsShape for Small {
    #[inline(always)]
    fn as_shape(&self) -> ShapeRef<'_> {
        match self {
            Self::Point(point) => point.as_shape(),
            Self::Circle(circle) => circle.as_shape(),
            Self::Aabb(aabb) => aabb.as_shape(),
        }
    }
}

impl AsShape for Placed {
    #[inline(always)]
    fn as_shape(&self) -> ShapeRef<'_> {
        match self {
            Self::Small(small) => small.as_shape(),
            Self::Other(shape) => shape.as_shape(),
        }
    }
}

impl Default for Placed {
    fn default() -> Self {
        Self::Small(Small::Point(Point::new([0.0, 0.0])))
    }
}

impl Clone for Placed {
    fn clone(&self) -> Self {
        match self {
            Self::Small(small) => Self::Small(*small),
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
