//! The edges that the sweep line crosses, from bottom to top.

use core::{cmp::Ordering, ops::Range};

use alloc::vec::Vec;

use glam::Vec2;

use super::crossing::Edge;

/// The largest number of edges in a block. The sweep lines of most polygons fit in one.
const BLOCK: usize = 64;

/// A list of edges with data, sorted by height and stored in blocks. A change moves only the edges of one
/// block, unless the block is split or removed. A search takes two binary searches.
///
/// A balanced tree would have the same complexity, but each of its operations compares edges, which is
/// expensive. Here one search per event is enough.
pub(super) struct Status<T> {
    /// The blocks, none of which is empty.
    blocks: Vec<Vec<(Edge, T)>>,
}

/// A position in the list: that of an edge, or the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Position {
    block: usize,
    index: usize,
}

impl<T: Copy> Status<T> {
    pub fn new() -> Self {
        Self { blocks: Vec::new() }
    }

    /// Returns the position of the lowest edge that is not below a point.
    pub fn seek(&self, point: Vec2) -> Position {
        let is_below = |(edge, _): &(Edge, T)| edge.side(point) == Ordering::Greater;
        let above = self.blocks.partition_point(|block| is_below(&block[0]));
        let Some(block) = above.checked_sub(1) else { return Position { block: 0, index: 0 } };
        let (first, rest) = (1, &self.blocks[block][1..]);
        let index = first + rest.partition_point(is_below);
        self.normalized(Position { block, index })
    }

    /// Returns the edge at a position, unless it is the end.
    pub fn get(&self, at: Position) -> Option<&(Edge, T)> {
        self.blocks.get(at.block)?.get(at.index)
    }

    pub fn next(&self, at: Position) -> Position {
        self.normalized(Position { index: at.index + 1, ..at })
    }

    /// Returns the edge before a position.
    pub fn before(&mut self, at: Position) -> Option<&mut (Edge, T)> {
        match at.index.checked_sub(1) {
            Some(index) => self.blocks[at.block].get_mut(index),
            None => self.blocks[..at.block].last_mut()?.last_mut(),
        }
    }

    /// Replaces a number of edges from a position on by others.
    pub fn replace(&mut self, at: Position, count: usize, new: impl Iterator<Item = (Edge, T)>) {
        // 1. The edges may be at the end of this block and at the start of those that follow.
        let mut rest = count;
        let mut take = |block: &mut Vec<(Edge, T)>, index: usize| {
            let end = block.len().min(index + rest);
            rest -= end - index;
            index..end
        };
        if at.block == self.blocks.len() {
            self.blocks.push(Vec::new());
        }
        let block = &mut self.blocks[at.block];
        let Range { start: mut index, end } = take(block, at.index);
        for edge in new {
            if index < end {
                block[index] = edge; // usually one edge replaces another
            } else {
                block.insert(index, edge);
            }
            index += 1;
        }
        if index < end {
            block.drain(index..end);
        }
        while let Some(block) = self.blocks.get_mut(at.block + 1) {
            let range = take(block, 0);
            if range.is_empty() {
                break;
            }
            block.drain(range);
            if block.is_empty() {
                self.blocks.remove(at.block + 1);
            }
        }
        // 2. No block is empty or too large.
        let block = &mut self.blocks[at.block];
        if block.is_empty() {
            self.blocks.remove(at.block);
        } else if block.len() > BLOCK {
            let upper = block.split_off(block.len() / 2);
            self.blocks.insert(at.block + 1, upper);
        }
    }

    /// Returns the start of the next block in place of the end of a block.
    fn normalized(&self, at: Position) -> Position {
        match self.blocks.get(at.block) {
            Some(block) if at.index == block.len() => Position { block: at.block + 1, index: 0 },
            _ => at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(height: u32) -> Edge {
        let y = height as f32;
        Edge { left: Vec2::new(0.0, y), right: Vec2::new(1.0, y), id: height, ring: 0 }
    }

    fn heights(status: &Status<()>) -> Vec<u32> {
        let mut at = Position { block: 0, index: 0 };
        let next = || {
            let found = status.get(at).map(|(edge, ())| edge.id);
            at = status.next(at);
            found
        };
        core::iter::from_fn(next).collect()
    }

    #[test]
    fn edges_stay_sorted_after_any_replacement() {
        let (mut status, mut expected) = (Status::new(), Vec::<u32>::new());
        let mut state = 1u64;
        let mut below = |end: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % end
        };
        for round in 0..4000 {
            // It grows, then it shrinks.
            let (adds, removes) = if round < 2000 { (3, 2) } else { (2, 6) };
            let height = below(1_000_000) as u32;
            let index = expected.partition_point(|&other| other < height);
            let at = status.seek(Vec2::new(0.5, height as f32));
            assert_eq!(status.get(at).map(|(edge, ())| edge.id), expected.get(index).copied());
            let before = index.checked_sub(1).map(|index| expected[index]);
            assert_eq!(status.before(at).map(|(edge, ())| edge.id), before);
            let count = (below(removes) as usize).min(expected.len() - index);
            let end = expected.get(index + count).copied().unwrap_or(1_000_000);
            let new: Vec<u32> = (height..end.min(height + below(adds) as u32)).collect();
            status.replace(at, count, new.iter().map(|&height| (edge(height), ())));
            expected.splice(index..index + count, new);
            assert_eq!(heights(&status), expected);
            assert!(status.blocks.iter().all(|block| (1..=BLOCK).contains(&block.len())));
        }
    }
}
