//! Random games in random rooms, with conditions that must hold in every frame.

use carom::prelude::*;

use super::glitches::heroes;
use super::rng::Rng;
use super::script::Input;
use super::stage::{RUN, Stage, UP};

/// Returns the seeds of the games: a hundred from 0 on, unless `CAROM_CASES` and `CAROM_SEED` are set.
fn games() -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse().ok());
    let first = number("CAROM_SEED").unwrap_or(0);
    first..first + number("CAROM_CASES").unwrap_or(100)
}

/// The minimum number of games for which the totals of all games are checked.
fn count() -> u64 {
    let games = games();
    let count = games.end - games.start;
    if count < 50 { 0 } else { count }
}

const COLUMNS: usize = 14;
const ROWS: usize = 9;
const FRAMES: usize = 240;

/// Draws a room with walls around it, and with blocks, slopes and platforms inside.
fn room(rng: &mut Rng) -> Vec<String> {
    let kinds: Vec<char> = match rng.below(3) {
        0 => "....#".chars().collect(),
        1 => "......##--".chars().collect(),
        _ => "........###--/\\lh".chars().collect(),
    };
    let mut rows: Vec<Vec<char>> =
        (0..ROWS).map(|_| (0..COLUMNS).map(|_| rng.pick(&kinds)).collect()).collect();
    for (y, row) in rows.iter_mut().enumerate() {
        (row[0], row[COLUMNS - 1]) = ('#', '#');
        if y == 0 || y == ROWS - 1 {
            row.fill('#');
        }
    }
    let hero = (1 + rng.below(COLUMNS - 2), 1 + rng.below(ROWS - 2));
    rows[hero.1][hero.0] = '@';
    for name in ['A', 'a'] {
        let (x, y) = (1 + rng.below(COLUMNS - 4), 1 + rng.below(ROWS - 2));
        if rng.one_in(2) && y != hero.1 {
            rows[y][x..x + 3].fill(name);
        }
    }
    rows.into_iter().map(|row| row.into_iter().collect()).collect()
}

/// Returns random input in which keys are held for several frames.
fn input(rng: &mut Rng, before: Input) -> Input {
    if !rng.one_in(8) {
        return Input { jump: rng.one_in(6), down: rng.one_in(20), ..before };
    }
    let way = rng.below(3);
    Input { left: way == 0, right: way == 1, ..Input::default() }
}

/// A frame of a game: the hero before the frame, and the stage after it.
struct Moment<'a> {
    feet: Vec2,
    state: WalkerState,
    stage: &'a Stage,
    input: Input,
}

impl Moment<'_> {
    /// Returns `true` if the hero is on a level floor that does not move, before and after the frame.
    fn is_on_level(&self) -> bool {
        let is_level = |state: &WalkerState| {
            state
                .floor
                .is_some_and(|floor| floor.normal == UP && !self.stage.is_platform(floor.body))
        };
        is_level(&self.state) && is_level(&self.stage.state)
    }

    fn has(&self, flag: &str) -> bool {
        self.stage.last().flags.contains(&flag)
    }
}

/// Plays a game, checks a condition in every frame, and returns the stage at the end.
fn play(seed: u64, mut law: impl FnMut(&Moment<'_>) -> Result<(), String>) -> Stage {
    let mut rng = Rng::new(seed);
    let rows = room(&mut rng);
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let hero = rng.pick(&heroes());
    let mut stage = Stage::new(&rows).with_hero(hero.clone());
    for name in stage.platform_names() {
        let scripts = ["right 24, left 24", "up 16, down 16", "wait 9, left 8, right 8"];
        stage = stage.platform(name, rng.pick(&scripts));
    }
    let mut keys = Input::default();
    for frame in 0..FRAMES {
        let (feet, state) = (stage.feet(), stage.state);
        keys = input(&mut rng, keys);
        stage.step(keys);
        let now = Moment { feet, state, stage: &stage, input: keys };
        let law_6 = if now.has("inside") { Err("inside something solid".into()) } else { Ok(()) };
        if let Err(message) = law_6.and_then(|()| law(&now)) {
            let (picture, recent) = (rows.join("\n"), stage.recent());
            let game = format!("game {seed}, frame {frame} from {feet:?} to {:?}", stage.feet());
            panic!("{game}: {message}\n{}\n{picture}\n{recent}{keys:?}", hero.kind());
        }
    }
    stage
}

#[test]
fn walkers_do_not_freeze_or_slow_down_on_a_level_floor() {
    let mut ran = 0;
    for seed in games() {
        play(seed, |now| {
            let [way, _] = now.input.direction();
            let in_the_way = ["wall", "ceiling", "carried", "squashed", "pushed"]
                .iter()
                .any(|flag| now.has(flag));
            // A hero that drops through a platform and lands on the corner of the next tile is on a level
            // floor before and after the frame, but not in between.
            if !now.is_on_level() || in_the_way || now.input.down {
                return Ok(());
            }
            ran += u64::from(way != 0.0);
            let (end, expected) = (now.stage.feet().x, now.feet.x + way * RUN);
            let is_full = (end - expected).abs() <= 2e-6;
            if is_full { Ok(()) } else { Err(format!("got to {end} instead of {expected}")) }
        });
    }
    assert!(ran >= 5 * count(), "{ran}");
}

#[test]
fn a_wall_that_stops_a_runner_is_higher_than_a_seam() {
    let mut stopped = 0;
    for seed in games() {
        play(seed, |now| {
            let [way, _] = now.input.direction();
            if !now.is_on_level()
                || !now.has("wall")
                || now.has("carried")
                || now.has("pushed")
                || way == 0.0
            {
                return Ok(());
            }
            stopped += 1;
            let motion = Vec2::new(way * RUN, 0.0);
            let is_real = now.stage.would_hit(UP * 0.01, motion);
            if is_real { Ok(()) } else { Err("a wall of no height".into()) }
        });
    }
    assert!(stopped >= count(), "{stopped}");
}

#[test]
fn a_body_that_stands_has_a_floor_and_one_that_falls_has_none() {
    let (mut standing, mut falling) = (0, 0);
    for seed in games() {
        play(seed, |now| {
            if now.has("squashed") || now.has("stuck") {
                return Ok(());
            }
            let near = now.stage.would_hit(Vec2::ZERO, UP * -1e-3);
            // The floor extends far enough to both sides and is less steep than 41°. Over a gap as wide as
            // the hero, it extends by less than the tolerance.
            let touches = [-2e-5, 0.0, 2e-5].iter().all(|&x| {
                let below = now.stage.solid_normals_hit(Vec2::new(x, 0.0), UP * -4e-6);
                below.iter().any(|normal| normal.dot(UP) > 0.75)
            });
            let stands = now.stage.state.on_floor();
            standing += u64::from(stands);
            falling += u64::from(!stands);
            let falls = !stands && now.stage.falls() && !now.input.down;
            if stands && !near {
                Err("stands on nothing".into())
            } else if falls && touches && !now.has("wall") {
                Err("falls though it touches a floor".into())
            } else {
                Ok(())
            }
        });
    }
    assert!(standing > 50 * count() && falling > 10 * count(), "{standing}, {falling}");
}

#[test]
fn a_body_that_waits_comes_to_rest_to_the_last_bit() {
    for seed in games() {
        let mut stage = play(seed, |_| Ok(()));
        stage.stop_platforms();
        stage.play("wait 60");
        let (feet, floor) = (stage.feet(), stage.state.floor);
        for frame in 0..100 {
            stage.play("wait");
            let is_same =
                stage.feet().to_array().map(f32::to_bits) == feet.to_array().map(f32::to_bits);
            assert!(is_same, "game {seed}, frame {frame}: {} after {feet}", stage.feet());
            assert_eq!(stage.state.floor, floor, "game {seed}, frame {frame}");
        }
    }
}
