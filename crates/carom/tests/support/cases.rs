//! Pairs of shapes, made so that what is rare in random numbers is common: touching, collinear,
//! coincident, nested, identical, concentric, sliver-thin, far away, huge and tiny.

use std::cell::OnceCell;

use carom::prelude::*;

use super::answers::Answers;
use super::describe;
use super::draw::Draw;
use super::questions;
use super::rng::Rng;
use super::scene::Scene;

/// Two shapes, a way to go for the first, and the seed that made them; and what several laws ask
/// about them, once asked.
#[derive(Clone, Debug)]
pub struct Case {
    pub seed: u64,
    pub a: Shape,
    pub b: Shape,
    pub motion: Vec2,
    scene: OnceCell<Scene>,
    answers: OnceCell<Answers>,
}

impl Case {
    /// The case of a seed; the same on every machine.
    pub fn new(kind_a: &str, kind_b: &str, seed: u64) -> Self {
        let mut draw = Draw::new(Rng::new(seed));
        let a = draw.shape(kind_a);
        draw.remember(&a);
        let same = kind_a == kind_b && draw.rng.one_in(16);
        let mut b = if same { a.clone() } else { draw.shape(kind_b) };
        if draw.rng.one_in(3) {
            b = grown_to_touch(&a, &b).unwrap_or(b);
        }
        draw.remember(&b);
        let motion = draw.motion();
        Self { seed, a, b, motion, scene: OnceCell::new(), answers: OnceCell::new() }
    }

    /// The case as the oracle sees it.
    pub fn scene(&self) -> &Scene {
        self.scene.get_or_init(|| super::scene_of(&self.a, &self.b))
    }

    /// What the library says.
    pub fn answers(&self) -> &Answers {
        self.answers.get_or_init(|| Answers::of(&self.a, &self.b))
    }

    /// The case as Rust, ready to paste.
    pub fn source(&self) -> String {
        let Self { seed, a, b, motion, .. } = self;
        let (a, b) = (describe::source(a), describe::source(b));
        format!(
            "// seed {seed}\nlet a = {a};\nlet b = {b};\nlet motion = [{:?}, {:?}];",
            motion.x, motion.y
        )
    }
}

/// The round shape `b` with the radius that makes it touch `a`, or come as close to that as floats
/// can.
fn grown_to_touch(a: &Shape, b: &Shape) -> Option<Shape> {
    let core: Shape = match b {
        Shape::Circle(s) => Point::new(s.center()).into(),
        Shape::Capsule(s) => Segment::new(s.a(), s.b()).into(),
        Shape::ConvexPolygon(s) => ConvexPolygon::try_new(s.points()).ok()?.into(),
        _ => return None,
    };
    let radius = questions::distance(&super::scene_of(a, &core)) as f32;
    Some(match b {
        Shape::Circle(s) => Circle::try_new(s.center(), radius).ok()?.into(),
        Shape::Capsule(s) => Capsule::try_new(s.a(), s.b(), radius).ok()?.into(),
        Shape::ConvexPolygon(s) => ConvexPolygon::try_rounded(s.points(), radius).ok()?.into(),
        _ => return None,
    })
}
