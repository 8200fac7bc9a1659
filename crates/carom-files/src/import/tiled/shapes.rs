//! The shapes that can be drawn in Tiled, and their transformations.

use carom::prelude::*;

use super::model::Object;

/// An affine transformation, given by the images of (1, 0), (0, 1) and (0, 0).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Affine {
    pub x: Vec2,
    pub y: Vec2,
    pub origin: Vec2,
}

impl Affine {
    pub const IDENTITY: Self = Self { x: Vec2::X, y: Vec2::Y, origin: Vec2::ZERO };

    pub fn translation(by: Vec2) -> Self {
        Self { origin: by, ..Self::IDENTITY }
    }

    pub fn scale(by: Vec2) -> Self {
        Self { x: Vec2::new(by.x, 0.0), y: Vec2::new(0.0, by.y), origin: Vec2::ZERO }
    }

    /// Returns the rotation by an angle in degrees, from x towards y. Quarter turns are exact.
    pub fn rotation(degrees: f32) -> Self {
        let x = match degrees.rem_euclid(360.0) {
            0.0 => Vec2::X,
            90.0 => Vec2::Y,
            180.0 => -Vec2::X,
            270.0 => -Vec2::Y,
            degrees => Pose::new([0.0, 0.0], degrees.to_radians()).transform_point(Vec2::X),
        };
        Self { x, y: x.perp(), origin: Vec2::ZERO }
    }

    /// Returns the transformation that applies this one first, then `next`.
    pub fn then(self, next: Self) -> Self {
        let [x, y] = [self.x, self.y].map(|axis| next.transform_vector(axis));
        Self { x, y, origin: next.transform_point(self.origin) }
    }

    pub fn transform_point(&self, point: Vec2) -> Vec2 {
        self.x * point.x + self.y * point.y + self.origin
    }

    fn transform_vector(&self, vector: Vec2) -> Vec2 {
        self.transform_point(vector) - self.origin
    }
}

/// The shape of an object or of a tile.
#[derive(Clone, Debug, PartialEq)]
pub enum TiledShape {
    Point(Vec2),
    Polyline(Vec<Vec2>),
    Polygon(Vec<Vec2>),
    Ellipse {
        center: Vec2,
        /// The vector from the center to the end of the horizontal axis, before transformations.
        x: Vec2,
        /// The vector from the center to the end of the vertical axis, before transformations.
        y: Vec2,
    },
    Capsule {
        a: Vec2,
        b: Vec2,
        radius: f32,
    },
}

impl TiledShape {
    /// Returns the shape of an object, relative to its position; `None` for text.
    pub fn new(object: &Object) -> Option<Self> {
        let size = object.size();
        if let Some(points) = &object.polygon {
            return Some(Self::Polygon(points.iter().map(|&point| point.into()).collect()));
        }
        if let Some(points) = &object.polyline {
            return Some(Self::Polyline(points.iter().map(|&point| point.into()).collect()));
        }
        if object.text {
            return None;
        }
        Some(match size.cmpgt(Vec2::ZERO) {
            _ if object.point => Self::Point(Vec2::ZERO),
            has_size if !has_size.any() => Self::Point(Vec2::ZERO),
            has_size if !has_size.all() => Self::Polyline(vec![Vec2::ZERO, size.max(Vec2::ZERO)]),
            _ if object.ellipse => Self::Ellipse {
                center: size / 2.0,
                x: Vec2::new(size.x / 2.0, 0.0),
                y: Vec2::new(0.0, size.y / 2.0),
            },
            _ if object.capsule => {
                let radius = size.min_element() / 2.0;
                Self::Capsule { a: Vec2::splat(radius), b: size - Vec2::splat(radius), radius }
            }
            _ => Self::rectangle(size),
        })
    }

    /// Returns a rectangle with a corner at the origin.
    pub fn rectangle(size: Vec2) -> Self {
        Self::Polygon(vec![Vec2::ZERO, Vec2::new(size.x, 0.0), size, Vec2::new(0.0, size.y)])
    }

    pub fn transformed(&self, by: &Affine) -> Self {
        let all = |points: &[Vec2]| points.iter().map(|&point| by.transform_point(point)).collect();
        match self {
            Self::Point(at) => Self::Point(by.transform_point(*at)),
            Self::Polyline(points) => Self::Polyline(all(points)),
            Self::Polygon(points) => Self::Polygon(all(points)),
            Self::Ellipse { center, x, y } => Self::Ellipse {
                center: by.transform_point(*center),
                x: by.transform_vector(*x),
                y: by.transform_vector(*y),
            },
            Self::Capsule { a, b, radius } => {
                // If the axes are scaled differently, the smaller scale determines the radius.
                let radius = radius * by.x.length().min(by.y.length());
                Self::Capsule { a: by.transform_point(*a), b: by.transform_point(*b), radius }
            }
        }
    }

    /// Converts the shape to a [`Shape`].
    pub fn shape(&self) -> Result<Shape, ShapeError> {
        match self {
            Self::Point(at) => Point::try_new(*at).map(Into::into),
            Self::Polyline(points) => match points[..] {
                [a, b] => Segment::try_new(a, b).map(Into::into),
                _ => Chain::try_new(points).map(Into::into),
            },
            Self::Polygon(points) => polygon(points),
            Self::Ellipse { center, x, y } => ellipse(*center, *x, *y),
            Self::Capsule { a, b, radius } => Capsule::try_new(*a, *b, *radius).map(Into::into),
        }
    }

    /// Returns the shape, or its upper side, as a kind of tile, if it is convex and inside the unit
    /// square.
    pub fn kind(&self, one_way: bool) -> Option<TileKind> {
        match self {
            Self::Polygon(points) if one_way => {
                let bounds = Aabb::from_points(points)?;
                let (min, max) = (bounds.min(), bounds.max());
                TileKind::try_one_way_line([max.x, min.y], min).ok()
            }
            // A one-way line blocks bodies that come from its left (y up). That side must be above it (y down).
            Self::Polyline(ends) if one_way => match ends[..] {
                [a, b] if a.x < b.x => TileKind::try_one_way_line(b, a).ok(),
                [a, b] => TileKind::try_one_way_line(a, b).ok(),
                _ => None,
            },
            // A convex kind ignores the order of its points, so check the outline first.
            Self::Polygon(points) => {
                Polygon::try_new(points).and_then(|_| TileKind::try_convex(points)).ok()
            }
            _ => None,
        }
    }
}

/// Returns the simplest shape with an outline: a box, a convex polygon or a polygon.
fn polygon(points: &[Vec2]) -> Result<Shape, ShapeError> {
    let polygon = Polygon::try_new(points)?;
    if let Some(bounds) = axis_aligned_box(points) {
        return Ok(bounds.into());
    }
    let convex = ConvexPolygon::try_new(points);
    Ok(convex.map_or_else(|_| polygon.into(), Into::into))
}

/// Returns the axis-aligned box that has exactly these four corners.
fn axis_aligned_box(points: &[Vec2]) -> Option<Aabb> {
    let bounds = Aabb::from_points(points)?;
    let is_corner = |corner: &Vec2| points.contains(corner);
    (points.len() == 4 && bounds.corners().iter().all(is_corner))
        .then(|| Aabb::try_new(bounds.min(), bounds.max()).ok())?
}

fn ellipse(center: Vec2, x: Vec2, y: Vec2) -> Result<Shape, ShapeError> {
    let radii = Vec2::new(x.length(), y.length());
    // Flips and rotations keep the axes perpendicular, up to rounding. Scaling a rotated ellipse does not:
    // transform the polygon of a unit circle instead.
    if x.dot(y).abs() > 1e-4 * radii.x * radii.y {
        let circle = Ellipse::try_new([0.0, 0.0], [1.0, 1.0], 0.0)?;
        let to_ellipse = Affine { x, y, origin: center };
        let points: Vec<Vec2> =
            circle.points().iter().map(|&point| to_ellipse.transform_point(point)).collect();
        return ConvexPolygon::hull(&points).map(Into::into);
    }
    if radii.x == radii.y {
        return Circle::try_new(center, radii.x).map(Into::into);
    }
    if x.y == 0.0 {
        return Ellipse::try_new(center, radii, 0.0).map(Into::into);
    }
    if x.x == 0.0 {
        return Ellipse::try_new(center, [radii.y, radii.x], 0.0).map(Into::into);
    }
    Ellipse::try_new(center, radii, x.to_angle()).map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transformations_are_applied_in_order() {
        let both = Affine::rotation(90.0).then(Affine::translation(Vec2::new(10.0, 0.0)));
        assert_eq!(both.transform_point(Vec2::new(2.0, 1.0)), Vec2::new(9.0, 2.0));
        let wide = both.then(Affine::scale(Vec2::new(2.0, 1.0)));
        assert_eq!(wide.transform_point(Vec2::new(2.0, 1.0)), Vec2::new(18.0, 2.0));
        let rotated = Affine::rotation(-30.0).transform_point(Vec2::new(2.0, 0.0));
        assert!(rotated.distance(Vec2::new(3f32.sqrt(), -1.0)) < 1e-6);
    }
}
