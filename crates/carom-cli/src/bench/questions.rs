//! What is looked up in a scene, the same on every run. The bench crate includes this file too.

use carom::prelude::*;

use super::scenes::{Random, Scene};

/// How far a ray goes.
pub const RAY_LENGTH: f32 = 100.0;

/// How many neighbours are asked for.
pub const NEAREST: usize = 8;

/// Questions about the surroundings of a scene's boxes.
pub struct Questions {
    pub points: Vec<Vec2>,
    /// Four units wide and high.
    pub boxes: Vec<Aabb>,
    pub rays: Vec<Ray>,
    /// Unit circles, and twenty units of motion for each.
    pub sweeps: Vec<(Circle, Vec2)>,
}

impl Questions {
    /// So many of each kind.
    pub fn new(scene: &Scene, count: usize) -> Self {
        let random = &mut Random::new(7);
        let mut points = || -> Vec<Vec2> {
            let draw = |_| {
                let (near, _) = scene.boxes()[random.below(scene.boxes().len())];
                near.center() + Vec2::new(random.between(-3.0, 3.0), random.between(-3.0, 3.0))
            };
            (0..count).map(draw).collect()
        };
        let [points, centers, origins, starts] = [(); 4].map(|()| points());
        let mut direction = || Vec2::from(random.direction());
        Self {
            points,
            boxes: centers.iter().map(|&at| Aabb::from_center_half_size(at, [2.0, 2.0])).collect(),
            rays: origins.iter().map(|&at| Ray::new(at, direction(), RAY_LENGTH)).collect(),
            sweeps: starts.iter().map(|&at| (Circle::new(at, 0.5), direction() * 20.0)).collect(),
        }
    }
}
