//! Every shape as convex parts: what lets each question be lifted once.

use core::ops::ControlFlow;

use glam::Vec2;

use crate::shape::core::{Core, Scratch};
use crate::shape::{Aabb, ShapeRef};

/// One convex part of a shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'a> {
    pub core: Core<'a>,
    /// Which edges lie on the whole shape's outline, where some do not; the others are seams
    /// inside it.
    pub outline: Option<&'a [bool]>,
    /// For a segment that stops only what comes from its left: its direction.
    pub front: Option<Vec2>,
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
            Self::Rect(s) => s.core.core(),
            Self::Triangle(s) => s.core.core(),
            Self::ConvexPolygon(s) => s.core(),
            Self::Polygon(_) | Self::Chain(_) | Self::Compound(_) => {
                Core { points: &[], facets: &[], size: 0.0, radius: 0.0 }
            }
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
            _ => {
                let mut scratch = Scratch::new();
                let core = self.core(&mut scratch);
                visit(Part { core, outline: None, front: None })
            }
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
