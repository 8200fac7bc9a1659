//! Predicts a move from signed distances alone.
//!
//! A motion *enters* an obstacle if it becomes deeper than it is now by more than a tolerance; what is grazed
//! by less is passed. Where a motion enters, the body stops at the boundary. A slide continues in the direction,
//! among all tangents of the surfaces touched there, that enters nothing touched and keeps most of the motion.

use carom::prelude::*;
use glam::DVec2;

use super::distance::{Difference, perp};

/// The obstacles of one body in configuration space.
#[derive(Clone, Copy)]
pub struct Oracle<'a> {
    pub obstacles: &'a [Difference],
    /// A depth that does not count as entering.
    pub tolerance: f64,
    /// The distance along which a direction is followed to see whether it enters what is touched.
    pub reach: f64,
    /// A rounding error that is added to the start and to every stop.
    pub shift: DVec2,
    /// Of normals that are nearly the same, a bounce takes the least head-on instead of the most head-on one. A
    /// round body beside the seam of a wall touches the wall and, within the tolerance, its vertices.
    pub takes_least: bool,
}

/// The predicted end of a move, and the positions at which something was in the way.
pub struct Prediction {
    pub end: DVec2,
    pub stops: Vec<DVec2>,
}

/// More events than this are not predicted.
const MAX_STOPS: usize = 24;

impl Oracle<'_> {
    pub fn touching(&self, p: DVec2) -> impl Iterator<Item = &Difference> {
        let near = 2.0 * self.tolerance;
        self.obstacles.iter().filter(move |c| c.is_near(p, near) && c.distance(p) <= near)
    }

    /// Returns what is touched and entered by a motion.
    fn entered(&self, p: DVec2, motion: DVec2) -> impl Iterator<Item = &Difference> {
        self.touching(p).filter(move |c| self.entry(c, p, motion).is_some())
    }

    /// Returns the time at which a motion enters an obstacle.
    fn entry(&self, c: &Difference, p: DVec2, motion: DVec2) -> Option<f64> {
        if !c.is_near_path(p, motion, 0.0) {
            return None;
        }
        let limit = c.distance(p).min(0.0) - self.tolerance;
        let time = c.time_below(p, motion, limit)?;
        Some(c.entry(p, motion, time))
    }

    /// Returns the first time at which a motion enters something.
    pub fn first_entry(&self, p: DVec2, motion: DVec2) -> Option<f64> {
        self.obstacles.iter().filter_map(|c| self.entry(c, p, motion)).reduce(f64::min)
    }

    /// Returns whether a direction enters nothing that is touched.
    pub fn is_open(&self, p: DVec2, direction: DVec2) -> bool {
        self.touching(p).all(|c| self.entry(c, p, direction * self.reach).is_none())
    }

    /// Returns whether a unit normal is that of a surface of the union of all obstacles: one of its tangents
    /// is open, and tilted into the surface it is not.
    pub fn is_surface(&self, p: DVec2, normal: DVec2) -> bool {
        const TILT: f64 = 0.05;
        [perp(normal), -perp(normal)]
            .into_iter()
            .any(|tangent| self.is_open(p, tangent) && !self.is_open(p, tangent - normal * TILT))
    }

    /// Returns whether a unit normal is that of the bottom of a pit that is as narrow as the body: neither of
    /// its tangents is open.
    pub fn is_bottom(&self, p: DVec2, normal: DVec2) -> bool {
        !self.is_open(p, perp(normal)) && !self.is_open(p, -perp(normal))
    }

    /// Returns the normals of all surfaces touched.
    pub fn normals(&self, p: DVec2) -> Vec<DVec2> {
        let near = 2.0 * self.tolerance;
        self.touching(p).flat_map(|c| c.hull.normals(p, near)).collect()
    }

    /// Returns whether two surfaces of one difference are in the way: a vertex of the body meets a vertex.
    fn is_vertex_on_vertex(&self, p: DVec2, motion: DVec2) -> bool {
        self.entered(p, motion).any(|c| {
            let normals = c.hull.normals(p, 2.0 * self.tolerance);
            let blocking = normals.into_iter().filter(|n| n.dot(motion) < 0.0);
            blocking.filter(|&n| self.is_surface(p, n)).count() > 1
        })
    }

    /// Returns whether a motion leads with a vertex onto a vertex where different surfaces meet.
    fn is_vertex_on_corner(&self, p: DVec2, motion: DVec2) -> bool {
        let near = 2.0 * self.tolerance;
        let entered = self.entered(p, motion).map(|c| c.hull.normals(p, near));
        let entered: Vec<Vec<DVec2>> = entered.collect();
        let mut surfaces = entered.concat();
        surfaces.retain(|&n| n.dot(motion) < 0.0 && self.is_surface(p, n));
        let differs =
            |n: &DVec2| surfaces.first().is_some_and(|first| (*first - *n).length() > 1e-2);
        entered.iter().any(|normals| normals.len() > 1) && surfaces.iter().any(differs)
    }

    /// Returns whether the body is in a gap that is exactly as wide: two surfaces touch it from opposite sides, or
    /// nearly so if one is round, and one of them passes a test.
    pub fn is_in_exact_gap(&self, p: DVec2, counts: impl Fn(DVec2) -> bool) -> bool {
        let is_round = self.touching(p).any(|c| c.hull.radius > 0.0);
        let sine = if is_round { 1e-2 } else { 1e-5 };
        let mut normals = self.normals(p);
        normals.retain(|&normal| self.is_surface(p, normal));
        let is_opposite = |a: DVec2, b: DVec2| a.dot(b) < 0.0 && a.perp_dot(b).abs() < sine;
        normals.iter().any(|&a| counts(a) && normals.iter().any(|&b| is_opposite(a, b)))
    }

    /// Returns whether what a motion meets most head-on is a vertex or surface along which the body can slide to
    /// neither side.
    fn is_in_exact_corner(&self, p: DVec2, motion: DVec2) -> bool {
        let near = 2.0 * self.tolerance;
        let normals = self.entered(p, motion).flat_map(|c| c.hull.normals(p, near));
        let by_approach = |a: &DVec2, b: &DVec2| a.dot(motion).total_cmp(&b.dot(motion));
        normals.min_by(by_approach).is_some_and(|normal| self.is_bottom(p, normal))
    }

    /// Predicts a move; `None` if it runs onto a vertex, bounces in a gap or corner exactly as wide as the body, is in
    /// such a gap that is slanted, or has too many events.
    pub fn predict(&self, start: DVec2, motion: DVec2, response: Response) -> Option<Prediction> {
        let (mut at, mut left) = (start + self.shift, motion);
        let mut stops = Vec::new();
        while stops.len() < MAX_STOPS {
            if left.length() <= 1e-9 * motion.length() {
                return Some(Prediction { end: at, stops });
            }
            let Some(time) = self.first_entry(at, left) else {
                return Some(Prediction { end: at + left, stops });
            };
            at += left * time;
            left *= 1.0 - time;
            if left.length() <= 2.0 * self.tolerance {
                // An obstacle that is touched at the end may or may not count as a hit.
                return Some(Prediction { end: at + left, stops });
            }
            stops.push(at);
            at += self.shift;
            let bounces = matches!(response, Response::Bounce(_));
            let is_slanted = |normal: DVec2| normal.abs().min_element() > 1e-6;
            if self.is_vertex_on_vertex(at, left)
                || self.is_in_exact_gap(at, |normal| bounces || is_slanted(normal))
                || bounces && self.is_in_exact_corner(at, left)
                || bounces && self.is_vertex_on_corner(at, left)
            {
                return None;
            }
            left = match response {
                Response::Touch => DVec2::ZERO,
                Response::Bounce(restitution) => self.bounce(at, left, restitution.into())?,
                _ => self.slide(at, left, motion),
            };
        }
        None
    }

    fn slide(&self, at: DVec2, motion: DVec2, asked: DVec2) -> DVec2 {
        let tangents = self.normals(at).into_iter().flat_map(|n| [perp(n), -perp(n)]);
        let open = tangents.filter(|&tangent| self.is_open(at, tangent));
        let best = open.max_by(|a, b| a.dot(motion).total_cmp(&b.dot(motion)));
        match best {
            Some(best) if best.dot(motion) > 0.0 && best.dot(asked) > 1e-9 * asked.length() => {
                best * best.dot(motion)
            }
            _ => DVec2::ZERO,
        }
    }

    /// Returns a motion thrown back; `None` if two different surfaces are met exactly as head-on.
    fn bounce(&self, at: DVec2, motion: DVec2, restitution: f64) -> Option<DVec2> {
        let near = 2.0 * self.tolerance;
        let normals = self.entered(at, motion).flat_map(|c| c.hull.normals(at, near));
        let normals = normals.filter(|&n| self.is_surface(at, n));
        let by_approach = |a: &DVec2, b: &DVec2| a.dot(motion).total_cmp(&b.dot(motion));
        let normals: Vec<DVec2> = normals.collect();
        let most_head_on = normals.iter().copied().min_by(by_approach);
        let is_like = |normal: &DVec2| most_head_on.is_some_and(|n| (n - *normal).length() < 1e-2);
        let is_as_head_on = |normal: &DVec2| {
            most_head_on.is_some_and(|n| (n - *normal).dot(motion).abs() < 1e-5 * motion.length())
        };
        if normals.iter().any(|normal| is_as_head_on(normal) && !is_like(normal)) {
            return None;
        }
        let least_head_on = normals.iter().copied().filter(is_like).max_by(by_approach);
        Some(match if self.takes_least { least_head_on } else { most_head_on } {
            Some(normal) if normal.dot(motion) < 0.0 => {
                motion - normal * (normal.dot(motion) * (1.0 + restitution))
            }
            _ => DVec2::ZERO,
        })
    }
}
