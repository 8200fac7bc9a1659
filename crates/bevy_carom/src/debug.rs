//! Debug drawing with gizmos.

use bevy_app::{App, Plugin, PostUpdate};
use bevy_camera::Camera;
use bevy_color::{Alpha, Color};
use bevy_ecs::prelude::*;
use bevy_gizmos::prelude::*;
use bevy_math::{Rect, Vec2, Vec3};
use bevy_reflect::prelude::{Reflect, ReflectDefault};
use bevy_transform::components::GlobalTransform;
use carom::broad::Mobility;
use carom::draw::{self, Canvas, Style};
use carom::shape::Aabb;
use carom::world::{ColliderKey, Filter, Role};

use crate::{CaromWorld, Footing, to_bevy};

/// Draws all colliders, contacts and the normals of floors with gizmos. Needs Bevy's `GizmoPlugin`, which
/// is part of the default plugins.
///
/// Solid colliders are blue, sensors green, hitboxes red and hurtboxes yellow; fixed bodies are gray.
/// [`CaromDebug`] selects what is drawn, and [`DebugColor`] sets the color of a single collider.
#[derive(Clone, Copy, Debug, Default)]
pub struct CaromDebugPlugin;

/// The settings of [`CaromDebugPlugin`].
#[derive(Resource, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Resource, Default, PartialEq)]
pub struct CaromDebug {
    /// If `false`, nothing is drawn.
    pub enabled: bool,
    /// If `true`, the contacts of solid colliders are drawn: their points, with the normal out of the body that
    /// is fixed, or out of the older one if both move.
    pub contacts: bool,
    /// If `true`, the normals of the floors of walkers are drawn.
    pub floors: bool,
    /// If set, only colliders that intersect this rectangle are drawn. Without it, only those in the view
    /// of an active camera; all of them if there is no camera.
    pub area: Option<Rect>,
    /// The length of normals, in world units.
    pub normal_length: f32,
}

impl Default for CaromDebug {
    fn default() -> Self {
        Self { enabled: true, contacts: true, floors: true, area: None, normal_length: 0.5 }
    }
}

/// The color in which [`CaromDebugPlugin`] draws a [`Collider`](crate::Collider). A transparent color hides
/// it.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, PartialEq)]
pub struct DebugColor(pub Color);

/// The gizmo configuration group of carom: line width and depth bias.
#[derive(Clone, Copy, Debug, Default, Reflect, GizmoConfigGroup)]
#[reflect(Default)]
pub struct CaromGizmos;

impl Plugin for CaromDebugPlugin {
    fn build(&self, app: &mut App) {
        app.init_gizmo_group::<CaromGizmos>()
            .init_resource::<CaromDebug>()
            .register_type::<(CaromDebug, DebugColor)>()
            .add_systems(PostUpdate, draw_world);
    }
}

fn draw_world(
    carom: Res<CaromWorld>,
    debug: Res<CaromDebug>,
    cameras: Query<(&Camera, &GlobalTransform)>,
    colors: Query<&DebugColor>,
    walkers: Query<(&crate::BodyLink, &Footing)>,
    mut gizmos: Gizmos<CaromGizmos>,
) {
    if !debug.enabled {
        return;
    }
    let world = carom.get();
    let areas: Vec<Rect> = match debug.area {
        Some(area) => vec![area],
        None => cameras.iter().filter_map(|(camera, at)| view(camera, at)).collect(),
    };
    let view = areas.into_iter().reduce(|a, b| a.union(b));
    let area = view.and_then(|area| Aabb::try_new(area.min, area.max).ok());
    let keys: Vec<ColliderKey> = match &area {
        Some(area) => world.intersecting_box(area, &Filter::new()),
        None => {
            let enabled = world.colliders().filter(|it| it.enabled() && it.body().enabled);
            enabled.map(|collider| collider.key()).collect()
        }
    };
    let is_in_view = |point: carom::Vec2| view.is_none_or(|view| view.contains(to_bevy(point)));
    for key in keys {
        let Some(collider) = world.collider(key) else { continue };
        let own = carom.collider_entity(key).and_then(|entity| colors.get(entity).ok());
        let is_fixed = collider.body().mobility == Mobility::Fixed;
        let color = match (own, collider.role()) {
            (Some(color), _) if color.0.alpha() == 0.0 => continue,
            (Some(color), _) => color.0,
            (None, Role::Sensor) => Color::srgb(0.2, 0.8, 0.4),
            (None, Role::Hitbox) => Color::srgb(0.9, 0.2, 0.2),
            (None, Role::Hurtbox) => Color::srgb(0.9, 0.8, 0.2),
            (None, _) if is_fixed => Color::srgb(0.6, 0.6, 0.6),
            (None, _) => Color::srgb(0.3, 0.6, 1.0),
        };
        let canvas = &mut GizmoCanvas { gizmos: &mut gizmos, color };
        match &area {
            Some(area) => draw::shape_in(canvas, &collider.placed(), area, &Style::default()),
            None => draw::shape(canvas, &collider.placed(), &Style::default()),
        }
    }
    if debug.contacts {
        let color = Color::srgb(1.0, 0.4, 0.0);
        for event in world.events() {
            let Some(contact) = event.contact else { continue };
            // The normal of the contact points out of the second body.
            let second = world.body(event.bodies[1]);
            let normal = match second.is_some_and(|body| body.mobility == Mobility::Fixed) {
                true => contact.normal,
                false => -contact.normal,
            };
            for &point in contact.points.iter().filter(|point| is_in_view(**point)) {
                arrow(&mut gizmos, point, normal, debug.normal_length, color);
            }
        }
    }
    if debug.floors {
        for (link, footing) in &walkers {
            let Some(body) = link.key().and_then(|key| world.body(key)) else { continue };
            let start = body.pose.position;
            for normal in [footing.normal, footing.wall_normal] {
                if normal != Vec2::ZERO && is_in_view(start) {
                    let normal = carom::Vec2::from_array(normal.to_array());
                    let length = debug.normal_length;
                    arrow(&mut gizmos, start, normal, length, Color::WHITE);
                }
            }
        }
    }
}

/// Returns the rectangle of the world that a camera shows, if it is active and has a target.
fn view(camera: &Camera, at: &GlobalTransform) -> Option<Rect> {
    if !camera.is_active || camera.computed.target_info.is_none() {
        return None;
    }
    let corners = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]];
    let corners = corners.map(|[x, y]| camera.ndc_to_world(at, Vec3::new(x, y, 1.0)));
    let corners = corners.into_iter().collect::<Option<Vec<Vec3>>>()?;
    let points = corners.iter().map(|corner| corner.truncate());
    points.map(|point| Rect::from_corners(point, point)).reduce(|a, b| a.union(b))
}

fn arrow(
    gizmos: &mut Gizmos<CaromGizmos>,
    start: carom::Vec2,
    direction: carom::Vec2,
    length: f32,
    color: Color,
) {
    let (start, end) = (start, start + direction * length);
    gizmos.arrow_2d(to_bevy(start), to_bevy(end), color).with_tip_length(length / 4.0);
}

/// Draws the outlines of carom's shapes as gizmos.
struct GizmoCanvas<'a, 'w, 's> {
    gizmos: &'a mut Gizmos<'w, 's, CaromGizmos>,
    color: Color,
}

impl Canvas for GizmoCanvas<'_, '_, '_> {
    fn polygon(&mut self, rings: &[&[carom::Vec2]], _style: &Style) {
        for ring in rings {
            self.gizmos.lineloop_2d(ring.iter().copied().map(to_bevy), self.color);
        }
    }

    fn polyline(&mut self, points: &[carom::Vec2], _style: &Style) {
        self.gizmos.linestrip_2d(points.iter().copied().map(to_bevy), self.color);
    }
}
