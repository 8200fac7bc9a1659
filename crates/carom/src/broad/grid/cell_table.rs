//! A hash table from cells to the ids of the boxes in them.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::broad::shared::box_table::NONE;

/// The coordinates of a cell, in cells.
pub type CellIndex = [i32; 2];

/// A rectangle of cells, both corners included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellRect {
    pub min: CellIndex,
    pub max: CellIndex,
}

impl CellRect {
    /// Returns the number of cells.
    pub fn count(&self) -> u64 {
        let [x, y] = [0, 1].map(|axis| self.max[axis].abs_diff(self.min[axis]) as u64 + 1);
        x.saturating_mul(y)
    }

    /// Calls `visit` with each cell, row by row.
    pub fn for_each(&self, mut visit: impl FnMut(CellIndex)) {
        for y in self.min[1]..=self.max[1] {
            for x in self.min[0]..=self.max[0] {
                visit([x, y]);
            }
        }
    }

    /// Returns the cells that both rectangles contain, if there are any.
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        let min = [0, 1].map(|axis| self.min[axis].max(other.min[axis]));
        let max = [0, 1].map(|axis| self.max[axis].min(other.max[axis]));
        (min[0] <= max[0] && min[1] <= max[1]).then_some(Self { min, max })
    }

    /// Returns the cell of this rectangle that is nearest to another rectangle; if there are several, the one
    /// with the smallest coordinates.
    pub fn nearest(&self, to: &Self) -> CellIndex {
        [0, 1].map(|axis| self.min[axis].max(to.min[axis]).min(self.max[axis]))
    }

    /// Returns the corner of this rectangle that is farthest from another rectangle.
    pub fn farthest(&self, from: &Self) -> CellIndex {
        [0, 1].map(|axis| {
            let (low, high) = (self.min[axis], self.max[axis]);
            let is_low = from.min[axis].saturating_sub(low) > high.saturating_sub(from.max[axis]);
            if is_low { low } else { high }
        })
    }

    /// Returns the number of the ring around this rectangle in which a cell is; 0 if it is inside.
    pub fn ring_of(&self, cell: CellIndex) -> u32 {
        let gap = |axis: usize| {
            let below = i64::from(self.min[axis]) - i64::from(cell[axis]);
            let above = i64::from(cell[axis]) - i64::from(self.max[axis]);
            below.max(above).max(0) as u32
        };
        gap(0).max(gap(1))
    }

    /// Returns the cells of a ring around this rectangle as four rectangles; ring 0 is the rectangle itself.
    /// Coordinates that no cell has are cut off.
    pub fn ring(&self, ring: u32) -> [Option<Self>; 4] {
        if ring == 0 {
            return [Some(*self), None, None, None];
        }
        let min = self.min.map(|low| low.saturating_sub_unsigned(ring));
        let max = self.max.map(|high| high.saturating_add_unsigned(ring));
        let (lower, upper) = (min[1].saturating_add(1), max[1].saturating_sub(1));
        [
            Self { min, max: [max[0], min[1]] },
            Self { min: [min[0], max[1]], max },
            Self { min: [min[0], lower], max: [min[0], upper] },
            Self { min: [max[0], lower], max: [max[0], upper] },
        ]
        .map(Some)
    }
}

/// The ids in each cell: a hash table with chaining. Its order depends on the previous calls only.
#[derive(Clone, Debug, Default)]
pub struct CellTable {
    /// The first entry of each chain. The number of chains is a power of two.
    chains: Vec<u32>,
    entries: Vec<Entry>,
    /// The first unused entry; these are chained as well.
    free: Option<u32>,
    len: usize,
    /// A rectangle around all cells that have been used.
    used: Option<CellRect>,
}

#[derive(Clone, Debug)]
struct Entry {
    cell: CellIndex,
    id: u32,
    next: u32,
}

impl CellTable {
    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns a rectangle outside of which all cells are empty.
    pub fn used(&self) -> Option<CellRect> {
        self.used
    }

    pub fn clear(&mut self) {
        self.chains.fill(NONE);
        self.entries.clear();
        (self.free, self.len, self.used) = (None, 0, None);
    }

    fn chain_of(&self, [x, y]: CellIndex) -> usize {
        // Fibonacci hashing: the multiplier is 2⁶⁴ divided by the golden ratio.
        let mixed = (x as u32 as u64 | (y as u32 as u64) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32 ^ mixed >> 52) as usize & (self.chains.len() - 1)
    }

    /// Adds an id to a cell.
    pub fn insert(&mut self, cell: CellIndex, id: u32) {
        self.len += 1;
        if self.len > self.chains.len() {
            self.rehash();
        }
        let used = self.used.get_or_insert(CellRect { min: cell, max: cell });
        used.min = [0, 1].map(|axis| used.min[axis].min(cell[axis]));
        used.max = [0, 1].map(|axis| used.max[axis].max(cell[axis]));
        let chain = self.chain_of(cell);
        let entry = Entry { cell, id, next: self.chains[chain] };
        self.chains[chain] = match self.free {
            Some(index) => {
                let next = core::mem::replace(&mut self.entries[index as usize], entry).next;
                self.free = (next != NONE).then_some(next);
                index
            }
            None => {
                self.entries.push(entry);
                self.entries.len() as u32 - 1
            }
        };
    }

    /// Removes an id from a cell that contains it.
    pub fn remove(&mut self, cell: CellIndex, id: u32) {
        let chain = self.chain_of(cell);
        let mut previous = NONE;
        let mut index = self.chains[chain];
        while self.entries[index as usize].id != id || self.entries[index as usize].cell != cell {
            (previous, index) = (index, self.entries[index as usize].next);
        }
        let next = self.entries[index as usize].next;
        match previous {
            NONE => self.chains[chain] = next,
            _ => self.entries[previous as usize].next = next,
        }
        self.entries[index as usize].next = self.free.unwrap_or(NONE);
        self.free = Some(index);
        self.len -= 1;
    }

    /// Returns the ids in a cell.
    pub fn ids(&self, cell: CellIndex) -> impl Iterator<Item = u32> {
        let first = if self.chains.is_empty() { NONE } else { self.chains[self.chain_of(cell)] };
        self.chain(first).filter(move |entry| entry.cell == cell).map(|entry| entry.id)
    }

    /// Calls `visit` with every two ids in the same cell, until it returns `Break`.
    pub fn for_each_two(
        &self,
        mut visit: impl FnMut(CellIndex, u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for &first in &self.chains {
            for a in self.chain(first) {
                for b in self.chain(a.next) {
                    if a.cell == b.cell {
                        visit(a.cell, a.id, b.id)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn chain(&self, first: u32) -> impl Iterator<Item = &Entry> {
        let entry = |index: u32| self.entries.get(index as usize);
        core::iter::successors(entry(first), move |previous| entry(previous.next))
    }

    /// Doubles the number of chains.
    fn rehash(&mut self) {
        let chains = (2 * self.chains.len()).max(64);
        let old = core::mem::replace(&mut self.chains, alloc::vec![NONE; chains]);
        for mut index in old {
            while index != NONE {
                let Entry { cell, next, .. } = self.entries[index as usize];
                let chain = self.chain_of(cell);
                self.entries[index as usize].next = self.chains[chain];
                self.chains[chain] = index;
                index = next;
            }
        }
    }
}
