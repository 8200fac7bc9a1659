//! Step 2: contacts. Each obstacle that a position touches blocks an arc of directions. The body cannot move
//! in any direction in the union of these arcs.
//!
//! A union has no order and no seams: two flush boxes block the same half circle as one long box, and
//! a vertex that is only grazed blocks less than the face beside it.

use crate::broad::Mobility;
use crate::math::{DVec2, cross, length, perp_cw, sqrt, try_normalize};
use crate::motion::mover::Mover;
use crate::motion::mover::cspace::{
    BOX_NORMALS, SignedDistance, box_sides, is_in_wedge, part_points,
};
use crate::world::move_buffers::{Arc, Bounds, CConvex, CForm, CSpace, Contact, ConvexPart, Joint};

/// Directions that differ by less than this sine are the same.
const SAME_DIRECTION: f64 = 1e-8;

/// Surfaces whose directions differ by less than this sine are flush: the rounding of a vertex over
/// the length of a contact.
const FLUSH: f64 = 1e-5;

impl Arc {
    /// The directions into a half-plane, given by its outward normal.
    pub fn half_circle(normal: DVec2) -> Self {
        Self { from: normal.perp(), to: -normal.perp() }
    }

    #[inline]
    pub fn contains(&self, direction: DVec2) -> bool {
        // The sines are compared by their squares: a square root is slow.
        let square = SAME_DIRECTION * SAME_DIRECTION * direction.length_squared();
        let sines = [cross(self.from, direction), cross(direction, self.to)];
        let is_inside = |sine: f64| (sine > 0.0) & (sine * sine > square);
        is_inside(sines[0]) & is_inside(sines[1])
    }

    /// Returns whether another arc covers this one.
    fn is_within(&self, other: &Self) -> bool {
        let is_inside = |d: DVec2| cross(other.from, d) >= -FLUSH && cross(d, other.to) >= -FLUSH;
        // The middle, which is well defined for a half circle too. The ends alone do not tell opposite half
        // circles apart.
        let middle = (self.from - self.to).perp();
        is_inside(self.from) && is_inside(self.to) && is_inside(middle)
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

    fn arc_end(&self, end: Turn) -> ArcEnd {
        ArcEnd { direction: self.tangent(end), normal: self.normal_at(end), index: self.index }
    }

    fn end(&self, end: Turn) -> DVec2 {
        match end {
            Turn::Clockwise => self.arc.from,
            Turn::CounterClockwise => self.arc.to,
        }
    }

    /// Returns whether this contact is part of the surface at an end of the blocked arc.
    pub(in crate::motion) fn is_part_of(&self, end: &ArcEnd) -> bool {
        self.arc.is_within(&Arc::half_circle(end.normal))
    }

    /// Returns whether the surface of another contact covers this one: a vertex on a flush surface.
    pub(in crate::motion) fn is_covered_by(&self, other: &Self) -> bool {
        self.arc.is_within(&other.arc) && !other.arc.is_within(&self.arc)
    }

    /// Returns whether a motion leads along one end of the surface, or nearly so.
    pub fn is_along(&self, motion: DVec2) -> bool {
        [Turn::Clockwise, Turn::CounterClockwise].into_iter().any(|turn| {
            let tangent = self.tangent(turn);
            tangent.dot(motion) > 0.0 && cross(tangent, motion).abs() <= 0.01 * length(motion)
        })
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
    /// The contact that the surface belongs to, as an index into the obstacles.
    index: u32,
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
        let normals = match c.form {
            CForm::Unbuilt => return None,
            CForm::Box => box_normals(&c.bounds, p, tolerance)?,
            CForm::Front(front) => {
                let front = &self.fronts[front as usize];
                let is_touching = front.height(p).abs() <= tolerance && front.spans(p, tolerance);
                [is_touching.then_some(front.normal)?; 2]
            }
            CForm::Joint(joint) => {
                let joint = &self.joints[joint as usize];
                if joint.convex.radius == 0.0 {
                    self.touched_joint(joint, p, tolerance)?
                } else {
                    let SignedDistance { distance, normal, .. } = self.joint_distance(joint, p);
                    let is_touching =
                        distance.abs() <= tolerance && is_in_wedge(normal, joint.wedge);
                    [is_touching.then_some(normal)?; 2]
                }
            }
            CForm::Convex(convex) => {
                let convex = &self.convexes[convex as usize];
                let SignedDistance { distance, normal, is_face } = self.convex_distance(convex, p);
                if distance > tolerance {
                    return None;
                }
                let is_unrounded = convex.radius == convex.skin && convex.corners > 2;
                let is_over = |margin: f64| is_face && self.is_over_face(convex, p, normal, margin);
                if is_unrounded && (convex.skin == 0.0 || !is_over(tolerance)) {
                    // At a corner, the skin of a body without area counts as touched by all of its width.
                    let height = (distance + convex.skin).clamp(0.0, convex.skin);
                    self.touched_faces(convex, p, normal, tolerance + height)
                } else if is_face && (!is_unrounded || is_over(tolerance + convex.skin)) {
                    [normal; 2]
                } else {
                    // At the end of a face, the skin is round.
                    let shrunk = convex.radius - tolerance.min(0.25 * convex.width);
                    let arc = self.round_arc(convex, p, normal, shrunk);
                    return Some(Contact { index: index as u32, slot, arc, normals: [normal; 2] });
                }
            }
        };
        Some(Contact { index: index as u32, slot, arc: cone(normals), normals })
    }

    /// The range of the normals with which a vertex between two one-way edges, or at the end of one, blocks
    /// a sharp body. At the end of a face the range extends to the edge beside it, as at any vertex of a
    /// polygon: a foot at the end of a platform moves on along the platform.
    fn touched_joint(&self, joint: &Joint, p: DVec2, tolerance: f64) -> Option<[DVec2; 2]> {
        let mut touched: Option<([DVec2; 2], [DVec2; 2])> = None;
        for face in self.faces(&joint.convex) {
            let t = (p - face.start).dot(face.direction);
            if face.height(p).abs() > tolerance || t < -tolerance || t > face.length + tolerance {
                continue;
            }
            let (normal, [before, after]) = (face.normal, joint.wedge);
            let first = if t <= tolerance { before } else { normal };
            let last = if t >= face.length - tolerance { after } else { normal };
            touched = Some(match touched {
                None => ([normal; 2], [first, last]),
                // At a vertex between two faces.
                Some(([first, last], _)) => {
                    let first = if cross(normal, first) > 0.0 { normal } else { first };
                    let last = if cross(last, normal) > 0.0 { normal } else { last };
                    ([first, last], [first, last])
                }
            });
        }
        touched.map(|(_, range)| range)
    }

    /// The directions from a position into the polygon rounded by a smaller radius: between the outermost
    /// tangents of the circles around its corners. Beside a round corner that is less than a half circle on the
    /// side that curves away, but not on the side of a face.
    fn round_arc(&self, convex: &CConvex, p: DVec2, normal: DVec2, radius: f64) -> Arc {
        let mut outermost: Option<Arc> = None;
        for &corner in self.corners(convex) {
            let arm = corner - p;
            let distance = length(arm);
            let sine = radius / distance;
            if sine.is_nan() || sine >= 1.0 {
                return Arc::half_circle(normal);
            }
            let along = arm.perp() * (sine / distance);
            let into = arm * (sqrt(1.0 - sine * sine) / distance);
            let own = Arc { from: into - along, to: into + along };
            outermost = Some(outermost.map_or(own, |arc| Arc {
                from: if cross(own.from, arc.from) > 0.0 { own.from } else { arc.from },
                to: if cross(arc.to, own.to) > 0.0 { own.to } else { arc.to },
            }));
        }
        outermost.unwrap_or(Arc::half_circle(normal))
    }

    /// Returns whether a position is over or under the face with a normal, not within the tolerance of its ends.
    fn is_over_face(&self, convex: &CConvex, p: DVec2, normal: DVec2, tolerance: f64) -> bool {
        self.faces(convex).iter().filter(|face| face.normal == normal).any(|face| {
            let t = (p - face.start).dot(face.direction);
            t > tolerance && t < face.length - tolerance
        })
    }

    /// The range of the normals of a polygon's faces whose lines are within the tolerance of a position.
    fn touched_faces(
        &self,
        convex: &CConvex,
        p: DVec2,
        normal: DVec2,
        tolerance: f64,
    ) -> [DVec2; 2] {
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
#[inline]
pub(super) fn cone([first, last]: [DVec2; 2]) -> Arc {
    Arc { from: last.perp(), to: -first.perp() }
}

/// Like `touched_faces`, for a box. Returns `None` if the box is farther away than the tolerance.
#[inline]
pub(super) fn box_normals(bounds: &Bounds, p: DVec2, tolerance: f64) -> Option<[DVec2; 2]> {
    let sides = box_sides(bounds, p);
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

/// Returns whether a direction is in one of the arcs.
#[inline]
pub(in crate::motion) fn is_blocked(contacts: &[Contact], direction: DVec2) -> bool {
    contacts.iter().any(|contact| contact.arc.contains(direction))
}

/// Returns the normal of the surface if all that is touched is one flat surface.
#[inline]
pub(in crate::motion) fn flat_normal(contacts: &[Contact]) -> Option<DVec2> {
    let normal = contacts.first()?.normals[0];
    contacts.iter().all(|contact| contact.normals == [normal; 2]).then_some(normal)
}

/// Returns the contacts that block a direction.
///
/// A vertex on a flush surface of the same collider is part of that surface, and is left out: which parts
/// the surface is built of must not matter.
pub(in crate::motion) fn blocking(
    contacts: &[Contact],
    direction: DVec2,
) -> impl Iterator<Item = &Contact> {
    let all = move || contacts.iter().filter(move |contact| contact.arc.contains(direction));
    let is_flush_vertex = move |contact: &Contact| {
        all().any(|other| other.slot == contact.slot && contact.is_covered_by(other))
    };
    all().filter(move |contact| !is_flush_vertex(contact))
}

/// Returns both ends of the union of arcs that contains a direction, clockwise end first. Returns
/// `None` if all directions are blocked.
#[inline]
pub(in crate::motion) fn blocked_arc(
    contacts: &[Contact],
    direction: DVec2,
) -> Option<[ArcEnd; 2]> {
    let turns = [Turn::Clockwise, Turn::CounterClockwise];
    if let [first, rest @ ..] = contacts
        && first.arc.contains(direction)
        && rest.iter().all(|contact| contact.arc == first.arc)
    {
        return Some(turns.map(|turn| first.arc_end(turn))); // mostly: one flat surface
    }
    let [clockwise, counter_clockwise] = turns;
    Some([
        end_of_blocked(contacts, direction, clockwise)?,
        end_of_blocked(contacts, direction, counter_clockwise)?,
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
            let end = last.map(|contact: &Contact| contact.arc_end(turn));
            return Some(end.unwrap_or(ArcEnd { direction, normal: DVec2::ZERO, index: u32::MAX }));
        };
        (at, last) = (farthest.end(turn), Some(farthest));
    }
    None
}

impl Mover<'_> {
    /// Returns the normal of the surface that a contact belongs to, given the blocked arc around a motion.
    ///
    /// The two ends of the blocked arc are the two surfaces (one and the same for a flat one) that the
    /// motion is between, whatever they are made of. A contact whose arc lies within the half circle of an
    /// end is part of that surface, and so is one at the vertex where both surfaces meet: the edge between
    /// two parts of an obstacle ends there. Only another contact has a normal of its own.
    pub(in crate::motion) fn surface_normal(
        &self,
        contact: &Contact,
        blocked: Option<&[ArcEnd; 2]>,
        motion: DVec2,
    ) -> DVec2 {
        let own = || {
            let is_left = contact.arc.to.dot(motion) > contact.arc.from.dot(motion);
            contact.normal_at(if is_left { Turn::CounterClockwise } else { Turn::Clockwise })
        };
        let Some([a, b]) = blocked else { return own() };
        if contact.normals == [a.normal, b.normal] && a.normal == b.normal {
            return a.normal; // mostly: a flat surface
        }
        match (contact.is_part_of(a), contact.is_part_of(b)) {
            (true, true) if a.direction.dot(motion) > b.direction.dot(motion) => a.normal,
            (true, true) | (false, true) => b.normal,
            (true, false) => a.normal,
            (false, false) if !self.is_between(contact, own(), a, b) => own(),
            (false, false) if a.normal.dot(motion) < b.normal.dot(motion) => a.normal,
            (false, false) => b.normal,
        }
    }

    /// Returns whether a contact is a single point at which two surfaces meet: both end there, or what the body
    /// touches of them does.
    pub(in crate::motion) fn is_between(
        &self,
        contact: &Contact,
        normal: DVec2,
        a: &ArcEnd,
        b: &ArcEnd,
    ) -> bool {
        let tolerance = 2.0 * self.tolerance();
        let [point, other] = self.touched_segment(contact.index, normal);
        let is_here = |end: DVec2| length(end - point) <= tolerance;
        let ends_here = |end: &ArcEnd| {
            let Some(part) = (end.index != u32::MAX).then(|| self.part_of(end.index)) else {
                return false;
            };
            let touched = self.touched_segment(end.index, end.normal);
            touched.into_iter().any(is_here)
                || self.surface(&part, end.normal).into_iter().any(is_here)
        };
        length(other - point) <= tolerance && ends_here(a) && ends_here(b)
    }

    /// Lets the body pass behind a one-way surface that it touches. Returns whether the contact is one.
    pub fn pass_behind(&mut self, contact: &Contact) -> bool {
        if self.is_box_among_boxes {
            return false;
        }
        let c = &mut self.buffers.cspace.obstacles[contact.index as usize];
        let is_one_way = c.is_one_way();
        if is_one_way {
            c.is_in_front = false;
            self.buffers.changes += 1;
        }
        is_one_way
    }

    /// Values by which the better one of two equal contacts to stand on is chosen: 1 if its body can move,
    /// the longer and the shorter side of the part's bounds, and how near it is. They are the same in all
    /// mirror images. The index and the slot are those of the contact.
    pub fn support_rank(&self, index: u32, slot: u32) -> [f64; 4] {
        let Bounds { min, max } = self.part_of(index).bounds;
        let (size, arm) = (max - min, (min + max) / 2.0 - self.at());
        let is_moving = self.storage.mobility_of(slot) == Some(Mobility::Moving);
        [f64::from(is_moving), size.max_element(), size.min_element(), -length(arm)]
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

    /// Visits the directions of all edges of touched obstacles that begin or end at a point, away from it.
    pub fn for_each_edge_at(
        &self,
        contacts: &[Contact],
        point: DVec2,
        mut visit: impl FnMut(DVec2),
    ) {
        let tolerance = 2.0 * self.tolerance();
        for contact in contacts {
            let mut corners = [DVec2::ZERO; 4];
            let part = self.part_of(contact.index);
            let points = part_points(&part, &self.buffers.points, &mut corners);
            if let Some(joint) = self.joint_of(contact.index) {
                // The part is a vertex. Its edges follow from their normals; at a free end there is only one.
                let is_edge = |normal| joint.edge.is_none_or(|edge| edge == normal);
                let edges = joint.wedge.map(|normal| is_edge(normal).then_some(perp_cw(normal)));
                let [after, before] = [edges[0], edges[1].map(|edge| -edge)];
                if length(points[0] - point) <= tolerance {
                    [after, before].into_iter().flatten().for_each(&mut visit);
                }
                continue;
            }
            for i in 0..points.len() {
                let (start, end) = (points[i], points[(i + 1) % points.len()]);
                for (near, far) in [(start, end), (end, start)] {
                    if length(near - point) <= tolerance
                        && let Some(direction) = try_normalize(far - near)
                    {
                        visit(direction);
                    }
                }
            }
        }
    }

    /// Returns the joint that a contact belongs to, if it is one.
    fn joint_of(&self, index: u32) -> Option<&Joint> {
        let cspace = &self.buffers.cspace;
        match cspace.obstacles.get(index as usize).filter(|_| !self.is_box_among_boxes)?.form {
            CForm::Joint(joint) => Some(&cspace.joints[joint as usize]),
            _ => None,
        }
    }

    /// Returns how far the body has to go to one side to be past all contacts that block a direction.
    pub fn distance_past(&mut self, contacts: &[Contact], blocked: DVec2, side: DVec2) -> f64 {
        self.build_boxes();
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
            let past = match c.form {
                CForm::Convex(index) => {
                    let convex = &cspace.convexes[index as usize];
                    farthest(cspace.corners(convex), convex.radius)
                }
                _ => farthest(&corners, 0.0),
            };
            f64::max(distance, past)
        })
    }

    /// Returns the ends of the segment, or twice the point, in which the body touches the obstacle with the
    /// index of a contact, given the normal.
    #[inline]
    pub fn touched_segment(&self, index: u32, normal: DVec2) -> [DVec2; 2] {
        let (part, body) = (self.part_of(index), self.own_part_of(index));
        let along = normal.perp();
        if part.is_box() && body.is_box() && (normal.x == 0.0 || normal.y == 0.0) {
            // The fast path, with the same result: where the sides of two boxes share an interval.
            let own = body.bounds.translated(self.at());
            let (min, max) = (part.bounds.min.max(own.min), part.bounds.max.min(own.max));
            let [first, last] = if along.x + along.y > 0.0 { [min, max] } else { [max, min] };
            let Bounds { min: low, max: high } = part.bounds;
            let side = if normal.x + normal.y > 0.0 { high } else { low };
            let on_side = |point: DVec2| {
                if normal.x == 0.0 {
                    DVec2::new(point.x, side.y)
                } else {
                    DVec2::new(side.x, point.y)
                }
            };
            return [on_side(first), on_side(last)];
        }
        self.shared_extent(&part, body, normal)
    }

    /// Returns the segment that the supports of two parts share along a surface.
    fn shared_extent(&self, part: &ConvexPart, body: &ConvexPart, normal: DVec2) -> [DVec2; 2] {
        let along = normal.perp();
        let (low, high, top) = self.extent(part, DVec2::ZERO, normal, along);
        let (body_low, body_high, _) = self.extent(body, self.at(), -normal, along);
        let height = top + part.radius;
        [low.max(body_low), high.min(body_high)].map(|t| along * t + normal * height)
    }

    /// Returns the ends of the surface that a part of an obstacle has with a normal.
    fn surface(&self, part: &ConvexPart, normal: DVec2) -> [DVec2; 2] {
        let along = normal.perp();
        let (low, high, top) = self.extent(part, DVec2::ZERO, normal, along);
        [low, high].map(|t| along * t + normal * (top + part.radius))
    }

    /// Returns how far the points that support a part in a direction extend along a surface, and the support
    /// itself.
    fn extent(
        &self,
        part: &ConvexPart,
        at: DVec2,
        direction: DVec2,
        along: DVec2,
    ) -> (f64, f64, f64) {
        let mut corners = [DVec2::ZERO; 4];
        let points = part_points(part, &self.buffers.points, &mut corners);
        let top = points.iter().map(|point| point.dot(direction));
        let top = top.fold(f64::NEG_INFINITY, f64::max);
        let tolerance = self.tolerance();
        let on_top = points.iter().filter(|point| point.dot(direction) >= top - tolerance);
        let (low, high) = on_top
            .map(|&point| along.dot(point + at))
            .fold(EMPTY, |(low, high), t| (f64::min(low, t), f64::max(high, t)));
        (low, high, top)
    }
}

/// An interval that contains nothing.
const EMPTY: (f64, f64) = (f64::INFINITY, f64::NEG_INFINITY);
