//! What modules built on a world keep in it from call to call.

use alloc::boxed::Box;
use core::any::Any;
use core::fmt;

type Memory = Option<Box<dyn Any + Send + Sync>>;

/// Memory of some other module to work in, whatever it is. It is no part of the world's state. Who may
/// only look at the world can use it too, unless another does at the same time; without `std` such a one
/// gets something new.
#[derive(Default)]
pub(crate) struct Kept {
    #[cfg(feature = "std")]
    memory: std::sync::Mutex<Memory>,
    #[cfg(not(feature = "std"))]
    memory: Memory,
}

impl Kept {
    /// Takes out what was left here; something new if nothing was, or something else.
    pub fn take<T: Default + Send + Sync + 'static>(&mut self) -> Box<T> {
        #[cfg(feature = "std")]
        let memory = self.memory.get_mut().ok().and_then(Option::take);
        #[cfg(not(feature = "std"))]
        let memory = self.memory.take();
        as_known(memory)
    }

    /// Leaves something for the next call.
    pub fn put<T: Send + Sync + 'static>(&mut self, memory: Box<T>) {
        #[cfg(feature = "std")]
        if let Ok(kept) = self.memory.get_mut() {
            *kept = Some(memory);
        }
        #[cfg(not(feature = "std"))]
        let _ = self.memory.insert(memory);
    }

    /// As [`take`](Self::take), for who may only look.
    pub fn lend<T: Default + Send + Sync + 'static>(&self) -> Box<T> {
        #[cfg(feature = "std")]
        let memory = self.memory.try_lock().ok().and_then(|mut memory| memory.take());
        #[cfg(not(feature = "std"))]
        let memory = None;
        as_known(memory)
    }

    /// As [`put`](Self::put), for who may only look.
    pub fn put_back<T: Send + Sync + 'static>(&self, memory: Box<T>) {
        #[cfg(feature = "std")]
        if let Ok(mut kept) = self.memory.try_lock() {
            *kept = Some(memory);
        }
        #[cfg(not(feature = "std"))]
        drop(memory);
    }
}

fn as_known<T: Default + 'static>(memory: Memory) -> Box<T> {
    let known = memory.and_then(|memory| (memory as Box<dyn Any>).downcast().ok());
    known.unwrap_or_default()
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Kept")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_is_taken_once_and_by_those_who_know_it() {
        let mut kept = Kept::default();
        assert_eq!(*kept.take::<u32>(), 0);
        kept.put(Box::new(7u32));
        assert_eq!((*kept.take::<u32>(), *kept.take::<u32>()), (7, 0));
        kept.put(Box::new(7u32));
        assert_eq!(*kept.take::<u64>(), 0);
    }
}
