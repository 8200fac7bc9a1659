//! Rows in the order of a grid.

use alloc::vec::Vec;

use crate::{Bounds, BoxCells, BoxColumns, BoxEntry, COPY_FLAG, LANES, StripGrid, find_cells};

/// Boxes sorted by the strips of a grid, and in a strip by where they begin in x, to be looked up by others.
///
/// A box stands in all strips that it reaches, [marked](COPY_FLAG) in all but the first; and in those that
/// it would reach if it began lower by a certain height. So others that are no higher than that have to be
/// looked for in the strip only where they begin.
#[derive(Debug)]
pub struct StripIndex {
    /// Strip after strip, each followed by [`LANES`] boxes that no other meets.
    pub(crate) row: BoxColumns,
    pub(crate) grid: StripGrid,
    /// For each cell of the grid where the first box of its strip stands that begins there or in a later one,
    /// or where the strip ends. It is in the row, and so are the [`LANES`] places from there on.
    pub(crate) starts: Vec<u32>,
    /// No box is wider.
    pub(crate) widest: f32,
    /// By how much boxes begin lower when it comes to strips.
    pub(crate) reach: f32,
    squares: u64,
}

/// Where boxes may be that meet a given one.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    /// The cell in the first strip from which on they begin.
    pub first: u32,
    /// In how many more strips.
    pub more: u32,
}

/// So many boxes are looked for at a time: in the first strip that each of them reaches, then in the
/// second, and so on. A CPU foresees that better than how many strips every box reaches.
pub(crate) const AT_A_TIME: usize = 64;

/// More than a number is off by when it is the difference of two.
pub(crate) const ROUNDING_SHARE: f32 = 2.0 * f32::EPSILON;

impl StripIndex {
    /// Sorts boxes by a grid of at most 2³¹ cells. What is looked up and no higher than `reach`, which is
    /// finite and not negative, is found in one strip.
    pub fn new(boxes: &[BoxEntry], grid: StripGrid, reach: f32) -> Self {
        let lowered = boxes.iter().map(|&BoxEntry { bounds: [left, low, right, high], id }| {
            let low = (low - reach).max(f32::MIN);
            BoxEntry { bounds: [left, low, right, high], id }
        });
        let mut cells = BoxCells::default();
        find_cells(&grid, &lowered.collect::<Vec<_>>(), &mut cells);
        let firsts = (0..).zip(&cells.firsts).map(|(place, &cell)| [cell, place]);
        let others = cells.others.iter().map(|&[cell, place]| [cell, place | COPY_FLAG]);
        let mut order: Vec<(u64, u32)> = firsts
            .chain(others)
            .map(|[cell, place]| {
                let left = boxes[(place & !COPY_FLAG) as usize].bounds[0];
                (u64::from(cell) << 32 | ascending(left), place)
            })
            .collect();
        order.sort_unstable();

        let cell = |&(key, _): &(u64, u32)| (key >> 32) as usize;
        let together = order.chunk_by(|a, b| cell(a) == cell(b));
        let squares = together.map(|boxes| (boxes.len() as u64).pow(2)).sum();

        let (columns, strips) = (grid.columns(), grid.strips());
        let (mut row, mut starts) = (BoxColumns::new(), Vec::with_capacity(columns * strips));
        row.resize(order.len() + strips * LANES);
        let mut order = order.iter().peekable();
        let mut place = 0;
        let mut put = |entry| {
            row.put(place, entry);
            place += 1;
            place as u32
        };
        let mut end = 0;
        for strip in 0..strips {
            for first in strip * columns..(strip + 1) * columns {
                starts.push(end);
                while let Some(&(_, place)) = order.next_if(|it| cell(it) == first) {
                    end = put(BoxEntry::at(boxes, place));
                }
            }
            for _ in 0..LANES {
                end = put(BoxEntry { bounds: [f32::NAN; 4], id: 0 });
            }
        }
        let widths = boxes.iter().map(|it| it.bounds[2] - it.bounds[0]);
        let widest = widths.fold(0.0, f32::max).next_up();
        Self { row, grid, starts, widest, reach, squares }
    }

    /// How many boxes begin in the same cell as each, itself included, summed up.
    pub fn squares(&self) -> u64 {
        self.squares
    }

    pub(crate) fn reach(&self, &[left, low, _, high]: &Bounds) -> Reach {
        let leftmost = left - self.widest;
        let leftmost = leftmost - (leftmost.abs() * ROUNDING_SHARE + f32::MIN_POSITIVE);
        let StripGrid { x, y } = self.grid;
        let strip = y.cell(low);
        Reach {
            first: strip * self.grid.columns() as u32 + x.cell(leftmost),
            more: y.cell(high - self.reach).saturating_sub(strip),
        }
    }
}

/// The bits of a number, changed so that they ascend with it.
#[inline]
pub fn ascending(x: f32) -> u64 {
    let bits = (x + 0.0).to_bits(); // -0 is 0
    u64::from(if bits >> 31 == 0 { bits | 1 << 31 } else { !bits })
}
