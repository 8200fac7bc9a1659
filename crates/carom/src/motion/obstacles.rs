//! What is around a body that may be in its way.

use alloc::vec::Vec;

use crate::math::{Pose, Vec2};
use crate::motion::course::Course;
use crate::motion::surface::{Surface, has_fronts};
use crate::shape::{Aabb, AsShape, Shape, ShapeRef};
use crate::sheet::Role;
use crate::world::BodyKey;
use crate::world::placed_shape::{InlineShape, PlacedShape};

/// A collider that may be in the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Obstacle {
    pub slot: u32,
    pub bounds: Aabb,
    pub kind: Kind,
}

impl Obstacle {
    pub fn of_box(slot: u32, bounds: Aabb) -> Self {
        Self { slot, bounds, kind: Kind::Box }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)] // no gaps, so that what has one is copied in one go
pub(super) enum Kind {
    /// It is its bounds: a box, or some of the tiles of a map.
    Box,
    Plain,
    /// It can only be touched by points and lines; they must stop short of it.
    Line,
    /// It stops things on some of their ways only.
    Surface,
}

impl Course<'_> {
    /// Makes sure that all obstacles on a straight way are known, so that one look will do.
    #[inline(always)]
    pub fn look_ahead(&mut self, motion: Vec2) {
        if !self.is_long(motion) {
            self.look(self.pad.here.swept(motion, 2.0 * self.skin()));
        }
    }

    /// The same for a body that may go up and down by so much as well.
    pub fn look_around(&mut self, motion: Vec2, up: Vec2, down: Vec2) {
        if ![motion, up, down].iter().any(|way| self.is_long(*way)) {
            let low = motion.min(Vec2::ZERO) + up.min(down);
            let high = motion.max(Vec2::ZERO) + up.max(down);
            self.look(self.pad.here.around(low, high, 8.0 * self.skin()));
        }
    }

    /// The same for a body that may be put aside by so much.
    pub fn look_beside(&mut self, reach: f64) {
        self.look(self.pad.here.swept(Vec2::ZERO, reach));
    }

    /// Whether a way is so long that most of what is around it comes after the first obstacle.
    #[inline]
    pub fn is_long(&self, motion: Vec2) -> bool {
        motion.abs().element_sum() > 16.0 * self.pad.here.bounds.size().element_sum()
    }

    /// Makes sure that all obstacles in a box are known.
    #[inline]
    pub fn look(&mut self, bounds: Aabb) {
        if !self.knows(&bounds) {
            self.gather(bounds);
        }
    }

    /// Whether all obstacles in a box are known.
    #[inline]
    pub fn knows(&self, bounds: &Aabb) -> bool {
        self.known.is_some_and(|known| known.contains_aabb(bounds))
    }

    fn gather(&mut self, bounds: Aabb) {
        let (mut near, mut found) =
            (core::mem::take(&mut self.pad.near), core::mem::take(&mut self.pad.found));
        near.clear();
        found.clear();
        match self.among {
            None => _ = self.broad.collect_intersecting(&bounds, &mut found),
            Some(bodies) => self.list_colliders(bodies, &bounds, &mut found),
        }
        // The order in which a broad phase finds them must not matter.
        if !found.is_sorted() {
            found.sort_unstable();
        }
        for &slot in &found {
            if self.stops(slot) {
                self.take_in(slot, &bounds, &mut near);
            }
        }
        (self.pad.near, self.pad.found) = (near, found);
        self.known = Some(bounds);
    }

    /// Lists the colliders of some bodies that touch a box.
    fn list_colliders(&self, bodies: [BodyKey; 2], bounds: &Aabb, found: &mut Vec<u32>) {
        for body in bodies {
            let slots = self.storage.colliders_of(body).map(|collider| collider.slot);
            found.extend(slots.filter(|&slot| {
                self.storage.mobility_of(slot).is_some()
                    && self.storage.placed[slot as usize].bounds().intersects_aabb(bounds)
            }));
        }
        found.sort_unstable();
        found.dedup(); // one body twice
    }

    /// Takes an obstacle in; of a tile map where there are but full tiles near, the boxes that they
    /// make, which are quicker to ask. (Not for lines and points, which fit between two boxes.)
    fn take_in(&self, slot: u32, bounds: &Aabb, near: &mut Vec<Obstacle>) {
        let known = near.len();
        if let PlacedShape::Other(shape) = &self.storage.placed[slot as usize]
            && let Shape::TileMap(map) = &**shape
            && !self.is_platform(slot)
            && (self.lone_box.is_some() || !self.pad.here.shapes.iter().any(is_line))
        {
            let mut take = |tiles: Aabb| near.push(Obstacle::of_box(slot, tiles));
            if map.visit_full_tiles(bounds, &mut take) {
                return;
            }
            near.truncate(known);
        }
        near.push(self.obstacle(slot));
    }

    pub fn is_platform(&self, slot: u32) -> bool {
        self.storage.colliders.get_slot(slot).is_some_and(|record| record.one_way.is_some())
    }

    /// Whether a collider is an obstacle.
    #[inline]
    pub fn stops(&self, slot: u32) -> bool {
        let is_minded = match self.own[..] {
            [first, ..] if self.is_uniform => self.minds(first, slot),
            _ => self.own.iter().any(|&own| self.minds(own, slot)),
        };
        is_minded && self.is_asked_about(slot) && self.filter.passes(self.storage, slot)
    }

    /// Whether a collider is of the bodies that can be obstacles.
    #[inline]
    fn is_asked_about(&self, slot: u32) -> bool {
        let body = self.storage.props[slot as usize].body;
        self.among.is_none_or(|bodies| bodies.iter().any(|asked| asked.slot == body))
    }

    /// A collider as an obstacle.
    pub fn obstacle(&self, slot: u32) -> Obstacle {
        let placed = &self.storage.placed[slot as usize];
        let kind = match placed {
            _ if self.is_platform(slot) => Kind::Surface,
            PlacedShape::Inline(InlineShape::Aabb(_)) => Kind::Box,
            PlacedShape::Inline(InlineShape::Circle(_)) => Kind::Plain,
            PlacedShape::Inline(InlineShape::Point(_)) => Kind::Line,
            PlacedShape::Other(shape) => match shape.as_shape() {
                shape if has_fronts(shape) => Kind::Surface,
                ShapeRef::Segment(_) | ShapeRef::Chain(_) | ShapeRef::Compound(_) => Kind::Line,
                _ => Kind::Plain,
            },
        };
        Obstacle { slot, bounds: placed.bounds(), kind }
    }

    /// Whether two colliders stop each other.
    #[inline]
    pub fn minds(&self, own: u32, other: u32) -> bool {
        let [own, other] = [own, other].map(|slot| &self.storage.props[slot as usize]);
        other.role == Role::Solid
            && own.body != other.body
            && own.mask.contains(other.layer)
            && other.mask.contains(own.layer)
    }

    pub fn surface<'a>(&'a self, slot: u32) -> Surface<'a> {
        let shape = self.storage.placed[slot as usize].as_shape();
        let turned = |up: Vec2| {
            let pose = self.storage.body_of(slot).map_or(Pose::IDENTITY, |body| body.pose);
            pose.rotation.rotate_f64(up.as_dvec2())
        };
        let up =
            self.storage.colliders.get_slot(slot).and_then(|record| record.one_way).map(turned);
        Surface { shape, up, body: &self.pad.here.shapes, motion: self.motion }
    }
}

/// Whether a shape may touch lines without ever overlapping them.
pub(super) fn is_line(shape: &PlacedShape) -> bool {
    matches!(
        shape.as_shape(),
        ShapeRef::Point(_) | ShapeRef::Segment(_) | ShapeRef::Chain(_) | ShapeRef::Compound(_)
    )
}
