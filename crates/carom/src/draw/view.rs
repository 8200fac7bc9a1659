//! From the world to the picture.

use glam::Vec2;

use crate::math::{DVec2, to_vec2};
use crate::shape::Aabb;

/// Which part of the world a picture shows, how large, and whether y points up in the world. In
/// pictures it points down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The part of the world.
    pub area: Aabb,
    /// Pixels for a unit of the world.
    pub scale: f32,
    /// Whether y points up in the world.
    pub y_up: bool,
    /// Pixels around the area.
    pub margin: f32,
}

/// Where the words of a label stand to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelPlacement {
    /// On the point.
    Center,
    /// Left of it.
    Left,
    /// Right of it.
    Right,
    /// Above it, in the picture.
    Above,
    /// Below it, in the picture.
    Below,
}

impl View {
    /// Shows a part of the world with y up, 800 pixels wide, or 600 high if that is less.
    pub fn new(area: Aabb) -> Self {
        let size = area.size();
        let scale =
            f32::min(800.0 / size.x.max(f32::MIN_POSITIVE), 600.0 / size.y.max(f32::MIN_POSITIVE));
        Self { area, scale: scale.clamp(1e-30, 1e30), y_up: true, margin: 16.0 }
    }

    /// With y down in the world too.
    #[must_use]
    pub fn y_down(self) -> Self {
        Self { y_up: false, ..self }
    }

    /// So many pixels for a unit.
    #[must_use]
    pub fn scale(self, scale: f32) -> Self {
        Self { scale, ..self }
    }

    /// Width and height of the picture in pixels.
    pub fn size(&self) -> [f32; 2] {
        (self.area.size() * self.scale + Vec2::splat(self.margin * 2.0)).to_array()
    }

    /// Where in the picture a point of the world is, in pixels from the left and from the top.
    pub fn pixel(&self, point: Vec2) -> Vec2 {
        let (min, max) = (self.area.min().as_dvec2(), self.area.max().as_dvec2());
        let point = point.as_dvec2();
        let y = if self.y_up { max.y - point.y } else { point.y - min.y };
        to_vec2(
            DVec2::new(point.x - min.x, y) * f64::from(self.scale)
                + DVec2::splat(f64::from(self.margin)),
        )
    }
}
