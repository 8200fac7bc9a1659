//! Polygons shrunk by a margin, for forgiving hitboxes.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use glam::{DVec2, Vec2};
use i_overlay::{
    core::overlay::IntOverlayOptions,
    i_float::int::{angle::Angle, point::IntPoint},
    mesh::int::{
        outline::offset::IntOutlineOffset,
        style::{IntLineJoin, IntOutlineStyle},
    },
};

/// The number of bits in the significand of an `f32`: the grid has 2^`BITS` steps on each side of
/// the origin.
const BITS: i32 = f32::MANTISSA_DIGITS as i32;

/// The outer outline of a shrunk polygon, counterclockwise, and its holes, clockwise.
pub(crate) type Outline = (Vec<Vec2>, Vec<Vec<Vec2>>);

/// Removes all points of a polygon that are nearer to its boundary than the margin, which must be
/// finite and not negative. The result can be one polygon, several or none.
///
/// The outline must be counterclockwise and the holes clockwise. Corners stay sharp (mitered):
/// near a reflex vertex, points up to twice the margin away are removed as well.
///
/// All computations use a grid of 2⁻²⁴ of the largest coordinate, rounded up to a power of two. Its
/// points are `f32`s, so the result is not rounded again, which could make rings cross. The final
/// distance from the boundary can be smaller than the margin by a few steps of the grid.
pub(crate) fn inset(points: &[Vec2], rings: &[Range<u32>], margin: f32) -> Vec<Outline> {
    inset_closed(points, rings, margin, 0)
}

/// Works like [`inset`], for the union of rings that may touch and overlap. Gaps as narrow as rounding
/// errors are closed.
pub(crate) fn inset_union(points: &[Vec2], rings: &[Range<u32>], margin: f32) -> Vec<Outline> {
    /// Flush edges, rounded to the grid, are less than a step apart on either side.
    const CLOSED: i64 = 2;
    inset_closed(points, rings, margin, CLOSED)
}

/// Grows the rings by some steps of the grid, joins them, and moves the result inwards by the margin
/// and those steps.
fn inset_closed(points: &[Vec2], rings: &[Range<u32>], margin: f32, closed: i64) -> Vec<Outline> {
    let largest = points.iter().map(|point| point.abs().max_element()).fold(0.0, f32::max);
    if margin >= largest {
        return Vec::new(); // the width of the polygon is at most twice its largest coordinate
    }
    let step = step(largest);
    let snap = |value: f32| libm::round(f64::from(value) / step) as i64;
    let unsnap = |point: &IntPoint<i64>| {
        let [x, y] = [point.x, point.y].map(|value| (value as f64 * step) as f32);
        Vec2::new(x, y)
    };
    // The coordinates would fit in an `i32`, but directions would then have an error of 2e-5 of the
    // margin.
    let mut paths: Vec<Vec<IntPoint<i64>>> = rings
        .iter()
        .map(|ring| &points[ring.start as usize..ring.end as usize])
        .map(|ring| ring.iter().map(|point| IntPoint::new(snap(point.x), snap(point.y))).collect())
        .collect();
    let moved_by = |paths: &Vec<Vec<IntPoint<i64>>>, offset: i64| {
        let style = IntOutlineStyle::new(offset)
            .line_join(IntLineJoin::Miter(SHARPEST))
            .miter_min_turn(FLATTEST);
        let options = IntOverlayOptions { ogc: true, ..Default::default() };
        paths.outline_custom(&style, options).unwrap_or_default()
    };
    if closed > 0 {
        paths = moved_by(&paths, closed).into_iter().flatten().collect();
        // Joining flush edges leaves jogs of a step or two. The direction of such a short edge consists of
        // rounding errors, and moving it by the margin would cut a notch.
        paths.iter_mut().for_each(|ring| *ring = without_jogs(ring, closed));
    }
    let margin = libm::ceil(f64::from(margin) / step) as i64;
    let shapes = moved_by(&paths, -(margin + closed));
    shapes
        .iter()
        .filter_map(|shape| {
            let mut rings = shape.iter().map(|ring| ring.iter().map(unsnap).collect());
            Some((rings.next()?, rings.collect()))
        })
        .collect()
}

/// Returns a ring without the vertices that lie within a tolerance of the edge that replaces them.
fn without_jogs(ring: &[IntPoint<i64>], tolerance: i64) -> Vec<IntPoint<i64>> {
    let is_near = |p: IntPoint<i64>, a: IntPoint<i64>, b: IntPoint<i64>| {
        let [edge, to_p] = [b - a, p - a].map(|d| DVec2::new(d.x as f64, d.y as f64));
        let t = (to_p.dot(edge) / edge.length_squared().max(1.0)).clamp(0.0, 1.0);
        to_p.distance_squared(edge * t) <= (tolerance * tolerance) as f64
    };
    // Always keep the leftmost vertex, the lowest of several.
    let first = (0..ring.len()).min_by_key(|&i| (ring[i].x, ring[i].y)).unwrap_or(0);
    let at = |i: usize| ring[(first + i) % ring.len()];
    let mut kept = vec![at(0)];
    let mut last = 0;
    for i in 1..ring.len() {
        if !(last + 1..=i).all(|j| is_near(at(j), at(last), at(i + 1))) {
            kept.push(at(i));
            last = i;
        }
    }
    if kept.len() < 3 { ring.to_vec() } else { kept }
}

/// The sharpest angle that keeps its corner, 60°: the corner moves by twice the margin. Sharper
/// corners are cut off at that distance.
const SHARPEST: Angle = Angle::from_bits(u32::MAX / 6);

/// The smallest exterior angle that makes a corner, 0.25°. Flatter corners are cut, which removes a
/// millionth of the margin.
const FLATTEST: Angle = Angle::from_bits(u32::MAX / 1440);

/// Returns the step of the grid: the largest coordinate is at most 2²⁴ steps, and a step is at
/// least the smallest positive `f32`.
fn step(largest: f32) -> f64 {
    let exponent = libm::ilogb(f64::from(largest)) + 1 - BITS;
    libm::scalbn(1.0, exponent.max(f32::MIN_EXP - BITS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::polygon::decompose::triangulate;

    fn ring(list: &[[f32; 2]]) -> Vec<Vec2> {
        list.iter().map(|&p| p.into()).collect()
    }

    fn square(low: f32, high: f32) -> Vec<Vec2> {
        ring(&[[low, low], [high, low], [high, high], [low, high]])
    }

    /// Returns the inset with each ring starting at its leftmost point, and checks that every
    /// result is valid.
    fn inset_of(outer: &[Vec2], holes: &[Vec<Vec2>], margin: f32) -> Vec<Outline> {
        let polygon = triangulate(outer, holes).unwrap();
        let mut pieces = inset(&polygon.points, &polygon.rings, margin);
        let turn = |ring: &mut Vec<Vec2>| {
            let key = |i: &usize| (ring[*i].x, ring[*i].y);
            let first = (0..ring.len()).min_by(|i, j| key(i).partial_cmp(&key(j)).unwrap());
            ring.rotate_left(first.unwrap());
        };
        for (outer, holes) in &mut pieces {
            triangulate(outer, holes).unwrap();
            turn(outer);
            holes.iter_mut().for_each(turn);
        }
        pieces
    }

    #[test]
    fn an_l_keeps_its_sharp_corners() {
        let l = ring(&[[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [2.0, 2.0], [2.0, 4.0], [0.0, 4.0]]);
        let expected =
            ring(&[[0.5, 0.5], [3.5, 0.5], [3.5, 1.5], [1.5, 1.5], [1.5, 3.5], [0.5, 3.5]]);
        assert_eq!(inset_of(&l, &[], 0.5), [(expected, vec![])]);
    }

    #[test]
    fn a_hole_grows_as_the_outline_shrinks() {
        let mut grown = square(2.5, 5.5);
        grown[1..].reverse();
        let result = inset_of(&square(0.0, 8.0), &[square(3.0, 5.0)], 0.5);
        assert_eq!(result, [(square(0.5, 7.5), vec![grown])]);
    }

    #[test]
    fn regions_thinner_than_twice_the_margin_vanish() {
        assert_eq!(inset_of(&square(0.0, 2.0), &[], 1.0), []);
        assert_eq!(inset_of(&square(0.0, 2.0), &[], f32::MAX), []);
        assert_eq!(inset_of(&square(0.0, 8.0), &[square(1.0, 7.0)], 0.75), []);
    }

    #[test]
    fn a_thin_neck_breaks() {
        let dumbbell = ring(&[
            [0.0, 0.0],
            [4.0, 0.0],
            [4.0, 1.5],
            [6.0, 1.5],
            [6.0, 0.0],
            [10.0, 0.0],
            [10.0, 4.0],
            [6.0, 4.0],
            [6.0, 2.5],
            [4.0, 2.5],
            [4.0, 4.0],
            [0.0, 4.0],
        ]);
        let pieces = inset_of(&dumbbell, &[], 1.0);
        assert_eq!(pieces.len(), 2);
        assert_eq!(pieces[0], (square(1.0, 3.0), vec![]));
    }

    #[test]
    fn scaling_by_a_power_of_two_scales_the_inset() {
        let shape = ring(&[[0.0, 0.0], [7.0, 1.0], [5.0, 3.0], [7.0, 7.0], [3.0, 5.0], [0.0, 6.0]]);
        let scaled = |ring: &[Vec2], scale: f32| -> Vec<Vec2> {
            ring.iter().map(|&point| point * scale).collect()
        };
        let expected = inset_of(&shape, &[], 0.5);
        for scale in [libm::scalbnf(1.0, -120), libm::scalbnf(1.0, 124)] {
            let result = inset_of(&scaled(&shape, scale), &[], 0.5 * scale);
            assert_eq!(result, [(scaled(&expected[0].0, scale), vec![])]);
        }
        // With subnormal numbers the grid is coarse, but the result is still valid.
        inset_of(&scaled(&shape, 1e-43), &[], 2e-44);
    }

    #[test]
    fn the_inset_keeps_the_margin_from_a_sharp_notch() {
        let notch = ring(&[
            [0.0, 0.0],
            [8.0, 0.0],
            [8.0, 8.0],
            [4.1, 8.0],
            [4.0, 4.0],
            [3.9, 8.0],
            [0.0, 8.0],
        ]);
        let pieces = inset_of(&notch, &[], 0.5);
        assert_eq!(pieces.len(), 1);
        assert!(clearance(&notch, &pieces[0].0) > 0.499_99);
    }

    #[test]
    fn insets_of_random_outlines_are_valid_and_keep_the_margin() {
        let mut state = 1_u64;
        let mut unit = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 40) as f32 / (1 << 24) as f32
        };
        let mut star = |n: usize, low: f32, high: f32| -> Vec<Vec2> {
            let angle = |i: usize| i as f32 / n as f32 * core::f32::consts::TAU;
            let ray = |i: usize| Vec2::new(libm::cosf(angle(i)), libm::sinf(angle(i)));
            (0..n).map(|i| ray(i) * (low + (high - low) * unit())).collect()
        };
        let mut seen = 0;
        for round in 0..500 {
            let (outer, hole) = (star(8 + round % 40, 10.0, 40.0), star(8, 1.0, 6.0));
            let margin = 0.01 * (1 + round) as f32;
            for (shrunk, holes) in inset_of(&outer, core::slice::from_ref(&hole), margin) {
                for ring in holes.iter().chain([&shrunk]) {
                    let free = clearance(&outer, ring).min(clearance(&hole, ring));
                    // Rounding costs a few steps of the grid, which are 2⁻¹⁸ here.
                    assert!(free > margin - 2e-5, "{free} instead of {margin}");
                }
                seen += 1;
            }
        }
        assert!(seen > 500);
    }

    /// Returns the smallest distance of two rings that do not cross.
    fn clearance(ring: &[Vec2], other: &[Vec2]) -> f32 {
        let one_way = |points: &[Vec2], ring: &[Vec2]| {
            let edges = (0..ring.len()).map(|i| (ring[i], ring[(i + 1) % ring.len()]));
            edges
                .flat_map(|edge| points.iter().map(move |&point| (point, edge)))
                .map(|(point, (a, b))| {
                    let t = ((point - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
                    (a + (b - a) * t).distance(point)
                })
                .fold(f32::MAX, f32::min)
        };
        one_way(ring, other).min(one_way(other, ring))
    }
}
