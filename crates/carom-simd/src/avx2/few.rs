//! Pairs among few boxes.

use alloc::vec::Vec;
use core::arch::x86_64::*;

use super::columns::Columns;
use super::list::List;
use super::writer::Writer;
use super::{BYTES, Rulers, bytes_set, mask};
use crate::few::{BLOCKS, blocks};
use crate::{ALL_PAIRS_MAX, AxisCells, BoxColumns, LANES, Pair};

/// If more of the 64 pairs in a block may meet than that, all of its steps are taken.
const CROWDED: u32 = 16;

/// [`crate::all_pairs`] with AVX2. There are at most [`ALL_PAIRS_MAX`] boxes.
///
/// The sides of a box are cut to a byte each, so that one instruction compares all four of eight boxes. Only
/// in those steps in which some may meet, the sides themselves are compared.
///
/// Most of the time goes by while a CPU finds out that it has not foreseen where a loop ends, so there is one
/// loop through all blocks; and while it waits for the place of a list at which it is to write, so there is a
/// byte for each block instead of a list of those that count.
///
/// Tried and not kept: boxes one after the other instead of in blocks (a tenth faster where hardly any meet,
/// a third slower where some do).
#[target_feature(enable = "avx2,popcnt")]
pub fn all_pairs(row: &BoxColumns, pairs: &mut Vec<Pair>) {
    let (columns, blocks) = (Columns::of(row), blocks(row.len()));
    // SAFETY: the row has so many boxes, at most as many as there are blocks for.
    let cuts = unsafe { Cuts::of(&columns, row.len()) };
    let mut may_meet = [0; BLOCKS.next_multiple_of(BYTES)];
    for (&block, may_meet) in blocks.iter().zip(&mut may_meet) {
        // SAFETY: it is a block of the row.
        *may_meet = unsafe { cuts.may_meet(block) } as u8;
    }
    let mut writer = Writer::new(pairs);
    for (first, bytes) in (0..).step_by(BYTES).zip(may_meet.as_chunks().0) {
        let mut set = bytes_set(bytes);
        while set != 0 {
            let block = blocks[first + set.trailing_zeros() as usize];
            set &= set - 1;
            writer.make_room(LANES * LANES + LANES);
            // SAFETY: it is a block of the row, and there is room.
            unsafe { cuts.pair_block(block, &columns, &mut writer) };
        }
    }
}

/// The sides of boxes by the cells of two rulers, which have one cell less than a byte has values.
///
/// Two boxes may meet if none of the four bytes of the one is greater than that of the other:
/// left <= right, 255 - right <= 255 - left, low <= high, 255 - high <= 255 - low.
struct Cuts {
    /// For each box left, 255 - right, low, 255 - high,
    ones: List<{ ALL_PAIRS_MAX + LANES }>,
    /// and right, 255 - left, high, 255 - low. Behind the last box there is nothing but zeros: no cell is 255,
    /// so they meet no box.
    others: List<{ ALL_PAIRS_MAX + 2 * LANES }>,
}

impl Cuts {
    /// Cuts the sides of all boxes in a row.
    ///
    /// # Safety
    /// The row has so many, at most [`ALL_PAIRS_MAX`].
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn of(columns: &Columns<'_>, len: usize) -> Self {
        let mut cuts = Self { ones: List::new(), others: List::new() };
        // SAFETY: the row has so many boxes.
        let [x, y] = unsafe { rulers(columns, len) };
        let all = _mm256_set1_epi32(-1);
        let second_and_fourth = _mm256_slli_epi16::<8>(all);
        for at in (0..len).step_by(LANES) {
            // SAFETY: the place is in the row.
            let ([left, low, right, high], _) = unsafe { columns.eight(at) };
            let x = _mm256_or_si256(x.cells(left), _mm256_slli_epi32::<8>(x.cells(right)));
            let y = _mm256_or_si256(y.cells(low), _mm256_slli_epi32::<8>(y.cells(high)));
            let sides = _mm256_or_si256(x, _mm256_slli_epi32::<16>(y));
            let ones = _mm256_xor_si256(sides, second_and_fourth);
            let swapped =
                _mm256_or_si256(_mm256_slli_epi16::<8>(ones), _mm256_srli_epi16::<8>(ones));
            // SAFETY: there is room for so many boxes and eight more.
            unsafe {
                cuts.ones.put(at, ones);
                cuts.others.put(at, _mm256_xor_si256(swapped, all));
            }
        }
        let none = _mm256_setzero_si256();
        // SAFETY: there is room for the boxes of all blocks and eight more.
        unsafe {
            cuts.others.put(len, none);
            cuts.others.put(len.next_multiple_of(LANES), none);
        }
        cuts
    }

    /// In which lanes boxes of a block may meet, in any of its steps.
    ///
    /// # Safety
    /// It is a block of the row.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn may_meet(&self, block: [u8; 2]) -> u32 {
        // SAFETY: it is a block of the row.
        let gaps = (0..LANES).map(|step| unsafe { self.gaps(block, step) });
        zeros(gaps.fold(_mm256_set1_epi32(-1), |least, gaps| _mm256_min_epu32(least, gaps)))
    }

    /// Pairs the boxes of a block.
    ///
    /// # Safety
    /// It is a block of the row, and there is room for all pairs and eight more.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn pair_block(&self, block: [u8; 2], columns: &Columns<'_>, writer: &mut Writer<'_>) {
        let [ones, others] = block.map(usize::from);
        let mut lanes = 0;
        for step in 0..LANES {
            // SAFETY: it is a block of the row.
            lanes |= u64::from(zeros(unsafe { self.gaps(block, step) })) << (step * LANES);
        }
        if lanes.count_ones() > CROWDED {
            // SAFETY: the ones are in the row, the others at most eight behind its last block, and rows are
            // padded by more; and there is room.
            unsafe { columns.step(ones, others + 1..others + 1 + LANES, writer) };
            return;
        }
        while lanes != 0 {
            let step = lanes.trailing_zeros() as usize / LANES;
            lanes &= !(0xff << (step * LANES));
            let at = others + 1 + step;
            // SAFETY: as above.
            unsafe { columns.step(ones, at..at + 1, writer) };
        }
    }

    /// Zero in the lanes of boxes that may meet in a step of a block.
    ///
    /// # Safety
    /// It is a block of the row, and the step one of its eight.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn gaps(&self, [ones, others]: [u8; 2], step: usize) -> __m256i {
        // SAFETY: what there is of the row is written in eights, and eight more behind the last.
        unsafe {
            let others = self.others.eight(usize::from(others) + 1 + step);
            _mm256_subs_epu8(self.ones.eight(ones.into()), others)
        }
    }
}

/// The lanes that are zero.
#[inline]
#[target_feature(enable = "avx2")]
fn zeros(numbers: __m256i) -> u32 {
    mask(_mm256_cmpeq_epi32(numbers, _mm256_setzero_si256()))
}

/// Rulers for x and y, from where to where most boxes are.
///
/// What lies far off would make all cells too large for the others. So of two lanes, the one that goes less
/// far counts.
///
/// # Safety
/// The row has so many boxes.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn rulers(columns: &Columns<'_>, len: usize) -> [Rulers; 2] {
    let none = _mm256_set1_ps(f32::MAX);
    // The least of left, low, -right, -high.
    let mut least = [none; 4];
    for at in (0..len / LANES * LANES).step_by(LANES) {
        // SAFETY: the place is in the row.
        let ([left, low, right, high], _) = unsafe { columns.eight(at) };
        let minus = _mm256_set1_ps(-0.0);
        let sides = [left, low, _mm256_xor_ps(right, minus), _mm256_xor_ps(high, minus)];
        for (least, sides) in least.iter_mut().zip(sides) {
            *least = _mm256_min_ps(*least, sides);
        }
    }
    let [left, low, right, high] = least.map(|eight| {
        let four = _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps::<1>(eight));
        let two = _mm_min_ps(four, _mm_movehl_ps(four, four));
        _mm_cvtss_f32(_mm_min_ss(two, _mm_movehdup_ps(two)))
    });
    [(left, -right), (low, -high)].map(|(first, last)| {
        let last = if last > first { last } else { first };
        Rulers::of(&AxisCells::new(first, last, u8::MAX.into()))
    })
}
