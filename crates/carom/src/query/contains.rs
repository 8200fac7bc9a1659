//! Containment: whether one shape is a subset of another. Exact, except as noted in
//! [`union_contains`](crate::query::union_contains).
//!
//! A composite shape is contained if all of its parts are. Whether a shape contains a convex part
//! depends on its kind:
//!
//! - *Convex*: all vertices are inside, taking the radii into account ([`containment`]).
//! - *Polygon, tile map, mask*: an area is inside if no boundary edge enters it and it overlaps a
//!   part; a segment is inside if no boundary edge crosses it and each interval between the
//!   boundary vertices on it is inside ([`contains_segment`]).
//! - *Chain*: a segment is inside if segments of the chain cover it.
//! - *Compound*, and rotated grids: the union of the parts covers it ([`union_contains`]).

use core::cmp::Ordering;
use core::ops::ControlFlow;

use glam::Vec2;
use smallvec::SmallVec;

use crate::math::exact::{Orientation, cmp_distance, cmp_line_distance, orient2d};
use crate::query::composite::{any_part_in, break_if, convex_bounds, with_segment};
use crate::query::relation::Relation;
use crate::query::sat::{core_relation, point_relation};
use crate::query::separation::{cmp_point_segment, convex_relation};
use crate::query::union_contains::{Interval, union_contains, union_covers};
use crate::shape::convex::{Convex, ConvexBuffer};
use crate::shape::grid::CellGrid;
use crate::shape::parts::QueryRegion;
use crate::shape::{Aabb, AsShape, Chain, Compound, Polygon, ShapeRef};

/// Returns `true` if every point of `b` belongs to the closed set `a`.
#[inline(always)]
pub(crate) fn contains(a: ShapeRef<'_>, b: ShapeRef<'_>) -> bool {
    if let ShapeRef::Point(point) = b {
        return contains_point(a, point.position());
    }
    let (mut buffer_a, mut buffer_b) = (ConvexBuffer::new(), ConvexBuffer::new());
    match (a.as_convex(&mut buffer_a), b.as_convex(&mut buffer_b)) {
        (Some(a), Some(b)) => containment(&a, &b).is_contained(),
        _ => b
            .visit_parts_where(&mut |_| true, &mut |part| {
                break_if(!contains_convex(a, &part.convex))
            })
            .is_continue(),
    }
}

/// Returns `true` if a shape contains a point.
#[inline(always)]
fn contains_point(shape: ShapeRef<'_>, point: Vec2) -> bool {
    let convex = match shape {
        ShapeRef::ConvexPolygon(polygon) => polygon.as_convex(),
        ShapeRef::Triangle(triangle) => triangle.convex.as_convex(),
        ShapeRef::Obb(obb) => obb.convex.as_convex(),
        ShapeRef::Polygon(polygon) => {
            if !polygon.tight_bounds().intersects_aabb(&Aabb::new_unchecked(point, point)) {
                return false;
            }
            let fast = polygon.fast_contains_point(point);
            return fast.unwrap_or_else(|| contains_convex(shape, &Convex::point(&point, 0.0)));
        }
        _ => return contains_convex(shape, &Convex::point(&point, 0.0)),
    };
    if convex.radius == 0.0 {
        point_in_core(&convex, point).is_contained()
    } else {
        rounded_containment(&convex, &Convex::point(&point, 0.0)).is_contained()
    }
}

/// Returns `true` if a shape contains a convex part.
fn contains_convex(a: ShapeRef<'_>, b: &Convex<'_>) -> bool {
    match a {
        ShapeRef::Polygon(a) => polygon_contains(a, b),
        ShapeRef::Chain(a) => chain_contains(a, b),
        ShapeRef::Compound(a) => compound_contains(a, b),
        ShapeRef::TileMap(a) => grid_contains(a, b),
        ShapeRef::Mask(a) => grid_contains(a, b),
        _ => {
            let mut buffer = ConvexBuffer::new();
            a.as_convex(&mut buffer).is_some_and(|a| containment(&a, b).is_contained())
        }
    }
}

// Convex shapes.

/// The position of a shape with respect to another that may contain it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(i8)]
pub(crate) enum Containment {
    /// The shape lies in the interior: no boundary point is shared.
    Inside = -1,
    /// The shape is contained, and shares a boundary point.
    OnBoundary,
    /// The shape is not contained.
    Outside,
}

impl Containment {
    /// Returns `true` if the shape is contained, boundary included.
    #[inline(always)]
    pub fn is_contained(self) -> bool {
        self != Self::Outside
    }

    /// Returns the containment of a point at a distance that compares with the allowed one like
    /// this.
    #[inline(always)]
    fn from_distance(compared: Ordering) -> Self {
        match compared {
            Ordering::Less => Self::Inside,
            Ordering::Equal => Self::OnBoundary,
            Ordering::Greater => Self::Outside,
        }
    }

    /// Returns the containment of a point in a shape with which it has this relation.
    #[inline(always)]
    fn of_point(relation: Relation) -> Self {
        match relation {
            Relation::Overlapping => Self::Inside,
            Relation::Touching => Self::OnBoundary,
            Relation::Disjoint => Self::Outside,
        }
    }
}

/// Returns whether `b` lies inside `a`, exactly.
///
/// A rounded set contains another if its support in every direction is at least as large. Taking
/// the smaller radius off both changes nothing, which leaves two cases: a core in a rounded core,
/// or a rounded core in a core.
#[inline(always)]
pub(crate) fn containment(a: &Convex<'_>, b: &Convex<'_>) -> Containment {
    if a.radius == 0.0 && b.radius == 0.0 {
        return worst(b, |point| point_in_core(a, point));
    }
    rounded_containment(a, b)
}

fn rounded_containment(a: &Convex<'_>, b: &Convex<'_>) -> Containment {
    match a.radius.total_cmp(&b.radius) {
        Ordering::Equal => worst(b, |point| point_in_core(a, point)),
        // A core in a rounded core: each vertex within the remaining radius of `a`.
        Ordering::Greater => worst(b, |point| {
            if a.points.len() > 2 && point_in_core(a, point).is_contained() {
                return Containment::Inside;
            }
            Containment::from_distance(match *a.points {
                [center] => cmp_distance(center, point, a.radius, -b.radius),
                _ => a.edges().fold(Ordering::Greater, |least, (start, end)| {
                    least.min(cmp_point_segment(point, start, end, a.radius, -b.radius))
                }),
            })
        }),
        Ordering::Less if a.points.len() < 3 => Containment::Outside,
        // A rounded core in a core: each vertex at least the remaining radius behind every edge.
        Ordering::Less => worst(b, |point| {
            a.edges().fold(Containment::Inside, |worst, (start, end)| {
                worst.max(match orient2d(start, end, point) {
                    Orientation::CounterClockwise => Containment::from_distance(
                        cmp_line_distance(start, end, start, point, b.radius, -a.radius).reverse(),
                    ),
                    _ => Containment::Outside,
                })
            })
        }),
    }
}

/// Returns the worst containment of the vertices, which is that of their hull.
#[inline(always)]
fn worst(convex: &Convex<'_>, containment: impl Fn(Vec2) -> Containment) -> Containment {
    let mut worst = Containment::Inside;
    for &point in convex.points {
        worst = worst.max(containment(point));
        if worst == Containment::Outside {
            break;
        }
    }
    worst
}

/// Returns the containment of a point in a core, without its radius.
#[inline(always)]
fn point_in_core(convex: &Convex<'_>, point: Vec2) -> Containment {
    Containment::of_point(match convex.points.len() {
        0..3 => core_relation(&Convex { radius: 0.0, ..*convex }, &Convex::point(&point, 0.0)),
        3..=24 => point_relation(convex, point),
        _ => return point_in_fan(convex.points, point),
    })
}

/// Works like [`point_in_core`], but in logarithmic time: seen from the first vertex, the others are
/// sorted by angle, so a binary search finds the edge in the point's direction.
fn point_in_fan(points: &[Vec2], point: Vec2) -> Containment {
    let (tip, last) = (points[0], points.len() - 1);
    let first_side = orient2d(tip, points[1], point);
    let last_side = orient2d(tip, points[last], point).reverse();
    if first_side == Orientation::Clockwise || last_side == Orientation::Clockwise {
        return Containment::Outside;
    }
    let beyond =
        points[2..last].partition_point(|&p| orient2d(tip, p, point) != Orientation::Clockwise);
    let side = orient2d(points[beyond + 1], points[beyond + 2], point);
    match first_side.min(last_side).min(side) {
        Orientation::CounterClockwise => Containment::Inside,
        Orientation::Collinear => Containment::OnBoundary,
        Orientation::Clockwise => Containment::Outside,
    }
}

// Polygons.

fn polygon_contains(polygon: &Polygon, b: &Convex<'_>) -> bool {
    let bounds = convex_bounds(b);
    if !polygon.tight_bounds().contains_aabb(&bounds) {
        return false;
    }
    let shape = ShapeRef::Polygon(polygon);
    match *b.points {
        [_] if b.radius == 0.0 => any_part_in(&shape, &QueryRegion::of_convex(b), &mut |part| {
            convex_relation(part, b).intersects()
        }),
        [start, end] if b.radius == 0.0 => {
            contains_segment(shape, polygon_edges_in(polygon, &bounds), start, end)
        }
        _ => contains_area(shape, polygon_edges_in(polygon, &bounds), b),
    }
}

/// Returns the boundary edges of a polygon that may touch a box.
pub(crate) fn polygon_edges_in<'a>(
    polygon: &'a Polygon,
    bounds: &'a Aabb,
) -> impl Iterator<Item = (Vec2, Vec2)> + 'a {
    let is_near =
        |&(a, b): &(Vec2, Vec2)| Aabb::new_unchecked(a.min(b), a.max(b)).intersects_aabb(bounds);
    polygon.edges().filter(is_near)
}

/// Returns `true` if a shape with this boundary contains a convex area: no boundary edge enters the
/// area, and it overlaps a part of the shape. Parts without area, such as one-way platforms, are not
/// on the boundary and contain no area.
fn contains_area(
    shape: ShapeRef<'_>,
    mut boundary: impl Iterator<Item = (Vec2, Vec2)>,
    b: &Convex<'_>,
) -> bool {
    let overlaps = |convex: &Convex<'_>| convex_relation(convex, b).overlaps();
    !boundary.any(|(start, end)| with_segment(start, end, overlaps))
        && any_part_in(&shape, &QueryRegion::of_convex(b), &mut |part| {
            !part.has_no_area() && overlaps(part)
        })
}

/// Returns `true` if a shape with this boundary contains a segment:
///
/// 1. No boundary edge crosses the segment.
/// 2. Cut the segment at the boundary vertices that lie on it. Each piece is then either inside or
///    outside as a whole.
/// 3. A piece is inside if it overlaps a part or runs along an edge of a part.
fn contains_segment(
    shape: ShapeRef<'_>,
    boundary: impl Iterator<Item = (Vec2, Vec2)>,
    start: Vec2,
    end: Vec2,
) -> bool {
    let bounds = Aabb::new_unchecked(start.min(end), start.max(end));
    let mut cuts: SmallVec<[Vec2; 8]> = SmallVec::new();
    cuts.extend([start, end]);
    for (a, b) in boundary {
        let (side_a, side_b) = (orient2d(start, end, a), orient2d(start, end, b));
        let are_opposite =
            |p: Orientation, q: Orientation| p != Orientation::Collinear && p == q.reverse();
        if are_opposite(side_a, side_b) && are_opposite(orient2d(a, b, start), orient2d(a, b, end))
        {
            return false;
        }
        let is_in_bounds = Aabb::new_unchecked(a, a).intersects_aabb(&bounds);
        if side_a == Orientation::Collinear && is_in_bounds {
            cuts.push(a);
        }
    }
    let axis = MajorAxis::new(start, end);
    cuts.sort_by(|&p, &q| axis.coordinate(p).total_cmp(&axis.coordinate(q)));
    cuts.dedup();
    let is_inside = |a: Vec2, b: Vec2| {
        with_segment(a, b, |piece| {
            any_part_in(&shape, &QueryRegion::of_convex(piece), &mut |part| {
                convex_relation(part, piece).overlaps()
                    || part.edges().any(|(p, q)| {
                        let is_collinear = orient2d(a, b, p) == Orientation::Collinear
                            && orient2d(a, b, q) == Orientation::Collinear;
                        let (piece, edge) = (axis.interval(a, b), axis.interval(p, q));
                        is_collinear && edge.low.max(piece.low) < edge.high.min(piece.high)
                    })
            })
        })
    };
    cuts.windows(2).all(|ends| is_inside(ends[0], ends[1]))
}

/// The axis along which a line changes more. The coordinate on it orders points of the line
/// exactly.
struct MajorAxis {
    is_x: bool,
}

impl MajorAxis {
    fn new(start: Vec2, end: Vec2) -> Self {
        let extent = (end.as_dvec2() - start.as_dvec2()).abs();
        Self { is_x: extent.x >= extent.y }
    }

    fn coordinate(&self, point: Vec2) -> f32 {
        if self.is_x { point.x } else { point.y }
    }

    fn interval(&self, a: Vec2, b: Vec2) -> Interval<f32> {
        let (a, b) = (self.coordinate(a), self.coordinate(b));
        Interval { low: a.min(b), high: a.max(b) }
    }
}

// Chains.

/// Returns `true` if a chain contains a convex part: a point on it, or a segment that runs along it,
/// over any number of joints.
fn chain_contains(chain: &Chain, b: &Convex<'_>) -> bool {
    let bounds = convex_bounds(b);
    let touching = &mut |part: &Aabb| part.intersects_aabb(&bounds);
    match *b.points {
        _ if !b.has_no_area() => false,
        [start, end] => {
            let axis = MajorAxis::new(start, end);
            let mut covered: SmallVec<[Interval<f32>; 8]> = SmallVec::new();
            let _ = chain.visit_parts_where::<()>(touching, &mut |part| {
                let points = part.convex.points;
                if points.iter().all(|&p| orient2d(start, end, p) == Orientation::Collinear) {
                    covered.push(axis.interval(points[0], points[points.len() - 1]));
                }
                ControlFlow::Continue(())
            });
            union_covers(&mut covered, axis.interval(start, end), f32::total_cmp)
        }
        _ => chain
            .visit_parts_where(touching, &mut |part| {
                break_if(convex_relation(&part.convex, b).intersects())
            })
            .is_break(),
    }
}

// Tile maps and masks.

/// Returns `true` if a grid contains a convex part: in one cell or in several cells together. In an
/// axis-aligned grid the boundary decides, exactly. In a rotated grid the union of the parts has to
/// cover the part, because rounding has bent the lines along which a cell is adjacent to half of its
/// neighbor. The union also decides if segments in the grid may contain a segment.
fn grid_contains(grid: &impl CellGrid, b: &Convex<'_>) -> bool {
    let (shape, region) = (grid.as_shape(), QueryRegion::of_convex(b));
    let mut has_segments = false;
    let is_in_one_cell = any_part_in(&shape, &region, &mut |part| {
        has_segments |= part.has_no_area();
        containment(part, b).is_contained()
    });
    // Far from the origin, rounding may have flattened cells, so that a boundary edge may run through
    // the interior.
    let bounds = convex_bounds(b);
    let far = bounds.min().abs().max(bounds.max().abs()).max_element();
    let is_coarse = grid.placement().shortest_side() < 16.0 * f64::from(f32::EPSILON * far);
    let boundary = || {
        let mut edges: SmallVec<[(Vec2, Vec2); 16]> = SmallVec::new();
        let _ = grid.visit_edges::<()>(&region, &mut |start, end| {
            edges.push((start, end));
            ControlFlow::Continue(())
        });
        edges.into_iter()
    };
    match *b.points {
        _ if is_in_one_cell => true,
        [_] if b.has_no_area() => false,
        _ if is_coarse => union_contains(shape, b),
        [start, end] if b.has_no_area() && grid.placement().is_axis_aligned() && !has_segments => {
            contains_segment(shape, boundary(), start, end)
        }
        _ if grid.placement().is_axis_aligned() && !b.has_no_area() => {
            contains_area(shape, boundary(), b)
        }
        _ => union_contains(shape, b),
    }
}

// Compounds.

/// Returns `true` if a compound contains a convex part: one convex part does, or one composite shape
/// does, or the union of all parts.
fn compound_contains(compound: &Compound, b: &Convex<'_>) -> bool {
    let bounds = convex_bounds(b);
    if !compound.tight_bounds().contains_aabb(&bounds) {
        return false;
    }
    let in_one_part = compound
        .visit_parts_where(&mut |part| part.intersects_aabb(&bounds), &mut |part| {
            break_if(containment(&part.convex, b).is_contained())
        });
    let is_point = b.has_no_area() && b.points.len() == 1;
    let is_composite = |shape: ShapeRef<'_>| shape.as_convex(&mut ConvexBuffer::new()).is_none();
    let mut shapes = compound.parts().iter().map(AsShape::as_shape);
    in_one_part.is_break()
        || (!is_point
            && (shapes.any(|shape| is_composite(shape) && contains_convex(shape, b))
                || union_contains(ShapeRef::Compound(compound), b)))
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;

    fn stairs() -> Polygon {
        Polygon::new(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 4.0], [2.0, 2.0], [0.0, 2.0]])
    }

    #[test]
    fn radii_are_compared_exactly() {
        let disc = Circle::new([0.0, 0.0], 5.0);
        assert!(disc.contains(&Circle::new([1.5, 2.0], 2.5)));
        assert!(!disc.contains(&Circle::new([1.5, 2.0], 2.5f32.next_up())));
        assert!(disc.contains(&Aabb::new([-3.0, -4.0], [3.0, 4.0])));
        assert!(!disc.contains(&Aabb::new([-3.0, -4.0], [3.0, 4.0f32.next_up()])));
        let unit = Aabb::new([-1.0, -1.0], [1.0, 1.0]);
        assert!(unit.contains(&Circle::new([0.0, 0.0], 1.0)));
        assert!(!unit.contains(&Circle::new([1e-8, 0.0], 1.0)));
        let soft = ConvexPolygon::rounded(&unit.corners(), 1.0);
        assert!(soft.contains(&Circle::new([1.0, 1.0], 1.0)));
        assert!(soft.contains(&Circle::new([0.0, 0.0], 2.0)));
        assert!(!soft.contains(&Circle::new([0.25, 0.0], 2.0)));
        assert!(soft.contains(&Capsule::new([-1.0, 1.0], [1.0, 1.0], 1.0)));
        assert!(!Segment::new([0.0, 0.0], [1.0, 0.0]).contains(&disc));
    }

    #[test]
    fn the_bisection_over_many_vertices_gives_the_same_result() {
        let ellipse = Ellipse::new([1.0, 2.0], [30.0, 20.0], 0.3);
        let corners = ellipse.points();
        let n = corners.len();
        assert!(n > 64);
        for i in 0..n {
            let (a, b) = (corners[i], corners[(i + 1) % n]);
            let point = Point::new(a);
            assert!(ellipse.contains(&point));
            for k in [-1.0, 0.25, 0.5, 0.999, 1.0, 1.001, 2.0] {
                let point = Point::new(Vec2::new(1.0, 2.0).lerp((a + b) / 2.0, k));
                assert_eq!(ellipse.contains(&point), ellipse.intersects(&point));
            }
        }
    }

    #[test]
    fn every_shape_contains_itself() {
        let tiles = ["#/", "##"];
        let slope = TileKind::slope(0.3, 0.0, [0.0, -1.0]);
        let legend = [('#', TileKind::SOLID), ('/', slope)];
        let tiles = TileMap::from_rows([0.1, 0.2], [0.3, 0.7], &tiles, &legend);
        let shapes: [Shape; 14] = [
            tiles.clone().into(),
            tiles.rotated(0.7, [0.0, 0.0]).into(),
            Point::new([1.0, 2.0]).into(),
            Segment::new([0.0, 0.1], [1.0, 0.7]).into(),
            Circle::new([0.3, 0.1], 0.7).into(),
            Ellipse::new([0.3, 0.1], [0.7, 0.2], 1.0).into(),
            Capsule::new([0.3, 0.1], [0.7, 0.2], 1.0).into(),
            Aabb::new([0.1, 0.2], [0.3, 0.4]).into(),
            Obb::new([0.1, 0.2], [0.3, 0.4], 0.5).into(),
            Triangle::new([0.1, 0.2], [0.3, 0.4], [0.9, 0.3]).into(),
            ConvexPolygon::rounded(&[[0.1, 0.2], [0.7, 0.4], [0.3, 0.9]], 0.1).into(),
            stairs().into(),
            Chain::closed(&[[0.1, 0.2], [0.7, 0.4], [0.3, 0.9]]).into(),
            Compound::new([Shape::from(stairs()), Circle::new([4.0, 1.0], 1.0).into()]).into(),
        ];
        for shape in &shapes {
            assert!(shape.contains(shape), "{shape:?}");
        }
    }

    #[test]
    fn polygons_contain_shapes_across_internal_edges_but_not_across_the_outline() {
        let stairs = stairs();
        assert!(stairs.contains(&Circle::new([2.0, 1.0], 1.0)));
        assert!(stairs.contains(&Circle::new([3.0, 2.0], 1.0)));
        assert!(!stairs.contains(&Circle::new([2.0, 1.5], 1.0)));
        assert!(stairs.contains(&Segment::new([0.0, 2.0], [4.0, 2.0]))); // along an edge, and on
        assert!(stairs.contains(&Segment::new([0.0, 2.0], [4.0, 0.0])));
        assert!(stairs.contains(&Segment::new([2.0, 0.0], [2.0, 4.0])));
        assert!(!stairs.contains(&Segment::new([0.0, 0.0], [2.0, 4.0])));
        assert!(!stairs.contains(&Segment::new([0.0, 2.0], [2.0, 4.0])));
        assert!(stairs.contains(&Point::new([2.0, 3.0])));
        assert!(!stairs.contains(&Point::new([1.9999999, 3.0])));
        assert!(!stairs.contains(&Aabb::new([0.0, 2.0], [2.0, 4.0]))); // the missing corner
        assert!(stairs.contains(&Triangle::new([0.0, 0.0], [2.0, 2.0], [4.0, 0.0])));
        let hole = [[1.0, 1.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0]];
        let ring = Polygon::with_holes(
            &[[0.0, 0.0], [3.0, 0.0], [3.0, 3.0], [0.0, 3.0]],
            &[hole.to_vec()],
        );
        assert!(!ring.contains(&Aabb::new([1.0, 1.0], [2.0, 2.0])));
        assert!(!ring.contains(&Circle::new([1.5, 1.5], 1.0)));
        assert!(!ring.contains(&Segment::new([1.0, 1.0], [2.0, 2.0])));
        assert!(ring.contains(&Segment::new([1.0, 0.0], [1.0, 3.0])));
        assert!(ring.contains(&Chain::closed(&hole)));
    }

    #[test]
    fn chains_contain_segments_along_several_of_their_own() {
        let chain = Chain::new(&[[0.0, 0.0], [1.0, 1.0], [3.0, 3.0], [3.0, 0.0]]);
        assert!(chain.contains(&Segment::new([2.5, 2.5], [0.5, 0.5])));
        assert!(!chain.contains(&Segment::new([2.5, 2.5], [3.5, 3.5])));
        assert!(!chain.contains(&Segment::new([0.0, 0.0], [3.0, 0.0])));
        assert!(chain.contains(&Point::new([3.0, 1.0])));
        assert!(!chain.contains(&Circle::new([3.0, 1.0], 0.1)));
    }

    #[test]
    fn a_grid_of_boxes_contains_a_box_exactly_if_no_cell_is_missing() {
        let mut seed = 1u32;
        for _ in 0..300 {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            let cells = (seed >> 7) as u16 | 0x0660; // a 4 by 4 grid
            let has = |x: u8, y: u8| cells >> (4 * y + x) & 1 == 1;
            let full_cells = (0..16u8).map(|i| (i % 4, i / 4)).filter(|&(x, y)| has(x, y));
            let corner = |x: u8, y: u8| [f32::from(x) * 0.3, f32::from(y) * 0.3];
            let grid = Compound::new(
                full_cells.map(|(x, y)| Aabb::new(corner(x, y), corner(x + 1, y + 1))),
            );
            for (x0, y0, x1, y1) in [(0, 0, 4, 4), (1, 1, 3, 3), (1, 0, 3, 2), (0, 1, 3, 3)] {
                let expected = (x0..x1).all(|x| (y0..y1).all(|y| has(x, y)));
                let area = Aabb::new(corner(x0, y0), corner(x1, y1));
                assert_eq!(grid.contains(&area), expected, "{cells:016b} {area:?}");
                assert_eq!(grid.contains(&area.to_obb()), expected);
                let c = area.corners();
                let line = Segment::new(c[0], c[1]);
                let cover_below = (x0..x1).all(|x| has(x, y0) || (y0 > 0 && has(x, y0 - 1)));
                assert_eq!(grid.contains(&line), cover_below, "{cells:016b} {line:?}");
            }
        }
    }

    #[test]
    fn a_gap_between_parts_is_found_however_narrow() {
        let slab = |from: f32, to: f32| Shape::from(Aabb::new([from, -1.0], [to, 1.0]));
        let area = Aabb::new([-0.5, -0.5], [0.5, 0.5]);
        let line = Segment::new([-0.5, 0.3], [0.5, 0.2]);
        for (gap, expected) in [(0.0, true), (1e-45, false), (1e-20, false)] {
            let slabs = Compound::new([slab(-1.0, 0.0), slab(gap, 1.0)]);
            assert_eq!(slabs.contains(&area), expected, "{gap:e}");
            assert_eq!(slabs.contains(&line), expected, "{gap:e}");
        }
        // Three triangles around a point with coordinates that have no exact `f32`.
        let [a, b, c] = [[-9.0f32, -8.0], [10.0, -7.0], [1.0, 11.0]];
        let wedges = |tip: [f32; 2]| {
            Compound::new([[a, b], [b, c], [c, a]].map(|[p, q]| Triangle::new(p, q, tip)))
        };
        let inner = Triangle::new([-1.0, -1.0], [1.0, -1.0], [0.0, 1.0]);
        assert!(wedges([0.1, 0.3]).contains(&inner));
        let narrower = Triangle::new(b, [c[0].next_up(), c[1]], [0.1, 0.3]);
        let mut parts = wedges([0.1, 0.3]).parts().to_vec();
        parts[1] = narrower.into();
        assert!(!Compound::new(parts).contains(&Triangle::new(a, b, c)));
    }

    #[test]
    fn a_small_circle_at_the_corner_of_a_huge_rotated_mask_is_outside() {
        let huge = Mask::from_rows([0.0, 0.0], 3302232.0, &["#.", "#.", "##", "#."])
            .transformed(&Pose::new([0.20413487, -9340119.0], ::core::f32::consts::FRAC_PI_4));
        assert!(!huge.contains(&Circle::new([-4.0, 4.174079], 28802.844)));
    }

    #[test]
    fn a_gap_along_a_long_thin_sliver_is_found() {
        let parts = [
            Shape::from(Capsule::new([-0.034124166, 27.678398], [2.9658759, 23.678398], 549.8672)),
            Aabb::new([1252.3037, -4.8877496e-8], [406205920.0, 2.0]).into(),
        ];
        let sliver = [[-0.034124166, -4.8877496e-8], [83716930.0, 3.9144015e-7]];
        let sliver = Triangle::new(sliver[0], sliver[1], [4.681194e-5, -2.0561743e-8]);
        assert!(!Compound::new(parts).contains(&sliver));
    }

    #[test]
    fn round_parts_contain_a_shape_together() {
        let dumbbell = Compound::new([
            Shape::from(Aabb::new([-2.0, -0.5], [2.0, 0.5])),
            Circle::new([-2.0, 0.0], 0.5).into(),
            Circle::new([2.0, 0.0], 0.5).into(),
        ]);
        assert!(dumbbell.contains(&Capsule::new([-2.0, 0.0], [2.0, 0.0], 0.5)));
        assert!(!dumbbell.contains(&Capsule::new([-2.0, 0.0], [2.0, 0.0], 0.501)));
        let petals = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
        let flower = Compound::new(petals.map(|at| Circle::new(at, 1.0)));
        assert!(flower.contains(&Circle::new([0.0, 0.0], 1.0)));
        let loose = Compound::new(petals.map(|at| Circle::new(at, 0.95)));
        assert!(!loose.contains(&Circle::new([0.0, 0.0], 0.9)));
    }
}
