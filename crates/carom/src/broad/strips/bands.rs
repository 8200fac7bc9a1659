//! Very many boxes: bands of the plane, one after the other or at the same time.

use alloc::vec::Vec;
use core::ops::Range;

use carom_simd::{Bounds, CONTINUING, Grid, Pair, Ruler};

use super::finder::{Finder, Scene};
use super::plan::plan;

/// More boxes than that do not fit in the caches that they are read from in any order.
const MANY: usize = 1 << 17;

/// Then so many are taken at a time.
const BAND: usize = 1 << 16;

/// Divides the plane into bands if there are very many boxes. A band is to the plane what a strip is
/// to a band: boxes that reach several are copied into each, marked in all but the first. So all bands
/// can be worked on alone.
#[derive(Debug, Default)]
pub(super) struct Bands {
    parts: Vec<Part>,
    works: Vec<Work>,
}

/// Some of the boxes, by bands.
#[derive(Debug, Default)]
struct Part {
    boxes: Vec<Bounds>,
    ids: Vec<u32>,
    /// Where each band ends.
    ends: Vec<usize>,
}

/// What is done for a band, with the memory that it takes.
#[derive(Debug, Default)]
struct Work {
    finder: Finder,
    boxes: Vec<Bounds>,
    ids: Vec<u32>,
    #[cfg(feature = "parallel")]
    pairs: Vec<Pair>,
    #[cfg(feature = "parallel")]
    tests: u64,
}

impl Bands {
    /// Finds the pairs of boxes that meet, with each other and with static ones. Gives the number of
    /// tests.
    pub fn find_pairs(&mut self, scene: Scene<'_>, pairs: &mut Vec<Pair>) -> u64 {
        pairs.clear();
        if scene.boxes.len() <= MANY {
            self.works.resize_with(self.works.len().max(1), Work::default);
            return self.works[0].finder.find_pairs(scene, pairs);
        }
        let bands = scene.boxes.len().div_ceil(BAND);
        // As high as the strips of a plan are together.
        let Grid { y, .. } = plan(scene.boxes, 1.0);
        let y = y.divided(bands.min(y.len()));
        self.parts.resize_with(bands, Part::default);
        self.find_in_bands(&y, scene, pairs)
    }

    #[cfg(not(feature = "parallel"))]
    fn find_in_bands(&mut self, y: &Ruler, scene: Scene<'_>, pairs: &mut Vec<Pair>) -> u64 {
        for (i, part) in self.parts.iter_mut().enumerate() {
            part.fill(y, scene, i * BAND..(i + 1) * BAND);
        }
        self.works.resize_with(1, Work::default);
        let work = &mut self.works[0];
        let mut tests = 0;
        for band in 0..y.len() {
            work.gather(&self.parts, band);
            tests += work.find_pairs(scene, pairs);
        }
        tests
    }
}

impl Part {
    /// Sorts some boxes of a scene by bands, by counting.
    fn fill(&mut self, y: &Ruler, scene: Scene<'_>, places: Range<usize>) {
        let places = places.start..places.end.min(scene.boxes.len());
        let (boxes, ids) = (&scene.boxes[places.clone()], &scene.ids[places]);
        self.ends.clear();
        self.ends.resize(y.len(), 0);
        let reach = |bounds: &Bounds| y.cell(bounds[1]) as usize..y.cell(bounds[3]) as usize + 1;
        for bounds in boxes {
            for band in reach(bounds) {
                self.ends[band] += 1;
            }
        }
        let mut total = 0;
        for end in &mut self.ends {
            (*end, total) = (total, total + *end);
        }
        self.boxes.resize(total, [0.0; 4]);
        self.ids.resize(total, 0);
        for (bounds, &id) in boxes.iter().zip(ids) {
            let mut mark = 0;
            for band in reach(bounds) {
                let place = self.ends[band];
                self.boxes[place] = *bounds;
                self.ids[place] = id | mark;
                self.ends[band] += 1;
                mark = CONTINUING;
            }
        }
    }

    /// Those of one band.
    fn band(&self, band: usize) -> Range<usize> {
        let start = if band == 0 { 0 } else { self.ends[band - 1] };
        start..self.ends[band]
    }
}

impl Work {
    /// Collects the boxes of a band, in the order in which they were given.
    fn gather(&mut self, parts: &[Part], band: usize) {
        self.boxes.clear();
        self.ids.clear();
        for part in parts {
            self.boxes.extend_from_slice(&part.boxes[part.band(band)]);
            self.ids.extend_from_slice(&part.ids[part.band(band)]);
        }
    }

    /// The pairs of the boxes collected.
    fn find_pairs(&mut self, scene: Scene<'_>, pairs: &mut Vec<Pair>) -> u64 {
        let band = Scene { boxes: &self.boxes, ids: &self.ids, ..scene };
        self.finder.find_pairs(band, pairs)
    }
}

#[cfg(feature = "parallel")]
mod parallel {
    //! The same on all threads. Each band has a list of its own, and the lists are put together in the
    //! order of the bands, so the result is the same bit by bit.

    use rayon::prelude::*;

    use super::*;

    impl Bands {
        pub(super) fn find_in_bands(
            &mut self,
            y: &Ruler,
            scene: Scene<'_>,
            pairs: &mut Vec<Pair>,
        ) -> u64 {
            self.parts.par_iter_mut().enumerate().for_each(|(i, part)| {
                part.fill(y, scene, i * BAND..(i + 1) * BAND);
            });
            self.works.resize_with(y.len(), Work::default);
            let parts = &self.parts;
            self.works.par_iter_mut().enumerate().for_each(|(band, work)| {
                work.gather(parts, band);
                let mut pairs = core::mem::take(&mut work.pairs);
                pairs.clear();
                work.tests = work.find_pairs(scene, &mut pairs);
                work.pairs = pairs;
            });
            join(&self.works, pairs);
            self.works.iter().map(|work| work.tests).sum()
        }
    }

    fn join(works: &[Work], pairs: &mut Vec<Pair>) {
        pairs.resize(works.iter().map(|work| work.pairs.len()).sum(), [0; 2]);
        let mut rest = &mut pairs[..];
        let mut tasks = Vec::with_capacity(works.len());
        for work in works {
            let (to, behind) = rest.split_at_mut(work.pairs.len());
            tasks.push((to, &work.pairs));
            rest = behind;
        }
        tasks.into_par_iter().for_each(|(to, from)| to.copy_from_slice(from));
    }
}
