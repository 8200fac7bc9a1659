use alloc::vec::Vec;
use core::ops::Range;

use crate::{
    Bounds, CONTINUING, Cells, Grid, LANES, Pair, Row, Ruler, find_cells, gather, portable, scan,
    sweep,
};

/// xorshift64*
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32) as u32
    }

    fn below(&mut self, bound: u32) -> u32 {
        self.next() % bound
    }

    /// A few values only, so that boxes touch, coincide and have no size.
    fn coordinate(&mut self) -> f32 {
        const ODD: [f32; 6] = [f32::MIN, -0.0, 0.0, f32::MIN_POSITIVE, 1e-45, f32::MAX];
        match self.below(8) {
            0 => ODD[self.below(6) as usize],
            _ => self.below(12) as f32 - 6.0,
        }
    }

    fn bounds(&mut self) -> Bounds {
        let [a, b, c, d] = core::array::from_fn(|_| self.coordinate());
        [a.min(b), c.min(d), a.max(b), c.max(d)]
    }

    /// A row of boxes, longer before than it is now, so that boxes have stood behind it.
    fn row(&mut self, len: usize) -> Row {
        let mut row = Row::new();
        row.resize(len + 20);
        for at in 0..len + 20 {
            row.put(at, &self.bounds(), self.next());
        }
        row.resize(len);
        row
    }
}

/// What the loops do, one box at a time.
fn meet(row: &Row, at: usize, bounds: &Bounds, id: u32) -> Option<Pair> {
    let (other, other_id) = row.get(at);
    let meets = (0..2).all(|i| other[i] <= bounds[i + 2] && bounds[i] <= other[i + 2]);
    let (one, two) = (id & !CONTINUING, other_id & !CONTINUING);
    (meets && id & other_id & CONTINUING == 0).then(|| [one.min(two), one.max(two)])
}

/// The places, and those that fill the last eight.
fn tested(row: &Row, places: Range<usize>) -> Range<usize> {
    let end = places.start + places.len().next_multiple_of(LANES);
    places.start..end.min(row.len())
}

#[test]
fn sweeps_give_the_same_pairs_in_the_same_order_on_every_path() {
    let mut rng = Rng(1);
    for len in (0..40).chain([64, 100, 333]).cycle().take(2000) {
        let row = rng.row(len);
        let ends: Vec<u32> = (0..len).map(|_| rng.below(len as u32 + 1)).collect();
        let mut expected = Vec::from([[7, 8]]); // what is in the list stays
        for (i, &end) in ends.iter().enumerate() {
            let (bounds, id) = row.get(i);
            let others = tested(&row, i + 1..end as usize);
            expected.extend(others.filter_map(|j| meet(&row, j, &bounds, id)));
        }
        let (mut chosen, mut safe) = (Vec::from([[7, 8]]), Vec::from([[7, 8]]));
        sweep(&row, &ends, &mut chosen);
        portable::sweep(&row, &ends, &mut safe);
        assert_eq!(chosen, expected, "{len} boxes");
        assert_eq!(safe, expected, "{len} boxes");
    }
}

#[test]
fn scans_give_the_same_pairs_in_the_same_order_on_every_path() {
    let mut rng = Rng(2);
    for len in (1..70).cycle().take(5000) {
        let row = rng.row(len);
        let start = rng.below(len as u32) as usize;
        let places = start..start + rng.below((len - start) as u32 + 1) as usize;
        let (bounds, id, continuing) = (rng.bounds(), rng.next() >> 1, rng.below(2) == 0);
        let mark = if continuing { 0 } else { CONTINUING };
        let expected: Vec<_> =
            places.clone().filter_map(|at| meet(&row, at, &bounds, id | mark)).collect();
        let (mut chosen, mut safe) = (Vec::new(), Vec::new());
        scan(&row, places.clone(), (&bounds, id), continuing, &mut chosen);
        portable::scan(&row, places.clone(), (&bounds, id), continuing, &mut safe);
        assert_eq!(chosen, expected, "{places:?} of {len}");
        assert_eq!(safe, expected, "{places:?} of {len}");
    }
}

#[test]
fn cells_are_the_same_on_every_path() {
    let mut rng = Rng(5);
    for len in (0..50).cycle().take(3000) {
        let boxes: Vec<Bounds> = (0..len).map(|_| rng.bounds()).collect();
        let mut ruler = || {
            let [low, _, high, _] = rng.bounds();
            Ruler::new(low, high, 1 + rng.below(9) as usize)
        };
        let grid = Grid { x: ruler(), y: ruler() };
        let (mut chosen, mut safe) = (Cells::default(), Cells::default());
        find_cells(&grid, &boxes, &mut chosen);
        portable::find_cells(&grid, &boxes, &mut safe);
        assert_eq!((chosen.firsts, chosen.others), (safe.firsts, safe.others), "{boxes:?}");
    }
}

#[test]
fn rows_are_gathered_in_the_same_way_on_every_path() {
    let mut rng = Rng(6);
    for len in (1..50).cycle().take(1000) {
        let boxes: Vec<Bounds> = (0..len).map(|_| rng.bounds()).collect();
        let ids: Vec<u32> = (0..len).map(|_| rng.next() >> 1).collect();
        let places: Vec<u32> =
            (0..rng.below(60)).map(|_| rng.below(len) | (rng.next() & CONTINUING)).collect();
        let mut row = Row::new();
        gather(&mut row, &boxes, &ids, &places);
        assert_eq!(row.len(), places.len());
        for (at, place) in places.iter().enumerate() {
            let from = (place & !CONTINUING) as usize;
            assert_eq!(row.get(at), (boxes[from], ids[from] | (place & CONTINUING)));
        }
    }
}

#[test]
#[should_panic(expected = "no end 6")]
fn ends_behind_a_row_are_refused() {
    sweep(&Rng(3).row(5), &[5, 5, 6, 5, 5], &mut Vec::new());
}

#[test]
#[should_panic(expected = "an end for each")]
fn a_row_needs_an_end_for_every_box() {
    sweep(&Rng(3).row(5), &[5; 4], &mut Vec::new());
}

#[test]
#[should_panic(expected = "no place 6")]
fn places_behind_a_row_are_refused() {
    scan(&Rng(4).row(5), 0..6, (&[0.0; 4], 0), true, &mut Vec::new());
}
