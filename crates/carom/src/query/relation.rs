//! The relation of two shapes: disjoint, touching or overlapping.

use core::cmp::Ordering;
use core::fmt;

use crate::shape::Aabb;

/// The relation of two shapes.
///
/// The order of the variants is that of the signed distance: `Overlapping < Touching < Disjoint`.
/// The relation of a shape to several others is the least of the relations to each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(i8)]
pub enum Relation {
    /// The shapes share more than boundary points.
    Overlapping = -1,
    /// The shapes share boundary points only.
    Touching,
    /// The shapes share no point.
    Disjoint,
}

impl Relation {
    /// Returns `true` if the shapes share a point: they touch or overlap.
    #[inline(always)]
    pub fn intersects(self) -> bool {
        self != Self::Disjoint
    }

    /// Returns `true` if the shapes overlap, so that touching does not count.
    #[inline(always)]
    pub fn overlaps(self) -> bool {
        self == Self::Overlapping
    }

    /// Returns the relation of two shapes whose signed distance compares with zero like this. For
    /// rounded shapes, compare the distance of the cores with the sum of the radii.
    #[inline(always)]
    pub(crate) fn from_distance(compared: Ordering) -> Self {
        match compared {
            Ordering::Less => Self::Overlapping,
            Ordering::Equal => Self::Touching,
            Ordering::Greater => Self::Disjoint,
        }
    }

    /// Returns the relation of two axis-aligned boxes.
    #[inline(always)]
    pub(crate) fn of_aabbs(a: &Aabb, b: &Aabb) -> Self {
        if !a.intersects_aabb(b) {
            Self::Disjoint
        } else if a.min().cmplt(b.max()).all() && b.min().cmplt(a.max()).all() {
            Self::Overlapping
        } else {
            Self::Touching
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Disjoint => "disjoint",
            Self::Touching => "touching",
            Self::Overlapping => "overlapping",
        })
    }
}
