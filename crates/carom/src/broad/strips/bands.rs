//! Very many boxes: bands of the plane, one after the other or at the same time.

use alloc::vec::Vec;
use core::ops::Range;

use carom_simd::{Bounds, CONTINUING, Cells, Grid, Ids, Pair, Ruler, find_cells};

use super::finder::{Finder, Scene};
use super::plan::plan;

/// More boxes than that do not fit in the caches that they are read from in any order.
const MANY: usize = 1 << 17;

/// Then a band has about so many.
const BAND: usize = 1 << 16;

/// Divides the plane into bands if there are very many boxes. A band is to the plane what a strip is
/// to a band: boxes that reach several are copied into each, marked in all but the first. So all bands
/// can be worked on alone.
///
/// Tried and not kept: bands from fewer boxes on, for threads to share (on one thread the copies cost
/// more than the caches give); smaller bands; sorting each part in a place of its own, without counting
/// all parts first, and collecting a band from them (one pass less through memory, one copy more).
#[derive(Debug, Default)]
pub(super) struct Bands {
    finder: Finder,
    parts: Vec<Part>,
    /// All boxes, band by band, and where each band ends.
    boxes: Vec<Bounds>,
    ids: Vec<u32>,
    ends: Vec<usize>,
    #[cfg(feature = "parallel")]
    shares: Vec<parallel::Share>,
}

/// Some of the boxes given, one after the other.
#[derive(Debug, Default)]
struct Part {
    /// The band of each; a band is a grid's strip of one cell.
    cells: Cells,
    /// Where those of each band will stand.
    starts: Vec<usize>,
}

impl Bands {
    /// Finds the pairs of boxes that meet, with each other and with static ones. Gives the number of
    /// tests.
    pub fn find_pairs(&mut self, scene: Scene<'_>, pairs: &mut Vec<Pair>) -> u64 {
        if scene.boxes.len() <= MANY {
            pairs.clear();
            return self.finder.find_pairs(scene, pairs);
        }
        let bands = scene.boxes.len().div_ceil(BAND);
        // As high as the strips of a plan are together.
        let Grid { y, .. } = plan(scene.boxes, 1.0);
        let grid = Grid { x: Ruler::new(0.0, 0.0, 1), y: y.divided(bands.min(y.len())) };
        self.parts.resize_with(bands, Part::default);
        #[cfg(feature = "parallel")]
        if rayon::current_num_threads() > 1 {
            return self.find_at_once(&grid, scene, pairs);
        }
        for (i, part) in self.parts.iter_mut().enumerate() {
            part.sort(&grid, &scene.boxes[part_of(scene, i)]);
        }
        self.lay_out();
        for (i, part) in self.parts.iter_mut().enumerate() {
            let Self { boxes, ids, .. } = self;
            part.each(scene, i, |_, place, bounds, id| {
                (boxes[place], ids[place]) = (*bounds, id);
            });
        }
        pairs.clear();
        let mut tests = 0;
        for band in 0..self.ends.len() {
            let places = band_in(&self.ends, band);
            let (boxes, ids) = (&self.boxes[places.clone()], Ids::List(&self.ids[places]));
            tests += self.finder.find_pairs(Scene { boxes, ids, ..scene }, pairs);
        }
        tests
    }

    /// Gives every part its places in the list of all boxes, where those of a band stand together and
    /// in the order of the parts.
    fn lay_out(&mut self) {
        let bands = self.parts.first().map_or(0, |part| part.starts.len());
        self.ends.clear();
        let mut end = 0;
        for band in 0..bands {
            for part in &mut self.parts {
                end += core::mem::replace(&mut part.starts[band], end);
            }
            self.ends.push(end);
        }
        self.boxes.resize(end, [0.0; 4]);
        self.ids.resize(end, 0);
    }
}

/// Which of the boxes given are in a part.
fn part_of(scene: Scene<'_>, part: usize) -> Range<usize> {
    part * BAND..((part + 1) * BAND).min(scene.boxes.len())
}

/// Which of all boxes are in a band.
fn band_in(ends: &[usize], band: usize) -> Range<usize> {
    let start = if band == 0 { 0 } else { ends[band - 1] };
    start..ends[band]
}

impl Part {
    /// Finds the bands of the boxes, and for now how many there are of each.
    fn sort(&mut self, grid: &Grid, boxes: &[Bounds]) {
        find_cells(grid, boxes, &mut self.cells);
        self.starts.clear();
        self.starts.resize(grid.strips(), 0);
        for &band in &self.cells.firsts {
            self.starts[band as usize] += 1;
        }
        for &[band, _] in &self.cells.others {
            self.starts[band as usize] += 1;
        }
    }

    /// Shows every box with its band and place, and with its id, which is marked in later bands.
    #[inline]
    fn each(
        &mut self,
        scene: Scene<'_>,
        part: usize,
        mut show: impl FnMut(usize, usize, &Bounds, u32),
    ) {
        let Self { cells: Cells { firsts, others }, starts } = self;
        let places = part_of(scene, part);
        let (start, boxes) = (places.start as u32, &scene.boxes[places]);
        let mut put = |band: u32, bounds: &Bounds, id: u32| {
            let place = &mut starts[band as usize];
            show(band as usize, *place, bounds, id);
            *place += 1;
        };
        for ((place, bounds), &band) in (start..).zip(boxes).zip(&*firsts) {
            put(band, bounds, scene.ids.at(place));
        }
        for &[band, at] in &*others {
            put(band, &boxes[at as usize], scene.ids.at((start + at) | CONTINUING));
        }
    }
}

#[cfg(feature = "parallel")]
mod parallel {
    //! The same on all threads. Each has lists of its own for the bands that are its share, and the
    //! lists are put together in the order of the bands, so the result is the same bit by bit.

    use rayon::prelude::*;

    use super::*;

    /// A thread has about so many shares of the bands: they do not all take the same time.
    const SHARES: usize = 4;

    /// Some bands, one after the other, in the same memory.
    #[derive(Debug, Default)]
    pub(in super::super) struct Share {
        finder: Finder,
        pairs: Vec<Pair>,
        tests: u64,
    }

    /// The places of a part in a band: where they begin, and the places.
    type Room<'a> = (usize, &'a mut [Bounds], &'a mut [u32]);

    impl Bands {
        pub(super) fn find_at_once(
            &mut self,
            grid: &Grid,
            scene: Scene<'_>,
            pairs: &mut Vec<Pair>,
        ) -> u64 {
            self.parts.par_iter_mut().enumerate().for_each(|(i, part)| {
                part.sort(grid, &scene.boxes[part_of(scene, i)]);
            });
            self.lay_out();
            let rooms = rooms(&self.parts, &mut self.boxes, &mut self.ids);
            self.parts.par_iter_mut().zip(rooms).enumerate().for_each(|(i, (part, mut rooms))| {
                part.each(scene, i, |band, place, bounds, id| {
                    let (start, boxes, ids) = &mut rooms[band];
                    (boxes[place - *start], ids[place - *start]) = (*bounds, id);
                });
            });
            let bands = grid.strips();
            let count = bands.min(SHARES * rayon::current_num_threads());
            self.shares.resize_with(count, Share::default);
            let Self { shares, boxes, ids, ends, .. } = self;
            shares.par_iter_mut().enumerate().for_each(|(i, Share { finder, pairs, tests })| {
                pairs.clear();
                *tests = 0;
                for band in i * bands / count..(i + 1) * bands / count {
                    let places = band_in(ends, band);
                    let (boxes, ids) = (&boxes[places.clone()], Ids::List(&ids[places]));
                    *tests += finder.find_pairs(Scene { boxes, ids, ..scene }, pairs);
                }
            });
            join(shares, pairs);
            shares.iter().map(|share| share.tests).sum()
        }
    }

    /// For each part, its places in each band.
    fn rooms<'a>(
        parts: &[Part],
        mut boxes: &'a mut [Bounds],
        mut ids: &'a mut [u32],
    ) -> Vec<Vec<Room<'a>>> {
        let bands = parts.first().map_or(0, |part| part.starts.len());
        let mut rooms: Vec<Vec<Room<'a>>> =
            parts.iter().map(|_| Vec::with_capacity(bands)).collect();
        let all = (0..bands).flat_map(|band| parts.iter().map(move |part| part.starts[band]));
        let ends = all.skip(1).chain([boxes.len()]);
        let mut start = 0;
        for (place, end) in ends.enumerate() {
            let (these, rest) = boxes.split_at_mut(end - start);
            let (their_ids, rest_of_ids) = ids.split_at_mut(end - start);
            rooms[place % parts.len()].push((start, these, their_ids));
            (boxes, ids, start) = (rest, rest_of_ids, end);
        }
        rooms
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
