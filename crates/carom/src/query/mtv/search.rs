//! Candidates for the minimum translation, enumerated from the nearest on.
//!
//! This is a best-first search in a quadtree over the space of translations. A node that lies
//! inside one obstacle is discarded. A node with few obstacles yields candidates: projections of the
//! origin onto boundary pieces, and intersections of two pieces. Any other node is subdivided. Nodes
//! and candidates come from a priority queue by their distance, so no node is opened that is farther
//! than the push that is found.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::{DVec2, Vec2};

use crate::math::{length, perp_cw, to_vec2};
use crate::query::mtv::cspace::{BoundaryPiece, CObstacle, for_each_boundary_piece};

/// A translation that may be the shortest one that clears the shapes.
pub(super) struct Candidate {
    pub translation: DVec2,
    /// The outward normals of the one or two obstacles on whose boundary it lies.
    pub normals: [DVec2; 2],
    /// The start and the edge vector of the boundary segment on which it lies.
    pub edge: Option<(DVec2, DVec2)>,
}

impl Candidate {
    /// Returns the translation as pushes in `f32`, in the order in which to try them:
    ///
    /// 1. rounded to nearest;
    /// 2. a unit in the last place farther out;
    /// 3. farther out by a growing part of the rounding margin;
    /// 4. along one boundary, away from the other, if `f32` can represent points of the first: there
    ///    may be no room elsewhere;
    /// 5. the closest point of the boundary segment that `f32` can represent exactly.
    pub fn representable_pushes(&self, margins: DVec2) -> impl Iterator<Item = Vec2> {
        let (translation, [first, second]) = (self.translation, self.normals);
        let margin = self.normals.map(|normal| normal.abs().dot(margins));
        let margin = margin.into_iter().fold(0.0, f64::max);
        let nearest = to_vec2(translation);
        let outward = first + second;
        let step = |x: f32, outward: f64| match outward {
            _ if outward > 1e-9 => x.next_up(),
            _ if outward < -1e-9 => x.next_down(),
            _ => x,
        };
        let stepped = Vec2::new(step(nearest.x, outward.x), step(nearest.y, outward.y));
        // This far along the sum of the normals, both boundaries are `margin` away.
        let spread = 1.0 + first.dot(second);
        let clearance = outward * (margin / spread.max(1e-3));
        let away = [0.25, 0.5, 1.0, 4.0].map(|factor| to_vec2(translation + clearance * factor));
        let slides =
            [(first, second), (second, first)].into_iter().filter_map(move |(normal, other)| {
                let along = perp_cw(normal);
                let is_representable =
                    along.x == 0.0 || along.y == 0.0 || along.x.abs() == along.y.abs();
                let rate = along.dot(other);
                (is_representable && rate.abs() > 1e-3)
                    .then(|| to_vec2(translation + along * (margin / rate)))
            });
        [nearest, stepped].into_iter().chain(away).chain(slides).chain(self.exact_point_on_edge())
    }

    /// Returns a point next to the candidate that lies exactly on its boundary segment, if `f32` can
    /// represent one: between two obstacles that share the segment there is room nowhere else. The
    /// ends of the segment are differences of vertices, and a fraction with few bits leaves the
    /// coordinates with few bits.
    fn exact_point_on_edge(&self) -> Option<Vec2> {
        const STEPS: f64 = 1024.0;
        let (start, edge) = self.edge?;
        let t = (self.translation - start).dot(edge) / edge.dot(edge);
        Some(to_vec2(start + edge * (libm::round(t * STEPS) / STEPS)))
    }
}

/// Returns the candidates within a radius that are inside no obstacle by more than `tolerance`,
/// nearest first.
pub(super) fn candidates(
    obstacles: &[CObstacle],
    radius: f64,
    tolerance: f64,
) -> impl Iterator<Item = Candidate> + '_ {
    let pieces = obstacles.iter().map(|_| None).collect();
    let queue = BinaryHeap::new();
    let mut search = CandidateSearch { obstacles, radius, tolerance, pieces, queue };
    let corner = DVec2::splat(radius * (1.0 + 1e-9));
    search.enqueue(-corner, corner, &mut (0..obstacles.len()));
    search
}

/// Nodes with at least this many obstacles are subdivided.
const MANY_OBSTACLES: usize = 24;
/// Nodes are never subdivided below this fraction of the radius.
const MIN_NODE_SIZE: f64 = 1.0 / 64.0;

/// The state of the search.
struct CandidateSearch<'a> {
    obstacles: &'a [CObstacle],
    radius: f64,
    tolerance: f64,
    /// The boundary pieces of each obstacle, once they are needed.
    pieces: Vec<Option<Vec<Piece>>>,
    queue: BinaryHeap<QueueEntry>,
}

/// A node or candidate and its distance from the origin. The nearest is the greatest; a node comes
/// before candidates at the same distance.
struct QueueEntry {
    distance: f64,
    item: QueueItem,
}

enum QueueItem {
    Node(Node),
    Candidate(Candidate, TieBreak),
}

/// A square of the space of translations, and the obstacles that may intersect it.
struct Node {
    low: DVec2,
    high: DVec2,
    obstacles: Vec<usize>,
}

/// The order of candidates at the same distance: by the boundary piece, from left to right, then by
/// the second piece, if there is one, and which of their intersections it is.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct TieBreak {
    piece: PieceOrder,
    crossing: Option<(PieceOrder, usize)>,
}

impl CandidateSearch<'_> {
    /// Adds a node with the obstacles that intersect it, unless one of them covers it.
    fn enqueue(&mut self, low: DVec2, high: DVec2, obstacles: &mut dyn Iterator<Item = usize>) {
        let (low_reach, high_reach) = (low - self.tolerance, high + self.tolerance);
        let obstacles: Vec<usize> = obstacles
            .filter(|&i| self.obstacles[i].intersects_box(low_reach, high_reach))
            .collect();
        let corners = [low, high, DVec2::new(low.x, high.y), DVec2::new(high.x, low.y)];
        let covers =
            |&i: &usize| corners.iter().all(|&p| self.obstacles[i].contains(p, self.tolerance));
        if !obstacles.is_empty() && !obstacles.iter().any(covers) {
            // Rounding must not put a candidate before the node in which it is found.
            let distance = length(DVec2::ZERO.clamp(low, high)) * (1.0 - 1e-12);
            let item = QueueItem::Node(Node { low, high, obstacles });
            self.queue.push(QueueEntry { distance, item });
        }
    }

    fn subdivide(&mut self, Node { low, high, obstacles }: &Node) {
        let middle = (*low + *high) / 2.0;
        for (x, y) in [(false, false), (true, false), (false, true), (true, true)] {
            let half =
                |upper: bool, low, middle, high| if upper { (middle, high) } else { (low, middle) };
            let ((left, right), (bottom, top)) =
                (half(x, low.x, middle.x, high.x), half(y, low.y, middle.y, high.y));
            let (low, high) = (DVec2::new(left, bottom), DVec2::new(right, top));
            self.enqueue(low, high, &mut obstacles.iter().copied());
        }
    }

    /// Adds the candidates in a node.
    fn search(&mut self, node: &Node) {
        self.classify_pieces(node);
        let mut found = Vec::new();
        for_each_candidate(&self.exposed_pieces(node), self.tolerance, &mut |candidate, order| {
            found.push((candidate, order));
        });
        found.into_iter().for_each(|(candidate, order)| self.add(node, candidate, order));
    }

    /// Adds a candidate if it is in the node, within the radius and inside no obstacle. The obstacle
    /// onto which the origin was projected does not count.
    fn add(&mut self, node: &Node, candidate: Candidate, order: TieBreak) {
        let translation = candidate.translation;
        let distance = length(translation);
        let is_in_node = node.low.cmple(translation).all() && translation.cmplt(node.high).all();
        if !is_in_node || distance > self.radius {
            return;
        }
        let owner = if order.crossing.is_none() { Some(order.piece.owner) } else { None };
        let covers = |&i: &usize| {
            Some(i) != owner && self.obstacles[i].contains(translation, self.tolerance)
        };
        if !node.obstacles.iter().any(covers) {
            let item = QueueItem::Candidate(candidate, order);
            self.queue.push(QueueEntry { distance, item });
        }
    }

    /// Determines, once for each boundary piece in a node, whether another obstacle covers it: that
    /// obstacle intersects all nodes that the piece does.
    fn classify_pieces(&mut self, node: &Node) {
        let Self { obstacles, radius, tolerance, .. } = *self;
        for &owner in &node.obstacles {
            let pieces = self.pieces[owner]
                .get_or_insert_with(|| Piece::all(&obstacles[owner], owner, radius, tolerance));
            for piece in pieces.iter_mut().filter(|piece| piece.may_enter(node, tolerance)) {
                let shape = &piece.shape;
                piece.is_covered.get_or_insert_with(|| {
                    let covers =
                        |&i: &usize| i != owner && shape.is_covered_by(&obstacles[i], tolerance);
                    node.obstacles.iter().any(covers)
                });
            }
        }
    }

    /// Returns the boundary pieces in a node that are not covered, from left to right.
    fn exposed_pieces(&self, node: &Node) -> Vec<&Piece> {
        let all = node.obstacles.iter().filter_map(|&owner| self.pieces[owner].as_ref()).flatten();
        let is_exposed = |piece: &&Piece| {
            piece.is_covered == Some(false) && piece.may_enter(node, self.tolerance)
        };
        let mut pieces: Vec<&Piece> = all.filter(is_exposed).collect();
        pieces.sort_by(|p, q| p.low.x.total_cmp(&q.low.x));
        pieces
    }
}

/// Calls `add` with the candidates on pieces that are sorted from left to right: projections of the
/// origin, and intersections of two pieces. Sweeps along x: only pieces that start before another
/// ends can intersect it.
fn for_each_candidate(pieces: &[&Piece], tolerance: f64, add: &mut dyn FnMut(Candidate, TieBreak)) {
    for (i, piece) in pieces.iter().enumerate() {
        let Piece { shape, low, high, .. } = piece;
        if let Some((translation, normal)) = shape.project_origin() {
            let candidate = Candidate { translation, normals: [normal; 2], edge: shape.edge() };
            add(candidate, TieBreak { piece: piece.order(), crossing: None });
        }
        let later = pieces[i + 1..].iter().take_while(|other| other.low.x <= high.x);
        for other in later {
            if piece.owner == other.owner || other.low.y > high.y || low.y > other.high.y {
                continue;
            }
            for (k, point) in shape.intersections(&other.shape).into_iter().enumerate() {
                if let Some(translation) = point
                    && shape.contains(translation, tolerance)
                    && other.shape.contains(translation, tolerance)
                {
                    let normals =
                        [shape.normal_at(translation), other.shape.normal_at(translation)];
                    let crossing = Some((other.order(), k));
                    let order = TieBreak { piece: piece.order(), crossing };
                    add(Candidate { translation, normals, edge: None }, order);
                }
            }
        }
    }
}

impl Iterator for CandidateSearch<'_> {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        loop {
            match self.queue.pop()?.item {
                QueueItem::Candidate(candidate, _) => return Some(candidate),
                QueueItem::Node(node) => {
                    let is_small = node.high.x - node.low.x <= MIN_NODE_SIZE * self.radius;
                    if node.obstacles.len() < MANY_OBSTACLES || is_small {
                        self.search(&node);
                    } else {
                        self.subdivide(&node);
                    }
                }
            }
        }
    }
}

/// A boundary piece of an obstacle with its bounding box.
struct Piece {
    owner: usize,
    number: usize,
    shape: BoundaryPiece,
    low: DVec2,
    high: DVec2,
    /// `true` if another obstacle covers all of it, once that is known.
    is_covered: Option<bool>,
}

impl Piece {
    /// Returns the boundary pieces of an obstacle within a radius.
    fn all(obstacle: &CObstacle, owner: usize, radius: f64, tolerance: f64) -> Vec<Self> {
        let mut pieces = Vec::new();
        for_each_boundary_piece(obstacle, &mut |shape| {
            if shape.min_distance() <= radius {
                let ((low, high), number) = (shape.bounds(), pieces.len());
                let low = low - tolerance;
                pieces.push(Self { owner, number, shape, low, high, is_covered: None });
            }
        });
        pieces
    }

    /// Returns whether the piece may intersect a node.
    fn may_enter(&self, node: &Node, tolerance: f64) -> bool {
        self.low.cmple(node.high).all()
            && (self.high + tolerance).cmpge(node.low).all()
            && self.shape.may_enter_box(node.low, node.high, 4.0 * tolerance)
    }

    fn order(&self) -> PieceOrder {
        PieceOrder { left: self.low.x, owner: self.owner, number: self.number }
    }
}

/// The order of pieces from left to right.
#[derive(PartialEq)]
struct PieceOrder {
    left: f64,
    owner: usize,
    number: usize,
}

impl Eq for PieceOrder {}

impl PartialOrd for PieceOrder {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for PieceOrder {
    fn cmp(&self, other: &Self) -> Ordering {
        let later = (self.owner, self.number).cmp(&(other.owner, other.number));
        self.left.total_cmp(&other.left).then(later)
    }
}

impl PartialEq for QueueEntry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for QueueEntry {}

impl PartialOrd for QueueEntry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for QueueEntry {
    fn cmp(&self, other: &Self) -> Ordering {
        let order = match (&self.item, &other.item) {
            (QueueItem::Candidate(_, a), QueueItem::Candidate(_, b)) => a.cmp(b),
            (QueueItem::Node(_), QueueItem::Node(_)) => Ordering::Equal,
            (QueueItem::Node(_), QueueItem::Candidate(..)) => Ordering::Less,
            (QueueItem::Candidate(..), QueueItem::Node(_)) => Ordering::Greater,
        };
        self.distance.total_cmp(&other.distance).then(order).reverse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::query::mtv::cspace::Ring;

    /// Tests every piece against every other, and every candidate against all obstacles.
    fn brute_force(obstacles: &[CObstacle], radius: f64, tolerance: f64) -> Vec<DVec2> {
        let covers = |owner: usize, test: &dyn Fn(&CObstacle) -> bool| {
            obstacles.iter().enumerate().any(|(i, other)| i != owner && test(other))
        };
        let all = obstacles.iter().enumerate();
        let mut pieces: Vec<Piece> =
            all.flat_map(|(i, obstacle)| Piece::all(obstacle, i, radius, tolerance)).collect();
        pieces.retain(|p| !covers(p.owner, &|other| p.shape.is_covered_by(other, tolerance)));
        pieces.sort_by(|p, q| p.low.x.total_cmp(&q.low.x));
        let mut found = Vec::new();
        for_each_candidate(
            &pieces.iter().collect::<Vec<_>>(),
            tolerance,
            &mut |Candidate { translation, .. }, order| {
                let owner = if order.crossing.is_none() { order.piece.owner } else { usize::MAX };
                if length(translation) <= radius
                    && !covers(owner, &|other| other.contains(translation, tolerance))
                {
                    found.push(translation);
                }
            },
        );
        found.sort_by(|p, q| length(*p).total_cmp(&length(*q)));
        found
    }

    #[test]
    fn the_quadtree_gives_the_candidates_of_brute_force_in_the_same_order() {
        let mut state = 1u64;
        let mut below = |end: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % end
        };
        let mut given = 0;
        for round in 0..60 {
            // On a grid, so that many boundaries coincide and many candidates have equal lengths; every
            // third rotated.
            let turn = DVec2::from_angle(if round % 3 == 0 { 0.3 } else { 0.0 });
            let obstacles: Vec<CObstacle> = (0..150)
                .map(|_| {
                    let [x, y] = [0, 1].map(|_| below(40) as f64 - 22.0);
                    let [width, height] = [0, 1].map(|_| 1.0 + below(6) as f64);
                    let ring: Ring = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
                        .map(|(right, up)| turn.rotate(DVec2::new(x + right, y + up)))
                        .into_iter()
                        .collect();
                    CObstacle::new(ring, if round % 2 == 0 { 0.0 } else { 0.75 })
                })
                .collect();
            let (radius, tolerance) = (20.0, 1e-9);
            let found: Vec<DVec2> = candidates(&obstacles, radius, tolerance)
                .map(|candidate| candidate.translation)
                .collect();
            assert_eq!(found, brute_force(&obstacles, radius, tolerance));
            given += found.len();
        }
        assert!(given > 1000, "{given} candidates");
    }
}
