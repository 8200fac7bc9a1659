//! The ways out of each other for two masks whose pixels are equally large and lie the same way.
//!
//! Counted in pixels, with `o` where the other's first corner is: moved by `t`, pixel `i` overlaps pixel
//! `j` where `o - t` is nearer than 1 to `i - j`, in x and in y. So each whole `d` at which the bitmaps
//! have a pixel in common keeps `o - t` out of an open square of side 2 around it. What is left free
//! is made of whole places, and of the lines and squares between free neighbours. The free place
//! nearest to `o` is a whole one, or lies straight above, below or beside `o` between two of them.

use alloc::vec::Vec;

use glam::DVec2;

use crate::math::{length, try_normalize};
use crate::query::candidates::Candidate;
use crate::shape::Mask;
use crate::shape::grid::CellGrid;

/// The translations within a radius that may be the shortest way out, nearest first; `None` where the
/// pixels do not lie the same way.
pub(super) fn ways_out(a: &Mask, b: &Mask, radius: f64) -> Option<Vec<Candidate>> {
    let frame = &a.placement().frame;
    let offset = frame.shared_lattice(&b.placement().frame)?.offset;
    let reach = radius / a.placement().longest_side() + 1.0;
    let free = Free::new(a, b, offset, reach);
    let mut found: Vec<Candidate> = Vec::new();
    let mut add = |place: DVec2, normals: [DVec2; 2]| {
        let way = frame.vector_to_world(offset - place);
        if length(way) <= radius {
            let out = normals
                .map(|normal| try_normalize(frame.vector_to_world(normal)).unwrap_or(normal));
            found.push(Candidate { way, out, line: None });
        }
    };
    free.each_straight(offset, &mut |place| add(place, [offset - place; 2]));
    free.each_whole(&mut |place| {
        let way = offset - place;
        // On a line with `o`, there is one way out; elsewhere two borders meet.
        let (x, y) = (DVec2::new(way.x, 0.0), DVec2::new(0.0, way.y));
        add(
            place,
            if way.x == 0.0 {
                [y; 2]
            } else if way.y == 0.0 {
                [x; 2]
            } else {
                [x, y]
            },
        );
    });
    found.sort_by(|p, q| length(p.way).total_cmp(&length(q.way)));
    Some(found)
}

/// Which whole places near `o` are free.
struct Free {
    first: [i32; 2],
    side: usize,
    is_free: Vec<bool>,
}

impl Free {
    fn new(a: &Mask, b: &Mask, offset: DVec2, reach: f64) -> Self {
        let first = [offset.x, offset.y].map(|at| libm::floor(at - reach) as i32);
        let side = libm::ceil(2.0 * reach) as usize + 2;
        let (a, b) = (a.bitmap(), b.bitmap());
        let places = (0..side * side).map(|i| [(i % side) as i32, (i / side) as i32]);
        let is_free = places.map(|[x, y]| !a.overlaps_at(b, [first[0] + x, first[1] + y]));
        Self { first, side, is_free: is_free.collect() }
    }

    /// Whether a place is free; those too far off are not looked at.
    fn at(&self, x: i32, y: i32) -> bool {
        let place = |at: i32, first: i32| {
            usize::try_from(at - first).ok().filter(|&place| place < self.side)
        };
        let found = place(x, self.first[0]).zip(place(y, self.first[1]));
        found.is_some_and(|(x, y)| self.is_free[y * self.side + x])
    }

    /// The free whole places that have one beside them that is not.
    fn each_whole(&self, visit: &mut dyn FnMut(DVec2)) {
        let side = self.side as i32;
        for (y, x) in (0..side).flat_map(|y| (0..side).map(move |x| (y, x))) {
            let (x, y) = (self.first[0] + x, self.first[1] + y);
            let is_open = |(dx, dy): (i32, i32)| self.at(x + dx, y + dy);
            let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
            if self.at(x, y) && !around.into_iter().all(is_open) {
                visit(DVec2::new(x.into(), y.into()));
            }
        }
    }

    /// The nearest free places straight above, below and beside one, each between two whole ones.
    fn each_straight(&self, at: DVec2, visit: &mut dyn FnMut(DVec2)) {
        let (low, high) = (at.floor(), at.ceil());
        let ends = |low: f64, high: f64| [low as i32, high as i32];
        for i in 0..self.side as i32 {
            let (x, y) = (self.first[0] + i, self.first[1] + i);
            if ends(low.x, high.x).into_iter().all(|x| self.at(x, y)) {
                visit(DVec2::new(at.x, y.into()));
            }
            if ends(low.y, high.y).into_iter().all(|y| self.at(x, y)) {
                visit(DVec2::new(x.into(), at.y));
            }
        }
    }
}
