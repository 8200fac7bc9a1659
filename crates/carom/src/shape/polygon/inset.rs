//! Polygons shrunk by a margin: hitboxes that forgive.

use alloc::vec::Vec;
use core::ops::Range;

use glam::Vec2;
use i_overlay::{
    core::overlay::IntOverlayOptions,
    i_float::int::{angle::Angle, point::IntPoint},
    mesh::int::{
        outline::offset::IntOutlineOffset,
        style::{IntLineJoin, IntOutlineStyle},
    },
};

/// The bits of an `f32`'s significand: the grid has that many steps on each side of the origin.
const BITS: i32 = f32::MANTISSA_DIGITS as i32;

/// The outer outline of a shrunk polygon, counter-clockwise, and its holes, clockwise.
pub(crate) type Outline = (Vec<Vec2>, Vec<Vec<Vec2>>);

/// Takes off all of a polygon that is nearer to its boundary than the margin, which must be
/// finite and not below zero. What is left can be one piece, several or none.
///
/// The rings must be as a decomposition has them: outline counter-clockwise, holes clockwise.
/// Corners stay sharp: next to an inward corner, points up to twice as far away go as well.
///
/// All is computed on a grid of 2⁻²⁴ of the greatest coordinate (rounded up to a power of two).
/// Its points are `f32`s, so the rings are not rounded once more, which could make them cross.
/// The margin that is free in the end can fall short by a few steps of the grid.
pub(crate) fn inset(points: &[Vec2], rings: &[Range<u32>], margin: f32) -> Vec<Outline> {
    let reach = points.iter().map(|point| point.abs().max_element()).fold(0.0, f32::max);
    if margin >= reach {
        return Vec::new(); // nothing is wider than twice its reach
    }
    let step = step(reach);
    let snap = |value: f32| libm::round(f64::from(value) / step) as i64;
    let unsnap = |point: &IntPoint<i64>| {
        let [x, y] = [point.x, point.y].map(|value| (value as f64 * step) as f32);
        Vec2::new(x, y)
    };
    // The coordinates would fit an i32, but its directions are good for 2e-5 of the margin only.
    let paths: Vec<Vec<IntPoint<i64>>> = rings
        .iter()
        .map(|ring| &points[ring.start as usize..ring.end as usize])
        .map(|ring| ring.iter().map(|point| IntPoint::new(snap(point.x), snap(point.y))).collect())
        .collect();

    let style = IntOutlineStyle::new(-(libm::ceil(f64::from(margin) / step) as i64))
        .line_join(IntLineJoin::Miter(SHARPEST))
        .miter_min_turn(FLATTEST);
    let options = IntOverlayOptions { ogc: true, ..Default::default() };
    let shapes = paths.outline_custom(&style, options).unwrap_or_default();
    shapes
        .iter()
        .filter_map(|shape| {
            let mut rings = shape.iter().map(|ring| ring.iter().map(unsnap).collect());
            Some((rings.next()?, rings.collect()))
        })
        .collect()
}

/// The sharpest angle that keeps its corner, 60°: the corner moves twice the margin. Sharper ones
/// are cut off there.
const SHARPEST: Angle = Angle::from_bits(u32::MAX / 6);

/// The least turn that makes a corner, 0.25°. Flatter ones are cut, which spares a millionth of the
/// margin.
const FLATTEST: Angle = Angle::from_bits(u32::MAX / 1440);

/// The distance of the grid's points: the greatest coordinate is at most 2²⁴ of them. No less
/// than the least `f32`.
fn step(reach: f32) -> f64 {
    let exponent = libm::ilogb(f64::from(reach)) + 1 - BITS;
    libm::scalbn(1.0, exponent.max(f32::MIN_EXP - BITS))
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::shape::polygon::decompose::decompose;

    fn ring(list: &[[f32; 2]]) -> Vec<Vec2> {
        list.iter().map(|&p| p.into()).collect()
    }

    fn square(low: f32, high: f32) -> Vec<Vec2> {
        ring(&[[low, low], [high, low], [high, high], [low, high]])
    }

    /// The inset with each ring from its lowest leftmost point on; all pieces are in order.
    fn inset_of(outer: &[Vec2], holes: &[Vec<Vec2>], margin: f32) -> Vec<Outline> {
        let polygon = decompose(outer, holes).unwrap();
        let mut pieces = inset(&polygon.points, &polygon.rings, margin);
        let turn = |ring: &mut Vec<Vec2>| {
            let key = |i: &usize| (ring[*i].x, ring[*i].y);
            let first = (0..ring.len()).min_by(|i, j| key(i).partial_cmp(&key(j)).unwrap());
            ring.rotate_left(first.unwrap());
        };
        for (outer, holes) in &mut pieces {
            decompose(outer, holes).unwrap();
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
    fn what_is_thinner_than_twice_the_margin_vanishes() {
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
    fn the_size_does_not_matter() {
        let shape = ring(&[[0.0, 0.0], [7.0, 1.0], [5.0, 3.0], [7.0, 7.0], [3.0, 5.0], [0.0, 6.0]]);
        let scaled = |ring: &[Vec2], scale: f32| -> Vec<Vec2> {
            ring.iter().map(|&point| point * scale).collect()
        };
        let expected = inset_of(&shape, &[], 0.5);
        for scale in [libm::scalbnf(1.0, -120), libm::scalbnf(1.0, 124)] {
            let result = inset_of(&scaled(&shape, scale), &[], 0.5 * scale);
            assert_eq!(result, [(scaled(&expected[0].0, scale), vec![])]);
        }
        // With denormals the grid is coarse, but it holds.
        inset_of(&scaled(&shape, 1e-43), &[], 2e-44);
    }

    #[test]
    fn a_sharp_notch_leaves_the_margin_free() {
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
    fn random_outlines_leave_pieces_in_order_with_the_margin_free() {
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
                    // A few steps of the grid, which are 2⁻¹⁸ here, are lost to rounding.
                    assert!(free > margin - 2e-5, "{free} instead of {margin}");
                }
                seen += 1;
            }
        }
        assert!(seen > 500);
    }

    /// The least distance of two rings that do not cross.
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
