//! The cost of exact touches: neighbors on a grid, compared with the same neighbors moved slightly apart
//! and slightly into each other. Touches are the usual case in tile games. They may cost twice as
//! much, so the ratio must be at least 0.5.

use std::cell::{Cell as Toggle, RefCell};

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
    bench.row("exact touches scene of aabbs", || scene(|at| aabb(at).into()));
    bench.row("exact touches scene of rects", || scene(|at| rect(at).into()));
    bench.row("exact touches scene of circles", || scene(|at| circle(at).into()));
    bench.row("exact touches scene of diamonds", || scene(|at| diamond(at).into()));
}

/// The offsets at which tiles of size 2 touch: all eight, the straight or the diagonal ones.
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
    Aabb::from_center_half_size([x, y], [1.0, 1.0])
}

fn rect([x, y]: At) -> Obb {
    Obb::new([x, y], [1.0, 1.0], 0.0)
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

fn intersects<'a, S: AsShape + 'a>(steps: &[At], make: fn(At) -> S) -> Row<'a> {
    row(
        steps,
        make,
        |a, b| a.as_shape().intersects(b),
        |&yes| yes,
        [Some(false), Some(true), Some(true)],
    )
}

fn overlaps<'a, S: AsShape + 'a>(steps: &[At], make: fn(At) -> S) -> Row<'a> {
    row(
        steps,
        make,
        |a, b| a.as_shape().overlaps(b),
        |&yes| yes,
        [Some(false), Some(false), Some(true)],
    )
}

fn contact<'a, S: AsShape + 'a>(steps: &[At], make: fn(At) -> S) -> Row<'a> {
    row(
        steps,
        make,
        |a, b| a.as_shape().contact(b),
        Option::is_some,
        [None, Some(true), Some(true)],
    )
}

/// A frame of a world of neighbors that all move: the total cost for a game.
fn scene<'a>(make: fn(At) -> Shape) -> Row<'a> {
    let mut row = Row::new(vec![Answer::Yes], |_, answer| match answer {
        Answer::Yes => Verdict::Agrees,
        _ => Verdict::Differs,
    });
    for (name, stretch) in SCENES.into_iter().filter(|(name, _)| *name != APART) {
        let places = (0..1024).map(|i| Vec2::new((i % 32) as f32, (i / 32) as f32) * 2.0 * stretch);
        let places: Vec<Vec2> = places.collect();
        let mut world = World::new();
        let bodies = places.iter().map(|&place| {
            let body = world.add_body(Body::moving(place)).expect("it is finite");
            world.add_collider(body, Collider::new(make([0.0, 0.0]))).expect("it is finite");
            body
        });
        let bodies: Vec<BodyKey> = bodies.collect();
        let (world, aside) = (RefCell::new(world), Toggle::new(0.0));
        let ask = move |()| {
            let mut world = world.borrow_mut();
            aside.set(1.0 - aside.get());
            for (&body, place) in bodies.iter().zip(&places) {
                world.set_position(body, *place + aside.get()).expect("it is there");
            }
            world.update().len()
        };
        row.add(name, "", vec![()], move |&it| ask(it), |&met| (met > 1000).into());
    }
    row
}

/// Disjoint shapes have no contact, so rows of contacts leave them out.
const APART: &str = "shifted apart";

/// Neighbors that are slightly apart, touching, and slightly overlapping.
const SCENES: [(&str, f32); 3] =
    [(APART, 65.0 / 64.0), (CAROM, 1.0), ("shifted into", 63.0 / 64.0)];

/// `expected` has the correct results for disjoint, touching and overlapping shapes; `None` if not tested.
fn row<'a, S: 'a, R>(
    steps: &[At],
    make: fn(At) -> S,
    ask: impl Fn(&S, &S) -> R + Copy + 'a,
    is_yes: fn(&R) -> bool,
    expected: [Option<bool>; 3],
) -> Row<'a> {
    // A result is whether it is correct, so the expected result is always yes.
    let mut row = Row::new(vec![Answer::Yes; COUNT], |_, answer| match answer {
        Answer::Yes => Verdict::Agrees,
        _ => Verdict::Differs,
    });
    for ((name, stretch), expected) in SCENES.into_iter().zip(expected) {
        let Some(expected) = expected else { continue };
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
