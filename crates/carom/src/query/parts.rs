//! Anything made of convex parts, as the lifted questions see it.

use core::ops::ControlFlow;

use glam::{DVec2, Vec2};

use crate::math::{round_down, round_up, to_vec2};
use crate::shape::convex::{Convex, ConvexBuffer, with_convex};
use crate::shape::grid::CellGrid;
use crate::shape::parts::{Part, QueryRegion};
use crate::shape::{Aabb, AsShape, ShapeRef};

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

    /// Visits the parts near something, and perhaps others, in a fixed order, until `visit` breaks.
    fn visit_parts_in(
        &self,
        near: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// The size of a tile or a pixel, for a tile map or a mask: of its many parts only those near
    /// something are to be looked at, whatever the question.
    fn tile(&self) -> Option<f64>;

    /// Whether some parts may be lines or points.
    fn has_lines(&self) -> bool;

    /// Whether some parts may have an inside.
    fn has_areas(&self) -> bool;
}

impl Parts for ShapeRef<'_> {
    fn bounds(&self) -> Aabb {
        self.bounds()
    }

    fn visit(
        &self,
        passes: &mut dyn FnMut(&Aabb) -> bool,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.visit_parts_where(passes, visit)
    }

    fn visit_parts_in(
        &self,
        near: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        (*self).visit_parts_in(near, visit)
    }

    fn tile(&self) -> Option<f64> {
        match self {
            Self::TileMap(map) => Some(map.placement().longest_side()),
            Self::Mask(mask) => Some(mask.placement().longest_side()),
            _ => None,
        }
    }

    fn has_lines(&self) -> bool {
        match self {
            Self::TileMap(map) => map.has_lines(),
            Self::Mask(mask) => mask.has_lines(),
            Self::Compound(_) | Self::Chain(_) | Self::Polygon(_) => true,
            _ => self.convex_or_empty(&mut ConvexBuffer::new()).has_no_area(),
        }
    }

    fn has_areas(&self) -> bool {
        !matches!(self, Self::Point(_) | Self::Segment(_) | Self::Chain(_))
    }
}

/// A shape in few parts that cover it but for rounding: a mask's pixels side by side are one part also
/// where it is turned.
pub(crate) struct Bulk<'a> {
    pub shape: ShapeRef<'a>,
    /// Whether those of a mask are as high as they can be, and overlap.
    pub high: bool,
}

impl Bulk<'_> {
    /// How far from these parts the shape may be; zero where they are its own.
    pub fn error(&self) -> f64 {
        match self.shape {
            ShapeRef::Mask(mask) if !mask.placement().is_axis_aligned() => {
                2.0 * mask.placement().frame.error
            }
            _ => 0.0,
        }
    }

    /// Whether these parts are others than those of the shape.
    pub fn is_other(&self) -> bool {
        matches!(self.shape, ShapeRef::Mask(mask) if self.high || !mask.placement().is_axis_aligned())
    }
}

impl Parts for Bulk<'_> {
    fn bounds(&self) -> Aabb {
        Parts::bounds(&self.shape)
    }

    fn visit(
        &self,
        passes: &mut dyn FnMut(&Aabb) -> bool,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.shape.visit_parts_where(passes, visit)
    }

    fn visit_parts_in(
        &self,
        near: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self.shape {
            ShapeRef::Mask(mask) if self.high => mask.visit_boxes(near, visit),
            ShapeRef::Mask(mask) => mask.visit_bulk(near, visit),
            shape => shape.visit_parts_in(near, visit),
        }
    }

    fn tile(&self) -> Option<f64> {
        self.shape.tile()
    }

    fn has_lines(&self) -> bool {
        self.shape.has_lines()
    }

    fn has_areas(&self) -> bool {
        self.shape.has_areas()
    }
}

/// A shape as it will be when it is moved, without making it: every corner is moved and rounded
/// just as [`Place::translated`](crate::shape::Shape::translated) would.
pub(crate) struct Moved<'a> {
    pub shape: &'a dyn Parts,
    pub by: Vec2,
}

impl Moved<'_> {
    fn moved_box(&self, bounds: &Aabb) -> Aabb {
        let by = self.by.as_dvec2();
        let (min, max) = (bounds.min().as_dvec2() + by, bounds.max().as_dvec2() + by);
        Aabb::new_unchecked(
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
            with_moved(&part.convex, self.by, |core| visit(Part { convex: core, ..part }))
        })
    }

    fn visit_parts_in(
        &self,
        near: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // Rounding may bring a part nearer, by a unit in the last place of where it comes to be.
        let far = near.bounds.min().abs().max(near.bounds.max().abs()).max_element();
        let rounding = f64::from(f32::EPSILON) * f64::from(far) + f64::from(f32::from_bits(2));
        let near = near.swept(-self.by.as_dvec2(), DVec2::ZERO).inflated(rounding);
        self.shape.visit_parts_in(&near, &mut |part| {
            with_moved(&part.convex, self.by, |core| visit(Part { convex: core, ..part }))
        })
    }

    fn tile(&self) -> Option<f64> {
        self.shape.tile()
    }

    fn has_lines(&self) -> bool {
        true // rounding may flatten what is moved
    }

    fn has_areas(&self) -> bool {
        self.shape.has_areas()
    }
}

/// Whether the parts of a shape, moved and rounded, are those of the moved shape: surely not those
/// of a polygon, which is cut anew where rounding has bent it, or of a map or a mask, whose
/// tiles or pixels follow from where it stands.
pub(crate) fn moves_by_parts(shape: ShapeRef<'_>) -> bool {
    match shape {
        ShapeRef::Chain(_) => true,
        ShapeRef::Compound(compound) => {
            compound.parts().iter().all(|part| moves_by_parts(part.as_shape()))
        }
        _ => shape.as_convex(&mut ConvexBuffer::new()).is_some(),
    }
}

/// Asks `f` about a core that has been moved and rounded.
pub(crate) fn with_moved<R>(core: &Convex<'_>, by: Vec2, f: impl FnOnce(Convex<'_>) -> R) -> R {
    let by = by.as_dvec2();
    let points = core.points.iter().map(|point| to_vec2(point.as_dvec2() + by)).collect();
    with_convex(points, core.radius, f)
}

/// The box around a rounded core.
pub(crate) fn core_bounds(core: &Convex<'_>) -> Aabb {
    let bounds = Aabb::of_vertices(core.points);
    if core.radius > 0.0 { bounds.fattened(f64::from(core.radius)) } else { bounds }
}

/// Visits the pairs of parts whose boxes come within `reach` of each other.
pub(crate) fn each_pair(
    a: &dyn Parts,
    b: &dyn Parts,
    reach: f64,
    visit: &mut dyn FnMut(&Part<'_>, &Part<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    each_meeting(a, (DVec2::ZERO, DVec2::ZERO), b, reach, visit)
}

/// Visits the pairs of parts that may come within `reach` of each other while `a` moves: from where
/// it has been moved to by the first vector on, along the second.
pub(crate) fn each_meeting(
    a: &dyn Parts,
    (from, path): (DVec2, DVec2),
    b: &dyn Parts,
    reach: f64,
    visit: &mut dyn FnMut(&Part<'_>, &Part<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    // The many parts of a tile map are looked for near the parts of the other, not near its box.
    if a.tile().is_some() && b.tile().is_none() {
        return each_meeting(b, (-from, -path), a, reach, &mut |b, a| visit(a, b));
    }
    let corners = b.bounds().corners();
    let near_b = QueryRegion::of_corners(&corners).inflated(reach).swept(-from, -path);
    a.visit_parts_in(&near_b, &mut |part_a| {
        let near_a = QueryRegion::of_convex(&part_a.convex).inflated(reach).swept(from, path);
        b.visit_parts_in(&near_a, &mut |part_b| visit(&part_a, &part_b))
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
