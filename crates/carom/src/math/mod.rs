//! Vectors, poses and the exact predicates that all verdicts rest on.

pub mod exact;

pub use glam::Vec2;
