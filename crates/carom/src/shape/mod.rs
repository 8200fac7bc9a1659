//! The shapes, a file each, and what all of them share.
//!
//! | shape | what it is |
//! | --- | --- |
//! | [`Point`] | a single point |
//! | [`Segment`] | a straight line between two points |
//! | [`Circle`], [`Ellipse`] | round and filled |
//! | [`Capsule`] | a segment with a radius |
//! | [`Aabb`], [`Obb`] | a box, axis-aligned or turned |
//! | [`Triangle`], [`ConvexPolygon`] | filled and convex; a polygon may be rounded |
//! | [`Polygon`] | any simple outline, with holes |
//! | [`Chain`] | a line through points, open or closed |
//! | [`Compound`] | several shapes as one |
//! | [`TileMap`] | a grid of tiles, each of a kind: solid, a slope, a platform, ... |
//! | [`Mask`] | the pixels of a [`Bitmap`], as small squares |
//!
//! [`Shape`] is any of them, [`ShapeRef`] any of them borrowed.
//!
//! Every shape lives in world coordinates: it can be asked about as it is. To move one, keep the
//! original and derive the placed version ([`Place`]). What a shape alone can tell, its bounds or
//! its area, is in [`Measure`]; growing and shrinking in [`Resize`]. The constructors called `new`
//! panic on bad input; those called `try_new` give a [`ShapeError`](crate::error::ShapeError).
//!
//! Two ideas carry all questions: a convex shape is a core (a point, a segment or a convex polygon)
//! and a radius; everything else is many convex shapes.

mod aabb;
pub(crate) mod bitmap;
mod bvh;
mod capsule;
mod chain;
mod circle;
mod compound;
pub(crate) mod convex;
mod convex_polygon;
mod ellipse;
pub(crate) mod grid;
pub(crate) mod mask;
mod measure;
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
pub use measure::Measure;
pub use obb::Obb;
pub use point::Point;
pub use polygon::Polygon;
pub use resize::Resize;
pub use segment::Segment;
pub use tile_map::{TileKind, TileMap};
pub use triangle::Triangle;

use glam::Vec2;

use crate::math::{Flip, Pose};

/// Whatever can be looked at as a shape: each shape type, [`Shape`] and [`ShapeRef`].
///
/// A type of your own that has a shape can be asked about like one:
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
/// assert!(coin.intersects(&Point::new([0.0, 0.0])) && coin.worth == 5);
/// ```
pub trait AsShape {
    /// The shape, borrowed.
    fn as_shape(&self) -> ShapeRef<'_>;
}

/// Moving, turning, scaling and mirroring: a placed version is derived, the original stays as it is.
///
/// ```
/// use carom::prelude::*;
/// let sword = Segment::new([0.0, 0.0], [2.0, 0.0]);
/// let raised = sword.rotated(core::f32::consts::FRAC_PI_2, sword.a());
/// assert_eq!((raised.a(), raised.b()), (Vec2::ZERO, Vec2::new(0.0, 2.0)));
/// let carried = sword.transformed(&Pose::new([5.0, 1.0], 0.0).with_scale(0.5));
/// assert_eq!((carried.a(), carried.b()), (Vec2::new(5.0, 1.0), Vec2::new(6.0, 1.0)));
/// ```
pub trait Place: Sized {
    /// What the placed version is: the same type, but for [`Aabb`], which becomes a [`Obb`].
    type Placed;

    /// The shape scaled, turned and moved.
    #[must_use]
    fn transformed(&self, pose: &Pose) -> Self::Placed;

    /// The shape moved by a vector.
    #[must_use]
    fn translated(&self, by: impl Into<Vec2>) -> Self;

    /// The shape turned about a pivot by an angle in radians.
    #[must_use]
    fn rotated(&self, angle: f32, pivot: impl Into<Vec2>) -> Self::Placed {
        self.transformed(&Pose::rotation_about(pivot, angle))
    }

    /// The shape scaled about a pivot.
    #[must_use]
    fn scaled(&self, factor: f32, pivot: impl Into<Vec2>) -> Self::Placed {
        self.transformed(&Pose::scale_about(pivot, factor))
    }

    /// The mirror image about the origin: coordinates change their sign, and nothing is rounded.
    /// Mirrored twice, a shape is itself again, bit for bit.
    ///
    /// Outlines keep their winding; the front of a one-sided chain stays on the same side of the
    /// picture.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let foot = Obb::new([2.0, 0.5], [1.0, 0.5], 0.3);
    /// assert_eq!(foot.flipped(Flip::X), Obb::new([-2.0, 0.5], [1.0, 0.5], -0.3));
    /// ```
    #[must_use]
    fn flipped(&self, mirror: Flip) -> Self;
}

/// Declares the enums of all shapes and what follows from the list alone.
macro_rules! shapes {
    ($($shape:ident: $what:literal),* $(,)?) => {
        /// Any shape, for collections that mix them. Each type converts into it with `From`.
        ///
        /// ```
        /// use carom::prelude::*;
        /// let things: [Shape; 2] = [Circle::new([0.0, 0.0], 1.0).into(),
        ///                           Aabb::new([1.0, -1.0], [2.0, 1.0]).into()];
        /// assert!(things[0].intersects(&things[1]));
        /// ```
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Shape {
            $(#[doc = $what] $shape($shape),)*
        }

        /// Any shape, borrowed: what the questions take.
        #[derive(Clone, Copy, Debug)]
        #[non_exhaustive]
        pub enum ShapeRef<'a> {
            $(#[doc = $what] $shape(&'a $shape),)*
        }

        impl Shape {
            /// The name of each kind of shape, as in its type.
            pub const KINDS: &'static [&'static str] = &[$(stringify!($shape)),*];

            /// The name of this shape's kind.
            pub fn kind(&self) -> &'static str {
                match self { $(Self::$shape(_) => stringify!($shape),)* }
            }
        }

        impl AsShape for Shape {
            #[inline(always)]
            fn as_shape(&self) -> ShapeRef<'_> {
                match self { $(Self::$shape(shape) => ShapeRef::$shape(shape),)* }
            }
        }

        impl Place for Shape {
            type Placed = Self;

            fn transformed(&self, pose: &Pose) -> Self {
                match self { $(Self::$shape(shape) => shape.transformed(pose).into(),)* }
            }

            fn translated(&self, by: impl Into<Vec2>) -> Self {
                let by = by.into();
                match self { $(Self::$shape(shape) => shape.translated(by).into(),)* }
            }

            fn flipped(&self, mirror: Flip) -> Self {
                match self { $(Self::$shape(shape) => shape.flipped(mirror).into(),)* }
            }
        }

        impl ShapeRef<'_> {
            /// A copy that owns its data.
            pub fn to_shape(self) -> Shape {
                match self { $(Self::$shape(shape) => Shape::$shape(shape.clone()),)* }
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
    Segment: "A straight line between two points.",
    Circle: "A filled circle.",
    Ellipse: "A filled ellipse.",
    Capsule: "A segment with a radius.",
    Aabb: "An axis-aligned box.",
    Obb: "An oriented box.",
    Triangle: "A filled triangle.",
    ConvexPolygon: "A filled convex polygon, plain or rounded.",
    Polygon: "A filled polygon of any simple outline, with holes.",
    Chain: "A line through points.",
    Compound: "Several shapes as one.",
    TileMap: "A grid of tiles.",
    Mask: "The pixels of a bitmap.",
}

impl Shape {
    /// Whether it has lists of its own.
    pub(crate) fn has_lists(&self) -> bool {
        use Shape::{Chain, Compound, ConvexPolygon, Ellipse, Polygon};
        matches!(self, Ellipse(_) | ConvexPolygon(_) | Polygon(_) | Chain(_) | Compound(_))
    }

    /// Whether it has the lists that another shape needs, so that that can be placed onto it without
    /// taking memory.
    pub(crate) fn suits(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Compound(shape), Self::Compound(other)) => shape.suits(other),
            _ if !self.has_lists() => !other.has_lists(),
            _ => ::core::mem::discriminant(self) == ::core::mem::discriminant(other),
        }
    }

    /// Puts the placed version in the place of another shape, in its memory where that can be.
    pub(crate) fn place_onto(&self, pose: &Pose, target: &mut Self) {
        match (self, target) {
            (Self::ConvexPolygon(shape), Self::ConvexPolygon(to)) => shape.place_onto(pose, to),
            (Self::Ellipse(shape), Self::Ellipse(to)) => shape.place_onto(pose, to),
            (Self::Chain(shape), Self::Chain(to)) => shape.place_onto(pose, to),
            (Self::Polygon(shape), Self::Polygon(to)) => shape.place_onto(pose, to),
            (Self::Compound(shape), Self::Compound(to)) if to.suits(shape) => {
                shape.place_onto(pose, to);
            }
            (_, target) => *target = self.transformed(pose),
        }
    }
}

impl AsShape for ShapeRef<'_> {
    #[inline(always)]
    fn as_shape(&self) -> ShapeRef<'_> {
        *self
    }
}
