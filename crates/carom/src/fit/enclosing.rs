//! The smallest enclosing circle and ellipse.

use alloc::vec;
use alloc::vec::Vec;

use glam::{DVec2, Vec2};

use super::hull;
use crate::math::{cross, length, round_up, sqrt, to_vec2};
use crate::shape::{Bitmap, Circle, ConvexPolygon, Ellipse};

/// Returns the smallest circle that encloses all set pixels, or `None` if no pixel is set.
///
/// This is the algorithm of Welzl ("Smallest enclosing disks (balls and ellipsoids)", 1991) in its iterative
/// form, on the vertices of the convex hull in random order:
///
/// 1. Add the points one by one. A point outside the current circle lies on the boundary of the new circle.
/// 2. For such a point, start again with the points before it. Of these, at most two more lie on the boundary.
/// 3. Round the center to `f32`, and round the radius up until the circle contains the hull.
pub fn circle(bitmap: &Bitmap) -> Option<Circle> {
    let hull = hull(bitmap)?;
    let points = shuffled(hull.points());
    let mut disc = Disc { center: points[0], radius: 0.0 };
    for (i, &p) in points.iter().enumerate() {
        if disc.contains(p) {
            continue;
        }
        disc = Disc { center: p, radius: 0.0 };
        for (j, &q) in points[..i].iter().enumerate() {
            if disc.contains(q) {
                continue;
            }
            disc = Disc { center: (p + q) / 2.0, radius: length(p - q) / 2.0 };
            for &r in &points[..j] {
                if !disc.contains(r) {
                    disc = Disc::through(p, q, r).unwrap_or(disc);
                }
            }
        }
    }
    let center = to_vec2(disc.center);
    let distances = hull.points().iter().map(|p| length(p.as_dvec2() - center.as_dvec2()));
    let mut radius = round_up(distances.fold(0.0, f64::max));
    while !Circle::new(center, radius).contains(&hull) {
        radius = radius.next_up();
    }
    Some(Circle::new(center, radius))
}

/// Shuffles points with a fixed seed, which gives Welzl's algorithm its expected linear time. The random numbers
/// come from a linear congruential generator with the multiplier of Knuth's MMIX.
fn shuffled(points: &[Vec2]) -> Vec<DVec2> {
    let mut points: Vec<DVec2> = points.iter().map(|p| p.as_dvec2()).collect();
    let mut number = 1u64;
    for i in (1..points.len()).rev() {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        points.swap(i, (number >> 33) as usize % (i + 1));
    }
    points
}

/// A circle in `f64`.
struct Disc {
    center: DVec2,
    radius: f64,
}

impl Disc {
    /// Returns `true` if a point is inside, up to the rounding errors of [`through`](Self::through).
    fn contains(&self, point: DVec2) -> bool {
        length(point - self.center) <= self.radius * (1.0 + 1e-12)
    }

    /// Returns the circle through three points; `None` if they lie on a line.
    fn through(a: DVec2, b: DVec2, c: DVec2) -> Option<Self> {
        let (p, q) = (b - a, c - a);
        let double_area = 2.0 * cross(p, q);
        if double_area == 0.0 {
            return None;
        }
        let (pp, qq) = (p.dot(p), q.dot(q));
        let to_center = DVec2::new(q.y * pp - p.y * qq, p.x * qq - q.x * pp) / double_area;
        Some(Self { center: a + to_center, radius: length(to_center) })
    }
}

/// The relative excess area at which the iteration stops.
const ELLIPSE_TOLERANCE: f64 = 1e-4;
/// The maximum number of iterations.
const ELLIPSE_STEPS: u32 = 2000;

/// Returns the ellipse of least area that encloses all set pixels, or `None` if no pixel is set. Its area
/// exceeds the minimum by about 0.01 %.
///
/// This is the algorithm of Khachiyan ("Rounding of polytopes in the real number model of computation", 1996) for
/// the minimum-area enclosing ellipse: every point has a weight, and the weight of the point with the greatest
/// Mahalanobis distance is increased until the ellipse given by the covariance of the weighted points encloses
/// them all.
pub fn ellipse(bitmap: &Bitmap) -> Option<Ellipse> {
    let hull = hull(bitmap)?;
    let points: Vec<DVec2> = hull.points().iter().map(|p| p.as_dvec2()).collect();
    let mut weights = vec![1.0 / points.len() as f64; points.len()];
    let mut covariance = Covariance::of(&points, &weights);
    for _ in 0..ELLIPSE_STEPS {
        // In the lifted problem (one dimension more), the squared distance is 1 plus the squared Mahalanobis
        // distance, and at the optimum, none exceeds 3, the dimension.
        let far = points.iter().map(|&p| 1.0 + covariance.squared_distance(p));
        let (i, far) =
            far.enumerate().fold((0, 0.0), |best, now| if now.1 > best.1 { now } else { best });
        if far <= 3.0 * (1.0 + ELLIPSE_TOLERANCE) {
            break;
        }
        // This step maximizes the determinant of the covariance.
        let step = (far - 3.0) / (3.0 * (far - 1.0));
        weights.iter_mut().for_each(|weight| *weight *= 1.0 - step);
        weights[i] += step;
        covariance = Covariance::of(&points, &weights);
    }
    Some(covariance.ellipse_around(&hull))
}

/// The mean and the covariance matrix of weighted points.
struct Covariance {
    center: DVec2,
    xx: f64,
    xy: f64,
    yy: f64,
}

impl Covariance {
    fn of(points: &[DVec2], weights: &[f64]) -> Self {
        let center = points.iter().zip(weights).fold(DVec2::ZERO, |sum, (&p, &w)| sum + p * w);
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        for (&p, &w) in points.iter().zip(weights) {
            let d = p - center;
            (xx, xy, yy) = (xx + w * d.x * d.x, xy + w * d.x * d.y, yy + w * d.y * d.y);
        }
        Self { center, xx, xy, yy }
    }

    /// Returns the squared Mahalanobis distance of a point.
    fn squared_distance(&self, point: DVec2) -> f64 {
        let d = point - self.center;
        let square = self.yy * d.x * d.x - 2.0 * self.xy * d.x * d.y + self.xx * d.y * d.y;
        square / (self.xx * self.yy - self.xy * self.xy)
    }

    /// Returns the ellipse of this shape and orientation that encloses a hull.
    fn ellipse_around(&self, hull: &ConvexPolygon) -> Ellipse {
        let (middle, half) = ((self.xx + self.yy) / 2.0, (self.xx - self.yy) / 2.0);
        let difference = length(DVec2::new(half, self.xy));
        let radii = [middle + difference, (middle - difference).max(0.0)].map(sqrt);
        let angle = libm::atan2(self.xy, half) / 2.0;
        let out = hull.points().iter().map(|p| self.squared_distance(p.as_dvec2()));
        let mut size = sqrt(out.fold(0.0, f64::max));
        loop {
            let radii = Vec2::new(round_up(radii[0] * size), round_up(radii[1] * size));
            let ellipse = Ellipse::new(to_vec2(self.center), radii, angle as f32);
            if ellipse.contains(hull) {
                return ellipse;
            }
            size *= 1.0 + 1e-6; // the polygon of an ellipse is inscribed in it
        }
    }
}
