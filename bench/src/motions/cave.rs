//! A cave of unit tiles, and motions through it with their correct end positions.

use crate::inputs::Random;

/// Half the width and height of the box that moves.
pub const HALF: f64 = 0.375;

/// A start position in the cave and a motion.
#[derive(Clone, Copy)]
pub struct CavePath {
    pub start: [f32; 2],
    pub motion: [f32; 2],
    pub end: [f64; 2],
}

impl CavePath {
    /// The distance between the end of a box and the correct end.
    pub fn off(&self, [x, y]: [f32; 2]) -> f64 {
        (f64::from(x) - self.end[0]).hypot(f64::from(y) - self.end[1])
    }
}

pub struct Cave {
    /// Columns and rows.
    pub size: usize,
    is_solid: Vec<bool>,
    pub paths: Vec<CavePath>,
}

impl Cave {
    /// Creates a cave of `tiles` tiles in twice as many cells, and motions of up to two tiles from free
    /// positions.
    pub fn new(tiles: usize) -> Self {
        const PATHS: usize = 1024;
        let size = ((2 * tiles) as f64).sqrt().ceil() as usize;
        let mut random = Random::new(3);

        let mut cave = Self { size, is_solid: vec![false; size * size], paths: Vec::new() };
        let mut left = tiles;
        while left > 0 {
            let cell = random.below(size * size);
            left -= usize::from(!cave.is_solid[cell]);
            cave.is_solid[cell] = true;
        }
        while cave.paths.len() < PATHS {
            let cell = random.below(size * size);
            if cave.is_solid[cell] {
                continue;
            }
            let margin = 0.49 - HALF as f32;
            let [x, y] = [cell % size, cell / size].map(|i| i as f32 + 0.5);
            let start = [x, y].map(|i| i + random.between(-margin, margin));
            let motion = [0; 2].map(|_| random.between(-1.5, 1.5));
            let end = cave.slide(start, motion);
            cave.paths.push(CavePath { start, motion, end });
        }
        cave
    }

    /// The columns and rows of all tiles.
    pub fn tiles(&self) -> impl Iterator<Item = [usize; 2]> {
        let cells = self.is_solid.iter().enumerate().filter(|cell| *cell.1);
        cells.map(|(i, _)| [i % self.size, i / self.size])
    }

    /// Computes the end of a sliding box by brute force: every slide tests all tiles.
    fn slide(&self, start: [f32; 2], motion: [f32; 2]) -> [f64; 2] {
        let (mut at, mut left) = (start.map(f64::from), motion.map(f64::from));
        loop {
            let hits = self.tiles().filter_map(|tile| enter(at, left, tile));
            let first = hits.min_by(|a, b| a.0.total_cmp(&b.0));
            let (time, axis) = first.unwrap_or((1.0, 2));
            for i in 0..2 {
                at[i] += left[i] * time;
                left[i] *= 1.0 - time;
            }
            match left.get_mut(axis) {
                Some(blocked) => *blocked = 0.0,
                None => return at,
            }
        }
    }
}

/// Returns when a box enters a tile, and across which axis. Touching and sliding along it do not count.
fn enter(at: [f64; 2], motion: [f64; 2], tile: [usize; 2]) -> Option<(f64, usize)> {
    const TOUCH: f64 = 1e-9;
    let (mut enter, mut exit, mut axis) = (f64::NEG_INFINITY, f64::INFINITY, 0);
    for i in 0..2 {
        let middle = tile[i] as f64 + 0.5;
        let (low, high) = (middle - 0.5 - HALF - at[i], middle + 0.5 + HALF - at[i]);
        if motion[i] == 0.0 {
            if low >= -TOUCH || high <= TOUCH {
                return None;
            }
            continue;
        }
        let (a, b) = (low / motion[i], high / motion[i]);
        if a.min(b) > enter {
            (enter, axis) = (a.min(b), i);
        }
        exit = exit.min(a.max(b));
    }
    let is_hit = (-TOUCH..=1.0).contains(&enter) && exit > enter + TOUCH && exit > TOUCH;
    is_hit.then_some((enter.max(0.0), axis))
}
