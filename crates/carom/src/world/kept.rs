//! What modules built on a world keep in it from call to call.

use alloc::boxed::Box;
use core::any::Any;
use core::fmt;

/// Memory of some other module to work in, whatever it is. It is no part of the world's state.
#[derive(Default)]
pub(crate) struct Kept(Option<Box<dyn Any + Send + Sync>>);

impl Kept {
    /// Takes out what was left here; something new if nothing was, or something else.
    pub fn take<T: Default + Send + Sync + 'static>(&mut self) -> Box<T> {
        let kept = self.0.take().and_then(|kept| (kept as Box<dyn Any>).downcast().ok());
        kept.unwrap_or_default()
    }

    /// Leaves something for the next call.
    pub fn put<T: Send + Sync + 'static>(&mut self, memory: Box<T>) {
        self.0 = Some(memory);
    }
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
