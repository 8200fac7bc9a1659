//! Is a shape a subset of a tile map or a mask?

use core::ops::ControlFlow;

use glam::Vec2;
use smallvec::SmallVec;

use crate::query::contains::{containment, with_segment};
use crate::query::contains_outlines::contains_segment;
use crate::query::cover::covers;
use crate::query::parts::core_bounds;
use crate::query::separation::convex_relation;
use crate::shape::convex::Convex;
use crate::shape::grid::CellGrid;
use crate::shape::parts::QueryRegion;

/// A cell alone may hold `b`; else several together may: in a level grid where the outline
/// does not enter it, exactly. In one that is turned, rounding has bent the lines along which a cell
/// lies flush to half of its neighbour, so there the parts have to cover it; and so they have where
/// lines may hold a line.
pub(super) fn cells_contain(grid: &impl CellGrid, b: &Convex<'_>) -> bool {
    let mut has_lines = false;
    let held = any_part(grid, b, &mut |part| {
        has_lines |= part.has_no_area();
        containment(part, b).is_contained()
    });
    // So far out that rounding may have flattened cells, and an outline may run through the inside.
    let bounds = core_bounds(b);
    let far = bounds.min().abs().max(bounds.max().abs()).max_element();
    let is_coarse = grid.placement().shortest_side() < 16.0 * f64::from(f32::EPSILON * far);
    match *b.points {
        _ if held => true,
        [_] if b.has_no_area() => false,
        _ if is_coarse && b.radius == 0.0 => covers(grid.as_shape(), b),
        [start, end] if b.has_no_area() && grid.placement().is_axis_aligned() && !has_lines => {
            let edges = outline(grid, b);
            contains_segment(edges.into_iter(), start, end, |piece, test| {
                any_part(grid, piece, test)
            })
        }
        _ if grid.placement().is_axis_aligned() && !b.has_no_area() => {
            let enters = |&(start, end): &(Vec2, Vec2)| {
                with_segment(start, end, |e| convex_relation(e, b)).overlaps()
            };
            !outline(grid, b).iter().any(enters)
                && any_part(grid, b, &mut |part| convex_relation(part, b).overlaps())
        }
        _ => covers(grid.as_shape(), b),
    }
}

fn any_part(
    grid: &impl CellGrid,
    b: &Convex<'_>,
    test: &mut dyn FnMut(&Convex<'_>) -> bool,
) -> bool {
    let found = grid.visit_parts_in(&QueryRegion::of_convex(b), &mut |part| {
        if test(&part.convex) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found.is_break()
}

/// The edges of a grid's outline near something.
fn outline(grid: &impl CellGrid, b: &Convex<'_>) -> SmallVec<[(Vec2, Vec2); 16]> {
    let mut edges = SmallVec::new();
    let _ = grid.visit_edges::<()>(&QueryRegion::of_convex(b), &mut |start, end| {
        edges.push((start, end));
        ControlFlow::Continue(())
    });
    edges
}
