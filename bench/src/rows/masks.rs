//! Pixel masks: against pygame's, and against plain shapes.

use std::f32::consts::TAU;

use carom::fit;
use carom::prelude::*;

use crate::harness::{Answer, Row, Verdict};
use crate::peers::pygame::Masks;
use crate::report::Bench;
use crate::results::CAROM;

/// Number of tests per pass.
const MANY: usize = 256;
const PYGAME: &str = "pygame";

pub fn rows(bench: &mut Bench) {
    for side in [64, 256, 1024] {
        // Every word has pixels and none is shared, so that no test can stop early. With noise, no test can
        // skip words either.
        for (name, patterns, at) in [
            ("miss aligned", ["even", "odd"], [0, 0]),
            ("miss unaligned", ["even", "even"], [7, 3]),
            ("miss noise aligned", ["noise", "rest"], [0, 0]),
            ("miss noise unaligned", ["noise", "rest"], [7, 3]),
        ] {
            bench.row(&format!("mask {side} {name}"), || overlap_row(side, patterns, at));
        }
        // A sixteenth of the width and height is set, at opposite corners.
        let row = || overlap_row(side, ["first", "last"], [5, 3]);
        bench.row(&format!("mask {side} sparse"), row);
    }
    let disc = disc(64);
    for (name, other) in [
        ("circle", Shape::from(Circle::new([0.0, 0.0], 12.0))),
        ("box", Aabb::new([-12.0, -8.0], [12.0, 8.0]).into()),
        ("turned box", Obb::new([0.0, 0.0], [12.0, 8.0], 0.4).into()),
    ] {
        bench.row(&format!("mask 64-{name} test"), || against_row(&disc, &other));
    }
    bench.row("mask 1024 outline", || {
        let sprite = self::disc(1024);
        let mut row = Row::new(vec![Answer::Yes], agrees(Answer::Yes));
        let outline = |sprite: &Bitmap| fit::polygons_around(sprite, 1.0);
        row.add(CAROM, "", vec![sprite], outline, |found| (!found.is_empty()).into());
        row
    });
}

/// Tests whether two bitmaps share a pixel.
fn overlap_row<'a>(side: u32, patterns: [&str; 2], at: [i32; 2]) -> Row<'a> {
    let [a, b] = patterns.map(|pattern| bitmap(side, pattern, at));
    let mut row = Row::new(vec![Answer::No; MANY], agrees(Answer::No));
    let [mask_a, mask_b] = [&a, &b].map(|bits| Mask::new([0.0, 0.0], 1.0, bits.clone()));
    let placed = mask_b.translated(at.map(|at| at as f32));
    row.add(CAROM, "bitmaps", vec![at; MANY], move |&at| a.overlaps_at(&b, at), |&yes| yes.into());
    row.add(CAROM, "masks", vec![(); MANY], move |()| mask_a.overlaps(&placed), |&yes| yes.into());
    if let Some(mut masks) = Masks::start(side, patterns, at) {
        let answers = vec![masks.overlap.into(); MANY];
        row.add_timed(PYGAME, "", answers, move || masks.time(MANY));
    }
    row
}

/// A mask against shapes at its boundary, all around it: about half of them intersect.
fn against_row<'a>(disc: &Bitmap, other: &Shape) -> Row<'a> {
    let mask = Mask::new([-32.0, -32.0], 1.0, disc.clone());
    let places = (0..MANY).map(|i| {
        let (turn, away) =
            (i as f32 / MANY as f32 * TAU, 32.0 + 12.0 * ((i * 37 % 64) as f32 / 32.0 - 1.0));
        other.translated(Vec2::new(turn.cos(), turn.sin()) * away)
    });
    let places: Vec<Shape> = places.collect();
    let slow = |other: &Shape| {
        disc.pixels().any(|pixel| mask.pixel_shape(pixel).is_some_and(|it| it.overlaps(other)))
    };
    let truth: Vec<Answer> = places.iter().map(|place| slow(place).into()).collect();
    let expected = truth.clone();
    let mut row = Row::new(truth, move |i, answer| verdict(answer == expected[i]));
    row.add(CAROM, "", places, move |place| mask.overlaps(place), |&yes| yes.into());
    row
}

fn agrees(truth: Answer) -> impl Fn(usize, Answer) -> Verdict {
    move |_, answer| verdict(answer == truth)
}

fn verdict(is_right: bool) -> Verdict {
    if is_right { Verdict::Agrees } else { Verdict::Differs }
}

/// Creates the same bitmaps as the script of pygame.
fn bitmap(side: u32, pattern: &str, at: [i32; 2]) -> Bitmap {
    let (edge, [right, down]) = (side / 16, at.map(|at| at as u32));
    Bitmap::from_fn(side, side, |x, y| match pattern {
        "even" => x % 2 == 0,
        "odd" => x % 2 == 1,
        "first" => x < edge && y < edge,
        "last" => x >= side - edge && y >= side - edge,
        "noise" => noise(x, y),
        _ => !noise(x + right, y + down),
    })
}

/// Pseudorandom bits.
fn noise(x: u32, y: u32) -> bool {
    let mix = |bits: u32, by: u32| (bits ^ bits >> 15).wrapping_mul(by);
    mix(mix(x << 16 | y, 0x85EB_CA6B), 0xC2B2_AE35) >> 31 == 1
}

/// A disc that fills a square.
fn disc(side: u32) -> Bitmap {
    let middle = side as f32 / 2.0;
    let off = |at: u32| at as f32 + 0.5 - middle;
    Bitmap::from_fn(side, side, |x, y| off(x).powi(2) + off(y).powi(2) <= middle * middle)
}
