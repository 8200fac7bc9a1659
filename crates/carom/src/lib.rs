//! carom: 2D collision detection and reaction for games.
#![no_std]

extern crate alloc;

pub mod error;
pub mod math;
mod shape;
