//! Moving platforms: they carry the bodies that stand on them, push those in their way, and squash those
//! that have no room.
//!
//! 1. **find**: collect the bodies that the platform carries and pushes, and how far each should go. Move the
//!    platform, which nothing stops.
//! 2. **moves**: move the bodies. All that can go by the same displacement go together. The others slide as
//!    far as they get, those that are pressed on before the ones that press.
//! 3. **rest**: push what the platform is in now out of it, by the steps 1 and 2 again. Take away the overlaps
//!    and gaps that rounding has left, from the platform outwards. Bodies that were stopped by an obstacle that has
//!    moved since then catch up. Bodies without room are squashed.
//!
//! No body enters another one, except the platform. No step depends on the order in which bodies were added.

pub(super) mod find;
mod moves;
mod rest;

use smallvec::SmallVec;

use crate::math::{DVec2, IntoVec2, Pose, Rotation, length, to_f32, to_vec2};
use crate::motion::carry::find::FirstPushed;
use crate::motion::travel::checked_motion;
use crate::world::move_buffers::{Bounds, CarryBuffers, MoveBuffers, PushProgress};
use crate::world::{BodyKey, Support, World, WorldError};

/// The result of [`World::carry`] and [`World::carry_to`].
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Carry {
    moved: SmallVec<[BodyKey; 16]>,
    squashed: SmallVec<[BodyKey; 8]>,
}

impl Carry {
    /// Returns the bodies that the platform carried or pushed, each once, those next to the platform before
    /// the ones that they moved. Up to sixteen are stored without allocating.
    pub fn moved(&self) -> &[BodyKey] {
        &self.moved
    }

    /// Returns the bodies that had no room, each once. They overlap the platform by more than a rounding
    /// error.
    #[doc(alias = "crush")]
    pub fn squashed(&self) -> &[BodyKey] {
        &self.squashed
    }
}

/// # Moving platforms
impl World {
    /// Moves a platform by a vector, together with the bodies that stand on it and those in its way.
    ///
    /// Nothing stops the platform. Call this before the walkers walk.
    ///
    /// - *Riders* are the bodies whose [support](Self::support) is the platform and that still touch it. They
    ///   move by the same vector, and so do the bodies that stand on them. An obstacle that the platform
    ///   does not move stops a rider, which then slides along it.
    /// - *Other moving bodies* in the way of the platform's solid colliders are pushed ahead, by the same
    ///   vector. They push further bodies, if the layers of these collide with the platform, and carry the
    ///   bodies that stand on them. A rider that is lifted pushes the bodies above it. Bodies push each other
    ///   along the normal of the side that touches; there is no friction.
    /// - A blocked body that the platform moves into is pushed out of it the shortest way, and pushes others.
    ///   If they cannot make room, it is moved to the nearest free position, if there is one no farther away
    ///   than the platform has moved and no farther than half the body's width or height. If there is none,
    ///   the body is [squashed](Carry::squashed): it stays in the platform.
    /// - A [one-way](crate::world::Collider::one_way) platform pushes only bodies in front of it, and
    ///   squashes none.
    ///
    /// A body that stands on two platforms moves with the one that is its support. The other platform only
    /// lifts and lowers it.
    ///
    /// After the call,
    ///
    /// - no two bodies overlap by more than a rounding error that did not overlap before, except the platform
    ///   with squashed and with fixed bodies;
    /// - no squashed body has a free position as near as said above;
    /// - every rider that is not squashed has moved with the platform, or something is in its way: on the path, or
    ///   it touches the rider and the rest of the motion leads into it, at however small an angle;
    /// - the order in which bodies were added does not matter, and mirrored or turned worlds give mirrored or
    ///   turned results, except if a body stands on two others by exactly the same width, or with a vertex exactly
    ///   on a vertex, or if two bodies are mirror images of each other beside the platform's path.
    ///
    /// Random tests found one more exception in 2,424,623 carries: an obstacle stopped a ball, the platform's corner
    /// passed below it, and the body on top of the ball had gone on. The ball stayed between the two.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchBody`] if the key is invalid, and [`WorldError::BadPose`] if the motion
    /// is not finite.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let lift = world.add_body(Body::moving([0.0, 0.0]))?;
    /// world.add_collider(lift, Collider::new(Aabb::new([-2.0, -0.5], [2.0, 0.0])))?;
    /// let hero = world.add_body(Body::moving([1.0, 0.0]))?;
    /// world.add_collider(hero, Collider::new(Aabb::new([-0.5, 0.0], [0.5, 2.0])))?;
    /// let (walker, mut state) = (Walker::new(), WalkerState::new());
    /// world.walk(hero, &walker, &mut state, [0.0, -0.1])?;
    /// assert!(state.stands_on(lift));
    ///
    /// world.carry(lift, [0.25, -0.5])?;
    /// assert_eq!(world.body(hero).unwrap().pose.position, Vec2::new(1.25, -0.5));
    /// # Ok::<(), WorldError>(())
    /// ```
    #[doc(alias = "moving platform")]
    #[doc(alias = "lift")]
    #[doc(alias = "elevator")]
    pub fn carry(&mut self, platform: BodyKey, motion: impl IntoVec2) -> Result<Carry, WorldError> {
        let motion = checked_motion(motion.into_vec2())?.as_dvec2();
        let from = self.body(platform).ok_or(WorldError::NoSuchBody(platform))?.pose;
        let position = to_vec2(from.position.as_dvec2() + motion);
        Ok(self.carry_between(platform, from, Pose { position, ..from }))
    }

    /// Moves a platform to a pose, for platforms that turn: wheels, seesaws, doors.
    ///
    /// This is like [`carry`](Self::carry), except that each rider moves by the displacement of the point
    /// that it stands on, and that bodies in the way are pushed out of the platform the shortest way.
    /// Riders keep their own angle. The platform turns in the direction of the smaller angle, in up to 64
    /// steps, each no longer than half of the smallest body nearby; a longer turn may pass small bodies.
    /// One-way platforms that turn carry bodies, but do not push them.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchBody`] if the key is invalid, and [`WorldError::BadPose`] if the pose is.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let wheel = world.add_body(Body::moving([0.0, 0.0]))?;
    /// world.add_collider(wheel, Collider::new(Aabb::new([-4.0, -0.25], [4.0, 0.25])))?;
    /// let hero = world.add_body(Body::moving([3.0, 0.25]))?;
    /// world.add_collider(hero, Collider::new(Circle::new([0.0, 0.5], 0.5)))?;
    /// world.walk(hero, &Walker::new(), &mut WalkerState::new(), [0.0, -0.1])?;
    ///
    /// world.carry_to(wheel, Pose::new([0.0, 0.0], 0.1))?;
    /// let position = world.body(hero).unwrap().pose.position;
    /// assert!((position.y - 0.55).abs() < 0.01); // lifted by 3 * sin(0.1)
    /// # Ok::<(), WorldError>(())
    /// ```
    #[doc(alias = "rotating platform")]
    pub fn carry_to(&mut self, platform: BodyKey, pose: Pose) -> Result<Carry, WorldError> {
        crate::world::check_pose(&pose)?;
        let from = self.body(platform).ok_or(WorldError::NoSuchBody(platform))?.pose;
        Ok(self.carry_between(platform, from, pose))
    }

    fn carry_between(&mut self, platform: BodyKey, from: Pose, to: Pose) -> Carry {
        let mut buffers = core::mem::take(&mut self.scratch.moves);
        let mut group = core::mem::take(&mut buffers.carry);
        let bodies = self.storage.bodies.slot_count();
        group.start(bodies);
        let mut carry = Carry::default();
        let steps = self.steps_of(platform, &PlatformMotion { from, to });
        let mut last = from;
        for step in 1..=steps {
            let next = interpolate(&from, &to, step, steps);
            let motion = PlatformMotion { from: last, to: next };
            self.carry_step(platform, &motion, &mut group, &mut buffers, &mut carry);
            last = next;
        }
        buffers.carry = group;
        self.scratch.moves = buffers;
        if self.is_swept(platform) {
            self.record_passages(platform, [from.position, to.position].into_iter());
        }
        carry
    }

    fn carry_step(
        &mut self,
        platform: BodyKey,
        motion: &PlatformMotion,
        group: &mut CarryBuffers,
        buffers: &mut MoveBuffers,
        carry: &mut Carry,
    ) {
        group.all.clear();
        group.known.clear();
        group.together.clear();
        // 1. Everything that the platform carries and pushes goes with it.
        let mut tolerance = self.find_pushed(platform, motion, group, buffers);
        self.move_together(platform, tolerance, group, buffers);
        group.note_moved(motion.is_translation().then(|| motion.translation()));
        // 2. Bodies that the platform overlaps now are pushed out of it, and push others. Rounding errors are
        //    left to the next step. They add up from body to body.
        let depth = group.all.iter().map(|pushed| pushed.depth).max().unwrap_or(0);
        let rounding = tolerance * f64::from(1 + depth);
        let mut last = SmallVec::<[(DVec2, FirstPushed); 4]>::new();
        for _ in 0..MAX_CORRECTIONS {
            last = self.find_in_platform(platform, motion, rounding, &last, group, buffers);
            if last.is_empty() {
                break;
            }
            let first: SmallVec<[FirstPushed; 4]> = last.iter().map(|&(_, first)| first).collect();
            let found = self.find_chain(platform, motion, &first, None, group, buffers);
            tolerance = tolerance.max(found);
            self.move_together(platform, tolerance, group, buffers);
            group.note_moved(None);
        }
        // 3. The bodies come to rest. Those without room are squashed.
        self.settle(platform, motion, tolerance, group, buffers);
        self.catch_up(platform, motion, [tolerance, rounding], group, buffers);
        while self.make_room(platform, motion, rounding, group, buffers) {
            self.catch_up(platform, motion, [tolerance, rounding], group, buffers);
        }
        for &body in &group.near {
            if !group.reported[1].contains(body.slot) {
                group.reported[1].insert(body.slot);
                carry.squashed.push(body);
            }
        }
        for pushed in &group.all {
            let slot = pushed.body.slot;
            let is_support = |support: Support| support.body == pushed.pusher;
            if pushed.is_rider && self.support(pushed.body).is_some_and(is_support) {
                self.add_support_motion(pushed.body, pushed.motion);
            }
            let Some(end) = self.body(pushed.body).map(|body| body.pose.position) else { continue };
            let is_moved = end != pushed.from;
            if is_moved && self.is_swept(pushed.body) {
                self.record_passages(pushed.body, [pushed.from, end].into_iter());
            }
            if is_moved && !group.reported[0].contains(slot) {
                group.reported[0].insert(slot);
                carry.moved.push(pushed.body);
            }
        }
    }

    /// Returns in how many steps a platform turns: a step is no longer than half of the smallest body that
    /// could be in the way. A translation is one step, which is exact.
    fn steps_of(&self, platform: BodyKey, motion: &PlatformMotion) -> u32 {
        if motion.is_translation() {
            return 1;
        }
        let (reach, smallest) = self.turning_extent(platform, motion);
        let turn = motion.turn().abs();
        let scale = f64::from(motion.to.scale / motion.from.scale - 1.0).abs();
        let travel = length(motion.translation()) + (turn + scale) * reach;
        let steps = f64::max(turn / MAX_TURN, travel / (0.5 * smallest));
        if steps < f64::from(MAX_STEPS) { 1 + steps as u32 } else { MAX_STEPS }
    }
}

/// The maximum number of times that bodies are pushed out of the platform. A rider passes on only the part of
/// its motion along the normal of what it stands on. On a slope, what presses on it is therefore lifted by the
/// square of the cosine of the slope's angle: at 45 degrees, each correction halves what is left.
const MAX_CORRECTIONS: usize = 8;

/// The largest turn of a step, in radians.
const MAX_TURN: f64 = 0.1;

/// The largest number of steps that a platform turns in.
const MAX_STEPS: u32 = 64;

/// Returns the pose after some of the steps from one pose to another.
fn interpolate(from: &Pose, to: &Pose, step: u32, steps: u32) -> Pose {
    if step == steps {
        return *to;
    }
    let t = f64::from(step) / f64::from(steps);
    let motion = PlatformMotion { from: *from, to: *to };
    let angle = f64::from(from.rotation.angle()) + motion.turn() * t;
    let scale = f64::from(from.scale) + f64::from(to.scale - from.scale) * t;
    Pose {
        position: to_vec2(from.position.as_dvec2() + motion.translation() * t),
        rotation: Rotation::from_angle(to_f32(angle)),
        scale: to_f32(scale),
    }
}

/// The motion of a platform in one step.
pub(super) struct PlatformMotion {
    pub from: Pose,
    pub to: Pose,
}

impl PlatformMotion {
    fn is_translation(&self) -> bool {
        self.from.rotation == self.to.rotation && self.from.scale == self.to.scale
    }

    /// Returns the motion of the platform's position: the difference of the rounded positions, so that riders do
    /// not drift.
    fn translation(&self) -> DVec2 {
        self.to.position.as_dvec2() - self.from.position.as_dvec2()
    }

    /// Returns the angle by which the platform turns, the shorter way.
    fn turn(&self) -> f64 {
        let turn = f64::from(self.to.rotation.angle()) - f64::from(self.from.rotation.angle());
        turn - core::f64::consts::TAU * libm::round(turn / core::f64::consts::TAU)
    }

    /// Returns the longest motion of the platform within some bounds. Two sides of a platform that turns, like the
    /// spokes of a wheel, push a body farther than each of them moves.
    fn reach(&self, bounds: &Bounds) -> f64 {
        if self.is_translation() {
            return length(self.translation());
        }
        let Bounds { min, max } = *bounds;
        let corners = [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)];
        let lengths = corners.map(|corner| length(self.displacement(corner)));
        2.0 * lengths.into_iter().fold(0.0, f64::max)
    }

    /// Returns the motion of a point of the platform.
    fn displacement(&self, point: DVec2) -> DVec2 {
        if self.is_translation() {
            return self.translation();
        }
        let arm = (point - self.from.position.as_dvec2()) / f64::from(self.from.scale);
        let local = self.from.rotation.inverse().rotate_f64(arm);
        self.to.transform_point_f64(local) - point
    }
}

impl CarryBuffers {
    /// Prepares for a platform in a world with a number of body slots.
    pub(super) fn start(&mut self, bodies: usize) {
        let Self { members, ignored, known, together, reported: [moved, squashed], .. } = self;
        for set in [members, ignored, known, together, moved, squashed] {
            set.clear();
            set.grow(bodies);
        }
        if self.index_of.len() < bodies {
            self.index_of.resize(bodies, 0);
        }
    }

    /// Notes what has been moved, and which bodies have gone with the platform, by its displacement.
    fn note_moved(&mut self, displacement: Option<DVec2>) {
        for pushed in &self.pushed {
            let slot = pushed.body.slot;
            let is_together = pushed.progress == PushProgress::Together;
            if is_together && Some(pushed.motion) == displacement {
                self.together.insert(slot);
            } else {
                self.together.remove(slot);
            }
            if !self.known.contains(slot) {
                self.known.insert(slot);
                self.all.push(*pushed);
            }
        }
    }
}
