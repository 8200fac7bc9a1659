//! All pairs of a few boxes.

use alloc::vec::Vec;
use core::arch::x86_64::*;

use super::columns::Columns;
use super::pair_writer::PairWriter;
use super::uninit_array::UninitArray;
use super::{AxisCellsX8, BYTES, lane_mask, nonzero_bytes};
use crate::pair_blocks::{MAX_BLOCKS, blocks};
use crate::{ALL_PAIRS_MAX, AxisCells, BoxColumns, LANES, Pair};

/// All steps of a block are taken if more than this number of its 64 pairs may intersect.
const CROWDED: u32 = 16;

/// Implements [`crate::all_pairs`].
///
/// 1. The sides of each box are quantized to one byte each, so that a single instruction compares all four
///    sides of eight boxes.
/// 2. Blocks in which no two quantized boxes intersect are skipped.
/// 3. In the other blocks, only the steps in which some quantized boxes intersect are taken.
///
/// Mispredicted loop exits dominate the time, so a single loop runs over all blocks. It stores one byte per
/// block rather than a list of blocks, because each store to a list would have to wait for the length of the
/// list.
///
/// Tried without gain: testing one box after the other instead of in blocks (10 % faster where hardly any
/// boxes intersect, 30 % slower where some do).
#[target_feature(enable = "avx2,popcnt")]
pub fn all_pairs(boxes: &BoxColumns, pairs: &mut Vec<Pair>) {
    let blocks = blocks(boxes.len()); // panics if there are too many boxes
    let columns = Columns::new(boxes);
    // SAFETY: the columns are those of `boxes`, and `blocks` has checked that there are at most
    // `ALL_PAIRS_MAX`.
    let quantized = unsafe { QuantizedBoxes::new(&columns, boxes.len()) };
    let mut candidates = [0; MAX_BLOCKS.next_multiple_of(BYTES)];
    for (&block, candidates) in blocks.iter().zip(&mut candidates) {
        // SAFETY: the block is one of those for `boxes.len()` boxes.
        *candidates = unsafe { quantized.candidates(block) } as u8;
    }
    let mut writer = PairWriter::new(pairs);
    for (first, bytes) in (0..).step_by(BYTES).zip(candidates.as_chunks().0) {
        let mut set = nonzero_bytes(bytes);
        while set != 0 {
            let block = blocks[first + set.trailing_zeros() as usize];
            set &= set - 1;
            writer.reserve(LANES * LANES + LANES);
            // SAFETY: the block is one of those for `boxes.len()` boxes, and room for 64 pairs has just been
            // reserved.
            unsafe { quantized.pair_block(block, &columns, &mut writer) };
        }
    }
}

/// Boxes quantized to four bytes each: the cells of their sides on two axes of 255 cells.
///
/// Two boxes may intersect if no byte of the one (from `lower`) is greater than that of the other (from
/// `upper`): left ≤ right, 255 − right ≤ 255 − left, low ≤ high and 255 − high ≤ 255 − low. Rounding is
/// harmless: since cells ascend with coordinates, no intersection is missed.
struct QuantizedBoxes {
    /// For each box: left, 255 − right, low, 255 − high.
    lower: UninitArray<{ ALL_PAIRS_MAX + LANES }>,
    /// For each box: right, 255 − left, high, 255 − low. After the last box there are zeros, which no box
    /// passes: no cell is 255, so 255 − right is never zero.
    upper: UninitArray<{ ALL_PAIRS_MAX + 2 * LANES }>,
}

impl QuantizedBoxes {
    /// Quantizes `len` boxes.
    ///
    /// # Safety
    /// The caller must guarantee that the columns have `len` boxes, and that `len` is at most
    /// [`ALL_PAIRS_MAX`].
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn new(columns: &Columns<'_>, len: usize) -> Self {
        let mut quantized = Self { lower: UninitArray::new(), upper: UninitArray::new() };
        // SAFETY: the columns have `len` boxes, as the caller guarantees.
        let [x, y] = unsafe { axes(columns, len) };
        let all = _mm256_set1_epi32(-1);
        let second_and_fourth = _mm256_slli_epi16::<8>(all);
        for start in (0..len).step_by(LANES) {
            // SAFETY: `start` is less than the number of boxes.
            let ([left, low, right, high], _) = unsafe { columns.load(start) };
            let x = _mm256_or_si256(x.cells(left), _mm256_slli_epi32::<8>(x.cells(right)));
            let y = _mm256_or_si256(y.cells(low), _mm256_slli_epi32::<8>(y.cells(high)));
            let sides = _mm256_or_si256(x, _mm256_slli_epi32::<16>(y));
            let lower = _mm256_xor_si256(sides, second_and_fourth);
            let swapped =
                _mm256_or_si256(_mm256_slli_epi16::<8>(lower), _mm256_srli_epi16::<8>(lower));
            // SAFETY: `start` is less than `ALL_PAIRS_MAX`, and both arrays have at least `LANES` more entries.
            unsafe {
                quantized.lower.write(start, lower);
                quantized.upper.write(start, _mm256_xor_si256(swapped, all));
            }
        }
        let zero = _mm256_setzero_si256();
        // SAFETY: `len`, rounded up to a multiple of `LANES`, is at most `ALL_PAIRS_MAX`, and the array has
        // 2 * `LANES` more entries.
        unsafe {
            quantized.upper.write(len, zero);
            quantized.upper.write(len.next_multiple_of(LANES), zero);
        }
        quantized
    }

    /// Returns the lanes in which boxes may intersect in any step of a block.
    ///
    /// # Safety
    /// The caller must guarantee that the block is one of those for as many boxes as were quantized.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn candidates(&self, block: [u8; 2]) -> u32 {
        // SAFETY: the block is valid, as the caller guarantees, and `step` is less than `LANES`.
        let excess = (0..LANES).map(|step| unsafe { self.excess(block, step) });
        zero_lanes(excess.fold(_mm256_set1_epi32(-1), |min, excess| _mm256_min_epu32(min, excess)))
    }

    /// Appends the pairs of a block.
    ///
    /// # Safety
    /// The caller must guarantee that the block is one of those for as many boxes as were quantized, from
    /// these columns, and must have reserved room for `LANES * LANES` pairs.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn pair_block(
        &self,
        block: [u8; 2],
        columns: &Columns<'_>,
        writer: &mut PairWriter<'_>,
    ) {
        let [first, second] = block.map(usize::from);
        let mut lanes = 0;
        for step in 0..LANES {
            // SAFETY: the block is valid, as the caller guarantees, and `step` is less than `LANES`.
            lanes |= u64::from(zero_lanes(unsafe { self.excess(block, step) })) << (step * LANES);
        }
        if lanes.count_ones() > CROWDED {
            // SAFETY: `first` and `second` are less than the number of boxes, so the indices tested are at most
            // `LANES` more than that. Room for `LANES` pairs for each of `LANES` steps has been reserved.
            unsafe { columns.step(first, second + 1..second + 1 + LANES, writer) };
            return;
        }
        while lanes != 0 {
            let step = lanes.trailing_zeros() as usize / LANES;
            lanes &= !(0xff << (step * LANES));
            let other = second + 1 + step;
            // SAFETY: `first` and `second` are less than the number of boxes, so `other` is at most
            // `LANES - 1` more. Every step is taken at most once, and room for `LANES` pairs for each of
            // `LANES` steps has been reserved.
            unsafe { columns.step(first, other..other + 1, writer) };
        }
    }

    /// Returns a vector that is zero in the lanes of boxes that may intersect in a step of a block.
    ///
    /// # Safety
    /// The caller must guarantee that the block is one of those for as many boxes as were quantized, and that
    /// `step` is less than [`LANES`].
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn excess(&self, [first, second]: [u8; 2], step: usize) -> __m256i {
        // SAFETY: both numbers of a block are multiples of eight less than the number of boxes. `lower` is
        // written in groups of eight up to that number; `upper` also in the 2 * `LANES` entries from there on,
        // and `second + 1 + step` is at most `second + LANES`.
        unsafe {
            let upper = self.upper.load(usize::from(second) + 1 + step);
            _mm256_subs_epu8(self.lower.load(first.into()), upper) // saturates at 0
        }
    }
}

/// Returns the lanes that are zero.
#[inline]
#[target_feature(enable = "avx2")]
fn zero_lanes(numbers: __m256i) -> u32 {
    lane_mask(_mm256_cmpeq_epi32(numbers, _mm256_setzero_si256()))
}

/// Returns axes of 255 cells each that cover most boxes.
///
/// A single box far away would make the cells too coarse for all others. So of each two lanes, only the smaller
/// extent counts, and boxes beyond it are in the first or last cell.
///
/// # Safety
/// The caller must guarantee that the columns have `len` boxes.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn axes(columns: &Columns<'_>, len: usize) -> [AxisCellsX8; 2] {
    // The minima of left, low, -right and -high.
    let mut min = [_mm256_set1_ps(f32::MAX); 4];
    for start in (0..len / LANES * LANES).step_by(LANES) {
        // SAFETY: `start` is less than the number of boxes.
        let ([left, low, right, high], _) = unsafe { columns.load(start) };
        let sign = _mm256_set1_ps(-0.0);
        let sides = [left, low, _mm256_xor_ps(right, sign), _mm256_xor_ps(high, sign)];
        for (min, sides) in min.iter_mut().zip(sides) {
            *min = _mm256_min_ps(*min, sides);
        }
    }
    let [left, low, right, high] = min.map(|eight| {
        let four = _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps::<1>(eight));
        let two = _mm_min_ps(four, _mm_movehl_ps(four, four));
        _mm_cvtss_f32(_mm_min_ss(two, _mm_movehdup_ps(two)))
    });
    [(left, -right), (low, -high)].map(|(first, last)| {
        let last = if last > first { last } else { first };
        AxisCellsX8::new(&AxisCells::new(first, last, u8::MAX.into()))
    })
}
