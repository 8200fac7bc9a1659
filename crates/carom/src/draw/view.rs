//! The transform from world coordinates to pixels.

use glam::Vec2;

use crate::math::{DVec2, to_vec2};
use crate::shape::Aabb;

/// The part of the world that a drawing shows, and its scale. In pixels, y points down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The visible part of the world.
    pub area: Aabb,
    /// The scale, in pixels per world unit.
    pub scale: f32,
    /// `true` if y points up in the world.
    pub y_up: bool,
    /// The margin around the area, in pixels.
    pub margin: f32,
}

/// The placement of a label relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelPlacement {
    /// Centered on the point.
    Center,
    /// Left of the point.
    Left,
    /// Right of the point.
    Right,
    /// Above the point, in pixels.
    Above,
    /// Below the point, in pixels.
    Below,
}

impl View {
    /// Creates a view of a part of the world with y up, scaled to fit 800 by 600 pixels.
    pub fn new(area: Aabb) -> Self {
        let size = area.size();
        let scale =
            f32::min(800.0 / size.x.max(f32::MIN_POSITIVE), 600.0 / size.y.max(f32::MIN_POSITIVE));
        Self { area, scale: scale.clamp(1e-30, 1e30), y_up: true, margin: 16.0 }
    }

    /// Returns the view for a world in which y points down.
    #[must_use]
    pub fn y_down(self) -> Self {
        Self { y_up: false, ..self }
    }

    /// Returns the view with another scale, in pixels per world unit.
    #[must_use]
    pub fn scale(self, scale: f32) -> Self {
        Self { scale, ..self }
    }

    /// Returns the width and height in pixels, margins included.
    pub fn size(&self) -> [f32; 2] {
        (self.area.size() * self.scale + Vec2::splat(self.margin * 2.0)).to_array()
    }

    /// Converts a point of the world to pixels from the left and from the top.
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
