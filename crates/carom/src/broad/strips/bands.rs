//! Bands of the plane for very many boxes, searched one after the other or in parallel.

use alloc::vec::Vec;

use carom_simd::{AxisCells, BoxEntry, Pair, StripGrid, distribute};

use super::choose_grid::choose_grid;
use super::pair_finder::{PairFinder, PairSearch};
use crate::broad::PairLimit;
use crate::broad::shared::visitors::PairSink;

/// The number of boxes above which they do not fit in the CPU's caches, where random access is fast.
const MAX_UNDIVIDED: usize = 1 << 17;

/// The number of boxes in a band. They fit in the caches.
const BOXES_PER_BAND: usize = 31_000;

/// Divides the plane into horizontal bands if there are very many boxes. A band is to the plane what a strip
/// is to a band: boxes that span several are copied into each, and are copies in all but the first. So each
/// band can be searched independently.
///
/// Tried without gain: bands for fewer boxes, to be shared by threads (on one thread the copies cost more
/// than the caches save); counting first, so that all bands are one list (one more pass through memory); bands
/// of 8,000 boxes, and strips that are distributed like bands (no difference).
#[derive(Debug, Default)]
pub(super) struct Bands {
    finder: PairFinder,
    bands: Vec<Vec<BoxEntry>>,
    #[cfg(feature = "parallel")]
    parallel: parallel::ParallelBands,
}

impl Bands {
    /// Finds the pairs of boxes with each other and with fixed ones, overwriting `pairs`. Returns the number of
    /// tests made, or `None` if there are more pairs than the limit allows.
    pub fn find_pairs(
        &mut self,
        search: PairSearch<'_>,
        limit: PairLimit<'_>,
        pairs: &mut Vec<Pair>,
    ) -> Option<u64> {
        if search.boxes.len() <= MAX_UNDIVIDED {
            let mut sink = PairSink::new(limit, pairs);
            self.finder.find_pairs(search, &mut sink);
            return sink.finish();
        }
        // Bands over the height of a grid.
        let StripGrid { y, .. } = choose_grid(search.boxes, 1.0, 1);
        let count = search.boxes.len().div_ceil(BOXES_PER_BAND).min(y.len());
        let axis = y.with_len(count);
        #[cfg(feature = "parallel")]
        if rayon::current_num_threads() > 1 {
            return self.parallel.find_pairs(&axis, search, limit, pairs);
        }
        fill_bands(&mut self.bands, &axis, search.boxes);
        let mut sink = PairSink::new(limit, pairs);
        for band in &self.bands {
            self.finder.find_pairs(PairSearch { boxes: band, ..search }, &mut sink);
        }
        sink.finish()
    }
}

fn fill_bands(bands: &mut Vec<Vec<BoxEntry>>, axis: &AxisCells, boxes: &[BoxEntry]) {
    bands.resize_with(axis.len(), Vec::new);
    bands.iter_mut().for_each(Vec::clear);
    distribute(axis, boxes, bands);
}

#[cfg(feature = "parallel")]
mod parallel {
    //! Bands on several threads. Each task has its own list of pairs, and the lists are concatenated in the
    //! order of the bands, so the result does not depend on the number of threads.

    use core::ops::Range;

    use carom_simd::LANES;
    use rayon::prelude::*;

    use super::*;

    /// The number of tasks per thread. There are several, because tasks differ in the time that they take.
    const TASKS_PER_THREAD: usize = 4;

    #[derive(Debug, Default)]
    pub(super) struct ParallelBands {
        /// For each part of the list of boxes, its bands.
        parts: Vec<Vec<Vec<BoxEntry>>>,
        tasks: Vec<BandTask>,
    }

    /// A range of bands, which are searched one after the other in the same memory.
    #[derive(Debug, Default)]
    struct BandTask {
        finder: PairFinder,
        band: Vec<BoxEntry>,
        pairs: Vec<Pair>,
        tests: Option<u64>,
        rejected: usize,
    }

    impl ParallelBands {
        pub fn find_pairs(
            &mut self,
            axis: &AxisCells,
            search: PairSearch<'_>,
            limit: PairLimit<'_>,
            pairs: &mut Vec<Pair>,
        ) -> Option<u64> {
            let Self { parts, tasks } = self;
            // 1. Distribute the boxes to bands, each part of the list separately. The size of a part is a multiple
            //    of `LANES`, so that the order within a band is the same as on one thread.
            let (bands, count) = (axis.len(), TASKS_PER_THREAD * rayon::current_num_threads());
            let size = search.boxes.len().div_ceil(count).next_multiple_of(LANES);
            let boxes = search.boxes.par_chunks(size);
            parts.resize_with(boxes.len(), Vec::new);
            parts.par_iter_mut().zip(boxes).for_each(|(part, boxes)| fill_bands(part, axis, boxes));
            // 2. Search the bands.
            tasks.resize_with(bands.min(count), BandTask::default);
            let count = tasks.len();
            tasks.par_iter_mut().enumerate().for_each(|(i, task)| {
                task.find_pairs(i * bands / count..(i + 1) * bands / count, parts, search, limit);
            });
            // 3. Concatenate the pairs, unless a task or all of them together have too many.
            let tests = tasks.iter().map(|task| task.tests).sum::<Option<u64>>()?;
            concatenate(tasks, pairs);
            let rejected = tasks.iter().map(|task| task.rejected).sum();
            limit.allows(pairs.len(), rejected).then_some(tests)
        }
    }

    impl BandTask {
        fn find_pairs(
            &mut self,
            bands: Range<usize>,
            parts: &[Vec<Vec<BoxEntry>>],
            search: PairSearch<'_>,
            limit: PairLimit<'_>,
        ) {
            let mut sink = PairSink::new(limit, &mut self.pairs);
            for i in bands {
                self.band.clear();
                parts.iter().for_each(|part| self.band.extend_from_slice(&part[i]));
                let band = PairSearch { boxes: &self.band, ..search };
                self.finder.find_pairs(band, &mut sink);
            }
            self.tests = sink.finish();
            self.rejected = sink.rejected();
        }
    }

    fn concatenate(tasks: &[BandTask], pairs: &mut Vec<Pair>) {
        // The list is not cleared first, because then `resize` would write all of it.
        pairs.resize(tasks.iter().map(|task| task.pairs.len()).sum(), [0; 2]);
        let mut rest = &mut pairs[..];
        let mut copies = Vec::with_capacity(tasks.len());
        for task in tasks {
            let (to, after) = rest.split_at_mut(task.pairs.len());
            copies.push((to, &task.pairs));
            rest = after;
        }
        copies.into_par_iter().for_each(|(to, from)| to.copy_from_slice(from));
    }
}
