//! The limits of shapes: shapes that are too large are refused with an error that names the value, and what is
//! allowed works.

use carom::prelude::*;

#[test]
fn a_tile_map_of_a_billion_cells_is_refused() {
    for size in [[40_000, 40_000], [u32::MAX, u32::MAX], [1, u32::MAX], [1 << 20, 1 << 20]] {
        let error = TileMap::try_new([0.0, 0.0], [1.0, 1.0], size).unwrap_err();
        let expected =
            format!("{} by {} tiles; a tile map has at most 268435456", size[0], size[1]);
        assert_eq!(error.to_string(), expected);
    }
    assert!(u64::from(1u32 << 14) * (1 << 14) <= TileMap::MAX_TILES);
}

#[test]
fn a_bitmap_of_a_billion_pixels_is_refused() {
    let error = Bitmap::try_new(Bitmap::MAX_SIDE + 1, 1).unwrap_err();
    assert_eq!(error, ShapeError::TooManyPixels { width: 16_385, height: 1 });
    assert!(Bitmap::try_new(u32::MAX, u32::MAX).is_err());
}

fn nested(depth: u32) -> Result<Compound, ShapeError> {
    let mut shape = Compound::try_new([Circle::new([0.0, 0.0], 1.0)])?;
    for _ in 1..depth {
        shape = Compound::try_new([shape])?;
    }
    Ok(shape)
}

#[test]
fn compounds_are_nested_at_most_32_levels_deep() {
    let deepest = nested(Compound::MAX_DEPTH).unwrap();
    let error = Compound::try_new([deepest.clone()]).unwrap_err();
    assert_eq!(error.to_string(), "compounds are nested more than 32 levels deep");
    assert_eq!(nested(1_000_000).unwrap_err(), ShapeError::NestedTooDeep);
    // The deepest works, on the stack of a test thread.
    let turned = deepest.transformed(&Pose::new([0.5, 0.25], 1.0));
    assert!(turned.overlaps(&deepest) && deepest.contains(&Point::new([1.0, 0.0])));
    assert!(turned.contact(&deepest).is_some_and(|contact| contact.depth > 0.0));
    assert!(turned.sweep([9.0, 0.0], &deepest.translated([5.0, 0.0])).is_some());
    assert_eq!(deepest.flipped(Flip::X), deepest);
}

#[cfg(feature = "serde")]
#[test]
fn a_compound_nested_too_deep_is_refused_when_it_is_read() {
    let text = |depth: usize| {
        let (open, close) = (r#"{"type":"compound","parts":["#.repeat(depth), "]}".repeat(depth));
        format!(r#"{open}{{"type":"point","at":[0,0]}}{close}"#)
    };
    assert!(serde_json::from_str::<Shape>(&text(32)).is_ok());
    let error = serde_json::from_str::<Shape>(&text(33)).unwrap_err().to_string();
    assert!(error.contains("nested more than 32 levels deep"), "{error}");
    assert!(serde_json::from_str::<Shape>(&text(100_000)).is_err());
}

#[test]
fn shapes_at_the_limits_of_numbers_answer_every_query() {
    let huge: [Shape; 6] = [
        Circle::new([0.0, 0.0], 1e38).into(),
        Circle::new([-3e38, 0.0], 1e38).into(),
        Aabb::new([f32::MIN, f32::MIN], [f32::MAX, f32::MAX]).into(),
        Capsule::new([-1e38, 0.0], [1e38, 1.0], 1e38).into(),
        Obb::new([1e38, -1e38], [1e38, 1e37], 0.5).into(),
        Polygon::new(&[[-3e38, -3e38], [3e38, -3e38], [3e38, 3e38], [0.0, 0.0]]).into(),
    ];
    let small = Shape::from(Circle::new([1.0, 1.0], 0.5));
    for a in &huge {
        for b in huge.iter().chain([&small]) {
            assert_eq!(a.intersects(b), b.intersects(a));
            assert_eq!(a.contact(b).is_some(), a.intersects(b));
            assert_eq!(a.distance(b) == 0.0, a.intersects(b));
            assert!(a.distance(b) >= 0.0);
            if let Some(hit) = b.sweep([3e38, 1.0], a) {
                assert!((0.0..=1.0).contains(&hit.time) && hit.point.is_finite());
            }
        }
    }
    assert!(huge[0].contains(&small) && huge[0].contains(&Circle::new([0.0, 0.0], 9e37)));
    assert!(!huge[0].contains(&huge[2]) && huge[2].contains(&huge[0]));
}

/// Returns a comb: half of its vertices are reflex, and a horizontal line crosses all of its teeth.
fn comb(vertices: usize) -> Vec<Vec2> {
    let teeth = vertices / 2 - 1;
    let tooth = |i: usize| [Vec2::new(2.0 * i as f32 + 1.0, 9.0), Vec2::new(2.0 * i as f32, 0.0)];
    let mut points: Vec<Vec2> = (0..teeth).rev().flat_map(tooth).collect();
    points.extend([Vec2::new(-1.0, -5.0), Vec2::new(2.0 * teeth as f32, -5.0)]);
    points
}

/// `CAROM_VERTICES=N` sets the number of vertices, and `--nocapture` shows the times.
#[test]
fn a_polygon_of_100_000_vertices_is_built_and_queried() {
    let count =
        std::env::var("CAROM_VERTICES").map_or(100_000, |text| text.parse().expect("a number"));
    let start = std::time::Instant::now();
    // Quadratic time would take hours in a test build.
    let polygon = Polygon::new(&comb(count));
    println!("{count} vertices: built in {:.2?}", start.elapsed());
    assert_eq!(polygon.outer().len(), count);
    let far = (count / 2) as f32;
    assert!(polygon.contains(&Point::new([far + 1.0, 8.0])));
    assert!(!polygon.contains(&Point::new([far, 8.0])));
    assert_eq!(polygon.distance(&Point::new([far + 1.0, 12.0])), 3.0);
    let ray = Ray::new([-10.0, 8.5], [1.0, 0.0], 2.0 * count as f32);
    assert!(polygon.raycast(&ray).is_some_and(|hit| hit.distance < 12.0));
    let ball = Circle::new([far + 1.0, 20.0], 0.25);
    assert!(ball.sweep([0.0, -40.0], &polygon).is_some_and(|hit| hit.normal.y > 0.0));
    let turned = polygon.rotated(0.7, [0.0, 0.0]);
    assert!((turned.area() - polygon.area()).abs() < 1e-3 * polygon.area());
    println!("{count} vertices: built, queried and rotated in {:.2?}", start.elapsed());
}
