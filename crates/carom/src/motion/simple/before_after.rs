//! Before and after: the previous position of the mover determines the side that it came from.

use glam::Vec2;

use crate::math::{IntoVec2, add_round_up, round_up};
use crate::motion::simple::AxisMove;
use crate::shape::Aabb;

/// An obstacle of [`before_after`]: a box before and after this frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxObstacle {
    /// The box before the frame.
    pub before: Aabb,
    /// The box after the frame.
    pub after: Aabb,
    /// The side of a one-way platform on which movers land, as a vector out of the platform of which only the
    /// longer coordinate counts. `None` for an obstacle that is solid on all sides.
    pub one_way: Option<Vec2>,
}

impl BoxObstacle {
    /// Creates an obstacle that does not move.
    pub fn still(aabb: Aabb) -> Self {
        Self::moving(aabb, aabb)
    }

    /// Creates an obstacle that has moved.
    pub fn moving(before: Aabb, after: Aabb) -> Self {
        Self { before, after, one_way: None }
    }

    /// Makes the obstacle a one-way platform, which stops only movers that come from the side of `up`.
    #[must_use]
    pub fn one_way(self, up: impl IntoVec2) -> Self {
        Self { one_way: Some(up.into_vec2()), ..self }
    }
}

/// Moves a box, and puts it back to the side of each obstacle that it has crossed: the side that it was
/// beyond before the motion and is not beyond after it. Of two such sides, the one crossed last counts.
///
/// This is the method for platform games with boxes. It compares only the start and the end of the motion,
/// of the mover and of the obstacles. So platforms may move, also up and down into the mover, and one-way
/// platforms stop movers from above and let all others pass. A mover that overlaps an obstacle at the start
/// is not stopped by it. Between two obstacles without room for it, the mover stays at the one that it hit
/// first. A motion that is not finite counts as zero.
///
/// ```
/// use carom::prelude::*;
/// use carom::motion::{BoxObstacle, before_after};
/// let up = [0.0, 1.0];
/// let platform = BoxObstacle::still(Aabb::new([0.0, 3.0], [8.0, 3.5])).one_way(up);
/// let hero = Aabb::new([2.0, 0.0], [3.0, 2.0]);
///
/// // A jump through the platform that ends halfway: the hero is not pulled up.
/// let jump = before_after(&hero, [0.0, 2.5], [&platform]);
/// assert_eq!(jump.motion, Vec2::new(0.0, 2.5));
/// let falling = before_after(&hero.translated(jump.motion), [0.0, -1.0], [&platform]);
/// assert_eq!(falling.motion, Vec2::new(0.0, -1.0));
///
/// // From above the platform stops the hero at any speed, however thin it is, also while it rises.
/// let above = hero.translated([0.0, 5.0]);
/// assert_eq!(before_after(&above, [0.0, -99.0], [&platform]).motion, Vec2::new(0.0, -1.5));
/// let rising = BoxObstacle { after: platform.after.translated([0.0, 2.0]), ..platform };
/// let lift = before_after(&above, [0.0, -0.25], [&rising]);
/// assert_eq!((lift.motion, lift.pushed), (Vec2::new(0.0, 0.5), Vec2::new(0.0, 1.0)));
/// ```
///
/// # Weakness
///
/// The method does not look at the path between the start and the end. A fast diagonal jump passes a block
/// that is beside neither of them. It does not carry either: a platform that moves sideways slides away under
/// the mover.
///
/// ```
/// use carom::prelude::*;
/// use carom::motion::{BoxObstacle, before_after};
/// let hero = Aabb::new([0.0, 0.0], [1.0, 1.0]);
/// let block = BoxObstacle::still(Aabb::new([2.0, 2.0], [3.0, 3.0]));
/// let motion = Vec2::new(4.0, 4.0);
/// assert_eq!(before_after(&hero, motion, [&block]).motion, motion);
/// assert_eq!(hero.sweep(motion, &block.before).unwrap().time, 0.25); // the block is in the way
/// ```
pub fn before_after<'a>(
    mover: &Aabb,
    motion: impl IntoVec2,
    obstacles: impl IntoIterator<Item = &'a BoxObstacle, IntoIter: Clone>,
) -> AxisMove {
    let obstacles = obstacles.into_iter();
    let mut step = AxisMove::wanted(motion.into_vec2());
    loop {
        let after = mover.translated(step.motion);
        let crossings = obstacles.clone().filter_map(|obstacle| {
            let crossing = Crossing::of(mover, &after, obstacle)?;
            // Never back towards what it was pushed away from: pushes must come to an end.
            let against = -crossing.side.normal() == step.pushed * crossing.side.axis();
            (!against).then_some(crossing)
        });
        let first = crossings.reduce(|p, q| if q.time < p.time { q } else { p });
        let Some(Crossing { side, beyond, .. }) = first else { return step };
        // In reals it is beyond, so it is when rounded.
        let shift = round_up(add_round_up(f64::from(beyond), -f64::from(side.low(mover))));
        let shift = side.normal() * shift;
        step.motion = Vec2::select(side.axis().cmpne(Vec2::ZERO), shift, step.motion);
        step.push(side.normal());
    }
}

/// The crossing of a side of an obstacle by a mover.
struct Crossing {
    side: Side,
    /// The time, from 0 at the start of the frame to 1 at its end.
    time: f64,
    /// The position of the side now, along its normal.
    beyond: f32,
}

impl Crossing {
    fn of(before: &Aabb, after: &Aabb, obstacle: &BoxObstacle) -> Option<Self> {
        let crossings = Side::ALL.into_iter().filter_map(|side| {
            let was = side.gap(before, &obstacle.before);
            let is = side.gap(after, &obstacle.after);
            let beyond = side.high(&obstacle.after);
            (was >= 0.0 && is < 0.0).then(|| Self { side, time: was / (was - is), beyond })
        });
        let last = crossings.reduce(|p, q| if q.time >= p.time { q } else { p })?;
        let is_beside = |side: &Side| {
            side.along_x != last.side.along_x && side.gap(after, &obstacle.after) >= 0.0
        };
        let stops = obstacle.one_way.is_none_or(|up| last.side == Side::facing(up));
        (stops && !Side::ALL.iter().any(is_beside)).then_some(last)
    }
}

/// A side of a box.
#[derive(Clone, Copy, PartialEq)]
struct Side {
    along_x: bool,
    ahead: bool,
}

impl Side {
    /// The sides across y come last: among equals, a floor is preferred.
    const ALL: [Self; 4] = [
        Self { along_x: true, ahead: false },
        Self { along_x: true, ahead: true },
        Self { along_x: false, ahead: false },
        Self { along_x: false, ahead: true },
    ];

    fn facing(up: Vec2) -> Self {
        let along_x = up.x.abs() > up.y.abs();
        Self { along_x, ahead: if along_x { up.x > 0.0 } else { up.y > 0.0 } }
    }

    fn axis(self) -> Vec2 {
        if self.along_x { Vec2::X } else { Vec2::Y }
    }

    fn normal(self) -> Vec2 {
        if self.ahead { self.axis() } else { -self.axis() }
    }

    /// Returns the least coordinate of a box along the normal.
    fn low(self, of: &Aabb) -> f32 {
        -Self { ahead: !self.ahead, ..self }.high(of)
    }

    /// Returns the greatest coordinate of a box along the normal.
    fn high(self, of: &Aabb) -> f32 {
        let corner = if self.ahead { of.max() } else { -of.min() };
        if self.along_x { corner.x } else { corner.y }
    }

    /// Returns the distance of a mover beyond this side of an obstacle.
    fn gap(self, mover: &Aabb, obstacle: &Aabb) -> f64 {
        f64::from(self.low(mover)) - f64::from(self.high(obstacle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(x: f32, y: f32) -> BoxObstacle {
        BoxObstacle::still(Aabb::from_min_size([x, y], [1.0, 1.0]))
    }

    #[test]
    fn r4_a_hero_walks_over_flush_blocks_and_off_the_edge() {
        let floor: [BoxObstacle; 4] = core::array::from_fn(|i| block(i as f32, -1.0));
        let mut hero = Aabb::new([0.0, 0.0], [1.0, 2.0]);
        for frame in 0..15 {
            let step = before_after(&hero, [0.25, -0.5], &floor);
            assert_eq!(step.motion, Vec2::new(0.25, 0.0), "frame {frame}");
            assert_eq!(step.pushed, Vec2::Y, "frame {frame}");
            hero = hero.translated(step.motion);
        }
        let step = before_after(&hero, [0.25, -0.5], &floor);
        assert_eq!(step.motion, Vec2::new(0.25, -0.5));
    }

    #[test]
    fn the_side_that_was_crossed_last_is_the_one_it_came_over() {
        let hero = Aabb::new([0.0, 0.0], [1.0, 1.0]);
        let near_left = before_after(&hero, [1.0, -1.0], [&block(1.75, -1.25)]);
        assert_eq!(near_left.motion, Vec2::new(0.75, -1.0));
        let near_top = before_after(&hero, [1.0, -1.0], [&block(1.25, -1.75)]);
        assert_eq!(near_top.motion, Vec2::new(1.0, -0.75));
        let corner = before_after(&hero, [1.0, -1.0], [&block(1.5, -1.5)]);
        assert_eq!(corner.motion, Vec2::new(1.0, -0.5));
    }

    #[test]
    fn what_it_started_in_and_motions_that_are_not_finite_stop_nothing() {
        let hero = Aabb::new([0.0, 0.0], [1.0, 1.0]);
        let step = before_after(&hero, [0.25, 0.0], [&block(0.5, 0.5)]);
        assert_eq!((step.motion, step.pushed), (Vec2::new(0.25, 0.0), Vec2::ZERO));
        let nowhere = before_after(&hero, [f32::INFINITY, 0.0], [&block(2.0, 0.0)]);
        assert_eq!(nowhere.motion, Vec2::ZERO);
    }

    #[test]
    fn squeezed_between_two_blocks_it_stays_at_the_first() {
        let hero = Aabb::new([0.0, 0.0], [1.0, 1.0]);
        let floor = block(0.0, -1.0);
        let press = BoxObstacle::moving(
            Aabb::from_min_size([0.0, 2.0], [1.0, 1.0]),
            Aabb::from_min_size([0.0, 0.5], [1.0, 1.0]),
        );
        let step = before_after(&hero, [0.0, -0.25], [&press, &floor]);
        assert_eq!((step.motion, step.pushed), (Vec2::ZERO, Vec2::Y));
    }
}
