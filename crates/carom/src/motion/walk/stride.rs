//! One walk: along floors, up steps, through the air.

use crate::math::{DVec2, Vec2, length, to_vec2, try_normalize};
use crate::motion::course::Course;
use crate::motion::leg::Leg;
use crate::motion::meet::Meet;
use crate::motion::planes;
use crate::motion::walk::{Floor, Gait, Walk, Walker, WalkerState};

/// How often a walk may change its direction.
const TURNS: usize = 8;

/// What something is to a walker, by its normal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Floor,
    Wall,
    Ceiling,
}

/// A body in the middle of a walk.
pub(super) struct Stride<'c, 'w> {
    course: &'c mut Course<'w>,
    walker: &'c Walker,
    gait: Gait,
    walk: &'c mut Walk,
}

impl<'c, 'w> Stride<'c, 'w> {
    #[inline]
    pub fn new(course: &'c mut Course<'w>, walker: &'c Walker, walk: &'c mut Walk) -> Self {
        let gait = course.pad.gait(walker);
        (walk.start, walk.up) = (course.position(), to_vec2(gait.up));
        Self { course, walker, gait, walk }
    }

    pub fn walk(mut self, state: &mut WalkerState, motion: Vec2) {
        self.look_around(state, motion);
        if !self.course.is_clear_here() {
            self.walk.is_stuck = !self.course.get_out();
            self.walk.push =
                to_vec2(self.course.position().as_dvec2() - self.walk.start.as_dvec2());
        }
        let before = state.floor;
        if core::mem::take(&mut state.drops) {
            self.course.drop_through(self.gait.up);
        }
        let motion = self.whole_pixels(state, motion);
        let rise = motion.dot(self.gait.up);
        match before {
            Some(floor) if rise <= 0.0 => self.go_on_floor(&floor, motion),
            _ => self.fly(motion),
        }
        self.walk.end = self.course.position();
        self.walk.landed = before.is_none() && self.walk.on_floor();
        self.walk.left_floor = before.is_some() && !self.walk.on_floor();
        self.remember(state);
    }

    /// Gets to know what is on the way, up a step, and down to the floor.
    fn look_around(&mut self, state: &WalkerState, motion: Vec2) {
        let Gait { up, steepest, snap, step, .. } = self.gait;
        let slope = length(self.level(motion.as_dvec2())) * steepest;
        let climb = match state.floor {
            Some(floor) if floor.normal != self.walk.up => slope,
            _ => 0.0,
        };
        let (up, down) = (to_vec2(up * (step + climb)), to_vec2(up * -(snap + slope)));
        self.course.look_around(motion, up, down);
    }

    fn remember(&self, state: &mut WalkerState) {
        state.floor = self.walk.floor;
        let in_air = state.frames_in_air.saturating_add(1);
        state.frames_in_air = if state.floor.is_some() { 0 } else { in_air };
        // What presses on an obstacle is not saved up.
        let mut left = state.remainder.as_dvec2();
        if self.walk.on_floor() || self.walk.ceiling.is_some() {
            left = self.level(left);
        }
        if self.walk.wall.is_some() {
            left -= self.level(left);
        }
        state.remainder = to_vec2(left);
    }

    /// What of a motion is whole pixels, with what was left over before; the rest is left over.
    fn whole_pixels(&self, state: &mut WalkerState, motion: Vec2) -> DVec2 {
        let pixel = f64::from(self.walker.pixel);
        if !(pixel > 0.0 && pixel.is_finite()) {
            return motion.as_dvec2();
        }
        let all = motion.as_dvec2() + state.remainder.as_dvec2();
        let whole = DVec2::new(libm::round(all.x / pixel), libm::round(all.y / pixel)) * pixel;
        state.remainder = to_vec2(all - whole);
        whole
    }

    /// The part of a vector that is level.
    fn level(&self, v: DVec2) -> DVec2 {
        planes::onto(v, self.gait.up)
    }

    fn side(&self, normal: DVec2) -> Side {
        let rise = normal.dot(self.gait.up);
        if rise >= self.gait.least_rise {
            Side::Floor
        } else if rise <= -self.gait.least_rise {
            Side::Ceiling
        } else {
            Side::Wall
        }
    }

    /// The normal of the floor that something is, if it is one. What is round stands on the corner
    /// of a step, too, no higher above the place it comes from than it can step.
    fn floor_of(&self, meet: &Meet, from: Vec2) -> Option<DVec2> {
        if self.side(meet.normal) == Side::Floor {
            return Some(meet.normal);
        }
        let raised = (self.course.position().as_dvec2() - from.as_dvec2()).dot(self.gait.up);
        let height = self.course.height_of(meet, self.gait.up) + raised.max(0.0);
        if self.side(meet.normal) == Side::Ceiling || height > self.gait.step {
            return None;
        }
        let inwards = try_normalize(-self.level(meet.normal))?;
        let normal = self.course.top_of(meet, inwards, self.gait.up)?;
        (self.side(normal) == Side::Floor).then_some(normal)
    }

    /// Takes note of what has been met.
    fn note(&mut self, meet: &Meet, spot: Vec2, leg: &Leg) {
        let mut hit = self.course.hit(meet, meet.time, spot, leg.target);
        hit.tile = self.course.tile_of(meet);
        self.walk.hits.push(hit);
        match self.side(meet.normal) {
            Side::Wall => self.walk.wall = Some(hit),
            Side::Ceiling => self.walk.ceiling = Some(hit),
            Side::Floor => self.stand_on(meet, meet.normal),
        }
    }

    /// Takes note of what it stands on.
    fn stand_on(&mut self, meet: &Meet, normal: DVec2) {
        let rise = normal.dot(self.gait.up).clamp(-1.0, 1.0);
        self.walk.floor = Some(Floor {
            body: self.course.storage.body_key_of(meet.slot()),
            collider: self.course.storage.collider_key(meet.slot()),
            tile: self.course.tile_of(meet),
            normal: to_vec2(normal),
            angle: libm::acos(rise) as f32,
        });
    }

    /// From a floor along it, and on along the next; or off its edge, and down.
    fn go_on_floor(&mut self, floor: &Floor, motion: DVec2) {
        let level = self.level(motion);
        self.go_along(floor.normal.as_dvec2(), level);
        // On the way down a slope the floor falls away under each step.
        let drop = if self.gait.snap > 0.0 { length(level) * self.gait.steepest } else { 0.0 };
        if !self.settle(self.gait.snap + drop) {
            self.walk.floor = None;
            self.fly(motion - level);
        }
    }

    /// Along a floor, by a level motion.
    fn go_along(&mut self, mut normal: DVec2, level: DVec2) {
        let mut left = length(level);
        let Some(ahead) = try_normalize(level) else { return };
        for _ in 0..TURNS {
            let Some(way) = self.along_floor(normal, ahead, left) else { return };
            let mut leg = Leg::new(self.course.position(), way);
            leg.planes.add(normal);
            let Some((meet, spot)) = self.course.advance(&mut leg) else { return };
            let gone = length(spot.as_dvec2() - self.course.position().as_dvec2());
            left *= 1.0 - (gone / length(way)).min(1.0);
            self.course.stop_at(spot, &mut leg);
            match self.side(meet.normal) {
                Side::Floor => {
                    self.note(&meet, spot, &leg);
                    normal = meet.normal;
                }
                _ => match self.step_up(ahead, left) {
                    Some(gone) => {
                        self.walk.stepped = true;
                        left -= gone;
                        normal = self.gait.up;
                    }
                    None => return self.note(&meet, spot, &leg),
                },
            }
            if left <= 0.0 {
                return;
            }
        }
    }

    /// The way along a floor: as far as on the level, or so that its level part is as far.
    fn along_floor(&self, normal: DVec2, ahead: DVec2, far: f64) -> Option<DVec2> {
        let way = planes::along(ahead, normal);
        let long = if self.walker.constant_speed { length(way) } else { way.dot(ahead) };
        (long > 0.0).then(|| way * (far / long))
    }

    /// Down to the floor, if there is one so far below. Whether there is.
    fn settle(&mut self, reach: f64) -> bool {
        self.settle_from(self.course.position(), reach)
    }

    /// The same for a body that has been raised from where it was.
    fn settle_from(&mut self, from: Vec2, reach: f64) -> bool {
        let reach = reach.max(4.0 * self.course.skin());
        let mut leg = Leg::new(self.course.position(), self.gait.up * -reach);
        let start = self.course.position();
        let Some((meet, spot)) = self.course.advance(&mut leg) else {
            self.course.stand(start);
            return false;
        };
        self.course.stop_at(spot, &mut leg);
        match self.floor_of(&meet, from) {
            Some(normal) => {
                self.stand_on(&meet, normal);
                true
            }
            None => {
                self.course.stand(start);
                false
            }
        }
    }

    /// Up a step, forward and down onto it, as one: how far forward, or `None` if that leads onto no
    /// floor.
    fn step_up(&mut self, ahead: DVec2, far: f64) -> Option<f64> {
        if self.gait.step == 0.0 || far <= 0.0 {
            return None;
        }
        let (start, floor) = (self.course.position(), self.walk.floor);
        let stepped = self.try_step(ahead, far);
        if stepped.is_none() {
            self.course.stand(start);
            self.walk.floor = floor;
        }
        stepped
    }

    fn try_step(&mut self, ahead: DVec2, far: f64) -> Option<f64> {
        let start = self.course.position();
        self.go_straight(self.gait.up * self.gait.step);
        let raised = (self.course.position().as_dvec2() - start.as_dvec2()).dot(self.gait.up);
        let from = self.course.position();
        self.go_straight(ahead * far);
        let gone = (self.course.position().as_dvec2() - from.as_dvec2()).dot(ahead);
        if raised <= self.course.skin() || gone <= self.course.skin().min(far / 2.0) {
            return None;
        }
        self.settle_from(start, raised).then_some(gone)
    }

    /// As far as the way is free.
    fn go_straight(&mut self, motion: DVec2) {
        let mut leg = Leg::new(self.course.position(), motion);
        if let Some((_, spot)) = self.course.advance(&mut leg) {
            self.course.stop_at(spot, &mut leg);
        }
    }

    /// Through the air, until there is a floor.
    fn fly(&mut self, motion: DVec2) {
        let mut leg = Leg::new(self.course.position(), motion);
        for _ in 0..TURNS {
            let Some((meet, spot)) = self.course.advance(&mut leg) else { break };
            let side = self.side(meet.normal);
            self.course.stop_at(spot, &mut leg);
            let left = leg.target - spot.as_dvec2();
            if side == Side::Ceiling
                && let Some(aside) = self.round_corner(&meet, left)
            {
                leg = Leg::new(aside, left);
                continue;
            }
            self.note(&meet, spot, &leg);
            if side == Side::Floor {
                let level = self.level(left);
                self.go_along(meet.normal, level);
                // What came from the side may only touch the corner of what it would have met.
                let is_straight = self.level(motion) == DVec2::ZERO && level == DVec2::ZERO;
                if !is_straight && !self.settle(self.gait.snap) {
                    self.walk.floor = None;
                }
                return;
            }
            leg.planes.add(meet.normal);
            let mut slid = leg.planes.slide(left);
            // Walls that lean lift nothing up.
            let rise = slid.dot(self.gait.up);
            if rise > left.dot(self.gait.up).max(0.0) {
                slid = DVec2::ZERO;
            }
            if slid == DVec2::ZERO {
                break;
            }
            leg.target = spot.as_dvec2() + slid;
        }
        if motion.dot(self.gait.up) <= 0.0 {
            self.settle(0.0);
        }
    }

    /// Where to go on from past the corner of a ceiling, if it is near enough.
    fn round_corner(&mut self, meet: &Meet, left: DVec2) -> Option<Vec2> {
        if self.gait.corner == 0.0 || left.dot(self.gait.up) <= 0.0 {
            return None;
        }
        let start = self.course.position();
        let level = self.level(left);
        let side = self.gait.up.perp();
        let first = if level.dot(side) < 0.0 { -side } else { side };
        for side in [first, -first] {
            let by = self.course.way_past(meet, side);
            if by > 0.0 && by <= self.gait.corner {
                self.go_straight(side * by);
                let spot = self.course.position();
                let ahead = self.gait.up * (4.0 * self.course.skin());
                let is_past = length(spot.as_dvec2() - start.as_dvec2()) >= 0.99 * by
                    && self.course.first_on(to_vec2(ahead)).is_none();
                if is_past {
                    return Some(spot);
                }
                self.course.stand(start);
            }
        }
        None
    }
}
