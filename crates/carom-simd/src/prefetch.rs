//! Asking for memory before it is needed.

/// Asks for a value of a list that will be needed soon, so that nobody has to wait for it then. If there
/// is no such place, or a CPU cannot be asked, nothing happens.
#[inline(always)]
#[allow(unsafe_code, reason = "an instruction that only one kind of CPU has")]
pub fn prefetch<T>(list: &[T], place: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let first = list.as_ptr().wrapping_add(place).cast::<i8>();
        let last = first.wrapping_add(size_of::<T>().saturating_sub(1));
        // SAFETY: all CPUs of this kind have the instruction. It reads nothing and takes any address.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(first);
            _mm_prefetch::<_MM_HINT_T0>(last);
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (list, place);
}
