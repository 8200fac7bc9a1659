//! A plane sweep that finds crossings, classifies the inside and the outside, and triangulates.
//!
//! The sweep line stops at each point from left to right. A sorted list ([`status`](super::status)) has the
//! edges that it crosses, from bottom to top, each with the gap above it. Two edges that cross become
//! neighbors before the sweep reaches the crossing, so it is enough to test neighbors (Shamos and Hoey
//! 1976). At a point, all edges through it are removed, and those that leave it to the right are inserted.

use alloc::vec::Vec;
use core::cmp::Ordering;

use glam::Vec2;

use super::{
    crossing::Edge,
    rings::{Rings, Touch, leftmost_first},
    status::{Position, Status},
    triangulate::{Chains, MonotoneChain},
};
use crate::error::ShapeError;
use crate::math::exact::{Orientation, cross_sign, orient2d};

/// The result of a sweep over valid rings.
pub(super) struct Swept {
    pub triangles: Vec<[u32; 3]>,
    pub touches: Vec<Touch>,
}

/// Sweeps over the rings. Returns the triangles and the touches, or the error of invalid rings.
pub(super) fn sweep(rings: &Rings) -> Result<Swept, ShapeError> {
    Sweep::run(rings, true).map_err(|error| match error {
        // A hole that starts in a wrong position may also cross an edge, which is the better error.
        ShapeError::HoleOutside { .. } | ShapeError::HoleInHole { .. } => {
            Sweep::run(rings, false).err().unwrap_or(error)
        }
        _ => error,
    })
}

/// The gap between two adjacent edges on the sweep line.
#[derive(Clone, Copy, Debug)]
struct StatusGap {
    region: Region,
    /// The chain of the triangulation, if the gap lies inside the polygon.
    chain: Option<MonotoneChain>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Region {
    Outside,
    Inside,
    Hole(u32),
}

impl Region {
    /// Returns the region on the other side of an edge, if the rings are checks_nesting correctly.
    fn across(self, ring: u32) -> Option<Self> {
        match (self, ring) {
            (Self::Outside, 0) => Some(Self::Inside),
            (Self::Inside, 0) => Some(Self::Outside),
            (Self::Inside, hole) => Some(Self::Hole(hole)),
            (Self::Hole(hole), _) if ring == hole => Some(Self::Inside),
            _ => None,
        }
    }
}

/// A position at which the sweep stops, and the edges through it.
#[derive(Default)]
struct EventPoint {
    at: Vec2,
    /// The index that represents all points at this position.
    point: u32,
    /// The edges that come from the left, from bottom to top, each with the gap above it.
    arriving: Vec<(Edge, StatusGap)>,
    /// The edges that go on to the right, from bottom to top.
    leaving: Vec<Edge>,
}

impl EventPoint {
    /// Returns the edges on which the position is not an end.
    fn passing(&self) -> impl Iterator<Item = Edge> {
        self.arriving.iter().map(|&(edge, _)| edge).filter(|edge| edge.right != self.at)
    }
}

struct Sweep<'a> {
    rings: &'a Rings,
    /// If `true`, the nesting of the rings is checked and the inside is triangulated; otherwise only
    /// crossings are found.
    checks_nesting: bool,
    /// The gap above each edge; the gap below the lowest edge is outside.
    gaps: Status<StatusGap>,
    chains: Chains<'a>,
    touches: Vec<Touch>,
}

impl<'a> Sweep<'a> {
    fn run(rings: &'a Rings, checks_nesting: bool) -> Result<Swept, ShapeError> {
        let (gaps, chains) = (Status::new(), Chains::new(&rings.points));
        let mut sweep = Sweep { rings, checks_nesting, gaps, chains, touches: Vec::new() };
        let mut points: Vec<u32> = (0..rings.points.len() as u32).collect();
        points.sort_unstable_by(|&i, &j| {
            leftmost_first(rings.point(i), rings.point(j)).then(i.cmp(&j))
        });
        let mut event = EventPoint::default();
        for points in points.chunk_by(|&i, &j| rings.point(i) == rings.point(j)) {
            sweep.advance(points, &mut event)?;
        }
        Ok(Swept { triangles: sweep.chains.triangles, touches: sweep.touches })
    }

    /// Advances to the next position at which one or more rings have a point. `event` is working memory.
    fn advance(&mut self, points: &[u32], event: &mut EventPoint) -> Result<(), ShapeError> {
        let at = self.rings.point(points[0]);
        (event.at, event.point) = (at, points[0]);
        let start = self.gaps.seek(at);
        event.arriving.clear();
        let mut end = start;
        let above = loop {
            match self.gaps.get(end) {
                Some(&(edge, gap)) if edge.side(at) == Ordering::Equal => {
                    event.arriving.push((edge, gap));
                }
                above => break above.map(|&(edge, _)| edge),
            }
            end = self.gaps.next(end);
        };
        self.check_visits(points, event)?;
        self.touches.extend(event.passing().map(|edge| Touch { edge: edge.id, at }));
        self.find_leaving(points, event)?;

        let below = self.gaps.before(start).copied();
        let below_edge = below.map(|(edge, _)| edge);
        self.check_crossing(below_edge, event.leaving.first().copied().or(above))?;
        self.check_crossing(event.leaving.last().copied(), above)?;
        self.update_gaps(start, below.map(|(_, gap)| gap), event)
    }

    /// Returns an error if a ring visits a position twice.
    fn check_visits(&self, points: &[u32], event: &EventPoint) -> Result<(), ShapeError> {
        // The visits by edges: edge `i` starts at point `i`.
        let visits = || points.iter().copied().chain(event.passing().map(|edge| edge.id));
        if visits().nth(1).is_none() {
            return Ok(());
        }
        let mut visits: Vec<u32> = visits().collect();
        visits.sort_by_key(|&edge| self.rings.ring(edge));
        match visits.windows(2).find(|w| self.rings.ring(w[0]) == self.rings.ring(w[1])) {
            Some(twice) => Err(self.rings.intersection_error(twice[0], twice[1], event.at)),
            None => Ok(()),
        }
    }

    /// Finds the edges that continue to the right, from bottom to top. Returns an error if two are
    /// collinear.
    fn find_leaving(&self, points: &[u32], event: &mut EventPoint) -> Result<(), ShapeError> {
        let EventPoint { at, arriving, leaving, .. } = event;
        let at = *at;
        leaving.clear();
        let ending = points.iter().flat_map(|&point| [self.rings.prev(point), point]);
        leaving.extend(ending.map(|id| Edge::new(self.rings, id)).filter(|edge| edge.left == at));
        let passing = arriving.iter().filter(|(edge, _)| edge.right != at);
        leaving.extend(passing.map(|&(edge, _)| Edge { left: at, ..edge }));
        leaving
            .sort_by(|e, f| cross_sign(at, e.right, at, f.right).reverse().then(e.id.cmp(&f.id)));
        let same = |w: &&[Edge]| orient2d(at, w[0].right, w[1].right) == Orientation::Collinear;
        match leaving.windows(2).find(same) {
            Some(pair) => Err(self.rings.intersection_error(pair[0].id, pair[1].id, at)),
            None => Ok(()),
        }
    }

    fn check_crossing(&self, lower: Option<Edge>, upper: Option<Edge>) -> Result<(), ShapeError> {
        let (Some(lower), Some(upper)) = (lower, upper) else { return Ok(()) };
        match lower.crossing(&upper) {
            Some(at) => Err(self.rings.intersection_error(lower.id, upper.id, at)),
            None => Ok(()),
        }
    }

    /// Updates the gaps around an event: those between arriving edges end, those between leaving
    /// edges start, and those below and above continue, split or join.
    fn update_gaps(
        &mut self,
        start: Position,
        below: Option<StatusGap>,
        event: &EventPoint,
    ) -> Result<(), ShapeError> {
        let before = below.unwrap_or(StatusGap { region: Region::Outside, chain: None });
        let chains = &mut self.chains;
        let (lower, upper) = match event.arriving.split_last() {
            None => before.chain.map(|chain| chains.split(chain, event.point)).unzip(),
            Some(((_, last), rest)) => {
                rest.iter()
                    .filter_map(|(_, gap)| gap.chain)
                    .for_each(|chain| chains.end(chain, event.point));
                let lower = before.chain.map(|chain| chains.extend_top(chain, event.point));
                (lower, last.chain.map(|chain| chains.extend_bottom(chain, event.point)))
            }
        };
        let lower = match (lower, upper) {
            (Some(lower), Some(upper)) if event.leaving.is_empty() => {
                Some(chains.join(lower, upper))
            }
            _ => lower,
        };
        if let Some((_, gap)) = self.gaps.before(start) {
            gap.chain = lower;
        }
        let mut region = before.region;
        let mut error = None;
        let new = event.leaving.iter().enumerate().map_while(|(i, edge)| {
            if self.checks_nesting {
                match region.across(edge.ring) {
                    Some(across) => region = across,
                    None => {
                        error = Some(nesting_error(self.rings, region, edge, event));
                        return None;
                    }
                }
            }
            let chain = match region {
                _ if i + 1 == event.leaving.len() => upper,
                Region::Inside => Some(self.chains.start(event.point)),
                Region::Outside | Region::Hole(_) => None,
            };
            Some((*edge, StatusGap { region, chain }))
        });
        self.gaps.replace(start, event.arriving.len(), new);
        error.map_or(Ok(()), Err)
    }
}

/// Returns the error for an edge that leaves an event into a region where its ring must not be.
fn nesting_error(rings: &Rings, region: Region, edge: &Edge, event: &EventPoint) -> ShapeError {
    let leaving = |ring| event.leaving.iter().filter(move |edge| edge.ring == ring);
    let other = if let Region::Hole(ring) = region { ring } else { 0 };
    if edge.ring != 0 && leaving(edge.ring).count() == 2 {
        let hole = edge.ring as usize - 1;
        return match other {
            0 => ShapeError::HoleOutside { hole, point: event.at },
            _ => ShapeError::HoleInHole { hole, outer_hole: other as usize - 1 },
        };
    }
    // The region was valid before the event, so the two rings cross here.
    let arriving = event.arriving.iter().map(|(edge, _)| edge);
    let crossed = leaving(other).chain(arriving.filter(|edge| edge.ring == other)).next();
    rings.intersection_error(edge.id, crossed.unwrap_or(edge).id, event.at)
}
