//! What exact touches cost: neighbours on a grid, against the same neighbours moved a little
//! apart and a little into each other. A tile game is made of touches; they may cost twice as
//! much, so the ratio here has to be 0.5 or more.

use carom::prelude::*;

use crate::harness::{Answer, Row, Verdict};
use crate::inputs::{COUNT, Point as At, Random};
use crate::report::Bench;
use crate::results::CAROM;

pub fn rows(bench: &mut Bench) {
    bench.row("exact touches aabb intersects", || intersects(STEP, aabb));
    bench.row("exact touches aabb contact", || contact(STEP, aabb));
    bench.row("exact touches rect intersects", || intersects(STEP, rect));
    bench.row("exact touches square intersects", || intersects(STEP, square));
    bench.row("exact touches square overlaps", || overlaps(STEP, square));
    bench.row("exact touches square contact", || contact(STEP, square));
    bench.row("exact touches diamond intersects", || intersects(DIAGONAL, diamond));
    bench.row("exact touches diamond overlaps", || overlaps(DIAGONAL, diamond));
    bench.row("exact touches circle intersects", || intersects(STRAIGHT, circle));
}

/// The neighbours at which tiles of size 2 touch: all eight, the straight or the diagonal ones.
const STEP: &[At] = &[
    [2.0, 0.0],
    [2.0, 2.0],
    [0.0, 2.0],
    [-2.0, 2.0],
    [-2.0, 0.0],
    [-2.0, -2.0],
    [0.0, -2.0],
    [2.0, -2.0],
];
const STRAIGHT: &[At] = &[[2.0, 0.0], [0.0, 2.0], [-2.0, 0.0], [0.0, -2.0]];
const DIAGONAL: &[At] = &[[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];

fn aabb([x, y]: At) -> Aabb {
    Aabb::from_center_half([x, y], [1.0, 1.0])
}

fn rect([x, y]: At) -> Rect {
    Rect::new([x, y], [1.0, 1.0], 0.0)
}

fn square([x, y]: At) -> ConvexPolygon {
    ConvexPolygon::new(&[
        [x - 1.0, y - 1.0],
        [x + 1.0, y - 1.0],
        [x + 1.0, y + 1.0],
        [x - 1.0, y + 1.0],
    ])
}

fn diamond([x, y]: At) -> ConvexPolygon {
    ConvexPolygon::new(&[[x + 1.0, y], [x, y + 1.0], [x - 1.0, y], [x, y - 1.0]])
}

fn circle(center: At) -> Circle {
    Circle::new(center, 1.0)
}

fn intersects<'a, S: Query + AsShape + 'a>(steps: &[At], make: fn(At) -> S) -> Row<'a> {
    row(steps, make, |a, b| a.intersects(b), |&yes| yes, [false, true, true])
}

fn overlaps<'a, S: Query + AsShape + 'a>(steps: &[At], make: fn(At) -> S) -> Row<'a> {
    row(steps, make, |a, b| a.overlaps(b), |&yes| yes, [false, false, true])
}

fn contact<'a, S: Query + AsShape + 'a>(steps: &[At], make: fn(At) -> S) -> Row<'a> {
    row(steps, make, |a, b| a.contact(b), Option::is_some, [false, true, true])
}

/// `expected`: what is right for shapes apart, in touch and overlapping.
fn row<'a, S: 'a, R>(
    steps: &[At],
    make: fn(At) -> S,
    ask: impl Fn(&S, &S) -> R + Copy + 'a,
    is_yes: fn(&R) -> bool,
    expected: [bool; 3],
) -> Row<'a> {
    // Answers are read as "is this right?", so the truth is yes throughout.
    let mut row = Row::new(vec![Answer::Yes; COUNT], |_, answer| match answer {
        Answer::Yes => Verdict::Agrees,
        _ => Verdict::Differs,
    });
    let scenes = [("shifted apart", 65.0 / 64.0), (CAROM, 1.0), ("shifted into", 63.0 / 64.0)];
    for ((name, stretch), expected) in scenes.into_iter().zip(expected) {
        let mut random = Random::new(5);
        let pairs = (0..COUNT).map(|_| {
            let [x, y] = [random.below(64) as f32, random.below(64) as f32];
            let [dx, dy] = steps[random.below(steps.len())].map(|step| step * stretch);
            (make([x, y]), make([x + dx, y + dy]))
        });
        let read = |answer: &R| (is_yes(answer) == expected).into();
        row.add(name, "", pairs.collect(), move |(a, b)| ask(a, b), read);
    }
    row
}
