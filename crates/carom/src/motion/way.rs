//! What a body meets on a straight way.

use crate::broad::SweptAabb;
use crate::math::{DVec2, Vec2, length, to_vec2, try_normalize};
use crate::motion::boxes::{self, Flight};
use crate::motion::course::Course;
use crate::motion::front::span_of;
use crate::motion::meet::{First, Meet};
use crate::motion::obstacles::{Kind, Obstacle};
use crate::motion::stance::Stance;
use crate::query::sweep::composite::sweep_apart;
use crate::query::sweep::{Verify, sweep_verified};
use crate::shape::{Aabb, AsShape, Cell, ShapeRef};

/// What becomes of a meeting a little aside.
pub(super) enum Aside {
    /// The same, or nothing that matters.
    Same,
    /// Nothing is met from this position.
    Misses(Vec2),
    /// A side with this normal is met, which stops less.
    Eases(DVec2),
}

impl Course<'_> {
    /// What the body meets first on a straight way from here.
    pub fn first_on(&mut self, motion: Vec2) -> Option<Meet> {
        if self.own.is_empty() || motion == Vec2::ZERO {
            return None;
        }
        self.motion = motion.as_dvec2();
        let skin = self.skin();
        if self.is_long(motion) {
            return self.first_of(motion, skin, |course, first| course.visit_way(motion, first));
        }
        let way = self.pad.here.swept(motion, skin);
        self.look(way);
        self.first_of(motion, skin, |course, first| course.visit_known(&way, motion, first))
    }

    /// The one to respond to first of what is visited.
    fn first_of(
        &self,
        motion: Vec2,
        skin: f64,
        visit: impl FnOnce(&Self, &mut First),
    ) -> Option<Meet> {
        let mut first = First::new(skin / length(self.motion));
        visit(self, &mut first);
        first.choose(|meet| {
            let grazes = self.grazes(meet, motion, 2.0 * skin) == Some(true);
            (grazes, self.shared_front(meet, motion))
        })
    }

    /// What is met on a way, of all that is known.
    fn visit_known(&self, way: &Aabb, motion: Vec2, first: &mut First) {
        for obstacle in self.pad.near.iter().filter(|obstacle| obstacle.bounds.intersects_aabb(way))
        {
            for own in self.stopped_by(obstacle) {
                let meet = self.meet(&self.pad.here, own, obstacle, motion);
                meet.into_iter().for_each(|meet| first.add(meet));
            }
        }
    }

    /// The same for a long way, along which most obstacles come after the first.
    fn visit_way(&self, motion: Vec2, first: &mut First) {
        let path = SweptAabb::from_motion(&self.pad.here.bounds, motion);
        self.broad.visit_swept(&path, &mut |slot, _, _| {
            if !self.pad.crossed.contains(&slot) && self.stops(slot) {
                let obstacle = self.obstacle(slot);
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

    /// Where a shape would land is only proven on its parts: it will be placed there and looked at.
    fn meet(&self, from: &Stance, own: usize, obstacle: &Obstacle, motion: Vec2) -> Option<Meet> {
        let slot = obstacle.slot;
        let (shape, other) = (&from.shapes[own], &self.storage.placed[slot as usize]);
        if self.old_depth(slot).is_some() {
            let contact = self.overlap(from, own, obstacle)?;
            return Meet::from_overlap(own, obstacle, &contact, motion);
        }
        let hit = match (shape.as_shape(), obstacle.kind) {
            (ShapeRef::Aabb(shape), Kind::Box) => {
                let motion = motion.as_dvec2();
                let entry = Flight::new(shape, motion).entry(&obstacle.bounds)?;
                return Some(entry.meet(own, shape, motion, obstacle));
            }
            (shape, Kind::Box) => {
                sweep_verified(shape, motion, obstacle.bounds.as_shape(), Verify::Parts)?
            }
            (shape, Kind::Surface) => {
                sweep_apart(shape, motion, &self.surface(slot), Verify::Parts)?
            }
            (shape, _) => sweep_verified(shape, motion, other.as_shape(), Verify::Parts)?,
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

    /// What becomes of a meeting if the body were aside by no more than rounding.
    ///
    /// If it misses then, it only grazes: the corner of a flush neighbour that sticks out by the last
    /// bit of a number would be a wall otherwise. If it meets a side that stops it less, then it comes
    /// just to the corner between two sides, like the foot of a ramp, and takes the easier one.
    pub fn aside(&mut self, meet: &Meet, motion: Vec2) -> Aside {
        let (aside, are_boxes) = (2.0 * self.skin(), self.are_boxes(meet));
        let may_graze = self.grazes(meet, motion, aside).unwrap_or(true);
        if meet.depth > 0.0 || are_boxes && !may_graze {
            return Aside::Same;
        }
        let Some(along) = try_normalize(motion.as_dvec2()) else { return Aside::Same };
        let opposed = meet.normal.dot(along);
        if !(may_graze || opposed < -0.7) {
            return Aside::Same;
        }
        // Along the axis that the way is least along, so that the other coordinate stays exact.
        let side = if motion.x.abs() >= motion.y.abs() { DVec2::Y } else { DVec2::X };
        for by in [side * aside, side * -aside] {
            let from = to_vec2(self.position().as_dvec2() + by);
            if from == self.position() || !self.is_clear(from) {
                continue;
            }
            self.ask_about(from);
            let Some(again) = self.meet(&self.pad.there, meet.own, &meet.obstacle, motion) else {
                return Aside::Misses(from);
            };
            let later = (again.time - meet.time) * length(motion.as_dvec2());
            if later <= 64.0 * aside && again.normal.dot(along) > opposed + 1e-3 {
                return Aside::Eases(again.normal);
            }
        }
        Aside::Same
    }

    fn are_boxes(&self, meet: &Meet) -> bool {
        let own = self.pad.here.shapes[meet.own].as_shape();
        meet.obstacle.kind == Kind::Box && matches!(own, ShapeRef::Aabb(_))
    }

    /// Whether a body that is moved aside so far can miss what it meets: convex shapes do, if they are
    /// not further in each other's way than that. What is made of parts takes more to tell.
    fn grazes(&self, meet: &Meet, motion: Vec2, aside: f64) -> Option<bool> {
        let Meet { own, obstacle, .. } = meet;
        let own = self.pad.here.shapes[*own].as_shape();
        if let (ShapeRef::Aabb(own), Kind::Box) = (own, obstacle.kind) {
            return Some(boxes::may_graze(own, motion.as_dvec2(), &obstacle.bounds, aside));
        }
        let Some(side) = try_normalize(motion.as_dvec2().perp()) else { return Some(false) };
        let other = match obstacle.kind {
            Kind::Box => obstacle.bounds.as_shape(),
            _ => self.storage.placed[obstacle.slot as usize].as_shape(),
        };
        let (own, other) = (span_of(own, side)?, span_of(other, side)?);
        Some(own.1 - other.0 <= aside || other.1 - own.0 <= aside)
    }

    /// Which tile of a map is met.
    #[inline(always)] // in registers
    pub fn tile_of(&self, meet: &Meet) -> Option<Cell> {
        let placed = self.storage.placed[meet.slot() as usize].as_shape();
        let ShapeRef::TileMap(map) = placed else { return None };
        map.tile_behind(meet.point, to_vec2(meet.normal).as_dvec2())
    }
}
