//! Which kind each cell of a tile map is of, by number.

use alloc::vec;
use alloc::vec::Vec;

/// A number for each cell: a byte, or two where there are more kinds than a byte can tell apart.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Numbers {
    Bytes(Vec<u8>),
    Words(Vec<u16>),
}

impl Numbers {
    /// All are 0.
    pub fn new(cells: usize) -> Self {
        Self::Bytes(vec![0; cells])
    }

    /// Makes room for a number in every cell.
    pub fn make_room_for(&mut self, number: u16) {
        if let Self::Bytes(bytes) = self
            && u8::try_from(number).is_err()
        {
            *self = Self::Words(bytes.iter().copied().map(u16::from).collect());
        }
    }

    #[inline]
    pub fn get(&self, place: usize) -> u16 {
        match self {
            Self::Bytes(bytes) => bytes[place].into(),
            Self::Words(words) => words[place],
        }
    }

    /// Sets a number for which there is room, and gives the one before.
    pub fn replace(&mut self, place: usize, number: u16) -> u16 {
        match self {
            Self::Bytes(bytes) => core::mem::replace(&mut bytes[place], number as u8).into(),
            Self::Words(words) => core::mem::replace(&mut words[place], number),
        }
    }
}
