//! Boxes that move and respond to obstacles.

use crate::motions;
use crate::report::Bench;

pub fn rows(bench: &mut Bench) {
    bench.queries("motion travel slide 3000 tiles", || motions::slides(3000));
    bench.queries("motion walkers 10k", || motions::walkers(10_000, 1_000));
}
