//! Distances of disjoint shapes.

use parry2d::shape::SupportMap;

use super::distance_row;
use crate::carom_shapes;
use crate::harness::{Answer, Row};
use crate::inputs::{self, Keep, Make, Pair, Solid, each, pairs};
use crate::peers::{box2d, parry};
use crate::report::Bench;
use crate::results::{BOX2D, PARRY};

pub fn rows(bench: &mut Bench) {
    bench.row("distance obb-obb", obb_obb);
    bench.row("distance triangle-triangle", triangle_triangle);
    bench.row("distance octagon-octagon", octagon_octagon);
}

/// Disjoint pairs, up to a few sizes apart.
fn apart(make: Make) -> Vec<Pair> {
    pairs(make, make, 5.0, Keep::Apart)
}

fn obb_obb<'a>() -> Row<'a> {
    let pairs = apart(inputs::obb);
    let mut row = distance_row(&pairs);
    carom_shapes::distance(&mut row, &pairs, carom_shapes::rect, carom_shapes::rect);
    box2d_proxies(&mut row, &pairs);
    let variants = ["cuboids, prepared", "cuboids, posed"];
    let distance = parry::details::distance_cuboid_cuboid;
    parry::add_posed(&mut row, variants, &pairs, (parry::cuboid, parry::cuboid), distance, value);
    parry_gjk(&mut row, &pairs, parry::cuboid);
    row
}

fn triangle_triangle<'a>() -> Row<'a> {
    let pairs = apart(inputs::triangle);
    let mut row = distance_row(&pairs);
    carom_shapes::distance(&mut row, &pairs, carom_shapes::triangle, carom_shapes::triangle);
    box2d_proxies(&mut row, &pairs);
    parry_gjk(&mut row, &pairs, parry::triangle);
    parry_placed(&mut row, &pairs, parry::placed_triangle);
    row
}

fn octagon_octagon<'a>() -> Row<'a> {
    let pairs = apart(inputs::octagon);
    let mut row = distance_row(&pairs);
    carom_shapes::distance(&mut row, &pairs, carom_shapes::convex, carom_shapes::convex);
    box2d_proxies(&mut row, &pairs);
    parry_gjk(&mut row, &pairs, parry::convex);
    parry_placed(&mut row, &pairs, parry::placed_convex);
    row
}

fn value(distance: &f32) -> Answer {
    Answer::Value(f64::from(*distance))
}

fn box2d_proxies(row: &mut Row<'_>, pairs: &[Pair]) {
    row.add(BOX2D, "", each(pairs, box2d::distance_input), box2d::shape_distance, |it| {
        value(&it.distance)
    });
}

fn parry_gjk<'a, S: SupportMap + 'a>(row: &mut Row<'a>, pairs: &[Pair], shape: fn(&Solid) -> S) {
    let distance = parry::details::distance_support_map_support_map::<S, S>;
    parry::add_posed(row, ["gjk, prepared", "gjk, posed"], pairs, (shape, shape), distance, value);
}

fn parry_placed<'a, S: SupportMap + 'a>(
    row: &mut Row<'a>,
    pairs: &[Pair],
    placed: fn(&Solid) -> S,
) {
    let shapes = each(pairs, |it| (placed(&it.a), placed(&it.b)));
    let distance = parry::details::distance_support_map_support_map;
    row.add(
        PARRY,
        "gjk, placed",
        shapes,
        move |(a, b)| distance(&parry::Pose::IDENTITY, a, b),
        value,
    );
}
