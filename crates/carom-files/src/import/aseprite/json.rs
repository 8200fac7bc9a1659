//! Aseprite's JSON: frames as a list ("Array") or by name ("Hash").

use std::fmt;
use std::path::Path;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::{Slice, SliceKey, Sprite, SpriteFrame, Tag};
use crate::import::{ImportContext, ImportResult, from_json};
use crate::{FileError, Image};

#[derive(serde::Deserialize)]
struct File {
    frames: Frames,
    meta: Meta,
}

/// Frames in their order, with names.
struct Frames(Vec<(String, JsonFrame)>);

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct JsonFrame {
    filename: Option<String>,
    /// The rectangle of its pixels in the image.
    frame: Rect,
    /// The rectangle of these pixels in the frame, if transparent margins were trimmed.
    sprite_source_size: Option<Rect>,
    source_size: Option<Size>,
    #[serde(default)]
    rotated: bool,
    #[serde(default = "default_duration")]
    duration: u32,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Meta {
    image: Option<String>,
    #[serde(default)]
    frame_tags: Vec<JsonTag>,
    #[serde(default)]
    slices: Vec<JsonSlice>,
}

#[derive(serde::Deserialize)]
struct JsonTag {
    name: String,
    from: usize,
    to: usize,
    #[serde(default)]
    direction: String,
}

#[derive(serde::Deserialize)]
struct JsonSlice {
    name: String,
    #[serde(default)]
    data: String,
    keys: Vec<JsonKey>,
}

#[derive(serde::Deserialize)]
struct JsonKey {
    frame: usize,
    bounds: Rect,
    pivot: Option<Corner>,
}

#[derive(Clone, Copy, serde::Deserialize)]
struct Rect {
    x: i32,
    y: i32,
    w: u32,
    h: u32,
}

#[derive(Clone, Copy, serde::Deserialize)]
struct Size {
    w: u32,
    h: u32,
}

#[derive(Clone, Copy, serde::Deserialize)]
struct Corner {
    x: i32,
    y: i32,
}

fn default_duration() -> u32 {
    100
}

/// Imports the JSON file that Aseprite exports with a sprite sheet.
pub(in crate::import) fn import(
    context: &ImportContext<'_>,
    path: &Path,
    text: &str,
) -> Result<ImportResult, FileError> {
    let File { frames: Frames(frames), meta } = from_json(path, text)?;
    let images = images(context, path, meta.image.as_deref(), &frames);
    let frames = frames.into_iter().map(|(name, JsonFrame { duration, .. })| {
        // The name is usually that of the file with a number: `hero 3.aseprite`.
        let name = Path::new(&name).with_extension("").to_string_lossy().into_owned();
        SpriteFrame { name, duration_ms: duration }
    });
    let tag = |JsonTag { name, from, to, direction }| Tag { name, from, to, direction };
    let key = |JsonKey { frame, bounds: Rect { x, y, w, h }, pivot }| SliceKey {
        frame,
        corner: [x, y],
        size: [w, h],
        pivot: pivot.map(|Corner { x, y }| [x, y]),
    };
    let slice = |JsonSlice { name, data, keys }: JsonSlice| Slice {
        name,
        data,
        keys: keys.into_iter().map(key).collect(),
    };
    let sprite = Sprite {
        frames: frames.collect(),
        tags: meta.frame_tags.into_iter().map(tag).collect(),
        slices: meta.slices.into_iter().map(slice).collect(),
    };
    super::import(context, path, &sprite, images)
}

/// Returns the frames of the sprite sheet's image; none if it cannot be read or sliced.
fn images(
    context: &ImportContext<'_>,
    path: &Path,
    image: Option<&str>,
    frames: &[(String, JsonFrame)],
) -> Vec<Image> {
    let read = |name: &str| {
        let (path, bytes) = context.read_relative(path, name).ok()?;
        Image::decode(path, &bytes).ok()
    };
    let Some(whole) = image.and_then(read) else { return Vec::new() };
    let slice = |(name, frame): &(String, JsonFrame)| {
        let Rect { x, y, w, h } = frame.frame;
        let at = frame.sprite_source_size.map_or([0, 0], |rect| [rect.x, rect.y]);
        let size = frame.source_size.map_or([w, h], |size| [size.w, size.h]);
        let from = [u32::try_from(x).ok()?, u32::try_from(y).ok()?];
        (!frame.rotated).then(|| whole.crop_into(name, from, [w, h], at, size))?
    };
    frames.iter().map(slice).collect::<Option<_>>().unwrap_or_default()
}

impl<'de> Deserialize<'de> for Frames {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FramesVisitor)
    }
}

struct FramesVisitor;

impl<'de> Visitor<'de> for FramesVisitor {
    type Value = Frames;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "frames, as a list or by name")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Frames, A::Error> {
        let mut frames = Vec::new();
        while let Some(mut frame) = list.next_element::<JsonFrame>()? {
            let name = frame.filename.take().unwrap_or_else(|| format!("{}", frames.len()));
            frames.push((name, frame));
        }
        Ok(Frames(frames))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Frames, A::Error> {
        let mut frames = Vec::new();
        while let Some(frame) = map.next_entry()? {
            frames.push(frame);
        }
        Ok(Frames(frames))
    }
}
