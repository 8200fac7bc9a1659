//! The two loops in which carom's broad phase spends its time, eight boxes at a time.
//!
//! A [`Row`] is a list of boxes, held by columns. [`sweep`] finds the pairs within a row whose boxes
//! meet, [`scan`] the boxes of a row that meet one from elsewhere. Each is written twice: in safe code
//! for every machine ([`portable`]), and with AVX2, which is chosen at run time where the CPU has it
//! and is several times faster. Both give the same pairs in the same order.
#![no_std]
extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

#[cfg(target_arch = "x86_64")]
mod avx2;
pub mod portable;
mod row;
#[cfg(test)]
mod tests;

pub use row::{Columns, Row};

use alloc::vec::Vec;
use core::ops::Range;

/// Two ids, the lesser first.
pub type Pair = [u32; 2];

/// A box: least x, least y, greatest x, greatest y.
pub type Bounds = [f32; 4];

/// How many boxes are tested at once.
pub const LANES: usize = 8;

/// Marks the id of a box that a row shares with an earlier one. Two such boxes are no pair of this
/// row: they have met in the earlier one.
pub const CONTINUING: u32 = 1 << 31;

/// Appends the pairs of a row whose boxes share a point: the box at place `i` is held against those
/// at `i + 1` up to and without `ends[i]`, and against as many behind them as make the number of
/// tests a multiple of [`LANES`]. Pairs come in the order of the first place, then of the second.
///
/// # Panics
/// If there are not as many ends as boxes.
pub fn sweep(row: &Row, ends: &[u32], pairs: &mut Vec<Pair>) {
    assert_eq!(ends.len(), row.len(), "a row of boxes needs an end for each");
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        // SAFETY: the CPU has what the function was compiled for.
        #[allow(unsafe_code, reason = "calls what was compiled for AVX2")]
        return unsafe { avx2::sweep(row, ends, pairs) };
    }
    portable::sweep(row, ends, pairs);
}

/// Appends the pairs of one box, under an id, with those at some places of a row that share a point
/// with it, in the order of the places. As many behind them are tested too as make the number of
/// tests a multiple of [`LANES`]. Boxes marked [`CONTINUING`] count only if `continuing` is set.
///
/// # Panics
/// If the row is shorter than the places.
pub fn scan(
    row: &Row,
    places: Range<usize>,
    (bounds, id): (&Bounds, u32),
    continuing: bool,
    pairs: &mut Vec<Pair>,
) {
    assert!(places.end <= row.len(), "a row of {} has no place {}", row.len(), places.end);
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        // SAFETY: the CPU has what the function was compiled for.
        #[allow(unsafe_code, reason = "calls what was compiled for AVX2")]
        return unsafe { avx2::scan(row, places, (bounds, id), continuing, pairs) };
    }
    portable::scan(row, places, (bounds, id), continuing, pairs);
}

/// Whether the CPU has the instructions that `avx2` is compiled for.
#[cfg(target_arch = "x86_64")]
#[inline]
fn has_avx2() -> bool {
    #[cfg(feature = "std")]
    return std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("popcnt");
    #[cfg(not(feature = "std"))]
    return cfg!(all(target_feature = "avx2", target_feature = "popcnt"));
}
