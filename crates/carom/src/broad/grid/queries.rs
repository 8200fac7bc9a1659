//! Queries cell by cell.
//!
//! If a query would visit more cells than there are boxes, it tests all boxes instead. A box in several of the
//! cells is visited in one of them only. The cells of the box determine which one, so the query needs no list
//! of visited boxes.

use core::ops::{ControlFlow, RangeInclusive};

use super::cell_table::{CellIndex, CellRect};
use super::{Grid, MAX_CELL};
use crate::broad::shared::box_table::{Item, NONE};
use crate::broad::shared::visitors::{SweptVisitor, WithinVisitor};
use crate::broad::swept_aabb::SweptAabb;
use crate::shape::Aabb;

impl Grid {
    /// Returns the boxes that are in no cell.
    fn oversized(&self) -> impl Iterator<Item = Item> {
        self.oversized.iter().map(|&id| self.boxes.item(id))
    }

    /// Returns the boxes that are in cells.
    fn in_cells(&self) -> impl Iterator<Item = Item> {
        self.boxes.iter().filter(|item| self.oversized_at.get(item.id) == NONE)
    }

    /// Returns the number of boxes that are in cells.
    fn count_in_cells(&self) -> u64 {
        (self.boxes.len() - self.oversized.len()) as u64
    }

    fn in_cell(&self, cell: CellIndex) -> impl Iterator<Item = Item> {
        self.cells.ids(cell).map(|id| self.boxes.item(id))
    }

    /// Implements [`BroadPhase::visit_intersecting`](crate::broad::BroadPhase::visit_intersecting).
    pub(super) fn visit_intersecting_cells(
        &self,
        bounds: &Aabb,
        visit: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> u64 {
        let mut tests = 0;
        let mut test = |item: &Item, is_first_cell: &dyn Fn() -> bool| {
            tests += 1;
            let is_found = bounds.intersects_aabb(&item.bounds) && is_first_cell();
            if is_found { visit(item.id) } else { ControlFlow::Continue(()) }
        };
        let _ = (|| {
            self.oversized().try_for_each(|item| test(&item, &|| true))?;
            let used = self.cells.used();
            let Some(cells) = used.and_then(|used| self.cells_of(bounds).intersection(&used))
            else {
                return ControlFlow::Continue(());
            };
            if cells.count() > self.count_in_cells() {
                return self.in_cells().try_for_each(|item| test(&item, &|| true));
            }
            for y in cells.min[1]..=cells.max[1] {
                for x in cells.min[0]..=cells.max[0] {
                    for item in self.in_cell([x, y]) {
                        let is_first_cell = || {
                            let own = self.cells_of(&item.bounds).min;
                            [x, y] == [0, 1].map(|axis| own[axis].max(cells.min[axis]))
                        };
                        test(&item, &is_first_cell)?;
                    }
                }
            }
            ControlFlow::Continue(())
        })();
        tests
    }

    /// Implements [`BroadPhase::visit_swept`](crate::broad::BroadPhase::visit_swept): column by column, or row
    /// by row if the box moves further along y. In each column, it visits the rows that the box passes while it
    /// is in the column.
    pub(super) fn visit_swept_cells(
        &self,
        swept: &SweptAabb,
        visit: &mut dyn FnMut(u32, &Aabb, f32) -> f32,
    ) -> u64 {
        let mut visitor = SweptVisitor::new(swept, swept.end(), visit);
        self.oversized().for_each(|item| visitor.test(item.id, &item.bounds));
        let Some(used) = self.cells.used() else { return visitor.tests };
        let path = CellPath::new(swept, self.cell_size, used);
        let (main, cross) = (path.main, 1 - path.main);
        let columns = path.cells(main, (0.0, visitor.end.next_up().into()));
        if columns.start() > columns.end() {
            return visitor.tests;
        }
        let count = u64::from(columns.end().abs_diff(*columns.start())) + 1;
        if count * path.max_rows_per_column() > self.count_in_cells() {
            self.in_cells().for_each(|item| visitor.test(item.id, &item.bounds));
            return visitor.tests;
        }
        let (first, step) =
            if path.velocity[main] < 0.0 { (*columns.end(), -1) } else { (*columns.start(), 1) };
        let mut previous_rows: Option<RangeInclusive<i32>> = None;
        for column in (0..count as i32).map(|nth| first + step * nth) {
            let times = path.times(column);
            if times.0 > visitor.end.next_up().into() {
                break;
            }
            let rows = path.cells(cross, times);
            for row in rows.clone() {
                let mut cell = [column; 2];
                cell[cross] = row;
                for item in self.in_cell(cell) {
                    let own = self.cells_of(&item.bounds);
                    // The path crosses the columns in one direction: if the box was tested before, then in the
                    // previous column.
                    let is_in_previous_column =
                        (own.min[main]..=own.max[main]).contains(&(column - step));
                    let was_tested = is_in_previous_column
                        && previous_rows.as_ref().is_some_and(|rows| {
                            *rows.start() <= own.max[cross] && own.min[cross] <= *rows.end()
                        });
                    if row == own.min[cross].max(*rows.start()) && !was_tested {
                        visitor.test(item.id, &item.bounds);
                    }
                }
            }
            previous_rows = Some(rows);
        }
        visitor.tests
    }

    /// Implements [`BroadPhase::visit_within`](crate::broad::BroadPhase::visit_within): ring by ring around the
    /// cells of the box.
    pub(super) fn visit_rings(
        &self,
        from: &Aabb,
        max_distance: f32,
        visit: &mut dyn FnMut(u32, &Aabb, f32) -> f32,
    ) -> u64 {
        let mut visitor = WithinVisitor::new(from, max_distance, visit);
        self.oversized().for_each(|item| visitor.test(item.id, &item.bounds));
        let Some(used) = self.cells.used() else { return visitor.tests };
        let center = self.cells_of(from);
        let (nearest, farthest) = (used.nearest(&center), used.farthest(&center));
        let mut cells = 0;
        for ring in center.ring_of(nearest)..=center.ring_of(farthest) {
            // The distance of the cells of this ring is at least this, up to the rounding of their coordinates.
            if (f64::from(ring) - 1.0 - 1e-6) * self.cell_size > visitor.max_distance.into() {
                break;
            }
            let sides = center.ring(ring).map(|side| side?.intersection(&used));
            cells += 1 + sides.iter().flatten().map(CellRect::count).sum::<u64>();
            if cells > self.count_in_cells() {
                // Test the boxes that are in none of the previous rings.
                let ring_of =
                    |item: &Item| center.ring_of(self.cells_of(&item.bounds).nearest(&center));
                let rest = self.in_cells().filter(|item| ring_of(item) >= ring);
                rest.for_each(|item| visitor.test(item.id, &item.bounds));
                break;
            }
            for side in sides.iter().flatten() {
                side.for_each(|cell| {
                    for item in self.in_cell(cell) {
                        if self.cells_of(&item.bounds).nearest(&center) == cell {
                            visitor.test(item.id, &item.bounds);
                        }
                    }
                });
            }
        }
        visitor.tests
    }
}

/// A swept box among cells.
struct CellPath {
    /// The axis along which the box moves further.
    main: usize,
    /// The box at the start, enlarged by the tolerance for rounding.
    min: [f64; 2],
    max: [f64; 2],
    velocity: [f64; 2],
    end: f64,
    cell_size: f64,
    used: CellRect,
}

impl CellPath {
    fn new(swept: &SweptAabb, cell_size: f64, used: CellRect) -> Self {
        let velocity = swept.velocity();
        let (min, max) = (swept.start().min().as_dvec2(), swept.start().max().as_dvec2());
        // Twice the tolerance of `SweptAabb::time_of_impact` for the farthest box that a cell can contain.
        let tolerance = 2e-11 * (min.abs().max(max.abs()) + MAX_CELL * cell_size);
        Self {
            main: usize::from(velocity[1].abs() > velocity[0].abs()),
            min: (min - tolerance).to_array(),
            max: (max + tolerance).to_array(),
            velocity,
            end: swept.end().next_up().into(),
            cell_size,
            used,
        }
    }

    /// Returns the times at which the box enters and leaves a column.
    fn times(&self, column: i32) -> (f64, f64) {
        let velocity = self.velocity[self.main];
        if velocity == 0.0 {
            return (0.0, self.end);
        }
        let enter = f64::from(column) * self.cell_size - self.max[self.main];
        let leave = (f64::from(column) + 1.0) * self.cell_size - self.min[self.main];
        let (one, other) = (enter / velocity, leave / velocity);
        (one.min(other).max(0.0), one.max(other).min(self.end))
    }

    /// Returns the used cells along an axis that the box passes between two times.
    fn cells(&self, axis: usize, (from, to): (f64, f64)) -> RangeInclusive<i32> {
        let velocity = self.velocity[axis];
        // Times may be infinite.
        let motion = |time: f64| if velocity == 0.0 { 0.0 } else { velocity * time };
        let low = self.min[axis] + motion(from).min(motion(to));
        let high = self.max[axis] + motion(from).max(motion(to));
        let cell = |coordinate: f64| libm::floor(coordinate / self.cell_size) as i32;
        cell(low).max(self.used.min[axis])..=cell(high).min(self.used.max[axis])
    }

    /// Returns an upper bound of the number of rows that the box passes in a column.
    fn max_rows_per_column(&self) -> u64 {
        let cross = 1 - self.main;
        // While the box crosses a column, it moves no further across than along.
        let height = self.max[cross] - self.min[cross] + self.max[self.main] - self.min[self.main];
        ((height / self.cell_size) as u64)
            .min(u64::from(self.used.max[cross].abs_diff(self.used.min[cross])))
            .saturating_add(3)
    }
}
