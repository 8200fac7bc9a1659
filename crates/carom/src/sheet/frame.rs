//! Animation frames and their boxes.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use crate::math::{IntoVec2, Vec2};
use crate::shape::Shape;
use crate::sheet::Role;

/// A named box of a frame, such as a hitbox. Despite its name it may have any shape.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameBox {
    /// The name, unique in the frame. A box of the same name in the next frame is the same collider, moved.
    pub name: String,
    /// The role.
    pub role: Role,
    /// The shape, in the coordinates of the image.
    pub shape: Shape,
    /// The names of its collision layers. `None` means the default layer.
    pub layers: Option<Vec<String>>,
    /// The names of the layers in its collision mask. `None` means all layers.
    pub mask: Option<Vec<String>>,
}

impl FrameBox {
    /// Creates a box on the default layer that collides with all layers.
    pub fn new(name: impl Into<String>, role: Role, shape: impl Into<Shape>) -> Self {
        Self { name: name.into(), role, shape: shape.into(), layers: None, mask: None }
    }

    /// Returns the box on another collision layer.
    #[must_use]
    pub fn layer(self, layer: impl Into<String>) -> Self {
        self.layers([layer])
    }

    /// Returns the box on other collision layers.
    #[must_use]
    pub fn layers(self, layers: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { layers: Some(layers.into_iter().map(Into::into).collect()), ..self }
    }

    /// Returns the box with a collision mask of these layers.
    #[must_use]
    pub fn mask(self, layers: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { mask: Some(layers.into_iter().map(Into::into).collect()), ..self }
    }
}

/// One image of an animation, with its boxes.
///
/// Coordinates are those of the image, in any unit and with y up or down, as long as the game uses the
/// same. The pivot is the point that is placed at the body's position.
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
pub struct Frame {
    /// The name, unique in the sheet.
    pub name: String,
    /// The point of the image that is placed at the body's position.
    pub pivot: Vec2,
    /// The duration in ticks, usually updates of the game.
    pub ticks: u32,
    /// The boxes. In a sheet with several directions, these are the boxes of direction 0.
    pub boxes: Vec<FrameBox>,
    /// The boxes of the directions that have their own. The other directions have the boxes of direction 0,
    /// rotated.
    pub directions: BTreeMap<u32, Vec<FrameBox>>,
}

impl Frame {
    /// Creates a frame without boxes, with its pivot at the origin and a duration of one tick.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            pivot: Vec2::ZERO,
            ticks: 1,
            boxes: Vec::new(),
            directions: BTreeMap::new(),
        }
    }

    /// Returns the frame with another pivot.
    #[must_use]
    pub fn pivot(self, pivot: impl IntoVec2) -> Self {
        Self { pivot: pivot.into_vec2(), ..self }
    }

    /// Returns the frame with another duration in ticks.
    #[must_use]
    pub fn ticks(self, ticks: u32) -> Self {
        Self { ticks, ..self }
    }

    /// Returns the frame with an added box.
    #[must_use]
    pub fn with(mut self, frame_box: FrameBox) -> Self {
        self.boxes.push(frame_box);
        self
    }

    /// Returns the frame with an added box of role [`Role::Solid`].
    #[must_use]
    pub fn solid(self, name: impl Into<String>, shape: impl Into<Shape>) -> Self {
        self.with(FrameBox::new(name, Role::Solid, shape))
    }

    /// Returns the frame with an added box of role [`Role::Sensor`].
    #[must_use]
    pub fn sensor(self, name: impl Into<String>, shape: impl Into<Shape>) -> Self {
        self.with(FrameBox::new(name, Role::Sensor, shape))
    }

    /// Returns the frame with an added box of role [`Role::Hitbox`].
    #[must_use]
    pub fn hitbox(self, name: impl Into<String>, shape: impl Into<Shape>) -> Self {
        self.with(FrameBox::new(name, Role::Hitbox, shape))
    }

    /// Returns the frame with an added box of role [`Role::Hurtbox`].
    #[must_use]
    pub fn hurtbox(self, name: impl Into<String>, shape: impl Into<Shape>) -> Self {
        self.with(FrameBox::new(name, Role::Hurtbox, shape))
    }

    /// Returns the frame with separate boxes for one direction, for images that were drawn separately instead of
    /// rotated.
    #[must_use]
    pub fn direction(mut self, direction: u32, boxes: impl IntoIterator<Item = FrameBox>) -> Self {
        self.directions.insert(direction, boxes.into_iter().collect());
        self
    }

    /// Returns the boxes of all directions, as they were given.
    pub(crate) fn all_boxes(&self) -> impl Iterator<Item = &FrameBox> {
        self.directions.values().chain([&self.boxes]).flatten()
    }

    /// Returns the boxes of a direction as they were given, and their source.
    pub(super) fn source_boxes(&self, direction: u32) -> (&[FrameBox], BoxSource) {
        match self.directions.get(&direction) {
            Some(boxes) => (boxes, BoxSource::Own),
            None if direction == 0 => (&self.boxes, BoxSource::Own),
            None => (&self.boxes, BoxSource::Rotated),
        }
    }
}

/// The source of the boxes of a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoxSource {
    /// The boxes were given for this direction.
    Own,
    /// The boxes are those of direction 0, and must be rotated.
    Rotated,
}
