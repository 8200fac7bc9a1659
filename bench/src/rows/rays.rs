//! Ray casts: the first hit and its normal.

use super::motion_row;
use crate::carom_shapes;
use crate::harness::{Answer, Row};
use crate::inputs::{self, Pair, RAY_LENGTH, Solid, each, rays};
use crate::peers::{box2d, parry};
use crate::report::Bench;
use crate::results::{BOX2D, Comparability, PARRY};

pub fn rows(bench: &mut Bench) {
    bench.row("ray-circle", || {
        let pairs = rays(inputs::circle);
        let mut row = box2d_row(&pairs, box2d::circle, box2d::ray_cast_circle);
        parry_rays(&mut row, &pairs, parry::ball);
        carom_shapes::raycast(&mut row, &pairs, carom_shapes::circle);
        row
    });
    bench.row("ray-box", || {
        let pairs = rays(inputs::aabb);
        let mut row = box2d_row(&pairs, box2d::polygon, box2d::ray_cast_polygon);
        parry_rays(&mut row, &pairs, parry::cuboid);
        let boxes = each(&pairs, |it| (parry::aabb(&it.b), parry::ray(it)));
        parry_local(&mut row, "aabb, placed", boxes);
        carom_shapes::raycast(&mut row, &pairs, carom_shapes::aabb);
        row
    });
    bench.row("ray-obb", || {
        let pairs = rays(inputs::obb);
        let mut row = box2d_row(&pairs, box2d::polygon, box2d::ray_cast_polygon);
        parry_rays(&mut row, &pairs, parry::cuboid);
        carom_shapes::raycast(&mut row, &pairs, carom_shapes::rect);
        row
    });
    bench.row("ray-octagon", || {
        let pairs = rays(inputs::octagon);
        let mut row = box2d_row(&pairs, box2d::polygon, box2d::ray_cast_polygon);
        parry_rays(&mut row, &pairs, parry::convex);
        let octagons = each(&pairs, |it| (parry::placed_convex(&it.b), parry::ray(it)));
        parry_local(&mut row, "placed", octagons);
        carom_shapes::raycast(&mut row, &pairs, carom_shapes::convex);
        row
    });
    bench.row("ray-capsule", || {
        let pairs = rays(inputs::capsule);
        let mut row = box2d_row(&pairs, box2d::capsule, box2d::ray_cast_capsule);
        parry_rays(&mut row, &pairs, parry::capsule);
        carom_shapes::raycast(&mut row, &pairs, carom_shapes::capsule);
        row
    });
}

fn box2d_row<'a, S: 'a>(
    pairs: &[Pair],
    shape: fn(&Solid) -> S,
    cast: impl Fn(&S, &box2d::b2RayCastInput) -> box2d::b2CastOutput + 'a,
) -> Row<'a> {
    let mut row = motion_row(pairs);
    let shapes = each(pairs, |it| (shape(&it.b), box2d::ray_input(it)));
    row.add(BOX2D, "", shapes, move |(shape, ray)| cast(shape, ray), box2d::read_cast);
    row
}

fn parry_rays<'a, S>(row: &mut Row<'a>, pairs: &[Pair], shape: fn(&Solid) -> S)
where
    S: parry::RayCast + Clone + 'a,
{
    let local = each(pairs, |it| (shape(&it.b), parry::local_ray(it)));
    parry_local(row, "prepared", local.clone()).but(Comparability::Prepared);
    let ask = |(shape, ray): &(S, parry::Ray)| shape.cast_local_ray(ray, RAY_LENGTH, true);
    row.add(PARRY, "without normal", local, ask, |&time| time.into()).but(Comparability::Partial);
    let posed = each(pairs, |it| (parry::pose(&it.b), shape(&it.b), parry::ray(it)));
    let ask = |(pose, shape, ray): &(parry::Pose, S, parry::Ray)| {
        shape.cast_ray_and_get_normal(pose, ray, RAY_LENGTH, true)
    };
    row.add(PARRY, "posed", posed, ask, read);
}

/// Rays in the local space of the shape.
fn parry_local<'r, 'a, S: parry::RayCast + 'a>(
    row: &'r mut Row<'a>,
    variant: &'static str,
    shapes: Vec<(S, parry::Ray)>,
) -> &'r mut Row<'a> {
    let ask =
        |(shape, ray): &(S, parry::Ray)| shape.cast_local_ray_and_get_normal(ray, RAY_LENGTH, true);
    row.add(PARRY, variant, shapes, ask, read)
}

fn read(hit: &Option<parry::RayIntersection>) -> Answer {
    hit.map(|hit| hit.time_of_impact).into()
}
