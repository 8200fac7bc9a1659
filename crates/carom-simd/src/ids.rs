//! What boxes in a list are known by.

use crate::CONTINUING;

/// The ids of boxes in a list.
#[derive(Clone, Copy, Debug)]
pub enum Ids<'a> {
    /// The id of a box is its place.
    Places,
    /// They have a list of their own, in the same order.
    List(&'a [u32]),
}

impl Ids<'_> {
    /// The id of the box at a place. If the place is marked [`CONTINUING`], so is the id.
    ///
    /// # Panics
    /// If there is no such place.
    #[inline(always)]
    pub fn at(&self, place: u32) -> u32 {
        match self {
            Self::Places => place,
            Self::List(ids) => ids[(place & !CONTINUING) as usize] | (place & CONTINUING),
        }
    }
}
