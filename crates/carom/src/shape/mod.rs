//! The shapes, one file each, and what all of them share.
//!
//! | shape | description |
//! | --- | --- |
//! | [`Point`] | a single point |
//! | [`Segment`] | a line segment |
//! | [`Circle`], [`Ellipse`] | round and filled |
//! | [`Capsule`] | a segment with a radius |
//! | [`Aabb`], [`Obb`] | a box, axis-aligned (AABB) or oriented (OBB) |
//! | [`Triangle`], [`ConvexPolygon`] | filled and convex; a convex polygon may be rounded |
//! | [`Polygon`] | any simple outline, with holes |
//! | [`Chain`] | a polyline, open or closed |
//! | [`Compound`] | several shapes as one |
//! | [`TileMap`] | a grid of tiles of several kinds: solid, slope, one-way platform, ... |
//! | [`Mask`] | the set pixels of a [`Bitmap`], for pixel-perfect collision |
//!
//! [`Shape`] is any of them, [`ShapeRef`] any of them borrowed. All types have the same methods:
//! transforms ([`transformed`](Shape::transformed), [`translated`](Shape::translated), ...),
//! measures ([`bounds`](Shape::bounds), [`area`](Shape::area), ...), and the queries described in
//! [`query`](crate::query). No trait has to be imported. Code that is generic over shapes takes
//! [`AsShape`].
//!
//! Shapes are in world coordinates. To move one, keep the original and derive a transformed copy.
//! The constructors called `new` panic on invalid input; those called `try_new` return a
//! [`ShapeError`](crate::error::ShapeError).
//!
//! Two ideas carry all queries: a convex shape is a convex point set (a point, a segment or a
//! polygon) rounded by a radius; every other shape is a set of convex parts.

/// Calls a macro with a list of all shape types. Each entry has the fence that opens its
/// documentation examples, the type, the type of an owned copy, and the type of a transformed copy.
///
/// The methods that all shapes share are documented once, in a macro. Their examples are tested
/// for `Circle`; for the other types they are shown as text, so that they are not compiled again.
macro_rules! for_each_shape_type {
    ($callback:ident) => {
        $callback! {
            "```": Circle => Circle, Circle;
            "```text": Point => Point, Point;
            "```text": Segment => Segment, Segment;
            "```text": Ellipse => Ellipse, Ellipse;
            "```text": Capsule => Capsule, Capsule;
            "```text": Aabb => Aabb, Obb;
            "```text": Obb => Obb, Obb;
            "```text": Triangle => Triangle, Triangle;
            "```text": ConvexPolygon => ConvexPolygon, ConvexPolygon;
            "```text": Polygon => Polygon, Polygon;
            "```text": Chain => Chain, Chain;
            "```text": Compound => Compound, Compound;
            "```text": TileMap => TileMap, TileMap;
            "```text": Mask => Mask, Mask;
            "```text": Shape => Shape, Shape;
            "```text": ShapeRef<'_> => Shape, Shape;
        }
    };
}
pub(crate) use for_each_shape_type;

mod aabb;
pub(crate) mod bitmap;
mod bvh;
pub(crate) mod canonical;
mod capsule;
mod chain;
mod circle;
mod compound;
pub(crate) mod convex;
mod convex_polygon;
mod debug;
mod ellipse;
pub(crate) mod grid;
pub(crate) mod mask;
mod measure;
mod methods;
pub(crate) mod obb;
pub(crate) mod parts;
mod point;
pub(crate) mod polygon;
#[cfg(feature = "serde")]
pub mod repr;
mod resize;
mod segment;
pub(crate) mod tile_map;
mod triangle;
pub(crate) mod validate;

pub use aabb::Aabb;
pub use bitmap::{Bitmap, Island};
pub use capsule::Capsule;
pub use chain::Chain;
pub use circle::Circle;
pub use compound::Compound;
pub use convex_polygon::ConvexPolygon;
pub use ellipse::Ellipse;
pub use grid::Cell;
pub use mask::Mask;
pub use obb::Obb;
pub use point::Point;
pub use polygon::Polygon;
pub use segment::Segment;
pub use tile_map::{TileKind, TileMap};
pub use triangle::Triangle;

use core::fmt;

use glam::Vec2;

use crate::math::{Flip, Pose};

/// A view of a value as a shape. Every shape type, [`Shape`] and [`ShapeRef`] implement it, and
/// all queries accept it.
///
/// Implement it for your own types to pass them to queries:
///
/// ```
/// use carom::prelude::*;
/// struct Coin {
///     hitbox: Circle,
///     worth: u32,
/// }
/// impl AsShape for Coin {
///     fn as_shape(&self) -> ShapeRef<'_> {
///         self.hitbox.as_shape()
///     }
/// }
/// let coin = Coin { hitbox: Circle::new([1.0, 0.0], 1.0), worth: 5 };
/// let hero = Aabb::new([-1.0, -1.0], [0.5, 1.0]);
/// assert!(hero.intersects(&coin) && coin.worth == 5);
/// assert!(coin.as_shape().contact(&hero).is_some());
/// ```
pub trait AsShape {
    /// Returns the shape, borrowed.
    fn as_shape(&self) -> ShapeRef<'_>;
}

/// The transforms that each shape type implements; the public methods in `methods.rs` forward to
/// them.
pub(crate) trait Transform: Sized {
    /// The type of the result of a general transform: `Self`, but [`Obb`] for [`Aabb`].
    type Transformed;

    /// Scales, rotates and moves a copy of the shape.
    fn apply_pose(&self, pose: &Pose) -> Self::Transformed;

    /// Moves a copy of the shape.
    fn apply_translation(&self, by: Vec2) -> Self;

    /// Reflects a copy of the shape about the origin.
    fn apply_flip(&self, flip: Flip) -> Self;
}

/// Declares [`Shape`] and [`ShapeRef`] and the code that follows from the list of types alone.
macro_rules! shapes {
    ($($shape:ident: $doc:literal),* $(,)?) => {
        /// Any shape, for collections that mix them. Each shape type converts into it with `From`.
        ///
        /// ```
        /// use carom::prelude::*;
        /// let things: [Shape; 2] = [Circle::new([0.0, 0.0], 1.0).into(),
        ///                           Aabb::new([1.0, -1.0], [2.0, 1.0]).into()];
        /// assert!(things[0].intersects(&things[1]));
        /// ```
        // The size is 240 bytes because of `Obb`; a comment there gives the reason. A `Box` around it
        // would make every move of a box allocate, or take a branch to reuse the allocation.
        #[derive(Clone, PartialEq)]
        #[non_exhaustive]
        pub enum Shape {
            $(#[doc = $doc] $shape($shape),)*
        }

        /// Any shape, borrowed. All queries accept it.
        #[derive(Clone, Copy)]
        #[non_exhaustive]
        pub enum ShapeRef<'a> {
            $(#[doc = $doc] $shape(&'a $shape),)*
        }

        impl Shape {
            /// The names of all kinds of shapes, as returned by [`kind`](Self::kind).
            pub const KINDS: &'static [&'static str] = &[$(stringify!($shape)),*];

            /// Returns the name of this kind of shape, such as `"Circle"`.
            pub fn kind(&self) -> &'static str {
                match self { $(Self::$shape(_) => stringify!($shape),)* }
            }
        }

        impl ShapeRef<'_> {
            /// Returns an owned copy.
            pub fn to_shape(self) -> Shape {
                match self { $(Self::$shape(shape) => Shape::$shape(shape.clone()),)* }
            }

            /// Works like [`Transform::apply_pose`], but a box that stays axis-aligned stays an [`Aabb`], also as
            /// a part of a compound. A shape placed at a pose therefore always has the same type.
            pub(crate) fn apply_pose(&self, pose: &Pose) -> Shape {
                if let Self::Aabb(shape) = self && let Some(placed) = shape.placed(pose) {
                    return placed.into();
                }
                match self { $(Self::$shape(shape) => shape.apply_pose(pose).into(),)* }
            }

            pub(crate) fn apply_translation(&self, by: Vec2) -> Shape {
                match self { $(Self::$shape(shape) => shape.apply_translation(by).into(),)* }
            }

            pub(crate) fn apply_flip(&self, flip: Flip) -> Shape {
                match self { $(Self::$shape(shape) => shape.apply_flip(flip).into(),)* }
            }
        }

        impl AsShape for Shape {
            #[inline(always)]
            fn as_shape(&self) -> ShapeRef<'_> {
                match self { $(Self::$shape(shape) => ShapeRef::$shape(shape),)* }
            }
        }

        /// Prints the inner shape.
        impl fmt::Debug for Shape {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.as_shape().fmt(f)
            }
        }

        /// Prints the inner shape.
        impl fmt::Debug for ShapeRef<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self { $(Self::$shape(shape) => shape.fmt(f),)* }
            }
        }

        $(
            impl From<$shape> for Shape {
                fn from(shape: $shape) -> Self {
                    Self::$shape(shape)
                }
            }

            impl From<$shape> for alloc::sync::Arc<Shape> {
                fn from(shape: $shape) -> Self {
                    Self::new(shape.into())
                }
            }

            impl AsShape for $shape {
                #[inline(always)]
                fn as_shape(&self) -> ShapeRef<'_> {
                    ShapeRef::$shape(self)
                }
            }
        )*
    };
}

shapes! {
    Point: "A single point.",
    Segment: "A line segment.",
    Circle: "A filled circle.",
    Ellipse: "A filled ellipse.",
    Capsule: "A segment with a radius.",
    Aabb: "An axis-aligned box.",
    Obb: "An oriented box.",
    Triangle: "A filled triangle.",
    ConvexPolygon: "A filled convex polygon, optionally rounded.",
    Polygon: "A filled polygon with any simple outline, and holes.",
    Chain: "A polyline.",
    Compound: "Several shapes as one.",
    TileMap: "A grid of tiles.",
    Mask: "The set pixels of a bitmap.",
}

impl AsShape for ShapeRef<'_> {
    #[inline(always)]
    fn as_shape(&self) -> ShapeRef<'_> {
        *self
    }
}

impl Shape {
    pub(crate) fn apply_pose(&self, pose: &Pose) -> Self {
        self.as_shape().apply_pose(pose)
    }

    pub(crate) fn apply_translation(&self, by: Vec2) -> Self {
        self.as_shape().apply_translation(by)
    }

    pub(crate) fn apply_flip(&self, flip: Flip) -> Self {
        self.as_shape().apply_flip(flip)
    }

    /// Returns `true` if the shape owns heap buffers.
    fn owns_buffers(&self) -> bool {
        use Shape::{Chain, Compound, ConvexPolygon, Ellipse, Polygon};
        matches!(self, Ellipse(_) | ConvexPolygon(_) | Polygon(_) | Chain(_) | Compound(_))
    }

    /// Returns `true` if `other` can be transformed into this shape's buffers without allocating.
    pub(crate) fn has_buffers_for(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Compound(shape), Self::Compound(other)) => shape.has_buffers_for(other),
            _ if !self.owns_buffers() => !other.owns_buffers(),
            _ => core::mem::discriminant(self) == core::mem::discriminant(other),
        }
    }

    /// Replaces `target` by the transformed copy of this shape, reusing its buffers if possible.
    pub(crate) fn transform_into(&self, pose: &Pose, target: &mut Self) {
        match (self, target) {
            (Self::ConvexPolygon(shape), Self::ConvexPolygon(to)) => shape.transform_into(pose, to),
            (Self::Ellipse(shape), Self::Ellipse(to)) => shape.transform_into(pose, to),
            (Self::Chain(shape), Self::Chain(to)) => shape.transform_into(pose, to),
            (Self::Polygon(shape), Self::Polygon(to)) => shape.transform_into(pose, to),
            (Self::Compound(shape), Self::Compound(to)) if to.has_buffers_for(shape) => {
                shape.transform_into(pose, to);
            }
            (_, target) => *target = self.apply_pose(pose),
        }
    }
}
