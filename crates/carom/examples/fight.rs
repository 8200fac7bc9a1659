//! Two fighters share a sprite sheet with hitboxes and hurtboxes. Prints the strikes.
//!
//! `cargo run -p carom --example fight`

use carom::prelude::*;
use carom::sheet::{Frame, FrameRef, Playback, Sheet, SheetError};

/// A fighter, its current animation, and the tick at which that started.
struct Fighter {
    name: &'static str,
    body: BodyKey,
    mirror: Flip,
    animation: &'static str,
    since: u64,
}

/// The feet are at the origin, y points up, and the fighter faces right.
fn sheet() -> Result<Sheet, SheetError> {
    let standing = Aabb::new([-0.4, 0.0], [0.4, 1.8]);
    let leaning = Aabb::new([-0.2, 0.0], [0.6, 1.7]);
    Sheet::from_frames([
        Frame::new("idle").hurtbox("body", standing),
        Frame::new("punch_1").ticks(3).hurtbox("body", standing),
        Frame::new("punch_2")
            .ticks(2)
            .hurtbox("body", leaning)
            .hurtbox("arm", Capsule::new([0.6, 1.4], [1.1, 1.4], 0.1))
            .hitbox("fist", Circle::new([1.2, 1.4], 0.15)),
        Frame::new("punch_3").ticks(4).hurtbox("body", leaning),
        Frame::new("kick_1").ticks(5).hurtbox("body", standing),
        Frame::new("kick_2")
            .ticks(3)
            .hurtbox("body", standing)
            .hitbox("shin", Capsule::new([0.4, 0.6], [1.3, 0.9], 0.12))
            .hitbox("foot", Circle::new([1.4, 0.95], 0.2)),
        Frame::new("kick_3").ticks(6).hurtbox("body", standing),
    ])?
    .with_animation("idle", "idle", "idle", Playback::Forward)?
    .with_animation("punch", "punch_1", "punch_3", Playback::Forward)?
    .with_animation("kick", "kick_1", "kick_3", Playback::Forward)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new();
    let sheet_key = world.add_sheet(sheet()?)?;
    let sheet = world.sheet(sheet_key).cloned().ok_or("the sheet was just added")?;

    let mut fighter = |name, x: f32, mirror| -> Result<Fighter, WorldError> {
        let body = world.add_body(Body::moving([x, 0.0]))?;
        Ok(Fighter { name, body, mirror, animation: "idle", since: 0 })
    };
    let mut fighters = [fighter("Ann", 0.0, Flip::NONE)?, fighter("Bob", 1.6, Flip::X)?];
    // At which tick which fighter starts which animation.
    let script = [(2, 0, "punch"), (12, 1, "kick"), (30, 0, "kick"), (31, 1, "punch")];

    println!("Ann stands at 0 and faces right; Bob stands at 1.6 and faces left (flipped).");
    for tick in 0..48 {
        for &(_, who, animation) in script.iter().filter(|&&(when, ..)| when == tick) {
            println!("tick {tick:2}: {} starts a {animation}", fighters[who].name);
            (fighters[who].animation, fighters[who].since) = (animation, tick);
        }
        for fighter in &mut fighters {
            if tick - fighter.since >= sheet.loop_ticks(fighter.animation)? {
                (fighter.animation, fighter.since) = ("idle", tick);
            }
            let frame = sheet.frame_at(fighter.animation, tick - fighter.since)?;
            let frame = FrameRef::from(frame).flipped(fighter.mirror);
            world.set_frame(fighter.body, sheet_key, frame)?;
        }
        world.update();
        let name = |body| fighters.iter().find(|it| it.body == body).map_or("?", |it| it.name);
        let mut knocked_back = Vec::new();
        for strike in world.strikes() {
            let part = |collider| world.box_name(collider).unwrap_or("?");
            println!(
                "tick {tick:2}: {} strikes {}: {} on {}, depth {:.2}",
                name(strike.attacker),
                name(strike.victim),
                part(strike.hitbox),
                part(strike.hurtbox),
                strike.contact.depth,
            );
            knocked_back.push((strike.victim, -0.2 * strike.contact.normal.x.signum()));
        }
        for (victim, by) in knocked_back {
            world.translate(victim, [by, 0.0])?;
        }
    }
    for fighter in &fighters {
        let at = world.body(fighter.body).map_or(Vec2::ZERO, |body| body.pose.position);
        println!("{} ends at {:.1}", fighter.name, at.x);
    }
    Ok(())
}
