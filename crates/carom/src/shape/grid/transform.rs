//! The transform between grid coordinates and world coordinates.

use core::ops::Range;

use glam::{DVec2, Vec2};

use super::Cell;
use crate::math::{Flip, Pose, cross, to_vec2, try_normalize};
use crate::shape::Aabb;

/// The transform from grid coordinates, in which each cell is a unit square, to world coordinates.
///
/// A corner is computed in `f64` from its integer grid coordinates and rounded once. All cells
/// around it share it to the bit, so there are neither gaps nor overlaps between cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GridTransform {
    at: DVec2,
    /// The vectors from a column to the next and from a row to the next.
    across: DVec2,
    up: DVec2,
    /// `true` if columns extend along the x axis and rows along the y axis.
    is_unrotated: bool,
    /// The inverse: the vectors whose dot products with a world vector are its grid coordinates.
    to_x: DVec2,
    to_y: DVec2,
    /// A bound on the rounding error of a corner.
    pub(crate) error: f64,
    /// `true` if the grid is axis-aligned and no corner is rounded.
    is_exact: bool,
    /// The bound on the error in grid coordinates; infinite if the inverse cannot be computed.
    pub(crate) grid_error: DVec2,
}

impl GridTransform {
    /// Creates the transform of a grid that is flipped and then transformed by a pose.
    pub fn new(
        origin: Vec2,
        tile: Vec2,
        flip: Flip,
        pose: &Pose,
        (columns, rows): (u32, u32),
    ) -> Self {
        let scale = f64::from(pose.scale);
        let step = |x: f32, y: f32| pose.rotation.rotate_f64(flip.apply([x, y]).as_dvec2() * scale);
        let (across, up) = (step(tile.x, 0.0), step(0.0, tile.y));
        let mut transform = Self {
            at: pose.transform_point_f64(flip.apply(origin).as_dvec2()),
            across,
            up,
            is_unrotated: across.y == 0.0 && up.x == 0.0,
            to_x: DVec2::new(up.y, -up.x) / cross(across, up),
            to_y: DVec2::new(-across.y, across.x) / cross(across, up),
            error: 0.0,
            is_exact: false,
            grid_error: DVec2::INFINITY,
        };
        let (right, top) = (f64::from(columns), f64::from(rows));
        let ends = [(0.0, 0.0), (right, 0.0), (0.0, top), (right, top)];
        let far = ends.into_iter().fold(0.0f64, |far, (x, y)| {
            let corner = transform.world_point_f64(DVec2::new(x, y)).abs();
            far.max(corner.x).max(corner.y)
        });
        transform.is_exact = transform.is_axis_aligned() && transform.is_whole_in(f32_step(far));
        // Half a unit in the last place in x and in y, doubled for safety.
        transform.error = f64::from(f32::EPSILON) * far + f64::from(f32::from_bits(2));
        // Coordinates beyond the range of `f32` are clamped to it.
        let grid_error = transform.disc_extent(transform.error);
        if far < f64::from(f32::MAX)
            && grid_error.is_finite()
            && grid_error.cmpgt(DVec2::ZERO).all()
        {
            transform.grid_error = grid_error;
        }
        transform
    }

    /// Returns `true` if all corners are multiples of a power of two, that is, if the first corner
    /// and the steps are.
    fn is_whole_in(&self, unit: f64) -> bool {
        let is_whole = |x: f64| libm::trunc(x / unit) == x / unit; // never where the unit is 0
        [self.at, self.across, self.up].iter().all(|v| is_whole(v.x) && is_whole(v.y))
    }

    /// Returns where the corners of another grid of a given size lie between those of this one;
    /// `None` unless its cells are equally large and parallel to those of this grid, and the error
    /// is small enough. The other grid may be flipped or rotated by quarter turns.
    pub fn shared_lattice(&self, other: &Self, size: (u32, u32)) -> Option<Lattice> {
        let direction = |step: DVec2, of: DVec2| {
            if step == of { Some(false) } else { (step == -of).then_some(true) }
        };
        let orientation = match (direction(other.across, self.across), direction(other.up, self.up))
        {
            (Some(x), Some(y)) => Orientation { is_transposed: false, flip: Flip { x, y } },
            _ => {
                let x = direction(other.up, self.across)?;
                let y = direction(other.across, self.up)?;
                Orientation { is_transposed: true, flip: Flip { x, y } }
            }
        };
        // The corner of the other grid with the smallest coordinates in this one.
        let flip = orientation.flip;
        let from = |is_last: bool, count: u32| if is_last { f64::from(count) } else { 0.0 };
        let corner = if orientation.is_transposed {
            DVec2::new(from(flip.y, size.0), from(flip.x, size.1))
        } else {
            DVec2::new(from(flip.x, size.0), from(flip.y, size.1))
        };
        let mut offset = self.to_grid(other.world_point_f64(corner));
        let error = if self.is_exact && other.is_exact {
            // A number that is not an integer differs from one by more than 2⁻²⁴; the error of
            // `f64` is smaller.
            let snap = |x: f64| if (x - libm::round(x)).abs() < 1e-8 { libm::round(x) } else { x };
            offset = DVec2::new(snap(offset.x), snap(offset.y));
            DVec2::ZERO
        } else {
            (self.grid_error + other.grid_error) * 2.0 + 1e-9
        };
        let is_known = error.max_element() < 0.25 && offset.abs().max_element() < 1e6;
        is_known.then_some(Lattice { offset, error, orientation })
    }

    /// Converts a point to world coordinates without rounding it to `f32`.
    pub fn world_point_f64(&self, at: DVec2) -> DVec2 {
        self.at + self.vector_to_world(at)
    }

    /// Converts a point to world coordinates.
    #[inline]
    pub fn world_point(&self, at: DVec2) -> Vec2 {
        to_vec2(self.world_point_f64(at))
    }

    /// Returns `true` if rows and columns are axis-aligned, so that runs of cells are boxes.
    #[inline]
    pub fn is_axis_aligned(&self) -> bool {
        self.is_unrotated || (self.across.x == 0.0 && self.up.y == 0.0)
    }

    /// Returns the box of the cells of a row in a range of columns, in an axis-aligned grid.
    #[inline]
    pub fn run_box(&self, row: u32, start: u32, end: u32) -> Aabb {
        let corner = |at: DVec2| {
            if self.is_unrotated {
                // The same sums without the terms that are zero.
                return to_vec2(self.at + DVec2::new(self.across.x, self.up.y) * at);
            }
            self.world_point(at)
        };
        let low = corner(Cell::new(start, row).low());
        let high = corner(Cell::new(end, row + 1).low());
        Aabb::new_unchecked(low.min(high), low.max(high))
    }

    /// Returns the corners of a range of columns and rows, counterclockwise (y up) unless the grid
    /// is flipped.
    pub fn rectangle(&self, columns: &Range<u32>, rows: &Range<u32>) -> [Vec2; 4] {
        let [left, right] = [columns.start, columns.end].map(f64::from);
        let [bottom, top] = [rows.start, rows.end].map(f64::from);
        [(left, bottom), (right, bottom), (right, top), (left, top)]
            .map(|(x, y)| self.world_point(DVec2::new(x, y)))
    }

    /// Returns the bounds of a range of columns and rows.
    pub fn bounds_of(&self, columns: &Range<u32>, rows: &Range<u32>) -> Aabb {
        let bounds = Aabb::of_vertices(&self.rectangle(columns, rows));
        if self.is_axis_aligned() { bounds } else { bounds.fattened(self.error) }
    }

    /// Returns the direction of the rows, a unit vector.
    pub fn direction(&self) -> Option<DVec2> {
        try_normalize(self.across)
    }

    /// Converts a vector to world coordinates.
    pub fn vector_to_world(&self, vector: DVec2) -> DVec2 {
        self.across * vector.x + self.up * vector.y
    }

    /// Converts a world vector to grid coordinates.
    #[inline]
    pub fn vector_to_grid(&self, vector: DVec2) -> DVec2 {
        if self.is_unrotated {
            return DVec2::new(self.to_x.x, self.to_y.y) * vector;
        }
        DVec2::new(self.to_x.dot(vector), self.to_y.dot(vector))
    }

    /// Converts a world point to grid coordinates.
    #[inline]
    pub fn to_grid(self, point: DVec2) -> DVec2 {
        self.vector_to_grid(point - self.at)
    }

    /// Returns the extent in grid coordinates of a disc with a radius in world coordinates.
    #[inline]
    pub fn disc_extent(&self, distance: f64) -> DVec2 {
        // The axes are perpendicular: the inverse vectors have the reciprocal lengths of the steps.
        let [x, y] = [self.to_x, self.to_y].map(|to| to.x.abs().max(to.y.abs()));
        let rotation_factor = if self.is_axis_aligned() { 1.0 } else { core::f64::consts::SQRT_2 };
        DVec2::new(x, y) * (distance * rotation_factor)
    }
}

/// The position of one grid in another: its first corner in cells, and a bound on the rounding
/// error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lattice {
    pub offset: DVec2,
    pub error: DVec2,
    pub orientation: Orientation,
}

/// The orientation of a grid in another: with rows and columns swapped or not, and then flipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Orientation {
    pub is_transposed: bool,
    pub flip: Flip,
}

impl Lattice {
    /// Returns `true` if nothing is rounded.
    pub fn is_exact(&self) -> bool {
        self.error == DVec2::ZERO
    }
}

/// Returns the distance from an `f32` of some size to the next.
fn f32_step(size: f64) -> f64 {
    let power = f32::from_bits((size as f32).to_bits() & 0x7f80_0000);
    f64::from(power) * f64::from(f32::EPSILON)
}
