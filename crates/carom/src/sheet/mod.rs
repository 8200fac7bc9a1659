//! Sheets: the boxes of a sprite, frame by frame.
//!
//! A fighter's picture changes many times a second, and with it what can be struck and what strikes.
//! A [`Sheet`] keeps this in one place: [frames](Frame) by their names, each with its own named
//! boxes, each box with a [`Role`].
//!
//! ```
//! use carom::prelude::*;
//!
//! let sheet = Sheet::from_frames([
//!     Frame::new("idle").ticks(8).hurtbox("body", Aabb::new([-8.0, 0.0], [8.0, 40.0])),
//!     Frame::new("punch_1").ticks(3).hurtbox("body", Aabb::new([-6.0, 0.0], [10.0, 38.0])),
//!     Frame::new("punch_2")
//!         .ticks(2)
//!         .hurtbox("body", Aabb::new([-4.0, 0.0], [12.0, 38.0]))
//!         .hitbox("fist", Circle::new([22.0, 30.0], 4.0)),
//! ])?
//! .with_animation("punch", "punch_1", "punch_2", Playback::Forward)?;
//!
//! // The frame that is shown in the fourth tick of the punch:
//! let frame = sheet.frame_at("punch", 3)?;
//! assert_eq!(sheet.frames()[frame].name, "punch_2");
//!
//! // Its boxes, for a fighter who looks to the left:
//! let boxes = sheet.boxes(Look::from(frame).mirrored(Mirror::X))?;
//! assert_eq!(boxes[1].name, "fist");
//! assert_eq!(*boxes[1].shape, Circle::new([-22.0, 30.0], 4.0).into());
//! # Ok::<(), SheetError>(())
//! ```
//!
//! **The pivot** is the point of the picture that sits on the body's position. Boxes are given in the
//! coordinates of the picture, and handed out with the pivot at the origin.
//!
//! **Mirrored** boxes are the exact images of the others about the pivot, see [`Mirror`].
//!
//! **Phases** are the directions of a sprite that was drawn turned, 8 or 16 of them as a rule. After
//! [`with_phases`](Sheet::with_phases) each frame has its boxes turned about the pivot by that many
//! equal parts of a full turn, counter-clockwise where y points up; a frame may have
//! [boxes of its own](Frame::phase) in any of them.
//!
//! A [`Look`] is a frame, a phase and a mirroring: what is to be seen of a sheet.

mod animation;
mod error;
#[cfg(feature = "serde")]
mod form;
mod frame;
mod role;

pub use animation::{Animation, Playback};
pub use error::SheetError;
pub use frame::{Frame, FrameBox};
pub use role::Role;

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::f64::consts::TAU;

use crate::math::{Mirror, Pose, round1};
use crate::shape::{Place, Shape};

/// The greatest number of phases that a sheet can have.
pub const MAX_PHASES: u32 = 1024;

/// Frames with named boxes, and animations made of them. See the [module](self).
///
/// A sheet does not change once it is made; many bodies can show it at the same time.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    frames: Vec<Frame>,
    animations: Vec<Animation>,
    phases: u32,
    /// The shapes of every phase of every frame, turned, with the pivot at the origin.
    shapes: Vec<Vec<Arc<Shape>>>,
}

impl Sheet {
    /// A sheet of frames, with no animations yet. It has one phase, or as many as the frames have
    /// boxes for.
    ///
    /// # Errors
    /// Names that come twice; a pivot that is not finite; a frame that is shown for no time; more
    /// than [`MAX_PHASES`] phases.
    pub fn from_frames(frames: impl IntoIterator<Item = Frame>) -> Result<Self, SheetError> {
        let frames: Vec<Frame> = frames.into_iter().collect();
        check_frames(&frames)?;
        let most = frames.iter().filter_map(|frame| frame.phases.keys().next_back()).max();
        let phases = most.map_or(1, |&phase| phase.saturating_add(1));
        let sheet = Self { frames, animations: Vec::new(), phases: 1, shapes: Vec::new() };
        sheet.with_phases(phases)
    }

    /// The same sheet with so many phases. The boxes of phase `p` are those of phase 0 turned by
    /// `p` parts of a full turn, but for frames that have [their own](Frame::phase).
    ///
    /// # Errors
    /// A number that is 0 or greater than [`MAX_PHASES`], or less than some frame has boxes for.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let rocket = Frame::new("fly").pivot([8.0, 8.0]).hitbox("tip", Circle::new([15.0, 8.0], 1.0));
    /// let sheet = Sheet::from_frames([rocket])?.with_phases(8)?;
    /// let upwards = sheet.boxes(Look::from("fly").phase(2))?; // y up
    /// assert_eq!(*upwards[0].shape, Circle::new([0.0, 7.0], 1.0).into());
    /// # Ok::<(), SheetError>(())
    /// ```
    pub fn with_phases(self, phases: u32) -> Result<Self, SheetError> {
        if !(1..=MAX_PHASES).contains(&phases) {
            return Err(SheetError::PhaseCount { count: phases });
        }
        for frame in &self.frames {
            if let Some((&phase, _)) = frame.phases.range(phases..).next() {
                return Err(SheetError::NoPhase { phase, count: phases });
            }
        }
        let every = |frame| (0..phases).map(move |phase| shapes(frame, phase, phases));
        let shapes = self.frames.iter().flat_map(every).collect();
        Ok(Self { phases, shapes, ..self })
    }

    /// The same sheet and an animation of the frames between two, both included.
    ///
    /// # Errors
    /// A frame that does not exist; one that comes before the first; a name that is taken.
    pub fn with_animation(
        mut self,
        name: impl Into<String>,
        from: &str,
        to: &str,
        playback: Playback,
    ) -> Result<Self, SheetError> {
        let name = name.into();
        if self.animations.iter().any(|animation| animation.name == name) {
            return Err(SheetError::AnimationTwice { name });
        }
        let (first, last) = (self.index_of(from)?, self.index_of(to)?);
        if last < first {
            let (from, to) = (from.to_owned(), to.to_owned());
            return Err(SheetError::Backwards { animation: name, from, to });
        }
        self.animations.push(Animation { name, first, last, playback });
        Ok(self)
    }

    /// The frames, in the order given.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The animations, in the order given.
    pub fn animations(&self) -> &[Animation] {
        &self.animations
    }

    /// How many phases there are.
    pub fn phases(&self) -> u32 {
        self.phases
    }

    /// The place of a frame in the sheet.
    ///
    /// # Errors
    /// [`SheetError::UnknownFrame`], with the name that was probably meant.
    pub fn index_of(&self, frame: &str) -> Result<usize, SheetError> {
        self.frames.iter().position(|other| other.name == frame).ok_or_else(|| {
            let known: Vec<&str> = self.frames.iter().map(|frame| &*frame.name).collect();
            SheetError::unknown_frame(frame, &known)
        })
    }

    /// An animation by its name.
    ///
    /// # Errors
    /// [`SheetError::UnknownAnimation`], with the name that was probably meant.
    pub fn animation(&self, name: &str) -> Result<&Animation, SheetError> {
        self.animations.iter().find(|animation| animation.name == name).ok_or_else(|| {
            let known: Vec<&str> = self.animations.iter().map(|other| &*other.name).collect();
            SheetError::unknown_animation(name, &known)
        })
    }

    /// How many ticks one round of an animation takes.
    ///
    /// # Errors
    /// An animation that does not exist.
    pub fn round(&self, animation: &str) -> Result<u64, SheetError> {
        let frames = self.animation(animation)?.frames();
        Ok(frames.map(|frame| u64::from(self.frames[frame].ticks)).sum())
    }

    /// The place of the frame that an animation shows in a tick, counted from 0 where it starts. It
    /// goes round and round.
    ///
    /// # Errors
    /// An animation that does not exist.
    pub fn frame_at(&self, animation: &str, tick: u64) -> Result<usize, SheetError> {
        let mut left = tick % self.round(animation)?;
        let animation = self.animation(animation)?;
        let shown = animation.frames().find(|&frame| {
            let ticks = u64::from(self.frames[frame].ticks);
            let shown = left < ticks;
            left = left.wrapping_sub(ticks);
            shown
        });
        Ok(shown.unwrap_or(animation.first))
    }

    /// The boxes that are to be seen, with the pivot at the origin.
    ///
    /// # Errors
    /// A frame or a phase that does not exist.
    pub fn boxes<'a>(
        &'a self,
        look: impl Into<Look<'a>>,
    ) -> Result<Vec<PlacedBox<'a>>, SheetError> {
        Ok(self.placed(self.find(&look.into())?).collect())
    }

    /// The picture that a look asks for.
    pub(crate) fn find(&self, look: &Look<'_>) -> Result<Picture, SheetError> {
        let (phase, count) = (look.phase, self.frames.len());
        let frame = match look.frame {
            Which::Name(name) => self.index_of(name)?,
            Which::Index(index) if index < count => index,
            Which::Index(index) => return Err(SheetError::NoFrame { index, count }),
        };
        if phase >= self.phases {
            return Err(SheetError::NoPhase { phase, count: self.phases });
        }
        Ok(Picture { frame: frame as u32, phase, mirror: look.mirror })
    }

    /// The boxes of a picture as they were given.
    pub(crate) fn given(&self, picture: Picture) -> &[FrameBox] {
        self.frames[picture.frame as usize].given(picture.phase).0
    }

    /// The boxes of a picture.
    pub(crate) fn placed(&self, picture: Picture) -> impl Iterator<Item = PlacedBox<'_>> {
        let Picture { frame, phase, mirror } = picture;
        let given = self.given(picture);
        let shapes = &self.shapes[(frame * self.phases + phase) as usize];
        given.iter().zip(shapes).map(move |(given, shape)| PlacedBox {
            name: &given.name,
            role: given.role,
            layer: given.layer.as_deref(),
            mask: given.mask.as_deref(),
            shape: match mirror {
                Mirror::NONE => Arc::clone(shape),
                _ => Arc::new(shape.mirrored(mirror)),
            },
        })
    }
}

/// What is to be seen of a sheet: a frame by its name or place, and how.
///
/// ```
/// use carom::prelude::*;
/// let plain = Look::from("punch");
/// let left = Look::from("punch").mirrored(Mirror::X);
/// let third = Look::from(2); // by its place
/// let turned = Look::from("fly").phase(3);
/// # let _ = (plain, left, third, turned);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look<'a> {
    frame: Which<'a>,
    phase: u32,
    mirror: Mirror,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which<'a> {
    Name(&'a str),
    Index(usize),
}

impl Look<'_> {
    /// In another phase than the first.
    #[must_use]
    pub fn phase(self, phase: u32) -> Self {
        Self { phase, ..self }
    }

    /// As the mirror image about the pivot: of the picture as it is turned in its phase.
    #[must_use]
    pub fn mirrored(self, mirror: Mirror) -> Self {
        Self { mirror, ..self }
    }
}

impl<'a> From<&'a str> for Look<'a> {
    fn from(name: &'a str) -> Self {
        Self { frame: Which::Name(name), phase: 0, mirror: Mirror::NONE }
    }
}

impl<'a> From<&'a String> for Look<'a> {
    fn from(name: &'a String) -> Self {
        name.as_str().into()
    }
}

impl From<usize> for Look<'_> {
    fn from(index: usize) -> Self {
        Self { frame: Which::Index(index), phase: 0, mirror: Mirror::NONE }
    }
}

/// A look that a sheet is known to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Picture {
    pub frame: u32,
    pub phase: u32,
    pub mirror: Mirror,
}

/// A box of a frame as it is to be seen, with the pivot at the origin.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedBox<'a> {
    /// What it is called.
    pub name: &'a str,
    /// What it is there for.
    pub role: Role,
    /// The layer that it is on, if not the default one.
    pub layer: Option<&'a str>,
    /// The layers that it pays attention to, if not all.
    pub mask: Option<&'a [String]>,
    /// Its shape.
    pub shape: Arc<Shape>,
}

fn check_frames(frames: &[Frame]) -> Result<(), SheetError> {
    for (i, frame) in frames.iter().enumerate() {
        let name = || frame.name.clone();
        if frames[..i].iter().any(|other| other.name == frame.name) {
            return Err(SheetError::FrameTwice { name: name() });
        }
        if !frame.pivot.is_finite() {
            return Err(SheetError::PivotNotFinite { frame: name(), pivot: frame.pivot });
        }
        if frame.ticks == 0 {
            return Err(SheetError::NoTicks { frame: name() });
        }
        for boxes in frame.phases.values().chain([&frame.boxes]) {
            let twice =
                |(i, it): &(usize, &FrameBox)| boxes[..*i].iter().any(|b| b.name == it.name);
            if let Some((_, it)) = boxes.iter().enumerate().find(twice) {
                return Err(SheetError::BoxTwice { frame: name(), name: it.name.clone() });
            }
        }
    }
    Ok(())
}

/// The shapes of a phase, with the pivot at the origin.
fn shapes(frame: &Frame, phase: u32, phases: u32) -> Vec<Arc<Shape>> {
    let (boxes, turned) = frame.given(phase);
    let centered = |it: &FrameBox| it.shape.translated(-frame.pivot);
    if !turned {
        return boxes.iter().map(|it| centered(it).into()).collect();
    }
    let angle = round1(TAU * f64::from(phase) / f64::from(phases));
    let pose = Pose::new([0.0, 0.0], angle);
    let turned = |shape: Shape| match shape {
        // A box that still is one.
        Shape::Aabb(aabb) if pose.rotation.keeps_axes() => aabb.refitted(&pose).into(),
        shape => shape.placed(&pose),
    };
    boxes.iter().map(|it| turned(centered(it)).into()).collect()
}
