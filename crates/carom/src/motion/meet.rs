//! What a body meets on a straight way, and which of several at once.

use smallvec::SmallVec;

use crate::math::{DVec2, Vec2, round};
use crate::motion::obstacles::Obstacle;
use crate::query::{Contact, Hit};
use crate::shape::Aabb;

/// A body meets an obstacle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meet {
    /// Which of the body's solid colliders.
    pub own: usize,
    pub obstacle: Obstacle,
    /// From 0 at the start of the way to 1 at its end.
    pub time: f64,
    pub normal: DVec2,
    pub point: Vec2,
    pub depth: f32,
}

impl Meet {
    /// The obstacle's slot.
    pub fn slot(&self) -> u32 {
        self.obstacle.slot
    }

    pub fn from_hit(own: usize, obstacle: &Obstacle, hit: &Hit) -> Self {
        let (Hit { time, normal, point, depth }, obstacle) = (*hit, *obstacle);
        Self { own, obstacle, time: time.into(), normal: normal.as_dvec2(), point, depth }
    }

    /// A way that would lead deeper into what the body overlaps.
    pub fn from_overlap(
        own: usize,
        obstacle: &Obstacle,
        contact: &Contact,
        motion: Vec2,
    ) -> Option<Self> {
        let Contact { normal, depth, points, .. } = *contact;
        let normal = normal.as_dvec2();
        let is_deeper = normal.dot(motion.as_dvec2()) < 0.0;
        let obstacle = *obstacle;
        is_deeper.then(|| Self { own, obstacle, time: 0.0, normal, point: points[0], depth })
    }
}

/// The earliest of what is met. What is met within rounding of it is met at once.
pub(super) struct First {
    tie: f64,
    time: f64,
    meets: SmallVec<[Meet; 4]>,
}

impl First {
    pub fn new(tie: f64) -> Self {
        Self { tie, time: f64::INFINITY, meets: SmallVec::new() }
    }

    pub fn add(&mut self, meet: Meet) {
        if meet.time > self.time + self.tie {
            return;
        }
        if meet.time < self.time {
            self.time = meet.time;
            let until = self.time + self.tie;
            self.meets.retain(|meet| meet.time <= until);
        }
        self.meets.push(meet);
    }

    /// Up to when more matters.
    pub fn until(&self) -> f32 {
        ((self.time + self.tie) as f32).next_up()
    }

    /// The one to respond to first. Of several at once, one that is not only grazed, and then the one
    /// with the longest front: next to it, one that is met with a corner only is often none at all,
    /// once the way has changed. `rank` tells both.
    pub fn choose(mut self, rank: impl Fn(&Meet) -> (bool, f64)) -> Option<Meet> {
        if self.meets.len() > 1 {
            self.meets.sort_by(|a, b| {
                let (first, second) = (rank(a), rank(b));
                let fronts = second.1.total_cmp(&first.1);
                let keys = (a.slot(), a.own).cmp(&(b.slot(), b.own));
                first.0.cmp(&second.0).then(fronts).then(keys)
            });
        }
        self.meets.first().copied()
    }
}

/// Two boxes that do not overlap: the quick way to the answer of `sweep`.
#[inline]
pub(super) fn meet_boxes(own: usize, a: &Aabb, motion: Vec2, obstacle: &Obstacle) -> Option<Meet> {
    let (motion, b, obstacle) = (motion.as_dvec2(), &obstacle.bounds, *obstacle);
    let [a_min, a_max, b_min, b_max] = [a.min(), a.max(), b.min(), b.max()].map(|p| p.as_dvec2());
    // By how much `a` may be moved before it comes in, and until it is out again.
    let (low, high) = (b_min - a_max, b_max - a_min);
    let (mut enter, mut leave, mut level) = (f64::NEG_INFINITY, f64::INFINITY, false);
    for (low, high, speed, is_x) in
        [(low.x, high.x, motion.x, true), (low.y, high.y, motion.y, false)]
    {
        if speed == 0.0 {
            if low >= 0.0 || high <= 0.0 {
                return None;
            }
            continue;
        }
        let (one, other) = if speed > 0.0 { (low, high) } else { (high, low) };
        let (first, last) = (one / speed, other / speed);
        if first > enter {
            (enter, level) = (first, is_x);
        }
        leave = leave.min(last);
    }
    if !((0.0..=1.0).contains(&enter) && enter < leave) {
        return None;
    }
    let (from, to) = ((a_min + motion * enter).max(b_min), (a_max + motion * enter).min(b_max));
    let (mut point, mut normal) = ((from + to) / 2.0, DVec2::ZERO);
    if level {
        normal.x = -motion.x.signum();
        point.x = if motion.x > 0.0 { b_min.x } else { b_max.x };
    } else {
        normal.y = -motion.y.signum();
        point.y = if motion.y > 0.0 { b_min.y } else { b_max.y };
    }
    Some(Meet { own, obstacle, time: enter, normal, point: round(point), depth: 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Query;

    #[test]
    fn boxes_meet_as_sweeps_say() {
        let mut state = 1u32;
        let mut next = |n: u32| {
            state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            ((state >> 16) % n) as f32
        };
        let mut met = 0;
        for _ in 0..20_000 {
            let corner = Vec2::new(next(9), next(9));
            let a = Aabb::from_corner_size(corner, [1.0 + next(3), 1.0 + next(3)]);
            let b = Aabb::from_corner_size([4.0, 4.0], [1.0 + next(2), 2.0]);
            let motion = Vec2::new(next(17) - 8.0, next(17) - 8.0) / 2.0;
            if a.overlaps(&b) {
                continue;
            }
            let (meet, hit) =
                (meet_boxes(0, &a, motion, &Obstacle::of_box(0, b)), a.sweep(motion, &b));
            assert_eq!(meet.is_some(), hit.is_some(), "{a:?} {motion} {b:?}");
            if let (Some(meet), Some(hit)) = (meet, hit) {
                assert!((meet.time - f64::from(hit.time)).abs() < 1e-6, "{a:?} {motion} {b:?}");
                met += 1;
            }
        }
        assert!(met > 1000, "{met}");
    }
}
