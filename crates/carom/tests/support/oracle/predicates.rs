//! The exact tests of the oracle, each from its definition, by brute force.

use super::bigint::{Fraction, Int};
use super::exact_pair::{ExactPair, Figure, Line};
use super::geometry::{Bounds, Piece, V, cmp_angles, orient};

/// Returns `true` if the closed sets share a point.
pub fn intersects(pair: &ExactPair) -> bool {
    let (a, b) = (pair.a.pieces(), pair.b.pieces());
    a.iter().any(|p| b.iter().any(|q| q.minus(p).has_origin()))
}

/// Returns the distance of the sets, rounded.
pub fn distance(pair: &ExactPair) -> f64 {
    let (a, b) = (pair.a.pieces(), pair.b.pieces());
    let pairs = a.iter().flat_map(|p| b.iter().map(move |q| q.minus(p)));
    pairs.fold(f64::INFINITY, |least, difference| {
        least.min(if difference.has_origin() {
            0.0
        } else {
            let gap = difference.core_square_distance();
            real_root(pair, &gap) - pair.real_length(&difference.radius)
        })
    })
}

/// Returns the square root of a squared length of the grid, in the units of the input.
pub fn real_root(pair: &ExactPair, square: &Fraction) -> f64 {
    let whole = square.to_f64();
    if whole.is_finite() && whole > 0.0 && pair.step().is_normal() {
        return whole.sqrt() * pair.step();
    }
    if whole == 0.0 {
        return 0.0;
    }
    // Beyond the range of f64: divide by an even power of two before taking the root.
    let bits = square.num.big().bits() / 2;
    let short = Fraction {
        num: Int::from(square.num.big()),
        den: Int::from(square.den.big() << (2 * bits)),
    };
    short.to_f64().sqrt() * pair.real_length(&Int::from(1).shl(bits as u32))
}

/// Returns `true` if the two overlap; touching does not count.
pub fn overlaps(pair: &ExactPair) -> bool {
    let ExactPair { a, b, .. } = pair;
    let boxes: Vec<Bounds> = b.areas.iter().map(Piece::bounds).collect();
    let areas = a.areas.iter().any(|p| {
        let bounds = p.bounds();
        let mut near =
            b.areas.iter().zip(&boxes).filter(|(_, other)| !bounds.has_disjoint_interior(other));
        near.any(|(q, _)| q.minus(p).has_origin_in_interior())
    });
    areas || enters_area(a, b) || enters_area(b, a) || lines_cross(a, b)
}

/// Returns `true` if a line or point of one figure enters the interior of the union of the other's
/// areas.
fn enters_area(thin: &Figure, thick: &Figure) -> bool {
    let mut segments = thin.lines.iter().flat_map(Line::segments);
    let boxes: Vec<Bounds> = thick.areas.iter().map(Piece::bounds).collect();
    let near = |piece: &Piece| -> Vec<Piece> {
        let bounds = piece.bounds();
        let near = thick.areas.iter().zip(&boxes).filter(|(_, other)| !bounds.is_disjoint(other));
        near.map(|(area, _)| area.clone()).collect()
    };
    !thick.areas.is_empty()
        && (segments.any(|[p, q]| {
            let segment = Piece::new(vec![p.clone(), q.clone()], Int::ZERO);
            segment_enters([p, q], &segment, &near(&segment))
        }) || thin
            .dots
            .iter()
            .any(|p| is_interior(p, &Int::from(1), &near(&Piece::dot(p.clone())))))
}

fn segment_enters([p, q]: [&V; 2], segment: &Piece, areas: &[Piece]) -> bool {
    let differences: Vec<Piece> = areas.iter().map(|area| area.minus(segment)).collect();
    if differences.iter().any(Piece::has_origin_in_interior) {
        return true;
    }
    // The segment may still run along an internal edge between areas that it touches.
    let touched = areas.iter().zip(&differences).filter(|(_, d)| d.has_origin());
    let touched: Vec<Piece> = touched.map(|(area, _)| area.clone()).collect();
    if touched.len() < 2 {
        return false;
    }
    // The interval that an area shares with the segment ends at the segment's ends or at projections of the
    // area's core points: test these points and those halfway between.
    let d = q - p;
    let whole = &d.square() * &Int::from(2);
    let feet = touched.iter().flat_map(|area| &area.points).map(|v| (v - p).dot(&d));
    let mut places: Vec<Int> = feet.map(|foot| &foot * &Int::from(2)).collect();
    places.extend([Int::ZERO, whole.clone()]);
    places.retain(|t| t.sign() >= 0 && *t <= whole);
    places.sort();
    places.dedup();
    let halfway: Vec<Int> = places.windows(2).map(|w| &w[0] + &w[1]).collect();
    let doubled = places.iter().map(|t| t + t);
    let whole = &whole + &whole;
    doubled.chain(halfway).any(|t| {
        let at = &p.times(&whole) + &d.times(&t);
        is_interior(&at, &whole, &touched)
    })
}

/// Returns `true` if the point `at / scale` has a neighborhood covered by the union of the areas.
pub fn is_interior(at: &V, scale: &Int, areas: &[Piece]) -> bool {
    let local = areas.iter().map(|area| area.map(|p| &p.times(scale) - at, &area.radius * scale));
    let local: Vec<Piece> = local.filter(Piece::has_origin).collect();
    if local.iter().any(Piece::has_origin_in_interior) {
        return true;
    }
    let cones: Vec<Cone> = local.iter().map(Cone::at_origin).collect();
    !cones.is_empty() && cones.iter().all(|cone| cones.iter().any(|next| next.continues(cone)))
}

/// The tangent cone of an area at a point of its boundary: the directions counterclockwise from one direction to
/// another. If the boundary bends away from a bounding direction (an arc), that direction is not included.
struct Cone {
    from: V,
    to: V,
    from_bends: bool,
    to_bends: bool,
}

impl Cone {
    /// Returns the cone of a piece on whose boundary the origin lies.
    fn at_origin(piece: &Piece) -> Self {
        let n = piece.points.len();
        let corner = (0..n).find(|&i| piece.points[i].square() == piece.radius.square());
        let Some(i) = corner else {
            return Self::of_edge(piece);
        };
        let corner = &piece.points[i];
        let others =
            [&piece.points[(i + 1) % n], &piece.points[(i + n - 1) % n]].map(|p| p - corner);
        if piece.radius.is_zero() {
            let [from, to] = others;
            return Self { from, to, from_bends: false, to_bends: false };
        }
        // Outward is from the vertex to the origin; a perpendicular edge continues the boundary.
        let outwards = -corner;
        let forward = outwards.turned();
        let straight = |sign: i32| {
            others.iter().any(|e| e.dot(&outwards).is_zero() && e.dot(&forward).sign() == sign)
        };
        Self { from_bends: !straight(1), to_bends: !straight(-1), to: -&forward, from: forward }
    }

    fn of_edge(piece: &Piece) -> Self {
        let (p, q) = piece
            .edges()
            .find(|(p, q)| {
                let d = *q - *p;
                let across = p.cross(q);
                let between = p.dot(&d).sign() < 0 && q.dot(&d).sign() > 0;
                across.sign() <= 0
                    && between
                    && across.square() == &piece.radius.square() * &d.square()
            })
            .expect("the origin lies on the boundary");
        let from = q - p;
        Self { to: -&from, from, from_bends: false, to_bends: false }
    }

    /// Returns `true` if this cone covers the directions right after the end of another.
    fn continues(&self, other: &Self) -> bool {
        let d = &other.to;
        let same = |u: &V| cmp_angles(u, d).is_eq();
        let straight_angle = self.from.cross(&self.to).is_zero();
        let inside =
            self.from.cross(d).sign() > 0 && (straight_angle || d.cross(&self.to).sign() > 0);
        inside
            || if other.to_bends {
                same(&self.to) && !self.to_bends
            } else {
                same(&self.from) && !self.from_bends
            }
    }
}

/// Returns `true` if lines of one figure cross lines of the other at a point inside both. Lines of the same
/// figure that share a point are joined there.
fn lines_cross(a: &Figure, b: &Figure) -> bool {
    let segments = |figure: &Figure| -> Vec<[V; 2]> {
        let all = figure.lines.iter().flat_map(Line::segments);
        all.map(|[p, q]| [p.clone(), q.clone()]).collect()
    };
    let (ours, theirs) = (segments(a), segments(b));
    let inside =
        ours.iter().any(|s| theirs.iter().any(|t| segments_cross(s.each_ref(), t.each_ref())));
    // All other crossings are at an end of a segment.
    inside
        || ours.iter().chain(&theirs).flatten().any(|at| {
            let (ours, theirs) = (arms(&ours, at), arms(&theirs, at));
            ours.iter().any(|u| {
                ours.iter().any(|v| {
                    let has = |wanted: i32| theirs.iter().any(|w| side(u, v, w) == wanted);
                    has(1) && has(-1)
                })
            })
        })
}

fn segments_cross([a, b]: [&V; 2], [c, d]: [&V; 2]) -> bool {
    let apart = |p, q, r, s| orient(p, q, r).sign() * orient(p, q, s).sign() < 0;
    apart(a, b, c, d) && apart(c, d, a, b)
}

/// Returns `true` if two lines share a segment. Whether they cross there, if one comes from one side and leaves
/// on the other, is a matter of definition.
pub fn lines_share_a_segment(pair: &ExactPair) -> bool {
    let segments = |figure: &Figure| -> Vec<[V; 2]> {
        let all = figure.lines.iter().flat_map(Line::segments);
        all.map(|[p, q]| [p.clone(), q.clone()]).collect()
    };
    let (ours, theirs) = (segments(&pair.a), segments(&pair.b));
    ours.iter().any(|[p, q]| {
        let d = q - p;
        theirs.iter().any(|t| {
            let on_line = t.iter().all(|r| d.cross(&(r - p)).is_zero());
            let [r, s] = t.each_ref().map(|r| (r - p).dot(&d));
            let (low, high) = if r < s { (r, s) } else { (s, r) };
            on_line && low < d.square() && high.sign() > 0
        })
    })
}

/// Returns the directions in which segments lead away from a point.
fn arms(segments: &[[V; 2]], at: &V) -> Vec<V> {
    let holds = |[p, q]: &&[V; 2]| {
        let (u, v) = (p - at, q - at);
        u.cross(&v).is_zero() && u.dot(&v).sign() <= 0
    };
    let ends = segments.iter().filter(holds).flatten();
    ends.map(|end| end - at).filter(|arm| *arm != V::ZERO).collect()
}

/// Returns the side of the path from `u` through the origin to `v` on which the direction `w` lies: 1 if it is
/// strictly between them counterclockwise, 0 on the path, -1 otherwise.
fn side(u: &V, v: &V, w: &V) -> i32 {
    let same = |p: &V, q: &V| cmp_angles(p, q).is_eq();
    if same(u, w) || same(v, w) || same(u, v) {
        return 0;
    }
    // Three different directions in counterclockwise order: an even number of descents.
    let rises = [(u, w), (w, v), (v, u)].map(|(p, q)| cmp_angles(p, q).is_lt());
    if rises.iter().filter(|&&r| r).count() == 2 { 1 } else { -1 }
}
