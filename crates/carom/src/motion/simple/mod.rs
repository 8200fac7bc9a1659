//! The classic methods: small functions that need no world.

mod axis_move;
mod before_after;
mod clear_along;
mod direction_velocity;
mod maze;
mod push_out;
mod shallow_axis;
mod speculative;

pub use axis_move::AxisMove;
pub use before_after::{BoxObstacle, before_after};
pub use direction_velocity::direction_velocity;
pub use maze::{Heading, MazeMover, open_in};
pub use push_out::push_out;
pub use shallow_axis::shallow_axis;
pub use speculative::speculative;
