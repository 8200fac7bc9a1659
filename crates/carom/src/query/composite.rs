//! Composite shapes: shapes with several convex parts, and pairs of parts.
//!
//! Polygons, chains, compounds, tile maps and masks are unions of convex parts. Queries are written
//! once for convex shapes and lifted over the parts here.

use core::ops::ControlFlow;

use glam::{DVec2, Vec2};

use crate::math::{round_down, round_up, to_vec2};
use crate::shape::convex::{Convex, ConvexBuffer, HalfPlanes4, extent, with_convex};
use crate::shape::grid::{CellGrid, visit_boxes};
use crate::shape::parts::{Part, QueryRegion};
use crate::shape::{Aabb, AsShape, ShapeRef};

/// A shape as the union of its convex parts.
pub(crate) trait ConvexParts {
    /// Returns a bounding box of all parts.
    fn bounds(&self) -> Aabb;

    /// Calls `visit` with the parts in a region, and perhaps others, in a fixed order, until it
    /// returns `Break`.
    fn visit_parts_in(
        &self,
        region: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// Returns the size of a cell of a tile map or mask. Such shapes have a large number of parts, so a
    /// query must look only at those in a region.
    fn cell_size(&self) -> Option<f64>;

    /// Returns `true` if some parts may be segments or points.
    fn may_have_zero_area_parts(&self) -> bool;

    /// Returns `true` if some parts may have an interior.
    fn may_have_area(&self) -> bool;
}

impl ConvexParts for ShapeRef<'_> {
    fn bounds(&self) -> Aabb {
        (*self).bounds()
    }

    fn visit_parts_in(
        &self,
        region: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        (*self).visit_parts_in(region, visit)
    }

    fn cell_size(&self) -> Option<f64> {
        match self {
            Self::TileMap(map) => Some(map.placement().longest_side()),
            Self::Mask(mask) => Some(mask.placement().longest_side()),
            _ => None,
        }
    }

    fn may_have_zero_area_parts(&self) -> bool {
        match self {
            Self::TileMap(map) => map.may_have_zero_area_parts(),
            Self::Mask(mask) => mask.may_have_zero_area_parts(),
            Self::Compound(_) | Self::Chain(_) | Self::Polygon(_) => true,
            _ => self.convex_or_empty(&mut ConvexBuffer::new()).has_no_area(),
        }
    }

    fn may_have_area(&self) -> bool {
        !matches!(self, Self::Point(_) | Self::Segment(_) | Self::Chain(_))
    }
}

/// A shape with the cells of a mask or tile map merged into few parts, also if it is rotated. Together
/// they cover the same area but for rounding.
pub(crate) struct MergedParts<'a> {
    pub shape: ShapeRef<'a>,
    /// `true` if cells are merged into boxes of maximum height, which overlap, rather than those of a
    /// mask into rows.
    pub into_tall_boxes: bool,
}

impl MergedParts<'_> {
    /// Returns how far the merged parts may be from the shape; zero if they cover exactly the same.
    pub fn error(&self) -> f64 {
        match self.shape {
            ShapeRef::Mask(mask) if !mask.placement().is_axis_aligned() => {
                2.0 * mask.placement().transform.error
            }
            ShapeRef::TileMap(map)
                if self.into_tall_boxes && !map.placement().is_axis_aligned() =>
            {
                2.0 * map.placement().transform.error
            }
            _ => 0.0,
        }
    }

    /// Returns `true` if the merged parts differ from those of the shape.
    pub fn is_merged(&self) -> bool {
        match self.shape {
            ShapeRef::Mask(mask) => self.into_tall_boxes || !mask.placement().is_axis_aligned(),
            ShapeRef::TileMap(_) => self.into_tall_boxes,
            _ => false,
        }
    }
}

impl ConvexParts for MergedParts<'_> {
    fn bounds(&self) -> Aabb {
        ConvexParts::bounds(&self.shape)
    }

    fn visit_parts_in(
        &self,
        region: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self.shape {
            ShapeRef::Mask(mask) if self.into_tall_boxes => visit_boxes(mask, region, visit),
            ShapeRef::TileMap(map) if self.into_tall_boxes => visit_boxes(map, region, visit),
            ShapeRef::Mask(mask) => mask.visit_bulk(region, visit),
            shape => shape.visit_parts_in(region, visit),
        }
    }

    fn cell_size(&self) -> Option<f64> {
        self.shape.cell_size()
    }

    fn may_have_zero_area_parts(&self) -> bool {
        self.shape.may_have_zero_area_parts()
    }

    fn may_have_area(&self) -> bool {
        self.shape.may_have_area()
    }
}

/// A view of a shape moved by a vector, without creating the moved shape: every vertex is moved and
/// rounded exactly as [`translated`](crate::shape::Shape::translated) does.
pub(crate) struct Translated<'a> {
    pub shape: &'a dyn ConvexParts,
    pub by: Vec2,
}

impl ConvexParts for Translated<'_> {
    fn bounds(&self) -> Aabb {
        let (bounds, by) = (self.shape.bounds(), self.by.as_dvec2());
        let (min, max) = (bounds.min().as_dvec2() + by, bounds.max().as_dvec2() + by);
        Aabb::new_unchecked(
            Vec2::new(round_down(min.x), round_down(min.y)),
            Vec2::new(round_up(max.x), round_up(max.y)),
        )
    }

    fn visit_parts_in(
        &self,
        region: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // Rounding may move a part closer by a unit in the last place of its new position.
        let far = region.bounds.min().abs().max(region.bounds.max().abs()).max_element();
        let rounding = f64::from(f32::EPSILON) * f64::from(far) + f64::from(f32::from_bits(2));
        let region = region.swept(-self.by.as_dvec2(), DVec2::ZERO).inflated(rounding);
        self.shape.visit_parts_in(&region, &mut |part| {
            with_translated(&part.convex, self.by, |convex| visit(Part { convex, ..part }))
        })
    }

    fn cell_size(&self) -> Option<f64> {
        self.shape.cell_size()
    }

    fn may_have_zero_area_parts(&self) -> bool {
        true // rounding may flatten a moved part
    }

    fn may_have_area(&self) -> bool {
        self.shape.may_have_area()
    }
}

/// Returns `true` if the parts of a shape, moved and rounded, are the parts of the moved shape. This
/// does not hold for a polygon, which is decomposed again after rounding, nor for a tile map or
/// mask, whose cells are computed from its position.
pub(crate) fn moves_by_parts(shape: ShapeRef<'_>) -> bool {
    match shape {
        ShapeRef::Chain(_) => true,
        ShapeRef::Compound(compound) => {
            compound.parts().iter().all(|part| moves_by_parts(part.as_shape()))
        }
        _ => shape.as_convex(&mut ConvexBuffer::new()).is_some(),
    }
}

/// Calls `f` with a convex part that is moved and rounded.
pub(crate) fn with_translated<R>(
    convex: &Convex<'_>,
    by: Vec2,
    f: impl FnOnce(Convex<'_>) -> R,
) -> R {
    let by = by.as_dvec2();
    let points = convex.points.iter().map(|point| to_vec2(point.as_dvec2() + by)).collect();
    with_convex(points, convex.radius, f)
}

/// Calls `f` with a segment, or with a point if `start` and `end` are equal.
pub(crate) fn with_segment<R>(start: Vec2, end: Vec2, f: impl FnOnce(&Convex<'_>) -> R) -> R {
    if start == end {
        return f(&Convex::point(&start, 0.0));
    }
    let mut buffer = ConvexBuffer::new();
    buffer.points[..2].copy_from_slice(&[start, end]);
    buffer.half_planes = HalfPlanes4::of(&buffer.points[..2], 0);
    buffer.extent = extent(&buffer.points[..2]);
    f(&buffer.as_convex(2))
}

/// Returns the bounding box of a convex part with its radius.
pub(crate) fn convex_bounds(convex: &Convex<'_>) -> Aabb {
    let bounds = Aabb::of_vertices(convex.points);
    if convex.radius > 0.0 { bounds.fattened(f64::from(convex.radius)) } else { bounds }
}

/// Calls `visit` with the pairs of parts whose bounding boxes come within `distance` of each other,
/// until it returns `Break`.
pub(crate) fn visit_part_pairs(
    a: &dyn ConvexParts,
    b: &dyn ConvexParts,
    distance: f64,
    visit: &mut dyn FnMut(&Part<'_>, &Part<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    visit_part_pairs_swept(a, (DVec2::ZERO, DVec2::ZERO), b, distance, visit)
}

/// Calls `visit` with the pairs of parts that may come within `distance` of each other while `a` is
/// moved along `path`, starting from `offset`.
pub(crate) fn visit_part_pairs_swept(
    a: &dyn ConvexParts,
    (offset, path): (DVec2, DVec2),
    b: &dyn ConvexParts,
    distance: f64,
    visit: &mut dyn FnMut(&Part<'_>, &Part<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    // Of a tile map or mask, visit only the cells around the parts of the other shape, not all
    // cells in its bounding box.
    if a.cell_size().is_some() && b.cell_size().is_none() {
        return visit_part_pairs_swept(b, (-offset, -path), a, distance, &mut |b, a| visit(a, b));
    }
    let corners = b.bounds().corners();
    let region = QueryRegion::of_corners(&corners).inflated(distance).swept(-offset, -path);
    a.visit_parts_in(&region, &mut |part_a| {
        let region = QueryRegion::of_convex(&part_a.convex).inflated(distance).swept(offset, path);
        b.visit_parts_in(&region, &mut |part_b| visit(&part_a, &part_b))
    })
}

/// Returns `true` if `test` holds for any pair of parts that may touch.
pub(crate) fn any_part_pair(
    a: &dyn ConvexParts,
    b: &dyn ConvexParts,
    test: &mut dyn FnMut(&Part<'_>, &Part<'_>) -> bool,
) -> bool {
    visit_part_pairs(a, b, 0.0, &mut |a, b| break_if(test(a, b))).is_break()
}

/// Returns `true` if `test` holds for any part in a region.
pub(crate) fn any_part_in(
    shape: &dyn ConvexParts,
    region: &QueryRegion<'_>,
    test: &mut dyn FnMut(&Convex<'_>) -> bool,
) -> bool {
    shape.visit_parts_in(region, &mut |part| break_if(test(&part.convex))).is_break()
}

/// Returns `Break` if a search is over, else `Continue`.
#[inline(always)]
pub(crate) fn break_if(is_over: bool) -> ControlFlow<()> {
    if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
