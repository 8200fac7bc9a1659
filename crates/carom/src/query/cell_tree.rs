//! Pairs of parts of tile maps and masks that come near each other, found by halving rectangles of
//! cells.
//!
//! The distance of two rectangles of cells, placed and rotated, is a lower bound of the distance of
//! their parts. The nearer half is searched first, and rectangles that are farther apart than a limit
//! are skipped, which the parts found so far may have lowered. So a search visits few cells but
//! those near the closest pair, also if the grids are far apart or rotated.

use core::cell::Cell;
use core::ops::{ControlFlow, Range};

use glam::{DVec2, Vec2};

use crate::math::length;
use crate::query::composite::convex_bounds;
use crate::query::distance::box_distance;
use crate::shape::grid::CellBits;
use crate::shape::parts::Part;
use crate::shape::{Aabb, ShapeRef};

/// A callback that receives two parts and may end the search.
type OnPair<'a> = &'a mut dyn FnMut(&Part<'_>, &Part<'_>) -> ControlFlow<()>;

/// Calls `visit` with the pairs of parts whose distance may be at most `limit`, which `visit` may
/// lower, until it returns `Break`. At least one of the shapes must be a tile map or mask.
pub(super) fn visit_pairs_within(
    a: ShapeRef<'_>,
    b: ShapeRef<'_>,
    limit: &Cell<f64>,
    visit: OnPair<'_>,
) -> ControlFlow<()> {
    match (a.cell_bits(), b.cell_bits()) {
        (Some(a), Some(b)) => {
            with_all_cells(a, &mut |a| with_all_cells(b, &mut |b| search(&a, &b, limit, visit)))
        }
        (None, Some(grid)) => visit_grid_pairs(a, b, grid, limit, visit),
        (Some(grid), None) => {
            visit_grid_pairs(b, a, grid, limit, &mut |part_b, part_a| visit(part_a, part_b))
        }
        (None, None) => ControlFlow::Continue(()),
    }
}

/// Visits the pairs of a part of a shape and one of a grid.
fn visit_grid_pairs(
    shape: ShapeRef<'_>,
    grid_shape: ShapeRef<'_>,
    grid: &dyn CellBits,
    limit: &Cell<f64>,
    visit: OnPair<'_>,
) -> ControlFlow<()> {
    let bounds = grid_shape.bounds();
    let mut is_near = |part: &Aabb| box_distance(part, &bounds) <= limit.get();
    with_all_cells(grid, &mut |cells| {
        shape.visit_parts_where(&mut is_near, &mut |part| {
            if box_distance(&convex_bounds(&part.convex), &bounds) > limit.get() {
                return ControlFlow::Continue(());
            }
            search(&Group::of_part(part), &cells, limit, visit)
        })
    })
}

/// A part, or a rectangle of cells.
struct Group<'a> {
    item: Item<'a>,
    bounds: Aabb,
    /// The vertices. A group reaches beyond their hull by at most `margin`: the radius of a part, or
    /// the rounding error of the cells, which is infinite if coordinates are so large that they are
    /// clamped.
    points: &'a [Vec2],
    margin: f64,
    /// The direction of the rows of cells, if they are rotated.
    rotation: Option<DVec2>,
    /// The length of the longer side of a rectangle; negative for a part, which cannot be divided.
    size: f64,
}

enum Item<'a> {
    Part(Part<'a>),
    Cells(Cells<'a>),
}

struct Cells<'a> {
    grid: &'a dyn CellBits,
    columns: Range<u32>,
    rows: Range<u32>,
}

impl<'a> Group<'a> {
    fn of_part(part: Part<'a>) -> Self {
        Self {
            item: Item::Part(part),
            bounds: Aabb::of_vertices(part.convex.points),
            points: part.convex.points,
            margin: f64::from(part.convex.radius),
            rotation: None,
            size: -1.0,
        }
    }

    /// Returns the group of a rectangle of cells with the given corners.
    fn of_cells(cells: Cells<'a>, corners: &'a [Vec2; 4]) -> Self {
        let transform = cells.grid.transform();
        let side = |i: usize| corners[i].as_dvec2() - corners[0].as_dvec2();
        let size = length(side(1)).max(length(side(3)));
        Self {
            item: Item::Cells(cells),
            bounds: Aabb::of_vertices(corners),
            points: corners,
            margin: if transform.grid_error.is_finite() {
                2.0 * transform.error
            } else {
                f64::INFINITY
            },
            rotation: if transform.is_axis_aligned() { None } else { transform.direction() },
            size,
        }
    }

    /// Returns a lower bound of the distance of two groups; `None` if it exceeds the limit.
    fn distance(&self, other: &Self, limit: f64) -> Option<f64> {
        let margin = self.margin + other.margin;
        // Intervals that are apart on two perpendicular axes are apart by the hypotenuse.
        let mut bound = box_distance(&self.bounds, &other.bounds);
        for direction in [self.rotation, other.rotation].into_iter().flatten() {
            let gap = |axis: DVec2| {
                let [a, b] = [self, other].map(|group| interval(group.points, axis));
                (b.0 - a.1).max(a.0 - b.1).max(0.0)
            };
            bound = bound.max(length(DVec2::new(gap(direction), gap(direction.perp()))));
        }
        let bound = bound * (1.0 - 1e-9) - margin;
        (bound <= limit).then_some(bound)
    }
}

/// Returns the projection of points onto an axis.
fn interval(points: &[Vec2], axis: DVec2) -> (f64, f64) {
    points
        .iter()
        .map(|point| axis.dot(point.as_dvec2()))
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)))
}

/// Searches all pairs of parts of two groups, neither of which is empty.
fn search(a: &Group<'_>, b: &Group<'_>, limit: &Cell<f64>, visit: OnPair<'_>) -> ControlFlow<()> {
    match (&a.item, &b.item) {
        (Item::Part(a), Item::Part(b)) => visit(a, b),
        // Divides the larger of the two.
        (Item::Cells(cells), _) if a.size > b.size => {
            divide(cells, b, limit, &mut |half| search(half, b, limit, visit))
        }
        (_, Item::Cells(cells)) => {
            divide(cells, a, limit, &mut |half| search(a, half, limit, visit))
        }
        (Item::Cells(_), Item::Part(_)) => ControlFlow::Continue(()), // a part has no size
    }
}

/// The largest number of cells of a row that are visited without halving them.
const MAX_CELLS: usize = 4;

/// Calls `visit` with the halves of a rectangle of cells that may be within the limit of another
/// group, the nearer one first, or with the parts of a row of few cells.
fn divide(
    Cells { grid, columns, rows }: &Cells<'_>,
    other: &Group<'_>,
    limit: &Cell<f64>,
    visit: &mut dyn FnMut(&Group<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    #[cfg(test)]
    crate::operation_count::add(1);
    let grid = *grid;
    if rows.len() == 1 && columns.len() <= MAX_CELLS {
        return grid.visit_row_parts(rows.start, columns.clone(), &mut |part| {
            let part = Group::of_part(part);
            if part.distance(other, limit.get()).is_some() {
                visit(&part)
            } else {
                ControlFlow::Continue(())
            }
        });
    }
    let halves = |range: &Range<u32>| {
        let middle = range.start + (range.end - range.start) / 2;
        [range.start..middle, middle..range.end]
    };
    let [first, second] = if rows.len() >= columns.len() {
        halves(rows).map(|rows| (columns.clone(), rows))
    } else {
        halves(columns).map(|columns| (columns, rows.clone()))
    };
    with_cells(grid, first, &mut |first| {
        with_cells(grid, second.clone(), &mut |second| {
            let distance = |group: &Option<Group<'_>>| {
                group.as_ref().and_then(|group| group.distance(other, limit.get()))
            };
            let distances = [distance(&first), distance(&second)];
            let is_second_nearer =
                distances[1].is_some_and(|second| distances[0].is_none_or(|first| second < first));
            let mut order = [(&first, distances[0]), (&second, distances[1])];
            if is_second_nearer {
                order.swap(0, 1);
            }
            for (group, distance) in order {
                if let (Some(group), Some(distance)) = (group, distance)
                    && distance <= limit.get()
                {
                    visit(group)?;
                }
            }
            ControlFlow::Continue(())
        })
    })
}

/// Calls `visit` with all cells of a grid, unless it is empty.
fn with_all_cells(
    grid: &dyn CellBits,
    visit: &mut dyn FnMut(Group<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    with_cells(grid, grid.used_range(), &mut |group| match group {
        Some(group) => visit(group),
        None => ControlFlow::Continue(()),
    })
}

/// Calls `visit` with a rectangle of cells, or with `None` if they are all empty.
fn with_cells(
    grid: &dyn CellBits,
    (columns, rows): (Range<u32>, Range<u32>),
    visit: &mut dyn FnMut(Option<Group<'_>>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Some((columns, rows)) = grid.shrunk(columns, rows) else { return visit(None) };
    let corners = grid.transform().rectangle(&columns, &rows);
    visit(Some(Group::of_cells(Cells { grid, columns, rows }, &corners)))
}
