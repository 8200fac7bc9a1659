//! Moving platforms: they take along what stands on them, push what is in their way, and squash what
//! cannot give way.

use core::ops::ControlFlow;

use smallvec::SmallVec;

use crate::broad::{BroadPhase, Mobility};
use crate::math::{DVec2, Vec2, round, unit};
use crate::motion::course::{Course, Pad};
use crate::motion::leg::Leg;
use crate::motion::travel::{Response, checked_motion};
use crate::motion::walk::WalkerState;
use crate::shape::Aabb;
use crate::sheet::Role;
use crate::world::{BodyKey, ColliderRef, Filter, World, WorldError};

/// What a platform did on its way.
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use]
pub struct Carry {
    moved: SmallVec<[BodyKey; 4]>,
    squashed: SmallVec<[BodyKey; 2]>,
}

impl Carry {
    /// The bodies that it took along or pushed, those first that stood in the way of others.
    pub fn moved(&self) -> &[BodyKey] {
        &self.moved
    }

    /// The bodies that could not give way: they overlap the platform now.
    pub fn squashed(&self) -> &[BodyKey] {
        &self.squashed
    }
}

/// A body that gives way.
#[derive(Debug)]
struct Moved {
    body: BodyKey,
    by: Vec2,
    /// Out of the platform, towards the body.
    normal: DVec2,
}

/// # Moving platforms
impl<B: BroadPhase> World<B> {
    /// Moves a platform, with what stands on it and what is in its way.
    ///
    /// Nothing stops the platform. Walkers that stand on it (their states say so; the others are
    /// left alone) go with it as far as they can. Other moving bodies whose solid colliders it
    /// meets are pushed ahead. A body that has no room ends up in the platform, and is told of as
    /// [`squashed`](Carry::squashed). A [one-way](crate::world::Collider::one_way) platform pushes only what is
    /// beyond its front, and squashes nothing.
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
        let mut all: SmallVec<[Moved; 4]> = SmallVec::new();
        for &(body, state) in walkers.iter().filter(|(_, state)| state.stands_on(platform)) {
            if let Some(floor) = state.floor.filter(|_| self.body(body).is_some()) {
                all.push(Moved { body, by: motion, normal: floor.normal.as_dvec2() });
            }
        }
        let mut pad = self.scratch.motion.take::<Pad>();
        let found = self.find_pushed(platform, motion, &mut pad, &mut all);
        self.scratch.motion.put(pad);
        found?;
        // Those ahead first, so that none is in the way of another.
        all.sort_by(|a, b| {
            let ahead = |moved: &Moved| {
                let place = self.body(moved.body).map_or(Vec2::ZERO, |body| body.pose.position);
                place.as_dvec2().dot(motion.as_dvec2())
            };
            ahead(b).total_cmp(&ahead(a)).then(a.body.cmp(&b.body))
        });
        self.translate(platform, motion)?;
        let mut carry = Carry::default();
        for moved in &all {
            let others = Filter::new().except(platform);
            let _ = self.travel_among(moved.body, moved.by, &others, |_| Response::Slide)?;
            if !self.rest_on(platform, moved)? {
                carry.squashed.push(moved.body);
            }
            carry.moved.push(moved.body);
        }
        Ok(carry)
    }

    /// Finds the moving bodies that a platform will meet.
    fn find_pushed(
        &self,
        platform: BodyKey,
        motion: Vec2,
        pad: &mut Pad,
        all: &mut SmallVec<[Moved; 4]>,
    ) -> Result<(), WorldError> {
        let mut near: SmallVec<[BodyKey; 8]> = SmallVec::new();
        let solid = |slot: u32| {
            self.roster.traits[slot as usize].role == Role::Solid
                && self.roster.mobility_of(slot) == Some(Mobility::Moving)
        };
        for collider in self.colliders_of(platform) {
            let Some(own) = self.collider(collider) else { continue };
            let [now, then] = [Vec2::ZERO, motion].map(|by| {
                let [min, max] = [own.bounds().min(), own.bounds().max()]
                    .map(|corner| round(corner.as_dvec2() + by.as_dvec2()));
                Aabb::spanning(min, max)
            });
            self.broad.visit_box(&Aabb::around([now, then]), &mut |slot| {
                let body = self.roster.body_key_of(slot);
                if solid(slot) && body != platform && !near.contains(&body) {
                    near.push(body);
                }
                ControlFlow::Continue(())
            });
        }
        near.retain(|body| all.iter().all(|moved| moved.body != *body));
        let is_platform = |collider: ColliderRef<'_>| collider.body_key() == platform;
        let only = Filter::new().only(&is_platform);
        for body in near {
            // Seen from the platform, the body comes towards it.
            let mut course = Course::new(self, body, &only, pad)?;
            if !course.is_clear_here() {
                // It has been squashed before.
                all.push(Moved { body, by: motion, normal: -motion.as_dvec2() });
            } else if let Some(meet) = course.first_on(-motion) {
                let by = round(motion.as_dvec2() * (1.0 - meet.time));
                all.push(Moved { body, by, normal: meet.normal });
            }
        }
        Ok(())
    }

    /// Sets a body that gave way onto the platform, where rounding has put it a little off or in.
    /// Whether there is room for it.
    fn rest_on(&mut self, platform: BodyKey, moved: &Moved) -> Result<bool, WorldError> {
        let mut pad = self.scratch.motion.take::<Pad>();
        let rest = self.find_rest(platform, moved, &mut pad);
        self.scratch.motion.put(pad);
        let (end, fits) = rest?;
        self.move_to(moved.body, end);
        Ok(fits)
    }

    /// Where that is, and whether there is room.
    fn find_rest(
        &self,
        platform: BodyKey,
        moved: &Moved,
        pad: &mut Pad,
    ) -> Result<(Vec2, bool), WorldError> {
        let is_platform = |collider: ColliderRef<'_>| collider.body_key() == platform;
        let only = Filter::new().only(&is_platform);
        let mut course = Course::new(self, moved.body, &only, pad)?;
        let start = course.position();
        let (fits_here, fits) = (course.is_clear_here(), course.rest_on(moved.normal));
        let end = course.position();
        // It has moved by the last bit only; but it must not come into something else.
        let others = Filter::new().except(platform);
        let mut course = Course::new(self, moved.body, &others, pad)?;
        let is_clear = end == start || course.is_clear(end);
        Ok(if is_clear { (end, fits) } else { (start, fits_here) })
    }
}

impl Course<'_> {
    /// Comes to rest on what is next to the body against a normal, no further than rounding.
    /// Whether the body overlaps nothing then.
    fn rest_on(&mut self, normal: DVec2) -> bool {
        let (start, skin) = (self.position(), self.skin());
        let Some(normal) = unit(normal) else { return false };
        let lifted = round(start.as_dvec2() + normal * (8.0 * skin));
        if !self.is_clear(lifted) {
            return self.is_clear_here();
        }
        self.stand(lifted);
        let mut leg = Leg::new(lifted, normal * (-16.0 * skin));
        match self.advance(&mut leg) {
            Some((_, spot)) => self.stand(spot),
            None => self.stand(start),
        }
        true
    }
}
