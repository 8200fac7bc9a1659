//! Moving boxes among tiles.

mod carom;
mod cave;
mod rapier;
mod walkers;

use crate::harness::{Answer, Row, Verdict};

use cave::Cave;
use walkers::WalkerScene;

/// A box that slides along obstacles, in a cave with the given number of tiles.
pub fn slides<'a>(tiles: usize) -> Row<'a> {
    let cave = Cave::new(tiles);
    let mut row = row_of_paths(cave.paths.len());
    carom::add_slides(&mut row, &cave);
    rapier::add_slides(&mut row, &cave);
    row
}

/// Walkers on a map of a million cells. An input is one walker in one frame; the first walker of a frame
/// also moves the platforms.
pub fn walkers<'a>(walkers: usize, platforms: usize) -> Row<'a> {
    let scene = WalkerScene::new(walkers, platforms);
    let mut row = row_of_paths(walkers);
    carom::add_walkers(&mut row, &scene);
    rapier::add_walkers(&mut row, &scene);
    row
}

/// Rapier keeps characters this far away from all obstacles (a hundredth of their height), and pushes them
/// a little farther at every hit.
const OFFSET: f64 = 0.01;

/// Results are distances between the end of the box and the correct end.
fn row_of_paths<'a>(count: usize) -> Row<'a> {
    Row::new(vec![Answer::Value(0.0); count], |_, answer| match answer {
        Answer::Value(off) if off <= 2.0 * OFFSET => Verdict::Agrees,
        Answer::Value(off) if off <= 4.0 * OFFSET => Verdict::Borderline,
        _ => Verdict::Differs,
    })
}
