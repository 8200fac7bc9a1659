//! Configuration-space obstacles: the translations at which two convex parts overlap.
//!
//! The translations of `a` at which it touches or overlaps `b` are the Minkowski difference `b - a`
//! ([`difference`]): a convex polygon, rounded by the sum of the radii. Its boundary consists of
//! segments and arcs ([`BoundaryPiece`]).

use core::ops::ControlFlow;

use alloc::vec::Vec;
use glam::{DVec2, Vec2};
use smallvec::SmallVec;

use crate::math::{cross, length, perp_cw, sqrt, try_normalize};
use crate::query::composite::{ConvexParts, MergedParts, break_if, visit_part_pairs_swept};
use crate::shape::ShapeRef;
use crate::shape::convex::Convex;

/// A convex ring of vertices, counterclockwise: a point, a segment or a polygon.
pub(crate) type Ring = SmallVec<[DVec2; 16]>;

/// Returns the Minkowski difference `b - a` of two cores: the translations of `a` at which it
/// touches or overlaps `b`.
pub(crate) fn difference(b: &Convex<'_>, a: &Convex<'_>) -> Ring {
    if let [point] = *a.points {
        return b.points.iter().map(|corner| corner.as_dvec2() - point.as_dvec2()).collect();
    }
    let mut ring = Ring::new();
    let at = |points: &[Vec2], i: usize| points[i].as_dvec2();
    let (at_a, at_b) = (|i| at(a.points, i), |i| at(b.points, i));
    for_each_difference((b.points.len(), at_b), (a.points.len(), at_a), |point| ring.push(point));
    ring
}

/// Calls `visit` with the vertices of the Minkowski difference `b - a` of two convex polygons, segments or
/// points, counterclockwise. Each is given by the number of its vertices and a function that returns one.
///
/// The edges are those of `b` and those of `-a`, merged by direction; a segment has two, there and back. The
/// cross products of edges between `f32` vertices of similar size are exact, so parallel edges become one.
pub(crate) fn for_each_difference(
    (n_b, at_b): (usize, impl Fn(usize) -> DVec2),
    (n_a, at_a): (usize, impl Fn(usize) -> DVec2),
    mut visit: impl FnMut(DVec2),
) {
    // Indices stay below twice the length; a division would cost more than all the rest.
    let wrapped = |i: usize, n: usize| if i < n { i } else { i - n };
    let at_b = |i: usize| at_b(wrapped(i, n_b));
    let at_a = |i: usize| -at_a(wrapped(i, n_a));
    let first = |at: &dyn Fn(usize) -> DVec2, n: usize| {
        (1..n).fold(0, |low, i| {
            let (p, q) = (at(i), at(low));
            if (p.y, p.x) < (q.y, q.x) { i } else { low }
        })
    };
    let (start_b, start_a) = (first(&at_b, n_b), first(&at_a, n_a));
    let edge_count = |n: usize| if n < 2 { 0 } else { n };
    let is_downward = |edge: DVec2| edge.y < 0.0 || edge.y == 0.0 && edge.x < 0.0;
    let (edges_b, edges_a) = (edge_count(n_b), edge_count(n_a));
    if edges_b + edges_a == 0 {
        return visit(at_b(0) + at_a(0));
    }
    let (mut i, mut j) = (0, 0);
    while i < edges_b || j < edges_a {
        let (p, q) = (at_b(start_b + i), at_a(start_a + j));
        visit(p + q);
        let turn = match (i < edges_b, j < edges_a) {
            (true, false) => 1.0,
            (false, true) => -1.0,
            _ => {
                let (edge_b, edge_a) = (at_b(start_b + i + 1) - p, at_a(start_a + j + 1) - q);
                // Edges up come first, so that rounding cannot confuse opposite directions.
                match (is_downward(edge_b), is_downward(edge_a)) {
                    (false, true) => 1.0,
                    (true, false) => -1.0,
                    _ => cross(edge_b, edge_a),
                }
            }
        };
        // Parallel edges are merged into one.
        i += usize::from(turn >= 0.0);
        j += usize::from(turn <= 0.0);
    }
}

/// The translations at which one pair of parts overlaps: the interior of a rounded ring.
pub(super) struct CObstacle {
    ring: Ring,
    radius: f64,
    /// The bounding box.
    low: DVec2,
    high: DVec2,
}

/// Rings with more vertices than this are searched by bisection.
const MAX_LINEAR_SEARCH: usize = 8;

impl CObstacle {
    pub(super) fn new(ring: Ring, radius: f64) -> Self {
        let low = ring.iter().copied().fold(ring[0], DVec2::min) - radius;
        let high = ring.iter().copied().fold(ring[0], DVec2::max) + radius;
        Self { ring, radius, low, high }
    }

    /// Returns the obstacle with a larger radius.
    pub(super) fn inflated(self, by: f64) -> Self {
        Self::new(self.ring, self.radius + by)
    }

    fn edge(&self, i: usize) -> (DVec2, DVec2) {
        let next = if i + 1 == self.ring.len() { 0 } else { i + 1 };
        (self.ring[i], self.ring[next] - self.ring[i])
    }

    /// Returns `true` if the bounding box intersects another box.
    pub(super) fn intersects_box(&self, low: DVec2, high: DVec2) -> bool {
        self.low.cmple(high).all() && self.high.cmpge(low).all()
    }

    /// Returns the signed distance of a point from the line of an edge, positive outside.
    fn gap(&self, point: DVec2, i: usize) -> f64 {
        let (start, side) = self.edge(i);
        let long = length(side);
        if long == 0.0 { f64::NEG_INFINITY } else { cross(point - start, side) / long }
    }

    /// Returns `true` if a point lies inside by more than `tolerance`.
    pub(super) fn contains(&self, point: DVec2, tolerance: f64) -> bool {
        let n = self.ring.len();
        if point.cmple(self.low).any() || point.cmpge(self.high).any() {
            return false;
        }
        if n == 1 {
            return length(point - self.ring[0]) < self.radius - tolerance;
        }
        if n > MAX_LINEAR_SEARCH {
            let inside = self.ring_contains(point, tolerance);
            if inside || self.radius == 0.0 {
                return inside;
            }
        }
        // A point is outside if it is beyond the line of an edge by more than the radius, and inside if
        // it is beyond no line. Otherwise the distance to the closest edge decides.
        let (mut inside, mut distance) = (n > 2, f64::INFINITY);
        for i in 0..n {
            let (start, side) = self.edge(i);
            let square = side.dot(side);
            if square == 0.0 {
                continue;
            }
            let gap = cross(point - start, side) / sqrt(square);
            if gap > self.radius - tolerance {
                return false;
            }
            inside &= gap < -tolerance;
            let t = (side.dot(point - start) / square).clamp(0.0, 1.0);
            distance = distance.min(length(point - start - side * t));
        }
        inside || distance < self.radius - tolerance
    }

    /// Returns `true` if all corners of a box lie inside by more than `tolerance`, and so the whole box.
    pub(super) fn covers_box(&self, low: DVec2, high: DVec2, tolerance: f64) -> bool {
        [low, high, DVec2::new(low.x, high.y), DVec2::new(high.x, low.y)]
            .iter()
            .all(|&corner| self.contains(corner, tolerance))
    }

    /// Works like [`contains`](Self::contains), for the ring without its radius, by bisection: seen from
    /// the first vertex, only the edges in the direction of the point, and those at that vertex,
    /// can exclude it. If rounding hides which these are, all edges are tested.
    fn ring_contains(&self, point: DVec2, tolerance: f64) -> bool {
        let n = self.ring.len();
        let corner = self.ring[0];
        let is_within = |i: usize| self.gap(point, i) < -tolerance;
        let (mut edge, mut beyond) = (1, n - 1);
        let offset = point - corner;
        while beyond - edge > 1 {
            let middle = (edge + beyond) / 2;
            let side = self.ring[middle] - corner;
            let (left, right) = (side.x * offset.y, side.y * offset.x);
            if (left - right).abs() <= 1e-14 * (left.abs() + right.abs()) {
                return (0..n).all(is_within);
            }
            if left > right { edge = middle } else { beyond = middle }
        }
        [0, n - 1, edge - 1, edge, beyond].into_iter().all(is_within)
    }

    /// Returns `true` if a circle no larger than the radius lies inside by more than `tolerance`.
    fn contains_circle(&self, center: DVec2, radius: f64, tolerance: f64) -> bool {
        let n = self.ring.len();
        let is_out = center.cmple(self.low).any() || center.cmpge(self.high).any();
        !is_out
            && n > 2
            && radius <= self.radius
            && (0..n).all(|i| self.gap(center, i) < -tolerance)
    }
}

/// The number of pairs of parts above which cells are merged, if merging them has an error or takes
/// time.
const MAX_UNMERGED_PAIRS: usize = 256;

/// Returns the obstacles of all pairs of parts that come within a radius of each other after a
/// translation; `None` as soon as there is one that `is_enough`. Their union does not depend on how
/// the shapes are divided into parts, so the cells of masks and tile maps may be merged.
pub(super) fn obstacles(
    a: ShapeRef<'_>,
    translation: DVec2,
    b: ShapeRef<'_>,
    radius: f64,
    is_enough: &dyn Fn(&CObstacle) -> bool,
) -> Option<Vec<CObstacle>> {
    // Tall boxes are near too many parts of another mask or tile map.
    let into_tall_boxes = a.cell_size().is_none() || b.cell_size().is_none();
    let merged_a = MergedParts { shape: a, into_tall_boxes };
    let merged_b = MergedParts { shape: b, into_tall_boxes };
    let error = merged_a.error() + merged_b.error();
    let has_tiles = [a, b].iter().any(|shape| matches!(shape, ShapeRef::TileMap(_)));
    let limit = match merged_a.is_merged() || merged_b.is_merged() {
        false => usize::MAX,
        true if error > 0.0 || has_tiles => MAX_UNMERGED_PAIRS,
        true => 0, // the merged parts cover exactly the same
    };
    match obstacles_of_pairs(&a, translation, &b, radius, limit, is_enough) {
        Collected::All(obstacles) => Some(obstacles),
        Collected::Enough => None,
        Collected::TooMany => {
            let (a, b) = (&merged_a, &merged_b);
            match obstacles_of_pairs(a, translation, b, radius, usize::MAX, is_enough) {
                Collected::All(merged) => {
                    Some(merged.into_iter().map(|obstacle| obstacle.inflated(error)).collect())
                }
                Collected::Enough | Collected::TooMany => None,
            }
        }
    }
}

/// The result of collecting obstacles.
enum Collected {
    All(Vec<CObstacle>),
    /// One obstacle is enough.
    Enough,
    /// There are more than the limit.
    TooMany,
}

/// Returns one obstacle per pair of parts.
fn obstacles_of_pairs(
    a: &dyn ConvexParts,
    translation: DVec2,
    b: &dyn ConvexParts,
    radius: f64,
    limit: usize,
    is_enough: &dyn Fn(&CObstacle) -> bool,
) -> Collected {
    let mut obstacles = Vec::new();
    let mut has_enough = false;
    let path = (translation, DVec2::ZERO);
    let all = visit_part_pairs_swept(a, path, b, radius, &mut |part_a, part_b| {
        let ring = difference(&part_b.convex, &part_a.convex);
        let radii = f64::from(part_a.convex.radius) + f64::from(part_b.convex.radius);
        if ring.len() > 2 || radii > 0.0 {
            let obstacle = CObstacle::new(ring, radii);
            has_enough = is_enough(&obstacle);
            obstacles.push(obstacle);
        }
        break_if(has_enough || obstacles.len() > limit)
    });
    match all {
        ControlFlow::Continue(()) => Collected::All(obstacles),
        ControlFlow::Break(()) if has_enough => Collected::Enough,
        ControlFlow::Break(()) => Collected::TooMany,
    }
}

/// A piece of the boundary of an obstacle.
pub(super) enum BoundaryPiece {
    /// The points from `start` to `end`. `distance` is that of their line from the origin along the
    /// outward normal.
    Segment { start: DVec2, end: DVec2, normal: DVec2, distance: f64 },
    /// The points at `radius` from `center` in the directions from `from` to `to`,
    /// counterclockwise; a full circle if they are equal.
    Arc { center: DVec2, radius: f64, from: DVec2, to: DVec2 },
}

impl BoundaryPiece {
    /// Returns a lower bound of the distance of this piece from the origin.
    pub(super) fn min_distance(&self) -> f64 {
        match *self {
            Self::Segment { start, end, .. } => {
                let side = end - start;
                let t = (-start.dot(side) / side.dot(side)).clamp(0.0, 1.0);
                length(start + side * t)
            }
            Self::Arc { center, radius, .. } => (length(center) - radius).abs(),
        }
    }

    /// Returns the start and the edge vector of a segment.
    pub(super) fn edge(&self) -> Option<(DVec2, DVec2)> {
        match *self {
            Self::Segment { start, end, .. } => Some((start, end - start)),
            Self::Arc { .. } => None,
        }
    }

    /// Returns `true` if the whole piece certainly lies inside an obstacle.
    pub(super) fn is_covered_by(&self, obstacle: &CObstacle, tolerance: f64) -> bool {
        match *self {
            Self::Segment { start, end, .. } => {
                obstacle.contains(start, tolerance) && obstacle.contains(end, tolerance)
            }
            Self::Arc { center, radius, .. } => obstacle.contains_circle(center, radius, tolerance),
        }
    }

    /// Returns the bounding box.
    pub(super) fn bounds(&self) -> (DVec2, DVec2) {
        match *self {
            Self::Segment { start, end, .. } => (start.min(end), start.max(end)),
            Self::Arc { center, radius, from, to } => {
                let axes = [DVec2::X, DVec2::NEG_X, DVec2::Y, DVec2::NEG_Y];
                let reached = axes.into_iter().filter(|&axis| self.spans(axis));
                let bounds = reached.chain([to]).fold((from, from), |(low, high), direction| {
                    (low.min(direction), high.max(direction))
                });
                const ROUNDING: f64 = 1e-8;
                (center + (bounds.0 - ROUNDING) * radius, center + (bounds.1 + ROUNDING) * radius)
            }
        }
    }

    /// Returns `true` if its whole line or circle intersects a box that is inflated by `tolerance`.
    pub(super) fn may_enter_box(&self, low: DVec2, high: DVec2, tolerance: f64) -> bool {
        let (middle, half) = ((low + high) / 2.0, (high - low) / 2.0);
        match *self {
            Self::Segment { normal, distance, .. } => {
                (normal.dot(middle) - distance).abs() <= normal.abs().dot(half) + tolerance
            }
            Self::Arc { center, radius, .. } => {
                let away = (center - middle).abs();
                let (nearest, furthest) = ((away - half).max(DVec2::ZERO), away + half);
                length(nearest) <= radius + tolerance && length(furthest) >= radius - tolerance
            }
        }
    }

    /// Returns the projection of the origin onto this piece and the normal there, if the origin is on
    /// the inner side and its projection is on the piece.
    pub(super) fn project_origin(&self) -> Option<(DVec2, DVec2)> {
        match *self {
            Self::Segment { start, end, normal, distance } => {
                let side = end - start;
                let t = -start.dot(side) / side.dot(side);
                let inner = distance >= 0.0;
                (inner && (0.0..=1.0).contains(&t)).then_some((normal * distance, normal))
            }
            Self::Arc { center, radius, .. } => {
                let normal = try_normalize(-center)?;
                let inner = length(center) <= radius;
                (inner && self.spans(normal)).then(|| (center + normal * radius, normal))
            }
        }
    }

    /// Returns `true` if an arc has a point in this direction from its center.
    fn spans(&self, direction: DVec2) -> bool {
        match *self {
            Self::Segment { .. } => true,
            Self::Arc { from, to, .. } if from == to => true, // a full circle
            Self::Arc { from, to, .. } => {
                const ROUNDING: f64 = -1e-9;
                let (after, before) = (cross(from, direction), cross(direction, to));
                if cross(from, to) > 0.0 || from.dot(to) > 0.0 {
                    after >= ROUNDING && before >= ROUNDING && direction.dot(from + to) >= ROUNDING
                } else {
                    after >= ROUNDING // half a turn
                }
            }
        }
    }

    /// Returns the outward normal at a point of the piece.
    pub(super) fn normal_at(&self, point: DVec2) -> DVec2 {
        match *self {
            Self::Segment { normal, .. } => normal,
            Self::Arc { center, .. } => try_normalize(point - center).unwrap_or(DVec2::X),
        }
    }

    /// Returns `true` if a point of the whole line or circle belongs to this piece.
    pub(super) fn contains(&self, point: DVec2, tolerance: f64) -> bool {
        match *self {
            Self::Segment { start, end, .. } => {
                let side = end - start;
                let along = side.dot(point - start);
                let margin = tolerance * length(side);
                (-margin..=side.dot(side) + margin).contains(&along)
            }
            Self::Arc { center, .. } => {
                try_normalize(point - center).is_some_and(|direction| self.spans(direction))
            }
        }
    }

    /// Returns the intersections of the whole lines or circles of two pieces. They are the same to
    /// the bit whichever piece comes first, and change sign if both pieces do.
    pub(super) fn intersections(&self, other: &Self) -> [Option<DVec2>; 2] {
        match (self, other) {
            (
                Self::Segment { normal: n, distance: d, .. },
                Self::Segment { normal: m, distance: e, .. },
            ) => {
                let turn = cross(*n, *m);
                if turn.abs() <= 1e-14 {
                    return [None, None];
                }
                [Some(DVec2::new(d * m.y - e * n.y, e * n.x - d * m.x) / turn), None]
            }
            (Self::Segment { start, normal, .. }, Self::Arc { center, radius, .. })
            | (Self::Arc { center, radius, .. }, Self::Segment { start, normal, .. }) => {
                let away = normal.dot(*start - *center);
                let square = radius * radius - away * away;
                if square < 0.0 {
                    return [None, None];
                }
                let (foot, half) = (*center + *normal * away, perp_cw(*normal) * sqrt(square));
                [Some(foot + half), Some(foot - half)]
            }
            (Self::Arc { center: p, radius: r, .. }, Self::Arc { center: q, radius: s, .. }) => {
                let in_order = (r, length(*p)) <= (s, length(*q));
                let (center, radius, other, r) = if in_order { (p, r, q, s) } else { (q, s, p, r) };
                let between = *other - *center;
                let square = between.dot(between);
                if square == 0.0 {
                    return [None, None];
                }
                let t = (square + radius * radius - r * r) / (2.0 * square);
                let height = radius * radius / square - t * t;
                if height < 0.0 {
                    return [None, None];
                }
                let (foot, half) = (*center + between * t, perp_cw(between) * sqrt(height));
                [Some(foot + half), Some(foot - half)]
            }
        }
    }
}

/// Calls `visit` with each piece of the boundary of an obstacle.
pub(super) fn for_each_boundary_piece(obstacle: &CObstacle, visit: &mut dyn FnMut(BoundaryPiece)) {
    let (ring, radius) = (&obstacle.ring, obstacle.radius);
    let n = ring.len();
    if n == 1 {
        return visit(BoundaryPiece::Arc { center: ring[0], radius, from: DVec2::X, to: DVec2::X });
    }
    let normal =
        |i: usize| try_normalize(perp_cw(ring[(i + 1) % n] - ring[i % n])).unwrap_or(DVec2::X);
    for i in 0..n {
        let out = normal(i);
        let (start, end) = (ring[i], ring[(i + 1) % n]);
        // The end nearer to the origin gives the more accurate distance.
        let nearer = if length(start) <= length(end) { start } else { end };
        visit(BoundaryPiece::Segment {
            start: start + out * radius,
            end: end + out * radius,
            normal: out,
            distance: out.dot(nearer) + radius,
        });
        if radius > 0.0 {
            visit(BoundaryPiece::Arc { center: ring[i], radius, from: normal(i + n - 1), to: out });
        }
    }
}
