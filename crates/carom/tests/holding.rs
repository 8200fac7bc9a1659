//! Containment against the oracle, for every ordered pair of shapes.

mod support;

use carom::prelude::*;
use support::cases::Case;
use support::harness::for_every_pair;
use support::{cover, scene};

#[test]
fn contains_is_never_wrong() {
    for_every_pair(1000, |case| {
        let Case { a, b, .. } = case;
        let Some(expected) = cover::contains(&scene(case)) else { return Ok(()) };
        let found = a.contains(b);
        ensure!(found == expected, "contains: {found} for {expected}");
        Ok(())
    });
}
