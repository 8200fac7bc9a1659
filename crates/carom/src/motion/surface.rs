//! One-way things as a body on its way meets them.
//!
//! A platform is its front: a one-sided segment, or the edges of a shape that face up. A front stops
//! a body that moves against it, does not overlap it already, and is wholly beyond its line; so
//! what rises through it, or comes from the side half below it, passes, and is never put on top.
//! Over the joint of two fronts that bend away, as on the top of a hill, a body need not be beyond
//! either line: there it must come from outside the bend.

use core::cmp::Ordering;
use core::ops::ControlFlow;

use smallvec::smallvec;

use crate::math::exact::{Orientation, cmp_line_distance, orient2d};
use crate::math::{DVec2, Vec2, cross, perp_cw};
use crate::query::composite::ConvexParts;
use crate::query::separation::{convex_relation, separation};
use crate::shape::convex::{Convex, with_convex};
use crate::shape::parts::{BoundaryEdges, Part, QueryRegion};
use crate::shape::{Aabb, AsShape, ShapeRef};
use crate::world::placed_shape::PlacedShape;

/// A shape without the fronts that a body passes.
pub(super) struct Surface<'a> {
    pub shape: ShapeRef<'a>,
    /// For a collider that is a platform: which way its front faces.
    pub up: Option<DVec2>,
    /// The body at the start of its way.
    pub body: &'a [PlacedShape],
    pub motion: DVec2,
}

/// Whether a shape has fronts of its own.
pub(super) fn has_fronts(shape: ShapeRef<'_>) -> bool {
    match shape {
        ShapeRef::TileMap(map) => map.kinds().iter().any(|kind| kind.is_one_way()),
        ShapeRef::Chain(chain) => chain.is_one_sided(),
        ShapeRef::Compound(compound) => compound.parts().iter().any(|p| has_fronts(p.as_shape())),
        _ => false,
    }
}

type Passes<'p> = &'p mut dyn FnMut(&Aabb) -> bool;
type Visit<'v> = &'v mut dyn FnMut(Part<'_>) -> ControlFlow<()>;

impl Surface<'_> {
    /// Hands out what there is of a part to stop anything: of a platform, its edges that face up and
    /// whose boxes pass.
    fn fronts(&self, part: Part<'_>, passes: Passes<'_>, visit: Visit<'_>) -> ControlFlow<()> {
        let Some(up) = self.up else { return visit(part) };
        let core = &part.convex;
        if core.points.len() == 1 {
            // A disc stops as the level line through its middle would, with its radius.
            return visit(Part { one_way_direction: Some(level(up)), ..part });
        }
        core.edges().try_for_each(|(start, end)| {
            let side = end.as_dvec2() - start.as_dvec2();
            let bounds = Aabb::new_unchecked(start.min(end), start.max(end));
            if perp_cw(side).dot(up) <= 0.0 || !passes(&bounds.fattened(core.radius.into())) {
                return ControlFlow::Continue(());
            }
            // The other way round: what is outside is on its left.
            with_convex(smallvec![end, start], core.radius, |core| {
                visit(Part {
                    convex: core,
                    boundary: BoundaryEdges::All,
                    one_way_direction: Some(start - end),
                })
            })
        })
    }

    fn solid_fronts(
        &self,
        part: Part<'_>,
        passes: Passes<'_>,
        visit: Visit<'_>,
    ) -> ControlFlow<()> {
        self.fronts(part, passes, &mut |front| {
            if self.stops(&front) { visit(front) } else { ControlFlow::Continue(()) }
        })
    }

    /// Whether a part stops the body: all but fronts do.
    fn stops(&self, part: &Part<'_>) -> bool {
        let Some(along) = part.one_way_direction else { return true };
        cross(along.as_dvec2(), self.motion) < 0.0
            && !self.overlaps(part)
            && (self.is_beyond(part, along) || self.is_over_a_joint(part))
    }

    /// Whether any of the body's convex parts passes a test.
    fn any_of_body(
        &self,
        near: &QueryRegion<'_>,
        test: &mut dyn FnMut(&Convex<'_>) -> bool,
    ) -> bool {
        self.body.iter().any(|shape| {
            let found = shape.as_shape().visit_parts_in::<()>(near, &mut |part| {
                if test(&part.convex) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            found.is_break()
        })
    }

    fn overlaps(&self, front: &Part<'_>) -> bool {
        self.any_of_body(&QueryRegion::of_convex(&front.convex), &mut |core| {
            convex_relation(core, &front.convex).overlaps()
        })
    }

    /// Whether the whole body is beyond the line of a front; touch counts.
    fn is_beyond(&self, front: &Part<'_>, along: Vec2) -> bool {
        let start = front.convex.points[0];
        let end = front.convex.points.get(1).copied().unwrap_or(start + along);
        let is_behind = |core: &Convex<'_>| {
            let reach = core.radius + front.convex.radius;
            core.points.iter().any(|&point| {
                orient2d(start, end, point) == Orientation::Clockwise
                    || reach > 0.0
                        && cmp_line_distance(
                            start,
                            end,
                            start,
                            point,
                            core.radius,
                            front.convex.radius,
                        ) == Ordering::Less
            })
        };
        !self.body.iter().any(|shape| {
            let found = shape.as_shape().visit_parts_where(&mut |_| true, &mut |part| {
                if is_behind(&part.convex) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
            found.is_break()
        })
    }

    /// Whether the body comes to a joint where the fronts bend away from it, from outside.
    fn is_over_a_joint(&self, front: &Part<'_>) -> bool {
        let &[start, end] = front.convex.points else { return false };
        [start, end].into_iter().any(|joint| {
            let corner = Convex::point(&joint, front.convex.radius);
            let near = QueryRegion::of_convex(&corner);
            let mut passes = |bounds: &Aabb| bounds.intersects_aabb(&near.bounds);
            let found = ConvexParts::visit_parts_in(&self.shape, &near, &mut |part| {
                self.fronts(part, &mut passes, &mut |other| {
                    let &[from, to] = other.convex.points else { return ControlFlow::Continue(()) };
                    let bends = other.one_way_direction.is_some()
                        && (joint == end
                            && from == joint
                            && orient2d(start, joint, to) == Orientation::Clockwise
                            || joint == start
                                && to == joint
                                && orient2d(from, joint, end) == Orientation::Clockwise);
                    if bends
                        && !self.overlaps(&other)
                        && self.is_outside([&front.convex, &other.convex])
                    {
                        return ControlFlow::Break(());
                    }
                    ControlFlow::Continue(())
                })
            });
            found.is_break()
        })
    }

    /// Whether the nearest way from two fronts to the body leads out of both.
    fn is_outside(&self, fronts: [&Convex<'_>; 2]) -> bool {
        let out = fronts.map(|front| {
            let side = front.points[1].as_dvec2() - front.points[0].as_dvec2();
            -perp_cw(side)
        });
        !self.body.iter().any(|shape| {
            let found = shape.as_shape().visit_parts_where(&mut |_| true, &mut |part| {
                let within = fronts.iter().any(|front| {
                    let relation = separation(&part.convex, front, f64::INFINITY);
                    relation.is_none_or(|r| out.iter().any(|out| r.normal.dot(*out) <= 0.0))
                });
                if within { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            found.is_break()
        })
    }
}

/// The direction of a front that faces up.
fn level(up: DVec2) -> Vec2 {
    perp_cw(up).as_vec2()
}

impl ConvexParts for Surface<'_> {
    fn bounds(&self) -> Aabb {
        ConvexParts::bounds(&self.shape)
    }

    fn visit_parts_in(
        &self,
        near: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut passes = |bounds: &Aabb| bounds.intersects_aabb(&near.bounds);
        ConvexParts::visit_parts_in(&self.shape, near, &mut |part| {
            self.solid_fronts(part, &mut passes, visit)
        })
    }

    fn cell_size(&self) -> Option<f64> {
        self.shape.cell_size()
    }

    /// Fronts of areas are lines.
    fn may_have_zero_area_parts(&self) -> bool {
        true
    }

    fn may_have_area(&self) -> bool {
        self.shape.may_have_area()
    }
}
