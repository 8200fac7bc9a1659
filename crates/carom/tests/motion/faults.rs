//! Faults of motion that were found once, each as a named test.

use carom::prelude::*;

use crate::stage::{Random, Stage, aabb, capsule, circle, convex};

fn full_tiles(origin: [f32; 2], rows: &[&str]) -> TileMap {
    TileMap::from_rows(origin, [1.0, 1.0], rows, &[('#', TileKind::SOLID)])
}

#[test]
fn a_sloped_one_way_plank_holds_what_slides_on_it() {
    let mut world = World::new();
    let plank = world.add_body(Body::fixed([0., 0.]).with_pose(Pose::new([0., 0.], 0.4))).unwrap();
    let collider = Collider::new(Aabb::new([-30., -0.5], [30., 0.])).one_way([0., 1.]);
    world.add_collider(plank, collider).unwrap();
    let ball = world.add_body(Body::moving([0., 2.])).unwrap();
    world.add_collider(ball, Collider::new(Circle::new([0., 0.], 0.5))).unwrap();
    for step in 0..100 {
        let _ = world.travel(ball, [0., -0.1], |_| Response::Slide).unwrap();
        let at = world.body(ball).unwrap().pose.position;
        assert!(at.y > at.x * 0.4f32.tan(), "through at step {step}, at {at}");
    }
}

#[test]
fn one_way_planks_of_any_slope_hold_what_slides_on_them() {
    let mut random = Random(5);
    for i in 0..600 {
        let angle = (random.unit() - 0.5) as f32 * 2.4;
        let shape = match random.below(4) {
            0 => aabb([-random.between(0.2, 0.6), -0.3], [0.4, random.between(0.2, 0.8)]),
            1 => circle([0., 0.], random.between(0.2, 0.6)),
            2 => capsule([0., -0.3], [random.between(-0.2, 0.2), 0.4], random.between(0.2, 0.4)),
            _ => convex(&[[-0.3, random.between(-0.2, 0.2)], [0.1, -0.5], [0.5, 0.1], [0.0, 0.6]]),
        };
        let (sin, cos) = angle.sin_cos();
        let (direction, normal) = (Vec2::new(cos, sin), Vec2::new(-sin, cos));
        let start = normal * (1.5 + random.unit() as f32);
        let mut stage = Stage::new(shape, start.into());
        let [a, b] = [direction * -60.0, direction * 60.0];
        match random.below(3) {
            0 => stage.add(Chain::new(&[a, b]).one_sided()),
            1 => stage.add_one_way(Segment::new(a, b), normal.into()),
            _ => {
                let [c, d] = [b - normal, a - normal];
                stage.add_one_way(ConvexPolygon::new(&[d, c, b, a]), normal.into());
            }
        }
        let motion = [0.2 * (random.unit() as f32 - 0.5), -0.05 - 0.2 * random.unit() as f32];
        for _ in 0..120 {
            let _ = stage.slide(motion);
        }
        assert!(stage.at().dot(normal) > 0.0, "run {i}: through at {}", stage.at());
    }
}

#[test]
fn a_one_sided_chain_holds_a_capsule_that_walks_down_it() {
    let mut stage = Stage::new(capsule([0., 0.5], [0., 1.5], 0.5), [-0.7, 4.]);
    stage.add(Chain::new(&[[-6., -3.], [6., 3.]]).one_sided());
    for frame in 0..60 {
        let walk = stage.frame(-2., 20., 60.);
        assert!(frame <= 42 || walk.on_floor(), "frame {frame}: {walk:?}");
    }
}

#[test]
fn one_way_slopes_of_every_kind_hold_walkers() {
    let mut random = Random(6);
    for i in 0..400 {
        let angle = if i % 5 == 0 { 1e-6 } else { (random.unit() - 0.5) as f32 * 1.4 };
        let (sin, cos) = angle.sin_cos();
        let (direction, normal) = (Vec2::new(cos, sin), Vec2::new(-sin, cos));
        let shape = match random.below(3) {
            0 => aabb([-0.4, 0.], [0.4, 1.5]),
            1 => circle([0., 0.5], 0.5),
            _ => capsule([0., 0.4], [0., 1.2], 0.4),
        };
        let x = random.between(-5., 5.);
        let mut stage = Stage::new(shape, [x, x * angle.tan() + 2.0]);
        let count = 1 + random.below(6);
        let cuts: Vec<Vec2> =
            (0..=count).map(|j| direction * (-40.0 + 80.0 * j as f32 / count as f32)).collect();
        match random.below(4) {
            0 => stage.add(Chain::new(&cuts).one_sided()),
            1 => cuts.windows(2).for_each(|c| stage.add(Chain::new(c).one_sided())),
            2 => stage.add_one_way(Chain::new(&cuts), [0.0, 1.0]),
            _ => {
                let center = normal * -0.5;
                let plank = Obb::new(center, [40.0, 0.5], angle);
                stage.add_one_way(plank, normal.into());
            }
        }
        let speed = random.between(-8., 8.);
        for frame in 0..120 {
            let walk = stage.frame(if frame % 37 == 0 { 0.0 } else { speed }, 20., 60.);
            assert!(frame < 60 || walk.on_floor(), "run {i}, frame {frame} at {}", stage.at());
        }
    }
}

#[test]
fn turned_one_way_tiles_hold_walkers() {
    let up = [0.0, 1.0];
    for angle in [0.0f32, 1e-6, 0.1, 0.3, -0.5, 0.7] {
        let mut world = World::new();
        let tiles = TileMap::from_rows(
            [-20.0, -1.0],
            [1.0, 1.0],
            &["-".repeat(40)],
            &[('-', TileKind::one_way(up))],
        );
        let level =
            world.add_body(Body::fixed([0., 0.]).with_pose(Pose::new([0., 0.], angle))).unwrap();
        world.add_collider(level, Collider::new(tiles)).unwrap();
        let hero = world.add_body(Body::moving([0., 2.])).unwrap();
        world.add_collider(hero, Collider::new(Aabb::new([-0.3, 0.], [0.3, 1.6]))).unwrap();
        let (walker, mut state, mut velocity) =
            (Walker::new().snap_distance(0.25), WalkerState::new(), Vec2::ZERO);
        for frame in 0..240 {
            let speed = if frame % 80 < 40 { 3.0 } else { -3.0 };
            velocity = Vec2::new(speed, velocity.y - 30.0 / 60.0);
            let walk = world.walk(hero, &walker, &mut state, velocity / 60.0).unwrap();
            velocity = walk.velocity(velocity);
            assert!(frame < 60 || walk.on_floor(), "angle {angle}, frame {frame}: {walk:?}");
        }
    }
}

/// Returns the height of a hero that runs to the right and jumps.
fn jump_height(walls: Vec<Shape>, hero: Shape, jump: f32) -> f32 {
    let mut stage = Stage::new(hero, [1., 0.]).with(aabb([-9., -1.], [9., 0.]));
    walls.into_iter().for_each(|wall| stage.add(wall));
    let mut top = 0f32;
    for frame in 0..180 {
        if frame == 90 {
            assert!(stage.state.on_floor());
            stage.velocity.y = jump + 20. / 60.;
        }
        let _ = stage.frame(4., 20., 60.);
        if frame >= 90 {
            top = top.max(stage.at().y);
        }
    }
    top
}

#[test]
fn a_leaning_wall_does_not_cancel_a_jump() {
    for lean in [0.0f32, 1e-6, 0.01, 0.1, 0.3, 0.6, 0.8, -1e-6, -0.01] {
        for hero in [
            aabb([-0.375, 0.], [0.375, 1.5]),
            capsule([0., 0.375], [0., 1.1], 0.375),
            circle([0., 0.375], 0.375),
        ] {
            let wall = convex(&[[2., -1.], [8., -1.], [8., 6.], [2. + 7. * lean, 6.]]);
            let top = jump_height(vec![wall], hero, 8.);
            let error = if lean < 0.0 { 0.1 } else { 2e-3 };
            assert!((top - 1.667).abs() < error, "lean {lean}: {top}");
        }
    }
}

#[test]
fn seams_of_upright_walls_do_not_cancel_a_jump() {
    let tiles = full_tiles([2., 0.], &["#"; 8]);
    let hero = || circle([0., 0.3], 0.3);
    let one = jump_height(vec![aabb([2., 0.], [3., 8.])], hero(), 11.);
    let many = jump_height(vec![tiles.into()], hero(), 11.);
    assert!((one - many).abs() < 1e-4 && (one - 3.117).abs() < 2e-3, "{one} {many}");
    let mut random = Random(1);
    for run in 0..300 {
        let radius = random.between(0.1, 0.6);
        let hero = match random.below(2) {
            0 => circle([0., radius], radius),
            _ => capsule([0., radius], [0., radius + random.between(0.1, 1.0)], radius),
        };
        let (x, side) = (random.between(1.8, 3.0), random.between(0.2, 1.2));
        let jump = random.between(5., 13.);
        let count = (9.0 / side) as usize;
        let y = |i: usize| i as f32 * side;
        let wall = match random.below(4) {
            0 => (0..count).map(|i| aabb([x, y(i)], [x + side, y(i + 1)])).collect(),
            1 => vec![Chain::new(&(0..=count).map(|i| [x, y(i)]).collect::<Vec<_>>()).into()],
            2 => {
                let boxes = (0..count).map(|i| aabb([x, y(i)], [x + side, y(i + 1)]));
                vec![Compound::new(boxes.collect::<Vec<_>>()).into()]
            }
            _ => {
                let rows = vec!["#"; count];
                let map =
                    TileMap::from_rows([x, 0.], [side, side], &rows, &[('#', TileKind::SOLID)]);
                vec![map.into()]
            }
        };
        let many = jump_height(wall, hero.clone(), jump);
        let one = jump_height(vec![aabb([x, 0.], [x + 1., y(count)])], hero, jump);
        assert!((many - one).abs() < 1e-3, "run {run}: {many} {one}");
    }
}

#[test]
fn nothing_hangs_at_the_lip_of_a_gap() {
    let polygon = Polygon::new(&[
        [2., 0.],
        [3., 0.],
        [3., 6.],
        [2., 6.],
        [2., 3.],
        [2.5, 3.],
        [2.5, 2.],
        [2., 2.],
    ]);
    let boxes = [aabb([2., 0.], [3., 2.]), aabb([2.5, 2.], [3., 3.]), aabb([2., 3.], [3., 6.])];
    let levels: [Shape; 4] = [
        polygon.into(),
        Compound::new(boxes.to_vec()).into(),
        full_tiles([2., 0.], &["#", "#", ".", "#", "#", "#"]).into(),
        TileMap::from_rows(
            [2., 0.],
            [1., 1.],
            &["#", "#", "/", "#", "#", "#"],
            &[('#', TileKind::SOLID), ('/', TileKind::slope(0.0, 1.0, [0.0, -1.0]))],
        )
        .into(),
    ];
    for level in levels {
        let mut sliding = Stage::new(aabb([0., 0.], [1., 2.]), [1., 5.]).with(level.clone());
        let mut walking = Stage::new(aabb([0., 0.], [1., 2.]), [1., 5.]).with(level);
        for _ in 0..20 {
            let _ = sliding.slide([0.5, -0.5]);
            let _ = walking.walk([0.5, -0.5]);
        }
        assert!(sliding.at().y < -1. && walking.at().y < -1., "{} {}", sliding.at(), walking.at());
    }
}

#[test]
fn a_floor_is_found_whatever_was_added_first() {
    let floor = || aabb([-12., -1.], [12., 0.]);
    let rock = || convex(&[[-3., -1.75], [-2.75, 0.], [-3.5, 1.], [-6., 0.25]]);
    let mut ends = Vec::new();
    for shapes in [[floor(), rock()], [rock(), floor()]] {
        let mut stage = Stage::new(capsule([0., 0.25], [0., 0.775], 0.25), [-2.5625, 0.]);
        shapes.into_iter().for_each(|shape| stage.add(shape));
        for frame in 0..90 {
            let walk = stage.frame(-20., 20., 64.);
            assert!(walk.on_floor(), "frame {frame}: {walk:?}");
        }
        ends.push(stage.at());
    }
    assert_eq!(ends[0], ends[1]);
}

#[test]
fn obtuse_corners_hold_a_body_still() {
    for shape in
        [circle([0., 0.], 0.5), aabb([-0.5, -0.5], [0.5, 0.5]), capsule([0., -0.3], [0., 0.3], 0.4)]
    {
        let bends = [5f32, 15., 30., 45., 60., 75., 85., 95., 120.]
            .map(|bend| (bend / 2.).to_radians().tan());
        for bend in bends.into_iter().chain([0.5]) {
            let rise = 8. * bend;
            let corner = Chain::new(&[[-8., rise], [0., 0.], [8., rise]]);
            let mut stage = Stage::new(shape.clone(), [0.3, 3.]).with(corner);
            for frame in 0..300 {
                let before = stage.at();
                let _ = stage.slide([0., -0.2]);
                assert!(frame < 200 || stage.at() == before, "bend {bend}: {}", stage.at());
            }
        }
    }
}

#[test]
fn compounds_glide_along_lines() {
    let lines: [Shape; 2] = [
        Chain::new(&[[0., 1.], [10., 1.]]).into(),
        Compound::new(vec![aabb([0., 0.], [10., 1.])]).into(),
    ];
    for line in lines {
        let hero = Compound::new(vec![aabb([-0.5, 0.], [0.5, 2.])]);
        let mut stage = Stage::new(hero, [-3., 1.]).with(line);
        for _ in 0..48 {
            let travel = stage.slide([0.125, 0.]);
            assert!(travel.hits().is_empty());
        }
        assert_eq!(stage.at(), Vec2::new(3., 1.));
    }
}

#[test]
fn nearly_head_on_slides_are_not_lost() {
    for degrees in [0.01f32, 0.1, 0.25, 0.5, 0.75, 1.0, 1.25] {
        let slope = Obb::new([0., 0.], [20., 1.], degrees.to_radians());
        let mut stage = Stage::new(circle([0., 0.], 0.5), [0., 3.]).with(slope);
        let _ = stage.slide([0., -1.6]);
        let _ = stage.slide([0., -0.1]);
        let before = stage.at();
        for _ in 0..100 {
            let _ = stage.slide([0., -1.]);
        }
        let (far, expected) = (stage.at().distance(before), 100. * degrees.to_radians().sin());
        assert!((far - expected).abs() < 0.01 + 0.02 * expected, "{degrees}: {far} {expected}");
    }
    let mut random = Random(1);
    for run in 0..2000 {
        let turn = random.unit() * core::f64::consts::TAU;
        let off = (random.unit() * 4.0).to_radians();
        let wall = Obb::new([0., 0.], [20., 1.], turn as f32);
        let motion = Vec2::new((turn + off).sin() as f32, -(turn + off).cos() as f32);
        let start = [(-turn.sin() * 2.0) as f32, (turn.cos() * 2.0) as f32];
        let mut stage = Stage::new(circle([0., 0.], 0.5), start).with(wall);
        let _ = stage.slide(motion);
        let _ = stage.slide(motion);
        let before = stage.at();
        let _ = stage.slide(motion);
        let far = stage.at().distance(before);
        assert!(far > 0.9 * off.sin() as f32 - 1e-5, "run {run}: {far} of {}", off.sin());
    }
}

#[test]
fn a_vertex_at_a_seam_meets_the_surface() {
    let diamond = || convex(&[[0., -0.5], [0.5, 0.], [0., 0.5], [-0.5, 0.]]);
    let tiles = full_tiles([4., 0.], &["#"; 8]);
    let mut stage = Stage::new(diamond(), [1.5, 4.]).with(tiles);
    let travel = stage.world.travel(stage.hero, [4., 0.], |_| Response::Bounce(1.0)).unwrap();
    assert!(!travel.hits().is_empty());
    assert!(travel.hits().iter().all(|hit| hit.normal == Vec2::new(-1., 0.)), "{travel:?}");
    let dart = Triangle::new([0., -0.1], [0.6, 0.4], [-0.2, 0.4]);
    let chain = Chain::new(&[[0., 0.], [4., 0.], [8., 0.]]);
    let mut stage = Stage::new(dart, [4., 1.1]).with(chain);
    let travel = stage.world.travel(stage.hero, [0., -2.], |_| Response::Touch).unwrap();
    assert_eq!(travel.hits()[0].normal, Vec2::new(0., 1.));
    let mut random = Random(9);
    for run in 0..1000 {
        let dart = convex(&[
            [0., -random.between(0.05, 0.4)],
            [random.between(0.1, 0.6), 0.4],
            [-random.between(0.1, 0.6), 0.4],
        ]);
        let side = random.between(0.3, 1.5);
        let seam = (random.below(7) + 1) as f32 * side;
        let mut stage = Stage::new(dart, [seam, 1.]);
        if random.chance(0.5) {
            for i in 0..9 {
                stage.add(aabb([i as f32 * side, -1.], [(i + 1) as f32 * side, 0.]));
            }
        } else {
            let points: Vec<[f32; 2]> = (0..9).map(|i| [i as f32 * side, 0.]).collect();
            stage.add(Chain::new(&points));
        }
        let aside = 0.3 * (random.unit() as f32 - 0.5) * random.below(2) as f32;
        let travel = stage.world.travel(stage.hero, [aside, -2.], |_| Response::Touch).unwrap();
        let is_up = |hit: &carom::motion::TravelHit| hit.normal.distance(Vec2::Y) < 1e-6;
        assert!(
            !travel.hits().is_empty() && travel.hits().iter().all(is_up),
            "run {run}: {travel:?}"
        );
    }
}

fn floors_with_a_step() -> Vec<Vec<Shape>> {
    let boxes = || vec![aabb([-9., -1.], [2., 0.]), aabb([2., -1.], [20., 0.25])];
    let points = [[-9., 0.], [2., 0.], [2., 0.25], [20., 0.25]];
    let outline = [[-9., -1.], [20., -1.], [20., 0.25], [2., 0.25], [2., 0.], [-9., 0.]];
    vec![
        boxes(),
        vec![Compound::new(boxes()).into()],
        vec![Chain::new(&points).into()],
        vec![Polygon::new(&outline).into()],
    ]
}

#[test]
fn steps_at_the_end_of_a_frame_keep_the_floor_and_the_speed() {
    for floor in floors_with_a_step() {
        let mut stage = Stage::new(aabb([-0.4, 0.], [0.4, 1.5]), [0., 0.]);
        floor.iter().for_each(|shape| stage.add(shape.clone()));
        stage.walker = Walker::new().max_step_height(0.3);
        for frame in 0..60 {
            let walk = stage.frame(if frame < 3 { 0. } else { 4. }, 30., 60.);
            if frame > 3 {
                assert!(walk.on_floor() && walk.wall.is_none(), "frame {frame}: {walk:?}");
                assert_eq!(stage.velocity.x, 4.0);
            }
        }
        assert!(stage.at().x > 3. && stage.at().y == 0.25, "{}", stage.at());
        let mut stage = Stage::new(aabb([-0.5, 0.], [0.5, 1.5]), [0., 0.]);
        floor.iter().for_each(|shape| stage.add(shape.clone()));
        stage.walker = Walker::new().max_step_height(0.3);
        for frame in 0..24 {
            let walk = stage.frame(7.5, 30., 60.);
            assert!(walk.wall.is_none() && stage.velocity.x == 7.5, "frame {frame}: {walk:?}");
        }
    }
    let mut random = Random(3);
    for run in 0..300 {
        let half = match random.chance(0.5) {
            true => random.on_grid(0.125, 0.5, 0.125),
            false => random.between(0.1, 0.5),
        };
        let mut stage =
            Stage::new(aabb([-half, 0.], [half, 1.5]), [random.on_grid(-1., 1., 0.125), 0.]);
        floors_with_a_step().swap_remove(run % 4).into_iter().for_each(|shape| stage.add(shape));
        stage.walker = Walker::new().max_step_height(0.3);
        let speed = random.on_grid(1., 8., 0.5);
        for frame in 0..(4.0 / speed * 60.) as i32 + 5 {
            let walk = stage.frame(speed, 30., 60.);
            assert!(walk.wall.is_none(), "run {run}, frame {frame}: {walk:?}");
            assert!(frame <= 3 || walk.on_floor(), "run {run}, frame {frame}: {walk:?}");
        }
        assert_eq!(stage.at().y, 0.25, "run {run}");
    }
}

#[test]
fn gentle_ramps_have_no_wall_at_their_foot() {
    for degrees in [0.01f32, 0.03, 0.1, 0.3, 0.57, 0.9, 2.0, 10.0] {
        for i in 0..60 {
            let rise = 8. * degrees.to_radians().tan();
            let flat = aabb([-9., -3.], [2., 0.]);
            let ramp = convex(&[[2., -3.], [10., -3.], [10., rise], [2., 0.]]);
            let outline = [[-9., 0.], [-9., -3.], [10., -3.], [10., rise], [2., 0.]];
            let shapes: Vec<Shape> = match i % 3 {
                0 => vec![Compound::new(vec![flat, ramp]).into()],
                1 => vec![flat, ramp],
                _ => vec![Polygon::new(&outline).into()],
            };
            let hero = match i % 2 {
                0 => convex(&[
                    [-0.2, 0.],
                    [0.2, 0.],
                    [0.4, 0.5],
                    [0.4, 1.5],
                    [-0.4, 1.5],
                    [-0.4, 0.5],
                ]),
                _ => aabb([-0.4, 0.], [0.4, 1.5]),
            };
            let mut stage = Stage::new(hero, [0.5 + i as f32 * 0.003, 0.]);
            shapes.into_iter().for_each(|shape| stage.add(shape));
            for frame in 0..60 {
                let before = stage.at();
                let walk = stage.frame(4., 30., 60.);
                assert!(walk.wall.is_none(), "{degrees}, {i}, {frame}: {walk:?}");
                if frame > 3 {
                    assert!(walk.on_floor(), "{degrees}, {i}, {frame}: {walk:?}");
                    assert!(stage.at().x - before.x > 0.95 * 4. / 60. || degrees > 5.0);
                }
            }
        }
    }
}

#[test]
fn a_ramp_of_half_a_degree_keeps_the_speed_of_a_box() {
    let ground = [[-9., 0.], [2., 0.], [10., 0.08], [10., -3.], [-9., -3.]];
    for i in 0..60 {
        let mut stage = Stage::new(aabb([-0.4, 0.], [0.4, 1.5]), [i as f32 * 0.0031, 0.]);
        stage.add(Polygon::new(&ground));
        for frame in 0..90 {
            let walk = stage.frame(4., 20., 60.);
            assert!(walk.on_floor() && walk.wall.is_none(), "{i}, {frame}: {walk:?}");
            assert_eq!(stage.velocity, Vec2::new(4., 0.));
        }
    }
}

#[test]
fn a_narrow_foot_beside_a_slope_tile_stays_at_rest_with_y_down_and_up() {
    for up in [-1f32, 1.] {
        let legend = [('#', TileKind::SOLID), ('/', TileKind::slope(1., 0., [0., up]))];
        let rows = if up < 0. { ["/.", "##"] } else { ["##", "/."] };
        let tiles = TileMap::from_rows([-1., -1.], [1., 1.], &rows, &legend);
        let foot = [
            [-0.375, 0.375],
            [-0.25, 0.0],
            [0.25, 0.0],
            [0.375, 0.375],
            [0.375, 1.25],
            [-0.375, 1.25],
        ];
        let foot: Vec<[f32; 2]> = foot.iter().map(|[x, y]| [*x, y * up]).collect();
        let mut stage = Stage::new(convex(&foot), [0.25, 0.]).with(tiles);
        stage.walker = Walker::new().up([0., up]).max_slope_angle(0.5);
        for frame in 0..8 {
            let walk = stage.frame(0., 30., 64.);
            assert!(walk.on_floor() && walk.wall.is_none(), "{up}, {frame}: {walk:?}");
            assert_eq!(stage.at(), Vec2::new(0.25, 0.));
        }
    }
}

#[test]
fn landing_beside_a_slope_tile_finds_the_floor_on_both_sides() {
    for side in [1f32, -1.] {
        let (rows, slope) = if side > 0. { ("/#", (0., 1.)) } else { ("#/", (1., 0.)) };
        let legend = [('#', TileKind::SOLID), ('/', TileKind::slope(slope.0, slope.1, [0., 1.]))];
        let origin = if side > 0. { [0., 1.] } else { [-2., 1.] };
        let tiles = TileMap::from_rows(origin, [1., 1.], &[rows], &legend);
        let foot =
            [[-0.25, 0.25], [-0.125, 0.0], [0.125, 0.0], [0.25, 0.25], [0.25, 1.0], [-0.25, 1.0]];
        let mut stage = Stage::new(convex(&foot), [1.4375 * side, 2.216]).with(tiles);
        let velocity = Vec2::new(-20. * side, -19.5);
        let walk = stage.walk(velocity / 64.);
        assert!(walk.on_floor() && walk.velocity(velocity).y == 0., "{side}: {walk:?}");
    }
}

#[test]
fn slope_tiles_decide_alike_in_every_mirror() {
    for up in [1f32, -1.] {
        for side in [1f32, -1.] {
            let mirrored = |p: [f32; 2]| [p[0] * side, p[1] * up];
            let polygon = |points: &[[f32; 2]]| {
                convex(&points.iter().map(|&p| mirrored(p)).collect::<Vec<_>>())
            };
            let square =
                |x: f32, y: f32| polygon(&[[x, y], [x + 1., y], [x + 1., y + 1.], [x, y + 1.]]);
            for is_reversed in [false, true] {
                let mut shapes = vec![
                    square(-1., -1.),
                    square(0., -1.),
                    polygon(&[[-1., 0.], [0., 0.], [-1., 1.]]),
                ];
                if is_reversed {
                    shapes.reverse();
                }
                let foot = [
                    [-0.375, 0.375],
                    [-0.25, 0.0],
                    [0.25, 0.0],
                    [0.375, 0.375],
                    [0.375, 1.25],
                    [-0.375, 1.25],
                ];
                let rest = mirrored([0.25, 0.]);
                let mut stage = Stage::new(polygon(&foot), rest);
                shapes.into_iter().for_each(|shape| stage.add(shape));
                stage.walker = Walker::new().up([0., up]).max_slope_angle(0.5);
                for _ in 0..8 {
                    let walk = stage.frame(0., 30., 64.);
                    assert!(walk.on_floor() && walk.wall.is_none(), "{up} {side}: {walk:?}");
                    assert_eq!(stage.at(), Vec2::from(rest));
                }
                // Landing beside the top of a slope.
                let mut shapes = vec![polygon(&[[0., 1.], [1., 1.], [1., 2.]]), square(1., 1.)];
                if is_reversed {
                    shapes.reverse();
                }
                let foot = [
                    [-0.25, 0.25],
                    [-0.125, 0.0],
                    [0.125, 0.0],
                    [0.25, 0.25],
                    [0.25, 1.0],
                    [-0.25, 1.0],
                ];
                let mut stage = Stage::new(polygon(&foot), mirrored([1.4375, 2.2160006]));
                shapes.into_iter().for_each(|shape| stage.add(shape));
                stage.walker = Walker::new().up([0., up]);
                let velocity = Vec2::new(-20.0 * side, -19.5 * up);
                let walk = stage.walk(velocity / 64.);
                assert!(
                    walk.on_floor() && walk.velocity(velocity).y == 0.0,
                    "{up} {side}: {walk:?}"
                );
            }
        }
    }
}

#[test]
fn corner_correction_takes_the_shorter_side() {
    for side in [1f32, -1.] {
        let post = Aabb::from_center_half_size([0.1 * side, 2.], [0.05, 0.5]);
        let mut stage = Stage::new(aabb([-0.25, 0.], [0.25, 1.]), [0., 0.]).with(post);
        stage.walker = Walker::new().corner_correction(0.5);
        let walk = stage.walk([0., 0.75]);
        assert!((walk.end.x + 0.2 * side).abs() < 1e-4 && walk.end.y > 0.74, "{}", walk.end);
    }
}

#[test]
fn the_end_of_a_chain_in_a_notch_gives_few_hits() {
    let cells = ["##.", "##.", "#.#"];
    let mut boxes = Vec::new();
    for (y, row) in cells.iter().enumerate() {
        for (x, cell) in row.chars().enumerate() {
            if cell == '#' {
                let (x, y) = (-0.375 + 0.25 * x as f32, -0.375 + 0.25 * y as f32);
                boxes.push(aabb([x, y], [x + 0.25, y + 0.25]));
            }
        }
    }
    let chain = Chain::new(&[[1.9810998, -1.2063233], [2.4637227, -1.5134001]]);
    let mut stage = Stage::new(Compound::new(boxes), [1.8560998, -1.0813233]).with(chain);
    let travel = stage.slide([0.27281198, -1.524242]);
    assert!(travel.hits().len() <= 4, "{travel:?}");
}

#[test]
fn points_and_lines_do_not_fall_into_cracks() {
    let heroes: [Shape; 3] = [
        Point::new([0., 0.]).into(),
        Segment::new([0., 0.], [0., 1.]).into(),
        Segment::new([-1., 0.], [1., 0.]).into(),
    ];
    let boxes: Vec<Shape> = (0..8).map(|i| aabb([i as f32, 0.], [i as f32 + 1., 1.])).collect();
    let floors = [boxes, vec![Chain::new(&[[0., 1.], [3., 1.], [8., 1.]]).into()]];
    for hero in heroes {
        for floor in &floors {
            let mut stage = Stage::new(hero.clone(), [3., 3.]);
            floor.iter().for_each(|shape| stage.add(shape.clone()));
            for _ in 0..50 {
                let _ = stage.slide([0.01, -0.5]);
            }
            let at = stage.at();
            assert!(at.y >= 1.0 && at.y < 1.001 && (at.x - 3.5).abs() < 1e-3, "{at}");
            for _ in 0..50 {
                let _ = stage.slide([0.01, 0.5]);
            }
            assert!(stage.at().y > 20.);
        }
    }
}

#[test]
fn a_shaft_as_wide_as_the_body_is_open() {
    let rows = ["###", "#.#", "#.#", "#.#", "#.#", "#.#", "#.#"];
    let mut stage =
        Stage::new(aabb([0., 0.], [1., 1.]), [1., 8.]).with(full_tiles([0., -1.], &rows));
    for _ in 0..40 {
        let _ = stage.slide([0., -0.375]);
    }
    assert_eq!(stage.at(), Vec2::new(1., 0.));
    for _ in 0..40 {
        let _ = stage.slide([0.1, 0.375]);
    }
    assert!(stage.at().y > 10., "{}", stage.at());
}

/// The rules for ties in the documentation of `carom::motion`.
#[test]
fn ties_are_decided_as_documented() {
    // A vertex straight onto a vertex: along x.
    let box_hero = || Stage::new(aabb([0., 0.], [1., 1.]), [0., 0.]);
    for (x, y) in [(1., 1.), (-1., 1.), (1., -1.), (-1., -1.)] {
        let block = aabb([2. * x - 1. + 1., 2. * y], [2. * x + 1., 2. * y + 1.]);
        let mut stage = box_hero().with(block);
        let travel = stage.slide([2. * x, 2. * y]);
        assert_eq!(travel.end, Vec2::new(2. * x, y));
    }
    // Straight onto a peak, and straight into a notch: it stops.
    let peak = Chain::new(&[[-4., -4.], [0., 0.], [4., -4.]]);
    let notch = Chain::new(&[[-4., 4.], [0., 0.], [4., 4.]]);
    for level in [peak, notch] {
        let mut stage = Stage::new(circle([0., 0.], 0.5), [0., 3.]).with(level);
        let end = stage.slide([0., -4.]).end;
        assert_eq!(end.x, 0.);
        assert_eq!(stage.slide([0., -4.]).end, end);
    }
    // A bounce goes straight back there, also beside a wall that it touches.
    let tooth = |x: f32| convex(&[[x - 0.5, -1.], [x + 0.5, -1.], [x, 0.]]);
    for (restitution, wall) in [(0., 1.75), (1., 1.75), (1., -2.75)] {
        let mut stage = Stage::new(circle([0., 0.], 1.75), [0., 3.])
            .with(tooth(-0.5))
            .with(tooth(0.5))
            .with(aabb([wall, -9.], [wall + 1., 9.]));
        let respond = |_: carom::motion::PendingHit<'_>| Response::Bounce(restitution);
        let fall = stage.world.travel(stage.hero, [0., -2.], respond).unwrap();
        let touched = fall.hits()[0].position.y;
        assert!(fall.hits().iter().all(|hit| hit.position.y == touched), "{fall:?}");
        assert!(fall.end.x.abs() < 1e-6, "{fall:?}");
        assert!((fall.end.y - touched - restitution * (touched - 1.)).abs() < 1e-5, "{fall:?}");
    }
    // Across a gap exactly as wide as the body: it passes, unless a move begins exactly above the gap and
    // leads more into it than across.
    let floors = [aabb([-9., -1.], [0., 0.]), aabb([1., -1.], [9., 0.])];
    let mut stage = Stage::new(aabb([0., 0.], [1., 1.]), [-2., 0.]);
    floors.iter().for_each(|floor| stage.add(floor.clone()));
    (0..16).for_each(|_| drop(stage.slide([0.25, -0.5])));
    assert!(stage.at().y < 0.);
    for (motion, frames) in
        [([0.25, -0.2], 16), ([0.3, -1.], 14), ([0.25, -0.25], 16), ([5., -9.], 1)]
    {
        let mut stage = Stage::new(aabb([0., 0.], [1., 1.]), [-2., 0.]);
        floors.iter().for_each(|floor| stage.add(floor.clone()));
        for _ in 0..frames {
            let _ = stage.slide(motion);
        }
        assert_eq!(stage.at().y, 0., "{motion:?}");
    }
}

#[test]
fn motion_far_from_the_origin_and_over_long_distances_is_not_cut_short() {
    let mut random = Random(12);
    for run in 0..400 {
        let far = [0f32, 100., 2000., 20000.][run % 4];
        let turn = random.unit() * core::f64::consts::TAU;
        let (sin, cos) = (turn.sin() as f32, turn.cos() as f32);
        let (direction, normal) = (Vec2::new(cos, sin), Vec2::new(-sin, cos));
        let shape =
            if random.chance(0.5) { circle([0., 0.], 0.5) } else { aabb([-0.4, -0.3], [0.4, 0.5]) };
        let start = Vec2::new(far, -far) + normal * 2.5;
        let mut stage = Stage::new(shape, start.into());
        stage.add(Obb::new([far, -far], [1500., 1.], turn as f32));
        let length = if run % 8 < 4 { 200.0 } else { 3.0 };
        let motion = direction * length - normal * 3.0;
        for _ in 0..2 {
            let travel = stage.slide(motion);
            assert!(travel.hits().len() <= 1, "run {run}: {travel:?}");
        }
        let along = (stage.at() - start).dot(direction);
        assert!((along - 2.0 * length).abs() < 1e-3 * length + 1e-6 * far, "run {run}: {along}");
    }
}

#[test]
fn one_way_platforms_let_pass_from_below_and_beside() {
    for slope in [0f32, 0.3, -0.3, 1e-6] {
        let chain =
            || Chain::new(&[[-4., 2. - 4. * slope], [0., 2.], [4., 2. + 4. * slope]]).one_sided();
        for shape in [
            aabb([-0.5, 0.], [0.5, 1.]),
            circle([0., 0.5], 0.5),
            capsule([0., 0.4], [0., 1.2], 0.4),
        ] {
            // Up through it, and onto it.
            let mut stage = Stage::new(shape, [0.3, -1.]).with(chain());
            stage.velocity.y = 14.;
            let mut top = 0f32;
            for _ in 0..120 {
                let _ = stage.frame(0., 20., 60.);
                top = top.max(stage.at().y);
            }
            assert!(
                top > 3. && stage.state.on_floor() && stage.at().y > 1.9,
                "{slope}: {}",
                stage.at()
            );
            let rest = stage.at();
            for _ in 0..30 {
                let _ = stage.frame(0., 20., 60.);
            }
            assert_eq!(rest, stage.at());
            stage.state.drop_through();
            for _ in 0..30 {
                let _ = stage.frame(0., 20., 60.);
            }
            assert!(stage.at().y < 1., "{slope}: {}", stage.at());
        }
        // Half through: neither put on top nor stopped.
        let mut stage = Stage::new(aabb([-0.5, 0.], [0.5, 1.]), [0.3, 1.5]).with(chain());
        for _ in 0..30 {
            let _ = stage.frame(1., 20., 60.);
        }
        assert!(stage.at().y < 1.);
    }
    // Flush beside a level one: past it.
    let plank = || Chain::new(&[[1., 2.], [4., 2.]]).one_sided();
    let mut stage = Stage::new(aabb([0., 0.], [1., 1.]), [0., 5.]).with(plank());
    for _ in 0..20 {
        let _ = stage.slide([0., -0.5]);
    }
    assert_eq!(stage.at(), Vec2::new(0., -5.));
    // Under it from the side, fast.
    let mut stage = Stage::new(aabb([0., 0.], [1., 1.]), [-1., 3.]).with(plank());
    let travel = stage.slide([3., -6.]);
    assert!(travel.hits().is_empty() && travel.end == Vec2::new(2., -3.), "{travel:?}");
}

#[test]
fn a_shaft_as_wide_as_the_body_does_not_swap_the_normals_of_its_walls() {
    let mut stage = Stage::new(capsule([0., -0.25], [0., 0.25], 0.25), [-2.75, -1.75])
        .with(aabb([-4.75, -2.75], [-1.25, -2.25]))
        .with(aabb([-2.5, -1.5], [-1.75, -0.5]))
        .with(aabb([-3.5, -1.75], [-3.0, -1.5]));
    let travel = stage.world.travel(stage.hero, [-0.5, 0.5], |_| Response::Touch).unwrap();
    assert_eq!(travel.hits()[0].normal, Vec2::new(1.0, 0.0));
}

#[test]
fn a_point_slides_from_a_round_surface_onto_a_flush_box() {
    let mut stage = Stage::new(Point::new([0., 0.]), [-2., 0.75])
        .with(aabb([-1.5, -1.5], [-1., -1.]))
        .with(capsule([-0.75, 0.], [-0.75, 2.], 0.75));
    assert!(stage.slide([5.75, -2.75]).end.y < -1.9);
}

#[test]
fn a_round_foot_above_the_vertex_of_a_box_does_not_pass_through_its_face() {
    let mut stage = Stage::new(capsule([0., -0.625], [0., 0.625], 0.625), [-1.25, -2.])
        .with(aabb([-1.25, -3.5], [-0.25, -3.25]));
    let travel = stage.slide([4., -0.005]);
    assert_eq!(travel.hits().len(), 1);
    assert_eq!(travel.end.y, -2.);
}

#[test]
fn a_motion_along_a_sloped_face_does_not_meet_it() {
    let slope =
        Obb::new([-0.7439821, 2.1619515], [1.3969147, 1.2249702], core::f32::consts::FRAC_PI_4);
    let mask = ["...#..#", "...###.", "#.#####", "#######", "#####.#", ".#####."];
    let body = Mask::from_rows([-1.0, -1.0], 0.25, &mask);
    let mut stage = Stage::new(body, [0.6892023, 4.2043033]).with(slope);
    let travel = stage.world.travel(stage.hero, [0.5, -0.5], |_| Response::Touch).unwrap();
    assert!(travel.hits().is_empty() && travel.moved().distance(Vec2::new(0.5, -0.5)) < 1e-6);
}
