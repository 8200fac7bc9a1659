//! Eight numbers at a time.

use wide::f32x8;

use crate::LANES;

/// Eight numbers, one in each lane. What is written for them runs on every machine, and where the CPU
/// has wider registers in those, with the same results.
///
/// Comparing gives lanes that are either set or not, for [`and`](Self::and), [`select`](Self::select)
/// and [`bits`](Self::bits). What uses lanes has to be `#[inline(always)]` up to here, or the wider
/// registers are lost on the way.
pub trait Lanes: Copy + Sealed {
    /// The same number in all lanes.
    fn splat(number: f32) -> Self;

    /// From a list.
    fn load(from: &[f32; LANES]) -> Self;

    /// As a list.
    fn to_array(self) -> [f32; LANES];

    /// The sums.
    #[must_use]
    fn plus(self, other: Self) -> Self;

    /// The differences.
    #[must_use]
    fn minus(self, other: Self) -> Self;

    /// The products.
    #[must_use]
    fn times(self, other: Self) -> Self;

    /// The lesser ones; none is NaN.
    #[must_use]
    fn min(self, other: Self) -> Self;

    /// The greater ones; none is NaN.
    #[must_use]
    fn max(self, other: Self) -> Self;

    /// Sets the lanes in which this is at most the other.
    #[must_use]
    fn at_most(self, other: Self) -> Self;

    /// The lanes set in both.
    #[must_use]
    fn and(self, other: Self) -> Self;

    /// Where a lane of this is set the first, else the second.
    #[must_use]
    fn select(self, set: Self, unset: Self) -> Self;

    /// Which lanes are set, the first in the lowest bit.
    fn bits(self) -> u32;

    /// Keys that are not negative as whole numbers that compare as they do, all of them different: the
    /// lowest bits are the number of the lane instead. [`i32::MAX`] where a lane is not set.
    fn order(set: Self, keys: Self) -> [i32; LANES];

    /// The least number of an order; [`i32::MAX`] if no lane was set.
    fn least(order: &[i32; LANES]) -> i32;

    /// The least number of an order that is greater than the last; [`i32::MAX`] if there is none.
    fn next(order: &[i32; LANES], last: i32) -> i32;
}

/// Lanes are what this crate makes them.
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
    fn plus(self, other: Self) -> Self {
        self + other
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self - other
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
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
    fn at_most(self, other: Self) -> Self {
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
    fn bits(self) -> u32 {
        self.to_bitmask()
    }

    #[inline(always)]
    fn order(set: Self, keys: Self) -> [i32; LANES] {
        let (set, keys) = (Lanes::bits(set), Lanes::to_array(keys));
        core::array::from_fn(|lane| match set >> lane & 1 {
            1 => keys[lane].to_bits() as i32 & !(LANES as i32 - 1) | lane as i32,
            _ => i32::MAX,
        })
    }

    #[inline(always)]
    fn least(order: &[i32; LANES]) -> i32 {
        Self::next(order, -1)
    }

    #[inline(always)]
    fn next(order: &[i32; LANES], last: i32) -> i32 {
        order.iter().fold(i32::MAX, |least, &it| if it > last { least.min(it) } else { least })
    }
}
