//! Very many boxes: bands of the plane, one after the other or at the same time.

use alloc::vec::Vec;

use carom_simd::{AxisCells, BoxEntry, Pair, StripGrid, distribute};

use super::finder::{Finder, Scene};
use super::plan::plan;

/// More boxes than that do not fit in the caches that they are read from in any order.
const MANY: usize = 1 << 17;

/// Then a band has about so many, which do.
const BAND: usize = 31_000;

/// Divides the plane into bands if there are very many boxes. A band is to the plane what a strip is
/// to a band: boxes that reach several are copied into each, marked in all but the first. So all bands
/// can be worked on alone.
///
/// Tried and not kept: bands from fewer boxes on, for threads to share (on one thread the copies cost
/// more than the caches give); places counted before, so that all bands are one list (one pass more
/// through memory); bands of 8,000 boxes, and strips dealt out like bands (no difference).
#[derive(Debug, Default)]
pub(super) struct Bands {
    finder: Finder,
    bands: Vec<Vec<BoxEntry>>,
    #[cfg(feature = "parallel")]
    threads: parallel::Threads,
}

impl Bands {
    /// Finds the pairs of boxes that meet, with each other and with static ones. Gives the number of
    /// tests.
    pub fn find_pairs(&mut self, scene: Scene<'_>, pairs: &mut Vec<Pair>) -> u64 {
        if scene.boxes.len() <= MANY {
            pairs.clear();
            return self.finder.find_pairs(scene, pairs);
        }
        // As high as the strips of a plan are together.
        let StripGrid { y, .. } = plan(scene.boxes, 1.0, 1);
        let bands = scene.boxes.len().div_ceil(BAND).min(y.len());
        let ruler = y.with_len(bands);
        #[cfg(feature = "parallel")]
        if rayon::current_num_threads() > 1 {
            return self.threads.find_pairs(&ruler, scene, pairs);
        }
        fill(&mut self.bands, &ruler, scene.boxes);
        pairs.clear();
        let bands = self.bands.iter().map(|band| Scene { boxes: band, ..scene });
        bands.map(|band| self.finder.find_pairs(band, pairs)).sum()
    }
}

/// Gives boxes to their bands.
fn fill(bands: &mut Vec<Vec<BoxEntry>>, ruler: &AxisCells, boxes: &[BoxEntry]) {
    bands.resize_with(ruler.len(), Vec::new);
    bands.iter_mut().for_each(Vec::clear);
    distribute(ruler, boxes, bands);
}

#[cfg(feature = "parallel")]
mod parallel {
    //! The same on all threads. Each has lists of its own for the bands that are its share, and the
    //! lists are put together in the order of the bands, so the result is the same bit by bit.

    use core::ops::Range;

    use carom_simd::LANES;
    use rayon::prelude::*;

    use super::*;

    /// A thread has about so many shares of the bands, and of the boxes: they do not all take the same
    /// time.
    const SHARES: usize = 4;

    #[derive(Debug, Default)]
    pub(super) struct Threads {
        parts: Vec<Vec<Vec<BoxEntry>>>,
        shares: Vec<Share>,
    }

    /// Some bands, one after the other, in the same memory.
    #[derive(Debug, Default)]
    struct Share {
        finder: Finder,
        band: Vec<BoxEntry>,
        pairs: Vec<Pair>,
        tests: u64,
    }

    impl Threads {
        pub fn find_pairs(
            &mut self,
            ruler: &AxisCells,
            scene: Scene<'_>,
            pairs: &mut Vec<Pair>,
        ) -> u64 {
            let Self { parts, shares } = self;
            let (bands, count) = (ruler.len(), SHARES * rayon::current_num_threads());
            let size = scene.boxes.len().div_ceil(count).next_multiple_of(LANES);
            let boxes = scene.boxes.par_chunks(size);
            parts.resize_with(boxes.len(), Vec::new);
            parts.par_iter_mut().zip(boxes).for_each(|(part, boxes)| fill(part, ruler, boxes));
            shares.resize_with(bands.min(count), Share::default);
            let count = shares.len();
            shares.par_iter_mut().enumerate().for_each(|(i, share)| {
                share.find_pairs(i * bands / count..(i + 1) * bands / count, parts, scene);
            });
            join(shares, pairs);
            shares.iter().map(|share| share.tests).sum()
        }
    }

    impl Share {
        fn find_pairs(
            &mut self,
            bands: Range<usize>,
            parts: &[Vec<Vec<BoxEntry>>],
            scene: Scene<'_>,
        ) {
            self.pairs.clear();
            self.tests = 0;
            for i in bands {
                self.band.clear();
                parts.iter().for_each(|part| self.band.extend_from_slice(&part[i]));
                let band = Scene { boxes: &self.band, ..scene };
                self.tests += self.finder.find_pairs(band, &mut self.pairs);
            }
        }
    }

    fn join(shares: &[Share], pairs: &mut Vec<Pair>) {
        // What was in the list is overwritten: to clear it first would be to write it twice.
        pairs.resize(shares.iter().map(|share| share.pairs.len()).sum(), [0; 2]);
        let mut rest = &mut pairs[..];
        let mut tasks = Vec::with_capacity(shares.len());
        for share in shares {
            let (to, behind) = rest.split_at_mut(share.pairs.len());
            tasks.push((to, &share.pairs));
            rest = behind;
        }
        tasks.into_par_iter().for_each(|(to, from)| to.copy_from_slice(from));
    }
}
