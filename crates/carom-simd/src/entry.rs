//! Boxes as they lie in memory.

use crate::{Bounds, COPY_FLAG};

/// A box and its id. Side by side: who reads boxes in no order waits for memory once for both.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BoxEntry {
    /// The box.
    pub bounds: Bounds,
    /// What it is known by.
    pub id: u32,
}

impl BoxEntry {
    /// The one at a place of a list. If the place is marked [`COPY_FLAG`], so is the id.
    #[inline(always)]
    pub(crate) fn at(list: &[Self], place: u32) -> Self {
        let Self { bounds, id } = list[(place & !COPY_FLAG) as usize];
        Self { bounds, id: id | (place & COPY_FLAG) }
    }
}
