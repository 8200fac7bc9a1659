//! The fast path: one axis-aligned box among axis-aligned boxes, which is what most moves of most games are.
//!
//! The Minkowski difference of two boxes is a box, so nothing has to be built: contacts and casts read the
//! bounds of the gathered obstacles. The results are those of the general path, to the bit; both share
//! [`box_normals`] and [`box_entry`]. The first step that needs anything else builds the differences
//! ([`Mover::build_near`]) and so continues on the general path.

use crate::math::DVec2;
use crate::motion::mover::Mover;
use crate::motion::mover::cast::box_entry;
use crate::motion::mover::contacts::{box_normals, cone};
use crate::motion::mover::gather::{bounds_of, box_part};
use crate::world::move_buffers::{Bounds, Contact, ConvexPart, Obstacle};

impl Mover<'_> {
    /// The bounds of the difference of an obstacle, which is a box, and the body.
    #[inline(always)]
    fn box_difference(&self, obstacle: &Obstacle) -> Bounds {
        bounds_of(&obstacle.bounds).minus(&self.bounds)
    }

    /// Step 2 for a box among boxes: appends the contacts at the position to a list.
    pub(super) fn find_box_contacts(&self, contacts: &mut alloc::vec::Vec<Contact>) {
        let (p, tolerance) = (self.at(), self.tolerance());
        for (index, obstacle) in self.buffers.obstacles.iter().enumerate() {
            let c = self.box_difference(obstacle);
            if c.is_within(p, tolerance)
                && let Some(normals) = box_normals(&c, p, tolerance)
                && !self.is_crossed(obstacle.slot)
            {
                let (index, slot) = (index as u32, obstacle.slot);
                contacts.push(Contact { index, slot, arc: cone(normals), normals });
            }
        }
    }

    /// Step 3 for a box among boxes: returns the time at which a motion meets the first obstacle that is
    /// not touched now.
    pub(super) fn cast_among_boxes(&self, motion: DVec2) -> f64 {
        let (p, tolerance) = (self.at(), self.tolerance());
        let path = Bounds { min: p, max: p }.swept(motion);
        let mut first = 1.0;
        for obstacle in &self.buffers.obstacles {
            let c = self.box_difference(obstacle);
            if !c.intersects(&path) || self.is_crossed(obstacle.slot) {
                continue;
            }
            let is_touched =
                || c.is_within(p, tolerance) && box_normals(&c, p, tolerance).is_some();
            let tolerance_there = self.contact_tolerance(c.closest(p));
            if let Some(time) = box_entry(&c, p, motion, tolerance_there)
                && time < first
                && !is_touched()
            {
                first = time.max(0.0);
            }
        }
        first
    }

    /// The convex part of the obstacle with the index that a contact has.
    #[inline]
    pub(super) fn part_of(&self, index: u32) -> ConvexPart {
        if self.is_box_among_boxes {
            return box_part(bounds_of(&self.buffers.obstacles[index as usize].bounds), 0);
        }
        let c = &self.buffers.cspace.obstacles[index as usize];
        self.buffers.obstacle_parts[c.part as usize]
    }

    /// The convex part of the body that touches the obstacle with the index that a contact has.
    #[inline]
    pub(in crate::motion) fn own_part_of(&self, index: u32) -> &ConvexPart {
        let own = match self.is_box_among_boxes {
            true => 0,
            false => self.buffers.cspace.obstacles[index as usize].body_part,
        };
        &self.buffers.body_parts[own as usize]
    }
}
