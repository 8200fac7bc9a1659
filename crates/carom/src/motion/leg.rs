//! A straight part of a way, as far as it is free.

use crate::math::{DVec2, Vec2, to_vec2};
use crate::motion::boxes::{BoxAhead, Involved};
use crate::motion::course::Course;
use crate::motion::meet::Meet;
use crate::motion::planes::Planes;
use crate::motion::way::Aside;

/// A straight part of a way, in `f64` so that what is left of it is exact.
#[derive(Debug)]
pub(super) struct Leg {
    pub target: DVec2,
    /// What the body touches where it is.
    pub planes: Planes,
    grazes: usize,
}

/// How often a body is put aside on one way to pass what it only grazes.
const GRAZES: usize = 4;

impl Leg {
    pub fn new(from: Vec2, motion: DVec2) -> Self {
        Self { target: from.as_dvec2() + motion, planes: Planes::default(), grazes: 0 }
    }
}

impl Course<'_> {
    /// Goes on until something is met, and tells where the body would stop; it has not moved then.
    /// Where nothing is met, it goes to the end of the leg.
    pub fn advance(&mut self, leg: &mut Leg) -> Option<(Meet, Vec2)> {
        match self.box_ahead(leg) {
            Ok(BoxAhead::End(end)) => {
                self.stand(end);
                None
            }
            Ok(BoxAhead::Meets(meet, way)) => {
                let spot = self.land(way, &meet);
                Some((meet, spot))
            }
            Err(Involved) => self.advance_any(leg),
        }
    }

    /// The same for whatever the body is and meets.
    #[inline(never)] // the quick way stays small
    fn advance_any(&mut self, leg: &mut Leg) -> Option<(Meet, Vec2)> {
        let way = to_vec2(leg.target - self.position().as_dvec2());
        let Some(meet) = self.first_on(way) else {
            let end = self.arrive(leg.target, leg.planes.normals());
            self.stand(end);
            return None;
        };
        let meet = match self.aside(&meet, way) {
            Aside::Misses(beside) if leg.grazes < GRAZES => {
                leg.grazes += 1;
                leg.target += beside.as_dvec2() - self.position().as_dvec2();
                self.stand(beside);
                return self.advance(leg);
            }
            Aside::Eases(normal) => Meet { normal, ..meet },
            _ => meet,
        };
        let spot = self.land(way, &meet);
        Some((meet, spot))
    }

    /// Stops at a spot. What the body touched before it came there does not matter any more.
    #[inline(always)]
    pub fn stop_at(&mut self, spot: Vec2, leg: &mut Leg) {
        if spot == self.position() {
            return;
        }
        let (way, skin) = (spot.as_dvec2() - self.position().as_dvec2(), self.skin());
        if way.dot(way) > skin * skin {
            leg.planes.clear();
        }
        self.stand(spot);
    }
}
