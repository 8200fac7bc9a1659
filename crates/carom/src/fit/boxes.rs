//! Covering a bitmap with a few boxes.

use alloc::vec::Vec;
use core::ops::Range;

use glam::Vec2;

use crate::shape::{Aabb, Bitmap};

/// Returns disjoint axis-aligned boxes that cover all set pixels. There are at most `max_count` of them,
/// fewer if more would not reduce the area, and none if no pixel is set.
///
/// The algorithm is greedy:
///
/// 1. Start with the bounding box of all set pixels.
/// 2. For each box, find the horizontal or vertical cut after which the two halves, shrunk to their pixels,
///    have the least area.
/// 3. Cut the box whose cut saved_area the most area, and repeat from step 2.
pub fn boxes(bitmap: &Bitmap, max_count: usize) -> Vec<Aabb> {
    let mut found: Vec<Split> = Vec::new();
    let (columns, rows) = bitmap.used();
    found.extend(
        (max_count > 0 && !bitmap.is_clear())
            .then(|| Split::find_best(bitmap, Pixels { columns, rows })),
    );
    while found.len() < max_count {
        let gains = found.iter().enumerate().filter(|(_, split)| split.saved_area > 0);
        let Some((i, _)) =
            gains.max_by_key(|(i, split)| (split.saved_area, core::cmp::Reverse(*i)))
        else {
            break;
        };
        let split = found.remove(i);
        found.extend(split.halves.map(|half| Split::find_best(bitmap, half)));
    }
    found.sort_by_key(|split| (split.whole.rows.start, split.whole.columns.start));
    found.iter().map(|split| split.whole.to_aabb()).collect()
}

/// A rectangle of pixels.
#[derive(Clone, Debug, PartialEq)]
struct Pixels {
    columns: Range<u32>,
    rows: Range<u32>,
}

impl Pixels {
    const NONE: Self = Self { columns: 0..0, rows: 0..0 };

    fn area(&self) -> u64 {
        self.columns.len() as u64 * self.rows.len() as u64
    }

    /// Returns the smallest rectangle that contains both rectangles.
    fn union(&self, other: &Self) -> Self {
        let both = |a: &Range<u32>, b: &Range<u32>| a.start.min(b.start)..a.end.max(b.end);
        match (self.area(), other.area()) {
            (0, _) => other.clone(),
            (_, 0) => self.clone(),
            _ => Self {
                columns: both(&self.columns, &other.columns),
                rows: both(&self.rows, &other.rows),
            },
        }
    }

    fn to_aabb(&self) -> Aabb {
        let at = |column: u32, row: u32| Vec2::new(column as f32, row as f32);
        let Self { columns, rows } = self;
        Aabb::new(at(columns.start, rows.start), at(columns.end, rows.end))
    }
}

/// A tight box, and the best way to split it in two.
struct Split {
    whole: Pixels,
    halves: [Pixels; 2],
    /// The area of the box minus the areas of its tight halves.
    saved_area: u64,
}

impl Split {
    /// Finds the best split of a tight box, in time linear in its number of pixels.
    fn find_best(bitmap: &Bitmap, whole: Pixels) -> Self {
        let mut best = Self { saved_area: 0, halves: [Pixels::NONE; 2], whole };
        let lanes = [best.whole.rows.clone(), best.whole.columns.clone()];
        let tight = [row_bounds(bitmap, &best.whole), column_bounds(bitmap, &best.whole)];
        for (lanes, tight) in lanes.into_iter().zip(tight) {
            // A lane is a row or a column. First compute the tight bounds of the lanes after each split, from
            // the last lane backwards; then the tight bounds of the lanes before it, from the first lane
            // forwards.
            let mut after: Vec<Pixels> = Vec::with_capacity(lanes.len());
            for lane in tight.iter().rev() {
                after.push(after.last().unwrap_or(&Pixels::NONE).union(lane));
            }
            let mut before = Pixels::NONE;
            for (i, lane) in tight.iter().enumerate().take(tight.len() - 1) {
                before = before.union(lane);
                let after = &after[tight.len() - 2 - i];
                let saved_area = best.whole.area() - before.area() - after.area();
                if saved_area > best.saved_area {
                    (best.saved_area, best.halves) = (saved_area, [before.clone(), after.clone()]);
                }
            }
        }
        best
    }
}

/// Returns the bounds of the set pixels in each row of a rectangle.
fn row_bounds(bitmap: &Bitmap, within: &Pixels) -> Vec<Pixels> {
    let row = |row: u32| {
        let mut runs = bitmap.runs_in(row, &within.columns);
        let first = runs.next()?;
        let end = runs.last().map_or(first.end, |last| last.end);
        Some(Pixels { columns: first.start..end, rows: row..row + 1 })
    };
    within.rows.clone().map(|y| row(y).unwrap_or(Pixels::NONE)).collect()
}

/// Returns the bounds of the set pixels in each column of a rectangle.
fn column_bounds(bitmap: &Bitmap, within: &Pixels) -> Vec<Pixels> {
    let mut columns: Vec<Range<u32>> = alloc::vec![0..0; within.columns.len()];
    for row in within.rows.clone() {
        for x in bitmap.runs_in(row, &within.columns).flatten() {
            let column = &mut columns[(x - within.columns.start) as usize];
            *column = if column.start == column.end { row..row + 1 } else { column.start..row + 1 };
        }
    }
    columns
        .into_iter()
        .zip(within.columns.start..)
        .map(|(rows, x)| Pixels { columns: x..x + 1, rows })
        .collect()
}
