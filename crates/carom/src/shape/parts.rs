//! Every shape as convex parts: what lets each question be lifted once.

use core::ops::ControlFlow;

use glam::{DVec2, Vec2};

use crate::math::{round_down, round_up};
use crate::shape::cells::{Cells, Run};
use crate::shape::core::{Core, Scratch};
use crate::shape::{Aabb, ShapeRef};

/// One convex part of a shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'a> {
    pub core: Core<'a>,
    pub outline: Outline<'a>,
    /// For a segment that stops only what comes from its left: its direction.
    pub front: Option<Vec2>,
}

/// Which edges of a part lie on the whole shape's outline; the others are seams inside it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Outline<'a> {
    /// All of them.
    All,
    /// One by one.
    Edges(&'a [bool]),
    /// Those to which no neighbouring cell is flush.
    Cells(Run<'a>),
}

impl Part<'_> {
    /// Whether an edge is a seam inside the whole shape.
    pub fn is_seam(&self, edge: usize) -> bool {
        match &self.outline {
            Outline::All => false,
            Outline::Edges(outline) => !outline[edge],
            Outline::Cells(run) => {
                let (start, end) = self.core.edge(edge);
                run.is_seam(start, end)
            }
        }
    }
}

/// Something convex that parts are to be near: points and all between them, at a place and all
/// along a path from there, and what is within reach of that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near<'a> {
    pub points: &'a [Vec2],
    pub from: DVec2,
    pub path: DVec2,
    pub reach: f64,
    /// The box around it all.
    pub bounds: Aabb,
}

impl<'a> Near<'a> {
    /// Near a convex shape.
    #[inline]
    pub fn core(core: &Core<'a>) -> Self {
        let bounds = Aabb::union(core.points.iter().map(|&p| Aabb::new_unchecked(p, p)));
        let near = Self::hull(core.points, bounds);
        if core.radius > 0.0 { near.within(f64::from(core.radius)) } else { near }
    }

    /// Near a box, given by its corners.
    pub fn corners(corners: &'a [Vec2; 4]) -> Self {
        Self::hull(corners, Aabb::new_unchecked(corners[0], corners[2]))
    }

    /// Near all between points, with the box around them.
    pub fn hull(points: &'a [Vec2], bounds: Aabb) -> Self {
        Self { points, from: DVec2::ZERO, path: DVec2::ZERO, reach: 0.0, bounds }
    }

    /// Whether it is a level box, which stays where it is.
    #[inline]
    pub fn is_box(&self) -> bool {
        self.path == DVec2::ZERO && *self.points == self.bounds.corners()
    }

    /// The same, and what is within a distance of it.
    pub fn within(self, reach: f64) -> Self {
        let bounds = if reach > 0.0 { self.bounds.fattened(reach) } else { self.bounds };
        Self { reach: self.reach + reach, bounds, ..self }
    }

    /// The same all along a path, from a place on.
    #[inline]
    pub fn along(self, from: DVec2, path: DVec2) -> Self {
        if from == DVec2::ZERO && path == DVec2::ZERO { self } else { self.moved(from, path) }
    }

    fn moved(self, from: DVec2, path: DVec2) -> Self {
        let moved = |by: DVec2| {
            let (min, max) = (self.bounds.min().as_dvec2() + by, self.bounds.max().as_dvec2() + by);
            Aabb::new_unchecked(
                Vec2::new(round_down(min.x), round_down(min.y)),
                Vec2::new(round_up(max.x), round_up(max.y)),
            )
        };
        let start = moved(from);
        let bounds =
            if path == DVec2::ZERO { start } else { Aabb::union([start, moved(from + path)]) };
        Self { from: self.from + from, path: self.path + path, bounds, ..self }
    }
}

impl<'a> ShapeRef<'a> {
    /// The shape as a single convex core; one without points if the shape is made of parts.
    /// (An `Option` would be copied about, which costs more than the question.)
    #[inline(always)]
    pub(crate) fn core<'s>(self, scratch: &'s mut Scratch) -> Core<'s>
    where
        'a: 's,
    {
        match self {
            Self::Point(s) => s.core(),
            Self::Segment(s) => s.core(),
            Self::Circle(s) => s.core(),
            Self::Ellipse(s) => s.polygon.core(),
            Self::Capsule(s) => s.core(),
            Self::Aabb(s) => s.core(scratch),
            Self::Obb(s) => s.core.core(),
            Self::Triangle(s) => s.core.core(),
            Self::ConvexPolygon(s) => s.core(),
            Self::Polygon(_)
            | Self::Chain(_)
            | Self::Compound(_)
            | Self::TileMap(_)
            | Self::Mask(_) => Core { points: &[], facets: &[], size: 0.0, radius: 0.0 },
        }
    }

    /// The shape as a single convex core; `None` if it is made of parts.
    #[inline(always)]
    pub(crate) fn try_core<'s>(self, scratch: &'s mut Scratch) -> Option<Core<'s>>
    where
        'a: 's,
    {
        let core = self.core(scratch);
        (!core.points.is_empty()).then_some(core)
    }

    /// Hands out the convex parts whose boxes pass the test, always in the same order, until
    /// `visit` breaks. The test is asked about boxes of groups of parts first.
    pub(crate) fn visit_parts<B>(
        self,
        passes: &mut dyn FnMut(&Aabb) -> bool,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match self {
            Self::Polygon(s) => s.visit_parts(passes, visit),
            Self::Chain(s) => s.visit_parts(passes, visit),
            Self::Compound(s) => s.visit_parts(passes, visit),
            Self::TileMap(s) => s.visit_parts(passes, visit),
            Self::Mask(s) => s.visit_parts(passes, visit),
            _ => {
                let mut scratch = Scratch::new();
                let core = self.core(&mut scratch);
                visit(Part { core, outline: Outline::All, front: None })
            }
        }
    }

    /// Hands out the convex parts near something, and perhaps others, always in the same order,
    /// until `visit` breaks.
    pub(crate) fn visit_near<B>(
        self,
        near: &Near<'_>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match self {
            Self::TileMap(s) => s.visit_near(near, visit),
            Self::Mask(s) => s.visit_near(near, visit),
            Self::Compound(s) => s.visit_near(near, visit),
            _ => self.visit_parts(&mut |bounds| bounds.intersects_aabb(&near.bounds), visit),
        }
    }

    /// Hands out all parts.
    pub(crate) fn each_part(self, visit: &mut dyn FnMut(Part<'_>)) {
        let _ = self.visit_parts::<()>(&mut |_| true, &mut |part| {
            visit(part);
            ControlFlow::Continue(())
        });
    }
}
