//! The story of the platformer: a script plays the whole level and checks what happens.

use super::*;

const NO_KEYS: Input = Input {
    left: false,
    right: false,
    up: false,
    down: false,
    jump: false,
    dash: false,
    attack: false,
    rewind: false,
};
const RIGHT: Input = Input { right: true, ..NO_KEYS };
const LEFT: Input = Input { left: true, ..NO_KEYS };
const DOWN: Input = Input { down: true, ..NO_KEYS };

// The indices of the lifts.
const RISES: usize = 0;
const GOES: usize = 1;
const SEESAW: usize = 2;

impl Game {
    /// Plays some steps with the same keys. A hero who stands touches the floor, in every step.
    fn play(&mut self, steps: u32, input: Input) {
        for _ in 0..steps {
            let safe_steps = self.now.hero.safe_steps;
            self.step(input).unwrap();
            let Moment { world, body, hero, .. } = &self.now;
            let is_put_back = hero.safe_steps > safe_steps || input.rewind;
            if let (Some(floor), false) = (hero.state.floor, is_put_back) {
                assert!(world.touching_bodies(*body).contains(&floor.body), "at {}", self.at());
            }
        }
    }

    /// Plays with the same keys until something is true.
    fn play_until(&mut self, input: Input, is_done: impl Fn(&Self) -> bool) {
        for _ in 0..600 {
            if is_done(self) {
                return;
            }
            self.play(1, input);
        }
        panic!("this did not happen within 600 steps; the hero is at {}", self.at());
    }

    /// Jumps with the highest jump, holding other keys, until the hero stands or hangs again.
    fn jump(&mut self, keys: Input) {
        let jump = Input { jump: true, ..keys };
        self.play(1, keys); // the key has to be up before it can be pressed
        self.play_until(jump, |game| !game.now.hero.state.on_floor());
        self.play_until(jump, |game| game.now.hero.state.on_floor());
    }

    fn at(&self) -> Vec2 {
        position(&self.now.world, self.now.body)
    }

    /// Puts the hero somewhere, for stories that do not begin at the start.
    fn put(&mut self, x: f32, y: f32) {
        self.now.world.set_position(self.now.body, [x, y]).unwrap();
        (self.now.hero.state, self.now.hero.velocity) = (WalkerState::new(), Vec2::ZERO);
        self.play(2, NO_KEYS);
    }
}

#[test]
fn a_hero_runs_over_the_hill_and_jumps_onto_the_platform() {
    let mut game = Game::new().unwrap();
    game.play(1, NO_KEYS);
    game.play_until(RIGHT, |game| {
        assert!(game.now.hero.state.on_floor()); // up the slope, over the top and down again
        game.at().x > 9.0
    });
    game.jump(RIGHT);
    assert_eq!(game.at().y, 9.0); // on the one-way platform
    assert!(game.now.hero.coins >= 1);
    game.play_until(DOWN, |game| game.at().y > 9.5);
    game.play_until(NO_KEYS, |game| game.now.hero.state.on_floor());
    assert_eq!(game.at().y, 12.0);
}

#[test]
fn a_sloped_platform_holds_a_hero_who_walks_down_stops_and_turns() {
    let mut game = Game::new().unwrap();
    game.put(36.5, 12.0);
    game.jump(NO_KEYS); // up through the ramp, and onto it
    assert!(game.at().y < 11.0, "{}", game.at());
    game.now.hero.safe_steps = 1000;
    let on_ramp = |game: &mut Game, steps: u32, keys: Input| {
        for _ in 0..steps {
            game.play(1, keys);
            assert!(game.now.hero.state.on_floor(), "{}", game.at());
        }
    };
    while game.at().x < 38.5 {
        on_ramp(&mut game, 1, RIGHT);
    }
    for keys in [NO_KEYS, LEFT, RIGHT, NO_KEYS, LEFT, RIGHT, NO_KEYS] {
        on_ramp(&mut game, 6, keys);
    }
    while game.at().x > 37.0 {
        on_ramp(&mut game, 1, LEFT);
    }
    assert!((9.5..10.5).contains(&game.at().y), "{}", game.at());
}

#[test]
fn a_platform_on_the_ground_does_not_lift_a_hero_who_walks_through_it() {
    let mut game = Game::new().unwrap();
    game.put(22.0, 12.0); // inside of it
    for keys in [RIGHT, LEFT, RIGHT] {
        game.play(8, keys);
        assert_eq!(game.at().y, 12.0);
    }
    game.put(22.5, 12.0);
    game.jump(NO_KEYS);
    assert_eq!(game.at().y, 11.0); // a jump leads onto it
}

#[test]
fn a_hero_crouches_into_the_hole_and_cannot_stand_up_in_it() {
    let mut game = Game::new().unwrap();
    game.put(40.5, 12.0);
    game.play(30, RIGHT);
    assert!(game.at().x < 40.7); // too tall for the hole
    let crawl = Input { down: true, ..RIGHT };
    game.play_until(crawl, |game| game.now.hero.coins == 1);
    game.play(10, NO_KEYS);
    assert!(game.now.hero.is_crouching); // the ceiling is too low
    game.play_until(LEFT, |game| game.at().x < 40.5);
    assert!(!game.now.hero.is_crouching);
}

#[test]
fn coyote_time_gives_one_jump_and_a_short_press_a_small_one() {
    let peak = |presses: &[u32], held: u32| {
        let mut game = Game::new().unwrap();
        game.put(12.0, 9.0);
        game.play_until(RIGHT, |game| !game.now.hero.state.on_floor()); // off the platform
        let mut top = game.at().y;
        for step in 0..60 {
            let jump = presses.iter().any(|&press| (press..press + held).contains(&step));
            game.play(1, Input { jump, ..RIGHT });
            top = top.min(game.at().y);
        }
        9.0 - top
    };
    assert!(peak(&[3], 40) > 3.0); // in the air, and still a whole jump
    assert!(peak(&[9], 40) < 0.1); // too late
    assert!(peak(&[3], 2) < 1.5);
    assert_eq!(peak(&[1], 2), peak(&[1, 4], 2)); // the second press does nothing
}

#[test]
fn a_jump_that_is_pressed_before_landing_is_made_on_landing() {
    let mut game = Game::new().unwrap();
    game.put(12.0, 11.0);
    game.play_until(NO_KEYS, |game| game.at().y > 11.7);
    game.play(1, Input { jump: true, ..NO_KEYS });
    assert!(game.now.hero.velocity.y > 0.0); // still falling
    game.play_until(Input { jump: true, ..NO_KEYS }, |game| game.at().y < 9.0);
}

#[test]
fn the_wall_is_too_high_without_the_crate() {
    let mut game = Game::new().unwrap();
    game.put(14.0, 12.0);
    game.play_until(RIGHT, |game| game.at().x > 18.6); // the crate is at the wall
    let crate_x = position(&game.now.world, game.now.crates[0].0).x;
    assert!((crate_x - 19.0).abs() < 0.05, "{crate_x}");
    game.play(20, LEFT);
    game.jump(RIGHT);
    assert_eq!(game.at().y, 11.0); // on the crate
    game.jump(RIGHT);
    assert_eq!(game.at().y, 8.0); // on the wall
}

#[test]
fn two_crates_are_pushed_together() {
    let mut game = Game::new().unwrap();
    let crates = [16.0, 17.5].map(|x| {
        let shape = [solid(Aabb::new([0.0, 0.0], [1.0, 1.0]))];
        let body = Body::moving([x, 11.0]).pushable();
        spawn(&mut game.now.world, CRATE, body, shape).unwrap()
    });
    game.now.world.set_position(game.now.crates[0].0, [12.0, 11.0]).unwrap();
    game.put(15.0, 12.0);
    game.play_until(RIGHT, |game| game.at().x > 17.6);
    let x = crates.map(|body| position(&game.now.world, body).x);
    assert!((x[0] - 18.0).abs() < 0.05 && (x[1] - 19.0).abs() < 0.05, "{x:?}");
    assert!(
        !game.now.world.intersecting(&Circle::new([18.5, 11.5], 0.1), &Filter::new()).is_empty()
    );
}

#[test]
fn a_seesaw_tilts_under_the_hero() {
    let mut game = Game::new().unwrap();
    game.put(31.0, 6.0);
    game.play_until(NO_KEYS, |game| game.now.hero.state.stands_on(game.now.lifts[SEESAW].0));
    let (mut low, mut high) = (0.0, 99.0);
    for _ in 0..400 {
        game.play(1, NO_KEYS);
        assert!(game.now.hero.state.stands_on(game.now.lifts[SEESAW].0), "{}", game.at());
        (low, high) = (f32::max(low, game.at().y), f32::min(high, game.at().y));
    }
    assert!(low - high > 0.75, "{low}, {high}");
}

#[test]
fn a_hero_who_is_faster_than_a_coin_is_wide_still_gets_it() {
    let mut game = Game::new().unwrap();
    game.put(9.5, 9.0); // on the platform
    game.now.hero.velocity = Vec2::new(0.0, -600.0); // ten tiles in one step, past the coins
    let coin = thing(Circle::new([0.0, 0.0], 0.1));
    spawn(&mut game.now.world, COIN, Body::fixed([9.5, 5.0]), [coin]).unwrap();
    let coins = game.now.hero.coins;
    game.play(1, Input { jump: false, ..NO_KEYS });
    assert!(game.at().y < 3.0 && game.now.hero.coins == coins + 1, "{}", game.at());
}

#[test]
fn spikes_send_the_hero_back_to_the_checkpoint() {
    let mut game = Game::new().unwrap();
    game.put(23.0, 12.0);
    game.play_until(RIGHT, |game| game.at().x < 3.0); // into the pit, and back at the start
    game.put(37.3, 12.0); // at the flag
    game.put(35.5, 12.0);
    game.play_until(NO_KEYS, |game| game.at().x > 37.0);
}

#[test]
fn enemies_turn_at_ledges_and_hurt_and_fall_to_the_sword() {
    let mut game = Game::new().unwrap();
    for _ in 0..900 {
        game.play(1, NO_KEYS);
        let x = position(&game.now.world, game.now.enemies[1].0).x;
        assert!((26.9..34.1).contains(&x), "{x}"); // between the two pits
    }
    game.put(27.5, 12.0);
    game.play_until(NO_KEYS, |game| game.now.hero.hearts == 2);
    assert!(game.now.hero.velocity.y < 0.0); // thrown back
    game.put(27.5, 12.0);
    game.now.hero.safe_steps = 1000;
    game.play_until(NO_KEYS, |game| {
        let ahead = position(&game.now.world, game.now.enemies[1].0).x - game.at().x;
        (0.5..1.5).contains(&ahead)
    });
    game.play(1, Input { attack: true, ..RIGHT });
    game.play(10, NO_KEYS);
    assert_eq!(game.now.enemies.len(), 1);
}

#[test]
fn a_ladder_leads_up_and_a_dash_over_the_water() {
    let mut game = Game::new().unwrap();
    game.put(40.5, 12.0);
    game.play_until(Input { up: true, ..NO_KEYS }, |game| game.at().y < 6.2);
    game.play_until(Input { up: true, ..RIGHT }, |game| game.at().x > 41.5);
    game.play_until(NO_KEYS, |game| game.now.hero.state.on_floor());
    assert_eq!(game.at().y, 6.0);
    game.play_until(RIGHT, |game| game.at().x > 44.6);
    game.play_until(Input { jump: true, ..RIGHT }, |game| game.at().x > 48.0);
    game.play_until(Input { jump: true, dash: true, ..RIGHT }, |game| {
        game.now.hero.state.on_floor()
    });
    assert!(game.at().x > 51.6 && game.at().y == 6.0);
    assert!(game.now.hero.coins >= 3);
}

#[test]
fn the_hero_swims_and_leaves_the_water() {
    let mut game = Game::new().unwrap();
    game.put(48.5, 8.0);
    game.play_until(NO_KEYS, |game| game.now.hero.state.on_floor()); // sinks to the ground
    assert_eq!(game.at().y, 14.0);
    assert_eq!(game.now.hero.coins, 1);
    game.now.hero.safe_steps = 1000; // from the enemy that waits there
    while game.at().y > 6.0 {
        game.play(1, RIGHT);
        game.play(20, Input { jump: true, ..RIGHT }); // swims up with strokes
    }
    assert!(game.at().x > 51.0, "{}", game.at());
}

#[test]
fn wall_jumps_lead_out_of_the_shaft() {
    let mut game = Game::new().unwrap();
    game.put(57.5, 12.0);
    let mut keys = RIGHT;
    game.play_until(keys, |game| game.at().x > 58.6);
    game.play(1, NO_KEYS);
    while game.at().y > 4.9 {
        game.play(24, Input { jump: true, ..keys });
        keys = if keys.right { LEFT } else { RIGHT };
        game.play(1, keys);
    }
    game.play_until(RIGHT, |game| game.now.hero.state.on_floor());
    assert!(game.at().y <= 6.0);
}

#[test]
fn the_wall_slows_the_fall_of_a_hero_who_presses_against_it() {
    let mut game = Game::new().unwrap();
    game.put(58.6, 7.0);
    game.play(30, RIGHT);
    assert!((0.5..=WALL_SLIDE).contains(&game.now.hero.velocity.y), "{}", game.now.hero.velocity);
}

#[test]
fn a_hero_beside_a_wall_jumps_off_it_without_pressing_against_it() {
    let mut game = Game::new().unwrap();
    game.put(58.5, 9.0); // 0.15 away from the wall
    game.play(10, NO_KEYS);
    game.play(1, Input { jump: true, ..NO_KEYS });
    let velocity = game.now.hero.velocity;
    assert!(velocity.x < 0.0 && velocity.y < -10.0, "{velocity}");
}

#[test]
fn lifts_lead_to_the_goal() {
    let mut game = Game::new().unwrap();
    game.put(61.0, 5.0);
    let lift = |game: &Game, index: usize| position(&game.now.world, game.now.lifts[index].0);
    game.play_until(NO_KEYS, |game| lift(game, GOES).x < 62.1);
    game.play_until(RIGHT, |game| game.at().x > 63.2);
    game.play_until(NO_KEYS, |game| lift(game, GOES).x > 65.9);
    assert!(game.at().x > 66.5 && game.now.hero.state.on_floor()); // it went along
    game.play_until(RIGHT, |game| game.at().x > 68.2);
    game.play_until(NO_KEYS, |game| game.now.hero.state.stands_on(game.now.lifts[RISES].0));
    game.play_until(NO_KEYS, |game| lift(game, RISES).y < 3.2);
    assert!((game.at().y - lift(&game, RISES).y).abs() < 1e-3); // it rose, too
    game.play_until(RIGHT, |game| game.at().x > 69.8);
    game.jump(RIGHT);
    game.play_until(RIGHT, |game| game.now.hero.has_won);
}

#[test]
fn a_jump_keeps_the_speed_of_the_lift() {
    let mut game = Game::new().unwrap();
    game.put(63.0, 4.9);
    game.play_until(NO_KEYS, |game| game.now.hero.state.stands_on(game.now.lifts[GOES].0));
    let lift = |game: &Game| position(&game.now.world, game.now.lifts[GOES].0).x;
    game.play_until(NO_KEYS, |game| (62.5..64.0).contains(&lift(game)));
    let before = lift(&game);
    game.play(1, NO_KEYS);
    let speed = (lift(&game) - before) / STEP;
    game.play(1, Input { jump: true, ..NO_KEYS });
    // The key is not held, and without keys the hero slows down in the air.
    let kept = game.now.hero.velocity.x;
    assert!(speed.abs() > 0.5 && (kept - speed).abs() < 0.2, "{speed}, {kept}");
}

#[test]
fn rewinding_restores_every_bit() {
    let mut game = Game::new().unwrap();
    let start = game.now.world.state_hash();
    game.play(200, RIGHT);
    let later = game.now.world.state_hash();
    game.play(200, Input { rewind: true, ..NO_KEYS });
    assert_eq!(game.now.world.state_hash(), start);
    game.play(200, RIGHT);
    assert_eq!(game.now.world.state_hash(), later);
}

#[test]
fn screenshot() {
    let mut game = Game::new().unwrap();
    game.now.world.set_position(game.now.crates[0].0, [22.0, 11.0]).unwrap();
    game.put(28.0, 12.0);
    game.play(1, Input { attack: true, ..RIGHT });
    game.play(5, NO_KEYS);
    carom_examples::screenshot("platformer", conf(), move || game.draw());
}
