//! Where points of an editor's shapes come to lie: moved, turned, flipped and stretched.

use carom::prelude::*;

/// What becomes of (1, 0), (0, 1) and (0, 0).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Affine {
    pub x: Vec2,
    pub y: Vec2,
    pub origin: Vec2,
}

impl Affine {
    pub const IDENTITY: Self = Self { x: Vec2::X, y: Vec2::Y, origin: Vec2::ZERO };

    pub fn moved(by: Vec2) -> Self {
        Self { origin: by, ..Self::IDENTITY }
    }

    pub fn stretched(by: Vec2) -> Self {
        Self { x: Vec2::new(by.x, 0.0), y: Vec2::new(0.0, by.y), origin: Vec2::ZERO }
    }

    /// Turned by degrees, from x towards y; quarter turns are exact.
    pub fn turned(degrees: f32) -> Self {
        let x = match degrees.rem_euclid(360.0) {
            0.0 => Vec2::X,
            90.0 => Vec2::Y,
            180.0 => -Vec2::X,
            270.0 => -Vec2::Y,
            degrees => Pose::new([0.0, 0.0], degrees.to_radians()).transform_point(Vec2::X),
        };
        Self { x, y: x.perp(), origin: Vec2::ZERO }
    }

    /// This first, then another.
    pub fn then(self, next: Self) -> Self {
        let [x, y] = [self.x, self.y].map(|axis| next.apply(axis) - next.origin);
        Self { x, y, origin: next.apply(self.origin) }
    }

    pub fn apply(&self, point: Vec2) -> Vec2 {
        self.x * point.x + self.y * point.y + self.origin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_after_the_other() {
        let both = Affine::turned(90.0).then(Affine::moved(Vec2::new(10.0, 0.0)));
        assert_eq!(both.apply(Vec2::new(2.0, 1.0)), Vec2::new(9.0, 2.0));
        let wide = both.then(Affine::stretched(Vec2::new(2.0, 1.0)));
        assert_eq!(wide.apply(Vec2::new(2.0, 1.0)), Vec2::new(18.0, 2.0));
        let turned = Affine::turned(-30.0).apply(Vec2::new(2.0, 0.0));
        assert!(turned.distance(Vec2::new(3f32.sqrt(), -1.0)) < 1e-6);
    }
}
