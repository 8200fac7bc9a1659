use bevy_app::prelude::*;
use bevy_carom::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_transform::prelude::*;

#[derive(Component)]
pub struct Lift;

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn_lift)
        .add_systems(FixedUpdate, turn_back)
        .add_systems(Update, print_squashed);
}

fn spawn_lift(mut commands: Commands) {
    let lift = (Lift, Mover::Platform, Collider::rectangle(2.0, 0.5), Velocity(Vec2::Y));
    commands.spawn((lift, Transform::from_xyz(13.5, 2.0, 0.0)));
}

fn turn_back(mut lifts: Query<(&Transform, &mut Velocity), With<Lift>>) {
    for (transform, mut velocity) in &mut lifts {
        match transform.translation.y {
            y if y > 5.0 => velocity.0.y = -1.0,
            y if y < 2.0 => velocity.0.y = 1.0,
            _ => {}
        }
    }
}

fn print_squashed(mut squashed: MessageReader<Squashed>) {
    for Squashed { entity, platform } in squashed.read() {
        println!("{platform} has squashed {entity}");
    }
}
