//! Do two shapes share a point?

use core::cmp::Ordering;

use crate::query::order::judge;
use crate::query::parts::any_pair;
use crate::query::relation::verdict;
use crate::shape::ShapeRef;

/// Whether the closed sets share a point: touch counts. Exact.
#[inline(always)]
pub(crate) fn intersects(a: ShapeRef<'_>, b: ShapeRef<'_>) -> bool {
    match judge(a, b, |order| order != Ordering::Greater) {
        Some(meets) => meets,
        None => any_pair(&a, &b, &mut |a, b| verdict(&a.core, &b.core) != Ordering::Greater),
    }
}
