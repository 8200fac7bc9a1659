//! The outlines of a bitmap.
//!
//! An outline is followed corner by corner, the inside on its left. The lower edges of pixels (those
//! towards -y) are found 64 at a time; each is followed once round, which goes over all lower edges
//! of the same outline.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use glam::Vec2;

use super::words::ones;
use super::{BLOCK, Bitmap};

/// The four ways along the lines between pixels: the step, and from a corner the pixels ahead on the
/// left and on the right.
const WAYS: [([i32; 2], [i32; 2], [i32; 2]); 4] = [
    ([1, 0], [0, 0], [0, -1]),
    ([0, 1], [-1, 0], [0, 0]),
    ([-1, 0], [-1, -1], [-1, 0]),
    ([0, -1], [0, -1], [-1, -1]),
];

impl Bitmap {
    /// The outlines of all areas and of the holes in them, in pixels from the first corner: the
    /// corners of each, counter-clockwise around areas and clockwise around holes (y up).
    ///
    /// Where pixels touch at a corner only, the outline stays with its pixel; one that comes by the
    /// same corner twice is parted there. So no outline crosses or touches itself, and outlines
    /// touch each other at corners only.
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
        for place in 0..edges.len() {
            while let Some(bit) = ones(edges[place]).next() {
                let column = (place % stride) as i32 * BLOCK as i32 + bit as i32;
                self.follow([column, (place / stride) as i32], &mut edges, &mut outlines);
            }
        }
        outlines
    }

    /// The pixels that are set above one that is clear.
    fn lower_edges(&self) -> Vec<u64> {
        let stride = self.stride;
        let below = core::iter::repeat_n(&0, stride).chain(&*self.words);
        self.words.iter().zip(below).map(|(word, below)| word & !below).collect()
    }

    /// Follows an outline from the start of a lower edge, and takes all its lower edges out.
    fn follow(&self, start: [i32; 2], edges: &mut [u64], outlines: &mut Vec<Vec<Vec2>>) {
        let is_set = |[x, y]: [i32; 2], [dx, dy]: [i32; 2]| {
            // Before the first is beyond the last.
            self.get([(x + dx) as u32, (y + dy) as u32])
        };
        let stride = self.stride;
        let mut corners: Vec<Vec2> = Vec::new();
        let mut pinches: BTreeMap<[i32; 2], usize> = BTreeMap::new();
        let (mut at, mut way) = (start, 0);
        loop {
            if way == 0 {
                let [x, y] = at.map(|place| place as usize);
                edges[y * stride + x / BLOCK as usize] &= !(1 << (x % BLOCK as usize));
            }
            let (step, left, right) = WAYS[way];
            at = [at[0] + step[0], at[1] + step[1]];
            let (left, right) = (is_set(at, left), is_set(at, right));
            let turn = match (left, right) {
                (false, _) => 1,
                (true, false) => 0,
                (true, true) => 3,
            };
            way = (way + turn) % 4;
            if turn != 0 {
                if !left && right {
                    // What has been followed since it came by this corner is an outline of its own.
                    if let Some(first) = pinches.insert(at, corners.len()) {
                        outlines.push(corners.split_off(first));
                        pinches.retain(|_, place| *place < corners.len());
                        pinches.insert(at, corners.len());
                    }
                }
                corners.push(Vec2::new(at[0] as f32, at[1] as f32));
            }
            // The start is where a lower edge begins, so the outline turns there.
            if at == start && way == 0 {
                corners.rotate_right(1);
                outlines.push(corners);
                return;
            }
        }
    }
}
