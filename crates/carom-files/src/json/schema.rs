//! The forms of carom's own types, and the JSON Schemas that come of them.
//!
//! carom reads shapes and sheets itself; here is what their forms contain, for schemas. A test compares
//! the two.
#![expect(dead_code, reason = "of these types only the descriptions are used")]

use std::collections::BTreeMap;
use std::sync::LazyLock;

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::Value;

use crate::scene::Scene;

static SCENE: LazyLock<Value> = LazyLock::new(schema_of::<Scene>);
static SHEET: LazyLock<Value> = LazyLock::new(schema_of::<SheetForm>);

/// The JSON Schema of scene files.
pub fn scene_schema() -> &'static Value {
    &SCENE
}

/// The JSON Schema of sheet files.
pub fn sheet_schema() -> &'static Value {
    &SHEET
}

fn schema_of<T: JsonSchema>() -> Value {
    let mut schema = SchemaGenerator::default().into_root_schema_for::<T>().to_value();
    forbid_null(&mut schema);
    schema
}

/// What need not be given is left out, and not written as `null`.
fn forbid_null(schema: &mut Value) {
    if let Some(Value::Array(kinds)) = schema.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [kind] = &kinds[..] {
            schema["type"] = kind.clone();
        }
    }
    if let Some(Value::Array(forms)) = schema.get_mut("anyOf") {
        forms.retain(|form| form["type"] != "null");
        if let [form] = &forms[..] {
            let form = form.clone();
            if let (Value::Object(schema), Value::Object(form)) = (&mut *schema, form) {
                schema.remove("anyOf");
                schema.extend(form);
            }
        }
    }
    match schema {
        Value::Object(fields) => fields.values_mut().for_each(forbid_null),
        Value::Array(items) => items.iter_mut().for_each(forbid_null),
        _ => {}
    }
}

type Xy = [f32; 2];

/// A shape.
#[derive(JsonSchema)]
#[serde(rename = "Shape", tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum ShapeForm {
    /// A point.
    Point { at: Xy, pose: Option<PoseForm> },
    /// A line from a to b.
    Segment { a: Xy, b: Xy, pose: Option<PoseForm> },
    /// A disc.
    Circle { center: Xy, radius: f32, pose: Option<PoseForm> },
    /// An ellipse, turned by an angle in radians.
    Ellipse {
        center: Xy,
        radii: Xy,
        #[serde(default)]
        angle: f32,
        pose: Option<PoseForm>,
    },
    /// All points within a radius of a line.
    Capsule { a: Xy, b: Xy, radius: f32, pose: Option<PoseForm> },
    /// A level box.
    Aabb { min: Xy, max: Xy, pose: Option<PoseForm> },
    /// A box of half a width and half a height, turned by an angle in radians.
    Rect {
        center: Xy,
        half: Xy,
        #[serde(default)]
        angle: f32,
        pose: Option<PoseForm>,
    },
    /// A triangle.
    Triangle { points: [Xy; 3], pose: Option<PoseForm> },
    /// A convex polygon, with round corners if it has a radius.
    Convex {
        points: Vec<Xy>,
        #[serde(default)]
        radius: f32,
        pose: Option<PoseForm>,
    },
    /// A polygon, convex or not, with holes.
    Polygon {
        outer: Vec<Xy>,
        #[serde(default)]
        holes: Vec<Vec<Xy>>,
        pose: Option<PoseForm>,
    },
    /// Lines from point to point.
    Chain {
        points: Vec<Xy>,
        /// Whether the last point is joined to the first.
        #[serde(default)]
        closed: bool,
        /// Whether it stops only what comes from its left (y up).
        #[serde(default)]
        one_sided: bool,
        pose: Option<PoseForm>,
    },
    /// Several shapes as one.
    Compound {
        #[schemars(length(min = 1))]
        parts: Vec<ShapeForm>,
        pose: Option<PoseForm>,
    },
    /// A map of tiles; the rows run along +y from the origin.
    Tiles {
        origin: Xy,
        /// The width and height of a tile.
        tile: Xy,
        /// A character for each tile; a dot and a space are empty.
        rows: Vec<String>,
        /// What the characters stand for.
        legend: BTreeMap<String, TileForm>,
        /// Which way is up for platforms and slopes: towards the first row unless given.
        up: Option<Xy>,
        mirror: Option<MirrorForm>,
        pose: Option<PoseForm>,
    },
    /// Pixels; the rows run along +y from the origin.
    Mask {
        origin: Xy,
        /// The side of a pixel, 1 unless given.
        pixel: Option<f32>,
        /// A character for each pixel: `#` is set, a dot and a space are clear.
        rows: Vec<String>,
        mirror: Option<MirrorForm>,
        pose: Option<PoseForm>,
    },
}

/// Where something is, how it is turned (in radians) and scaled.
#[derive(JsonSchema)]
#[serde(rename = "Pose", deny_unknown_fields)]
pub(crate) struct PoseForm {
    position: Option<Xy>,
    angle: Option<f32>,
    scale: Option<f32>,
}

/// In which directions something is mirrored.
#[derive(JsonSchema)]
#[serde(rename = "Mirror", deny_unknown_fields)]
pub(crate) struct MirrorForm {
    x: bool,
    y: bool,
}

/// A kind of tile: its name, or more about it.
#[derive(JsonSchema)]
#[serde(rename = "Tile", untagged)]
pub(crate) enum TileForm {
    Name(TileName),
    More(TileMore),
}

/// A kind of tile that has a name.
#[derive(JsonSchema)]
#[serde(rename = "TileName", rename_all = "snake_case")]
pub(crate) enum TileName {
    Empty,
    Solid,
    OneWay,
    SlopeUp,
    SlopeDown,
    SlopeUpLow,
    SlopeUpHigh,
    SlopeDownHigh,
    SlopeDownLow,
}

/// A kind of tile with points within the unit tile, or a number of your own.
#[derive(JsonSchema)]
#[serde(rename = "TileMore", deny_unknown_fields)]
pub(crate) struct TileMore {
    /// The name of a kind, or `convex`.
    kind: String,
    /// The corners of a `convex` tile, or the ends of a line for a `one_way`.
    points: Option<Vec<Xy>>,
    #[serde(default)]
    data: u32,
}

/// Frames with named boxes, and animations made of them.
#[derive(JsonSchema)]
#[serde(rename = "Sheet", deny_unknown_fields)]
pub(crate) struct SheetForm {
    /// Where the schema of this form is, for editors.
    #[serde(rename = "$schema")]
    schema: Option<String>,
    /// The version of the form: 1.
    carom: Option<u32>,
    /// Into how many directions the boxes are turned.
    phases: Option<u32>,
    frames: Vec<FrameForm>,
    #[serde(default)]
    animations: Vec<AnimationForm>,
}

/// A picture of a sprite, with its boxes.
#[derive(JsonSchema)]
#[serde(rename = "Frame", deny_unknown_fields)]
pub(crate) struct FrameForm {
    name: String,
    /// The point of the picture that sits on the body's position.
    pivot: Option<Xy>,
    /// For how many updates it is shown.
    ticks: Option<u32>,
    #[serde(default)]
    boxes: Vec<BoxForm>,
    /// The boxes of other phases, where they are not just turned.
    #[serde(default)]
    phases: BTreeMap<String, Vec<BoxForm>>,
}

/// A box of a frame; it may have any shape.
#[derive(JsonSchema)]
#[serde(rename = "Box", deny_unknown_fields)]
pub(crate) struct BoxForm {
    name: String,
    role: RoleForm,
    shape: ShapeForm,
    /// The layer that it is on.
    layer: Option<String>,
    /// The layers that it pays attention to.
    mask: Option<Vec<String>>,
}

/// What a box or a collider is there for.
#[derive(JsonSchema)]
#[serde(rename = "Role", rename_all = "snake_case")]
pub(crate) enum RoleForm {
    /// It stops things.
    Solid,
    /// It notices things.
    Sensor,
    /// It strikes.
    Hitbox,
    /// It can be struck.
    Hurtbox,
}

/// Frames that follow each other.
#[derive(JsonSchema)]
#[serde(rename = "Animation", deny_unknown_fields)]
pub(crate) struct AnimationForm {
    name: String,
    /// The name of its first frame.
    from: String,
    /// The name of its last frame.
    to: String,
    playback: Option<PlaybackForm>,
}

/// In which order the frames of an animation are shown.
#[derive(JsonSchema)]
#[serde(rename = "Playback", rename_all = "snake_case")]
pub(crate) enum PlaybackForm {
    /// From the first to the last.
    Forward,
    /// From the last to the first.
    Reverse,
    /// To the last and back again.
    PingPong,
}
