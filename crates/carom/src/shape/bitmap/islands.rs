//! Which pixels hang together.

use alloc::vec::Vec;
use core::ops::Range;

use super::Bitmap;
use crate::shape::Cell;

/// Pixels of a bitmap that hang together: a bitmap just large enough, and where its first pixel is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Island {
    /// Where the first pixel of the box is.
    pub at: Cell,
    /// The box with the pixels of this island set.
    pub pixels: Bitmap,
}

/// A stretch of set pixels of a row.
struct Run {
    row: u32,
    columns: Range<u32>,
}

impl Bitmap {
    /// The islands that the bitmap is made of, in the order of their first pixels: pixels hang
    /// together at their sides and at their corners.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let picture = Bitmap::from_rows(&["#..#", ".#..", "...#"]);
    /// let islands = picture.islands();
    /// assert_eq!(islands.len(), 3);
    /// assert_eq!(islands[0].pixels, Bitmap::from_rows(&["#.", ".#"]));
    /// assert_eq!(islands[2].at, Cell::new(3, 2));
    /// ```
    pub fn islands(&self) -> Vec<Island> {
        let mut runs: Vec<Run> = Vec::new();
        self.each_run(|row, columns| runs.push(Run { row, columns }));
        let labels = labels(&runs);
        let mut bounds: Vec<(usize, Range<u32>, Range<u32>)> = Vec::new();
        let mut number = alloc::vec![usize::MAX; runs.len()];
        for (i, run) in runs.iter().enumerate() {
            if labels[i] == i {
                number[i] = bounds.len();
                bounds.push((i, run.columns.clone(), run.row..run.row));
            }
            let (_, columns, rows) = &mut bounds[number[labels[i]]];
            *columns = columns.start.min(run.columns.start)..columns.end.max(run.columns.end);
            rows.end = run.row + 1;
        }
        let boxes = bounds.into_iter().map(|(_, columns, rows)| Island {
            at: Cell::new(columns.start, rows.start),
            pixels: Self::new(columns.len() as u32, rows.len() as u32),
        });
        let mut islands: Vec<Island> = boxes.collect();
        for (run, &label) in runs.iter().zip(&labels) {
            let Island { at, pixels } = &mut islands[number[label]];
            pixels.put_run(
                run.row - at.row,
                run.columns.start - at.column..run.columns.end - at.column,
            );
        }
        islands.iter_mut().for_each(|island| island.pixels.recount());
        islands
    }
}

/// For each stretch, the first of its island. (Union-find; the least index is the root, so each
/// root comes before all of its island.)
fn labels(runs: &[Run]) -> Vec<usize> {
    let mut parent: Vec<usize> = (0..runs.len()).collect();
    fn root(parent: &mut [usize], mut i: usize) -> usize {
        while parent[i] != i {
            parent[i] = parent[parent[i]];
            i = parent[i];
        }
        i
    }
    // Two rows are walked side by side; `above` stays behind `i` by one row.
    let mut above = 0;
    for i in 0..runs.len() {
        let run = &runs[i];
        let is_passed = |other: &Run| {
            other.row + 1 < run.row || other.row < run.row && other.columns.end < run.columns.start
        };
        while is_passed(&runs[above]) {
            above += 1;
        }
        let touching = runs[above..i].iter();
        let touching = touching
            .take_while(|other| other.row < run.row && other.columns.start <= run.columns.end);
        for j in above..above + touching.count() {
            let (a, b) = (root(&mut parent, i), root(&mut parent, j));
            parent[a.max(b)] = a.min(b);
        }
    }
    (0..runs.len()).map(|i| root(&mut parent, i)).collect()
}
