//! Shapes and the queries on pairs of them: laws over every ordered pair, comparison with the exact
//! oracle of `support`, values worked out by hand, and past failures.

#[macro_use]
#[path = "../support/mod.rs"]
mod support;

mod contains;
mod exact;
mod features;
mod flip;
mod internal_edges;
mod laws;
mod masks;
mod one_sided;
mod oracle_self_test;
mod placed_composites;
mod rays;
mod regressions;
mod rotating_sweeps;
mod support_matrix;
mod surfaces;
mod sweeps;
mod tiles;
mod transformed;
