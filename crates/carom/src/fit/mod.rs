//! Shapes fitted to pictures: hitboxes from sprites.
//!
//! A picture becomes a [`Bitmap`] by its alpha or by a colour; each function here fits one kind of shape
//! to it, in pixels from the bitmap's first corner. All of them cover every pixel that is set, but for
//! [`polygons_within`], which cover none that is clear, and [`polygons_approx`].
//!
//! | fit | shape |
//! | --- | --- |
//! | [`aabb`], [`obb`] | the smallest box, level or turned |
//! | [`circle`], [`ellipse`] | the smallest one around it |
//! | [`hull`] | the convex hull |
//! | [`polygons_around`], [`polygons_within`], [`polygons_approx`] | outlines with holes, simplified |
//! | [`convex_parts`] | the same in convex parts |
//! | [`boxes`] | a few boxes that together cover it |
//!
//! [`quality`] tells how good a fit is. For forgiving hitboxes, shrink a fit by pixels or percent
//! with [`grown`](crate::shape::Shape::grown).
//!
//! ```
//! use carom::fit;
//! use carom::prelude::*;
//! let sprite = Bitmap::from_rows(&["..##..", ".####.", "######", ".####."]);
//! let body = fit::aabb(&sprite).unwrap();
//! assert_eq!(body, Aabb::new([0.0, 0.0], [6.0, 4.0]));
//! assert_eq!(fit::quality(&sprite, &body).outside, 8.0); // so many pixels too many
//! let parts = fit::boxes(&sprite, 3);
//! assert!(fit::quality(&sprite, &Compound::new(parts)).outside < 8.0);
//! let forgiving = body.grown(-1.0)?;
//! # Ok::<(), ShapeError>(())
//! ```

mod boxes;
mod enclosing;
mod hull;
mod polygons;
mod quality;
mod simplify;

pub use boxes::boxes;
pub use enclosing::{circle, ellipse};
pub use hull::{aabb, hull, obb};
pub use polygons::{convex_parts, polygons_approx, polygons_around, polygons_within};
pub use quality::{FitQuality, quality};

#[cfg(doc)]
use crate::shape::Bitmap;
