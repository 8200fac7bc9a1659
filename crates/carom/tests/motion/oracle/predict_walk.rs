//! Predicts one frame of a walker between the profiles of a ground and a ceiling.
//!
//! The rules are those of the documentation of `World::walk`, for a point above a curve. On the floor, a frame is
//! a straight motion along the surface underfoot, which bends up where the surface does; at its end, the
//! walker goes straight down onto a floor that has fallen away. In the air it is a straight motion up to
//! what is in the way, and a slide along it that walls neither lift nor hold.

use glam::DVec2;

use super::distance::Hull;
use super::profile::{Profile, SMALL, Side, Touch};

/// The settings of a walker that matter here; `up` is (0, 1).
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    pub max_slope: f64,
    pub snap: f64,
    pub step: f64,
    pub constant_speed: bool,
    /// The distance within which surfaces are touched.
    pub tolerance: f64,
}

/// The predicted result of one frame.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub end: DVec2,
    /// The normal of the floor.
    pub floor: Option<DVec2>,
    /// The normal of the wall.
    pub wall: Option<DVec2>,
    pub ceiling: Option<DVec2>,
    pub stepped: bool,
}

/// A frame that this oracle does not predict, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// Two surfaces of a convex vertex are in the way at once.
    VertexOnVertex,
    /// More pieces than a walk may have.
    Pieces,
    /// Between a floor and a ceiling, each step is shorter than the one before, and none touches the ceiling.
    Wedge,
    /// The walker stands in a gap that is exactly as wide.
    ExactGap,
    /// A round foot meets a vertex at so small an angle that it is on the tolerance whether it grazes it.
    Graze,
    /// A round foot ends beside a vertex, farther than a rounding error and nearer than the tolerance; or a walker
    /// begins within the tolerance of both surfaces that meet at one.
    NearVertex,
    /// The side of a one-way platform, which can be passed.
    OneWaySide,
    /// The frame begins below the ground: under a one-way platform.
    Inside,
}

/// The space of a walker.
pub struct Space {
    pub ground: Profile,
    /// The profile of the ceiling, upside down.
    pub ceiling: Option<Profile>,
    /// The polyline of the ground.
    pub points: Vec<DVec2>,
    /// The height of the walker's lowest point above its position.
    pub lowest: f64,
    /// The radius of its corners.
    pub radius: f64,
    pub is_one_way: bool,
}

const MAX_PIECES: usize = 16;

/// A walker on a floor is on the profile of the ground but for this many tolerances.
const SAME_HEIGHT: f64 = 64.0;

fn upside_down(v: DVec2) -> DVec2 {
    DVec2::new(v.x, -v.y)
}

fn turned(touch: Touch) -> Touch {
    let side = |side: Side| Side { tangent: upside_down(side.tangent), ..side };
    Touch { left: touch.left.map(side), right: touch.right.map(side) }
}

/// The contacts of a position with the ground and with the ceiling.
#[derive(Clone, Copy)]
struct Contacts {
    ground: Touch,
    ceiling: Touch,
}

impl Contacts {
    fn blocks(&self, direction: DVec2) -> bool {
        self.ground.blocks(direction) || turned(self.ceiling).blocks(upside_down(direction))
    }

    fn tangents(&self) -> impl Iterator<Item = DVec2> {
        let sides = [self.ground.left, self.ground.right, self.ceiling.left, self.ceiling.right];
        // An upright wall can be slid along both ways.
        sides.into_iter().flatten().flat_map(|side| [side.tangent, -side.tangent])
    }

    /// Returns the direction along what blocks a motion that keeps most of it, times what it keeps.
    fn slide(&self, motion: DVec2, asked: DVec2) -> DVec2 {
        let open = self.tangents().filter(|&tangent| !self.blocks(tangent));
        let best = open.max_by(|a, b| a.dot(motion).total_cmp(&b.dot(motion)));
        match best {
            Some(t) if t.dot(motion) > 0.0 && t.dot(asked) > 0.0 => t * t.dot(motion),
            _ => DVec2::ZERO,
        }
    }

    /// Returns the normals of the surfaces that block a motion.
    fn blocking(&self, motion: DVec2) -> Result<Vec<DVec2>, Unknown> {
        let same: fn(DVec2) -> DVec2 = |v| v;
        let mut all = Vec::new();
        for (touch, turn) in [(self.ground, same), (turned(self.ceiling), upside_down)] {
            let motion = turn(motion);
            if !touch.blocks(motion) {
                continue;
            }
            let is_faced = |n: &DVec2| n.dot(motion) < -SMALL * motion.length();
            let [right, left] = touch.normals().map(|normal| normal.filter(is_faced));
            if let (Some(right), Some(left)) = (right, left)
                && right.perp_dot(left) > 1e-6
            {
                return Err(Unknown::VertexOnVertex); // a vertex that points at the walker
            }
            all.extend([right, left].into_iter().flatten().map(turn));
        }
        Ok(all)
    }
}

/// A walker in the middle of a frame.
struct Walk<'a> {
    space: &'a Space,
    rules: &'a Rules,
    at: DVec2,
    asked: DVec2,
    was_on_floor: bool,
    step_from: f64,
    has_landed: bool,
    frame: Frame,
}

impl Space {
    pub fn new(
        ground: &[DVec2],
        ceiling: Option<&[DVec2]>,
        walker: &Hull,
        is_one_way: bool,
    ) -> Self {
        let lowest = walker.points.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
        let flip = |points: &[DVec2]| points.iter().map(|&p| upside_down(p)).collect::<Vec<_>>();
        let turned_walker = Hull::of(flip(&walker.points), walker.radius);
        Self {
            ground: Profile::new(ground, walker),
            ceiling: ceiling.map(|points| Profile::new(&flip(points), &turned_walker)),
            points: ground.to_vec(),
            lowest: lowest - walker.radius,
            radius: walker.radius,
            is_one_way,
        }
    }

    /// Moves a position out of what it is inside by a rounding error.
    pub fn settled(&self, at: DVec2, tolerance: f64) -> Option<DVec2> {
        let at = self.ground.settled(at, tolerance)?;
        match &self.ceiling {
            Some(ceiling) => ceiling.settled(upside_down(at), tolerance).map(upside_down),
            None => Some(at),
        }
    }

    /// Predicts a frame from a position.
    pub fn frame(
        &self,
        rules: &Rules,
        at: DVec2,
        is_on_floor: bool,
        motion: DVec2,
    ) -> Result<Frame, Unknown> {
        let is_rising = motion.y > 0.0;
        let start = at;
        let mut at = self.settled(at, 4.0 * rules.tolerance).ok_or(Unknown::Inside)?;
        if is_on_floor && !is_rising {
            if self.ground.is_at_peak(start, 2.0 * rules.tolerance) {
                return Err(Unknown::NearVertex);
            }
            let height = self.ground.height(at.x);
            if (height - at.y).abs() > SAME_HEIGHT * rules.tolerance {
                return Err(Unknown::ExactGap);
            }
            at.y = height;
        }
        let frame = Frame { end: at, floor: None, wall: None, ceiling: None, stepped: false };
        let mut walk = Walk {
            space: self,
            rules,
            at,
            asked: motion,
            was_on_floor: is_on_floor,
            step_from: at.y,
            has_landed: false,
            frame,
        };
        if is_on_floor && !is_rising && walk.floor().is_some() {
            walk.follow_floor(motion.x)?;
            if walk.floor().is_none() {
                walk.move_in_air(DVec2::new(0.0, motion.y))?;
            }
        } else {
            walk.move_in_air(motion)?;
        }
        if walk.has_landed && walk.floor().is_none() {
            walk.snap(rules.snap);
        }
        if !is_rising || walk.has_landed {
            walk.frame.floor = walk.floor();
            let mut near = self.ground.normals(walk.at, rules.tolerance);
            if walk.frame.floor.is_none() && near.any(|normal| walk.is_floor_normal(normal)) {
                return Err(Unknown::NearVertex);
            }
        }
        walk.frame.end = walk.at;
        Ok(walk.frame)
    }
}

impl Walk<'_> {
    fn contacts(&self) -> Contacts {
        let ceiling = self.space.ceiling.as_ref();
        let ceiling = ceiling
            .map(|profile| turned(profile.touch(upside_down(self.at), self.rules.tolerance)));
        Contacts {
            ground: self.space.ground.touch(self.at, self.rules.tolerance),
            ceiling: ceiling.unwrap_or_default(),
        }
    }

    /// Moves straight on, as far as nothing is in the way. Returns the fraction done.
    fn advance(&mut self, motion: DVec2) -> Result<f64, Unknown> {
        let Space { ground, ceiling, .. } = self.space;
        let below = ground.entry(self.at, motion);
        let above = ceiling
            .as_ref()
            .and_then(|profile| profile.entry(upside_down(self.at), upside_down(motion)));
        let time = below.into_iter().chain(above).fold(1.0, f64::min);
        self.at += motion * time;
        let touch = ground.touch(self.at, self.rules.tolerance);
        let sides = [touch.left, touch.right];
        if self.space.is_one_way && sides.into_iter().flatten().any(|side| side.is_wall()) {
            return Err(Unknown::OneWaySide);
        }
        Ok(time)
    }

    /// Moves straight on unless that is blocked at once.
    fn move_straight(&mut self, motion: DVec2) -> Result<f64, Unknown> {
        if self.contacts().blocks(motion) { Ok(0.0) } else { self.advance(motion) }
    }

    fn is_floor_normal(&self, normal: DVec2) -> bool {
        normal.y >= self.rules.max_slope.cos() - 1e-6
    }

    /// Returns the normal of the floor underfoot.
    fn floor(&self) -> Option<DVec2> {
        let touch = self.space.ground.touch(self.at, self.rules.tolerance);
        if !touch.blocks(DVec2::NEG_Y) {
            return None;
        }
        let [right, left] = touch.normals();
        let mut sides = [(right, touch.right), (left, touch.left)];
        let rise = |normal: Option<DVec2>| normal.map_or(f64::NEG_INFINITY, |normal| normal.y);
        sides.sort_by(|(a, _), (b, _)| rise(*b).total_cmp(&rise(*a)));
        let level = sides[0].0?;
        if self.is_floor_normal(level) {
            return Some(level);
        }
        let is_step_edge = |&(normal, side): &(Option<DVec2>, Option<Side>)| {
            normal.zip(side).is_some_and(|(normal, side)| self.is_step_edge(normal, side))
        };
        sides.into_iter().find(is_step_edge)?.0
    }

    /// Returns whether a walker that was on a floor stands on the edge of a step: the ground beyond a vertex is a
    /// floor.
    fn is_step_edge(&self, normal: DVec2, side: Side) -> bool {
        let points = &self.space.points;
        let Some(vertex) = side.vertex else { return false };
        let beyond = if normal.x < 0.0 { vertex.checked_add(1) } else { vertex.checked_sub(1) };
        let Some(beyond) = beyond.and_then(|beyond| points.get(beyond)) else { return false };
        let edge = *beyond - points[vertex];
        let is_walkable = edge.x.abs() >= edge.length() * (self.rules.max_slope.cos() - 1e-6);
        let raised = (self.at.y - self.step_from).max(0.0);
        let height = points[vertex].y - (self.at.y + self.space.lowest) + raised;
        let is_low = height <= self.rules.step + self.rules.tolerance;
        self.was_on_floor && self.rules.step > 0.0 && is_walkable && is_low
    }

    /// Moves along the floor by a level distance.
    fn follow_floor(&mut self, level: f64) -> Result<(), Unknown> {
        if level == 0.0 {
            return Ok(());
        }
        let (ahead, full) = (DVec2::new(level.signum(), 0.0), level.abs());
        let mut left = full;
        let mut pieces = 0;
        while left > 1e-12 * full {
            pieces += 1;
            if pieces > MAX_PIECES {
                return Err(Unknown::Pieces);
            }
            if let Some(direction) = self.direction(ahead)? {
                let stretch = match self.rules.constant_speed {
                    true => 1.0,
                    false => 1.0 / direction.dot(ahead),
                };
                let done = self.advance(direction * (left * stretch))?;
                left *= 1.0 - done;
            } else if let Some(done) = self.step_up(ahead, left)? {
                self.frame.stepped = true;
                left -= done;
            } else {
                let along = self.along_floor(ahead) * left;
                self.record(along, along)?;
                if self.frame.wall.is_none() {
                    return Err(Unknown::Wedge);
                }
                break;
            }
        }
        if self.floor().is_none() {
            let slope = if self.rules.snap > 0.0 { full * self.rules.max_slope.tan() } else { 0.0 };
            self.snap(self.rules.snap + slope);
        }
        Ok(())
    }

    /// Returns the direction of the ground ahead; `None` if it is a wall.
    fn direction(&self, ahead: DVec2) -> Result<Option<DVec2>, Unknown> {
        let contacts = self.contacts();
        let side = if ahead.x > 0.0 { contacts.ground.right } else { contacts.ground.left };
        let walkable = |t: DVec2| t.dot(ahead) >= self.rules.max_slope.cos() - 1e-6;
        if contacts.blocks(ahead) {
            let Some(Side { tangent, vertex }) = side else { return Ok(None) };
            let graze = (4.0 * self.rules.tolerance / self.space.radius).sqrt();
            if vertex.is_some() && tangent.y > 0.0 && tangent.y < graze {
                return Err(Unknown::Graze);
            }
            let is_open = walkable(tangent) && tangent.y > 0.0 && !contacts.blocks(tangent);
            return Ok(is_open.then_some(tangent));
        }
        let down = side.map(|side| side.tangent).filter(|&tangent| walkable(tangent));
        Ok(Some(down.unwrap_or(ahead)))
    }

    /// Returns the direction up the floor underfoot, or straight ahead if the floor does not rise.
    fn along_floor(&self, ahead: DVec2) -> DVec2 {
        let floor = self.floor().filter(|normal| normal.dot(ahead) < 0.0);
        floor.map_or(ahead, |normal| (ahead - normal * normal.dot(ahead)).normalize())
    }

    /// Moves straight down onto a floor within a distance, or stays.
    fn snap(&mut self, distance: f64) -> bool {
        let (from, contacts) = (self.at, self.contacts());
        let fall = DVec2::new(0.0, -distance.max(4.0 * self.rules.tolerance));
        let down = if contacts.blocks(fall) { contacts.slide(fall, fall) } else { fall };
        let mut is_known = self.move_straight(down).is_ok();
        if self.at == from {
            // Beside a wall that leans back a little, straight down leads into it.
            is_known = self.move_straight(contacts.slide(fall, fall)).is_ok();
        }
        if is_known && self.floor().is_some() {
            return true;
        }
        self.at = from;
        false
    }

    /// Goes up a step, ahead and down. Returns how far it went ahead.
    fn step_up(&mut self, ahead: DVec2, left: f64) -> Result<Option<f64>, Unknown> {
        if self.rules.step <= 0.0 {
            return Ok(None);
        }
        let from = self.at;
        self.step_from = from.y;
        self.move_straight(DVec2::new(0.0, self.rules.step))?;
        let raised = self.at.y - from.y;
        let done = self.move_straight(ahead * left.max(3.0 * self.rules.tolerance))? * left;
        if raised > 0.0 && done > 0.0 {
            self.move_straight(DVec2::new(0.0, -raised))?;
            let risen = self.at.y - from.y;
            if risen > 0.0 && self.floor().is_some() {
                self.step_from = self.at.y;
                return Ok(Some(done));
            }
        }
        self.at = from;
        Ok(None)
    }

    /// Notes what blocks a motion, given the part of it that is a walk: its level part in the air, all of it on
    /// a floor.
    fn record(&mut self, motion: DVec2, walk: DVec2) -> Result<(), Unknown> {
        let contacts = self.contacts();
        for normal in contacts.blocking(motion)? {
            if self.is_floor_normal(normal) {
                self.has_landed = true;
                continue;
            }
            let is_ceiling = normal.y <= -self.rules.max_slope.cos() && (motion - walk).y > 0.0;
            let is_wall =
                walk.length() > 1e-9 * motion.length() && normal.dot(walk) < -SMALL * walk.length();
            // Of several, the one that stops the whole motion most counts: a wall its level part.
            let (known, stopped) = match () {
                () if is_ceiling => (&mut self.frame.ceiling, self.asked),
                () if is_wall => (&mut self.frame.wall, DVec2::new(self.asked.x, 0.0)),
                () => continue,
            };
            if known.is_none_or(|known| normal.dot(stopped) < known.dot(stopped)) {
                *known = Some(normal);
            }
        }
        Ok(())
    }

    fn move_in_air(&mut self, motion: DVec2) -> Result<(), Unknown> {
        let (mut left, full) = (motion, motion.length());
        for _ in 0..MAX_PIECES {
            if left.length() <= 1e-12 * full {
                return Ok(());
            }
            let contacts = self.contacts();
            if !contacts.blocks(left) {
                let done = self.advance(left)?;
                left *= 1.0 - done;
                continue;
            }
            self.record(left, DVec2::new(left.x, 0.0))?;
            if motion.y <= 0.0 && self.floor().is_some() {
                return self.follow_floor(motion.x * (left.length() / full));
            }
            left = self.slide_in_air(&contacts, left, motion)?;
        }
        Ok(())
    }

    /// Slides along walls and ceilings: they neither lift a walker nor take its rise.
    fn slide_in_air(
        &self,
        contacts: &Contacts,
        motion: DVec2,
        asked: DVec2,
    ) -> Result<DVec2, Unknown> {
        let slid = contacts.slide(motion, asked);
        let is_at_wall = contacts.blocking(motion)?.iter().any(|&n| !self.is_floor_normal(n));
        if slid.y <= motion.y.max(0.0) + 1e-12 || !is_at_wall {
            return Ok(slid);
        }
        if motion.y > 0.0 {
            return Ok(slid * (motion.y / slid.y));
        }
        let fall = DVec2::new(0.0, motion.y);
        Ok(if contacts.blocks(fall) { contacts.slide(fall, fall) } else { fall })
    }
}
