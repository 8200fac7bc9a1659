//! Outlines that are difficult to decompose, to fit into or to leave, with small integer coordinates.

use carom::prelude::*;

type Ring = &'static [[i32; 2]];

/// The rings of an outline: the outer ring, then the holes.
pub const OUTLINES: &[&[Ring]] = &[
    // An L, a U, a T, a plus and a Z.
    &[&[[0, 0], [4, 0], [4, 2], [2, 2], [2, 4], [0, 4]]],
    &[&[[0, 0], [5, 0], [5, 4], [4, 4], [4, 1], [1, 1], [1, 4], [0, 4]]],
    &[&[[0, 0], [1, 0], [1, 2], [3, 2], [3, 3], [-2, 3], [-2, 2], [0, 2]]],
    &[&[
        [1, 0],
        [2, 0],
        [2, 1],
        [3, 1],
        [3, 2],
        [2, 2],
        [2, 3],
        [1, 3],
        [1, 2],
        [0, 2],
        [0, 1],
        [1, 1],
    ]],
    &[&[[0, 0], [3, 0], [3, 2], [5, 2], [5, 3], [2, 3], [2, 1], [0, 1]]],
    // A notch that is a wedge, an arrow, a bow tie that does not quite touch.
    &[&[[0, 0], [4, 0], [4, 4], [2, 1], [0, 4]]],
    &[&[[0, 0], [2, 3], [0, 6], [6, 3]]],
    &[&[[0, 0], [3, 1], [6, 0], [6, 4], [3, 3], [0, 4]]],
    // A comb, a spiral, a star.
    &[&[[0, 0], [7, 0], [7, 3], [6, 1], [5, 3], [4, 1], [3, 3], [2, 1], [1, 3], [0, 1]]],
    &[&[
        [0, 0],
        [6, 0],
        [6, 5],
        [1, 5],
        [1, 2],
        [4, 2],
        [4, 3],
        [2, 3],
        [2, 4],
        [5, 4],
        [5, 1],
        [0, 1],
    ]],
    &[&[[0, 3], [2, 2], [3, 0], [4, 2], [6, 3], [4, 4], [3, 6], [2, 4]]],
    // Points on straight edges.
    &[&[[0, 0], [1, 0], [2, 0], [4, 0], [4, 4], [2, 4], [2, 2], [0, 2], [0, 1]]],
    // Frames: one hole, two holes, a diamond, a hole that touches the outline at a vertex.
    &[&[[0, 0], [4, 0], [4, 4], [0, 4]], &[[1, 1], [3, 1], [3, 3], [1, 3]]],
    &[
        &[[0, 0], [6, 0], [6, 3], [0, 3]],
        &[[1, 1], [1, 2], [2, 2], [2, 1]],
        &[[3, 1], [5, 1], [5, 2], [3, 2]],
    ],
    &[&[[0, 0], [6, 0], [6, 6], [0, 6]], &[[3, 1], [5, 3], [3, 5], [1, 3]]],
    &[&[[0, 0], [4, 0], [4, 4], [0, 4]], &[[2, 0], [3, 2], [1, 2]]],
    // Two holes that touch each other at a vertex.
    &[&[[0, 0], [6, 0], [6, 4], [0, 4]], &[[1, 1], [3, 2], [1, 3]], &[[3, 2], [5, 1], [5, 3]]],
];

/// Returns the outlines that are valid polygons.
pub fn polygons() -> Vec<Polygon> {
    let point = |&[x, y]: &[i32; 2]| Vec2::new(x as f32, y as f32);
    OUTLINES
        .iter()
        .filter_map(|rings| {
            let rings: Vec<Vec<Vec2>> =
                rings.iter().map(|ring| ring.iter().map(point).collect()).collect();
            Polygon::try_with_holes(&rings[0], &rings[1..]).ok()
        })
        .collect()
}
