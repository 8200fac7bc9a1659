//! Where the corners of a grid are in the world, and back.

use core::ops::Range;

use glam::{DVec2, Vec2};

use super::Cell;
use crate::math::{Flip, Pose, cross, to_vec2};
use crate::shape::Aabb;

/// Takes grid coordinates, in which each cell is a unit square, to the world.
///
/// A corner's place is computed in `f64` from its whole-numbered grid coordinates and rounded once:
/// the tiles around it share it to the bit, so there is neither a crack nor an overlap between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GridTransform {
    at: DVec2,
    /// The steps from a column to the next and from a row to the next.
    across: DVec2,
    up: DVec2,
    /// Whether rows are level and columns upright.
    is_upright: bool,
    /// The way back: how far along x and along y in the grid a way in the world leads.
    to_x: DVec2,
    to_y: DVec2,
    /// How far a rounded corner may be off.
    pub(crate) error: f64,
    /// Whether the grid is level and all corners are where they are without rounding.
    is_exact: bool,
    /// The error in grid coordinates; infinite where the way back cannot be computed.
    pub(crate) slack: DVec2,
}

impl GridTransform {
    /// The frame of a grid that is mirrored first and then placed.
    pub fn new(
        origin: Vec2,
        tile: Vec2,
        mirror: Flip,
        pose: &Pose,
        (columns, rows): (u32, u32),
    ) -> Self {
        let scale = f64::from(pose.scale);
        let step =
            |x: f32, y: f32| pose.rotation.rotate_f64(mirror.apply([x, y]).as_dvec2() * scale);
        let (across, up) = (step(tile.x, 0.0), step(0.0, tile.y));
        let mut frame = Self {
            at: pose.transform_point_f64(mirror.apply(origin).as_dvec2()),
            across,
            up,
            is_upright: across.y == 0.0 && up.x == 0.0,
            to_x: DVec2::new(up.y, -up.x) / cross(across, up),
            to_y: DVec2::new(-across.y, across.x) / cross(across, up),
            error: 0.0,
            is_exact: false,
            slack: DVec2::INFINITY,
        };
        let (right, top) = (f64::from(columns), f64::from(rows));
        let ends = [(0.0, 0.0), (right, 0.0), (0.0, top), (right, top)];
        let far = ends.into_iter().fold(0.0f64, |far, (x, y)| {
            let corner = frame.place(DVec2::new(x, y)).abs();
            far.max(corner.x).max(corner.y)
        });
        frame.is_exact = frame.is_axis_aligned() && frame.is_whole_in(f32_step(far));
        // Half a unit in the last place in x and in y, and as much again to be sure.
        frame.error = f64::from(f32::EPSILON) * far + f64::from(f32::from_bits(2));
        // Coordinates beyond the range of f32 stop at its edge.
        let slack = frame.reach(frame.error);
        if far < f64::from(f32::MAX) && slack.is_finite() && slack.cmpgt(DVec2::ZERO).all() {
            frame.slack = slack;
        }
        frame
    }

    /// Whether all corners are multiples of a unit, a power of two: if the first and the steps are.
    fn is_whole_in(&self, unit: f64) -> bool {
        let is_whole = |x: f64| libm::trunc(x / unit) == x / unit; // never where the unit is 0
        [self.at, self.across, self.up].iter().all(|v| is_whole(v.x) && is_whole(v.y))
    }

    /// Where the corners of another grid lie between those of this one; `None` unless its cells are
    /// equally large and lie the same way, and that can be told.
    pub fn shared_lattice(&self, other: &Self) -> Option<Lattice> {
        if (self.across, self.up) != (other.across, other.up) {
            return None;
        }
        let mut offset = self.to_grid(other.at);
        let error = if self.is_exact && other.is_exact {
            // What is not whole is off by more than 2⁻²⁴, and f64 by less than this.
            let snap = |x: f64| if (x - libm::round(x)).abs() < 1e-8 { libm::round(x) } else { x };
            offset = DVec2::new(snap(offset.x), snap(offset.y));
            DVec2::ZERO
        } else {
            (self.slack + other.slack) * 2.0 + 1e-9
        };
        let is_known = error.max_element() < 0.25 && offset.abs().max_element() < 1e6;
        is_known.then_some(Lattice { offset, error })
    }

    fn place(&self, at: DVec2) -> DVec2 {
        self.at + self.vector_to_world(at)
    }

    /// A point of the grid in the world.
    #[inline]
    pub fn corner(&self, at: DVec2) -> Vec2 {
        to_vec2(self.place(at))
    }

    /// Whether the grid's lines are level and upright, so that rows of tiles are boxes.
    #[inline]
    pub fn is_axis_aligned(&self) -> bool {
        self.is_upright || (self.across.x == 0.0 && self.up.y == 0.0)
    }

    /// The box that cells of a row are, in a level grid: from a column up to another.
    #[inline]
    pub fn level_box(&self, row: u32, start: u32, end: u32) -> Aabb {
        let corner = |at: DVec2| {
            if self.is_upright {
                // The same sums without what adds nothing.
                return to_vec2(self.at + DVec2::new(self.across.x, self.up.y) * at);
            }
            self.corner(at)
        };
        let low = corner(Cell::new(start, row).low());
        let high = corner(Cell::new(end, row + 1).low());
        Aabb::new_unchecked(low.min(high), low.max(high))
    }

    /// The box around all corners of some columns and rows.
    pub fn bounds_of(&self, columns: &Range<u32>, rows: &Range<u32>) -> Aabb {
        let (low, high) = (Cell::new(columns.start, rows.start), Cell::new(columns.end, rows.end));
        self.bounds(low.low(), high.low())
    }

    /// The box around all corners between two.
    fn bounds(&self, low: DVec2, high: DVec2) -> Aabb {
        let ends = [low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)];
        let bounds = Aabb::union(ends.map(|end| {
            let corner = self.corner(end);
            Aabb::new_unchecked(corner, corner)
        }));
        if self.is_axis_aligned() { bounds } else { bounds.fattened(self.error) }
    }

    /// A vector of the grid in the world.
    pub fn vector_to_world(&self, way: DVec2) -> DVec2 {
        self.across * way.x + self.up * way.y
    }

    /// A vector of the world in grid coordinates.
    #[inline]
    pub fn way_in_grid(&self, way: DVec2) -> DVec2 {
        if self.is_upright {
            return DVec2::new(self.to_x.x, self.to_y.y) * way;
        }
        DVec2::new(self.to_x.dot(way), self.to_y.dot(way))
    }

    /// A point of the world in grid coordinates.
    #[inline]
    pub fn to_grid(self, point: DVec2) -> DVec2 {
        self.way_in_grid(point - self.at)
    }

    /// How far a distance in the world reaches in grid coordinates.
    #[inline]
    pub fn reach(&self, distance: f64) -> DVec2 {
        // The axes are square to each other: the way back is as long as a step is short.
        let [x, y] = [self.to_x, self.to_y].map(|to| to.x.abs().max(to.y.abs()));
        let turned = if self.is_axis_aligned() { 1.0 } else { core::f64::consts::SQRT_2 };
        DVec2::new(x, y) * (distance * turned)
    }
}

/// How one grid lies on another: where its first corner is, in cells, and how far that may be off by
/// rounding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lattice {
    pub offset: DVec2,
    pub error: DVec2,
}

impl Lattice {
    /// Whether nothing is rounded.
    pub fn is_exact(&self) -> bool {
        self.error == DVec2::ZERO
    }
}

/// The step from an `f32` to the next, for numbers of some size and below.
fn f32_step(size: f64) -> f64 {
    let power = f32::from_bits((size as f32).to_bits() & 0x7f80_0000);
    f64::from(power) * f64::from(f32::EPSILON)
}
