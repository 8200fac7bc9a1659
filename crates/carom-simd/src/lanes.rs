//! Vectors of eight numbers, for code that is generic over the instruction set.

use wide::f32x8;

use crate::LANES;

/// Eight `f32`, one per lane. Code that is generic over this trait runs on every CPU, and with AVX2 where
/// the CPU supports it, with the same results.
///
/// A comparison returns a mask, a vector whose lanes are either set or not, for [`and`](Self::and),
/// [`select`](Self::select) and [`to_bitmask`](Self::to_bitmask).
///
/// Functions that use lanes must be `#[inline(always)]`, or else the compiler does not use AVX2 for them.
pub trait Lanes: Copy + Sealed {
    /// Creates a vector with the same number in all lanes.
    fn splat(number: f32) -> Self;

    /// Creates a vector from an array.
    fn load(from: &[f32; LANES]) -> Self;

    /// Returns the numbers as an array.
    fn to_array(self) -> [f32; LANES];

    /// Adds lane by lane.
    #[must_use]
    fn add(self, other: Self) -> Self;

    /// Subtracts lane by lane.
    #[must_use]
    fn sub(self, other: Self) -> Self;

    /// Multiplies lane by lane.
    #[must_use]
    fn mul(self, other: Self) -> Self;

    /// Returns the smaller number of each lane. The result is unspecified for NaN.
    #[must_use]
    fn min(self, other: Self) -> Self;

    /// Returns the greater number of each lane. The result is unspecified for NaN.
    #[must_use]
    fn max(self, other: Self) -> Self;

    /// Returns a mask of the lanes in which this number is less than or equal to the other.
    #[must_use]
    fn le(self, other: Self) -> Self;

    /// Returns a mask of the lanes that are set in both masks.
    #[must_use]
    fn and(self, other: Self) -> Self;

    /// Returns the lanes of the first vector where this mask is set, those of the second elsewhere.
    #[must_use]
    fn select(self, set: Self, unset: Self) -> Self;

    /// Returns the lanes of a mask as a bit set, with the first lane in the lowest bit.
    fn to_bitmask(self) -> u32;

    /// Converts keys that are not negative to integers that compare like them and are all different: their
    /// lowest three bits are the number of the lane. Lanes that are not set in the mask get [`i32::MAX`].
    fn sort_keys(mask: Self, keys: Self) -> [i32; LANES];

    /// Returns the smallest sort key; [`i32::MAX`] if no lane was set.
    fn min_key(sort_keys: &[i32; LANES]) -> i32;

    /// Returns the smallest sort key that is greater than `previous`; [`i32::MAX`] if there is none.
    fn next_key(sort_keys: &[i32; LANES], previous: i32) -> i32;
}

/// Prevents implementations of [`Lanes`] outside of this crate.
pub trait Sealed {}

impl Sealed for f32x8 {}

impl Lanes for f32x8 {
    #[inline(always)]
    fn splat(number: f32) -> Self {
        Self::splat(number)
    }

    #[inline(always)]
    fn load(from: &[f32; LANES]) -> Self {
        Self::new(*from)
    }

    #[inline(always)]
    fn to_array(self) -> [f32; LANES] {
        Self::to_array(self)
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self + other
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self - other
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self * other
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.fast_min(other)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.fast_max(other)
    }

    #[inline(always)]
    fn le(self, other: Self) -> Self {
        self.simd_le(other)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }

    #[inline(always)]
    fn select(self, set: Self, unset: Self) -> Self {
        Self::select(self, set, unset)
    }

    #[inline(always)]
    fn to_bitmask(self) -> u32 {
        Self::to_bitmask(self)
    }

    #[inline(always)]
    fn sort_keys(mask: Self, keys: Self) -> [i32; LANES] {
        let (mask, keys) = (Self::to_bitmask(mask), Self::to_array(keys));
        core::array::from_fn(|lane| match mask >> lane & 1 {
            1 => keys[lane].to_bits() as i32 & !(LANES as i32 - 1) | lane as i32,
            _ => i32::MAX,
        })
    }

    #[inline(always)]
    fn min_key(sort_keys: &[i32; LANES]) -> i32 {
        Self::next_key(sort_keys, -1)
    }

    #[inline(always)]
    fn next_key(sort_keys: &[i32; LANES], previous: i32) -> i32 {
        let later = |min: i32, &key: &i32| if key > previous { min.min(key) } else { min };
        sort_keys.iter().fold(i32::MAX, later)
    }
}
