//! Where a straight line runs through a convex part: what rays and coverings are made of.
//!
//! Every corner lies on a *side* of the line, the cross product of the line's direction with the
//! way to the corner. The line enters a counter-clockwise ring across the edge on which the side
//! falls through zero and leaves it where the side rises: no division but for these two, and
//! neighbours that share a corner agree about it to the bit.

use glam::{DVec2, Vec2};

use crate::math::{cross, length, perp_cw};
use crate::shape::Aabb;
use crate::shape::convex::Convex;

/// A line through a point. Places on it are counted in steps of `along`, which has any length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Line {
    pub origin: DVec2,
    pub along: DVec2,
    /// The length of `along`.
    pub length: f64,
    /// One over its square.
    pub over_square: f64,
}

/// The stretch of a line within a convex part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub enter: f64,
    pub leave: f64,
    /// Out of the edges by which the part is entered, of any length: the edge that goes on from the
    /// entry counter-clockwise around the part, and the one that comes to it. They differ at
    /// a corner; zero where there is none.
    pub onward: DVec2,
    pub backward: DVec2,
    /// Out of the part where the line leaves it.
    pub out: DVec2,
    /// Where the line only runs along the border: 1 with the part on its left, -1 on its right.
    pub graze: f64,
}

/// How far two parts may be apart along a line, relative to where they are, and still be taken to
/// touch: what rounding does to places on a line that is not too flat.
pub(crate) const SLACK: f64 = 1e-12;

/// The edges of a ring across which a line goes in, as in [`Span`], and out.
pub(crate) struct Crossed {
    pub onward: usize,
    pub backward: usize,
    pub out: usize,
}

/// Stands for no edge.
pub(crate) const NONE: usize = usize::MAX;

impl Line {
    pub fn new(origin: DVec2, along: DVec2) -> Self {
        Self { origin, along, length: length(along), over_square: 1.0 / along.dot(along) }
    }

    #[inline(always)]
    pub fn at(&self, place: f64) -> DVec2 {
        self.origin + self.along * place
    }

    /// Where the line runs through a convex part, if it does.
    pub fn span(&self, core: &Convex<'_>) -> Option<Span> {
        match (core.points, core.radius > 0.0) {
            ([center], true) => self.through_disc(center.as_dvec2(), f64::from(core.radius)),
            (_, true) => self.through_rounded(core),
            (_, false) => self.through_polygon(core),
        }
    }

    /// Whether the part of the line that lies ahead may meet a box.
    pub fn may_meet(&self, bounds: &Aabb) -> bool {
        let (low, high) = (bounds.min().as_dvec2(), bounds.max().as_dvec2());
        let middle = (low + high) / 2.0 - self.origin;
        let half = (high - low) / 2.0;
        let (left, right) = (self.along.x * middle.y, self.along.y * middle.x);
        let reach = self.along.x.abs() * half.y + self.along.y.abs() * half.x;
        let beside = (left - right).abs() > reach + 1e-14 * (left.abs() + right.abs() + reach);
        let ahead = self.along.dot(middle) + self.along.abs().dot(half);
        !beside && ahead >= -1e-14 * (self.along.abs().dot(middle.abs() + half))
    }

    /// Where the line crosses that of the edge which starts at corner `i`, and the way out of it.
    #[inline(always)]
    pub fn cross_edge(&self, points: &[Vec2], i: usize) -> (f64, DVec2) {
        let next = if i + 1 == points.len() { 0 } else { i + 1 };
        let start = points[i].as_dvec2();
        let edge = points[next].as_dvec2() - start;
        (cross(start - self.origin, edge) / cross(self.along, edge), perp_cw(edge))
    }

    fn through_polygon(&self, core: &Convex<'_>) -> Option<Span> {
        let points = core.points;
        let Crossed { onward, backward, out } =
            if points.len() <= 64 { self.crossed(points) } else { self.crossed_of_many(points) };
        let entry = if onward == NONE { backward } else { onward };
        if entry == NONE || out == NONE {
            // No edge crosses the line: all corners are on it, or none.
            let on_line = cross(self.along, points[0].as_dvec2() - self.origin) == 0.0;
            return if on_line { Some(self.along_points(core)) } else { None };
        }
        let (enter, _) = self.cross_edge(points, entry);
        let (leave, out) = self.cross_edge(points, out);
        let normal = |i| if i == NONE { DVec2::ZERO } else { self.cross_edge(points, i).1 };
        Some(Span {
            enter,
            leave: if points.len() == 2 { enter } else { leave.max(enter) },
            onward: normal(onward),
            backward: normal(backward),
            out,
            // The line falls nowhere below zero where no corner lies on the right, and the like.
            graze: f64::from(u8::from(onward == NONE)) - f64::from(u8::from(backward == NONE)),
        })
    }

    /// The edges of a ring of at most 64 corners that the line crosses. A bit for every corner and
    /// no branches: they could not be predicted.
    #[inline(always)]
    pub fn crossed(&self, points: &[Vec2]) -> Crossed {
        let (mut left, mut right) = (0u64, 0u64);
        for point in points {
            let side = cross(self.along, point.as_dvec2() - self.origin);
            left = left << 1 | u64::from(side > 0.0);
            right = right << 1 | u64::from(side < 0.0);
        }
        // The last corner is the lowest bit; the next corner's bit is brought to each.
        let last = points.len() - 1;
        let next = |bits: u64| bits << 1 | bits >> last;
        let first = |bits: u64| {
            let bits = bits & (u64::MAX >> (63 - last));
            if bits == 0 { NONE } else { last - bits.trailing_zeros() as usize }
        };
        Crossed {
            onward: first(!right & next(right)),
            backward: first(left & !next(left)),
            out: first(right & !next(right) | !left & next(left)),
        }
    }

    fn crossed_of_many(&self, points: &[Vec2]) -> Crossed {
        let mut crossed = Crossed { onward: NONE, backward: NONE, out: NONE };
        let mut last = points.len() - 1;
        let side = |i: usize| cross(self.along, points[i].as_dvec2() - self.origin);
        let mut from = side(last);
        for i in 0..points.len() {
            let to = side(i);
            if from >= 0.0 && to < 0.0 {
                crossed.onward = last;
            }
            if from > 0.0 && to <= 0.0 {
                crossed.backward = last;
            }
            if (from < 0.0 && to >= 0.0) || (from <= 0.0 && to > 0.0) {
                crossed.out = last;
            }
            (from, last) = (to, i);
        }
        crossed
    }

    /// The stretch between points that all lie on the line.
    #[cold]
    fn along_points(&self, core: &Convex<'_>) -> Span {
        let square = self.along.dot(self.along);
        let mut span = Span {
            enter: f64::INFINITY,
            leave: f64::NEG_INFINITY,
            onward: DVec2::ZERO,
            backward: DVec2::ZERO,
            out: DVec2::ZERO,
            graze: 0.0,
        };
        for point in core.points {
            let place = self.along.dot(point.as_dvec2() - self.origin) / square;
            span.enter = span.enter.min(place);
            span.leave = span.leave.max(place);
        }
        span
    }

    #[inline(always)]
    pub fn through_disc(&self, center: DVec2, radius: f64) -> Option<Span> {
        let to = center - self.origin;
        let side = cross(self.along, to);
        let square = self.length_squared();
        let discriminant = radius * radius * square - side * side;
        if discriminant < 0.0 {
            return None;
        }
        let root = crate::math::sqrt(discriminant);
        // Of the two solutions one is a sum of like signs; the other follows from their product,
        // which is exactly zero where the origin is on the border.
        let middle = self.along.dot(to);
        let product = to.dot(to) - radius * radius;
        let far = if middle >= 0.0 { middle + root } else { middle - root };
        let near = if far == 0.0 { 0.0 } else { product / far };
        let far = far / square;
        let (enter, leave) = if middle >= 0.0 { (near, far) } else { (far, near) };
        // From the middle: across the line by the side, along it by the root.
        let across = perp_cw(self.along) * side;
        let (normal, out) = (across - self.along * root, across + self.along * root);
        let leave = leave.max(enter);
        Some(Span { enter, leave, onward: normal, backward: normal, out, graze: 0.0 })
    }

    fn length_squared(&self) -> f64 {
        self.along.dot(self.along)
    }

    /// A rounded core is its edges moved outwards and a disc about every corner. The line enters
    /// across a moved edge, or else into the disc that it meets first.
    fn through_rounded(&self, core: &Convex<'_>) -> Option<Span> {
        let radius = f64::from(core.radius);
        let reach = radius * self.length;
        let at = |i: usize| core.points[i].as_dvec2() - self.origin;
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for i in 0..core.points.len() {
            let side = cross(self.along, at(i));
            (low, high) = (low.min(side), high.max(side));
        }
        if low > reach || high < -reach {
            return None;
        }
        let (mut entry, mut exit) = (None, None);
        for i in 0..core.points.len() {
            let start = at(i);
            let edge = at(if i + 1 == core.points.len() { 0 } else { i + 1 }) - start;
            let (side, turn) = (cross(self.along, start), cross(self.along, edge));
            // The moved edge must be crossed; moving changes its ends' sides by the reach at most.
            let next = side + turn;
            if turn == 0.0 || side.min(next) > reach || side.max(next) < -reach {
                continue;
            }
            let size = length(edge);
            let side = side - radius * (self.along.dot(edge) / size);
            let (low, high) = if turn < 0.0 { (side + turn, side) } else { (side, side + turn) };
            if low <= 0.0 && high >= 0.0 {
                let place = (cross(start, edge) + radius * size) / turn;
                let crossing = Some((place, perp_cw(edge)));
                if turn < 0.0 { entry = crossing } else { exit = crossing }
            }
        }
        if entry.is_none() || exit.is_none() {
            let discs = core.points.iter();
            let discs = discs.filter_map(|&p| self.through_disc(p.as_dvec2(), radius));
            let (mut first, mut last): (Option<Span>, Option<Span>) = (None, None);
            for disc in discs {
                first = first.filter(|first| first.enter <= disc.enter).or(Some(disc));
                last = last.filter(|last| last.leave >= disc.leave).or(Some(disc));
            }
            entry = entry.or(first.map(|disc| (disc.enter, disc.onward))).or(exit);
            exit = exit.or(last.map(|disc| (disc.leave, disc.out))).or(entry);
        }
        let ((enter, normal), (leave, out)) = (entry?, exit?);
        let graze = f64::from(u8::from(low >= reach)) - f64::from(u8::from(high <= -reach));
        Some(Span { enter, leave: leave.max(enter), onward: normal, backward: normal, out, graze })
    }
}
