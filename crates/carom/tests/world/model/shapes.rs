//! Random shapes, and their placement on bodies and in the world.

use carom::prelude::*;

use crate::support::rng::Rng;

/// Returns a multiple of the unit.
pub fn number(rng: &mut Rng, unit: f32, low: i64, high: i64) -> f32 {
    rng.between(low, high) as f32 * unit
}

pub fn position(rng: &mut Rng, unit: f32) -> Vec2 {
    Vec2::new(number(rng, unit, -14, 14), number(rng, unit, -14, 14))
}

pub fn angle(rng: &mut Rng) -> f32 {
    use core::f32::consts::{FRAC_PI_2, PI};
    rng.pick(&[0.0, 0.0, 0.5, FRAC_PI_2, -FRAC_PI_2, PI, 2.0, -7.0])
}

pub fn pose(rng: &mut Rng, unit: f32) -> Pose {
    let pose = Pose::new(position(rng, unit), angle(rng));
    pose.with_scale(rng.pick(&[1.0, 1.0, 1.0, 0.5, 2.0, 1.25]))
}

/// Returns a shape near the origin with coordinates on a grid, so that exact touching is common. Kinds of
/// shapes that do not exist in the size are replaced by a box.
pub fn any_shape(rng: &mut Rng, unit: f32) -> Shape {
    let mut at = |low, high| number(rng, unit, low, high);
    let (a, b, c) = ([at(-3, 3), at(-3, 3)], [at(-3, 3), at(-3, 3)], [at(-3, 3), at(-3, 3)]);
    let half = [at(1, 5), at(1, 5)];
    let side = at(1, 2);
    let square = Aabb::new(a, [a[0] + half[0], a[1] + half[1]]);
    let angle = angle(rng);
    let shape = match rng.below(20) {
        0..=2 => Circle::try_new(a, half[0]).map(Shape::from),
        3 => Obb::try_new(a, half, angle).map(Shape::from),
        4 => Capsule::try_new(a, b, half[0]).map(Shape::from),
        5 => ConvexPolygon::try_rounded(&[a, b, c], 0.0).map(Shape::from),
        6 => ConvexPolygon::try_rounded(&[a, b, c], side).map(Shape::from),
        7 => Segment::try_new(a, b).map(Shape::from),
        8 => Point::try_new(a).map(Shape::from),
        9 => Chain::try_new(&[a, b, c]).map(Shape::from),
        10 => Chain::try_closed(&[a, b, c]).map(|chain| chain.one_sided().into()),
        11 => Compound::try_new([
            square.into(),
            Shape::from(Circle::new(b, half[1])),
            Obb::try_new(c, half, angle).map_or(square.into(), Shape::from),
        ])
        .map(Shape::from),
        12 => {
            let x = |steps: f32| side * steps;
            let outline = [[0.0, 0.0], [3.0, 0.0], [3.0, 3.0], [2.0, 3.0], [2.0, 1.0], [0.0, 1.0]];
            Polygon::try_new(&outline.map(|[right, up]| [x(right), x(up)])).map(Shape::from)
        }
        13 => Mask::try_new(a, side, Bitmap::from_rows(&["##.", ".##", "#.#"])).map(Shape::from),
        14 => {
            let legend = [
                ('#', TileKind::SOLID),
                ('-', TileKind::one_way([0.0, 1.0])),
                ('/', TileKind::slope(0.0, 1.0, [0.0, 1.0])),
            ];
            TileMap::try_from_rows(a, [side, side], &["#-/", "..#", "##."], &legend)
                .map(Shape::from)
        }
        15 => Ellipse::try_new(a, half, angle).map(Shape::from),
        16 => Triangle::try_new(a, b, c).map(Shape::from),
        _ => Ok(square.into()),
    };
    shape.unwrap_or(square.into())
}

/// Returns a shape at a pose. A box that is not rotated, or by quarter turns only, stays a box, also in a
/// compound.
pub fn place(shape: &Shape, pose: &Pose) -> Shape {
    let axis = pose.rotation.rotate(Vec2::X);
    match shape {
        Shape::Aabb(aabb) if axis.x == 0.0 || axis.y == 0.0 => aabb.transformed_bounds(pose).into(),
        Shape::Compound(compound) => {
            Compound::new(compound.parts().iter().map(|part| place(part, pose))).into()
        }
        _ if *pose == Pose::IDENTITY => shape.clone(),
        _ => shape.transformed(pose),
    }
}

/// Returns a shape as a file stores it.
pub fn as_stored(shape: &Shape) -> Shape {
    match shape {
        Shape::Circle(_) | Shape::Aabb(_) if shape.bounds().size().min_element() > 0.0 => {
            shape.clone()
        }
        _ => serde_json::from_str(&serde_json::to_string(shape).unwrap()).unwrap(),
    }
}
