//! The shapes that Tiled draws.

use carom::prelude::*;

use super::model::Object;
use crate::import::affine::Affine;

/// A shape of an object, or of a tile.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    Point(Vec2),
    /// From point to point.
    Line(Vec<Vec2>),
    /// Corners of an area.
    Area(Vec<Vec2>),
    /// Half of its width and of its height lead from the middle to where these are.
    Ellipse {
        center: Vec2,
        x: Vec2,
        y: Vec2,
    },
    Capsule {
        a: Vec2,
        b: Vec2,
        radius: f32,
    },
}

impl Piece {
    /// The shape of an object, with its place at the origin; `None` for text.
    pub fn of(object: &Object) -> Option<Self> {
        let size = object.size();
        if let Some(points) = &object.polygon {
            return Some(Self::Area(points.iter().map(|&point| point.into()).collect()));
        }
        if let Some(points) = &object.polyline {
            return Some(Self::Line(points.iter().map(|&point| point.into()).collect()));
        }
        if object.text {
            return None;
        }
        Some(match size.cmpgt(Vec2::ZERO) {
            _ if object.point => Self::Point(Vec2::ZERO),
            has if !has.any() => Self::Point(Vec2::ZERO),
            has if !has.all() => Self::Line(vec![Vec2::ZERO, size.max(Vec2::ZERO)]),
            _ if object.ellipse => Self::Ellipse {
                center: size / 2.0,
                x: Vec2::new(size.x / 2.0, 0.0),
                y: Vec2::new(0.0, size.y / 2.0),
            },
            _ if object.capsule => Self::capsule(size),
            _ => Self::rect(size),
        })
    }

    /// A box from the origin.
    pub fn rect(size: Vec2) -> Self {
        Self::Area(vec![Vec2::ZERO, Vec2::new(size.x, 0.0), size, Vec2::new(0.0, size.y)])
    }

    fn capsule(size: Vec2) -> Self {
        let radius = size.min_element() / 2.0;
        Self::Capsule { a: Vec2::splat(radius), b: size - Vec2::splat(radius), radius }
    }

    pub fn mapped(&self, to: &Affine) -> Self {
        let all = |points: &[Vec2]| points.iter().map(|&point| to.apply(point)).collect();
        match self {
            Self::Point(at) => Self::Point(to.apply(*at)),
            Self::Line(points) => Self::Line(all(points)),
            Self::Area(points) => Self::Area(all(points)),
            Self::Ellipse { center, x, y } => {
                let turned = |axis: Vec2| to.apply(axis) - to.origin;
                Self::Ellipse { center: to.apply(*center), x: turned(*x), y: turned(*y) }
            }
            Self::Capsule { a, b, radius } => {
                // Stretched in one direction only, it is as thick as it was across the other.
                let radius = radius * to.x.length().min(to.y.length());
                Self::Capsule { a: to.apply(*a), b: to.apply(*b), radius }
            }
        }
    }

    /// As a shape of carom.
    pub fn shape(&self) -> Result<Shape, ShapeError> {
        match self {
            Self::Point(at) => Point::try_new(*at).map(Into::into),
            Self::Line(points) => match points[..] {
                [a, b] => Segment::try_new(a, b).map(Into::into),
                _ => Chain::try_new(points).map(Into::into),
            },
            Self::Area(points) => area(points),
            Self::Ellipse { center, x, y } => ellipse(*center, *x, *y),
            Self::Capsule { a, b, radius } => Capsule::try_new(*a, *b, *radius).map(Into::into),
        }
    }

    /// As a kind of tile, if it is one convex area within the unit tile; or the upper side of that.
    pub fn kind(&self, one_way: bool) -> Option<TileKind> {
        match self {
            Self::Area(points) if one_way => {
                let level = Aabb::from_points(points)?;
                let (min, max) = (level.min(), level.max());
                TileKind::try_one_way_line([max.x, min.y], min).ok()
            }
            // What comes from above has to come from its left (y up).
            Self::Line(ends) if one_way => match ends[..] {
                [a, b] if a.x < b.x => TileKind::try_one_way_line(b, a).ok(),
                [a, b] => TileKind::try_one_way_line(a, b).ok(),
                _ => None,
            },
            // The order of the corners counts, and a convex kind would take them in any.
            Self::Area(points) => {
                Polygon::try_new(points).and_then(|_| TileKind::try_convex(points)).ok()
            }
            _ => None,
        }
    }
}

fn area(points: &[Vec2]) -> Result<Shape, ShapeError> {
    let outline = Polygon::try_new(points)?;
    if let Some(level) = level_box(points) {
        return Ok(level.into());
    }
    let convex = ConvexPolygon::try_new(points);
    Ok(convex.map_or_else(|_| outline.into(), Into::into))
}

/// The box that four corners are those of.
fn level_box(points: &[Vec2]) -> Option<Aabb> {
    let level = Aabb::from_points(points)?;
    let is_corner = |corner: &Vec2| points.contains(corner);
    (points.len() == 4 && level.corners().iter().all(is_corner))
        .then(|| Aabb::try_new(level.min(), level.max()).ok())?
}

fn ellipse(center: Vec2, x: Vec2, y: Vec2) -> Result<Shape, ShapeError> {
    let radii = Vec2::new(x.length(), y.length());
    // Flips and turns keep the axes square, up to rounding; stretching a turned one does not.
    if x.dot(y).abs() > 1e-4 * radii.x * radii.y {
        let round = Ellipse::try_new([0.0, 0.0], [1.0, 1.0], 0.0)?;
        let slanted = Affine { x, y, origin: center };
        let points: Vec<Vec2> = round.points().iter().map(|&point| slanted.apply(point)).collect();
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
