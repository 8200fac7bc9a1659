//! Conversions between shapes and poses and their representations.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use glam::Vec2;

use super::FieldPath;
use super::table::{PoseRepr, ShapeRepr};
use super::tiles::LegendRepr;
use super::value::{List, Number, Xy};
use crate::error::ShapeError;
use crate::math::{Flip, Pose};
use crate::shape::canonical::canonical_form;
use crate::shape::{
    Aabb, Capsule, Chain, Circle, Compound, ConvexPolygon, Ellipse, Mask, Obb, Point, Polygon,
    Segment, Shape, TileMap, Triangle,
};

/// The default up direction of a tile map: towards the first row, which is up in the text of a file.
pub const DEFAULT_UP: Vec2 = Vec2::new(0.0, -1.0);

/// An invalid value in a representation that has the right structure.
#[derive(Clone, Debug, PartialEq)]
pub struct ReprError {
    /// The path of the object that is invalid, such as `parts[2]`.
    pub path: FieldPath,
    /// The path of the invalid field in this object, as far as it is known.
    pub field: FieldPath,
    /// The message: the value that was found, and the one that was expected.
    pub message: String,
}

impl ReprError {
    /// Creates an error about the whole object.
    pub fn new(message: impl fmt::Display) -> Self {
        let (path, field) = (FieldPath::default(), FieldPath::default());
        Self { path, field, message: message.to_string() }
    }

    /// Sets the field that is invalid.
    #[must_use]
    pub fn in_field(self, field: FieldPath) -> Self {
        Self { field, ..self }
    }

    /// Returns the error with `path`, the path of this object in an outer one, in front of its path.
    #[must_use]
    pub fn within(self, path: &FieldPath) -> Self {
        Self { path: path.join(&self.path), ..self }
    }
}

impl fmt::Display for ReprError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_root() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)
    }
}

impl core::error::Error for ReprError {}

impl From<ShapeError> for ReprError {
    fn from(error: ShapeError) -> Self {
        Self::new(error).in_field(field_of(&error))
    }
}

/// Returns the field that an error is about. The caller ignores a field that the shape does not have.
fn field_of(error: &ShapeError) -> FieldPath {
    let root = FieldPath::default();
    match *error {
        ShapeError::NotFinite { field, .. }
        | ShapeError::NotPositive { field, .. }
        | ShapeError::Negative { field, .. } => {
            // Names such as `tile.y` are coordinates.
            let (name, coordinate) = field.split_once('.').unwrap_or((field, ""));
            let field = root.field(if name == "half_size" { "half" } else { name });
            match coordinate {
                "x" => field.index(0),
                "y" => field.index(1),
                _ => field,
            }
        }
        ShapeError::PointNotFinite { index, .. }
        | ShapeError::NotConvex { index, .. }
        | ShapeError::OutsideTile { index, .. } => root.field("points").index(index),
        ShapeError::TooFewPoints { .. } => root.field("points"),
        ShapeError::HoleOutside { hole, .. } | ShapeError::HoleInHole { hole, .. } => {
            root.field("holes").index(hole)
        }
        ShapeError::EmptyCompound | ShapeError::NestedTooDeep => root.field("parts"),
        ShapeError::EmptyTileMap | ShapeError::EmptyBitmap | ShapeError::TooManyPixels { .. } => {
            root.field("rows")
        }
        ShapeError::RaggedRows { row, .. }
        | ShapeError::UnknownPixel { row, .. }
        | ShapeError::UnknownTile { row, .. } => root.field("rows").index(row),
        _ => root,
    }
}

impl TryFrom<ShapeRepr> for Shape {
    type Error = ReprError;

    fn try_from(repr: ShapeRepr) -> Result<Self, ReprError> {
        let root = FieldPath::default();
        let pose = repr.pose();
        let number = |number: Option<Number>| number.map_or(0.0, |number| number.0);
        let flip = |mirror: Option<Flip>| mirror.unwrap_or(Flip::NONE);
        let shape: Self = match repr {
            ShapeRepr::Point { at, pose: _ } => Point::try_new(at)?.into(),
            ShapeRepr::Segment { a, b, pose: _ } => Segment::try_new(a, b)?.into(),
            ShapeRepr::Circle { center, radius, pose: _ } => {
                Circle::try_new(center, radius.0)?.into()
            }
            ShapeRepr::Ellipse { center, radii, angle, pose: _ } => {
                Ellipse::try_new(center, radii, number(angle))?.into()
            }
            ShapeRepr::Capsule { a, b, radius, pose: _ } => {
                Capsule::try_new(a, b, radius.0)?.into()
            }
            ShapeRepr::Aabb { min, max, pose: _ } => Aabb::try_new(min, max)?.into(),
            ShapeRepr::Rect { center, half, angle, pose: _ } => {
                Obb::try_new(center, half, number(angle))?.into()
            }
            ShapeRepr::Triangle { points, pose: _ } => match points.0[..] {
                [a, b, c] => Triangle::try_new(a, b, c)?.into(),
                ref points => {
                    let message = format!("found {} points, expected exactly 3", points.len());
                    return Err(ReprError::new(message).within(&root.field("points")));
                }
            },
            ShapeRepr::Convex { points, radius, pose: _ } => {
                ConvexPolygon::try_rounded(&points.0, number(radius))?.into()
            }
            ShapeRepr::Polygon { outer, holes, pose: _ } => {
                let holes = holes.map_or_else(Vec::new, |holes| holes.0);
                let holes: Vec<_> = holes.into_iter().map(|hole| hole.0).collect();
                Polygon::try_with_holes(&outer.0, &holes)?.into()
            }
            ShapeRepr::Chain { points, closed, one_sided, pose: _ } => {
                let is_closed = closed.unwrap_or(false);
                let new = if is_closed { Chain::try_closed } else { Chain::try_new };
                let chain = new(&points.0)?;
                if one_sided.unwrap_or(false) { chain.one_sided() } else { chain }.into()
            }
            ShapeRepr::Compound { parts, pose: _ } => {
                let part = |(i, part): (usize, ShapeRepr)| {
                    let path = root.field("parts").index(i);
                    Self::try_from(part).map_err(|error| error.within(&path))
                };
                let parts: Result<Vec<_>, _> = parts.0.into_iter().enumerate().map(part).collect();
                Compound::try_new(parts?)?.into()
            }
            ShapeRepr::Tiles { origin, tile, rows, legend, up, mirror, pose: _ } => {
                let kinds = legend.kinds(up.map_or(DEFAULT_UP, |Xy(up)| up));
                let kinds = kinds.map_err(|error| error.within(&root.field("legend")))?;
                TileMap::try_from_rows(origin, tile, &rows.0, &kinds)?.flipped(flip(mirror)).into()
            }
            ShapeRepr::Mask { origin, pixel, rows, mirror, pose: _ } => {
                let pixel = pixel.map_or(1.0, |pixel| pixel.0);
                Mask::try_from_rows(origin, pixel, &rows.0)?.flipped(flip(mirror)).into()
            }
        };
        let Some(pose) = pose else { return Ok(shape) };
        let pose = Pose::try_from(pose).map_err(|error| error.within(&root.field("pose")))?;
        Ok(if pose == Pose::IDENTITY { shape } else { shape.apply_pose(&pose) })
    }
}

impl TryFrom<PoseRepr> for Pose {
    type Error = ReprError;

    fn try_from(PoseRepr { position, angle, scale }: PoseRepr) -> Result<Self, ReprError> {
        let position = position.map_or(Vec2::ZERO, |Xy(position)| position);
        let (angle, scale) = (angle.map_or(0.0, |it| it.0), scale.map_or(1.0, |it| it.0));
        Ok(Self::try_new(position, angle, scale)?)
    }
}

impl From<&Pose> for PoseRepr {
    fn from(&Pose { position, rotation, scale }: &Pose) -> Self {
        let (angle, scale) = (Some(Number(rotation.angle())), Some(Number(scale)));
        Self { position: Some(Xy(position)), angle, scale }
    }
}

impl From<&Shape> for ShapeRepr {
    fn from(shape: &Shape) -> Self {
        let pose = None;
        let list = |points: &[Vec2]| List(points.iter().copied().map(Xy).collect());
        let canonical = canonical_form(shape);
        match canonical.as_ref().unwrap_or(shape) {
            Shape::Point(s) => Self::Point { at: Xy(s.position()), pose },
            Shape::Segment(s) => Self::Segment { a: Xy(s.a()), b: Xy(s.b()), pose },
            Shape::Circle(s) => {
                Self::Circle { center: Xy(s.center()), radius: Number(s.radius()), pose }
            }
            Shape::Capsule(s) => {
                Self::Capsule { a: Xy(s.a()), b: Xy(s.b()), radius: Number(s.radius()), pose }
            }
            Shape::Ellipse(s) => {
                let (center, radii) = (Xy(s.center()), Xy(s.radii()));
                Self::Ellipse { center, radii, angle: Some(Number(s.angle())), pose }
            }
            Shape::Aabb(s) => Self::Aabb { min: Xy(s.min()), max: Xy(s.max()), pose },
            Shape::Obb(s) => {
                let (center, half) = (Xy(s.center()), Xy(s.half_size()));
                Self::Rect { center, half, angle: Some(Number(s.angle())), pose }
            }
            Shape::Triangle(s) => Self::Triangle { points: list(s.points()), pose },
            Shape::ConvexPolygon(s) => {
                let radius = Some(Number(s.radius()));
                Self::Convex { points: list(s.points()), radius, pose }
            }
            Shape::Polygon(s) => {
                let holes = Some(List(s.holes().map(list).collect()));
                Self::Polygon { outer: list(s.outer()), holes, pose }
            }
            Shape::Chain(s) => Self::Chain {
                points: list(s.points()),
                closed: Some(s.is_closed()),
                one_sided: Some(s.is_one_sided()),
                pose,
            },
            Shape::Compound(s) => {
                Self::Compound { parts: List(s.parts().iter().map(Self::from).collect()), pose }
            }
            Shape::TileMap(s) => {
                let (legend, rows) = LegendRepr::of(s);
                let (mirror, pose) = changes(s.flip(), s.pose());
                let (origin, tile) = (Xy(s.origin()), Xy(s.tile()));
                Self::Tiles { origin, tile, rows: List(rows), legend, up: None, mirror, pose }
            }
            Shape::Mask(s) => {
                let (mirror, pose) = changes(s.flip(), s.pose());
                let (origin, pixel) = (Xy(s.origin()), Some(Number(s.pixel())));
                Self::Mask { origin, pixel, rows: List(s.bitmap().to_rows()), mirror, pose }
            }
        }
    }
}

/// Returns the flip and the pose of a grid, unless they change nothing.
fn changes(flip: Flip, pose: &Pose) -> (Option<Flip>, Option<PoseRepr>) {
    let flip = Some(flip).filter(|&flip| flip != Flip::NONE);
    (flip, Some(pose).filter(|&&pose| pose != Pose::IDENTITY).map(PoseRepr::from))
}
