//! Explains the relation of two convex shapes: every axis of the separating axis test, in numbers.

use alloc::format;
use alloc::vec::Vec;
use core::fmt;

use glam::{DVec2, Vec2};

use crate::math::{length, perp_cw, to_f32, to_vec2};
use crate::query::relation::Relation;
use crate::query::separation::{convex_relation, separation};
use crate::shape::ShapeRef;
use crate::shape::convex::{Convex, ConvexBuffer};

/// The origin of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AxisSource {
    /// The normal of an edge of the first shape, by the index of its first vertex.
    EdgeOfA(usize),
    /// The normal of an edge of the second shape, by the index of its first vertex.
    EdgeOfB(usize),
    /// The line through the closest points of the two cores: two vertices or centers.
    Closest,
}

/// One axis of the separating axis test.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ExplainedAxis {
    /// The origin of the axis.
    pub source: AxisSource,
    /// The axis, a unit vector: out of the shape that has the edge, or from the first shape to the
    /// second.
    pub axis: Vec2,
    /// The projection of the first shape onto the axis: its least and greatest coordinate.
    pub projection_a: [f32; 2],
    /// The projection of the second shape onto the axis.
    pub projection_b: [f32; 2],
    /// The gap between the two projections. If they overlap, it is negative: minus the length of the
    /// shortest translation along the axis that separates them. Unless one projection contains the
    /// other, that is the length of the overlap.
    pub gap: f32,
}

/// All axes of the separating axis test (SAT) of two convex shapes. The shapes are disjoint exactly if
/// the greatest gap is positive.
#[doc(alias = "SAT")]
#[doc(alias = "separating axis")]
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// The exact relation of the shapes.
    pub relation: Relation,
    /// The axes: the edge normals of the first shape, those of the second, and, if the cores are
    /// disjoint, the line through their closest points.
    pub axes: Vec<ExplainedAxis>,
    /// The index of the axis that decides: the one with the greatest gap.
    pub deciding_axis: usize,
}

impl Explanation {
    /// Returns the axis that decides.
    pub fn deciding(&self) -> &ExplainedAxis {
        &self.axes[self.deciding_axis]
    }

    /// Returns the axis at which a loop over the [`directions`](Self::directions) stops early: the
    /// first with a gap, which proves that the shapes are disjoint. It need not have the greatest gap.
    /// Returns `None` if no axis has a gap, so that the loop has to test all of them.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let box_ = Aabb::new([0.0, 0.0], [2.0, 2.0]);
    /// let explanation = box_.explain(&Aabb::new([7.0, 3.0], [8.0, 4.0])).unwrap();
    /// assert_eq!(explanation.early_exit().unwrap().gap, 1.0); // vertical, tested first
    /// assert!(explanation.deciding().gap > 5.0); // from vertex to vertex
    /// ```
    pub fn early_exit(&self) -> Option<&ExplainedAxis> {
        if self.relation != Relation::Disjoint {
            return None; // a positive gap is a rounding error
        }
        let first = self.directions().into_iter().find(|axis| axis.gap > 0.0);
        first.or(Some(self.deciding()))
    }

    /// Returns one axis for each direction. Opposite edges have parallel normals, on which both shapes
    /// have the same projections; of these, the deciding axis is kept, otherwise the first.
    pub fn directions(&self) -> Vec<&ExplainedAxis> {
        let mut directions: Vec<&ExplainedAxis> = Vec::new();
        for axis in &self.axes {
            match directions.iter_mut().find(|kept| kept.is_parallel(axis)) {
                Some(kept) if core::ptr::eq(axis, self.deciding()) => *kept = axis,
                Some(_) => {}
                None => directions.push(axis),
            }
        }
        directions
    }
}

impl ExplainedAxis {
    /// Opposite edges of a rotated box are parallel only up to rounding.
    const PARALLEL_TOLERANCE: f32 = 1e-5;

    fn is_parallel(&self, other: &Self) -> bool {
        self.axis.perp_dot(other.axis).abs() < Self::PARALLEL_TOLERANCE
    }
}

/// Returns the explanation for two convex shapes; `None` if either is composite.
pub(crate) fn explain(a: ShapeRef<'_>, b: ShapeRef<'_>) -> Option<Explanation> {
    let (mut buffer_a, mut buffer_b) = (ConvexBuffer::new(), ConvexBuffer::new());
    Some(explain_convex(&a.as_convex(&mut buffer_a)?, &b.as_convex(&mut buffer_b)?))
}

fn explain_convex(a: &Convex<'_>, b: &Convex<'_>) -> Explanation {
    let normal = |(start, end): (Vec2, Vec2)| {
        let normal = perp_cw(end.as_dvec2() - start.as_dvec2());
        normal / length(normal)
    };
    let mut axes: Vec<(AxisSource, DVec2)> = Vec::new();
    axes.extend(a.edges().enumerate().map(|(i, edge)| (AxisSource::EdgeOfA(i), normal(edge))));
    axes.extend(b.edges().enumerate().map(|(i, edge)| (AxisSource::EdgeOfB(i), normal(edge))));
    if let Some(separation) = separation(a, b, f64::INFINITY) {
        let cores_are_disjoint = separation.distance > -(f64::from(a.radius) + f64::from(b.radius));
        if separation.reference_edge.is_none() && cores_are_disjoint || axes.is_empty() {
            axes.push((AxisSource::Closest, -separation.normal));
        }
    }
    let mut deciding = (0, f64::NEG_INFINITY);
    let mut explained = Vec::with_capacity(axes.len());
    for (i, (source, axis)) in axes.into_iter().enumerate() {
        let (on_a, on_b) = (project(a, axis), project(b, axis));
        let (before, after) = (on_b[0] - on_a[1], on_a[0] - on_b[1]);
        // The axis decides by the gap on the outer side of its edge: only there is it an edge normal of
        // the Minkowski difference, on which the greatest gap is.
        let outer = if let AxisSource::EdgeOfB(_) = source { after } else { before };
        if outer > deciding.1 {
            deciding = (i, outer);
        }
        let gap = before.max(after);
        let (projection_a, projection_b) = (on_a.map(to_f32), on_b.map(to_f32));
        explained.push(ExplainedAxis {
            source,
            axis: to_vec2(axis) + Vec2::ZERO,
            projection_a,
            projection_b,
            gap: to_f32(gap),
        });
    }
    Explanation { relation: convex_relation(a, b), axes: explained, deciding_axis: deciding.0 }
}

/// Returns the least and the greatest coordinate of a shape on an axis.
fn project(convex: &Convex<'_>, axis: DVec2) -> [f64; 2] {
    let coordinates = convex.points.iter().map(|point| axis.dot(point.as_dvec2()));
    let radius = f64::from(convex.radius);
    let (low, high) = coordinates
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    [low - radius, high + radius]
}

impl fmt::Display for AxisSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EdgeOfA(edge) => f.pad(&format!("edge {edge} of A")),
            Self::EdgeOfB(edge) => f.pad(&format!("edge {edge} of B")),
            Self::Closest => f.pad("closest points"),
        }
    }
}

/// Writes a table with one row for each direction. The deciding axis is marked by `>`, the one at which
/// a loop stops early is the `first gap`.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "  {:14}  {:>17}  {:>21}  {:>21}  {:>20}",
            "axis", "direction", "A from, to", "B from, to", "gap or overlap"
        )?;
        let stop = self.early_exit();
        for row in self.directions() {
            let mark = if core::ptr::eq(row, self.deciding()) { '>' } else { ' ' };
            let ExplainedAxis { source, axis, projection_a, projection_b, gap } = row;
            let (x, y, [a0, a1], [b0, b1]) = (axis.x, axis.y, projection_a, projection_b);
            let (what, size) = match *gap {
                gap if stop.is_some_and(|stop| core::ptr::eq(row, stop)) => ("first gap", gap),
                gap if gap > 0.0 => ("gap", gap),
                gap if gap < 0.0 => ("overlap", -gap),
                _ => ("touch", 0.0),
            };
            writeln!(
                f,
                "{mark} {source:14}  {x:8.4} {y:8.4}  {a0:10.4} {a1:10.4}  {b0:10.4} {b1:10.4}  {what:>9} {size:10.4}"
            )?;
        }
        write!(f, "{}: {} decides", self.relation, self.deciding().source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn the_greatest_gap_decides() {
        let a = Aabb::new([0.0, 0.0], [2.0, 2.0]);
        let explanation = a.explain(&Aabb::new([1.0, 1.5], [3.0, 4.0])).unwrap();
        assert_eq!(explanation.relation, Relation::Overlapping);
        assert_eq!(explanation.axes.len(), 8);
        let deciding = explanation.deciding();
        assert_eq!((deciding.gap, deciding.axis), (-0.5, Vec2::new(0.0, 1.0)));
        assert_eq!((deciding.projection_a, deciding.projection_b), ([0.0, 2.0], [1.5, 4.0]));
    }

    #[test]
    fn gap_is_that_of_the_two_intervals_on_either_side() {
        let a = Triangle::new([0.0, 0.0], [4.0, 0.0], [0.0, 4.0]);
        let b = Aabb::new([1.0, -3.0], [2.0, -1.0]);
        let explanation = a.explain(&b).unwrap();
        for axis in &explanation.axes {
            let (a, b) = (axis.projection_a, axis.projection_b);
            assert!((axis.gap - f32::max(b[0] - a[1], a[0] - b[1])).abs() < 1e-6, "{axis:?}");
            assert!(axis.gap <= explanation.deciding().gap, "{axis:?}");
        }
        // The box has two directions, one of which is that of the triangle's first edge.
        assert_eq!(explanation.directions().len(), 3);
    }

    #[test]
    fn a_loop_stops_at_the_first_gap_and_only_if_there_is_one() {
        let a = Aabb::new([0.0, 0.0], [2.0, 2.0]);
        let diagonal = a.explain(&Aabb::new([7.0, 3.0], [8.0, 4.0])).unwrap();
        let stop = diagonal.early_exit().unwrap();
        assert_eq!((stop.source, stop.gap), (AxisSource::EdgeOfA(0), 1.0));
        let deciding = diagonal.deciding();
        assert_eq!((deciding.source, deciding.gap), (AxisSource::Closest, 26.0f32.sqrt()));
        let table = alloc::format!("{diagonal}");
        let marked: Vec<&str> = table.lines().filter(|row| row.contains("first gap")).collect();
        assert!(matches!(marked[..], [row] if row.starts_with("  edge 0 of A")), "{table}");
        for touching in [[2.0, 0.0], [1.0, 1.0]] {
            let b = a.translated(touching);
            assert_eq!(a.explain(&b).unwrap().early_exit(), None);
        }
    }

    #[test]
    fn vertices_decide_if_no_edge_does() {
        let a = Aabb::new([0.0, 0.0], [1.0, 1.0]);
        let explanation = a.explain(&Circle::new([4.0, 5.0], 5.0)).unwrap();
        assert_eq!(explanation.relation, Relation::Touching);
        assert_eq!(explanation.deciding().source, AxisSource::Closest);
        assert!(explanation.deciding().gap.abs() < 1e-6);
        let discs = Circle::new([0.0, 0.0], 1.0).explain(&Circle::new([3.0, 4.0], 2.0)).unwrap();
        assert_eq!((discs.axes.len(), discs.deciding().gap), (1, 2.0));
        let same = Circle::new([0.0, 0.0], 1.0).explain(&Circle::new([0.0, 0.0], 1.0)).unwrap();
        assert_eq!((same.relation, same.deciding().gap), (Relation::Overlapping, -2.0));
    }

    #[test]
    fn collinear_segments_are_separated_along_their_line() {
        let first = Segment::new([0.0, 0.0], [1.0, 0.0]);
        let explanation = first.explain(&Segment::new([3.0, 0.0], [5.0, 0.0])).unwrap();
        assert_eq!(explanation.relation, Relation::Disjoint);
        assert_eq!(explanation.deciding().gap, 2.0);
    }

    #[test]
    fn it_displays_as_a_table_and_composites_are_not_explained() {
        let a = Aabb::new([0.0, 0.0], [1.0, 1.0]);
        let text = alloc::format!("{}", a.explain(&Point::new([3.0, 0.5])).unwrap());
        assert_eq!(text.lines().count(), 4, "{text}"); // two directions, heading and conclusion
        assert!(text.ends_with("disjoint: edge 1 of A decides"), "{text}");
        assert!(a.explain(&Compound::new([a])).is_none());
    }
}
