//! The optional features: debug drawing, diagnostics, colliders from meshes and images, assets.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bevy_app::prelude::*;
use bevy_asset::{AssetApp, AssetPlugin, AssetServer, Assets, RenderAssetUsages};
use bevy_camera::{Camera, ComputedCameraValues, RenderTargetInfo};
use bevy_carom::prelude::*;
use bevy_carom::{
    CaromAssetsPlugin, CaromDebug, CaromDebugPlugin, CaromDiagnosticsPlugin, CaromImagePlugin,
    CaromMeshPlugin, CaromWorld, DebugColor, ImageCollider, ImageFit, InvalidComponent,
    MeshCollider, SheetHandle, SpawnLevel,
};
use bevy_color::Color;
use bevy_diagnostic::{DiagnosticPath, DiagnosticsStore};
use bevy_ecs::message::MessageCursor;
use bevy_ecs::prelude::*;
use bevy_gizmos::GizmoAsset;
use bevy_image::Image;
use bevy_math::{Mat4, Rect, URect, UVec2, Vec2, Vec3};
use bevy_mesh::{Indices, Mesh, Mesh2d, PrimitiveTopology};
use bevy_transform::prelude::*;
use carom::shape::Shape;
use support::*;

fn hill() -> TileMap {
    let rows = ["################", "......../###...."]; // the first row is the lowest
    let kinds = [('#', TileKind::SOLID), ('/', TileKind::slope(0.0, 1.0, [0.0, 1.0]))];
    TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &rows, &kinds)
}

/// Returns the number of points of all lines that were drawn in the last frame.
fn drawn(app: &App) -> usize {
    let assets = app.world().resource::<Assets<GizmoAsset>>();
    let points = assets.iter().map(|(_, asset)| {
        let buffer = asset.buffer();
        buffer.list_positions.len() + buffer.strip_positions.len()
    });
    points.sum()
}

#[test]
fn debug_drawing_draws_what_is_in_view() {
    let mut app = app();
    app.add_plugins((AssetPlugin::default(), bevy_gizmos::GizmoPlugin, CaromDebugPlugin));
    app.world_mut().spawn((Body::Fixed, Collider::tiles(hill())));
    let hero = (Walker::default(), Collider::capsule(0.4, 0.8), at(2.0, 1.8));
    let hero = app.world_mut().spawn(hero).id();
    let ball = (Body::Moving, Collider::circle(1.0), at(2.5, 2.0));
    let ball = app.world_mut().spawn(ball).id();
    steps(&mut app, 2);
    assert!(footing(&app, hero).on_floor());
    let all = drawn(&app);
    assert!(all > 0);

    // A transparent color hides a collider, another one does not.
    app.world_mut().entity_mut(ball).insert(DebugColor(Color::WHITE));
    steps(&mut app, 1);
    assert_eq!(drawn(&app), all);
    app.world_mut().entity_mut(ball).insert(DebugColor(Color::NONE));
    steps(&mut app, 1);
    let without_ball = drawn(&app);
    assert!(without_ball < all);

    // Only the right part of the hill is in view of the camera.
    app.world_mut().resource_mut::<CaromDebug>().contacts = false;
    app.world_mut().resource_mut::<CaromDebug>().floors = false;
    let computed = ComputedCameraValues {
        // An orthographic projection of 6 × 4 units, with a depth of 1000.
        clip_from_view: Mat4::from_scale(Vec3::new(1.0 / 3.0, 1.0 / 2.0, 1.0 / 1000.0)),
        target_info: Some(RenderTargetInfo {
            physical_size: UVec2::new(600, 400),
            scale_factor: 1.0,
        }),
        ..ComputedCameraValues::default()
    };
    let camera = Camera { computed, ..Camera::default() };
    let place = Transform::from_xyz(13.0, 1.0, 500.0);
    app.world_mut().spawn((camera, place, GlobalTransform::from(place)));
    steps(&mut app, 1);
    let in_view = drawn(&app);
    assert!(in_view > 0 && in_view < without_ball, "{in_view} of {without_ball}");
    // The area of the settings comes first.
    app.world_mut().resource_mut::<CaromDebug>().area = Some(Rect::new(50.0, 0.0, 51.0, 1.0));
    steps(&mut app, 2); // the asset of the last frame is dropped in the next one
    assert_eq!(drawn(&app), 0);
    app.world_mut().resource_mut::<CaromDebug>().area = Some(Rect::new(-9.0, -9.0, 50.0, 50.0));
    steps(&mut app, 1);
    assert!(drawn(&app) > in_view);
    app.world_mut().resource_mut::<CaromDebug>().enabled = false;
    steps(&mut app, 2);
    assert_eq!(drawn(&app), 0);
}

#[test]
fn diagnostics_count_what_is_in_the_world() {
    let mut app = app();
    app.add_plugins((bevy_diagnostic::DiagnosticsPlugin, CaromDiagnosticsPlugin::default()));
    for x in [0.0, 1.0, 9.0] {
        app.world_mut().spawn((Body::Moving, Collider::circle(1.0), at(x, 0.0)));
    }
    steps(&mut app, 3);
    let store = app.world().resource::<DiagnosticsStore>();
    let value = |path: DiagnosticPath| store.get(&path).and_then(|diagnostic| diagnostic.value());
    assert_eq!(value(CaromDiagnosticsPlugin::BODIES), Some(3.0));
    assert_eq!(value(CaromDiagnosticsPlugin::COLLIDERS), Some(3.0));
    assert_eq!(value(CaromDiagnosticsPlugin::TOUCHES), Some(1.0));
    assert!(value(CaromDiagnosticsPlugin::STEP_TIME).is_some_and(|time| time > 0.0));
}

/// An L of two squares and a half, as triangles.
fn mesh(shift: f32) -> Mesh {
    let points = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    let points = points.map(|[x, y]: [f32; 2]| [x + shift, y, 0.0]).to_vec();
    let indices = vec![0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5, 0, 0, 1];
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, points)
        .with_inserted_indices(Indices::U32(indices))
}

#[test]
fn meshes_become_colliders_when_they_are_loaded_and_changed() {
    let mut app = app();
    app.add_plugins((AssetPlugin::default(), bevy_mesh::MeshPlugin, CaromMeshPlugin));
    let handle = app.world().resource::<Assets<Mesh>>().reserve_handle();
    let exact = (Body::Fixed, Mesh2d(handle.clone()), MeshCollider::Triangles);
    let exact = app.world_mut().spawn(exact).id();
    let hull = (Body::Fixed, Mesh2d(handle.clone()), MeshCollider::ConvexHull);
    let hull = app.world_mut().spawn(hull).id();
    steps(&mut app, 2);
    assert!(app.world().get::<Collider>(exact).is_none()); // not loaded yet
    app.world_mut().resource_mut::<Assets<Mesh>>().insert(&handle, mesh(0.0)).unwrap();
    steps(&mut app, 2);
    assert_eq!(colliders_at(&mut app, 0.5, 0.5), [exact, hull]);
    assert_eq!(colliders_at(&mut app, 1.25, 1.25), [hull]);
    app.world_mut().resource_mut::<Assets<Mesh>>().insert(&handle, mesh(10.0)).unwrap();
    steps(&mut app, 2);
    assert_eq!(colliders_at(&mut app, 0.5, 0.5), []);
    assert_eq!(colliders_at(&mut app, 10.5, 0.5), [exact, hull]);

    let mut invalid = MessageCursor::default();
    let empty = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default());
    app.world_mut().resource_mut::<Assets<Mesh>>().insert(&handle, empty).unwrap();
    steps(&mut app, 2);
    assert_eq!(read::<InvalidComponent>(&app, &mut invalid).len(), 2);
}

/// Four pixels: the upper left and the two lower ones are solid.
fn picture() -> Image {
    use bevy_image::TextureFormatPixelInfo;
    let mut image = Image::default();
    let format = image.texture_descriptor.format;
    assert_eq!(format.pixel_size().unwrap(), 4);
    image.texture_descriptor.size.width = 2;
    image.texture_descriptor.size.height = 2;
    let pixel = |alpha: u8| [255, 255, 255, alpha];
    image.data = Some([pixel(255), pixel(10), pixel(200), pixel(255)].concat());
    image
}

#[test]
fn images_become_colliders_around_their_center() {
    let picture = picture();
    let image = || ImageCollider::new(bevy_asset::Handle::default());
    let fit = |fit: ImageFit| image().with_fit(fit).create(&picture).unwrap();
    let inside = |collider: &Collider, x: f32, y: f32| {
        collider.shape().contains(&carom::shape::Point::new([x, y]))
    };
    let mask = fit(ImageFit::Mask);
    assert!(inside(&mask, -0.5, 0.5) && inside(&mask, -0.5, -0.5) && inside(&mask, 0.5, -0.5));
    assert!(!inside(&mask, 0.5, 0.5));
    let rectangle = fit(ImageFit::Rectangle);
    assert_eq!(rectangle.shape().bounds(), carom::shape::Aabb::new([-1.0, -1.0], [1.0, 1.0]));
    let hull = fit(ImageFit::ConvexHull);
    assert!(inside(&hull, 0.4, 0.4) && !inside(&hull, 0.9, 0.9));
    let polygons = fit(ImageFit::Polygons(0.0));
    assert!(inside(&polygons, -0.5, 0.5) && !inside(&polygons, 0.5, 0.5));
    fit(ImageFit::Circle);
    // A frame of the image, and a threshold.
    let pixel = || image().with_fit(ImageFit::Mask).with_rect(URect::new(1, 0, 2, 1));
    assert!(pixel().create(&picture).unwrap_err().contains("no pixel"));
    assert!(pixel().with_threshold(0.01).create(&picture).is_ok());
    let beyond = image().with_rect(URect::new(1, 1, 3, 2)).create(&picture).unwrap_err();
    assert!(beyond.contains("not in the image"), "{beyond}");
    // Another size, which may stretch shapes that consist of vertices.
    let large = image().with_fit(ImageFit::Mask).with_size(Vec2::splat(8.0));
    let large = large.create(&picture).unwrap();
    assert!(inside(&large, 3.9, -3.9) && !inside(&large, 3.9, 3.9));
    let wide = Vec2::new(8.0, 2.0);
    let rectangle = image().with_fit(ImageFit::Rectangle).with_size(wide).create(&picture);
    let bounds = rectangle.unwrap().shape().bounds();
    assert_eq!(bounds, carom::shape::Aabb::new([-4.0, -1.0], [4.0, 1.0]));
    assert!(image().with_fit(ImageFit::Mask).with_size(wide).create(&picture).is_err());
}

#[test]
fn images_become_colliders_when_they_are_loaded_and_changed() {
    let mut app = app();
    app.add_plugins((AssetPlugin::default(), CaromImagePlugin)).init_asset::<Image>();
    let handle = app.world().resource::<Assets<Image>>().reserve_handle();
    let rock = (Body::Fixed, ImageCollider::new(handle.clone()).with_fit(ImageFit::Mask));
    let rock = app.world_mut().spawn(rock).id();
    steps(&mut app, 2);
    assert!(app.world().get::<Collider>(rock).is_none()); // not loaded yet
    app.world_mut().resource_mut::<Assets<Image>>().insert(&handle, picture()).unwrap();
    steps(&mut app, 2);
    assert_eq!(colliders_at(&mut app, -0.5, 0.5), [rock]);
    assert_eq!(colliders_at(&mut app, 0.5, 0.5), []);
    let mut solid = picture();
    solid.data = Some(vec![255; 16]);
    app.world_mut().resource_mut::<Assets<Image>>().insert(&handle, solid).unwrap();
    steps(&mut app, 2);
    assert_eq!(colliders_at(&mut app, 0.5, 0.5), [rock]);

    let mut invalid = MessageCursor::default();
    let mut empty = picture();
    empty.data = Some(vec![0; 16]);
    app.world_mut().resource_mut::<Assets<Image>>().insert(&handle, empty).unwrap();
    steps(&mut app, 2);
    let invalid: Vec<InvalidComponent> = read(&app, &mut invalid);
    assert!(invalid.len() == 1 && invalid[0].reason.contains("no pixel"), "{invalid:?}");
}

fn app_with_assets(folder: &Path) -> App {
    let mut app = app();
    app.add_plugins(TaskPoolPlugin::default());
    app.add_plugins(AssetPlugin {
        file_path: folder.to_str().unwrap().to_owned(),
        watch_for_changes_override: Some(true),
        ..AssetPlugin::default()
    });
    app.add_plugins(CaromAssetsPlugin::default());
    app.finish();
    app.cleanup();
    app
}

/// Runs the app until a condition holds, for some seconds at most.
fn wait(app: &mut App, mut until: impl FnMut(&mut App) -> bool) {
    for _ in 0..1000 {
        app.update();
        if until(app) {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("the asset was not loaded");
}

fn collider_count(app: &App) -> usize {
    app.world().resource::<CaromWorld>().get().collider_count()
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../carom-files/tests/fixtures")
}

fn named(app: &mut App, name: &str) -> Entity {
    let mut names = app.world_mut().query::<(Entity, &Name)>();
    let mut found = names.iter(app.world()).filter(|(_, other)| other.as_str() == name);
    found.next().unwrap_or_else(|| panic!("no entity is named {name}")).0
}

#[test]
fn a_map_of_tiled_becomes_a_level_in_which_y_points_up() {
    let mut app = app_with_assets(&fixtures());
    let level = app.world().resource::<AssetServer>().load("tiled/level.tmx");
    app.world_mut().spawn(SpawnLevel(level));
    wait(&mut app, |app| collider_count(app) > 0);
    let ground = named(&mut app, "Ground");
    // The map has 6 rows of 16 pixels. Its lowest row is solid.
    assert!(!colliders_at(&mut app, 8.0, -88.0).is_empty());
    assert!(colliders_at(&mut app, 8.0, -8.0).is_empty());
    let mut maps = app.world_mut().query::<(&ChildOf, &Collider)>();
    let is_map = |collider: &Collider| matches!(**collider.shape(), Shape::TileMap(_));
    let mut maps = maps.iter(app.world()).filter(|(_, collider)| is_map(collider));
    assert!(maps.any(|(parent, _)| parent.0 == ground));
    // Objects are bodies with names. This one hangs down from its position in the file.
    let door = named(&mut app, "door");
    assert_eq!(position(&app, door), Vec2::new(140.0, -32.0));
    assert_eq!(app.world().get::<Role>(door), Some(&Role::Sensor));
    assert_eq!(colliders_at(&mut app, 146.0, -60.0), [door]);
    let plank = named(&mut app, "plank");
    let layers = app.world().get::<CollisionLayers>(plank).unwrap();
    assert!(format!("{layers:?}").contains("wood"));
    assert!(colliders_at(&mut app, 78.0, -32.0).contains(&plank));
}

#[test]
fn a_level_is_loaded_again_when_its_tileset_changes() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    };
    let map = r#"<map orientation="orthogonal" width="2" height="1" tilewidth="8" tileheight="8">
        <tileset firstgid="1" source="../tiles/stone.tsx"/>
        <layer name="walls" width="2" height="1"><data encoding="csv">1,2</data></layer></map>"#;
    let tileset = |solid: u32| {
        format!(
            r#"<tileset name="stone" tilewidth="8" tileheight="8" tilecount="2" columns="2">
                <tile id="{solid}"><properties><property name="solid" type="bool" value="true"/></properties></tile>
            </tileset>"#
        )
    };
    write("levels/1.tmx", map);
    write("tiles/stone.tsx", &tileset(0));
    let mut app = app_with_assets(folder.path());
    let level = app.world().resource::<AssetServer>().load("levels/1.tmx");
    app.world_mut().spawn(SpawnLevel(level));
    wait(&mut app, |app| collider_count(app) > 0);
    let is_solid = |app: &mut App| [4.0, 12.0].map(|x| !colliders_at(app, x, -4.0).is_empty());
    assert_eq!(is_solid(&mut app), [true, false]);
    write("tiles/stone.tsx", &tileset(1));
    wait(&mut app, |app| is_solid(app) == [false, true]);

    // A file that is missing is an error that names it.
    write("levels/2.tmx", &map.replace("stone", "wood"));
    let server = app.world().resource::<AssetServer>().clone();
    let broken = server.load::<bevy_carom::LevelAsset>("levels/2.tmx");
    wait(&mut app, |_| server.load_state(&broken).is_failed());
    let bevy_asset::LoadState::Failed(error) = server.load_state(&broken) else { panic!() };
    assert!(error.to_string().contains("wood.tsx"), "{error}");
}

#[test]
fn hits_with_a_level_of_ldtk_name_the_tile() {
    let mut app = app_with_assets(&fixtures());
    let level = app.world().resource::<AssetServer>().load("ldtk/world.ldtk");
    app.world_mut().spawn(SpawnLevel(level));
    wait(&mut app, |app| collider_count(app) > 0);
    let collisions = named(&mut app, "Level_0/Collisions");
    let mut hits = MessageCursor::default();
    let ball = (Mover::Stop, Velocity(Vec2::new(0.0, -640.0)), Collider::circle(1.0));
    app.world_mut().spawn((ball, at(28.0, -2.0)));
    let mut found = Vec::new();
    for _ in 0..10 {
        app.update();
        found.extend(read::<MoverHit>(&app, &mut hits));
    }
    assert_eq!(found.len(), 1);
    let other = app.world().get::<Name>(found[0].other);
    assert_eq!(found[0].other, collisions, "{other:?} {found:?}");
    let tile = found[0].tile.unwrap();
    assert_eq!(tile.column, 3);
    assert_eq!(found[0].normal, Vec2::Y);
}

#[test]
fn a_sprite_of_aseprite_becomes_a_sheet_in_which_y_points_up() {
    let mut app = app_with_assets(&fixtures());
    let sheet = app.world().resource::<AssetServer>().load("aseprite/hero.aseprite");
    let hero = SheetHandle { sheet, frame: "2".to_owned() };
    let hero = app.world_mut().spawn(hero).id();
    wait(&mut app, |app| app.world().get::<SheetFrame>(hero).is_some());
    let sheet = app.world().get::<SheetFrame>(hero).unwrap().sheet().clone();
    assert_eq!(sheet.animations().len(), 2);
    app.world_mut().get_mut::<SheetFrame>(hero).unwrap().set_animation("punch", 7).unwrap();
    steps(&mut app, 1);
    let carom = app.world().resource::<CaromWorld>();
    let body = app.world().get::<bevy_carom::BodyLink>(hero).unwrap().key().unwrap();
    let torso = carom.get().box_of(body, "torso").unwrap();
    let bounds = carom.get().collider(torso).unwrap().bounds();
    // The pivot is at the feet: the torso is above it.
    assert!(bounds.min().y >= 0.0 && bounds.max().y > 8.0, "{bounds:?}");
}

#[test]
fn carom_scenes_and_sheets_are_loaded_and_reloaded() {
    let folder = tempfile::tempdir().unwrap();
    let scene = |x: f32| {
        format!(
            r#"{{"carom": 1, "layers": ["wood"], "bodies": [
                {{"name": "crate", "fixed": true, "position": [{x}, 0], "colliders": [
                    {{"shape": {{"type": "circle", "center": [0, 0], "radius": 1}}, "layer": "wood"}}]}},
                {{"name": "pair", "team": 2, "position": [0, 9], "colliders": [
                    {{"shape": {{"type": "circle", "center": [0, 0], "radius": 1}}, "role": "sensor"}},
                    {{"shape": {{"type": "circle", "center": [4, 0], "radius": 1}}, "one_way": [0, 1]}}]}}
            ]}}"#
        )
    };
    fs::write(folder.path().join("a.scene.json"), scene(3.0)).unwrap();
    fs::write(folder.path().join("b.scene.json"), "{\"carom\": 1}").unwrap();
    let mut app = app_with_assets(folder.path());
    let server = app.world().resource::<AssetServer>().clone();
    let level = server.load("a.scene.json");
    app.world_mut().spawn((SpawnLevel(level.clone()), at(100.0, 0.0)));
    wait(&mut app, |app| collider_count(app) == 3);
    let crates = named(&mut app, "crate");
    assert_eq!(colliders_at(&mut app, 103.0, 0.0), [crates]); // below the entity of the level
    let pair = named(&mut app, "pair");
    assert_eq!(app.world().get::<Team>(pair), Some(&Team(2)));
    assert_eq!(app.world().get::<Children>(pair).unwrap().len(), 2);

    fs::write(folder.path().join("a.scene.json"), scene(7.0)).unwrap(); // the folder is watched
    wait(&mut app, |app| !colliders_at(app, 107.0, 0.0).is_empty());
    assert!(colliders_at(&mut app, 103.0, 0.0).is_empty());
    assert_eq!(collider_count(&app), 3);

    let broken = server.load::<bevy_carom::LevelAsset>("b.scene.json");
    wait(&mut app, |_| server.load_state(&broken).is_failed());
    let bevy_asset::LoadState::Failed(error) = server.load_state(&broken) else { panic!() };
    assert!(error.to_string().contains("bodies"), "{error}");
}
