//! Coming to a stop where the body overlaps nothing.
//!
//! Positions are `f32`, and so are the corners of a shape placed there. So a place that ought to be
//! free may, after rounding, be in an obstacle by the last bit. Every landing is proven with the
//! exact verdict on the placed shapes.

use crate::math::{DVec2, Vec2, length, to_vec2};
use crate::motion::course::Course;
use crate::motion::meet::Meet;

impl Course<'_> {
    /// Where the body stops when it meets something on its way.
    pub fn land(&mut self, motion: Vec2, meet: &Meet) -> Vec2 {
        let from = self.position();
        let way = motion.as_dvec2() * meet.time;
        let (square, skin) = (way.dot(way), self.skin());
        if square <= skin * skin {
            return from; // as good as touching: rest is rest
        }
        let spot = from.as_dvec2() + way;
        // Times are `f32`, or as good as that.
        let off = 4.0 * (skin + f64::from(f32::EPSILON) * way.abs().element_sum());
        if let Some(flush) = self.flush(meet, spot, off)
            && self.is_clear(flush)
        {
            return flush;
        }
        self.land_near(to_vec2(spot), motion, meet)
    }

    /// The same where it is flush with nothing.
    #[inline(never)]
    fn land_near(&mut self, spot: Vec2, motion: Vec2, meet: &Meet) -> Vec2 {
        let spot = if self.is_clear(spot) { spot } else { self.back_from(spot) };
        // After a long way the time is not as fine as the place.
        let is_long = length(motion.as_dvec2() * meet.time) > self.skin() * 1e6;
        if is_long { self.closer(spot, motion, meet) } else { spot }
    }

    /// A clear place nearer to what is met than a clear spot on the way.
    fn closer(&mut self, spot: Vec2, motion: Vec2, meet: &Meet) -> Vec2 {
        if !self.is_clear(spot) {
            return spot;
        }
        self.ask_about(spot);
        let Some(gap) = self.gap_there(meet, motion) else { return spot };
        let start = spot.as_dvec2();
        if self.is_clear(to_vec2(start + gap)) {
            return to_vec2(start + gap);
        }
        to_vec2(start + gap * self.last_clear(start, gap, 0.0, 1.0))
    }

    /// The spot with the coordinate at which the body is flush with an upright or level obstacle, if
    /// that is no further off than it may be: what is not convex meets things with its inner sides,
    /// too, not only with the sides of the box around it.
    fn flush(&self, meet: &Meet, spot: DVec2, off: f64) -> Option<Vec2> {
        let Meet { normal, own, .. } = *meet;
        let axis = if normal.y == 0.0 { 0 } else { 1 };
        if normal[1 - axis] != 0.0 {
            return None;
        }
        let bounds = self.shape_bounds(own);
        let side = if normal[axis] > 0.0 { bounds.min() } else { bounds.max() }[axis];
        let gap = f64::from(meet.point[axis]) - f64::from(side);
        let mut flush = spot;
        flush[axis] = f64::from(self.position()[axis]) + gap;
        ((flush - spot)[axis].abs() <= off).then(|| to_vec2(flush))
    }

    /// Where the body ends when it meets nothing on its way; `normals` lead away from what it
    /// slides along.
    pub fn arrive(&mut self, target: DVec2, normals: &[DVec2]) -> Vec2 {
        let spot = to_vec2(target);
        if spot == self.position() || self.is_clear(spot) {
            return spot;
        }
        let skin = self.skin();
        // By the last bit in what it slides along.
        for step in [0.25, 0.5, 1.0, 2.0] {
            for normal in normals {
                let aside = to_vec2(target + *normal * (step * skin));
                if self.is_clear(aside) {
                    return aside;
                }
            }
        }
        if !self.is_clear(spot)
            && let Some(contact) = self.deepest()
            && f64::from(contact.depth) <= 2.0 * skin
        {
            let out = contact.normal.as_dvec2() * skin;
            for aside in [contact.push.as_dvec2(), out, out * 2.0, out * 4.0] {
                let aside = to_vec2(spot.as_dvec2() + aside);
                if self.is_clear(aside) {
                    return aside;
                }
            }
        }
        self.back_from(spot)
    }

    /// The nearest clear place on the way to a spot that is not: back in ever longer steps, then
    /// forth again by halving.
    fn back_from(&mut self, spot: Vec2) -> Vec2 {
        let from = self.position();
        let (start, way) = (from.as_dvec2(), spot.as_dvec2() - from.as_dvec2());
        let long = length(way);
        let (mut clear, mut blocked) = (0.0, 1.0);
        let mut step = self.skin() / 16.0;
        while step < long {
            let at = 1.0 - step / long;
            if self.is_clear(to_vec2(start + way * at)) {
                clear = at;
                break;
            }
            blocked = at;
            step *= 2.0;
        }
        let clear = self.last_clear(start, way, clear, blocked);
        if clear == 0.0 { from } else { to_vec2(start + way * clear) }
    }

    /// The last clear place on a way, between one that is clear and one that is not.
    fn last_clear(&mut self, start: DVec2, way: DVec2, mut clear: f64, mut blocked: f64) -> f64 {
        let finest = self.skin_there() / 16.0;
        while (blocked - clear) * length(way) > finest {
            let middle = (clear + blocked) / 2.0;
            if self.is_clear(to_vec2(start + way * middle)) {
                clear = middle
            } else {
                blocked = middle
            }
        }
        clear
    }

    /// Gets out of what the body overlaps, if there is room near. Whether it is out; what it cannot
    /// get out of it may overlap no deeper from now on.
    #[cold]
    pub fn get_out(&mut self) -> bool {
        let is_out = self.is_clear_here() || self.push_free();
        if !is_out {
            self.keep_overlaps();
        }
        is_out
    }

    /// By the least push at a time, no further away than it is large.
    fn push_free(&mut self) -> bool {
        const PUSHES: usize = 16;
        let start = self.position();
        self.is_clear(start);
        let room = length(self.bounds().size().as_dvec2());
        let mut spot = start;
        for push in 1..=PUSHES {
            let Some(contact) = self.deepest() else { return false };
            // Rounding may undo a push; then a little more.
            let more = contact.normal.as_dvec2() * (self.skin() * push as f64 / 4.0);
            let out = spot.as_dvec2() + contact.push.as_dvec2();
            spot =
                if to_vec2(out) == spot || push > 4 { to_vec2(out + more) } else { to_vec2(out) };
            if length(spot.as_dvec2() - start.as_dvec2()) > room {
                return false;
            }
            if self.is_clear(spot) {
                self.stand(spot);
                return true;
            }
        }
        false
    }
}
