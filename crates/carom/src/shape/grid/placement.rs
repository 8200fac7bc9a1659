//! Where a grid is: made at an origin, then mirrored, then placed.

use glam::Vec2;

use super::{Cell, GridTransform};
use crate::error::ShapeError;
use crate::math::{Flip, Pose, to_f32, to_vec2};
use crate::shape::validate;

/// The numbers that place a grid of some size, and the frame that follows from them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GridPlacement {
    pub origin: Vec2,
    /// The width and height of a cell.
    pub cell: Vec2,
    pub mirror: Flip,
    pub pose: Pose,
    size: (u32, u32),
    pub frame: GridTransform,
}

impl GridPlacement {
    /// A grid of cells of some size, so many columns and rows of them, with a corner at the origin.
    pub fn try_new(origin: Vec2, cell: Vec2, size: (u32, u32)) -> Result<Self, ShapeError> {
        let origin = validate::vector(origin, "origin.x", "origin.y")?;
        let (mirror, pose) = (Flip::NONE, Pose::IDENTITY);
        let frame = GridTransform::new(origin, cell, mirror, &pose, size);
        Ok(Self { origin, cell, mirror, pose, size, frame })
    }

    fn replaced(&self, mirror: Flip, pose: Pose) -> Self {
        let frame = GridTransform::new(self.origin, self.cell, mirror, &pose, self.size);
        Self { mirror, pose, frame, ..*self }
    }

    /// The same for another number of columns and rows.
    pub fn resized(&self, size: (u32, u32)) -> Self {
        if size == self.size {
            *self
        } else {
            Self { size, ..*self }.replaced(self.mirror, self.pose)
        }
    }

    pub fn transformed(&self, pose: &Pose) -> Self {
        let pose = Pose {
            position: to_vec2(pose.transform_point_f64(self.pose.position.as_dvec2())),
            rotation: pose.rotation.compose(self.pose.rotation),
            scale: to_f32(f64::from(pose.scale) * f64::from(self.pose.scale)),
        };
        self.replaced(self.mirror, pose)
    }

    pub fn translated(&self, by: Vec2) -> Self {
        let position = to_vec2(self.pose.position.as_dvec2() + by.as_dvec2());
        self.replaced(self.mirror, Pose { position, ..self.pose })
    }

    pub fn flipped(&self, mirror: Flip) -> Self {
        // The image of a placed grid is the image of the grid, placed the other way round.
        let both = Flip { x: self.mirror.x != mirror.x, y: self.mirror.y != mirror.y };
        let position = mirror.apply(self.pose.position) + Vec2::ZERO; // no minus zero
        let rotation = mirror.rotation(self.pose.rotation);
        self.replaced(both, Pose { position, rotation, ..self.pose })
    }

    /// The cell that a point lies in; of those whose borders it lies on, the one with the greatest
    /// coordinates, or the last. `None` outside the grid.
    #[inline]
    pub fn cell_at(&self, point: Vec2) -> Option<Cell> {
        let at = self.frame.to_grid(point.as_dvec2());
        let (columns, rows) = self.size;
        let within =
            (0.0..=f64::from(columns)).contains(&at.x) && (0.0..=f64::from(rows)).contains(&at.y);
        within.then(|| Cell::new((at.x as u32).min(columns - 1), (at.y as u32).min(rows - 1)))
    }

    /// The corners of a cell, from the one with the least column and row on: counter-clockwise (y up)
    /// unless the grid is mirrored.
    pub fn corners(&self, cell: Cell) -> [Vec2; 4] {
        cell.corners().map(|corner| self.frame.corner(corner))
    }

    /// Whether rows and columns are level and upright.
    #[inline]
    pub fn is_axis_aligned(&self) -> bool {
        self.frame.is_axis_aligned()
    }

    /// Whether rounding may have left cells no width.
    pub fn may_be_flat(&self) -> bool {
        self.frame.slack.max_element() > 0.25
    }

    /// The shorter side of a placed cell.
    pub fn shortest_side(&self) -> f64 {
        f64::from(self.cell.min_element()) * f64::from(self.pose.scale)
    }

    /// The longer side of a placed cell.
    pub fn longest_side(&self) -> f64 {
        f64::from(self.cell.max_element()) * f64::from(self.pose.scale)
    }

    /// Two points in order; the other way round in a mirrored grid, so that what was on the left of
    /// the line through them is on the left of its image.
    pub fn in_order<T>(&self, a: T, b: T) -> (T, T) {
        if self.mirror.reverses() { (b, a) } else { (a, b) }
    }
}
