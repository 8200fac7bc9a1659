//! Shapes that are the same again after they have been written and read.

use alloc::sync::Arc;

use crate::math::Rotation;
use crate::shape::{Compound, Ellipse, Rect, Shape};

/// The shape as a file keeps it. A box or ellipse that has been turned several times is turned by a
/// product of turns, which is not quite that by its angle; the angle is what is written. Putting it
/// right when a collider is made lets a world that is read go on just as the one that was written.
pub(crate) fn lasting(shape: Arc<Shape>) -> Arc<Shape> {
    match remade(&shape) {
        Some(shape) => Arc::new(shape),
        None => shape,
    }
}

/// The shape made anew; `None` if it would be the same.
fn remade(shape: &Shape) -> Option<Shape> {
    let is_plain = |rotation: Rotation| rotation == Rotation::from_angle(rotation.angle());
    match shape {
        Shape::Rect(rect) if !is_plain(rect.rotation()) => {
            Some(Rect::try_new(rect.center(), rect.half(), rect.angle()).ok()?.into())
        }
        Shape::Ellipse(e) if !is_plain(e.rotation()) => {
            Some(Ellipse::try_new(e.center(), e.radii(), e.angle()).ok()?.into())
        }
        Shape::Compound(compound) => {
            let parts = compound.parts();
            parts.iter().any(|part| remade(part).is_some()).then(|| {
                let part = |part: &Shape| remade(part).unwrap_or_else(|| part.clone());
                Compound::new(parts.iter().map(part)).into()
            })
        }
        _ => None,
    }
}
