//! Where does a ray first hit, and where does it come out again?
//!
//! A ray runs through each convex part on one span. Spans that meet make a piece: the ray enters
//! the union of the parts where a piece begins and leaves it where the piece ends, and a seam
//! between two parts is neither.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use glam::{DVec2, Vec2};
use smallvec::SmallVec;

use crate::math::{cross, length, perp_cw, to_f32, to_vec2};
use crate::query::ray::{Ray, RayHit};
use crate::query::raycast_cells::each_piece_of_cells;
use crate::query::raycast_quick::{through_box, through_capsule, through_circle, through_polygon};
use crate::query::span::{SLACK, Span};
use crate::shape::ShapeRef;
use crate::shape::convex::{Convex, ConvexBuffer};
use crate::shape::parts::Part;

/// A stretch of the ray in the union of the parts.
#[derive(Clone, Copy)]
pub(crate) struct Piece {
    pub(super) span: Span,
    /// How the ray's start lies in the parts that hold it: as [`Span::graze`], 0 inside.
    start: Option<f64>,
}

impl Piece {
    #[inline(always)]
    pub(super) fn new(span: Span) -> Self {
        let holds_start = span.enter <= 0.0 && span.leave >= 0.0;
        let runs_on = span.enter < 0.0 && span.leave > 0.0;
        let start = if runs_on { span.graze } else { 0.0 };
        Self { span, start: holds_start.then_some(start) }
    }

    /// Adds a span that begins no earlier; `false` if it does not meet this piece.
    pub(super) fn absorb(&mut self, span: Span) -> bool {
        let slack = |place: f64| SLACK * place.abs();
        let piece = &mut self.span;
        if span.enter > piece.leave + slack(piece.leave) {
            return false;
        }
        if span.enter <= piece.enter + slack(piece.enter) {
            piece.onward = nearer(piece.onward, span.onward, 1.0);
            piece.backward = nearer(piece.backward, span.backward, -1.0);
        }
        if span.leave > piece.leave {
            (piece.leave, piece.out) = (span.leave, span.out);
        }
        self.start = match (self.start, Self::new(span).start) {
            (Some(a), Some(b)) => Some(if a == b { a } else { 0.0 }),
            (a, b) => a.or(b),
        };
        true
    }

    #[inline(always)]
    pub(super) fn is_within(&self, ray: &Ray) -> bool {
        self.span.leave >= 0.0 && self.span.enter <= ray.end
    }

    #[inline(always)]
    fn hit(&self, ray: &Ray) -> RayHit {
        let span = &self.span;
        let normal = if span.enter >= 0.0 {
            squarer(span.onward, span.backward, ray.line.along)
        } else if span.leave == 0.0 {
            span.out
        } else {
            perp_cw(ray.line.along) * self.start.unwrap_or(0.0)
        };
        hit_at(ray, span.enter.max(0.0), span.leave, unit_normal(ray, normal))
    }
}

/// The first hit on the outline: from inside, where the ray comes out.
pub(crate) fn outline_raycast(shape: ShapeRef<'_>, ray: &Ray) -> Option<RayHit> {
    let mut first = None;
    let _ = each_piece(shape, ray, &mut |piece| {
        let Span { enter, leave, out, .. } = piece.span;
        let is_inside = enter < 0.0 && leave > 0.0 && piece.start == Some(0.0);
        // Lines have no inside: nothing leads out of them.
        if !is_inside || out == DVec2::ZERO {
            first = Some(piece.hit(ray));
        } else if leave <= ray.end {
            first = Some(hit_at(ray, leave, leave, unit_normal(ray, -out)));
        }
        ControlFlow::Break(())
    });
    first
}

/// Where several parts are entered at one point, some of the edges there are hidden behind others.
/// Seen from where the ray comes from, the one that is nearest in turning either way is not.
fn nearer(a: DVec2, b: DVec2, turn: f64) -> DVec2 {
    let b_hidden = a != DVec2::ZERO && cross(a, b) * turn >= 0.0;
    if b_hidden || b == DVec2::ZERO { a } else { b }
}

/// Of two normals, the one that the ray meets more squarely.
#[inline(always)]
fn squarer(a: DVec2, b: DVec2, along: DVec2) -> DVec2 {
    if a == b || b == DVec2::ZERO {
        return a;
    }
    let slope = |normal: DVec2| normal.dot(along) / length(normal);
    if a == DVec2::ZERO || slope(b) < slope(a) { b } else { a }
}

/// A unit normal; against the ray where there is none.
#[inline(always)]
fn unit_normal(ray: &Ray, normal: DVec2) -> Vec2 {
    let size = length(normal);
    to_vec2(if size > 0.0 { normal / size } else { -ray.line.along / ray.line.length })
}

#[inline(always)]
pub(super) fn hit_at(ray: &Ray, enter: f64, leave: f64, normal: Vec2) -> RayHit {
    RayHit {
        distance: to_f32(enter * ray.line.length),
        point: to_vec2(ray.line.at(enter)),
        normal: normal + Vec2::ZERO,
        exit: to_f32(leave * ray.line.length),
    }
}

#[inline(always)]
pub(crate) fn raycast(shape: ShapeRef<'_>, ray: &Ray) -> Option<RayHit> {
    match shape {
        ShapeRef::Aabb(aabb) => return through_box(aabb, ray),
        ShapeRef::Circle(circle) => return through_circle(circle, ray),
        ShapeRef::Capsule(capsule) => return through_capsule(capsule, ray),
        _ => {}
    }
    match shape.as_convex(&mut ConvexBuffer::new()) {
        Some(core) if core.radius == 0.0 && (3..=64).contains(&core.points.len()) => {
            through_polygon(&core, ray)
        }
        Some(core) => through_any(&core, ray),
        None => first_of_parts(shape, ray),
    }
}

#[inline(never)]
pub(super) fn through_any(core: &Convex<'_>, ray: &Ray) -> Option<RayHit> {
    let piece = Piece::new(ray.line.span(core)?);
    piece.is_within(ray).then(|| piece.hit(ray))
}

fn first_of_parts(shape: ShapeRef<'_>, ray: &Ray) -> Option<RayHit> {
    let mut first = None;
    let _ = each_piece(shape, ray, &mut |piece| {
        first = Some(piece.hit(ray));
        ControlFlow::Break(())
    });
    first
}

/// Tells the pieces of the ray that lie in the shape, in order.
pub(crate) fn each_piece<B>(
    shape: ShapeRef<'_>,
    ray: &Ray,
    visit: &mut dyn FnMut(&Piece) -> ControlFlow<B>,
) -> ControlFlow<B> {
    match shape {
        ShapeRef::TileMap(map) => return each_piece_of_cells(map, ray, visit),
        ShapeRef::Mask(mask) => return each_piece_of_cells(mask, ray, visit),
        _ => {}
    }
    let mut spans: SmallVec<[Span; 8]> = SmallVec::new();
    let _ = shape.visit_parts_where::<()>(&mut |bounds| ray.line.may_meet(bounds), &mut |part| {
        spans.extend(part_span(&part, ray));
        ControlFlow::Continue(())
    });
    spans.sort_by(|a, b| a.enter.total_cmp(&b.enter));
    let mut rest = spans.into_iter();
    let mut next = rest.next();
    while let Some(span) = next {
        let mut piece = Piece::new(span);
        next = rest.find(|&span| !piece.absorb(span));
        if piece.is_within(ray) {
            visit(&piece)?;
        }
    }
    ControlFlow::Continue(())
}

pub(super) fn part_span(part: &Part<'_>, ray: &Ray) -> Option<Span> {
    if let (Some(_), [start, end]) = (part.one_way_direction, part.convex.points) {
        // From behind, and along it, a one-sided segment is not there.
        if cross(end.as_dvec2() - start.as_dvec2(), ray.line.along) >= 0.0 {
            return None;
        }
    }
    ray.line.span(&part.convex)
}

pub(crate) fn raycast_all(shape: ShapeRef<'_>, ray: &Ray) -> Vec<RayHit> {
    let mut hits = Vec::new();
    let _ = visit_ray_hits::<()>(shape, ray, &mut |hit| {
        hits.push(hit);
        ControlFlow::Continue(())
    });
    hits
}

pub(crate) fn visit_ray_hits<B>(
    shape: ShapeRef<'_>,
    ray: &Ray,
    visit: &mut dyn FnMut(RayHit) -> ControlFlow<B>,
) -> ControlFlow<B> {
    each_piece(shape, ray, &mut |piece| visit(piece.hit(ray)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    fn down(x: f32) -> Ray {
        Ray::new([x, 10.0], [0.0, -1.0], 100.0)
    }

    #[track_caller]
    fn assert_hit(hit: Option<RayHit>, distance: f32, normal: [f32; 2], exit: f32) {
        let hit = hit.expect("a hit");
        assert!((hit.distance - distance).abs() <= 1e-6 * distance, "{hit:?}");
        assert!((hit.exit - exit).abs() <= 1e-6 * exit, "{hit:?}");
        assert!(hit.normal.distance(normal.into()) < 1e-6, "{hit:?}");
    }

    #[test]
    fn each_kind_is_entered_and_left() {
        let up = [0.0, 1.0];
        let square = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        assert_hit(Circle::new([0.0, 0.0], 2.0).raycast(&down(0.0)), 8.0, up, 12.0);
        assert_hit(Aabb::new([-1.0, -1.0], [1.0, 1.0]).raycast(&down(0.5)), 9.0, up, 11.0);
        assert_hit(ConvexPolygon::new(&square).raycast(&down(0.5)), 9.0, up, 11.0);
        assert_hit(ConvexPolygon::rounded(&square, 0.5).raycast(&down(0.5)), 8.5, up, 11.5);
        assert_hit(Polygon::new(&square).raycast(&down(0.5)), 9.0, up, 11.0);
        assert_hit(Capsule::new([-1.0, 0.0], [1.0, 0.0], 0.5).raycast(&down(0.0)), 9.5, up, 10.5);
        assert_hit(Capsule::new([0.0, -1.0], [0.0, 1.0], 0.5).raycast(&down(0.0)), 8.5, up, 11.5);
        assert_hit(Segment::new([-1.0, 0.0], [1.0, 0.0]).raycast(&down(0.0)), 10.0, up, 10.0);
        assert_hit(Segment::new([0.0, -1.0], [0.0, 1.0]).raycast(&down(0.0)), 9.0, up, 11.0);
        assert_hit(Point::new([0.0, 0.0]).raycast(&down(0.0)), 10.0, up, 10.0);
    }

    #[test]
    fn touch_counts_at_corners_sides_and_ends() {
        let unit = Aabb::new([0.0, 0.0], [1.0, 1.0]);
        let polygon = ConvexPolygon::new(&unit.corners());
        let disc = Circle::new([0.0, 0.0], 1.0);
        for shape in [&Shape::from(unit), &polygon.into()] {
            assert!(shape.raycast(&Ray::from_to([0.0, 2.0], [2.0, 0.0])).is_some());
            assert!(shape.raycast(&Ray::from_to([0.0, 4.0], [1.5, -0.5])).is_some());
            assert_hit(shape.raycast(&down(1.0)), 9.0, [0.0, 1.0], 10.0);
            assert!(shape.raycast(&Ray::new([3.0, 0.5], [-7.0, 0.0], 2.0)).is_some());
            assert!(shape.raycast(&Ray::new([3.0, 0.5], [-7.0, 0.0], 1.9999999)).is_none());
        }
        assert_hit(disc.raycast(&down(1.0)), 10.0, [1.0, 0.0], 10.0);
        assert!(disc.raycast(&down(1.0f32.next_up())).is_none());
        let capsule = Capsule::new([0.0, 0.0], [0.0, 1.0], 1.0);
        assert_hit(capsule.raycast(&down(1.0)), 9.0, [1.0, 0.0], 10.0);
    }

    #[test]
    fn a_start_inside_looks_back_and_a_start_on_the_border_sees_the_surface() {
        let unit = Aabb::new([0.0, 0.0], [1.0, 1.0]);
        for shape in [Shape::from(unit), ConvexPolygon::new(&unit.corners()).into()] {
            let cast = |origin: [f32; 2], direction: [f32; 2]| {
                shape.raycast(&Ray::new(origin, direction, f32::INFINITY))
            };
            assert_hit(cast([0.5, 0.5], [1.0, 0.0]), 0.0, [-1.0, 0.0], 0.5);
            assert_hit(cast([0.0, 0.5], [1.0, 0.0]), 0.0, [-1.0, 0.0], 1.0);
            assert_hit(cast([0.0, 0.5], [-1.0, 0.0]), 0.0, [-1.0, 0.0], 0.0);
            assert_hit(cast([0.0, 0.5], [0.0, 1.0]), 0.0, [-1.0, 0.0], 0.5);
            assert!(cast([-0.1, 0.5], [-1.0, 0.0]).is_none());
        }
        let disc = Circle::new([0.0, 0.0], 5.0);
        assert_hit(disc.raycast(&Ray::new([3.0, 4.0], [1.0, 0.0], 9.0)), 0.0, [0.6, 0.8], 0.0);
        assert_hit(disc.raycast(&Ray::new([3.0, 4.0], [-1.0, 0.0], 9.0)), 0.0, [0.6, 0.8], 6.0);
    }

    #[test]
    fn seams_are_neither_exits_nor_surfaces() {
        let row = (0..5u8).map(|i| Aabb::from_min_size([f32::from(i), 0.0], [1.0, 1.0]));
        let row = Compound::new(row);
        let along = Ray::new([-2.0, 0.5], [1.0, 0.0], 4.0);
        assert_hit(row.raycast(&along), 2.0, [-1.0, 0.0], 7.0);
        assert_eq!(row.raycast_all(&along).len(), 1);
        let (up, slanted) = ([0.0, 1.0], Ray::from_to([0.0, 3.0], [4.0, -1.0]));
        assert_hit(row.raycast(&down(2.0)), 9.0, up, 10.0);
        assert_hit(row.raycast(&slanted), 8f32.sqrt(), up, 18f32.sqrt());
        // Along a seam, from inside it.
        assert_hit(row.raycast(&Ray::new([2.0, 0.5], [0.0, -1.0], 9.0)), 0.0, up, 0.5);
        assert_hit(row.raycast(&Ray::new([0.0, 0.5], [0.0, -1.0], 9.0)), 0.0, [-1.0, 0.0], 0.5);
        let stairs =
            Polygon::new(&[[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [1.0, 2.0], [1.0, 1.0], [0.0, 1.0]]);
        assert_hit(stairs.raycast(&Ray::new([-1.0, 0.5], [1.0, 0.0], 9.0)), 1.0, [-1.0, 0.0], 3.0);
        assert_hit(stairs.raycast(&down(1.0)), 8.0, up, 10.0);
        assert_hit(stairs.raycast(&Ray::new([-1.0, 1.0], [1.0, 0.0], 9.0)), 1.0, [-1.0, 0.0], 3.0);
    }

    #[test]
    fn all_pieces_come_in_order() {
        let ring = Polygon::with_holes(
            &[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]],
            &[alloc::vec![[1.0, 1.0], [3.0, 1.0], [3.0, 3.0], [1.0, 3.0]]],
        );
        let hits = ring.raycast_all(&Ray::new([5.0, 2.0], [-1.0, 0.0], 9.0));
        let places: Vec<_> = hits.iter().map(|hit| (hit.distance, hit.exit)).collect();
        assert_eq!(places, [(1.0, 2.0), (4.0, 5.0)]);
        assert!(hits.iter().all(|hit| hit.normal == Vec2::X));
        let zigzag = Chain::new(&[[0.0, 0.0], [1.0, 1.0], [2.0, 0.0], [3.0, 1.0]]);
        assert_eq!(zigzag.raycast_all(&Ray::new([-1.0, 0.5], [1.0, 0.0], 9.0)).len(), 3);
        assert_eq!(zigzag.raycast_all(&down(1.0)).len(), 1); // the joint, once
    }

    #[test]
    fn one_sided_chains_are_hit_from_their_left_only() {
        let floor = Chain::new(&[[0.0, 0.0], [4.0, 0.0]]).one_sided();
        assert_hit(floor.raycast(&down(1.0)), 10.0, [0.0, 1.0], 10.0);
        assert_eq!(floor.raycast(&Ray::new([1.0, -1.0], [0.0, 1.0], 9.0)), None);
        assert_eq!(floor.raycast(&Ray::new([-1.0, 0.0], [1.0, 0.0], 9.0)), None);
    }

    #[test]
    fn huge_and_tiny_numbers_make_no_difference() {
        for scale in [1e-44, 1e-30, 1e30, 1e37] {
            let disc = Circle::new([0.0, 0.0], scale);
            let ray = Ray::new([-3.0 * scale, 0.0], [scale, 0.0], f32::INFINITY);
            assert_hit(disc.raycast(&ray), 2.0 * scale, [-1.0, 0.0], 4.0 * scale);
            let unit = Aabb::from_center_half_size([0.0, 0.0], [scale, scale]);
            assert_hit(unit.raycast(&ray), 2.0 * scale, [-1.0, 0.0], 4.0 * scale);
            assert_hit(unit.to_obb().raycast(&ray), 2.0 * scale, [-1.0, 0.0], 4.0 * scale);
        }
        let far = Ray::new([-1e30, 0.5], [1e-40, 0.0], f32::INFINITY);
        assert_hit(Aabb::new([0.0, 0.0], [1.0, 1.0]).raycast(&far), 1e30, [-1.0, 0.0], 1e30);
    }

    #[test]
    fn a_ray_hits_what_its_segment_intersects() {
        let mut seed = 3u32;
        let mut next = |n: u32| {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            (seed >> 16) % n
        };
        let square = [[2.0, 2.0], [6.0, 2.0], [6.0, 6.0], [2.0, 6.0]];
        let dart = [[1.0, 1.0], [7.0, 4.0], [1.0, 7.0], [3.0, 4.0]];
        let shapes: [Shape; 9] = [
            Point::new([4.0, 4.0]).into(),
            Segment::new([2.0, 3.0], [6.0, 5.0]).into(),
            Circle::new([4.0, 4.0], 2.0).into(),
            Capsule::new([3.0, 4.0], [5.0, 4.0], 1.0).into(),
            Aabb::new([2.0, 2.0], [6.0, 6.0]).into(),
            ConvexPolygon::new(&square).into(),
            ConvexPolygon::rounded(&square, 1.0).into(),
            Polygon::new(&dart).into(),
            Chain::closed(&dart).into(),
        ];
        for _ in 0..4000 {
            let mut corner = || [next(9) as f32, next(9) as f32];
            let (from, to) = (corner(), corner());
            let Ok(ray) = Ray::try_from_to(from, to) else { continue };
            for shape in &shapes {
                let hit = shape.raycast(&ray);
                assert_eq!(
                    hit.is_some(),
                    shape.intersects(&Segment::new(from, to)),
                    "{shape:?} {ray:?}"
                );
                if let Some(hit) = hit {
                    assert!(shape.distance(&Point::new(hit.point)) < 1e-5, "{shape:?} {ray:?}");
                    assert!(hit.exit >= hit.distance && (hit.normal.length() - 1.0).abs() < 1e-6);
                    let listed = shape.raycast_all(&ray)[0];
                    assert!((listed.distance - hit.distance).abs() < 1e-6);
                }
            }
        }
    }
}
