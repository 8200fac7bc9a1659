//! Shapes as serde values: the one form that all carom files and the program `carom` use.
//!
//! A shape is an object with its `type` and the fields that its constructor takes. In JSON:
//!
//! ```text
//! {"type":"point","at":[x,y]}                        {"type":"segment","a":[x,y],"b":[x,y]}
//! {"type":"circle","center":[x,y],"radius":r}        {"type":"ellipse","center":[x,y],"radii":[a,b],"angle":r}
//! {"type":"capsule","a":[x,y],"b":[x,y],"radius":r}  {"type":"aabb","min":[x,y],"max":[x,y]}
//! {"type":"rect","center":[x,y],"half":[w,h],"angle":r}
//! {"type":"triangle","points":[[x,y],[x,y],[x,y]]}   {"type":"convex","points":[[x,y]…],"radius":r}
//! {"type":"polygon","outer":[[x,y]…],"holes":[[[x,y]…]…]}
//! {"type":"chain","points":[[x,y]…],"closed":false,"one_sided":false}
//! {"type":"compound","parts":[SHAPE…]}
//! {"type":"mask","origin":[x,y],"pixel":1.0,"rows":["..##","####"]}
//! {"type":"tiles","origin":[x,y],"tile":[w,h],"rows":["#..","###"],"legend":{"#":"solid","-":"one_way"}}
//! ```
//!
//! The rows of a `mask` run along +y from the origin: `#` is a pixel that is set, a dot and a space are
//! clear. `pixel` is the side of a pixel, 1 unless given.
//!
//! The rows of `tiles` run along +y from the origin. A dot and a space are empty; the legend names
//! what the other characters stand for: `empty`, `solid`, `one_way`, `slope_up`, `slope_down`, and the
//! halves of gentle slopes over two tiles, `slope_up_low`, `slope_up_high`, `slope_down_high` and
//! `slope_down_low`. Slopes go up or down along +x. Which way is up for these names says an optional
//! `"up":[x,y]`; it is `[0,-1]`, towards the first row, unless given: up in the file, and on a screen
//! where y points down. Where y points up, write `"up":[0,1]`. In place of a name there may be
//! an object with a number of your own, or with points within the unit tile: `{"kind":"solid","data":7}`,
//! `{"kind":"convex","points":[[0,0],[1,0],[0.5,1]]}`, `{"kind":"one_way","points":[[0,0],[1,1]]}` (it
//! stops what comes from its left, y up).
//!
//! `angle` and the `radius` of a `convex` may be left out (0), as may `holes` (none), `closed` and
//! `one_sided` (false). Every shape takes an optional
//! `"pose":{"position":[x,y],"angle":r,"scale":s}`, each part of it optional too; it is applied on
//! reading, and what is written is the placed shape; only `tiles` and a `mask` keep it, and a
//! `"mirror":{"x":true,"y":false}` that comes before it. A box that is moved or
//! scaled stays an `aabb`; one that is turned becomes a `rect`.
//!
//! Reading is strict: unknown fields, missing ones and bad values are errors that say where
//! (`parts[2]: radius is -1; it must be greater than 0`). What is written reads back to the same
//! coordinates, bit for bit; only a `rect` or `ellipse` that was placed after it was made has
//! corners that its rounded `center` may give otherwise (and so have `tiles` and a `mask` that were turned twice), and an outline so far from the origin that
//! rounding has broken it may be refused. Compounds may nest as deep as the reader
//! of the file format allows (`serde_json`: 63 deep, then an error).
//!
//! With `serde_json`, turn on its feature `float_roundtrip`: without it a number of very many
//! digits may be read as the `f32` next to the nearest.

mod path;
mod read;
#[cfg(test)]
mod tests;
mod tiles;
mod value;

pub use crate::suggest::{closest_match, unknown_name};
pub use path::{FieldPath, PathSegment};
pub use tiles::tile_kind;
pub use value::{List, Number, Xy, within};

use alloc::string::String;
use alloc::vec::Vec;

use glam::Vec2;
use serde::ser::{Serialize, Serializer};

use crate::math::{Flip, Pose};
use crate::shape::Shape;
use tiles::Written;

/// A shape as it is written.
#[derive(serde::Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Form<'a> {
    Point {
        at: Vec2,
    },
    Segment {
        a: Vec2,
        b: Vec2,
    },
    Circle {
        center: Vec2,
        radius: f32,
    },
    Ellipse {
        center: Vec2,
        radii: Vec2,
        angle: f32,
    },
    Capsule {
        a: Vec2,
        b: Vec2,
        radius: f32,
    },
    Aabb {
        min: Vec2,
        max: Vec2,
    },
    Rect {
        center: Vec2,
        half: Vec2,
        angle: f32,
    },
    Triangle {
        points: &'a [Vec2],
    },
    Convex {
        points: &'a [Vec2],
        radius: f32,
    },
    Polygon {
        outer: &'a [Vec2],
        holes: Vec<&'a [Vec2]>,
    },
    Chain {
        points: &'a [Vec2],
        closed: bool,
        one_sided: bool,
    },
    Compound {
        parts: &'a [Shape],
    },
    Tiles {
        origin: Vec2,
        tile: Vec2,
        rows: Vec<String>,
        legend: Written<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        mirror: Option<Flip>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pose: Option<&'a Pose>,
    },
    Mask {
        origin: Vec2,
        pixel: f32,
        rows: Vec<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        mirror: Option<Flip>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pose: Option<&'a Pose>,
    },
}

impl<'a> Form<'a> {
    /// Rounding, far from the origin or at a tiny scale, may leave a shape without area. It is
    /// then written as the segment or capsule that it has become, so that it reads back.
    fn of(shape: &'a Shape) -> Self {
        match shape {
            Shape::Point(s) => Self::Point { at: s.position() },
            Shape::Segment(s) => Self::Segment { a: s.a(), b: s.b() },
            Shape::Circle(s) if s.radius() == 0.0 => Self::Point { at: s.center() },
            Shape::Circle(s) => Self::Circle { center: s.center(), radius: s.radius() },
            Shape::Ellipse(s) if s.radii().min_element() == 0.0 => Self::flat(s.points(), 0.0),
            Shape::Ellipse(s) => {
                Self::Ellipse { center: s.center(), radii: s.radii(), angle: s.angle() }
            }
            Shape::Capsule(s) => Self::flat(&[s.a(), s.b()], s.radius()),
            Shape::Aabb(s) if s.size().min_element() == 0.0 => Self::flat(&[s.min(), s.max()], 0.0),
            Shape::Aabb(s) => Self::Aabb { min: s.min(), max: s.max() },
            Shape::Obb(s) if s.half_size().min_element() == 0.0 => Self::flat(s.corners(), 0.0),
            Shape::Obb(s) => {
                Self::Rect { center: s.center(), half: s.half_size(), angle: s.angle() }
            }
            Shape::Triangle(s) if s.points().len() < 3 => Self::flat(s.points(), 0.0),
            Shape::Triangle(s) => Self::Triangle { points: s.points() },
            Shape::ConvexPolygon(s) if s.points().len() < 3 => Self::flat(s.points(), s.radius()),
            Shape::ConvexPolygon(s) => Self::Convex { points: s.points(), radius: s.radius() },
            Shape::Polygon(s) => Self::Polygon { outer: s.outer(), holes: s.holes().collect() },
            Shape::Chain(s) => Self::Chain {
                points: s.points(),
                closed: s.is_closed(),
                one_sided: s.is_one_sided(),
            },
            Shape::Compound(s) => Self::Compound { parts: s.parts() },
            Shape::TileMap(s) => {
                let legend = Written::of(s);
                let (mirror, pose) = changes(s.flip(), s.pose());
                let (origin, tile) = (s.origin(), s.tile());
                Self::Tiles { origin, tile, rows: legend.rows(), legend, mirror, pose }
            }
            Shape::Mask(s) => {
                let (mirror, pose) = changes(s.flip(), s.pose());
                let (origin, pixel, rows) = (s.origin(), s.pixel(), s.bitmap().to_rows());
                Self::Mask { origin, pixel, rows, mirror, pose }
            }
        }
    }

    fn flat(points: &[Vec2], radius: f32) -> Self {
        let (a, b) = (points[0], points[points.len() - 1]);
        if radius == 0.0 { Self::Segment { a, b } } else { Self::Capsule { a, b, radius } }
    }
}

/// How a grid is mirrored and placed, where it is.
fn changes(mirror: Flip, pose: &Pose) -> (Option<Flip>, Option<&Pose>) {
    let mirror = Some(mirror).filter(|&mirror| mirror != Flip::NONE);
    (mirror, Some(pose).filter(|&&pose| pose != Pose::IDENTITY))
}

impl Serialize for Shape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Form::of(self).serialize(serializer)
    }
}

impl Serialize for Pose {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(serde::Serialize)]
        struct Form {
            position: Vec2,
            angle: f32,
            scale: f32,
        }
        let Self { position, rotation, scale } = *self;
        Form { position, angle: rotation.angle(), scale }.serialize(serializer)
    }
}
