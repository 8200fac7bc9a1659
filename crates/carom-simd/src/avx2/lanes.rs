//! [`Lanes`] in an AVX2 register.

use core::arch::x86_64::*;

use crate::LANES;
use crate::lanes::{Lanes, Sealed};

/// Eight `f32` in an AVX2 register.
///
/// The methods are safe although they require AVX2, because code outside of this crate cannot name the type,
/// and this crate uses it only in functions with `#[target_feature(enable = "avx2")]`. So wherever one of
/// its methods is called, the CPU supports AVX2.
#[derive(Clone, Copy)]
pub struct F32x8Avx2(__m256);

impl Sealed for F32x8Avx2 {}

/// Implements methods of two vectors by an intrinsic.
macro_rules! binary_operations {
    ($($name:ident = $intrinsic:expr;)*) => {$(
        #[inline(always)]
        fn $name(self, other: Self) -> Self {
            // SAFETY: the CPU supports AVX2 wherever `F32x8Avx2` is used; see there.
            Self(unsafe { $intrinsic(self.0, other.0) })
        }
    )*};
}

impl Lanes for F32x8Avx2 {
    binary_operations! {
        add = _mm256_add_ps;
        sub = _mm256_sub_ps;
        mul = _mm256_mul_ps;
        min = _mm256_min_ps;
        max = _mm256_max_ps;
        le = _mm256_cmp_ps::<_CMP_LE_OQ>;
        and = _mm256_and_ps;
    }

    #[inline(always)]
    fn splat(number: f32) -> Self {
        // SAFETY: the CPU supports AVX2 wherever `F32x8Avx2` is used; see there.
        Self(unsafe { _mm256_set1_ps(number) })
    }

    #[inline(always)]
    fn load(from: &[f32; LANES]) -> Self {
        // SAFETY: the CPU supports AVX2 wherever `F32x8Avx2` is used; see there. The load reads 32 bytes, which
        // is the size of the array, and needs no alignment.
        Self(unsafe { _mm256_loadu_ps(from.as_ptr()) })
    }

    #[inline(always)]
    fn to_array(self) -> [f32; LANES] {
        let mut array = [0.0; LANES];
        // SAFETY: the CPU supports AVX2 wherever `F32x8Avx2` is used; see there. The store writes 32 bytes,
        // which is the size of the array, and needs no alignment.
        unsafe { _mm256_storeu_ps(array.as_mut_ptr(), self.0) };
        array
    }

    #[inline(always)]
    fn select(self, set: Self, unset: Self) -> Self {
        // SAFETY: the CPU supports AVX2 wherever `F32x8Avx2` is used; see there.
        Self(unsafe { _mm256_blendv_ps(unset.0, set.0, self.0) })
    }

    #[inline(always)]
    fn to_bitmask(self) -> u32 {
        // SAFETY: the CPU supports AVX2 wherever `F32x8Avx2` is used; see there.
        (unsafe { _mm256_movemask_ps(self.0) }) as u32
    }

    #[inline(always)]
    fn sort_keys(mask: Self, keys: Self) -> [i32; LANES] {
        let mut sort_keys = [0; LANES];
        // SAFETY: the CPU supports AVX2 wherever `F32x8Avx2` is used; see there. The store writes 32 bytes,
        // which is the size of the array, and needs no alignment.
        unsafe {
            let lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
            let low_bits = _mm256_set1_epi32(LANES as i32 - 1);
            let keys = _mm256_andnot_si256(low_bits, _mm256_castps_si256(keys.0));
            let keys = _mm256_castsi256_ps(_mm256_or_si256(keys, lane));
            let max = _mm256_castsi256_ps(_mm256_set1_epi32(i32::MAX));
            let keys = _mm256_castps_si256(_mm256_blendv_ps(max, keys, mask.0));
            _mm256_storeu_si256(sort_keys.as_mut_ptr().cast(), keys);
        }
        sort_keys
    }

    #[inline(always)]
    fn min_key(sort_keys: &[i32; LANES]) -> i32 {
        // SAFETY: the CPU supports AVX2 wherever `F32x8Avx2` is used; see there. The load reads 32 bytes, which
        // is the size of the array, and needs no alignment.
        unsafe { horizontal_min(_mm256_loadu_si256(sort_keys.as_ptr().cast())) }
    }

    #[inline(always)]
    fn next_key(sort_keys: &[i32; LANES], previous: i32) -> i32 {
        // SAFETY: the CPU supports AVX2 wherever `F32x8Avx2` is used; see there. The load reads 32 bytes, which
        // is the size of the array, and needs no alignment.
        unsafe {
            let keys = _mm256_loadu_si256(sort_keys.as_ptr().cast());
            let later = _mm256_cmpgt_epi32(keys, _mm256_set1_epi32(previous));
            horizontal_min(_mm256_blendv_epi8(_mm256_set1_epi32(i32::MAX), keys, later))
        }
    }
}

/// Returns the smallest of eight `i32`.
#[inline]
#[target_feature(enable = "avx2")]
pub fn horizontal_min(numbers: __m256i) -> i32 {
    let four = _mm256_extracti128_si256::<1>(numbers);
    let four = _mm_min_epi32(_mm256_castsi256_si128(numbers), four);
    let two = _mm_min_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
    let one = _mm_min_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
    _mm_cvtsi128_si32(one)
}

/// Returns the greatest of eight `i32`.
#[inline]
#[target_feature(enable = "avx2")]
pub fn horizontal_max(numbers: __m256i) -> i32 {
    !horizontal_min(_mm256_xor_si256(numbers, _mm256_set1_epi32(-1)))
}
