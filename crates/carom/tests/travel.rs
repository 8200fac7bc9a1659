//! R6, R8, R9, R10: bodies on their way.

use carom::prelude::*;

/// Returns a world with one moving body, at the origin.
fn world_of(shape: impl Into<Shape>) -> (World, BodyKey) {
    let mut world = World::new();
    let body = world.add_body(Body::moving([0.0, 0.0])).unwrap();
    world.add_collider(body, Collider::new(shape.into())).unwrap();
    (world, body)
}

fn add(world: &mut World, at: [f32; 2], shape: impl Into<Shape>) -> BodyKey {
    let body = world.add_body(Body::fixed(at)).unwrap();
    world.add_collider(body, Collider::new(shape.into())).unwrap();
    body
}

fn position(world: &World, body: BodyKey) -> Vec2 {
    world.body(body).unwrap().pose.position
}

/// Movers of all kinds that stand on y = 0 and are one wide and high, as nearly as they can be.
fn movers() -> Vec<Shape> {
    vec![
        Aabb::new([-0.5, 0.0], [0.5, 1.0]).into(),
        Circle::new([0.0, 0.5], 0.5).into(),
        Capsule::new([0.0, 0.25], [0.0, 0.75], 0.25).into(),
        ConvexPolygon::new(&[[-0.5, 0.0], [0.5, 0.0], [0.5, 0.75], [0.0, 1.0], [-0.5, 0.75]])
            .into(),
        ConvexPolygon::new(&[[-0.25, 0.0], [0.25, 0.0], [0.5, 1.0], [-0.5, 1.0]]).into(),
        Polygon::new(&[[-0.5, 0.0], [0.5, 0.0], [0.5, 1.0], [0.0, 0.5], [-0.5, 1.0]]).into(),
        Compound::new([Aabb::new([-0.5, 0.0], [0.0, 1.0]), Aabb::new([0.0, 0.0], [0.5, 1.0])])
            .into(),
        Obb::new([0.0, 0.5], [0.5, 0.5], 0.0).into(),
        Mask::from_rows([-0.5, 0.0], 0.25, &["####", "####", ".###", "..#."]).into(),
    ]
}

/// Floors to stand on, each with its name and the function that builds it.
type Ground = (&'static str, fn(&mut World));

/// Floors of flush pieces, with their top at y = 0, from x = -10 to 100.
fn floors() -> Vec<Ground> {
    fn boxes(world: &mut World) {
        for x in -10..100 {
            add(world, [x as f32, -1.0], Aabb::new([0.0, 0.0], [1.0, 1.0]));
        }
    }
    fn tenths(world: &mut World) {
        for x in -100..1000 {
            add(world, [x as f32 * 0.1, -0.3], Aabb::new([0.0, 0.2], [0.1, 0.3]));
        }
    }
    fn tiles(world: &mut World) {
        let rows = ["#".repeat(110), "#".repeat(110)];
        let map = TileMap::from_rows([-10.0, -2.0], [1.0, 1.0], &rows, &[('#', TileKind::SOLID)]);
        add(world, [0.0, 0.0], map);
    }
    fn one_way(world: &mut World) {
        let kinds = [('-', TileKind::one_way([0.0, 1.0]))];
        let map = TileMap::from_rows([-10.0, -1.0], [1.0, 1.0], &["-".repeat(110)], &kinds);
        add(world, [0.0, 0.0], map);
    }
    fn compound(world: &mut World) {
        let boxes = (-10..100).map(|x| Aabb::from_min_size([x as f32, -1.0], [1.0, 1.0]));
        add(world, [0.0, 0.0], Compound::new(boxes));
    }
    fn chain(world: &mut World) {
        let points: Vec<[f32; 2]> = (-10..=100).map(|x| [x as f32, 0.0]).collect();
        add(world, [0.0, 0.0], Chain::new(&points));
    }
    fn one_sided(world: &mut World) {
        let points: Vec<[f32; 2]> = (-10..=100).map(|x| [x as f32, 0.0]).collect();
        add(world, [0.0, 0.0], Chain::new(&points).one_sided());
    }
    fn platforms(world: &mut World) {
        for x in -10..100 {
            let body = world.add_body(Body::fixed([x as f32, -1.0])).unwrap();
            let plank = Collider::new(Aabb::new([0.0, 0.0], [1.0, 1.0])).one_way([0.0, 1.0]);
            world.add_collider(body, plank).unwrap();
        }
    }
    vec![
        ("boxes", boxes),
        ("boxes of a tenth", tenths),
        ("tiles", tiles),
        ("one-way tiles", one_way),
        ("compound", compound),
        ("chain", chain),
        ("one-sided chain", one_sided),
        ("platforms", platforms),
    ]
}

#[test]
fn r8_bodies_keep_their_speed_exactly_over_seams() {
    for (floor, build) in floors() {
        for (i, mover) in movers().into_iter().enumerate() {
            let (mut world, body) = world_of(mover);
            build(&mut world);
            for _frame in 0..200 {
                let from = position(&world, body);
                let travel = world.travel(body, [0.4375, -0.25], |_| Response::Slide).unwrap();
                assert_eq!(travel.end.x, from.x + 0.4375, "mover {i} on {floor}: {travel:?}");
                assert!(travel.end.y.abs() < 1e-6, "mover {i} on {floor}: {travel:?}");
            }
        }
    }
}

#[test]
fn r9_a_body_at_rest_stays_where_it_is_to_the_bit() {
    for (floor, build) in floors() {
        for (i, mover) in movers().into_iter().enumerate() {
            let (mut world, body) = world_of(mover);
            build(&mut world);
            world.set_position(body, [0.3, 0.7]).unwrap();
            let _ = world.travel(body, [0.0, -2.0], |_| Response::Slide).unwrap();
            let rest = position(&world, body);
            assert!(rest.y.abs() < 1e-6, "mover {i} on {floor}: {rest}");
            for frame in 0..1000 {
                let gravity = [0.0, -0.001 - 0.01 * (frame % 7) as f32];
                let travel = world.travel(body, gravity, |_| Response::Slide).unwrap();
                assert_eq!(travel.end, rest, "mover {i} on {floor}, frame {frame}: {travel:?}");
                // Everything that it rests on is a hit.
                let hits = travel.hits();
                let are_floors = hits.iter().all(|hit| hit.normal == Vec2::Y);
                assert!(
                    are_floors && !hits.is_empty(),
                    "mover {i} on {floor}, frame {frame}: {travel:?}"
                );
            }
        }
    }
}

#[test]
fn r8_falling_along_a_wall_does_not_catch() {
    fn boxes(world: &mut World) {
        for y in -60..10 {
            add(world, [0.5, y as f32], Aabb::new([0.0, 0.0], [1.0, 1.0]));
        }
    }
    fn tiles(world: &mut World) {
        let map =
            TileMap::from_rows([0.5, -60.0], [1.0, 1.0], &["#"; 70], &[('#', TileKind::SOLID)]);
        add(world, [0.0, 0.0], map);
    }
    for build in [boxes, tiles] {
        for (i, mover) in movers().into_iter().enumerate() {
            let (mut world, body) = world_of(mover);
            build(&mut world);
            for frame in 0..40 {
                let from = position(&world, body);
                let travel = world.travel(body, [0.5, -1.0], |_| Response::Slide).unwrap();
                assert_eq!(travel.end.y, from.y - 1.0, "mover {i}, frame {frame}: {travel:?}");
            }
        }
    }
}

#[test]
fn r10_no_bullet_goes_through_paper() {
    let angle = 0.7f32;
    let bullets: [Shape; 5] = [
        Mask::from_rows([-0.05, -0.05], 0.025, &[".##.", "####", "##.#"]).into(),
        Circle::new([0.0, 0.0], 0.05).into(),
        Aabb::new([-0.05, -0.02], [0.05, 0.02]).into(),
        Obb::new([0.0, 0.0], [0.05, 0.02], angle).into(),
        Point::new([0.0, 0.0]).into(),
    ];
    for bullet in bullets {
        for step in 0..100 {
            let speed = 1.2f32.powi(step).min(1e5);
            let (mut world, body) = world_of(bullet.clone());
            let paper = add(&mut world, [0.6180339, 0.0], Aabb::new([0.0, -5.0], [0.01, 5.0]));
            let travel = world.travel(body, [speed, 0.0], |_| Response::Touch).unwrap();
            let hit = travel.hits()[0];
            let reach = bullet.bounds().max().x;
            let expected = f64::from(0.6180339 - reach) / f64::from(speed);
            assert_eq!(hit.body, paper);
            assert!((f64::from(hit.time) - expected).abs() < 1e-6 * expected + 1e-9, "{hit:?}");
            assert!((travel.end.x - (0.6180339 - reach)).abs() < 1e-6, "{travel:?}");
        }
    }
}

#[test]
fn r6_each_response_moves_the_body_as_documented() {
    let floor = Aabb::new([-9.0, -1.0], [9.0, 0.0]);
    let go = |response: Response| {
        let (mut world, body) = world_of(Aabb::new([-0.5, 0.0], [0.5, 1.0]));
        add(&mut world, [0.0, -2.0], floor);
        world.travel(body, [1.0, -4.0], |_| response).unwrap()
    };
    let touch = go(Response::Touch);
    assert_eq!((touch.end, touch.remaining), (Vec2::new(0.5, -2.0), Vec2::new(0.5, -2.0)));
    assert_eq!(touch.hits()[0].time, 0.5);
    assert_eq!(go(Response::Cross).end, Vec2::new(1.0, -4.0));
    assert_eq!(go(Response::Slide).end, Vec2::new(1.0, -2.0));
    assert_eq!(go(Response::Bounce(1.0)).end, Vec2::new(1.0, 0.0));
    assert_eq!(go(Response::Bounce(0.5)).end, Vec2::new(1.0, -1.0));
    assert_eq!(go(Response::Redirect(Vec2::new(0.0, 3.0))).end, Vec2::new(0.5, 1.0));
}

#[test]
fn r6_a_hit_names_the_tile() {
    let (mut world, body) = world_of(Circle::new([0.0, 0.0], 0.5));
    let map = TileMap::from_rows(
        [2.0, -2.0],
        [1.0, 1.0],
        &["##", "##", "##", "##"],
        &[('#', TileKind::SOLID)],
    );
    add(&mut world, [0.0, 0.0], map);
    let travel = world.travel(body, [5.0, 0.75], |_| Response::Touch).unwrap();
    assert_eq!(travel.hits()[0].tile, Some(Cell::new(0, 2)));
}

#[test]
fn r6_a_hit_names_the_tile_if_the_mover_is_larger_than_the_map() {
    for step in 0..400 {
        let angle = step as f32 * 0.37;
        let radius = 0.5 + (step % 7) as f32;
        let (mut world, body) = world_of(Circle::new([0.0, 0.0], radius));
        let map =
            TileMap::from_rows([-1.0, -0.5], [1.0, 1.0], &[".#", "#."], &[('#', TileKind::SOLID)]);
        // It starts outside, touching, and at several depths inside.
        let away = Vec2::from_angle(angle) * (radius + 1.5) * (step % 5) as f32 / 2.0;
        let other = add(&mut world, [away.x, away.y], map.rotated(angle * 0.5, [0.0, 0.0]));
        let motion = away.try_normalize().unwrap_or(Vec2::X) * 9.0;
        let travel = world.travel(body, motion, |_| Response::Slide).unwrap();
        for hit in travel.hits() {
            assert!(hit.tile.is_some(), "step {step}, {other:?}: {hit:?}");
        }
    }
}

#[test]
fn r6_an_obstacle_within_a_notch_stops_the_body_there() {
    let cup = [
        [-2.0, 0.0],
        [2.0, 0.0],
        [2.0, 3.0],
        [1.0, 3.0],
        [1.0, 1.0],
        [-1.0, 1.0],
        [-1.0, 3.0],
        [-2.0, 3.0],
    ];
    let parts = [Aabb::new([-2.0, 0.0], [-1.0, 3.0]), Aabb::new([-1.0, 0.0], [2.0, 1.0])];
    for shape in [Shape::from(Polygon::new(&cup)), Compound::new(parts).into()] {
        let (mut world, body) = world_of(shape);
        add(&mut world, [0.0, 1.5], Aabb::new([-0.5, 0.0], [0.5, 5.0])); // a peg in the notch
        let travel = world.travel(body, [0.0, 2.0], |_| Response::Touch).unwrap();
        assert_eq!(travel.end, Vec2::new(0.0, 0.5));
        let travel = world.travel(body, [2.0, 0.0], |_| Response::Touch).unwrap();
        assert_eq!(travel.end, Vec2::new(0.5, 0.5));
    }
}

#[test]
fn r6_a_body_that_starts_in_overlap_is_pushed_out_first() {
    let (mut world, body) = world_of(Aabb::new([-0.5, 0.0], [0.5, 1.0]));
    add(&mut world, [0.0, 0.0], Aabb::new([-9.0, -1.0], [9.0, 0.25]));
    let travel = world.travel(body, [1.0, 0.0], |_| Response::Slide).unwrap();
    assert_eq!((travel.push, travel.end), (Vec2::new(0.0, 0.25), Vec2::new(1.0, 0.25)));
    assert!(!travel.is_stuck && travel.hits().is_empty());
}

#[test]
fn r6_a_body_that_overlaps_both_sides_of_an_acute_corner_is_pushed_out_of_both() {
    // Two sides at 10 degrees from straight up, which the ball overlaps by 0.05 each: it is free 0.05 / sin(10°)
    // higher. One push after the other would come closer to that point by 6 % only.
    let (sin, cos) = 10_f32.to_radians().sin_cos();
    let side = |x: f32| {
        let (along, out) = (Vec2::new(x * sin, cos), Vec2::new(x * cos, -sin));
        let [a, b] = [-along * 9.0, along * 9.0];
        ConvexPolygon::new(&[a, b, b + out * 4.0, a + out * 4.0])
    };
    let (mut world, ball) = world_of(Circle::new([0.0, 0.0], 0.5));
    add(&mut world, [0.0, 0.0], side(1.0));
    add(&mut world, [0.0, 0.0], side(-1.0));
    world.set_position(ball, [0.0, 0.45 / sin]).unwrap();
    let travel = world.travel(ball, [0.0, 0.0], |_| Response::Slide).unwrap();
    assert!(!travel.is_stuck, "{travel:?}");
    let expected = Vec2::new(0.0, 0.05 / sin);
    assert!((travel.push - expected).length() < 1e-4, "{} instead of {expected}", travel.push);
}

#[test]
fn r6_bodies_of_a_dense_crowd_get_free_or_stay_where_they_were_stuck() {
    let shapes: [Shape; 3] = [
        Circle::new([0.0, 0.0], 0.4).into(),
        Aabb::new([-0.4, -0.3], [0.4, 0.3]).into(),
        Capsule::new([0.0, -0.2], [0.0, 0.2], 0.25).into(),
    ];
    for shape in shapes {
        let mut world = World::new();
        let mut state = 1_u32;
        let mut coordinate = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223); // Numerical Recipes
            (state >> 8) as f32 / (1 << 24) as f32 * 16.0
        };
        let bodies: Vec<BodyKey> = (0..300)
            .map(|_| Body::moving([coordinate(), coordinate()]))
            .map(|body| world.add_body(body).unwrap())
            .collect();
        for &body in &bodies {
            world.add_collider(body, Collider::new(shape.clone())).unwrap();
        }
        let size = shape.bounds().size().length();
        let overlapped = |world: &World, body: BodyKey| -> Vec<BodyKey> {
            let own = shape.translated(position(world, body));
            let others = bodies.iter().copied().filter(|&other| other != body);
            others.filter(|&it| own.overlaps(&shape.translated(position(world, it)))).collect()
        };
        let (mut freed, mut stuck) = (0, 0);
        for &body in &bodies {
            let before = overlapped(&world, body);
            let travel = world.travel(body, [0.05, 0.02], |_| Response::Slide).unwrap();
            let after = overlapped(&world, body);
            assert!(after.iter().all(|other| before.contains(other)), "{shape:?}: {travel:?}");
            assert!(travel.is_stuck || after.is_empty(), "{shape:?}: {travel:?}");
            assert!(travel.push.length() <= size * 1.001, "{shape:?}: {travel:?}");
            freed += usize::from(!before.is_empty() && after.is_empty());
            stuck += usize::from(travel.is_stuck);
        }
        assert!(freed > 30 && stuck > 10, "{shape:?}: {freed} freed, {stuck} stuck");
    }
}

#[test]
fn r6_a_crossing_continues_for_as_many_frames_as_it_takes() {
    for shape in movers() {
        let (mut world, body) = world_of(shape);
        world.set_position(body, [0.0, 2.0]).unwrap();
        let mist = add(&mut world, [0.0, 0.0], Aabb::new([-9.0, 0.0], [9.0, 1.0]));
        let floor = add(&mut world, [0.0, -1.0], Aabb::new([-9.0, -1.0], [9.0, 0.0]));
        let mut depths = 0;
        for _ in 0..40 {
            let travel = world.travel(body, [0.0, -0.125], |hit| {
                if hit.body == mist { Response::Cross } else { Response::Slide }
            });
            let travel = travel.unwrap();
            assert!(!travel.is_stuck && travel.push == Vec2::ZERO);
            depths +=
                travel.hits().iter().filter(|hit| hit.body == mist && hit.depth > 0.0).count();
            assert!(travel.hits().iter().all(|hit| hit.body == mist || hit.body == floor));
        }
        assert_eq!(position(&world, body), Vec2::new(0.0, -1.0));
        assert!(depths > 5, "{depths}");
    }
}

#[test]
fn r6_any_number_of_colliders_can_be_crossed_on_one_path() {
    let (mut world, ghost) = world_of(Aabb::new([-0.5, -0.5], [0.5, 0.5]));
    for i in 0..1000 {
        add(&mut world, [2.0 + 2.0 * i as f32, 0.0], Aabb::new([0.0, -1.0], [1.0, 1.0]));
    }
    let travel = world.travel(ghost, [2100.0, 0.0], |_| Response::Cross).unwrap();
    assert_eq!(travel.hits().len(), 1000);
    assert_eq!(travel.end, Vec2::new(2100.0, 0.0));
    assert!(travel.hits().windows(2).all(|pair| pair[0].time < pair[1].time));
}

#[test]
fn r6_a_stuck_body_can_move_out_but_not_deeper() {
    let (mut world, body) = world_of(Circle::new([0.0, 0.0], 0.5));
    add(&mut world, [0.0, 0.0], Aabb::new([-9.0, -9.0], [3.0, 9.0]));
    let deeper = world.travel(body, [-1.0, 0.0], |_| Response::Slide).unwrap();
    assert!(deeper.is_stuck);
    assert_eq!(deeper.end, Vec2::ZERO);
    let out = world.travel(body, [4.0, 0.0], |_| Response::Slide).unwrap();
    assert_eq!((out.is_stuck, out.end), (true, Vec2::new(4.0, 0.0)));
}

#[test]
fn r7_platforms_let_bodies_pass_from_below_and_from_the_side() {
    let plank = || Aabb::new([-2.0, -0.5], [2.0, 0.0]);
    let hero = || Aabb::new([-0.5, 0.0], [0.5, 1.0]);
    let go = |from: [f32; 2], ways: &[[f32; 2]]| {
        let (mut world, body) = world_of(hero());
        let platform = world.add_body(Body::fixed([0.0, 0.0])).unwrap();
        world.add_collider(platform, Collider::new(plank()).one_way([0.0, 1.0])).unwrap();
        world.set_position(body, from).unwrap();
        for way in ways {
            let _ = world.travel(body, *way, |_| Response::Slide).unwrap();
        }
        position(&world, body)
    };
    assert_eq!(go([0.0, -3.0], &[[0.0, 6.0], [0.0, -6.0]]), Vec2::ZERO); // through, and onto it
    assert_eq!(go([0.0, -3.0], &[[0.0, 2.5], [0.0, -1.0]]), Vec2::new(0.0, -1.5)); // not all through
    assert_eq!(go([-5.0, -0.5], &[[5.0, -0.25], [0.0, -1.0]]), Vec2::new(0.0, -1.75)); // from the side
    assert_eq!(go([0.0, 0.0], &[[0.0, -1.0], [4.0, -1.0]]), Vec2::new(4.0, 0.0)); // touch is beyond
}

#[test]
fn r7_a_hill_of_one_sided_segments_carries_a_box_over_its_top() {
    let (mut world, body) = world_of(Aabb::new([-0.5, 0.0], [0.5, 1.0]));
    let hill = Chain::new(&[[0.0, 0.0], [4.0, 2.0], [8.0, 0.0]]).one_sided();
    add(&mut world, [0.0, 0.0], hill);
    world.set_position(body, [1.0, 3.0]).unwrap();
    for _frame in 0..400 {
        let _ = world.travel(body, [0.05, -0.03], |_| Response::Slide).unwrap();
        let at = position(&world, body);
        let ground = |x: f32| (2.0 - (x - 4.0).abs() * 0.5).max(0.0);
        let lowest = (ground(at.x - 0.5))
            .max(ground(at.x + 0.5))
            .max(if (at.x - 4.0).abs() < 0.5 { 2.0 } else { 0.0 });
        assert!(at.x > 7.4 || at.y >= lowest - 1e-5, "{at} is below {lowest}");
    }
    assert!(position(&world, body).x > 6.0);
}

#[test]
fn earlier_moves_do_not_change_the_result_of_a_move() {
    let (mut world, hero) = world_of(Aabb::new([-0.3, 0.0], [0.3, 0.7]));
    add(&mut world, [0.0, -0.1], Aabb::new([-9.0, -1.0], [9.0, 0.0]));
    let plank = add(&mut world, [0.0, 5.0], Obb::new([0.0, 0.0], [1.0, 0.2], 0.3));
    for motion in [[0.1, -0.7], [3.3, -0.01], [-20.7, 1.0], [0.3, -3.0]] {
        let planned = world.plan_travel(hero, motion, |_| Response::Slide).unwrap();
        let _ = world.travel(plank, [0.1, 0.1], |_| Response::Slide).unwrap();
        assert_eq!(world.travel(hero, motion, |_| Response::Slide).unwrap(), planned);
    }
}

#[test]
fn bad_input_is_refused() {
    let (mut world, body) = world_of(Circle::new([0.0, 0.0], 1.0));
    let error = world.travel(body, [f32::NAN, 0.0], |_| Response::Touch).unwrap_err();
    assert!(matches!(error, WorldError::BadPose(_)));
    world.remove_body(body).unwrap();
    let error = world.travel(body, [1.0, 0.0], |_| Response::Touch).unwrap_err();
    assert_eq!(error, WorldError::NoSuchBody(body));
}

#[test]
fn r7_a_platform_stops_a_falling_body_at_any_speed() {
    let platforms: [Ground; 4] = [
        ("a plank", |world| {
            let body = world.add_body(Body::fixed([0.0, 0.0])).unwrap();
            let plank = Obb::new([0.0, -0.1], [5.0, 0.1], 0.0);
            world.add_collider(body, Collider::new(plank).one_way([0.0, 1.0])).unwrap();
        }),
        ("a turned plank", |world| {
            let body =
                world.add_body(Body::fixed([0.0, 0.0]).with_pose(Pose::new([0.0, 0.0], 0.4)));
            let plank = Collider::new(Aabb::new([-5.0, -0.2], [5.0, 0.0])).one_way([0.0, 1.0]);
            world.add_collider(body.unwrap(), plank).unwrap();
        }),
        ("a slope", |world| {
            let slope = Chain::new(&[[-5.0, -2.0], [0.0, 0.0], [5.0, 1.0]]).one_sided();
            add(world, [0.0, 0.0], slope);
        }),
        ("tiles", |world| {
            let kinds = [('-', TileKind::one_way([0.0, 1.0]))];
            let map = TileMap::from_rows([-5.0, -1.0], [1.0, 1.0], &["----------"], &kinds);
            add(world, [0.0, 0.0], map);
        }),
    ];
    for (platform, build) in platforms {
        for (i, mover) in movers().into_iter().enumerate() {
            for step in 0..60 {
                let (mut world, body) = world_of(mover.clone());
                build(&mut world);
                let from = [(step % 7) as f32 * 0.31 - 1.0, -9.0];
                world.set_position(body, from).unwrap();
                let up = world.travel(body, [0.0, 14.0], |_| Response::Touch).unwrap();
                assert!(up.hits().is_empty(), "mover {i} below {platform}: {up:?}");
                let fall = 10.0 * 1.2f32.powi(step);
                let down = world.travel(body, [0.0, -fall], |_| Response::Touch).unwrap();
                assert_eq!(down.hits().len(), 1, "mover {i} above {platform}: {down:?}");
                let rest = world.travel(body, [0.0, -fall], |_| Response::Touch).unwrap();
                assert_eq!(rest.end, down.end, "mover {i} on {platform}: {rest:?}");
                assert_eq!(rest.hits().len(), 1, "mover {i} on {platform}: {rest:?}");
            }
        }
    }
}
