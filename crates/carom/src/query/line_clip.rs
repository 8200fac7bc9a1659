//! Clipping a line to a convex shape, for ray casts and coverage tests.
//!
//! Every vertex of a polygon has a *side* of the line: the sign of the cross product of the line's
//! direction and the vector to the vertex. The line enters a counterclockwise polygon across the
//! edge on which the side falls below zero, and leaves it where the side rises again. Only these
//! two edges need a division. The side of a vertex is the same to the bit in all polygons that share
//! it.

use glam::{DVec2, Vec2};

use crate::math::{cross, length, perp_cw, sqrt};
use crate::shape::Aabb;
use crate::shape::convex::Convex;

/// A line. Positions on it are multiples `t` of `direction`, which has any length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Line {
    pub origin: DVec2,
    pub direction: DVec2,
    /// The length of `direction`.
    pub length: f64,
    /// One over the squared length of `direction`.
    pub inv_length_squared: f64,
}

/// The side on which a line only runs along the boundary of a convex shape, if it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grazing {
    /// The line enters the interior.
    No,
    /// The line runs along the boundary, with the shape on its left.
    Left,
    /// The line runs along the boundary, with the shape on its right.
    Right,
}

impl Grazing {
    #[inline(always)]
    fn new(is_left: bool, is_right: bool) -> Self {
        match (is_left, is_right) {
            (true, false) => Self::Left,
            (false, true) => Self::Right,
            _ => Self::No,
        }
    }
}

/// The intersection of a line and a convex shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chord {
    /// The parameters of the line at which it enters and leaves the shape.
    pub enter: f64,
    pub exit: f64,
    /// The outward normals, of any length, of the edges at the entry: the edge that continues
    /// counterclockwise from the entry, and the edge that leads to it. They differ at a vertex; a
    /// missing one is zero.
    pub entry_normals: [DVec2; 2],
    /// The outward normal at the exit, of any length.
    pub exit_normal: DVec2,
    pub grazing: Grazing,
}

/// The largest gap between two parts along a line, relative to its position, that counts as
/// touching: the rounding error of positions on a line that is not too flat.
pub(crate) const TOLERANCE: f64 = 1e-12;

/// The edges across which a line enters a polygon, as in [`Chord::entry_normals`], and leaves it.
struct CrossedEdges {
    entry: [Option<usize>; 2],
    exit: Option<usize>,
}

/// The intersection of a line and an edge, and the outward normal of the edge, of any length.
#[derive(Clone, Copy)]
struct EdgeHit {
    t: f64,
    normal: DVec2,
}

impl Line {
    pub fn new(origin: DVec2, direction: DVec2) -> Self {
        Self {
            origin,
            direction,
            length: length(direction),
            inv_length_squared: 1.0 / direction.dot(direction),
        }
    }

    /// Returns the point at position `t`.
    #[inline(always)]
    pub fn at(&self, t: f64) -> DVec2 {
        self.origin + self.direction * t
    }

    /// Returns the side of a point: positive to the left of the line, scaled by its length.
    #[inline(always)]
    fn side(&self, point: Vec2) -> f64 {
        cross(self.direction, point.as_dvec2() - self.origin)
    }

    /// Clips the line to a convex shape.
    pub fn clip_to(&self, convex: &Convex<'_>) -> Option<Chord> {
        match (convex.points, convex.radius > 0.0) {
            ([center], true) => self.clip_to_circle(center.as_dvec2(), f64::from(convex.radius)),
            (_, true) => self.clip_to_rounded(convex),
            (_, false) => self.clip_to_polygon(convex),
        }
    }

    /// Returns `true` if the part of the line at positive `t` may intersect a box.
    pub fn may_hit(&self, bounds: &Aabb) -> bool {
        let (low, high) = (bounds.min().as_dvec2(), bounds.max().as_dvec2());
        let middle = (low + high) / 2.0 - self.origin;
        let half = (high - low) / 2.0;
        let (left, right) = (self.direction.x * middle.y, self.direction.y * middle.x);
        let reach = self.direction.x.abs() * half.y + self.direction.y.abs() * half.x;
        let is_beside = (left - right).abs() > reach + 1e-14 * (left.abs() + right.abs() + reach);
        let ahead = self.direction.dot(middle) + self.direction.abs().dot(half);
        !is_beside && ahead >= -1e-14 * (self.direction.abs().dot(middle.abs() + half))
    }

    /// Returns where the line crosses the line of the edge that starts at vertex `i`.
    #[inline(always)]
    pub fn cross_edge(&self, points: &[Vec2], i: usize) -> f64 {
        self.hit_edge(points, i).t
    }

    #[inline(always)]
    fn hit_edge(&self, points: &[Vec2], i: usize) -> EdgeHit {
        let next = if i + 1 == points.len() { 0 } else { i + 1 };
        let start = points[i].as_dvec2();
        let edge = points[next].as_dvec2() - start;
        let t = cross(start - self.origin, edge) / cross(self.direction, edge);
        EdgeHit { t, normal: perp_cw(edge) }
    }

    fn clip_to_polygon(&self, convex: &Convex<'_>) -> Option<Chord> {
        let points = convex.points;
        let CrossedEdges { entry, exit } = if points.len() <= 64 {
            self.crossed_edges(points)
        } else {
            self.crossed_edges_of_many(points)
        };
        let (Some(first), Some(exit)) = (entry[0].or(entry[1]), exit) else {
            // No edge crosses the line: either all vertices are on it, or none.
            let is_on_line = self.side(points[0]) == 0.0;
            return if is_on_line { Some(self.clip_to_collinear(convex)) } else { None };
        };
        let enter = self.hit_edge(points, first).t;
        let exit = self.hit_edge(points, exit);
        let normal = |edge: Option<usize>| {
            edge.map_or(DVec2::ZERO, |edge| self.hit_edge(points, edge).normal)
        };
        Some(Chord {
            enter,
            exit: if points.len() == 2 { enter } else { exit.t.max(enter) },
            entry_normals: entry.map(normal),
            exit_normal: exit.normal,
            // If the side never falls below zero, no vertex is on the right, and vice versa.
            grazing: Grazing::new(entry[0].is_none(), entry[1].is_none()),
        })
    }

    /// Returns the edges of a polygon with at most 64 vertices that the line crosses. Uses one bit
    /// per vertex; branchless: data-dependent, mispredicts.
    #[inline(always)]
    fn crossed_edges(&self, points: &[Vec2]) -> CrossedEdges {
        let (mut left, mut right) = (0u64, 0u64);
        for &point in points {
            let side = self.side(point);
            left = left << 1 | u64::from(side > 0.0);
            right = right << 1 | u64::from(side < 0.0);
        }
        // The last vertex is the lowest bit; `next` moves the bit of the next vertex to each.
        let last = points.len() - 1;
        let next = |bits: u64| bits << 1 | bits >> last;
        let first = |bits: u64| {
            let bits = bits & (u64::MAX >> (63 - last));
            if bits == 0 { None } else { Some(last - bits.trailing_zeros() as usize) }
        };
        CrossedEdges {
            entry: [first(!right & next(right)), first(left & !next(left))],
            exit: first(right & !next(right) | !left & next(left)),
        }
    }

    fn crossed_edges_of_many(&self, points: &[Vec2]) -> CrossedEdges {
        let mut crossed = CrossedEdges { entry: [None; 2], exit: None };
        let mut last = points.len() - 1;
        let mut from = self.side(points[last]);
        for (i, &point) in points.iter().enumerate() {
            let to = self.side(point);
            if from >= 0.0 && to < 0.0 {
                crossed.entry[0] = Some(last);
            }
            if from > 0.0 && to <= 0.0 {
                crossed.entry[1] = Some(last);
            }
            if (from < 0.0 && to >= 0.0) || (from <= 0.0 && to > 0.0) {
                crossed.exit = Some(last);
            }
            (from, last) = (to, i);
        }
        crossed
    }

    /// Clips the line to points that all lie on it.
    #[cold]
    fn clip_to_collinear(&self, convex: &Convex<'_>) -> Chord {
        let square = self.direction.dot(self.direction);
        let (mut enter, mut exit) = (f64::INFINITY, f64::NEG_INFINITY);
        for point in convex.points {
            let t = self.direction.dot(point.as_dvec2() - self.origin) / square;
            (enter, exit) = (enter.min(t), exit.max(t));
        }
        let (entry_normals, exit_normal) = ([DVec2::ZERO; 2], DVec2::ZERO);
        Chord { enter, exit, entry_normals, exit_normal, grazing: Grazing::No }
    }

    /// Clips the line to a circle, by solving the quadratic equation.
    #[inline(always)]
    fn clip_to_circle(&self, center: DVec2, radius: f64) -> Option<Chord> {
        let to_center = center - self.origin;
        let side = cross(self.direction, to_center);
        let square = self.direction.dot(self.direction);
        let discriminant = radius * radius * square - side * side;
        if discriminant < 0.0 {
            return None;
        }
        let root = sqrt(discriminant);
        // One solution is a sum of like signs; the other follows from the product of both, which
        // is exactly zero if the origin is on the boundary.
        let middle = self.direction.dot(to_center);
        let product = to_center.dot(to_center) - radius * radius;
        let far = if middle >= 0.0 { middle + root } else { middle - root };
        let near = if far == 0.0 { 0.0 } else { product / far };
        let far = far / square;
        let (enter, exit) = if middle >= 0.0 { (near, far) } else { (far, near) };
        // The normals, relative to the direction: across it by the side, along it by the root.
        let across = perp_cw(self.direction) * side;
        let (normal, exit_normal) =
            (across - self.direction * root, across + self.direction * root);
        let exit = exit.max(enter);
        Some(Chord { enter, exit, entry_normals: [normal; 2], exit_normal, grazing: Grazing::No })
    }

    /// Clips the line to a polygon or segment with a radius: the edges moved outwards, and a circle
    /// at every vertex. The line enters across a moved edge, or else through the first circle.
    fn clip_to_rounded(&self, convex: &Convex<'_>) -> Option<Chord> {
        let radius = f64::from(convex.radius);
        let reach = radius * self.length;
        let at = |i: usize| convex.points[i].as_dvec2() - self.origin;
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for i in 0..convex.points.len() {
            let side = cross(self.direction, at(i));
            (low, high) = (low.min(side), high.max(side));
        }
        if low > reach || high < -reach {
            return None;
        }
        let (mut entry, mut exit) = (None, None);
        for i in 0..convex.points.len() {
            let start = at(i);
            let edge = at(if i + 1 == convex.points.len() { 0 } else { i + 1 }) - start;
            let (side, turn) = (cross(self.direction, start), cross(self.direction, edge));
            // The moved edge must cross the line; moving changes the sides by at most the reach.
            let next = side + turn;
            if turn == 0.0 || side.min(next) > reach || side.max(next) < -reach {
                continue;
            }
            let size = length(edge);
            let side = side - radius * (self.direction.dot(edge) / size);
            let (low, high) = if turn < 0.0 { (side + turn, side) } else { (side, side + turn) };
            if low <= 0.0 && high >= 0.0 {
                let t = (cross(start, edge) + radius * size) / turn;
                let hit = Some(EdgeHit { t, normal: perp_cw(edge) });
                if turn < 0.0 { entry = hit } else { exit = hit }
            }
        }
        if entry.is_none() || exit.is_none() {
            let circles = convex.points.iter();
            let circles = circles.filter_map(|&p| self.clip_to_circle(p.as_dvec2(), radius));
            let (mut first, mut last): (Option<Chord>, Option<Chord>) = (None, None);
            for circle in circles {
                first = first.filter(|first| first.enter <= circle.enter).or(Some(circle));
                last = last.filter(|last| last.exit >= circle.exit).or(Some(circle));
            }
            let enter = |chord: Chord| EdgeHit { t: chord.enter, normal: chord.entry_normals[0] };
            let leave = |chord: Chord| EdgeHit { t: chord.exit, normal: chord.exit_normal };
            entry = entry.or(first.map(enter)).or(exit);
            exit = exit.or(last.map(leave)).or(entry);
        }
        let (entry, exit) = (entry?, exit?);
        Some(Chord {
            enter: entry.t,
            exit: exit.t.max(entry.t),
            entry_normals: [entry.normal; 2],
            exit_normal: exit.normal,
            grazing: Grazing::new(low >= reach, high <= -reach),
        })
    }
}
