//! Flips in x, in y, or both.

use glam::Vec2;

use crate::math::{IntoVec2, Rotation};

/// A flip (mirror image) in x, in y, or both, like the flips of sprites in game engines.
///
/// A flip is about the origin, so it only changes signs: it is exact, and flipping twice gives the
/// original bits. To flip about another point, move that point to the origin first; the frames of a
/// [`Sheet`](crate::sheet::Sheet) do so with their pivot.
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
    schemars(rename = "Mirror", description = "The axes that are flipped.")
)]
pub struct Flip {
    /// `true` if x changes its sign: left and right are swapped.
    pub x: bool,
    /// `true` if y changes its sign: up and down are swapped.
    pub y: bool,
}

impl Flip {
    /// No flip.
    pub const NONE: Self = Self { x: false, y: false };
    /// Swaps left and right.
    pub const X: Self = Self { x: true, y: false };
    /// Swaps up and down.
    pub const Y: Self = Self { x: false, y: true };
    /// Swaps both, which is a rotation by 180°.
    pub const BOTH: Self = Self { x: true, y: true };
    /// All four flips.
    pub const ALL: [Self; 4] = [Self::NONE, Self::X, Self::Y, Self::BOTH];

    /// Flips a point.
    pub fn apply(self, point: impl IntoVec2) -> Vec2 {
        let Vec2 { x, y } = point.into_vec2();
        Vec2::new(if self.x { -x } else { x }, if self.y { -y } else { y })
    }

    /// Returns `true` if a counterclockwise polygon becomes clockwise.
    pub(crate) fn reverses(self) -> bool {
        self.x != self.y
    }

    /// Returns the rotation of a flipped shape that had this rotation.
    pub(crate) fn flip_rotation(self, rotation: Rotation) -> Rotation {
        if self.reverses() { rotation.inverse() } else { rotation }
    }

    /// Flips a ring of vertices and keeps its orientation: the first vertex stays first, and the
    /// others are reversed if necessary.
    pub(crate) fn flip_ring(self, ring: &mut [Vec2]) {
        ring.iter_mut().for_each(|point| *point = self.apply(*point));
        if self.reverses() {
            ring[1..].reverse();
        }
    }
}
