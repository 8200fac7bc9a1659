//! Mirroring in x, in y, or both.

use glam::Vec2;

use crate::math::Rotation;

/// Which coordinates change their sign: what a sprite engine calls flipping.
///
/// Mirroring is about the origin of the coordinates, so it only changes signs: it is exact, and doing
/// it twice gives back the same bits. To mirror about another point, move that to the origin first;
/// the frames of a [`Sheet`](crate::sheet::Sheet) do so with their pivot.
///
/// ```
/// use carom::prelude::*;
/// let fist = Circle::new([3.0, 2.0], 0.5); // in front of a fighter who looks to the right
/// assert_eq!(fist.flipped(Flip::X), Circle::new([-3.0, 2.0], 0.5));
/// assert_eq!(fist.flipped(Flip::BOTH), Circle::new([-3.0, -2.0], 0.5));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "schemars",
    schemars(rename = "Mirror", description = "Which axes are flipped.")
)]
pub struct Flip {
    /// Whether x changes its sign: left and right are swapped.
    pub x: bool,
    /// Whether y changes its sign: up and down are swapped.
    pub y: bool,
}

impl Flip {
    /// Leaves everything as it is.
    pub const NONE: Self = Self { x: false, y: false };
    /// Left and right are swapped.
    pub const X: Self = Self { x: true, y: false };
    /// Up and down are swapped.
    pub const Y: Self = Self { x: false, y: true };
    /// Both are swapped, which is half a turn.
    pub const BOTH: Self = Self { x: true, y: true };
    /// All four.
    pub const ALL: [Self; 4] = [Self::NONE, Self::X, Self::Y, Self::BOTH];

    /// The image of a point.
    pub fn apply(self, point: impl Into<Vec2>) -> Vec2 {
        let Vec2 { x, y } = point.into();
        Vec2::new(if self.x { -x } else { x }, if self.y { -y } else { y })
    }

    /// Whether the image of a counter-clockwise outline runs clockwise.
    pub(crate) fn reverses(self) -> bool {
        self.x != self.y
    }

    /// The turn that the image of a turned shape has.
    pub(crate) fn rotation(self, rotation: Rotation) -> Rotation {
        if self.reverses() { rotation.inverse() } else { rotation }
    }

    /// The image of an outline, running the same way round: from the same corner, the others in
    /// reverse if need be.
    pub(crate) fn ring(self, ring: &mut [Vec2]) {
        ring.iter_mut().for_each(|point| *point = self.apply(*point));
        if self.reverses() {
            ring[1..].reverse();
        }
    }
}
