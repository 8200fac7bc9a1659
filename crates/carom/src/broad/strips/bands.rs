//! Very many boxes: bands of the plane, one after the other or at the same time.

use alloc::vec::Vec;

use carom_simd::{Bounds, CONTINUING, Grid, Ids, Pair, Ruler};

use super::finder::{Finder, Scene};
use super::partition::Partition;
use super::plan::plan;

/// More boxes than that do not fit in the caches that they are read from in any order.
const MANY: usize = 1 << 17;

/// Then a band has about so many, which do.
const BAND: usize = 31_000;

/// So many boxes at a time are sorted, and then go to their bands.
const BATCH: usize = 1 << 14;

/// Divides the plane into bands if there are very many boxes. A band is to the plane what a strip is
/// to a band: boxes that reach several are copied into each, marked in all but the first. So all bands
/// can be worked on alone.
///
/// Tried and not kept: bands from fewer boxes on, for threads to share (on one thread the copies cost
/// more than the caches give); boxes that go to their bands one by one, where the place of each in
/// memory depends on the last; places counted before, so that all bands are one list (one pass more
/// through memory).
#[derive(Debug, Default)]
pub(super) struct Bands {
    finder: Finder,
    part: Part,
    #[cfg(feature = "parallel")]
    threads: parallel::Threads,
}

/// Some of the boxes, by bands.
#[derive(Debug, Default)]
struct Part {
    bands: Vec<Band>,
    sorted: Partition,
}

/// The boxes of a band and their ids, which are marked if a box began in an earlier band.
#[derive(Debug, Default)]
struct Band {
    boxes: Vec<Bounds>,
    ids: Vec<u32>,
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
        let Grid { y, .. } = plan(scene.boxes, 1.0, 1);
        let bands = scene.boxes.len().div_ceil(BAND).min(y.len());
        let grid = Grid { x: Ruler::new(0.0, 0.0, 1), y: y.divided(bands) };
        #[cfg(feature = "parallel")]
        if rayon::current_num_threads() > 1 {
            return self.threads.find_pairs(&grid, scene, pairs);
        }
        self.part.fill(&grid, scene, 0);
        pairs.clear();
        self.part.bands.iter().map(|band| band.find_pairs(&mut self.finder, scene, pairs)).sum()
    }
}

impl Part {
    /// Sorts boxes, the first of which stands at a place in the list of all, into bands.
    fn fill(&mut self, grid: &Grid, scene: Scene<'_>, start: usize) {
        self.bands.resize_with(grid.strips(), Band::default);
        self.bands.iter_mut().for_each(Band::clear);
        for (batch, start) in scene.boxes.chunks(BATCH).zip((start as u32..).step_by(BATCH)) {
            self.sorted.fill(grid, batch);
            for (i, band) in self.bands.iter_mut().enumerate() {
                let places = &self.sorted.places()[self.sorted.strip(i)];
                band.boxes.extend(places.iter().map(|&at| batch[(at & !CONTINUING) as usize]));
                band.ids.extend(places.iter().map(|&at| scene.ids.at(start + at)));
            }
        }
    }
}

impl Band {
    fn clear(&mut self) {
        self.boxes.clear();
        self.ids.clear();
    }

    /// Appends the pairs of this band of a scene. Gives the number of tests.
    fn find_pairs(&self, finder: &mut Finder, scene: Scene<'_>, pairs: &mut Vec<Pair>) -> u64 {
        finder.find_pairs(Scene { boxes: &self.boxes, ids: Ids::List(&self.ids), ..scene }, pairs)
    }
}

#[cfg(feature = "parallel")]
mod parallel {
    //! The same on all threads. Each has lists of its own for the bands that are its share, and the
    //! lists are put together in the order of the bands, so the result is the same bit by bit.

    use core::ops::Range;

    use rayon::prelude::*;

    use super::*;

    /// A thread has about so many shares of the bands, and of the boxes: they do not all take the same
    /// time.
    const SHARES: usize = 4;

    #[derive(Debug, Default)]
    pub(super) struct Threads {
        parts: Vec<Part>,
        shares: Vec<Share>,
    }

    /// Some bands, one after the other, in the same memory.
    #[derive(Debug, Default)]
    struct Share {
        finder: Finder,
        band: Band,
        pairs: Vec<Pair>,
        tests: u64,
    }

    impl Threads {
        pub fn find_pairs(&mut self, grid: &Grid, scene: Scene<'_>, pairs: &mut Vec<Pair>) -> u64 {
            let Self { parts, shares } = self;
            let (bands, count) = (grid.strips(), SHARES * rayon::current_num_threads());
            let size = scene.boxes.len().div_ceil(count).next_multiple_of(BATCH);
            let boxes = scene.boxes.par_chunks(size);
            parts.resize_with(boxes.len(), Part::default);
            parts.par_iter_mut().zip(boxes).enumerate().for_each(|(i, (part, boxes))| {
                part.fill(grid, Scene { boxes, ..scene }, i * size);
            });
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
        fn find_pairs(&mut self, bands: Range<usize>, parts: &[Part], scene: Scene<'_>) {
            self.pairs.clear();
            self.tests = 0;
            for i in bands {
                self.band.clear();
                for Band { boxes, ids } in parts.iter().map(|part| &part.bands[i]) {
                    self.band.boxes.extend_from_slice(boxes);
                    self.band.ids.extend_from_slice(ids);
                }
                self.tests += self.band.find_pairs(&mut self.finder, scene, &mut self.pairs);
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
