//! The result of the methods that work axis by axis.

use glam::Vec2;

/// A motion after its collisions, axis by axis.
///
/// ```
/// use carom::prelude::*;
/// use carom::motion::direction_velocity;
/// let hero = Aabb::new([0.0, 0.0], [1.0, 2.0]);
/// let floor = Aabb::new([-5.0, -1.0], [5.0, 0.0]);
/// let fall = direction_velocity(&hero, [0.5, -0.25], [&floor]);
/// assert_eq!(fall.motion, Vec2::new(0.5, 0.0));
/// assert_eq!(fall.pushed, Vec2::new(0.0, 1.0)); // it stands
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AxisMove {
    /// The motion to add to the mover's position.
    pub motion: Vec2,
    /// The direction in which obstacles pushed the mover along each axis: −1, 1, or 0 if none did.
    pub pushed: Vec2,
}

impl AxisMove {
    /// Creates the result for a motion without obstacles. A motion that is not finite becomes zero.
    pub(super) fn wanted(motion: Vec2) -> Self {
        let motion = if motion.is_finite() { motion } else { Vec2::ZERO };
        Self { motion, pushed: Vec2::ZERO }
    }

    /// Records a push along an axis, given as a unit vector.
    pub(super) fn push(&mut self, direction: Vec2) {
        self.pushed = Vec2::select(direction.cmpne(Vec2::ZERO), direction, self.pushed);
    }
}
