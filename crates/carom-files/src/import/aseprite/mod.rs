//! Aseprite: converts a sprite to a sheet.
//!
//! Slices become boxes. Each key of a slice gives its position from a frame on: the slice exists from its first
//! key on, except after a key without a size. The role of a box comes from the slice's user data, else from its
//! name (`hit` and `hurt` are enough), else it is a hurtbox. The pivot of a frame is that of the first slice
//! that has one. A slice named `pivot` is not a box; its pivot, or its corner, is the pivot of the frame.
//! Tags become animations, and the durations of frames become ticks.

mod binary;
mod json;
mod pixels;

use std::path::Path;

use carom::prelude::*;
use carom::sheet::{Frame, FrameBox, Playback, Role, Sheet};

use super::properties::role_in;
use super::{Content, ImportContext, ImportResult, UniqueNames};
use crate::sheet::ticks;
use crate::{FileError, Image};
pub(super) use binary::{import as import_binary, is_binary};
pub(super) use json::import as import_json;

/// A sprite, from the binary format or from JSON.
#[derive(Default)]
struct Sprite {
    frames: Vec<SpriteFrame>,
    tags: Vec<Tag>,
    slices: Vec<Slice>,
}

struct SpriteFrame {
    name: String,
    duration_ms: u32,
}

struct Tag {
    name: String,
    from: usize,
    to: usize,
    /// The name in Aseprite's JSON: `forward`, `reverse`, `pingpong` or `pingpong_reverse`.
    direction: String,
}

struct Slice {
    name: String,
    /// Its user data.
    data: String,
    keys: Vec<SliceKey>,
}

/// The position of a slice from a frame on, until the frame of the next key.
#[derive(Clone, Copy)]
struct SliceKey {
    frame: usize,
    corner: [i32; 2],
    size: [u32; 2],
    /// The pivot, relative to the corner.
    pivot: Option<[i32; 2]>,
}

impl Slice {
    /// Returns its position in a frame, if it exists there.
    fn at(&self, frame: usize) -> Option<SliceKey> {
        let keys = self.keys.iter().filter(|key| key.frame <= frame);
        keys.max_by_key(|key| key.frame).copied().filter(|key| !key.size.contains(&0))
    }

    fn is_pivot(&self) -> bool {
        self.name.eq_ignore_ascii_case("pivot")
    }
}

impl SliceKey {
    fn corner(&self) -> Vec2 {
        Vec2::new(self.corner[0] as f32, self.corner[1] as f32)
    }

    fn shape(&self) -> Result<Aabb, ShapeError> {
        let size = Vec2::new(self.size[0] as f32, self.size[1] as f32);
        Aabb::try_new(self.corner(), self.corner() + size)
    }

    fn pivot(&self) -> Option<Vec2> {
        self.pivot.map(|[x, y]| self.corner() + Vec2::new(x as f32, y as f32))
    }
}

/// Converts a sprite to a sheet.
fn import(
    context: &ImportContext<'_>,
    path: &Path,
    sprite: &Sprite,
    images: Vec<Image>,
) -> Result<ImportResult, FileError> {
    let failed = |error: &dyn std::fmt::Display| FileError::invalid(path, error.to_string());
    let mut warnings = Vec::new();
    if sprite.slices.is_empty() {
        warnings.push("no slices found, so no frame has a box; draw some with the slice tool (C), and export JSON with the option \"Slices\" (--list-slices)".into());
    }
    let mut names = UniqueNames::default();
    let mut frames = Vec::new();
    for i in 0..sprite.frames.len() {
        frames.push(convert_frame(context, sprite, i, &mut names).map_err(|e| failed(&e))?);
    }
    let mut sheet = Sheet::from_frames(frames.iter().cloned()).map_err(|e| failed(&e))?;
    let mut names = UniqueNames::default();
    for tag in &sprite.tags {
        let end = |i: usize| frames.get(i).map(|frame| frame.name.as_str());
        let (Some(from), Some(to)) = (end(tag.from), end(tag.to)) else {
            let (Tag { name, from, to, .. }, count) = (tag, frames.len());
            return Err(failed(&format!(
                "tag `{name}`: found frames {from} to {to}, but the sprite has {count} frames"
            )));
        };
        let playback = match tag.direction.as_str() {
            "reverse" => Playback::Reverse,
            "pingpong" => Playback::PingPong,
            "pingpong_reverse" => {
                let name = &tag.name;
                warnings.push(format!("tag `{name}`: imported ping-pong reverse as ping-pong"));
                Playback::PingPong
            }
            _ => Playback::Forward,
        };
        let name = names.claim(&tag.name);
        sheet = sheet.with_animation(name, from, to, playback).map_err(|e| failed(&e))?;
    }
    Ok(ImportResult { program: "Aseprite", content: Content::Sheet(sheet), warnings, images })
}

/// Converts a frame of a sprite.
fn convert_frame(
    context: &ImportContext<'_>,
    sprite: &Sprite,
    i: usize,
    names: &mut UniqueNames,
) -> Result<Frame, String> {
    let SpriteFrame { name, duration_ms } = &sprite.frames[i];
    let ticks = ticks(*duration_ms as f32, context.importer.rate);
    let keys: Vec<(&Slice, SliceKey)> =
        sprite.slices.iter().filter_map(|slice| Some((slice, slice.at(i)?))).collect();
    let pivot_slice = keys.iter().find(|(slice, _)| slice.is_pivot());
    let pivot = pivot_slice.map(|(_, key)| key.pivot().unwrap_or(key.corner()));
    let pivot = pivot.or_else(|| keys.iter().find_map(|(_, key)| key.pivot()));
    let mut frame = Frame::new(names.claim(name)).pivot(pivot.unwrap_or(Vec2::ZERO)).ticks(ticks);
    let mut names = UniqueNames::default();
    for (slice, key) in keys.into_iter().filter(|(slice, _)| !slice.is_pivot()) {
        let role = context.role_of(&[&slice.name]).unwrap_or_else(|| {
            let role = role_in(&slice.data).or_else(|| role_in(&slice.name));
            let role = role.or_else(|| short_role(&slice.name));
            Some(role.unwrap_or(Role::Hurtbox))
        });
        if let Some(role) = role {
            let shape = key.shape().map_err(|error| format!("slice `{}`: {error}", slice.name))?;
            frame = frame.with(FrameBox::new(names.claim(&slice.name), role, shape));
        }
    }
    Ok(frame)
}

/// Returns the role that a name contains as a short word: `hit`, `Hurt 2`, `hit0`, but not `white`.
fn short_role(name: &str) -> Option<Role> {
    let name = name.to_lowercase();
    name.split(|letter: char| !letter.is_alphabetic()).find_map(|word| match word {
        "hit" => Some(Role::Hitbox),
        "hurt" => Some(Role::Hurtbox),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hit_and_hurt_are_short_for_hitbox_and_hurtbox() {
        assert_eq!(["Hit", "hit0", "arm_hit"].map(short_role), [Some(Role::Hitbox); 3]);
        assert_eq!(short_role("Hurt 2"), Some(Role::Hurtbox));
        assert_eq!(["white", "hitherto", ""].map(short_role), [None; 3]);
    }
}
