//! The normals of sweeps: flush parts are one surface, whatever shapes they are made of.

use crate::support::rng::Rng;
use crate::support::rust_source::source;
use carom::prelude::*;

#[test]
fn a_pointed_foot_on_the_joint_of_a_level_chain_stands_on_it() {
    let foot = Triangle::new([0.0, -0.1], [0.6, 0.4], [-0.2, 0.4]).translated([4.0, 1.1]);
    let floor = Chain::new(&[[0.0, 0.0], [4.0, 0.0], [8.0, 0.0]]);
    for floor in [floor.clone(), floor.one_sided().flipped(Flip::X).translated([8.0, 0.0])] {
        let hit = foot.sweep([0.0, -2.0], &floor).expect("it falls onto the floor");
        assert_eq!((hit.normal, hit.point), (Vec2::Y, Vec2::new(4.0, 0.0)));
    }
}

#[test]
fn a_vertex_on_an_internal_edge_of_upright_tiles_hits_a_wall() {
    let diamond = ConvexPolygon::new(&[[0.0, -0.5], [0.5, 0.0], [0.0, 0.5], [-0.5, 0.0]]);
    let wall = TileMap::from_rows([4.0, 0.0], [1.0, 1.0], &["#"; 8], &[('#', TileKind::SOLID)]);
    let pixels = Mask::from_rows([4.0, 0.0], 1.0, &["#"; 8]);
    for motion in [[4.0, 0.0], [4.0, 1.0], [4.0, -1.0], [4.0, 3.0]] {
        let diamond = diamond.translated([1.5, 4.0 - motion[1] / 2.0]);
        let normals = [diamond.sweep(motion, &wall), diamond.sweep(motion, &pixels)]
            .map(|hit| hit.expect("it meets the wall").normal);
        assert_eq!(normals, [Vec2::NEG_X; 2], "{motion:?}");
    }
}

#[test]
fn a_corner_on_a_corner_slides_along_x_and_a_tip_on_a_tip_stops() {
    let block = Aabb::new([0.0, 0.0], [2.0, 2.0]);
    let blocks = Compound::new([block.translated([-2.0, 0.0]), block]);
    let hero = Aabb::new([4.0, 4.0], [5.0, 5.0]);
    let diamond = ConvexPolygon::new(&[[0.0, -0.5], [0.5, 0.0], [0.0, 0.5], [-0.5, 0.0]]);
    let normal = |hit: Option<SweepHit>| hit.expect("they meet").normal;
    // Steeper than the diagonal, a corner goes on along the upright side, flatter along the top.
    for (motion, expected) in
        [([-3.0, -3.0], Vec2::Y), ([-3.0, -6.0], Vec2::X), ([-6.0, -3.0], Vec2::Y)]
    {
        let start = Vec2::new(2.0, 2.0) - Vec2::from(motion) * 0.5 - hero.min();
        let hero = hero.translated(start);
        assert_eq!(normal(hero.sweep(motion, &block)), expected);
        assert_eq!(normal(hero.sweep(motion, &blocks)), expected);
    }
    let falling = diamond.translated([0.0, 5.0]);
    assert_eq!(normal(falling.sweep([0.0, -8.0], &diamond)), Vec2::Y);
    assert_eq!(normal(falling.sweep([0.0, -8.0], &Compound::new([diamond]))), Vec2::Y);
}

/// Returns a terrain of columns, one unit wide, as every kind of shape that can represent it.
fn terrain(rng: &mut Rng, heights: &[usize]) -> Vec<(&'static str, Shape)> {
    let top = heights.iter().copied().max().unwrap_or(0);
    let rows: Vec<String> = (0..top)
        .map(|y| heights.iter().map(|&height| if y < height { '#' } else { '.' }).collect())
        .collect();
    let mut outline = vec![[heights.len() as f32, 0.0], [0.0, 0.0]];
    for (x, pair) in heights.iter().enumerate() {
        let (x, y) = (x as f32, *pair as f32);
        outline.extend([[x, y], [x + 1.0, y]]);
    }
    outline.reverse();
    outline.dedup();
    let mut cells: Vec<[f32; 2]> = heights
        .iter()
        .enumerate()
        .flat_map(|(x, &height)| (0..height).map(move |y| [x as f32, y as f32]))
        .collect();
    for i in (1..cells.len()).rev() {
        cells.swap(i, rng.below(i + 1));
    }
    let boxes = cells.iter().map(|&cell| Aabb::new([0.0, 0.0], [1.0, 1.0]).translated(cell));
    let triangles = cells.iter().flat_map(|&cell| {
        let halves = [
            Triangle::new([0.0, 0.0], [1.0, 0.0], [1.0, 1.0]),
            Triangle::new([0.0, 0.0], [1.0, 1.0], [0.0, 1.0]),
        ];
        halves.map(|half| half.translated(cell))
    });
    let columns = heights
        .iter()
        .enumerate()
        .filter(|(_, height)| **height > 0)
        .map(|(x, height)| Aabb::new([x as f32, 0.0], [x as f32 + 1.0, *height as f32]));
    let legend = [('#', TileKind::SOLID)];
    vec![
        ("polygon", Polygon::new(&outline).into()),
        ("tiles", TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &rows, &legend).into()),
        ("mask", Mask::from_rows([0.0, 0.0], 1.0, &rows).into()),
        ("boxes", Compound::new(boxes).into()),
        ("triangles", Compound::new(triangles).into()),
        ("columns", Compound::new(columns).into()),
        ("outline", Chain::closed(&outline).into()),
    ]
}

/// Returns a shape with vertices at multiples of a quarter, so that they often coincide with seams.
fn mover(rng: &mut Rng) -> Shape {
    let mut point = || [rng.between(-4, 4) as f32 / 4.0, rng.between(-4, 4) as f32 / 4.0];
    let points: Vec<[f32; 2]> = (0..8).map(|_| point()).collect();
    let hull = |points: &[[f32; 2]]| ConvexPolygon::hull(points).ok();
    let shape = match rng.below(7) {
        0 => hull(&points).map(Shape::from),
        1 | 2 => Triangle::try_new(points[0], points[1], points[2]).ok().map(Shape::from),
        3 => Some(Aabb::new([-0.5, -0.5], [rng.pick(&[0.5, 0.25, 1.5]), 0.5]).into()),
        4 => Some(Circle::new(points[0], 0.5).into()),
        5 => Polygon::try_new(&points[..4]).ok().map(Shape::from),
        _ => match (hull(&points[..3]), hull(&points[3..6])) {
            (Some(p), Some(q)) => Some(Compound::new([p, q]).into()),
            _ => None,
        },
    };
    shape.unwrap_or_else(|| Obb::new([0.0, 0.0], [0.5, 0.5], core::f32::consts::FRAC_PI_4).into())
}

fn is_same(one: Option<SweepHit>, other: Option<SweepHit>) -> bool {
    match (one, other) {
        (None, None) => true,
        (Some(one), Some(other)) if one.time < 0.9999 => {
            one.normal.dot(other.normal) > 1.0 - 1e-6 && (one.time - other.time).abs() < 1e-4
        }
        // Whether the very end of a motion is a hit depends on the last bit.
        (Some(hit), _) | (None, Some(hit)) => hit.time > 0.9999,
    }
}

#[test]
fn the_kind_of_shape_a_level_is_built_from_changes_no_normal() {
    let cases = std::env::var("CAROM_CASES").map_or(4000, |n| n.parse().expect("a number"));
    let (mut hits, mut turned) = (0, 0);
    for seed in 0..cases {
        let mut rng = Rng::new(seed);
        let flat = rng.one_in(3);
        let heights: Vec<usize> = (0..6).map(|_| if flat { 2 } else { 1 + rng.below(3) }).collect();
        let levels = terrain(&mut rng, &heights);
        let quarter = |n: i64| n as f32 / 4.0;
        let at = Vec2::new(quarter(rng.between(4, 20)), quarter(rng.between(8, 24)));
        let mover = mover(&mut rng).translated(at);
        let motion = Vec2::new(quarter(rng.between(-8, 8)), quarter(rng.between(-24, 0)));
        if motion == Vec2::ZERO || levels.iter().any(|(_, level)| mover.overlaps(level)) {
            continue;
        }
        let case = |name: &str, level: &Shape| {
            format!("seed {seed}, {name}\n{}\n{}\n{motion:?}", source(&mover), source(level))
        };
        // 1. All kinds give the same hit.
        let expected = mover.sweep(motion, &levels[0].1);
        for (name, level) in &levels {
            let hit = mover.sweep(motion, level);
            assert!(is_same(hit, expected), "{hit:?}, not {expected:?}: {}", case(name, level));
        }
        let Some(expected) = expected.filter(|hit| 0.0 < hit.time && hit.time < 0.99) else {
            continue;
        };
        hits += 1;
        // 2. So do mirrored levels.
        for (name, level) in &levels {
            let hit = mover
                .flipped(Flip::X)
                .sweep(motion * Vec2::new(-1.0, 1.0), &level.flipped(Flip::X));
            let image = hit.map(|mut hit| {
                hit.normal *= Vec2::new(-1.0, 1.0);
                hit
            });
            assert!(
                is_same(image, Some(expected)),
                "{image:?}, not {expected:?}: mirrored, {}",
                case(name, level)
            );
        }
        // 3. So do turned levels, unless the hit is a tie, where the last bit decides: another
        //    normal if the mover goes a little aside or is a little smaller.
        let aside = motion.perp().normalize() * 1e-3;
        if mover.intersects(&levels[0].1) {
            continue; // turned, they may overlap by the last bit
        }
        let smaller = mover.transformed(&Pose::scale_about(at, 0.999)); // slips through a gap as wide
        let mut beside = [&mover, &smaller]
            .into_iter()
            .flat_map(|mover| [-1.0, -0.3, 0.3, 1.0].map(|by| mover.translated(aside * by)))
            .map(|mover| mover.sweep(motion, &levels[0].1));
        if !beside.all(|hit| {
            hit.is_some_and(|hit| {
                hit.normal.dot(expected.normal) > 1.0 - 1e-3
                    && (hit.time - expected.time).abs() < 0.05
            })
        }) {
            continue;
        }
        turned += 1;
        let pose = Pose::new([3.0, -7.0], rng.signed() * 3.0);
        for (name, level) in &levels {
            let hit = mover
                .transformed(&pose)
                .sweep(pose.rotation.rotate(motion), &level.transformed(&pose));
            let normal = pose.rotation.rotate(expected.normal);
            let is_same = hit.is_some_and(|hit| hit.normal.dot(normal) > 1.0 - 1e-5);
            assert!(
                is_same,
                "{hit:?}, not {normal}: turned by {:?}, {}",
                pose.rotation.angle(),
                case(name, level)
            );
        }
    }
    assert!(hits > cases / 4 && turned > cases / 8, "{hits} hits, {turned} turned");
}

/// Returns a level floor along y = 0 with seams at the multiples of `side`, as every kind of shape that has parts.
fn floors(side: f32, parts: usize) -> Vec<(&'static str, Shape)> {
    let x = |i: usize| i as f32 * side;
    let joints: Vec<[f32; 2]> = (0..=parts).map(|i| [x(i), 0.0]).collect();
    let edges = || joints.windows(2).map(|ends| Segment::new(ends[0], ends[1]));
    let boxes = (0..parts).map(|i| Aabb::new([x(i), -side], [x(i + 1), 0.0]));
    let triangles = (0..parts).flat_map(|i| {
        let [a, b] = [joints[i], joints[i + 1]];
        let (c, d) = ([a[0], -side], [b[0], -side]);
        [Triangle::new(a, c, b), Triangle::new(b, c, d)]
    });
    let bottom = [[x(parts), -side], [0.0, -side]];
    let row = ["#".repeat(parts)];
    let legend = [('#', TileKind::SOLID)];
    vec![
        ("chain", Chain::new(&joints).into()),
        ("one-sided chain", Chain::new(&joints).one_sided().into()),
        ("polygon", Polygon::new(&[&joints[..], &bottom].concat()).into()),
        ("segments", Compound::new(edges()).into()),
        ("boxes", Compound::new(boxes).into()),
        ("triangles", Compound::new(triangles).into()),
        ("tiles", TileMap::from_rows([0.0, -side], [side, side], &row, &legend).into()),
        ("mask", Mask::from_rows([0.0, -side], side, &row).into()),
    ]
}

/// The tip of a pointed shape comes down on a seam: by construction at half of the motion, and the only normal
/// of the floor is straight up.
#[test]
fn a_tip_on_a_flush_seam_hits_the_surface_of_every_composite_shape() {
    let cases = std::env::var("CAROM_CASES").map_or(2000, |n| n.parse().expect("a number"));
    for seed in 0..cases {
        let mut rng = Rng::new(seed);
        let mut size = |low: f32, high: f32| low + (high - low) * (rng.signed() + 1.0) / 2.0;
        let points = [
            [0.0, 0.0],
            [size(0.1, 0.8), size(0.01, 0.8)],
            [size(-0.3, 0.3), size(0.8, 1.2)],
            [-size(0.1, 0.8), size(0.01, 0.8)],
        ];
        let (side, height, aside) = (size(0.2, 1.5), size(0.1, 2.0), size(-2.0, 2.0));
        let angle = size(-3.0, 3.0);
        let seam = (1 + rng.below(6)) as f32 * side;
        let aside = if rng.one_in(3) { 0.0 } else { aside };
        let motion = Vec2::new(2.0 * aside, -2.0 * height);
        let pointed = ConvexPolygon::hull(&points).expect("they are not on a line");
        let pointed = Shape::from(pointed.translated([seam - aside, height]));
        let turns = [0.0, core::f32::consts::FRAC_PI_2, angle];
        for (name, floor) in floors(side, 7) {
            for angle in turns {
                let pose = Pose::new([0.0, 0.0], angle);
                let turn = Vec2::new(angle.cos(), angle.sin());
                let (hero, floor) = (pointed.transformed(&pose), floor.transformed(&pose));
                let hit = hero.sweep(motion.rotate(turn), &floor).expect("it meets the floor");
                let is_right = hit.normal.distance(turn.perp()) < 1e-3
                    && (hit.time - 0.5).abs() * motion.length() < 1e-4;
                let text = || format!("{}\n{}\n{motion:?}", source(&pointed), source(&floor));
                assert!(is_right, "seed {seed}, {name}, turned by {angle}: {hit:?}\n{}", text());
            }
        }
    }
}
