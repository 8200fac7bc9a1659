//! Eight numbers in one register.

use core::arch::x86_64::*;

use crate::LANES;
use crate::lanes::{Lanes, Sealed};

/// The type stays in this crate, which uses it only where the CPU has what its functions need: so they
/// can be safe to call.
#[derive(Clone, Copy)]
pub struct Eight(__m256);

impl Sealed for Eight {}

/// Functions of two registers.
macro_rules! operations {
    ($($name:ident = $intrinsic:expr;)*) => {$(
        #[inline(always)]
        fn $name(self, other: Self) -> Self {
            // SAFETY: where there is such a number, the CPU has AVX2.
            Self(unsafe { $intrinsic(self.0, other.0) })
        }
    )*};
}

impl Lanes for Eight {
    operations! {
        plus = _mm256_add_ps;
        minus = _mm256_sub_ps;
        times = _mm256_mul_ps;
        min = _mm256_min_ps;
        max = _mm256_max_ps;
        at_most = _mm256_cmp_ps::<_CMP_LE_OQ>;
        and = _mm256_and_ps;
    }

    #[inline(always)]
    fn splat(number: f32) -> Self {
        // SAFETY: the type is used only where the CPU has AVX2.
        Self(unsafe { _mm256_set1_ps(number) })
    }

    #[inline(always)]
    fn load(from: &[f32; LANES]) -> Self {
        // SAFETY: as above, and the list has eight numbers.
        Self(unsafe { _mm256_loadu_ps(from.as_ptr()) })
    }

    #[inline(always)]
    fn to_array(self) -> [f32; LANES] {
        let mut array = [0.0; LANES];
        // SAFETY: as above, and the list has room for eight numbers.
        unsafe { _mm256_storeu_ps(array.as_mut_ptr(), self.0) };
        array
    }

    #[inline(always)]
    fn select(self, set: Self, unset: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_blendv_ps(unset.0, set.0, self.0) })
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        // SAFETY: as above.
        (unsafe { _mm256_movemask_ps(self.0) }) as u32
    }

    #[inline(always)]
    fn order(set: Self, keys: Self) -> [i32; LANES] {
        let mut order = [0; LANES];
        // SAFETY: where there are such numbers, the CPU has AVX2; and the list has room for eight.
        unsafe {
            let number = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
            let lowest = _mm256_set1_epi32(LANES as i32 - 1);
            let keys = _mm256_andnot_si256(lowest, _mm256_castps_si256(keys.0));
            let keys = _mm256_castsi256_ps(_mm256_or_si256(keys, number));
            let most = _mm256_castsi256_ps(_mm256_set1_epi32(i32::MAX));
            let keys = _mm256_castps_si256(_mm256_blendv_ps(most, keys, set.0));
            _mm256_storeu_si256(order.as_mut_ptr().cast(), keys);
        }
        order
    }

    #[inline(always)]
    fn least(order: &[i32; LANES]) -> i32 {
        // SAFETY: the type is used only where the CPU has AVX2, and the list has eight numbers.
        unsafe { least(_mm256_loadu_si256(order.as_ptr().cast())) }
    }

    #[inline(always)]
    fn next(order: &[i32; LANES], last: i32) -> i32 {
        // SAFETY: as above.
        unsafe {
            let order = _mm256_loadu_si256(order.as_ptr().cast());
            let later = _mm256_cmpgt_epi32(order, _mm256_set1_epi32(last));
            least(_mm256_blendv_epi8(_mm256_set1_epi32(i32::MAX), order, later))
        }
    }
}

/// The least of eight numbers.
#[inline]
#[target_feature(enable = "avx2")]
pub fn least(numbers: __m256i) -> i32 {
    let four = _mm256_extracti128_si256::<1>(numbers);
    let four = _mm_min_epi32(_mm256_castsi256_si128(numbers), four);
    let two = _mm_min_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
    let one = _mm_min_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
    _mm_cvtsi128_si32(one)
}

/// The greatest of eight numbers.
#[inline]
#[target_feature(enable = "avx2")]
pub fn greatest(numbers: __m256i) -> i32 {
    !least(_mm256_xor_si256(numbers, _mm256_set1_epi32(-1)))
}
