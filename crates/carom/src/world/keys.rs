//! Keys of bodies and colliders.

use core::fmt;

/// Declares a type of key.
macro_rules! keys {
    ($($(#[$attribute:meta])* $key:ident: $name:literal),* $(,)?) => {$(
        $(#[$attribute])*
        ///
        /// A key is a slot and a generation. It becomes permanently invalid when its object is removed,
        /// even if the slot is reused. Keys are ordered by slot, which is the order in which objects
        /// were added, except where a slot was reused.
        ///
        /// A key is valid in the world that returned it, and in the clones of that world. Other worlds
        /// cannot distinguish it from their own keys: the same calls yield the same keys in every world, on
        /// every machine, because rollback and replays rely on that. A game with several worlds should wrap
        /// their keys in its own types.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(from = "[u32; 2]", into = "[u32; 2]"))]
        pub struct $key {
            pub(crate) slot: u32,
            pub(crate) generation: u32,
        }

        impl $key {
            /// Returns the key as one number, for a component, a save or another language.
            pub fn to_bits(self) -> u64 {
                u64::from(self.generation) << 32 | u64::from(self.slot)
            }

            /// Converts a number from [`to_bits`](Self::to_bits) back to the key. Every number is a
            /// key, but not every key is valid.
            pub fn from_bits(bits: u64) -> Self {
                Self { slot: bits as u32, generation: (bits >> 32) as u32 }
            }
        }

        impl From<[u32; 2]> for $key {
            fn from([slot, generation]: [u32; 2]) -> Self {
                Self { slot, generation }
            }
        }

        impl From<$key> for [u32; 2] {
            fn from(key: $key) -> Self {
                [key.slot, key.generation]
            }
        }

        impl fmt::Debug for $key {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{self}")
            }
        }

        impl fmt::Display for $key {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($name, " {}"), self.slot)?;
                if self.generation > 0 { write!(f, ".{}", self.generation) } else { Ok(()) }
            }
        }
    )*};
}

keys! {
    /// The key of a body in a [`World`](crate::world::World).
    #[doc(alias = "handle")]
    #[doc(alias = "RigidBodyHandle")]
    BodyKey: "body",
    /// The key of a collider in a [`World`](crate::world::World).
    #[doc(alias = "handle")]
    #[doc(alias = "ColliderHandle")]
    ColliderKey: "collider",
}
