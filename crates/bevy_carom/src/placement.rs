//! Transforms in the plane: where bodies are, and where colliders are on their bodies.

use std::sync::Arc;

use bevy_math::{Mat2, Quat, Vec2};
use bevy_transform::components::Transform;
use carom::math::{Flip, Pose, Rotation};
use carom::shape::{
    Aabb, Chain, Compound, ConvexPolygon, Ellipse, Point, Polygon, Segment, Shape, Triangle,
};

use crate::{OneWay, to_bevy};

/// An affine map of the plane: first a linear map, then a rotation, then a translation.
///
/// The linear map is diagonal as long as that is possible: a scale per axis, of which negative factors flip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placement {
    linear: Mat2,
    rotation: Rotation,
    translation: Vec2,
}

impl Placement {
    pub const IDENTITY: Self =
        Self { linear: Mat2::IDENTITY, rotation: Rotation::IDENTITY, translation: Vec2::ZERO };

    /// Creates the placement of a transform relative to its parent.
    pub fn of(transform: &Transform) -> Result<Self, String> {
        let (rotation, is_turned_over) = plane_rotation(transform.rotation)?;
        let scale = transform.scale.truncate();
        let flip = if is_turned_over { -1.0 } else { 1.0 };
        let linear = Mat2::from_diagonal(Vec2::new(scale.x, scale.y * flip));
        Ok(Self { linear, rotation, translation: transform.translation.truncate() })
    }

    /// Returns the map that applies `child` first.
    pub fn then(&self, child: &Self) -> Self {
        let Self { linear, rotation, .. } = *self;
        let scale = Vec2::new(linear.x_axis.x, linear.y_axis.y);
        let is_diagonal = linear.x_axis.y == 0.0 && linear.y_axis.x == 0.0;
        let turn = child.rotation;
        // The rotation of the child comes after the linear map of the parent. Exchange them if that gives a
        // rotation and a linear map again; else both are one linear map.
        let (linear, rotation) = if turn.is_identity() {
            (linear * child.linear, rotation)
        } else if is_diagonal && scale.x == scale.y {
            (linear * child.linear, rotation * turn)
        } else if is_diagonal && scale.x == -scale.y {
            (linear * child.linear, rotation * turn.inverse())
        } else if is_diagonal && is_quarter_turn(turn) {
            let is_half = turn.rotate([1.0, 0.0]).y == 0.0;
            let scale = if is_half { scale } else { Vec2::new(scale.y, scale.x) };
            (Mat2::from_diagonal(scale) * child.linear, rotation * turn)
        } else {
            (linear * matrix(turn) * child.linear, rotation)
        };
        Self { linear, rotation, translation: self.point(child.translation) }
    }

    /// Returns the image of a point.
    pub fn point(&self, point: Vec2) -> Vec2 {
        self.translation + to_bevy(self.rotation.rotate(self.linear * point))
    }

    /// Returns the pose of a body that is placed like this. Its scale is positive and the same along both axes;
    /// the rest of the linear map is [applied to its colliders](Self::of_colliders).
    pub fn pose(&self) -> Result<Pose, String> {
        self.split().0
    }

    /// Returns the part of the placement of a body that its pose cannot express: flips, and scales that are not
    /// uniform.
    pub fn of_colliders(&self) -> Self {
        Self { linear: self.split().1, ..Self::IDENTITY }
    }

    /// Splits the placement into a pose and a linear map, which comes first.
    fn split(&self) -> (Result<Pose, String>, Mat2) {
        let (scale, linear) = match self.scale() {
            Some(scale) if scale.x.abs() == scale.y.abs() && scale.x != 0.0 => {
                (scale.x.abs(), Mat2::from_diagonal(scale.signum()))
            }
            _ => (1.0, self.linear),
        };
        let pose = Pose::try_new(self.translation, self.rotation.angle(), scale);
        // Quarter turns that were put together are exact, though their angle may not be.
        let pose = pose.map(|pose| Pose { rotation: self.rotation, ..pose });
        (pose.map_err(|error| error.to_string()), linear)
    }

    /// Returns the factors along both axes. `None` if the linear map is not diagonal.
    pub fn scale(&self) -> Option<Vec2> {
        let scale = Vec2::new(self.linear.x_axis.x, self.linear.y_axis.y);
        (self.linear == Mat2::from_diagonal(scale)).then_some(scale)
    }

    /// Returns the transform of a body with a pose, below a parent that is placed like this, or `None` if that is
    /// the given transform: only what differs is changed, so that the bits of the rest stay.
    ///
    /// Below a parent with another scale along x than along y, the rotation is not changed.
    pub fn transform_of(&self, pose: &Pose, transform: &Transform) -> Option<Transform> {
        let mut written = *transform;
        let position = to_bevy(pose.position);
        let local = if *self == Self::IDENTITY {
            position
        } else {
            let turned = self.rotation.inverse().rotate(position - self.translation);
            self.linear.inverse() * to_bevy(turned)
        };
        if !local.is_finite() {
            return None; // the scale of the parent is zero
        }
        (written.translation.x, written.translation.y) = (local.x, local.y);
        let turn = self.rotation.inverse() * pose.rotation;
        let turn = match self.scale() {
            Some(scale) if scale.x == scale.y => Some(turn),
            Some(scale) if scale.x == -scale.y => Some(turn.inverse()),
            _ => None,
        };
        if let (Some(turn), Ok((current, is_turned_over))) =
            (turn, plane_rotation(transform.rotation))
            && current != turn
        {
            written.rotation = quaternion(turn.angle());
            if is_turned_over {
                let turn = written.rotation;
                written.rotation = Quat::from_xyzw(turn.w, turn.z, 0.0, 0.0);
            }
        }
        (written != *transform).then_some(written)
    }

    /// Returns the direction of a one-way platform in the space of the body: perpendicular to the image of its
    /// surface.
    pub fn one_way(&self, one_way: Option<&OneWay>) -> Option<carom::Vec2> {
        let &OneWay(up) = one_way?;
        let linear = self.split().1;
        let normal = -(linear * up.perp()).perp() * linear.determinant().signum();
        Some(self.rotation.rotate(normal))
    }

    /// Returns a shape in the space of the body.
    pub fn shape(&self, shape: &Arc<Shape>) -> Result<Arc<Shape>, String> {
        let mut shape = Arc::clone(shape);
        let (pose, linear) = self.split();
        if linear != Mat2::IDENTITY {
            shape = Arc::new(map_shape(&shape, linear)?);
        }
        let pose = pose?;
        if pose != Pose::IDENTITY {
            shape = Arc::new(shape.transformed(&pose));
        }
        Ok(shape)
    }
}

fn is_quarter_turn(rotation: Rotation) -> bool {
    let x = rotation.rotate([1.0, 0.0]);
    x.x == 0.0 || x.y == 0.0
}

fn matrix(rotation: Rotation) -> Mat2 {
    let [x, y] = [[1.0, 0.0], [0.0, 1.0]].map(|axis| to_bevy(rotation.rotate(axis)));
    Mat2::from_cols(x, y)
}

/// Returns the quaternion of an angle about z.
pub(crate) fn quaternion(angle: f32) -> Quat {
    Quat::from_xyzw(0.0, 0.0, libm::sinf(angle / 2.0), libm::cosf(angle / 2.0))
}

/// Returns the rotation in the plane of a quaternion, and whether it turns the plane over before, about the x
/// axis: a half turn about an axis in the plane, by which some games flip their sprites.
fn plane_rotation(rotation: Quat) -> Result<(Rotation, bool), String> {
    let [x, y, z, w] = rotation.to_array();
    // Half turns made from an angle are rounded.
    let is_turned_over = z.abs() < 1e-6 && w.abs() < 1e-6;
    let [z, w] = match (x, y) {
        (0.0, 0.0) => [z, w],
        _ if is_turned_over => [y, x],
        _ => return Err(format!("rotation {rotation} is not about the z axis")),
    };
    // Exactly 0 for the identity; quarter turns become exact in `Rotation`.
    let angle = if z == 0.0 { 0.0 } else { 2.0 * libm::atan2f(z, w) };
    if !angle.is_finite() {
        return Err(format!("rotation {rotation} is not finite"));
    }
    Ok((Rotation::from_angle(angle), is_turned_over))
}

/// Applies a linear map to a shape.
pub(crate) fn map_shape(shape: &Shape, linear: Mat2) -> Result<Shape, String> {
    let scale = Vec2::new(linear.x_axis.x, linear.y_axis.y);
    let is_diagonal = linear == Mat2::from_diagonal(scale);
    if !linear.is_finite() || linear.determinant() == 0.0 {
        return Err(format!("scale {scale} must be finite and not zero"));
    }
    if !(is_diagonal && scale.x.abs() == scale.y.abs()) {
        return stretch(shape, linear).ok_or_else(|| {
            if is_diagonal {
                format!("scale {scale} is not uniform, which this shape does not support")
            } else {
                "rotated below a scale that is not uniform, which skews the shape; it does not support this"
                    .to_owned()
            }
        });
    }
    let flipped = shape.flipped(Flip { x: scale.x < 0.0, y: scale.y < 0.0 });
    if scale.x.abs() == 1.0 {
        return Ok(flipped);
    }
    let pose = Pose::try_new(Vec2::ZERO, 0.0, scale.x.abs()).map_err(|error| error.to_string())?;
    Ok(flipped.transformed(&pose))
}

/// Applies a linear map to a shape. Returns `None` if the result is not a shape of carom: those that consist of
/// vertices can be stretched and skewed, circles and upright ellipses only stretched along the axes, and others
/// neither.
fn stretch(shape: &Shape, linear: Mat2) -> Option<Shape> {
    let mapped = |point: carom::Vec2| {
        let point = linear * to_bevy(point);
        carom::Vec2::new(point.x, point.y)
    };
    let all = |points: &[carom::Vec2]| points.iter().copied().map(mapped).collect::<Vec<_>>();
    let scale = Vec2::new(linear.x_axis.x, linear.y_axis.y);
    let is_diagonal = linear == Mat2::from_diagonal(scale);
    let ellipse = |center, radii: [f32; 2]| {
        let radii = [radii[0] * scale.x.abs(), radii[1] * scale.y.abs()];
        is_diagonal.then(|| Ellipse::try_new(mapped(center), radii, 0.0).ok()).flatten()
    };
    Some(match shape {
        Shape::Point(point) => Point::try_new(mapped(point.position())).ok()?.into(),
        Shape::Segment(s) => Segment::try_new(mapped(s.a()), mapped(s.b())).ok()?.into(),
        Shape::Circle(circle) => ellipse(circle.center(), [circle.radius(); 2])?.into(),
        Shape::Ellipse(it) if it.angle() == 0.0 => ellipse(it.center(), it.radii().into())?.into(),
        Shape::Aabb(aabb) if is_diagonal => {
            let (a, b) = (mapped(aabb.min()), mapped(aabb.max()));
            Aabb::try_new(a.min(b), a.max(b)).ok()?.into()
        }
        Shape::Aabb(aabb) => ConvexPolygon::try_new(&all(&aabb.corners())).ok()?.into(),
        Shape::Triangle(triangle) => {
            let [a, b, c] = <[_; 3]>::try_from(all(triangle.points())).ok()?;
            Triangle::try_new(a, b, c).ok()?.into()
        }
        Shape::Obb(obb) => ConvexPolygon::try_new(&all(obb.corners())).ok()?.into(),
        Shape::ConvexPolygon(polygon) if polygon.radius() == 0.0 => {
            ConvexPolygon::try_new(&all(polygon.points())).ok()?.into()
        }
        Shape::Polygon(polygon) => {
            let holes: Vec<_> = polygon.holes().map(all).collect();
            Polygon::try_with_holes(&all(polygon.outer()), &holes).ok()?.into()
        }
        Shape::Chain(chain) if !chain.is_one_sided() => {
            let points = all(chain.points());
            let chain = if chain.is_closed() {
                Chain::try_closed(&points)
            } else {
                Chain::try_new(&points)
            };
            chain.ok()?.into()
        }
        Shape::Compound(compound) => {
            let parts = compound.parts().iter().map(|part| stretch(part, linear));
            Compound::try_new(parts.collect::<Option<Vec<_>>>()?).ok()?.into()
        }
        _ => return None,
    })
}
