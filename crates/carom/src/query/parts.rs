//! Anything made of convex parts, as the lifted questions see it.

use core::ops::ControlFlow;

use glam::Vec2;
use smallvec::SmallVec;

use crate::math::{round, round_down, round_up};
use crate::shape::core::{Core, Facets};
use crate::shape::parts::Part;
use crate::shape::{Aabb, Measure, ShapeRef};

/// Hands out convex parts. Shapes do, and shapes moved a little.
pub(crate) trait Parts {
    /// A box around everything.
    fn bounds(&self) -> Aabb;

    /// Visits the parts whose boxes pass, in a fixed order, until `visit` breaks.
    fn visit(
        &self,
        passes: &mut dyn FnMut(&Aabb) -> bool,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()>;
}

impl Parts for ShapeRef<'_> {
    fn bounds(&self) -> Aabb {
        Measure::bounds(self)
    }

    fn visit(
        &self,
        passes: &mut dyn FnMut(&Aabb) -> bool,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.visit_parts(passes, visit)
    }
}

/// A shape as it will be when it is moved, without making it: every corner is moved and rounded
/// just as [`Place::translated`](crate::shape::Place::translated) would.
pub(crate) struct Moved<'a> {
    pub shape: &'a dyn Parts,
    pub by: Vec2,
}

impl Moved<'_> {
    fn moved_box(&self, bounds: &Aabb) -> Aabb {
        let by = self.by.as_dvec2();
        let (min, max) = (bounds.min().as_dvec2() + by, bounds.max().as_dvec2() + by);
        Aabb::spanning(
            Vec2::new(round_down(min.x), round_down(min.y)),
            Vec2::new(round_up(max.x), round_up(max.y)),
        )
    }
}

impl Parts for Moved<'_> {
    fn bounds(&self) -> Aabb {
        self.moved_box(&self.shape.bounds())
    }

    fn visit(
        &self,
        passes: &mut dyn FnMut(&Aabb) -> bool,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.shape.visit(&mut |bounds| passes(&self.moved_box(bounds)), &mut |part| {
            with_moved(&part.core, self.by, |core| visit(Part { core, ..part }))
        })
    }
}

/// Asks `f` about a core that has been moved and rounded.
pub(crate) fn with_moved<R>(core: &Core<'_>, by: Vec2, f: impl FnOnce(Core<'_>) -> R) -> R {
    let by = by.as_dvec2();
    let mut points: SmallVec<[Vec2; 16]> =
        core.points.iter().map(|point| round(point.as_dvec2() + by)).collect();
    if points.len() > 1 && !is_core(&points) {
        let len = crate::shape::core::hull(&mut points);
        points.truncate(len);
    }
    let blocks = if points.len() < 2 { 0 } else { points.len().div_ceil(4) };
    let facets: SmallVec<[Facets; 4]> =
        (0..blocks).map(|block| Facets::of(&points, 4 * block)).collect();
    let size = crate::shape::core::size(&points);
    f(Core { points: &points, facets: &facets, size, radius: core.radius })
}

fn is_core(points: &[Vec2]) -> bool {
    match points {
        [a, b] => a != b,
        _ => crate::shape::core::is_strictly_convex(points),
    }
}

/// The box around a rounded core.
pub(crate) fn core_bounds(core: &Core<'_>) -> Aabb {
    let bounds = Aabb::around(core.points.iter().map(|&p| Aabb::spanning(p, p)));
    if core.radius > 0.0 { bounds.fattened(f64::from(core.radius)) } else { bounds }
}

/// Visits the pairs of parts whose boxes come within `reach` of each other.
pub(crate) fn each_pair(
    a: &dyn Parts,
    b: &dyn Parts,
    reach: f64,
    visit: &mut dyn FnMut(&Part<'_>, &Part<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let near_b = if reach > 0.0 { b.bounds().fattened(reach) } else { b.bounds() };
    a.visit(&mut |bounds| bounds.touches(&near_b), &mut |part_a| {
        let bounds = core_bounds(&part_a.core);
        let near_a = if reach > 0.0 { bounds.fattened(reach) } else { bounds };
        b.visit(&mut |bounds| bounds.touches(&near_a), &mut |part_b| visit(&part_a, &part_b))
    })
}

/// Whether any pair of parts passes a test.
pub(crate) fn any_pair(
    a: &dyn Parts,
    b: &dyn Parts,
    test: &mut dyn FnMut(&Part<'_>, &Part<'_>) -> bool,
) -> bool {
    let found = each_pair(a, b, 0.0, &mut |a, b| {
        if test(a, b) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found.is_break()
}
