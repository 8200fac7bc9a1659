//! Step 3: cast. Finds the time at which a straight motion of a position first enters an obstacle.
//!
//! What is grazed by no more than the tolerance is not entered, so that flush neighbours never stick
//! out as walls; the time is that of the obstacle itself.

use crate::math::{DVec2, cross};
use crate::motion::mover::cspace::{box_sides, is_in_wedge};
use crate::world::move_buffers::{Bounds, CConvex, CForm, CObstacle, CSpace, Front};

impl CSpace {
    /// Returns the time from 0 to 1 at which a motion enters an obstacle that it does not touch.
    #[inline]
    pub fn entry(&self, c: &CObstacle, p: DVec2, motion: DVec2, path: &Bounds) -> Option<f64> {
        if !c.bounds.intersects(path) {
            return None;
        }
        let time = match &c.form {
            CForm::Box => {
                let size = c.bounds.max - c.bounds.min;
                let shrink = c.tolerance.min(0.25 * size.min_element());
                let heights = box_sides(&c.bounds, p);
                let speeds = [-motion.y, motion.x, motion.y, -motion.x];
                polygon_entry(heights.into_iter().zip(speeds), shrink)
            }
            CForm::Convex(convex) if convex.radius == 0.0 => {
                let shrink = c.tolerance.min(0.25 * convex.width);
                let faces = self.faces(convex).iter();
                let faces = faces.map(|face| (face.height(p), face.normal.dot(motion)));
                polygon_entry(faces, shrink)
            }
            CForm::Convex(convex) => {
                let shrunk = convex.radius - c.tolerance.min(0.25 * convex.width);
                self.round_entry(convex, p, motion, shrunk).filter(|&time| time <= 1.0)?;
                self.round_entry(convex, p, motion, convex.radius)
            }
            CForm::Front(front) => front_entry(front, p, motion, c.tolerance),
            CForm::Joint(convex, wedge) => self.joint_entry(c, convex, *wedge, p, motion),
        };
        time.filter(|&time| time <= 1.0).map(|time| time.max(0.0))
    }

    /// The first entry into the moved edges and the circles around the corners of a rounded polygon.
    fn round_entry(&self, convex: &CConvex, p: DVec2, motion: DVec2, radius: f64) -> Option<f64> {
        let mut first = f64::INFINITY;
        for face in self.faces(convex) {
            let speed = face.normal.dot(motion);
            if speed >= 0.0 {
                continue;
            }
            let time = (radius - face.height(p)) / speed;
            let at = (p + motion * time - face.start).dot(face.direction);
            if time >= 0.0 && at >= 0.0 && at <= face.length {
                first = first.min(time);
            }
        }
        let square = motion.dot(motion);
        for &corner in self.corners(convex) {
            let arm = p - corner;
            let approach = arm.dot(motion);
            // By the closest approach, so that nothing cancels for distant and fast positions.
            let side = cross(arm, motion);
            let inside = radius * radius * square - side * side;
            if approach < 0.0 && inside > 0.0 {
                let time = (-approach - crate::math::sqrt(inside)) / square;
                if time >= 0.0 {
                    first = first.min(time);
                }
            }
        }
        (first < f64::INFINITY).then_some(first)
    }

    /// The entry onto a vertex between two one-way edges.
    fn joint_entry(
        &self,
        c: &CObstacle,
        convex: &CConvex,
        wedge: [DVec2; 2],
        p: DVec2,
        motion: DVec2,
    ) -> Option<f64> {
        if convex.radius > 0.0 {
            let time = self.round_entry(convex, p, motion, convex.radius)?;
            let normal = self.distance(c, p + motion * time).normal;
            return is_in_wedge(normal, wedge).then_some(time);
        }
        let times = self.faces(convex).iter().filter_map(|face| {
            let (height, speed) = (face.height(p), face.normal.dot(motion));
            let time = height / -speed;
            let t = (p + motion * time - face.start).dot(face.direction);
            (speed < 0.0 && height >= 0.0 && t >= 0.0 && t <= face.length).then_some(time)
        });
        times.reduce(f64::min)
    }
}

/// The entry through a front, from in front of it.
fn front_entry(front: &Front, p: DVec2, motion: DVec2, tolerance: f64) -> Option<f64> {
    let (height, speed) = (front.height(p), front.normal.dot(motion));
    if speed >= 0.0 || height < -tolerance {
        return None;
    }
    let time = height / -speed;
    front.spans(p + motion * time, tolerance).then_some(time)
}

/// The entry into a polygon, given the heights over its faces and the speeds away from them: the last
/// face that is entered, if that is before the first one that is left (Cyrus and Beck).
#[inline(always)]
fn polygon_entry(faces: impl Iterator<Item = (f64, f64)>, shrink: f64) -> Option<f64> {
    let (mut enter, mut enter_shrunk) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    let mut leave = f64::INFINITY;
    for (height, speed) in faces {
        if speed < 0.0 {
            enter = enter.max(height / -speed);
            enter_shrunk = enter_shrunk.max((height + shrink) / -speed);
        } else {
            if height + shrink >= 0.0 {
                return None;
            }
            if speed > 0.0 {
                leave = leave.min((height + shrink) / -speed);
            }
        }
    }
    (enter_shrunk < leave && enter_shrunk <= 1.0).then_some(enter)
}
