//! A sword is a child of the hero. It turns around with the hero, whose scale becomes negative.

mod headless;

use bevy_app::prelude::*;
use bevy_carom::prelude::*;
use bevy_ecs::prelude::*;
use bevy_input::ButtonInput;
use bevy_input::keyboard::KeyCode;
use bevy_transform::prelude::*;

#[derive(Component)]
pub struct Hero;

#[derive(Component)]
pub struct Dummy;

pub fn example(app: &mut App) {
    app.add_plugins(CaromPlugin::default()).add_systems(Startup, spawn).add_systems(
        RunFixedMainLoop,
        control.in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
    );
}

fn spawn(mut commands: Commands) {
    commands.spawn((
        Hero,
        Body::Moving,
        Team(1),
        Collider::capsule(0.3, 1.0),
        Transform::default(),
    ));
    for x in [-1.5, 1.5] {
        let dummy = (Dummy, Body::Fixed, Team(2), Collider::circle(0.5), Role::Hurtbox);
        commands.spawn((dummy, Transform::from_xyz(x, 0.0, 0.0))).observe(
            |strike: On<Struck>, mut commands: Commands| {
                commands.entity(strike.entity).despawn();
            },
        );
    }
}

fn control(
    keys: Res<ButtonInput<KeyCode>>,
    mut hero: Single<(Entity, &mut Transform, Option<&Children>), With<Hero>>,
    mut commands: Commands,
) {
    let (hero, transform, sword) = &mut *hero;
    if keys.just_pressed(KeyCode::ArrowLeft) {
        transform.scale.x = -1.0;
    } else if keys.just_pressed(KeyCode::ArrowRight) {
        transform.scale.x = 1.0;
    }
    if keys.just_pressed(KeyCode::Space) {
        let place = Transform::from_xyz(0.8, 0.2, 0.0);
        let sword = (Collider::rectangle(1.0, 0.2), Role::Hitbox, place);
        commands.spawn((sword, ChildOf(*hero)));
    } else if keys.just_released(KeyCode::Space) && sword.is_some() {
        commands.entity(*hero).despawn_related::<Children>();
    }
}

pub const SCRIPT: headless::Script = &[
    (&[], 4),
    (&[KeyCode::Space], 10),
    (&[], 4),
    (&[KeyCode::ArrowLeft], 4),
    (&[KeyCode::Space], 10),
    (&[], 4),
];
pub const AREA: headless::Area = [[-3.0, -2.0], [3.0, 2.0]];

fn main() {
    headless::film("sword", example, SCRIPT, AREA);
}
