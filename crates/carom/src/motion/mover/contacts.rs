//! Step 2: contacts. What a position touches blocks arcs of directions; the union of the arcs is what
//! the body cannot do there.
//!
//! A union has no order and no seams: two flush boxes block the same half circle as one long box, and
//! a vertex that is only grazed blocks less than the face beside it.

use crate::math::{DVec2, cross, length, sqrt};
use crate::motion::mover::Mover;
use crate::motion::mover::cspace::{
    BOX_NORMALS, SignedDistance, box_sides, is_in_wedge, left_normal, part_points,
};
use crate::world::move_buffers::{Arc, Bounds, CForm, CObstacle, CSpace, Contact, ConvexPart};

/// Directions that differ by less than this sine are the same.
const SAME_DIRECTION: f64 = 1e-8;

/// Surfaces whose directions differ by less than this sine are flush: the rounding of a vertex over
/// the length of a contact.
const FLUSH: f64 = 1e-5;

impl Arc {
    /// The directions into a half-plane, given by its perp_cw normal.
    pub fn half_circle(normal: DVec2) -> Self {
        Self { from: normal.perp(), to: -normal.perp() }
    }

    #[inline]
    pub fn contains(&self, direction: DVec2) -> bool {
        let least = SAME_DIRECTION * length(direction);
        cross(self.from, direction) > least && cross(direction, self.to) > least
    }

    /// Returns whether another arc covers this one.
    fn is_within(&self, other: &Self) -> bool {
        let is_inside = |d: DVec2| cross(other.from, d) >= -FLUSH && cross(d, other.to) >= -FLUSH;
        is_inside(self.from) && is_inside(self.to) && is_inside(self.from + self.to)
    }
}

impl Contact {
    /// The direction along the surface at one end of the arc.
    pub fn tangent(&self, end: Turn) -> DVec2 {
        match end {
            Turn::Clockwise => self.normals[1].perp(),
            Turn::CounterClockwise => -self.normals[0].perp(),
        }
    }

    /// The normal of the surface at one end of the arc.
    fn normal_at(&self, end: Turn) -> DVec2 {
        match end {
            Turn::Clockwise => self.normals[1],
            Turn::CounterClockwise => self.normals[0],
        }
    }

    fn end(&self, end: Turn) -> DVec2 {
        match end {
            Turn::Clockwise => self.arc.from,
            Turn::CounterClockwise => self.arc.to,
        }
    }

    /// The normal within the range of this contact's normals that is closest to a direction.
    pub fn closest_normal(&self, direction: DVec2) -> DVec2 {
        let [first, last] = self.normals;
        let is_between = cross(first, direction) >= 0.0
            && cross(direction, last) >= 0.0
            && (first + last).dot(direction) > 0.0;
        if is_between {
            direction
        } else if first.dot(direction) >= last.dot(direction) {
            first
        } else {
            last
        }
    }
}

/// A sense of rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    Clockwise,
    CounterClockwise,
}

/// An end of a blocked arc: the direction along the surface there, and the surface's normal.
#[derive(Clone, Copy, Debug)]
pub(in crate::motion) struct ArcEnd {
    pub direction: DVec2,
    pub normal: DVec2,
}

impl CSpace {
    /// Returns the contact of a position with an obstacle, if it is within the tolerance.
    ///
    /// The blocked directions are those that lead into the obstacle *shrunk by the tolerance*:
    ///
    /// - For polygons that is the tangent cone, the directions into every face whose line is within the
    ///   tolerance of the position. It covers faces and vertices alike, and a ledge lower than the
    ///   tolerance counts as a vertex, not as a wall.
    /// - For a round corner it is less than a half circle, so that a vertex beside the point where a ball
    ///   touches a flush surface adds nothing to the arc of that surface.
    #[inline]
    pub fn contact(&self, index: usize, slot: u32, p: DVec2, tolerance: f64) -> Option<Contact> {
        let c = &self.obstacles[index];
        if !c.bounds.is_within(p, tolerance) {
            return None;
        }
        let [first, last, arc] = match &c.form {
            CForm::Box => {
                let normals = box_normals(c, p, tolerance)?;
                return Some(Contact { index: index as u32, slot, arc: cone(normals), normals });
            }
            CForm::Front(front) => {
                let is_touching = front.height(p).abs() <= tolerance && front.spans(p, tolerance);
                [is_touching.then_some(front.normal)?, front.normal, DVec2::ZERO]
            }
            CForm::Joint(_, wedge) => {
                let SignedDistance { distance, normal, .. } = self.distance(c, p);
                let is_touching = distance.abs() <= tolerance && is_in_wedge(normal, *wedge);
                [is_touching.then_some(normal)?, normal, DVec2::ZERO]
            }
            CForm::Convex(convex) => {
                let SignedDistance { distance, normal, is_face } = self.distance(c, p);
                if distance > tolerance {
                    return None;
                }
                if convex.radius > 0.0 {
                    let shrunk = convex.radius - tolerance.min(0.25 * convex.width);
                    let sine = if is_face { 1.0 } else { shrunk / (convex.radius + distance) };
                    let into = if sine < 1.0 { sqrt(1.0 - sine * sine) } else { 0.0 };
                    [normal, normal, DVec2::new(sine.min(1.0), into)]
                } else {
                    let [first, last] = self.touched_faces(c, p, normal, tolerance);
                    [first, last, DVec2::ZERO]
                }
            }
        };
        let normals = [first, last];
        let arc = if arc.y > 0.0 {
            let (along, into) = (first.perp() * arc.x, first * -arc.y);
            Arc { from: into + along, to: into - along }
        } else {
            cone(normals)
        };
        Some(Contact { index: index as u32, slot, arc, normals })
    }

    /// The range of the normals of a polygon's faces whose lines are within the tolerance of a position.
    fn touched_faces(&self, c: &CObstacle, p: DVec2, normal: DVec2, tolerance: f64) -> [DVec2; 2] {
        let CForm::Convex(convex) = &c.form else { return [normal; 2] };
        let faces = self.faces(convex);
        let best = faces.iter().map(|face| face.height(p)).fold(f64::NEG_INFINITY, f64::max);
        let least = if best < 0.0 { best - tolerance } else { -tolerance };
        let (mut first, mut last) = (normal, normal);
        for face in faces {
            if face.height(p) < least || face.normal.dot(normal) <= OPPOSITE {
                continue;
            }
            if cross(face.normal, first) > 0.0 {
                first = face.normal;
            }
            if cross(last, face.normal) > 0.0 {
                last = face.normal;
            }
        }
        if cross(first, last) < 0.0 || first.dot(last) <= OPPOSITE {
            return [normal; 2]; // thinner than the tolerance
        }
        [first, last]
    }
}

/// Normals whose dot product is below this are opposite.
const OPPOSITE: f64 = -0.999;

/// The directions into both of two faces.
fn cone([first, last]: [DVec2; 2]) -> Arc {
    Arc { from: last.perp(), to: -first.perp() }
}

/// Like `touched_faces`, for a box. Returns `None` if the box is farther away than the tolerance.
fn box_normals(c: &CObstacle, p: DVec2, tolerance: f64) -> Option<[DVec2; 2]> {
    let sides = box_sides(&c.bounds, p);
    let mut best = 0;
    for side in 1..4 {
        if sides[side] > sides[best] {
            best = side;
        }
    }
    let (x, y) = (sides[1].max(sides[3]), sides[0].max(sides[2]));
    if x > 0.0 && y > 0.0 && length(DVec2::new(x, y)) > tolerance || sides[best] > tolerance {
        return None;
    }
    let least = if sides[best] < 0.0 { sides[best] - tolerance } else { -tolerance };
    // The sides are in counter-clockwise order.
    let (before, after) = ((best + 3) % 4, (best + 1) % 4);
    let (is_before, is_after) = (sides[before] >= least, sides[after] >= least);
    let first = if is_before && !is_after { before } else { best };
    let last = if is_after && !is_before { after } else { best };
    Some([BOX_NORMALS[first], BOX_NORMALS[last]])
}

/// Returns both ends of the union of arcs that contains a direction, clockwise end first. Returns
/// `None` if all directions are blocked.
pub(in crate::motion) fn blocked_arc(
    contacts: &[Contact],
    direction: DVec2,
) -> Option<[ArcEnd; 2]> {
    Some([
        end_of_blocked(contacts, direction, Turn::Clockwise)?,
        end_of_blocked(contacts, direction, Turn::CounterClockwise)?,
    ])
}

/// Returns the first direction that is not blocked, turning from a blocked one, and the normal of the
/// surface that this direction leads along.
///
/// Arcs that merely meet are not merged: the direction between them is open. The two walls of a shaft
/// that is exactly as wide as the body meet at "up".
pub(in crate::motion) fn end_of_blocked(
    contacts: &[Contact],
    direction: DVec2,
    turn: Turn,
) -> Option<ArcEnd> {
    let other = match turn {
        Turn::Clockwise => Turn::CounterClockwise,
        Turn::CounterClockwise => Turn::Clockwise,
    };
    let (mut at, mut last) = (direction, None);
    for _ in 0..=contacts.len() {
        // Of all arcs that contain the direction, the one that reaches farthest: no order matters.
        let farthest = contacts.iter().filter(|contact| contact.arc.contains(at)).reduce(|a, b| {
            let sine = cross(a.end(turn), b.end(turn));
            let is_b_farther = match turn {
                _ if sine == 0.0 => {
                    // The same end: the wider arc.
                    let width = |c: &Contact| c.end(other).dot(c.end(turn));
                    width(b) < width(a)
                }
                Turn::Clockwise => sine < 0.0,
                Turn::CounterClockwise => sine > 0.0,
            };
            if is_b_farther { b } else { a }
        });
        let Some(farthest) = farthest else {
            let end = last.map(|contact: &Contact| ArcEnd {
                direction: contact.tangent(turn),
                normal: contact.normal_at(turn),
            });
            return Some(end.unwrap_or(ArcEnd { direction, normal: DVec2::ZERO }));
        };
        (at, last) = (farthest.end(turn), Some(farthest));
    }
    None
}

/// Returns the normal of the surface that a contact belongs to.
///
/// The two ends of the blocked arc are the two surfaces (one and the same for a flat one) that the
/// motion is between, whatever they are made of. A contact whose arc lies within the half circle of an
/// end is part of that surface; only a contact in neither has a normal of its own.
pub(in crate::motion) fn surface_normal(
    contact: &Contact,
    contacts: &[Contact],
    motion: DVec2,
) -> DVec2 {
    let own = || {
        let is_left = contact.arc.to.dot(motion) > contact.arc.from.dot(motion);
        contact.normal_at(if is_left { Turn::CounterClockwise } else { Turn::Clockwise })
    };
    let Some([a, b]) = blocked_arc(contacts, motion) else { return own() };
    let is_in = |end: &ArcEnd| contact.arc.is_within(&Arc::half_circle(end.normal));
    match (is_in(&a), is_in(&b)) {
        (true, true) if a.direction.dot(motion) > b.direction.dot(motion) => a.normal,
        (true, true) | (false, true) => b.normal,
        (true, false) => a.normal,
        (false, false) => own(),
    }
}

impl Mover<'_> {
    /// Stops minding a one-way surface that is touched. Does nothing for a solid one.
    pub fn pass_behind(&mut self, contact: &Contact) {
        let c = &mut self.buffers.cspace.obstacles[contact.index as usize];
        if c.is_one_way() {
            c.is_in_front = false;
        }
    }

    /// The lowest point of the body in a direction.
    pub fn lowest(&self, up: DVec2) -> f64 {
        let mut corners = [DVec2::ZERO; 4];
        let lowest = self.buffers.body_parts.iter().map(|part| {
            let points = part_points(part, &self.buffers.points, &mut corners);
            points.iter().fold(f64::INFINITY, |low, point| low.min(point.dot(up))) - part.radius
        });
        lowest.fold(f64::INFINITY, f64::min) + self.at().dot(up)
    }

    /// Returns whether an obstacle has a face that passes a test of its normal and ends at a point.
    pub fn has_face_at(
        &self,
        contact: &Contact,
        point: DVec2,
        mut test: impl FnMut(DVec2) -> bool,
    ) -> bool {
        let c = &self.buffers.cspace.obstacles[contact.index as usize];
        let mut corners = [DVec2::ZERO; 4];
        let part = &self.buffers.obstacle_parts[c.part as usize];
        let points = part_points(part, &self.buffers.points, &mut corners);
        let tolerance = 2.0 * self.tolerance();
        (0..points.len()).any(|i| {
            let (start, end) = (points[i], points[(i + 1) % points.len()]);
            let is_near = |end: DVec2| length(end - point) <= tolerance;
            (is_near(start) || is_near(end)) && left_normal(start - end).is_some_and(&mut test)
        })
    }

    /// Returns how far the body has to go to one side to be past all contacts that block a direction.
    pub fn distance_past(&self, contacts: &[Contact], blocked: DVec2, side: DVec2) -> f64 {
        let cspace = &self.buffers.cspace;
        let p = self.at();
        let blocking = contacts.iter().filter(|contact| contact.arc.contains(blocked));
        blocking.fold(0.0, |distance, contact| {
            let c = &cspace.obstacles[contact.index as usize];
            let Bounds { min, max } = c.bounds;
            let corners = [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)];
            let farthest = |corners: &[DVec2], radius: f64| {
                let along = corners.iter().map(|&corner| (corner - p).dot(side));
                along.fold(f64::NEG_INFINITY, f64::max) + radius
            };
            let past = match &c.form {
                CForm::Convex(convex) => farthest(cspace.corners(convex), convex.radius),
                _ => farthest(&corners, 0.0),
            };
            f64::max(distance, past)
        })
    }

    /// Returns the ends of the segment, or twice the point, in which the body touches an obstacle, given
    /// the normal.
    pub fn touched_segment(&self, contact: &Contact, normal: DVec2) -> [DVec2; 2] {
        let c = &self.buffers.cspace.obstacles[contact.index as usize];
        let part = &self.buffers.obstacle_parts[c.part as usize];
        let body = &self.buffers.body_parts[c.body_part as usize];
        let tolerance = self.tolerance();
        let along = normal.perp();
        // How far the points that support a part in a direction extend along the surface.
        let extent = |part: &ConvexPart, at: DVec2, direction: DVec2| {
            let mut corners = [DVec2::ZERO; 4];
            let points = part_points(part, &self.buffers.points, &mut corners);
            let top = points.iter().map(|point| point.dot(direction));
            let top = top.fold(f64::NEG_INFINITY, f64::max);
            let on_top = points.iter().filter(|point| point.dot(direction) >= top - tolerance);
            let (low, high) = on_top
                .map(|&point| along.dot(point + at))
                .fold(EMPTY, |(low, high), t| (f64::min(low, t), f64::max(high, t)));
            (low, high, top)
        };
        let (low, high, top) = extent(part, DVec2::ZERO, normal);
        let (body_low, body_high, _) = extent(body, self.at(), -normal);
        let height = top + part.radius;
        [low.max(body_low), high.min(body_high)].map(|t| along * t + normal * height)
    }
}

/// An interval that contains nothing.
const EMPTY: (f64, f64) = (f64::INFINITY, f64::NEG_INFINITY);
