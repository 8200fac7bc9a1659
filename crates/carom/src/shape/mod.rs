//! The shapes.

mod polygon;
