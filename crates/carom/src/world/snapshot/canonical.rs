//! The canonical form of shapes: unchanged by saving and loading.

use alloc::sync::Arc;

use crate::shape::{Compound, Ellipse, Obb, Shape};

/// Returns the canonical form of a shape.
///
/// A file stores the center, the sizes and the angle of an oriented box or an ellipse. If such a shape
/// was translated or rotated after it was created, the vertices computed from these numbers may differ
/// from its own by a rounding error. A polygon whose outline touches itself since it was transformed far
/// from the origin is stored as the compound of its convex parts. A collider uses the canonical form from the start, so a loaded world
/// behaves exactly like the saved one.
pub(crate) fn canonicalize(shape: Arc<Shape>) -> Arc<Shape> {
    match canonical_form(&shape) {
        Some(shape) => Arc::new(shape),
        None => shape,
    }
}

/// Returns the canonical form of a shape, or `None` if the shape is canonical already.
pub(crate) fn canonical_form(shape: &Shape) -> Option<Shape> {
    match shape {
        Shape::Obb(obb) => {
            let new = Obb::try_new(obb.center(), obb.half_size(), obb.angle()).ok()?;
            (new != *obb).then(|| new.into())
        }
        Shape::Ellipse(ellipse) => {
            let (center, radii) = (ellipse.center(), ellipse.radii());
            let new = Ellipse::try_new(center, radii, ellipse.angle()).ok()?;
            (new != *ellipse).then(|| new.into())
        }
        Shape::Polygon(polygon) if !polygon.is_simple() => {
            Some(Compound::new(polygon.convex_parts().cloned()).into())
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
