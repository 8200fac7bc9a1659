//! Exact positions on a line.

use core::cmp::Ordering;

use glam::Vec2;

use super::expansion::Expansion;

/// A position on the line through two points, as an exact fraction: 0 at the first point, 1 at the
/// second.
#[derive(Clone, Debug)]
pub(crate) struct LineParam {
    numerator: Expansion<16>,
    /// Positive.
    denominator: Expansion<16>,
    /// The fraction, rounded.
    approx: f64,
}

impl LineParam {
    /// Returns the position of the first point.
    pub fn start() -> Self {
        Self::from_f64(0.0)
    }

    /// Returns the position of the second point.
    pub fn end() -> Self {
        Self::from_f64(1.0)
    }

    /// Returns the position with this value.
    pub fn from_f64(t: f64) -> Self {
        Self::new(Expansion::of(t), Expansion::of(1.0))
    }

    /// Returns the position of a point that lies on the line.
    pub fn of_point(start: Vec2, end: Vec2, point: Vec2) -> Self {
        let dot = |to: Vec2| {
            let (x, y) = (start.x..end.x, start.y..end.y);
            // A sum, written as a product less a negated product.
            Expansion::det(&x, &(start.x..to.x), &y, &(to.y..start.y))
        };
        Self::new(dot(point), dot(end))
    }

    /// Returns the position where the line through `p` and `q`, which lie on different sides of the
    /// line, crosses it.
    pub fn of_crossing(start: Vec2, end: Vec2, p: Vec2, q: Vec2) -> Self {
        let (x, y) = (p.x..q.x, p.y..q.y);
        let cross = |to: Vec2| Expansion::det(&(start.x..to.x), &y, &(start.y..to.y), &x);
        let (numerator, denominator) = (cross(p), cross(end));
        if denominator.sign() == Ordering::Less {
            Self::new(numerator.negated(), denominator.negated())
        } else {
            Self::new(numerator, denominator)
        }
    }

    fn new(numerator: Expansion<16>, denominator: Expansion<16>) -> Self {
        let approx = numerator.rounded() / denominator.rounded();
        Self { numerator, denominator, approx }
    }
}

impl Ord for LineParam {
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = (self.approx, other.approx);
        // A generous bound for five roundings on each side.
        if (a - b).abs() > 1e-14 * (a.abs() + b.abs()) {
            return a.total_cmp(&b);
        }
        let left: Expansion<512> = self.numerator.times(&other.denominator);
        let right: Expansion<512> = other.numerator.times(&self.denominator);
        left.plus::<512, 1024>(&right.negated()).sign()
    }
}

impl PartialOrd for LineParam {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for LineParam {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for LineParam {}

#[cfg(test)]
mod tests {
    use super::*;

    fn crossing(p: [f32; 2], q: [f32; 2]) -> LineParam {
        LineParam::of_crossing(Vec2::ZERO, Vec2::new(3.0, 1.0), p.into(), q.into())
    }

    #[test]
    fn positions_that_no_float_represents_compare_exactly() {
        let third = crossing([1.0, 0.0], [1.0, 1.0]);
        assert_eq!(third, crossing([1.0, 5.0], [1.0, -7.0]));
        assert_eq!(third, crossing([0.0, 1.0], [3.0, -1.0]));
        let hair = 1e-40;
        assert!(third < crossing([1.0, -1.0], [1.0f32.next_up(), 1.0]));
        assert!(crossing([-hair, -1.0], [hair, 1.0]) > crossing([-hair, -1.0], [0.0, 1.0]));
        assert!(third > LineParam::start() && third < LineParam::end());
        let (start, end) = (Vec2::ZERO, Vec2::new(3.0, 1.0));
        assert_eq!(
            LineParam::of_point(start, end, Vec2::new(6.0, 2.0)),
            crossing([6.0, 1.0], [6.0, 3.0])
        );
        assert_eq!(LineParam::of_point(start, end, end), LineParam::end());
    }
}
