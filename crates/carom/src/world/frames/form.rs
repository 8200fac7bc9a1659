//! Frames as serde values: nothing is read that refers to what is not there.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use super::{Frames, Registered, SheetKey, Shown};
use crate::math::Flip;
use crate::sheet::{FrameRef, Sheet};
use crate::world::{BodyKey, ColliderKey};

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Form {
    sheets: Vec<Sheet>,
    shown: Vec<ShownForm>,
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct ShownForm {
    body: BodyKey,
    sheet: SheetKey,
    frame: usize,
    #[serde(rename = "phase")]
    direction: u32,
    mirror: Flip,
    colliders: Vec<ColliderKey>,
}

impl From<Frames> for Form {
    fn from(frames: Frames) -> Self {
        let shown = frames.shown.into_iter().map(|shown| ShownForm {
            body: shown.body,
            sheet: shown.sheet,
            frame: shown.frame_id.frame as usize,
            direction: shown.frame_id.direction,
            mirror: shown.frame_id.mirror,
            colliders: shown.colliders.to_vec(),
        });
        let sheets = frames.sheets.iter().map(|it| Sheet::clone(&it.sheet));
        Self { sheets: sheets.collect(), shown: shown.collect() }
    }
}

impl TryFrom<Form> for Frames {
    type Error = String;

    fn try_from(form: Form) -> Result<Self, String> {
        let sheets =
            form.sheets.into_iter().map(|sheet| Registered::new(Arc::new(sheet))).collect();
        let mut frames = Self { sheets, shown: Vec::new() };
        for it in form.shown {
            let shown = frames.shown(it)?;
            if frames.shown.last().is_some_and(|last| last.body >= shown.body) {
                return Err(format!("frames: {} is not in order", shown.body));
            }
            frames.shown.push(shown);
        }
        Ok(frames)
    }
}

impl Frames {
    /// All sheets.
    pub(crate) fn sheets(&self) -> impl Iterator<Item = &Sheet> {
        self.sheets.iter().map(|it| &*it.sheet)
    }

    /// The bodies that show something, and their colliders from it.
    pub(crate) fn owners(&self) -> impl Iterator<Item = (BodyKey, &[ColliderKey])> {
        self.shown.iter().map(|shown| (shown.body, &*shown.colliders))
    }

    fn shown(&self, form: ShownForm) -> Result<Shown, String> {
        let ShownForm { body, sheet, frame, direction, mirror, colliders } = form;
        let fault = |error: &dyn fmt::Display| format!("frames: {body}: {error}");
        let look = FrameRef::from(frame).direction(direction).flipped(mirror);
        let from = self.sheet(sheet).map_err(|error| fault(&error))?;
        let frame_id = from.find(&look).map_err(|error| fault(&error))?;
        let (found, expected) = (colliders.len(), from.source_boxes(frame_id).len());
        if found != expected {
            return Err(fault(&format_args!("{found} colliders for {expected} boxes")));
        }
        Ok(Shown { body, sheet, frame_id, colliders: colliders.into() })
    }
}
