//! The connected components of a bitmap.

use alloc::vec::Vec;
use core::ops::Range;

use super::Bitmap;
use crate::shape::Cell;

/// A connected component of a bitmap: its pixels, cropped to their bounds, and the position of
/// these bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Island {
    /// The position of the first pixel of the bounds in the original bitmap.
    pub at: Cell,
    /// The pixels of this island. Those of other islands in the same bounds are clear.
    pub pixels: Bitmap,
}

/// A run of set pixels in a row.
struct Run {
    row: u32,
    columns: Range<u32>,
}

impl Bitmap {
    /// Returns the connected components of the set pixels, in the order of their first pixels.
    /// Pixels are connected at edges and at corners (8-connectivity).
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
        self.for_each_run(|row, columns| runs.push(Run { row, columns }));
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
        islands.iter_mut().for_each(|island| island.pixels.update_summaries());
        islands
    }
}

/// Returns for each run the first run of its island. This is a union-find structure in which the
/// lowest index is the root, so a root precedes all other runs of its island.
fn labels(runs: &[Run]) -> Vec<usize> {
    let mut parent: Vec<usize> = (0..runs.len()).collect();
    fn root(parent: &mut [usize], mut i: usize) -> usize {
        while parent[i] != i {
            parent[i] = parent[parent[i]];
            i = parent[i];
        }
        i
    }
    // Two adjacent rows are traversed together; `above` is one row behind `i`.
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
