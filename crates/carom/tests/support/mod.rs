//! What the tests share: an exact oracle with its own geometry, generators of nasty cases, and
//! the loop that runs one against the other.
#![allow(dead_code, reason = "each test crate uses its own part")]

pub mod cover;
pub mod depth;
pub mod int;
pub mod plane;
pub mod questions;
pub mod rng;
pub mod scene;
