//! Concave polygons, too big for Box2D.

use carom::prelude::{Point as CaromPoint, Polygon, Shape};
use parry2d::shape::Shape as ParryShape;

use super::test_row;
use crate::harness::{Answer, Row};
use crate::inputs::{COUNT, Point, Random, add, each, star};
use crate::oracle::{distance_to_outline, outlines_meet};
use crate::peers::parry::{self, Compound, Pose, TriMesh, Vector};
use crate::report::Bench;
use crate::results::{CAROM, CAROM_ENUM, PARRY};

pub fn rows(bench: &mut Bench) {
    bench.row("point in polygon", point_in_polygon);
    bench.row("polygon-polygon test", polygon_polygon);
}

/// A few outlines that are tested many times, as in a game.
const OUTLINES: usize = 8;

fn outlines(random: &mut Random, vertices: usize) -> Vec<Vec<Point>> {
    (0..OUTLINES).map(|_| star(random, vertices)).collect()
}

fn yes(answer: &bool) -> Answer {
    (*answer).into()
}

fn point_in_polygon<'a>() -> Row<'a> {
    let mut random = Random::new(3);
    let outlines = outlines(&mut random, 100);
    let inputs: Vec<(usize, Point)> =
        (0..COUNT).map(|i| (i % OUTLINES, random.in_disc(1.4))).collect();
    let mut row = test_row(each(&inputs, |&(i, at)| distance_to_outline(at, &outlines[i])));

    let points = each(&inputs, |&(i, at)| (i, Vector::from(at)));
    let polygons = each(&outlines, |it| parry::vectors(it));
    let inside = parry2d::utils::point_in_poly2d;
    let ask = move |&(i, at): &(usize, Vector)| inside(at, &polygons[i]);
    row.add(PARRY, "point_in_poly2d", points.clone(), ask, yes);
    let meshes = each(&outlines, |it| mesh(it));
    let inside = <TriMesh as parry::PointQuery>::contains_local_point;
    let ask = move |&(i, at): &(usize, Vector)| inside(&meshes[i], at);
    row.add(PARRY, "trimesh", points, ask, yes);

    let points = each(&inputs, |&(i, at)| (i, CaromPoint::new(at)));
    let polygons = each(&outlines, |it| Polygon::new(it));
    let shapes = each(&polygons, |it| Shape::from(it.clone()));
    row.add(CAROM, "contains", points, move |(i, point)| polygons[*i].contains(point), yes);
    let points = each(&inputs, |&(i, at)| (i, Shape::from(CaromPoint::new(at))));
    row.add(CAROM_ENUM, "contains", points, move |(i, point)| shapes[*i].contains(point), yes);
    row
}

/// parry places meshes by pose; carom's polygons are placed before, at a few positions each.
fn polygon_polygon<'a>() -> Row<'a> {
    const PLACES: usize = 16;
    let mut random = Random::new(4);
    let outlines = outlines(&mut random, 24);
    let places: Vec<Point> = (0..PLACES).map(|_| random.in_disc(2.8)).collect();
    let placed: Vec<Vec<Point>> = (0..OUTLINES * PLACES)
        .map(|j| each(&outlines[j / PLACES], |&point| add(point, places[j % PLACES])))
        .collect();
    // Every first outline against every placed one, in an order without a pattern.
    let inputs: Vec<(usize, usize)> =
        (0..COUNT).map(|_| (random.below(OUTLINES), random.below(OUTLINES * PLACES))).collect();
    let mut row = test_row(each(&inputs, |&(i, j)| {
        let (meet, margin) = outlines_meet(&outlines[i], &placed[j]);
        if meet { -margin } else { margin }
    }));

    let meshes = each(&outlines, |it| mesh(it));
    let parts = |it: &TriMesh| Compound::decompose_trimesh(it).expect("the outline is simple");
    let compounds = each(&meshes, parts);
    let pairs =
        each(&inputs, |&(i, j)| (i, j / PLACES, Pose::from_translation(places[j % PLACES].into())));
    let ask = move |&(i, j, pose): &(usize, usize, Pose)| meet(&pose, &meshes[i], &meshes[j]);
    row.add(PARRY, "trimesh", pairs.clone(), ask, yes);
    let ask = move |&(i, j, pose): &(usize, usize, Pose)| meet(&pose, &compounds[i], &compounds[j]);
    row.add(PARRY, "convex parts", pairs, ask, yes);

    let first = each(&outlines, |it| Polygon::new(it));
    let second = each(&placed, |it| Polygon::new(it));
    let first_shapes = each(&first, |it| Shape::from(it.clone()));
    let second_shapes = each(&second, |it| Shape::from(it.clone()));
    let ask = move |&(i, j): &(usize, usize)| first[i].intersects(&second[j]);
    row.add(CAROM, "intersects", inputs.clone(), ask, yes);
    let ask = move |&(i, j): &(usize, usize)| first_shapes[i].intersects(&second_shapes[j]);
    row.add(CAROM_ENUM, "intersects", inputs, ask, yes);
    row
}

fn mesh(outline: &[Point]) -> TriMesh {
    TriMesh::from_polygon(parry::vectors(outline)).expect("the outline is simple")
}

fn meet<S: ParryShape>(pose: &Pose, a: &S, b: &S) -> bool {
    use parry::QueryDispatcher;
    parry::DefaultQueryDispatcher.intersection_test(pose, a, b).is_ok_and(|it| it.intersecting)
}
