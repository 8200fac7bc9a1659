use bevy_app::prelude::*;
use bevy_carom::prelude::*;
use bevy_ecs::prelude::*;
use bevy_input::ButtonInput;
use bevy_input::keyboard::KeyCode;
use bevy_transform::prelude::*;

/// A jump also counts up to six steps after the hero has left the floor, and up to six steps before it lands.
const GRACE: JumpGrace = JumpGrace::frames(6, 6);

#[derive(Component)]
pub struct Hero;

pub fn plugin(app: &mut App) {
    let before_steps = RunFixedMainLoopSystems::BeforeFixedMainLoop;
    app.add_systems(Startup, spawn_hero)
        .add_systems(RunFixedMainLoop, press_keys.in_set(before_steps))
        .add_systems(FixedUpdate, control);
}

fn spawn_hero(mut commands: Commands) {
    let start = Transform::from_xyz(2.0, 3.0, 0.0);
    commands.spawn((Hero, Walker::default(), Collider::capsule(0.35, 0.3), start));
}

fn press_keys(keys: Res<ButtonInput<KeyCode>>, mut hero: Single<&mut Footing, With<Hero>>) {
    if keys.just_pressed(KeyCode::Space) {
        hero.request_jump();
    }
    if keys.just_pressed(KeyCode::ArrowDown) {
        hero.drop_through(); // a one-way platform
    }
}

fn control(
    keys: Res<ButtonInput<KeyCode>>,
    mut hero: Single<(&mut Velocity, &mut Footing), With<Hero>>,
) {
    let (velocity, footing) = &mut *hero;
    let (left, right) = (keys.pressed(KeyCode::ArrowLeft), keys.pressed(KeyCode::ArrowRight));
    velocity.0.x = 6.0 * (f32::from(right) - f32::from(left));
    if footing.jump(GRACE) {
        velocity.0.y = 13.0;
    }
}
