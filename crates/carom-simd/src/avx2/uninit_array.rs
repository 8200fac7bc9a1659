//! A fixed array that is written eight numbers at a time.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use crate::LANES;

/// An array of `u32` that starts uninitialized: clearing it would take longer than what is done with the few
/// numbers that are needed.
pub struct UninitArray<const LEN: usize>([MaybeUninit<u32>; LEN]);

impl<const LEN: usize> UninitArray<LEN> {
    #[inline]
    pub fn new() -> Self {
        Self([const { MaybeUninit::uninit() }; LEN])
    }

    /// Writes eight numbers from `start` on.
    ///
    /// # Safety
    /// The caller must guarantee that `start + LANES <= LEN`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub unsafe fn write(&mut self, start: usize, numbers: __m256i) {
        debug_assert!(start + LANES <= LEN);
        // SAFETY: the 32 bytes written are within the array, because `start + LANES <= LEN`; the store needs
        // no alignment.
        unsafe { _mm256_storeu_si256(self.0.as_mut_ptr().add(start).cast(), numbers) }
    }

    /// Returns eight numbers from `start` on.
    ///
    /// # Safety
    /// The caller must guarantee that `start + LANES <= LEN`, and that all eight have been written.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub unsafe fn load(&self, start: usize) -> __m256i {
        debug_assert!(start + LANES <= LEN);
        // SAFETY: the 32 bytes read are within the array, because `start + LANES <= LEN`, and initialized; the
        // load needs no alignment.
        unsafe { _mm256_loadu_si256(self.0.as_ptr().add(start).cast()) }
    }

    /// Returns the number at an index.
    ///
    /// # Safety
    /// The caller must guarantee that `index < LEN`, and that the number has been written.
    #[inline]
    pub unsafe fn get(&self, index: usize) -> u32 {
        debug_assert!(index < LEN);
        // SAFETY: `index` is in bounds and the number initialized, as the caller guarantees.
        unsafe { self.0.get_unchecked(index).assume_init() }
    }
}
