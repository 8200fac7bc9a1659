//! How few boxes are held against each other.

use crate::{ALL_PAIRS_MAX, LANES};

/// How many blocks there are at most.
pub(crate) const BLOCKS: usize = {
    let eights = ALL_PAIRS_MAX / LANES;
    eights * (eights + 1) / 2
};

/// In a block, the eight boxes from a first place on take eight steps together: the first box is held
/// against those after a second place, the next one against those after the next place, and so on. Blocks
/// are in an order of which every row has as many as it needs from the first on.
static ALL: [[u8; 2]; BLOCKS] = {
    let (mut all, mut count) = ([[0; 2]; BLOCKS], 0);
    let mut others = 0;
    while others < ALL_PAIRS_MAX {
        let mut ones = 0;
        while ones <= others {
            all[count] = [ones as u8, others as u8];
            count += 1;
            ones += LANES;
        }
        others += LANES;
    }
    all
};

/// The blocks of a row of so many.
///
/// # Panics
/// If they are more than [`ALL_PAIRS_MAX`].
#[inline(always)]
pub(crate) fn blocks(len: usize) -> &'static [[u8; 2]] {
    assert!(len <= ALL_PAIRS_MAX, "a row of {len} has more boxes than {ALL_PAIRS_MAX}");
    let eights = len.div_ceil(LANES);
    &ALL[..eights * (eights + 1) / 2]
}
