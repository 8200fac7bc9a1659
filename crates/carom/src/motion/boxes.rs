//! A box among boxes, what most bodies of most games are: the same answers as the general way gives,
//! with less ado.

use glam::BVec2;

use crate::math::{DVec2, Vec2, to_vec2};
use crate::motion::course::{Course, Pad};
use crate::motion::leg::Leg;
use crate::motion::meet::Meet;
use crate::motion::obstacles::{Kind, Obstacle};
use crate::motion::stance::Stance;
use crate::shape::Aabb;

/// There is more to it than a box that comes to another: ask the general way.
pub(super) struct Involved;

/// What comes of a leg.
pub(super) enum BoxAhead {
    /// It leads to this place.
    End(Vec2),
    /// Something is met on this way.
    Meets(Meet, Vec2),
}

/// What is on a way.
enum Ahead {
    Nothing,
    One(Entry, Obstacle),
    /// Or one as good as at once with another.
    Several,
}

impl Course<'_> {
    /// Whether the body is one box and nothing is passed or kept: then a box stops it where their
    /// bounds meet, and that is all.
    #[inline]
    pub fn is_plain_box(&self) -> bool {
        let Pad { crossed, overlapped, .. } = &*self.pad;
        self.lone_box.is_some() && crossed.is_empty() && overlapped.is_empty()
    }

    /// What comes of a leg for a plain box among boxes, where it does not only graze one.
    #[inline(always)]
    pub fn box_ahead(&mut self, leg: &Leg) -> Result<BoxAhead, Involved> {
        if !self.is_plain_box() {
            return Err(Involved);
        }
        let Stance { position: from, bounds: own, .. } = self.pad.here;
        let (motion, skin) = (to_vec2(leg.target - from.as_dvec2()), self.skin());
        let way = self.pad.here.swept(motion, skin);
        self.motion = motion.as_dvec2();
        let meet = match self.first_box_on(&way, skin)? {
            Ahead::Nothing => {
                let end = to_vec2(leg.target);
                let fits = end == from || self.fits_as_box(end);
                return if fits { Ok(BoxAhead::End(end)) } else { Err(Involved) };
            }
            Ahead::One(entry, obstacle) => entry.meet(0, &own, self.motion, &obstacle),
            Ahead::Several => self.first_on(motion).ok_or(Involved)?,
        };
        if may_graze(&own, self.motion, &meet.obstacle.bounds, 2.0 * skin) {
            return Err(Involved);
        }
        Ok(BoxAhead::Meets(meet, motion))
    }

    /// What the body, a plain box, meets first on the way that is being looked at.
    #[inline]
    fn first_box_on(&self, way: &Aabb, skin: f64) -> Result<Ahead, Involved> {
        if !self.knows(way) {
            return Err(Involved);
        }
        let flight = Flight::new(&self.pad.here.bounds, self.motion);
        let (mut first, mut second) = (None, f64::INFINITY);
        let mut earliest = f64::INFINITY;
        for obstacle in &self.pad.near {
            if obstacle.kind != Kind::Box {
                if obstacle.bounds.intersects_aabb(way) {
                    return Err(Involved);
                }
            } else if let Some(entry) = flight.entry(&obstacle.bounds) {
                second = second.min(earliest.max(entry.time));
                if entry.time < earliest {
                    (earliest, first) = (entry.time, Some((entry, obstacle)));
                }
            }
        }
        let Some((entry, &obstacle)) = first else { return Ok(Ahead::Nothing) };
        // Twice as near as what is met at once, so that rounding cannot make a difference.
        let between = (second - earliest) / 2.0;
        let is_one = between * between * self.motion.dot(self.motion) > skin * skin;
        Ok(if is_one { Ahead::One(entry, obstacle) } else { Ahead::Several })
    }

    /// Whether the body is seen at once to have room at a position: as a plain box among what is
    /// known already.
    #[inline(always)]
    pub fn fits_as_box(&self, position: Vec2) -> bool {
        let Some(at_origin) = self.lone_box.as_ref().filter(|_| self.is_plain_box()) else {
            return false;
        };
        self.has_room_for(&at_origin.translated(position))
    }

    /// The same for the box that it is there.
    #[inline]
    pub fn has_room_for(&self, own: &Aabb) -> bool {
        let leaves_room = |obstacle: &Obstacle| match obstacle.kind {
            Kind::Box => !obstacle.bounds.overlaps_aabb(own),
            _ => !obstacle.bounds.intersects_aabb(own),
        };
        // To the end, whatever is found: nobody could predict where it is.
        let near = self.pad.near.iter();
        self.knows(own) && near.fold(true, |room, obstacle| room & leaves_room(obstacle))
    }

    /// Whether an obstacle leaves room for the body, a plain box. `None` if it takes more to tell.
    #[inline]
    pub fn is_clear_of_box(stance: &Stance, obstacle: &Obstacle) -> Option<bool> {
        let is_box = obstacle.kind == Kind::Box;
        is_box.then(|| !obstacle.bounds.overlaps_aabb(&stance.bounds))
    }
}

/// Whether a box that is moved aside so far can miss another on its way.
pub(super) fn may_graze(a: &Aabb, motion: DVec2, b: &Aabb, aside: f64) -> bool {
    let [a_min, a_max, b_min, b_max] = [a.min(), a.max(), b.min(), b.max()].map(|p| p.as_dvec2());
    // How far they are in each other's way, times twice the length of the motion.
    let side = motion.perp();
    let apart = side.dot((a_min + a_max) - (b_min + b_max)).abs();
    let shared = side.abs().dot((a_max - a_min) + (b_max - b_min)) - apart;
    shared <= 0.0 || shared * shared <= 4.0 * aside * aside * side.dot(side)
}

/// A box on its way, made ready to be asked about many others.
pub(super) struct Flight {
    min: DVec2,
    max: DVec2,
    motion: DVec2,
}

impl Flight {
    #[inline]
    pub fn new(own: &Aabb, motion: DVec2) -> Self {
        Self { min: own.min().as_dvec2(), max: own.max().as_dvec2(), motion }
    }

    /// How it comes to a box that it does not overlap: the quick way to the answer of `sweep`.
    #[inline]
    pub fn entry(&self, other: &Aabb) -> Option<Entry> {
        let (low, high) = (other.min().as_dvec2(), other.max().as_dvec2());
        // How far it may go along an axis before it comes in, and until it is out again.
        let along = |own: (f64, f64), other: (f64, f64), speed: f64| {
            if speed >= 0.0 {
                (other.0 - own.1, other.1 - own.0)
            } else {
                (own.0 - other.1, own.1 - other.0)
            }
        };
        let x = along((self.min.x, self.max.x), (low.x, high.x), self.motion.x);
        let y = along((self.min.y, self.max.y), (low.y, high.y), self.motion.y);
        // Which comes first is told without a division: a / b < c / d if a * d < c * b. Along an axis
        // without motion it has to be beside the other all the time.
        let speed = self.motion.abs();
        let is_level = if speed.y > 0.0 { x.0 * speed.y >= y.0 * speed.x } else { y.0 < 0.0 };
        let (enter, leave, speed, is_in_time) = if is_level {
            (x.0, x.1, speed.x, x.0 * speed.y < y.1 * speed.x)
        } else {
            (y.0, y.1, speed.y, y.0 * speed.x < x.1 * speed.y)
        };
        let is_met = (enter >= 0.0) & (enter <= speed) & (enter < leave) & is_in_time;
        is_met.then(|| Entry { time: enter / speed, is_level })
    }
}

/// A box on its way comes to a side of another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub time: f64,
    /// Whether it comes to the left or right side.
    is_level: bool,
}

impl Entry {
    /// The box `a`, one of the body's, meets an obstacle so.
    pub fn meet(&self, own: usize, a: &Aabb, motion: DVec2, obstacle: &Obstacle) -> Meet {
        let b = &obstacle.bounds;
        let [a_min, a_max, b_min, b_max] =
            [a.min(), a.max(), b.min(), b.max()].map(|p| p.as_dvec2());
        let way = motion * self.time;
        let (from, to) = ((a_min + way).max(b_min), (a_max + way).min(b_max));
        // The sides of the other that it would come to, along both axes, and which it is.
        let ahead = motion.cmpgt(DVec2::ZERO);
        let (near, out) =
            (DVec2::select(ahead, b_min, b_max), DVec2::select(ahead, DVec2::NEG_ONE, DVec2::ONE));
        let is_met = BVec2::new(self.is_level, !self.is_level);
        let point = DVec2::select(is_met, near, (from + to) / 2.0);
        let normal = DVec2::select(is_met, out, DVec2::ZERO);
        Meet {
            own,
            obstacle: *obstacle,
            time: self.time,
            normal,
            point: to_vec2(point),
            depth: 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::travel::{Encounter, Response, Travel};
    use crate::motion::walk::{Walker, WalkerState};
    use crate::shape::{Circle, Shape, TileKind, TileMap};
    use crate::world::{Body, BodyKey, Collider, Filter, World};

    /// InlineShape whole numbers: things touch and come at once to each other all the time.
    struct Dice(u32);

    impl Dice {
        fn roll(&mut self, n: u32) -> f32 {
            self.0 = self.0.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            ((self.0 >> 16) % n) as f32
        }

        fn pair(&mut self, n: u32) -> Vec2 {
            Vec2::new(self.roll(n), self.roll(n))
        }
    }

    #[test]
    fn boxes_meet_as_sweeps_say() {
        let mut dice = Dice(1);
        let mut met = 0;
        for _ in 0..20_000 {
            let a = Aabb::from_min_size(dice.pair(9), dice.pair(3) + 1.0);
            let b = Aabb::from_min_size([4.0, 4.0], [1.0 + dice.roll(2), 2.0]);
            let motion = (dice.pair(17) - 8.0) / 2.0;
            if a.overlaps(&b) {
                continue;
            }
            let entry = Flight::new(&a, motion.as_dvec2()).entry(&b);
            let hit = a.sweep(motion, &b);
            assert_eq!(entry.is_some(), hit.is_some(), "{a:?} {motion} {b:?}");
            if let (Some(entry), Some(hit)) = (entry, hit) {
                assert!((entry.time - f64::from(hit.time)).abs() < 1e-6, "{a:?} {motion} {b:?}");
                met += 1;
            }
        }
        assert!(met > 1000, "{met}");
    }

    /// How long a tile of a room is: some lengths are rounded, so that things are flush but for the
    /// last bit.
    fn unit(seed: u32) -> f32 {
        [1.0, 0.1, 333.3][seed as usize % 3]
    }

    /// A box in a room of boxes and tiles; among some there are slopes, platforms and balls.
    fn room(dice: &mut Dice, unit: f32) -> (World, BodyKey) {
        let mut world = World::new();
        let mut map = TileMap::new([-4.0 * unit; 2], [unit; 2], [16, 16]);
        let up = [0.0, 1.0];
        let kinds = [TileKind::slope(0.0, 1.0, up), TileKind::one_way(up), TileKind::SOLID]
            .map(|kind| map.add_kind(kind));
        let is_mixed = dice.roll(3) == 0.0;
        for _ in 0..40 {
            let cell = [dice.roll(16) as u32, dice.roll(16) as u32];
            let kind = kinds[dice.roll(3) as usize];
            map.set(cell, if is_mixed { kind } else { TileMap::SOLID });
        }
        let level = world.add_body(Body::fixed([0.0, 0.0])).unwrap();
        world.add_collider(level, Collider::new(map)).unwrap();
        for _ in 0..6 {
            let (corner, size) = (dice.pair(8) / 2.0 * unit, (dice.pair(3) / 2.0 + 0.5) * unit);
            let shape = if is_mixed && dice.roll(4) == 0.0 {
                Shape::from(Circle::new(corner, size.x / 2.0))
            } else {
                Aabb::from_min_size(corner, size).into()
            };
            world.add_collider(level, Collider::new(shape)).unwrap();
        }
        let hero = world.add_body(Body::moving(dice.pair(33) / 4.0 * unit)).unwrap();
        let shape = Aabb::from_min_size([0.0, 0.0], (dice.pair(3) / 4.0 + 0.25) * unit);
        world.add_collider(hero, Collider::new(shape)).unwrap();
        (world, hero)
    }

    /// What comes of it, the quick way or the general one.
    fn on_course<R>(
        (world, hero): (&World, BodyKey),
        is_quick: bool,
        go: impl FnOnce(&mut Course<'_>) -> R,
    ) -> R {
        let (filter, mut pad) = (Filter::new(), Pad::default());
        let mut course = Course::new(world, hero, &filter, &mut pad).unwrap();
        assert!(course.lone_box.is_some());
        if !is_quick {
            course.lone_box = None;
        }
        go(&mut course)
    }

    #[test]
    fn a_box_travels_the_quick_way_as_the_general_one_to_the_bit() {
        let responses = [Response::Slide, Response::Bounce(1.0), Response::Cross, Response::Touch];
        let mut hits = 0;
        for seed in 0..4000 {
            let mut dice = Dice(seed);
            let (world, hero) = room(&mut dice, unit(seed));
            let motion = (dice.pair(33) - 16.0) / 4.0 * unit(seed);
            let [quick, general] = [true, false].map(|is_quick| {
                let (mut dice, mut travel) = (Dice(seed), Travel::new());
                on_course((&world, hero), is_quick, |course| {
                    let mut respond = |_: Encounter<'_>| responses[dice.roll(4) as usize];
                    course.travel(motion, &mut respond, &mut travel);
                });
                travel
            });
            assert_eq!(quick, general, "seed {seed}");
            hits += quick.hits().len();
        }
        assert!(hits > 2000, "{hits}");
    }

    #[test]
    fn a_floor_of_two_boxes_and_a_corner_of_two_are_met_the_quick_way() {
        let mut world = World::new();
        let level = world.add_body(Body::fixed([0.0, 0.0])).unwrap();
        for corner in [[0.0, 0.0], [1.0, 0.0], [2.0, 1.0]] {
            let tile = Aabb::from_min_size(corner, [1.0, 1.0]);
            world.add_collider(level, Collider::new(tile)).unwrap();
        }
        let hero = world.add_body(Body::moving([0.75, 2.0])).unwrap();
        let shape = Aabb::from_min_size([0.0, 0.0], [0.5, 0.5]);
        world.add_collider(hero, Collider::new(shape)).unwrap();
        for (motion, end) in [([0.0, -2.0], [0.75, 1.0]), ([1.5, -2.0], [1.5, 1.0])] {
            on_course((&world, hero), true, |course| {
                course.look_ahead(motion.into());
                let leg = Leg::new(course.position(), Vec2::from(motion).as_dvec2());
                let Ok(BoxAhead::Meets(meet, way)) = course.box_ahead(&leg) else { panic!() };
                assert_eq!(course.land(way, &meet), Vec2::from(end), "{motion:?}");
            });
        }
    }

    #[test]
    fn a_box_walks_the_quick_way_as_the_general_one_to_the_bit() {
        let (mut standing, mut stopped) = (0, 0);
        for seed in 0..2000 {
            let mut dice = Dice(seed);
            let (mut world, hero) = room(&mut dice, unit(seed));
            let lengths = [0.0, 0.1, 0.5].map(|length| (length + dice.roll(2) / 4.0) * unit(seed));
            let [step, snap, corner] = lengths;
            let walker = Walker::new().step(step).snap(snap).corner(corner);
            let mut state = WalkerState::new();
            for frame in 0..12 {
                let motion = Vec2::new(dice.roll(9) - 4.0, dice.roll(8) - 5.0) / 8.0 * unit(seed);
                let [quick, general] = [true, false].map(|is_quick| {
                    on_course((&world, hero), is_quick, |course| {
                        course.walk(&walker, state, motion)
                    })
                });
                assert_eq!(quick, general, "seed {seed}, frame {frame}");
                world.set_position(hero, quick.0.end).unwrap();
                state = quick.1;
                standing += usize::from(state.on_floor());
                stopped += usize::from(quick.0.wall.is_some());
            }
        }
        assert!(standing > 5000 && stopped > 1000, "{standing} {stopped}");
    }
}
