//! The story of breakout: a script plays until every brick is gone.

use super::*;

const START: Input = Input { left: false, right: false, start: true, mouse: None };

impl Game {
    fn ball(&self) -> Vec2 {
        position(&self.world, self.balls[0].body)
    }

    /// Follows the lowest ball with the paddle, a little off its middle so that the ball changes direction.
    fn follow(&self, step: u32) -> Input {
        let balls = self.balls.iter().map(|ball| position(&self.world, ball.body));
        let lowest = balls.max_by(|a, b| a.y.total_cmp(&b.y)).unwrap();
        let aside = (step / 50 % 7) as f32 * 12.0 - 36.0;
        Input { mouse: Some(lowest.x + aside), ..START }
    }
}

#[test]
fn the_ball_lies_on_the_paddle_until_it_is_started() {
    let mut game = Game::new().unwrap();
    for _ in 0..30 {
        game.step(Input { right: true, ..Input::default() }).unwrap();
    }
    assert_eq!(game.ball().x, position(&game.world, game.paddle).x);
    assert_eq!(position(&game.world, game.paddle).x, FIELD[0] - 68.0); // at the wall
    game.step(START).unwrap();
    assert!(game.balls[0].velocity.y < 0.0);
}

#[test]
fn a_player_who_follows_the_ball_breaks_every_brick() {
    let mut game = Game::new().unwrap();
    let mut steps = 0;
    while !game.is_over() {
        game.step(game.follow(steps)).unwrap();
        for ball in &game.balls {
            let at = position(&game.world, ball.body);
            assert!(at.x > 16.9 && at.x < FIELD[0] - 16.9 && at.y > 16.9, "{at}");
            assert!((ball.velocity.length() - BALL_SPEED).abs() < 1.0);
            assert!(ball.velocity.y.abs() > 0.3 * BALL_SPEED); // no endless flights from wall to wall
        }
        steps += 1;
        assert!(steps < 100_000, "{} bricks are left", game.bricks_left());
    }
    assert_eq!(game.bricks_left(), 0);
    assert_eq!(game.score, 10 * (6 * 18 + 2 * 8)); // the grey bricks count twice
}

#[test]
fn a_player_who_does_nothing_loses_three_balls() {
    let mut game = Game::new().unwrap();
    while !game.is_over() {
        game.step(Input { mouse: Some(0.0), ..START }).unwrap();
    }
    assert_eq!(game.lives, 0);
    assert!(game.bricks_left() > 0);
}

#[test]
fn capsules_that_the_paddle_catches_have_an_effect() {
    let mut game = Game::new().unwrap();
    let mut drop_onto_paddle = |cell: Cell| {
        game.hit_brick(cell).unwrap();
        let x = game.bricks().cell_center(cell).x;
        for _ in 0..300 {
            game.step(Input { mouse: Some(x), ..Input::default() }).unwrap();
        }
        (game.half_width, game.balls.len())
    };
    assert_eq!(drop_onto_paddle(Cell::new(0, 3)), (50.0, 1)); // there was nothing in this one
    assert_eq!(drop_onto_paddle(Cell::new(4, 4)), (80.0, 1));
    game.hit_brick(Cell::new(9, 6)).unwrap();
    let most = (0..300).map(|_| {
        game.step(Input { mouse: Some(420.0), ..Input::default() }).unwrap();
        game.balls.len()
    });
    assert_eq!(most.max(), Some(3));
}

#[test]
fn no_ball_is_too_fast_for_the_walls() {
    let mut game = Game::new().unwrap();
    game.step(START).unwrap();
    game.balls[0].velocity = Vec2::new(33_000.0, -57_000.0); // a thousand pixels per step
    for _ in 0..10 {
        game.step(START).unwrap();
        assert!(
            game.balls.is_empty() || game.ball().x.clamp(17.0, FIELD[0] - 17.0) == game.ball().x
        );
    }
}

#[test]
fn screenshot() {
    let mut game = Game::new().unwrap();
    for step in 0..1800 {
        game.step(game.follow(step)).unwrap();
    }
    carom_examples::screenshot("breakout", conf(), move || game.draw());
}
