//! Makes a failed move smaller and prints it as a test.

use carom::prelude::*;

use super::travel::Outcome;
use crate::rust_source::source;

/// One move of a body among obstacles.
#[derive(Clone)]
pub struct Case {
    pub body: Shape,
    pub at: Vec2,
    pub obstacles: Vec<Shape>,
    pub motion: Vec2,
    pub response: Response,
    /// The scale of the level.
    pub unit: f32,
}

impl Case {
    fn failure(&self) -> Option<String> {
        let (travel, keys) = self.play()?;
        match self.check(&travel, &keys) {
            Outcome::Differs(text) => Some(text),
            _ => None,
        }
    }

    fn source(&self) -> String {
        let vec = |v: Vec2| format!("[{:?}, {:?}]", v.x, v.y);
        let mut text =
            format!("let mut stage = Stage::new({}, {})", source(&self.body), vec(self.at));
        for shape in &self.obstacles {
            text += &format!("\n    .with({})", source(shape));
        }
        let response = match self.response {
            Response::Touch => "Response::Touch".to_string(),
            Response::Bounce(restitution) => format!("Response::Bounce({restitution:?})"),
            _ => "Response::Slide".to_string(),
        };
        text + &format!(
            ";\nlet travel = stage.world.travel(stage.hero, {}, |_| {response}).unwrap();",
            vec(self.motion)
        )
    }
}

/// Drops obstacles and rounds numbers as long as the case still fails. Returns it as Rust.
pub fn shrink(case: &Case) -> String {
    let mut case = case.clone();
    let mut text = case.failure();
    let mut attempt = |case: &mut Case, smaller: Case| {
        let failure = smaller.failure();
        if failure.is_some() {
            (*case, text) = (smaller, failure);
            return true;
        }
        false
    };
    let mut index = 0;
    while index < case.obstacles.len() {
        let mut smaller = case.clone();
        smaller.obstacles.remove(index);
        if !attempt(&mut case, smaller) {
            index += 1;
        }
    }
    // Obstacles by their parts.
    for index in 0..case.obstacles.len() {
        if let Shape::Compound(compound) = case.obstacles[index].clone() {
            for part in compound.parts() {
                let mut smaller = case.clone();
                smaller.obstacles[index] = part.clone();
                if attempt(&mut case, smaller) {
                    break;
                }
            }
        }
    }
    if let Shape::Compound(compound) = case.body.clone() {
        for part in compound.parts() {
            let smaller = Case { body: part.clone(), ..case.clone() };
            if attempt(&mut case, smaller) {
                break;
            }
        }
    }
    for digits in [4.0f32, 16.0, 64.0, 1024.0] {
        let round = |v: Vec2| (v * digits).round() / digits;
        let smaller = Case { motion: round(case.motion), ..case.clone() };
        attempt(&mut case, smaller);
        let smaller = Case { at: round(case.at), ..case.clone() };
        attempt(&mut case, smaller);
    }
    format!("// {}\n{}\n", text.unwrap_or_default(), case.source())
}
