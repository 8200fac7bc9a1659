//! Fuzz targets: functions from bytes that panic if a promise of carom is broken.
//!
//! | target | input | checks |
//! | --- | --- | --- |
//! | [`shapes`] | two shapes, a motion | the laws of `crates/carom/tests/query`, without the oracle; files |
//! | [`shapes_exact`] | two shapes, often placed | every query against the exact oracle |
//! | [`worlds`] | calls on a world | events and queries against brute force; snapshots, JSON |
//! | [`games`] | a level, moves and edits | no new overlap; planned moves, rollback, broad phases |
//! | [`files`] | a file | readers return an error or what they write back; memory |
//! | [`query_lines`] | a line for `carom query` | the response is one line of JSON |
//!
//! Shapes, worlds and rooms come from the generators of the library's tests, with the bytes in place of
//! random numbers, so that rare situations are common.
//!
//! The program `run` and the test `replay` call the targets without libFuzzer: with all seeds, with seeds
//! that are changed at random, and with random bytes.
#![forbid(unsafe_code)]
#![allow(
    dead_code,
    unused_imports,
    reason = "generators and laws of the tests are included as they are"
)]

#[macro_use]
#[path = "../../crates/carom/tests/support/mod.rs"]
mod support;

#[path = "../../crates/carom/tests/query/contains.rs"]
mod contains;
#[path = "../../crates/carom/tests/query/exact.rs"]
mod exact;
#[path = "../../crates/carom/tests/query/laws.rs"]
mod laws;
#[path = "../../crates/carom/tests/query/placed_composites.rs"]
mod placed_composites;
#[path = "../../crates/carom/tests/query/rays.rs"]
mod rays;
#[path = "../../crates/carom/tests/query/sweeps.rs"]
mod sweeps;

#[path = "../../crates/carom-cli/src/query/request.rs"]
mod request;

mod file_targets;
mod game_target;
mod runner;
mod shape_targets;
mod world_target;

use std::sync::LazyLock;

pub use file_targets::{files, query_lines};
pub use game_target::games;
pub use runner::{Report, replay, run};
pub use shape_targets::{shapes, shapes_exact};
pub use world_target::worlds;

/// A function that checks an input.
pub type Target = fn(&[u8]);

/// Returns `true` if targets print their inputs in words: if `CAROM_FUZZ_TRACE` is set.
fn is_traced() -> bool {
    static IS_TRACED: LazyLock<bool> =
        LazyLock::new(|| std::env::var_os("CAROM_FUZZ_TRACE").is_some());
    *IS_TRACED
}

/// All targets and their names.
pub const TARGETS: [(&str, Target); 6] = [
    ("shapes", shapes),
    ("shapes_exact", shapes_exact),
    ("worlds", worlds),
    ("games", games),
    ("files", files),
    ("query_lines", query_lines),
];
