//! Messages and observer events. Every type is both: read it with a `MessageReader` for all entities, or
//! observe it on one entity.

use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use carom::motion::Response;
use carom::query::Contact;
use carom::shape::Cell;
use carom::world::ColliderKey;

/// Two colliders have begun to touch.
///
/// Each touch is reported from both sides: once with either collider as `entity`. As an observer event,
/// it propagates from the collider to its parents, so it can be observed on the body, too. An observer of the whole
/// app is called for each of these entities; compare `entity` with `collider` to handle a touch once. The entities may
/// have been despawned.
#[derive(Message, EntityEvent, Clone, Copy, Debug)]
#[entity_event(propagate, auto_propagate)]
pub struct TouchBegan {
    /// The collider; while the event propagates, one of its parents.
    pub entity: Entity,
    /// The collider.
    pub collider: Entity,
    /// The body of the collider.
    pub body: Entity,
    /// The collider that is touched.
    pub other: Entity,
    /// The body of the collider that is touched.
    pub other_body: Entity,
    /// The contact of two solid colliders. Its push moves `collider` out of `other`.
    pub contact: Option<Contact>,
}

/// Two colliders no longer touch, or one of them has been removed. See [`TouchBegan`].
#[derive(Message, EntityEvent, Clone, Copy, Debug)]
#[entity_event(propagate, auto_propagate)]
pub struct TouchEnded {
    /// The collider; while the event propagates, one of its parents.
    pub entity: Entity,
    /// The collider.
    pub collider: Entity,
    /// The body of the collider.
    pub body: Entity,
    /// The collider that was touched.
    pub other: Entity,
    /// The body of the collider that was touched.
    pub other_body: Entity,
}

/// Two bodies have begun to touch, however many of their colliders do.
///
/// Each pair is reported from both sides: once with either body as `entity`.
#[derive(Message, EntityEvent, Clone, Copy, Debug)]
pub struct BodyTouchBegan {
    /// The body.
    pub entity: Entity,
    /// The body that is touched.
    pub other: Entity,
}

/// Two bodies no longer touch: the last pair of their colliders has ended. See [`BodyTouchBegan`].
#[derive(Message, EntityEvent, Clone, Copy, Debug)]
pub struct BodyTouchEnded {
    /// The body.
    pub entity: Entity,
    /// The body that was touched.
    pub other: Entity,
}

/// A hitbox has struck a hurtbox. The event is triggered on the body of the hurtbox.
#[derive(Message, EntityEvent, Clone, Copy, Debug)]
pub struct Struck {
    /// The body that was struck.
    pub entity: Entity,
    /// The body that strikes.
    pub attacker: Entity,
    /// The collider that strikes.
    pub hitbox: Entity,
    /// The collider that was struck.
    pub hurtbox: Entity,
    /// The contact of the hitbox with the hurtbox. To knock the victim back, move it against the normal.
    pub contact: Contact,
    /// The keys of the hitbox and the hurtbox in carom's world. [`CaromWorld::box_name`](crate::CaromWorld::box_name)
    /// returns their names if they are boxes of a [`SheetFrame`](crate::SheetFrame).
    pub keys: [ColliderKey; 2],
}

/// A [`Walker`](crate::Walker) has landed on a floor.
#[derive(Message, EntityEvent, Clone, Copy, Debug)]
pub struct Landed {
    /// The walker.
    pub entity: Entity,
    /// The collider that it stands on.
    pub floor: Entity,
    /// The tile that it stands on, if the floor is a tile map.
    pub tile: Option<Cell>,
    /// The normal of the floor.
    pub normal: Vec2,
    /// The velocity at which it arrived.
    pub velocity: Vec2,
}

/// A [`Walker`](crate::Walker) has left the floor.
#[derive(Message, EntityEvent, Clone, Copy, Debug)]
pub struct LeftFloor {
    /// The walker.
    pub entity: Entity,
}

/// A body that moves by its [`Mover`](crate::Mover) has hit an obstacle, or a wall or a ceiling has stopped a
/// [`Walker`](crate::Walker). A walker that keeps walking against a wall is reported in every step. An
/// obstacle that a mover crosses is reported when it is entered.
#[derive(Message, EntityEvent, Clone, Copy, Debug)]
pub struct MoverHit {
    /// The body that moves.
    pub entity: Entity,
    /// The collider that it has hit.
    pub other: Entity,
    /// The tile that it has hit, if the other collider is a tile map.
    pub tile: Option<Cell>,
    /// The unit vector out of the obstacle.
    pub normal: Vec2,
    /// The point of contact.
    pub point: Vec2,
    /// The time of the hit, from 0 at the start of the step to 1 at its end.
    pub time: f32,
    /// The response of the body.
    pub response: Response,
}

/// A platform has moved into a body that had no room to give way.
#[derive(Message, EntityEvent, Clone, Copy, Debug)]
pub struct Squashed {
    /// The body.
    pub entity: Entity,
    /// The platform.
    pub platform: Entity,
}

/// A component cannot be used. carom's world is as if the component had not been changed. Entities that cannot be
/// added to it are tried again, and reported, in every step. Each problem is logged once, as a warning.
#[derive(Message, Clone, Debug)]
pub struct InvalidComponent {
    /// The entity, if the problem concerns a single one.
    pub entity: Option<Entity>,
    /// The reason.
    pub reason: String,
}
