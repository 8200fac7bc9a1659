//! Aseprite's JSON: frames as a list ("Array") or by name ("Hash").

use std::fmt;
use std::path::Path;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::{Key, Slice, Sprite, SpriteFrame, Tag};
use crate::import::{Import, Job, beside, from_json};
use crate::{FileError, Picture};

#[derive(serde::Deserialize)]
struct File {
    frames: Frames,
    meta: Meta,
}

/// Frames in their order, with names.
struct Frames(Vec<(String, FrameForm)>);

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct FrameForm {
    filename: Option<String>,
    /// Where its pixels are in the picture.
    frame: Rect,
    /// Where these pixels are in the frame, if what is clear around them was cut off.
    sprite_source_size: Option<Rect>,
    source_size: Option<Size>,
    #[serde(default)]
    rotated: bool,
    #[serde(default = "tenth")]
    duration: u32,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Meta {
    image: Option<String>,
    #[serde(default)]
    frame_tags: Vec<TagForm>,
    #[serde(default)]
    slices: Vec<SliceForm>,
}

#[derive(serde::Deserialize)]
struct TagForm {
    name: String,
    from: usize,
    to: usize,
    #[serde(default)]
    direction: String,
}

#[derive(serde::Deserialize)]
struct SliceForm {
    name: String,
    #[serde(default)]
    data: String,
    keys: Vec<KeyForm>,
}

#[derive(serde::Deserialize)]
struct KeyForm {
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

fn tenth() -> u32 {
    100
}

/// Imports what Aseprite exports beside a sprite sheet.
pub(in crate::import) fn import(
    job: &Job<'_>,
    path: &Path,
    text: &str,
) -> Result<Import, FileError> {
    let File { frames: Frames(frames), meta } = from_json(path, text)?;
    let pictures = pictures(path, meta.image.as_deref(), &frames);
    let frames = frames.into_iter().map(|(name, FrameForm { duration, .. })| {
        // The name is that of the file as a rule, with a number: `hero 3.aseprite`.
        let name = Path::new(&name).with_extension("").to_string_lossy().into_owned();
        SpriteFrame { name, duration }
    });
    let tag = |TagForm { name, from, to, direction }| Tag { name, from, to, direction };
    let key = |KeyForm { frame, bounds: Rect { x, y, w, h }, pivot }| Key {
        frame,
        corner: [x, y],
        size: [w, h],
        pivot: pivot.map(|Corner { x, y }| [x, y]),
    };
    let slice = |SliceForm { name, data, keys }: SliceForm| Slice {
        name,
        data,
        keys: keys.into_iter().map(key).collect(),
    };
    let sprite = Sprite {
        frames: frames.collect(),
        tags: meta.frame_tags.into_iter().map(tag).collect(),
        slices: meta.slices.into_iter().map(slice).collect(),
    };
    super::import(job, path, &sprite, pictures)
}

/// The frames cut out of the picture beside the file; none where that cannot be done.
fn pictures(path: &Path, image: Option<&str>, frames: &[(String, FrameForm)]) -> Vec<Picture> {
    let Some(whole) = image.and_then(|name| Picture::read(beside(path, name)).ok()) else {
        return Vec::new();
    };
    let cut = |(name, form): &(String, FrameForm)| {
        let Rect { x, y, w, h } = form.frame;
        let at = form.sprite_source_size.map_or([0, 0], |place| [place.x, place.y]);
        let size = form.source_size.map_or([w, h], |size| [size.w, size.h]);
        let from = [u32::try_from(x).ok()?, u32::try_from(y).ok()?];
        (!form.rotated).then(|| whole.part(name, from, [w, h], at, size))?
    };
    frames.iter().map(cut).collect::<Option<_>>().unwrap_or_default()
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
        write!(f, "frames, as a list or by their names")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Frames, A::Error> {
        let mut frames = Vec::new();
        while let Some(mut frame) = list.next_element::<FrameForm>()? {
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
