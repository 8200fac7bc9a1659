//! Where lines cross a line, as exact fractions.

use core::cmp::Ordering;

use glam::Vec2;

use super::expansion::Expansion;

/// A place on the line through two points, counted from 0 at the first to 1 at the second, exactly.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// Above and below the bar of a fraction; below, it is positive.
    above: Expansion<16>,
    below: Expansion<16>,
    rounded: f64,
}

impl Place {
    /// 0, or 1: where one of the two points is.
    pub fn end(is_second: bool) -> Self {
        Self::near(if is_second { 1.0 } else { 0.0 })
    }

    /// A place that has been computed, and rounded.
    pub fn near(place: f64) -> Self {
        Self::new(Expansion::of(place), Expansion::of(1.0))
    }

    /// Where a point of the line is.
    pub fn of(start: Vec2, end: Vec2, point: Vec2) -> Self {
        let dot = |to: Vec2| {
            let (x, y) = (start.x..end.x, start.y..end.y);
            // A product less one that is negated is a sum.
            Expansion::det(&x, &(start.x..to.x), &y, &(to.y..start.y))
        };
        Self::new(dot(point), dot(end))
    }

    /// Where the line through two points that lie on different sides of it crosses it.
    pub fn crossing(start: Vec2, end: Vec2, p: Vec2, q: Vec2) -> Self {
        let (x, y) = (p.x..q.x, p.y..q.y);
        let cross = |to: Vec2| Expansion::det(&(start.x..to.x), &y, &(start.y..to.y), &x);
        let (above, below) = (cross(p), cross(end));
        if below.sign() == Ordering::Less {
            Self::new(above.negated(), below.negated())
        } else {
            Self::new(above, below)
        }
    }

    fn new(above: Expansion<16>, below: Expansion<16>) -> Self {
        let rounded = above.rounded() / below.rounded();
        Self { above, below, rounded }
    }
}

impl Ord for Place {
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = (self.rounded, other.rounded);
        // Five roundings each, with room to spare.
        if (a - b).abs() > 1e-14 * (a.abs() + b.abs()) {
            return a.total_cmp(&b);
        }
        let left: Expansion<512> = self.above.times(&other.below);
        let right: Expansion<512> = other.above.times(&self.below);
        left.plus::<512, 1024>(&right.negated()).sign()
    }
}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Place {}

#[cfg(test)]
mod tests {
    use super::*;

    fn crossing(p: [f32; 2], q: [f32; 2]) -> Place {
        Place::crossing(Vec2::ZERO, Vec2::new(3.0, 1.0), p.into(), q.into())
    }

    #[test]
    fn places_that_no_float_holds_are_the_same_or_not() {
        let third = crossing([1.0, 0.0], [1.0, 1.0]);
        assert_eq!(third, crossing([1.0, 5.0], [1.0, -7.0]));
        assert_eq!(third, crossing([0.0, 1.0], [3.0, -1.0]));
        let hair = 1e-40;
        assert!(third < crossing([1.0, -1.0], [1.0f32.next_up(), 1.0]));
        assert!(crossing([-hair, -1.0], [hair, 1.0]) > crossing([-hair, -1.0], [0.0, 1.0]));
        assert!(third > Place::end(false) && third < Place::end(true));
        let (start, end) = (Vec2::ZERO, Vec2::new(3.0, 1.0));
        assert_eq!(Place::of(start, end, Vec2::new(6.0, 2.0)), crossing([6.0, 1.0], [6.0, 3.0]));
        assert_eq!(Place::of(start, end, end), Place::end(true));
    }
}
