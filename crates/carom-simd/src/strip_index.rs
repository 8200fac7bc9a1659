//! An index of fixed boxes, sorted once by strip and x, for joins with moving boxes.

use alloc::vec::Vec;

use crate::{Bounds, BoxCells, BoxColumns, BoxEntry, COPY_FLAG, LANES, StripGrid, find_cells};

/// Boxes sorted by the strips of a grid, and within each strip by their left sides, for
/// [`join`](crate::join).
///
/// Each box is stored in all strips that it spans, and also in those that it would span if its lower side
/// were lower by a given height. So a query box of at most this height has to be searched for only in the strip
/// of its own lower side. All entries of a box except the first are [copies](COPY_FLAG).
#[derive(Debug)]
pub struct StripIndex {
    /// The strips one after the other, each followed by [`LANES`] empty entries (NaN) that intersect nothing.
    pub(crate) boxes: BoxColumns,
    pub(crate) grid: StripGrid,
    /// For each cell, the index in `boxes` of the first box of its strip that begins in this or a later cell,
    /// or the end of the strip. In either case `boxes` has at least [`LANES`] entries from there on.
    pub(crate) starts: Vec<u32>,
    /// An upper bound of the widths of the boxes.
    pub(crate) max_width: f32,
    /// The maximum height of query boxes that are searched for in a single strip.
    pub(crate) max_height: f32,
    crowding: u64,
}

/// The cells of a [`StripIndex`] in which a query box may find boxes that it intersects.
#[derive(Clone, Copy)]
pub(crate) struct StripRange {
    /// The cell of the first strip at which the search starts.
    pub first_cell: u32,
    /// The number of further strips.
    pub more_strips: u32,
}

/// The number of query boxes that are processed together, strip by strip. This keeps branches predictable
/// where the number of strips per box is not.
pub(crate) const BATCH: usize = 64;

/// An upper bound of the relative rounding error of a difference.
pub(crate) const ROUNDING_ERROR: f32 = 2.0 * f32::EPSILON;

impl StripIndex {
    /// Sorts boxes by the strips of a grid. Query boxes no higher than `max_height`, which must be finite and
    /// not negative, are looked up in a single strip.
    ///
    /// # Panics
    /// Panics if the grid has more than [`StripGrid::MAX_CELLS`] cells, or if there are more entries, with
    /// copies and padding, than [`BoxColumns::MAX_LEN`].
    pub fn new(boxes: &[BoxEntry], grid: StripGrid, max_height: f32) -> Self {
        // 1. Find the cells of the boxes, as if each began lower by `max_height`.
        let lowered = boxes.iter().map(|&BoxEntry { bounds: [left, low, right, high], id }| {
            let low = (low - max_height).max(f32::MIN);
            BoxEntry { bounds: [left, low, right, high], id }
        });
        let mut cells = BoxCells::default();
        find_cells(&grid, &lowered.collect::<Vec<_>>(), &mut cells);

        // 2. Sort originals and copies by cell, then by the left side.
        let firsts = (0..).zip(&cells.firsts).map(|(index, &cell)| [cell, index]);
        let copies = cells.copies.iter().map(|&[cell, index]| [cell, index | COPY_FLAG]);
        let mut order: Vec<(u64, u32)> = firsts
            .chain(copies)
            .map(|[cell, index]| {
                let left = boxes[(index & !COPY_FLAG) as usize].bounds[0];
                (u64::from(cell) << 32 | sortable_bits(left), index)
            })
            .collect();
        order.sort_unstable();
        let cell_of = |&(key, _): &(u64, u32)| (key >> 32) as usize;
        let by_cell = order.chunk_by(|a, b| cell_of(a) == cell_of(b));
        let crowding = by_cell.map(|boxes| (boxes.len() as u64).pow(2)).sum();

        // 3. Write the boxes strip by strip, and note where each cell starts.
        let (columns, strips) = (grid.columns(), grid.strips());
        let (mut sorted, mut starts) = (BoxColumns::new(), Vec::with_capacity(columns * strips));
        sorted.resize(order.len() + strips * LANES);
        let mut order = order.iter().peekable();
        let mut end = 0;
        let mut push = |entry| {
            sorted.set(end as usize, entry);
            end += 1;
            end
        };
        let mut start = 0;
        for strip in 0..strips {
            for cell in strip * columns..(strip + 1) * columns {
                starts.push(start);
                while let Some(&(_, index)) = order.next_if(|it| cell_of(it) == cell) {
                    start = push(BoxEntry::at(boxes, index));
                }
            }
            for _ in 0..LANES {
                start = push(BoxEntry { bounds: [f32::NAN; 4], id: 0 });
            }
        }

        let widths = boxes.iter().map(|it| it.bounds[2] - it.bounds[0]);
        let max_width = widths.fold(0.0, f32::max).next_up();
        Self { boxes: sorted, grid, starts, max_width, max_height, crowding }
    }

    /// Returns the sum over all entries of the number of entries in the same cell, itself included: a measure
    /// of how badly the grid separates the boxes.
    pub fn crowding(&self) -> u64 {
        self.crowding
    }

    /// Returns the cells in which a box may find boxes that it intersects.
    pub(crate) fn strip_range(&self, &[left, low, _, high]: &Bounds) -> StripRange {
        // No box that begins further to the left is wide enough. The margin ensures that rounding excludes no box
        // that is just wide enough.
        let leftmost = left - self.max_width;
        let leftmost = leftmost - (leftmost.abs() * ROUNDING_ERROR + f32::MIN_POSITIVE);
        let StripGrid { x, y } = self.grid;
        let strip = y.cell(low);
        StripRange {
            first_cell: strip * self.grid.columns() as u32 + x.cell(leftmost),
            more_strips: y.cell(high - self.max_height).saturating_sub(strip),
        }
    }
}

/// Returns the bits of a number, changed so that they ascend with it as unsigned integers (-0 counts as 0).
/// They fit in 32 bits.
#[inline]
pub fn sortable_bits(x: f32) -> u64 {
    let bits = (x + 0.0).to_bits(); // turns -0 into 0
    u64::from(if bits >> 31 == 0 { bits | 1 << 31 } else { !bits })
}
