//! What modules built on a world keep in it from call to call.

use alloc::boxed::Box;
use core::fmt;

/// Memory of some other module to work in. It is no part of the world's state. Who may only look at the
/// world can use it too, unless another does at the same time; without `std` such a one gets something
/// new.
#[derive(Default)]
pub(crate) struct Kept<T> {
    #[cfg(feature = "std")]
    memory: std::sync::Mutex<Option<Box<T>>>,
    #[cfg(not(feature = "std"))]
    memory: Option<Box<T>>,
}

impl<T: Default> Kept<T> {
    /// Takes out what was left here; something new if nothing was.
    pub fn take(&mut self) -> Box<T> {
        #[cfg(feature = "std")]
        let memory = self.memory.get_mut().ok().and_then(Option::take);
        #[cfg(not(feature = "std"))]
        let memory = self.memory.take();
        memory.unwrap_or_default()
    }

    /// Leaves something for the next call.
    pub fn put(&mut self, memory: Box<T>) {
        #[cfg(feature = "std")]
        if let Ok(kept) = self.memory.get_mut() {
            *kept = Some(memory);
        }
        #[cfg(not(feature = "std"))]
        let _ = self.memory.insert(memory);
    }

    /// As [`take`](Self::take), for who may only look.
    pub fn lend(&self) -> Box<T> {
        #[cfg(feature = "std")]
        if let Some(memory) = self.memory.try_lock().ok().and_then(|mut memory| memory.take()) {
            return memory;
        }
        Box::default()
    }

    /// As [`put`](Self::put), for who may only look.
    pub fn put_back(&self, memory: Box<T>) {
        #[cfg(feature = "std")]
        if let Ok(mut kept) = self.memory.try_lock() {
            *kept = Some(memory);
        }
        #[cfg(not(feature = "std"))]
        drop(memory);
    }
}

impl<T> fmt::Debug for Kept<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Kept")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_is_taken_once() {
        let mut kept = Kept::<u32>::default();
        assert_eq!(*kept.take(), 0);
        kept.put(Box::new(7));
        assert_eq!((*kept.take(), *kept.take()), (7, 0));
    }
}
