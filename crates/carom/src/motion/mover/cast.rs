//! Step 3: cast. Finds the time at which a straight motion of a position first enters an obstacle.
//!
//! An obstacle that is grazed by no more than the tolerance is not entered, so that flush neighbours never stick
//! out as walls; the time is that of the obstacle itself.

use crate::math::{DVec2, cross, length};
use crate::motion::mover::cspace::{box_sides, is_in_wedge};
use crate::world::move_buffers::{Bounds, CConvex, CForm, CObstacle, CSpace, Front, Joint};

impl CSpace {
    /// Returns the time from 0 to 1 at which a motion enters an obstacle that it does not touch.
    ///
    /// The tolerance is that of positions around the obstacle.
    #[inline]
    pub fn entry(&self, c: &CObstacle, p: DVec2, motion: DVec2, tolerance: f64) -> Option<f64> {
        let time = match c.form {
            CForm::Box => box_entry(&c.bounds, p, motion, tolerance),
            CForm::Unbuilt => None,
            CForm::Convex(index) => {
                let convex = &self.convexes[index as usize];
                self.convex_entry(convex, p, motion, tolerance)
            }
            CForm::Front(index) => front_entry(&self.fronts[index as usize], p, motion, tolerance),
            CForm::Joint(index) => {
                let joint = &self.joints[index as usize];
                self.joint_entry(joint, p, motion, tolerance)
            }
        };
        time.filter(|&time| time <= 1.0).map(|time| time.max(0.0))
    }

    fn convex_entry(
        &self,
        convex: &CConvex,
        p: DVec2,
        motion: DVec2,
        tolerance: f64,
    ) -> Option<f64> {
        let shrink = tolerance.min(0.25 * convex.width);
        if convex.radius == 0.0 {
            let faces = self.faces(convex).iter();
            let faces = faces.map(|face| (face.height(p), face.normal.dot(motion)));
            return polygon_entry(faces, shrink);
        }
        let shrunk = convex.radius - shrink;
        self.round_entry(convex, p, motion, shrunk).filter(|&time| time <= 1.0)?;
        self.round_entry(convex, p, motion, convex.radius)
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
    fn joint_entry(&self, joint: &Joint, p: DVec2, motion: DVec2, tolerance: f64) -> Option<f64> {
        let convex = &joint.convex;
        if self.is_grazed(convex, p, motion, tolerance) {
            return None;
        }
        if convex.radius > 0.0 {
            let time = self.round_entry(convex, p, motion, convex.radius)?;
            let normal = self.joint_distance(joint, p + motion * time).normal;
            return is_in_wedge(normal, joint.wedge).then_some(time);
        }
        let times = self.faces(convex).iter().filter_map(|face| {
            let (height, speed) = (face.height(p), face.normal.dot(motion));
            let time = height / -speed;
            let t = (p + motion * time - face.start).dot(face.direction);
            (speed < 0.0 && height >= 0.0 && t >= 0.0 && t <= face.length).then_some(time)
        });
        times.reduce(f64::min)
    }

    /// Returns whether the line of a motion passes an obstacle on one side, but for the tolerance.
    fn is_grazed(&self, convex: &CConvex, p: DVec2, motion: DVec2, tolerance: f64) -> bool {
        let sides = self.corners(convex).iter().map(|&corner| cross(motion, corner - p));
        let (low, high) = sides.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), side| {
            (low.min(side), high.max(side))
        });
        let shrink = tolerance.min(0.25 * convex.width) - convex.radius;
        high.min(-low) <= shrink * length(motion)
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

/// Like [`polygon_entry`], for a box: axis by axis.
#[inline(always)]
pub(super) fn box_entry(bounds: &Bounds, p: DVec2, motion: DVec2, tolerance: f64) -> Option<f64> {
    let size = bounds.max - bounds.min;
    let shrink = tolerance.min(0.25 * size.min_element());
    let [bottom, right, top, left] = box_sides(bounds, p);
    let mut is_missed = false;
    // Without branches, which would mispredict. At a speed of 0 between both sides, the times are
    // infinite and change nothing; beside them, the box is missed.
    let [x, y] = [(left, right, motion.x), (bottom, top, motion.y)].map(|(low, high, speed)| {
        let (near, far) = if speed > 0.0 { (low, high) } else { (high, low) };
        let speed = speed.abs();
        is_missed |= (far + shrink >= 0.0) | ((speed == 0.0) & (near + shrink >= 0.0));
        [near / speed, (near + shrink) / speed, (far + shrink) / -speed]
    });
    let [enter, enter_shrunk, leave] = [x[0].max(y[0]), x[1].max(y[1]), x[2].min(y[2])];
    (!is_missed & (enter_shrunk < leave) & (enter_shrunk <= 1.0)).then_some(enter)
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
