//! The serialized representation of sheets.
//!
//! ```text
//! {
//!   "carom": 1,
//!   "phases": 1,
//!   "frames": [
//!     {"name": "punch", "pivot": [16, 32], "ticks": 3, "boxes": [
//!       {"name": "fist", "role": "hitbox", "shape": {"type": "circle", "center": [30, 10], "radius": 3}}
//!     ], "phases": {"2": []}}
//!   ],
//!   "animations": [{"name": "attack", "from": "punch", "to": "punch", "playback": "forward"}]
//! }
//! ```
//!
//! The version (`carom`) and the location of the schema for editors (`$schema`) belong to files. Sheets
//! inside other files do not have them, and they are not written here.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use glam::Vec2;
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use super::{Frame, FrameBox, Playback, Role, Sheet};
use crate::shape::Shape;
use crate::shape::repr::{
    FieldPath, List, Names, ReadRepr, ReprError, ShapeRepr, Xy, impl_by_repr, within,
};

/// The version of the format.
const VERSION: u32 = 1;

/// Frames with named boxes, and animations of them.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename = "Sheet", deny_unknown_fields, expecting = "a sheet with frames")]
struct SheetRepr {
    /// The location of this schema, for editors.
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    schema: Option<String>,
    /// The version of the format: 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    carom: Option<u32>,
    /// The number of directions in which the boxes can be shown.
    phases: Option<u32>,
    #[serde(deserialize_with = "frames")]
    frames: List<FrameRepr>,
    #[serde(default, deserialize_with = "animations")]
    animations: List<AnimationRepr>,
}

/// An image of a sprite, with its boxes.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename = "Frame", deny_unknown_fields, expecting = "a frame with a name and boxes")]
struct FrameRepr {
    name: String,
    /// The point of the image that is at the body's position.
    #[serde(default, deserialize_with = "pivot")]
    pivot: Option<Xy>,
    /// The number of updates for which it is shown.
    ticks: Option<u32>,
    #[serde(default, deserialize_with = "boxes")]
    boxes: List<BoxRepr>,
    /// The boxes of other directions, if they are not just rotated.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "schemars", schemars(with = "BTreeMap<String, List<BoxRepr>>"))]
    phases: BTreeMap<u32, List<BoxRepr>>,
}

/// A box of a frame; it may have any shape.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename = "Box", deny_unknown_fields, expecting = "a box with a name, a role and a shape")]
struct BoxRepr {
    name: String,
    role: Role,
    #[serde(deserialize_with = "shape")]
    shape: ShapeRepr,
    /// The layer, or a list of layers; the default layer if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    layer: Option<Names>,
    /// The layers that the box interacts with; all if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    mask: Option<Vec<String>>,
}

/// A sequence of frames.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(
    rename = "Animation",
    deny_unknown_fields,
    expecting = "an animation with a name, from and to"
)]
struct AnimationRepr {
    name: String,
    /// The name of its first frame.
    from: String,
    /// The name of its last frame.
    to: String,
    playback: Option<Playback>,
}

impl_by_repr! { Sheet => SheetRepr, Frame => FrameRepr, FrameBox => BoxRepr }

/// Defines functions that read a field and add its name to errors.
macro_rules! read_fields {
    ($($field:ident),*) => {
        $(fn $field<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
            deserializer: D,
        ) -> Result<T, D::Error> {
            T::deserialize(deserializer).map_err(|error| within(stringify!($field), error))
        })*
    };
}

read_fields!(frames, animations, boxes, shape, pivot);

impl TryFrom<SheetRepr> for Sheet {
    type Error = ReprError;

    fn try_from(repr: SheetRepr) -> Result<Self, ReprError> {
        let SheetRepr { schema: _, carom, phases, frames, animations } = repr;
        let root = FieldPath::default();
        if let Some(found) = carom.filter(|&version| version != VERSION) {
            let message = format_args!("unsupported version {found}; expected {VERSION}");
            return Err(ReprError::new(message).within(&root.field("carom")));
        }
        let frames: Vec<Frame> = convert(frames, &root.field("frames"))?;
        let mut sheet = Self::from_frames(frames).map_err(ReprError::new)?;
        if let Some(phases) = phases {
            let field = || root.field("phases");
            sheet = sheet
                .with_directions(phases)
                .map_err(|error| ReprError::new(error).in_field(field()))?;
        }
        for (i, animation) in animations.0.into_iter().enumerate() {
            let AnimationRepr { name, from, to, playback } = animation;
            sheet = sheet.with_animation(name, &from, &to, playback.unwrap_or_default()).map_err(
                |error| ReprError::new(error).within(&root.field("animations").index(i)),
            )?;
        }
        Ok(sheet)
    }
}

impl TryFrom<FrameRepr> for Frame {
    type Error = ReprError;

    fn try_from(repr: FrameRepr) -> Result<Self, ReprError> {
        let FrameRepr { name, pivot, ticks, boxes, phases } = repr;
        let root = FieldPath::default();
        let direction = |(direction, boxes): (u32, List<BoxRepr>)| {
            let path = root.field("phases").field(alloc::format!("{direction}"));
            Ok((direction, convert(boxes, &path)?))
        };
        Ok(Self {
            name,
            pivot: pivot.map_or(Vec2::ZERO, |Xy(pivot)| pivot),
            ticks: ticks.unwrap_or(1),
            boxes: convert(boxes, &root.field("boxes"))?,
            directions: phases.into_iter().map(direction).collect::<Result<_, ReprError>>()?,
        })
    }
}

impl TryFrom<BoxRepr> for FrameBox {
    type Error = ReprError;

    fn try_from(BoxRepr { name, role, shape, layer, mask }: BoxRepr) -> Result<Self, ReprError> {
        let path = FieldPath::default().field("shape");
        let shape = Shape::try_from(shape).map_err(|error| error.within(&path))?;
        Ok(Self { name, role, shape, layers: layer.map(|Names(layers)| layers), mask })
    }
}

/// Converts the items of the list at a path.
fn convert<R, T: TryFrom<R, Error = ReprError>>(
    list: List<R>,
    path: &FieldPath,
) -> Result<Vec<T>, ReprError> {
    let item = |(i, item)| T::try_from(item).map_err(|error| error.within(&path.index(i)));
    list.0.into_iter().enumerate().map(item).collect()
}

impl From<&Sheet> for SheetRepr {
    fn from(sheet: &Sheet) -> Self {
        let name = |index: usize| sheet.frames[index].name.clone();
        let animations = sheet.animations.iter().map(|animation| AnimationRepr {
            name: animation.name.clone(),
            from: name(animation.first),
            to: name(animation.last),
            playback: Some(animation.playback),
        });
        Self {
            schema: None,
            carom: None,
            phases: Some(sheet.directions),
            frames: sheet.frames.iter().map(FrameRepr::from).collect(),
            animations: animations.collect(),
        }
    }
}

impl From<&Frame> for FrameRepr {
    fn from(Frame { name, pivot, ticks, boxes, directions }: &Frame) -> Self {
        let list = |boxes: &Vec<FrameBox>| boxes.iter().map(BoxRepr::from).collect();
        Self {
            name: name.clone(),
            pivot: Some(Xy(*pivot)),
            ticks: Some(*ticks),
            boxes: list(boxes),
            phases: directions.iter().map(|(&direction, boxes)| (direction, list(boxes))).collect(),
        }
    }
}

impl From<&FrameBox> for BoxRepr {
    fn from(FrameBox { name, role, shape, layers, mask }: &FrameBox) -> Self {
        let (name, layer, mask) = (name.clone(), layers.clone().map(Names), mask.clone());
        Self { name, role: *role, shape: shape.into(), layer, mask }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;
    use crate::shape::{Aabb, Circle};

    const SHEET: &str = concat!(
        r#"{"phases":4,"frames":[{"name":"idle","pivot":[16.0,32.0],"ticks":8,"boxes":["#,
        r#"{"name":"body","role":"hurtbox","shape":{"type":"aabb","min":[8.0,0.0],"max":[24.0,32.0]}}]},"#,
        r#"{"name":"punch","pivot":[0.0,0.0],"ticks":1,"boxes":[{"name":"fist","role":"hitbox","#,
        r#""shape":{"type":"circle","center":[30.0,10.0],"radius":3.0},"#,
        r#""layer":"blows","mask":["foes","crates"]}],"phases":{"2":[]}}],"#,
        r#""animations":[{"name":"attack","from":"idle","to":"punch","playback":"ping_pong"}]}"#,
    );

    fn sheet() -> Sheet {
        let fist = FrameBox::new("fist", Role::Hitbox, Circle::new([30.0, 10.0], 3.0));
        Sheet::from_frames([
            Frame::new("idle")
                .pivot([16.0, 32.0])
                .ticks(8)
                .hurtbox("body", Aabb::new([8.0, 0.0], [24.0, 32.0])),
            Frame::new("punch").with(fist.layer("blows").mask(["foes", "crates"])).direction(2, []),
        ])
        .and_then(|sheet| sheet.with_directions(4))
        .and_then(|sheet| sheet.with_animation("attack", "idle", "punch", Playback::PingPong))
        .unwrap()
    }

    #[test]
    fn a_sheet_is_written_in_the_documented_form_and_reads_back() {
        assert_eq!(serde_json::to_string(&sheet()).unwrap(), SHEET);
        assert_eq!(serde_json::from_str::<Sheet>(SHEET).unwrap(), sheet());
    }

    #[test]
    fn a_box_on_several_layers_has_a_list_of_them() {
        let fist = FrameBox::new("fist", Role::Hitbox, Circle::new([30.0, 10.0], 3.0));
        for (layers, json) in [
            (alloc::vec!["blows"], r#""layer":"blows""#),
            (alloc::vec!["blows", "magic"], r#""layer":["blows","magic"]"#),
            (alloc::vec![], r#""layer":[]"#),
        ] {
            let fist = fist.clone().layers(layers);
            let text = serde_json::to_string(&fist).unwrap();
            assert!(text.contains(json), "{text}");
            assert_eq!(serde_json::from_str::<FrameBox>(&text).unwrap(), fist);
        }
        let one =
            r#"{"name":"a","role":"solid","shape":{"type":"point","at":[0,0]},"layer":["b"]}"#;
        let read: FrameBox = serde_json::from_str(one).unwrap();
        assert_eq!(read.layers, Some(alloc::vec!["b".to_string()]));
        let error = serde_json::from_str::<FrameBox>(&one.replace(r#"["b"]"#, "7")).unwrap_err();
        let message = "invalid type: integer `7`, expected a name or a list of names";
        assert!(error.to_string().starts_with(message), "{error}");
    }

    #[test]
    fn fields_with_defaults_may_be_omitted() {
        let file = r#"{"$schema":"sheet.json","carom":1,"frames":[{"name":"idle"}]}"#;
        for text in [r#"{"frames":[{"name":"idle"}]}"#, file] {
            let read: Sheet = serde_json::from_str(text).unwrap();
            assert_eq!(read, Sheet::from_frames([Frame::new("idle")]).unwrap());
        }
    }

    #[test]
    fn errors_name_the_fault_and_its_path() {
        for (json, message) in [
            ("{}", "missing field `frames`"),
            (r#"{"carom":2,"frames":[]}"#, "carom: unsupported version 2; expected 1"),
            ("7", "invalid type: integer `7`, expected a sheet with frames"),
            (r#"{"frames":[],"frame":1}"#, "unknown field `frame`, expected one of"),
            (
                r#"{"frames":[{"name":"a"},{"name":"b","boxes":[{"name":"c","role":"hitbox","shape":{"type":"circle","center":[0,0],"radius":-1}}]}]}"#,
                "frames[1].boxes[0].shape: radius is -1; it must be greater than 0",
            ),
            (
                r#"{"frames":[{"name":"a","boxes":[{"name":"c","role":"hitbocks"}]}]}"#,
                "frames[0]: boxes[0]: unknown variant `hitbocks`, expected one of",
            ),
            (r#"{"frames":[{"name":"a","pivot":[1]}]}"#, "frames[0]: pivot: invalid length 1"),
            (r#"{"frames":[{"name":"a"},{"name":"a"}]}"#, "duplicate frame name `a`"),
            (r#"{"phases":0,"frames":[]}"#, "0 directions; expected 1 to 1024"),
            (
                r#"{"frames":[{"name":"walk"}],"animations":[{"name":"go","from":"wallk","to":"walk"}]}"#,
                "animations[0]: unknown frame `wallk` (did you mean `walk`?)",
            ),
        ] {
            let error = serde_json::from_str::<Sheet>(json).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
