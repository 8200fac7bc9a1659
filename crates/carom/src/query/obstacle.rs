//! The translations that make two convex parts overlap, and their borders.

use core::ops::ControlFlow;

use alloc::vec::Vec;
use glam::DVec2;

use crate::math::{cross, length, perp_cw, try_normalize};
use crate::query::minkowski::{Ring, difference};
use crate::query::parts::{Bulk, Parts, each_pair};
use crate::shape::ShapeRef;

/// The translations that make one pair of parts overlap: the inside of a rounded ring.
pub(super) struct Obstacle {
    ring: Ring,
    radius: f64,
    /// The box around it.
    low: DVec2,
    high: DVec2,
}

/// From how many corners on looking for one by halving pays.
const MANY: usize = 8;

impl Obstacle {
    pub(super) fn new(ring: Ring, radius: f64) -> Self {
        let low = ring.iter().copied().fold(ring[0], DVec2::min) - radius;
        let high = ring.iter().copied().fold(ring[0], DVec2::max) + radius;
        Self { ring, radius, low, high }
    }

    /// The same, larger all around.
    pub(super) fn grown(self, by: f64) -> Self {
        Self::new(self.ring, self.radius + by)
    }

    fn edge(&self, i: usize) -> (DVec2, DVec2) {
        let next = if i + 1 == self.ring.len() { 0 } else { i + 1 };
        (self.ring[i], self.ring[next] - self.ring[i])
    }

    /// Whether its box meets another.
    pub(super) fn reaches(&self, low: DVec2, high: DVec2) -> bool {
        self.low.cmple(high).all() && self.high.cmpge(low).all()
    }

    /// How far a point lies beyond the line of an edge.
    fn gap(&self, point: DVec2, i: usize) -> f64 {
        let (start, side) = self.edge(i);
        let long = length(side);
        if long == 0.0 { f64::NEG_INFINITY } else { cross(point - start, side) / long }
    }

    /// Whether a point lies inside by more than `slack`.
    pub(super) fn hides(&self, point: DVec2, slack: f64) -> bool {
        let n = self.ring.len();
        if point.cmple(self.low).any() || point.cmpge(self.high).any() {
            return false;
        }
        if n == 1 {
            return length(point - self.ring[0]) < self.radius - slack;
        }
        if n > MANY {
            let inside = self.ring_hides(point, slack);
            if inside || self.radius == 0.0 {
                return inside;
            }
        }
        // Beyond an edge's line by more than the radius it is outside; beyond none, inside.
        let (mut inside, mut distance) = (n > 2, f64::INFINITY);
        for i in 0..n {
            let (start, side) = self.edge(i);
            let square = side.dot(side);
            if square == 0.0 {
                continue;
            }
            let gap = cross(point - start, side) / crate::math::sqrt(square);
            if gap > self.radius - slack {
                return false;
            }
            inside &= gap < -slack;
            let t = (side.dot(point - start) / square).clamp(0.0, 1.0);
            distance = distance.min(length(point - start - side * t));
        }
        inside || distance < self.radius - slack
    }

    /// The same for the ring alone: seen from its first corner, only the edges in the direction of
    /// the point, and those at that corner, can keep it out. Where rounding hides which these are,
    /// all are asked.
    fn ring_hides(&self, point: DVec2, slack: f64) -> bool {
        let n = self.ring.len();
        let corner = self.ring[0];
        let is_within = |i: usize| self.gap(point, i) < -slack;
        let (mut edge, mut beyond) = (1, n - 1);
        let way = point - corner;
        while beyond - edge > 1 {
            let middle = (edge + beyond) / 2;
            let side = self.ring[middle] - corner;
            let (left, right) = (side.x * way.y, side.y * way.x);
            if (left - right).abs() <= 1e-14 * (left.abs() + right.abs()) {
                return (0..n).all(is_within);
            }
            if left > right { edge = middle } else { beyond = middle }
        }
        [0, n - 1, edge - 1, edge, beyond].into_iter().all(is_within)
    }

    /// Whether all of a disc, no larger than the rounding, lies inside by more than `slack`.
    fn hides_disc(&self, center: DVec2, radius: f64, slack: f64) -> bool {
        let n = self.ring.len();
        let is_out = center.cmple(self.low).any() || center.cmpge(self.high).any();
        !is_out && n > 2 && radius <= self.radius && (0..n).all(|i| self.gap(center, i) < -slack)
    }
}

/// Up to how many pairs of parts are taken as they are, where there is a way to take fewer.
const FEW: usize = 256;

/// Obstacles for all parts that come within a radius of each other. (All of them together are the
/// same for other parts that cover the same.)
pub(super) fn obstacles(a: ShapeRef<'_>, b: ShapeRef<'_>, radius: f64) -> Vec<Obstacle> {
    // High boxes lie near too many of another mask's, or of a map's tiles.
    let high = a.tile().is_none() || b.tile().is_none();
    let (bulk_a, bulk_b) = (Bulk { shape: a, high }, Bulk { shape: b, high });
    let error = bulk_a.error() + bulk_b.error();
    let limit = match bulk_a.is_other() || bulk_b.is_other() {
        false => usize::MAX,
        true if error > 0.0 => FEW,
        true => 0, // they cover the same to the bit
    };
    of_pairs(&a, &b, radius, limit).unwrap_or_else(|| {
        let bulk = of_pairs(&bulk_a, &bulk_b, radius, usize::MAX).unwrap_or_default();
        bulk.into_iter().map(|obstacle| obstacle.grown(error)).collect()
    })
}

/// An obstacle for each pair of parts; `None` where they are more than a limit.
fn of_pairs(a: &dyn Parts, b: &dyn Parts, radius: f64, limit: usize) -> Option<Vec<Obstacle>> {
    let mut obstacles = Vec::new();
    let all = each_pair(a, b, radius, &mut |part_a, part_b| {
        let ring = difference(&part_b.convex, &part_a.convex);
        let reach = f64::from(part_a.convex.radius) + f64::from(part_b.convex.radius);
        if ring.len() > 2 || reach > 0.0 {
            obstacles.push(Obstacle::new(ring, reach));
        }
        if obstacles.len() > limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    all.is_continue().then_some(obstacles)
}

/// A piece of an obstacle's border, with the directions out of the obstacle.
pub(super) enum Border {
    /// All points from `start` to `end`, at a distance from the origin along the normal.
    Line {
        start: DVec2,
        end: DVec2,
        normal: DVec2,
        distance: f64,
    },
    Arc {
        center: DVec2,
        radius: f64,
        from: DVec2,
        to: DVec2,
    },
}

impl Border {
    /// How near to the origin this piece comes.
    pub(super) fn nearest(&self) -> f64 {
        match *self {
            Self::Line { start, end, .. } => {
                let side = end - start;
                let t = (-start.dot(side) / side.dot(side)).clamp(0.0, 1.0);
                length(start + side * t)
            }
            Self::Arc { center, radius, .. } => (length(center) - radius).abs(),
        }
    }

    /// The start and the side, where it is straight.
    pub(super) fn line(&self) -> Option<(DVec2, DVec2)> {
        match *self {
            Self::Line { start, end, .. } => Some((start, end - start)),
            Self::Arc { .. } => None,
        }
    }

    /// Whether the whole piece surely lies inside an obstacle.
    pub(super) fn is_hidden(&self, obstacle: &Obstacle, slack: f64) -> bool {
        match *self {
            Self::Line { start, end, .. } => {
                obstacle.hides(start, slack) && obstacle.hides(end, slack)
            }
            Self::Arc { center, radius, .. } => obstacle.hides_disc(center, radius, slack),
        }
    }

    /// The box around the piece.
    pub(super) fn bounds(&self) -> (DVec2, DVec2) {
        match *self {
            Self::Line { start, end, .. } => (start.min(end), start.max(end)),
            Self::Arc { center, radius, from, to } => {
                let axes = [DVec2::X, DVec2::NEG_X, DVec2::Y, DVec2::NEG_Y];
                let reached = axes.into_iter().filter(|&axis| self.faces(axis));
                let bounds = reached.chain([to]).fold((from, from), |(low, high), direction| {
                    (low.min(direction), high.max(direction))
                });
                const ROUNDING: f64 = 1e-8;
                (center + (bounds.0 - ROUNDING) * radius, center + (bounds.1 + ROUNDING) * radius)
            }
        }
    }

    /// Whether its whole line or circle comes into a box that is larger by `slack`.
    pub(super) fn comes_into(&self, low: DVec2, high: DVec2, slack: f64) -> bool {
        let (middle, half) = ((low + high) / 2.0, (high - low) / 2.0);
        match *self {
            Self::Line { normal, distance, .. } => {
                (normal.dot(middle) - distance).abs() <= normal.abs().dot(half) + slack
            }
            Self::Arc { center, radius, .. } => {
                let away = (center - middle).abs();
                let (nearest, furthest) = ((away - half).max(DVec2::ZERO), away + half);
                length(nearest) <= radius + slack && length(furthest) >= radius - slack
            }
        }
    }

    /// The point of this piece nearest to the origin, where the origin is on its inner side.
    pub(super) fn foot(&self) -> Option<(DVec2, DVec2)> {
        match *self {
            Self::Line { start, end, normal, distance } => {
                let side = end - start;
                let t = -start.dot(side) / side.dot(side);
                let inner = distance >= 0.0;
                (inner && (0.0..=1.0).contains(&t)).then_some((normal * distance, normal))
            }
            Self::Arc { center, radius, .. } => {
                let normal = try_normalize(-center)?;
                let inner = length(center) <= radius;
                (inner && self.faces(normal)).then(|| (center + normal * radius, normal))
            }
        }
    }

    /// Whether an arc has a point in this direction from its centre.
    fn faces(&self, direction: DVec2) -> bool {
        match *self {
            Self::Line { .. } => true,
            Self::Arc { from, to, .. } if from == to => true, // a whole circle
            Self::Arc { from, to, .. } => {
                const ROUNDING: f64 = -1e-9;
                let (after, before) = (cross(from, direction), cross(direction, to));
                if cross(from, to) > 0.0 || from.dot(to) > 0.0 {
                    after >= ROUNDING && before >= ROUNDING && direction.dot(from + to) >= ROUNDING
                } else {
                    after >= ROUNDING // a half turn
                }
            }
        }
    }

    pub(super) fn normal_at(&self, point: DVec2) -> DVec2 {
        match *self {
            Self::Line { normal, .. } => normal,
            Self::Arc { center, .. } => try_normalize(point - center).unwrap_or(DVec2::X),
        }
    }

    /// Whether a point of the whole line or circle belongs to this piece.
    pub(super) fn holds(&self, point: DVec2, slack: f64) -> bool {
        match *self {
            Self::Line { start, end, .. } => {
                let side = end - start;
                let along = side.dot(point - start);
                let room = slack * length(side);
                (-room..=side.dot(side) + room).contains(&along)
            }
            Self::Arc { center, .. } => {
                try_normalize(point - center).is_some_and(|direction| self.faces(direction))
            }
        }
    }

    /// Where the whole lines or circles of two pieces cross: to the last bit the same whichever
    /// comes first, and mirrored if both are.
    pub(super) fn crossings(&self, other: &Self) -> [Option<DVec2>; 2] {
        match (self, other) {
            (
                Self::Line { normal: n, distance: d, .. },
                Self::Line { normal: m, distance: e, .. },
            ) => {
                let turn = cross(*n, *m);
                if turn.abs() <= 1e-14 {
                    return [None, None];
                }
                [Some(DVec2::new(d * m.y - e * n.y, e * n.x - d * m.x) / turn), None]
            }
            (Self::Line { start, normal, .. }, Self::Arc { center, radius, .. })
            | (Self::Arc { center, radius, .. }, Self::Line { start, normal, .. }) => {
                let away = normal.dot(*start - *center);
                let square = radius * radius - away * away;
                if square < 0.0 {
                    return [None, None];
                }
                let (foot, half) =
                    (*center + *normal * away, perp_cw(*normal) * crate::math::sqrt(square));
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
                let (foot, half) =
                    (*center + between * t, perp_cw(between) * crate::math::sqrt(height));
                [Some(foot + half), Some(foot - half)]
            }
        }
    }
}

pub(super) fn borders(obstacle: &Obstacle, visit: &mut dyn FnMut(Border)) {
    let (ring, radius) = (&obstacle.ring, obstacle.radius);
    let n = ring.len();
    if n == 1 {
        return visit(Border::Arc { center: ring[0], radius, from: DVec2::X, to: DVec2::X });
    }
    let normal =
        |i: usize| try_normalize(perp_cw(ring[(i + 1) % n] - ring[i % n])).unwrap_or(DVec2::X);
    for i in 0..n {
        let out = normal(i);
        let (start, end) = (ring[i], ring[(i + 1) % n]);
        // The end that is nearer to the origin knows the line best.
        let known = if length(start) <= length(end) { start } else { end };
        visit(Border::Line {
            start: start + out * radius,
            end: end + out * radius,
            normal: out,
            distance: out.dot(known) + radius,
        });
        if radius > 0.0 {
            visit(Border::Arc { center: ring[i], radius, from: normal(i + n - 1), to: out });
        }
    }
}
