//! Joining moving boxes with an index of fixed ones.

use alloc::vec::Vec;
use core::arch::x86_64::*;
use core::ops::Range;

use super::columns::Columns;
use super::lanes::horizontal_max;
use super::pair_writer::{PairWriter, compaction};
use super::uninit_array::UninitArray;
use super::{AxisCellsX8, BYTES, first_lanes, lane_mask, nonzero_bytes};
use crate::strip_index::{BATCH, ROUNDING_ERROR};
use crate::{BoxColumns, LANES, Pair, StripIndex};

/// Implements [`crate::join`].
#[target_feature(enable = "avx2,popcnt")]
pub fn join(
    boxes: &BoxColumns,
    range: Range<usize>,
    index: &StripIndex,
    pairs: &mut Vec<Pair>,
) -> u64 {
    boxes.check_range_end(range.end);
    let columns = Columns::new(boxes);
    let finder = StripFinder::new(index);
    let mut writer = PairWriter::new(pairs);
    let mut steps = 0;
    for start in range.clone().step_by(BATCH) {
        let batch = start..range.end.min(start + BATCH);
        let mut queries = StripRanges::new();
        // SAFETY: the batch has at most `BATCH` boxes and ends at most at the number of boxes, as checked
        // above; `queries` is empty.
        let has_more_strips = unsafe { finder.find(&columns, batch, &mut queries) };
        // SAFETY: the cells in `queries` come from `finder`, so they are cells of the index's grid.
        steps += unsafe { queries.search::<true>(index, &mut writer) };
        if has_more_strips {
            queries.next_strip(finder.columns);
            while queries.len > 0 {
                // SAFETY: `next_strip` moves a box from a cell to the one above, and only if the box reaches that
                // strip, so the cells are still cells of the index's grid.
                steps += unsafe { queries.search::<false>(index, &mut writer) };
                queries.next_strip(finder.columns);
            }
        }
    }
    (steps * LANES) as u64
}

/// An array of a number for each box of a batch, and eight more.
type BatchArray = UninitArray<{ BATCH + LANES }>;

/// A batch of query boxes: the sides and ids of each, and the cells of the index in which to search.
struct StripRanges {
    /// The cell of the current strip at which the search starts.
    first_cells: BatchArray,
    /// The number of strips after the current one in which to search.
    more_strips: BatchArray,
    ids: BatchArray,
    /// The sides, in the order of [`crate::Bounds`].
    sides: [BatchArray; 4],
    /// The number of boxes, at most [`BATCH`]. In every array, the first `len` numbers have been written; once
    /// [`StripFinder::find`] has returned, so have the [`LANES`] after them.
    len: usize,
}

impl StripRanges {
    #[inline]
    fn new() -> Self {
        let sides = core::array::from_fn(|_| UninitArray::new());
        Self {
            first_cells: UninitArray::new(),
            more_strips: UninitArray::new(),
            ids: UninitArray::new(),
            sides,
            len: 0,
        }
    }

    /// Appends the boxes in some lanes: their first cells, further strips and ids, and their sides.
    ///
    /// # Safety
    /// The caller must guarantee that there are at most [`BATCH`] boxes before, and at most [`BATCH`]
    /// afterwards.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn push(&mut self, lanes: u32, numbers: [__m256i; 3], sides: [__m256i; 4]) {
        let order = compaction(lanes);
        let arrays = [&mut self.first_cells, &mut self.more_strips, &mut self.ids];
        for (array, numbers) in arrays.into_iter().zip(numbers) {
            // SAFETY: `len` is at most `BATCH`, and the array has `LANES` more entries.
            unsafe { array.write(self.len, _mm256_permutevar8x32_epi32(numbers, order)) };
        }
        for (array, sides) in self.sides.iter_mut().zip(sides) {
            // SAFETY: `len` is at most `BATCH`, and the array has `LANES` more entries.
            unsafe { array.write(self.len, _mm256_permutevar8x32_epi32(sides, order)) };
        }
        self.len += lanes.count_ones() as usize;
    }

    /// Keeps the boxes that reach the next strip, and moves on to it.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn next_strip(&mut self, columns: __m256i) {
        let count = core::mem::take(&mut self.len);
        let zero = _mm256_setzero_si256();
        for start in (0..count).step_by(LANES) {
            // SAFETY: `start` is less than `BATCH`, so there are eight entries from it on. They have been
            // written: the first `count` and `LANES` more were, and later ones only overwritten.
            let ([first, more, id], sides) = unsafe {
                let arrays = [&self.first_cells, &self.more_strips, &self.ids];
                let sides = self.sides.each_ref().map(|array| array.load(start));
                (arrays.map(|array| array.load(start)), sides)
            };
            let lanes = lane_mask(_mm256_cmpgt_epi32(more, zero)) & first_lanes(count - start);
            if lanes == 0 {
                continue;
            }
            let first = _mm256_add_epi32(first, columns);
            let more = _mm256_sub_epi32(more, _mm256_set1_epi32(1));
            // SAFETY: at most as many boxes are kept as there were before these, so `len` is at most `start`,
            // and at most `count`, which is at most `BATCH`, afterwards.
            unsafe { self.push(lanes, [first, more, id], sides) };
        }
    }

    /// Tests each box against those of the index from its cell on; in strips after its first, against
    /// originals only. Returns the number of steps.
    ///
    /// 1. Test one step of each box, and only store the resulting bits, so that the CPU processes many steps at a
    ///    time.
    /// 2. Write the pairs found.
    /// 3. Continue with the few boxes that have more candidates than one step covers.
    ///
    /// # Safety
    /// The caller must guarantee that the cells are cells of the index's grid.
    #[inline(never)]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn search<const FIRST_STRIP: bool>(
        &self,
        index: &StripIndex,
        writer: &mut PairWriter<'_>,
    ) -> usize {
        let (others, mut steps) = (Columns::new(&index.boxes), self.len);
        // SAFETY: `start` is called with `i < len` only, for which the cell has been written. It is a cell of
        // the grid, as the caller guarantees, and `starts` has an entry for each cell.
        let start =
            |i| unsafe { *index.starts.get_unchecked(self.first_cells.get(i) as usize) as usize };
        let (mut found, mut begun) = ([0; BATCH], [0; BATCH]);
        for (i, (found, begun)) in found.iter_mut().zip(&mut begun).enumerate().take(self.len) {
            // SAFETY: `i` is less than `len`, and every entry of `starts` is an index of the boxes.
            let (intersect, begin) =
                unsafe { others.compare::<FIRST_STRIP>(start(i), &self.bounds(i)) };
            (*found, *begun) = (intersect as u8, begin as u8);
        }
        writer.reserve((self.len + 1) * LANES);
        let mut set = nonzero_entries(&found);
        while set != 0 {
            let i = take_lowest(&mut set);
            // SAFETY: only the first `len` entries can be nonzero, so `i` is less than `len`, and every entry of
            // `starts` is an index of the boxes. Room for `LANES` pairs per box has been reserved.
            unsafe { writer.push_few_with_id(found[i].into(), others.ids(start(i)), self.id(i)) };
        }
        // The boxes for which even the last of the eight candidates begins before they end.
        let mut set = nonzero_entries(&begun.map(|lanes| lanes >> (LANES - 1)));
        while set != 0 {
            let i = take_lowest(&mut set);
            // SAFETY: only the first `len` entries can be nonzero, so `i` is less than `len`.
            let (mut at, bounds, id) = unsafe { (start(i), self.bounds(i), self.id(i)) };
            loop {
                at += LANES;
                steps += 1;
                writer.reserve(2 * LANES);
                // SAFETY: the last of the eight before was not NaN, so it belongs to the strip, which is followed
                // by `LANES` empty entries: the eight from `at` on are entries of the index. Room for `LANES`
                // pairs has just been reserved.
                let begin = unsafe {
                    let (intersect, begin) = others.compare::<FIRST_STRIP>(at, &bounds);
                    writer.push_few_with_id(intersect, others.ids(at), id);
                    begin
                };
                if begin >> (LANES - 1) == 0 {
                    break;
                }
            }
        }
        steps
    }

    /// Returns the sides of a box, each in all lanes.
    ///
    /// # Safety
    /// The caller must guarantee that `i` is less than `len`.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn bounds(&self, i: usize) -> [__m256; 4] {
        // SAFETY: `i` is less than `len`, so it is in bounds and the number has been written.
        self.sides.each_ref().map(|array| _mm256_set1_ps(f32::from_bits(unsafe { array.get(i) })))
    }

    /// Returns the id of a box, in all lanes.
    ///
    /// # Safety
    /// The caller must guarantee that `i` is less than `len`.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn id(&self, i: usize) -> __m256i {
        // SAFETY: `i` is less than `len`, so it is in bounds and the number has been written.
        _mm256_set1_epi32(unsafe { self.ids.get(i) } as i32)
    }
}

/// Returns the indices of the bytes that are not zero as a bit set.
#[inline]
#[target_feature(enable = "avx2")]
fn nonzero_entries(bytes: &[u8; BATCH]) -> u64 {
    const { assert!(BATCH == 2 * BYTES) };
    let halves = bytes.as_chunks().0;
    u64::from(nonzero_bytes(&halves[1])) << BYTES | u64::from(nonzero_bytes(&halves[0]))
}

/// Removes the lowest bit from a set that is not empty, and returns its index.
#[inline]
fn take_lowest(set: &mut u64) -> usize {
    let lowest = set.trailing_zeros() as usize;
    *set &= *set - 1;
    lowest
}

/// The vectors with which to compute [`StripIndex::strip_range`] for eight boxes at a time.
struct StripFinder {
    x: AxisCellsX8,
    y: AxisCellsX8,
    columns: __m256i,
    max_width: __m256,
    max_height: __m256,
}

impl StripFinder {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(index: &StripIndex) -> Self {
        let (x, y) = (AxisCellsX8::new(&index.grid.x), AxisCellsX8::new(&index.grid.y));
        let columns = _mm256_set1_epi32(index.grid.columns() as i32);
        let [max_width, max_height] =
            [index.max_width, index.max_height].map(|size| _mm256_set1_ps(size));
        Self { x, y, columns, max_width, max_height }
    }

    /// Appends the boxes of a range that are not copies to `queries`. Returns whether any of them may reach
    /// further strips than its first.
    ///
    /// # Safety
    /// The caller must guarantee that the range has at most [`BATCH`] boxes and ends at most at the number of
    /// boxes, and that `queries` is empty.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn find(
        &self,
        columns: &Columns<'_>,
        range: Range<usize>,
        queries: &mut StripRanges,
    ) -> bool {
        let zero = _mm256_setzero_si256();
        let mut most = zero;
        for start in range.clone().step_by(LANES) {
            // SAFETY: `start` is in the range, so less than the number of boxes.
            let (sides, ids) = unsafe { columns.load(start) };
            let [left, low, _, high] = sides;
            let leftmost = _mm256_sub_ps(left, self.max_width);
            let size = _mm256_andnot_ps(_mm256_set1_ps(-0.0), leftmost);
            let relative = _mm256_mul_ps(size, _mm256_set1_ps(ROUNDING_ERROR));
            let rounding = _mm256_add_ps(relative, _mm256_set1_ps(f32::MIN_POSITIVE));
            let leftmost = _mm256_sub_ps(leftmost, rounding);
            let strip = self.y.cells(low);
            let first = _mm256_mullo_epi32(strip, self.columns);
            let first = _mm256_add_epi32(first, self.x.cells(leftmost));
            let last = self.y.cells(_mm256_sub_ps(high, self.max_height));
            let more = _mm256_sub_epi32(last, strip);
            most = _mm256_max_epi32(most, more);
            let lanes = !lane_mask(ids) & first_lanes(range.end - start);
            let sides = sides.map(|sides| _mm256_castps_si256(sides));
            // SAFETY: the boxes so far are some of those in the range before `start`, of which there are less than
            // `BATCH`; with these, they are some of the whole range, of which there are at most `BATCH`.
            unsafe { queries.push(lanes, [first, more, ids], sides) };
        }
        // SAFETY: the boxes are some of those in the range, at most `BATCH`; this adds none, but writes the
        // `LANES` entries after them.
        unsafe { queries.push(0, [zero; 3], [zero; 4]) };
        horizontal_max(most) > 0
    }
}
