//! What can be wrong with a sheet, or with what is asked of it.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use glam::Vec2;

use super::MAX_DIRECTIONS;
use crate::suggest;

/// Why a sheet cannot be made, or does not have what was asked for.
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
        /// The name given.
        name: String,
        /// The names there are.
        known: Vec<String>,
        /// The one that was probably meant.
        suggestion: Option<String>,
    },
    /// No animation has this name.
    UnknownAnimation {
        /// The name given.
        name: String,
        /// The names there are.
        known: Vec<String>,
        /// The one that was probably meant.
        suggestion: Option<String>,
    },
    /// There are not that many frames.
    FrameOutOfRange {
        /// The place asked for, from 0.
        index: usize,
        /// How many frames there are.
        count: usize,
    },
    /// There are not that many directions.
    DirectionOutOfRange {
        /// The direction asked for, from 0.
        direction: u32,
        /// How many directions there are.
        count: u32,
    },
    /// A number of directions that no sheet can have.
    DirectionCount {
        /// The number given.
        count: u32,
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
    /// Two boxes of a picture have the same name.
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
        /// The pivot given.
        pivot: Vec2,
    },
    /// A frame is shown for no time at all.
    ZeroTicks {
        /// The frame.
        frame: String,
    },
    /// The last frame of an animation comes before the first.
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

fn unknown(what: &str, name: &str, known: &[String]) -> String {
    if known.is_empty() {
        return format!("unknown {what} `{name}`; there are none");
    }
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    suggest::unknown_name(what, name, &known)
}

impl fmt::Display for SheetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownFrame { name, known, .. } => f.write_str(&unknown("frame", name, known)),
            Self::UnknownAnimation { name, known, .. } => {
                f.write_str(&unknown("animation", name, known))
            }
            Self::FrameOutOfRange { index, count } => {
                write!(f, "frame {index} of {count}; frames are counted from 0")
            }
            Self::DirectionOutOfRange { direction, count } => {
                write!(f, "direction {direction} of {count}; directions are counted from 0")
            }
            Self::DirectionCount { count } => {
                write!(f, "{count} directions; a sheet has from 1 to {MAX_DIRECTIONS}")
            }
            Self::DuplicateFrame { name } => {
                write!(f, "two frames are called `{name}`; each needs a name of its own")
            }
            Self::DuplicateAnimation { name } => {
                write!(f, "two animations are called `{name}`; each needs a name of its own")
            }
            Self::DuplicateBox { frame, name } => write!(
                f,
                "frame `{frame}`: two boxes are called `{name}`; each needs a name of its own"
            ),
            Self::PivotNotFinite { frame, pivot } => write!(
                f,
                "frame `{frame}`: the pivot is ({}, {}); its coordinates must be finite numbers",
                pivot.x, pivot.y
            ),
            Self::ZeroTicks { frame } => {
                write!(f, "frame `{frame}`: ticks is 0; a frame is shown for at least one")
            }
            Self::ReversedRange { animation, from, to } => write!(
                f,
                "animation `{animation}`: `{from}` comes after `{to}`; to play backwards, swap them and choose reverse"
            ),
        }
    }
}

impl core::error::Error for SheetError {}
