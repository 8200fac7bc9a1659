//! The oracle: every query answered from its definition, by trying everything. It shares no code with the
//! library, and must not.
//!
//! Verdicts are exact: all coordinates are brought onto one integer grid ([`exact_pair`]) and computed with
//! big integers ([`bigint`]). Depths and sweeps are computed in `f64` from exact differences, and point
//! distances in plain `f64`, for laws whose tolerance is far larger.

pub mod bigint;
pub mod contains;
pub mod decompose;
pub mod depth;
pub mod exact_pair;
pub mod geometry;
pub mod point_distance;
pub mod predicates;
pub mod sweep;
