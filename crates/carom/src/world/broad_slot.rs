//! The broad phase of a world: `Strips`, or any other.

use alloc::boxed::Box;
use core::any::Any;
use core::fmt::Debug;

use crate::broad::{BroadPhase, Mobility, Strips};
use crate::shape::Aabb;

/// The broad phase of a world.
///
/// `Strips` has its own variant: moving a body updates the broad phase, and a predictable branch
/// costs less there than an indirect call.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "one per world; a box would slow down every move")]
pub(crate) enum BroadSlot {
    Strips(Strips),
    Custom(Box<dyn CustomBroadPhase>),
}

impl BroadSlot {
    pub fn new<B: BroadPhase + Clone + Debug + Send + Sync + 'static>(broad: B) -> Self {
        // `Strips` passed by a caller gets its fast variant too. A generic value can only be moved out
        // of an `&mut dyn Any` if it is in an `Option`.
        let mut broad = Some(broad);
        let strips = (&mut broad as &mut dyn Any).downcast_mut::<Option<Strips>>();
        match strips.and_then(Option::take) {
            Some(strips) => Self::Strips(strips),
            None => Self::Custom(Box::new(broad.expect("only `Strips` are taken out"))),
        }
    }

    #[inline]
    pub fn as_dyn(&self) -> &dyn BroadPhase {
        match self {
            Self::Strips(strips) => strips,
            Self::Custom(custom) => &**custom,
        }
    }

    #[inline]
    pub fn as_dyn_mut(&mut self) -> &mut dyn BroadPhase {
        match self {
            Self::Strips(strips) => strips,
            Self::Custom(custom) => &mut **custom,
        }
    }

    /// Calls [`BroadPhase::set`].
    #[inline]
    pub fn set(&mut self, collider: u32, bounds: Aabb, mobility: Mobility) {
        match self {
            Self::Strips(strips) => strips.set(collider, bounds, mobility),
            Self::Custom(custom) => custom.set(collider, bounds, mobility),
        }
    }
}

impl Clone for BroadSlot {
    fn clone(&self) -> Self {
        match self {
            Self::Strips(strips) => Self::Strips(strips.clone()),
            Self::Custom(custom) => Self::Custom(custom.clone_box()),
        }
    }

    /// Reuses the memory of `self` if both are of the same type.
    fn clone_from(&mut self, source: &Self) {
        let is_cloned = match (&mut *self, source) {
            (Self::Strips(strips), Self::Strips(source)) => {
                strips.clone_from(source);
                true
            }
            (Self::Custom(custom), Self::Custom(source)) => custom.try_clone_from(&**source),
            _ => false,
        };
        if !is_cloned {
            *self = source.clone();
        }
    }
}

/// A broad phase of any type that can be cloned behind a pointer.
pub(crate) trait CustomBroadPhase: BroadPhase + Any + Debug + Send + Sync {
    fn clone_box(&self) -> Box<dyn CustomBroadPhase>;

    /// Clones `source` into `self` and returns `true` if both are of the same type.
    fn try_clone_from(&mut self, source: &dyn CustomBroadPhase) -> bool;
}

impl<B: BroadPhase + Clone + Debug + Send + Sync + 'static> CustomBroadPhase for B {
    fn clone_box(&self) -> Box<dyn CustomBroadPhase> {
        Box::new(self.clone())
    }

    fn try_clone_from(&mut self, source: &dyn CustomBroadPhase) -> bool {
        match (source as &dyn Any).downcast_ref::<Self>() {
            Some(source) => {
                self.clone_from(source);
                true
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad::{Grid, QuadTree};

    #[test]
    fn strips_have_their_own_variant() {
        assert!(matches!(BroadSlot::new(Strips::new()), BroadSlot::Strips(_)));
        assert!(matches!(BroadSlot::new(Grid::new()), BroadSlot::Custom(_)));
    }

    #[test]
    fn clone_from_works_between_all_types() {
        let new = || {
            [
                BroadSlot::new(Strips::new()),
                BroadSlot::new(Grid::new()),
                BroadSlot::new(QuadTree::new()),
            ]
        };
        let bounds = Aabb::new([0.0, 0.0], [1.0, 1.0]);
        for mut source in new() {
            source.set(7, bounds, Mobility::Moving);
            for mut target in new() {
                target.set(3, bounds, Mobility::Fixed);
                target.clone_from(&source);
                let target = target.as_dyn();
                assert_eq!((target.len(), target.get(7)), (1, Some((bounds, Mobility::Moving))));
            }
        }
    }
}
