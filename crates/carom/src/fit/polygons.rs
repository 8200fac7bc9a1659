//! Simplified outlines as polygons.

use alloc::vec::Vec;

use glam::Vec2;

use super::simplify::{Bias, simplify};
use crate::shape::{Aabb, Bitmap, ConvexPolygon, Polygon};

/// Returns polygons with holes that cover all set pixels, one for each 4-connected group of pixels.
///
/// Vertices are removed as long as no vertex of the exact outline lies inside by more than `tolerance`
/// pixels. A tolerance of 0 gives the exact outlines. The polygons are simple and do not cross each other.
///
/// ```
/// use carom::fit;
/// use carom::prelude::*;
/// let sprite = Bitmap::from_rows(&["#...", "##..", "###.", "####"]);
/// let [polygon] = &fit::polygons_around(&sprite, 1.0)[..] else { panic!("one area") };
/// assert_eq!(polygon.outer().len(), 5); // a slope with blunt ends
/// assert!(polygon.contains(&Mask::new([0.0, 0.0], 1.0, sprite)));
/// ```
pub fn polygons_around(bitmap: &Bitmap, tolerance: f32) -> Vec<Polygon> {
    polygons(bitmap, tolerance, Bias::Outer)
}

/// Returns polygons with holes that cover no clear pixel: like [`polygons_around`], but with convex corners cut
/// off.
pub fn polygons_within(bitmap: &Bitmap, tolerance: f32) -> Vec<Polygon> {
    polygons(bitmap, tolerance, Bias::Inner)
}

/// Returns polygons with holes that approximate the set pixels: like [`polygons_around`], but the outline may move
/// to either side, which leaves fewer vertices. Groups and holes that are narrower than the tolerance may be
/// dropped.
pub fn polygons_approx(bitmap: &Bitmap, tolerance: f32) -> Vec<Polygon> {
    polygons(bitmap, tolerance, Bias::None)
}

/// Returns the convex parts of [`polygons_approx`].
pub fn convex_parts(bitmap: &Bitmap, tolerance: f32) -> Vec<ConvexPolygon> {
    let polygons = polygons_approx(bitmap, tolerance);
    polygons.iter().flat_map(|polygon| polygon.convex_parts().cloned()).collect()
}

fn polygons(bitmap: &Bitmap, tolerance: f32, bias: Bias) -> Vec<Polygon> {
    let outlines = bitmap.outlines();
    let owners = find_owners(&outlines);
    let rings = simplify(&outlines, f64::from(tolerance), bias);
    let is_own = |i: usize| owners[i] == i;
    let polygon = |i: usize| {
        let holes = (0..rings.len()).filter(|&j| j != i && owners[j] == i && !rings[j].is_empty());
        let holes: Vec<Vec<Vec2>> = holes.map(|j| rings[j].clone()).collect();
        // The rings are simple by construction, so an error means that the ring has no area.
        Polygon::try_with_holes(&rings[i], &holes).ok()
    };
    (0..rings.len()).filter(|&i| is_own(i) && !rings[i].is_empty()).filter_map(polygon).collect()
}

/// Returns the index of the outer outline that each outline belongs to: its own index, or for a hole the index of
/// the outline around it.
fn find_owners(outlines: &[Vec<Vec2>]) -> Vec<usize> {
    let boxes: Vec<Aabb> = outlines.iter().filter_map(|ring| Aabb::from_points(ring)).collect();
    let areas: Vec<f64> = outlines.iter().map(|ring| area(ring)).collect();
    let owner = |i: usize| {
        if areas[i] > 0.0 {
            return i;
        }
        // The pixel on the left of the hole's first edge belongs to the same group.
        let (start, end) = (outlines[i][0], outlines[i][1]);
        let step = (end - start).signum() * (end - start).abs().min(Vec2::ONE);
        let pixel = start + step / 2.0 + step.perp() / 2.0;
        let enclosing = (0..outlines.len()).filter(|&j| {
            areas[j] > 0.0 && boxes[j].contains_aabb(&boxes[i]) && contains(&outlines[j], pixel)
        });
        enclosing.min_by(|&j, &k| areas[j].total_cmp(&areas[k])).unwrap_or(i)
    };
    (0..outlines.len()).map(owner).collect()
}

/// Returns the signed area of a ring, negative if it is clockwise. It is exact, because all coordinates are
/// integers.
fn area(ring: &[Vec2]) -> f64 {
    let next = ring.iter().cycle().skip(1);
    let double = ring.iter().zip(next).map(|(a, b)| a.as_dvec2().perp_dot(b.as_dvec2()));
    double.sum::<f64>() / 2.0
}

/// Returns `true` if the center of a pixel lies inside a ring of axis-parallel edges (crossing number).
fn contains(ring: &[Vec2], point: Vec2) -> bool {
    let next = ring.iter().cycle().skip(1);
    let crosses = |(a, b): (&Vec2, &Vec2)| (a.y > point.y) != (b.y > point.y) && a.x > point.x;
    ring.iter().zip(next).filter(|&edge| crosses(edge)).count() % 2 == 1
}
