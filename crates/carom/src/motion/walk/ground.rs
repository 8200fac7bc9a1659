//! Walking on a floor: along it, up steps, and down to the floor again.

use crate::math::{DVec2, length, try_normalize};
use crate::motion::mover::{Turn, blocked_arc, end_of_blocked, is_blocked, project, slide};
use crate::motion::walk::{MAX_PIECES, WalkMove};
use crate::world::move_buffers::Contact;

impl WalkMove<'_, '_> {
    /// Moves along the floor by the level part of a motion; off an edge, falls by the rest.
    pub(super) fn move_on_floor(&mut self, motion: DVec2) {
        let horizontal = self.horizontal(motion);
        self.follow_floor(horizontal);
        if self.floor_contact().is_none() {
            self.move_in_air(motion - horizontal);
        }
    }

    /// Moves along the floor by a level motion.
    pub(super) fn follow_floor(&mut self, horizontal: DVec2) {
        let (Some(ahead), full) = (try_normalize(horizontal), length(horizontal)) else { return };
        let (mut left, least, time) = (full, 1e-12 * full, self.time_left);
        for _ in 0..MAX_PIECES {
            self.time_left = time * (left / full);
            if left <= least {
                break;
            }
            let contacts = self.mover.contacts();
            let direction = self.direction_on_floor(&contacts, ahead);
            self.mover.recycle(contacts);
            if let Some(direction) = direction {
                // At a constant speed the distance along the slope counts, else its level part.
                let stretch =
                    if self.walker.constant_speed { 1.0 } else { 1.0 / direction.dot(ahead) };
                let from = self.mover.position();
                let done = self.mover.advance(direction * (left * stretch));
                if self.mover.position() == from && done * left > self.mover.tolerance() {
                    break; // there is no free position ahead
                }
                left *= 1.0 - done;
            } else if let Some(done) = self.step_up(ahead, left) {
                self.walk.stepped = true;
                left -= done;
            } else {
                let along = self.along_floor(ahead) * left;
                self.record_blocked(along, along);
                break;
            }
        }
        if self.floor_contact().is_none() {
            // Over the top of a slope the floor falls away under a level motion.
            let fall = if self.params.snap > 0.0 { full * self.params.steepest } else { 0.0 };
            self.snap_to_floor(self.params.snap + fall);
        }
    }

    /// Returns the direction up the floor that the walker stands on, or straight ahead if the floor does not rise.
    fn along_floor(&mut self, ahead: DVec2) -> DVec2 {
        let floor = self.floor_contact().filter(|floor| floor.normal.dot(ahead) < 0.0);
        floor.and_then(|floor| try_normalize(project(ahead, floor.normal))).unwrap_or(ahead)
    }

    /// Returns the first direction that is not blocked, turning from straight ahead: up the floor, or
    /// down along it. Returns `None` if that is too steep.
    fn direction_on_floor(&self, contacts: &[Contact], ahead: DVec2) -> Option<DVec2> {
        let up = self.params.up;
        let turn = if ahead.perp_dot(up) > 0.0 { Turn::CounterClockwise } else { Turn::Clockwise };
        let is_walkable = |d: DVec2| d.dot(ahead) >= self.params.least_rise - 1e-6;
        if contacts.iter().any(|contact| contact.arc.contains(ahead)) {
            let direction = end_of_blocked(contacts, ahead, turn)?.direction;
            return Some(direction).filter(|&d| is_walkable(d) && self.rise(d) > 0.0);
        }
        // Down: the highest surface below that is not too steep. A vertex on a flush surface is none of
        // its own. The foot of a ramp that is nearly level does not lead into the floor beside it.
        let is_covered = |contact: &&Contact| {
            contacts.len() > 1 && contacts.iter().any(|c| contact.is_covered_by(c))
        };
        let surfaces = contacts.iter().filter(|contact| !is_covered(contact));
        let ends = surfaces.map(|contact| contact.tangent(turn));
        let is_open = |d: DVec2| contacts.len() == 1 || !is_blocked(contacts, d);
        let walkable = ends.filter(|&d| self.rise(d) <= 1e-9 && is_walkable(d) && is_open(d));
        let highest = walkable.reduce(|a, b| if self.rise(b) > self.rise(a) { b } else { a });
        Some(highest.unwrap_or(ahead))
    }

    /// Moves down onto a floor within a distance, along a wall that is in the way. Returns whether there is
    /// a floor; else the walker stays.
    pub(super) fn snap_to_floor(&mut self, distance: f64) -> bool {
        let (from, bends) = (self.mover.position(), self.mover.bends());
        let distance = distance.max(4.0 * self.mover.tolerance());
        let fall = self.params.up * -distance;
        let contacts = self.mover.contacts();
        let down = match is_blocked(&contacts, fall) {
            true => slide(fall, blocked_arc(&contacts, fall).as_ref(), fall),
            false => fall,
        };
        self.mover.recycle(contacts);
        self.move_straight(down);
        if self.floor_contact().is_some() {
            return true;
        }
        self.mover.undo(from, bends);
        false
    }

    /// Steps up: up, ahead and down again. Returns how far it went ahead, or `None` if that does not lead
    /// onto a floor.
    fn step_up(&mut self, ahead: DVec2, left: f64) -> Option<f64> {
        if self.params.step <= 0.0 {
            return None;
        }
        let (from, bends) = (self.mover.position(), self.mover.bends());
        self.step_from = from;
        let height = self.rise(self.mover.at());
        // 1. Up, as far as there is room.
        self.move_straight(self.params.up * self.params.step);
        let raised = self.rise(self.mover.at()) - height;
        // 2. Ahead, at least far enough to stand on the edge: within the tolerance of it there is no floor.
        let tolerance = self.mover.tolerance();
        let distance = left.max(3.0 * tolerance);
        let done = (self.move_straight(ahead * distance) * distance).min(left);
        // 3. Down again, onto a floor no higher than the step.
        if raised > 0.0 && done > 0.0 {
            self.move_straight(self.params.up * -raised);
            let risen = self.rise(self.mover.at()) - height;
            let is_step = risen > 0.0 && risen <= self.params.step + tolerance;
            if is_step && self.floor_contact().is_some() {
                self.step_from = self.mover.position();
                return Some(done);
            }
        }
        // 4. There is none: undo.
        self.mover.undo(from, bends);
        None
    }
}
