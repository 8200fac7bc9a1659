//! Contacts: depth, normal and up to two points.

use std::hint::black_box;

use carom::prelude::{AsShape, Shape};
use parry2d::shape::{PolygonalFeatureMap, SupportMap};

use super::contact_row;
use crate::carom_shapes;
use crate::harness::Row;
use crate::inputs::{self, Keep, Make, Pair, Solid, each, pairs};
use crate::peers::box2d;
use crate::peers::parry::{self, Makers, Manifold, Pose};
use crate::report::Bench;
use crate::results::{BOX2D, Comparability, PARRY};

pub fn rows(bench: &mut Bench) {
    bench.row("circle-circle contact", circle_circle);
    bench.row("box-circle contact (aabb)", || box_circle(inputs::aabb, carom_shapes::aabb));
    bench.row("box-circle contact (oriented)", || box_circle(inputs::obb, carom_shapes::rect));
    bench.row("obb-obb contact", || obb_obb(Keep::Mixed));
    bench.row("obb-obb contact, overlapping", || obb_obb(Keep::Overlapping));
    bench.row("obb-obb contact, apart", || obb_obb(Keep::Apart));
    bench.row("triangle-triangle contact", triangle_triangle);
    bench.row("octagon-octagon contact", || octagon_octagon(Keep::Mixed));
    bench.row("octagon-octagon contact, overlapping", || octagon_octagon(Keep::Overlapping));
    bench.row("octagon-octagon contact, apart", || octagon_octagon(Keep::Apart));
    bench.row("capsule-capsule contact", || capsule_capsule(Keep::Mixed));
    bench.row("capsule-capsule contact, overlapping", || capsule_capsule(Keep::Overlapping));
    bench.row("capsule-capsule contact, apart", || capsule_capsule(Keep::Apart));
}

fn circle_circle<'a>() -> Row<'a> {
    let pairs = pairs(inputs::circle, inputs::circle, 2.8, Keep::Mixed);
    let mut row = contact_row(&pairs);
    carom_shapes::contact(&mut row, &pairs, carom_shapes::circle, carom_shapes::circle);
    let circles = each(&pairs, |it| (box2d::circle(&it.a), box2d::circle(&it.b)));
    row.add(BOX2D, "", circles, |(a, b)| box2d::collide_circles(a, b), box2d::read_depth);
    let shapes: Makers<parry::Ball, parry::Ball> = (parry::ball, parry::ball);
    let contact = |pose: &Pose, a: &_, b: &_| parry::details::contact_ball_ball(pose, a, b, 0.0);
    parry::add_posed(&mut row, CONTACT, &pairs, shapes, contact, parry::read_contact);
    parry_manifold(&mut row, &pairs, shapes, |pose, a, b, manifold| {
        parry::details::contact_manifold_ball_ball(pose, a, b, 0.0, manifold);
    });
    row
}

fn box_circle<'a, B>(make_box: Make, subject_box: fn(&Solid) -> B) -> Row<'a>
where
    B: AsShape + Into<Shape> + 'a,
{
    let pairs = pairs(make_box, inputs::circle, 2.8, Keep::Mixed);
    let mut row = contact_row(&pairs);
    carom_shapes::contact(&mut row, &pairs, subject_box, carom_shapes::circle);
    let shapes = each(&pairs, |it| (box2d::polygon(&it.a), box2d::circle(&it.b)));
    row.add(BOX2D, "", shapes, |(a, b)| box2d::collide_polygon_and_circle(a, b), box2d::read_depth);
    let shapes: Makers<parry::Cuboid, parry::Ball> = (parry::cuboid, parry::ball);
    let contact = |pose: &Pose, a: &parry::Cuboid, b: &_| {
        parry::details::contact_convex_polyhedron_ball(pose, a, b, 0.0)
    };
    parry::add_posed(&mut row, CONTACT, &pairs, shapes, contact, parry::read_contact);
    parry_manifold(&mut row, &pairs, shapes, |pose, a, b, manifold| {
        parry::details::contact_manifold_convex_ball(pose, a, b, None, None, 0.0, manifold, false);
    });
    row
}

fn obb_obb<'a>(keep: Keep) -> Row<'a> {
    let pairs = pairs(inputs::obb, inputs::obb, 2.8, keep);
    let mut row = contact_row(&pairs);
    carom_shapes::contact(&mut row, &pairs, carom_shapes::rect, carom_shapes::rect);
    box2d_polygons(&mut row, &pairs);
    parry_manifold(&mut row, &pairs, (parry::cuboid, parry::cuboid), |pose, a, b, manifold| {
        parry::details::contact_manifold_cuboid_cuboid(pose, a, b, 0.0, manifold);
    });
    parry_one_point(&mut row, &pairs, parry::cuboid);
    let boxes =
        each(&pairs, |it| (parry::relative(it), parry::cuboid(&it.a), parry::cuboid(&it.b)));
    let contact = parry::details::contact_cuboid_cuboid;
    row.add(
        PARRY,
        "one point, sat",
        boxes,
        move |(pose, a, b)| contact(pose, a, b, 0.0),
        parry::read_contact,
    )
    .but(Comparability::Partial);
    row
}

fn triangle_triangle<'a>() -> Row<'a> {
    let pairs = pairs(inputs::triangle, inputs::triangle, 2.2, Keep::Mixed);
    let mut row = contact_row(&pairs);
    carom_shapes::contact(&mut row, &pairs, carom_shapes::triangle, carom_shapes::triangle);
    box2d_polygons(&mut row, &pairs);
    parry_manifold(&mut row, &pairs, (parry::triangle, parry::triangle), sharp);
    parry_one_point(&mut row, &pairs, parry::triangle);
    row
}

fn octagon_octagon<'a>(keep: Keep) -> Row<'a> {
    let pairs = pairs(inputs::octagon, inputs::octagon, 3.0, keep);
    let mut row = contact_row(&pairs);
    carom_shapes::contact(&mut row, &pairs, carom_shapes::convex, carom_shapes::convex);
    box2d_polygons(&mut row, &pairs);
    parry_manifold(&mut row, &pairs, (parry::convex, parry::convex), sharp);
    parry_one_point(&mut row, &pairs, parry::convex);
    row
}

fn capsule_capsule<'a>(keep: Keep) -> Row<'a> {
    let pairs = pairs(inputs::capsule, inputs::capsule, 2.4, keep);
    let mut row = contact_row(&pairs);
    carom_shapes::contact(&mut row, &pairs, carom_shapes::capsule, carom_shapes::capsule);
    let capsules = each(&pairs, |it| (box2d::capsule(&it.a), box2d::capsule(&it.b)));
    row.add(BOX2D, "", capsules, |(a, b)| box2d::collide_capsules(a, b), box2d::read_depth);
    parry_manifold(&mut row, &pairs, (parry::capsule, parry::capsule), |pose, a, b, manifold| {
        parry::details::contact_manifold_capsule_capsule(pose, a, b, 0.0, manifold);
    });
    parry_one_point(&mut row, &pairs, parry::capsule);
    row
}

const CONTACT: [&str; 2] = ["contact, prepared", "contact, posed"];
const MANIFOLD: [&str; 2] = ["manifold, prepared", "manifold, posed"];

fn box2d_polygons(row: &mut Row<'_>, pairs: &[Pair]) {
    let polygons = each(pairs, |it| (box2d::polygon(&it.a), box2d::polygon(&it.b)));
    row.add(BOX2D, "", polygons, |(a, b)| box2d::collide_polygons(a, b), box2d::read_depth);
}

/// Uses a new manifold for each pair, since a cached one would contain the result. Creating one does not
/// allocate.
fn parry_manifold<'a, A: 'a, B: 'a>(
    row: &mut Row<'a>,
    pairs: &[Pair],
    shapes: Makers<A, B>,
    fill: impl Fn(&Pose, &A, &B, &mut Manifold) + Copy + 'a,
) {
    let ask = move |pose: &Pose, a: &A, b: &B| {
        let mut manifold = Manifold::new();
        fill(pose, a, b, &mut manifold);
        parry::depth(black_box(&manifold))
    };
    parry::add_posed(row, MANIFOLD, pairs, shapes, ask, |&depth| depth.into());
}

/// The manifold of two polygons without rounding.
fn sharp<S: PolygonalFeatureMap>(pose: &Pose, a: &S, b: &S, manifold: &mut Manifold) {
    parry::details::contact_manifold_pfm_pfm(pose, a, 0.0, None, b, 0.0, None, 0.0, manifold);
}

/// parry's general contact, which has one point where the others have two.
fn parry_one_point<'a, S: SupportMap + 'a>(
    row: &mut Row<'a>,
    pairs: &[Pair],
    shape: fn(&Solid) -> S,
) {
    let shapes = each(pairs, |it| (parry::relative(it), shape(&it.a), shape(&it.b)));
    let contact = parry::details::contact_support_map_support_map;
    row.add(
        PARRY,
        "one point",
        shapes,
        move |(pose, a, b)| contact(pose, a, b, 0.0),
        parry::read_contact,
    )
    .but(Comparability::Partial);
}
