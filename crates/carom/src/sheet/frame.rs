//! A frame: the boxes of one picture.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use glam::Vec2;

use crate::shape::Shape;
use crate::sheet::Role;

/// A box of a frame. "Box" is the word of the trade; it may have any shape.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FrameBox {
    /// What it is called, once in a frame. A box of the same name in the next frame is the same
    /// box, moved.
    pub name: String,
    /// What it is there for.
    pub role: Role,
    /// Its shape, in the coordinates of the picture.
    pub shape: Shape,
    /// The name of the layer that it is on, if not the default one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub layer: Option<String>,
    /// The names of the layers that it pays attention to, if not all.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub mask: Option<Vec<String>>,
}

impl FrameBox {
    /// A box on the default layer that pays attention to all layers.
    pub fn new(name: impl Into<String>, role: Role, shape: impl Into<Shape>) -> Self {
        Self { name: name.into(), role, shape: shape.into(), layer: None, mask: None }
    }

    /// The same box on a layer.
    #[must_use]
    pub fn layer(self, layer: impl Into<String>) -> Self {
        Self { layer: Some(layer.into()), ..self }
    }

    /// The same box, paying attention to these layers only.
    #[must_use]
    pub fn mask(self, layers: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { mask: Some(layers.into_iter().map(Into::into).collect()), ..self }
    }
}

/// One picture of an animation, with its boxes.
///
/// Coordinates are those of the picture, with any unit and y up or down, as long as the game uses
/// the same. The pivot is the point that sits on the body's position.
///
/// ```
/// use carom::prelude::*;
/// use carom::sheet::Frame;
/// let punch = Frame::new("punch")
///     .pivot([16.0, 32.0]) // between the feet, y down
///     .ticks(3)
///     .hurtbox("body", Aabb::new([8.0, 0.0], [24.0, 32.0]))
///     .hitbox("fist", Circle::new([30.0, 10.0], 3.0));
/// assert_eq!(punch.boxes.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Frame {
    /// What it is called, once in a sheet.
    pub name: String,
    /// The point of the picture that sits on the body's position.
    pub pivot: Vec2,
    /// How many updates it is shown for when an animation plays.
    pub ticks: u32,
    /// Its boxes; in a sheet with directions, those of direction 0.
    pub boxes: Vec<FrameBox>,
    /// The boxes of the other directions that have their own; the others have those of direction 0, turned.
    #[cfg_attr(
        feature = "serde",
        serde(rename = "phases", skip_serializing_if = "BTreeMap::is_empty")
    )]
    pub directions: BTreeMap<u32, Vec<FrameBox>>,
}

impl Frame {
    /// A frame with no boxes yet, its pivot at the origin, shown for one tick.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            pivot: Vec2::ZERO,
            ticks: 1,
            boxes: Vec::new(),
            directions: BTreeMap::new(),
        }
    }

    /// The same frame with another pivot.
    #[must_use]
    pub fn pivot(self, pivot: impl Into<Vec2>) -> Self {
        Self { pivot: pivot.into(), ..self }
    }

    /// The same frame, shown for so many ticks.
    #[must_use]
    pub fn ticks(self, ticks: u32) -> Self {
        Self { ticks, ..self }
    }

    /// The same frame and a box.
    #[must_use]
    pub fn with(mut self, frame_box: FrameBox) -> Self {
        self.boxes.push(frame_box);
        self
    }

    /// The same frame and a box that stands in the way.
    #[must_use]
    pub fn solid(self, name: impl Into<String>, shape: impl Into<Shape>) -> Self {
        self.with(FrameBox::new(name, Role::Solid, shape))
    }

    /// The same frame and a box that notices what comes in.
    #[must_use]
    pub fn sensor(self, name: impl Into<String>, shape: impl Into<Shape>) -> Self {
        self.with(FrameBox::new(name, Role::Sensor, shape))
    }

    /// The same frame and a box that strikes.
    #[must_use]
    pub fn hitbox(self, name: impl Into<String>, shape: impl Into<Shape>) -> Self {
        self.with(FrameBox::new(name, Role::Hitbox, shape))
    }

    /// The same frame and a box that is struck.
    #[must_use]
    pub fn hurtbox(self, name: impl Into<String>, shape: impl Into<Shape>) -> Self {
        self.with(FrameBox::new(name, Role::Hurtbox, shape))
    }

    /// The same frame with other boxes in one direction: for pictures that were drawn anew and not just
    /// turned.
    #[must_use]
    pub fn direction(mut self, direction: u32, boxes: impl IntoIterator<Item = FrameBox>) -> Self {
        self.directions.insert(direction, boxes.into_iter().collect());
        self
    }

    /// The boxes of all directions, as they were given.
    pub(crate) fn all_boxes(&self) -> impl Iterator<Item = &FrameBox> {
        self.directions.values().chain([&self.boxes]).flatten()
    }

    /// Returns the boxes of a direction as they were given, and where they come from.
    pub(super) fn source_boxes(&self, direction: u32) -> (&[FrameBox], BoxSource) {
        match self.directions.get(&direction) {
            Some(boxes) => (boxes, BoxSource::Own),
            None if direction == 0 => (&self.boxes, BoxSource::Own),
            None => (&self.boxes, BoxSource::Rotated),
        }
    }
}

/// Where the boxes of a direction come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoxSource {
    /// They were given for this direction.
    Own,
    /// They are those of direction 0, and have to be rotated.
    Rotated,
}
