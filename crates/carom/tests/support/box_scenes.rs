//! Scenes of boxes, each difficult for some broad phase.

use carom::prelude::*;

use super::rng::Rng;

/// A distribution of boxes: the center, the extent, the sizes and the kind.
#[derive(Clone, Copy, Debug)]
pub struct BoxScene {
    pub name: &'static str,
    pub middle: f32,
    pub reach: f32,
    pub size: f32,
    pub kind: Kind,
}

#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Uniform,
    Clustered,
    MixedSizes,
    OneGiant,
    ThinAndLong,
    Coincident,
    Tiles,
    Points,
}

/// The scenes, one of each kind.
pub const BOX_SCENES: [BoxScene; 15] = {
    const fn scene(name: &'static str, kind: Kind, middle: f32, reach: f32, size: f32) -> BoxScene {
        BoxScene { name, middle, reach, size, kind }
    }
    [
        scene("uniform", Kind::Uniform, 0.0, 12.0, 2.0),
        scene("sparse", Kind::Uniform, 0.0, 1000.0, 1.0),
        scene("clustered", Kind::Clustered, 0.0, 100.0, 1.0),
        scene("mixed sizes", Kind::MixedSizes, 0.0, 50.0, 1.0),
        scene("one giant", Kind::OneGiant, 0.0, 20.0, 1.0),
        scene("thin and long", Kind::ThinAndLong, 0.0, 20.0, 1.0),
        scene("all in one place", Kind::Coincident, 3.0, 1.0, 1.0),
        scene("points in one place", Kind::Coincident, 3.0, 0.0, 0.0),
        scene("tiles that touch", Kind::Tiles, 0.0, 8.0, 1.0),
        scene("points", Kind::Points, 0.0, 4.0, 0.0),
        scene("far from the origin", Kind::Uniform, 1e6, 12.0, 2.0),
        scene("tiles far from the origin", Kind::Tiles, 16_777_216.0, 64.0, 2.0),
        scene("where numbers are coarse", Kind::MixedSizes, -1e30, 1e29, 1e27),
        scene("as far as numbers go", Kind::Uniform, 0.0, f32::MAX / 2.0, f32::MAX / 8.0),
        scene("as small as numbers go", Kind::Uniform, 0.0, 1e-42, 1e-43),
    ]
};

impl BoxScene {
    /// Returns a random coordinate of the scene.
    pub fn coordinate(&self, rng: &mut Rng) -> f32 {
        self.middle + self.reach * rng.signed()
    }

    pub fn point(&self, rng: &mut Rng) -> Vec2 {
        Vec2::new(self.coordinate(rng), self.coordinate(rng))
    }

    /// Returns a random box of the scene.
    pub fn bounds(&self, rng: &mut Rng) -> Aabb {
        let (mut at, mut size) = (self.point(rng), Vec2::splat(self.size));
        match self.kind {
            Kind::Uniform => size *= Vec2::new(rng.signed().abs(), rng.signed().abs()),
            Kind::Clustered => {
                let cluster = Vec2::new(rng.between(-2, 2) as f32, rng.between(-2, 2) as f32);
                at = cluster * self.reach / 2.0 + at * 0.02;
            }
            Kind::MixedSizes => size *= rng.pick(&[0.1, 0.5, 1.0, 1.0, 30.0]),
            Kind::OneGiant if rng.one_in(100) => {
                (at, size) = (Vec2::splat(self.middle - self.reach), Vec2::splat(2.0 * self.reach));
            }
            Kind::OneGiant => {}
            Kind::ThinAndLong => {
                let thin = self.size * 0.1;
                size = rng.pick(&[Vec2::new(thin, self.reach), Vec2::new(self.reach, thin), size]);
            }
            Kind::Coincident => at = Vec2::splat(self.middle),
            Kind::Tiles => at = (at / self.size).round() * self.size,
            Kind::Points => at = (at * 2.0).round() / 2.0,
        }
        spanning(at, at + size)
    }

    /// Returns the box, moved a little.
    pub fn nudged(&self, bounds: &Aabb, rng: &mut Rng) -> Aabb {
        let step = if let Kind::Tiles = self.kind { self.size } else { self.size * rng.signed() };
        let by = rng.pick(&[Vec2::new(step, 0.0), Vec2::new(0.0, -step), Vec2::splat(step)]);
        spanning(bounds.min() + by, bounds.max() + by)
    }
}

/// Returns the box between two corners, which may coincide, clamped to finite coordinates.
pub fn spanning(min: Vec2, max: Vec2) -> Aabb {
    let corners = [min, max].map(|corner| corner.clamp(Vec2::MIN, Vec2::MAX));
    Aabb::from_points(&corners).expect("the corners are finite")
}
