//! carom: 2D collision detection and reaction for games.
#![no_std]

pub mod error;
pub mod math;
