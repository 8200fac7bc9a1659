//! How far eight boxes of a row go together.

use crate::LANES;

/// What eight boxes in a row are to be held against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps {
    /// So many steps they take together.
    pub together: usize,
    /// Whether there is more for any of them.
    pub is_there_more: bool,
}

impl Steps {
    /// For eight boxes from a place on, by their ends in a row of so many. Ends of 0 stand for boxes
    /// behind the row.
    ///
    /// A step together costs all eight as much as one of them needs for eight others, so they should
    /// part when most have reached their ends, and one wide box must not keep the others. But parting
    /// costs too.
    ///
    /// # Panics
    /// If an end lies behind the row.
    #[inline(always)]
    pub fn new(place: usize, ends: &[u32; LANES], len: usize) -> Self {
        let last = ends.iter().fold(0, |last, &end| last.max(end));
        assert!(last as usize <= len, "a row of {len} has no end {last}");
        let next = place as u32 + 1;
        let ways: [u32; LANES] = core::array::from_fn(|lane| {
            let next = next + lane as u32;
            ends[lane].max(next) - next
        });
        let longest = ways.iter().fold(0, |longest, &way| longest.max(way));
        let shortest = ways.iter().fold(u32::MAX, |shortest, &way| shortest.min(way));
        let most = 2 * shortest + LANES as u32;
        Self { together: longest.min(most) as usize, is_there_more: longest > most }
    }

    /// The ends of a row in eights, the last filled with zeros.
    #[inline(always)]
    pub fn eights(ends: &[u32]) -> impl Iterator<Item = [u32; LANES]> {
        let (eights, rest) = ends.as_chunks();
        let mut last = [0; LANES];
        last[..rest.len()].copy_from_slice(rest);
        eights.iter().copied().chain((!rest.is_empty()).then_some(last))
    }
}
