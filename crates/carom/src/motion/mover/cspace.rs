//! Configuration-space obstacles: their construction, and how far a position is from one.

use core::ops::Range;

use crate::math::{DVec2, cross, length, perp_cw, try_normalize};
use crate::query::mtv::cspace::for_each_difference;
use crate::world::move_buffers::{
    Bounds, CConvex, CForm, CObstacle, CSpace, ConvexPart, Face, Front, Joint,
};

impl Bounds {
    pub fn of_points(points: &[DVec2], radius: f64) -> Self {
        let (mut min, mut max) = (points[0], points[0]);
        for &point in &points[1..] {
            (min, max) = (min.min(point), max.max(point));
        }
        Self { min, max }.grown(radius)
    }

    pub fn grown(self, by: f64) -> Self {
        Self { min: self.min - by, max: self.max + by }
    }

    pub fn translated(self, by: DVec2) -> Self {
        Self { min: self.min + by, max: self.max + by }
    }

    /// The bounds of these bounds on a motion.
    pub fn swept(self, motion: DVec2) -> Self {
        let [low, high] = [motion.min(DVec2::ZERO), motion.max(DVec2::ZERO)];
        Self { min: self.min + low, max: self.max + high }
    }

    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    #[inline(always)]
    pub fn intersects(&self, other: &Self) -> bool {
        // Without short circuits: one branch that is often predicted is faster than four.
        (self.min.x <= other.max.x)
            & (other.min.x <= self.max.x)
            & (self.min.y <= other.max.y)
            & (other.min.y <= self.max.y)
    }

    pub fn contains(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && self.max.cmpge(other.max).all()
    }

    /// Returns whether a point is inside these bounds grown by a margin.
    #[inline(always)]
    pub fn is_within(&self, point: DVec2, margin: f64) -> bool {
        (point.x >= self.min.x - margin)
            & (point.x <= self.max.x + margin)
            & (point.y >= self.min.y - margin)
            & (point.y <= self.max.y + margin)
    }

    pub fn closest(&self, point: DVec2) -> DVec2 {
        point.clamp(self.min, self.max)
    }

    /// The largest absolute coordinate.
    pub fn reach(&self) -> f64 {
        self.min.abs().max(self.max.abs()).max_element()
    }
}

/// The signed distances of a position from the four sides of a box, positive outside: bottom, right,
/// top, left, as the faces of a difference of polygons are ordered.
#[inline(always)]
pub(super) fn box_sides(bounds: &Bounds, p: DVec2) -> [f64; 4] {
    [bounds.min.y - p.y, p.x - bounds.max.x, p.y - bounds.max.y, bounds.min.x - p.x]
}

/// The normals of those sides.
pub(super) const BOX_NORMALS: [DVec2; 4] = [DVec2::NEG_Y, DVec2::X, DVec2::Y, DVec2::NEG_X];

/// The signed distance of a position from the boundary of an obstacle, and the unit vector away from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SignedDistance {
    pub distance: f64,
    pub normal: DVec2,
    /// The normal is that of a face.
    pub is_face: bool,
}

/// The distance from what is not there.
const NOWHERE: SignedDistance =
    SignedDistance { distance: f64::INFINITY, normal: DVec2::ZERO, is_face: false };

impl CSpace {
    pub fn clear(&mut self) {
        self.obstacles.clear();
        self.convexes.clear();
        self.fronts.clear();
        self.joints.clear();
        self.has_unbuilt = false;
        self.faces.clear();
        self.corners.clear();
    }

    /// Builds the Minkowski difference of an obstacle's part and a part of the body.
    ///
    /// A body's part without area gets a skin, a small additional radius: the difference with a line has no
    /// inside otherwise, and a cast cannot see the crack between two flush obstacles. The skin is the same for
    /// all obstacles, so that flush ones stay flush.
    pub fn difference(
        &mut self,
        part: &[DVec2],
        body: &[DVec2],
        radius: f64,
        skin: f64,
    ) -> CConvex {
        let first_corner = self.corners.len();
        for_each_difference((part.len(), |i| part[i]), (body.len(), |i| body[i]), |corner| {
            self.corners.push(corner);
        });
        let corners = self.corners.len() - first_corner;
        let radius = radius + skin;
        let first_face = self.faces.len();
        let mut width = f64::INFINITY;
        for i in 0..if corners < 2 { 0 } else { corners } {
            let all = &self.corners[first_corner..];
            let face = face(all[i], all[(i + 1) % corners]);
            let depth = all.iter().map(|&corner| face.offset - face.normal.dot(corner));
            width = width.min(depth.fold(0.0, f64::max));
            self.faces.push(face);
        }
        if corners < 3 {
            width = 0.0;
        }
        CConvex {
            first_face: first_face as u32,
            faces: (self.faces.len() - first_face) as u32,
            first_corner: first_corner as u32,
            corners: corners as u32,
            radius,
            width: width + 2.0 * radius,
            skin,
        }
    }

    /// Keeps only the faces of the last difference whose normals pass a test.
    pub fn retain_last_faces(&mut self, convex: &mut CConvex, test: impl Fn(DVec2) -> bool) {
        let first = convex.first_face as usize;
        let mut kept = first;
        for i in first..self.faces.len() {
            if test(self.faces[i].normal) {
                self.faces[kept] = self.faces[i];
                kept += 1;
            }
        }
        self.faces.truncate(kept);
        convex.faces = (kept - first) as u32;
    }

    #[inline]
    pub fn faces(&self, convex: &CConvex) -> &[Face] {
        let first = convex.first_face as usize;
        &self.faces[first..first + convex.faces as usize]
    }

    #[inline]
    pub fn corners(&self, convex: &CConvex) -> &[DVec2] {
        let first = convex.first_corner as usize;
        &self.corners[first..first + convex.corners as usize]
    }

    /// Returns the signed distance of a position from the boundary of an obstacle.
    pub fn distance(&self, c: &CObstacle, p: DVec2) -> SignedDistance {
        match c.form {
            CForm::Box => box_distance(&c.bounds, p),
            CForm::Unbuilt => NOWHERE,
            CForm::Convex(index) => self.convex_distance(&self.convexes[index as usize], p),
            CForm::Front(index) => {
                let front = &self.fronts[index as usize];
                SignedDistance { distance: front.height(p), normal: front.normal, is_face: true }
            }
            CForm::Joint(index) => self.joint_distance(&self.joints[index as usize], p),
        }
    }

    /// Returns the surface that a position near an obstacle has to stay in front of, as a normal and an
    /// offset. At a sharp vertex that is the face which the position is farthest in front of; of equal ones
    /// the face that a motion to the position meets most head-on, so that no order of faces matters.
    pub fn nearest_plane(&self, c: &CObstacle, p: DVec2, motion: DVec2) -> (DVec2, f64) {
        let mut best = (f64::NEG_INFINITY, DVec2::ZERO, 0.0);
        let mut consider = |height: f64, normal: DVec2, offset: f64| {
            let is_tie = height == best.0 && normal.dot(motion) < best.1.dot(motion);
            if height > best.0 || is_tie {
                best = (height, normal, offset);
            }
        };
        match c.form {
            CForm::Box => {
                // The same offsets as those of the faces of a polygon, to the bit.
                let Bounds { min, max } = c.bounds;
                let offsets = [-min.y, max.x, max.y, -min.x];
                for (side, height) in box_sides(&c.bounds, p).into_iter().enumerate() {
                    consider(height, BOX_NORMALS[side], offsets[side]);
                }
            }
            CForm::Convex(index) if self.convexes[index as usize].radius == 0.0 => {
                for face in self.faces(&self.convexes[index as usize]) {
                    consider(face.height(p), face.normal, face.offset);
                }
            }
            _ => {
                let SignedDistance { distance, normal, .. } = self.distance(c, p);
                return (normal, normal.dot(p) - distance);
            }
        }
        (best.1, best.2)
    }

    /// Returns how far a solid obstacle extends in a direction; infinitely far for a one-way surface.
    pub fn highest(&self, c: &CObstacle, direction: DVec2) -> f64 {
        let Bounds { min, max } = c.bounds;
        match c.form {
            CForm::Box => (min * direction).max(max * direction).element_sum(),
            CForm::Convex(index) => {
                let convex = &self.convexes[index as usize];
                let heights = self.corners(convex).iter().map(|corner| corner.dot(direction));
                heights.fold(f64::NEG_INFINITY, f64::max) + convex.radius
            }
            _ => f64::INFINITY,
        }
    }

    pub fn convex_distance(&self, convex: &CConvex, p: DVec2) -> SignedDistance {
        let (faces, corners) = (self.faces(convex), self.corners(convex));
        // 1. The face that the position is farthest in front of; of equal ones the longest, which is the same one
        //    in every mirror. With all faces in front of the position, it is inside.
        let (mut best, mut longest) = ((f64::NEG_INFINITY, DVec2::ZERO), 0.0);
        for face in faces {
            let height = face.height(p);
            if height > best.0 || height == best.0 && face.length > longest {
                (best, longest) = ((height, face.normal), face.length);
            }
        }
        let radius = convex.radius;
        if best.0 <= 0.0 && corners.len() > 2 {
            return SignedDistance { distance: best.0 - radius, normal: best.1, is_face: true };
        }
        // 2. Outside: the closest point of the polygon, on a face or at a corner.
        let mut near = SignedDistance { distance: f64::INFINITY, normal: best.1, is_face: false };
        for face in faces {
            let t = (p - face.start).dot(face.direction);
            if t > 0.0 && t < face.length {
                let height = face.height(p);
                if height.abs() < near.distance {
                    let normal = if height < 0.0 { -face.normal } else { face.normal };
                    near = SignedDistance { distance: height.abs(), normal, is_face: true };
                }
            }
        }
        for &corner in corners {
            let arm = p - corner;
            let distance = length(arm);
            if distance < near.distance {
                let normal = if distance > 0.0 { arm / distance } else { best.1 };
                near = SignedDistance { distance, normal, is_face: false };
            }
        }
        // Sharp corners have no normal of their own.
        if radius == 0.0 {
            near.normal = best.1;
        }
        near.distance -= radius;
        near
    }

    /// The distance from the face of the body that is over a joint. A joint is nowhere else.
    pub fn joint_distance(&self, joint: &Joint, p: DVec2) -> SignedDistance {
        let Joint { convex, edge, .. } = joint;
        if convex.radius > 0.0 {
            let near = self.convex_distance(convex, p);
            let is_parallel = |edge: &DVec2| cross(near.normal, *edge).abs() <= 1e-9;
            return if near.is_face && edge.as_ref().is_some_and(is_parallel) {
                NOWHERE
            } else {
                near
            };
        }
        let is_over = |face: &&Face| {
            let t = (p - face.start).dot(face.direction);
            t >= -1e-6 * face.length && t <= face.length * (1.0 + 1e-6)
        };
        let distances = self.faces(convex).iter().filter(is_over).map(|face| SignedDistance {
            distance: face.height(p),
            normal: face.normal,
            is_face: true,
        });
        distances.fold(NOWHERE, |a, b| if b.distance.abs() < a.distance.abs() { b } else { a })
    }

    /// For a one-way surface: returns how far a position is in front of it, if it is over it.
    pub fn height_over(&self, c: &CObstacle, p: DVec2, tolerance: f64) -> Option<f64> {
        match c.form {
            CForm::Front(index) => {
                let front = &self.fronts[index as usize];
                front.spans(p, tolerance).then(|| front.height(p))
            }
            CForm::Joint(index) => {
                let joint = &self.joints[index as usize];
                let SignedDistance { distance, normal, .. } = self.joint_distance(joint, p);
                is_in_wedge(normal, joint.wedge).then_some(distance)
            }
            _ => None,
        }
    }
}

impl CObstacle {
    #[inline(always)]
    pub fn is_one_way(&self) -> bool {
        matches!(self.form, CForm::Front(_) | CForm::Joint(_))
    }
}

impl Face {
    #[inline]
    pub fn height(&self, p: DVec2) -> f64 {
        self.normal.dot(p) - self.offset
    }
}

fn face(start: DVec2, end: DVec2) -> Face {
    let edge = end - start;
    let length = length(edge);
    let direction = if length > 0.0 { edge / length } else { DVec2::ZERO };
    let normal = perp_cw(direction);
    // The mean of both ends, so that mirrored faces have mirrored bits.
    let offset = 0.5 * (normal.dot(start) + normal.dot(end));
    Face { normal, offset, start, direction, length }
}

/// Like `convex_distance`, for a box, with the same bits.
fn box_distance(bounds: &Bounds, p: DVec2) -> SignedDistance {
    let [bottom, right, top, left] = box_sides(bounds, p);
    let (x, x_side) = if left > right { (left, 3) } else { (right, 1) };
    let (y, y_side) = if top > bottom { (top, 2) } else { (bottom, 0) };
    let size = bounds.max - bounds.min;
    let is_x_first = size.x < size.y || size.x == size.y && x_side < y_side;
    let is_x = x > y || x == y && is_x_first;
    let (height, side) = if is_x { (x, x_side) } else { (y, y_side) };
    let distance = if x > 0.0 && y > 0.0 { length(DVec2::new(x, y)) } else { height };
    SignedDistance { distance, normal: BOX_NORMALS[side], is_face: true }
}

/// Returns whether a normal is between the two normals of a joint.
pub(super) fn is_in_wedge(normal: DVec2, [from, to]: [DVec2; 2]) -> bool {
    cross(from, normal) >= -1e-6 && cross(normal, to) >= -1e-6 && normal.dot(from + to) > 0.0
}

impl Front {
    /// The front of a one-way edge for a part of the body that stands on a foot. `edge` has the ends of the
    /// edge; `is_closed` says that the foot is a vertex or round.
    pub fn new(edge: [DVec2; 2], radius: f64, foot: &Foot, normal: DVec2, is_closed: bool) -> Self {
        let along = normal.perp();
        let [start, end] = edge.map(|point| point.dot(along));
        Self {
            normal,
            offset: edge[0].dot(normal).max(edge[1].dot(normal)) + radius - foot.height,
            from: start.min(end) - foot.high,
            to: start.max(end) - foot.low,
            is_closed,
        }
    }

    #[inline]
    pub fn height(&self, p: DVec2) -> f64 {
        self.normal.dot(p) - self.offset
    }

    /// Returns whether a position is over or under the front.
    pub fn spans(&self, p: DVec2, tolerance: f64) -> bool {
        let t = self.normal.perp().dot(p);
        let margin = if self.is_closed { tolerance } else { -tolerance };
        t > self.from - margin && t < self.to + margin
    }
}

/// The points of a convex part that come down first on a surface with some normal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foot {
    /// The extent of the foot along the surface.
    pub low: f64,
    pub high: f64,
    /// The height of the foot over the origin along the normal.
    pub height: f64,
    /// Positions along the surface that differ by less are the same.
    tolerance: f64,
}

impl Foot {
    pub fn new(points: &[DVec2], radius: f64, normal: DVec2) -> Self {
        let along = normal.perp();
        let lowest = points.iter().fold(f64::INFINITY, |low, point| low.min(point.dot(normal)));
        let size = points.iter().fold(0.0, |size: f64, p| size.max(p.abs().max_element()));
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for point in points.iter().filter(|p| p.dot(normal) <= lowest + 1e-7 * size) {
            (low, high) = (low.min(point.dot(along)), high.max(point.dot(along)));
        }
        Self { low, high, height: lowest - radius, tolerance: 1e-6 * size }
    }

    /// The foot is a vertex or round, not an edge.
    pub fn is_pointed(&self) -> bool {
        self.high - self.low <= self.tolerance
    }

    /// Returns whether a pointed foot is only the end of another part's flat one.
    pub fn is_end_of(&self, other: &Self) -> bool {
        let tolerance = self.tolerance.max(other.tolerance);
        !other.is_pointed()
            && (self.height - other.height).abs() <= tolerance
            && self.low >= other.low - tolerance
            && self.high <= other.high + tolerance
    }
}

/// The points of a convex part, in the list that holds those of all parts.
pub(super) fn part_points<'a>(
    part: &ConvexPart,
    points: &'a [DVec2],
    corners: &'a mut [DVec2; 4],
) -> &'a [DVec2] {
    if part.is_box() {
        let Bounds { min, max } = part.bounds;
        *corners = [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)];
        return corners;
    }
    &points[part.range()]
}

impl ConvexPart {
    pub fn range(&self) -> Range<usize> {
        self.first as usize..(self.first + self.len) as usize
    }
}

/// The unit normal on the left of an edge.
pub(super) fn left_normal(edge: DVec2) -> Option<DVec2> {
    try_normalize(edge.perp())
}
