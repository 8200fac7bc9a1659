//! The number of steps of a sweep that eight neighboring boxes take together.

use crate::{BoxColumns, LANES};

/// The steps of eight neighboring boxes in a [`sweep`](crate::sweep).
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweepSteps {
    /// The number of steps that all eight take together.
    pub shared: usize,
    /// The lanes of the stragglers, which have further tests to make alone, as a bit set.
    pub stragglers: u32,
}

/// The cost of processing a straggler alone, in shared steps.
pub(crate) const SPLIT_COST: u32 = 12;

impl SweepSteps {
    /// Plans the steps of the eight boxes from `start` on. An end of 0 stands for a lane without a box.
    ///
    /// A shared step, one test of each of the eight boxes, costs as much as eight tests of a single box. So one
    /// wide box must not keep the other seven in shared steps: it becomes a straggler if it has more than twice as
    /// many tests as the box with the fewest, plus the cost of splitting it off.
    #[inline(always)]
    pub fn new(start: usize, ends: &[u32; LANES]) -> Self {
        let next = start as u32 + 1;
        let tests: [u32; LANES] = core::array::from_fn(|lane| {
            let next = next + lane as u32;
            ends[lane].max(next) - next
        });
        // No overflow: ends are at most `BoxColumns::MAX_LEN`.
        let limit = 2 * tests.iter().fold(u32::MAX, |min, &count| min.min(count)) + SPLIT_COST;
        let shared =
            tests.iter().fold(0, |max, &count| max.max(if count > limit { 0 } else { count }));
        let stragglers =
            (0..LANES).fold(0, |set, lane| set | u32::from(tests[lane] > limit) << lane);
        Self { shared: shared as usize, stragglers }
    }

    /// Splits the ends of a strip into groups of eight. The last group is filled up with zeros if necessary.
    ///
    /// # Panics
    /// Panics if there are not as many ends as boxes, or if an end is greater than the number of boxes.
    #[inline(always)]
    pub fn groups<'a>(
        strip: &BoxColumns,
        ends: &'a [u32],
    ) -> (&'a [[u32; LANES]], Option<[u32; LANES]>) {
        let len = strip.len();
        assert_eq!(ends.len(), len, "expected one end per box");
        let greatest = ends.iter().fold(0, |max, &end| max.max(end));
        assert!(greatest as usize <= len, "end {greatest} out of bounds for {len} boxes");
        let (groups, rest) = ends.as_chunks();
        let mut last = [0; LANES];
        last[..rest.len()].copy_from_slice(rest);
        (groups, (!rest.is_empty()).then_some(last))
    }

    /// Returns the lanes of the stragglers in ascending order.
    #[inline(always)]
    pub fn straggler_lanes(self) -> impl Iterator<Item = usize> {
        let mut stragglers = self.stragglers;
        core::iter::from_fn(move || {
            let lane = stragglers.trailing_zeros() as usize;
            stragglers &= stragglers.wrapping_sub(1);
            (lane < LANES).then_some(lane)
        })
    }
}
