//! How far two cores are apart, and along which edge: the heart of the narrow phase.
//!
//! Two convex polygons are apart exactly when the line of some edge separates them. An edge's
//! *gap* is how far the other core stays beyond its line: positive where the line separates,
//! zero where they touch across it, negative where the other reaches in. The largest gap over all
//! edges of both tells everything: its sign is the verdict; below zero it is minus the least depth;
//! above zero its edge, or a corner of it, is closest to the other core.
//!
//! Gaps are computed four edges at a time in `f32`, which decides nearly always and leaves few
//! edges to look at again: in `f64` for values, exactly for verdicts. Segments are polygons of two
//! edges, there and back; two of them on one line have no edge that parts them, so flat pairs
//! compare their boxes too.

mod gaps;
mod quad;
mod verdict;

pub(crate) use gaps::{
    Axis, Near, axis_of, best_axis, block_gaps, each_gap, error_bound, largest, near_edges,
};
pub(crate) use verdict::{core_relation, exact_relation, point_relation};
