//! Compares `contains` with the oracle, for every ordered pair of shapes.

use crate::support::cases::Case;
use crate::support::harness::CheckResult;
use crate::support::oracle::contains;

laws!(1000 contains_is_exact);

pub(crate) fn contains_is_exact(case: &Case) -> CheckResult {
    let Case { a, b, .. } = case;
    let Some(expected) = contains::contains(case.exact_pair()) else { return Ok(()) };
    let found = a.contains(b);
    ensure!(found == expected, "contains: {found} for {expected}");
    Ok(())
}
