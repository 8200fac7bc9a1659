//! Intersection tests.

use carom::prelude::{AsShape, Shape};
use parry2d::shape::{Shape as ParryShape, SharedShape, SupportMap};

use super::separation_row;
use crate::carom_shapes;
use crate::harness::{Answer, Row};
use crate::inputs::{self, Keep, Make, Pair, Solid, each, pairs};
use crate::peers::{box2d, parry};
use crate::report::Bench;
use crate::results::{BOX2D, Comparability, PARRY};

pub fn rows(bench: &mut Bench) {
    bench.row("circle-circle test", circle_circle);
    bench.row("box-circle test (aabb)", || box_circle(inputs::aabb, carom_shapes::aabb));
    bench.row("box-circle test (oriented)", || box_circle(inputs::obb, carom_shapes::rect));
    bench.row("aabb-aabb test", aabb_aabb);
    bench.row("obb-obb test", obb_obb);
    bench.row("triangle-triangle test", triangle_triangle);
    bench.row("octagon-octagon test", || octagon_octagon(Keep::Mixed));
    bench.row("octagon-octagon test, overlapping", || octagon_octagon(Keep::Overlapping));
    bench.row("octagon-octagon test, apart", || octagon_octagon(Keep::Apart));
    bench.row("capsule-capsule test", capsule_capsule);
    bench.row("point in octagon", point_in_octagon);
}

const VARIANTS: [&str; 2] = ["direct, prepared", "direct, posed"];

fn yes(answer: &bool) -> Answer {
    (*answer).into()
}

fn circle_circle<'a>() -> Row<'a> {
    let pairs = pairs(inputs::circle, inputs::circle, 2.8, Keep::Mixed);
    let mut row = separation_row(&pairs);
    carom_shapes::intersects(&mut row, &pairs, carom_shapes::circle, carom_shapes::circle);
    let circles = each(&pairs, |it| (box2d::circle(&it.a), box2d::circle(&it.b)));
    row.add(BOX2D, "manifold", circles, |(a, b)| box2d::meet(&box2d::collide_circles(a, b)), yes);
    let test = parry::details::intersection_test_ball_ball;
    let balls = each(&pairs, |it| {
        (parry::relative(it).translation, parry::ball(&it.a), parry::ball(&it.b))
    });
    row.add(PARRY, VARIANTS[0], balls, move |(offset, a, b)| test(*offset, a, b), yes)
        .but(Comparability::Prepared);
    let ball = |solid: &Solid| (parry::Vector::from(solid.center), parry::ball(solid));
    let balls = each(&pairs, |it| (ball(&it.a), ball(&it.b)));
    row.add(PARRY, VARIANTS[1], balls, move |((p, a), (q, b))| test(*q - *p, a, b), yes);
    parry_dyn(&mut row, &pairs, parry::ball, parry::ball);
    row
}

fn box_circle<'a, B>(make_box: Make, subject_box: fn(&Solid) -> B) -> Row<'a>
where
    B: AsShape + Into<Shape> + 'a,
{
    let pairs = pairs(make_box, inputs::circle, 2.8, Keep::Mixed);
    let mut row = separation_row(&pairs);
    carom_shapes::intersects(&mut row, &pairs, subject_box, carom_shapes::circle);
    let shapes = each(&pairs, |it| (box2d::polygon(&it.a), box2d::circle(&it.b)));
    let manifold = box2d::collide_polygon_and_circle;
    row.add(BOX2D, "manifold", shapes, move |(a, b)| box2d::meet(&manifold(a, b)), yes);
    let test = parry::details::intersection_test_point_query_ball::<parry::Cuboid>;
    let shapes = (parry::cuboid as fn(&Solid) -> _, parry::ball as fn(&Solid) -> _);
    parry::add_posed(
        &mut row,
        VARIANTS,
        &pairs,
        shapes,
        move |pose, a, b| test(pose, a, b).intersecting,
        yes,
    );
    parry_dyn(&mut row, &pairs, parry::cuboid, parry::ball);
    row
}

fn aabb_aabb<'a>() -> Row<'a> {
    let pairs = pairs(inputs::aabb, inputs::aabb, 2.8, Keep::Mixed);
    let mut row = separation_row(&pairs);
    carom_shapes::intersects(&mut row, &pairs, carom_shapes::aabb, carom_shapes::aabb);
    let boxes = each(&pairs, |it| (box2d::polygon(&it.a), box2d::polygon(&it.b)));
    row.add(BOX2D, "manifold", boxes, |(a, b)| box2d::meet(&box2d::collide_polygons(a, b)), yes);
    let boxes = each(&pairs, |it| (parry::aabb(&it.a), parry::aabb(&it.b)));
    row.add(PARRY, "aabb", boxes, |(a, b)| parry::BoundingVolume::intersects(a, b), yes);
    row
}

fn obb_obb<'a>() -> Row<'a> {
    let pairs = pairs(inputs::obb, inputs::obb, 2.8, Keep::Mixed);
    let mut row = separation_row(&pairs);
    carom_shapes::intersects(&mut row, &pairs, carom_shapes::rect, carom_shapes::rect);
    box2d_polygons(&mut row, &pairs);
    let test = parry::details::intersection_test_cuboid_cuboid;
    parry::add_posed(&mut row, VARIANTS, &pairs, (parry::cuboid, parry::cuboid), test, yes);
    parry_dyn(&mut row, &pairs, parry::cuboid, parry::cuboid);
    row
}

fn triangle_triangle<'a>() -> Row<'a> {
    let pairs = pairs(inputs::triangle, inputs::triangle, 2.2, Keep::Mixed);
    let mut row = separation_row(&pairs);
    carom_shapes::intersects(&mut row, &pairs, carom_shapes::triangle, carom_shapes::triangle);
    box2d_polygons(&mut row, &pairs);
    parry_gjk(&mut row, &pairs, parry::triangle);
    parry_placed(&mut row, &pairs, parry::placed_triangle);
    parry_dyn(&mut row, &pairs, parry::triangle, parry::triangle);
    row
}

fn octagon_octagon<'a>(keep: Keep) -> Row<'a> {
    let pairs = pairs(inputs::octagon, inputs::octagon, 3.0, keep);
    let mut row = separation_row(&pairs);
    carom_shapes::intersects(&mut row, &pairs, carom_shapes::convex, carom_shapes::convex);
    box2d_polygons(&mut row, &pairs);
    parry_gjk(&mut row, &pairs, parry::convex);
    parry_placed(&mut row, &pairs, parry::placed_convex);
    parry_dyn(&mut row, &pairs, parry::convex, parry::convex);
    row
}

fn capsule_capsule<'a>() -> Row<'a> {
    let pairs = pairs(inputs::capsule, inputs::capsule, 2.4, Keep::Mixed);
    let mut row = separation_row(&pairs);
    carom_shapes::intersects(&mut row, &pairs, carom_shapes::capsule, carom_shapes::capsule);
    let capsules = each(&pairs, |it| (box2d::capsule(&it.a), box2d::capsule(&it.b)));
    row.add(BOX2D, "segment distance", capsules.clone(), |(a, b)| box2d::capsules_meet(a, b), yes);
    row.add(BOX2D, "manifold", capsules, |(a, b)| box2d::meet(&box2d::collide_capsules(a, b)), yes);
    let variants = ["segment distance, prepared", "segment distance, posed"];
    let meet = |pose: &parry::Pose, a: &parry::Capsule, b: &parry::Capsule| {
        parry::details::distance_segment_segment(pose, &a.segment, &b.segment)
            <= a.radius + b.radius
    };
    parry::add_posed(&mut row, variants, &pairs, (parry::capsule, parry::capsule), meet, yes);
    parry_gjk(&mut row, &pairs, parry::capsule);
    parry_dyn(&mut row, &pairs, parry::capsule, parry::capsule);
    row
}

fn point_in_octagon<'a>() -> Row<'a> {
    let pairs = pairs(inputs::point, inputs::octagon, 1.6, Keep::Mixed);
    let mut row = separation_row(&pairs);
    carom_shapes::intersects(&mut row, &pairs, carom_shapes::point, carom_shapes::convex);
    carom_shapes::contains(&mut row, &pairs, carom_shapes::point, carom_shapes::convex);
    let shapes = each(&pairs, |it| (box2d::vec2(it.a.center), box2d::polygon(&it.b)));
    row.add(BOX2D, "", shapes, |(point, b)| box2d::point_in_polygon(b, *point), yes);
    let point = |it: &Pair| parry::Vector::from(it.a.center);
    let shapes = each(&pairs, |it| (point(it), parry::vectors(&it.b.points)));
    let inside = parry2d::utils::point_in_convex_poly2d;
    row.add(PARRY, "point_in_convex_poly2d", shapes, move |(point, b)| inside(*point, b), yes);
    let shapes = each(&pairs, |it| (point(it), parry::placed_convex(&it.b)));
    let inside = <parry::ConvexPolygon as parry::PointQuery>::contains_local_point;
    row.add(PARRY, "contains", shapes, move |(point, b)| inside(b, *point), yes);
    row
}

fn box2d_polygons(row: &mut Row<'_>, pairs: &[Pair]) {
    let polygons = each(pairs, |it| (box2d::polygon(&it.a), box2d::polygon(&it.b)));
    row.add(BOX2D, "manifold", polygons, |(a, b)| box2d::meet(&box2d::collide_polygons(a, b)), yes);
    let proxies = each(pairs, box2d::distance_input);
    row.add(BOX2D, "distance", proxies, |it| box2d::shape_distance(it).distance <= 0.0, yes);
}

fn parry_gjk<'a, S: SupportMap + 'a>(row: &mut Row<'a>, pairs: &[Pair], shape: fn(&Solid) -> S) {
    let test = parry::details::intersection_test_support_map_support_map::<S, S>;
    parry::add_posed(row, VARIANTS, pairs, (shape, shape), test, yes);
}

fn parry_placed<'a, S: SupportMap + 'a>(
    row: &mut Row<'a>,
    pairs: &[Pair],
    placed: fn(&Solid) -> S,
) {
    let test = parry::details::intersection_test_support_map_support_map;
    let shapes = each(pairs, |it| (placed(&it.a), placed(&it.b)));
    row.add(PARRY, "direct, placed", shapes, move |(a, b)| test(&parry::Pose::IDENTITY, a, b), yes);
}

fn parry_dyn<A: ParryShape, B: ParryShape>(
    row: &mut Row<'_>,
    pairs: &[Pair],
    a: fn(&Solid) -> A,
    b: fn(&Solid) -> B,
) {
    let shapes = each(pairs, |it| {
        let (a, b) = (SharedShape::new(a(&it.a)), SharedShape::new(b(&it.b)));
        (parry::pose(&it.a), a, parry::pose(&it.b), b)
    });
    let ask = |(p, a, q, b): &(_, SharedShape, _, SharedShape)| {
        parry::intersection_test(p, &*a.0, q, &*b.0).is_ok_and(|it| it.intersecting)
    };
    row.add(PARRY, "dyn", shapes, ask, yes);
}
