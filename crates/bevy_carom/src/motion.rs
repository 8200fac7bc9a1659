//! Moves bodies: by the game, by moving platforms, by their velocity, and on foot.

use std::collections::BTreeMap;

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::Vec2;
use bevy_time::Time;
use bevy_transform::components::Transform;
use carom::math::Pose;
use carom::motion::{Response, TravelHit};
use carom::world::{BodyKey, ColliderRef, Filter, Layers, WorldError};

use crate::placement::Placement;
use crate::sync::Hierarchy;
use crate::to_bevy;
use crate::{
    AngularVelocity, Body, BodyLink, CaromWorld, Footing, Gravity, InvalidComponent, Landed,
    LeftFloor, Mover, MoverHit, Responses, Squashed, Velocity, Walker,
};

/// Bodies that the game has moved, or that have a parent which may have moved.
type MayHaveMoved = (With<Body>, Or<(Changed<Transform>, With<ChildOf>)>);

/// The placements of the parents of bodies that have one. `None` for a body below another body, with which it moves.
type Parents = BTreeMap<BodyKey, Option<Placement>>;

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

/// The components that decide in which step a body moves: as a walker, by turning, below a parent.
type KindData<'a> = (
    Entity,
    &'a BodyLink,
    &'a Velocity,
    Option<&'a AngularVelocity>,
    Option<&'a Mover>,
    Has<Walker>,
    Has<ChildOf>,
);

/// Bodies that nothing stops, if their mover is free.
type FreeData<'a> = (Entity, &'a BodyLink, &'a Mover, &'a Velocity, &'a mut Transform);
type MayBeFree = (With<Body>, Without<Walker>, Without<AngularVelocity>, Without<ChildOf>);

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
        (Query<(Entity, &BodyLink, &Transform, Option<&ChildOf>), MayHaveMoved>, Hierarchy),
        Query<MovingData<'static>, With<Body>>,
        Query<(&BodyLink, &mut Transform), With<Body>>,
        (Query<KindData<'static>, With<Body>>, Query<FreeData<'static>, MayBeFree>),
    )>,
    time: Res<Time>,
    gravity: Res<Gravity>,
    mut reports: Reports,
) {
    let carom = &mut *carom;

    // 1. Take over the transforms that the game has changed.
    let mut parents = Parents::new();
    let (moved, hierarchy) = queries.p0();
    for (entity, link, transform, parent) in &moved {
        let Some(key) = link.0 else { continue };
        let result = match parent {
            Some(parent) => hierarchy.placement(parent.0).and_then(|placement| {
                let is_free = !hierarchy.has_body_above(entity);
                parents.insert(key, is_free.then_some(placement));
                carom.take_over(key, &placement, transform)
            }),
            None => carom.take_over(key, &Placement::IDENTITY, transform),
        };
        if let Err(reason) = result {
            reports.invalid(entity, reason);
        }
    }

    // 2. Sort what moves by key, since each body may be in the way of the next.
    let seconds = time.delta_secs();
    let (mut platforms, mut others) = (Vec::new(), Vec::new());
    for (entity, link, velocity, angular, mover, is_walker, has_parent) in &queries.p3().0 {
        let Some(key) = link.0 else { continue };
        match mover {
            _ if has_parent && parents.get(&key) == Some(&None) => {}
            _ if is_walker => others.push((key, entity)),
            Some(Mover::Platform) => {
                let turn = angular.map_or(0.0, |angular| angular.0 * seconds);
                platforms.push((key, entity, velocity.0 * seconds, turn));
            }
            Some(Mover::Free) if angular.is_none() && !has_parent => {} // moves in step 4
            Some(_) => others.push((key, entity)),
            None => {}
        }
    }
    platforms.sort_unstable_by_key(|&(key, ..)| key);
    others.sort_unstable();

    // 3. Platforms move first, with the bodies that they carry and push.
    for (key, entity, motion, turn) in platforms {
        let carry = match turn {
            0.0 => carom.collisions.carry(key, motion),
            _ => carom
                .turned(key, motion, turn)
                .and_then(|pose| carom.collisions.carry_to(key, pose)),
        };
        match carry {
            Ok(carry) => {
                for &key in carry.moved().iter().chain([&key]) {
                    if let Some(moved) = carom.body_entity(key)
                        && let Ok((_, mut transform)) = queries.p2().get_mut(moved)
                    {
                        carom.write_back(key, &parents, &mut transform);
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
    let mut positions = Vec::new();
    for (entity, link, mover, velocity, mut transform) in &mut queries.p3().1 {
        let (Some(key), Mover::Free) = (link.0, mover) else { continue };
        let Some(body) = carom.collisions.body(key) else { continue };
        let motion = velocity.0 * seconds;
        let to = to_bevy(body.pose.position) + motion;
        if !to.is_finite() {
            reports.invalid(entity, format!("a step of {motion} leads to {to}"));
        } else if motion != Vec2::ZERO {
            positions.push((key, to));
            (transform.translation.x, transform.translation.y) = (to.x, to.y);
        }
    }
    positions.sort_unstable_by_key(|&(key, _)| key);
    if let Err(error) = carom.collisions.set_positions(positions) {
        reports.invalid.write(InvalidComponent { entity: None, reason: error.to_string() });
    }

    // 5. Then everything else.
    let mut bodies = queries.p1();
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
                carom.write_back(key, &parents, &mut transform);
            }
            Err(error) => reports.invalid(entity, error.to_string()),
        }
    }

    // 6. Pushes have moved other bodies, which may be anywhere in the order.
    if has_pushed {
        for (link, mut transform) in &mut queries.p2() {
            if let Some(key) = link.0 {
                carom.write_back(key, &parents, &mut transform);
            }
        }
    }

    // 7. Bodies below other bodies have moved with them.
    if parents.values().any(Option::is_none) {
        let (moved, hierarchy) = queries.p0();
        for (entity, link, transform, parent) in &moved {
            let (Some(key), Some(parent)) = (link.0, parent) else { continue };
            if parents.get(&key) == Some(&None)
                && let Ok(placement) = hierarchy.placement(parent.0)
                && let Err(reason) = carom.take_over(key, &placement, transform)
            {
                reports.invalid(entity, reason);
            }
        }
    }
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

    /// Moves a body to its transform below a parent, unless it is there.
    fn take_over(
        &mut self,
        key: BodyKey,
        parent: &Placement,
        transform: &Transform,
    ) -> Result<(), String> {
        let Some(body) = self.collisions.body(key) else { return Ok(()) };
        let pose = parent.then(&Placement::of(transform)?).pose()?;
        // A transform that was written for the pose of the body may be rounded: it does not give the pose again.
        let was_written =
            pose.scale == body.pose.scale && parent.transform_of(&body.pose, transform).is_none();
        if pose == body.pose || was_written {
            return Ok(());
        }
        self.collisions.set_pose(key, pose).map_err(|error| error.to_string())
    }

    /// Copies the pose of a body to its transform, as far as it has changed.
    fn write_back(&self, key: BodyKey, parents: &Parents, transform: &mut Mut<'_, Transform>) {
        let Some(body) = self.collisions.body(key) else { return };
        let parent = match parents.get(&key) {
            Some(Some(parent)) => parent,
            Some(None) => return,
            None => &Placement::IDENTITY,
        };
        if let Some(written) = parent.transform_of(&body.pose, transform) {
            **transform = written;
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
