//! Picking: hovering over colliders with the mouse, clicking and dragging them.

use bevy_app::{App, Plugin, PreUpdate};
use bevy_camera::Camera;
use bevy_camera::visibility::{InheritedVisibility, RenderLayers};
use bevy_ecs::prelude::*;
use bevy_math::Vec3Swizzles;
use bevy_picking::backend::prelude::*;
use bevy_reflect::prelude::{Reflect, ReflectDefault};
use bevy_transform::components::GlobalTransform;
use carom::query::Ray;
use carom::shape::{Point, ShapeRef};
use carom::world::Filter;

use crate::CaromWorld;

/// Finds the colliders below the pointers for `bevy_picking`, whose `DefaultPickingPlugins` are part of the
/// default plugins. Observers of `PointerClick`, `PointerOver` and so on then work on the entities of
/// colliders, and on the entities above them.
///
/// Colliders of every role are found, unless their body has [`BodyHidden`](crate::BodyHidden), their entity is
/// invisible, or it has `Pickable::IGNORE`. The colliders of a [`SheetFrame`](crate::SheetFrame) are those of the
/// entity of their body. The position of a hit is in world space. If the collider is a tile map, the extra data of
/// the hit is the [`Cell`](carom::shape::Cell) of the tile.
///
/// ```no_run
/// use bevy_app::prelude::*;
/// use bevy_carom::prelude::*;
/// use bevy_carom::CaromPickingPlugin;
/// use bevy_ecs::prelude::*;
/// use bevy_picking::prelude::*;
///
/// fn spawn(mut commands: Commands) {
///     commands.spawn(Collider::circle(40.0)).observe(|click: On<PointerClick>| {
///         println!("{} was clicked at {:?}", click.entity, click.hit.position);
///     });
/// }
///
/// App::new()
///     .add_plugins((DefaultPickingPlugins, CaromPlugin::default(), CaromPickingPlugin))
///     .add_systems(Startup, spawn);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CaromPickingPlugin;

/// The settings of [`CaromPickingPlugin`].
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Resource, Default, PartialEq)]
pub struct CaromPicking {
    /// If `true`, only cameras with a [`CaromPickingCamera`] pick, and only colliders whose entities have a
    /// `Pickable` are picked.
    pub require_markers: bool,
}

/// Marks a camera that picks colliders. Needed only with [`CaromPicking::require_markers`].
#[derive(Component, Clone, Copy, Debug, Default, Reflect)]
#[reflect(Component, Default)]
pub struct CaromPickingCamera;

impl Plugin for CaromPickingPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<CaromPicking>()
            .register_type::<(CaromPicking, CaromPickingCamera)>()
            .add_systems(PreUpdate, pick.in_set(PickingSystems::Backend));
    }
}

type Target<'a> = (
    &'a GlobalTransform,
    Option<&'a Pickable>,
    Option<&'a InheritedVisibility>,
    Option<&'a RenderLayers>,
);

fn pick(
    carom: Res<CaromWorld>,
    settings: Res<CaromPicking>,
    rays: Res<RayMap>,
    cameras: Query<(&Camera, Has<CaromPickingCamera>, Option<&RenderLayers>)>,
    targets: Query<Target>,
    mut hits: MessageWriter<PointerHits>,
) {
    for (id, ray) in rays.iter() {
        let Ok((camera, is_marked, camera_layers)) = cameras.get(id.camera) else { continue };
        if settings.require_markers && !is_marked {
            continue;
        }
        // 1. Find the colliders that the ray, seen along z, passes: of those on all planes, the one that is
        //    hit lies on this line. For the usual camera of a 2D game the line is a point.
        let world = carom.get();
        let filter = Filter::new().visible();
        let (origin, direction) = (ray.origin.xy(), ray.direction.xy());
        let keys = match Ray::try_new(origin, direction, f32::INFINITY) {
            Ok(line) => world.raycast_all(&line, &filter).into_iter().map(|(key, _)| key).collect(),
            Err(_) => world.at_point(origin, &filter),
        };
        // 2. Test each of them where the ray meets the plane of its entity.
        let mut picks: Vec<(Entity, HitData)> = Vec::new();
        for key in keys {
            let Some(entity) = carom.collider_entity(key) else { continue };
            let (Some(collider), Ok((at, pickable, visibility, layers))) =
                (world.collider(key), targets.get(entity))
            else {
                continue;
            };
            let is_allowed = pickable.map_or(!settings.require_markers, |it| it.is_hoverable)
                && visibility.is_none_or(|visibility| visibility.get())
                && camera_layers.unwrap_or_default().intersects(layers.unwrap_or_default());
            let depth = (at.translation().z - ray.origin.z) / ray.direction.z;
            // A depth that is not finite belongs to a ray along the plane.
            if !is_allowed || !(0.0..f32::INFINITY).contains(&depth) {
                continue;
            }
            let position = ray.origin + ray.direction * depth;
            let Ok(point) = Point::try_new(position.xy()) else { continue };
            let placed = collider.placed();
            // An entity may have several colliders, which are the boxes of a frame.
            let is_known = picks.iter().any(|(other, _)| *other == entity);
            if is_known || !placed.contains(&point) {
                continue;
            }
            let cell = match placed {
                ShapeRef::TileMap(map) => map.cell_at(point.position()),
                _ => None,
            };
            let (position, normal) = (Some(position), Some(*at.back()));
            let hit = match cell {
                Some(cell) => HitData::new_with_extra(id.camera, depth, position, normal, cell),
                None => HitData::new(id.camera, depth, position, normal),
            };
            picks.push((entity, hit));
        }
        if !picks.is_empty() {
            hits.write(PointerHits::new(id.pointer, picks, camera.order as f32));
        }
    }
}
