//! Moves bodies: by the game, by moving platforms, by their velocity, and on foot.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::Vec2;
use bevy_time::Time;
use bevy_transform::components::Transform;
use carom::motion::Response;
use carom::world::{BodyKey, WorldError};

use crate::sync::{Hierarchy, body_pose};
use crate::to_bevy;
use crate::{
    Body, BodyLink, CaromWorld, Footing, Gravity, InvalidComponent, Landed, LeftFloor, Mover,
    MoverHit, Squashed, Velocity, Walker,
};

/// Bodies that the game has moved, or that have a parent which may have moved.
type MayHaveMoved = (With<Body>, Or<(Changed<Transform>, With<ChildOf>)>);

type MovingData<'a> = (
    Entity,
    &'a BodyLink,
    &'a mut Transform,
    &'a mut Velocity,
    Option<&'a Mover>,
    Option<(&'a Walker, &'a mut Footing)>,
);

/// The messages and events about movement.
#[derive(SystemParam)]
pub(crate) struct Reports<'w, 's> {
    commands: Commands<'w, 's>,
    landed: MessageWriter<'w, Landed>,
    left_floor: MessageWriter<'w, LeftFloor>,
    hits: MessageWriter<'w, MoverHit>,
    squashed: MessageWriter<'w, Squashed>,
    invalid: MessageWriter<'w, InvalidComponent>,
}

impl Reports<'_, '_> {
    fn landed(&mut self, event: Landed) {
        self.landed.write(event);
        self.commands.trigger(event);
    }

    fn left_floor(&mut self, event: LeftFloor) {
        self.left_floor.write(event);
        self.commands.trigger(event);
    }

    fn hit(&mut self, event: MoverHit) {
        self.hits.write(event);
        self.commands.trigger(event);
    }

    fn squashed(&mut self, event: Squashed) {
        self.squashed.write(event);
        self.commands.trigger(event);
    }

    fn invalid(&mut self, entity: Entity, reason: String) {
        self.invalid.write(InvalidComponent { entity: Some(entity), reason });
    }
}

/// Moves all bodies. This is a single system, because a system does not see its own changes: transforms
/// that it writes are not taken for changes by the game in the next step.
pub(crate) fn move_bodies(
    mut carom: ResMut<CaromWorld>,
    mut queries: ParamSet<(
        (Query<(Entity, &BodyLink, &Transform, Has<ChildOf>), MayHaveMoved>, Hierarchy),
        Query<MovingData<'static>, (With<Body>, Without<ChildOf>)>,
    )>,
    time: Res<Time>,
    gravity: Res<Gravity>,
    mut reports: Reports,
) {
    let carom = &mut *carom;

    // 1. Take over the transforms that the game has changed.
    let (moved, hierarchy) = queries.p0();
    for (entity, link, transform, has_parent) in &moved {
        let Some((key, body)) = link.0.and_then(|key| Some((key, carom.collisions.body(key)?)))
        else {
            continue;
        };
        match if has_parent { hierarchy.body_pose(entity) } else { body_pose(transform) } {
            Ok(pose) if pose == body.pose => {}
            Ok(pose) => {
                if let Err(error) = carom.collisions.set_pose(key, pose) {
                    reports.invalid(entity, error.to_string());
                }
            }
            Err(reason) => reports.invalid(entity, reason),
        }
    }

    // 2. Sort what moves by key, since each body may be in the way of the next.
    let seconds = time.delta_secs();
    let mut bodies = queries.p1();
    let (mut platforms, mut others) = (Vec::new(), Vec::new());
    for (entity, link, _, _, mover, walker) in &bodies {
        let Some(key) = link.0 else { continue };
        match (walker, mover) {
            (None, None) => {}
            (None, Some(Mover::Platform)) => platforms.push((key, entity)),
            _ => others.push((key, entity)),
        }
    }
    platforms.sort_unstable();
    others.sort_unstable();

    // 3. Platforms move first and take along what stands on them.
    for (key, entity) in platforms {
        let Ok((.., velocity, _, _)) = bodies.get(entity) else { continue };
        match carom.collisions.carry(key, velocity.0 * seconds) {
            Ok(carry) => {
                for &key in carry.moved().iter().chain([&key]) {
                    if let Some(moved) = carom.body_entity(key)
                        && let Ok((_, _, mut transform, ..)) = bodies.get_mut(moved)
                    {
                        carom.write_back(key, &mut transform);
                    }
                }
                for &key in carry.squashed() {
                    if let Some(squashed) = carom.body_entity(key) {
                        reports.squashed(Squashed { entity: squashed, platform: entity });
                    }
                }
            }
            Err(error) => reports.invalid(entity, error.to_string()),
        }
    }

    // 4. Then everything else.
    for (key, entity) in others {
        let Ok((_, _, mut transform, mut velocity, mover, walker)) = bodies.get_mut(entity) else {
            continue;
        };
        let mut speed = velocity.0;
        let result = match (walker, mover) {
            (Some((walker, mut footing)), _) => {
                speed += gravity.0 * seconds;
                let walk = (entity, key, &walker.0);
                carom.walk(walk, &mut footing, &mut speed, seconds, &mut reports)
            }
            (None, Some(&mover)) => {
                carom.travel((entity, key, mover), &mut speed, seconds, &mut reports)
            }
            (None, None) => Ok(()),
        };
        match result {
            Ok(()) => {
                velocity.set_if_neq(Velocity(speed));
                carom.write_back(key, &mut transform);
            }
            Err(error) => reports.invalid(entity, error.to_string()),
        }
    }
}

impl CaromWorld {
    /// Copies the position of a body to its transform, if it has changed.
    fn write_back(&self, key: BodyKey, transform: &mut Mut<'_, Transform>) {
        let Some(body) = self.collisions.body(key) else { return };
        let [x, y] = body.pose.position.to_array();
        if transform.translation.truncate() != Vec2::new(x, y) {
            transform.translation.x = x;
            transform.translation.y = y;
        }
    }

    fn walk(
        &mut self,
        (entity, key, walker): (Entity, BodyKey, &carom::motion::Walker),
        footing: &mut Footing,
        velocity: &mut Vec2,
        seconds: f32,
        reports: &mut Reports,
    ) -> Result<(), WorldError> {
        let walk = self.collisions.walk(key, walker, &mut footing.state, *velocity * seconds)?;
        let arrived_at = *velocity;
        *velocity = to_bevy(walk.velocity(*velocity));
        footing.floor = walk.floor.and_then(|floor| self.collider_entity(floor.collider));
        footing.tile = walk.floor.and_then(|floor| floor.tile);
        footing.normal = walk.floor.map_or(Vec2::ZERO, |floor| to_bevy(floor.normal));
        footing.wall = walk.wall.and_then(|wall| self.collider_entity(wall.other));
        footing.ceiling = walk.ceiling.and_then(|ceiling| self.collider_entity(ceiling.other));
        if let Some(floor) = footing.floor
            && walk.landed
        {
            reports.landed(Landed { entity, floor, velocity: arrived_at });
        }
        if walk.left_floor {
            reports.left_floor(LeftFloor { entity });
        }
        Ok(())
    }

    fn travel(
        &mut self,
        (entity, key, mover): (Entity, BodyKey, Mover),
        velocity: &mut Vec2,
        seconds: f32,
        reports: &mut Reports,
    ) -> Result<(), WorldError> {
        let response = match mover {
            Mover::Free | Mover::Platform => {
                return self.collisions.translate(key, *velocity * seconds);
            }
            Mover::Stop => Response::Touch,
            Mover::Slide => Response::Slide,
            Mover::Bounce(restitution) => Response::Bounce(restitution),
        };
        let travel = self.collisions.travel(key, *velocity * seconds, |_| response)?;
        for hit in travel.hits() {
            *velocity = match mover {
                Mover::Slide => to_bevy(hit.slid(*velocity)),
                Mover::Bounce(restitution) => to_bevy(hit.bounced(*velocity, restitution)),
                _ => Vec2::ZERO,
            };
            if let Some(other) = self.collider_entity(hit.other) {
                let (normal, point) = (to_bevy(hit.normal), to_bevy(hit.point));
                let (tile, time) = (hit.tile, hit.time);
                reports.hit(MoverHit { entity, other, tile, normal, point, time });
            }
        }
        Ok(())
    }
}
