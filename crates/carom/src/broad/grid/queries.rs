//! Looking things up cell by cell. Where that would be more cells than there are boxes, the boxes are
//! gone through instead. A box in several of the cells is visited only in one of them, and which one
//! follows from its own cells: nothing has to be remembered.

use core::ops::{ControlFlow, RangeInclusive};

use super::cell_table::Range;
use super::{FURTHEST, Grid};
use crate::broad::boxes::NONE;
use crate::broad::meet;
use crate::broad::swept_aabb::{SweptAabb, distance};
use crate::shape::Aabb;

impl Grid {
    /// The boxes that are in no cell.
    fn large(&self) -> impl Iterator<Item = (u32, Aabb)> {
        self.large.iter().map(|&id| (id, self.boxes.at(id).0))
    }

    /// The boxes that are in cells.
    fn small(&self) -> impl Iterator<Item = (u32, Aabb)> {
        let is_small = |id: u32| self.large_at.get(id) == NONE;
        self.boxes.iter().map(|(id, bounds, _)| (id, bounds)).filter(move |&(id, _)| is_small(id))
    }

    fn in_cell(&self, cell: [i32; 2]) -> impl Iterator<Item = (u32, Aabb)> {
        self.cells.at(cell).map(|id| (id, self.boxes.at(id).0))
    }

    /// Visits boxes that meet another.
    pub(super) fn look_up_box(
        &self,
        bounds: &Aabb,
        visit: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> u64 {
        let mut tests = 0;
        let mut consider = |id, other: &Aabb, is_here: &dyn Fn() -> bool| {
            tests += 1;
            let meets = meet(bounds, other) && is_here();
            if meets { visit(id) } else { ControlFlow::Continue(()) }
        };
        let asked = self.clip(self.range(bounds));
        let _ = (|| {
            self.large().try_for_each(|(id, other)| consider(id, &other, &|| true))?;
            let Some(asked) = asked else { return ControlFlow::Continue(()) };
            if asked.count() > self.len_small() {
                return self.small().try_for_each(|(id, other)| consider(id, &other, &|| true));
            }
            for y in asked.min[1]..=asked.max[1] {
                for x in asked.min[0]..=asked.max[0] {
                    for (id, other) in self.in_cell([x, y]) {
                        let is_first = || {
                            let own = self.range(&other).min;
                            [x, y] == [0, 1].map(|axis| own[axis].max(asked.min[axis]))
                        };
                        consider(id, &other, &is_first)?;
                    }
                }
            }
            ControlFlow::Continue(())
        })();
        tests
    }

    fn len_small(&self) -> u64 {
        (self.boxes.len() - self.large.len()) as u64
    }

    /// The part of a range in which there is anything.
    fn clip(&self, range: Range) -> Option<Range> {
        let used = self.cells.used()?;
        let min = [0, 1].map(|axis| range.min[axis].max(used.min[axis]));
        let max = [0, 1].map(|axis| range.max[axis].min(used.max[axis]));
        (min[0] <= max[0] && min[1] <= max[1]).then_some(Range { min, max })
    }

    /// Visits boxes on a path, column by column (row by row, if it goes further along y): in each, the
    /// rows that the path is in while it is in the column.
    pub(super) fn look_up_path(
        &self,
        path: &SweptAabb,
        visit: &mut dyn FnMut(u32, f32) -> f32,
    ) -> u64 {
        let mut tests = 0;
        let mut end = path.end();
        let mut consider = |id, bounds: &Aabb, end: &mut f32| {
            tests += 1;
            if let Some(time) = path.time_of_impact(bounds, *end) {
                *end = visit(id, time);
            }
        };
        self.large().for_each(|(id, bounds)| consider(id, &bounds, &mut end));
        let Some(used) = self.cells.used() else { return tests };
        let lane = Lane::new(path, self.size, used);
        let (main, cross) = (lane.main, 1 - lane.main);
        let columns = lane.cells(main, (0.0, end.next_up().into()));
        if columns.start() > columns.end() {
            return tests;
        }
        let count = u64::from(columns.end().abs_diff(*columns.start())) + 1;
        if count * lane.rows_per_column() > self.len_small() {
            self.small().for_each(|(id, bounds)| consider(id, &bounds, &mut end));
            return tests;
        }
        let (first, step) =
            if lane.velocity[main] < 0.0 { (*columns.end(), -1) } else { (*columns.start(), 1) };
        let mut before = None;
        for column in (0..count as i32).map(|nth| first + step * nth) {
            let times = lane.times(column);
            if times.0 > end.next_up().into() {
                break;
            }
            let rows = lane.cells(cross, times);
            for row in rows.clone() {
                let mut cell = [column; 2];
                cell[cross] = row;
                for (id, bounds) in self.in_cell(cell) {
                    let own = self.range(&bounds);
                    // The path goes one way across the columns: if it has come upon the box before,
                    // it has done so in the last one.
                    let was_there = (own.min[main]..=own.max[main]).contains(&(column - step))
                        && before.as_ref().is_some_and(|rows: &RangeInclusive<i32>| {
                            *rows.start() <= own.max[cross] && own.min[cross] <= *rows.end()
                        });
                    if row == own.min[cross].max(*rows.start()) && !was_there {
                        consider(id, &bounds, &mut end);
                    }
                }
            }
            before = Some(rows);
        }
        tests
    }

    /// Visits boxes near another, ring by ring around its cells.
    pub(super) fn look_up_near(
        &self,
        from: &Aabb,
        mut within: f32,
        visit: &mut dyn FnMut(u32, f32) -> f32,
    ) -> u64 {
        let mut tests = 0;
        let mut consider = |id, bounds: &Aabb, within: &mut f32| {
            tests += 1;
            let distance = distance(from, bounds);
            if distance <= *within {
                *within = visit(id, distance);
            }
        };
        self.large().for_each(|(id, bounds)| consider(id, &bounds, &mut within));
        let Some(used) = self.cells.used() else { return tests };
        let center = self.range(from);
        let mut cells = 0;
        for ring in center.gap(used.nearest(&center))..=center.gap(used.furthest(&center)) {
            // Cells of this ring are at least so far away, but for the rounding of their numbers.
            if (f64::from(ring) - 1.0 - 1e-6) * self.size > within.into() {
                break;
            }
            let sides = center.ring(ring).map(|side| side.and_then(|side| self.clip(side)));
            cells += 1 + sides.iter().flatten().map(Range::count).sum::<u64>();
            if cells > self.len_small() {
                let rest = self
                    .small()
                    .filter(|(_, bounds)| center.gap(self.range(bounds).nearest(&center)) >= ring);
                rest.for_each(|(id, bounds)| consider(id, &bounds, &mut within));
                break;
            }
            for side in sides.iter().flatten() {
                side.for_each(|cell| {
                    for (id, bounds) in self.in_cell(cell) {
                        if self.range(&bounds).nearest(&center) == cell {
                            consider(id, &bounds, &mut within);
                        }
                    }
                });
            }
        }
        tests
    }
}

impl Range {
    /// The cell of this range that is nearest to another; of several, the first.
    fn nearest(&self, to: &Self) -> [i32; 2] {
        [0, 1].map(|axis| self.min[axis].max(to.min[axis]).min(self.max[axis]))
    }

    /// The corner of this range that is furthest from another.
    fn furthest(&self, from: &Self) -> [i32; 2] {
        [0, 1].map(|axis| {
            let (low, high) = (self.min[axis], self.max[axis]);
            let is_low = from.min[axis].saturating_sub(low) > high.saturating_sub(from.max[axis]);
            if is_low { low } else { high }
        })
    }

    /// How many rings around this range a cell is.
    fn gap(&self, cell: [i32; 2]) -> u32 {
        let gap = |axis: usize| {
            let below = i64::from(self.min[axis]) - i64::from(cell[axis]);
            let above = i64::from(cell[axis]) - i64::from(self.max[axis]);
            below.max(above).max(0) as u32
        };
        gap(0).max(gap(1))
    }

    /// The cells of a ring around this range: four sides, or the range itself. Numbers that there are
    /// no cells for are cut off.
    fn ring(&self, ring: u32) -> [Option<Self>; 4] {
        if ring == 0 {
            return [Some(*self), None, None, None];
        }
        let min = self.min.map(|low| low.saturating_sub_unsigned(ring));
        let max = self.max.map(|high| high.saturating_add_unsigned(ring));
        let (lower, upper) = (min[1].saturating_add(1), max[1].saturating_sub(1));
        [
            Self { min, max: [max[0], min[1]] },
            Self { min: [min[0], max[1]], max },
            Self { min: [min[0], lower], max: [min[0], upper] },
            Self { min: [max[0], lower], max: [max[0], upper] },
        ]
        .map(Some)
    }
}

/// A path among cells.
struct Lane {
    /// The axis along which it goes further.
    main: usize,
    /// Where the box is at first, with room for rounding.
    min: [f64; 2],
    max: [f64; 2],
    velocity: [f64; 2],
    end: f64,
    size: f64,
    used: Range,
}

impl Lane {
    fn new(path: &SweptAabb, size: f64, used: Range) -> Self {
        let velocity = path.velocity();
        let (min, max) = (path.start().min().as_dvec2(), path.start().max().as_dvec2());
        // What `SweptAabb::time_of_impact` leaves for boxes as far out as cells go, twice.
        let room = 2e-11 * (min.abs().max(max.abs()) + FURTHEST * size);
        Self {
            main: usize::from(velocity[1].abs() > velocity[0].abs()),
            min: (min - room).to_array(),
            max: (max + room).to_array(),
            velocity,
            end: path.end().next_up().into(),
            size,
            used,
        }
    }

    /// When the box is in a column.
    fn times(&self, column: i32) -> (f64, f64) {
        let velocity = self.velocity[self.main];
        if velocity == 0.0 {
            return (0.0, self.end);
        }
        let enter = f64::from(column) * self.size - self.max[self.main];
        let leave = (f64::from(column) + 1.0) * self.size - self.min[self.main];
        let (one, other) = (enter / velocity, leave / velocity);
        (one.min(other).max(0.0), one.max(other).min(self.end))
    }

    /// The cells along an axis that the box is in during some time, as far as there is something.
    fn cells(&self, axis: usize, (from, to): (f64, f64)) -> RangeInclusive<i32> {
        let velocity = self.velocity[axis];
        let way = |time: f64| if velocity == 0.0 { 0.0 } else { velocity * time };
        let low = self.min[axis] + way(from).min(way(to));
        let high = self.max[axis] + way(from).max(way(to));
        let cell = |coordinate: f64| libm::floor(coordinate / self.size) as i32;
        cell(low).max(self.used.min[axis])..=cell(high).min(self.used.max[axis])
    }

    /// How many rows a column has at most.
    fn rows_per_column(&self) -> u64 {
        let cross = 1 - self.main;
        // It moves no further across a column than along it.
        let height = self.max[cross] - self.min[cross] + self.max[self.main] - self.min[self.main];
        ((height / self.size) as u64)
            .min(u64::from(self.used.max[cross].abs_diff(self.used.min[cross])))
            .saturating_add(3)
    }
}
