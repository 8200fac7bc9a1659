//! Moves bodies: by the game, by moving platforms, by their velocity, and on foot.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::Vec2;
use bevy_time::Time;
use bevy_transform::components::Transform;
use carom::math::Pose;
use carom::motion::{Response, TravelHit};
use carom::world::{BodyKey, ColliderRef, Filter, Layers, WorldError};

use crate::sync::{Hierarchy, body_pose, quaternion};
use crate::to_bevy;
use crate::{
    AngularVelocity, Body, BodyLink, CaromWorld, Footing, Gravity, InvalidComponent, Landed,
    LeftFloor, Mover, MoverHit, Responses, Squashed, Velocity, Walker,
};

/// Bodies that the game has moved, or that have a parent which may have moved.
type MayHaveMoved = (With<Body>, Or<(Changed<Transform>, With<ChildOf>)>);

type MovingData<'a> = (
    Entity,
    &'a BodyLink,
    &'a mut Transform,
    &'a mut Velocity,
    Option<&'a AngularVelocity>,
    Option<&'a Mover>,
    Option<(&'a Walker, &'a mut Footing)>,
    Option<&'a Responses>,
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
        Query<(&BodyLink, &mut Transform), (With<Body>, Without<ChildOf>)>,
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
            Ok(pose) if is_at(&pose, transform, &body.pose) => {}
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
    let (mut platforms, mut free, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for (entity, link, _, velocity, angular, mover, walker, _) in &bodies {
        let Some(key) = link.0 else { continue };
        match (walker, mover) {
            (None, None) => {}
            (None, Some(Mover::Free)) if angular.is_none() => {
                free.push((key, entity, velocity.0 * seconds));
            }
            (None, Some(Mover::Platform)) => platforms.push((key, entity)),
            _ => others.push((key, entity)),
        }
    }
    platforms.sort_unstable();
    free.sort_unstable_by_key(|&(key, ..)| key);
    others.sort_unstable();

    // 3. Platforms move first and take along what stands on them.
    for (key, entity) in platforms {
        let Ok((_, _, _, velocity, angular, ..)) = bodies.get(entity) else { continue };
        let motion = velocity.0 * seconds;
        let carry = match angular {
            Some(&AngularVelocity(speed)) if speed != 0.0 => carom
                .turned(key, motion, speed * seconds)
                .and_then(|pose| carom.collisions.carry_to(key, pose)),
            _ => carom.collisions.carry(key, motion),
        };
        match carry {
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

    // 4. Then the bodies that nothing stops, all at once.
    let mut positions = Vec::with_capacity(free.len());
    for (key, entity, motion) in free {
        let Some(body) = carom.collisions.body(key) else { continue };
        let to = to_bevy(body.pose.position) + motion;
        if !to.is_finite() {
            reports.invalid(entity, format!("a step of {motion} leads to {to}"));
        } else if let Ok((_, _, mut transform, ..)) = bodies.get_mut(entity)
            && motion != Vec2::ZERO
        {
            positions.push((key, to));
            (transform.translation.x, transform.translation.y) = (to.x, to.y);
        }
    }
    if let Err(error) = carom.collisions.set_positions(positions) {
        reports.invalid.write(InvalidComponent { entity: None, reason: error.to_string() });
    }

    // 5. Then everything else.
    let mut has_pushed = false;
    for (key, entity) in others {
        let Ok((_, _, mut transform, mut velocity, angular, mover, walker, responses)) =
            bodies.get_mut(entity)
        else {
            continue;
        };
        let mut speed = velocity.0;
        let responses = match carom.responses(responses) {
            Ok(responses) => responses,
            Err(error) => {
                reports.invalid(entity, error.to_string());
                continue;
            }
        };
        let result = match (walker, mover) {
            (Some((walker, mut footing)), _) => {
                speed += gravity.0 * walker.gravity_scale * seconds;
                let walk = (entity, key, walker, &responses[..]);
                let walk = carom.walk(walk, &mut footing, &mut speed, seconds, &mut reports);
                walk.map(|pushed| has_pushed |= pushed)
            }
            (None, Some(Mover::Free)) => {
                let turn = angular.map_or(0.0, |angular| angular.0 * seconds);
                carom
                    .turned(key, speed * seconds, turn)
                    .and_then(|pose| carom.collisions.set_pose(key, pose))
            }
            (None, Some(&mover)) => {
                let travel = (entity, key, mover, &responses[..]);
                let travel = carom.travel(travel, &mut speed, seconds, &mut reports);
                travel.map(|pushed| has_pushed |= pushed)
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

    // 6. Pushes have moved other bodies, which may be anywhere in the order.
    if has_pushed {
        for (link, mut transform) in &mut queries.p2() {
            if let Some(key) = link.0 {
                carom.write_back(key, &mut transform);
            }
        }
    }
}

/// Returns whether a body is at the pose of a transform. The transform may be one that was written for the
/// body: its quaternion then has not exactly the angle of the body.
fn is_at(pose: &Pose, transform: &Transform, body: &Pose) -> bool {
    (pose.position, pose.scale) == (body.position, body.scale)
        && (pose.rotation == body.rotation
            || transform.rotation == quaternion(body.rotation.angle()))
}

/// Returns the first response to a layer of an obstacle.
fn response_to(other: ColliderRef<'_>, responses: &[(Layers, Response)]) -> Option<Response> {
    let (_, response) = responses.iter().find(|(layers, _)| layers.intersects(other.layers()))?;
    Some(*response)
}

impl CaromWorld {
    /// Returns the pose of a body after a motion and a turn.
    fn turned(&self, key: BodyKey, motion: Vec2, angle: f32) -> Result<Pose, WorldError> {
        let body = self.collisions.body(key).ok_or(WorldError::NoSuchBody(key))?;
        let to = to_bevy(body.pose.position) + motion;
        let turn = Pose::try_new(to, angle, body.pose.scale).map_err(WorldError::BadPose)?;
        Ok(Pose { rotation: turn.rotation * body.pose.rotation, ..turn })
    }

    /// Copies the pose of a body to its transform, as far as it has changed.
    fn write_back(&self, key: BodyKey, transform: &mut Mut<'_, Transform>) {
        let Some(body) = self.collisions.body(key) else { return };
        let [x, y] = body.pose.position.to_array();
        if transform.translation.truncate() != Vec2::new(x, y) {
            transform.translation.x = x;
            transform.translation.y = y;
        }
        if body_pose(transform).is_ok_and(|pose| !is_at(&pose, transform, &body.pose)) {
            transform.rotation = quaternion(body.pose.rotation.angle());
        }
    }

    /// Looks the layers of responses up by name.
    fn responses(
        &self,
        responses: Option<&Responses>,
    ) -> Result<Vec<(Layers, Response)>, WorldError> {
        let responses = responses.iter().flat_map(|responses| &responses.0);
        responses
            .map(|(layers, response)| Ok((self.collisions.layers(layers.clone())?, *response)))
            .collect()
    }

    /// Lets a walker walk. Returns whether it has pushed others.
    fn walk(
        &mut self,
        (entity, key, walker, responses): (Entity, BodyKey, &Walker, &[(Layers, Response)]),
        footing: &mut Footing,
        velocity: &mut Vec2,
        seconds: f32,
        reports: &mut Reports,
    ) -> Result<bool, WorldError> {
        let (settings, motion) = (walker.settings(), *velocity * seconds);
        let blocks =
            |other: ColliderRef<'_>| response_to(other, responses) != Some(Response::Cross);
        let filter = Filter::new();
        let filter = if responses.is_empty() { filter } else { filter.predicate(&blocks) };
        let state = &mut footing.state;
        let walk = self.collisions.walk_filtered(key, &settings, state, motion, &filter)?;
        let arrived_at = *velocity;
        *velocity = to_bevy(walk.velocity(*velocity));
        footing.floor = walk.floor.and_then(|floor| self.collider_entity(floor.collider));
        footing.tile = walk.floor.and_then(|floor| floor.tile);
        footing.normal = walk.floor.map_or(Vec2::ZERO, |floor| to_bevy(floor.normal));
        footing.wall = walk.wall.and_then(|wall| self.collider_entity(wall.other));
        footing.wall_normal = walk.wall.map_or(Vec2::ZERO, |wall| to_bevy(wall.normal));
        footing.ceiling = walk.ceiling.and_then(|ceiling| self.collider_entity(ceiling.other));
        for hit in walk.wall.iter().chain(&walk.ceiling) {
            self.report_hit(entity, hit, reports);
        }
        if let Some(floor) = footing.floor
            && walk.landed
        {
            let (tile, normal) = (footing.tile, footing.normal);
            reports.landed(Landed { entity, floor, tile, normal, velocity: arrived_at });
        }
        if walk.left_floor {
            reports.left_floor(LeftFloor { entity });
        }
        Ok(walk.pushed.is_some())
    }

    /// Moves a body by its mover. Returns whether it has pushed others.
    fn travel(
        &mut self,
        (entity, key, mover, responses): (Entity, BodyKey, Mover, &[(Layers, Response)]),
        velocity: &mut Vec2,
        seconds: f32,
        reports: &mut Reports,
    ) -> Result<bool, WorldError> {
        let default = match mover {
            Mover::Free | Mover::Platform => Response::Cross,
            Mover::Stop => Response::Touch,
            Mover::Slide => Response::Slide,
            Mover::Bounce(restitution) => Response::Bounce(restitution),
        };
        let travel = self.collisions.travel(key, *velocity * seconds, |hit| {
            response_to(hit.other(), responses).unwrap_or(default)
        })?;
        let mut has_pushed = false;
        for hit in travel.hits() {
            has_pushed |= matches!(hit.response, Response::Push(_));
            *velocity = match hit.response {
                Response::Cross | Response::Push(_) => *velocity,
                Response::Slide => to_bevy(hit.slid(*velocity)),
                Response::Bounce(restitution) => to_bevy(hit.bounced(*velocity, restitution)),
                _ => Vec2::ZERO,
            };
            // A crossed collider is reported when the body enters it, not in every step inside it.
            if !(hit.response == Response::Cross && hit.depth > 0.0) {
                self.report_hit(entity, hit, reports);
            }
        }
        Ok(has_pushed)
    }

    fn report_hit(&self, entity: Entity, hit: &TravelHit, reports: &mut Reports) {
        if let Some(other) = self.collider_entity(hit.other) {
            let (normal, point) = (to_bevy(hit.normal), to_bevy(hit.point));
            let (tile, time, response) = (hit.tile, hit.time, hit.response);
            reports.hit(MoverHit { entity, other, tile, normal, point, time, response });
        }
    }
}
