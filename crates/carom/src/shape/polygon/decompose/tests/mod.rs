//! Tests of whole decompositions. They are exact, because every `f32` is an integer multiple of 2⁻¹⁴⁹.

use alloc::vec::Vec;
use core::ops::Range;

use glam::Vec2;
use num_bigint::BigInt;

use super::merge::PartIndices;
use super::{ConvexParts, triangulate};
use crate::error::ShapeError;
use crate::math::exact::{Orientation, orient2d};

mod covers;
mod faults;

type Ring = Vec<Vec2>;

fn ring(list: &[[f32; 2]]) -> Ring {
    list.iter().map(|&p| p.into()).collect()
}

fn square(x: f32, y: f32, size: f32) -> Ring {
    ring(&[[x, y], [x + size, y], [x + size, y + size], [x, y + size]])
}

/// Returns the number as a multiple of 2⁻¹⁴⁹.
fn whole(value: f32) -> BigInt {
    let bits = value.to_bits();
    let (exponent, fraction) = (bits >> 23 & 0xff, bits & 0x7f_ffff);
    let size = if exponent == 0 {
        BigInt::from(fraction)
    } else {
        BigInt::from(fraction | 0x80_0000) << (exponent - 1)
    };
    if value < 0.0 { -size } else { size }
}

/// Returns twice the area inside a ring, exactly.
fn area(ring: impl Iterator<Item = Vec2> + Clone) -> BigInt {
    ring.clone()
        .zip(ring.cycle().skip(1))
        .map(|(a, b)| whole(a.x) * whole(b.y) - whole(a.y) * whole(b.x))
        .sum()
}

fn size(ring: &[Vec2]) -> BigInt {
    let twice = area(ring.iter().copied());
    if twice < BigInt::from(0) { -twice } else { twice }
}

/// A polygon with its triangles and parts.
struct Decomposition {
    points: Vec<Vec2>,
    rings: Vec<Range<u32>>,
    triangles: Vec<[u32; 3]>,
    parts: Vec<PartIndices>,
}

fn decompose(outer: &[Vec2], holes: &[Ring]) -> Result<Decomposition, ShapeError> {
    let triangulation = triangulate(outer, holes)?;
    let super::Triangulation { points, rings, mesh, .. } = triangulation;
    let (mut merged, mut parts) = (ConvexParts::default(), Vec::new());
    merged.merge(&points, &rings, &mesh);
    merged.for_each(|part| {
        let (corners, outline) = (part.corners.clone(), part.outline.clone());
        parts.push(PartIndices { corners, outline });
    });
    Ok(Decomposition { points, rings, triangles: mesh.sorted_triangles(), parts })
}

/// Decomposes a polygon and checks the properties that hold for every polygon.
fn checked(outer: &[Vec2], holes: &[Ring]) -> Decomposition {
    let result = decompose(outer, holes).unwrap();
    let at = |i: &u32| result.points[*i as usize];
    let expected = size(outer) - holes.iter().map(|hole| size(hole)).sum::<BigInt>();

    let rings = result.rings.iter().cloned();
    assert_eq!(rings.map(|range| area(range.map(|i| at(&i)))).sum::<BigInt>(), expected);
    assert_eq!(result.rings.len(), holes.len() + 1);

    for [a, b, c] in result.triangles.iter().map(|t| t.map(|i| at(&i))) {
        assert_eq!(orient2d(a, b, c), Orientation::CounterClockwise);
    }
    let areas = result.triangles.iter().map(|t| area(t.iter().map(at)));
    assert_eq!(areas.sum::<BigInt>(), expected);

    let mut sides: Vec<[u32; 3]> = Vec::new();
    for part in &result.parts {
        let n = part.corners.len();
        assert_eq!(part.outline.len(), n);
        for i in 0..n {
            let [a, b, c] = [0, 1, 2].map(|k| part.corners[(i + k) % n]);
            assert_ne!(
                orient2d(at(&a), at(&b), at(&c)),
                Orientation::Clockwise,
                "a part is not convex"
            );
            sides.push([a.min(b), a.max(b), part.outline[i].into()]);
        }
    }
    let areas = result.parts.iter().map(|part| area(part.corners.iter().map(at)));
    assert_eq!(areas.sum::<BigInt>(), expected);

    // An internal edge belongs to two parts, a boundary edge to one; none is missing.
    sides.sort();
    for same in sides.chunk_by(|s, t| s[..2] == t[..2]) {
        assert_eq!(same.len(), if same[0][2] == 1 { 1 } else { 2 });
    }
    let boundary = sides.iter().filter(|side| side[2] == 1).count();
    assert_eq!(boundary, result.points.len());
    result
}

/// Returns `true` if the interiors of two convex parts intersect: if not, an edge of one separates
/// them.
fn overlap(result: &Decomposition, i: usize, j: usize) -> bool {
    let corners =
        |i: usize| result.parts[i].corners.iter().map(|&c| result.points[c as usize]).collect();
    let separates = |p: &Ring, q: &Ring| {
        (0..p.len()).any(|k| {
            let (a, b) = (p[k], p[(k + 1) % p.len()]);
            q.iter().all(|&c| orient2d(a, b, c) != Orientation::CounterClockwise)
        })
    };
    let (p, q): (Ring, Ring) = (corners(i), corners(j));
    !separates(&p, &q) && !separates(&q, &p)
}

fn check_apart(result: &Decomposition) {
    for i in 0..result.parts.len() {
        assert!((0..i).all(|j| !overlap(result, i, j)), "parts overlap");
    }
}

/// A small random number generator, with the same numbers on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (((self.0 >> 32) * u64::from(end)) >> 32) as u32
    }

    fn unit(&mut self) -> f32 {
        self.below(1 << 24) as f32 / (1 << 24) as f32
    }
}
