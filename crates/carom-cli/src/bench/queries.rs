//! Queries on a scene, the same in every run. The bench crate includes this file too.

use carom::prelude::*;

use super::scenes::{BoxScene, Random};

/// The length of a ray.
pub const RAY_LENGTH: f32 = 100.0;

/// The number of nearest boxes to find.
pub const NEAREST: usize = 8;

/// Queries near the boxes of a scene.
pub struct Queries {
    pub points: Vec<Vec2>,
    /// The boxes, of 4 by 4 units.
    pub boxes: Vec<Aabb>,
    pub rays: Vec<Ray>,
    /// The circles, of diameter 1, each with a motion of 20 units.
    pub sweeps: Vec<(Circle, Vec2)>,
}

impl Queries {
    /// Creates `count` queries of each kind.
    pub fn new(scene: &BoxScene, count: usize) -> Self {
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
