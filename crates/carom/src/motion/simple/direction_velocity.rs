//! Direction and velocity: one axis at a time, pushed back against the motion.

use crate::math::IntoVec2;
use glam::Vec2;

use crate::motion::simple::AxisMove;
use crate::motion::simple::clear_along::clear_along;
use crate::shape::AsShape;

/// Moves a shape along x and pushes it back, against the motion, out of the obstacles that it has entered.
/// Then does the same along y.
///
/// Many games with boxes use this method: the mover slides along walls and floors, never catches on the
/// seams between tiles, and comes to rest in exact contact. It accepts all shapes, but nothing slides along
/// a slope, because it moves along the axes only. A motion that is not finite counts as zero.
///
/// ```
/// use carom::prelude::*;
/// use carom::motion::direction_velocity;
/// let hero = Aabb::new([0.0, 0.0], [1.0, 2.0]);
/// let room = [
///     Aabb::new([0.0, -1.0], [1.0, 0.0]), // two tiles of the floor
///     Aabb::new([1.0, -1.0], [2.0, 0.0]),
///     Aabb::new([2.0, -1.0], [3.0, 4.0]), // and a wall
/// ];
/// let step = direction_velocity(&hero, [1.5, -0.5], &room);
/// assert_eq!(step.motion, Vec2::new(1.0, 0.0));
/// assert_eq!(step.pushed, Vec2::new(-1.0, 1.0)); // stopped by the wall, held by the floor
/// ```
///
/// # Weakness
///
/// The method assumes that the motion has caused every overlap. If a lift has risen into the hero's feet by
/// a little, a step to the right throws the hero back to the left end of the lift. And it tests only the end
/// of the motion along each axis: a mover that moves farther than its size may tunnel through a wall.
///
/// ```
/// use carom::prelude::*;
/// use carom::motion::direction_velocity;
/// let hero = Aabb::new([5.0, 0.0], [6.0, 2.0]);
/// let lift = Aabb::new([0.0, -1.0], [9.0, 0.0]).translated([0.0, 0.125]);
/// let step = direction_velocity(&hero, [0.25, 0.0], [&lift]);
/// assert_eq!(step.motion, Vec2::new(-6.0, 0.0));
///
/// let wall = Aabb::new([8.0, 0.0], [8.5, 9.0]);
/// assert_eq!(direction_velocity(&hero, [4.0, 0.0], [&wall]).motion, Vec2::new(4.0, 0.0));
/// ```
pub fn direction_velocity<'a, S: AsShape + 'a>(
    mover: &impl AsShape,
    motion: impl IntoVec2,
    obstacles: impl IntoIterator<Item = &'a S, IntoIter: Clone>,
) -> AxisMove {
    let (mover, obstacles) = (mover.as_shape().to_shape(), obstacles.into_iter());
    let wanted = AxisMove::wanted(motion.into_vec2()).motion;
    let mut step = AxisMove::wanted(Vec2::ZERO);
    for axis in [Vec2::X, Vec2::Y] {
        let along = wanted * axis;
        if along == Vec2::ZERO {
            continue; // there is no direction to push back
        }
        let (end, back) = (step.motion + along, -along.signum() * axis);
        step.motion = clear_along(&mover, end, back, obstacles.clone());
        if step.motion != end {
            step.push(back);
        }
    }
    step
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Aabb, Circle, TileMap};

    #[test]
    fn zero_and_motions_that_are_not_finite_go_nowhere() {
        let hero = Aabb::new([0.0, 0.0], [1.0, 1.0]);
        let block = [Aabb::new([0.5, 0.5], [2.0, 2.0])];
        for motion in [[0.0, 0.0], [f32::NAN, 1.0], [1.0, f32::INFINITY]] {
            let step = direction_velocity(&hero, motion, &block);
            assert_eq!(step, AxisMove { motion: Vec2::ZERO, pushed: Vec2::ZERO });
        }
    }

    #[test]
    fn a_ball_stops_short_of_a_corner_as_its_roundness_has_it() {
        let ball = Circle::new([0.0, 0.0], 5.0);
        let block = Aabb::new([10.0, 3.0], [20.0, 20.0]);
        let step = direction_velocity(&ball, [8.0, 0.0], [&block]);
        assert!((step.motion.x - 6.0).abs() < 1e-5, "{step:?}"); // 3-4-5
        assert!(!ball.translated(step.motion).overlaps(&block));
    }

    #[test]
    fn no_seam_of_a_tile_map_catches() {
        let map = TileMap::from_rows(
            [0.0, 0.0],
            [1.0, 1.0],
            &["......", "......", "######"],
            &[('#', crate::shape::TileKind::SOLID)],
        );
        let mut hero = Aabb::new([0.0, 0.75], [0.75, 2.0]);
        for _ in 0..20 {
            let step = direction_velocity(&hero, [0.25, 0.5], [&map]); // y points down
            assert_eq!((step.motion, step.pushed), (Vec2::new(0.25, 0.0), Vec2::NEG_Y));
            hero = hero.translated(step.motion);
        }
    }
}
