use ::core::ops::ControlFlow;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::kind_ids::KindIds;
use crate::error::ShapeError;
use crate::prelude::*;
use crate::shape::convex::ConvexBuffer;
use crate::shape::grid::{CellCover, CellGrid, Step};
use crate::shape::parts::QueryRegion;

fn solid(rows: &[&str]) -> TileMap {
    TileMap::from_rows([0.0, 0.0], [1.0, 1.0], rows, &[('#', TileKind::SOLID)])
}

/// Returns the number of cells and of parts of a map that a query for a moving shape visits.
fn count_visited(map: &TileMap, shape: &impl AsShape, motion: [f32; 2]) -> (u32, u32) {
    let mut buffer = ConvexBuffer::new();
    let convex = shape.as_shape().convex_or_empty(&mut buffer);
    let path = Vec2::from(motion).as_dvec2();
    let near = QueryRegion::of_convex(&convex).swept(Vec2::ZERO.as_dvec2(), path);
    let grid = &map.grid;
    let region = CellCover::new(
        &map.placement().transform,
        &near,
        grid.used_columns.clone(),
        grid.used_rows.clone(),
    );
    let cells = region.rows.clone().map(|row| region.columns_in(row).len() as u32).sum();
    let mut parts = 0;
    let _ = map.visit_parts_in::<()>(&near, &mut |_| {
        parts += 1;
        ControlFlow::Continue(())
    });
    (cells, parts)
}

/// Returns a map of 10,000 by 10,000 cells: a floor, a wall on the right, and steps between them.
fn large_map() -> TileMap {
    let mut map = TileMap::new([0.0, 0.0], [1.0, 1.0], [10_000, 10_000]);
    for i in 0..10_000 {
        map.set([i, 0], TileMap::SOLID);
        map.set([9_999, i], TileMap::SOLID);
        map.set([i, i], TileMap::SOLID);
    }
    map
}

#[test]
fn t2_a_large_map_takes_ten_bits_per_cell_and_queries_cost_only_nearby_tiles() {
    let map = large_map();
    assert!(matches!(&map.grid.kind_ids, KindIds::Bytes(bytes) if bytes.len() == 100_000_000));
    // 157 blocks of 64 cells for the 10,000 of a row.
    assert_eq!(size_of_val(&map.grid.blocks[..]), 10_000 * 157 * 2 * 8);
    let hero = Aabb::new([5000.2, 5000.2], [5001.1, 5002.1]);
    let (cells, parts) = count_visited(&map, &hero, [0.0, 0.0]);
    assert_eq!((cells, parts), (6, 2));
    let long = Segment::new([10.0, 9000.0], [9000.0, 20.0]);
    let (cells, parts) = count_visited(&map, &long, [0.0, 0.0]);
    assert!(cells < 30_000 && parts <= 5, "{cells} cells, {parts} parts");
    let bullet = Circle::new([100.0, 9900.5], 0.1);
    let (cells, _) = count_visited(&map, &bullet, [9_000.0, -3_000.0]);
    assert!(cells < 20_000, "{cells} cells");

    // Queries return at once, too.
    assert!(map.overlaps(&hero) && map.intersects(&long));
    let all = Aabb::new([-1.0, -1.0], [1e4, 1e4]);
    assert!(map.overlaps(&all) && map.intersects(&all));
    let hit = bullet.sweep([1e6, 0.0], &map).unwrap();
    assert_eq!(map.tile_at_hit(hit.point, hit.normal), Some(Cell::new(9900, 9900)));
    assert_eq!(map.distance(&Circle::new([5000.5, 300.0], 99.0)), 200.0);
    let copy = map.transformed(&Pose::new([3.0, 4.0], 0.5));
    assert!(alloc::sync::Arc::ptr_eq(&copy.grid, &map.grid));
}

#[test]
fn t2_rays_visit_only_the_tiles_up_to_the_first_hit() {
    let map = large_map();
    let ray = Ray::new([0.5, 9000.25], [3.0, -1.0], 1e9);
    let mut steps = 0;
    let ((columns, rows), frame) = (map.used(), &map.placement().transform);
    let (origin, along) = (ray.line.origin, ray.line.direction);
    let _ = frame.visit_cells_along::<()>(origin, along, columns, rows, &mut |step| {
        steps += u32::from(matches!(step, Step::Cell(_)));
        ControlFlow::Continue(())
    });
    assert!(steps < 30_000, "{steps} cells all the direction");
    let hit = map.raycast(&ray).unwrap();
    assert_eq!(map.tile_at_hit(hit.point, hit.normal), Some(Cell::new(6750, 6750)));
    assert_eq!(map.raycast(&Ray::new([0.5, 9000.25], [1.0, 0.0], 100.0)), None);
}

#[test]
fn t2_editing_changes_one_tile_and_the_bounds_follow() {
    let mut map = TileMap::new([10.0, 20.0], [2.0, 1.0], [100, 100]);
    assert_eq!(map.tiles().next(), None);
    map.set([3, 4], TileMap::SOLID);
    map.set([7, 90], TileMap::SOLID);
    assert_eq!(map.bounds(), Aabb::new([16.0, 24.0], [26.0, 111.0]));
    let before = map.clone();
    assert_eq!(map.set([7, 90], TileMap::EMPTY), TileMap::SOLID);
    assert_eq!(map.bounds(), Aabb::new([16.0, 24.0], [18.0, 25.0]));
    assert_eq!(before.bounds().max().y, 111.0); // the copy has its own cells now
    let ice = map.add_kind(TileKind::SOLID.with_data(7));
    map.set([3, 4], ice);
    assert_eq!((map.get([3, 4]), map.kind([3, 4]).data()), (ice, 7));
    assert_eq!(map.add_kind(TileKind::SOLID.with_data(7)), ice);
    assert_eq!(map.get([100, 4]), TileMap::EMPTY);
    map.set([3, 4], TileMap::EMPTY);
    assert_eq!(map.tiles().next(), None);
}

#[test]
fn an_empty_map_intersects_nothing_and_supports_every_query() {
    let (map, ball) = (TileMap::new([5.0, 6.0], [1.0, 1.0], [4, 4]), Circle::new([6.0, 7.0], 1.0));
    assert!(!map.intersects(&ball) && !ball.overlaps(&map));
    assert_eq!((map.contact(&ball), ball.sweep([9.0, 0.0], &map)), (None, None));
    assert_eq!(map.raycast(&Ray::new([0.0, 6.5], [1.0, 0.0], 99.0)), None);
    assert_eq!(map.distance(&ball), f32::INFINITY);
    assert_eq!(ball.outline_distance(&map), f32::INFINITY);
    assert!(!map.contains(&ball) && !map.outline_intersects(&ball));
    assert_eq!((map.area(), map.centroid()), (0.0, Vec2::new(5.0, 6.0)));
    assert_eq!(map.bounds().size(), Vec2::ZERO);
    assert_eq!(map.grown(1.0), Err(ShapeError::ShrunkToNothing { margin: -1.0 }));
}

#[test]
fn adjacent_tiles_share_their_corners_to_the_bit_at_any_pose() {
    let map = solid(&["####", "####", "####"]);
    let tiny = TileMap::new([0.0, 0.0], [0.1, 0.3], [4, 3]);
    for map in [map, tiny] {
        for pose in [
            Pose::from_translation([0.1, 0.7]),
            Pose::from_translation([1e6, -3e7]),
            Pose::new([1e3, 7.0], 0.3).with_scale(0.7),
            Pose::new([-5e5, 7.0], 2.0).with_scale(1e-3),
        ] {
            let map = map.transformed(&pose);
            for cell in (0..2).flat_map(|y| (0..3).map(move |x| Cell::new(x, y))) {
                let [_, b, c, d] = map.cell_corners(cell);
                let right = map.cell_corners([cell.column + 1, cell.row]);
                let above = map.cell_corners([cell.column, cell.row + 1]);
                assert_eq!(([b, c], [d, c]), ([right[0], right[3]], [above[0], above[1]]));
            }
        }
    }
}

#[test]
fn adjacent_full_tiles_form_one_part_and_other_tiles_one_each() {
    let slope = TileKind::slope(0.0, 1.0, [0.0, 1.0]);
    let rows = ["####################", "#..#/###"];
    let rows = [rows[0], &alloc::format!("{}............", rows[1])];
    let map =
        TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &rows, &[('#', TileKind::SOLID), ('/', slope)]);
    let count = |map: &TileMap| {
        let mut parts = 0;
        map.as_shape().for_each_part(&mut |_| parts += 1);
        parts
    };
    assert_eq!(count(&map), 2 + 4); // blocks of 16 columns
    assert_eq!(count(&map.rotated(0.5, [0.0, 0.0])), 26);
    assert_eq!(count(&map.rotated(::core::f32::consts::FRAC_PI_2, [0.0, 0.0])), 6);
    assert_eq!(map.area(), 25.5);
}

#[test]
fn edges_between_flush_tiles_are_internal() {
    let map = solid(&["##", "##"]);
    let internal_edge = Segment::new([1.0, 0.25], [1.0, 1.75]);
    assert!(
        map.overlaps(&internal_edge)
            && map.contains(&internal_edge)
            && !map.outline_intersects(&internal_edge)
    );
    assert!(map.overlaps(&Point::new([1.0, 1.0])));
    assert!(map.contains(&Circle::new([1.0, 1.0], 1.0)));
    assert!(!map.contains(&Circle::new([1.0, 1.0], 1.001)));
    assert_eq!(map.outline_distance(&Point::new([1.0, 1.0])), 1.0);
    let ray = Ray::new([-1.0, 1.0], [1.0, 0.0], 9.0);
    let hits = map.raycast_all(&ray);
    assert_eq!((hits.len(), hits[0].distance, hits[0].exit), (1, 1.0, 3.0));
    assert_eq!(hits[0].normal, Vec2::new(-1.0, 0.0));
    let deep = Aabb::new([0.75, 1.5], [1.25, 3.0]).contact(&map).unwrap();
    assert_eq!((deep.push, deep.normal), (Vec2::new(0.0, 0.5), Vec2::Y));
}

#[test]
fn sides_that_no_neighbor_covers_belong_to_the_outline() {
    let low = TileKind::slope(0.0, 0.5, [0.0, 1.0]);
    let legend = [('#', TileKind::SOLID), ('/', low)];
    let map = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &["/#"], &legend);
    let mut edges: Vec<(Vec2, Vec2)> = Vec::new();
    let corners = map.bounds().corners();
    let _ = map.visit_outline::<()>(&QueryRegion::of_corners(&corners), &mut |a, b| {
        edges.push((a, b));
        ControlFlow::Continue(())
    });
    let up = (Vec2::new(1.0, 1.0), Vec2::new(1.0, 0.5));
    assert!(edges.contains(&up), "{edges:?}");
    assert_eq!(edges.len(), 6);
    assert!(!map.outline_intersects(&Segment::new([1.0, 0.1], [1.0, 0.4])));
    assert!(map.outline_intersects(&Point::new([1.0, 0.75])));
}

#[test]
fn growing_rounds_the_corners_and_shrinking_opens_no_gap_between_tiles() {
    let slope = TileKind::slope(1.0, 0.0, [0.0, 1.0]);
    let legend = [('#', TileKind::SOLID), ('\\', slope), ('-', TileKind::one_way([0.0, 1.0]))];
    let rows = ["####", "#.##", "##\\-", "...#"];
    let map = TileMap::from_rows([0.0, 0.0], [4.0, 4.0], &rows, &legend);
    let small = map.grown(-1.0).unwrap();
    assert!(small.contains(&Segment::new([1.5, 2.0], [14.5, 2.0])));
    assert!(!small.overlaps(&Aabb::new([3.0, 3.0], [9.0, 9.0]))); // the hole has grown
    assert!(!small.intersects(&Point::new([14.0, 12.0]))); // the platform is gone
    let Shape::Compound(pieces) = &small else {
        panic!("shrinking separates the tile at the corner")
    };
    assert_eq!(pieces.parts().len(), 2);
    for angle in [0.0, 0.3] {
        let grown = map.rotated(angle, [0.0, 0.0]).grown(1.0).unwrap().rotated(-angle, [0.0, 0.0]);
        assert!(
            grown.overlaps(&Point::new([-0.9, 2.0])) && !grown.overlaps(&Point::new([-1.1, 2.0]))
        );
        assert!(!grown.overlaps(&Point::new([-0.8, -0.8])));
        assert!(grown.overlaps(&Point::new([14.0, 12.9]))); // the platform has width now
    }
    assert_eq!(map.grown(-9.0), Err(ShapeError::ShrunkToNothing { margin: 9.0 }));
    let diagonal = solid(&["#.", ".#"]).grown(-0.25).unwrap();
    assert!((diagonal.area() - 0.5).abs() < 1e-5);
}

#[test]
fn the_mirror_image_of_a_map_has_its_slopes_and_platforms_mirrored() {
    let slope = TileKind::slope(0.0, 1.0, [0.0, 1.0]);
    let legend = [('#', TileKind::SOLID), ('/', slope), ('-', TileKind::one_way([1.0, 0.0]))];
    let map = TileMap::from_rows([1.0, 0.3], [0.1, 1.0], &["#/.-", "#..-"], &legend);
    for (map, mirror) in [(map.clone(), Flip::X), (map.rotated(0.4, [0.0, 0.0]), Flip::Y)] {
        let image = map.flipped(mirror);
        assert_eq!(image.flipped(mirror), map);
        for cell in map.tiles() {
            assert_eq!(image.cell_corners(cell), map.cell_corners(cell).map(|p| mirror.apply(p)));
            let (tile, other) = (map.tile_shape(cell).unwrap(), image.tile_shape(cell).unwrap());
            assert!(tile.flipped(mirror).contains(&other) && other.contains(&tile.flipped(mirror)));
        }
        let middle = map.cell_center([3, 1]);
        for direction in [[1.0, 0.1], [-1.0, 0.2]] {
            let direction = Vec2::from(direction);
            let hit = map.raycast(&Ray::new(middle - direction * 0.5, direction, 1.0));
            let from = mirror.apply(middle - direction * 0.5);
            let mirrored = image.raycast(&Ray::new(from, mirror.apply(direction), 1.0));
            let point = |hit: Option<RayHit>| hit.map(|hit| hit.point);
            assert_eq!(point(hit).map(|p| mirror.apply(p)), point(mirrored));
        }
        assert!(
            (image.grown(-0.01).unwrap().area() - map.grown(-0.01).unwrap().area()).abs() < 1e-6
        );
    }
}

#[test]
fn cells_keep_their_kinds_in_a_map_of_more_than_256_kinds() {
    let mut map = TileMap::new([0.0, 0.0], [1.0, 1.0], [20, 20]);
    let cell = |number: u16| [u32::from(number) % 20, u32::from(number) / 20];
    for data in 2..400 {
        let number = map.add_kind(TileKind::SOLID.with_data(data));
        map.set(cell(number), number);
        let is_wide = matches!(map.grid.kind_ids, KindIds::Words(_));
        assert_eq!(is_wide, map.kinds().len() > 256);
    }
    for number in 2..400u16 {
        assert_eq!(map.get(cell(number)), number);
        assert_eq!(map.kind(cell(number)).data(), u32::from(number));
    }
}

#[test]
fn runs_of_full_tiles_agree_with_the_kinds() {
    let mut map = TileMap::new([0.0, 0.0], [1.0, 1.0], [150, 3]);
    let slope = map.add_kind(TileKind::slope(0.0, 1.0, [0.0, 1.0]));
    let mut state = 1u32;
    let mut roll = |n: u32| {
        state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        (state >> 16) % n
    };
    let (mut uncertain, mut runs) = (0, 0);
    for _ in 0..6000 {
        let (start, kind) = (roll(150), [0, 1, 1, 1, slope][roll(5) as usize]);
        let (row, length) = (roll(3), 1 + roll(90));
        for column in start..(start + length).min(150) {
            map.set([column, row], kind);
        }
        let (rows, columns) = (roll(3)..roll(4), roll(150)..roll(151));
        let cells: Vec<[u32; 2]> =
            rows.clone().flat_map(|row| columns.clone().map(move |column| [row, column])).collect();
        let mut found = Vec::new();
        let is_known =
            map.grid.visit_full(rows, &columns, |row, start, end| found.push([row, start, end]));
        let kind = |&[row, column]: &[u32; 2]| map.kind([column, row]);
        assert_eq!(is_known, cells.iter().all(|at| kind(at).is_empty() || kind(at).is_solid()));
        if !is_known {
            uncertain += 1;
            continue;
        }
        let full: Vec<_> = cells.into_iter().filter(|at| kind(at).is_solid()).collect();
        let expected: Vec<_> = full
            .chunk_by(|a, b| a[0] == b[0] && a[1] + 1 == b[1])
            .map(|run| [run[0][0], run[0][1], run[0][1] + run.len() as u32])
            .collect();
        assert_eq!(found, expected);
        runs += found.len();
    }
    assert!(uncertain > 100 && runs > 500, "{uncertain} {runs}");
}

#[test]
fn too_many_tiles_are_an_error_before_anything_is_allocated() {
    for [columns, rows] in [[u32::MAX, u32::MAX], [1 << 20, 1 << 20], [1 << 14, (1 << 14) + 1]] {
        let error = TileMap::try_new([0.0, 0.0], [1.0, 1.0], [columns, rows]).err();
        assert_eq!(error, Some(ShapeError::TooManyTiles { columns, rows }));
    }
    let error = ShapeError::TooManyTiles { columns: 1 << 20, rows: 1 << 20 }.to_string();
    assert_eq!(error, "1048576 by 1048576 tiles; a tile map has at most 268435456");
    for [width, height] in [[u32::MAX, u32::MAX], [Bitmap::MAX_SIDE + 1, 1]] {
        let error = Bitmap::try_new(width, height).err();
        assert_eq!(error, Some(ShapeError::TooManyPixels { width, height }));
    }
}
