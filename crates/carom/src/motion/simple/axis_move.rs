//! What the methods that work axis by axis answer with.

use glam::Vec2;

/// What became of a motion, axis by axis.
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
    /// What to add to the mover's position.
    pub motion: Vec2,
    /// Which way obstacles pushed it along each axis: −1, 0 where none did, or 1.
    pub pushed: Vec2,
}

impl AxisMove {
    /// The motion wanted, before anything is in its way. One that is not finite goes nowhere.
    pub(super) fn wanted(motion: Vec2) -> Self {
        let motion = if motion.is_finite() { motion } else { Vec2::ZERO };
        Self { motion, pushed: Vec2::ZERO }
    }

    /// Takes note of a push along an axis, given as a unit vector.
    pub(super) fn push(&mut self, way: Vec2) {
        self.pushed = Vec2::select(way.cmpne(Vec2::ZERO), way, self.pushed);
    }
}
