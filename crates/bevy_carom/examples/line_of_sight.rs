//! A guard sees the hero unless a wall is between them.

mod headless;

use bevy_app::prelude::*;
use bevy_carom::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_transform::prelude::*;

#[derive(Component)]
pub struct Guard;

#[derive(Component)]
pub struct Hero;

/// The alarm, which is on while the guard sees the hero.
#[derive(Resource, Default, PartialEq, Debug)]
pub struct Alarm(pub bool);

pub fn example(app: &mut App) {
    app.add_plugins(CaromPlugin::default())
        .init_resource::<Alarm>()
        .add_systems(Startup, spawn)
        .add_systems(FixedUpdate, look);
}

fn spawn(mut commands: Commands) {
    commands.spawn((Guard, Body::Fixed, Collider::circle(0.4)));
    let wall = Transform::from_xyz(3.0, 0.0, 0.0);
    commands.spawn((Body::Fixed, Collider::rectangle(0.5, 3.0), wall));
    let hero = (Hero, Mover::Slide, Collider::circle(0.4), Velocity(Vec2::Y * 2.0));
    commands.spawn((hero, Transform::from_xyz(6.0, -6.0, 0.0)));
}

fn look(
    query: SpatialQuery,
    guard: Single<(Entity, &Transform), With<Guard>>,
    hero: Single<(Entity, &Transform), With<Hero>>,
    mut alarm: ResMut<Alarm>,
) {
    let [from, to] = [guard.1, hero.1].map(|transform| transform.translation.truncate());
    let others = query.exclude(Filter::new().solid(), [guard.0]);
    let seen = query.raycast(from, to - from, 20.0, &others);
    alarm.set_if_neq(Alarm(seen.is_some_and(|(entity, _)| entity == hero.0)));
}

pub const SCRIPT: headless::Script = &[(&[], 384)];
pub const AREA: headless::Area = [[-2.0, -7.0], [8.0, 7.0]];

fn main() {
    headless::film("line_of_sight", example, SCRIPT, AREA);
}
