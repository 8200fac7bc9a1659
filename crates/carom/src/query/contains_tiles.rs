//! Is a shape a subset of a tile map?

use core::cmp::Ordering;
use core::ops::ControlFlow;

use glam::Vec2;
use smallvec::SmallVec;

use crate::query::contains::{containment, contains_segment, with_segment};
use crate::query::cover::covers;
use crate::query::relation::verdict;
use crate::shape::core::Core;
use crate::shape::parts::Near;
use crate::shape::{ShapeRef, TileMap};

/// A tile alone may hold `b`; else several together may: in a level grid where the outline of the map
/// does not enter it, exactly. In one that is turned, rounding has bent the lines along which a tile
/// lies flush to half of its neighbour, so there the parts have to cover it; and so they have where
/// lines may hold a line.
pub(super) fn tiles_contain(map: &TileMap, b: &Core<'_>) -> bool {
    let mut has_lines = false;
    let held = any_part(map, b, &mut |part| {
        has_lines |= part.is_flat();
        containment(part, b) != Ordering::Greater
    });
    match *b.points {
        _ if held => true,
        [_] if b.is_flat() => false,
        [start, end] if b.is_flat() && map.is_level() && !has_lines => {
            let edges = outline(map, b);
            contains_segment(edges.into_iter(), start, end, |piece, test| {
                any_part(map, piece, test)
            })
        }
        _ if map.is_level() && !b.is_flat() => {
            let enters = |&(start, end): &(Vec2, Vec2)| {
                with_segment(start, end, |e| verdict(e, b)) == Ordering::Less
            };
            !outline(map, b).iter().any(enters)
                && any_part(map, b, &mut |part| verdict(part, b) == Ordering::Less)
        }
        _ => covers(ShapeRef::TileMap(map), b),
    }
}

fn any_part(map: &TileMap, b: &Core<'_>, test: &mut dyn FnMut(&Core<'_>) -> bool) -> bool {
    let found = map.visit_near(&Near::core(b), &mut |part| {
        if test(&part.core) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found.is_break()
}

/// The edges of a map's outline near something.
fn outline(map: &TileMap, b: &Core<'_>) -> SmallVec<[(Vec2, Vec2); 16]> {
    let mut edges = SmallVec::new();
    let _ = map.visit_edges::<()>(&Near::core(b), &mut |start, end| {
        edges.push((start, end));
        ControlFlow::Continue(())
    });
    edges
}
