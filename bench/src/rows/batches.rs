//! One shape against many: in one call, and one by one. The time is for all of them.

use carom::prelude::*;
use carom::query::intersects_each;

use crate::harness::{Answer, Row, Verdict};
use crate::inputs::Random;
use crate::report::Bench;
use crate::results::CAROM;

/// The number of shapes in a batch, and the number of shapes that are each tested against a batch.
const MANY: usize = 1024;
const ONES: usize = 16;

pub fn rows(bench: &mut Bench) {
    bench.row("batch of 1024 circle-circle", || batch(|at, size, _| Circle::new(at, size)));
    bench.row("batch of 1024 aabb-aabb", || {
        batch(|at, size, _| Aabb::from_center_half_size(at, [size, size]))
    });
    bench.row("batch of 1024 mixed shapes", || {
        batch(|at, size, angle| match angle {
            _ if angle < 2.0 => Shape::from(Circle::new(at, size)),
            _ if angle < 4.0 => Obb::new(at, [size, size / 2.0], angle).into(),
            _ => Triangle::new(at, at + Vec2::new(size, 0.0), at + Vec2::new(0.0, size)).into(),
        })
    });
}

fn batch<'a, S: AsShape + Clone + 'a>(make: fn(Vec2, f32, f32) -> S) -> Row<'a> {
    let mut random = Random::new(6);
    let mut shape = || {
        let at = Vec2::from(random.in_disc(20.0));
        make(at, 0.5 + random.below(100) as f32 / 100.0, random.below(600) as f32 / 100.0)
    };
    let ones: Vec<S> = (0..ONES).map(|_| shape()).collect();
    let many: Vec<S> = (0..MANY).map(|_| shape()).collect();
    let truth: Vec<usize> = ones.iter().map(|one| count(&one_by_one(one, &many))).collect();
    // A result is whether the count is correct, so the expected result is always yes.
    let mut row = Row::new(vec![Answer::Yes; ONES], |_, answer| match answer {
        Answer::Yes => Verdict::Agrees,
        _ => Verdict::Differs,
    });
    let inputs: Vec<(S, usize)> = ones.into_iter().zip(truth).collect();
    let right = |&(found, truth): &(usize, usize)| (found == truth).into();
    let all = many.clone();
    let ask = move |(one, truth): &(S, usize)| (count(&intersects_each(one, &all)), *truth);
    row.add(CAROM, "intersects_each", inputs.clone(), ask, right);
    let ask = move |(one, truth): &(S, usize)| (count(&one_by_one(one, &many)), *truth);
    row.add("one by one", "", inputs, ask, right);
    row
}

fn one_by_one<S: AsShape>(one: &S, many: &[S]) -> Vec<bool> {
    many.iter().map(|other| one.as_shape().intersects(other)).collect()
}

fn count(answers: &[bool]) -> usize {
    answers.iter().filter(|&&yes| yes).count()
}
