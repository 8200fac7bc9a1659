//! Aseprite: a sprite becomes a sheet.
//!
//! Slices are boxes. A slice may have another place from some frame on (its keys); it is there from its
//! first key on, and where a key has no size it is not. The role of a box is looked for in the slice's
//! user data, then in its name (`hit` and `hurt` will do); it is a hurtbox if neither says anything. The
//! pivot of a frame is that of the first slice that has one; a slice called `pivot` is nothing else, and
//! marks its corner if it has none. Tags are animations, and the times of frames become ticks.

mod binary;
mod json;
mod pixels;

use std::path::Path;

use carom::prelude::*;
use carom::sheet::{Frame, FrameBox, Playback, Role, Sheet};

use super::properties::role_in;
use super::{Import, Imported, Job, Names};
use crate::sheet::ticks;
use crate::{FileError, Picture};
pub(super) use binary::{import as import_binary, is_binary};
pub(super) use json::import as import_json;

/// A sprite, whichever way it was written.
#[derive(Default)]
struct Sprite {
    frames: Vec<SpriteFrame>,
    tags: Vec<Tag>,
    slices: Vec<Slice>,
}

struct SpriteFrame {
    name: String,
    /// For how long it is shown, in thousandths of a second.
    duration: u32,
}

struct Tag {
    name: String,
    from: usize,
    to: usize,
    /// As Aseprite calls it: `forward`, `reverse`, `pingpong` or `pingpong_reverse`.
    direction: String,
}

struct Slice {
    name: String,
    /// What the artist has written about it.
    data: String,
    keys: Vec<Key>,
}

/// Where a slice is from some frame on.
#[derive(Clone, Copy)]
struct Key {
    frame: usize,
    corner: [i32; 2],
    size: [u32; 2],
    /// Relative to the corner.
    pivot: Option<[i32; 2]>,
}

impl Slice {
    /// Where it is in a frame, if it is there.
    fn at(&self, frame: usize) -> Option<Key> {
        let keys = self.keys.iter().filter(|key| key.frame <= frame);
        keys.max_by_key(|key| key.frame).copied().filter(|key| !key.size.contains(&0))
    }

    fn is_pivot(&self) -> bool {
        self.name.eq_ignore_ascii_case("pivot")
    }
}

impl Key {
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

/// Makes a sheet of a sprite.
fn import(
    job: &Job<'_>,
    path: &Path,
    sprite: &Sprite,
    pictures: Vec<Picture>,
) -> Result<Import, FileError> {
    let failed = |error: &dyn std::fmt::Display| FileError::invalid(path, error.to_string());
    let mut notes = Vec::new();
    if sprite.slices.is_empty() {
        notes.push("there are no slices, so no frame has a box; draw some with the slice tool (C), and export JSON with \"Slices\" ticked (--list-slices)".into());
    }
    let mut names = Names::default();
    let mut frames = Vec::new();
    for i in 0..sprite.frames.len() {
        frames.push(frame(job, sprite, i, &mut names).map_err(|e| failed(&e))?);
    }
    let mut sheet = Sheet::from_frames(frames.iter().cloned()).map_err(|e| failed(&e))?;
    let mut names = Names::default();
    for tag in &sprite.tags {
        let end = |i: usize| frames.get(i).map(|frame| frame.name.as_str());
        let (Some(from), Some(to)) = (end(tag.from), end(tag.to)) else {
            let (Tag { name, from, to, .. }, count) = (tag, frames.len());
            return Err(failed(&format!(
                "tag `{name}`: found frames {from} to {to}, expected frames below {count}"
            )));
        };
        let playback = match tag.direction.as_str() {
            "reverse" => Playback::Reverse,
            "pingpong" => Playback::PingPong,
            "pingpong_reverse" => {
                let name = &tag.name;
                notes.push(format!("tag `{name}`: ping-pong reverse becomes ping-pong"));
                Playback::PingPong
            }
            _ => Playback::Forward,
        };
        let name = names.take(&tag.name);
        sheet = sheet.with_animation(name, from, to, playback).map_err(|e| failed(&e))?;
    }
    Ok(Import { program: "Aseprite", what: Imported::Sheet(sheet), notes, pictures })
}

fn frame(job: &Job<'_>, sprite: &Sprite, i: usize, names: &mut Names) -> Result<Frame, String> {
    let SpriteFrame { name, duration } = &sprite.frames[i];
    let ticks = ticks(*duration as f32, job.importer.rate);
    let keys: Vec<(&Slice, Key)> =
        sprite.slices.iter().filter_map(|slice| Some((slice, slice.at(i)?))).collect();
    let mark = keys.iter().find(|(slice, _)| slice.is_pivot());
    let pivot = mark.map(|(_, key)| key.pivot().unwrap_or(key.corner()));
    let pivot = pivot.or_else(|| keys.iter().find_map(|(_, key)| key.pivot()));
    let mut frame = Frame::new(names.take(name)).pivot(pivot.unwrap_or(Vec2::ZERO)).ticks(ticks);
    let mut names = Names::default();
    for (slice, key) in keys.into_iter().filter(|(slice, _)| !slice.is_pivot()) {
        let role = job.role_of(&[&slice.name]).unwrap_or_else(|| {
            let said = role_in(&slice.data).or_else(|| role_in(&slice.name));
            let said = said.or_else(|| short_role(&slice.name));
            Some(said.unwrap_or(Role::Hurtbox))
        });
        if let Some(role) = role {
            let shape = key.shape().map_err(|error| format!("slice `{}`: {error}", slice.name))?;
            frame = frame.with(FrameBox::new(names.take(&slice.name), role, shape));
        }
    }
    Ok(frame)
}

/// What the name of a slice says in short: `hit`, `Hurt 2`, `hit0`; but not `white`.
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
    fn artists_say_hit_and_hurt_for_short() {
        assert_eq!(["Hit", "hit0", "arm_hit"].map(short_role), [Some(Role::Hitbox); 3]);
        assert_eq!(short_role("Hurt 2"), Some(Role::Hurtbox));
        assert_eq!(["white", "hitherto", ""].map(short_role), [None; 3]);
    }
}
