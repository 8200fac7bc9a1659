//! The story of the fighting game: scripts for attacks, blocks, clashes and whole rounds.

use super::*;

const NO_KEYS: Input =
    Input { left: false, right: false, jump: false, crouch: false, punch: false, kick: false };
const PUNCH: Input = Input { punch: true, ..NO_KEYS };
const KICK: Input = Input { kick: true, ..NO_KEYS };

impl Game {
    fn play(&mut self, steps: u32, inputs: [Input; 2]) {
        for _ in 0..steps {
            self.step(inputs).unwrap();
        }
    }

    fn health(&self) -> [u32; 2] {
        [self.fighters[0].health, self.fighters[1].health]
    }

    fn x(&self, i: usize) -> f32 {
        position(&self.world, self.fighters[i].body).x
    }
}

/// A game that does not wait for the first key.
fn begun() -> Game {
    Game { is_waiting: false, ..Game::new().unwrap() }
}

/// Two fighters who stand at a distance from each other.
fn at_distance(distance: f32) -> Game {
    let mut game = begun();
    for (i, side) in [-0.5, 0.5].into_iter().enumerate() {
        game.world.set_position(game.fighters[i].body, [320.0 + side * distance, FLOOR]).unwrap();
    }
    game.play(5, [NO_KEYS; 2]);
    game
}

#[test]
fn a_punch_strikes_once_per_swing() {
    let mut game = at_distance(50.0);
    game.play(60, [PUNCH, NO_KEYS]); // the key stays down: one punch
    assert_eq!(game.health(), [100, 90]); // on the head
    game.play(18, [Input { right: true, ..NO_KEYS }, NO_KEYS]); // after the one who was thrown back
    game.play(60, [PUNCH, NO_KEYS]);
    assert_eq!(game.health()[1], 80);
}

#[test]
fn both_sides_are_mirror_images() {
    let mut scores = Vec::new();
    for i in 0..2 {
        let mut game = at_distance(50.0);
        let (before, mut inputs) = (game.x(1 - i), [NO_KEYS; 2]);
        inputs[i] = KICK;
        game.play(60, inputs);
        scores.push((game.health()[1 - i], (game.x(1 - i) - before).abs()));
    }
    assert_eq!(scores[0].0, scores[1].0);
    assert!((scores[0].1 - scores[1].1).abs() < 1e-3); // rounding differs around x = 320
    assert!(scores[0].0 < 100 && scores[0].1 > 10.0); // it hurts and throws back
}

#[test]
fn a_punch_does_not_reach_far_and_a_kick_farther() {
    for (attack, expected) in [(PUNCH, 100), (KICK, 91)] {
        let mut game = at_distance(70.0);
        game.play(60, [attack, NO_KEYS]);
        assert_eq!(game.health()[1], expected);
    }
}

#[test]
fn crouching_ducks_a_punch_but_not_a_sweep() {
    let crouch = Input { crouch: true, ..NO_KEYS };
    let mut game = at_distance(50.0);
    game.play(3, [NO_KEYS, crouch]);
    game.play(40, [PUNCH, crouch]);
    assert_eq!(game.health(), [100, 100]);
    game.play(1, [crouch, crouch]);
    game.play(40, [Input { kick: true, ..crouch }, crouch]);
    assert_eq!(game.health()[1], 91);
}

#[test]
fn walking_away_blocks_and_a_sweep_passes_the_guard() {
    let away = Input { right: true, ..NO_KEYS };
    let mut game = at_distance(45.0);
    game.play(1, [PUNCH, NO_KEYS]);
    game.play(10, [PUNCH, away]);
    assert_eq!(game.health()[1], 99);
    let mut game = at_distance(40.0);
    let crouch = Input { crouch: true, ..NO_KEYS };
    game.play(1, [crouch, NO_KEYS]);
    game.play(5, [Input { kick: true, ..crouch }, NO_KEYS]);
    game.play(10, [Input { kick: true, ..crouch }, away]);
    assert_eq!(game.health()[1], 91);
}

#[test]
fn a_jump_leads_over_a_sweep() {
    let mut game = at_distance(50.0);
    let crouch = Input { crouch: true, ..NO_KEYS };
    game.play(1, [crouch, Input { jump: true, ..NO_KEYS }]);
    game.play(30, [Input { kick: true, ..crouch }, NO_KEYS]);
    assert_eq!(game.health(), [100, 100]);
}

#[test]
fn fists_that_meet_clash() {
    let mut game = at_distance(80.0);
    game.play(30, [PUNCH, PUNCH]);
    assert_eq!(game.health(), [100, 100]);
    assert!(game.x(1) - game.x(0) > 85.0); // thrown back
}

#[test]
fn a_fighter_who_falls_loses_the_round() {
    let mut game = at_distance(50.0);
    let mut steps = 0;
    while game.pause == 0 {
        let attack = if steps % 2 == 0 { game.computer(0) } else { NO_KEYS };
        game.play(1, [attack, NO_KEYS]);
        steps += 1;
        assert!(steps < 5000, "{:?}", game.health());
    }
    assert_eq!((game.health()[1], game.fighters[0].wins), (0, 1));
    game.play(121, [NO_KEYS; 2]);
    assert_eq!(game.health(), [100, 100]); // the next round
}

#[test]
fn two_computers_fight_until_one_has_won_three_rounds() {
    let mut game = begun();
    while game.winner().is_none() {
        game.play(1, [game.computer(0), game.computer(1)]);
        assert!((13.9..=626.1).contains(&game.x(0)) && (13.9..=626.1).contains(&game.x(1)));
        assert!(game.steps < 50_000, "{:?}", game.health());
    }
    let (steps, wins) = (game.steps, game.fighters.each_ref().map(|fighter| fighter.wins));
    assert!(wins.contains(&ROUNDS) && wins.iter().sum::<u32>() < 2 * ROUNDS, "{wins:?}");
    game.play(200, [PUNCH, NO_KEYS]);
    assert_eq!(game.steps, steps); // the fight is over
}

#[test]
fn nobody_moves_before_the_first_key() {
    let mut game = Game::new().unwrap();
    let before = game.world.state_hash();
    game.play(60, [NO_KEYS; 2]);
    assert_eq!((game.steps, game.world.state_hash()), (0, before));
    game.play(1, [PUNCH, NO_KEYS]);
    assert_eq!(game.steps, 1);
}

#[test]
fn a_player_who_blocks_and_sweeps_beats_the_computer() {
    let mut game = begun();
    while game.winner().is_none() {
        let distance = game.x(1) - game.x(0);
        let is_attacked = game.fighters[1].attack.is_some() && distance < 90.0;
        let sweeps = !is_attacked && distance < 65.0;
        let keys = Input {
            left: is_attacked,
            right: !is_attacked && distance > 60.0,
            crouch: sweeps,
            kick: sweeps && (game.steps / 12).is_multiple_of(2),
            ..NO_KEYS
        };
        game.play(1, [keys, game.computer(1)]);
        assert!(game.steps < 50_000, "{:?}", game.health());
    }
    assert_eq!(game.winner(), Some(0));
}

#[test]
fn screenshot() {
    let mut game = at_distance(60.0);
    game.play(2, [NO_KEYS; 2]);
    game.play(9, [KICK, NO_KEYS]);
    carom_examples::screenshot("fighter", conf(), move || game.draw());
}
