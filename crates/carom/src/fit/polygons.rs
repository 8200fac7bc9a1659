//! Outlines as polygons, simplified.

use alloc::vec::Vec;

use glam::Vec2;

use super::simplify::{Bias, simplify};
use crate::shape::{Aabb, Bitmap, ConvexPolygon, Polygon};

/// Polygons with holes that cover all pixels that are set: one for each area of pixels that hang
/// together by their sides. Corners are left out as long as no corner of the exact outline comes to
/// lie further inside than the tolerance, in pixels; 0 gives the exact outlines.
///
/// They are simple, and do not cross each other.
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

/// The same, but polygons that cover no pixel that is clear: corners are cut off.
pub fn polygons_within(bitmap: &Bitmap, tolerance: f32) -> Vec<Polygon> {
    polygons(bitmap, tolerance, Bias::Inner)
}

/// The same, but with corners left out on either side, so that fewer are left. Areas and holes that are
/// narrower than the tolerance may be left out altogether.
pub fn polygons_approx(bitmap: &Bitmap, tolerance: f32) -> Vec<Polygon> {
    polygons(bitmap, tolerance, Bias::None)
}

/// The convex parts of [`polygons_approx`].
pub fn convex_parts(bitmap: &Bitmap, tolerance: f32) -> Vec<ConvexPolygon> {
    let polygons = polygons_approx(bitmap, tolerance);
    polygons.iter().flat_map(|polygon| polygon.convex_parts().cloned()).collect()
}

fn polygons(bitmap: &Bitmap, tolerance: f32, bias: Bias) -> Vec<Polygon> {
    let outlines = bitmap.outlines();
    let owners = owners(&outlines);
    let rings = simplify(&outlines, f64::from(tolerance), bias);
    let is_own = |i: usize| owners[i] == i;
    let polygon = |i: usize| {
        let holes = (0..rings.len()).filter(|&j| j != i && owners[j] == i && !rings[j].is_empty());
        let holes: Vec<Vec<Vec2>> = holes.map(|j| rings[j].clone()).collect();
        // Simple by construction: what is refused here has no area.
        Polygon::try_with_holes(&rings[i], &holes).ok()
    };
    (0..rings.len()).filter(|&i| is_own(i) && !rings[i].is_empty()).filter_map(polygon).collect()
}

/// For each outline the area that it belongs to: itself, or for a hole the one around it.
fn owners(outlines: &[Vec<Vec2>]) -> Vec<usize> {
    let boxes: Vec<Aabb> = outlines.iter().filter_map(|ring| Aabb::from_points(ring)).collect();
    let areas: Vec<f32> = outlines.iter().map(|ring| area(ring)).collect();
    let owner = |i: usize| {
        if areas[i] > 0.0 {
            return i;
        }
        // A pixel on the left of the hole's first edge belongs to the same area.
        let (start, end) = (outlines[i][0], outlines[i][1]);
        let way = (end - start).signum() * (end - start).abs().min(Vec2::ONE);
        let pixel = start + way / 2.0 + way.perp() / 2.0;
        let around = (0..outlines.len()).filter(|&j| {
            areas[j] > 0.0 && boxes[j].contains_aabb(&boxes[i]) && winds_around(&outlines[j], pixel)
        });
        around.min_by(|&j, &k| areas[j].total_cmp(&areas[k])).unwrap_or(i)
    };
    (0..outlines.len()).map(owner).collect()
}

/// The area of a ring, negative where it runs clockwise. Exact: all corners are whole.
fn area(ring: &[Vec2]) -> f32 {
    let next = ring.iter().cycle().skip(1);
    let double = ring.iter().zip(next).map(|(a, b)| a.as_dvec2().perp_dot(b.as_dvec2()));
    (double.sum::<f64>() / 2.0) as f32
}

/// Whether the middle of a pixel lies in a ring of level and upright edges.
fn winds_around(ring: &[Vec2], point: Vec2) -> bool {
    let next = ring.iter().cycle().skip(1);
    let crosses = |(a, b): (&Vec2, &Vec2)| (a.y > point.y) != (b.y > point.y) && a.x > point.x;
    ring.iter().zip(next).filter(|&edge| crosses(edge)).count() % 2 == 1
}
