//! The placement of a grid: created at an origin, then flipped, then transformed by a pose.

use glam::Vec2;

use super::{Cell, GridTransform};
use crate::error::ShapeError;
use crate::math::{Flip, Pose, to_vec2};
use crate::shape::validate;

/// The placement of a grid, and the transform that follows from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GridPlacement {
    pub origin: Vec2,
    /// The width and height of a cell.
    pub cell: Vec2,
    pub flip: Flip,
    pub pose: Pose,
    size: (u32, u32),
    pub transform: GridTransform,
}

impl GridPlacement {
    /// Creates a grid with its minimum corner at the origin, from the size of a cell and the number
    /// of columns and rows.
    pub fn try_new(origin: Vec2, cell: Vec2, size: (u32, u32)) -> Result<Self, ShapeError> {
        let origin = validate::vector(origin, "origin.x", "origin.y")?;
        let (flip, pose) = (Flip::NONE, Pose::IDENTITY);
        let transform = GridTransform::new(origin, cell, flip, &pose, size);
        Ok(Self { origin, cell, flip, pose, size, transform })
    }

    fn replaced(&self, flip: Flip, pose: Pose) -> Self {
        let transform = GridTransform::new(self.origin, self.cell, flip, &pose, self.size);
        Self { flip, pose, transform, ..*self }
    }

    /// Returns the same placement for another number of columns and rows.
    pub fn resized(&self, size: (u32, u32)) -> Self {
        if size == self.size {
            *self
        } else {
            Self { size, ..*self }.replaced(self.flip, self.pose)
        }
    }

    pub fn transformed(&self, pose: &Pose) -> Self {
        self.replaced(self.flip, *pose * self.pose)
    }

    pub fn translated(&self, by: Vec2) -> Self {
        let position = to_vec2(self.pose.position.as_dvec2() + by.as_dvec2());
        self.replaced(self.flip, Pose { position, ..self.pose })
    }

    pub fn flipped(&self, flip: Flip) -> Self {
        // The flip image of a transformed grid is the flipped grid, transformed by the mirrored
        // pose.
        let both = Flip { x: self.flip.x != flip.x, y: self.flip.y != flip.y };
        let position = flip.apply(self.pose.position) + Vec2::ZERO; // no minus zero
        let rotation = flip.flip_rotation(self.pose.rotation);
        self.replaced(both, Pose { position, rotation, ..self.pose })
    }

    /// Returns the cell that contains a point, or `None` outside the grid. A point on an edge
    /// belongs to the cell with the larger coordinates, if there is one.
    #[inline]
    pub fn cell_at(&self, point: Vec2) -> Option<Cell> {
        let at = self.transform.to_grid(point.as_dvec2());
        let (columns, rows) = self.size;
        let within =
            (0.0..=f64::from(columns)).contains(&at.x) && (0.0..=f64::from(rows)).contains(&at.y);
        within.then(|| Cell::new((at.x as u32).min(columns - 1), (at.y as u32).min(rows - 1)))
    }

    /// Returns the corners of a cell, starting at its minimum column and row: counterclockwise (y
    /// up) unless the grid is flipped.
    pub fn corners(&self, cell: Cell) -> [Vec2; 4] {
        cell.corners().map(|corner| self.transform.world_point(corner))
    }

    /// Returns `true` if rows and columns are axis-aligned.
    #[inline]
    pub fn is_axis_aligned(&self) -> bool {
        self.transform.is_axis_aligned()
    }

    /// Returns `true` if rounding may have left cells no width.
    pub fn may_be_flat(&self) -> bool {
        self.transform.grid_error.max_element() > 0.25
    }

    /// Returns the shorter side of a transformed cell.
    pub fn shortest_side(&self) -> f64 {
        f64::from(self.cell.min_element()) * f64::from(self.pose.scale)
    }

    /// Returns the longer side of a transformed cell.
    pub fn longest_side(&self) -> f64 {
        f64::from(self.cell.max_element()) * f64::from(self.pose.scale)
    }

    /// Returns two points in order, or swapped if the grid is flipped, so that the left side of the
    /// line through them stays on the left.
    pub fn wound<T>(&self, a: T, b: T) -> (T, T) {
        if self.flip.reverses() { (b, a) } else { (a, b) }
    }
}
