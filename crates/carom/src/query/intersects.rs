//! Do two shapes share a point?

use crate::query::Relation;

use crate::query::order::judge;
use crate::query::parts::any_pair;
use crate::query::separation::convex_relation;
use crate::shape::ShapeRef;

/// Whether the closed sets share a point: touch counts. Exact.
#[inline(always)]
pub(crate) fn intersects(a: ShapeRef<'_>, b: ShapeRef<'_>) -> bool {
    match judge(a, b, |order| order != Relation::Disjoint) {
        Some(meets) => meets,
        None => any_pair(&a, &b, &mut |a, b| convex_relation(&a.convex, &b.convex).intersects()),
    }
}
