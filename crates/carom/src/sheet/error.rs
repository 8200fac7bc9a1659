//! Errors of sheets.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use glam::Vec2;

use super::MAX_DIRECTIONS;
use crate::suggest;

/// An error in the definition of a sheet, or a request for something that the sheet does not have.
///
/// ```
/// use carom::prelude::*;
/// use carom::sheet::{Frame, Sheet, SheetError};
/// let sheet = Sheet::from_frames([Frame::new("idle"), Frame::new("punch")])?;
/// let error = sheet.boxes("punsh").unwrap_err();
/// assert_eq!(error.to_string(),
///            "unknown frame `punsh` (did you mean `punch`?), expected one of `idle`, `punch`");
/// # Ok::<(), SheetError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SheetError {
    /// No frame has this name.
    UnknownFrame {
        /// The requested name.
        name: String,
        /// The existing names.
        known: Vec<String>,
        /// The most similar existing name.
        suggestion: Option<String>,
    },
    /// No animation has this name.
    UnknownAnimation {
        /// The requested name.
        name: String,
        /// The existing names.
        known: Vec<String>,
        /// The most similar existing name.
        suggestion: Option<String>,
    },
    /// A frame index is out of range.
    FrameOutOfRange {
        /// The requested index.
        index: usize,
        /// The number of frames.
        count: usize,
    },
    /// A direction is out of range.
    DirectionOutOfRange {
        /// The requested direction.
        direction: u32,
        /// The number of directions.
        count: u32,
    },
    /// The number of directions is zero or too large.
    DirectionCount {
        /// The requested number.
        count: u32,
    },
    /// A frame, an animation or a box has an empty name.
    EmptyName {
        /// The frame, animation or box, such as "a box of frame `idle`".
        owner: String,
    },
    /// Two frames have the same name.
    DuplicateFrame {
        /// The name.
        name: String,
    },
    /// Two animations have the same name.
    DuplicateAnimation {
        /// The name.
        name: String,
    },
    /// Two boxes of a frame have the same name.
    DuplicateBox {
        /// The frame.
        frame: String,
        /// The name.
        name: String,
    },
    /// A coordinate of a pivot is NaN or infinite.
    PivotNotFinite {
        /// The frame.
        frame: String,
        /// The pivot.
        pivot: Vec2,
    },
    /// A frame has a duration of zero ticks.
    ZeroTicks {
        /// The frame.
        frame: String,
    },
    /// The last frame of an animation comes before its first.
    ReversedRange {
        /// The animation.
        animation: String,
        /// Its first frame.
        from: String,
        /// Its last frame.
        to: String,
    },
}

impl SheetError {
    pub(super) fn unknown_frame(name: &str, known: &[&str]) -> Self {
        let suggestion = suggest::closest_match(name, known).map(ToOwned::to_owned);
        Self::UnknownFrame { name: name.to_owned(), known: owned(known), suggestion }
    }

    pub(super) fn unknown_animation(name: &str, known: &[&str]) -> Self {
        let suggestion = suggest::closest_match(name, known).map(ToOwned::to_owned);
        Self::UnknownAnimation { name: name.to_owned(), known: owned(known), suggestion }
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn unknown(category: &str, name: &str, known: &[String]) -> String {
    if known.is_empty() {
        return format!("unknown {category} `{name}`; the sheet has no {category}s");
    }
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    suggest::unknown_name(category, name, &known)
}

impl fmt::Display for SheetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownFrame { name, known, .. } => f.write_str(&unknown("frame", name, known)),
            Self::UnknownAnimation { name, known, .. } => {
                f.write_str(&unknown("animation", name, known))
            }
            Self::FrameOutOfRange { index, count } => {
                write!(f, "frame {index} is out of range; the sheet has {count}, counted from 0")
            }
            Self::DirectionOutOfRange { direction, count } => {
                write!(
                    f,
                    "direction {direction} is out of range; the sheet has {count}, counted from 0"
                )
            }
            Self::DirectionCount { count } => {
                write!(f, "{count} directions; expected 1 to {MAX_DIRECTIONS}")
            }
            Self::EmptyName { owner } => write!(f, "the name of {owner} is empty"),
            Self::DuplicateFrame { name } => {
                write!(f, "duplicate frame name `{name}`")
            }
            Self::DuplicateAnimation { name } => {
                write!(f, "duplicate animation name `{name}`")
            }
            Self::DuplicateBox { frame, name } => {
                write!(f, "frame `{frame}`: duplicate box name `{name}`")
            }
            Self::PivotNotFinite { frame, pivot } => write!(
                f,
                "frame `{frame}`: the pivot is ({}, {}); its coordinates must be finite",
                pivot.x, pivot.y
            ),
            Self::ZeroTicks { frame } => {
                write!(f, "frame `{frame}`: ticks is 0; it must be at least 1")
            }
            Self::ReversedRange { animation, from, to } => write!(
                f,
                "animation `{animation}`: `{from}` comes after `{to}`; to play it backwards, swap them and set the playback to reverse"
            ),
        }
    }
}

impl core::error::Error for SheetError {}
