//! Sprites: shapes fitted to bitmaps, and sheets of animation frames with named boxes.

#[macro_use]
#[path = "../support/mod.rs"]
mod support;

mod fit;
mod sheets;
