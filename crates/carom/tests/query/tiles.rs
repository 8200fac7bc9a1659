//! Tile maps: kinds of tiles (S6), positions and cells (T1), and no ghost collisions on the edges between tiles
//! (R8). The cost of queries on huge maps (T2) is tested beside the source, where it can be counted.

use core::f32::consts::{FRAC_PI_2, FRAC_PI_4};

use carom::prelude::*;

/// The up direction of a screen on which y points down.
const UP: [f32; 2] = [0.0, -1.0];

fn legend() -> [(char, TileKind); 7] {
    [
        ('#', TileKind::SOLID),
        ('-', TileKind::one_way(UP)),
        ('/', TileKind::slope(0.0, 1.0, UP)),
        ('\\', TileKind::slope(1.0, 0.0, UP)),
        ('l', TileKind::slope(0.0, 0.5, UP)),
        ('h', TileKind::slope(0.5, 1.0, UP)),
        ('o', TileKind::convex(&[[0.5, 0.0], [1.0, 0.5], [0.5, 1.0], [0.0, 0.5]]).with_data(9)),
    ]
}

fn level(rows: &[&str]) -> TileMap {
    TileMap::from_rows([0.0, 0.0], [10.0, 10.0], rows, &legend())
}

#[test]
fn s6_tiles_are_empty_solid_slopes_platforms_or_custom() {
    let map = level(&["..o.", "lh/-", "####"]);
    let inside = |x: f32, y: f32| map.contains(&Point::new([x, y]));
    assert!(inside(5.0, 25.0) && !inside(5.0, 5.0));
    assert!(inside(9.0, 15.6) && !inside(9.0, 15.4)); // the gentle slope is half a tile high here
    assert!(inside(19.0, 10.6) && !inside(19.0, 10.4));
    assert!(inside(25.0, 15.0) && !inside(25.0, 14.9));
    assert!(inside(25.0, 0.0) && inside(22.5, 2.5) && !inside(22.4, 2.4));
    assert_eq!(map.kind([2, 0]).data(), 9);
    assert_eq!(map.area(), 50.0 + 25.0 + 75.0 + 50.0 + 400.0);
    assert_eq!(map.bounds(), Aabb::new([0.0, 0.0], [40.0, 30.0]));
    // A falling ball lands on each of them.
    let lands = |x: f32| {
        let ball = Circle::new([x, -20.0], 1.0);
        let hit = ball.sweep([0.0, 100.0], &map).unwrap();
        (map.tile_at_hit(hit.point, hit.normal).unwrap(), hit.point.y)
    };
    let near = |a: f32, b: f32| (a - b).abs() < 1e-4;
    assert!(lands(5.0).0 == Cell::new(0, 1) && lands(15.0).0 == Cell::new(1, 1));
    assert!(lands(25.0) == (Cell::new(2, 0), 0.0));
    assert!(lands(35.0).0 == Cell::new(3, 1) && near(lands(35.0).1, 10.0));
}

#[test]
fn s6_a_one_way_tile_blocks_only_shapes_that_fall_on_it() {
    let map = level(&["....", ".--.", "...."]);
    let hero = Aabb::new([12.0, -5.0], [18.0, 5.0]);
    let hit = hero.sweep([3.0, 20.0], &map).unwrap();
    assert_eq!((hit.time, hit.normal), (0.25, Vec2::new(0.0, -1.0)));
    assert_eq!(map.tile_at_hit(hit.point, hit.normal).unwrap().row, 1);
    let below = hero.translated([0.0, 20.0]);
    assert_eq!(below.sweep([3.0, -30.0], &map), None); // up through it
    let beside = Aabb::new([0.0, 8.0], [5.0, 12.0]);
    assert_eq!(beside.sweep([35.0, 0.0], &map), None); // across it
    let standing = hero.translated([0.0, 5.0]);
    assert_eq!(standing.sweep([20.0, 0.0], &map), None); // along it
    assert!(standing.sweep([20.0, 0.1], &map).is_some());
    let ray = |y: f32, way: f32| map.raycast(&Ray::new([15.0, y], [0.0, way], 50.0));
    assert_eq!(ray(-5.0, 1.0).unwrap().distance, 15.0);
    assert_eq!(ray(25.0, -1.0), None);
    // For all other queries it is a line.
    let across = Aabb::new([12.0, 5.0], [18.0, 15.0]);
    assert!(across.overlaps(&map) && standing.intersects(&map) && !standing.overlaps(&map));
    // The up direction rotates with the map.
    let turned = map.rotated(FRAC_PI_2, [0.0, 0.0]);
    let ball = |x: f32, way: f32| Circle::new([x, 15.0], 1.0).sweep([way, 0.0], &turned);
    assert!((ball(5.0, -30.0).unwrap().time * 30.0 - 14.0).abs() < 1e-5);
    assert_eq!(ball(-30.0, 50.0), None);
    let platform = turned.tiles().next().and_then(|cell| turned.tile_shape(cell)).unwrap();
    assert_eq!(platform.kind(), "Segment");
}

#[test]
fn a_one_way_tile_contains_only_shapes_on_its_segment() {
    let map = level(&["....", ".--.", "...#"]);
    for pose in [Pose::IDENTITY, Pose::new([3.0, -7.0], 0.7)] {
        let placed = map.transformed(&pose);
        let contains = |shape: Shape| placed.contains(&shape.transformed(&pose));
        // A map of one-way tiles has no area, so it contains no area that a platform crosses.
        assert!(!contains(Aabb::new([12.0, 5.0], [18.0, 15.0]).into()));
        assert!(!contains(Circle::new([20.0, 10.0], 2.0).into()));
        assert!(!contains(Aabb::new([12.0, 11.0], [18.0, 15.0]).into())); // within the tile
        assert!(!contains(Segment::new([15.0, 5.0], [15.0, 15.0]).into()));
        assert!(!contains(Point::new([15.0, 15.0]).into()));
        // A platform and a solid tile that touch at a corner contain no area across both.
        assert!(contains(Aabb::new([31.0, 21.0], [39.0, 29.0]).into()));
        assert!(!contains(Aabb::new([25.0, 5.0], [35.0, 25.0]).into()));
    }
    let contains = |shape: Shape| map.contains(&shape);
    assert!(contains(Segment::new([10.0, 10.0], [30.0, 10.0]).into())); // along both
    assert!(!contains(Segment::new([10.0, 10.0], [30.5, 10.0]).into()));
    assert!(contains(Point::new([15.0, 10.0]).into()));
    assert_eq!(map.area(), 100.0);
    assert!(map.contains(&map));
}

#[test]
fn t1_positions_convert_to_cells_and_back() {
    let map = TileMap::new([5.0, -3.0], [16.0, 8.0], [10, 20]);
    assert_eq!(map.cell_at([5.0, -3.0]), Some(Cell::new(0, 0)));
    assert_eq!(map.cell_at([21.0, 5.0]), Some(Cell::new(1, 1)));
    assert_eq!(map.cell_at([20.9, 4.9]), Some(Cell::new(0, 0)));
    assert_eq!(map.cell_at([165.0, 157.0]), Some(Cell::new(9, 19))); // its far corner
    assert_eq!((map.cell_at([4.9, 0.0]), map.cell_at([166.0, 0.0])), (None, None));
    let corners = map.cell_corners([1, 2]);
    assert_eq!((corners[0], corners[2]), (Vec2::new(21.0, 13.0), Vec2::new(37.0, 21.0)));
    for pose in [Pose::IDENTITY, Pose::new([7.0, 8.0], 1.0).with_scale(0.3)] {
        let map = map.transformed(&pose);
        for cell in (0..20).flat_map(|y| (0..10).map(move |x| Cell::new(x, y))) {
            assert_eq!(map.cell_at(map.cell_center(cell)), Some(cell));
        }
    }
}

#[test]
fn t1_the_cells_under_a_shape_are_those_it_touches() {
    let map = TileMap::new([0.0, 0.0], [1.0, 1.0], [12, 12]);
    let shapes: [Shape; 6] = [
        Aabb::new([1.5, 1.5], [7.0, 3.5]).into(), // larger than a tile, and flush
        Circle::new([6.0, 6.0], 3.0).into(),
        Segment::new([0.5, 11.5], [11.5, 0.25]).into(),
        Capsule::new([2.0, 2.0], [9.0, 5.0], 1.25).into(),
        Obb::new([6.0, 6.0], [5.0, 0.5], 0.7).into(),
        Point::new([3.0, 3.0]).into(),
    ];
    for pose in [Pose::IDENTITY, Pose::rotation_about([6.0, 6.0], 0.4)] {
        let map = map.transformed(&pose);
        for shape in &shapes {
            let all = (0..12).flat_map(|y| (0..12).map(move |x| Cell::new(x, y)));
            let touches =
                |&cell: &Cell| ConvexPolygon::new(&map.cell_corners(cell)).intersects(shape);
            let expected: Vec<Cell> = all.filter(touches).collect();
            assert_eq!(map.cells_under(shape), expected, "{shape:?}");
        }
    }
    assert_eq!(map.cells_under(&shapes[5]).len(), 4);
}

#[test]
fn t1_the_cells_along_a_sweep_are_those_the_shape_touches() {
    let map = TileMap::new([0.0, 0.0], [1.0, 1.0], [20, 20]);
    for (shape, motion) in [
        (Shape::from(Circle::new([2.0, 3.0], 1.5)), Vec2::new(12.0, 9.0)),
        (Aabb::new([10.25, 10.25], [13.75, 12.5]).into(), Vec2::new(-8.0, 5.0)),
        (Obb::new([4.0, 15.0], [2.0, 0.25], 0.5).into(), Vec2::new(3.0, -12.0)),
    ] {
        let found = map.cells_swept(&shape, motion);
        for cell in (0..20).flat_map(|y| (0..20).map(move |x| Cell::new(x, y))) {
            let corners = map.cell_corners(cell);
            let tile = Aabb::new(corners[0], corners[2]);
            let touched = tile.intersects(&shape) || shape.sweep(motion, &tile).is_some();
            assert!(found.contains(&cell) || !touched, "{shape:?} misses {cell:?}");
            // Cells that it only comes close to are not included.
            let far = (0..=200)
                .all(|i| shape.translated(motion * (i as f32 / 200.0)).distance(&tile) > 0.1);
            assert!(!(far && found.contains(&cell)), "{shape:?} does not touch {cell:?}");
        }
    }
}

#[test]
fn t1_the_cells_along_a_ray_come_in_order() {
    let map = TileMap::new([0.0, 0.0], [1.0, 1.0], [8, 8]);
    let along = |from: [f32; 2], way: [f32; 2], max: f32| {
        let cells = map.cells_along(&Ray::new(from, way, max));
        cells.into_iter().map(|cell| [cell.column, cell.row]).collect::<Vec<_>>()
    };
    assert_eq!(along([0.5, 0.5], [1.0, 0.0], 2.0), [[0, 0], [1, 0], [2, 0]]);
    assert_eq!(along([2.5, 0.5], [-1.0, 0.0], 2.0), [[2, 0], [1, 0], [0, 0]]);
    assert_eq!(along([-9.0, 7.5], [1.0, 0.0], 10.5), [[0, 7], [1, 7]]);
    assert_eq!(along([0.5, 0.25], [0.5, 1.0], 2.0).first(), Some(&[0, 0]));
    assert_eq!(along([0.5, 2.5], [0.0, -1.0], 99.0), [[0, 2], [0, 1], [0, 0]]);
    assert!(along([9.0, 9.0], [1.0, 1.0], 99.0).is_empty());
    let turned = map.rotated(FRAC_PI_4, [0.0, 0.0]);
    let cells = turned.cells_along(&Ray::new([0.0, 0.1], [0.0, 1.0], 99.0));
    assert!(cells.contains(&Cell::new(7, 7)) && cells[0] == Cell::new(0, 0));
    assert_eq!(along([0.5, 0.5], [1.0, 1.0], 99.0).len(), 8 + 2 * 7); // corners touch two more each
}

/// Returns shapes around the origin, none wider or higher than 3.
fn movers() -> Vec<Shape> {
    let hexagon = [[-1.0, 0.0], [-0.5, -0.75], [0.5, -0.75], [1.0, 0.0], [0.5, 0.75], [-0.5, 0.75]];
    let dart = [[-0.6, -0.7], [0.0, -0.3], [0.6, -0.7], [0.0, 0.9]];
    vec![
        Aabb::new([-0.5, -0.7], [0.5, 0.7]).into(),
        Aabb::new([-1.4, -1.3], [1.4, 1.3]).into(), // larger than a tile
        Circle::new([0.0, 0.0], 0.45).into(),
        Capsule::new([0.0, -0.4], [0.0, 0.4], 0.3).into(),
        Capsule::new([-0.4, 0.0], [0.4, 0.0], 0.3).into(),
        Obb::new([0.0, 0.0], [0.4, 0.4], FRAC_PI_4).into(),
        ConvexPolygon::new(&hexagon).into(),
        ConvexPolygon::rounded(&hexagon, 0.1).into(),
        Polygon::new(&dart).into(),
        Compound::new([
            Shape::from(Aabb::new([-0.4, -0.5], [0.4, 0.5])),
            Circle::new([0.0, 0.4], 0.35).into(),
        ])
        .into(),
        TileMap::from_rows([-1.0, -1.0], [1.0, 1.0], &["##", "#."], &legend()).into(),
    ]
}

/// Returns a floor of two rows with the given origin and tile size; y points up. It is wider than a storage block.
fn floor(origin: [f32; 2], size: f32) -> TileMap {
    let row = "#".repeat(40);
    TileMap::from_rows(origin, [size, size], &[&row, &row], &legend())
}

/// Returns a wall: `floor` with x and y swapped.
fn wall(origin: [f32; 2], size: f32) -> TileMap {
    TileMap::from_rows(origin, [size, size], &["##"; 40], &legend())
}

const SIZES: [f32; 5] = [1.0, 16.0, 0.1, 0.3, 1.0 / 3.0];
const ORIGINS: [[f32; 2]; 4] = [[0.0, 0.0], [-3.7, 2.9], [100.1, -57.3], [4096.0, 333.33]];

/// Calls `test` with a shape that touches a map, the map, the direction into it, and a motion along it.
fn sliders(check: &mut dyn FnMut(&Shape, &TileMap, Vec2, Vec2)) {
    for size in SIZES {
        for origin in ORIGINS {
            for mover in movers() {
                let mover = mover.scaled(size * 0.9, [0.0, 0.0]);
                for (map, into) in [
                    (floor(origin, size), -Vec2::Y),
                    (floor(origin, size), Vec2::Y),
                    (wall(origin, size), Vec2::X),
                    (wall(origin, size), -Vec2::X),
                ] {
                    let along = into.perp() * size;
                    let far = (map.bounds().center() - into * size * 6.0) - along * 17.3;
                    for step in 0..5 {
                        let mover = mover.translated(far + along * (step as f32 * 4.37));
                        let motion = into * size * 9.0;
                        let hit = mover.sweep(motion, &map).expect("it falls onto the map");
                        check(&mover.translated(motion * hit.time), &map, into, along);
                    }
                }
            }
        }
    }
}

#[test]
fn r8_sliding_over_flush_tiles_hits_nothing() {
    sliders(&mut |mover, map, _, along| {
        for way in [along, -along, along * 0.01, along * 9.7, -along * 2.5] {
            assert_eq!(mover.sweep(way, map), None, "{mover:?} {way}");
        }
    });
}

#[test]
fn r8_oblique_sweeps_hit_the_surface_and_never_an_internal_edge() {
    sliders(&mut |mover, map, into, along| {
        for way in [along, -along, along * 0.1, along * 5.3, -along * 3.0] {
            for depth in [0.05, 0.1, 2.0] {
                let motion = way + into * along.length() * depth;
                let hit = mover.sweep(motion, map).expect("it goes in");
                let off = hit.normal.dot(-into);
                assert!(off > 1.0 - 1e-6, "{mover:?} {motion}: {hit:?}");
                let tile = map.tile_at_hit(hit.point, hit.normal).expect("the hit names its tile");
                assert!(!map.kind(tile).is_empty());
                // It stops without overlap, and can slide on from there.
                let there = mover.translated(motion * hit.time);
                assert!(!there.overlaps(map));
                assert_eq!(there.sweep(way, map), None, "{mover:?} {motion}");
            }
        }
    });
}

#[test]
fn r8_pushes_out_of_tiles_are_perpendicular_to_the_surface() {
    sliders(&mut |mover, map, into, along| {
        let sunk = mover.translated(into * along.length() * 0.2);
        let contact = sunk.contact(map).expect("it has sunk in");
        assert!(contact.normal.dot(-into) > 1.0 - 1e-6, "{sunk:?}: {contact:?}");
        let out = sunk.translated(contact.push);
        assert!(!out.overlaps(map));
        for way in [along * 3.3, -along] {
            assert_eq!(out.sweep(way, map), None, "{out:?} {way}");
        }
    });
}

#[test]
fn r8_a_touch_has_the_normal_of_the_surface() {
    let map = level(&["....", "l/#\\", "####"]);
    for x in [0.0, 2.5, 5.0, 10.0, 12.5, 20.0] {
        let hero = Aabb::new([20.0 - x, 0.0], [30.0 - x, 10.0]);
        let contact = hero.contact(&map);
        if let Some(contact) = contact {
            assert_eq!((contact.depth, contact.normal), (0.0, Vec2::new(0.0, -1.0)), "{x}");
        }
    }
}

#[test]
fn tile_maps_intersect_tile_maps() {
    let ground = level(&["....", "....", "####"]);
    let ship = TileMap::from_rows([3.0, 0.0], [5.0, 5.0], &["##.", ".##"], &legend());
    assert!(!ship.intersects(&ground));
    assert_eq!(ship.distance(&ground), 10.0);
    let hit = ship.sweep([1.0, 40.0], &ground).unwrap();
    assert_eq!((hit.time, hit.normal), (0.25, Vec2::new(0.0, -1.0)));
    let landed = ship.translated([0.25, 10.0]);
    assert!(landed.intersects(&ground) && !landed.overlaps(&ground));
    let sunk = landed.translated([0.0, 2.0]);
    assert_eq!(sunk.contact(&ground).unwrap().push, Vec2::new(0.0, -2.0));
    assert_eq!(ground.contact(&sunk).unwrap().push, Vec2::new(0.0, 2.0));
    assert_eq!(landed.sweep([20.0, 0.0], &ground), None);
    assert!(!ground.contains(&landed));
    assert!(ground.contains(&TileMap::from_rows(
        [3.0, 21.0],
        [2.0, 2.0],
        &["##", "#."],
        &legend()
    )));
}
