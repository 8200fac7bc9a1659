//! Prefetching memory.

/// Hints the CPU to load an element of a slice into its caches, because it will be needed soon.
///
/// Does nothing if the index is out of bounds, or on CPUs other than x86-64.
#[inline(always)]
#[allow(unsafe_code, reason = "the prefetch instruction is an intrinsic")]
pub fn prefetch<T>(slice: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let first = slice.as_ptr().wrapping_add(index).cast::<i8>();
        let last = first.wrapping_add(size_of::<T>().saturating_sub(1));
        // SAFETY: every x86-64 CPU has the instruction (it is part of SSE), and it accepts any address: it is
        // a hint that never faults.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(first);
            _mm_prefetch::<_MM_HINT_T0>(last);
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, index);
}
