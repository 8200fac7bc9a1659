//! Converts inputs to the types of the other libraries, and their results to those of the bench.

pub mod box2d;
pub mod parry;
pub mod pygame;
