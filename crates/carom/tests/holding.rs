//! Containment against the oracle, for every ordered pair of shapes.

mod support;

use support::cases::Case;
use support::cover;
use support::harness::Verdict;

laws!(1000 contains_is_never_wrong);

fn contains_is_never_wrong(case: &Case) -> Verdict {
    let Case { a, b, .. } = case;
    let Some(expected) = cover::contains(case.scene()) else { return Ok(()) };
    let found = a.contains(b);
    ensure!(found == expected, "contains: {found} for {expected}");
    Ok(())
}
