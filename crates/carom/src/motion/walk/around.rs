//! The surroundings of a walker: walls, ledges, ceilings and floors that it need not press against.

use crate::math::{DVec2, to_vec2};
use crate::motion::travel::{Response, TravelHit};
use crate::motion::walk::settings::WalkParams;
use crate::motion::walk::{Walker, WalkerState};
use crate::world::{BodyKey, Filter, World, WorldError};

/// # Around a walker
impl World {
    /// Returns the wall within a distance beside a walker: on the right of its `up` direction for a positive
    /// distance, on the left for a negative one. The walker need not press against it, and does not move.
    ///
    /// Floors and ceilings are not walls: the search follows a slope that is a floor.
    ///
    /// # Errors
    /// Returns the errors of [`travel`](Self::travel).
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let level = world.add_body(Body::fixed([0.0, 0.0]))?;
    /// world.add_collider(level, Collider::new(Aabb::new([-9.0, -1.0], [9.0, 0.0])))?;
    /// world.add_collider(level, Collider::new(Aabb::new([1.0, 0.0], [2.0, 5.0])))?;
    /// let hero = world.add_body(Body::moving([0.25, 0.0]))?;
    /// world.add_collider(hero, Collider::new(Aabb::new([-0.5, 0.0], [0.5, 1.0])))?;
    ///
    /// let walker = Walker::new();
    /// assert!(world.wall_within(hero, &walker, 0.5)?.is_some());
    /// assert!(world.wall_within(hero, &walker, 0.125)?.is_none());
    /// assert!(world.wall_within(hero, &walker, -0.5)?.is_none());
    /// # Ok::<(), WorldError>(())
    /// ```
    pub fn wall_within(
        &self,
        body: BodyKey,
        walker: &Walker,
        distance: f32,
    ) -> Result<Option<TravelHit>, WorldError> {
        let params = WalkParams::new(walker);
        let is_wall = |hit: &TravelHit| {
            let normal = hit.normal.as_dvec2();
            !params.is_floor_normal(normal) && !params.is_ceiling_normal(normal)
        };
        let motion = to_vec2(params.right() * f64::from(distance));
        let travel = self.plan_travel(body, motion, |hit| match is_wall(&hit) {
            true => Response::Touch,
            false => Response::Slide,
        })?;
        Ok(travel.hits().iter().find(|hit| is_wall(hit)).copied())
    }

    /// Returns the first obstacle within a distance above a walker. If there is none, the walker can grow or
    /// rise by that distance. [`TravelHit::position`] is the position at which the walker would hit it.
    ///
    /// # Errors
    /// Returns the errors of [`travel`](Self::travel).
    pub fn ceiling_within(
        &self,
        body: BodyKey,
        walker: &Walker,
        distance: f32,
    ) -> Result<Option<TravelHit>, WorldError> {
        let motion = to_vec2(WalkParams::new(walker).up * f64::from(distance));
        let travel = self.plan_travel(body, motion, |_| Response::Touch)?;
        Ok(travel.hits().first().copied())
    }

    /// Returns the floor within a distance straight below a walker, on which a fall would end. Returns `None`
    /// if there is no obstacle, or if the first one is too steep for a floor. One-way platforms count as
    /// they do for a fall.
    ///
    /// # Errors
    /// Returns the errors of [`travel`](Self::travel).
    pub fn floor_within(
        &self,
        body: BodyKey,
        walker: &Walker,
        distance: f32,
    ) -> Result<Option<TravelHit>, WorldError> {
        let params = WalkParams::new(walker);
        let motion = to_vec2(params.up * -f64::from(distance));
        let travel = self.plan_travel(body, motion, |_| Response::Touch)?;
        let first = travel.hits().first().copied();
        Ok(first.filter(|hit| params.is_floor_normal(hit.normal.as_dvec2())))
    }

    /// Returns `true` if a walker on a floor would leave it by walking a distance: to the right of its `up`
    /// direction if the distance is positive, to the left if it is negative. Slopes and steps down that the
    /// walker follows are not ledges, and there is none if a wall stops the walker before.
    ///
    /// Only the end of the walk is tested, so a gap shorter than the distance is not found. Use the distance
    /// of one frame to turn before an edge. Returns `false` in the air.
    ///
    /// # Errors
    /// Returns the errors of [`travel`](Self::travel).
    pub fn is_ledge_within(
        &self,
        body: BodyKey,
        walker: &Walker,
        state: &WalkerState,
        distance: f32,
    ) -> Result<bool, WorldError> {
        let motion = to_vec2(WalkParams::new(walker).right() * f64::from(distance));
        // Whole pixels are for motions, and a request to drop is for the walk that is really made.
        let walker = Walker { pixel_size: 0.0, ..*walker };
        let before = WalkerState { drop_requested: false, ..*state };
        let (walk, _) = self.plan_walk(body, &walker, &before, motion, &Filter::new())?;
        Ok(state.on_floor() && !walk.on_floor() && walk.wall.is_none())
    }
}

impl WalkParams {
    /// Returns the level direction on the right of `up`.
    fn right(&self) -> DVec2 {
        -self.up.perp()
    }

    /// Returns `true` if a surface is level enough for a floor.
    pub(super) fn is_floor_normal(&self, normal: DVec2) -> bool {
        normal.dot(self.up) >= self.least_rise - 1e-6
    }

    /// Returns `true` if a surface overhangs as much as a floor may rise.
    pub(super) fn is_ceiling_normal(&self, normal: DVec2) -> bool {
        normal.dot(self.up) <= -self.least_rise
    }
}
