//! The id of the kind of each cell of a tile map.

use alloc::vec;
use alloc::vec::Vec;

/// One id per cell: a byte, or two bytes if there are more than 256 kinds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum KindIds {
    Bytes(Vec<u8>),
    Words(Vec<u16>),
}

impl KindIds {
    /// Creates ids that are all 0.
    pub fn new(cells: usize) -> Self {
        Self::Bytes(vec![0; cells])
    }

    /// Widens all cells if necessary to store an id.
    pub fn widen_for(&mut self, id: u16) {
        if let Self::Bytes(bytes) = self
            && u8::try_from(id).is_err()
        {
            *self = Self::Words(bytes.iter().copied().map(u16::from).collect());
        }
    }

    #[inline]
    pub fn get(&self, cell: usize) -> u16 {
        match self {
            Self::Bytes(bytes) => bytes[cell].into(),
            Self::Words(words) => words[cell],
        }
    }

    /// Sets an id, for which the cells must be wide enough, and returns the previous one.
    pub fn replace(&mut self, cell: usize, id: u16) -> u16 {
        match self {
            Self::Bytes(bytes) => core::mem::replace(&mut bytes[cell], id as u8).into(),
            Self::Words(words) => core::mem::replace(&mut words[cell], id),
        }
    }
}
