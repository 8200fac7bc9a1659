//! Is something within a tolerance? For cursors near handles and points nearly on lines.

use core::cmp::Ordering;
use core::ops::ControlFlow;

use glam::Vec2;

use crate::math::exact::{cmp_distance, cmp_line_distance};
use crate::query::parts::each_pair;
use crate::query::separation::cmp_point_segment;
use crate::query::separation::{convex_relation, separation};
use crate::shape::convex::Convex;
use crate::shape::{Point, ShapeRef};

impl Point {
    /// Whether another point is at most `tolerance` away. Exact.
    ///
    /// ```
    /// use carom::prelude::*;
    /// assert!(Point::new([0.0, 0.0]).is_near(&Point::new([3.0, 4.0]), 5.0));
    /// assert!(!Point::new([0.0, 0.0]).is_near(&Point::new([3.0, 4.0]), 4.9999995));
    /// ```
    pub fn is_near(&self, other: &Self, tolerance: f32) -> bool {
        is_tolerance(tolerance, |t| cmp_distance(self.position(), other.position(), t, 0.0))
    }

    /// Whether the segment between two points comes within `tolerance`. Exact.
    pub fn is_near_segment(&self, a: impl Into<Vec2>, b: impl Into<Vec2>, tolerance: f32) -> bool {
        let (a, b) = (a.into(), b.into());
        is_tolerance(tolerance, |t| cmp_point_segment(self.position(), a, b, t, 0.0))
    }

    /// Whether the endless line through two points comes within `tolerance`. Exact. Where the two
    /// coincide there is no line, and the point alone counts.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let point = Point::new([10.0, 1.0]);
    /// assert!(point.is_near_line([0.0, 0.0], [1.0, 0.0], 1.0));
    /// assert!(!point.is_near_segment([0.0, 0.0], [1.0, 0.0], 1.0));
    /// ```
    pub fn is_near_line(&self, a: impl Into<Vec2>, b: impl Into<Vec2>, tolerance: f32) -> bool {
        let (a, b) = (a.into(), b.into());
        is_tolerance(tolerance, |t| match a == b {
            true => cmp_distance(a, self.position(), t, 0.0),
            false => cmp_line_distance(a, b, a, self.position(), t, 0.0),
        })
    }
}

/// Asks for the order of a distance and the tolerance, which must make sense first: nothing is
/// within NaN or less than nothing, and everything within infinity.
fn is_tolerance(tolerance: f32, order: impl FnOnce(f32) -> Ordering) -> bool {
    tolerance == f32::INFINITY || (tolerance >= 0.0 && order(tolerance) != Ordering::Greater)
}

/// Whether the distance of two shapes is at most `tolerance`.
pub(crate) fn is_within(a: ShapeRef<'_>, b: ShapeRef<'_>, tolerance: f32) -> bool {
    is_tolerance(tolerance, |tolerance| {
        let found = each_pair(&a, &b, f64::from(tolerance), &mut |a, b| {
            if cores_within(&a.convex, &b.convex, tolerance) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        if found.is_break() { Ordering::Less } else { Ordering::Greater }
    })
}

/// Rounding one of the two by the tolerance turns the question into whether they touch. Where no
/// radius can take the tolerance without rounding, `f64` decides.
fn cores_within(a: &Convex<'_>, b: &Convex<'_>, tolerance: f32) -> bool {
    let grown = |radius: f32| {
        let sum = f64::from(radius) + f64::from(tolerance);
        (sum <= f64::from(f32::MAX) && f64::from(sum as f32) == sum).then_some(sum as f32)
    };
    if let Some(radius) = grown(a.radius) {
        convex_relation(&Convex { radius, ..*a }, b).intersects()
    } else if let Some(radius) = grown(b.radius) {
        convex_relation(a, &Convex { radius, ..*b }).intersects()
    } else {
        let limit = f64::from(tolerance);
        separation(a, b, limit).is_some_and(|separation| separation.distance <= limit)
    }
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    #[test]
    fn the_tolerance_itself_is_within() {
        let unit = Aabb::new([0.0, 0.0], [1.0, 1.0]);
        assert!(unit.is_within_distance(&Circle::new([5.0, 0.5], 1.0), 3.0));
        assert!(!unit.is_within_distance(&Circle::new([5.0, 0.5], 1.0), 3.0f32.next_down()));
        assert!(unit.is_within_distance(&Point::new([4.0, 5.0]), 5.0));
        assert!(unit.is_within_distance(&unit, 0.0));
        let path = Chain::new(&[[0.0, -2.0], [4.0, -2.0]]);
        assert!(path.is_within_distance(&unit, 2.0) && !path.is_within_distance(&unit, 1.9));
    }

    #[test]
    fn tolerances_that_make_no_sense_hold_nothing_and_infinity_all() {
        let (a, b) = (Point::new([0.0, 0.0]), Point::new([1e38, 1e38]));
        assert!(a.is_within_distance(&b, f32::INFINITY) && a.is_near(&b, f32::INFINITY));
        assert!(!a.is_within_distance(&a, f32::NAN) && !a.is_near(&a, -1.0));
        assert!(!a.is_near_line(b.position(), b.position(), 1.0));
    }
}
