//! Push out: the shortest push out of all obstacles.

use alloc::vec::Vec;

use crate::shape::{AsShape, Compound, Shape};
use glam::Vec2;

/// Returns the shortest translation that moves a shape out of all obstacles at once. It is zero if the shape
/// overlaps none; touching is not overlapping.
///
/// Many games use it as their adjustment vector: they move first, and then push out what overlaps. It accepts all
/// shapes, and needs no motion. If a shape overlaps several obstacles, pushing it out of one after the other leads
/// from one into the next. This push leads out of all of them:
///
/// ```
/// use carom::prelude::*;
/// use carom::motion::push_out;
/// // A ball has sunk into a groove between two ramps.
/// let ball = Circle::new([0.0, 1.0], 1.0);
/// let ramps = [
///     Triangle::new([-4.0, 0.0], [0.0, 0.0], [-4.0, 4.0]),
///     Triangle::new([0.0, 0.0], [4.0, 0.0], [4.0, 4.0]),
/// ];
/// let push = push_out(&ball, &ramps);
/// assert!(push.x.abs() < 1e-6 && (push.y - (2.0_f32.sqrt() - 1.0)).abs() < 1e-6);
/// assert!(!ramps.iter().any(|ramp| ramp.overlaps(&ball.translated(push))));
/// ```
///
/// # Weakness
///
/// The method does not know where the shape came from. A shape beyond the middle of a wall leaves it on the
/// far side, and a shape that hits the corner of a ledge from above is pushed off it:
///
/// ```
/// use carom::prelude::*;
/// use carom::motion::push_out;
/// let wall = Aabb::new([10.0, 0.0], [12.0, 8.0]);
/// let shot = Aabb::new([0.0, 3.0], [1.0, 4.0]);
/// let inside = shot.translated([10.75, 0.0]); // the motion of one frame
/// assert_eq!(push_out(&inside, [&wall]), Vec2::new(1.25, 0.0)); // out at the back
/// let beyond = shot.translated([20.0, 0.0]);
/// assert_eq!(push_out(&beyond, [&wall]), Vec2::ZERO); // this one was never inside
///
/// let ledge = Aabb::new([0.0, -1.0], [5.0, 0.0]);
/// let hero = Aabb::new([-0.75, -0.5], [0.25, 1.5]); // it has sunk into the ledge by half a unit
/// assert_eq!(push_out(&hero, [&ledge]), Vec2::new(-0.25, 0.0)); // and it continues to fall
/// ```
///
/// [`sweep`](Shape::sweep) tests the whole path, and [`before_after`](super::before_after) uses the start.
pub fn push_out<'a, S: AsShape + 'a>(
    mover: &impl AsShape,
    obstacles: impl IntoIterator<Item = &'a S, IntoIter: Clone>,
) -> Vec2 {
    let (mover, obstacles) = (mover.as_shape().to_shape(), obstacles.into_iter());
    // The push out of some obstacles is never longer than that out of all. So only those near the push count:
    // the ones overlapped now, then the ones that the push would lead into, and so on.
    let mut found: Vec<Shape> = Vec::new();
    let mut push = Vec2::ZERO;
    for _ in obstacles.clone() {
        let moved = mover.translated(push);
        let known = found.len();
        let overlapped = obstacles.clone().filter(|&obstacle| obstacle.as_shape().overlaps(&moved));
        found.extend(overlapped.map(|obstacle| obstacle.as_shape().to_shape()));
        if found.len() == known {
            break;
        }
        push = shortest_push(&mover, &found);
    }
    push
}

fn shortest_push(mover: &Shape, obstacles: &[Shape]) -> Vec2 {
    let contact = match obstacles {
        [obstacle] => mover.contact(obstacle),
        _ => mover.contact(&Compound::new(obstacles.iter().cloned())),
    };
    contact.map_or(Vec2::ZERO, |contact| contact.push)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Aabb, Circle, Point};

    #[test]
    fn nothing_and_touch_push_nowhere() {
        let hero = Aabb::new([0.0, 0.0], [1.0, 1.0]);
        assert_eq!(push_out(&hero, &[] as &[Aabb]), Vec2::ZERO);
        assert_eq!(push_out(&hero, [&Aabb::new([1.0, 0.0], [2.0, 1.0])]), Vec2::ZERO);
        assert_eq!(push_out(&Point::new([0.0, 0.0]), [&hero]), Vec2::ZERO);
    }

    #[test]
    fn a_push_that_would_lead_into_another_obstacle_goes_round_it() {
        let ball = Circle::new([0.0, 0.0], 1.0);
        // The short way out of the first is to the left, where the second stands.
        let walls = [Aabb::new([0.5, -3.0], [6.0, 3.0]), Aabb::new([-4.0, -4.0], [-1.25, 4.0])];
        let push = push_out(&ball, &walls);
        assert!(!walls.iter().any(|wall| wall.overlaps(&ball.translated(push))));
        assert!(push.y.abs() > 3.0 && push.length() < 5.0, "{push}");
    }

    #[test]
    fn of_flush_tiles_the_push_is_that_of_the_whole_floor() {
        let floor: Vec<Aabb> =
            (0..9).map(|i| Aabb::new([i as f32, -1.0], [i as f32 + 1.0, 0.0])).collect();
        let hero = Aabb::new([3.875, -0.25], [4.875, 1.75]);
        assert_eq!(push_out(&hero, &floor), Vec2::new(0.0, 0.25));
    }
}
