//! 2D collision detection and response for games: overlap tests, contacts, sweeps, ray casts, and
//! movement that slides, bounces and walks.
//!
//! Create any two shapes and query them:
//!
//! ```
//! use carom::prelude::*;
//!
//! let floor = Aabb::new([0.0, 0.0], [10.0, 1.0]);
//! let crate_ = Obb::new([4.0, 1.75], [1.0, 1.0], 0.0); // It has sunk in by a quarter.
//!
//! let contact = crate_.contact(&floor).unwrap();
//! assert_eq!((contact.normal, contact.depth), (Vec2::new(0.0, 1.0), 0.25));
//!
//! let resting = crate_.translated(contact.push);
//! assert!(resting.intersects(&floor)); // It touches the floor
//! assert!(!resting.overlaps(&floor)); // and does not overlap it.
//! ```
//!
//! All kinds of shapes fit into one collection as [`Shape`]. Here a shot finds the first thing that
//! it hits, however fast it flies:
//!
//! ```
//! use carom::prelude::*;
//!
//! let level: Vec<Shape> = vec![
//!     Polygon::new(&[[6.0, 0.0], [9.0, 0.0], [9.0, 4.0], [8.0, 1.0], [7.0, 1.0]]).into(),
//!     Circle::new([4.0, 1.5], 1.0).into(),
//!     Chain::new(&[[0.0, 0.0], [20.0, 0.0]]).into(),
//! ];
//! let shot = Circle::new([0.0, 2.0], 0.25);
//! let motion = Vec2::new(5000.0, 0.0);
//!
//! let hits = level.iter().enumerate().filter_map(|(i, thing)| Some((i, shot.sweep(motion, thing)?)));
//! let (first, hit) = hits.min_by(|a, b| a.1.time.total_cmp(&b.1.time)).unwrap();
//! assert_eq!(first, 1); // The circle.
//! assert!(!shot.translated(motion * hit.time).overlaps(&level[first])); // It stops before it.
//! ```
//!
//! # Modules
//!
//! Each module uses only those before it; read them in this order.
//!
//! | module | contents |
//! | --- | --- |
//! | [`math`] | vectors, [`Pose`], and the exact predicates on which all queries rest |
//! | [`shape`] | the shapes; transforming, measuring and resizing them |
//! | [`query`] | the queries about two shapes, and rays (narrow phase) |
//! | [`broad`] | finding the boxes that intersect, among many (broad phase) |
//! | [`fit`] | shapes from images: boxes, circles, hulls and outlines around sprites |
//! | [`sheet`] | the boxes of a sprite, frame by frame |
//! | [`world`] | bodies with colliders: contact events and spatial queries |
//! | [`motion`] | moving bodies so that they stop, slide, bounce and walk |
//! | [`draw`] | drawings of shapes and worlds, on any canvas |
//! | [`error`] | the errors of shape constructors |
//! | [`prelude`] | the names that most games use |
//!
//! carom is kinematic: it has no forces, joints or friction. You move things, or let them travel and
//! walk; carom reports what they hit and where they stop.
//!
//! # Exactness
//!
//! Inputs are `f32`, and so are the vertices of a transformed shape: computed in `f64` and rounded
//! once. For these numbers [`intersects`](Shape::intersects) and [`overlaps`](Shape::overlaps) are
//! exact: a floating-point filter with a proven error bound decides nearly always, exact arithmetic
//! decides the rest. [`contains`](Shape::contains) is exact, too, with one documented exception for
//! round shapes in compounds and rotated tile maps. An [`Ellipse`] is a polygon with 256 vertices,
//! and exact as such. Depths, distances and times are computed in `f64` and rounded to `f32`. A push
//! is rounded so that the separated shapes do not overlap, and a time so that the shapes do not
//! overlap yet.
//!
//! # Determinism
//!
//! The same input gives the same bits. Only `+ - * /`, the correctly rounded square root and `libm`
//! are used: no platform sine, no fused multiply-add, no order that depends on addresses, hashes or
//! the number of threads. A test compares a hash of many results with a committed one.
//!
//! # Features
//!
//! - `std` (on by default): uses the standard library's square root, which is faster than `libm`'s
//!   and gives the same bits, and detects the features of the CPU. Without it the crate needs only
//!   `alloc`.
//! - `serde`: reads and writes shapes, sheets and worlds, and writes the results of queries. The
//!   module `shape::repr` describes the format of shapes.
//! - `schemars`: JSON Schemas of shapes, sheets and settings.
//! - `parallel`: [`Strips`](broad::Strips) and [`World`](world::World) use several threads if there
//!   is enough work. The results have the same bits with any number of threads.
//! - `mint`, `glam-027` to `glam-033`: accept the vectors of these crates wherever a vector is
//!   expected.
#![forbid(unsafe_code)]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(missing_docs)]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod broad;
pub mod draw;
pub mod error;
pub mod fit;
pub mod math;
pub mod motion;
#[cfg(test)]
mod operation_count;
pub mod query;
pub mod shape;
pub mod sheet;
mod suggest;
pub mod world;

pub use glam;

pub use crate::error::ShapeError;
pub use crate::math::{Flip, Pose, Rotation, Vec2};
pub use crate::shape::{
    Aabb, AsShape, Bitmap, Capsule, Cell, Chain, Circle, Compound, ConvexPolygon, Ellipse, Mask,
    Obb, Point, Polygon, Segment, Shape, ShapeRef, TileKind, TileMap, Triangle,
};

pub mod prelude {
    //! The names that most games use: `use carom::prelude::*;`.
    //!
    //! Everything else is one path away, for example [`query::RigidMotion`](crate::query::RigidMotion)
    //! or [`sheet::Sheet`](crate::sheet::Sheet).
    //!
    //! Some engines export types with the same names, such as `Circle` in Bevy's prelude. Next to
    //! such a glob, import single names (`use carom::{Aabb, Obb};`) or write `carom::Circle` in
    //! full. No method needs a trait in scope.

    pub use crate::error::ShapeError;
    pub use crate::math::{Flip, Pose, Rotation, Vec2};
    pub use crate::motion::{JumpGrace, Response, Travel, Walker, WalkerState};
    pub use crate::query::{ClosestPoints, Contact, Ray, RayHit, Relation, SweepHit};
    pub use crate::shape::{
        Aabb, AsShape, Bitmap, Capsule, Cell, Chain, Circle, Compound, ConvexPolygon, Ellipse,
        Mask, Obb, Point, Polygon, Segment, Shape, ShapeRef, TileKind, TileMap, Triangle,
    };
    pub use crate::world::{
        Body, BodyKey, Collider, ColliderKey, Filter, Layers, World, WorldError,
    };
}

/// The examples in the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The examples in the guide, as tests.
#[cfg(doctest)]
mod guide {
    macro_rules! chapters {
        ($($name:ident: $file:literal),* $(,)?) => {
            $(#[doc = include_str!(concat!("../../../docs/src/", $file))] struct $name;)*
        };
    }
    chapters! {
        Introduction: "introduction.md",
        World: "world.md",
        GameLoop: "game-loop.md",
        Shapes: "shapes.md",
        Touching: "touching.md",
        SeparatingAxes: "separating-axes.md",
        CirclesAndBoxes: "circles-and-boxes.md",
        Polygons: "polygons.md",
        Masks: "masks.md",
        BroadPhases: "broad-phases.md",
        Tiles: "tiles.md",
        Reaction: "reaction.md",
        Travel: "travel.md",
        Walking: "walking.md",
        OneWay: "one-way.md",
        Rays: "rays.md",
        Bullets: "bullets.md",
        Hitboxes: "hitboxes.md",
        Cookbook: "cookbook.md",
        Platformer: "platformer.md",
        Precision: "precision.md",
        Promises: "promises.md",
        Rollback: "rollback.md",
        Speed: "speed.md",
        OtherEngines: "other-engines.md",
        Glossary: "glossary.md",
    }
}
