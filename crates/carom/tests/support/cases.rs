//! Random pairs of shapes in which rare situations are common: touching, collinear, coincident, nested,
//! identical, concentric, sliver-thin, far away, huge and tiny.

use std::cell::OnceCell;

use carom::prelude::*;

use super::generate::Generator;
use super::oracle::exact_pair::ExactPair;
use super::oracle::predicates;
use super::results::QueryResults;
use super::rng::Rng;
use super::rust_source;

/// Two shapes, a motion for the first, and the seed that generated them. Results that several laws need are
/// computed once.
#[derive(Clone, Debug)]
pub struct Case {
    pub seed: u64,
    pub a: Shape,
    pub b: Shape,
    pub motion: Vec2,
    exact_pair: OnceCell<ExactPair>,
    results: OnceCell<QueryResults>,
}

impl Case {
    /// Generates the case of a seed; it is the same on every machine.
    pub fn new(kind_a: &str, kind_b: &str, seed: u64) -> Self {
        Self::generate(kind_a, kind_b, seed, Rng::new(seed))
    }

    /// Generates a case from random numbers; the seed is only for messages.
    pub fn generate(kind_a: &str, kind_b: &str, seed: u64, rng: Rng) -> Self {
        let mut generator = Generator::new(rng);
        let a = generator.shape(kind_a);
        generator.remember(&a);
        let same = kind_a == kind_b && generator.rng.one_in(16);
        let mut b = if same { a.clone() } else { generator.shape(kind_b) };
        if generator.rng.one_in(3) {
            b = grown_to_touch(&a, &b).unwrap_or(b);
        }
        generator.remember(&b);
        let motion = generator.motion();
        Self::of(seed, a, b, motion)
    }

    /// Creates a case from its shapes.
    pub fn of(seed: u64, a: Shape, b: Shape, motion: Vec2) -> Self {
        Self { seed, a, b, motion, exact_pair: OnceCell::new(), results: OnceCell::new() }
    }

    /// Returns the two shapes as the oracle sees them.
    pub fn exact_pair(&self) -> &ExactPair {
        self.exact_pair.get_or_init(|| super::exact_pair(&self.a, &self.b))
    }

    /// Returns the results of the library.
    pub fn results(&self) -> &QueryResults {
        self.results.get_or_init(|| QueryResults::of(&self.a, &self.b))
    }

    /// Returns the case as Rust code, ready to paste into a test.
    pub fn source(&self) -> String {
        let Self { seed, a, b, motion, .. } = self;
        let (a, b) = (rust_source::source(a), rust_source::source(b));
        format!(
            "// seed {seed}\nlet a = {a};\nlet b = {b};\nlet motion = [{:?}, {:?}];",
            motion.x, motion.y
        )
    }
}

/// Returns the round shape `b` with the radius at which it touches `a`, as nearly as floats allow.
fn grown_to_touch(a: &Shape, b: &Shape) -> Option<Shape> {
    let core: Shape = match b {
        Shape::Circle(s) => Point::new(s.center()).into(),
        Shape::Capsule(s) => Segment::new(s.a(), s.b()).into(),
        Shape::ConvexPolygon(s) => ConvexPolygon::try_new(s.points()).ok()?.into(),
        _ => return None,
    };
    let radius = predicates::distance(&super::exact_pair(a, &core)) as f32;
    Some(match b {
        Shape::Circle(s) => Circle::try_new(s.center(), radius).ok()?.into(),
        Shape::Capsule(s) => Capsule::try_new(s.a(), s.b(), radius).ok()?.into(),
        Shape::ConvexPolygon(s) => ConvexPolygon::try_rounded(s.points(), radius).ok()?.into(),
        _ => return None,
    })
}
