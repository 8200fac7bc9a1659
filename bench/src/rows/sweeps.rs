//! Sweeps: when does a moving shape first touch another?

use parry2d::shape::SupportMap;

use super::motion_row;
use crate::carom_shapes;
use crate::harness::{Answer, Row};
use crate::inputs::{self, Pair, RAY_LENGTH, each, sweeps};
use crate::peers::box2d;
use crate::peers::parry::{self, Makers, Pose, Vector};
use crate::report::Bench;
use crate::results::{BOX2D, Comparability, PARRY};

pub fn rows(bench: &mut Bench) {
    bench.row("sweep obb-obb", || {
        let pairs = sweeps(inputs::obb, inputs::obb, 4.0);
        let mut row = peers(&pairs, (parry::cuboid, parry::cuboid));
        carom_shapes::sweep(&mut row, &pairs, carom_shapes::rect, carom_shapes::rect);
        row
    });
    bench.row("sweep circle-box", || {
        let pairs = sweeps(inputs::circle, inputs::obb, 4.0);
        let mut row = peers(&pairs, (parry::ball, parry::cuboid));
        carom_shapes::sweep(&mut row, &pairs, carom_shapes::circle, carom_shapes::rect);
        row
    });
    bench.row("sweep octagon-octagon", || {
        let pairs = sweeps(inputs::octagon, inputs::octagon, 4.0);
        let mut row = peers(&pairs, (parry::convex, parry::convex));
        carom_shapes::sweep(&mut row, &pairs, carom_shapes::convex, carom_shapes::convex);
        row
    });
}

fn peers<'a, A, B>(pairs: &[Pair], (a, b): Makers<A, B>) -> Row<'a>
where
    A: SupportMap + 'a,
    B: SupportMap + 'a,
{
    let mut row = motion_row(pairs);
    let inputs = each(pairs, box2d::cast_input);
    row.add(BOX2D, "shape cast", inputs, box2d::shape_cast, box2d::read_cast);
    let inputs = each(pairs, box2d::toi_input);
    row.add(BOX2D, "time of impact", inputs, box2d::time_of_impact, box2d::read_toi);
    // parry moves the second shape, so the pair is swapped.
    let cast = |pose: &Pose, motion: Vector, b: &B, a: &A| {
        let options = parry::ShapeCastOptions::with_max_time_of_impact(1.0);
        parry::details::cast_shapes_support_map_support_map(pose, motion, b, a, options)
    };
    let shapes =
        each(pairs, |it| (parry::swapped(it), parry::local_motion(it), b(&it.b), a(&it.a)));
    row.add(PARRY, "prepared", shapes, move |(pose, motion, b, a)| cast(pose, *motion, b, a), read)
        .but(Comparability::Prepared);
    let shapes = each(pairs, |it| {
        (parry::pose(&it.b), parry::pose(&it.a), Vector::from(it.motion), b(&it.b), a(&it.a))
    });
    let ask = move |(p, q, motion, b, a): &(Pose, Pose, Vector, B, A)| {
        cast(&p.inv_mul(q), p.rotation.inverse() * *motion, b, a)
    };
    row.add(PARRY, "posed", shapes, ask, read);
    row
}

fn read(hit: &Option<parry::ShapeCastHit>) -> Answer {
    hit.map(|hit| hit.time_of_impact * RAY_LENGTH).into()
}
