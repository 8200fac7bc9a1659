//! Snapshots: their content, the content of the state hash, and saved worlds that are read back.

use carom::prelude::*;
use carom::sheet::{Frame, Sheet};

/// Returns the state hash of a world with one collider.
fn hash_of(shape: impl Into<std::sync::Arc<Shape>>) -> u64 {
    let mut world = World::new();
    let body = world.add_body(Body::moving([0.0, 0.0])).unwrap();
    world.add_collider(body, Collider::new(shape)).unwrap();
    world.state_hash()
}

fn assert_all_differ(hashes: &[u64]) {
    let mut sorted = hashes.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), hashes.len(), "{hashes:x?}");
}

#[test]
fn the_hash_covers_the_size_and_position_of_masks_without_pixels() {
    let mask = |origin: [f32; 2], pixel, [w, h]: [u32; 2]| {
        hash_of(Mask::new(origin, pixel, Bitmap::new(w, h)))
    };
    assert_all_differ(&[
        mask([0.0, 0.0], 1.0, [8, 4]),
        mask([0.0, 0.0], 1.0, [4, 8]),
        mask([0.0, 0.0], 1.0, [8, 5]),
        mask([0.0, 0.0], 2.0, [8, 4]),
        mask([1.0, 0.0], 1.0, [8, 4]),
    ]);
}

#[test]
fn the_hash_covers_tile_data_and_the_size_of_tile_maps() {
    let map = |size: [u32; 2], data: u32| {
        let mut map = TileMap::new([0.0, 0.0], [1.0, 1.0], size);
        let kind = map.add_kind(TileKind::SOLID.with_data(data));
        map.set([1, 1], kind);
        hash_of(map)
    };
    let empty = |size: [u32; 2]| hash_of(TileMap::new([0.0, 0.0], [1.0, 1.0], size));
    assert_all_differ(&[
        map([4, 4], 0),
        map([4, 4], 7),
        map([4, 5], 7),
        map([5, 4], 7),
        empty([4, 4]),
        empty([2, 8]),
    ]);
}

#[test]
fn the_hash_does_not_depend_on_the_order_in_which_tile_kinds_were_added() {
    let map = |kinds: [u32; 2]| {
        let mut map = TileMap::new([0.0, 0.0], [1.0, 1.0], [3, 3]);
        for data in kinds {
            map.add_kind(TileKind::SOLID.with_data(data));
        }
        for (x, data) in [(0, 1), (2, 2)] {
            let kind = map.add_kind(TileKind::SOLID.with_data(data));
            map.set([x, 0], kind);
        }
        hash_of(map)
    };
    assert_eq!(map([1, 2]), map([2, 1]));
}

#[test]
fn the_hash_follows_every_change_of_a_shape() {
    let mut world = World::new();
    let body = world.add_body(Body::moving([0.0, 0.0])).unwrap();
    let collider = world.add_collider(body, Collider::new(Circle::new([0.0, 0.0], 1.0))).unwrap();
    let first = world.state_hash();
    let snapshot = world.clone();
    world.set_shape(collider, Circle::new([0.0, 0.0], 2.0)).unwrap();
    assert_ne!(world.state_hash(), first);
    assert_eq!(snapshot.state_hash(), first);
    world.clone_from(&snapshot);
    assert_eq!(world.state_hash(), first);
}

#[test]
fn the_hash_covers_the_direction_of_a_one_way_platform() {
    let hash = |up: [f32; 2]| {
        let mut world = World::new();
        let body = world.add_body(Body::fixed([0.0, 0.0])).unwrap();
        let shape = Aabb::new([0.0, 0.0], [1.0, 1.0]);
        world.add_collider(body, Collider::new(shape).one_way(up)).unwrap();
        world.state_hash()
    };
    assert_all_differ(&[hash([0.0, 0.0]), hash([0.0, 1.0]), hash([1.0, 0.0])]);
}

#[test]
fn the_hash_does_not_cover_user_data() {
    let mut world = World::new();
    let body = world.add_body(Body::moving([0.0, 0.0])).unwrap();
    let circle = Collider::new(Circle::new([0.0, 0.0], 1.0));
    let collider = world.add_collider(body, circle).unwrap();
    let hash = world.state_hash();
    world.set_user_data(body, 7).unwrap();
    world.set_collider_user_data(collider, 8).unwrap();
    assert_eq!(world.state_hash(), hash);
    let snapshot = world.clone(); // but it is part of snapshots
    assert_eq!(snapshot.body(body).unwrap().user_data, 7);
    assert_eq!(snapshot.collider(collider).unwrap().user_data(), 8);
}

#[test]
fn a_restored_world_forgets_later_layers_and_sheets_and_adds_them_again_with_the_same_keys() {
    let sheet = || Sheet::from_frames([Frame::new("idle")]).unwrap();
    let mut world = World::new();
    let first = world.add_sheet(sheet()).unwrap();
    let hero = world.add_body(Body::moving([0.0, 0.0])).unwrap();
    let snapshot = world.clone();
    let later = world.add_sheet(sheet()).unwrap();
    let layer = world.add_layer("ghost").unwrap();
    let hash = world.state_hash();

    world.clone_from(&snapshot);
    assert!(world.sheet(first).is_some() && world.sheet(later).is_none());
    assert_eq!(world.set_frame(hero, later, "idle"), Err(WorldError::NoSuchSheet(later)));
    assert!(matches!(world.layer("ghost"), Err(WorldError::UnknownLayer { .. })));
    assert_eq!(world.add_sheet(sheet()), Ok(later));
    assert_eq!(world.add_layer("ghost"), Ok(layer));
    assert_eq!(world.state_hash(), hash);
}

#[cfg(feature = "serde")]
mod saved {
    use super::*;
    use carom::sheet::FrameRef;

    /// Saves and loads a world, and returns the loaded one.
    fn reload(world: &World) -> World {
        serde_json::from_str(&serde_json::to_string(world).unwrap()).unwrap()
    }

    /// Returns a world with colliders on one body.
    fn world_of(colliders: impl IntoIterator<Item = Collider>) -> World {
        let mut world = World::new();
        world.spawn(Body::moving([0.0, 0.0]), colliders).unwrap();
        world
    }

    #[test]
    fn contacts_of_huge_shapes_are_finite_and_read_back() {
        let far = f32::MAX / 1.5;
        let ball = |radius| Collider::new(Circle::new([0.0, 0.0], radius));
        let mut world = World::new();
        for (at, radius) in [([far, far], far), ([far, -far], far), ([f32::MAX, 0.0], f32::MAX)] {
            world.spawn(Body::moving(at), [ball(radius)]).unwrap();
        }
        let square = Aabb::new([f32::MIN, f32::MIN], [f32::MAX, f32::MAX]);
        let slope = ConvexPolygon::new(&[[-far, 0.0], [far, -1.0], [far, far]]);
        world.spawn(Body::moving([far, far]), [Collider::new(square)]).unwrap();
        world.spawn(Body::moving([far, 0.0]), [Collider::new(slope)]).unwrap();
        for event in world.update().iter() {
            let Contact { normal, depth, push, points, .. } = event.contact.unwrap();
            assert!(normal.is_finite() && depth.is_finite() && push.is_finite());
            assert!(points.iter().all(|point| point.is_finite()), "{points:?}");
        }
        assert!(world.events().len() >= 6);
        assert_eq!(reload(&world).state_hash(), world.state_hash());
    }

    #[test]
    fn shapes_that_rounding_leaves_without_area_read_back() {
        let shapes: [Shape; 7] = [
            Circle::new([0.0, 0.0], 1e-30).into(),
            Capsule::new([0.0, 0.0], [0.0, 1.0], 1e-30).into(),
            Aabb::new([0.0, 0.0], [1.0, 1e-30]).into(),
            Obb::new([0.0, 0.0], [1.0, 1e-30], 0.5).into(),
            Ellipse::new([0.0, 0.0], [1.0, 1e-30], 0.5).into(),
            Triangle::new([0.0, 0.0], [1.0, 1.0], [2.0, 2.5]).into(),
            Polygon::new(&[[0.0, 0.0], [3.0, 0.0], [3.0, 2.0], [2.0, 0.5], [0.0, 2.0]]).into(),
        ];
        for shape in shapes {
            for pose in [
                Pose::new([1e9, 3e8], 0.0),
                Pose::new([1e9, 3e8], 1.0),
                Pose::IDENTITY.with_scale(1e-20),
                Pose::IDENTITY.with_scale(1e-45),
            ] {
                let world = world_of([
                    Collider::new(shape.clone()).at(pose),
                    Collider::new(shape.transformed(&pose)),
                ]);
                let hash = world.state_hash();
                assert_eq!(reload(&world).state_hash(), hash, "{shape:?} at {pose:?}");
            }
        }
    }

    #[test]
    fn a_rotated_box_on_its_body_and_in_a_frame_reads_back() {
        let rotated = Obb::new([0.3, 0.7], [1.1, 0.9], 0.4).translated([0.123, 4.56]);
        let mut world = world_of([Collider::new(rotated).at(Pose::new([0.1, 0.2], 0.3))]);
        let frame = Frame::new("idle").pivot([0.7, 0.1]).hurtbox("body", rotated);
        let sheet = Sheet::from_frames([frame]).unwrap().with_directions(5).unwrap();
        let sheet = world.add_sheet(sheet).unwrap();
        let mut loaded = reload(&world);
        assert_eq!(loaded.state_hash(), world.state_hash());
        for direction in 0..5 {
            for world in [&mut world, &mut loaded] {
                let (body, collider) = (world.bodies().next().unwrap().0, world.colliders().next());
                let collider = collider.unwrap().key();
                let frame = FrameRef::from("idle").direction(direction).flipped(Flip::X);
                world.set_frame(body, sheet, frame).unwrap();
                world.set_local_pose(collider, Pose::new([0.1, 0.2], direction as f32)).unwrap();
            }
            assert_eq!(loaded.state_hash(), world.state_hash());
        }
    }
}
