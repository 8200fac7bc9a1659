//! Sprite sheets: the hitboxes of a sprite, frame by frame.
//!
//! The image of a fighter changes many times a second, and its hitboxes and hurtboxes change with it. A
//! [`Sheet`] stores named [frames](Frame), each with its own named boxes, each box with a [`Role`].
//!
//! ```
//! use carom::prelude::*;
//! use carom::sheet::{Frame, FrameRef, Playback, Sheet, SheetError};
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
//! // The frame in the fourth tick of the punch:
//! let frame = sheet.frame_at("punch", 3)?;
//! assert_eq!(sheet.frames()[frame].name, "punch_2");
//!
//! // Its boxes, for a fighter that faces left:
//! let boxes = sheet.boxes(FrameRef::from(frame).flipped(Flip::X))?;
//! assert_eq!(boxes[1].name, "fist");
//! assert_eq!(*boxes[1].shape, Circle::new([-22.0, 30.0], 4.0).into());
//! # Ok::<(), SheetError>(())
//! ```
//!
//! **The pivot** is the point of the image that is placed at the body's position. Boxes are given in the
//! coordinates of the image, and returned with the pivot at the origin.
//!
//! **Mirrored** boxes are the exact reflections of the others about the pivot: see [`Flip`].
//!
//! **Directions** are the pre-rotated images of a sprite, usually 8 or 16. After
//! [`with_directions`](Sheet::with_directions), the boxes of each frame are rotated about the pivot in equal
//! steps of a full turn, counterclockwise if y points up. A frame may have
//! [its own boxes](Frame::direction) in any direction.
//!
//! A [`FrameRef`] selects a frame, a direction and a flip.

mod animation;
mod error;
mod frame;
#[cfg(feature = "serde")]
mod repr;
mod role;

pub use animation::{Animation, Playback};
pub use error::SheetError;
use frame::BoxSource;
pub use frame::{Frame, FrameBox};
pub use role::Role;

use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::f64::consts::TAU;

use crate::math::{Flip, Pose, to_f32};
use crate::shape::Shape;

/// The maximum number of directions of a sheet.
pub const MAX_DIRECTIONS: u32 = 1024;

/// Frames with named boxes, and animations of them. See the [module documentation](self).
///
/// A sheet is immutable, and can be shared by many bodies.
#[doc(alias = "sprite sheet")]
#[doc(alias = "hitbox")]
#[doc(alias = "hurtbox")]
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    frames: Vec<Frame>,
    animations: Vec<Animation>,
    directions: u32,
    /// The shapes of every direction of every frame, rotated, with the pivot at the origin.
    shapes: Vec<Vec<Arc<Shape>>>,
    /// The indices of the frames, ordered by name.
    by_name: Vec<u32>,
    /// The tick in which each frame starts if all are shown one after the other, and the end of the last.
    starts: Vec<u64>,
}

impl Sheet {
    /// Creates a sheet of frames without animations. It has as many directions as the frames have boxes for, at
    /// least one.
    ///
    /// # Errors
    /// Returns an error for a name that is empty or a duplicate, a pivot that is not finite, a frame of zero
    /// ticks, or more than [`MAX_DIRECTIONS`] directions.
    pub fn from_frames(frames: impl IntoIterator<Item = Frame>) -> Result<Self, SheetError> {
        let frames: Vec<Frame> = frames.into_iter().collect();
        check_frames(&frames)?;
        let last = frames.iter().filter_map(|frame| frame.directions.keys().next_back()).max();
        let directions = last.map_or(1, |&direction| direction.saturating_add(1));
        let mut by_name: Vec<u32> = (0..frames.len() as u32).collect();
        by_name.sort_unstable_by_key(|&index| &frames[index as usize].name);
        let mut starts = alloc::vec![0];
        for frame in &frames {
            starts.push(starts[starts.len() - 1] + u64::from(frame.ticks));
        }
        let (animations, shapes) = (Vec::new(), Vec::new());
        let sheet = Self { frames, animations, directions: 1, shapes, by_name, starts };
        sheet.with_directions(directions)
    }

    /// Returns the sheet with another number `n` of directions. The boxes of direction `i` are those of direction
    /// 0 rotated by `i / n` of a full turn, unless the frame has [separate boxes](Frame::direction) for it.
    ///
    /// # Errors
    /// Returns an error if the number is 0, greater than [`MAX_DIRECTIONS`], or less than the number of
    /// directions that a frame has boxes for.
    ///
    /// ```
    /// use carom::prelude::*;
    /// use carom::sheet::{Frame, FrameRef, Sheet, SheetError};
    /// let rocket = Frame::new("fly").pivot([8.0, 8.0]).hitbox("tip", Circle::new([15.0, 8.0], 1.0));
    /// let sheet = Sheet::from_frames([rocket])?.with_directions(8)?;
    /// let upwards = sheet.boxes(FrameRef::from("fly").direction(2))?; // y up
    /// assert_eq!(*upwards[0].shape, Circle::new([0.0, 7.0], 1.0).into());
    /// # Ok::<(), SheetError>(())
    /// ```
    pub fn with_directions(self, directions: u32) -> Result<Self, SheetError> {
        if !(1..=MAX_DIRECTIONS).contains(&directions) {
            return Err(SheetError::DirectionCount { count: directions });
        }
        for frame in &self.frames {
            if let Some((&direction, _)) = frame.directions.range(directions..).next() {
                return Err(SheetError::DirectionOutOfRange { direction, count: directions });
            }
        }
        let mut sheet = Self { directions, ..self };
        sheet.shapes = sheet.compute_shapes();
        Ok(sheet)
    }

    /// Returns the sheet with an added animation of the frames `from` to `to`, both included.
    ///
    /// # Errors
    /// Returns an error for an unknown frame, a last frame before the first, or a name that is empty or a
    /// duplicate.
    pub fn with_animation(
        mut self,
        name: impl Into<String>,
        from: &str,
        to: &str,
        playback: Playback,
    ) -> Result<Self, SheetError> {
        let name = name.into();
        if name.is_empty() {
            return Err(SheetError::EmptyName { owner: "an animation".into() });
        }
        if self.animations.iter().any(|animation| animation.name == name) {
            return Err(SheetError::DuplicateAnimation { name });
        }
        let (first, last) = (self.index_of(from)?, self.index_of(to)?);
        if last < first {
            let (from, to) = (from.to_owned(), to.to_owned());
            return Err(SheetError::ReversedRange { animation: name, from, to });
        }
        self.animations.push(Animation { name, first, last, playback });
        Ok(self)
    }

    /// Returns the frames.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Returns the animations.
    pub fn animations(&self) -> &[Animation] {
        &self.animations
    }

    /// Returns the number of directions.
    pub fn directions(&self) -> u32 {
        self.directions
    }

    /// Returns the direction that is nearest to an angle in radians, which may exceed a full turn. An angle exactly
    /// between two directions belongs to the one farther from zero, and NaN to direction 0.
    ///
    /// ```
    /// use carom::sheet::{Frame, Sheet, SheetError};
    /// let sheet = Sheet::from_frames([Frame::new("fly")])?.with_directions(8)?;
    /// assert_eq!(sheet.direction_at(1.5), 2); // nearly a quarter turn
    /// assert_eq!(sheet.direction_at(-0.8), 7);
    /// assert_eq!(sheet.direction_at(6.2), 0);
    /// # Ok::<(), SheetError>(())
    /// ```
    #[doc(alias = "phase_at")]
    pub fn direction_at(&self, angle: f32) -> u32 {
        let count = f64::from(self.directions);
        let steps = libm::round(f64::from(angle) / core::f64::consts::TAU * count);
        (steps - count * libm::floor(steps / count)) as u32 % self.directions
    }

    /// Returns the index of a frame.
    ///
    /// # Errors
    /// Returns [`SheetError::UnknownFrame`], with the most similar name.
    pub fn index_of(&self, frame: &str) -> Result<usize, SheetError> {
        let name = |&index: &u32| {
            #[cfg(test)]
            crate::operation_count::add(1);
            self.frames[index as usize].name.as_str()
        };
        let found = self.by_name.binary_search_by_key(&frame, name);
        found.map(|index| self.by_name[index] as usize).map_err(|_| {
            let known: Vec<&str> = self.frames.iter().map(|frame| &*frame.name).collect();
            SheetError::unknown_frame(frame, &known)
        })
    }

    /// Returns the animation with a name.
    ///
    /// # Errors
    /// Returns [`SheetError::UnknownAnimation`], with the most similar name.
    pub fn animation(&self, name: &str) -> Result<&Animation, SheetError> {
        self.animations.iter().find(|animation| animation.name == name).ok_or_else(|| {
            let known: Vec<&str> = self.animations.iter().map(|other| &*other.name).collect();
            SheetError::unknown_animation(name, &known)
        })
    }

    /// Returns the duration of one cycle of an animation, in ticks.
    ///
    /// # Errors
    /// Returns an error for an unknown animation.
    pub fn loop_ticks(&self, animation: &str) -> Result<u64, SheetError> {
        Ok(self.animation_ticks(self.animation(animation)?))
    }

    fn animation_ticks(&self, animation: &Animation) -> u64 {
        let &Animation { first, last, playback, .. } = animation;
        let once = self.starts[last + 1] - self.starts[first];
        // On the way back, both ends are left out.
        let is_both_ways = playback == Playback::PingPong && last > first;
        once + if is_both_ways { self.starts[last] - self.starts[first + 1] } else { 0 }
    }

    /// Returns the index of the frame that an animation shows in a tick, counted from its start. Animations
    /// loop, except those with [`Playback::Once`], which keep their last frame.
    ///
    /// The search takes logarithmic time in the number of frames.
    ///
    /// # Errors
    /// Returns an error for an unknown animation.
    ///
    /// ```
    /// use carom::sheet::{Frame, Playback, Sheet, SheetError};
    /// let frames = [Frame::new("wind up").ticks(4), Frame::new("strike").ticks(2)];
    /// let sheet = Sheet::from_frames(frames)?
    ///     .with_animation("punch", "wind up", "strike", Playback::Once)?;
    /// let shown = [0, 3, 4, 5, 6, 100].map(|tick| sheet.frame_at("punch", tick).unwrap());
    /// assert_eq!(shown, [0, 0, 1, 1, 1, 1]);
    /// let is_over = |tick: u64| tick >= sheet.loop_ticks("punch").unwrap();
    /// assert!(!is_over(5) && is_over(6));
    /// # Ok::<(), SheetError>(())
    /// ```
    pub fn frame_at(&self, animation: &str, tick: u64) -> Result<usize, SheetError> {
        let animation = self.animation(animation)?;
        let &Animation { first, last, playback, .. } = animation;
        let cycle = self.animation_ticks(animation);
        let once = self.starts[last + 1] - self.starts[first];
        // The tick in which a forward animation shows the same frame.
        let forward = match playback {
            Playback::Forward => tick % cycle,
            Playback::Once => tick.min(once - 1),
            Playback::Reverse => once - 1 - tick % cycle,
            Playback::PingPong => {
                let tick = tick % cycle;
                let turn = self.starts[last] - self.starts[first];
                if tick < once { tick } else { turn - 1 - (tick - once) }
            }
        };
        let start = self.starts[first] + forward;
        let is_not_later = |&it: &u64| {
            #[cfg(test)]
            crate::operation_count::add(1);
            it <= start
        };
        Ok(self.starts.partition_point(is_not_later) - 1)
    }

    /// Returns the boxes of a frame, with the pivot at the origin.
    ///
    /// # Errors
    /// Returns an error for an unknown frame or a direction that is out of range.
    pub fn boxes<'a>(
        &'a self,
        frame: impl Into<FrameRef<'a>>,
    ) -> Result<Vec<ResolvedBox<'a>>, SheetError> {
        Ok(self.placed(self.find(&frame.into())?).collect())
    }

    /// Replaces each shape for which `new_shape` returns another one. Returns the new sheet; `None` if there is no
    /// such shape.
    pub(crate) fn map_shapes(&self, new_shape: impl Fn(&Shape) -> Option<Shape>) -> Option<Self> {
        self.frames.iter().flat_map(Frame::all_boxes).find(|it| new_shape(&it.shape).is_some())?;
        let mut sheet = self.clone();
        for frame in &mut sheet.frames {
            for it in frame.directions.values_mut().chain([&mut frame.boxes]).flatten() {
                if let Some(shape) = new_shape(&it.shape) {
                    it.shape = shape;
                }
            }
        }
        sheet.shapes = sheet.compute_shapes();
        Some(sheet)
    }

    /// Returns the shapes of every direction of every frame, rotated, with the pivot at the origin.
    fn compute_shapes(&self) -> Vec<Vec<Arc<Shape>>> {
        let of_frame =
            |frame| (0..self.directions).map(move |it| place_boxes(frame, it, self.directions));
        self.frames.iter().flat_map(of_frame).collect()
    }

    /// Looks up a frame.
    pub(crate) fn find(&self, frame: &FrameRef<'_>) -> Result<FrameId, SheetError> {
        let (direction, count) = (frame.direction, self.frames.len());
        let index = match frame.frame {
            FrameKey::Name(name) => self.index_of(name)?,
            FrameKey::Index(index) if index < count => index,
            FrameKey::Index(index) => return Err(SheetError::FrameOutOfRange { index, count }),
        };
        if direction >= self.directions {
            return Err(SheetError::DirectionOutOfRange { direction, count: self.directions });
        }
        Ok(FrameId { frame: index as u32, direction, flip: frame.flip })
    }

    /// Returns the boxes of a frame as they were given, neither rotated nor flipped.
    pub(crate) fn source_boxes(&self, id: FrameId) -> &[FrameBox] {
        self.frames[id.frame as usize].source_boxes(id.direction).0
    }

    /// Returns the boxes of a frame, with the pivot at the origin.
    pub(crate) fn placed(&self, id: FrameId) -> impl Iterator<Item = ResolvedBox<'_>> {
        let FrameId { frame, direction, flip } = id;
        let given = self.source_boxes(id);
        let shapes = &self.shapes[frame as usize * self.directions as usize + direction as usize];
        given.iter().zip(shapes).map(move |(given, shape)| ResolvedBox {
            name: &given.name,
            role: given.role,
            layers: given.layers.as_deref(),
            mask: given.mask.as_deref(),
            shape: match flip {
                Flip::NONE => Arc::clone(shape),
                _ => Arc::new(shape.flipped(flip)),
            },
        })
    }
}

/// A reference to a frame of a sheet, by name or index, with a direction and a flip.
///
/// ```
/// use carom::prelude::*;
/// use carom::sheet::FrameRef;
/// let plain = FrameRef::from("punch");
/// let left = FrameRef::from("punch").flipped(Flip::X);
/// let third = FrameRef::from(2); // by index
/// let turned = FrameRef::from("fly").direction(3);
/// # let _ = (plain, left, third, turned);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRef<'a> {
    frame: FrameKey<'a>,
    direction: u32,
    flip: Flip,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FrameKey<'a> {
    Name(&'a str),
    Index(usize),
}

impl FrameRef<'_> {
    /// Returns the reference with another direction.
    #[must_use]
    pub fn direction(self, direction: u32) -> Self {
        Self { direction, ..self }
    }

    /// Returns the reference with a flip about the pivot, applied after the rotation to the direction.
    #[must_use]
    pub fn flipped(self, flip: Flip) -> Self {
        Self { flip, ..self }
    }
}

impl<'a> From<&'a str> for FrameRef<'a> {
    fn from(name: &'a str) -> Self {
        Self { frame: FrameKey::Name(name), direction: 0, flip: Flip::NONE }
    }
}

impl<'a> From<&'a String> for FrameRef<'a> {
    fn from(name: &'a String) -> Self {
        name.as_str().into()
    }
}

impl From<usize> for FrameRef<'_> {
    fn from(index: usize) -> Self {
        Self { frame: FrameKey::Index(index), direction: 0, flip: Flip::NONE }
    }
}

/// A [`FrameRef`] that was looked up, so the frame exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FrameId {
    pub frame: u32,
    pub direction: u32,
    pub flip: Flip,
}

/// A box of a frame, rotated and flipped, with the pivot at the origin.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedBox<'a> {
    /// The name.
    pub name: &'a str,
    /// The role.
    pub role: Role,
    /// The collision layers. `None` means the default layer.
    pub layers: Option<&'a [String]>,
    /// The layers of the collision mask. `None` means all layers.
    pub mask: Option<&'a [String]>,
    /// The shape.
    pub shape: Arc<Shape>,
}

fn check_frames(frames: &[Frame]) -> Result<(), SheetError> {
    let mut names = BTreeSet::new();
    for frame in frames {
        let name = || frame.name.clone();
        if frame.name.is_empty() {
            return Err(SheetError::EmptyName { owner: "a frame".into() });
        }
        if !names.insert(&frame.name) {
            return Err(SheetError::DuplicateFrame { name: name() });
        }
        if !frame.pivot.is_finite() {
            return Err(SheetError::PivotNotFinite { frame: name(), pivot: frame.pivot });
        }
        if frame.ticks == 0 {
            return Err(SheetError::ZeroTicks { frame: name() });
        }
        for boxes in frame.directions.values().chain([&frame.boxes]) {
            let mut names = BTreeSet::new();
            if boxes.iter().any(|it| it.name.is_empty()) {
                let owner = format!("a box of frame `{}`", frame.name);
                return Err(SheetError::EmptyName { owner });
            }
            if let Some(it) = boxes.iter().find(|it| !names.insert(&it.name)) {
                return Err(SheetError::DuplicateBox { frame: name(), name: it.name.clone() });
            }
        }
    }
    Ok(())
}

/// Returns the shapes of the boxes in a direction, rotated, with the pivot at the origin.
fn place_boxes(frame: &Frame, direction: u32, directions: u32) -> Vec<Arc<Shape>> {
    let (boxes, source) = frame.source_boxes(direction);
    let centered = |it: &FrameBox| it.shape.translated(-frame.pivot);
    if source == BoxSource::Own {
        return boxes.iter().map(|it| centered(it).into()).collect();
    }
    let angle = to_f32(TAU * f64::from(direction) / f64::from(directions));
    let pose = Pose::new([0.0, 0.0], angle);
    boxes.iter().map(|it| centered(it).transformed(&pose).into()).collect()
}
