//! Copies added, changed and removed components to carom's world.

use std::collections::BTreeSet;
use std::sync::Arc;

use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::query::Allow;
use bevy_ecs::system::SystemParam;
use bevy_transform::components::Transform;
use carom::math::{Flip, Pose};
use carom::sheet::FrameRef;
use carom::world::{self, BodyKey};

use crate::components::{FrameSelector, LinkedCollider};
use crate::placement::Placement;
use crate::{
    Body, BodyDisabled, BodyHidden, BodyLink, CaromWorld, Collider, ColliderDisabled, ColliderLink,
    CollisionLayers, ImplicitBody, InvalidComponent, Mover, OneWay, Pushable, RehitRule, Role,
    SheetFrame, SpawnOrder, Swept, Team, Velocity, Walker, link,
};

/// Access to the transforms of entities and their parents. `GlobalTransform` is not used: it is updated
/// once per frame, after the fixed steps.
#[derive(SystemParam)]
pub(crate) struct Hierarchy<'w, 's> {
    transforms: Query<'w, 's, &'static Transform, Allow<Disabled>>,
    parents: Query<'w, 's, &'static ChildOf, Allow<Disabled>>,
    bodies: Query<'w, 's, (&'static BodyLink, &'static Body), Allow<Disabled>>,
}

impl Hierarchy<'_, '_> {
    /// Returns the placement of an entity in the world.
    pub fn placement(&self, entity: Entity) -> Result<Placement, String> {
        let own = self.local(entity)?;
        self.parents
            .iter_ancestors(entity)
            .try_fold(own, |placement, parent| Ok(self.local(parent)?.then(&placement)))
    }

    /// Returns the placement of an entity relative to its parent.
    fn local(&self, entity: Entity) -> Result<Placement, String> {
        self.transforms.get(entity).map_or(Ok(Placement::IDENTITY), Placement::of)
    }

    /// Returns the pose of a body.
    pub fn body_pose(&self, entity: Entity) -> Result<Pose, String> {
        self.placement(entity)?.pose()
    }

    /// Returns the nearest body at or above a collider, and the placement of the collider on it. Returns
    /// `None` if there is no body, or if the body could not be added to the world.
    fn on_body(&self, collider: Entity) -> Result<Option<(BodyKey, Placement)>, String> {
        let mut placement = Placement::IDENTITY;
        for entity in std::iter::once(collider).chain(self.parents.iter_ancestors(collider)) {
            if let Ok((link, _)) = self.bodies.get(entity) {
                let Some(body) = link.0 else { return Ok(None) };
                return Ok(Some((body, self.placement(entity)?.of_colliders().then(&placement))));
            }
            placement = self.local(entity)?.then(&placement);
        }
        Ok(None)
    }

    pub fn has_body_above(&self, entity: Entity) -> bool {
        self.parents.iter_ancestors(entity).any(|parent| self.bodies.contains(parent))
    }
}

/// The components that require a [`Body`], which moves by default.
type NeedsBody = Or<(With<Mover>, With<Walker>, With<Pushable>, With<Swept>, With<SheetFrame>)>;

/// Adds a fixed body to colliders that have none above them, and removes it when they get one.
pub(crate) fn add_implicit_bodies(
    mut commands: Commands,
    bare: Query<Entity, (With<Collider>, Without<Body>)>,
    implicit: Query<(Entity, Ref<Body>, Ref<ImplicitBody>), With<ChildOf>>,
    needy: Query<Entity, (With<ImplicitBody>, NeedsBody)>,
    hierarchy: Hierarchy,
) {
    for entity in &bare {
        if !hierarchy.has_body_above(entity) {
            commands.entity(entity).insert((Body::Fixed, ImplicitBody));
        }
    }
    for (entity, body, implicit) in &implicit {
        if body.last_changed() != implicit.last_changed() {
            commands.entity(entity).remove::<ImplicitBody>(); // the game has given it a body since
        } else if hierarchy.has_body_above(entity) {
            commands.entity(entity).remove::<(Body, ImplicitBody)>();
        }
    }
    for entity in &needy {
        commands.entity(entity).insert(Body::default()).remove::<ImplicitBody>();
    }
}

/// Removes the bodies and colliders whose components were removed since the last step.
pub(crate) fn remove_despawned(mut carom: ResMut<CaromWorld>) {
    let CaromWorld { collisions, removed_bodies, removed_colliders, removed_frames, .. } =
        &mut *carom;
    // In the order of the keys, which decides which slots are reused next.
    removed_colliders.sort_unstable();
    removed_frames.sort_unstable();
    removed_bodies.sort_unstable();
    for key in removed_frames.drain(..) {
        let _ = collisions.clear_frame(key);
    }
    // A key may be gone already: a body takes its colliders with it.
    for key in removed_colliders.drain(..) {
        let _ = collisions.remove_collider(key);
    }
    for key in removed_bodies.drain(..) {
        let _ = collisions.remove_body(key);
    }
}

/// The order in which bodies or colliders are added. (`Entity` itself compares the youngest as least.)
fn rank(entity: Entity, order: Option<&SpawnOrder>) -> (u64, u32) {
    (order.map_or(u64::MAX, |order| order.0), entity.index_u32())
}

/// Lets the next step update an entity that Bevy has disabled.
pub(crate) fn mark_disabled(event: On<Add<Disabled>>, mut carom: ResMut<CaromWorld>) {
    carom.dirty.push(event.entity);
}

/// The transforms of bodies, for those whose place may have changed while the transform itself has not.
type BodyTransforms<'w, 's> = Query<'w, 's, &'static mut Transform, (With<Body>, Allow<Disabled>)>;

/// Lets the next step update an entity that Bevy has enabled again, and move it to its transform: steps do not see
/// changes of disabled entities.
pub(crate) fn mark_enabled(
    event: On<Remove<Disabled>>,
    mut carom: ResMut<CaromWorld>,
    mut bodies: BodyTransforms,
) {
    carom.dirty.push(event.entity);
    if let Ok(mut transform) = bodies.get_mut(event.entity) {
        transform.set_changed();
    }
}

/// Lets the next step move a body that has lost its parent: its transform is in world space now.
pub(crate) fn mark_orphaned(event: On<Remove<ChildOf>>, mut bodies: BodyTransforms) {
    if let Ok(mut transform) = bodies.get_mut(event.entity) {
        transform.set_changed();
    }
}

/// Colliders of bodies that may have been scaled: every body that has moved is among them.
type MayBeScaled = (With<Collider>, With<Body>, Without<ChildOf>, Changed<Transform>);

/// Lets this step update colliders whose bodies have, or had, another scale than a uniform one, which is part
/// of the pose.
pub(crate) fn mark_scaled(
    mut carom: ResMut<CaromWorld>,
    moved: Query<(Entity, &Transform, &ColliderLink), MayBeScaled>,
) {
    for (entity, transform, link) in &moved {
        let is_plain = link.0.is_some_and(|link| link.placement == Placement::IDENTITY);
        let Transform { rotation, scale, .. } = transform;
        let is_flat = rotation.x == 0.0 && rotation.y == 0.0;
        if !(is_plain && is_flat && scale.x == scale.y && scale.x > 0.0) {
            carom.dirty.push(entity);
        }
    }
}

type BodyData<'a> = (
    Entity,
    &'a Body,
    &'a mut BodyLink,
    Option<&'a Team>,
    (Has<BodyDisabled>, Has<Disabled>),
    Has<BodyHidden>,
    Option<&'a Pushable>,
    Has<Swept>,
    Option<&'a SpawnOrder>,
);

type BodyChanged = Or<(
    Changed<Body>,
    Changed<Team>,
    Added<BodyDisabled>,
    Added<BodyHidden>,
    Changed<Pushable>,
    Added<Swept>,
)>;

/// Adds new bodies and updates changed ones.
pub(crate) fn sync_bodies(
    mut carom: ResMut<CaromWorld>,
    mut queries: ParamSet<(Query<BodyData<'static>, Allow<Disabled>>, Hierarchy)>,
    changed: Query<Entity, (BodyChanged, Allow<Disabled>)>,
    mut invalid: MessageWriter<InvalidComponent>,
) {
    let CaromWorld { collisions, bodies, dirty, rejected, .. } = &mut *carom;
    let mut new = Vec::new();
    let others = dirty.iter().copied().filter(|&entity| !changed.contains(entity));
    for entity in changed.iter().chain(others) {
        let bodies = queries.p0();
        let Ok((_, body, link, team, disabled, hidden, pushable, swept, order)) =
            bodies.get(entity)
        else {
            continue;
        };
        let mut wanted = world::Body::moving([0.0, 0.0]).with_mobility(body.mobility());
        wanted.team = team.map_or(0, |team| team.0);
        wanted.enabled = disabled == (false, false);
        wanted.visible = !hidden;
        wanted.pushable = pushable.is_some();
        wanted.weight = pushable.copied().unwrap_or_default().0;
        wanted.swept = swept;
        match link.0 {
            Some(key) if collisions.body(key).is_some() => {
                // The key is valid, so these cannot fail.
                let _ = collisions.set_mobility(key, wanted.mobility);
                let _ = collisions.set_enabled(key, wanted.enabled);
                let _ = collisions.set_visible(key, wanted.visible);
                let _ = collisions.set_team(key, wanted.team);
                let _ = collisions.set_pushable(key, wanted.pushable);
                let _ = collisions.set_weight(key, wanted.weight);
                let _ = collisions.set_swept(key, wanted.swept);
            }
            _ => new.push((rank(entity, order), entity, wanted)),
        }
    }
    new.sort_unstable_by_key(|&(rank, entity, _)| (rank, entity.to_bits()));
    new.dedup_by_key(|&mut (_, entity, _)| entity);
    for (_, entity, wanted) in new {
        let added = queries.p1().body_pose(entity).and_then(|pose| {
            collisions.add_body(wanted.with_pose(pose)).map_err(|error| error.to_string())
        });
        match added {
            Ok(key) => {
                link(bodies, key, entity);
                if let Ok((_, _, mut link, ..)) = queries.p0().get_mut(entity) {
                    link.0 = Some(key);
                }
            }
            Err(reason) => {
                rejected.push(entity);
                invalid.write(InvalidComponent { entity: Some(entity), reason });
            }
        }
    }
}

type ColliderData<'a> = (
    Entity,
    Ref<'a, Collider>,
    &'a Role,
    Option<&'a OneWay>,
    Option<&'a CollisionLayers>,
    Option<&'a RehitRule>,
    (Has<ColliderDisabled>, Has<Disabled>),
    &'a mut ColliderLink,
    Option<&'a SpawnOrder>,
);

/// Colliders that may have changed: those with a changed component, and those that are placed on a body by
/// transforms, which are compared with those of the last step.
type MayHaveChanged = Or<(
    Changed<Collider>,
    Changed<Role>,
    Changed<OneWay>,
    Changed<CollisionLayers>,
    Changed<RehitRule>,
    Added<ColliderDisabled>,
    Added<Body>,
    With<ChildOf>,
)>;

/// Adds new colliders, updates changed ones, and moves them to other bodies.
pub(crate) fn sync_colliders(
    mut carom: ResMut<CaromWorld>,
    mut colliders: Query<ColliderData<'static>, Allow<Disabled>>,
    changed: Query<Entity, (With<Collider>, MayHaveChanged, Allow<Disabled>)>,
    hierarchy: Hierarchy,
    mut invalid: MessageWriter<InvalidComponent>,
) {
    let CaromWorld { collisions, colliders: entities, dirty, rejected, .. } = &mut *carom;
    let (mut removed, mut new) = (Vec::new(), Vec::new());
    let mut report = |entity: Entity, reason: String| {
        rejected.push(entity);
        invalid.write(InvalidComponent { entity: Some(entity), reason });
    };
    // 1. Update the colliders that stay on their body.
    let others = dirty.iter().copied().filter(|&entity| !changed.contains(entity));
    for entity in changed.iter().chain(others) {
        let Ok((_, collider, role, one_way, layers, rehit, disabled, mut link, order)) =
            colliders.get_mut(entity)
        else {
            continue;
        };
        let placement = match hierarchy.on_body(entity) {
            Ok(placement) => placement,
            Err(reason) => {
                report(entity, reason);
                continue;
            }
        };
        let old = link.0.filter(|old| collisions.collider(old.key).is_some());
        match (old, placement) {
            (Some(old), Some((body, placement))) if old.body == body => {
                let up = placement.one_way(one_way);
                if collider.is_changed() || old.placement != placement {
                    match placement.shape(collider.shape()) {
                        Ok(shape) => {
                            let _ = collisions.set_shape(old.key, shape);
                        }
                        Err(reason) => report(entity, reason),
                    }
                    link.0 = Some(LinkedCollider { placement, ..old });
                }
                if collisions.collider(old.key).is_some_and(|collider| collider.one_way() != up) {
                    let _ = collisions.set_one_way(old.key, up);
                }
                let _ = collisions.set_role(old.key, (*role).into());
                let _ = collisions.set_collider_enabled(old.key, disabled == (false, false));
                let _ = collisions.set_rehit(old.key, rehit.copied().unwrap_or_default().0);
                let layers = layers.cloned().unwrap_or_default();
                let result = collisions
                    .set_layers(old.key, layers.layers)
                    .and_then(|()| collisions.set_mask(old.key, layers.mask));
                if let Err(error) = result {
                    report(entity, error.to_string());
                }
            }
            (old, placement) => {
                removed.extend(old.map(|old| old.key));
                link.0 = None;
                if let Some((body, placement)) = placement {
                    new.push((rank(entity, order), entity, body, placement));
                }
            }
        }
    }
    // 2. Remove and add the others, in an order that does not depend on archetypes.
    removed.sort_unstable();
    for key in removed {
        let _ = collisions.remove_collider(key);
    }
    new.sort_unstable_by_key(|&(rank, entity, ..)| (rank, entity.to_bits()));
    new.dedup_by_key(|&mut (_, entity, ..)| entity);
    for (_, entity, body, placement) in new {
        let Ok((_, collider, role, one_way, layers, rehit, disabled, mut link, _)) =
            colliders.get_mut(entity)
        else {
            continue;
        };
        let added = placement.shape(collider.shape()).and_then(|shape| {
            let CollisionLayers { layers, mask } = layers.cloned().unwrap_or_default();
            let mut added = world::Collider::new(shape)
                .with_role((*role).into())
                .on_layers(layers)
                .with_mask(mask)
                .with_rehit(rehit.copied().unwrap_or_default().0);
            if let Some(up) = placement.one_way(one_way) {
                added = added.one_way(up);
            }
            if disabled != (false, false) {
                added = added.disabled();
            }
            collisions.add_collider(body, added).map_err(|error| error.to_string())
        });
        match added {
            Ok(key) => {
                crate::link(entities, key, entity);
                link.0 = Some(LinkedCollider { key, body, placement });
            }
            Err(reason) => report(entity, reason),
        }
    }
}

type FrameData<'a> = (Entity, &'a SheetFrame, &'a BodyLink, Option<&'a SpawnOrder>);

/// Frames that may have changed, or may have been flipped by a scale: their own, or that of a parent.
type FrameMayHaveChanged =
    Or<(Changed<SheetFrame>, Changed<BodyLink>, Changed<Transform>, With<ChildOf>)>;

/// Gives bodies the colliders of the frames that they show.
pub(crate) fn sync_frames(
    mut carom: ResMut<CaromWorld>,
    frames: Query<FrameData<'static>, (FrameMayHaveChanged, Allow<Disabled>)>,
    hierarchy: Hierarchy,
    mut invalid: MessageWriter<InvalidComponent>,
) {
    let CaromWorld { collisions, colliders, sheets, dirty, rejected, .. } = &mut *carom;
    // This is the last system of the set. The next step tries again what this one has rejected.
    dirty.clear();
    dirty.append(rejected);
    let mut changed: Vec<_> = frames.iter().collect();
    changed.sort_unstable_by_key(|&(entity, _, _, order)| rank(entity, order));
    for (entity, shown, link, _) in changed {
        let Some(body) = link.0 else { continue };
        let result = (|| {
            let scale = hierarchy.placement(entity)?.of_colliders().scale();
            let Some(scale) = scale.filter(|scale| scale.x.abs() == scale.y.abs()) else {
                return Err("the scale is not uniform, which frames do not support".to_owned());
            };
            let known = sheets.iter().find(|(sheet, _)| Arc::ptr_eq(sheet, &shown.sheet));
            let sheet = match known {
                Some(&(_, key)) => key,
                None => {
                    let sheet = Arc::clone(&shown.sheet);
                    let key = collisions.add_sheet(sheet).map_err(|error| error.to_string())?;
                    sheets.push((Arc::clone(&shown.sheet), key));
                    key
                }
            };
            let frame = match &shown.frame {
                FrameSelector::Name(name) => FrameRef::from(name),
                FrameSelector::Index(index) => FrameRef::from(*index),
            };
            let flip = Flip {
                x: shown.flip.x ^ (scale.x < 0.0),
                y: shown.flip.y ^ (scale.y < 0.0) ^ shown.y_down,
            };
            collisions
                .set_frame(body, sheet, frame.direction(shown.direction).flipped(flip))
                .map_err(|error| error.to_string())
        })();
        if let Err(reason) = result {
            invalid.write(InvalidComponent { entity: Some(entity), reason });
            continue;
        }
        for key in collisions.colliders_of(body) {
            if collisions.box_name(key).is_some() {
                crate::link(colliders, key, entity);
            }
        }
    }
}

type Moves = Or<(With<Mover>, With<Walker>)>;
type MayHaveComeBelow = Or<(Added<Mover>, Added<Walker>, Changed<ChildOf>)>;

/// Reports velocities that have no effect.
pub(crate) fn check_velocities(
    idle: Query<Entity, (Added<Velocity>, Without<Mover>, Without<Walker>)>,
    below: Query<Entity, (With<ChildOf>, Moves, MayHaveComeBelow)>,
    hierarchy: Hierarchy,
    mut invalid: MessageWriter<InvalidComponent>,
) {
    for entity in &idle {
        let reason = "a Velocity has no effect without a Mover or a Walker".to_owned();
        invalid.write(InvalidComponent { entity: Some(entity), reason });
    }
    for entity in below.iter().filter(|&entity| hierarchy.has_body_above(entity)) {
        let reason = "a body below another body moves only with that one: its Velocity, Mover and Walker have no \
                      effect"
            .to_owned();
        invalid.write(InvalidComponent { entity: Some(entity), reason });
    }
}

/// Logs invalid components, each of them once.
pub(crate) fn log_invalid(
    mut messages: MessageReader<InvalidComponent>,
    names: Query<&Name>,
    mut logged: Local<BTreeSet<(Option<Entity>, String)>>,
) {
    for InvalidComponent { entity, reason } in messages.read() {
        if logged.insert((*entity, reason.clone())) {
            match (entity, entity.and_then(|entity| names.get(entity).ok())) {
                (Some(entity), Some(name)) => log::warn!("{name} ({entity}): {reason}"),
                (Some(entity), None) => log::warn!("{entity}: {reason}"),
                (None, _) => log::warn!("{reason}"),
            }
        }
    }
}
