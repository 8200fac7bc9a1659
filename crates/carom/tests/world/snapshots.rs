//! Snapshots: the state hash covers everything that decides about the future.

use carom::prelude::*;

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
fn the_hash_sees_the_size_and_place_of_masks_that_have_no_pixels() {
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
fn the_hash_sees_tile_data_and_the_size_of_tile_maps() {
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
fn the_hash_sees_whether_a_one_way_platform_has_a_direction() {
    let hash = |up: [f32; 2]| {
        let mut world = World::new();
        let body = world.add_body(Body::fixed([0.0, 0.0])).unwrap();
        let shape = Aabb::new([0.0, 0.0], [1.0, 1.0]);
        world.add_collider(body, Collider::new(shape).one_way(up)).unwrap();
        world.state_hash()
    };
    assert_all_differ(&[hash([0.0, 0.0]), hash([0.0, 1.0]), hash([1.0, 0.0])]);
}
