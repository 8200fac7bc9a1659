//! Cases that once had wrong results.
#![allow(clippy::approx_constant)] // cases are kept to the digit as they were found

mod pushes;
mod relations;
mod sweeps;

use carom::prelude::*;

/// Returns `intersects` and `overlaps`, which must be the same in both orders.
fn intersects_overlaps(a: impl Into<Shape>, b: impl Into<Shape>) -> (bool, bool) {
    let (a, b) = (a.into(), b.into());
    let intersects_overlaps = (a.intersects(&b), a.overlaps(&b));
    assert_eq!(intersects_overlaps, (b.intersects(&a), b.overlaps(&a)), "the orders differ");
    intersects_overlaps
}

const TOUCH: (bool, bool) = (true, false);
const OVERLAP: (bool, bool) = (true, true);

fn push(a: impl Into<Shape>, b: impl Into<Shape>) -> f32 {
    let (a, b) = (a.into(), b.into());
    let contact = a.contact(&b).expect("they overlap");
    assert!(!a.translated(contact.push).overlaps(&b), "{} does not clear", contact.push);
    contact.push.length()
}
