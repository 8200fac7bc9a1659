//! Tests of growth: twice as many bodies may take about twice as many operations, not four times as many.
//!
//! The operations are counted (see [`operation_count`]), so the tests do not depend on the speed of the
//! machine.

use alloc::vec::Vec;

use crate::operation_count;
use crate::prelude::*;
use crate::sheet::{Frame, Playback, Role, Sheet};

/// Asserts that the number of operations that `count` returns grows in proportion to `n`.
fn assert_linear(name: &str, count: impl Fn(usize) -> u64) {
    assert_linear_for(name, [1000, 2000, 4000], count);
}

/// Asserts the same for three numbers, each twice as large as the one before.
fn assert_linear_for(name: &str, n: [usize; 3], count: impl Fn(usize) -> u64) {
    let [one, two, four] = n.map(count);
    std::println!("{name}: {one}, {two}, {four} operations for {n:?}");
    // The constant allows for what does not depend on the number.
    assert!(two <= 2 * one + 200 && four <= 4 * one + 400, "{name}: {one}, {two}, {four}");
}

/// Asserts that the number of operations grows in proportion to `n` times its logarithm.
fn assert_n_log_n(name: &str, count: impl Fn(usize) -> u64) {
    let [one, two, four] = [1000, 2000, 4000].map(count);
    std::println!("{name}: {one}, {two}, {four} operations for 1000, 2000, 4000");
    // The logarithms of 1000, 2000 and 4000 are 10, 11 and 12, rounded up.
    assert!(10 * two <= 22 * one + 200, "{name}: {one}, {two}, {four}");
    assert!(10 * four <= 48 * one + 400, "{name}: {one}, {two}, {four}");
}

fn ball(role: Role) -> Collider {
    Collider::new(Circle::new([0.0, 0.0], 1.0)).with_role(role)
}

#[test]
fn removing_the_colliders_of_a_body_in_order_is_linear() {
    assert_linear("colliders removed in order", |n| {
        let mut world = World::new();
        let body = world.add_body(Body::moving([0.0, 0.0])).unwrap();
        let keys: Vec<_> =
            (0..n).map(|_| world.add_collider(body, ball(Role::Solid)).unwrap()).collect();
        operation_count::during(|| {
            keys.into_iter().for_each(|it| world.remove_collider(it).unwrap())
        })
    });
}

#[test]
fn removing_bodies_that_show_frames_is_linear() {
    assert_linear("bodies with frames removed", |n| {
        let mut world = World::new();
        let frame = Frame::new("idle").hurtbox("body", Circle::new([0.0, 0.0], 1.0));
        let sheet = world.add_sheet(Sheet::from_frames([frame]).unwrap()).unwrap();
        let bodies: Vec<_> =
            (0..n).map(|i| world.add_body(Body::moving([i as f32 * 9.0, 0.0])).unwrap()).collect();
        bodies.iter().for_each(|&body| world.set_frame(body, sheet, "idle").unwrap());
        operation_count::during(|| bodies.into_iter().for_each(|it| drop(world.remove_body(it))))
    });
}

/// Returns a world in which a saw strikes `n` victims that do not move.
fn saw(n: usize) -> (World, BodyKey) {
    let mut world = World::new();
    let blade =
        Collider::new(Aabb::new([-1.0, 0.0], [n as f32 * 9.0, 1.0])).with_role(Role::Hitbox);
    let many = (0..50).map(|_| ball(Role::Hurtbox).disabled());
    let saw = world.spawn(Body::moving([0.0, 0.0]), many.chain([blade])).unwrap();
    for i in 0..n {
        let place = Body::moving([i as f32 * 9.0, 0.5]);
        world.spawn(place, [ball(Role::Hurtbox)]).unwrap();
    }
    assert_eq!(world.update().strikes().len(), n);
    (world, saw)
}

#[test]
fn updates_with_standing_strikes_are_linear() {
    assert_linear("an update with standing strikes", |n| {
        let (mut world, saw) = saw(n);
        operation_count::during(|| {
            world.translate(saw, [0.0, 0.125]).unwrap();
            assert!(world.update().strikes().is_empty());
        })
    });
}

#[test]
fn starting_the_swings_of_many_attackers_is_linear() {
    assert_linear("swings started", |n| {
        let mut world = World::new();
        let mut attackers = Vec::new();
        for i in 0..n {
            let place = || Body::moving([i as f32 * 9.0, 0.5]);
            attackers.push(world.spawn(place(), [ball(Role::Hitbox)]).unwrap());
            world.spawn(place(), [ball(Role::Hurtbox)]).unwrap();
        }
        assert_eq!(world.update().strikes().len(), n);
        operation_count::during(|| {
            attackers.into_iter().for_each(|it| world.start_swing(it).unwrap());
            assert_eq!(world.update().strikes().len(), n);
        })
    });
}

#[test]
fn a_travel_that_crosses_many_boxes_is_n_log_n() {
    // The hits are sorted, and the broad phase searches a tree.
    assert_n_log_n("boxes crossed by a travel", |n| {
        let mut world = World::new();
        for i in 0..n {
            let place = Body::fixed([i as f32 * 2.0 + 2.0, 0.0]);
            world.spawn(place, [Collider::new(Aabb::new([0.0, 0.0], [1.0, 1.0]))]).unwrap();
        }
        let ghost = world.spawn(Body::moving([0.0, 0.0]), [ball(Role::Solid)]).unwrap();
        let motion = Vec2::new(n as f32 * 2.0 + 9.0, 0.0);
        operation_count::during(|| {
            let travel = world.travel(ghost, motion, |_| Response::Cross).unwrap();
            assert_eq!(travel.hits().len(), n);
        })
    });
}

#[test]
fn adding_and_moving_bodies_alternately_is_n_log_n() {
    // A query after each change keeps the trees of the broad phase in use, and no update lets it sort all
    // bodies at once. The bodies come in a row or from left and right in turns.
    let rows: [fn(usize) -> f32; 2] =
        [|i| i as f32 * 3.0, |i| if i % 2 == 0 { i as f32 } else { -(i as f32) } * 3.0];
    for x in rows {
        assert_n_log_n("bodies added and moved in turns", |n| {
            let mut world = World::new();
            operation_count::during(|| {
                for i in 0..n {
                    let tile = Collider::new(Aabb::new([-1.0, -1.0], [1.0, 0.0]));
                    world.spawn(Body::fixed([x(i), 0.0]), [tile]).unwrap();
                    let place = Body::moving([x(i), 1.5]);
                    let hero = world.spawn(place, [ball(Role::Solid)]).unwrap();
                    let travel = world.travel(hero, [0.0, -1.0], |_| Response::Touch).unwrap();
                    assert_eq!(travel.hits().len(), 1);
                }
            })
        });
    }
}

#[test]
fn carrying_many_walkers_is_n_log_n() {
    // Each walker searches the tree of the broad phase.
    assert_n_log_n("walkers carried", |n| {
        let mut world = World::new();
        let deck = Collider::new(Aabb::new([0.0, -1.0], [n as f32 * 3.0, 0.0]));
        let ship = world.spawn(Body::moving([0.0, 0.0]), [deck]).unwrap();
        let sailors: Vec<BodyKey> = (0..n)
            .map(|i| Body::moving([i as f32 * 3.0 + 1.5, 1.0]))
            .map(|place| world.spawn(place, [ball(Role::Solid)]).unwrap())
            .collect();
        for sailor in sailors {
            let step = world.walk(sailor, &Walker::new(), &mut WalkerState::new(), [0.0, -0.1]);
            assert!(step.unwrap().on_floor());
        }
        operation_count::during(|| {
            let carry = world.carry(ship, [1.0, 0.5]).unwrap();
            assert_eq!((carry.moved().len(), carry.squashed().len()), (n, 0));
        })
    });
}

#[test]
fn playing_all_frames_of_a_large_sheet_searches_by_bisection() {
    // Each frame is looked up by its tick and by its name, and shown.
    assert_n_log_n("frames shown", |n| {
        let name = |i: usize| alloc::format!("frame {i}");
        let body = || Circle::new([0.0, 0.0], 1.0);
        let frames = (0..n).map(|i| Frame::new(name(i)).hurtbox("body", body()));
        let sheet = Sheet::from_frames(frames).unwrap();
        let sheet = sheet.with_animation("all", &name(0), &name(n - 1), Playback::Once).unwrap();
        let mut world = World::new();
        let key = world.add_sheet(sheet.clone()).unwrap();
        let hero = world.add_body(Body::moving([0.0, 0.0])).unwrap();
        operation_count::during(|| {
            for tick in 0..n {
                let frame = sheet.frame_at("all", tick as u64).unwrap();
                world.set_frame(hero, key, &sheet.frames()[frame].name).unwrap();
            }
        })
    });
}

/// Returns a full map of `2 * n` by `2 * n` tiles, rotated about its middle, which is at the origin.
fn underground(world: &mut World, n: usize, angle: f32) -> ColliderKey {
    let rows = alloc::vec!["#".repeat(2 * n); 2 * n];
    let corner = [-(n as f32); 2];
    let map = TileMap::from_rows(corner, [1.0, 1.0], &rows, &[('#', TileKind::SOLID)]);
    let ground = world.spawn(Body::fixed([0.0, 0.0]), []).unwrap();
    world.add_collider(ground, Collider::new(map.rotated(angle, [0.0, 0.0]))).unwrap()
}

#[test]
fn a_travel_deep_underground_grows_with_the_depth_not_its_square() {
    for angle in [0.0, 0.3] {
        assert_linear_for("travels deep underground", [60, 120, 240], |n| {
            let mut world = World::new();
            underground(&mut world, n, angle);
            let hero = Aabb::new([0.3, 0.3], [1.1, 1.9]);
            let hero = world.spawn(Body::moving([0.0, 0.0]), [Collider::new(hero)]).unwrap();
            operation_count::during(|| {
                world.travel(hero, [0.5, -0.25], |_| Response::Slide).unwrap();
            })
        });
    }
}

#[test]
fn the_nearest_tile_of_a_rotated_map_is_found_without_visiting_all() {
    for angle in [0.0, 0.3] {
        assert_linear_for("the nearest tile", [60, 120, 240], |n| {
            let mut world = World::new();
            let ground = underground(&mut world, n, angle);
            let nearest = |x: f32| world.nearest([x, x], 1, &Filter::new())[0];
            operation_count::during(|| {
                assert_eq!(nearest(0.5), (ground, 0.0));
                assert!(nearest(3.0 * n as f32).1 > n as f32);
            })
        });
    }
}

#[test]
fn the_hash_of_a_large_shape_is_computed_once() {
    let mut world = World::new();
    let ground = underground(&mut world, 100, 0.0);
    let count = |world: &World| operation_count::during(|| _ = world.state_hash());
    let [first, second] = [count(&world), count(&world)];
    assert_eq!(second, first - 1);
    world.edit_tiles(ground, |map| map.set([0, 0], TileMap::EMPTY)).unwrap();
    assert_eq!([count(&world), count(&world)], [first, second]);
}

#[test]
fn counting_bodies_accesses_none_of_them() {
    let (world, _) = saw(100);
    assert_eq!(operation_count::during(|| assert_eq!(world.body_count(), 101)), 0);
}
