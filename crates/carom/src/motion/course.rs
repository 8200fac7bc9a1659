//! A body among the obstacles around it: where it is clear, and what it meets on a straight way.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use smallvec::SmallVec;

use crate::broad::{BroadPhase, Path};
use crate::math::{DVec2, Pose, Vec2, length, round};
use crate::motion::meet::{First, Meet, meet_boxes};
use crate::motion::stance::Stance;
use crate::motion::surface::{Surface, has_fronts};
use crate::query::contact::rounding_margin;
use crate::query::overlaps::overlaps_parts;
use crate::query::sweep_parts::sweep_apart;
use crate::query::{Contact, Query, Ray};
use crate::shape::core::Scratch;
use crate::shape::parts::Near;
use crate::shape::{Aabb, AsShape, Cell, Shape, ShapeRef};
use crate::sheet::Role;
use crate::world::placed::{Placed, Small};
use crate::world::roster::{NONE, Roster};
use crate::world::{BodyKey, Filter, World, WorldError};

/// Memory that bodies on their way work in and leave for the next. It is no part of any state.
#[derive(Debug, Default)]
pub(crate) struct Pad {
    pub(super) here: Stance,
    there: Stance,
    near: Vec<Obstacle>,
    /// The slots of what is passed because a response said so.
    crossed: Vec<u32>,
    /// What the body overlaps and cannot get out of, and how deep.
    overlapped: Vec<(u32, f32)>,
}

/// A collider that may be in the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Obstacle {
    pub slot: u32,
    pub bounds: Aabb,
    kind: Kind,
}

impl Obstacle {
    pub fn of_box(slot: u32, bounds: Aabb) -> Self {
        Self { slot, bounds, kind: Kind::Box }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// It is its bounds: a box, or some of the tiles of a map.
    Box,
    Plain,
    /// It can only be touched by points and lines; they must stop short of it.
    Line,
    /// It stops things on some of their ways only.
    Surface,
}

/// A body that is about to move.
pub(super) struct Course<'w> {
    pub roster: &'w Roster,
    broad: &'w dyn BroadPhase,
    filter: &'w Filter<'w>,
    pose: Pose,
    /// The slots of its solid colliders.
    pub own: SmallVec<[u32; 4]>,
    /// Whether all of its colliders are on the same layers.
    is_uniform: bool,
    pad: &'w mut Pad,
    /// The box in which all obstacles are known.
    known: Option<Aabb>,
    /// The way that is being looked at; fronts stop what moves against them.
    motion: DVec2,
}

impl<'w> Course<'w> {
    pub fn new<B: BroadPhase>(
        world: &'w World<B>,
        body: BodyKey,
        filter: &'w Filter<'w>,
        pad: &'w mut Pad,
    ) -> Result<Self, WorldError> {
        let roster = &world.roster;
        let pose = roster.body(body).ok_or(WorldError::NoSuchBody(body))?.pose;
        let mut own = SmallVec::new();
        let mut slot = roster.first_collider(body.slot);
        while slot != NONE {
            let is_solid = roster.traits[slot as usize].role == Role::Solid;
            if is_solid && roster.mobility_of(slot).is_some() {
                own.push(slot);
            }
            slot = roster.next_collider(slot);
        }
        let side = |slot: &u32| {
            let traits = &roster.traits[*slot as usize];
            (traits.layer, traits.mask)
        };
        let is_uniform = own.iter().all(|slot| side(slot) == side(&own[0]));
        let broad: &dyn BroadPhase = &world.broad;
        let motion = DVec2::ZERO;
        let course =
            Self { roster, broad, filter, pose, own, is_uniform, pad, known: None, motion };
        course.pad.crossed.clear();
        course.pad.overlapped.clear();
        course.pad.here.take(roster, &course.own, &pose, pose.position);
        course.pad.there.leave();
        Ok(course)
    }

    pub fn position(&self) -> Vec2 {
        self.pad.here.position
    }

    pub fn bounds(&self) -> Aabb {
        self.pad.here.bounds
    }

    /// How near is as good as touching, here: a few units in the last place.
    pub fn skin(&self) -> f64 {
        2.0 * rounding_margin(self.pad.here.far())
    }

    /// The same where the body was last asked about.
    pub fn skin_there(&self) -> f64 {
        2.0 * rounding_margin(self.pad.there.far())
    }

    /// Goes to a position, whatever is there.
    pub fn stand(&mut self, position: Vec2) {
        if position == self.pad.here.position {
            return;
        }
        let Pad { here, there, .. } = &mut *self.pad;
        if !there.is_at(position) {
            there.take(self.roster, &self.own, &self.pose, position);
        }
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

    /// Makes sure that all obstacles on a straight way are known, so that one look will do.
    pub fn look_ahead(&mut self, motion: Vec2) {
        if !self.is_long(motion) {
            self.look(self.pad.here.swept(motion, 2.0 * self.skin()));
        }
    }

    /// The same for a body that may also go a little up and down, and up where it wants to go ahead.
    pub fn look_around(&mut self, motion: Vec2, reach: f32) {
        if reach.is_finite() && !self.is_long(motion) && !self.is_long(Vec2::splat(reach)) {
            let reach = f64::from(reach) + length(motion.as_dvec2());
            self.look(self.pad.here.swept(Vec2::ZERO, reach + 2.0 * self.skin()));
        }
    }

    /// Whether a way is so long that most of what is around it comes after the first obstacle.
    fn is_long(&self, motion: Vec2) -> bool {
        motion.abs().element_sum() > 16.0 * self.pad.here.bounds.size().element_sum()
    }

    /// Makes sure that all obstacles in a box are known.
    fn look(&mut self, bounds: Aabb) {
        if self.known.is_some_and(|known| known.holds(&bounds)) {
            return;
        }
        let mut near = core::mem::take(&mut self.pad.near);
        near.clear();
        self.broad.visit_box(&bounds, &mut |slot| {
            if let Some(obstacle) = self.obstacle(slot) {
                self.take_in(obstacle, &bounds, &mut near);
            }
            ControlFlow::Continue(())
        });
        near.sort_unstable_by(|a, b| {
            let corners = [a, b].map(|obstacle| obstacle.bounds.min());
            let places = corners[0].y.total_cmp(&corners[1].y);
            a.slot.cmp(&b.slot).then(places).then(corners[0].x.total_cmp(&corners[1].x))
        });
        self.pad.near = near;
        self.known = Some(bounds);
    }

    /// Takes an obstacle in; of a tile map where there are but full tiles near, the boxes that they
    /// make, which are quicker to ask. (Not for lines and points, which fit between two boxes.)
    fn take_in(&self, obstacle: Obstacle, bounds: &Aabb, near: &mut Vec<Obstacle>) {
        let known = near.len();
        near.push(obstacle);
        let placed = &self.roster.placed[obstacle.slot as usize];
        let Placed::Other(shape) = placed else { return };
        let Shape::TileMap(map) = &**shape else { return };
        if self.is_platform(obstacle.slot) || self.pad.here.shapes.iter().any(is_line) {
            return;
        }
        let corners = bounds.corners();
        let found = map.visit_runs(&Near::corners(&corners), &mut |run| match map.full_box(&run) {
            Some(bounds) => {
                near.push(Obstacle::of_box(obstacle.slot, bounds));
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        });
        if found.is_break() {
            near.truncate(known + 1);
        } else {
            near.swap_remove(known);
        }
    }

    fn is_platform(&self, slot: u32) -> bool {
        self.roster.colliders.at(slot).is_some_and(|record| record.one_way.is_some())
    }

    /// A collider as an obstacle, if it is one.
    fn obstacle(&self, slot: u32) -> Option<Obstacle> {
        let is_minded = if self.is_uniform {
            self.own.first().is_some_and(|&own| self.minds(own, slot))
        } else {
            self.own.iter().any(|&own| self.minds(own, slot))
        };
        if !is_minded || !self.filter.passes(self.roster, slot) {
            return None;
        }
        let placed = &self.roster.placed[slot as usize];
        let kind = match placed {
            _ if self.is_platform(slot) => Kind::Surface,
            Placed::Small(Small::Aabb(_)) => Kind::Box,
            Placed::Small(Small::Circle(_)) => Kind::Plain,
            Placed::Small(Small::Point(_)) => Kind::Line,
            Placed::Other(shape) => match shape.as_shape() {
                shape if has_fronts(shape) => Kind::Surface,
                ShapeRef::Segment(_) | ShapeRef::Chain(_) | ShapeRef::Compound(_) => Kind::Line,
                _ => Kind::Plain,
            },
        };
        Some(Obstacle { slot, bounds: placed.bounds(), kind })
    }

    /// Whether two colliders stop each other.
    #[inline]
    fn minds(&self, own: u32, other: u32) -> bool {
        let [own, other] = [own, other].map(|slot| &self.roster.traits[slot as usize]);
        other.role == Role::Solid
            && own.body != other.body
            && own.mask.contains(other.layer)
            && other.mask.contains(own.layer)
    }

    fn surface<'a>(&'a self, slot: u32) -> Surface<'a> {
        let shape = self.roster.placed[slot as usize].as_shape();
        let turned = |up: Vec2| {
            let pose = self.roster.body_of(slot).map_or(Pose::IDENTITY, |body| body.pose);
            pose.rotation.turn(up.as_dvec2())
        };
        let up = self.roster.colliders.at(slot).and_then(|record| record.one_way).map(turned);
        Surface { shape, up, body: &self.pad.here.shapes, motion: self.motion }
    }

    /// Whether one of the body's shapes, at a stance, is in what an obstacle takes up.
    fn is_in(&self, stance: &Stance, own: usize, obstacle: &Obstacle) -> bool {
        let (shape, other) = (&stance.shapes[own], &self.roster.placed[obstacle.slot as usize]);
        match obstacle.kind {
            Kind::Box => shape.overlaps(&obstacle.bounds),
            Kind::Surface => overlaps_parts(&shape.as_shape(), &self.surface(obstacle.slot)),
            Kind::Plain => shape.overlaps(other),
            Kind::Line => {
                shape.overlaps(other)
                    || is_line(shape)
                        && shape.intersects(other)
                        && !self.pad.here.shapes[own].intersects(other)
            }
        }
    }

    /// The pairs of the body's shapes and obstacles near a box that stop each other, but for what
    /// is passed.
    fn pairs(&self, bounds: Aabb) -> impl Iterator<Item = (usize, &Obstacle)> {
        let near = self.pad.near.iter().filter(move |obstacle| {
            obstacle.bounds.touches(&bounds) && !self.pad.crossed.contains(&obstacle.slot)
        });
        near.flat_map(move |obstacle| {
            let own = self.own.iter().enumerate();
            own.filter(move |&(_, &own)| self.is_uniform || self.minds(own, obstacle.slot))
                .map(move |(place, _)| (place, obstacle))
        })
    }

    /// Whether the body can be at a position: it overlaps nothing there that stops it, and what it
    /// overlapped before no deeper.
    pub fn is_clear(&mut self, position: Vec2) -> bool {
        self.pad.there.take(self.roster, &self.own, &self.pose, position);
        self.look(self.pad.there.bounds);
        self.is_stance_clear(&self.pad.there)
    }

    /// Whether the body can be where it is.
    pub fn is_clear_here(&mut self) -> bool {
        self.look(self.pad.here.bounds);
        self.is_stance_clear(&self.pad.here)
    }

    fn is_stance_clear(&self, stance: &Stance) -> bool {
        self.pairs(stance.bounds).all(|(own, obstacle)| match self.old_depth(obstacle.slot) {
            Some(depth) => self.depth_at(stance, obstacle) <= depth,
            None => !self.is_in(stance, own, obstacle),
        })
    }

    fn old_depth(&self, slot: u32) -> Option<f32> {
        let mut all = self.pad.overlapped.iter();
        all.find(|(old, _)| *old == slot).map(|&(_, depth)| depth)
    }

    /// How deep the body is in an obstacle.
    fn depth_at(&self, stance: &Stance, obstacle: &Obstacle) -> f32 {
        let contacts = (0..self.own.len()).filter_map(|own| self.overlap(stance, own, obstacle));
        contacts.fold(0.0, |depth, contact| contact.depth.max(depth))
    }

    /// The contact of a shape with an obstacle that it overlaps. Fronts are not overlapped.
    fn overlap(&self, stance: &Stance, own: usize, obstacle: &Obstacle) -> Option<Contact> {
        let (shape, other) = (&stance.shapes[own], &self.roster.placed[obstacle.slot as usize]);
        if !self.minds(self.own[own], obstacle.slot) || !self.is_in(stance, own, obstacle) {
            return None;
        }
        shape.contact(other).filter(|contact| contact.depth > 0.0)
    }

    /// The deepest overlap at the position that was last asked about.
    pub fn deepest(&self) -> Option<Contact> {
        let there = &self.pad.there;
        let overlaps = self
            .pairs(there.bounds)
            .filter_map(|(own, obstacle)| self.overlap(there, own, obstacle));
        overlaps.reduce(|deepest, other| if other.depth > deepest.depth { other } else { deepest })
    }

    /// What the body meets first on a straight way from here.
    pub fn first_on(&mut self, motion: Vec2) -> Option<Meet> {
        if self.own.is_empty() || motion == Vec2::ZERO {
            return None;
        }
        self.motion = motion.as_dvec2();
        let skin = self.skin();
        let mut first = First::new(skin / length(self.motion));
        let way = self.pad.here.swept(motion, skin);
        if self.is_long(motion) {
            self.visit_way(motion, &mut first);
        } else {
            self.look(way);
            for (own, obstacle) in self.pairs(way) {
                let meet = self.meet(&self.pad.here, own, obstacle, motion);
                meet.into_iter().for_each(|meet| first.add(meet));
            }
        }
        let aside = 2.0 * skin;
        first.choose(|meet| (self.may_graze(meet, motion, aside), self.shared_front(meet, motion)))
    }

    /// The same for a long way, along which most obstacles come after the first.
    fn visit_way(&self, motion: Vec2, first: &mut First) {
        let path = Path::of_sweep(&self.pad.here.bounds, motion);
        self.broad.visit_path(&path, &mut |slot, _| {
            if !self.pad.crossed.contains(&slot)
                && let Some(obstacle) = self.obstacle(slot)
            {
                for own in 0..self.own.len() {
                    if self.minds(self.own[own], slot) {
                        let meet = self.meet(&self.pad.here, own, &obstacle, motion);
                        meet.into_iter().for_each(|meet| first.add(meet));
                    }
                }
            }
            first.until().min(path.end())
        });
    }

    fn meet(&self, from: &Stance, own: usize, obstacle: &Obstacle, motion: Vec2) -> Option<Meet> {
        let slot = obstacle.slot;
        let (shape, other) = (&from.shapes[own], &self.roster.placed[slot as usize]);
        if self.old_depth(slot).is_some() {
            let contact = self.overlap(from, own, obstacle)?;
            return Meet::from_overlap(own, obstacle, &contact, motion);
        }
        let hit = match (shape, obstacle.kind) {
            (Placed::Small(Small::Aabb(shape)), Kind::Box) => {
                return meet_boxes(own, shape, motion, obstacle);
            }
            (_, Kind::Box) => shape.sweep(motion, &obstacle.bounds)?,
            (_, Kind::Surface) => sweep_apart(shape.as_shape(), motion, &self.surface(slot))?,
            _ => shape.sweep(motion, other)?,
        };
        if hit.depth > 0.0 && hit.normal.as_dvec2().dot(motion.as_dvec2()) >= 0.0 {
            return None; // it leads out
        }
        Some(Meet::from_hit(own, obstacle, &hit))
    }

    /// How far the body can still go towards what it meets, from the position last asked about.
    pub fn gap_there(&self, meet: &Meet, motion: Vec2) -> Option<DVec2> {
        let again = self.meet(&self.pad.there, meet.own, &meet.obstacle, motion)?;
        Some(motion.as_dvec2() * again.time)
    }

    /// How long the line is, at most, along which the body and what it meets face each other.
    fn shared_front(&self, meet: &Meet, motion: Vec2) -> f64 {
        let along = meet.normal.perp();
        let own = self.pad.here.shapes[meet.own].bounds();
        let (a, b) = (span_of_box(&own, along), span_of_box(&meet.obstacle.bounds, along));
        let by = along.dot(motion.as_dvec2() * meet.time);
        (a.1 + by).min(b.1) - (a.0 + by).max(b.0)
    }

    /// Where to stand instead, if what is met is only grazed: a way no further aside than rounding
    /// misses it. Else the corner of a flush neighbour that sticks out by the last bit of a number
    /// would be a wall.
    pub fn beside(&mut self, meet: &Meet, motion: Vec2) -> Option<Vec2> {
        let aside = 2.0 * self.skin();
        if meet.depth > 0.0 || !self.may_graze(meet, motion, aside) {
            return None;
        }
        // Along the axis that the way is least along, so that the other coordinate stays exact.
        let side = if motion.x.abs() >= motion.y.abs() { DVec2::Y } else { DVec2::X };
        [side * aside, side * -aside].into_iter().find_map(|by| {
            let from = round(self.position().as_dvec2() + by);
            let misses = from != self.position()
                && self.is_clear(from)
                && self.meet(&self.pad.there, meet.own, &meet.obstacle, motion).is_none();
            misses.then_some(from)
        })
    }

    /// Whether a body that is moved aside so far can miss what it meets: for convex shapes, if they
    /// are not further in each other's way than that.
    fn may_graze(&self, meet: &Meet, motion: Vec2, aside: f64) -> bool {
        let Some(along) = crate::math::unit(motion.as_dvec2()) else { return false };
        let Meet { own, obstacle, .. } = meet;
        let (own, side) = (self.pad.here.shapes[*own].as_shape(), along.perp());
        let other = match obstacle.kind {
            Kind::Box => obstacle.bounds.as_shape(),
            _ => self.roster.placed[obstacle.slot as usize].as_shape(),
        };
        match (span(own, side), span(other, side)) {
            (Some(own), Some(other)) => own.1 - other.0 <= aside || other.1 - own.0 <= aside,
            _ => true,
        }
    }

    /// Which tile of a map is met.
    pub fn tile_of(&self, meet: &Meet) -> Option<Cell> {
        let placed = self.roster.placed[meet.slot() as usize].as_shape();
        let ShapeRef::TileMap(map) = placed else { return None };
        map.tile_at_hit(meet.point, round(meet.normal))
    }

    /// How far a body has to go to one side to be past what it meets: of a tile map, past the tile.
    pub fn way_past(&self, meet: &Meet, side: DVec2) -> f64 {
        let own = self.shape_bounds(meet.own);
        let placed = &self.roster.placed[meet.slot() as usize];
        let other = match (placed.as_shape(), self.tile_of(meet)) {
            (ShapeRef::TileMap(map), Some(cell)) => Aabb::from_points(&map.cell_corners(cell)),
            _ => None,
        };
        let other = other.unwrap_or(meet.obstacle.bounds);
        span_of_box(&other, side).1 - span_of_box(&own, side).0
    }

    /// How high above the lowest point of a body something is met.
    pub fn height_of(&self, meet: &Meet, up: DVec2) -> f64 {
        meet.point.as_dvec2().dot(up) - span_of_box(&self.bounds(), up).0
    }

    /// The normal at the top of what is met, next to where it is met.
    pub fn top_of(&self, meet: &Meet, inwards: DVec2, up: DVec2) -> Option<DVec2> {
        let near = 0.01 * length(self.bounds().size().as_dvec2());
        let above = round(meet.point.as_dvec2() + (inwards + up) * near);
        let ray = Ray::try_new(above, round(-up), (1.5 * near) as f32).ok()?;
        let hit = self.roster.placed[meet.slot() as usize].raycast(&ray)?;
        (hit.distance > 0.0).then(|| hit.normal.as_dvec2())
    }

    /// Goes down by next to nothing, through platforms only: then the body is in them, and passes.
    pub fn drop_through(&mut self, up: DVec2) {
        let down = round(self.position().as_dvec2() - up * (4.0 * self.skin()));
        // Fronts stop nothing that does not move.
        self.motion = DVec2::ZERO;
        if self.is_clear(down) {
            self.stand(down);
        }
    }

    /// The bounds of one of the body's shapes.
    pub fn shape_bounds(&self, own: usize) -> Aabb {
        self.pad.here.shapes[own].bounds()
    }
}

/// From where to where a convex shape reaches along an axis; `None` if it is made of parts.
fn span(shape: ShapeRef<'_>, axis: DVec2) -> Option<(f64, f64)> {
    if let ShapeRef::Aabb(aabb) = shape {
        return Some(span_of_box(aabb, axis));
    }
    let mut pad = Scratch::new();
    let core = shape.try_core(&mut pad)?;
    let places = core.points.iter().map(|point| point.as_dvec2().dot(axis));
    let (low, high) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), place| {
        (low.min(place), high.max(place))
    });
    Some((low - f64::from(core.radius), high + f64::from(core.radius)))
}

fn span_of_box(bounds: &Aabb, axis: DVec2) -> (f64, f64) {
    let (low, high) = (bounds.min().as_dvec2(), bounds.max().as_dvec2());
    let middle = axis.dot(low + high) / 2.0;
    let half = axis.abs().dot(high - low) / 2.0;
    (middle - half, middle + half)
}

/// Whether a shape may touch lines without ever overlapping them.
fn is_line(shape: &Placed) -> bool {
    match shape {
        Placed::Small(small) => matches!(small, Small::Point(_)),
        Placed::Other(shape) => matches!(
            shape.as_shape(),
            ShapeRef::Segment(_) | ShapeRef::Chain(_) | ShapeRef::Compound(_)
        ),
    }
}
