//! Lists of ids by cells: a hash table that is never asked for its order.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::broad::boxes::NONE;

/// A rectangle of cells, the last ones included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    pub min: [i32; 2],
    pub max: [i32; 2],
}

impl Range {
    pub fn count(&self) -> u64 {
        let [x, y] = [0, 1].map(|axis| self.max[axis].abs_diff(self.min[axis]) as u64 + 1);
        x.saturating_mul(y)
    }

    pub fn for_each(&self, mut each: impl FnMut([i32; 2])) {
        for y in self.min[1]..=self.max[1] {
            for x in self.min[0]..=self.max[0] {
                each([x, y]);
            }
        }
    }
}

/// Which ids are in which cells. Cells with the same hash share a chain.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    /// The first entry of each chain; a power of two of them.
    chains: Vec<u32>,
    entries: Vec<Entry>,
    /// The first of the entries that are free, chained as well.
    free: Option<u32>,
    len: usize,
    /// All cells there ever was something in.
    used: Option<Range>,
}

#[derive(Clone, Debug)]
struct Entry {
    cell: [i32; 2],
    id: u32,
    next: u32,
}

impl Cells {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// A rectangle outside which there is nothing.
    pub fn used(&self) -> Option<Range> {
        self.used
    }

    pub fn clear(&mut self) {
        self.chains.fill(NONE);
        self.entries.clear();
        (self.free, self.len, self.used) = (None, 0, None);
    }

    fn chain_of(&self, [x, y]: [i32; 2]) -> usize {
        let mixed = (x as u32 as u64 | (y as u32 as u64) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32 ^ mixed >> 52) as usize & (self.chains.len() - 1)
    }

    /// Puts an id into a cell.
    pub fn add(&mut self, cell: [i32; 2], id: u32) {
        self.len += 1;
        if self.len > self.chains.len() {
            self.widen();
        }
        let used = self.used.get_or_insert(Range { min: cell, max: cell });
        used.min = [0, 1].map(|axis| used.min[axis].min(cell[axis]));
        used.max = [0, 1].map(|axis| used.max[axis].max(cell[axis]));
        let chain = self.chain_of(cell);
        let entry = Entry { cell, id, next: self.chains[chain] };
        self.chains[chain] = match self.free {
            Some(place) => {
                let next = core::mem::replace(&mut self.entries[place as usize], entry).next;
                self.free = (next != NONE).then_some(next);
                place
            }
            None => {
                self.entries.push(entry);
                self.entries.len() as u32 - 1
            }
        };
    }

    /// Takes an id out of a cell that it is in.
    pub fn remove(&mut self, cell: [i32; 2], id: u32) {
        let chain = self.chain_of(cell);
        let mut last = NONE;
        let mut place = self.chains[chain];
        while self.entries[place as usize].id != id || self.entries[place as usize].cell != cell {
            (last, place) = (place, self.entries[place as usize].next);
        }
        let next = self.entries[place as usize].next;
        match last {
            NONE => self.chains[chain] = next,
            _ => self.entries[last as usize].next = next,
        }
        self.entries[place as usize].next = self.free.unwrap_or(NONE);
        self.free = Some(place);
        self.len -= 1;
    }

    /// The ids in a cell.
    pub fn at(&self, cell: [i32; 2]) -> impl Iterator<Item = u32> {
        let first = if self.chains.is_empty() { NONE } else { self.chains[self.chain_of(cell)] };
        self.chain(first).filter(move |entry| entry.cell == cell).map(|entry| entry.id)
    }

    /// Shows every two ids that share a cell, until told to break.
    pub fn for_each_two(
        &self,
        mut each: impl FnMut([i32; 2], u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for &first in &self.chains {
            for a in self.chain(first) {
                for b in self.chain(a.next) {
                    if a.cell == b.cell {
                        each(a.cell, a.id, b.id)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn chain(&self, first: u32) -> impl Iterator<Item = &Entry> {
        let entry = |place: u32| self.entries.get(place as usize);
        core::iter::successors(entry(first), move |last| entry(last.next))
    }

    /// Makes twice as many chains.
    fn widen(&mut self) {
        let chains = (2 * self.chains.len()).max(64);
        let old = core::mem::replace(&mut self.chains, alloc::vec![NONE; chains]);
        for mut place in old {
            while place != NONE {
                let Entry { cell, next, .. } = self.entries[place as usize];
                let chain = self.chain_of(cell);
                self.entries[place as usize].next = self.chains[chain];
                self.chains[chain] = place;
                place = next;
            }
        }
    }
}
