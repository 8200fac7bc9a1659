//! The contact of shapes made of parts: one push that clears them all, the shortest there is.
//!
//! For each pair of parts, the translations of `a` that make the pair overlap are the inside of a
//! rounded convex polygon, an *obstacle* in the space of translations. The push is the point
//! nearest to the origin that is inside no obstacle. It is either the foot of the origin on one
//! obstacle's border, or a place where two borders cross. These candidates are tried from the
//! nearest on, each with the exact verdict on the moved shape, until one is clear.

use core::cmp::Ordering;
use core::ops::ControlFlow;

use alloc::vec::Vec;
use glam::{DVec2, Vec2};

use crate::math::{cross, length, outward, round, round1, unit};
use crate::query::contact::{Contact, from_relation, rounding_margin};
use crate::query::minkowski::{Ring, difference};
use crate::query::overlaps::overlaps_parts;
use crate::query::parts::{Moved, Parts, each_pair};
use crate::query::relation::relate;
use crate::shape::core::Scratch;
use crate::shape::{Aabb, ShapeRef};

/// The contact of any two shapes, at least one of them made of parts.
pub(crate) fn contact(a: ShapeRef<'_>, b: ShapeRef<'_>) -> Option<Contact> {
    let overlaps = overlaps_parts(&a, &b);
    let deepest = deepest_pair(a, b)?;
    if !overlaps {
        return Some(Contact { depth: 0.0, push: Vec2::ZERO, ..deepest });
    }
    if is_clear(a, b, deepest.push) {
        return Some(deepest); // no way is shorter than this pair needs
    }
    let (way, push) = shortest_way_out(a, b, f64::from(deepest.depth));
    if deepest_pair(b, a).is_some_and(|mirrored| is_clear(b, a, mirrored.push)) {
        // The depth must not depend on which of the two is moved and rounded.
        return Some(Contact { push, ..deepest });
    }
    let normal = unit(way).unwrap_or(deepest.normal.as_dvec2());
    let depth = round1(length(way)).max(f32::from_bits(1));
    Some(Contact { normal: round(normal), depth, push, points: deepest.points })
}

/// The contact of the pair of parts that overlap deepest. Among pairs that only touch, one across
/// an edge of the outline comes before one across a seam.
fn deepest_pair(a: ShapeRef<'_>, b: ShapeRef<'_>) -> Option<Contact> {
    let mut deepest: Option<(Contact, bool)> = None;
    let _ = each_pair(&a, &b, 0.0, &mut |part_a, part_b| {
        if let Some(relation) = relate(&part_a.core, &part_b.core, 0.0)
            && relation.order != Ordering::Greater
        {
            let on_seam = relation.face.is_some_and(|axis| {
                let owner = if axis.of_a { part_a } else { part_b };
                owner.outline.is_some_and(|outline| !outline[axis.edge])
            });
            let contact = from_relation(&part_a.core, &part_b.core, &relation);
            let better = deepest.is_none_or(|(best, best_on_seam)| {
                contact.depth > best.depth
                    || (contact.depth == best.depth && best_on_seam && !on_seam)
            });
            if better {
                deepest = Some((contact, on_seam));
            }
        }
        ControlFlow::Continue(())
    });
    deepest.map(|(contact, _)| contact)
}

fn is_clear(a: ShapeRef<'_>, b: ShapeRef<'_>, push: Vec2) -> bool {
    !overlaps_parts(&Moved { shape: &a, by: push }, &b)
}

/// The shortest translation that takes `a` out of `b`, and the push that does it in `f32`.
///
/// The way must clear when `a` takes it or when `b` goes the other way: which of them is rounded
/// when moved must not matter to the answer. The push must clear `a`.
fn shortest_way_out(a: ShapeRef<'_>, b: ShapeRef<'_>, least: f64) -> (DVec2, Vec2) {
    let span = |bounds: Aabb| length(bounds.max().as_dvec2() - bounds.min().as_dvec2());
    let far = |bounds: Aabb| {
        f64::from(bounds.min().abs().max_element().max(bounds.max().abs().max_element()))
    };
    let (bounds_a, bounds_b) = (Parts::bounds(&a), Parts::bounds(&b));
    let size = span(bounds_a) + span(bounds_b);
    let (mut way, mut best) = (None, None::<Vec2>);
    let longer = |best: Option<Vec2>, long: f64| {
        best.is_some_and(|push| length(push.as_dvec2()) > long) || best.is_none()
    };
    // All that could block a way of this length is taken in; if none is found, look further.
    let mut radius = (1.25 * least).max(size / 256.0);
    while radius < 4.0 * size && longer(best, radius) {
        let slack = 1e-9 * radius + 1e-13 * size;
        for candidate in candidates(&obstacles(a, b, radius), radius, slack) {
            let long = length(candidate.way);
            // No way is shorter than the deepest pair alone needs, as far as f32 can tell.
            if long < least * (1.0 - 1e-6) - f64::from(f32::from_bits(1)) {
                continue;
            }
            // In a narrow corner, the push may be much longer than the way: another may be better.
            if !longer(best, long) {
                break;
            }
            let pushes = candidate.pushes(rounding_margin(far(bounds_a) + long));
            let push = pushes
                .into_iter()
                .find(|&push| longer(best, length(push.as_dvec2())) && is_clear(a, b, push));
            if way.is_none() {
                let margin = rounding_margin(far(bounds_b) + long);
                let clears = push.is_some()
                    || candidate.pushes(margin).into_iter().any(|push| is_clear(b, a, -push));
                way = clears.then_some(candidate.way);
            }
            best = push.or(best);
        }
        radius *= 2.0;
    }
    match (way, best) {
        (Some(way), Some(push)) => (way, push),
        _ => {
            let (beside, push) = beside(a, b);
            (way.unwrap_or(beside), push)
        }
    }
}

/// The way out past the bounds, which always clears: for numbers so large or small that no
/// candidate survives rounding.
fn beside(a: ShapeRef<'_>, b: ShapeRef<'_>) -> (DVec2, Vec2) {
    let (a_box, b_box) = (Parts::bounds(&a), Parts::bounds(&b));
    crate::query::contact::convex(
        &a_box.core(&mut Scratch::new()),
        &b_box.core(&mut Scratch::new()),
    )
    .map_or((DVec2::X, Vec2::X), |contact| (contact.push.as_dvec2(), contact.push))
}

/// The translations that make one pair of parts overlap: the inside of a rounded ring.
struct Obstacle {
    ring: Ring,
    radius: f64,
    /// The box around it.
    low: DVec2,
    high: DVec2,
}

/// From how many corners on looking for one by halving pays.
const MANY: usize = 8;

impl Obstacle {
    fn new(ring: Ring, radius: f64) -> Self {
        let low = ring.iter().copied().fold(ring[0], DVec2::min) - radius;
        let high = ring.iter().copied().fold(ring[0], DVec2::max) + radius;
        Self { ring, radius, low, high }
    }

    fn edge(&self, i: usize) -> (DVec2, DVec2) {
        let next = if i + 1 == self.ring.len() { 0 } else { i + 1 };
        (self.ring[i], self.ring[next] - self.ring[i])
    }

    /// How far a point lies beyond the line of an edge.
    fn gap(&self, point: DVec2, i: usize) -> f64 {
        let (start, side) = self.edge(i);
        let long = length(side);
        if long == 0.0 { f64::NEG_INFINITY } else { cross(point - start, side) / long }
    }

    /// Whether a point lies inside by more than `slack`.
    fn hides(&self, point: DVec2, slack: f64) -> bool {
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
    /// the point, and those at that corner, can keep it out.
    fn ring_hides(&self, point: DVec2, slack: f64) -> bool {
        let n = self.ring.len();
        let corner = self.ring[0];
        let (mut edge, mut beyond) = (1, n - 1);
        while beyond - edge > 1 {
            let middle = (edge + beyond) / 2;
            let is_left = cross(self.ring[middle] - corner, point - corner) >= 0.0;
            if is_left { edge = middle } else { beyond = middle }
        }
        [0, n - 1, edge - 1, edge, beyond].into_iter().all(|i| self.gap(point, i) < -slack)
    }
}

fn obstacles(a: ShapeRef<'_>, b: ShapeRef<'_>, radius: f64) -> Vec<Obstacle> {
    let mut obstacles = Vec::new();
    let _ = each_pair(&a, &b, radius, &mut |part_a, part_b| {
        let ring = difference(&part_b.core, &part_a.core);
        let reach = f64::from(part_a.core.radius) + f64::from(part_b.core.radius);
        if ring.len() > 2 || reach > 0.0 {
            obstacles.push(Obstacle::new(ring, reach));
        }
        ControlFlow::Continue(())
    });
    obstacles
}

/// A piece of an obstacle's border, with the directions out of the obstacle.
enum Border {
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
    fn nearest(&self) -> f64 {
        match *self {
            Self::Line { start, end, .. } => {
                let side = end - start;
                let t = (-start.dot(side) / side.dot(side)).clamp(0.0, 1.0);
                length(start + side * t)
            }
            Self::Arc { center, radius, .. } => (length(center) - radius).abs(),
        }
    }

    /// Whether the whole piece surely lies inside an obstacle.
    fn is_hidden(&self, obstacle: &Obstacle, slack: f64) -> bool {
        match *self {
            Self::Line { start, end, .. } => {
                obstacle.hides(start, slack) && obstacle.hides(end, slack)
            }
            Self::Arc { .. } => false,
        }
    }

    /// The box around the piece.
    fn bounds(&self) -> (DVec2, DVec2) {
        match *self {
            Self::Line { start, end, .. } => (start.min(end), start.max(end)),
            Self::Arc { center, radius, .. } => (center - radius, center + radius),
        }
    }

    /// The point of this piece nearest to the origin, where the origin is on its inner side.
    fn foot(&self) -> Option<(DVec2, DVec2)> {
        match *self {
            Self::Line { start, end, normal, distance } => {
                let side = end - start;
                let t = -start.dot(side) / side.dot(side);
                let inner = distance >= 0.0;
                (inner && (0.0..=1.0).contains(&t)).then_some((normal * distance, normal))
            }
            Self::Arc { center, radius, .. } => {
                let normal = unit(-center)?;
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

    fn normal_at(&self, point: DVec2) -> DVec2 {
        match *self {
            Self::Line { normal, .. } => normal,
            Self::Arc { center, .. } => unit(point - center).unwrap_or(DVec2::X),
        }
    }

    /// Whether a point of the whole line or circle belongs to this piece.
    fn holds(&self, point: DVec2, slack: f64) -> bool {
        match *self {
            Self::Line { start, end, .. } => {
                let side = end - start;
                let along = side.dot(point - start);
                let room = slack * length(side);
                (-room..=side.dot(side) + room).contains(&along)
            }
            Self::Arc { center, .. } => {
                unit(point - center).is_some_and(|direction| self.faces(direction))
            }
        }
    }

    /// Where the whole lines or circles of two pieces cross: to the last bit the same whichever
    /// comes first, and mirrored if both are.
    fn crossings(&self, other: &Self) -> [Option<DVec2>; 2] {
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
                    (*center + *normal * away, outward(*normal) * crate::math::sqrt(square));
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
                    (*center + between * t, outward(between) * crate::math::sqrt(height));
                [Some(foot + half), Some(foot - half)]
            }
        }
    }
}

fn borders(obstacle: &Obstacle, visit: &mut dyn FnMut(Border)) {
    let (ring, radius) = (&obstacle.ring, obstacle.radius);
    let n = ring.len();
    if n == 1 {
        return visit(Border::Arc { center: ring[0], radius, from: DVec2::X, to: DVec2::X });
    }
    let normal = |i: usize| unit(outward(ring[(i + 1) % n] - ring[i % n])).unwrap_or(DVec2::X);
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

/// A translation that may be the shortest way out, and the directions out of the one or two
/// obstacles whose borders it lies on.
struct Candidate {
    way: DVec2,
    out: [DVec2; 2],
}

impl Candidate {
    /// The translation as pushes in `f32`: to the nearest, a unit in the last place further out,
    /// and clear of rounding by a margin.
    fn pushes(&self, margin: f64) -> [Vec2; 6] {
        let nearest = round(self.way);
        let out = self.out[0] + self.out[1];
        let step = |x: f32, out: f64| match out {
            _ if out > 1e-9 => x.next_up(),
            _ if out < -1e-9 => x.next_down(),
            _ => x,
        };
        let stepped = Vec2::new(step(nearest.x, out.x), step(nearest.y, out.y));
        // This far along the sum, both borders are `margin` behind.
        let spread = 1.0 + self.out[0].dot(self.out[1]);
        let clear = out * (margin / spread.max(1e-3));
        let away = |margins: f64| round(self.way + clear * margins);
        [nearest, stepped, away(0.25), away(0.5), away(1.0), away(4.0)]
    }
}

/// The candidates within a radius that are inside no obstacle by more than `slack`, nearest first.
fn candidates(obstacles: &[Obstacle], radius: f64, slack: f64) -> Vec<Candidate> {
    let is_free = |point: DVec2, except: usize| {
        obstacles
            .iter()
            .enumerate()
            .all(|(i, obstacle)| i == except || !obstacle.hides(point, slack))
    };
    let mut pieces: Vec<(usize, Border, DVec2, DVec2)> = Vec::new();
    for (owner, obstacle) in obstacles.iter().enumerate() {
        borders(obstacle, &mut |border| {
            let hidden = |other: &Obstacle| border.is_hidden(other, slack);
            if border.nearest() <= radius && !obstacles.iter().any(hidden) {
                let (low, high) = border.bounds();
                pieces.push((owner, border, low - slack, high));
            }
        });
    }
    // From left to right: only pieces that start before one ends can cross it.
    pieces.sort_by(|p, q| p.2.x.total_cmp(&q.2.x));
    let mut found: Vec<Candidate> = Vec::new();
    for (i, (owner, border, low, high)) in pieces.iter().enumerate() {
        if let Some((way, normal)) = border.foot()
            && length(way) <= radius
            && is_free(way, *owner)
        {
            found.push(Candidate { way, out: [normal, normal] });
        }
        let later = pieces[i + 1..].iter().take_while(|other| other.2.x <= high.x);
        for (other_owner, other, other_low, other_high) in later {
            if owner == other_owner || other_low.y > high.y || low.y > other_high.y {
                continue;
            }
            for way in border.crossings(other).into_iter().flatten() {
                let holds = length(way) <= radius
                    && border.holds(way, slack)
                    && other.holds(way, slack)
                    && is_free(way, usize::MAX);
                if holds {
                    found.push(Candidate {
                        way,
                        out: [border.normal_at(way), other.normal_at(way)],
                    });
                }
            }
        }
    }
    found.sort_by(|p, q| length(p.way).total_cmp(&length(q.way)));
    found
}
