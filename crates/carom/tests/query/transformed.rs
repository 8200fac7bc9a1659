//! Transformed shapes equal, to the bit, the shapes rebuilt from their own numbers.

use carom::prelude::*;

use crate::support::hard_outlines::polygons;
use crate::support::rng::Rng;

fn rebuilt(polygon: &Polygon) -> Option<Polygon> {
    let holes: Vec<Vec<Vec2>> = polygon.holes().map(<[_]>::to_vec).collect();
    Polygon::try_with_holes(polygon.outer(), &holes).ok()
}

fn bits(points: &[Vec2]) -> Vec<[u32; 2]> {
    points.iter().map(|point| point.to_array().map(f32::to_bits)).collect()
}

/// Checks that a transformed polygon has the outline, the triangles and the parts of the polygon made
/// anew from its vertices, and that both give the same results. Returns whether there is one.
fn check(polygon: &Polygon, others: &[Shape]) -> bool {
    let Some(anew) = rebuilt(polygon) else { return false };
    assert_eq!(polygon, &anew);
    let triangles =
        |polygon: &Polygon| polygon.triangles().flat_map(|t| bits(&t)).collect::<Vec<_>>();
    assert_eq!(triangles(polygon), triangles(&anew), "{polygon:?}");
    let parts = |polygon: &Polygon| -> Vec<_> {
        polygon.convex_parts().map(|part| bits(part.points())).collect()
    };
    assert_eq!(parts(polygon), parts(&anew), "{polygon:?}");
    for other in others {
        let other = other.translated(polygon.bounds().center());
        let results = |polygon: &Polygon| {
            let hit = polygon.sweep([1.0, 0.5], &other);
            (
                (polygon.intersects(&other), polygon.overlaps(&other), polygon.contains(&other)),
                polygon.contact(&other).map(|c| format!("{c:?}")),
                hit.map(|hit| format!("{hit:?}")),
                polygon.distance(&other).to_bits(),
            )
        };
        assert_eq!(results(polygon), results(&anew), "{polygon:?} and {other:?}");
    }
    true
}

fn others() -> Vec<Shape> {
    vec![
        Point::new([0.3, 0.1]).into(),
        Circle::new([0.5, 1.0], 0.75).into(),
        Aabb::new([-1.0, -0.5], [0.5, 0.25]).into(),
        Obb::new([1.0, 0.0], [0.5, 1.5], 0.4).into(),
        Polygon::new(&[[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [1.0, 0.5], [0.0, 2.0]]).into(),
    ]
}

#[test]
fn a_rotated_concave_polygon_touches_its_own_vertices() {
    // A vertex of a rotated polygon counted as inside by 2e-8, because rounding had bent a part.
    let others = others();
    for polygon in polygons() {
        for step in 1..40 {
            let rotated = polygon.rotated(step as f32 * 0.37, [0.3, -0.2]);
            assert!(check(&rotated, &others));
            for &vertex in rotated.outer() {
                let point = Point::new(vertex);
                assert!(
                    rotated.intersects(&point) && !rotated.overlaps(&point),
                    "{rotated:?} {vertex}"
                );
            }
        }
    }
}

#[test]
fn a_flipped_polygon_does_not_overlap_a_circle_beside_it() {
    let polygon = Polygon::new(&[
        [-0.5, 1.5],
        [0.0, 1.0],
        [1.0, 1.0],
        [0.5, 0.5],
        [0.5, -0.5],
        [0.0, 0.0],
        [-1.0, 0.0],
        [-0.5, 0.5],
    ])
    .translated([0.5, -0.414_213_57]);
    for flip in Flip::ALL {
        assert!(check(&polygon.flipped(flip), &others()));
    }
}

#[test]
fn transformed_polygons_equal_rebuilt_ones() {
    let (polygons, others) = (polygons(), others());
    let mut rng = Rng::new(22);
    let (mut simple, mut folded) = (0, 0);
    for round in 0..6000 {
        let polygon = rng.pick(&polygons);
        let at = Vec2::new(rng.signed(), rng.signed());
        let any = 3.0 * rng.signed();
        let angle = rng.pick(&[0.0, 0.7, core::f32::consts::FRAC_PI_2, any]);
        let (far, scale) = rng.pick(&[
            (1.0, 1.0),
            (100.0, 1.0),
            (1e4, 0.1),
            (8e6, 1.0),
            (8e6, 0.2),
            (1.0, 1e-3),
            (1e6, 3.0),
        ]);
        let pose = Pose::new(at * far, angle).with_scale(scale * (1.5 + rng.signed()));
        let mut image = match rng.below(3) {
            0 => polygon.transformed(&pose),
            1 => polygon.flipped(rng.pick(&Flip::ALL)).transformed(&pose),
            _ => polygon.transformed(&pose).flipped(rng.pick(&Flip::ALL)),
        };
        if rng.one_in(3) {
            image = image.rotated(rng.signed(), image.outer()[0]);
        }
        let some = if round % 8 == 0 { &others[..] } else { &[] };
        if check(&image, some) { simple += 1 } else { folded += 1 }
    }
    assert!(simple > 5000 && folded > 10, "{simple} and {folded}");
}

#[test]
fn an_outline_that_rounding_makes_touch_itself_is_the_union_of_its_triangles() {
    // A ring with a slit of 1/64. Far out, the sides of the slit coincide.
    let slit = Polygon::new(&[
        [0.0, 0.0],
        [8.0, 0.0],
        [8.0, 8.0],
        [4.0, 8.0],
        [4.0, 6.0],
        [6.0, 6.0],
        [6.0, 2.0],
        [2.0, 2.0],
        [2.0, 6.0],
        [3.984_375, 6.0],
        [3.984_375, 8.0],
        [0.0, 8.0],
    ]);
    let far = slit.translated([8e6, 8e6]);
    assert!(rebuilt(&far).is_none());
    let at = |x: f32, y: f32| Point::new(Vec2::splat(8e6) + Vec2::new(x, y));
    assert!(
        far.contains(&at(1.0, 1.0)) && far.contains(&at(4.0, 7.0)) && !far.contains(&at(4.0, 4.0))
    );
    assert!(far.intersects(&at(2.0, 4.0)) && !far.overlaps(&at(2.0, 4.0)));
    assert_eq!(far.area(), slit.area() + 2.0 / 64.0);
    // Flattened to a segment and to a point.
    for at in [Vec2::new(0.0, 8e6), Vec2::splat(8e6)] {
        let flat = slit.scaled(1e-3, [0.0, 0.0]).translated(at);
        assert!(flat.area() == 0.0 && flat.intersects(&flat), "{flat:?}");
        assert_eq!(flat.contact(&flat).unwrap().depth, 0.0);
    }
}

#[test]
fn an_outline_that_rounding_folds_into_a_spike_has_convex_parts() {
    // The part with the tip of the spike had an angle of 360° there, and lost the tip.
    let corner =
        Polygon::new(&[[10.0, 2.0], [10.0, 3.0], [9.0, 3.0], [9.0, 4.0], [8.0, 4.0], [8.0, 2.0]]);
    let pose = Pose::new([-8_139_197.5, -1_964_697.6], -2.638_522_9).with_scale(0.3);
    let folded = corner.transformed(&pose);
    assert!(rebuilt(&folded).is_none());
    let mut rng = Rng::new(139);
    let mut angle = || 3.2 * rng.signed();
    let all = (0..20_000)
        .map(|_| corner.transformed(&Pose { rotation: Rotation::from_angle(angle()), ..pose }));
    for polygon in all.chain([folded]) {
        let mut area = 0.0;
        for part in polygon.convex_parts() {
            assert_eq!(&ConvexPolygon::new(part.points()), part, "{polygon:?}");
            area += part.area();
        }
        assert_eq!(area, polygon.area(), "{polygon:?}");
    }
}

#[test]
fn a_chain_with_points_that_rounding_merges_equals_the_rebuilt_chain() {
    let chain = Chain::new(&[[0.0, 0.0], [1.0, 0.0], [1.1, 0.0], [1.2, 0.1], [3.0, 2.0]]);
    let mut points = Vec::new();
    for shape in [chain.clone(), chain.one_sided()] {
        let far = shape.translated([8e6, 8e6]);
        let anew = Chain::new(far.points());
        assert_eq!(far, if far.is_one_sided() { anew.one_sided() } else { anew });
        points.push(far.points().len());
    }
    assert_eq!(points, [3, 3]);
}

#[test]
fn a_closed_chain_that_rounding_merges_to_two_points_keeps_both_segments() {
    let chain = Chain::closed(&[[0.0, 0.0], [0.1, 0.0], [0.0, 0.5]]).one_sided();
    let far = chain.translated([-9_829_964.0, 4_270_218.5]);
    assert_eq!(far.segments().count(), 2);
    assert_eq!(far, Chain::new(far.points()).one_sided());
}

#[test]
fn a_chain_that_rounding_shrinks_to_a_point_is_still_touched_there() {
    for chain in [
        Chain::new(&[[0.0, 0.0], [0.25, 0.0]]),
        Chain::closed(&[[0.0, 0.0], [0.25, 0.0], [0.0, 0.25]]),
    ] {
        let far = chain.translated([1e8, 1e8]);
        assert!(far.intersects(&Point::new([1e8, 1e8])) && far.points().len() == 2, "{far:?}");
    }
}

#[test]
fn composed_rotations_are_functions_of_their_angle() {
    let mut rng = Rng::new(3);
    let quarter = core::f32::consts::FRAC_PI_2;
    for _ in 0..1000 {
        let mut angle = || {
            rng.pick(&[0.0, quarter, 2.0 * quarter, -quarter, 0.3, 2.5, -3.0])
                * rng.pick(&[1.0, 1.0, 5.0])
        };
        let (a, b, c) = (angle(), angle(), angle());
        let [first, second, third] = [a, b, c].map(Rotation::from_angle);
        let all = third * second * first;
        assert_eq!(all, Rotation::from_angle(all.angle()));
        let expected =
            Rotation::from_angle(c).rotate(Rotation::from_angle(b).rotate(first.rotate(Vec2::X)));
        assert!(all.rotate(Vec2::X).distance(expected) < 2e-6, "{a} {b} {c}: {all:?}");
        assert_eq!(Rotation::from_cos_sin(0.0, -3.0), Rotation::from_angle(-quarter));
    }
}

#[cfg(feature = "serde")]
mod json {
    use super::*;

    fn read_back<T: serde::Serialize + serde::de::DeserializeOwned>(value: &T) -> T {
        serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
    }

    /// Returns shapes that were transformed several times, far from the origin and near it.
    fn shapes(rng: &mut Rng) -> Vec<Shape> {
        let mut shapes: Vec<Shape> = polygons().into_iter().map(Shape::from).collect();
        shapes.push(Mask::from_rows([0.5, 0.0], 0.5, &["##..", ".##.", "#..#"]).into());
        let legend = [('#', TileKind::SOLID), ('/', TileKind::slope(0.0, 1.0, [0.0, -1.0]))];
        shapes.push(TileMap::from_rows([0.0, 1.0], [1.0, 2.0], &["#..#", "##/#"], &legend).into());
        shapes.push(Compound::new([shapes[1].clone(), shapes[shapes.len() - 1].clone()]).into());
        for shape in &mut shapes {
            for _ in 0..1 + rng.below(3) {
                let angle = rng.pick(&[0.0, 0.7, core::f32::consts::FRAC_PI_2, -2.0]);
                let far = rng.pick(&[1.0, 1.0, 30.0, 8e6]);
                let pose = Pose::new(Vec2::new(rng.signed(), rng.signed()) * far, angle);
                *shape = shape.flipped(rng.pick(&Flip::ALL)).transformed(&pose);
            }
        }
        shapes
    }

    #[test]
    fn worlds_with_transformed_shapes_read_back_to_the_bit() {
        let mut rng = Rng::new(29);
        let mut contacts = 0;
        for _ in 0..60 {
            let mut world = World::new();
            for shape in shapes(&mut rng) {
                let at = -shape.bounds().center() + 4.0 * Vec2::new(rng.signed(), rng.signed());
                let body = world.add_body(Body::moving(at)).unwrap();
                world.add_collider(body, Collider::new(shape)).unwrap();
            }
            let mut copy: World = read_back(&world);
            assert_eq!(world.state_hash(), copy.state_hash());
            let list = |world: &mut World| -> Vec<String> {
                world.update().iter().map(|event| format!("{event:?}")).collect()
            };
            let (one, other) = (list(&mut world), list(&mut copy));
            assert_eq!(one, other);
            contacts += one.len();
            assert_eq!(world.state_hash(), copy.state_hash());
        }
        assert!(contacts > 1000, "{contacts}");
    }

    #[test]
    fn a_flipped_polygon_in_a_world_reads_back_to_the_bit() {
        let mut world = World::new();
        let polygon = Polygon::new(&[[0.0, 0.0], [3.0, 0.0], [3.0, 2.0], [2.0, 0.5], [0.0, 2.0]]);
        let body = world.add_body(Body::moving([0.0, 0.0])).unwrap();
        world.add_collider(body, Collider::new(polygon.flipped(Flip::X))).unwrap();
        assert_eq!(world.state_hash(), read_back(&world).state_hash());
    }
}

mod not_finite {
    use super::*;
    use crate::support::one_of_each::sample;

    const NUMBERS: [f32; 10] =
        [0.0, -1.0, 1.5, 3e38, -3e38, 1e-45, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e20];

    /// Checks that a shape has no number that is not finite, and that queries and files accept it.
    fn check(shape: &Shape, report: &str) {
        let text = format!("{shape:?} {:?} {:?}", shape.bounds(), shape.centroid());
        assert!(!text.contains("NaN") && !text.contains("inf"), "{report}: {text}");
        assert!(shape.bounds().min().cmple(shape.bounds().max()).all(), "{report}: {text}");
        assert!(shape.intersects(shape), "{report}: {text}");
        #[cfg(feature = "serde")]
        {
            let written = serde_json::to_string(shape).unwrap();
            let read = serde_json::from_str::<Shape>(&written);
            assert!(read.is_ok(), "{report}: {text} {written}: {read:?}");
        }
    }

    #[test]
    fn no_transform_makes_a_number_that_is_not_finite() {
        let mut rng = Rng::new(293);
        let (mut made, mut refused) = (0, 0);
        for kind in Shape::KINDS {
            for _ in 0..400 {
                let mut shape = sample(kind);
                for _ in 0..3 {
                    let n: [f32; 4] = core::array::from_fn(|_| rng.pick(&NUMBERS));
                    let v = Vec2::new(n[0], n[1]);
                    let pose = Pose::from_translation(v).with_scale(n[3]);
                    let is_valid = |numbers: &[f32]| numbers.iter().all(|x| x.is_finite());
                    let (result, expected) = match rng.below(5) {
                        0 => (shape.try_translated(v), is_valid(&n[..2])),
                        1 => (shape.try_rotated(n[2], v), is_valid(&n[..3])),
                        2 => (
                            shape.try_scaled(n[3], v),
                            is_valid(&n[..2]) && n[3] > 0.0 && n[3].is_finite(),
                        ),
                        3 => (
                            shape.try_transformed(&pose),
                            is_valid(&n[..2]) && n[3] > 0.0 && n[3].is_finite(),
                        ),
                        _ => (Ok(shape.flipped(rng.pick(&Flip::ALL))), true),
                    };
                    assert_eq!(result.is_ok(), expected, "{shape:?} by {n:?}");
                    match result {
                        Ok(image) => {
                            check(&image, &format!("{shape:?} by {n:?}"));
                            shape = image;
                            made += 1;
                        }
                        Err(error) => {
                            let text = error.to_string();
                            let bad = n.iter().any(|x| text.contains(&format!(" is {x};")));
                            assert!(bad, "{text} does not name one of {n:?}");
                            refused += 1;
                        }
                    }
                }
            }
        }
        assert!(made > 5000 && refused > 5000, "{made} and {refused}");
    }

    #[test]
    #[should_panic = "translation.x is NaN; it must be a finite number"]
    fn a_translation_by_nan_panics_with_the_value() {
        let _ = Circle::new([0.0, 0.0], 1.0).translated([f32::NAN, 0.0]);
    }

    #[test]
    #[should_panic = "scale is -2; it must be greater than 0"]
    fn a_pose_with_a_negative_scale_panics_with_the_value() {
        let _ =
            Mask::from_rows([0.0, 0.0], 1.0, &["#"]).transformed(&Pose::IDENTITY.with_scale(-2.0));
    }

    #[test]
    #[should_panic = "position.y is inf; it must be a finite number"]
    fn bounds_at_an_infinite_pose_panic_with_the_value() {
        let aabb = Aabb::new([0.0, 0.0], [1.0, 1.0]);
        let _ = aabb.transformed_bounds(&Pose::from_translation([0.0, f32::INFINITY]));
    }

    #[test]
    fn overflow_by_a_transform_is_clamped() {
        let huge = Circle::new([1e38, 0.0], 1e38).scaled(1e3, [0.0, 0.0]);
        assert_eq!((huge.center(), huge.radius()), (Vec2::new(f32::MAX, 0.0), f32::MAX));
    }
}

mod shrunk_compounds {
    use super::*;

    #[test]
    fn flush_parts_shrink_as_a_whole() {
        let parts: [Shape; 3] = [
            Aabb::new([0.0, 0.0], [4.0, 4.0]).into(),
            Aabb::new([4.0, 0.0], [8.0, 4.0]).into(),
            Compound::new([Aabb::new([0.0, 4.0], [4.0, 8.0])]).into(),
        ];
        let shrunk = Compound::new(parts).grown(-1.0).unwrap();
        let whole =
            Polygon::new(&[[1.0, 1.0], [7.0, 1.0], [7.0, 3.0], [3.0, 3.0], [3.0, 7.0], [1.0, 7.0]]);
        assert_eq!(shrunk.area(), whole.area());
        assert!(shrunk.contains(&whole) && whole.contains(&shrunk));
    }

    #[test]
    fn rotated_parts_with_a_joint_in_the_middle_of_an_edge_leave_no_gap() {
        for step in 0..300 {
            let wall = |low: [f32; 2], high: [f32; 2]| {
                let pose = Pose::new([37.0, -12.0], step as f32 * 0.1);
                Shape::from(Aabb::new(low, high).transformed(&pose))
            };
            let parts = [
                wall([0.0, 0.0], [9.0, 4.0]),
                wall([0.0, 4.0], [3.0, 8.0]),
                wall([3.0, 4.0], [9.0, 8.0]),
            ];
            let shrunk = Compound::new(parts).grown(-1.0).unwrap();
            assert!((shrunk.area() - 7.0 * 6.0).abs() < 1e-3, "{step}: {shrunk:?}");
        }
    }

    /// A point belongs to the shrunk union if the square around it with the margin as half its side
    /// has set cells only, since corners stay sharp.
    #[test]
    fn a_random_union_of_boxes_shrinks_like_its_cells() {
        const SIDE: usize = 14;
        let mut state = 7u64;
        let mut below = |end: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % end
        };
        let mut inside = 0;
        for round in 0..200 {
            let mut cells = [[false; SIDE]; SIDE];
            let boxes: Vec<Shape> = (0..2 + below(6))
                .map(|_| {
                    let [x, y] = [1 + below(8) as usize, 1 + below(8) as usize];
                    let [width, height] = [1 + below(5) as usize, 1 + below(5) as usize];
                    for row in &mut cells[y..y + height] {
                        row[x..x + width].fill(true);
                    }
                    let (low, high) = ([x, y], [x + width, y + height]);
                    Aabb::new(low.map(|i| i as f32), high.map(|i| i as f32)).into()
                })
                .collect();
            let shrunk = Compound::new(boxes.clone()).grown(-1.0);
            for (row, column) in
                (4..4 * SIDE - 4).flat_map(|y| (4..4 * SIDE - 4).map(move |x| (y, x)))
            {
                // Between the lines of the grid, on which both answers would be right.
                let at = [column, row].map(|i| i as f32 / 4.0 + 0.125);
                let around = |at: f32| (at - 1.0) as usize..=(at + 1.0) as usize;
                let expected = around(at[1]).all(|y| around(at[0]).all(|x| cells[y][x]));
                let found = shrunk.as_ref().is_ok_and(|it| it.intersects(&Point::new(at)));
                assert_eq!(found, expected, "round {round}, {at:?} of {boxes:?}");
                inside += u32::from(expected);
            }
        }
        assert!(inside > 10_000, "{inside}");
    }

    #[test]
    fn parts_alone_keep_their_type_and_round_parts_join() {
        let ball = Circle::new([20.0, 0.0], 2.0);
        let pill = Capsule::new([0.0, 0.0], [8.0, 0.0], 2.0);
        let foot = Aabb::new([2.0, -4.0], [4.0, 0.0]);
        let shape = Compound::new([Shape::from(ball), pill.into(), foot.into()]);
        let Shape::Compound(shrunk) = shape.grown(-0.5).unwrap() else { panic!() };
        assert_eq!(shrunk.parts()[0], Circle::new([20.0, 0.0], 1.5).into());
        assert_eq!(shrunk.parts().len(), 2);
        assert!(shrunk.parts()[1].contains(&Aabb::new([2.5, -3.5], [3.5, 1.0])));
        assert!(shape.contains(&shrunk));
        assert!(matches!(shape.grown(-3.0), Err(ShapeError::ShrunkToNothing { .. })));
    }
}
