//! Sweeps of shapes made of parts: the first hit over all pairs.

use core::cmp::Ordering;
use core::ops::ControlFlow;

use glam::{DVec2, Vec2};
use smallvec::SmallVec;

use crate::math::{cross, length, round};
use crate::query::overlaps::overlaps_parts;
use crate::query::parts::{Moved, Parts, core_bounds, with_moved};
use crate::query::relation::verdict;
use crate::query::sweep::{Entry, Hit, edge_facing, enter, is_obstacle_flat, land};
use crate::query::sweep_seams::enter_seam;
use crate::shape::core::Core;
use crate::shape::parts::Part;
use crate::shape::{Aabb, AsShape, Place, ShapeRef};

pub(super) fn sweep(a: ShapeRef<'_>, motion: Vec2, b: ShapeRef<'_>) -> Option<Hit> {
    let path = motion.as_dvec2();
    let (met_a, met_b) = (Met { shape: a, by: -path }, Met { shape: b, by: path });
    if overlaps_parts(&met_a, &met_b) {
        let contact = crate::query::contact::contact(a, b)?;
        return Some(Hit::from_start(&contact));
    }
    let entry = first_entry(&met_a, motion, &met_b);
    let before = entry.map_or(f64::INFINITY, |entry| entry.time);
    let seam = enter_seam(&met_a, motion, &met_b).filter(|seam| seam.time < before);
    let entry = seam.or(entry)?;
    let time = land(&met_a.bounds().corners(), &entry, motion, |by| {
        // The moved parts, and then the moved shape, which rounding may have cut anew.
        !overlaps_parts(&Moved { shape: &met_a, by }, &met_b)
            && !lines_meet(&met_a, by, &met_b)
            && !overlaps_parts(
                &Met { shape: a.to_shape().translated(by).as_shape(), by: -path },
                &met_b,
            )
    });
    Some(entry.hit(time))
}

/// A shape as something sees it that comes by a motion: without one-sided segments that it meets
/// from behind.
struct Met<'a> {
    shape: ShapeRef<'a>,
    by: DVec2,
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
        self.shape.visit(passes, &mut |part| match part.front {
            Some(along) if cross(along.as_dvec2(), self.by) >= 0.0 => ControlFlow::Continue(()),
            _ => visit(part),
        })
    }
}

/// Whether lines that were apart have come to touch lines that they cannot enter: the next move
/// would start beyond.
fn lines_meet(a: &dyn Parts, by: Vec2, b: &dyn Parts) -> bool {
    let found = a.visit(&mut |_| true, &mut |part_a| {
        if !part_a.core.is_flat() {
            return ControlFlow::Continue(());
        }
        with_moved(&part_a.core, by, |moved| {
            let near = core_bounds(&moved);
            b.visit(&mut |bounds| bounds.touches(&near), &mut |part_b| {
                if is_obstacle_flat(&part_a.core, &part_b.core)
                    && verdict(&moved, &part_b.core) != Ordering::Greater
                    && verdict(&part_a.core, &part_b.core) == Ordering::Greater
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

/// The earliest entry. Where several parts are met at once, one over an edge that is not hidden
/// by another part: a seam has no normal of its own.
fn first_entry(a: &dyn Parts, motion: Vec2, b: &dyn Parts) -> Option<Entry> {
    let path = motion.as_dvec2();
    let (bounds_a, bounds_b) = (a.bounds(), b.bounds());
    let size = length(bounds_b.max().as_dvec2() - bounds_b.min().as_dvec2())
        + length(bounds_a.max().as_dvec2() - bounds_a.min().as_dvec2());
    let tie = 1e-9 * (size / length(path)).max(1e-300);
    let mut met: SmallVec<[(Entry, bool); 4]> = SmallVec::new();
    let _ = a.visit(&mut |bounds| swept_by(*bounds, motion).touches(&bounds_b), &mut |part_a| {
        let swept = swept_by(core_bounds(&part_a.core), motion);
        b.visit(&mut |bounds| bounds.touches(&swept), &mut |part_b| {
            let order = verdict(&part_a.core, &part_b.core);
            if let Some(entry) = enter(&part_a.core, path, &part_b.core, order) {
                let first = met.first().map_or(f64::INFINITY, |(first, _)| first.time);
                if entry.time < first - tie {
                    met.clear();
                }
                if entry.time <= first + tie {
                    let seam = part_b.outline.is_some_and(|outline| {
                        edge_facing(&part_b.core, entry.normal).is_some_and(|edge| !outline[edge])
                    });
                    met.push((entry, seam));
                }
            }
            ControlFlow::Continue(())
        })
    });
    let &(first, _) = met.first()?;
    let time = met.iter().fold(first.time, |time, (entry, _)| time.min(entry.time));
    let exposed = |entry: &Entry| {
        let probe = round(entry.point + entry.normal * (1e-4 * size));
        !is_inside(probe, b)
    };
    let best = if met.len() == 1 {
        first
    } else {
        let open = met.iter().find(|(entry, seam)| !seam && exposed(entry));
        open.or_else(|| met.iter().find(|(_, seam)| !seam)).map_or(first, |(entry, _)| *entry)
    };
    Some(Entry { time, ..best })
}

/// The box around a box all along a motion.
pub(super) fn swept_by(bounds: Aabb, motion: Vec2) -> Aabb {
    let moved = Moved { shape: &ShapeRef::Aabb(&bounds), by: motion }.bounds();
    Aabb::around([bounds, moved])
}

fn is_inside(point: Vec2, shape: &dyn Parts) -> bool {
    let core = Core::point(&point, 0.0);
    let at = core_bounds(&core);
    let found = shape.visit(&mut |bounds| bounds.touches(&at), &mut |part| {
        if verdict(&core, &part.core) == Ordering::Greater {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    found.is_break()
}
