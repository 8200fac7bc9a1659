//! An independent prediction of every move, which shares no code with the mover.
//!
//! [`distance`] builds the Minkowski differences of the placed shapes as convex hulls in `f64` and knows one
//! thing about them: the signed distance of a point. [`predict`] finds from signed distances alone where a
//! touch, slide or bounce must end; [`travel`] compares random moves with it.
//! [`level`] makes the levels, and [`shrink`] prints a failure as a short test. [`found`] has those that once failed.
//!
//! Walkers have an oracle of their own. [`terrain`] draws a ground, and a ceiling above it, as polylines, and
//! builds them of tiles, boxes, polygons, chains, compounds or masks. [`profile`] computes the lowest position of
//! a walker above every `x`; with it [`predict_walk`] says what one frame must do, and [`walk`] compares.
//!
//! - `CAROM_CASES=N` sets the number of moves or walked frames, `CAROM_SEED=S` the first level.
//! - `CAROM_PROGRESS=1` prints the counts (with `--nocapture`).
//!
//! # Ties
//!
//! A prediction that a move does not follow is made several times, with the start and the tolerance changed by a
//! few units in the last place. Where the results differ, the motion runs onto an edge as thin as a rounding error (a vertex onto a
//! vertex, a body into a gap exactly as wide, a bounce out of the corner of two walls): no rule but carom's own
//! can say what is right there. Such moves are counted as ties; the laws still hold for them. So are bounces in a
//! gap or corner exactly as wide as the body, and moves in a slanted gap exactly as wide, where no positions can be
//! represented.
//!
//! In a frame of a walker, ties are: an edge of a step or gap within a few units in the last place of a foot, a
//! surface exactly as steep or as high as the settings allow, and a vertex on a vertex.

mod distance;
mod found;
mod level;
mod predict;
mod predict_walk;
mod profile;
mod shrink;
mod terrain;
mod travel;
mod walk;

/// Reads a number from the environment.
fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}
