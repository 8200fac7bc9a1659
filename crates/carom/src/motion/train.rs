//! Who gives way to a platform: those that stand on it, those in its way, those that stand on these,
//! those in the way of these, and so on.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::broad::Mobility;
use crate::math::{DVec2, Vec2, to_vec2};
use crate::motion::course::{Course, Pad};
use crate::motion::walk::WalkerState;
use crate::shape::Aabb;
use crate::sheet::Role;
use crate::world::{BodyKey, Filter, World, WorldError};

/// A body that gives way.
#[derive(Debug)]
pub(super) struct Moved {
    pub body: BodyKey,
    /// What takes it along or pushes it.
    pub mover: BodyKey,
    pub by: Vec2,
    /// Out of the mover, towards the body.
    pub normal: DVec2,
    pub rides: bool,
    /// How many bodies are between it and the platform.
    pub links: u32,
}

/// The lists of a train, which keep their memory for the next.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// Near the body that is asked about.
    near: Vec<BodyKey>,
    /// Found, but perhaps not by the longest push.
    open: Vec<Moved>,
    /// Each body once, and after what moves it.
    pub all: Vec<Moved>,
    /// How far ahead each of them is, and its place in `all`: those ahead first.
    pub ahead: Vec<(f64, usize)>,
}

/// The bodies that a platform moves.
struct Train<'a> {
    platform: BodyKey,
    motion: Vec2,
    walkers: &'a [(BodyKey, WalkerState)],
    lists: &'a mut Lists,
}

impl Lists {
    /// Finds all that a platform moves, with the longest push that each gets.
    pub fn fill(
        &mut self,
        world: &World,
        platform: BodyKey,
        motion: Vec2,
        walkers: &[(BodyKey, WalkerState)],
        pad: &mut Pad,
    ) -> Result<(), WorldError> {
        self.open.clear();
        self.all.clear();
        let mut train = Train { platform, motion, walkers, lists: self };
        train.find_riders(world, platform, motion, 0);
        train.find_pushed(world, platform, motion, 0, pad)?;
        // A push gets no longer from body to body: so the longest one is final.
        while let Some(next) = train.take_longest() {
            if train.has(next.body) {
                continue;
            }
            train.find_riders(world, next.body, next.by, next.links + 1);
            // Who is taken along goes as far as there is room, and pushes nobody.
            if !next.rides {
                train.find_pushed(world, next.body, next.by, next.links + 1, pad)?;
            }
            train.lists.all.push(next);
        }
        self.sort(world, motion);
        Ok(())
    }

    /// Finds out who is ahead of whom.
    fn sort(&mut self, world: &World, motion: Vec2) {
        let Self { all, ahead, .. } = self;
        ahead.clear();
        ahead.extend(all.iter().enumerate().map(|(i, moved)| {
            let place = world.body(moved.body).map_or(Vec2::ZERO, |body| body.pose.position);
            (place.as_dvec2().dot(motion.as_dvec2()), i)
        }));
        ahead.sort_unstable_by(|a, b| {
            b.0.total_cmp(&a.0).then_with(|| all[a.1].body.cmp(&all[b.1].body))
        });
    }
}

impl Train<'_> {
    fn has(&self, body: BodyKey) -> bool {
        body == self.platform || self.lists.all.iter().any(|moved| moved.body == body)
    }

    /// Whether a body goes along with one that it stands on: that is as far as it could be pushed.
    fn takes_along(&self, mover: BodyKey, body: BodyKey) -> bool {
        let mut open = self.lists.open.iter();
        open.any(|moved| moved.rides && moved.mover == mover && moved.body == body)
    }

    fn take_longest(&mut self) -> Option<Moved> {
        let far = |moved: &Moved| moved.by.as_dvec2().dot(self.motion.as_dvec2());
        let open = &self.lists.open;
        let longest = (0..open.len()).max_by(|&a, &b| {
            let (a, b) = (&open[a], &open[b]);
            let keys = (a.rides, b.body).cmp(&(b.rides, a.body));
            far(a).total_cmp(&far(b)).then(keys)
        })?;
        Some(self.lists.open.remove(longest))
    }

    /// Finds the walkers that stand on a body.
    fn find_riders(&mut self, world: &World, mover: BodyKey, by: Vec2, links: u32) {
        for &(body, state) in self.walkers.iter().filter(|(_, state)| state.stands_on(mover)) {
            if let Some(floor) = state.floor.filter(|_| world.body(body).is_some()) {
                let normal = floor.normal.as_dvec2();
                self.lists.open.push(Moved { body, mover, by, normal, rides: true, links });
            }
        }
    }

    /// Finds the moving bodies that a body will meet.
    fn find_pushed(
        &mut self,
        world: &World,
        mover: BodyKey,
        by: Vec2,
        links: u32,
        pad: &mut Pad,
    ) -> Result<(), WorldError> {
        let all = Filter::new();
        find_moving_near(world, mover, by, &mut self.lists.near);
        for place in 0..self.lists.near.len() {
            let body = self.lists.near[place];
            if self.has(body) || self.takes_along(mover, body) {
                continue;
            }
            // Seen from the mover, the body comes towards it.
            let mut course = Course::new(world, body, &all, pad)?;
            course.among = Some([mover; 2]);
            if links > 0 && !self.minds_platform(world, &course) {
                continue;
            }
            let (by, normal) = if !course.is_clear_here() {
                if links > 0 {
                    continue; // that is not the platform's doing
                }
                (by, -by.as_dvec2()) // it has been squashed before
            } else if let Some(meet) = course.first_on(-by) {
                (to_vec2(by.as_dvec2() * (1.0 - meet.time)), meet.normal)
            } else {
                continue;
            };
            self.lists.open.push(Moved { body, mover, by, normal, rides: false, links });
        }
        Ok(())
    }

    /// Whether the platform itself would push a body: another platform is not pushed by who is
    /// between the two, if their layers say so.
    fn minds_platform(&self, world: &World, course: &Course<'_>) -> bool {
        let mut platform = world.colliders_of(self.platform);
        platform.any(|other| course.own.iter().any(|&own| course.minds(own, other.slot)))
    }
}

/// Finds the moving bodies with solid colliders near the way of a body.
fn find_moving_near(world: &World, mover: BodyKey, by: Vec2, near: &mut Vec<BodyKey>) {
    near.clear();
    let is_solid = |slot: u32| {
        world.storage.props[slot as usize].role == Role::Solid
            && world.storage.mobility_of(slot) == Some(Mobility::Moving)
    };
    for own in world.colliders_of(mover).filter_map(|collider| world.collider(collider)) {
        let [now, then] = [Vec2::ZERO, by].map(|by| {
            let [min, max] = [own.bounds().min(), own.bounds().max()]
                .map(|corner| to_vec2(corner.as_dvec2() + by.as_dvec2()));
            Aabb::new_unchecked(min, max)
        });
        world.broad.as_dyn().visit_intersecting(&Aabb::union([now, then]), &mut |slot| {
            let body = world.storage.body_key_of(slot);
            if is_solid(slot) && body != mover && !near.contains(&body) {
                near.push(body);
            }
            ControlFlow::Continue(())
        });
    }
}
