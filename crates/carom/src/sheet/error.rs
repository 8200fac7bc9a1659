//! What can be wrong with a sheet, or with what is asked of it.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use glam::Vec2;

use super::MAX_PHASES;
use crate::spelling;

/// Why a sheet cannot be made, or does not have what was asked for.
///
/// ```
/// use carom::prelude::*;
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
    NoFrame {
        /// The place asked for, from 0.
        index: usize,
        /// How many frames there are.
        count: usize,
    },
    /// There are not that many phases.
    NoPhase {
        /// The phase asked for, from 0.
        phase: u32,
        /// How many phases there are.
        count: u32,
    },
    /// A number of phases that no sheet can have.
    PhaseCount {
        /// The number given.
        count: u32,
    },
    /// Two frames have the same name.
    FrameTwice {
        /// The name.
        name: String,
    },
    /// Two animations have the same name.
    AnimationTwice {
        /// The name.
        name: String,
    },
    /// Two boxes of a picture have the same name.
    BoxTwice {
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
    NoTicks {
        /// The frame.
        frame: String,
    },
    /// The last frame of an animation comes before the first.
    Backwards {
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
        let suggestion = spelling::nearest(name, known).map(ToOwned::to_owned);
        Self::UnknownFrame { name: name.to_owned(), known: owned(known), suggestion }
    }

    pub(super) fn unknown_animation(name: &str, known: &[&str]) -> Self {
        let suggestion = spelling::nearest(name, known).map(ToOwned::to_owned);
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
    spelling::unknown(what, name, &known)
}

impl fmt::Display for SheetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownFrame { name, known, .. } => f.write_str(&unknown("frame", name, known)),
            Self::UnknownAnimation { name, known, .. } => {
                f.write_str(&unknown("animation", name, known))
            }
            Self::NoFrame { index, count } => {
                write!(f, "frame {index} of {count}; frames are counted from 0")
            }
            Self::NoPhase { phase, count } => {
                write!(f, "phase {phase} of {count}; phases are counted from 0")
            }
            Self::PhaseCount { count } => {
                write!(f, "{count} phases; a sheet has from 1 to {MAX_PHASES}")
            }
            Self::FrameTwice { name } => {
                write!(f, "two frames are called `{name}`; each needs a name of its own")
            }
            Self::AnimationTwice { name } => {
                write!(f, "two animations are called `{name}`; each needs a name of its own")
            }
            Self::BoxTwice { frame, name } => write!(
                f,
                "frame `{frame}`: two boxes are called `{name}`; each needs a name of its own"
            ),
            Self::PivotNotFinite { frame, pivot } => write!(
                f,
                "frame `{frame}`: the pivot is ({}, {}); its coordinates must be finite numbers",
                pivot.x, pivot.y
            ),
            Self::NoTicks { frame } => {
                write!(f, "frame `{frame}`: ticks is 0; a frame is shown for at least one")
            }
            Self::Backwards { animation, from, to } => write!(
                f,
                "animation `{animation}`: `{from}` comes after `{to}`; to play backwards, swap them and choose reverse"
            ),
        }
    }
}

impl core::error::Error for SheetError {}
