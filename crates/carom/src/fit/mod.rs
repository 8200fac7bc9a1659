//! Fitting of shapes to bitmaps: hitboxes from sprites.
//!
//! The alpha channel of a sprite, or one of its colors, selects the pixels of a [`Bitmap`]. Each function here
//! fits one kind of shape to the bitmap, in pixels from its first corner. The shapes cover all set pixels, except
//! for those of [`polygons_within`], which cover no clear pixel, and of [`polygons_approx`].
//!
//! | fit | shape |
//! | --- | --- |
//! | [`aabb`], [`obb`] | the smallest axis-aligned or oriented box |
//! | [`circle`], [`ellipse`] | the smallest enclosing circle or ellipse |
//! | [`hull`] | the convex hull |
//! | [`polygons_around`], [`polygons_within`], [`polygons_approx`] | simplified outlines with holes |
//! | [`convex_parts`] | a convex decomposition of the outlines |
//! | [`boxes`] | a few axis-aligned boxes that together cover the set pixels |
//!
//! [`quality`] measures a fit. For forgiving hitboxes, shrink a fit by pixels or percent
//! with [`grown`](crate::shape::Shape::grown).
//!
//! ```
//! use carom::fit;
//! use carom::prelude::*;
//! let sprite = Bitmap::from_rows(&["..##..", ".####.", "######", ".####."]);
//! let body = fit::aabb(&sprite).unwrap();
//! assert_eq!(body, Aabb::new([0.0, 0.0], [6.0, 4.0]));
//! assert_eq!(fit::quality(&sprite, &body).outside, 8.0); // pixels
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
