//! How far eight boxes of a row go together.

use crate::LANES;

/// What eight boxes in a row are to be held against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps {
    /// So many steps they take together.
    pub together: usize,
    /// Those that go on alone, a bit for each.
    pub loners: u32,
}

/// What it costs to go on alone, in steps together.
pub(crate) const PARTING: u32 = 12;

impl Steps {
    /// For eight boxes from a place on, by their ends. Ends of 0 stand for boxes behind the row.
    ///
    /// A step together costs all eight as much as one of them needs for eight others, so one wide box
    /// must not keep the others. But parting costs too.
    #[inline(always)]
    pub fn new(place: usize, ends: &[u32; LANES]) -> Self {
        let next = place as u32 + 1;
        let ways: [u32; LANES] = core::array::from_fn(|lane| {
            let next = next + lane as u32;
            ends[lane].max(next) - next
        });
        let most = 2 * ways.iter().fold(u32::MAX, |shortest, &way| shortest.min(way)) + PARTING;
        Self {
            together: ways
                .iter()
                .fold(0, |longest, &way| longest.max(if way > most { 0 } else { way }))
                as usize,
            loners: (0..LANES).fold(0, |set, lane| set | u32::from(ways[lane] > most) << lane),
        }
    }

    /// The ends of a row of so many in eights, the last filled with zeros.
    ///
    /// # Panics
    /// If an end lies behind the row.
    #[inline(always)]
    pub fn eights(ends: &[u32], len: usize) -> (&[[u32; LANES]], Option<[u32; LANES]>) {
        let end = ends.iter().fold(0, |end, &other| end.max(other));
        assert!(end as usize <= len, "a row of {len} has no end {end}");
        let (eights, rest) = ends.as_chunks();
        let mut last = [0; LANES];
        last[..rest.len()].copy_from_slice(rest);
        (eights, (!rest.is_empty()).then_some(last))
    }

    /// The lanes of those that go on alone.
    #[inline(always)]
    pub fn lanes_alone(self) -> impl Iterator<Item = usize> {
        let mut loners = self.loners;
        core::iter::from_fn(move || {
            let lane = loners.trailing_zeros() as usize;
            loners &= loners.wrapping_sub(1);
            (lane < LANES).then_some(lane)
        })
    }
}
