//! Random rooms full of obstacles, for bodies to move in.

use carom::prelude::*;

use super::random_game::any_shape;
use super::rng::Rng;

/// Returns a shape of any kind around the origin, usually with grid coordinates, so that exact touching is
/// common.
pub fn any_solid(rng: &mut Rng) -> Shape {
    let step = |rng: &mut Rng| 0.25 * rng.between(1, 6) as f32;
    match rng.below(7) {
        4 => Mask::from_rows([-1.0, -1.0], 0.25, &[".##..", "#####", "##.##", "#..#."]).into(),
        0 => Ellipse::new([0.0, 0.0], [step(rng), step(rng)], rng.signed()).into(),
        1 => Triangle::new([-step(rng), 0.0], [step(rng), 0.0], [0.0, step(rng)]).into(),
        2 => {
            let (x, y) = (step(rng), step(rng));
            let points = [[0.0, 0.0], [3.0, 0.0], [3.0, 2.0], [2.0, 2.0], [1.5, 0.5], [0.0, 2.0]];
            Polygon::new(&points.map(|[u, v]| [(u - 1.5) * x, (v - 1.0) * y])).into()
        }
        3 => {
            let rows = ["##.", "#/#", "..#"];
            let kinds = [('#', TileKind::SOLID), ('/', TileKind::slope(0.0, 1.0, [0.0, 1.0]))];
            let map = TileMap::from_rows([-1.5, -1.5], [step(rng), step(rng)], &rows, &kinds);
            map.into()
        }
        _ => any_shape(rng),
    }
}

/// Returns an obstacle: a solid shape, or one with edges that block from one side only.
pub fn any_obstacle(rng: &mut Rng) -> Shape {
    match rng.below(8) {
        0 => {
            let up = rng.pick(&[Vec2::Y, -Vec2::Y, Vec2::X, -Vec2::X]);
            let mut map = TileMap::new([-1.5, -1.5], [0.75, 0.5], [4, 4]);
            let kinds = [TileKind::one_way(up), TileKind::slope(0.0, 1.0, [0.0, 1.0])];
            let [platform, slope] = kinds.map(|kind| map.add_kind(kind));
            let kinds = [TileMap::EMPTY, TileMap::EMPTY, platform, platform, TileMap::SOLID, slope];
            for cell in (0..4).flat_map(|y| (0..4).map(move |x| [x, y])) {
                map.set(cell, rng.pick(&kinds));
            }
            map.into()
        }
        1 => {
            let points =
                [0.0, 1.0, 2.0, 3.0].map(|x| Vec2::new(x - 1.5, 0.0) + any_place(rng, 0.5));
            Chain::new(&points).one_sided().into()
        }
        _ => any_solid(rng),
    }
}

/// Returns the part of a shape that blocks from all sides.
fn solid_part(shape: Shape) -> Option<Shape> {
    match shape {
        Shape::Chain(chain) if chain.is_one_sided() => None,
        Shape::TileMap(mut map) => {
            let platforms: Vec<Cell> =
                map.tiles().filter(|cell| map.kind(*cell).is_one_way()).collect();
            for cell in platforms {
                map.set(cell, TileMap::EMPTY);
            }
            map.tiles().next()?;
            Some(map.into())
        }
        shape => Some(shape),
    }
}

/// Returns the segments of a shape that block from their left only.
pub fn fronts(shape: &Shape) -> Vec<Segment> {
    match shape {
        Shape::Chain(chain) if chain.is_one_sided() => {
            chain.segments().filter_map(|(a, b)| Segment::try_new(a, b).ok()).collect()
        }
        Shape::TileMap(map) => {
            let front = |cell: Cell| {
                let [low, right, far, up] = map.cell_corners(cell);
                let place = |corner: Vec2| match corner.to_array() {
                    [0.0, 0.0] => low,
                    [_, 0.0] => right,
                    [0.0, _] => up,
                    _ => far,
                };
                let kind = map.kind(cell);
                let ends = kind.points().get(..2).filter(|_| kind.is_one_way())?;
                Segment::try_new(place(ends[0]), place(ends[1])).ok()
            };
            map.tiles().filter_map(front).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns a position, often on a grid.
pub fn any_place(rng: &mut Rng, reach: f32) -> Vec2 {
    let place = Vec2::new(rng.signed(), rng.signed()) * reach;
    if rng.one_in(3) { place } else { (place * 4.0).round() / 4.0 }
}

/// Returns a pose that is often not rotated and seldom scaled.
pub fn any_pose(rng: &mut Rng, reach: f32) -> Pose {
    let angle = if rng.one_in(2) { 0.0 } else { rng.signed() * 3.0 };
    let pose = Pose::new(any_place(rng, reach), angle);
    if rng.one_in(4) { pose.with_scale(0.3 + rng.signed().abs()) } else { pose }
}

/// Returns a world of fixed obstacles, sparse or dense, near the origin or far away, and one body among them.
pub fn any_room(rng: &mut Rng) -> (World, BodyKey) {
    let mut world = World::new();
    let far = if rng.one_in(4) { Vec2::new(1000.0, -3000.0) } else { Vec2::ZERO };
    let moved = |pose: Pose| Pose { position: pose.position + far, ..pose };
    for _ in 0..4 + rng.below(20) {
        let pose = moved(any_pose(rng, 8.0));
        let body = world.add_body(Body::fixed([0.0, 0.0]).with_pose(pose)).unwrap();
        let collider = Collider::new(any_obstacle(rng));
        let up = any_place(rng, 1.0);
        let is_platform = rng.one_in(8);
        world
            .add_collider(body, if is_platform { collider.one_way(up) } else { collider })
            .unwrap();
    }
    let pose = moved(any_pose(rng, 8.0));
    let body = world.add_body(Body::moving([0.0, 0.0]).with_pose(pose)).unwrap();
    for _ in 0..1 + rng.below(3) / 2 {
        world.add_collider(body, Collider::new(any_solid(rng))).unwrap();
    }
    (world, body)
}

/// Returns a motion of a thousandth to a hundred thousand units, often along an axis.
pub fn any_motion(rng: &mut Rng) -> Vec2 {
    let long = 10f32.powi(rng.between(-3, 5) as i32) * (0.1 + rng.signed().abs());
    let way = Vec2::new(rng.signed(), rng.signed());
    let way = if rng.one_in(2) {
        way
    } else {
        rng.pick(&[Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y, Vec2::new(1.0, 1.0), Vec2::new(-2.0, 1.0)])
    };
    if rng.one_in(2) { way * long } else { way * rng.pick(&[0.25, 0.5, 1.0, 3.0]) }
}

/// Returns random walker settings.
pub fn any_walker(rng: &mut Rng) -> Walker {
    let mut walker = Walker::new().up(rng.pick(&[Vec2::Y, -Vec2::Y, Vec2::X, Vec2::new(0.6, 0.8)]));
    walker.max_slope_angle = rng.pick(&[0.3, 0.8, 0.8, 1.2]);
    walker.snap_distance = rng.pick(&[0.0, 0.1, 0.5]);
    walker.max_step_height = rng.pick(&[0.0, 0.3, 1.0]);
    walker.corner_correction = rng.pick(&[0.0, 0.3]);
    walker.pixel_size = rng.pick(&[0.0, 0.0, 0.25]);
    walker.constant_speed = rng.one_in(2);
    walker
}

/// Returns the colliders that a body overlaps, except one-way ones, which it may pass.
pub fn overlapped(world: &World, body: BodyKey) -> Vec<ColliderKey> {
    let own: Vec<_> = world.colliders_of(body).filter_map(|key| world.collider(key)).collect();
    let others =
        world.colliders().filter(|other| other.body_key() != body && other.one_way().is_none());
    let overlapped = others.filter(|other| {
        let solid = solid_part(other.placed().to_shape());
        solid.is_some_and(|solid| own.iter().any(|own| own.placed().overlaps(&solid)))
    });
    overlapped.map(|other| other.key()).collect()
}
