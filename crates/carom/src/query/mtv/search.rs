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

type CollectObstacles<'a> =
    dyn Fn(DVec2, f64, &dyn Fn(&CObstacle) -> bool) -> Option<Vec<CObstacle>> + 'a;

/// Obstacles that are collected as the search gets to them.
pub(super) struct LazyObstacles<'a> {
    /// Returns the obstacles that intersect the disc of translations with a center and radius, and
    /// perhaps others; `None` as soon as one of them passes the test.
    pub collect: &'a CollectObstacles<'a>,
    /// Returns `true` for boxes of translations that obstacles certainly cover.
    pub covers: &'a dyn Fn(DVec2, DVec2) -> bool,
    /// The side length of the squares for which obstacles are collected.
    pub square: f64,
    /// Candidates nearer than this are not needed.
    pub nearest: f64,
}

/// Returns the candidates within a radius that are inside no obstacle by more than `tolerance`,
/// nearest first.
pub(super) fn candidates<'a>(
    obstacles: Vec<CObstacle>,
    radius: f64,
    tolerance: f64,
) -> impl Iterator<Item = Candidate> + 'a {
    let mut search = CandidateSearch::new(None, radius, tolerance);
    let corner = DVec2::splat(radius * (1.0 + 1e-9));
    search.add_obstacles(-corner, corner, obstacles);
    search
}

/// Returns the candidates like [`candidates`], of obstacles that are collected where the search
/// looks for candidates.
pub(super) fn lazy_candidates<'a>(
    lazy: LazyObstacles<'a>,
    radius: f64,
    tolerance: f64,
) -> impl Iterator<Item = Candidate> + 'a {
    let mut search = CandidateSearch::new(Some(lazy), radius, tolerance);
    let corner = DVec2::splat(radius * (1.0 + 1e-9));
    search.enqueue_unexplored(-corner, corner);
    search
}

/// Nodes with at least this many obstacles are subdivided.
const MANY_OBSTACLES: usize = 24;
/// Nodes are never subdivided below this fraction of the square for which obstacles were collected.
const MIN_NODE_SIZE: f64 = 1.0 / 64.0;

/// The state of the search.
struct CandidateSearch<'a> {
    /// The source of obstacles, unless all have been collected.
    lazy: Option<LazyObstacles<'a>>,
    obstacles: Vec<CObstacle>,
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
    /// A square whose obstacles have not been collected yet.
    Unexplored(DVec2, DVec2),
    Node(Node),
    Candidate(Candidate, TieBreak),
}

/// A square of the space of translations, and the obstacles that may intersect it.
struct Node {
    low: DVec2,
    high: DVec2,
    obstacles: Vec<usize>,
    /// The side length below which it is not subdivided.
    min_size: f64,
}

/// The order of candidates at the same distance: by the boundary piece, from left to right, then by
/// the second piece, if there is one, and which of their intersections it is.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct TieBreak {
    piece: PieceOrder,
    crossing: Option<(PieceOrder, usize)>,
}

impl<'a> CandidateSearch<'a> {
    fn new(lazy: Option<LazyObstacles<'a>>, radius: f64, tolerance: f64) -> Self {
        let (obstacles, pieces, queue) = (Vec::new(), Vec::new(), BinaryHeap::new());
        Self { lazy, obstacles, radius, tolerance, pieces, queue }
    }

    /// Adds a square whose obstacles have not been collected yet, unless they certainly cover it or
    /// no candidate in it is needed.
    fn enqueue_unexplored(&mut self, low: DVec2, high: DVec2) {
        let Some(lazy) = &self.lazy else { return };
        let distance = node_distance(low, high);
        let farthest = length(low.abs().max(high.abs()));
        if distance <= self.radius && farthest >= lazy.nearest && !(lazy.covers)(low, high) {
            self.queue.push(QueueEntry { distance, item: QueueItem::Unexplored(low, high) });
        }
    }

    /// Subdivides a square whose obstacles have not been collected, or collects them.
    fn explore(&mut self, low: DVec2, high: DVec2) {
        let Some(lazy) = &self.lazy else { return };
        if high.x - low.x > lazy.square {
            quarters(low, high).for_each(|(low, high)| self.enqueue_unexplored(low, high));
        } else {
            let tolerance = self.tolerance;
            let reach = length(high - low) / 2.0 * (1.0 + 1e-9) + 4.0 * tolerance;
            let covers = |obstacle: &CObstacle| obstacle.covers_box(low, high, tolerance);
            if let Some(mut obstacles) = (lazy.collect)((low + high) / 2.0, reach, &covers) {
                obstacles.retain(|it| it.intersects_box(low - tolerance, high + tolerance));
                self.add_obstacles(low, high, obstacles);
            }
        }
    }

    /// Adds a node with all obstacles that intersect it.
    fn add_obstacles(&mut self, low: DVec2, high: DVec2, obstacles: Vec<CObstacle>) {
        let first = self.obstacles.len();
        self.obstacles.extend(obstacles);
        self.pieces.resize_with(self.obstacles.len(), || None);
        let min_size = MIN_NODE_SIZE * (high.x - low.x) / 2.0;
        self.enqueue(low, high, min_size, &mut (first..self.obstacles.len()));
    }

    /// Adds a node with the obstacles that intersect it, unless one of them covers it.
    fn enqueue(
        &mut self,
        low: DVec2,
        high: DVec2,
        min_size: f64,
        obstacles: &mut dyn Iterator<Item = usize>,
    ) {
        let (low_reach, high_reach) = (low - self.tolerance, high + self.tolerance);
        let obstacles: Vec<usize> = obstacles
            .filter(|&i| self.obstacles[i].intersects_box(low_reach, high_reach))
            .collect();
        let covers = |&i: &usize| self.obstacles[i].covers_box(low, high, self.tolerance);
        if !obstacles.is_empty() && !obstacles.iter().any(covers) {
            let distance = node_distance(low, high);
            let item = QueueItem::Node(Node { low, high, obstacles, min_size });
            self.queue.push(QueueEntry { distance, item });
        }
    }

    fn subdivide(&mut self, Node { low, high, obstacles, min_size }: &Node) {
        for (low, high) in quarters(*low, *high) {
            self.enqueue(low, high, *min_size, &mut obstacles.iter().copied());
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
        let Self { obstacles, radius, tolerance, pieces, .. } = self;
        let (radius, tolerance) = (*radius, *tolerance);
        for &owner in &node.obstacles {
            let pieces = pieces[owner]
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

/// Returns the distance of a square from the origin. Rounding must not put a candidate before the
/// node in which it is found.
fn node_distance(low: DVec2, high: DVec2) -> f64 {
    length(DVec2::ZERO.clamp(low, high)) * (1.0 - 1e-12)
}

/// Returns the four quarters of a square.
fn quarters(low: DVec2, high: DVec2) -> impl Iterator<Item = (DVec2, DVec2)> {
    let middle = (low + high) / 2.0;
    let half = |upper: bool, low, middle, high| if upper { (middle, high) } else { (low, middle) };
    [(false, false), (true, false), (false, true), (true, true)].into_iter().map(move |(x, y)| {
        let ((left, right), (bottom, top)) =
            (half(x, low.x, middle.x, high.x), half(y, low.y, middle.y, high.y));
        (DVec2::new(left, bottom), DVec2::new(right, top))
    })
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
                QueueItem::Unexplored(low, high) => self.explore(low, high),
                QueueItem::Node(node) => {
                    let is_small = node.high.x - node.low.x <= node.min_size;
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

    /// Returns `true` if the piece may intersect a node.
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
            (QueueItem::Candidate(..), _) => Ordering::Greater,
            (_, QueueItem::Candidate(..)) => Ordering::Less,
            _ => Ordering::Equal,
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
            let rings: Vec<Ring> = (0..150)
                .map(|_| {
                    let [x, y] = [0, 1].map(|_| below(40) as f64 - 22.0);
                    let [width, height] = [0, 1].map(|_| 1.0 + below(6) as f64);
                    [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
                        .map(|(right, up)| turn.rotate(DVec2::new(x + right, y + up)))
                        .into_iter()
                        .collect()
                })
                .collect();
            let corner_radius = if round % 2 == 0 { 0.0 } else { 0.75 };
            let obstacles = || -> Vec<CObstacle> {
                rings.iter().map(|ring| CObstacle::new(ring.clone(), corner_radius)).collect()
            };
            let (radius, tolerance) = (20.0, 1e-9);
            let found: Vec<DVec2> = candidates(obstacles(), radius, tolerance)
                .map(|candidate| candidate.translation)
                .collect();
            assert_eq!(found, brute_force(&obstacles(), radius, tolerance));
            given += found.len();
            // Collected square by square, the same candidates come in the order of their distance.
            let collect = |center: DVec2, reach: f64, is_enough: &dyn Fn(&CObstacle) -> bool| {
                let mut near = obstacles();
                near.retain(|it| it.intersects_box(center - reach, center + reach));
                (!near.iter().any(is_enough)).then_some(near)
            };
            let covers = |low: DVec2, high: DVec2| {
                round % 5 == 0 && obstacles().iter().any(|it| it.covers_box(low, high, tolerance))
            };
            let nearest = if round % 4 == 0 { 0.0 } else { 4.0 };
            let lazy = LazyObstacles { collect: &collect, covers: &covers, square: 2.5, nearest };
            let lazily: Vec<DVec2> = lazy_candidates(lazy, radius, tolerance)
                .map(|candidate| candidate.translation)
                .collect();
            assert!(lazily.is_sorted_by_key(|&it| length(it)));
            let sorted = |all: &[DVec2]| {
                let far = all.iter().filter(|it| length(**it) >= nearest);
                let mut far: Vec<[f64; 2]> = far.map(|it| it.to_array()).collect();
                far.sort_by(|p, q| p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1])));
                far.dedup();
                far
            };
            assert_eq!(sorted(&lazily), sorted(&found));
        }
        assert!(given > 1000, "{given} candidates");
    }
}
