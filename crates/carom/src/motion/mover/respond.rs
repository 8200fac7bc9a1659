//! Step 5: respond. Turns what is left of a blocked motion along, or away from, what blocks it.

use crate::math::{DVec2, length};
use crate::motion::mover::Mover;
use crate::motion::mover::contacts::{ArcEnd, blocked_arc, is_blocked};

impl Mover<'_> {
    /// Moves the body along a vector and slides along whatever is in the way.
    ///
    /// A rider moves with a floor that is not among the obstacles, given by its normal. It stops where a
    /// slide would lead it into the floor. (A floor that rises lifts it out later.)
    pub fn slide_by(&mut self, motion: DVec2, floor: Option<DVec2>) {
        let (mut left, least) = (motion, 1e-12 * length(motion));
        let floor = floor.filter(|normal| motion.dot(*normal) <= least);
        let mut share = 1.0;
        for _ in 0..MAX_SLIDES {
            if length(left) <= least {
                return;
            }
            let contacts = self.contacts();
            if is_blocked(&contacts, left) {
                left = slide(left, blocked_arc(&contacts, left).as_ref(), motion);
                self.recycle(contacts);
                let is_into =
                    |normal: DVec2| (left - motion * share).dot(normal) < -1e-9 * length(motion);
                if floor.is_some_and(is_into) {
                    return;
                }
            } else {
                self.recycle(contacts);
                let done = self.advance(left);
                left *= 1.0 - done;
                share *= 1.0 - done;
            }
        }
    }
}

/// The maximum number of straight pieces and turns of one slide.
const MAX_SLIDES: usize = 64;

/// Returns what is left of a motion along the end of the blocked arc around it that is closer to it, or
/// zero if that leads against the motion that was asked for.
///
/// Straight onto a corner, both ends are equally close. That tie goes along x; straight onto a face or a
/// peak, where both ends are mirror images, the motion stops.
pub(in crate::motion) fn slide(
    motion: DVec2,
    blocked: Option<&[ArcEnd; 2]>,
    asked: DVec2,
) -> DVec2 {
    let Some(ends) = blocked else { return DVec2::ZERO };
    if is_symmetric(ends, motion) {
        return DVec2::ZERO;
    }
    let [a, b] = [ends[0].direction, ends[1].direction];
    let (along_a, along_b) = (motion.dot(a), motion.dot(b));
    let takes_a = if is_tie(ends, motion) { a.x.abs() > b.x.abs() } else { along_a > along_b };
    let (direction, along) = if takes_a { (a, along_a) } else { (b, along_b) };
    let left = direction * along;
    // Against the motion or at a right angle to it, but for rounding.
    let ahead = left.dot(asked);
    let least_square = 1e-18 * left.length_squared() * asked.length_squared();
    let turns_back = along <= 0.0 || ahead <= 0.0 || ahead * ahead <= least_square;
    if turns_back { DVec2::ZERO } else { left }
}

/// Returns `true` if a motion is equally far from both ends of the blocked arc around it.
fn is_tie([a, b]: &[ArcEnd; 2], motion: DVec2) -> bool {
    let (a, b) = (a.direction, b.direction);
    // In a shaft as wide as the body both ends are the same.
    (motion.dot(a) - motion.dot(b)).abs() <= 1e-9 * length(motion) && a.dot(b) < 1.0 - 1e-12
}

/// Returns `true` if both ends of the blocked arc around a motion are mirror images in x or in y: the motion leads
/// straight onto a face or a peak, or into a notch.
pub(in crate::motion) fn is_symmetric(ends: &[ArcEnd; 2], motion: DVec2) -> bool {
    let [a, b] = ends;
    is_tie(ends, motion) && (a.direction.x.abs() - b.direction.x.abs()).abs() <= 1e-9
}

/// Returns a vector without its part along a normal.
pub(in crate::motion) fn project(v: DVec2, normal: DVec2) -> DVec2 {
    v - normal * (v.dot(normal) / normal.dot(normal))
}

/// Returns a motion thrown back by a surface; a restitution of 1 keeps all of its speed.
pub(in crate::motion) fn bounce(motion: DVec2, normal: DVec2, restitution: f64) -> DVec2 {
    let into = motion.dot(normal) / normal.dot(normal);
    if into >= 0.0 { motion } else { motion - normal * (into * (1.0 + restitution)) }
}
