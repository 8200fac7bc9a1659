//! A pressure plate opens a door while something stands on it.

mod headless;

use bevy_app::prelude::*;
use bevy_carom::ColliderDisabled;
use bevy_carom::prelude::*;
use bevy_ecs::prelude::*;
use bevy_input::ButtonInput;
use bevy_input::keyboard::KeyCode;
use bevy_transform::prelude::*;

#[derive(Component)]
pub struct Door;

pub fn example(app: &mut App) {
    app.add_plugins(CaromPlugin::default())
        .add_systems(Startup, spawn)
        .add_systems(FixedUpdate, walk);
}

fn spawn(mut commands: Commands) {
    commands.spawn((Body::Fixed, Collider::rectangle(20.0, 1.0)));
    let door = Transform::from_xyz(4.0, 1.5, 0.0);
    let door = commands.spawn((Door, Body::Fixed, Collider::rectangle(0.5, 2.0), door)).id();
    let plate = Transform::from_xyz(2.75, 0.55, 0.0);
    commands
        .spawn((Body::Fixed, Collider::rectangle(4.5, 0.1), Role::Sensor, plate))
        .observe(move |_: On<BodyTouchBegan>, mut commands: Commands| {
            commands.entity(door).insert(ColliderDisabled);
        })
        .observe(move |_: On<BodyTouchEnded>, mut commands: Commands| {
            commands.entity(door).remove::<ColliderDisabled>();
        });
    let hero = (Walker::default(), Collider::rectangle(0.6, 1.0));
    commands.spawn((hero, Transform::from_xyz(-2.0, 1.0, 0.0)));
}

fn walk(keys: Res<ButtonInput<KeyCode>>, mut hero: Single<&mut Velocity, With<Walker>>) {
    let (left, right) = (keys.pressed(KeyCode::ArrowLeft), keys.pressed(KeyCode::ArrowRight));
    hero.0.x = 4.0 * (f32::from(right) - f32::from(left));
}

pub const SCRIPT: headless::Script = &[(&[KeyCode::ArrowRight], 128)];
pub const AREA: headless::Area = [[-5.0, -1.0], [8.0, 4.0]];

fn main() {
    headless::film("pressure_plate", example, SCRIPT, AREA);
}
