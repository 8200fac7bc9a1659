//! The decomposition of every shape into convex parts, and the region that selects parts.
//!
//! Each query is written once for [`Convex`] and lifted once over the parts of composite shapes.

use core::ops::ControlFlow;

use glam::{DVec2, Vec2};

use crate::math::{round_down, round_up};
use crate::shape::convex::{Convex, ConvexBuffer};
use crate::shape::grid::{CellBits, CellGrid, Run};
use crate::shape::{Aabb, ShapeRef};

/// One convex part of a shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'a> {
    pub convex: Convex<'a>,
    pub boundary: BoundaryEdges<'a>,
    /// The direction of a one-way segment, which stops only what comes from its left; `None` for
    /// parts that stop everything.
    pub one_way_direction: Option<Vec2>,
}

/// The edges of a part that lie on the boundary of the whole shape. The others are internal edges,
/// shared with a neighboring part; they are the usual cause of ghost collisions.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BoundaryEdges<'a> {
    /// All edges.
    All,
    /// The edges whose flag is set.
    Edges(&'a [bool]),
    /// The edges that no neighboring cell covers.
    Cells(Run<'a>),
}

impl Part<'_> {
    /// Returns `true` if the edge lies inside the whole shape.
    pub fn is_internal_edge(&self, edge: usize) -> bool {
        match &self.boundary {
            BoundaryEdges::All => false,
            BoundaryEdges::Edges(on_boundary) => !on_boundary[edge],
            BoundaryEdges::Cells(run) => {
                let (start, end) = self.convex.edge(edge);
                run.is_internal_edge(start, end)
            }
        }
    }
}

/// A region used to cull parts: the convex hull of `hull`, moved by `offset`, swept along `path`
/// and inflated by `margin`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueryRegion<'a> {
    pub hull: &'a [Vec2],
    pub offset: DVec2,
    pub path: DVec2,
    pub margin: f64,
    /// The bounds of the whole region.
    pub bounds: Aabb,
}

impl<'a> QueryRegion<'a> {
    /// Creates the region that a convex shape covers.
    #[inline]
    pub fn of_convex(convex: &Convex<'a>) -> Self {
        let region = Self::of_hull(convex.points, Aabb::of_vertices(convex.points));
        if convex.radius > 0.0 { region.inflated(f64::from(convex.radius)) } else { region }
    }

    /// Creates the region that a box covers, given by its corners.
    pub fn of_corners(corners: &'a [Vec2; 4]) -> Self {
        Self::of_hull(corners, Aabb::new_unchecked(corners[0], corners[2]))
    }

    /// Creates the convex hull of points whose bounds are known.
    pub fn of_hull(hull: &'a [Vec2], bounds: Aabb) -> Self {
        Self { hull, offset: DVec2::ZERO, path: DVec2::ZERO, margin: 0.0, bounds }
    }

    /// Returns `true` if the hull is an axis-aligned box that is not swept.
    #[inline]
    pub fn is_box(&self) -> bool {
        self.path == DVec2::ZERO && *self.hull == self.bounds.corners()
    }

    /// Returns the region inflated by a margin.
    pub fn inflated(self, margin: f64) -> Self {
        let bounds = if margin > 0.0 { self.bounds.fattened(margin) } else { self.bounds };
        Self { margin: self.margin + margin, bounds, ..self }
    }

    /// Returns the region moved by `offset` and swept from there along `path`.
    #[inline]
    pub fn swept(self, offset: DVec2, path: DVec2) -> Self {
        if offset == DVec2::ZERO && path == DVec2::ZERO { self } else { self.moved(offset, path) }
    }

    fn moved(self, offset: DVec2, path: DVec2) -> Self {
        let moved = |by: DVec2| {
            let (min, max) = (self.bounds.min().as_dvec2() + by, self.bounds.max().as_dvec2() + by);
            Aabb::new_unchecked(
                Vec2::new(round_down(min.x), round_down(min.y)),
                Vec2::new(round_up(max.x), round_up(max.y)),
            )
        };
        let start = moved(offset);
        let bounds =
            if path == DVec2::ZERO { start } else { Aabb::union([start, moved(offset + path)]) };
        Self { offset: self.offset + offset, path: self.path + path, bounds, ..self }
    }
}

impl<'a> ShapeRef<'a> {
    /// Returns the shape as one convex shape, or a [`Convex`] without points if it is composite.
    ///
    /// Returning an `Option` here is measurably slower, because it is copied through memory.
    #[inline(always)]
    pub(crate) fn convex_or_empty<'s>(self, buffer: &'s mut ConvexBuffer) -> Convex<'s>
    where
        'a: 's,
    {
        match self {
            Self::Point(s) => s.as_convex(),
            Self::Segment(s) => s.as_convex(),
            Self::Circle(s) => s.as_convex(),
            Self::Ellipse(s) => s.polygon.as_convex(),
            Self::Capsule(s) => s.as_convex(),
            Self::Aabb(s) => s.as_convex(buffer),
            Self::Obb(s) => s.convex.as_convex(),
            Self::Triangle(s) => s.convex.as_convex(),
            Self::ConvexPolygon(s) => s.as_convex(),
            Self::Polygon(_)
            | Self::Chain(_)
            | Self::Compound(_)
            | Self::TileMap(_)
            | Self::Mask(_) => Convex { points: &[], half_planes: &[], extent: 0.0, radius: 0.0 },
        }
    }

    /// Returns the shape as one convex shape, or `None` if it is composite.
    #[inline(always)]
    pub(crate) fn as_convex<'s>(self, buffer: &'s mut ConvexBuffer) -> Option<Convex<'s>>
    where
        'a: 's,
    {
        let convex = self.convex_or_empty(buffer);
        (!convex.points.is_empty()).then_some(convex)
    }

    /// Returns the cells of a tile map or mask.
    pub(crate) fn cell_bits(self) -> Option<&'a dyn CellBits> {
        match self {
            Self::TileMap(map) => Some(map),
            Self::Mask(mask) => Some(mask),
            _ => None,
        }
    }

    /// Calls `visit` with each convex part whose bounds pass the test, in a fixed order, until it
    /// returns `Break`. The test is called with the bounds of groups of parts first.
    pub(crate) fn visit_parts_where<B>(
        self,
        passes: &mut dyn FnMut(&Aabb) -> bool,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match self {
            Self::Polygon(s) => s.visit_parts_where(passes, visit),
            Self::Chain(s) => s.visit_parts_where(passes, visit),
            Self::Compound(s) => s.visit_parts_where(passes, visit),
            Self::TileMap(s) => s.visit_parts_where(passes, visit),
            Self::Mask(s) => s.visit_parts_where(passes, visit),
            _ => {
                let mut buffer = ConvexBuffer::new();
                let convex = self.convex_or_empty(&mut buffer);
                visit(Part { convex, boundary: BoundaryEdges::All, one_way_direction: None })
            }
        }
    }

    /// Calls `visit` with each convex part that intersects the region, and possibly with others,
    /// in a fixed order, until it returns `Break`.
    pub(crate) fn visit_parts_in<B>(
        self,
        region: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match self {
            Self::TileMap(s) => s.visit_parts_in(region, visit),
            Self::Mask(s) => s.visit_parts_in(region, visit),
            Self::Compound(s) => s.visit_parts_in(region, visit),
            _ => {
                let mut passes = |bounds: &Aabb| bounds.intersects_aabb(&region.bounds);
                self.visit_parts_where(&mut passes, visit)
            }
        }
    }

    /// Calls `visit` with all convex parts.
    pub(crate) fn for_each_part(self, visit: &mut dyn FnMut(Part<'_>)) {
        let _ = self.visit_parts_where::<()>(&mut |_| true, &mut |part| {
            visit(part);
            ControlFlow::Continue(())
        });
    }
}
