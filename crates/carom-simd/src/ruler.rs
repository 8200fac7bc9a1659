//! From coordinates to cells.

use alloc::vec::Vec;

/// Divides a stretch of a line into cells of equal width, numbered from 0. What lies outside of the
/// stretch belongs to the first or last cell.
///
/// Only one thing has to hold for the pairs to be right, and it does for all finite numbers, however
/// they are rounded: a greater coordinate never has a lesser cell.
#[derive(Clone, Copy, Debug)]
pub struct AxisCells {
    /// Half of where the stretch begins. Halves cannot overflow when one is subtracted from another.
    pub(crate) low: f32,
    /// How many cells there are to the unit of these halves.
    pub(crate) scale: f32,
    /// The middle of the last cell, in cells.
    pub(crate) last: f32,
}

/// The middle of the first cell, in cells.
pub(crate) const FIRST: f32 = 0.5;

/// Adding it to somewhere in a cell, from [`FIRST`] on, rounds to a number whose lowest bits are those of
/// the cell.
pub(crate) const ROUNDING: f32 = (1 << 23) as f32 - FIRST;

/// The bits of the cell.
pub(crate) const CELL: u32 = (1 << 23) - 1;

impl AxisCells {
    /// The most cells there can be.
    pub const MAX_CELLS: usize = 1 << 22;

    /// From the stretch and the number of cells, of which there is at least one.
    pub fn new(low: f32, high: f32, cells: usize) -> Self {
        let cells = cells.clamp(1, Self::MAX_CELLS) as f32;
        let low = low * 0.5;
        // The cells of a stretch of no width are endlessly many to the unit.
        let scale = (cells / (high * 0.5 - low + 0.0)).min(f32::MAX); // never -0
        Self { low, scale, last: cells - FIRST }
    }

    /// How many cells there are; never none.
    #[inline]
    #[allow(clippy::len_without_is_empty, reason = "never empty")]
    pub fn len(&self) -> usize {
        self.last as usize + 1
    }

    /// The same stretch with another number of cells.
    pub fn divided(&self, cells: usize) -> Self {
        let cells = cells.clamp(1, Self::MAX_CELLS) as f32;
        let scale = self.scale * (cells / (self.last + FIRST));
        Self { low: self.low, scale: scale.min(f32::MAX), last: cells - FIRST }
    }

    /// The cell of a coordinate.
    #[inline(always)]
    pub fn cell(&self, at: f32) -> u32 {
        let along = (at * 0.5 - self.low) * self.scale;
        // Written so that each is one instruction; no number here is NaN.
        let along = if along > FIRST { along } else { FIRST };
        let along = if along < self.last { along } else { self.last };
        (along + ROUNDING).to_bits() & CELL
    }
}

/// With one cell.
impl Default for AxisCells {
    fn default() -> Self {
        Self::new(0.0, 0.0, 1)
    }
}

/// A ruler for x and one for y: strips of equal height, each divided into cells of equal width. The
/// cells are numbered along the first strip, then along the second, and so on.
#[derive(Clone, Copy, Debug, Default)]
pub struct StripGrid {
    /// The cells of a strip.
    pub x: AxisCells,
    /// The strips.
    pub y: AxisCells,
}

impl StripGrid {
    /// The number of cells in a strip.
    #[inline]
    pub fn columns(&self) -> usize {
        self.x.len()
    }

    /// The number of strips.
    #[inline]
    pub fn strips(&self) -> usize {
        self.y.len()
    }

    /// The most cells of a grid: their numbers must fit in 32 bits, with one to spare.
    pub const MAX_CELLS: usize = 1 << 31;

    /// Returns the number of cells in all strips.
    ///
    /// # Panics
    /// Panics if there are more than [`Self::MAX_CELLS`].
    #[inline]
    pub fn cells(&self) -> usize {
        // 44 bits at most, which is more than `usize` has on some machines.
        let cells = self.columns() as u64 * self.strips() as u64;
        assert!(
            cells <= Self::MAX_CELLS as u64,
            "a grid of {} columns and {} strips has more than {} cells",
            self.columns(),
            self.strips(),
            Self::MAX_CELLS
        );
        cells as usize
    }
}

/// Where boxes come to lie in a grid.
#[derive(Clone, Debug, Default)]
pub struct BoxCells {
    /// For each box the cell where it begins, in its first strip.
    pub firsts: Vec<u32>,
    /// The cells where it begins in each later strip that it reaches, with its place in the list.
    pub others: Vec<[u32; 2]>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_never_descend_and_stay_in_range() {
        let steps = [0.0, 1e-45, 1e-40, f32::MIN_POSITIVE, 1e-20, 0.3, 1.0, 1.5, 7.0, 1e8, 1e30];
        let mut points: Vec<f32> = steps.iter().flat_map(|&x| [x, -x]).collect();
        points.extend([f32::MAX, f32::MIN, f32::MAX / 2.0, f32::MIN / 2.0]);
        points.sort_by(f32::total_cmp);
        for &low in &points {
            for &high in points.iter().filter(|&&high| high >= low) {
                for cells in [1, 2, 3, 100, 2048, AxisCells::MAX_CELLS] {
                    let ruler = AxisCells::new(low, high, cells);
                    assert_eq!(ruler.len(), cells);
                    let placed: Vec<u32> = points.iter().map(|&x| ruler.cell(x)).collect();
                    assert!(placed.is_sorted(), "{low} to {high}: {placed:?}");
                    assert!(placed.iter().all(|&cell| (cell as usize) < cells));
                }
            }
        }
    }

    #[test]
    fn where_there_is_one_cell_everything_is_in_it() {
        for ruler in
            [AxisCells::default(), AxisCells::default().divided(1), AxisCells::new(-3.0, 5.0, 1)]
        {
            assert_eq!(ruler.len(), 1);
            for x in [f32::MIN, -1.0, 0.0, 1e-45, 7.0, f32::MAX, f32::INFINITY, f32::NAN] {
                assert_eq!(ruler.cell(x), 0, "{x} by {ruler:?}");
            }
        }
    }

    #[test]
    fn cells_have_equal_width() {
        let ruler = AxisCells::new(-100.0, 100.0, 200);
        let placed = |offset: f32| (-100..100).map(move |x| ruler.cell(x as f32 + offset));
        assert!(placed(0.01).eq(0..200));
        assert!(placed(0.99).eq(0..200));
    }
}
