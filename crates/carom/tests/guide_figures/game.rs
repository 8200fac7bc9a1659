//! The figures about the game loop and about jumps.

use std::ops::Range;

use carom::draw::{self, Canvas, Color, LabelPlacement, Style};
use carom::prelude::*;

use crate::{check, drawing, write};

#[test]
fn frames_and_steps() {
    let mut drawing = drawing([-2.7, -0.2], [12.4, 3.8]);
    let line = |drawing: &mut draw::Drawing, y: f32, name: &str| {
        drawing.arrow(Vec2::new(0.0, y), Vec2::new(12.2, y), &Style::default().width(1.0));
        drawing.label(Vec2::new(-0.2, y), name, LabelPlacement::Left, &Style::default());
    };
    line(&mut drawing, 3.0, "frames");
    line(&mut drawing, 1.0, "steps");
    for step in 0..=8 {
        let x = step as f32 * 1.5;
        drawing.polyline(
            &[Vec2::new(x, 0.8), Vec2::new(x, 1.2)],
            &Style::stroke(Color::BLUE).width(2.5),
        );
        drawing.label(
            Vec2::new(x, 0.7),
            &step.to_string(),
            LabelPlacement::Below,
            &Style::default(),
        );
    }
    // Frames of unequal length: one has two steps, others have none.
    let (mut before, mut counts) = (0.0f32, Vec::new());
    for end in [1.2f32, 2.3, 3.4, 4.5, 7.7, 8.8, 9.9, 11.1] {
        let steps = (end / 1.5).floor() - (before / 1.5).floor();
        let last = (end / 1.5).floor() * 1.5;
        drawing.polyline(&[Vec2::new(end, 2.8), Vec2::new(end, 3.2)], &Style::default().width(2.5));
        let middle = Vec2::new((before + end) / 2.0, 3.1);
        drawing.label(middle, &steps.to_string(), LabelPlacement::Above, &Style::default());
        drawing.polyline(
            &[Vec2::new(last, 1.0), Vec2::new(end, 1.0)],
            &Style::stroke(Color::ORANGE).width(5.0),
        );
        drawing.arrow(
            Vec2::new(end, 2.8),
            Vec2::new(end, 1.1),
            &Style::stroke(Color::PURPLE).width(1.0).dashed(),
        );
        before = end;
        counts.push(steps);
    }
    assert_eq!(counts, [0.0, 1.0, 1.0, 1.0, 2.0, 0.0, 1.0, 1.0]);
    drawing.label(
        Vec2::new(-0.2, 3.45),
        "steps to simulate",
        LabelPlacement::Left,
        &Style::default(),
    );
    drawing.add_legend(Color::BLUE, "end of a step");
    drawing.add_legend(Color::ORANGE, "unspent time at the end of a frame");
    check("time-step", &drawing);
}

/// A run with one press of the jump key, in a level of blocks.
struct Run {
    blocks: Vec<Aabb>,
    start: [f32; 2],
    speed: f32,
    /// The frames in which the key is down.
    press: Range<u32>,
    grace: JumpGrace,
    corner_correction: f32,
    frames: u32,
}

impl Run {
    fn hero() -> Aabb {
        Aabb::new([-0.35, 0.0], [0.35, 1.0])
    }

    /// Returns the positions of the hero's feet.
    fn play(&self) -> Result<Vec<Vec2>, WorldError> {
        let mut world = World::new();
        let blocks: Vec<Collider> = self.blocks.iter().map(|&block| Collider::new(block)).collect();
        world.spawn(Body::fixed([0.0, 0.0]), blocks)?;
        let hero = world.spawn(Body::moving(self.start), [Collider::new(Self::hero())])?;
        let walker = Walker::new().corner_correction(self.corner_correction);
        let (mut state, mut velocity) = (WalkerState::new(), Vec2::ZERO);
        let mut path = vec![Vec2::from(self.start)];
        for frame in 0..self.frames {
            velocity = Vec2::new(self.speed, velocity.y - 30.0 / 60.0);
            if frame == self.press.start {
                state.request_jump();
            }
            if state.jump(self.grace) {
                velocity.y = 10.0;
            }
            if state.is_jumping && !self.press.contains(&frame) {
                velocity.y = velocity.y.min(3.0);
            }
            let walk = world.walk(hero, &walker, &mut state, velocity / 60.0)?;
            velocity = walk.velocity(velocity);
            path.push(walk.end);
        }
        Ok(path)
    }

    /// Draws the level, the path, and the hero when the key is pressed and at the end.
    fn draw(
        &self,
        drawing: &mut draw::Drawing,
        shift: Vec2,
        is_helped: bool,
    ) -> Result<Vec2, WorldError> {
        let path = self.play()?;
        for block in &self.blocks {
            draw::shape(drawing, &block.translated(shift), &Style::translucent(Color::GREY));
        }
        let color = if is_helped { Color::GREEN } else { Color::BLUE };
        let shifted: Vec<Vec2> = path.iter().map(|&at| at + shift).collect();
        let style = Style::stroke(color).width(if is_helped { 2.5 } else { 1.5 });
        drawing.polyline(&shifted, &if is_helped { style } else { style.dashed() });
        let end = shifted[shifted.len() - 1];
        if is_helped {
            draw::shape(drawing, &Self::hero().translated(end), &Style::translucent(color));
        }
        if let Some(&pressed) = shifted.get(self.press.start as usize) {
            drawing.dot(pressed, &Style::stroke(Color::VERMILION).width(3.0));
        }
        Ok(path[path.len() - 1])
    }
}

#[test]
fn four_corrections_of_a_jump() -> Result<(), WorldError> {
    let mut drawing = drawing([-0.6, -2.6], [27.0, 4.2]);
    let (none, six) = (JumpGrace::frames(0, 0), JumpGrace::frames(6, 6));
    let run = |blocks: &[Aabb], start: [f32; 2], speed: f32, press: Range<u32>, frames: u32| Run {
        blocks: blocks.to_vec(),
        start,
        speed,
        press,
        grace: six,
        corner_correction: 0.0,
        frames,
    };

    // 1. The key is pressed after the ledge.
    let ledge = [Aabb::new([0.0, -1.0], [2.5, 0.0])];
    let late = run(&ledge, [0.5, 0.0], 6.0, 27..60, 50);
    let fall = Run { grace: none, frames: 38, ..run(&ledge, [0.5, 0.0], 6.0, 27..60, 38) };
    assert!(late.draw(&mut drawing, Vec2::ZERO, true)?.y > 0.5);
    assert!(fall.draw(&mut drawing, Vec2::ZERO, false)?.y < -0.5);

    // 2. The key is pressed before the landing.
    let floor = [Aabb::new([0.0, -1.0], [5.0, 0.0])];
    let shift = Vec2::new(7.0, 0.0);
    let early = run(&floor, [0.5, 2.5], 4.0, 20..60, 50);
    let stays = Run { grace: none, ..run(&floor, [0.5, 2.5], 4.0, 20..60, 58) };
    assert!(early.draw(&mut drawing, shift, true)?.y > 0.5);
    assert_eq!(stays.draw(&mut drawing, shift, false)?.y, 0.0);

    // 3. The key is released early.
    let shift = Vec2::new(14.0, 0.0);
    let high = run(&floor, [0.5, 0.0], 4.0, 6..60, 46);
    let low = run(&floor, [0.5, 0.0], 4.0, 6..10, 46);
    high.draw(&mut drawing, shift, false)?;
    low.draw(&mut drawing, shift, true)?;

    // 4. The head clips a corner.
    let shift = Vec2::new(21.0, 0.0);
    let roof = [floor[0], Aabb::new([0.0, 2.0], [2.3, 2.6])];
    let bumps = run(&roof, [2.4, 0.0], 0.0, 6..60, 46);
    let nudged =
        Run { corner_correction: 0.3, frames: 28, ..run(&roof, [2.4, 0.0], 0.0, 6..60, 28) };
    let top = |run: &Run| run.play().map(|path| path.iter().fold(0.0, |top, at| at.y.max(top)));
    assert!(top(&bumps)? <= 1.0 && top(&nudged)? > 1.5);
    bumps.draw(&mut drawing, shift, false)?;
    nudged.draw(&mut drawing, shift, true)?;

    for (x, name) in [
        (2.5, "coyote time"),
        (9.5, "jump buffering"),
        (16.5, "variable jump height"),
        (23.5, "corner correction"),
    ] {
        write(&mut drawing, [x, -2.2], name);
    }
    drawing.add_legend(Color::VERMILION, "the key is pressed");
    drawing.add_legend(Color::GREEN, "path of the feet with the correction");
    drawing.add_legend(Color::BLUE, "without it");
    check("jumps", &drawing);
    Ok(())
}
