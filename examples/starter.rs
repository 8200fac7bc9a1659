//! The smallest game with a window: a box that runs and jumps. Start your own game from it.

use carom::prelude::*;
use macroquad::prelude as mq;

const STEP: f32 = 1.0 / 60.0; // seconds
const UP: [f32; 2] = [0.0, -1.0]; // macroquad's y points down

#[macroquad::main("carom starter")]
async fn main() -> Result<(), WorldError> {
    // 1. A world in pixels: the level and the hero.
    let mut world = World::new();
    let level = [
        Aabb::new([0.0, 500.0], [800.0, 600.0]),   // the ground
        Aabb::new([400.0, 420.0], [520.0, 500.0]), // a block
        Aabb::new([-10.0, -500.0], [0.0, 600.0]),  // a wall at each side of the window
        Aabb::new([800.0, -500.0], [810.0, 600.0]),
    ];
    world.spawn(Body::fixed([0.0, 0.0]), level.map(Collider::new))?;
    let hero = Collider::new(Aabb::new([-15.0, -50.0], [15.0, 0.0]));
    let hero = world.spawn(Body::moving([100.0, 500.0]), [hero])?;
    let walker = Walker::new().up(UP).snap_distance(5.0);
    let (mut state, mut velocity, mut unspent) = (WalkerState::new(), Vec2::ZERO, 0.0);

    loop {
        // 2. Simulate as many steps as time has passed.
        if mq::is_key_pressed(mq::KeyCode::Space) {
            state.request_jump();
        }
        unspent += mq::get_frame_time().min(0.1);
        while unspent >= STEP {
            unspent -= STEP;
            let [left, right] = [mq::KeyCode::Left, mq::KeyCode::Right].map(mq::is_key_down);
            velocity.x = 300.0 * f32::from(i8::from(right) - i8::from(left));
            velocity.y += 1500.0 * STEP;
            if state.jump(JumpGrace::frames(6, 6)) {
                velocity.y = -600.0;
            }
            let walk = world.walk(hero, &walker, &mut state, velocity * STEP)?;
            velocity = walk.velocity(velocity);
        }

        // 3. Draw the bounding box of each collider.
        mq::clear_background(mq::DARKGRAY);
        for collider in world.colliders() {
            let (min, size) = (collider.bounds().min(), collider.bounds().size());
            let color = if collider.body_key() == hero { mq::SKYBLUE } else { mq::LIGHTGRAY };
            mq::draw_rectangle(min.x, min.y, size.x, size.y, color);
        }
        mq::draw_text("arrows: run   space: jump", 20.0, 40.0, 30.0, mq::WHITE);
        mq::next_frame().await;
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_cookbook_lists_this_program() {
        let program = include_str!("starter.rs").split("\n#[cfg(test)]").next().unwrap();
        assert!(include_str!("../docs/src/cookbook.md").contains(program));
    }
}
