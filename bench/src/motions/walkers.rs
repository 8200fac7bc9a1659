//! Many walkers on the floors of a large map, some of them on platforms that move to and fro.

use crate::inputs::Random;

/// Columns and rows of the map; a tile is 1 by 1, and y points up.
pub const SIZE: usize = 1000;

/// Half the width and height of a walker.
pub const HALF: [f32; 2] = [0.375, 0.4375];

/// Half the width and height of a platform.
pub const PLATFORM: [f32; 2] = [2.0, 0.25];

/// The motion of walkers per frame, horizontally and downwards.
pub const SPEED: f32 = 0.0625;
pub const FALL: f32 = 0.03125;

/// The motion of platforms per frame, and the number of frames until they turn around.
pub const PLATFORM_SPEED: f32 = 0.03125;
pub const TURN: usize = 64;

/// The number of rows between floors.
const STOREY: usize = 8;

pub struct WalkerScene {
    /// Row by row, `true` where there is a tile.
    is_solid: Vec<bool>,
    /// The centers of the platforms.
    pub platforms: Vec<[f32; 2]>,
    pub walkers: Vec<Walker>,
}

#[derive(Clone, Copy)]
pub struct Walker {
    /// The center.
    pub start: [f32; 2],
    /// −1 or 1.
    pub direction: f32,
    /// The platform that the walker stands on.
    pub platform: Option<usize>,
}

impl Walker {
    /// The distance of a walker from its correct position after one frame without obstacles.
    pub fn off(&self, [x, y]: [f32; 2]) -> f64 {
        let carried = if self.platform.is_some() { PLATFORM_SPEED } else { 0.0 };
        let true_x = self.start[0] + self.direction * SPEED + carried;
        f64::from(x - true_x).hypot(f64::from(y - self.start[1]))
    }
}

impl WalkerScene {
    /// Places two walkers on every platform and the others on the floors, which have a few pillars.
    pub fn new(walkers: usize, platforms: usize) -> Self {
        let mut random = Random::new(5);
        let mut scene =
            Self { is_solid: vec![false; SIZE * SIZE], platforms: Vec::new(), walkers: Vec::new() };
        for row in (0..SIZE).step_by(STOREY) {
            scene.is_solid[row * SIZE..(row + 1) * SIZE].fill(true);
            for _ in 0..SIZE / 32 {
                let column = random.below(SIZE);
                scene.is_solid[(row + 1) * SIZE + column] = true;
            }
        }
        let storeys = SIZE / STOREY;
        for platform in 0..platforms {
            let (storey, place) = (platform % storeys, platform / storeys);
            let middle = [60.0 + 100.0 * place as f32, (storey * STOREY) as f32 + 5.0];
            scene.platforms.push(middle);
            for aside in [-0.5, 0.5] {
                let start = [middle[0] + aside, middle[1] + PLATFORM[1] + HALF[1]];
                scene.walkers.push(Walker {
                    start,
                    direction: aside.signum(),
                    platform: Some(platform),
                });
            }
        }
        while scene.walkers.len() < walkers {
            let (column, storey) = (2 + random.below(SIZE - 4), random.below(storeys));
            let row = storey * STOREY + 1;
            let is_free = |column: usize| !scene.is_solid[row * SIZE + column];
            if (column - 1..=column + 1).all(is_free) {
                let start = [column as f32 + 0.5, row as f32 + HALF[1]];
                let direction = if random.below(2) == 0 { -1.0 } else { 1.0 };
                scene.walkers.push(Walker { start, direction, platform: None });
            }
        }
        scene
    }

    /// The walkers with their indices.
    pub fn items(&self) -> Vec<(usize, Walker)> {
        self.walkers.iter().copied().enumerate().collect()
    }

    /// The columns and rows of all tiles.
    pub fn tiles(&self) -> impl Iterator<Item = [usize; 2]> {
        let cells = self.is_solid.iter().enumerate().filter(|cell| *cell.1);
        cells.map(|(i, _)| [i % SIZE, i / SIZE])
    }

    /// The runs of adjacent tiles in a row: column, row and length.
    pub fn runs(&self) -> Vec<[usize; 3]> {
        let mut runs: Vec<[usize; 3]> = Vec::new();
        for [x, y] in self.tiles() {
            match runs.last_mut() {
                Some(run) if run[1] == y && run[0] + run[2] == x => run[2] += 1,
                _ => runs.push([x, y, 1]),
            }
        }
        runs
    }
}

/// The direction of the platforms in a frame.
pub fn platform_motion(frame: usize) -> f32 {
    if (frame / TURN).is_multiple_of(2) { PLATFORM_SPEED } else { -PLATFORM_SPEED }
}
