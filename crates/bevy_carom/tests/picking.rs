//! Picking of colliders with a pointer.

mod support;

use bevy_app::prelude::*;
use bevy_camera::visibility::{InheritedVisibility, RenderLayers};
use bevy_camera::{
    Camera, CameraProjection, ComputedCameraValues, OrthographicProjection, PerspectiveProjection,
    RenderTarget, RenderTargetInfo, ScalingMode,
};
use bevy_carom::prelude::*;
use bevy_carom::{BodyHidden, CaromPicking, CaromPickingCamera, CaromPickingPlugin};
use bevy_ecs::message::MessageCursor;
use bevy_ecs::prelude::*;
use bevy_math::{Mat4, UVec2, Vec2, Vec3};
use bevy_picking::backend::PointerHits;
use bevy_picking::pointer::{Location, PointerAction, PointerId, PointerInput};
use bevy_picking::prelude::*;
use bevy_transform::prelude::*;
use bevy_window::{PrimaryWindow, Window};
use carom::shape::Cell;
use carom::sheet::{Frame, Sheet};
use support::*;

/// An app with a window of 800 × 600 pixels, which shows 8 × 6 units around the origin.
fn picking_app(clip_from_view: Mat4) -> App {
    let mut app = app();
    app.add_plugins((PickingPlugin, InteractionPlugin, TransformPlugin, CaromPickingPlugin));
    app.world_mut().spawn((Window::default(), PrimaryWindow));
    app.world_mut().spawn(PointerId::Mouse);
    let size = RenderTargetInfo { physical_size: UVec2::new(800, 600), scale_factor: 1.0 };
    let computed =
        ComputedCameraValues { clip_from_view, target_info: Some(size), ..Default::default() };
    let camera = Camera { computed, ..Camera::default() };
    app.world_mut().spawn((camera, Transform::from_xyz(0.0, 0.0, 10.0)));
    steps(&mut app, 1);
    app
}

/// An orthographic projection of 8 × 6 units with a depth of 20.
fn orthographic() -> Mat4 {
    let scaling_mode = ScalingMode::Fixed { width: 8.0, height: 6.0 };
    let default = OrthographicProjection::default_2d();
    let mut projection = OrthographicProjection { near: 0.0, far: 20.0, scaling_mode, ..default };
    projection.update(800.0, 600.0);
    projection.get_clip_from_view()
}

fn input(app: &mut App, at: Vec2, action: PointerAction) {
    let window = app.world_mut().query_filtered::<Entity, With<PrimaryWindow>>();
    let window = { window }.single(app.world()).unwrap();
    let target = RenderTarget::default().normalize(Some(window)).unwrap();
    // Pixels run down from the upper left corner.
    let position = Vec2::new(400.0 + 100.0 * at.x, 300.0 - 100.0 * at.y);
    let location = Location { target, position };
    app.world_mut().write_message(PointerInput::new(PointerId::Mouse, location, action));
    app.update();
}

/// Moves the pointer, and returns the entities below it from the front to the back, with the hits.
fn picked(app: &mut App, x: f32, y: f32) -> Vec<(Entity, bevy_picking::backend::HitData)> {
    let mut cursor = MessageCursor::default();
    read::<PointerHits>(app, &mut cursor);
    input(app, Vec2::new(x, y), PointerAction::Move { delta: Vec2::ONE });
    let hits = read::<PointerHits>(app, &mut cursor);
    // Windows are picked, too, behind everything else.
    let hits = hits.into_iter().filter(|hits| hits.order >= 0.0);
    let mut picks: Vec<_> = hits.flat_map(|hits| hits.picks).collect();
    picks.sort_by(|a, b| a.1.depth.total_cmp(&b.1.depth));
    picks
}

fn entities(app: &mut App, x: f32, y: f32) -> Vec<Entity> {
    picked(app, x, y).into_iter().map(|(entity, _)| entity).collect()
}

#[test]
fn clicks_arrive_at_the_collider_in_front_and_at_its_body() {
    #[derive(Resource, Default)]
    struct Clicked(Vec<Entity>);
    let click = |click: On<PointerClick>, mut clicked: ResMut<Clicked>| {
        clicked.0.push(click.entity);
    };
    let mut app = picking_app(orthographic());
    app.init_resource::<Clicked>();
    let back = (Collider::rectangle(4.0, 4.0), Transform::from_xyz(0.0, 0.0, -1.0));
    let back = app.world_mut().spawn(back).observe(click).id();
    let body = app.world_mut().spawn((Body::Moving, at(1.0, 0.0))).observe(click).id();
    let front = (Collider::circle(0.5), Role::Sensor, Transform::from_xyz(0.5, 0.0, 3.0));
    let front = app.world_mut().spawn((front, ChildOf(body))).observe(click).id();
    steps(&mut app, 2);
    let mut click_at = |x: f32, y: f32| {
        input(&mut app, Vec2::new(x, y), PointerAction::Move { delta: Vec2::ONE });
        input(&mut app, Vec2::new(x, y), PointerAction::Press(PointerButton::Primary));
        input(&mut app, Vec2::new(x, y), PointerAction::Release(PointerButton::Primary));
        std::mem::take(&mut app.world_mut().resource_mut::<Clicked>().0)
    };
    assert_eq!(click_at(1.5, 0.4), [front, body]);
    assert_eq!(click_at(1.9, 0.4), [back]); // beside the circle, in its box
    assert_eq!(click_at(2.5, 0.0), []);
}

#[test]
fn hits_have_depth_and_position_and_name_the_tile() {
    let mut app = picking_app(orthographic());
    let kinds = [('#', TileKind::SOLID)];
    let map = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &["##.", "..#"], &kinds);
    let map = (Collider::tiles(map), Transform::from_xyz(-3.0, 0.0, 4.0));
    let map = app.world_mut().spawn(map).id();
    steps(&mut app, 2);
    let picks = picked(&mut app, -0.5, 1.25);
    assert_eq!(picks.len(), 1);
    assert_eq!(picks[0].0, map);
    let hit = &picks[0].1;
    assert!((hit.depth - 6.0).abs() < 1e-4, "{hit:?}"); // from z = 10 to z = 4
    assert!(hit.position.unwrap().distance(Vec3::new(-0.5, 1.25, 4.0)) < 1e-4, "{hit:?}");
    assert_eq!(hit.extra_as::<Cell>(), Some(&Cell::new(2, 1)));
    assert_eq!(entities(&mut app, -2.5, 1.25), []); // a cell without a tile
}

#[test]
fn a_perspective_camera_picks_each_collider_on_its_own_plane() {
    // The camera is at z = 10; there, it sees 8 × 6 units at z = 0.
    let projection = PerspectiveProjection {
        fov: 2.0 * 0.3_f32.atan(),
        aspect_ratio: 4.0 / 3.0,
        ..PerspectiveProjection::default()
    };
    let mut app = picking_app(projection.get_clip_from_view());
    let spawn = |app: &mut App, z: f32| {
        app.world_mut().spawn((Collider::circle(0.25), Transform::from_xyz(1.0, 1.0, z))).id()
    };
    let [far, middle, near] = [-10.0, 0.0, 5.0].map(|z| spawn(&mut app, z));
    let behind = spawn(&mut app, 12.0);
    steps(&mut app, 2);
    // An object that is twice as near appears twice as far from the center.
    assert_eq!(entities(&mut app, 0.5, 0.5), [far]);
    assert_eq!(entities(&mut app, 1.0, 1.0), [middle]);
    assert_eq!(entities(&mut app, 2.0, 2.0), [near]);
    assert_eq!(entities(&mut app, -5.0, -5.0), []);
    let _ = behind; // never picked
}

#[test]
fn hidden_ignored_and_invisible_colliders_are_not_picked() {
    let mut app = picking_app(orthographic());
    let ball = app.world_mut().spawn((Body::Moving, Collider::circle(1.0))).id();
    steps(&mut app, 1);
    assert_eq!(entities(&mut app, 0.0, 0.0), [ball]);
    app.world_mut().entity_mut(ball).insert(Pickable::IGNORE);
    assert_eq!(entities(&mut app, 0.0, 0.0), []);
    app.world_mut().entity_mut(ball).insert((Pickable::default(), InheritedVisibility::HIDDEN));
    assert_eq!(entities(&mut app, 0.0, 0.0), []);
    app.world_mut().entity_mut(ball).insert(InheritedVisibility::VISIBLE);
    assert_eq!(entities(&mut app, 0.0, 0.0), [ball]);
    app.world_mut().entity_mut(ball).insert(RenderLayers::layer(3));
    assert_eq!(entities(&mut app, 0.0, 0.0), []);
    app.world_mut().entity_mut(ball).insert(RenderLayers::from_layers(&[0, 3]));
    assert_eq!(entities(&mut app, 0.0, 0.0), [ball]);
    app.world_mut().entity_mut(ball).insert(BodyHidden);
    steps(&mut app, 1);
    assert_eq!(entities(&mut app, 0.0, 0.0), []);
    app.world_mut().entity_mut(ball).remove::<BodyHidden>();
    steps(&mut app, 1);

    // With markers, both the camera and the entity need one.
    app.world_mut().resource_mut::<CaromPicking>().require_markers = true;
    assert_eq!(entities(&mut app, 0.0, 0.0), []);
    let mut cameras = app.world_mut().query_filtered::<Entity, With<Camera>>();
    let camera = cameras.single(app.world()).unwrap();
    app.world_mut().entity_mut(camera).insert(CaromPickingCamera);
    assert_eq!(entities(&mut app, 0.0, 0.0), [ball]);
    app.world_mut().entity_mut(ball).remove::<Pickable>();
    assert_eq!(entities(&mut app, 0.0, 0.0), []);
}

#[test]
fn the_boxes_of_a_frame_are_picked_as_one_entity() {
    let mut app = picking_app(orthographic());
    let body = carom::shape::Aabb::new([-1.0, 0.0], [1.0, 2.0]);
    let frame = Frame::new("idle").hurtbox("torso", body).hurtbox("head", body);
    let sheet = Sheet::from_frames([frame]).unwrap();
    let hero = app.world_mut().spawn(SheetFrame::new(sheet, "idle")).id();
    steps(&mut app, 2);
    assert_eq!(entities(&mut app, 0.0, 1.0), [hero]);
    assert_eq!(entities(&mut app, 0.0, -1.0), []);
}
