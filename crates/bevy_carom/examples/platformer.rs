//! A small platformer: run, jump, collect coins, stomp on enemies, avoid the spikes, ride the lift, and reach
//! the flag. The guide builds a smaller one step by step.

mod headless;

use bevy_app::prelude::*;
use bevy_carom::prelude::*;
use bevy_ecs::prelude::*;
use bevy_input::ButtonInput;
use bevy_input::keyboard::KeyCode;
use bevy_math::Vec2;
use bevy_transform::prelude::*;
use carom::shape::Circle;

const ROWS: [&str; 8] = [
    "                                                  ",
    "                                            F     ",
    "                                       ###########",
    "              c c                      #          ",
    "      c c     ===          e           #          ",
    "                    c    /###%         #          ",
    "  @        ##      e    /#####%  ^^  L #          ",
    "#####  ##############################  ###########",
];
const RUN: f32 = 6.0;
const JUMP: f32 = 13.0;
const GRACE: JumpGrace = JumpGrace::frames(6, 6);

#[derive(Component)]
pub struct Hero {
    start: Vec2,
}

#[derive(Component)]
pub struct Coin;

#[derive(Component)]
pub struct Enemy {
    direction: f32,
}

#[derive(Component)]
pub struct Spikes;

#[derive(Component)]
pub struct Flag;

#[derive(Component)]
pub struct Lift;

#[derive(Resource, Default, Debug, PartialEq)]
pub struct Score {
    pub coins: u32,
    pub stomps: u32,
    pub deaths: u32,
    pub has_won: bool,
}

pub fn example(app: &mut App) {
    app.add_plugins(CaromPlugin::default())
        .init_resource::<Score>()
        .add_systems(Startup, spawn_level)
        .add_systems(
            RunFixedMainLoop,
            press_keys.in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
        )
        .add_systems(FixedUpdate, (control_hero, walk_enemies, move_lift, fall_out))
        .add_observer(collect_coin)
        .add_observer(touch_enemy)
        .add_observer(die_on_spikes)
        .add_observer(win);
}

fn spawn_level(mut commands: Commands) {
    // Everything that does not move is one tile map. Its first row is the lowest.
    let rows: Vec<String> = ROWS.iter().rev().map(|row| row.replace(' ', ".")).collect();
    let width = rows.iter().map(String::len).max().unwrap_or(0);
    let rows: Vec<String> = rows.iter().map(|row| format!("{row:.<width$}")).collect();
    let up = [0.0, 1.0];
    let mut kinds = vec![
        ('#', TileKind::SOLID),
        ('=', TileKind::one_way(up)),
        ('/', TileKind::slope(0.0, 1.0, up)),
        ('%', TileKind::slope(1.0, 0.0, up)),
    ];
    kinds.extend("@ceF^L".chars().map(|other| (other, TileKind::EMPTY)));
    let map = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &rows, &kinds);
    commands.spawn((Body::Fixed, Collider::tiles(map)));

    // Everything else is an entity.
    for (y, row) in rows.iter().enumerate() {
        for (x, thing) in row.chars().enumerate() {
            let at = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
            let place = Transform::from_translation(at.extend(0.0));
            match thing {
                '@' => {
                    let walker = Walker { corner_correction: 0.2, ..Walker::default() };
                    commands.spawn((
                        Hero { start: at },
                        walker,
                        Collider::capsule(0.35, 0.2),
                        place,
                    ));
                }
                'c' => {
                    commands.spawn((Coin, Collider::circle(0.25), Role::Sensor, place));
                }
                'e' => {
                    let enemy = (Walker::default(), Collider::rectangle(0.8, 0.8));
                    commands.spawn((Enemy { direction: -1.0 }, enemy, place));
                }
                '^' => {
                    let points = [[-0.5, -0.5], [0.5, -0.5], [0.0, 0.3]];
                    let spikes = Collider::triangle(points[0], points[1], points[2]);
                    commands.spawn((Spikes, spikes, Role::Sensor, place));
                }
                'F' => {
                    commands.spawn((Flag, Collider::rectangle(0.2, 1.0), Role::Sensor, place));
                }
                'L' => {
                    let lift = (Lift, Mover::Platform, Velocity(Vec2::ZERO));
                    let place = Transform::from_xyz(at.x + 0.5, 0.75, 0.0);
                    commands.spawn((lift, Collider::rectangle(2.0, 0.5), place));
                }
                _ => {}
            }
        }
    }
}

/// Runs once per frame, before the fixed steps, so that no press is lost in a frame without a step.
fn press_keys(keys: Res<ButtonInput<KeyCode>>, mut hero: Single<&mut Footing, With<Hero>>) {
    if keys.just_pressed(KeyCode::Space) {
        hero.request_jump();
    }
    if keys.just_pressed(KeyCode::ArrowDown) {
        hero.drop_through();
    }
}

fn control_hero(
    keys: Res<ButtonInput<KeyCode>>,
    mut hero: Single<(&mut Velocity, &mut Footing), With<Hero>>,
) {
    let (velocity, footing) = &mut *hero;
    let (left, right) = (keys.pressed(KeyCode::ArrowLeft), keys.pressed(KeyCode::ArrowRight));
    velocity.0.x = RUN * (f32::from(right) - f32::from(left));
    if footing.jump(GRACE) {
        velocity.0.y = JUMP;
    }
    // A jump is cut short when the key is released.
    if footing.state.is_jumping && !keys.pressed(KeyCode::Space) && velocity.0.y > JUMP / 2.0 {
        velocity.0.y = JUMP / 2.0;
    }
}

fn walk_enemies(
    query: SpatialQuery,
    mut enemies: Query<(Entity, &Transform, &mut Velocity, &Footing, &mut Enemy)>,
) {
    for (entity, transform, mut velocity, footing, mut enemy) in &mut enemies {
        // An enemy turns around at walls and ledges.
        let ahead = transform.translation.truncate() + Vec2::new(0.6 * enemy.direction, -0.7);
        let others = query.exclude(Filter::new().solid(), [entity]);
        let at_ledge = query.is_free(&Circle::new(ahead, 0.1), &others);
        if footing.on_wall() || footing.on_floor() && at_ledge {
            enemy.direction *= -1.0;
        }
        velocity.0.x = 2.0 * enemy.direction;
    }
}

fn move_lift(
    hero: Single<&Footing, With<Hero>>,
    mut lift: Single<(Entity, &Transform, &mut Velocity), With<Lift>>,
) {
    // The lift rises while the hero stands on it.
    let (entity, transform, velocity) = &mut *lift;
    let y = transform.translation.y;
    velocity.0.y = match hero.floor {
        Some(floor) if floor == *entity && y < 5.0 => 2.0,
        Some(floor) if floor != *entity && y > 0.75 => -2.0,
        _ => 0.0,
    };
}

fn collect_coin(
    touch: On<BodyTouchBegan>,
    heroes: Query<(), With<Hero>>,
    coins: Query<(), With<Coin>>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) {
    if heroes.contains(touch.entity) && coins.contains(touch.other) {
        commands.entity(touch.other).despawn();
        score.coins += 1;
    }
}

fn touch_enemy(
    touch: On<TouchBegan>,
    mut heroes: Query<(&Hero, &mut Transform, &mut Velocity)>,
    enemies: Query<(), With<Enemy>>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) {
    // The event is also triggered on the other side, and on the parents of colliders.
    let is_first = touch.entity == touch.collider;
    if !is_first || !enemies.contains(touch.other_body) {
        return;
    }
    let Ok((hero, mut transform, mut velocity)) = heroes.get_mut(touch.body) else { return };
    // The normal points out of the enemy: up if the hero has landed on its head.
    if touch.contact.is_some_and(|contact| contact.normal.y > 0.7) {
        commands.entity(touch.other_body).despawn();
        velocity.0.y = JUMP / 2.0;
        score.stomps += 1;
    } else {
        restart(hero, &mut transform, &mut score);
    }
}

fn die_on_spikes(
    touch: On<BodyTouchBegan>,
    mut heroes: Query<(&Hero, &mut Transform)>,
    spikes: Query<(), With<Spikes>>,
    mut score: ResMut<Score>,
) {
    if spikes.contains(touch.other)
        && let Ok((hero, mut transform)) = heroes.get_mut(touch.entity)
    {
        restart(hero, &mut transform, &mut score);
    }
}

fn fall_out(mut hero: Single<(&Hero, &mut Transform)>, mut score: ResMut<Score>) {
    let (hero, transform) = &mut *hero;
    if transform.translation.y < -5.0 {
        restart(hero, transform, &mut score);
    }
}

fn restart(hero: &Hero, transform: &mut Transform, score: &mut Score) {
    transform.translation = hero.start.extend(0.0);
    score.deaths += 1;
}

fn win(
    touch: On<BodyTouchBegan>,
    heroes: Query<(), With<Hero>>,
    flags: Query<(), With<Flag>>,
    mut score: ResMut<Score>,
) {
    if heroes.contains(touch.entity) && flags.contains(touch.other) {
        score.has_won = true;
    }
}

const RIGHT: KeyCode = KeyCode::ArrowRight;

pub const SCRIPT: headless::Script = &[
    (&[], 20),
    (&[RIGHT], 10),
    (&[RIGHT, KeyCode::Space], 30),
    (&[RIGHT], 30),
    (&[RIGHT, KeyCode::Space], 40),
    (&[RIGHT], 60),
];
pub const AREA: headless::Area = [[0.0, 0.0], [50.0, 8.0]];

fn main() {
    headless::film("platformer", example, SCRIPT, AREA);
}
