//! The inputs in the peers' own types, and their answers in the bench's.

pub mod box2d;
pub mod parry;
pub mod pygame;
