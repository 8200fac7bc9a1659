//! Walking through the air: jumps and falls, until there is a floor.

use crate::math::{DVec2, Vec2, length};
use crate::motion::mover::{blocked_arc, is_blocked, slide};
use crate::motion::walk::{FloorContact, MAX_PIECES, WalkMove};
use crate::world::move_buffers::Contact;

impl WalkMove<'_, '_> {
    /// Moves through the air and slides along walls and ceilings. After landing, what is left of the level
    /// motion follows the floor.
    pub(super) fn move_in_air(&mut self, motion: DVec2) {
        let (mut left, full) = (motion, length(motion));
        let least = 1e-12 * full;
        for _ in 0..MAX_PIECES {
            if length(left) <= least {
                return;
            }
            // 1. Not blocked: fly on to the next obstacle.
            let contacts = self.mover.contacts();
            if !contacts.iter().any(|contact| contact.arc.contains(left)) {
                self.mover.recycle(contacts);
                let from = self.mover.position();
                let done = self.mover.advance(left);
                if self.mover.position() == from && done * length(left) > self.mover.tolerance() {
                    return; // there is no free position ahead
                }
                left *= 1.0 - done;
                self.time_left *= 1.0 - done;
                continue;
            }
            // 2. A rise under the edge of a ceiling: move aside past the edge.
            let side = match self.rise(left) > 0.0 {
                true => self.corner_correct(left, &contacts),
                false => None,
            };
            if let Some(side) = side {
                self.mover.recycle(contacts);
                if left.dot(side) < 0.0 {
                    left -= self.horizontal(left); // or it would lead back under the edge
                }
                continue;
            }
            // 3. A fall onto a floor: walk on along it.
            self.record_blocked(left, self.horizontal(left));
            if self.rise(motion) <= 0.0 && self.floor_contact().is_some() {
                self.mover.recycle(contacts);
                let share = (length(left) / full).min(1.0);
                return self.follow_floor(self.horizontal(motion) * share);
            }
            // 4. A wall or a ceiling: slide along it.
            let slid = self.slide_in_air(left, &contacts, motion);
            self.mover.recycle(contacts);
            // A motion that leads into a floor lands, unless a wall turns it away from the floor. The edge of a
            // step is a wall for a jump.
            self.has_landed |=
                self.floor_contact().is_some_and(|FloorContact { normal, .. }| {
                    self.is_floor_normal(normal)
                        && left.dot(normal) < 0.0
                        && slid.dot(normal) <= 1e-9 * length(left)
                });
            left = slid;
        }
    }

    /// Slides along what blocks a motion. Walls neither lift a walker nor take its rise.
    fn slide_in_air(&self, motion: DVec2, contacts: &[Contact], asked: DVec2) -> DVec2 {
        let slid = slide(motion, blocked_arc(contacts, motion).as_ref(), asked);
        let (own, rise) = (self.rise(motion), self.rise(slid));
        let is_at_wall = contacts.iter().any(|contact| {
            contact.arc.contains(motion)
                && !self.is_floor_normal(contact.closest_normal(self.params.up))
        });
        if rise <= own.max(0.0) + 1e-12 * length(motion) || !is_at_wall {
            return slid;
        }
        if own > 0.0 {
            return slid * (own / rise); // as high as the motion itself rises, along the wall
        }
        // A fall: the level part is lost, and the fall slides along the wall.
        let fall = self.params.up * own;
        if contacts.iter().any(|contact| contact.arc.contains(fall)) {
            slide(fall, blocked_arc(contacts, fall).as_ref(), fall)
        } else {
            fall
        }
    }

    /// Moves a jump that is under the edge of a ceiling aside past the edge, to the nearer side. Returns the
    /// direction of that side, or `None` if no correction is possible. All corrections of a walk together
    /// are no longer than the setting.
    ///
    /// The side against the motion is taken only if the other one is not possible. Of two equal distances in
    /// a straight jump, the one to the right of `up` is taken.
    fn corner_correct(&mut self, motion: DVec2, contacts: &[Contact]) -> Option<DVec2> {
        let up = self.params.up;
        // A wall that leans over blocks `up` too, and is slid along.
        if self.params.corner == 0.0 {
            return None;
        }
        let blocked = blocked_arc(contacts, motion);
        let ceiling = contacts.iter().find_map(|contact| {
            let is_above = contact.arc.contains(up) && contact.arc.contains(motion);
            let normal = self.mover.surface_normal(contact, blocked.as_ref(), motion);
            (is_above && self.is_ceiling_normal(normal)).then_some(normal)
        })?;
        let (from, bends) = (self.mover.position(), self.mover.bends());
        let mut best: Option<(bool, f64, Vec2, DVec2)> = None;
        for side in [-up.perp(), up.perp()] {
            let key = (motion.dot(side) < 0.0, self.pass_corner(ceiling, side));
            let position = self.mover.position();
            self.mover.undo(from, bends);
            if let (is_against, Some(distance)) = key
                && best.is_none_or(|(against, known, ..)| (is_against, distance) < (against, known))
            {
                best = Some((is_against, distance, position, side));
            }
        }
        let (_, distance, position, side) = best?;
        self.mover.keep(position);
        self.corrected += distance;
        Some(side)
    }

    /// Moves aside until the ceiling with a normal has ended. Returns the distance, or `None` if it is longer
    /// than the setting allows or something is in the way.
    fn pass_corner(&mut self, ceiling: DVec2, side: DVec2) -> Option<f64> {
        let (up, mut all) = (self.params.up, 0.0);
        for _ in 0..MAX_PIECES {
            let contacts = self.mover.contacts();
            let is_past = !is_blocked(&contacts, up);
            let distance = self.mover.distance_past(&contacts, up, side);
            self.mover.recycle(contacts);
            if is_past {
                return Some(all);
            }
            all += distance;
            if all > self.params.corner - self.corrected
                || self.move_straight(side * distance) < 1.0
            {
                return None;
            }
            // Past one part of a ceiling, the next one may begin. A ceiling that is not level is some way
            // above then.
            let above = distance * ceiling.dot(side) / -ceiling.dot(up);
            if above > 0.0 {
                let from = self.mover.position();
                if self.move_straight(up * (above + 4.0 * self.mover.tolerance())) == 1.0 {
                    self.mover.keep(from);
                    return Some(all);
                }
            }
        }
        None
    }
}
