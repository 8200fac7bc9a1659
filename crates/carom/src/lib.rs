//! carom: 2D collision detection and reaction for games.
#![no_std]
#![deny(missing_docs)]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod error;
pub mod math;
pub mod query;
pub mod shape;

/// Everything most programs need, in one line: `use carom::prelude::*;`.
pub mod prelude {
    pub use crate::error::ShapeError;
    pub use crate::math::{Pose, Rotation, Vec2};
    pub use crate::query::*;
    pub use crate::shape::*;
}
