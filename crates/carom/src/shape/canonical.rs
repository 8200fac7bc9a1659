//! The canonical form of shapes: the form that a file can store, unchanged by writing and reading it.

use alloc::sync::Arc;

use crate::math::Vec2;
use crate::shape::{
    Capsule, Compound, ConvexPolygon, Ellipse, Obb, Point, Segment, Shape, Triangle,
};

/// Returns the canonical form of a shape. See [`canonical_form`].
pub(crate) fn canonicalize(shape: Arc<Shape>) -> Arc<Shape> {
    match canonical_form(&shape) {
        Some(shape) => Arc::new(shape),
        None => shape,
    }
}

/// Returns the canonical form of a shape, or `None` if the shape is canonical already.
///
/// A file stores the numbers from which a constructor makes a shape. A shape that was transformed may differ
/// from the one that its numbers make:
///
/// 1. The vertices of an oriented box or an ellipse are computed from its center, its sizes and its angle,
///    and may differ from the transformed ones by a rounding error.
/// 2. Far from the origin or at a tiny scale, rounding may leave a shape without area. No constructor
///    accepts it, so it becomes the segment, capsule or point that it looks like.
/// 3. A polygon whose outline rounding has made touch itself becomes the compound of its convex parts.
///
/// A collider uses the canonical form from the start, so a loaded world behaves exactly like the saved one.
pub(crate) fn canonical_form(shape: &Shape) -> Option<Shape> {
    /// A shape that a constructor makes is canonical unless its sizes are near the smallest or largest
    /// `f32`. Then rounding may change it a few times more.
    const MAX_ROUNDS: usize = 8;
    let mut canonical = as_stored(shape)?;
    for _ in 0..MAX_ROUNDS {
        match as_stored(&canonical) {
            Some(next) => canonical = next,
            None => break,
        }
    }
    Some(canonical)
}

/// Returns the shape that a constructor makes from the numbers of a shape, or `None` if it is the same.
fn as_stored(shape: &Shape) -> Option<Shape> {
    match shape {
        Shape::Circle(it) if it.radius() == 0.0 => Some(Point::new(it.center()).into()),
        Shape::Capsule(it) if it.radius() == 0.0 => Some(flat(&[it.a(), it.b()], 0.0)),
        Shape::Aabb(it) if it.size().min_element() == 0.0 => Some(flat(&[it.min(), it.max()], 0.0)),
        Shape::Obb(it) => match Obb::try_new(it.center(), it.half_size(), it.angle()) {
            Ok(new) => (new != *it).then(|| new.into()),
            Err(_) => Some(flat(it.corners(), 0.0)),
        },
        Shape::Ellipse(it) => match Ellipse::try_new(it.center(), it.radii(), it.angle()) {
            Ok(new) => (new != *it).then(|| new.into()),
            Err(_) => Some(flat(it.points(), 0.0)),
        },
        Shape::Triangle(it) => {
            let new = match *it.points() {
                [a, b, c] => Triangle::try_new(a, b, c).ok(),
                _ => None,
            };
            match new {
                Some(new) => (new != *it).then(|| new.into()),
                None => Some(flat(it.points(), 0.0)),
            }
        }
        Shape::ConvexPolygon(it) => match ConvexPolygon::try_rounded(it.points(), it.radius()) {
            Ok(new) => (new != *it).then(|| new.into()),
            Err(_) => Some(flat(it.points(), it.radius())),
        },
        Shape::Chain(it) => match *it.points() {
            [a, b] if a == b => Some(Point::new(a).into()),
            _ => None,
        },
        Shape::Polygon(it) if !it.is_simple() => {
            Some(Compound::new(it.convex_parts().cloned()).into())
        }
        Shape::Compound(it) => {
            let parts = it.parts();
            parts.iter().any(|part| as_stored(part).is_some()).then(|| {
                let part = |part: &Shape| as_stored(part).unwrap_or_else(|| part.clone());
                Compound::new(parts.iter().map(part)).into()
            })
        }
        _ => None,
    }
}

/// Returns the segment or capsule between the extreme points of a shape without area, or a point if they
/// coincide.
fn flat(points: &[Vec2], radius: f32) -> Shape {
    // The points are on a line up to rounding, so the extreme ones are those by x and then y.
    let key = |point: &Vec2| (point.x, point.y);
    let first = points.iter().copied().reduce(|a, b| if key(&b) < key(&a) { b } else { a });
    let last = points.iter().copied().reduce(|a, b| if key(&b) > key(&a) { b } else { a });
    let [a, b] = [first, last].map(Option::unwrap_or_default);
    if radius > 0.0 {
        Capsule::new(a, b, radius).into()
    } else if a == b {
        Point::new(a).into()
    } else {
        Segment::new(a, b).into()
    }
}
