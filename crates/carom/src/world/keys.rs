//! Keys: how a game names the bodies and colliders it has put into a world.

use core::fmt;

/// Declares a kind of key.
macro_rules! keys {
    ($($(#[$doc:meta])* $key:ident: $what:literal),* $(,)?) => {$(
        $(#[$doc])*
        ///
        /// Once what it names has been removed, the key names nothing ever after, even where its
        /// place is taken again. Keys are ordered by place: what was added first comes first, but
        /// for places that were taken again.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(from = "[u32; 2]", into = "[u32; 2]"))]
        pub struct $key {
            pub(crate) slot: u32,
            pub(crate) generation: u32,
        }

        impl $key {
            /// The key as one number, to be kept in a component, a save or another language.
            pub fn to_bits(self) -> u64 {
                u64::from(self.generation) << 32 | u64::from(self.slot)
            }

            /// The key that a number stands for. Any number is some key; most name nothing.
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
                write!(f, concat!($what, " {}"), self.slot)?;
                if self.generation > 0 { write!(f, ".{}", self.generation) } else { Ok(()) }
            }
        }
    )*};
}

keys! {
    /// Names a body of a [`World`](crate::world::World).
    BodyKey: "body",
    /// Names a collider of a [`World`](crate::world::World).
    ColliderKey: "collider",
}
