//! Rows as the loops read them.

use core::arch::x86_64::*;
use core::marker::PhantomData;
use core::ops::Range;

use super::first_lanes;
use super::writer::Writer;
use crate::{BoxColumns, COPY_FLAG, LANES};

/// Where the columns of a row begin. They are longer than the row by at least [`LANES`].
pub struct Columns<'a> {
    min_x: *const f32,
    max_x: *const f32,
    min_y: *const f32,
    max_y: *const f32,
    ids: *const u32,
    row: PhantomData<&'a BoxColumns>,
}

impl<'a> Columns<'a> {
    #[inline]
    pub fn of(row: &'a BoxColumns) -> Self {
        Self {
            min_x: row.min_x.as_ptr(),
            max_x: row.max_x.as_ptr(),
            min_y: row.min_y.as_ptr(),
            max_y: row.max_y.as_ptr(),
            ids: row.ids.as_ptr(),
            row: PhantomData,
        }
    }

    /// The sides of a box, each in all lanes, and its id.
    ///
    /// # Safety
    /// The place is in the row.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub unsafe fn get(&self, at: usize) -> ([__m256; 4], u32) {
        // SAFETY: the place is in the row, so in every column.
        unsafe {
            let sides = [self.min_x, self.min_y, self.max_x, self.max_y];
            (sides.map(|column| _mm256_broadcast_ss(&*column.add(at))), *self.ids.add(at))
        }
    }

    /// The sides of eight boxes from a place on, and their ids.
    ///
    /// # Safety
    /// The place is in the row, or so little behind it that the columns have eight places from there on.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub unsafe fn eight(&self, at: usize) -> ([__m256; 4], __m256i) {
        // SAFETY: the columns have eight places there.
        unsafe {
            let sides = [self.min_x, self.min_y, self.max_x, self.max_y];
            let ids = _mm256_loadu_si256(self.ids.add(at).cast());
            (sides.map(|column| _mm256_loadu_ps(column.add(at))), ids)
        }
    }

    /// Holds eight boxes from a place on against eight from another, each against its own, for all of some
    /// places.
    ///
    /// # Safety
    /// The columns have eight places from each of them on, and there is room for eight pairs for each step.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn step(&self, start: usize, places: Range<usize>, writer: &mut Writer<'_>) {
        // SAFETY: the place is in the row.
        let (ones, marked) = unsafe { self.eight(start) };
        let unmarked = _mm256_set1_epi32(!COPY_FLAG as i32);
        let one = _mm256_and_si256(marked, unmarked);
        for at in places {
            // SAFETY: as above.
            let (others, ids) = unsafe { self.eight(at) };
            // The highest bit of a lane is the one that counts; it is set in both if both are marked.
            let both = _mm256_castsi256_ps(_mm256_and_si256(marked, ids));
            let meet = _mm256_movemask_ps(_mm256_andnot_ps(both, meeting(&ones, &others))) as u32;
            let other = _mm256_and_si256(ids, unmarked);
            let (least, greatest) = (_mm256_min_epu32(one, other), _mm256_max_epu32(one, other));
            // SAFETY: there is room.
            unsafe { writer.push(meet, least, greatest) };
        }
    }

    /// Holds one box against those at some places. If its id is marked as continuing, against those
    /// that are not. Eager ones take the first step of eight without asking whether there is a place.
    /// Unless it has to be exact, boxes behind the places are tested too.
    ///
    /// # Safety
    /// The places begin and end in the row or at its end, and there is room for a pair with each of them,
    /// with those of the first step, and with eight more.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn test_range<const EAGER: bool, const EXACT: bool>(
        &self,
        places: Range<usize>,
        bounds: [__m256; 4],
        id: u32,
        writer: &mut Writer<'_>,
    ) {
        let marked = _mm256_castsi256_ps(_mm256_set1_epi32(id as i32));
        let id = _mm256_set1_epi32((id & !COPY_FLAG) as i32);
        let step = |at: usize, writer: &mut Writer<'_>| {
            // SAFETY: the place is in the row, or at its end, and the columns have eight more.
            let (others, ids) = unsafe { self.eight(at) };
            // The highest bit of a lane is the one that counts; it is set in both if both are marked.
            let both = _mm256_and_ps(marked, _mm256_castsi256_ps(ids));
            let meet = _mm256_andnot_ps(both, meeting(&bounds, &others));
            let mut meet = _mm256_movemask_ps(meet) as u32;
            if EXACT {
                meet &= first_lanes(places.end.saturating_sub(at));
            }
            // SAFETY: there is room.
            unsafe { writer.push_ids(meet, ids, id) };
        };
        let mut at = places.start;
        if EAGER {
            step(at, writer);
            at += LANES;
        }
        while at < places.end {
            step(at, writer);
            at += LANES;
        }
    }

    /// Compares one box with eight from a place on. Gives the lanes of those that it meets, if not `ALL` may be
    /// met, then of those that are not marked; and the lanes of those that begin no later than it ends in x.
    ///
    /// # Safety
    /// The columns have eight places there.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub unsafe fn compare<const ALL: bool>(&self, at: usize, bounds: &[__m256; 4]) -> (u32, u32) {
        // SAFETY: the columns have eight places there.
        let (others, ids) = unsafe { self.eight(at) };
        let begin = beginning(bounds, &others);
        let mut meet = _mm256_and_ps(begin, reaching(bounds, &others));
        if !ALL {
            meet = _mm256_andnot_ps(_mm256_castsi256_ps(ids), meet); // the highest bit is the mark
        }
        (_mm256_movemask_ps(meet) as u32, _mm256_movemask_ps(begin) as u32)
    }

    /// The ids of eight boxes from a place on.
    ///
    /// # Safety
    /// The columns have eight places there.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub unsafe fn ids(&self, at: usize) -> __m256i {
        // SAFETY: the columns have eight places there.
        unsafe { _mm256_loadu_si256(self.ids.add(at).cast()) }
    }
}

/// Sets the lanes in which two boxes share a point.
#[inline]
#[target_feature(enable = "avx2")]
fn meeting(ones: &[__m256; 4], others: &[__m256; 4]) -> __m256 {
    _mm256_and_ps(beginning(ones, others), reaching(ones, others))
}

/// Sets the lanes in which the other box begins no later in x than the one ends. The others come second in
/// every comparison: there, a number that is read from memory takes no instruction of its own.
#[inline]
#[target_feature(enable = "avx2")]
fn beginning(ones: &[__m256; 4], others: &[__m256; 4]) -> __m256 {
    _mm256_cmp_ps::<_CMP_GE_OQ>(ones[2], others[0])
}

/// Sets the lanes in which the other box is not apart from the one in any other way.
#[inline]
#[target_feature(enable = "avx2")]
fn reaching(ones: &[__m256; 4], others: &[__m256; 4]) -> __m256 {
    let ([min_x, min_y, _, max_y], [_, low, right, high]) = (*ones, *others);
    let x = _mm256_cmp_ps::<_CMP_LE_OQ>(min_x, right);
    let y = _mm256_and_ps(
        _mm256_cmp_ps::<_CMP_GE_OQ>(max_y, low),
        _mm256_cmp_ps::<_CMP_LE_OQ>(min_y, high),
    );
    _mm256_and_ps(x, y)
}
