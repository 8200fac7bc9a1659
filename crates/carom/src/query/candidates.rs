//! Where the shortest way out may lead, nearest first.
//!
//! The space of translations is cut into squares, and these into quarters. A square that lies inside one
//! obstacle is dark: no way out ends there. One that only few obstacles reach is searched: for the feet
//! of the origin on their borders, and for places where two borders cross. Squares are taken from the
//! nearest on, so none is opened that lies further off than the way that is found.

use core::cmp::Ordering;

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use glam::{DVec2, Vec2};

use crate::math::{length, perp_cw, to_vec2};
use crate::query::obstacle::{Border, Obstacle, borders};

/// A translation that may be the shortest way out, and the directions out of the one or two
/// obstacles whose borders it lies on.
pub(super) struct Candidate {
    pub way: DVec2,
    pub out: [DVec2; 2],
    /// The start and the side of a straight border that it lies on.
    pub line: Option<(DVec2, DVec2)>,
}

impl Candidate {
    /// The translation as pushes in `f32`: to the nearest, a unit in the last place further out,
    /// and clear of rounding by a margin; or, where there may be no room but along a border that
    /// floats can follow, away from the other border.
    pub fn pushes(&self, margins: DVec2) -> impl Iterator<Item = Vec2> {
        let margin = self.out.map(|out| out.abs().dot(margins)).into_iter().fold(0.0, f64::max);
        let nearest = to_vec2(self.way);
        let out = self.out[0] + self.out[1];
        let step = |x: f32, out: f64| match out {
            _ if out > 1e-9 => x.next_up(),
            _ if out < -1e-9 => x.next_down(),
            _ => x,
        };
        let stepped = Vec2::new(step(nearest.x, out.x), step(nearest.y, out.y));
        // This far along the sum, both borders are `margin` behind.
        let spread = 1.0 + self.out[0].dot(self.out[1]);
        let clear = out * (margin / spread.max(1e-3));
        let way = self.way;
        let away = [0.25, 0.5, 1.0, 4.0].map(|margins| to_vec2(way + clear * margins));
        let [first, second] = self.out;
        let slides =
            [(first, second), (second, first)].into_iter().filter_map(move |(out, other)| {
                let along = perp_cw(out);
                let level = along.x == 0.0 || along.y == 0.0 || along.x.abs() == along.y.abs();
                let away = along.dot(other);
                (level && away.abs() > 1e-3).then(|| to_vec2(way + along * (margin / away)))
            });
        [nearest, stepped].into_iter().chain(away).chain(slides).chain(self.on_line())
    }

    /// A place next to it that is on its border to the bit, if `f32` can hold one: between two
    /// obstacles that share the border there is room nowhere else. (The ends of the border are
    /// differences of corners, and a few bits of the way along it leave both coordinates few.)
    fn on_line(&self) -> Option<Vec2> {
        const STEPS: f64 = 1024.0;
        let (start, side) = self.line?;
        let along = (self.way - start).dot(side) / side.dot(side);
        Some(to_vec2(start + side * (libm::round(along * STEPS) / STEPS)))
    }
}

/// The candidates within a radius that are inside no obstacle by more than `slack`, nearest first.
pub(super) fn candidates(
    obstacles: &[Obstacle],
    radius: f64,
    slack: f64,
) -> impl Iterator<Item = Candidate> + '_ {
    let pieces = obstacles.iter().map(|_| None).collect();
    let mut squares = Squares { obstacles, radius, slack, pieces, waiting: BinaryHeap::new() };
    let corner = DVec2::splat(radius * (1.0 + 1e-9));
    squares.wait_for(-corner, corner, &mut (0..obstacles.len()));
    squares
}

/// From how many obstacles on a square is cut into quarters,
const MANY: usize = 24;

/// unless it is this small, in proportion to the radius.
const SMALL: f64 = 1.0 / 64.0;

/// What has not been looked at yet, and what has been found.
struct Squares<'a> {
    obstacles: &'a [Obstacle],
    radius: f64,
    slack: f64,
    /// The borders of each obstacle that has been come upon.
    pieces: Vec<Option<Vec<Piece>>>,
    waiting: BinaryHeap<Waiting>,
}

/// A square or a candidate, and how far off it is: the nearest is the greatest. A square comes before
/// candidates that are as far off.
struct Waiting {
    long: f64,
    what: What,
}

enum What {
    Square(Square),
    Found(Candidate, Place),
}

/// A part of the space of translations, and the obstacles that reach it.
struct Square {
    low: DVec2,
    high: DVec2,
    near: Vec<usize>,
}

/// Among candidates as far off as each other, which comes first: by the piece of a border that it lies
/// on, from left to right, then by the other piece if there is one, then by which of their crossings.
type Place = (PieceOrder, Option<(PieceOrder, usize)>);

impl Squares<'_> {
    /// Takes a square in, of some obstacles that may reach it, unless it is dark.
    fn wait_for(&mut self, low: DVec2, high: DVec2, near: &mut dyn Iterator<Item = usize>) {
        let near: Vec<usize> = near
            .filter(|&i| self.obstacles[i].reaches(low - self.slack, high + self.slack))
            .collect();
        let corners = [low, high, DVec2::new(low.x, high.y), DVec2::new(high.x, low.y)];
        let is_dark = |&i: &usize| corners.iter().all(|&p| self.obstacles[i].hides(p, self.slack));
        if !near.is_empty() && !near.iter().any(is_dark) {
            // Rounding must not put a candidate before the square that it is found in.
            let long = length(DVec2::ZERO.clamp(low, high)) * (1.0 - 1e-12);
            self.waiting.push(Waiting { long, what: What::Square(Square { low, high, near }) });
        }
    }

    fn cut(&mut self, Square { low, high, near }: &Square) {
        let middle = (*low + *high) / 2.0;
        for (x, y) in [(false, false), (true, false), (false, true), (true, true)] {
            let side =
                |upper: bool, low, middle, high| if upper { (middle, high) } else { (low, middle) };
            let ((left, right), (bottom, top)) =
                (side(x, low.x, middle.x, high.x), side(y, low.y, middle.y, high.y));
            let (low, high) = (DVec2::new(left, bottom), DVec2::new(right, top));
            self.wait_for(low, high, &mut near.iter().copied());
        }
    }

    /// Finds the candidates in a square.
    fn search(&mut self, square: &Square) {
        self.look_at_pieces(square);
        let mut found = Vec::new();
        on_pieces(&self.open_pieces(square), self.slack, &mut |candidate, place| {
            found.push((candidate, place));
        });
        found.into_iter().for_each(|(candidate, place)| self.add(square, candidate, place));
    }

    /// Takes a candidate in that is in the square, within the radius and inside no obstacle. (The one
    /// on whose border the origin has its foot does not count.)
    fn add(&mut self, square: &Square, candidate: Candidate, place: Place) {
        let Candidate { way, .. } = candidate;
        let long = length(way);
        let is_in = square.low.cmple(way).all() && way.cmplt(square.high).all();
        if !is_in || long > self.radius {
            return;
        }
        let owner = if place.1.is_none() { Some(place.0.owner) } else { None };
        let hides = |&i: &usize| Some(i) != owner && self.obstacles[i].hides(way, self.slack);
        if !square.near.iter().any(hides) {
            self.waiting.push(Waiting { long, what: What::Found(candidate, place) });
        }
    }

    /// Finds out which pieces of borders in a square are all inside another obstacle, once for each: that
    /// obstacle reaches all squares that the piece does.
    fn look_at_pieces(&mut self, square: &Square) {
        let Self { obstacles, radius, slack, .. } = *self;
        for &owner in &square.near {
            let pieces = self.pieces[owner]
                .get_or_insert_with(|| Piece::all(&obstacles[owner], owner, radius, slack));
            for piece in pieces.iter_mut().filter(|piece| piece.is_in(square, slack)) {
                let border = &piece.border;
                piece.is_hidden.get_or_insert_with(|| {
                    let hides = |&i: &usize| i != owner && border.is_hidden(&obstacles[i], slack);
                    square.near.iter().any(hides)
                });
            }
        }
    }

    /// The pieces of borders in a square that are not, from left to right: only those that start before
    /// one ends can cross it.
    fn open_pieces(&self, square: &Square) -> Vec<&Piece> {
        let all = square.near.iter().filter_map(|&owner| self.pieces[owner].as_ref()).flatten();
        let is_open =
            |piece: &&Piece| piece.is_hidden == Some(false) && piece.is_in(square, self.slack);
        let mut pieces: Vec<&Piece> = all.filter(is_open).collect();
        pieces.sort_by(|p, q| p.low.x.total_cmp(&q.low.x));
        pieces
    }
}

/// The candidates on some pieces that come from left to right: feet of the origin, and crossings of two.
fn on_pieces(pieces: &[&Piece], slack: f64, add: &mut dyn FnMut(Candidate, Place)) {
    for (i, piece) in pieces.iter().enumerate() {
        let Piece { border, low, high, .. } = piece;
        if let Some((way, normal)) = border.foot() {
            let candidate = Candidate { way, out: [normal, normal], line: border.line() };
            add(candidate, (piece.order(), None));
        }
        let later = pieces[i + 1..].iter().take_while(|other| other.low.x <= high.x);
        for other in later {
            if piece.owner == other.owner || other.low.y > high.y || low.y > other.high.y {
                continue;
            }
            for (k, way) in border.crossings(&other.border).into_iter().enumerate() {
                if let Some(way) = way
                    && border.holds(way, slack)
                    && other.border.holds(way, slack)
                {
                    let out = [border.normal_at(way), other.border.normal_at(way)];
                    let place = (piece.order(), Some((other.order(), k)));
                    add(Candidate { way, out, line: None }, place);
                }
            }
        }
    }
}

impl Iterator for Squares<'_> {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        loop {
            match self.waiting.pop()?.what {
                What::Found(candidate, _) => return Some(candidate),
                What::Square(square) => {
                    let is_small = square.high.x - square.low.x <= SMALL * self.radius;
                    if square.near.len() < MANY || is_small {
                        self.search(&square);
                    } else {
                        self.cut(&square);
                    }
                }
            }
        }
    }
}

/// A piece of an obstacle's border, with the box around it.
struct Piece {
    owner: usize,
    number: usize,
    border: Border,
    low: DVec2,
    high: DVec2,
    /// Whether all of it lies inside another obstacle, once that is known.
    is_hidden: Option<bool>,
}

impl Piece {
    /// The pieces of an obstacle's border within a radius.
    fn all(obstacle: &Obstacle, owner: usize, radius: f64, slack: f64) -> Vec<Self> {
        let mut pieces = Vec::new();
        borders(obstacle, &mut |border| {
            if border.nearest() <= radius {
                let ((low, high), number) = (border.bounds(), pieces.len());
                let low = low - slack;
                pieces.push(Self { owner, number, border, low, high, is_hidden: None });
            }
        });
        pieces
    }

    /// Whether it comes into a square.
    fn is_in(&self, square: &Square, slack: f64) -> bool {
        self.low.cmple(square.high).all()
            && (self.high + slack).cmpge(square.low).all()
            && self.border.comes_into(square.low, square.high, 4.0 * slack)
    }

    fn order(&self) -> PieceOrder {
        PieceOrder { left: self.low.x, owner: self.owner, number: self.number }
    }
}

/// Where a piece comes from left to right.
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

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        let order = match (&self.what, &other.what) {
            (What::Found(_, a), What::Found(_, b)) => a.cmp(b),
            (What::Square(_), What::Square(_)) => Ordering::Equal,
            (What::Square(_), What::Found(..)) => Ordering::Less,
            (What::Found(..), What::Square(_)) => Ordering::Greater,
        };
        self.long.total_cmp(&other.long).then(order).reverse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::minkowski::Ring;

    /// All of them at once: every piece against every other, and every candidate against all obstacles.
    fn one_by_one(obstacles: &[Obstacle], radius: f64, slack: f64) -> Vec<DVec2> {
        let hides = |owner: usize, test: &dyn Fn(&Obstacle) -> bool| {
            obstacles.iter().enumerate().any(|(i, other)| i != owner && test(other))
        };
        let all = obstacles.iter().enumerate();
        let mut pieces: Vec<Piece> =
            all.flat_map(|(i, obstacle)| Piece::all(obstacle, i, radius, slack)).collect();
        pieces.retain(|p| !hides(p.owner, &|other| p.border.is_hidden(other, slack)));
        pieces.sort_by(|p, q| p.low.x.total_cmp(&q.low.x));
        let mut found = Vec::new();
        on_pieces(
            &pieces.iter().collect::<Vec<_>>(),
            slack,
            &mut |Candidate { way, .. }, place| {
                let owner = if place.1.is_none() { place.0.owner } else { usize::MAX };
                if length(way) <= radius && !hides(owner, &|other| other.hides(way, slack)) {
                    found.push(way);
                }
            },
        );
        found.sort_by(|p, q| length(*p).total_cmp(&length(*q)));
        found
    }

    #[test]
    fn squares_give_what_is_found_one_by_one_in_the_same_order() {
        let mut state = 1u64;
        let mut below = |end: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % end
        };
        let mut given = 0;
        for round in 0..60 {
            // On a grid, so that many borders coincide and many ways are equally long; every third turned.
            let turn = DVec2::from_angle(if round % 3 == 0 { 0.3 } else { 0.0 });
            let obstacles: Vec<Obstacle> = (0..150)
                .map(|_| {
                    let [x, y] = [0, 1].map(|_| below(40) as f64 - 22.0);
                    let [width, height] = [0, 1].map(|_| 1.0 + below(6) as f64);
                    let ring: Ring = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
                        .map(|(right, up)| turn.rotate(DVec2::new(x + right, y + up)))
                        .into_iter()
                        .collect();
                    Obstacle::new(ring, if round % 2 == 0 { 0.0 } else { 0.75 })
                })
                .collect();
            let (radius, slack) = (20.0, 1e-9);
            let ways: Vec<DVec2> =
                candidates(&obstacles, radius, slack).map(|candidate| candidate.way).collect();
            assert_eq!(ways, one_by_one(&obstacles, radius, slack));
            given += ways.len();
        }
        assert!(given > 1000, "{given} candidates");
    }
}
