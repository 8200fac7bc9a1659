//! The story of the shooter: a script flies, fires and bombs in a swarm of five thousand bodies.

use super::*;

impl Game {
    fn play(&mut self, steps: u32, input: Input) {
        for _ in 0..steps {
            self.step(input).unwrap();
        }
    }

    fn pilot(&self) -> Vec2 {
        position(&self.world, self.pilot)
    }

    fn distances(&self) -> impl Iterator<Item = f32> {
        self.enemies.iter().map(|&enemy| position(&self.world, enemy).distance(self.pilot()))
    }
}

/// A game that does not wait for the first key.
fn begun() -> Game {
    Game { is_waiting: false, ..Game::new().unwrap() }
}

fn fire(aim: Vec2) -> Input {
    Input { aim, fire: true, ..Input::default() }
}

#[test]
fn the_swarm_comes_and_its_members_stay_apart() {
    let mut game = begun();
    assert!(game.world.body_count() > 5000);
    game.health = 1000;
    let before = game.distances().sum::<f32>();
    game.play(240, Input::default());
    assert!(game.distances().sum::<f32>() < 0.8 * before);
    assert!(game.health < 1000); // the first ones have arrived

    // The pushes keep the crowd loose: no two enemies are in the same place, and none is in a wall.
    let contacts: Vec<f32> =
        game.world.events().iter().filter_map(|event| Some(event.contact?.depth)).collect();
    let deep = contacts.iter().filter(|&&depth| depth > 8.0).count();
    assert!(contacts.len() > 500 && deep * 50 < contacts.len(), "{deep} of {}", contacts.len());
    for &enemy in &game.enemies {
        let at = position(&game.world, enemy);
        assert_eq!(at.clamp(Vec2::ZERO, Vec2::from(ARENA)), at);
    }
}

#[test]
fn nobody_begins_in_a_wall_or_in_another() {
    let mut game = begun();
    game.world.update();
    let depths = game.world.events().iter().filter_map(|event| Some(event.contact?.depth));
    let overlaps: Vec<f32> = depths.filter(|&depth| depth > 0.0).collect();
    assert!(overlaps.is_empty(), "{overlaps:?}");
}

#[test]
fn the_ship_turns_with_the_aim() {
    let mut game = begun();
    for (aim, sees_right) in [(Vec2::X, true), (Vec2::NEG_X, false)] {
        game.play(1, Input { aim, ..Input::default() });
        let hull = game.world.box_of(game.pilot, "hull").unwrap();
        let nose = Circle::new(game.pilot() + Vec2::new(14.0, 0.0), 0.5);
        let hull = game.world.collider(hull).unwrap();
        assert_eq!(hull.placed().intersects(&nose), sees_right);
    }
}

#[test]
fn the_pilot_pushes_two_barrels_and_not_three() {
    for (count, is_pushed) in [(2, true), (3, false)] {
        let mut game = begun();
        let bodies = game.world.bodies().filter(|(_, body)| body.user_data == BARREL);
        let barrels: Vec<BodyKey> = bodies.map(|(key, _)| key).take(count).collect();
        let start = game.pilot();
        for (i, &barrel) in barrels.iter().enumerate() {
            game.world
                .set_position(barrel, start + Vec2::new(40.0 + 36.0 * i as f32, 0.0))
                .unwrap();
        }
        game.play(20, Input { movement: Vec2::X, ..Input::default() });
        assert_eq!(game.pilot().x > start.x + 60.0, is_pushed, "{}", game.pilot() - start);
        let last = position(&game.world, *barrels.last().unwrap());
        assert_eq!(last.x > start.x + 40.0 + 36.0 * (count - 1) as f32, is_pushed);
    }
}

#[test]
fn bullets_kill_and_gems_fly_to_the_pilot() {
    let mut game = begun();
    game.health = 1000;
    for step in 0..350 {
        game.play(1, fire(Vec2::from_angle(step as f32 * 0.05)));
    }
    assert!(game.kills > 30 && game.gems > 10, "{} kills, {} gems", game.kills, game.gems);
    assert_eq!(game.enemies.len(), ENEMIES - game.kills as usize);
    assert!(game.bullets.len() <= (BULLET_STEPS / FIRE_STEPS) as usize);
}

#[test]
fn the_rail_gun_pierces_all_enemies_up_to_the_next_wall() {
    let mut game = begun();
    // Three enemies in a row, a wall of glass, and one more behind it.
    let start = game.pilot();
    let glass = Collider::new(Aabb::new([500.0, -50.0], [500.1, 50.0])).on_layer("wall");
    spawn(&mut game.world, WALL, Body::fixed(start), [glass]).unwrap();
    let row: Vec<BodyKey> = game.enemies[..4].to_vec();
    for (&enemy, x) in row.iter().zip([300.0, 100.0, 200.0, 600.0]) {
        game.world.set_position(enemy, start + Vec2::new(x, 0.0)).unwrap();
    }
    game.play(1, Input { aim: Vec2::X, rail: true, ..Input::default() });
    let is_alive: Vec<bool> = row.iter().map(|enemy| game.enemies.contains(enemy)).collect();
    assert_eq!(is_alive, [false, false, false, true]);
    let (_, end) = game.rail.unwrap();
    assert!((end.x - start.x - 495.0).abs() < 0.1);
    let kills = game.kills;
    game.play(1, Input { aim: Vec2::X, rail: true, ..Input::default() });
    assert_eq!(game.kills, kills); // it has to be loaded again
}

#[test]
fn a_bomb_clears_its_surroundings() {
    let mut game = begun();
    game.health = 1000;
    game.play(260, Input::default());
    let near = game.distances().filter(|&distance| distance < BLAST).count();
    assert!(near > 20);
    game.play(1, Input { bomb: true, ..Input::default() });
    assert!(game.kills as usize >= near);
    assert_eq!((game.bombs, game.distances().filter(|&d| d < BLAST - 20.0).count()), (2, 0));
}

#[test]
fn walls_stop_the_pilot() {
    let mut game = begun();
    game.health = 1000;
    game.world.set_position(game.pilot, Vec2::from(ARENA) - 200.0).unwrap();
    game.play(90, Input { movement: Vec2::new(1.0, 1.0), ..Input::default() });
    let corner = Vec2::from(ARENA) - 12.0;
    assert!(game.pilot().distance(corner) < 0.01, "{}", game.pilot());
}

#[test]
fn a_pilot_who_does_nothing_is_lost() {
    let mut game = begun();
    game.play(1200, Input::default());
    assert_eq!(game.health, 0);
}

#[test]
fn the_swarm_waits_for_the_first_key() {
    let mut game = Game::new().unwrap();
    let before = game.world.state_hash();
    game.play(60, Input { aim: Vec2::Y, ..Input::default() });
    assert_eq!(game.world.state_hash(), before);
    game.play(1, Input { movement: Vec2::X, ..Input::default() });
    assert!(!game.is_waiting);
    assert_ne!(game.world.state_hash(), before);
}

#[test]
fn a_pilot_who_shoots_ahead_and_bombs_collects_enough_gems() {
    let mut game = begun();
    for step in 0..1200 {
        // In a circle around the center of the arena.
        let circle = Vec2::from_angle(step as f32 * 0.004) * 500.0;
        let ahead = Vec2::from(ARENA) / 2.0 + circle - game.pilot();
        let near = game.distances().filter(|&distance| distance < BLAST).count();
        game.play(1, Input { movement: ahead, rail: true, bomb: near > 200, ..fire(ahead) });
    }
    assert!(game.gems >= GOAL && game.health > 0, "{} gems, health {}", game.gems, game.health);
}

#[test]
fn screenshot() {
    let mut game = begun();
    game.health = 30;
    for step in 0..280 {
        game.play(1, fire(Vec2::from_angle(step as f32 * 0.03)));
    }
    game.play(1, Input { rail: true, ..fire(Vec2::from_angle(0.4)) });
    carom_examples::screenshot("shooter", conf(), move || game.draw());
}
