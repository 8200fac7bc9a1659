use bevy_app::prelude::*;
use bevy_carom::prelude::*;
use bevy_ecs::prelude::*;
use bevy_transform::prelude::*;

use super::hero::Hero;

#[derive(Resource, Default)]
pub struct Score(pub u32);

pub fn plugin(app: &mut App) {
    app.init_resource::<Score>()
        .add_systems(Startup, spawn_coin)
        .add_systems(Update, print_touches);
}

fn spawn_coin(mut commands: Commands) {
    let place = Transform::from_xyz(5.0, 1.5, 0.0);
    commands.spawn((Collider::circle(0.25), Role::Sensor, place)).observe(collect);
}

fn collect(
    touch: On<BodyTouchBegan>,
    heroes: Query<(), With<Hero>>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) {
    if heroes.contains(touch.other) {
        commands.entity(touch.entity).despawn();
        score.0 += 1;
    }
}

/// A system that handles the touches of the hero with anything.
fn print_touches(mut touches: MessageReader<BodyTouchBegan>, heroes: Query<(), With<Hero>>) {
    for touch in touches.read().filter(|touch| heroes.contains(touch.entity)) {
        println!("the hero touches {}", touch.other);
    }
}
