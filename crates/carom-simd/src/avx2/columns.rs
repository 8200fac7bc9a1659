//! [`BoxColumns`] as the loops read them: by pointers, without bounds checks.

use core::arch::x86_64::*;
use core::marker::PhantomData;
use core::ops::Range;

use super::pair_writer::PairWriter;
use crate::{BoxColumns, COPY_FLAG, LANES};

/// Pointers to the columns. Each column has 16 entries after the last box: eight boxes can be loaded from
/// any index up to the number of boxes plus eight.
pub struct Columns<'a> {
    min_x: *const f32,
    max_x: *const f32,
    min_y: *const f32,
    max_y: *const f32,
    ids: *const u32,
    boxes: PhantomData<&'a BoxColumns>,
}

impl<'a> Columns<'a> {
    #[inline]
    pub fn new(boxes: &'a BoxColumns) -> Self {
        Self {
            min_x: boxes.min_x.as_ptr(),
            max_x: boxes.max_x.as_ptr(),
            min_y: boxes.min_y.as_ptr(),
            max_y: boxes.max_y.as_ptr(),
            ids: boxes.ids.as_ptr(),
            boxes: PhantomData,
        }
    }

    /// Returns the sides of one box, each in all lanes, and its id.
    ///
    /// # Safety
    /// The caller must guarantee that `index` is less than the number of boxes.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub unsafe fn splat(&self, index: usize) -> ([__m256; 4], u32) {
        // SAFETY: every column has at least as many entries as there are boxes, and `index` is less.
        unsafe {
            let sides = [self.min_x, self.min_y, self.max_x, self.max_y];
            (sides.map(|column| _mm256_broadcast_ss(&*column.add(index))), *self.ids.add(index))
        }
    }

    /// Returns the sides of eight boxes from `start` on, and their ids.
    ///
    /// # Safety
    /// The caller must guarantee that `start` is at most the number of boxes plus [`LANES`].
    #[inline]
    #[target_feature(enable = "avx2")]
    pub unsafe fn load(&self, start: usize) -> ([__m256; 4], __m256i) {
        // SAFETY: every column has 2 * `LANES` entries more than there are boxes, so at least `LANES` entries
        // from `start` on. The loads need no alignment.
        unsafe {
            let sides = [self.min_x, self.min_y, self.max_x, self.max_y];
            let ids = _mm256_loadu_si256(self.ids.add(start).cast());
            (sides.map(|column| _mm256_loadu_ps(column.add(start))), ids)
        }
    }

    /// Returns the ids of eight boxes from `start` on.
    ///
    /// # Safety
    /// The caller must guarantee that `start` is at most the number of boxes plus [`LANES`].
    #[inline]
    #[target_feature(enable = "avx2")]
    pub unsafe fn ids(&self, start: usize) -> __m256i {
        // SAFETY: the column has 2 * `LANES` entries more than there are boxes, so at least `LANES` entries
        // from `start` on. The load needs no alignment.
        unsafe { _mm256_loadu_si256(self.ids.add(start).cast()) }
    }

    /// Tests the eight boxes from `start` on against the eight from each index in `others` on, each against one.
    ///
    /// # Safety
    /// The caller must guarantee that `start` and every index in `others` is at most the number of boxes plus
    /// [`LANES`], and must have reserved room for [`LANES`] pairs for each index in `others`.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn step(&self, start: usize, others: Range<usize>, writer: &mut PairWriter<'_>) {
        // SAFETY: `start` is at most the number of boxes plus `LANES`, as the caller guarantees.
        let (ones, flagged) = unsafe { self.load(start) };
        let id_mask = _mm256_set1_epi32(!COPY_FLAG as i32);
        let one = _mm256_and_si256(flagged, id_mask);
        for index in others {
            // SAFETY: `index` is at most the number of boxes plus `LANES`, as the caller guarantees.
            let (others, ids) = unsafe { self.load(index) };
            // `movemask` reads only the highest bit of a lane, which is set in `copies` if both are copies.
            let copies = _mm256_castsi256_ps(_mm256_and_si256(flagged, ids));
            let found = _mm256_andnot_ps(copies, intersecting(&ones, &others));
            let lanes = _mm256_movemask_ps(found) as u32;
            let other = _mm256_and_si256(ids, id_mask);
            let (min, max) = (_mm256_min_epu32(one, other), _mm256_max_epu32(one, other));
            // SAFETY: the caller has reserved room for `LANES` pairs for each index, and at most as many have
            // been written for each index before.
            unsafe { writer.push(lanes, min, max) };
        }
    }

    /// Tests one box against those in `range`, and against up to seven after it. If its id has the
    /// [`COPY_FLAG`], copies are skipped.
    ///
    /// # Safety
    /// The caller must guarantee that the range is not empty and ends at most at the number of boxes, and must
    /// have reserved room for a pair with each box of the range and [`LANES`] more.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn test_range(
        &self,
        range: Range<usize>,
        bounds: [__m256; 4],
        id: u32,
        writer: &mut PairWriter<'_>,
    ) {
        let flag = _mm256_castsi256_ps(_mm256_set1_epi32(id as i32));
        let id = _mm256_set1_epi32((id & !COPY_FLAG) as i32);
        let mut start = range.start;
        loop {
            // SAFETY: `start` is in the range, so less than the number of boxes.
            let (others, ids) = unsafe { self.load(start) };
            // `movemask` reads only the highest bit of a lane, which is set in `copies` if both are copies.
            let copies = _mm256_and_ps(flag, _mm256_castsi256_ps(ids));
            let found = _mm256_andnot_ps(copies, intersecting(&bounds, &others));
            // SAFETY: the steps before have written at most `start - range.start` pairs, so there is room for
            // at least one pair and `LANES` more.
            unsafe { writer.push_with_id(_mm256_movemask_ps(found) as u32, ids, id) };
            start += LANES;
            if start >= range.end {
                break;
            }
        }
    }

    /// Compares one box with eight from `start` on. Returns the lanes of those that it intersects (originals
    /// only, unless `WITH_COPIES`), and the lanes of those that begin no later in x than it ends.
    ///
    /// # Safety
    /// The caller must guarantee that `start` is at most the number of boxes plus [`LANES`].
    #[inline]
    #[target_feature(enable = "avx2")]
    pub unsafe fn compare<const WITH_COPIES: bool>(
        &self,
        start: usize,
        bounds: &[__m256; 4],
    ) -> (u32, u32) {
        // SAFETY: `start` is at most the number of boxes plus `LANES`, as the caller guarantees.
        let (others, ids) = unsafe { self.load(start) };
        let begun = begins_before_end(bounds, &others);
        let mut found = _mm256_and_ps(begun, meets_other_conditions(bounds, &others));
        if !WITH_COPIES {
            // `movemask` reads only the highest bit of a lane, which is the flag of a copy.
            found = _mm256_andnot_ps(_mm256_castsi256_ps(ids), found);
        }
        (_mm256_movemask_ps(found) as u32, _mm256_movemask_ps(begun) as u32)
    }
}

/// Returns a mask of the lanes in which two boxes intersect.
#[inline]
#[target_feature(enable = "avx2")]
fn intersecting(ones: &[__m256; 4], others: &[__m256; 4]) -> __m256 {
    _mm256_and_ps(begins_before_end(ones, others), meets_other_conditions(ones, others))
}

/// Returns a mask of the lanes in which the other box begins no later in x than the first one ends.
///
/// The others are the second operand of every comparison: the CPU can load that operand from memory without a
/// separate instruction.
#[inline]
#[target_feature(enable = "avx2")]
fn begins_before_end(ones: &[__m256; 4], others: &[__m256; 4]) -> __m256 {
    _mm256_cmp_ps::<_CMP_GE_OQ>(ones[2], others[0])
}

/// Returns a mask of the lanes in which the remaining three conditions of an intersection hold.
#[inline]
#[target_feature(enable = "avx2")]
fn meets_other_conditions(ones: &[__m256; 4], others: &[__m256; 4]) -> __m256 {
    let ([min_x, min_y, _, max_y], [_, low, right, high]) = (*ones, *others);
    let x = _mm256_cmp_ps::<_CMP_LE_OQ>(min_x, right);
    let y = _mm256_and_ps(
        _mm256_cmp_ps::<_CMP_GE_OQ>(max_y, low),
        _mm256_cmp_ps::<_CMP_LE_OQ>(min_y, high),
    );
    _mm256_and_ps(x, y)
}
