//! Sliding: what is left of a motion that must not lead into any of the planes it touches.

use smallvec::SmallVec;

use crate::math::{DVec2, length};

/// The planes that a body touches where it is, as normals away from them.
#[derive(Clone, Debug, Default)]
pub(super) struct Planes {
    normals: SmallVec<[DVec2; 4]>,
}

/// Normals that differ by less are one plane: they come from `f32`s.
const SAME: f64 = 1e-6;

impl Planes {
    pub fn clear(&mut self) {
        self.normals.clear();
    }

    pub fn normals(&self) -> &[DVec2] {
        &self.normals
    }

    pub fn add(&mut self, normal: DVec2) {
        self.normals.retain(|known| (*known - normal).length_squared() > SAME * SAME);
        self.normals.push(normal);
    }

    /// Adds a plane; gives a motion along all of them.
    pub fn slide_along(&mut self, normal: DVec2, motion: DVec2) -> DVec2 {
        if !self.normals.is_empty() {
            self.add(normal);
            return self.slide(motion);
        }
        self.normals.push(normal);
        if !goes_into(motion, normal) {
            return motion;
        }
        let way = along(motion, normal);
        if goes_into(way, normal) { DVec2::ZERO } else { way }
    }

    /// A motion along the planes: the part of it that leads into none. Between two that close in
    /// on each other, nothing is left.
    pub fn slide(&self, motion: DVec2) -> DVec2 {
        let leads_in = |way: DVec2| self.normals.iter().any(|normal| goes_into(way, *normal));
        if !leads_in(motion) {
            return motion;
        }
        let mut ways = self.normals.iter().rev().map(|normal| along(motion, *normal));
        ways.find(|way| !leads_in(*way)).unwrap_or(DVec2::ZERO)
    }
}

fn goes_into(way: DVec2, normal: DVec2) -> bool {
    let out = way.dot(normal);
    out < 0.0 && out * out > SAME * SAME * way.dot(way)
}

/// The part of a motion along a plane. Along an axis it is exact; otherwise it leads away from the
/// plane by what rounding may have taken.
pub(super) fn along(motion: DVec2, normal: DVec2) -> DVec2 {
    let way = onto(motion, normal);
    if normal.x == 0.0 || normal.y == 0.0 {
        return way;
    }
    way + normal * (f64::from(f32::EPSILON) * 4.0 * length(way))
}

/// A vector without its part along a normal; exact along an axis.
pub(super) fn onto(v: DVec2, normal: DVec2) -> DVec2 {
    if normal.x == 0.0 {
        return DVec2::new(v.x, 0.0);
    }
    if normal.y == 0.0 {
        return DVec2::new(0.0, v.y);
    }
    v - normal * v.dot(normal)
}

/// A motion thrown back by a plane.
pub(super) fn bounced(motion: DVec2, normal: DVec2, restitution: f64) -> DVec2 {
    let into = motion.dot(normal);
    if into >= 0.0 {
        return motion;
    }
    if normal.x == 0.0 {
        return DVec2::new(motion.x, -restitution * motion.y);
    }
    if normal.y == 0.0 {
        return DVec2::new(-restitution * motion.x, motion.y);
    }
    motion - normal * (into * (1.0 + restitution))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_along_an_axis_is_exact() {
        let mut planes = Planes::default();
        planes.add(DVec2::new(0.0, 1.0));
        assert_eq!(planes.slide(DVec2::new(0.1, -7.3)), DVec2::new(0.1, 0.0));
        planes.add(DVec2::new(-1.0, 0.0));
        assert_eq!(planes.slide(DVec2::new(0.1, -7.3)), DVec2::ZERO);
        assert_eq!(planes.slide(DVec2::new(-0.1, -7.3)), DVec2::new(-0.1, 0.0));
    }

    #[test]
    fn nothing_is_left_between_planes_that_close_in() {
        let slopes = [DVec2::new(0.6, 0.8), DVec2::new(-0.6, 0.8)];
        let mut planes = Planes::default();
        slopes.into_iter().for_each(|normal| planes.add(normal));
        assert_eq!(planes.slide(DVec2::new(0.3, -1.0)), DVec2::ZERO);
        assert_eq!(planes.slide(DVec2::new(0.3, 1.0)), DVec2::new(0.3, 1.0));
    }

    #[test]
    fn a_bounce_keeps_the_speed() {
        let normal = DVec2::new(-0.6, 0.8);
        let back = bounced(DVec2::new(3.0, -4.0), normal, 1.0);
        assert!((length(back) - 5.0).abs() < 1e-12);
        assert_eq!(bounced(DVec2::new(3.0, -4.0), DVec2::new(0.0, 1.0), 0.5), DVec2::new(3.0, 2.0));
    }
}
