//! Moving boxes among tiles.

mod carom;
mod cave;
mod parade;
mod rapier;

use crate::harness::{Answer, Row, Verdict};

use cave::Cave;
use parade::Parade;

/// A box that slides along what it meets, in a cave of so many tiles.
pub fn slides<'a>(tiles: usize) -> Row<'a> {
    let cave = Cave::new(tiles);
    let mut row = row_of_ways(cave.ways.len());
    carom::add_slides(&mut row, &cave);
    rapier::add_slides(&mut row, &cave);
    row
}

/// Walkers on a map of a million cells; a question is a walker in a frame, the first one moves the
/// platforms.
pub fn walkers<'a>(walkers: usize, platforms: usize) -> Row<'a> {
    let parade = Parade::new(walkers, platforms);
    let mut row = row_of_ways(walkers);
    carom::add_walkers(&mut row, &parade);
    rapier::add_walkers(&mut row, &parade);
    row
}

/// Rapier keeps a character this far from everything (a hundredth of its height), and pushes it a
/// little further at every hit.
const OFFSET: f64 = 0.01;

/// Answers are how far from the true end of its way the box ends.
fn row_of_ways<'a>(count: usize) -> Row<'a> {
    Row::new(vec![Answer::Value(0.0); count], |_, answer| match answer {
        Answer::Value(off) if off <= 2.0 * OFFSET => Verdict::Agrees,
        Answer::Value(off) if off <= 4.0 * OFFSET => Verdict::Borderline,
        _ => Verdict::Differs,
    })
}
