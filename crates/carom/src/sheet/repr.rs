//! Sheets as serde values.
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
//! The version (`carom`), and a `$schema` for editors, are those of a file; inside other files, and in
//! what is written here, they are left out.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use glam::Vec2;
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny};
use serde::ser::{Serialize, Serializer};

use super::{Frame, FrameBox, Playback, Role, Sheet};
use crate::shape::Shape;
use crate::shape::repr::{List, Xy, within};

/// The version of the form.
const VERSION: u32 = 1;

/// A value under a name: what is wrong with it says where.
macro_rules! named {
    ($($field:ident),*) => {
        $(fn $field<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
            deserializer: D,
        ) -> Result<T, D::Error> {
            T::deserialize(deserializer).map_err(|error| within(stringify!($field), error))
        })*
    };
}

named!(frames, animations, boxes, shape, pivot);

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "a sheet, which has frames")]
struct SheetForm {
    #[serde(rename = "$schema")]
    _schema: Option<IgnoredAny>,
    carom: Option<u32>,
    phases: Option<u32>,
    #[serde(deserialize_with = "frames")]
    frames: List<Frame>,
    #[serde(default = "none", deserialize_with = "animations")]
    animations: List<AnimationForm>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "an animation with a name, from and to")]
struct AnimationForm {
    name: String,
    from: String,
    to: String,
    #[serde(default)]
    playback: Playback,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "a frame with a name and boxes")]
struct FrameForm {
    name: String,
    #[serde(default, deserialize_with = "pivot")]
    pivot: Option<Xy>,
    ticks: Option<u32>,
    #[serde(default = "none", deserialize_with = "boxes")]
    boxes: List<FrameBox>,
    #[serde(default)]
    phases: BTreeMap<u32, List<FrameBox>>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "a box with a name, a role and a shape")]
struct BoxForm {
    name: String,
    role: Role,
    #[serde(deserialize_with = "shape")]
    shape: Shape,
    layer: Option<String>,
    mask: Option<Vec<String>>,
}

fn none<T>() -> List<T> {
    List(Vec::new())
}

impl<'de> Deserialize<'de> for Sheet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let SheetForm { carom, phases, frames, animations, .. } =
            SheetForm::deserialize(deserializer)?;
        if let Some(found) = carom.filter(|&version| version != VERSION) {
            let message = format_args!("version {found}; this reads version {VERSION}");
            return Err(within("carom", message));
        }
        let mut sheet = Self::from_frames(frames.0).map_err(D::Error::custom)?;
        if let Some(phases) = phases {
            sheet = sheet.with_directions(phases).map_err(D::Error::custom)?;
        }
        for (i, AnimationForm { name, from, to, playback }) in animations.0.into_iter().enumerate()
        {
            sheet = sheet
                .with_animation(name, &from, &to, playback)
                .map_err(|error| within(format_args!("animations[{i}]"), error))?;
        }
        Ok(sheet)
    }
}

impl<'de> Deserialize<'de> for Frame {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let FrameForm { name, pivot, ticks, boxes, phases } = FrameForm::deserialize(deserializer)?;
        Ok(Self {
            name,
            pivot: pivot.map_or(Vec2::ZERO, Vec2::from),
            ticks: ticks.unwrap_or(1),
            boxes: boxes.0,
            directions: phases.into_iter().map(|(phase, boxes)| (phase, boxes.0)).collect(),
        })
    }
}

impl<'de> Deserialize<'de> for FrameBox {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let BoxForm { name, role, shape, layer, mask } = BoxForm::deserialize(deserializer)?;
        Ok(Self { name, role, shape, layer, mask })
    }
}

impl Serialize for Sheet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(serde::Serialize)]
        struct Form<'a> {
            phases: u32,
            frames: &'a [Frame],
            animations: Vec<Tag<'a>>,
        }
        #[derive(serde::Serialize)]
        struct Tag<'a> {
            name: &'a str,
            from: &'a str,
            to: &'a str,
            playback: Playback,
        }
        let frame = |index: usize| &*self.frames[index].name;
        let tags = self.animations.iter().map(|it| Tag {
            name: &it.name,
            from: frame(it.first),
            to: frame(it.last),
            playback: it.playback,
        });
        Form { phases: self.directions, frames: &self.frames, animations: tags.collect() }
            .serialize(serializer)
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
    fn a_sheet_is_written_as_people_would_write_it_and_reads_back() {
        assert_eq!(serde_json::to_string(&sheet()).unwrap(), SHEET);
        assert_eq!(serde_json::from_str::<Sheet>(SHEET).unwrap(), sheet());
    }

    #[test]
    fn what_goes_without_saying_may_be_left_out() {
        let file = r#"{"$schema":"sheet.json","carom":1,"frames":[{"name":"idle"}]}"#;
        for text in [r#"{"frames":[{"name":"idle"}]}"#, file] {
            let read: Sheet = serde_json::from_str(text).unwrap();
            assert_eq!(read, Sheet::from_frames([Frame::new("idle")]).unwrap());
        }
    }

    #[test]
    fn faults_say_what_and_where() {
        for (json, message) in [
            ("{}", "missing field `frames`"),
            (r#"{"carom":2,"frames":[]}"#, "carom: version 2; this reads version 1"),
            ("7", "invalid type: integer `7`, expected a sheet, which has frames"),
            (r#"{"frames":[],"frame":1}"#, "unknown field `frame`, expected one of"),
            (
                r#"{"frames":[{"name":"a"},{"name":"b","boxes":[{"name":"c","role":"hitbox","shape":{"type":"circle","center":[0,0],"radius":-1}}]}]}"#,
                "frames[1]: boxes[0]: shape: radius is -1; it must be greater than 0",
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
