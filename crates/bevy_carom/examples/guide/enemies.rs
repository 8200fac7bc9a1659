use bevy_app::prelude::*;
use bevy_carom::carom::shape::Circle;
use bevy_carom::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_transform::prelude::*;

use super::hero::Hero;

#[derive(Component)]
pub struct Enemy {
    direction: f32,
}

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn_enemy)
        .add_systems(FixedUpdate, walk_enemies)
        .add_observer(stomp);
}

fn spawn_enemy(mut commands: Commands) {
    let collider = Collider::rectangle(0.8, 0.8);
    let place = Transform::from_xyz(10.0, 2.4, 0.0); // on the hill
    commands.spawn((Enemy { direction: -1.0 }, Walker::default(), collider, place));
}

fn walk_enemies(
    query: SpatialQuery,
    mut enemies: Query<(Entity, &Transform, &mut Velocity, &Footing, &mut Enemy)>,
) {
    for (entity, transform, mut velocity, footing, mut enemy) in &mut enemies {
        let ahead = transform.translation.truncate() + Vec2::new(0.6 * enemy.direction, -0.7);
        let others = query.exclude(Filter::new().solid(), [entity]);
        let at_ledge = query.is_free(&Circle::new(ahead, 0.1), &others);
        if footing.on_wall() || footing.on_floor() && at_ledge {
            enemy.direction *= -1.0;
        }
        velocity.0.x = 2.0 * enemy.direction;
    }
}

/// The hero stomps on an enemy and bounces off its head.
fn stomp(
    touch: On<TouchBegan>,
    mut heroes: Query<&mut Velocity, With<Hero>>,
    enemies: Query<(), With<Enemy>>,
    mut commands: Commands,
) {
    let Ok(mut velocity) = heroes.get_mut(touch.body) else { return };
    let is_above = touch.contact.is_some_and(|contact| contact.normal.y > 0.7);
    if enemies.contains(touch.other_body) && is_above {
        commands.entity(touch.other_body).try_despawn();
        velocity.0.y = 6.0;
    }
}
