//! The figures about shapes and the tests of two shapes.

use carom::draw::{self, Canvas, Color, LabelPlacement, Style};
use carom::fit;
use carom::prelude::*;

use crate::{check, drawing, write};

const A: Color = Color::BLUE;
const B: Color = Color::ORANGE;
const RESULT: Color = Color::VERMILION;

fn thin(color: Color) -> Style {
    Style::stroke(color).width(1.0)
}

#[test]
fn false_positives_and_their_remedies() {
    let mut drawing = drawing([-2.6, -3.2], [33.0, 6.2]);
    let (rock, ship) = (Circle::new([0.0, 0.0], 2.0), Circle::new([3.25, 3.0], 2.0));
    assert!(rock.bounds().overlaps(&ship.bounds()) && !rock.intersects(&ship));
    let fair = |circle: &Circle| circle.bounds().resized(80.0).unwrap();
    assert!(!fair(&rock).overlaps(&fair(&ship)));
    for (x, is_fair) in [(0.0, false), (10.5, true)] {
        for (circle, color) in [(rock, A), (ship, B)] {
            let bounds = if is_fair { fair(&circle) } else { circle.bounds().into() };
            draw::shape(&mut drawing, &circle.translated([x, 0.0]), &Style::translucent(color));
            draw::shape(&mut drawing, &bounds.translated([x, 0.0]), &thin(color).dashed());
        }
    }
    let shared = Aabb::new([1.25, 1.0], [2.0, 2.0]);
    draw::shape(&mut drawing, &shared, &Style::fill(RESULT));
    write(&mut drawing, [1.6, -2.7], "bounding boxes: a false positive");
    write(&mut drawing, [12.1, -2.7], "boxes of 80 %: no hit");

    let tank = Compound::new([
        Aabb::new([0.0, 0.0], [20.0, 6.0]),
        Aabb::new([5.0, 6.0], [13.0, 10.0]),
        Aabb::new([13.0, 7.0], [24.0, 8.0]),
    ]);
    let bird = Circle::new([20.0, 9.5], 1.0);
    assert!(tank.bounds().overlaps(&bird) && !tank.intersects(&bird));
    let small = |shape: Shape| shape.scaled(0.5, [0.0, 0.0]).translated([20.5, -1.0]);
    draw::shape(&mut drawing, &small(tank.bounds().into()), &thin(A).dashed());
    draw::shape(&mut drawing, &small(tank.into()), &Style::translucent(A));
    draw::shape(&mut drawing, &small(bird.into()), &Style::translucent(B));
    write(&mut drawing, [26.5, -2.7], "three boxes: the bird is not hit");
    drawing.add_legend(RESULT, "the boxes overlap, the shapes do not");
    check("false-hits", &drawing);
}

#[test]
fn two_ways_to_turn_a_box() {
    let mut drawing = drawing([-2.6, -2.6], [15.0, 2.0]);
    let sword = Aabb::from_center_half_size([0.0, 0.0], [2.0, 0.1]);
    let turn = |x: f32| Pose::new([x, 0.0], std::f32::consts::FRAC_PI_4);
    let styles = [thin(Color::GREY).dashed(), Style::translucent(A), Style::translucent(B)];
    for (x, name) in [(0.0, "before"), (6.0, "transformed: an Obb"), (12.0, "transformed_bounds")] {
        draw::shape(&mut drawing, &sword.translated([x, 0.0]), &styles[0]);
        write(&mut drawing, [x, -2.2], name);
    }
    draw::shape(&mut drawing, &sword.transformed(&turn(6.0)), &styles[1]);
    draw::shape(&mut drawing, &sword.transformed_bounds(&turn(12.0)), &styles[2]);
    draw::shape(&mut drawing, &sword.transformed(&turn(12.0)), &thin(A));
    check("turned-box", &drawing);
}

#[test]
fn intervals_of_two_boxes() {
    let mut drawing = drawing([-1.4, -1.9], [16.5, 5.0]);
    for (x, second, name) in [
        (0.0, Aabb::new([1.5, 1.0], [4.5, 3.0]), "both intervals overlap: the boxes overlap"),
        (9.5, Aabb::new([1.5, 3.0], [4.5, 4.5]), "only those in x overlap: disjoint"),
    ] {
        let first = Aabb::new([0.0, 0.0], [2.5, 2.0]);
        assert_eq!(first.overlaps(&second), x == 0.0);
        drawing.arrow(Vec2::new(x - 0.7, -0.6), Vec2::new(x + 5.5, -0.6), &thin(Color::BLACK));
        drawing.arrow(Vec2::new(x - 0.7, -0.6), Vec2::new(x - 0.7, 4.9), &thin(Color::BLACK));
        for (bounds, color, side) in [(first, A, 0.08), (second, B, -0.08)] {
            let placed = bounds.translated([x, 0.0]);
            let (min, max) = (placed.min(), placed.max());
            for (corner, foot) in [
                (min, Vec2::new(min.x, -0.6)),
                (Vec2::new(max.x, min.y), Vec2::new(max.x, -0.6)),
                (min, Vec2::new(x - 0.7, min.y)),
                (Vec2::new(min.x, max.y), Vec2::new(x - 0.7, max.y)),
            ] {
                drawing.polyline(&[corner, foot], &thin(color).dashed());
            }
            draw::shape(&mut drawing, &placed, &Style::translucent(color));
            let thick = Style::stroke(color).width(5.0);
            let y = -0.6 + side;
            drawing.polyline(&[Vec2::new(min.x, y), Vec2::new(max.x, y)], &thick);
            let left = x - 0.7 - side;
            drawing.polyline(&[Vec2::new(left, min.y), Vec2::new(left, max.y)], &thick);
        }
        write(&mut drawing, [x + 2.2, -1.4], name);
    }
    check("intervals", &drawing);
}

#[test]
fn points_and_segments() {
    let mut drawing = drawing([-1.0, -1.4], [16.0, 5.0]);
    let (a, b) = (Vec2::new(0.0, 0.0), Vec2::new(6.0, 2.0));
    let segment = Segment::new(a, b);
    drawing.polyline(&[a, b], &Style::stroke(A).width(2.5));
    for (name, point) in [("a", a), ("b", b)] {
        drawing.dot(point, &Style::stroke(A));
        drawing.label(point, name, LabelPlacement::Below, &Style::default());
    }
    for (point, name) in [([2.0, 4.0], "t = 0.5"), ([7.0, 4.0], "t = 1.25, clamped to 1")] {
        let point = Vec2::from(point);
        let closest = Point::new(point).closest_points(&segment).on_b;
        let t = (point - a).dot(b - a) / (b - a).dot(b - a);
        assert_eq!(t, if point.x == 2.0 { 0.5 } else { 1.25 });
        drawing.polyline(&[point, closest], &Style::stroke(RESULT).dashed());
        for at in [point, closest] {
            drawing.dot(at, &Style::stroke(RESULT));
        }
        drawing.label(point, name, LabelPlacement::Above, &Style::default());
    }
    write(&mut drawing, [3.0, -1.1], "closest points of a segment");

    let (s, t) = (Segment::new([9.0, 0.0], [15.0, 3.0]), Segment::new([10.0, 4.0], [13.0, 0.0]));
    let carom::query::SegmentIntersection::Point { point, .. } = s.intersection(&t) else {
        panic!("they cross");
    };
    for (segment, color, names) in [(s, A, ["a", "b"]), (t, B, ["c", "d"])] {
        drawing.polyline(&[segment.a(), segment.b()], &thin(color));
        drawing.arrow(segment.a(), point, &Style::stroke(color).width(3.0));
        for (at, name) in [segment.a(), segment.b()].into_iter().zip(names) {
            drawing.dot(at, &Style::stroke(color));
            drawing.label(at, name, LabelPlacement::Left, &Style::default());
        }
    }
    drawing.dot(point, &Style::stroke(RESULT));
    drawing.label(
        Vec2::new(10.4, 0.3),
        "t of its length",
        LabelPlacement::Right,
        &Style::stroke(A),
    );
    drawing.label(
        Vec2::new(11.1, 3.2),
        "u of its length",
        LabelPlacement::Right,
        &Style::stroke(B),
    );
    write(&mut drawing, [12.0, -1.1], "where two segments cross");
    check("segments", &drawing);
}

#[test]
fn a_dent_that_projections_do_not_show() {
    let mut drawing = drawing([-1.6, -1.6], [14.0, 5.2]);
    let notch = Polygon::new(&[
        [0.0, 0.0],
        [6.0, 0.0],
        [6.0, 4.0],
        [4.0, 4.0],
        [4.0, 1.0],
        [2.0, 1.0],
        [2.0, 4.0],
        [0.0, 4.0],
    ]);
    let ball = Circle::new([3.0, 2.5], 0.75);
    assert!(!notch.intersects(&ball));
    draw::shape(&mut drawing, &notch, &Style::translucent(A));
    draw::shape(&mut drawing, &ball, &Style::translucent(B));
    drawing.arrow(Vec2::new(-0.8, -0.7), Vec2::new(6.8, -0.7), &thin(Color::BLACK));
    drawing.arrow(Vec2::new(-0.8, -0.7), Vec2::new(-0.8, 4.9), &thin(Color::BLACK));
    for (bounds, color, side) in [(notch.bounds(), A, 0.06), (ball.bounds(), B, -0.06)] {
        let (min, max) = (bounds.min(), bounds.max());
        let thick = Style::stroke(color).width(5.0);
        let (x, y) = (-0.8 - side, -0.7 + side);
        drawing.polyline(&[Vec2::new(min.x, y), Vec2::new(max.x, y)], &thick);
        drawing.polyline(&[Vec2::new(x, min.y), Vec2::new(x, max.y)], &thick);
    }
    write(&mut drawing, [3.0, -1.3], "every projection overlaps");
    let shift = Vec2::new(7.8, 0.0);
    let colors = [Color::BLUE, Color::GREEN, Color::PURPLE];
    for (part, color) in notch.convex_parts().zip(colors.iter().cycle()) {
        draw::shape(&mut drawing, &part.translated(shift), &Style::translucent(*color));
    }
    draw::shape(&mut drawing, &ball.translated(shift), &Style::translucent(B));
    write(&mut drawing, [10.8, -1.3], "the convex parts do not touch the ball");
    check("dent", &drawing);
}

#[test]
fn crossings_of_a_ray_from_a_point() {
    let mut drawing = drawing([-1.0, -1.0], [20.0, 9.0]);
    let outline = [
        [0.0, 0.0],
        [4.0, 1.0],
        [8.0, 0.0],
        [7.0, 4.0],
        [8.0, 8.0],
        [4.0, 7.0],
        [0.0, 8.0],
        [1.0, 4.0],
    ];
    let star = Polygon::new(&outline);
    draw::shape(&mut drawing, &star, &Style::translucent(Color::GREY));
    for (point, count, name) in [
        ([2.0, 3.0], 1, "1 crossing: inside"),
        ([2.0, 1.0], 1, "1 crossing, the vertex does not count: inside"),
        ([4.0, 0.5], 2, "2 crossings: outside"),
    ] {
        let point = Vec2::from(point);
        let crossings: Vec<f32> = outline
            .iter()
            .zip(outline.iter().cycle().skip(1))
            .filter(|(a, b)| (a[1] > point.y) != (b[1] > point.y))
            .map(|(a, b)| a[0] + (point.y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]))
            .filter(|&x| x > point.x)
            .collect();
        assert_eq!(crossings.len(), count);
        assert_eq!(star.contains(&Point::new(point)), count == 1);
        let end = Vec2::new(9.0, point.y);
        drawing.arrow(point, end, &Style::stroke(A).dashed());
        drawing.dot(point, &Style::stroke(A));
        for x in crossings {
            drawing.dot(Vec2::new(x, point.y), &Style::stroke(RESULT).width(2.5));
        }
        drawing.label(end, name, LabelPlacement::Right, &Style::default());
    }
    drawing.add_legend(A, "points and rays");
    drawing.add_legend(RESULT, "crossings that count");
    check("point-in-polygon", &drawing);
}

#[test]
fn a_sweep_is_a_ray_in_configuration_space() {
    let mut drawing = drawing([-0.5, -1.6], [23.5, 6.0]);
    let wall = Aabb::new([5.0, 1.0], [8.0, 3.0]);
    let mover = Aabb::new([0.5, 4.0], [2.0, 5.0]);
    let motion = Vec2::new(8.0, -3.0);
    let hit = mover.sweep(motion, &wall).unwrap();
    let end = mover.translated(motion * hit.time);
    draw::shape(&mut drawing, &wall, &Style::translucent(Color::GREY));
    draw::shape(&mut drawing, &mover, &Style::translucent(A));
    draw::shape(&mut drawing, &mover.translated(motion), &Style::stroke(A).dashed());
    draw::shape(&mut drawing, &end, &Style::translucent(Color::GREEN));
    drawing.arrow(mover.center(), mover.center() + motion, &Style::stroke(Color::PURPLE).dashed());
    write(&mut drawing, [4.5, -1.2], "a box moves towards a box");

    let shift = Vec2::new(12.5, 0.0);
    let half = mover.size() / 2.0;
    let grown = Aabb::new(wall.min() - half, wall.max() + half);
    let ray = Ray::from_to(mover.center(), mover.center() + motion);
    let entry = grown.raycast(&ray).unwrap();
    assert!((entry.distance / motion.length() - hit.time).abs() < 1e-6);
    assert!((entry.point - end.center()).length() < 1e-5);
    draw::shape(&mut drawing, &wall.translated(shift), &Style::translucent(Color::GREY));
    draw::shape(&mut drawing, &grown.translated(shift), &Style::stroke(B));
    let from = mover.center() + shift;
    drawing.dot(from, &Style::stroke(A));
    drawing.arrow(from, from + motion, &Style::stroke(Color::PURPLE).dashed());
    drawing.dot(entry.point + shift, &Style::stroke(Color::GREEN).width(3.0));
    write(&mut drawing, [17.0, -1.2], "its center moves towards a larger box");
    drawing.add_legend(A, "before");
    drawing.add_legend(Color::GREEN, "first touch");
    drawing.add_legend(Color::PURPLE, "motion");
    drawing.add_legend(B, "the obstacle, enlarged by the moving box");
    check("configuration-space", &drawing);
}

#[test]
fn shapes_fitted_to_a_sprite() {
    // A sword that points to the upper right.
    let sprite = Bitmap::from_fn(15, 15, |x, y| {
        let (along, across) = (x as i32 + y as i32 - 14, (x as i32 - y as i32).abs());
        let blade = across <= 1;
        let guard = (-8..=-6).contains(&along) && across <= 6;

        blade || guard
    });
    let mask = Mask::new([0.0, 0.0], 1.0, sprite.clone());
    let mut drawing = drawing([-3.0, -4.5], [81.0, 40.8]);
    let one = |shape: Shape| Vec::from([shape]);
    let fitted: [(&str, Vec<Shape>); 8] = [
        ("fit::aabb", one(fit::aabb(&sprite).unwrap().into())),
        ("fit::obb", one(fit::obb(&sprite).unwrap().into())),
        ("fit::circle", one(fit::circle(&sprite).unwrap().into())),
        ("fit::ellipse", one(fit::ellipse(&sprite).unwrap().into())),
        ("fit::hull", one(fit::hull(&sprite).unwrap().into())),
        ("fit::boxes, at most 4", fit::boxes(&sprite, 4).into_iter().map(Shape::from).collect()),
        (
            "fit::polygons_around, 1.0",
            fit::polygons_around(&sprite, 1.0).into_iter().map(Shape::from).collect(),
        ),
        (
            "fit::convex_parts, 1.0",
            fit::convex_parts(&sprite, 1.0).into_iter().map(Shape::from).collect(),
        ),
    ];
    for (i, (name, shapes)) in fitted.iter().enumerate() {
        let at = Vec2::new((i % 4) as f32 * 21.0, if i < 4 { 22.5 } else { 0.0 });
        draw::shape(
            &mut drawing,
            &mask.translated(at),
            &Style::fill(Color::GREY.with_opacity(0.4)),
        );
        for shape in shapes {
            draw::shape(&mut drawing, &shape.translated(at), &Style::stroke(A));
        }
        write(&mut drawing, [at.x + 7.0, at.y - 3.9], name);
    }
    check("fit", &drawing);
}

#[test]
fn a_ghost_collision_between_two_boxes() {
    let mut drawing = drawing([-0.8, -0.9], [11.0, 2.5]);
    let sunk = Aabb::new([0.125, 0.75], [1.125, 1.75]);
    let boxes = [0.0, 1.0, 2.0, 3.0].map(|x| Aabb::new([x, 0.0], [x + 1.0, 1.0]));
    let level = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &["####"], &[('#', TileKind::SOLID)]);
    let [by_box, by_level] = [sunk.contact(&boxes[1]), sunk.contact(&level)].map(Option::unwrap);
    for (x, push, name) in [
        (0.0, by_box.push, "a push out of the second box: it catches"),
        (6.0, by_level.push, "a push out of the tile map: it slides"),
    ] {
        let shift = Vec2::new(x, 0.0);
        if x == 0.0 {
            for wall in &boxes {
                draw::shape(
                    &mut drawing,
                    &wall.translated(shift),
                    &Style::translucent(Color::GREY),
                );
            }
        } else {
            draw::shape(&mut drawing, &level.translated(shift), &Style::translucent(Color::GREY));
        }
        draw::shape(&mut drawing, &sunk.translated(shift), &Style::stroke(A).dashed());
        let end = sunk.translated(shift + push);
        draw::shape(&mut drawing, &end, &Style::translucent(Color::GREEN));
        let from = sunk.center() + shift;
        drawing.arrow(from, from + push.normalize() * 0.45, &Style::stroke(RESULT).width(2.5));
        write(&mut drawing, [x + 2.0, -0.5], name);
    }
    drawing.add_legend(A, "the box has sunk in");
    drawing.add_legend(RESULT, "direction of the push");
    drawing.add_legend(Color::GREEN, "after it");
    check("ghost-collision", &drawing);
}
