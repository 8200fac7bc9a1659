//! Tracing the outlines of a bitmap.
//!
//! An outline is traced vertex by vertex with the interior on its left. The lower edges of pixels
//! (towards -y) are found 64 at a time. Tracing starts at each lower edge that no earlier outline
//! has passed.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use glam::Vec2;

use super::bits::ones;
use super::{BLOCK, Bitmap};

/// The four directions along the edges of pixels: the step, and the offsets from a vertex to the
/// pixels ahead on the left and on the right.
const DIRECTIONS: [([i32; 2], [i32; 2], [i32; 2]); 4] = [
    ([1, 0], [0, 0], [0, -1]),
    ([0, 1], [-1, 0], [0, 0]),
    ([-1, 0], [-1, -1], [-1, 0]),
    ([0, -1], [0, -1], [-1, -1]),
];

impl Bitmap {
    /// Returns the outlines of all areas and of their holes, in pixels from the minimum corner of
    /// the bitmap: counterclockwise around areas and clockwise around holes (y up).
    ///
    /// Pixels that touch only at a corner are separated there: no outline crosses or touches
    /// itself, and two outlines touch at vertices only.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let corner = Bitmap::from_rows(&["##", "#."]);
    /// let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    /// assert_eq!(corner.outlines(), [outline.map(Vec2::from)]);
    /// ```
    pub fn outlines(&self) -> Vec<Vec<Vec2>> {
        let mut edges = self.lower_edges();
        let stride = self.stride;
        let mut outlines = Vec::new();
        for index in 0..edges.len() {
            while let Some(bit) = ones(edges[index]).next() {
                let column = (index % stride) as i32 * BLOCK as i32 + bit as i32;
                self.follow([column, (index / stride) as i32], &mut edges, &mut outlines);
            }
        }
        outlines
    }

    /// Returns the pixels of a word that are set and have a clear pixel below.
    fn lower_edges(&self) -> Vec<u64> {
        let stride = self.stride;
        let below = core::iter::repeat_n(&0, stride).chain(&*self.words);
        self.words.iter().zip(below).map(|(word, below)| word & !below).collect()
    }

    /// Traces an outline from the start of a lower edge and removes its lower edges from the list.
    fn follow(&self, start: [i32; 2], edges: &mut [u64], outlines: &mut Vec<Vec<Vec2>>) {
        let is_set = |[x, y]: [i32; 2], [dx, dy]: [i32; 2]| {
            // Index -1 wraps to an index beyond the last, which is clear as well.
            self.get([(x + dx) as u32, (y + dy) as u32])
        };
        let stride = self.stride;
        let mut corners: Vec<Vec2> = Vec::new();
        let mut pinches: BTreeMap<[i32; 2], usize> = BTreeMap::new();
        let (mut at, mut direction) = (start, 0);
        loop {
            if direction == 0 {
                let [x, y] = at.map(|index| index as usize);
                edges[y * stride + x / BLOCK as usize] &= !(1 << (x % BLOCK as usize));
            }
            let (step, left, right) = DIRECTIONS[direction];
            at = [at[0] + step[0], at[1] + step[1]];
            let (left, right) = (is_set(at, left), is_set(at, right));
            let turn = match (left, right) {
                (false, _) => 1,
                (true, false) => 0,
                (true, true) => 3,
            };
            direction = (direction + turn) % 4;
            if turn != 0 {
                if !left && right {
                    // The path since the last visit to this vertex is a separate outline.
                    if let Some(first) = pinches.insert(at, corners.len()) {
                        outlines.push(corners.split_off(first));
                        pinches.retain(|_, index| *index < corners.len());
                        pinches.insert(at, corners.len());
                    }
                }
                corners.push(Vec2::new(at[0] as f32, at[1] as f32));
            }
            // A lower edge begins at the start, so it is a vertex.
            if at == start && direction == 0 {
                corners.rotate_right(1);
                outlines.push(corners);
                return;
            }
        }
    }
}
