//! A hero runs, collects coins and is stopped by a wall; then a snapshot is restored and played again.
//!
//! `cargo run -p carom --example world`

use carom::prelude::*;
use carom::world::{Event, EventKind};

fn main() -> Result<(), WorldError> {
    let mut world = World::new();
    for name in ["hero", "coin", "wall"] {
        world.add_layer(name)?;
    }

    let wall = world.add_body(Body::fixed([8.0, 0.0]))?;
    world.add_collider(wall, Collider::new(Aabb::new([0.0, 0.0], [1.0, 4.0])).on_layer("wall"))?;
    for x in [2.0, 5.0] {
        let coin = world.add_body(Body::moving([x, 1.0]).with_user_data(10 * x as u64))?;
        let shape = Circle::new([0.0, 0.0], 0.25);
        world.add_collider(coin, Collider::sensor(shape).on_layer("coin").with_mask("hero"))?;
    }
    let hero = world.add_body(Body::moving([0.0, 0.0]))?;
    let shape = Aabb::new([0.0, 0.0], [1.0, 2.0]);
    world.add_collider(hero, Collider::new(shape).on_layer("hero").with_mask(["coin", "wall"]))?;
    let start = world.clone();

    println!("The hero runs to the right:");
    let score = run(&mut world, hero)?;
    println!("score {score}, state {:016x}\n", world.state_hash());

    println!("Back to the start, and the same again:");
    world.clone_from(&start);
    let score = run(&mut world, hero)?;
    println!("score {score}, state {:016x}\n", world.state_hash());

    println!("Line of sight from the hero:");
    let all = Filter::new().exclude(hero);
    let eyes = world.body(hero).expect("the hero exists").pose.transform_point([0.5, 1.5]);
    for direction in [[1.0, 0.0], [-1.0, 0.0]] {
        match world.raycast(&Ray::new(eyes, direction, 100.0), &all) {
            Some((collider, hit)) => println!("  {collider} at a distance of {}", hit.distance),
            None => println!("  nothing"),
        }
    }
    println!("A shot from the left would hit:");
    for (collider, hit) in world.sweep_all(&Circle::new([-5.0, 1.0], 0.125), [20.0, 0.0], &all) {
        println!("  {collider} after {:.0} % of its motion", 100.0 * hit.time);
    }
    println!(
        "The error for a stale key: {}",
        world.remove_body(BodyKey::from_bits(99)).unwrap_err()
    );
    Ok(())
}

/// Runs for twelve frames; returns the value of the collected coins.
fn run(world: &mut World, hero: BodyKey) -> Result<u64, WorldError> {
    let mut score = 0;
    for frame in 1..=12 {
        world.translate(hero, [0.75, 0.0])?;
        let events: Vec<Event> = world.update().iter().collect();
        for event in events.iter().filter_map(|event| event.seen_from(hero)) {
            let other = event.bodies[1];
            println!("  frame {frame:2}: {:?} touching {other}", event.kind);
            if let Some(contact) = event.contact {
                world.translate(hero, contact.push)?; // out of the wall
            } else if event.kind == EventKind::Began {
                score += world.remove_body(other)?.user_data;
            }
        }
    }
    Ok(score)
}
