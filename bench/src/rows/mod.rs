//! The rows, one file per topic.

mod batches;
mod contacts;
mod distances;
mod frames;
mod interleaved;
mod masks;
mod methods;
mod motions;
mod outlines;
mod queries;
mod rays;
mod simd;
mod sweeps;
mod tests;
mod touches;
mod worlds;

use crate::harness::{Answer, Row, Verdict};
use crate::inputs::{Pair, RAY_LENGTH};
use crate::oracle::Gap;
use crate::report::Bench;

/// Pairs this close to touching count as borderline (shapes are about 1 in size, coordinates up to 12).
const CLOSE: f64 = 1e-4;

/// The tolerance of depths and distances.
const VALUE_TOLERANCE: f64 = 1e-3;

/// Errors up to this are within the slop of Box2D (0.005) and count as borderline.
const VALUE_SLOP: f64 = 1e-2;

/// The tolerance of hit positions: Box2D stops 0.005 short.
const HIT_TOLERANCE: f64 = 0.02;

pub fn run(bench: &mut Bench) {
    tests::rows(bench);
    contacts::rows(bench);
    distances::rows(bench);
    sweeps::rows(bench);
    rays::rows(bench);
    outlines::rows(bench);
    touches::rows(bench);
    batches::rows(bench);
    masks::rows(bench);
    frames::rows(bench);
    queries::rows(bench);
    worlds::rows(bench);
    motions::rows(bench);
    interleaved::rows(bench);
    methods::rows(bench);
    simd::rows(bench);
}

fn gaps(pairs: &[Pair]) -> Vec<Gap> {
    pairs.iter().map(|pair| Gap::between(&pair.a, &pair.b)).collect()
}

/// Judges yes-or-no results, given the signed distance of each input.
fn test_row<'a>(separations: Vec<f64>) -> Row<'a> {
    let truth: Vec<Answer> = separations.iter().map(|&it| (it <= 0.0).into()).collect();
    Row::new(truth.clone(), move |i, answer| match answer == truth[i] {
        true => Verdict::Agrees,
        false if separations[i].abs() <= CLOSE => Verdict::Borderline,
        false => Verdict::Differs,
    })
}

fn separation_row<'a>(pairs: &[Pair]) -> Row<'a> {
    test_row(gaps(pairs).iter().map(Gap::separation).collect())
}

/// Judges depths; disjoint shapes have none.
fn contact_row<'a>(pairs: &[Pair]) -> Row<'a> {
    let depths: Vec<f64> = gaps(pairs).iter().map(|gap| -gap.separation()).collect();
    let truth =
        depths.iter().map(|&it| if it >= 0.0 { Answer::Value(it) } else { Answer::No }).collect();
    Row::new(truth, move |i, answer| match answer {
        Answer::No if depths[i] < 0.0 => Verdict::Agrees,
        Answer::No => value_verdict(0.0, depths[i]),
        Answer::Value(depth) => value_verdict(depth, depths[i]),
        Answer::Yes => Verdict::Differs,
    })
}

fn distance_row<'a>(pairs: &[Pair]) -> Row<'a> {
    let distances: Vec<f64> = gaps(pairs).iter().map(|gap| gap.separation().max(0.0)).collect();
    let truth = distances.iter().map(|&it| Answer::Value(it)).collect();
    Row::new(truth, move |i, answer| match answer {
        Answer::Value(distance) => value_verdict(distance, distances[i]),
        _ => Verdict::Differs,
    })
}

fn value_verdict(value: f64, truth: f64) -> Verdict {
    match (value - truth).abs() {
        off if off <= VALUE_TOLERANCE => Verdict::Agrees,
        off if off <= VALUE_SLOP => Verdict::Borderline,
        _ => Verdict::Differs,
    }
}

/// Judges the position of the first hit along a motion of length `RAY_LENGTH`.
/// A grazing hit is judged by the distance of the shapes at the result.
fn motion_row<'a>(pairs: &[Pair]) -> Row<'a> {
    let length = f64::from(RAY_LENGTH);
    let motions: Vec<_> = pairs.iter().map(|pair| pair.motion).collect();
    let gaps = gaps(pairs);
    let along: Vec<_> = gaps.iter().zip(&motions).map(|(gap, &motion)| gap.along(motion)).collect();
    let truth =
        along.iter().map(|it| it.1.map_or(Answer::No, |t| Answer::Value(t * length))).collect();
    Row::new(truth, move |i, answer| match (answer, along[i]) {
        (Answer::No, (_, None)) => Verdict::Agrees,
        (Answer::Value(at), (_, Some(t))) if (at - t * length).abs() <= HIT_TOLERANCE => {
            Verdict::Agrees
        }
        (Answer::Value(at), (_, Some(_))) => {
            let displacement = motions[i].map(|x| f64::from(x) * at / length);
            let close = gaps[i].separation_at(displacement).abs() <= HIT_TOLERANCE;
            if close { Verdict::Borderline } else { Verdict::Differs }
        }
        (_, (least, _)) if least.abs() <= HIT_TOLERANCE => Verdict::Borderline,
        _ => Verdict::Differs,
    })
}
