//! Shallow axis: pushes out along the axis with the least overlap.

use crate::math::IntoVec2;
use glam::Vec2;

use crate::motion::simple::AxisMove;
use crate::motion::simple::clear_along::clear_along;
use crate::shape::{AsShape, Shape};

/// The maximum number of pushes of a move. More are only needed where there is no room.
const ROUNDS: usize = 32;

/// Moves a shape, then pushes it out of each obstacle that it has entered, along the axis with the least
/// overlap, the deepest obstacle first.
///
/// The method is simple, and chooses the right direction if overlaps are small compared with the obstacles:
/// walls push sideways and floors push up, in any order. It accepts all shapes and treats each obstacle as a
/// whole, so pass the tiles of a map one by one
/// ([`TileMap::tile_shape`](crate::shape::TileMap::tile_shape)). A motion that is not finite counts as zero. If
/// there is no room between obstacles, the method gives up after 32 pushes, and the mover still overlaps.
///
/// ```
/// use carom::prelude::*;
/// use carom::motion::shallow_axis;
/// let hero = Aabb::new([0.0, 0.0], [1.0, 2.0]);
/// let floor = Aabb::new([-9.0, -3.0], [9.0, 0.0]);
/// let wall = Aabb::new([1.25, 0.0], [4.0, 9.0]);
/// let step = shallow_axis(&hero, [0.5, -0.5], [&floor, &wall]);
/// assert_eq!(step.motion, Vec2::new(0.25, 0.0));
/// assert_eq!(step.pushed, Vec2::new(-1.0, 1.0));
/// ```
///
/// # Weakness
///
/// The axis with the least overlap need not be the one along which the mover came. A hero that falls fast onto
/// the edge of a ledge is pushed off it, although it came from above. A slow hero is not:
///
/// ```
/// use carom::prelude::*;
/// use carom::motion::shallow_axis;
/// let ledge = Aabb::new([0.0, -1.0], [5.0, 0.0]);
/// let hero = Aabb::new([-0.75, 0.0], [0.25, 2.0]); // a quarter of it is on the ledge
/// assert_eq!(shallow_axis(&hero, [0.0, -0.125], [&ledge]).pushed, Vec2::new(0.0, 1.0));
/// assert_eq!(shallow_axis(&hero, [0.0, -0.5], [&ledge]).pushed, Vec2::new(-1.0, 0.0));
/// ```
pub fn shallow_axis<'a, S: AsShape + 'a>(
    mover: &impl AsShape,
    motion: impl IntoVec2,
    obstacles: impl IntoIterator<Item = &'a S, IntoIter: Clone>,
) -> AxisMove {
    let (mover, obstacles) = (mover.as_shape().to_shape(), obstacles.into_iter());
    let mut step = AxisMove::wanted(motion.into_vec2());
    for _ in 0..ROUNDS {
        let moved = mover.translated(step.motion);
        let overlapped = obstacles.clone().filter(|&obstacle| obstacle.as_shape().overlaps(&moved));
        let ways = overlapped.map(|obstacle| shallowest(&mover, step.motion, obstacle));
        // The deepest first: a push out of the floor under the feet is often out of the next tile, too.
        let Some(way) = ways.reduce(|p, q| if q.long > p.long { q } else { p }) else { break };
        step.motion = way.end;
        step.push(way.direction);
    }
    step
}

/// A push out of an obstacle.
struct Way {
    direction: Vec2,
    end: Vec2,
    long: f32,
}

/// Returns the shortest of the four pushes out of an obstacle; among equals, one along y.
fn shallowest<S: AsShape>(mover: &Shape, from: Vec2, obstacle: &S) -> Way {
    let way = |direction: Vec2| {
        let end = clear_along(mover, from, direction, core::iter::once(obstacle));
        Way { direction, end, long: (end - from).abs().max_element() }
    };
    let others = [Vec2::NEG_Y, Vec2::X, Vec2::NEG_X].into_iter().map(way);
    others.fold(way(Vec2::Y), |p, q| if q.long < p.long { q } else { p })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Aabb, Circle};
    use alloc::vec::Vec;

    #[test]
    fn zero_motion_is_a_push_out_along_an_axis() {
        let block = Aabb::new([0.0, 0.0], [10.0, 10.0]);
        let ball = Circle::new([9.5, 4.0], 1.0);
        let step = shallow_axis(&ball, [0.0, 0.0], [&block]);
        assert_eq!((step.motion, step.pushed), (Vec2::new(1.5, 0.0), Vec2::X));
        let nowhere = shallow_axis(&ball, [f32::NAN, 0.0], [&block]);
        assert_eq!(nowhere, step);
    }

    #[test]
    fn a_hero_runs_over_flush_tiles_and_stands_in_the_corner() {
        let mut tiles: Vec<Aabb> =
            (0..6).map(|i| Aabb::new([i as f32, -1.0], [i as f32 + 1.0, 0.0])).collect();
        tiles.push(Aabb::new([5.0, 0.0], [6.0, 1.0]));
        let mut hero = Aabb::new([0.0, 0.0], [0.75, 1.5]);
        for frame in 0..30 {
            let step = shallow_axis(&hero, [0.25, -0.125], &tiles);
            let wall = if frame < 17 { 0.0 } else { -1.0 };
            assert_eq!(step.pushed, Vec2::new(wall, 1.0), "frame {frame}");
            hero = hero.translated(step.motion);
        }
        assert_eq!(hero, Aabb::new([4.25, 0.0], [5.0, 1.5]));
    }

    #[test]
    fn without_room_it_ends_all_the_same() {
        let walls = [Aabb::new([-9.0, -9.0], [0.0, 9.0]), Aabb::new([0.5, -9.0], [9.0, 9.0])];
        let step = shallow_axis(&Aabb::new([-0.25, 0.0], [0.75, 1.0]), [0.0, 0.0], &walls);
        assert!(step.motion.is_finite());
    }
}
