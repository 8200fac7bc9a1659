//! The order in which [`all_pairs`](crate::all_pairs) tests boxes: in blocks of eight by eight.

use crate::{ALL_PAIRS_MAX, LANES};

/// The number of blocks of [`ALL_PAIRS_MAX`] boxes.
pub(crate) const MAX_BLOCKS: usize = {
    let groups = ALL_PAIRS_MAX / LANES;
    groups * (groups + 1) / 2
};

/// The blocks. Each is given by two multiples of eight, `[first, second]`: in step `n` of eight, the boxes from
/// `first` on are tested against those from `second + n` on, each against one.
///
/// Blocks are ordered by `second`, so that the blocks of a shorter list are the first blocks of a longer
/// one.
static BLOCKS: [[u8; 2]; MAX_BLOCKS] = {
    let (mut blocks, mut count) = ([[0; 2]; MAX_BLOCKS], 0);
    let mut second = 0;
    while second < ALL_PAIRS_MAX {
        let mut first = 0;
        while first <= second {
            blocks[count] = [first as u8, second as u8];
            count += 1;
            first += LANES;
        }
        second += LANES;
    }
    blocks
};

/// Returns the blocks of `len` boxes.
///
/// # Panics
/// Panics if there are more than [`ALL_PAIRS_MAX`] boxes.
#[inline(always)]
pub(crate) fn blocks(len: usize) -> &'static [[u8; 2]] {
    assert!(len <= ALL_PAIRS_MAX, "{len} boxes are more than {ALL_PAIRS_MAX}");
    let groups = len.div_ceil(LANES);
    &BLOCKS[..groups * (groups + 1) / 2]
}
