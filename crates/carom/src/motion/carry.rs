//! Moving platforms: they take along what stands on them, push what is in their way, and squash what
//! cannot give way.

use smallvec::SmallVec;

use crate::math::{DVec2, Vec2, to_vec2, try_normalize};
use crate::motion::course::{Course, Pad};
use crate::motion::leg::Leg;
use crate::motion::train::{Lists, Moved};
use crate::motion::travel::{Response, checked_motion};
use crate::motion::walk::WalkerState;
use crate::query::contact::rounding_margin;
use crate::world::{BodyKey, Filter, World, WorldError};

/// What a platform did on its way.
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use]
pub struct Carry {
    moved: SmallVec<[BodyKey; 16]>,
    squashed: SmallVec<[BodyKey; 8]>,
}

impl Carry {
    /// The bodies that it took along or pushed, those first that stood in the way of others. Up to
    /// sixteen need no memory of their own.
    pub fn moved(&self) -> &[BodyKey] {
        &self.moved
    }

    /// The bodies that could not give way: they overlap what moves them now, as a rule the platform.
    pub fn squashed(&self) -> &[BodyKey] {
        &self.squashed
    }
}

/// # Moving platforms
impl World {
    /// Moves a platform, with what stands on it and what is in its way.
    ///
    /// Nothing stops the platform. Walkers that stand on it (their states say so; the others are
    /// left alone) go with it as far as they can, and so do those that stand on them. Other moving
    /// bodies whose solid colliders it meets are pushed ahead; they push such ahead as the platform
    /// itself would, by their layers, and take along who stands on them. A body that has no room
    /// ends up in the platform, and is told of as [`squashed`](Carry::squashed). A
    /// [one-way](crate::world::Collider::one_way) platform pushes only what is beyond its front, and
    /// squashes nothing.
    ///
    /// # Errors
    /// [`WorldError::NoSuchBody`] for the platform (walkers that are gone are left out);
    /// [`WorldError::BadPose`] if the motion is not finite.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let lift = world.add_body(Body::moving([0.0, 0.0]))?;
    /// world.add_collider(lift, Collider::new(Aabb::new([-2.0, -0.5], [2.0, 0.0])))?;
    /// let hero = world.add_body(Body::moving([1.0, 0.0]))?;
    /// world.add_collider(hero, Collider::new(Aabb::new([-0.5, 0.0], [0.5, 2.0])))?;
    /// let (walker, mut state) = (Walker::new(), WalkerState::new());
    /// let _ = world.walk(hero, &walker, &mut state, [0.0, -0.1])?;
    /// assert!(state.stands_on(lift));
    ///
    /// let carry = world.carry(lift, [0.25, -0.5], &[(hero, state)])?;
    /// assert_eq!(carry.moved(), [hero]);
    /// assert_eq!(world.body(hero).unwrap().pose.position, Vec2::new(1.25, -0.5));
    /// # Ok::<(), WorldError>(())
    /// ```
    pub fn carry(
        &mut self,
        platform: BodyKey,
        motion: impl Into<Vec2>,
        walkers: &[(BodyKey, WalkerState)],
    ) -> Result<Carry, WorldError> {
        let motion = checked_motion(motion.into())?;
        self.body(platform).ok_or(WorldError::NoSuchBody(platform))?;
        let mut pad = self.scratch.motion.take();
        let mut train = core::mem::take(&mut pad.train);
        let found = train.fill(self, platform, motion, walkers, &mut pad);
        self.scratch.motion.put(pad);
        let carry = found.and_then(|()| self.move_train(platform, motion, &train));
        let mut pad = self.scratch.motion.take();
        pad.train = train;
        self.scratch.motion.put(pad);
        carry
    }

    /// Moves a platform and all that give way to it.
    fn move_train(
        &mut self,
        platform: BodyKey,
        motion: Vec2,
        train: &Lists,
    ) -> Result<Carry, WorldError> {
        self.translate(platform, motion)?;
        let mut carry = Carry::default();
        // Those ahead first, so that none is in the way of another.
        for moved in train.ahead.iter().map(|&(_, place)| &train.all[place]) {
            let others = Filter::new().exclude(platform);
            let out = try_normalize(moved.normal).unwrap_or_default() * self.room(moved);
            let by = to_vec2(moved.by.as_dvec2() + out);
            let _ = self.travel_among(moved.body, by, &others, |_| Response::Slide)?;
            carry.moved.push(moved.body);
        }
        for moved in &train.all {
            if !self.rest_on(platform, moved)? {
                carry.squashed.push(moved.body);
            }
        }
        Ok(carry)
    }

    /// By how much further a body gives way than it must: where there are others between it and
    /// the platform, so that rounding leaves room for them. It will come to rest on what moved it.
    fn room(&self, moved: &Moved) -> f64 {
        if moved.links == 0 {
            return 0.0;
        }
        let bounds =
            self.colliders_of(moved.body).filter_map(|key| Some(self.collider(key)?.bounds()));
        let far = bounds.fold(0.0, |far: f32, bounds| {
            far.max(bounds.min().abs().max(bounds.max().abs()).max_element())
        });
        f64::from(moved.links) * 8.0 * rounding_margin(f64::from(far))
    }

    /// Sets a body that gave way onto what moved it, where rounding has put it a little off or in.
    /// Whether there is room for it.
    fn rest_on(&mut self, platform: BodyKey, moved: &Moved) -> Result<bool, WorldError> {
        let mut pad = self.scratch.motion.take();
        let rest = self.find_rest(platform, moved, &mut pad);
        self.scratch.motion.put(pad);
        let (end, fits) = rest?;
        if self.body(moved.body).is_some_and(|body| body.pose.position != end) {
            self.move_to(moved.body, end);
        }
        Ok(fits)
    }

    /// Where that is, and whether there is room.
    fn find_rest(
        &self,
        platform: BodyKey,
        moved: &Moved,
        pad: &mut Pad,
    ) -> Result<(Vec2, bool), WorldError> {
        let all = Filter::new();
        let mut course = Course::new(self, moved.body, &all, pad)?;
        course.among = Some([moved.mover, platform]);
        let (start, room) = (course.position(), self.room(moved));
        course.look_beside(32.0 * course.skin() + 2.0 * room);
        let (fits_here, fits) = (course.is_clear_here(), course.rest_on(moved.normal, room));
        let end = course.position();
        // It has moved by the last bit only; but it must not come into something else.
        let others = Filter::new().exclude(moved.mover).exclude(platform);
        let is_clear = end == start || Course::new(self, moved.body, &others, pad)?.is_clear(end);
        Ok(if is_clear { (end, fits) } else { (start, fits_here) })
    }
}

impl Course<'_> {
    /// Comes to rest on what is next to the body against a normal, no further than rounding and
    /// the room there is. Whether the body overlaps nothing then.
    fn rest_on(&mut self, normal: DVec2, room: f64) -> bool {
        let (start, skin) = (self.position(), self.skin());
        let Some(normal) = try_normalize(normal) else { return false };
        let lifted = to_vec2(start.as_dvec2() + normal * (8.0 * skin));
        if !self.is_clear(lifted) {
            return self.is_clear_here();
        }
        self.stand(lifted);
        let mut leg = Leg::new(lifted, normal * -(16.0 * skin + 2.0 * room));
        match self.advance(&mut leg) {
            Some((_, spot)) => self.stand(spot),
            None => self.stand(start),
        }
        true
    }
}
