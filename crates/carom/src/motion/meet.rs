//! What a body meets on a straight way, and which of several at once.

use smallvec::SmallVec;

use crate::math::{DVec2, Vec2};
use crate::motion::obstacles::Obstacle;
use crate::query::{Contact, SweepHit};

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

    pub fn from_hit(own: usize, obstacle: &Obstacle, hit: &SweepHit) -> Self {
        let (SweepHit { time, normal, point, depth }, obstacle) = (*hit, *obstacle);
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
