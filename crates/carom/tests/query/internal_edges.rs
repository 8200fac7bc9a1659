//! Compares overlaps of points and lines with internal edges of compounds with the oracle. Parts of all
//! kinds, straight and round, lie along one line, on both sides of it.

use crate::support::oracle::predicates;
use crate::support::rng::Rng;
use crate::support::{exact_pair, rust_source};
use carom::prelude::*;

/// A line with exact coordinates: integer steps along it and at right angles to it are exact.
struct EdgeLine {
    rng: Rng,
    origin: Vec2,
    /// One step along the line and one to its left; `long` is the length of both.
    along: Vec2,
    aside: Vec2,
    long: f32,
}

impl EdgeLine {
    fn new(mut rng: Rng) -> Self {
        let (x, y, long) =
            rng.pick(&[(1.0, 0.0, 1.0), (0.0, -1.0, 1.0), (3.0, 4.0, 5.0), (-12.0, 5.0, 13.0)]);
        let unit = 2f32.powi(rng.pick(&[0, 0, 0, 40, -120]));
        let origin = rng.pick(&[Vec2::ZERO, Vec2::ZERO, Vec2::new(100.0, -36.0)]) * unit;
        let along = Vec2::new(x, y) * unit;
        Self { rng, origin, along, aside: along.perp(), long: long * unit }
    }

    fn at(&self, along: f32, aside: f32) -> Vec2 {
        self.origin + self.along * along + self.aside * aside
    }

    /// Returns a position on the line: one of few multiples of a step, so that positions often coincide.
    fn position(&mut self) -> f32 {
        self.rng.below(7) as f32 * self.rng.pick(&[1.0, 1.0, 1.0, 0.125, 1.0 / 4096.0])
    }

    /// Returns two positions on the line, in order.
    fn interval(&mut self) -> (f32, f32) {
        let (p, q) = (self.position(), self.position());
        if p == q { (p, q + 1.0) } else { (p.min(q), p.max(q)) }
    }

    /// Returns a part that touches the line from one side, along an interval or at a point.
    fn part(&mut self) -> Shape {
        let side = self.rng.pick(&[1.0, -1.0]);
        let steps = self.rng.pick(&[1.0, 1.0, 2.0, 64.0]);
        let (radius, away) = (steps * self.long, side * steps);
        let (from, to) = self.interval();
        match self.rng.below(7) {
            0 => Circle::new(self.at(from, away), radius).into(),
            1 | 2 => Capsule::new(self.at(from, away), self.at(to, away), radius).into(),
            3 => {
                let over = self.rng.pick(&[from, to]);
                let points = [(from, away), (to, away), (over, 2.0 * away)];
                let points = points.map(|(along, aside)| self.at(along, aside));
                ConvexPolygon::rounded(&points, radius).into()
            }
            4 => {
                let leaning = from + self.rng.between(-2, 2) as f32;
                let beside = leaning + self.rng.pick(&[1.0, 2.0]);
                Triangle::new(self.at(from, 0.0), self.at(leaning, side), self.at(beside, side))
                    .into()
            }
            _ => {
                let (p, q) = (self.at(from, away), self.at(to, away));
                ConvexPolygon::new(&[self.at(from, 0.0), self.at(to, 0.0), q, p]).into()
            }
        }
    }

    fn thin_shape(&mut self) -> Shape {
        let (from, to) = self.interval();
        match self.rng.below(3) {
            0 => Point::new(self.at(from, 0.0)).into(),
            1 => Segment::new(self.at(from, 0.0), self.at(to, 0.0)).into(),
            _ => Chain::new(&[self.at(to, 0.0), self.at(from, 0.0), self.at(to, -1.0)]).into(),
        }
    }
}

#[test]
fn overlap_on_internal_edges_is_exact() {
    let (mut inside, mut outside) = (0, 0);
    let cases = std::env::var("CAROM_CASES").map_or(20_000, |n| n.parse().expect("a number"));
    for seed in 0..cases {
        let mut line = EdgeLine::new(Rng::new(seed));
        let parts: Vec<Shape> = (0..1 + line.rng.below(5)).map(|_| line.part()).collect();
        let (areas, thin) = (Shape::from(Compound::new(parts)), line.thin_shape());
        let expected = predicates::overlaps(&exact_pair(&areas, &thin));
        let found = (areas.overlaps(&thin), thin.overlaps(&areas));
        let case = || format!("{}\n{}", rust_source::source(&areas), rust_source::source(&thin));
        assert_eq!(found, (expected, expected), "seed {seed}\n{}", case());
        if expected { inside += 1 } else { outside += 1 }
    }
    assert!(inside > cases / 20 && outside > cases / 20, "{inside} inside, {outside} outside");
}
