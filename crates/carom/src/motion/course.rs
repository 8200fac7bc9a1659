//! A body among the obstacles around it: where it stands, and where there is room for it.

use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::broad::BroadPhase;
use crate::math::{DVec2, Pose, Vec2};
use crate::motion::meet::Meet;
use crate::motion::obstacles::{Kind, Obstacle, is_line};
use crate::motion::stance::Stance;
use crate::motion::train::Lists;
use crate::motion::walk::{Gait, Walker};
use crate::query::Contact;
use crate::query::overlap::composites_overlap;
use crate::shape::{Aabb, AsShape};
use crate::sheet::Role;
use crate::world::storage::{NONE, Storage};
use crate::world::{Body, BodyKey, Filter, World, WorldError};

/// Memory that bodies on their way work in and leave for the next. It is no part of any state.
#[derive(Debug, Default)]
pub(crate) struct Pad {
    pub(super) here: Stance,
    pub(super) there: Stance,
    pub(super) near: Vec<Obstacle>,
    /// The slots of what the broad phase found.
    pub(super) found: Vec<u32>,
    /// The slots of what is passed because a response said so.
    pub(super) crossed: Vec<u32>,
    /// What the body overlaps and cannot get out of, and how deep.
    pub(super) overlapped: Vec<(u32, f32)>,
    /// The bodies that a platform moves.
    pub(super) train: Lists,
    /// The last walker that was asked about: most are alike.
    gait: Option<(Walker, Gait)>,
}

impl Pad {
    /// How a walker goes.
    pub(super) fn gait(&mut self, walker: &Walker) -> Gait {
        match &self.gait {
            Some((known, gait)) if known == walker => *gait,
            _ => self.gait.insert((*walker, Gait::of(walker))).1,
        }
    }
}

/// A body that is about to move.
pub(super) struct Course<'w> {
    pub storage: &'w Storage,
    pub(super) broad: &'w dyn BroadPhase,
    pub(super) filter: &'w Filter<'w>,
    /// The only bodies that can stop it, if that is known beforehand: no need to look them up.
    pub(super) among: Option<[BodyKey; 2]>,
    pub(super) pose: Pose,
    /// The slots of its solid colliders.
    pub own: SmallVec<[u32; 4]>,
    /// Whether all of its colliders are on the same layers.
    pub(super) is_uniform: bool,
    /// What it is at the origin, if it is one box that is neither turned nor scaled: the quick way
    /// for most bodies in most games.
    pub(super) lone_box: Option<Aabb>,
    pub(super) pad: &'w mut Pad,
    /// The box in which all obstacles are known.
    pub(super) known: Option<Aabb>,
    /// The way that is being looked at; fronts stop what moves against them.
    pub(super) motion: DVec2,
}

impl<'w> Course<'w> {
    #[inline(always)] // it is too large to be handed around
    pub fn new(
        world: &'w World,
        body: BodyKey,
        filter: &'w Filter<'w>,
        pad: &'w mut Pad,
    ) -> Result<Self, WorldError> {
        let storage = &world.storage;
        let Some(&Body { pose, enabled, .. }) = storage.body(body) else {
            return Err(WorldError::NoSuchBody(body));
        };
        let mut own = SmallVec::new();
        let mut slot = if enabled { storage.first_collider(body.slot) } else { NONE };
        while slot != NONE {
            let props = &storage.props[slot as usize];
            if props.role == Role::Solid && props.enabled {
                own.push(slot);
            }
            slot = storage.next_collider(slot);
        }
        let side = |slot: &u32| {
            let props = &storage.props[*slot as usize];
            (props.layer, props.mask)
        };
        let is_uniform = own.len() == 1 || own.iter().all(|slot| side(slot) == side(&own[0]));
        let lone_box = match own[..] {
            [slot] if pose.is_translation() => {
                storage.colliders.get_slot(slot).and_then(|record| record.local.as_box()).copied()
            }
            _ => None,
        };
        pad.crossed.clear();
        pad.overlapped.clear();
        let broad = world.broad.as_dyn();
        let (known, motion) = (None, DVec2::ZERO);
        match &lone_box {
            Some(at_origin) => pad.here.take_box(at_origin, pose.position),
            None => pad.here.take(storage, &own, &pose, pose.position),
        }
        pad.there.leave();
        let among = None;
        Ok(Self {
            storage,
            broad,
            filter,
            among,
            pose,
            own,
            is_uniform,
            lone_box,
            pad,
            known,
            motion,
        })
    }

    /// Places the body where it might stand.
    #[inline]
    pub fn ask_about(&mut self, position: Vec2) {
        let there = &mut self.pad.there;
        match &self.lone_box {
            Some(at_origin) => there.take_box(at_origin, position),
            None => there.take(self.storage, &self.own, &self.pose, position),
        }
    }

    pub fn position(&self) -> Vec2 {
        self.pad.here.position
    }

    pub fn bounds(&self) -> Aabb {
        self.pad.here.bounds
    }

    /// How near is as good as touching, here: a few units in the last place.
    pub fn skin(&self) -> f64 {
        self.pad.here.skin()
    }

    /// The same where the body was last asked about.
    pub fn skin_there(&self) -> f64 {
        self.pad.there.skin()
    }

    /// Goes to a position, whatever is there.
    #[inline(always)] // positions stay in registers
    pub fn stand(&mut self, position: Vec2) {
        match &self.lone_box {
            Some(at_origin) => self.pad.here.take_box(at_origin, position),
            None => self.stand_as_any(position),
        }
    }

    fn stand_as_any(&mut self, position: Vec2) {
        if position == self.pad.here.position {
            return;
        }
        if !self.pad.there.is_at(position) {
            self.ask_about(position);
        }
        let Pad { here, there, .. } = &mut *self.pad;
        core::mem::swap(here, there);
    }

    /// Passes a collider from now on.
    pub fn cross(&mut self, slot: u32) {
        self.pad.crossed.push(slot);
    }

    /// Takes what the body overlaps here as what it cannot get out of.
    pub fn keep_overlaps(&mut self) {
        let mut overlapped = core::mem::take(&mut self.pad.overlapped);
        self.look(self.pad.here.bounds);
        for obstacle in &self.pad.near {
            let depth = self.depth_at(&self.pad.here, obstacle);
            if depth > 0.0 {
                overlapped.push((obstacle.slot, depth));
            }
        }
        self.pad.overlapped = overlapped;
    }

    /// Whether one of the body's shapes, at a stance, is in what an obstacle takes up.
    fn is_in(&self, stance: &Stance, own: usize, obstacle: &Obstacle) -> bool {
        let (shape, other) = (&stance.shapes[own], &self.storage.placed[obstacle.slot as usize]);
        match obstacle.kind {
            Kind::Box => shape.as_shape().overlaps(&obstacle.bounds),
            Kind::Surface => composites_overlap(&shape.as_shape(), &self.surface(obstacle.slot)),
            Kind::Plain => shape.as_shape().overlaps(other),
            Kind::Line => {
                shape.as_shape().overlaps(other)
                    || is_line(shape)
                        && shape.as_shape().intersects(other)
                        && !self.pad.here.shapes[own].as_shape().intersects(other)
            }
        }
    }

    /// Which of the body's shapes an obstacle stops; none if it is passed.
    pub fn stopped_by(&self, obstacle: &Obstacle) -> impl Iterator<Item = usize> {
        let slot = obstacle.slot;
        let own = if self.pad.crossed.contains(&slot) { &[] } else { &self.own[..] };
        let stopped = move |own: u32| self.is_uniform || self.minds(own, slot);
        (0..).zip(own).filter(move |&(_, &own)| stopped(own)).map(|(place, _)| place)
    }

    /// Whether the body can be at a position: it overlaps nothing there that stops it, and what it
    /// overlapped before no deeper.
    pub fn is_clear(&mut self, position: Vec2) -> bool {
        self.fits_as_box(position) || self.is_clear_of_all(position)
    }

    fn is_clear_of_all(&mut self, position: Vec2) -> bool {
        self.ask_about(position);
        self.look(self.pad.there.bounds);
        self.is_stance_clear(&self.pad.there)
    }

    /// Whether the body can be where it is.
    #[inline(always)]
    pub fn is_clear_here(&mut self) -> bool {
        if self.is_plain_box() && self.has_room_for(&self.pad.here.bounds) {
            return true;
        }
        self.look(self.pad.here.bounds);
        self.is_stance_clear(&self.pad.here)
    }

    fn is_stance_clear(&self, stance: &Stance) -> bool {
        let is_plain_box = self.is_plain_box();
        self.pad.near.iter().all(|obstacle| {
            let told = if is_plain_box { Self::is_clear_of_box(stance, obstacle) } else { None };
            told.unwrap_or_else(|| self.is_clear_of(stance, obstacle))
        })
    }

    fn is_clear_of(&self, stance: &Stance, obstacle: &Obstacle) -> bool {
        if !obstacle.bounds.intersects_aabb(&stance.bounds) {
            return true;
        }
        self.stopped_by(obstacle).all(|own| match self.old_depth(obstacle.slot) {
            Some(depth) => self.depth_at(stance, obstacle) <= depth,
            None => !self.is_in(stance, own, obstacle),
        })
    }

    pub fn old_depth(&self, slot: u32) -> Option<f32> {
        let mut all = self.pad.overlapped.iter();
        all.find(|(old, _)| *old == slot).map(|&(_, depth)| depth)
    }

    /// How deep the body is in an obstacle.
    fn depth_at(&self, stance: &Stance, obstacle: &Obstacle) -> f32 {
        let contacts = (0..self.own.len()).filter_map(|own| self.overlap(stance, own, obstacle));
        contacts.fold(0.0, |depth, contact| contact.depth.max(depth))
    }

    /// The contact of a shape with an obstacle that it overlaps. Fronts are not overlapped.
    pub fn overlap(&self, stance: &Stance, own: usize, obstacle: &Obstacle) -> Option<Contact> {
        let (shape, other) = (&stance.shapes[own], &self.storage.placed[obstacle.slot as usize]);
        if !self.minds(self.own[own], obstacle.slot) || !self.is_in(stance, own, obstacle) {
            return None;
        }
        shape.as_shape().contact(other).filter(|contact| contact.depth > 0.0)
    }

    /// The deepest overlap at the position that was last asked about.
    pub fn deepest(&self) -> Option<Contact> {
        let there = &self.pad.there;
        let near =
            self.pad.near.iter().filter(|obstacle| obstacle.bounds.intersects_aabb(&there.bounds));
        let overlaps = near.flat_map(|obstacle| {
            let stopped = self.stopped_by(obstacle);
            stopped.filter_map(|own| self.overlap(there, own, obstacle))
        });
        overlaps.reduce(|deepest, other| if other.depth > deepest.depth { other } else { deepest })
    }

    /// How the body overlaps an obstacle where it is, if it does.
    pub fn overlap_here(&self, obstacle: &Obstacle) -> Option<Meet> {
        let here = &self.pad.here;
        let overlaps = self.stopped_by(obstacle).filter_map(|own| {
            let Contact { normal, depth, points, .. } = self.overlap(here, own, obstacle)?;
            let (normal, point) = (normal.as_dvec2(), points[0]);
            Some(Meet { own, obstacle: *obstacle, time: 0.0, normal, point, depth })
        });
        overlaps.reduce(|deepest, other| if other.depth > deepest.depth { other } else { deepest })
    }

    /// The bounds of one of the body's shapes.
    pub fn shape_bounds(&self, own: usize) -> Aabb {
        self.pad.here.shapes[own].bounds()
    }
}
