//! One shape of each kind around the origin, with results that can be computed mentally.

use carom::prelude::*;

/// Returns a shape of the kind. The origin lies inside it (on it, for lines and points). Its largest x is
/// attained at y = 0, its largest y at x = 0, and no coordinate exceeds 4.
pub fn sample(kind: &str) -> Shape {
    match kind {
        "Point" => Point::new([0.0, 0.0]).into(),
        "Segment" => Segment::new([-2.0, 0.0], [2.0, 0.0]).into(),
        "Circle" => Circle::new([0.0, 0.0], 2.0).into(),
        "Ellipse" => Ellipse::new([0.0, 0.0], [2.0, 1.0], 0.0).into(),
        "Capsule" => Capsule::new([-1.0, 0.0], [1.0, 0.0], 1.0).into(),
        "Aabb" => Aabb::new([-2.0, -1.0], [2.0, 1.0]).into(),
        "Obb" => Obb::new([0.0, 0.0], [1.0, 2.0], core::f32::consts::FRAC_PI_2).into(),
        "Triangle" => Triangle::new([-2.0, -1.0], [2.0, 0.0], [0.0, 1.0]).into(),
        "ConvexPolygon" => {
            ConvexPolygon::rounded(&[[-1.0, 0.0], [0.0, -1.0], [1.0, 0.0], [0.0, 1.0]], 1.0).into()
        }
        "Polygon" => {
            // A door frame with a window.
            let outer = [
                [-2.0, 2.0],
                [-2.0, -2.0],
                [-1.0, -2.0],
                [-1.0, -1.0],
                [1.0, -1.0],
                [1.0, -2.0],
                [2.0, -2.0],
                [2.0, 2.0],
            ];
            Polygon::with_holes(&outer, &[vec![[-1.5, 0.5], [-0.5, 0.75], [-0.5, 1.5]]]).into()
        }
        "Chain" => Chain::new(&[[-2.0, 0.0], [2.0, 0.0], [2.0, -3.0]]).into(),
        "Compound" => {
            let body = Aabb::new([-2.0, -1.0], [0.5, 1.0]);
            Compound::new([Shape::from(body), Circle::new([1.0, 0.0], 1.0).into()]).into()
        }
        "TileMap" => {
            let rows = ["#..#", "####", "./\\."]; // y up: legs below, a roof on top
            let slope = |from, to| TileKind::slope(from, to, [0.0, 1.0]);
            let legend = [('#', TileKind::SOLID), ('/', slope(0.0, 1.0)), ('\\', slope(1.0, 0.0))];
            TileMap::from_rows([-2.0, -1.5], [1.0, 1.0], &rows, &legend).into()
        }
        "Mask" => {
            let rows = [".##.", "####", "#.##"]; // y up: a gap below, corners cut on top
            Mask::from_rows([-2.0, -1.5], 1.0, &rows).flipped(Flip::Y).into()
        }
        _ => panic!("{kind} has no sample yet: add one here"),
    }
}
