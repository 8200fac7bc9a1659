//! The story of worms: a script walks, fires and lets the computer answer.

use super::*;

impl Game {
    /// Plays until a worm of a team has its turn.
    fn wait_for_turn(&mut self, team: usize) {
        for _ in 0..5000 {
            let is_aiming = matches!(self.phase, Phase::Aiming { .. });
            if is_aiming && self.worms[self.current].team == team || self.winner().is_some() {
                return;
            }
            self.step(Input::default()).unwrap();
        }
        panic!("the turn did not come within 5000 steps");
    }

    fn at(&self, worm: usize) -> Vec2 {
        position(&self.world, self.worms[worm].body)
    }

    /// Fires in a direction and waits for the explosion. Returns how many steps the shot flew.
    fn shoot(&mut self, direction: Vec2, power: f32) -> u32 {
        let input =
            Input { fire: true, aim: self.muzzle() + direction * 100.0, ..Input::default() };
        for _ in 0..(power * CHARGE_STEPS) as u32 {
            self.step(input).unwrap();
        }
        self.step(Input { fire: false, ..input }).unwrap();
        let mut steps = 0;
        while self.phase == Phase::Flying {
            self.step(Input { fire: false, ..input }).unwrap();
            steps += 1;
        }
        steps
    }
}

/// Returns the mask of the island.
fn island(game: &Game) -> &Mask {
    let collider = game.world.collider(game.island).expect("the island is in the world");
    match &**collider.shape() {
        Shape::Mask(mask) => mask,
        _ => unreachable!("the island is a mask"),
    }
}

#[test]
fn worms_land_on_the_island_and_stay_there() {
    let mut game = Game::new().unwrap();
    game.wait_for_turn(0);
    assert!(game.worms.iter().all(|worm| worm.state.on_floor()));
    let before: Vec<Vec2> = (0..6).map(|worm| game.at(worm)).collect();
    for _ in 0..120 {
        game.step(Input::default()).unwrap();
    }
    let after: Vec<Vec2> = (0..6).map(|worm| game.at(worm)).collect();
    assert_eq!(before, after); // nobody slides
}

#[test]
fn falling_worms_open_parachutes_until_the_floor_is_near() {
    let mut game = Game::new().unwrap();
    let start = game.at(0);
    for _ in 0..30 {
        game.step(Input::default()).unwrap();
    }
    assert!(game.worms.iter().all(|worm| worm.has_parachute && worm.velocity.y == SINK));
    while game.worms[0].has_parachute {
        game.step(Input::default()).unwrap();
    }
    let (end, is_landed) = (game.at(0), game.worms[0].state.on_floor());
    assert!(end.y > start.y + 50.0 && !is_landed, "{end}");
    game.wait_for_turn(0);
    assert!((game.at(0).y - end.y - 40.0).abs() < 5.0, "{end} to {}", game.at(0));
}

#[test]
fn no_parachute_opens_under_a_roof() {
    let mut game = Game::new().unwrap();
    let shaft =
        [[-12.0, -300.0, -10.0, 300.0], [10.0, -300.0, 12.0, 300.0], [-12.0, -30.0, 12.0, -25.0]];
    let at = game.at(0);
    for [left, top, right, bottom] in shaft {
        let wall = Collider::new(Aabb::new([left, top], [right, bottom])).on_layer("island");
        spawn(&mut game.world, ISLAND, Body::fixed(at), [wall]).unwrap();
    }
    let worm = &mut game.worms[0];
    worm.velocity.y = 2.0 * SINK;
    game.step(Input::default()).unwrap();
    assert!(!game.worms[0].has_parachute && game.worms[1].velocity.y < SINK);
    assert!(game.worms[0].velocity.y > 2.0 * SINK);
}

#[test]
fn a_worm_walks_over_the_hills_and_jumps() {
    let mut game = Game::new().unwrap();
    game.wait_for_turn(0);
    let start = game.at(0);
    for _ in 0..120 {
        game.step(Input { right: true, ..Input::default() }).unwrap();
    }
    assert!(game.at(0).x > start.x + 60.0, "{} to {}", start, game.at(0));
    let ground = game.at(0).y;
    game.step(Input { jump: true, ..Input::default() }).unwrap();
    for _ in 0..15 {
        game.step(Input::default()).unwrap();
    }
    assert!(game.at(0).y < ground - 20.0);
}

#[test]
fn an_explosion_carves_hurts_and_throws() {
    let mut game = Game::new().unwrap();
    game.wait_for_turn(0);
    let pixels = island(&game).bitmap().count();
    let (victim, center) = (3, game.at(3) + Vec2::new(10.0, 5.0));
    game.explode(center).unwrap();
    assert!(island(&game).bitmap().count() < pixels - 300);
    assert!(!island(&game).intersects(&Circle::new(center, CRATER - 2.0 * PIXEL)));
    assert!(game.worms[victim].health < 80);
    let before = game.at(victim);
    game.step(Input::default()).unwrap();
    assert!(game.at(victim).x < before.x && game.at(victim).y < before.y); // up and away
}

#[test]
fn a_grenade_bounces_before_it_explodes() {
    let mut game = Game::new().unwrap();
    game.wait_for_turn(0);
    game.step(Input { change_weapon: true, ..Input::default() }).unwrap();
    assert!(game.throws_grenade);
    let pixels = island(&game).bitmap().count();
    assert_eq!(game.shoot(Vec2::new(0.7, -0.7), 0.4), FUSE); // it lay on the ground for a while
    assert!(island(&game).bitmap().count() < pixels);
}

#[test]
fn the_computer_wins_against_a_player_who_shoots_into_the_air() {
    let mut game = Game::new().unwrap();
    for _ in 0..40 {
        game.wait_for_turn(0);
        if game.winner().is_some() {
            break;
        }
        game.shoot(Vec2::new(-1.0, -1.0), 0.9);
    }
    assert_eq!(game.winner(), Some(1));
}

#[test]
fn a_copy_plays_the_same_game() {
    let mut game = Game::new().unwrap();
    game.wait_for_turn(0);
    let mut copy = game.clone();
    for game in [&mut game, &mut copy] {
        game.shoot(Vec2::new(1.0, -1.0), 0.6);
    }
    assert_eq!(game.world.state_hash(), copy.world.state_hash());
}

#[test]
fn screenshot() {
    let mut game = Game::new().unwrap();
    for _ in 0..3 {
        game.wait_for_turn(0);
        game.shoot(Vec2::new(1.0, -0.8), 0.8);
    }
    game.wait_for_turn(0);
    for _ in 0..40 {
        let aim = game.muzzle() + Vec2::new(80.0, -60.0);
        game.step(Input { aim, fire: true, ..Input::default() }).unwrap();
    }
    carom_examples::screenshot("worms", conf(), move || game.draw());
}
