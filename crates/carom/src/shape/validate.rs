//! The checks that constructors share.

use alloc::vec::Vec;

use glam::Vec2;

use crate::error::ShapeError;
use crate::math::IntoVec2;

pub(crate) fn finite(value: f32, field: &'static str) -> Result<f32, ShapeError> {
    if value.is_finite() { Ok(value) } else { Err(ShapeError::NotFinite { field, value }) }
}

pub(crate) fn positive(value: f32, field: &'static str) -> Result<f32, ShapeError> {
    finite(value, field)?;
    if value > 0.0 { Ok(value) } else { Err(ShapeError::NotPositive { field, value }) }
}

pub(crate) fn not_negative(value: f32, field: &'static str) -> Result<f32, ShapeError> {
    finite(value, field)?;
    if value >= 0.0 { Ok(value) } else { Err(ShapeError::Negative { field, value }) }
}

pub(crate) fn vector(v: Vec2, x: &'static str, y: &'static str) -> Result<Vec2, ShapeError> {
    finite(v.x, x)?;
    finite(v.y, y)?;
    Ok(v)
}

/// Converts points to vectors, or returns an error if one is not finite.
pub(crate) fn points<P: IntoVec2>(points: &[P]) -> Result<Vec<Vec2>, ShapeError> {
    let points: Vec<Vec2> = points.iter().map(|&point| point.into_vec2()).collect();
    match points.iter().position(|point| !point.is_finite()) {
        Some(index) => Err(ShapeError::PointNotFinite { index, point: points[index] }),
        None => Ok(points),
    }
}
