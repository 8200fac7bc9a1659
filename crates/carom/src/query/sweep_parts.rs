//! Sweeps of shapes made of parts: the first hit over all pairs.

use core::ops::ControlFlow;

use glam::{DVec2, Vec2};
use smallvec::SmallVec;

use crate::math::{cross, length, to_vec2};
use crate::query::contact::rounding_margin;
use crate::query::overlaps::overlaps_parts;
use crate::query::parts::{Moved, Parts, each_meeting, moves_by_parts, with_moved};
use crate::query::relation::Relation;
use crate::query::separation::convex_relation;
use crate::query::sweep::{Proof, SweepHit, land};
use crate::query::sweep_enter::{Entry, edge_facing, enter, is_obstacle_flat};
use crate::query::sweep_seams::enter_seam;
use crate::shape::convex::Convex;
use crate::shape::parts::{Part, QueryRegion};
use crate::shape::{Aabb, AsShape, ShapeRef};

pub(super) fn sweep(
    a: ShapeRef<'_>,
    motion: Vec2,
    b: ShapeRef<'_>,
    proof: Proof,
) -> Option<SweepHit> {
    let path = motion.as_dvec2();
    let (met_a, met_b) = (Met { shape: a, by: -path }, Met { shape: b, by: path });
    if overlaps_parts(&met_a, &met_b) {
        let contact = crate::query::contact::contact(a, b)?;
        return Some(SweepHit::from_start(&contact));
    }
    sweep_apart(a, motion, &met_b, proof)
}

/// The same past anything made of parts that it does not overlap.
pub(crate) fn sweep_apart(
    a: ShapeRef<'_>,
    motion: Vec2,
    b: &dyn Parts,
    proof: Proof,
) -> Option<SweepHit> {
    let path = motion.as_dvec2();
    let met_a = Met { shape: a, by: -path };
    let entry = first_entry(&met_a, motion, b);
    let before = entry.map_or(f64::INFINITY, |entry| entry.time);
    let seam = enter_seam(&met_a, motion, b, before.min(1.0)).filter(|seam| seam.time < before);
    let entry = seam.or(entry)?;
    let time = land(&met_a.bounds().corners(), &entry, motion, |by| {
        // The moved parts, and then the moved shape, where that is not the same.
        !overlaps_parts(&Moved { shape: &met_a, by }, b)
            && !lines_meet(&met_a, by, b)
            && (proof == Proof::Parts
                || moves_by_parts(a)
                || !overlaps_parts(
                    &Met { shape: a.to_shape().translated(by).as_shape(), by: -path },
                    b,
                ))
    });
    Some(entry.hit(time))
}

/// A shape as something sees it that comes by a motion: without one-sided segments that it meets
/// from behind.
struct Met<'a> {
    shape: ShapeRef<'a>,
    by: DVec2,
}

impl Met<'_> {
    fn is_passed(&self, part: &Part<'_>) -> bool {
        part.one_way_direction.is_some_and(|along| cross(along.as_dvec2(), self.by) >= 0.0)
    }
}

impl Parts for Met<'_> {
    fn bounds(&self) -> Aabb {
        Parts::bounds(&self.shape)
    }

    fn visit(
        &self,
        passes: &mut dyn FnMut(&Aabb) -> bool,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.shape.visit(passes, &mut |part| {
            if self.is_passed(&part) { ControlFlow::Continue(()) } else { visit(part) }
        })
    }

    fn visit_parts_in(
        &self,
        near: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        Parts::visit_parts_in(&self.shape, near, &mut |part| {
            if self.is_passed(&part) { ControlFlow::Continue(()) } else { visit(part) }
        })
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

/// Whether lines that were apart have come to touch lines that they cannot enter: the next move
/// would start beyond.
fn lines_meet(a: &dyn Parts, by: Vec2, b: &dyn Parts) -> bool {
    let corners = b.bounds().corners();
    let rounding = rounding_margin(f64::from(
        b.bounds().max().abs().max(b.bounds().min().abs()).max_element(),
    ));
    let near =
        QueryRegion::of_corners(&corners).swept(-by.as_dvec2(), DVec2::ZERO).inflated(rounding);
    let found = a.visit_parts_in(&near, &mut |part_a| {
        if !part_a.convex.has_no_area() {
            return ControlFlow::Continue(());
        }
        with_moved(&part_a.convex, by, |moved| {
            b.visit_parts_in(&QueryRegion::of_convex(&moved), &mut |part_b| {
                if is_obstacle_flat(&part_a.convex, &part_b.convex)
                    && convex_relation(&moved, &part_b.convex).intersects()
                    && convex_relation(&part_a.convex, &part_b.convex) == Relation::Disjoint
                {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })
        })
    });
    found.is_break()
}

/// The earliest entry. Where several parts meet at once, one over an edge that is not hidden by
/// another part of its shape: a seam has no normal of its own.
fn first_entry(a: &dyn Parts, motion: Vec2, b: &dyn Parts) -> Option<Entry> {
    let path = motion.as_dvec2();
    let size = size_of(a) + size_of(b);
    let tie = 1e-9 * (size / length(path)).max(1e-300);
    let mut met: SmallVec<[(Entry, bool); 4]> = SmallVec::new();
    each_stretch(a, path, b, &mut |from, to| {
        let stretch = (path * from, path * (to - from));
        let _ = each_meeting(a, stretch, b, 0.0, &mut |part_a, part_b| {
            let order = convex_relation(&part_a.convex, &part_b.convex);
            if let Some(entry) = enter(&part_a.convex, path, &part_b.convex, order) {
                let first = met.first().map_or(f64::INFINITY, |(first, _)| first.time);
                if entry.time < first - tie {
                    met.clear();
                }
                if entry.time <= first + tie {
                    let is_internal_edge = is_internal_edge(part_b, entry.normal)
                        || is_internal_edge(part_a, -entry.normal);
                    met.push((entry, is_internal_edge));
                }
            }
            ControlFlow::Continue(())
        });
        met.first().is_some_and(|(first, _)| first.time < to - tie)
    });
    let &(first, _) = met.first()?;
    let time = met.iter().fold(first.time, |time, (entry, _)| time.min(entry.time));
    let exposed = |entry: &Entry| {
        let out = entry.normal * (1e-4 * size);
        !is_inside(to_vec2(entry.point + out), b)
            && !is_inside(to_vec2(entry.point - path * entry.time - out), a)
    };
    let best = if met.len() == 1 {
        first
    } else {
        let open = met.iter().find(|(entry, seam)| !seam && exposed(entry));
        open.or_else(|| met.iter().find(|(_, seam)| !seam)).map_or(first, |(entry, _)| *entry)
    };
    Some(Entry { time, ..best })
}

/// Whether the edge of a part that has this normal is a seam.
fn is_internal_edge(part: &Part<'_>, normal: DVec2) -> bool {
    edge_facing(&part.convex, normal).is_some_and(|edge| part.is_internal_edge(edge))
}

/// How large a shape is, where that matters to what can be told apart; of a tile map, only the
/// tiles next to each other do.
fn size_of(shape: &dyn Parts) -> f64 {
    let bounds = shape.bounds();
    let size = length(bounds.max().as_dvec2() - bounds.min().as_dvec2());
    shape.tile().map_or(size, |tile| size.min(4.0 * tile))
}

/// The way stretch by stretch, from time to time, until one is found to end it: along a long way
/// past the tiles of a map, no more of them are looked at than it takes.
fn each_stretch(a: &dyn Parts, path: DVec2, b: &dyn Parts, ends: &mut dyn FnMut(f64, f64) -> bool) {
    let tile = a.tile().into_iter().chain(b.tile()).reduce(f64::min);
    let mut step = tile.map_or(1.0, |tile| 8.0 * tile / length(path)).max(1e-6);
    let mut from = 0.0;
    while from < 1.0 {
        let to = if from + step < 1.0 { from + step } else { 1.0 };
        if ends(from, to) {
            break;
        }
        from = to;
        step *= 2.0;
    }
}

fn is_inside(point: Vec2, shape: &dyn Parts) -> bool {
    let core = Convex::point(&point, 0.0);
    let found = shape.visit_parts_in(&QueryRegion::of_convex(&core), &mut |part| {
        if convex_relation(&core, &part.convex) == Relation::Disjoint {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    found.is_break()
}
