//! Conversion of coordinates to cells.

use alloc::vec::Vec;

/// A division of an interval of an axis into cells of equal width, numbered from 0. Coordinates outside of the
/// interval belong to the first or last cell.
///
/// Correct pairs require one property only, which holds for all finite coordinates regardless of rounding:
/// the cell of a greater coordinate is never smaller (monotonicity).
#[derive(Clone, Copy, Debug)]
pub struct AxisCells {
    /// Half of the start of the interval. Differences of halves cannot overflow.
    pub(crate) half_low: f32,
    /// The number of cells per unit of halved coordinates.
    pub(crate) scale: f32,
    /// The center of the last cell, in units of cells.
    pub(crate) last_center: f32,
}

/// The center of the first cell, in units of cells.
pub(crate) const FIRST_CENTER: f32 = 0.5;

/// Adding this to a position in units of cells, from [`FIRST_CENTER`] on, rounds it to a number whose lowest
/// bits are those of the cell: floats between 2²³ and 2²⁴ are the integers.
pub(crate) const ROUND_TO_INTEGER: f32 = (1 << 23) as f32 - FIRST_CENTER;

/// The bits of the rounded number that are those of the cell.
pub(crate) const CELL_MASK: u32 = (1 << 23) - 1;

impl AxisCells {
    /// The maximum number of cells.
    pub const MAX_CELLS: usize = 1 << 22;

    /// Divides the interval from `low` to `high`. The number of cells is clamped to
    /// `1..=`[`Self::MAX_CELLS`].
    pub fn new(low: f32, high: f32, cells: usize) -> Self {
        let cells = cells.clamp(1, Self::MAX_CELLS) as f32;
        let half_low = low * 0.5;
        // The scale of an empty interval would be infinite. Adding 0 turns a width of -0 into 0.
        let scale = (cells / (high * 0.5 - half_low + 0.0)).min(f32::MAX);
        Self { half_low, scale, last_center: cells - FIRST_CENTER }
    }

    /// Returns the number of cells, which is at least 1.
    #[inline]
    #[allow(clippy::len_without_is_empty, reason = "never empty")]
    pub fn len(&self) -> usize {
        self.last_center as usize + 1
    }

    /// Divides the same interval into another number of cells.
    #[must_use]
    pub fn with_len(&self, cells: usize) -> Self {
        let cells = cells.clamp(1, Self::MAX_CELLS) as f32;
        let scale = self.scale * (cells / (self.last_center + FIRST_CENTER));
        let scale = scale.min(f32::MAX);
        Self { half_low: self.half_low, scale, last_center: cells - FIRST_CENTER }
    }

    /// Returns the cell of a coordinate; 0 if it is NaN.
    #[inline(always)]
    pub fn cell(&self, coordinate: f32) -> u32 {
        let position = (coordinate * 0.5 - self.half_low) * self.scale;
        // `clamp` would compile to more instructions, since it also handles NaN limits.
        let position = if position > FIRST_CENTER { position } else { FIRST_CENTER };
        let position = if position < self.last_center { position } else { self.last_center };
        (position + ROUND_TO_INTEGER).to_bits() & CELL_MASK
    }
}

/// The default is a single cell.
impl Default for AxisCells {
    fn default() -> Self {
        Self::new(0.0, 0.0, 1)
    }
}

/// Horizontal strips of equal height, each divided into columns of equal width. Cells are numbered along the
/// first strip, then along the second, and so on.
#[derive(Clone, Copy, Debug, Default)]
pub struct StripGrid {
    /// The columns.
    pub x: AxisCells,
    /// The strips.
    pub y: AxisCells,
}

impl StripGrid {
    /// The maximum number of cells: their numbers must fit in 32 bits, with one bit to spare.
    pub const MAX_CELLS: usize = 1 << 31;

    /// Returns the number of cells in a strip.
    #[inline]
    pub fn columns(&self) -> usize {
        self.x.len()
    }

    /// Returns the number of strips.
    #[inline]
    pub fn strips(&self) -> usize {
        self.y.len()
    }

    /// Returns the number of cells in all strips.
    ///
    /// # Panics
    /// Panics if there are more than [`Self::MAX_CELLS`].
    #[inline]
    pub fn cell_count(&self) -> usize {
        let (columns, strips) = (self.columns(), self.strips());
        // At most 2⁴⁴, which does not fit in a 32-bit `usize`.
        let cells = columns as u64 * strips as u64;
        let max = Self::MAX_CELLS;
        assert!(
            cells <= max as u64,
            "{strips} strips of {columns} columns are more than {max} cells"
        );
        cells as usize
    }
}

/// The cells of a list of boxes in a [`StripGrid`]. A box is in one cell of each strip that it spans: the one
/// in the column where it begins.
#[derive(Clone, Debug, Default)]
pub struct BoxCells {
    /// For each box, its cell in the first strip that it spans.
    pub firsts: Vec<u32>,
    /// For each further strip that a box spans, its cell there and the index of the box.
    pub copies: Vec<[u32; 2]>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_ascend_with_coordinates_and_stay_in_range() {
        let steps = [0.0, 1e-45, 1e-40, f32::MIN_POSITIVE, 1e-20, 0.3, 1.0, 1.5, 7.0, 1e8, 1e30];
        let mut points: Vec<f32> = steps.iter().flat_map(|&x| [x, -x]).collect();
        points.extend([f32::MAX, f32::MIN, f32::MAX / 2.0, f32::MIN / 2.0]);
        points.sort_by(f32::total_cmp);
        for &low in &points {
            for &high in points.iter().filter(|&&high| high >= low) {
                for cells in [1, 2, 3, 100, 2048, AxisCells::MAX_CELLS] {
                    let axis = AxisCells::new(low, high, cells);
                    assert_eq!(axis.len(), cells);
                    let cells_of_points: Vec<u32> = points.iter().map(|&x| axis.cell(x)).collect();
                    assert!(cells_of_points.is_sorted(), "{low} to {high}: {cells_of_points:?}");
                    assert!(cells_of_points.iter().all(|&cell| (cell as usize) < cells));
                }
            }
        }
    }

    #[test]
    fn a_single_cell_contains_every_coordinate() {
        for axis in
            [AxisCells::default(), AxisCells::default().with_len(1), AxisCells::new(-3.0, 5.0, 1)]
        {
            assert_eq!(axis.len(), 1);
            for x in [f32::MIN, -1.0, 0.0, 1e-45, 7.0, f32::MAX, f32::INFINITY, f32::NAN] {
                assert_eq!(axis.cell(x), 0, "{x} in {axis:?}");
            }
        }
    }

    #[test]
    fn cells_have_equal_width() {
        let axis = AxisCells::new(-100.0, 100.0, 200);
        let cells_of_points = |offset: f32| (-100..100).map(move |x| axis.cell(x as f32 + offset));
        assert!(cells_of_points(0.01).eq(0..200));
        assert!(cells_of_points(0.99).eq(0..200));
    }
}
