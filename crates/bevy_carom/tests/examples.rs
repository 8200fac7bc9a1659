//! Plays every example by a script, without a window.
#![allow(clippy::duplicate_mod, reason = "every example is a program with its own copy")]

use bevy_app::prelude::*;
use bevy_carom::prelude::*;
use bevy_carom::{CaromWorld, ColliderDisabled};
use bevy_ecs::prelude::*;
use bevy_input::keyboard::KeyCode;
use bevy_math::Vec2;
use bevy_transform::prelude::*;
use carom::shape::Shape;
use headless::{app, count, only, play, play_with};

#[path = "../examples/headless/mod.rs"]
mod headless;

#[path = "../examples/breakable_tiles.rs"]
#[allow(dead_code, reason = "`main` draws the example")]
mod breakable_tiles;
#[path = "../examples/breakout.rs"]
#[allow(dead_code, reason = "`main` draws the example")]
mod breakout;
#[path = "../examples/bullets.rs"]
#[allow(dead_code, reason = "`main` draws the example")]
mod bullets;
#[path = "../examples/fighter.rs"]
#[allow(dead_code, reason = "`main` draws the example")]
mod fighter;
#[path = "../examples/four_lines.rs"]
#[allow(dead_code, reason = "`main` draws the example")]
mod four_lines;
#[path = "../examples/guide/main.rs"]
#[allow(dead_code, reason = "`main` plays the example")]
mod guide;
#[path = "../examples/line_of_sight.rs"]
#[allow(dead_code, reason = "`main` draws the example")]
mod line_of_sight;
#[path = "../examples/moving_platform.rs"]
#[allow(dead_code, reason = "`main` draws the example")]
mod moving_platform;
#[path = "../examples/one_way.rs"]
#[allow(dead_code, reason = "`main` draws the example")]
mod one_way;
#[path = "../examples/platformer.rs"]
#[allow(dead_code, reason = "`main` draws the example")]
mod platformer;
#[path = "../examples/pressure_plate.rs"]
#[allow(dead_code, reason = "`main` draws the example")]
mod pressure_plate;
#[path = "../examples/rewind.rs"]
#[allow(dead_code, reason = "`main` draws the example")]
mod rewind;
#[path = "../examples/selection.rs"]
#[allow(dead_code, reason = "`main` draws the example")]
mod selection;
#[path = "../examples/sword.rs"]
#[allow(dead_code, reason = "`main` draws the example")]
mod sword;
#[path = "../examples/top_down.rs"]
#[allow(dead_code, reason = "`main` draws the example")]
mod top_down;
#[path = "../examples/turning_platform.rs"]
#[allow(dead_code, reason = "`main` draws the example")]
mod turning_platform;

fn position(app: &App, entity: Entity) -> Vec2 {
    app.world().get::<Transform>(entity).unwrap().translation.truncate()
}

#[test]
fn four_lines_collects_the_coin() {
    let mut app = app(four_lines::example);
    assert_eq!(count::<four_lines::Coin>(&mut app), 1);
    play(&mut app, four_lines::SCRIPT);
    assert_eq!(count::<four_lines::Coin>(&mut app), 0);
    let hero = only::<Walker>(&mut app);
    assert!((position(&app, hero).y - 1.45).abs() < 1e-5);
}

#[test]
fn one_way_is_jumped_onto_and_dropped_through() {
    let mut app = app(one_way::example);
    let hero = only::<Walker>(&mut app);
    let mut heights = Vec::new();
    play_with(&mut app, one_way::SCRIPT, |app| heights.push(position(app, hero).y));
    let foot = 0.55;
    assert!((heights[7] - 0.5 - foot).abs() < 1e-4, "{}", heights[7]); // on the ground
    assert!((heights[67] - 2.625 - foot).abs() < 1e-4, "{}", heights[67]); // on the platform
    assert!((heights[127] - 0.5 - foot).abs() < 1e-4, "{}", heights[127]); // on the ground again
}

#[test]
fn moving_platform_carries_the_hero_and_squashes_the_crate() {
    let mut app = app(moving_platform::example);
    let (hero, lift) = (only::<Walker>(&mut app), only::<moving_platform::Lift>(&mut app));
    let mut turned = 0;
    let mut last = 0.0;
    play_with(&mut app, moving_platform::SCRIPT, |app| {
        let gap = position(app, hero).y - position(app, lift).y - 0.25 - 0.55;
        last = gap;
        turned += u32::from(app.world().get::<Velocity>(lift).unwrap().0.y < 0.0);
    });
    assert!(last.abs() < 1e-3, "{last}");
    assert!(turned > 0);
    assert_eq!(count::<moving_platform::Crate>(&mut app), 0);
}

#[test]
fn turning_platform_takes_the_hero_along() {
    let mut app = app(turning_platform::example);
    let hero = only::<Walker>(&mut app);
    let (mut low, mut high) = (f32::MAX, f32::MIN);
    play_with(&mut app, turning_platform::SCRIPT, |app| {
        let y = position(app, hero).y;
        (low, high) = (low.min(y), high.max(y));
        let footing = app.world().get::<Footing>(hero).unwrap();
        assert!(footing.on_floor() || footing.was_on_floor(4) || y > 0.65);
    });
    assert!(high > 1.3 && low < 0.7, "{low} to {high}");
}

#[test]
fn breakout_breaks_bricks() {
    let mut app = app(breakout::example);
    assert_eq!(count::<breakout::Brick>(&mut app), 27);
    play(&mut app, breakout::SCRIPT);
    let left = count::<breakout::Brick>(&mut app);
    assert!(left < 24, "{left} bricks are left");
    let ball = only::<breakout::Ball>(&mut app);
    let speed = app.world().get::<Velocity>(ball).unwrap().0.length();
    assert!((speed - Vec2::new(3.0, 7.0).length()).abs() < 0.01, "{speed}");
}

#[test]
fn bullets_respond_to_layers() {
    let mut app = app(bullets::example);
    let mut xs = Vec::new();
    play_with(&mut app, bullets::SCRIPT, |app| {
        let mut bullets = app.world_mut().query_filtered::<&Transform, With<bullets::Bullet>>();
        xs.extend(bullets.iter(app.world()).map(|transform| transform.translation.x));
    });
    let farthest = xs.iter().copied().fold(0.0, f32::max);
    assert!(farthest > 3.5 && farthest <= 5.4, "{farthest}"); // through the bush, not the shield
    let last = xs[xs.len() - 1];
    assert!((-2.5..0.0).contains(&last), "{last}"); // back to the wall
    assert_eq!(count::<bullets::Bullet>(&mut app), 0);
}

#[test]
fn top_down_slides_around_the_block() {
    let mut app = app(top_down::example);
    let hero = only::<top_down::Hero>(&mut app);
    play(&mut app, &top_down::SCRIPT[..1]);
    let corner = position(&app, hero);
    assert!((corner - Vec2::new(8.6, 3.6)).length() < 1e-4, "{corner}");
    play(&mut app, &top_down::SCRIPT[1..]);
    assert!((position(&app, hero) - Vec2::new(8.6, 1.4)).length() < 1e-4);
}

#[test]
fn fighter_loses_one_health_per_punch() {
    let mut app = app(fighter::example);
    let player = only::<fighter::Player>(&mut app);
    play(&mut app, fighter::SCRIPT);
    let mut health = app.world_mut().query::<(Entity, &fighter::Health)>();
    for (entity, health) in health.iter(app.world()) {
        assert_eq!(health.0, if entity == player { 3 } else { 1 });
    }
}

#[test]
fn pressure_plate_opens_the_door_while_the_hero_is_on_it() {
    let mut app = app(pressure_plate::example);
    let hero = only::<Walker>(&mut app);
    let mut was_open = false;
    play_with(&mut app, pressure_plate::SCRIPT, |app| {
        let door = only::<pressure_plate::Door>(app);
        was_open |= app.world().get::<ColliderDisabled>(door).is_some();
    });
    assert!(was_open);
    assert!(position(&app, hero).x > 4.5, "{}", position(&app, hero)); // through the door
    let door = only::<pressure_plate::Door>(&mut app);
    assert!(app.world().get::<ColliderDisabled>(door).is_none()); // closed again
}

#[test]
fn line_of_sight_is_blocked_by_the_wall() {
    let mut app = app(line_of_sight::example);
    let hero = only::<line_of_sight::Hero>(&mut app);
    let mut seen = Vec::new();
    play_with(&mut app, line_of_sight::SCRIPT, |app| {
        let alarm = app.world().resource::<line_of_sight::Alarm>().0;
        seen.push((position(app, hero).y, alarm));
    });
    // The wall is from -1.5 to 1.5 at x = 3; the hero is at x = 6.
    for (y, is_seen) in seen.into_iter().skip(2) {
        if y.abs() < 2.5 {
            assert!(!is_seen, "{y}");
        } else if y.abs() > 3.5 {
            assert!(is_seen, "{y}");
        }
    }
}

#[test]
fn breakable_tiles_lose_a_brick_per_jump() {
    let mut app = app(breakable_tiles::example);
    let bricks = |app: &mut App| {
        let mut maps = app.world_mut().query::<&Collider>();
        let maps = maps.iter(app.world()).filter_map(|collider| match &**collider.shape() {
            Shape::TileMap(map) => Some(map.clone()),
            _ => None,
        });
        let map = maps.last().unwrap();
        let cells = (0..8).map(|column| map.kind([column, 3]).data());
        cells.filter(|&data| data == breakable_tiles::BRICK).count()
    };
    assert_eq!(bricks(&mut app), 2);
    play(&mut app, breakable_tiles::SCRIPT);
    assert_eq!(bricks(&mut app), 1); // only the brick above the head
    let hero = only::<Walker>(&mut app);
    let mut top = 0.0_f32;
    play_with(&mut app, &[(&[], 1), (&[KeyCode::Space], 30)], |app| {
        top = top.max(position(app, hero).y);
    });
    assert!(top > 3.0, "{top}"); // through the hole
}

#[test]
fn sword_strikes_on_the_side_that_the_hero_faces() {
    let mut app = app(sword::example);
    let dummies = |app: &mut App| {
        let mut dummies = app.world_mut().query_filtered::<&Transform, With<sword::Dummy>>();
        dummies.iter(app.world()).map(|dummy| dummy.translation.x).collect::<Vec<_>>()
    };
    play(&mut app, &sword::SCRIPT[..3]);
    assert_eq!(dummies(&mut app), [-1.5]);
    play(&mut app, &sword::SCRIPT[3..]);
    assert!(dummies(&mut app).is_empty());
}

#[test]
fn rewind_returns_to_the_start() {
    let mut app = app(rewind::example);
    let mut hashes = Vec::new();
    play_with(&mut app, rewind::SCRIPT, |app| {
        hashes.push(app.world().resource::<CaromWorld>().state_hash());
    });
    assert!(hashes[..100].windows(2).all(|two| two[0] != two[1]));
    for step in 0..99 {
        assert_eq!(hashes[101 + step - 1], hashes[99 - step], "{step}");
    }
}

#[test]
fn selection_finds_units_and_free_places() {
    let mut app = app(selection::example);
    play(&mut app, selection::SCRIPT);
    assert_eq!(count::<selection::Selected>(&mut app), 2);
    assert_eq!(count::<selection::Unit>(&mut app), 7);
    let mut units = app.world_mut().query_filtered::<&Transform, With<selection::Unit>>();
    let places: Vec<Vec2> =
        units.iter(app.world()).map(|unit| unit.translation.truncate()).collect();
    for (i, a) in places.iter().enumerate() {
        assert!(places[..i].iter().all(|b| a.distance(*b) >= 0.999), "{places:?}");
    }
}

/// Decides which keys to hold: runs to the right and jumps over everything in the way.
fn play_platformer(app: &mut App, hero: Entity) -> Vec<KeyCode> {
    let at = position(app, hero);
    let footing = *app.world().get::<Footing>(hero).unwrap();
    let mut keys = vec![KeyCode::ArrowRight];
    let lift = only::<platformer::Lift>(app);
    if footing.floor == Some(lift) {
        // Rides up, and jumps off at the top.
        keys.clear();
        if position(app, lift).y >= 5.0 {
            keys = vec![KeyCode::ArrowRight, KeyCode::Space];
        }
        return keys;
    }
    let mut dangers = app
        .world_mut()
        .query_filtered::<&Transform, Or<(With<platformer::Enemy>, With<platformer::Spikes>)>>();
    let is_danger = dangers.iter(app.world()).any(|danger| {
        let to = danger.translation.truncate() - at;
        (0.0..2.0).contains(&to.x) && to.y.abs() < 1.0
    });
    let carom = app.world().resource::<CaromWorld>().get();
    let ahead = carom::shape::Circle::new([at.x + 0.8, at.y - 0.8], 0.2);
    let is_ledge = carom.is_free(&ahead, &Filter::new().solid());
    let in_jump = footing.state.is_jumping;
    if in_jump || footing.on_floor() && (footing.on_wall() || is_danger || is_ledge) {
        keys.push(KeyCode::Space);
    }
    keys
}

#[test]
fn platformer_can_be_won() {
    let mut app = app(platformer::example);
    let hero = only::<platformer::Hero>(&mut app);
    let mut steps = 0;
    while !app.world().resource::<platformer::Score>().has_won && steps < 64 * 60 {
        let keys = play_platformer(&mut app, hero);
        play(&mut app, &[(&keys, 1)]);
        steps += 1;
    }
    let score = app.world().resource::<platformer::Score>();
    assert!(score.has_won, "after {steps} steps at {}: {score:?}", position(&app, hero));
    assert!(score.coins > 0, "{score:?}");
}

#[test]
fn guide_game_has_a_coin_and_an_enemy_to_stomp_on() {
    let mut app = app(guide::game);
    let hero = only::<guide::hero::Hero>(&mut app);
    play(&mut app, &[(&[], 60)]);
    let footing = app.world().get::<Footing>(hero).unwrap();
    assert!(footing.on_floor());
    assert_eq!(footing.normal, Vec2::Y);

    // The hero takes the coin on its way to the hill.
    play(&mut app, &[(&[KeyCode::ArrowRight], 52)]);
    assert_eq!(app.world().resource::<guide::coins::Score>().0, 1);

    // The enemy stays on the hill, so the hero can fall on its head.
    let enemy = only::<guide::enemies::Enemy>(&mut app);
    play_with(&mut app, &[(&[], 200)], |app| assert_eq!(position(app, enemy).y, 2.4));
    *app.world_mut().get_mut::<Transform>(hero).unwrap() = Transform::from_xyz(10.0, 5.0, 0.0);
    let mut has_bounced = false;
    play_with(&mut app, &[(&[], 60)], |app| {
        has_bounced |= app.world().get::<Velocity>(hero).unwrap().0.y > 0.0;
    });
    assert!(has_bounced, "at {}", position(&app, hero));
    assert_eq!(count::<guide::enemies::Enemy>(&mut app), 0);

    // It rides on the lift, which turns back above and below.
    let lift = only::<guide::lift::Lift>(&mut app);
    *app.world_mut().get_mut::<Transform>(hero).unwrap() = Transform::from_xyz(13.5, 6.5, 0.0);
    let (mut lowest, mut highest) = (f32::INFINITY, f32::NEG_INFINITY);
    play_with(&mut app, &[(&[], 640)], |app| {
        let y = position(app, lift).y;
        (lowest, highest) = (lowest.min(y), highest.max(y));
    });
    assert!((1.9..2.1).contains(&lowest) && (4.9..5.1).contains(&highest), "{lowest} {highest}");
    assert_eq!(app.world().get::<Footing>(hero).unwrap().floor, Some(lift));
}

/// The chapter of the guide shows the files of its example. Of `main.rs` it shows the lines that it needs first.
#[test]
fn guide_listings_are_the_files_of_its_example() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let chapter = std::fs::read_to_string(root.join("../../docs/src/bevy.md")).unwrap();
    let mut names = Vec::new();
    for listing in chapter.split("\n```rust,ignore\n// src/").skip(1) {
        let listing = listing.split("\n```").next().unwrap();
        let (name, shown) = listing.split_once('\n').unwrap();
        let file = std::fs::read_to_string(root.join("examples/guide").join(name)).unwrap();
        if name == "main.rs" {
            let mut lines = file.lines();
            for line in shown.lines() {
                assert!(lines.any(|other| other == line), "main.rs: {line}");
            }
        } else {
            assert_eq!(shown, file.trim_end(), "{name}");
        }
        names.push(name);
    }
    assert_eq!(names, ["level.rs", "hero.rs", "main.rs", "coins.rs", "enemies.rs", "lift.rs"]);
}
