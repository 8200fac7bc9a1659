//! Shapes that are the same again after they have been written and read.

use alloc::sync::Arc;

use crate::shape::{Compound, Ellipse, Obb, Shape};

/// The shape as a file keeps it. A file keeps the middle, the sizes and the angle of a box or ellipse;
/// if it was moved or turned after it was made, its corners may be others by a rounding. Making it
/// anew when a collider is made lets a world that is read go on just as the one that was written.
pub(crate) fn canonicalize(shape: Arc<Shape>) -> Arc<Shape> {
    match canonical_form(&shape) {
        Some(shape) => Arc::new(shape),
        None => shape,
    }
}

/// The shape made anew; `None` if it would be the same.
pub(crate) fn canonical_form(shape: &Shape) -> Option<Shape> {
    match shape {
        Shape::Obb(rect) => {
            let new = Obb::try_new(rect.center(), rect.half_size(), rect.angle()).ok()?;
            (new != *rect).then(|| new.into())
        }
        Shape::Ellipse(ellipse) => {
            let (center, radii) = (ellipse.center(), ellipse.radii());
            let new = Ellipse::try_new(center, radii, ellipse.angle()).ok()?;
            (new != *ellipse).then(|| new.into())
        }
        Shape::Compound(compound) => {
            let parts = compound.parts();
            parts.iter().any(|part| canonical_form(part).is_some()).then(|| {
                let part = |part: &Shape| canonical_form(part).unwrap_or_else(|| part.clone());
                Compound::new(parts.iter().map(part)).into()
            })
        }
        _ => None,
    }
}
