//! Every shape as convex parts: what lets each question be lifted once.

use core::ops::ControlFlow;

use glam::Vec2;

use crate::shape::core::Core;
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
    /// Asks `f` about the shape as a single convex core; `None` if it has parts.
    #[inline(always)]
    pub(crate) fn with_core<R>(self, f: impl FnOnce(Core<'_>) -> R) -> Option<R> {
        Some(match self {
            Self::Point(s) => f(s.core()),
            Self::Segment(s) => f(s.core()),
            Self::Circle(s) => f(s.core()),
            Self::Ellipse(s) => f(s.polygon.core()),
            Self::Capsule(s) => f(s.core()),
            Self::Aabb(s) => s.with_core(f),
            Self::Rect(s) => f(s.core.core()),
            Self::Triangle(s) => f(s.core.core()),
            Self::ConvexPolygon(s) => f(s.core()),
            Self::Polygon(_) | Self::Chain(_) | Self::Compound(_) => return None,
        })
    }

    /// Whether the shape is a single convex core.
    #[inline(always)]
    pub(crate) fn is_convex(self) -> bool {
        !matches!(self, Self::Polygon(_) | Self::Chain(_) | Self::Compound(_))
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
            _ => self
                .with_core(|core| visit(Part { core, outline: None, front: None }))
                .unwrap_or(ControlFlow::Continue(())),
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
