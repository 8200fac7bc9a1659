//! Numbers that are written eight at a time.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use crate::LANES;

/// Room for so many numbers of 32 bits each. What was not written must not be read: to clear it all first
/// would take longer than what is done with the few that are needed.
pub struct List<const ROOM: usize>([MaybeUninit<u32>; ROOM]);

impl<const ROOM: usize> List<ROOM> {
    #[inline]
    pub fn new() -> Self {
        Self([const { MaybeUninit::uninit() }; ROOM])
    }

    /// Writes eight from a place on.
    ///
    /// # Safety
    /// There is room for them.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub unsafe fn put(&mut self, at: usize, eight: __m256i) {
        debug_assert!(at + LANES <= ROOM);
        // SAFETY: there is room.
        unsafe { _mm256_storeu_si256(self.0.as_mut_ptr().add(at).cast(), eight) }
    }

    /// Eight from a place on.
    ///
    /// # Safety
    /// They were written.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub unsafe fn eight(&self, at: usize) -> __m256i {
        debug_assert!(at + LANES <= ROOM);
        // SAFETY: they are there.
        unsafe { _mm256_loadu_si256(self.0.as_ptr().add(at).cast()) }
    }

    /// One of them.
    ///
    /// # Safety
    /// It was written.
    #[inline]
    pub unsafe fn get(&self, at: usize) -> u32 {
        debug_assert!(at < ROOM);
        // SAFETY: it is there.
        unsafe { self.0.get_unchecked(at).assume_init() }
    }
}
