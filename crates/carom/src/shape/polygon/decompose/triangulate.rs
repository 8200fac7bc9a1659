//! Triangulation during the plane sweep.
//!
//! At any time the sweep line crosses gaps between edges. To the left of each gap inside the
//! polygon, the region that is not triangulated yet ends in a *chain* of points, from the left end
//! of the edge below the gap to that of the edge above it:
//!
//! ```text
//!   top ●───────── edge above
//!        \
//!         ● latest        the chain bends away from the gap at each inner point,
//!        /                so no triangle fits behind it
//!       ●
//!        \
//!   bottom ●────── edge below
//! ```
//!
//! A new point sees a part of the chain and forms triangles with it. Each triangle removes a point
//! from its chain, so the total time is linear (Hertel and Mehlhorn 1983).

use alloc::vec::Vec;

use glam::Vec2;

use crate::math::exact::{Orientation, orient2d};

/// The index of a missing neighbor, at the end of a chain.
const NONE: u32 = u32::MAX;

/// A chain, given by the indices of its ends and of the latest point.
#[derive(Clone, Copy, Debug)]
pub(super) struct MonotoneChain {
    bottom: u32,
    top: u32,
    latest: u32,
}

#[derive(Clone, Copy)]
struct Link {
    point: u32,
    below: u32,
    above: u32,
}

/// All chains of a sweep, and the triangles so far.
pub(super) struct Chains<'a> {
    points: &'a [Vec2],
    links: Vec<Link>,
    pub triangles: Vec<[u32; 3]>,
}

impl<'a> Chains<'a> {
    pub fn new(points: &'a [Vec2]) -> Self {
        // Each point adds at most three links, usually one, and a triangle.
        let (links, triangles) =
            (Vec::with_capacity(points.len() + 8), Vec::with_capacity(points.len()));
        Self { points, links, triangles }
    }

    /// Creates the chain of a gap that opens at a point.
    pub fn start(&mut self, point: u32) -> MonotoneChain {
        let link = self.link(Link { point, below: NONE, above: NONE });
        MonotoneChain { bottom: link, top: link, latest: link }
    }

    /// Ends the edge above the gap at a point. The gap continues below the next edge.
    pub fn extend_top(&mut self, chain: MonotoneChain, point: u32) -> MonotoneChain {
        let mut top = chain.top;
        while self.get(top).below != NONE {
            let below = self.get(top).below;
            if !self.close([below, top], point) {
                break;
            }
            top = below;
        }
        let link = self.link(Link { point, below: top, above: NONE });
        self.links[top as usize].above = link;
        MonotoneChain { top: link, latest: link, ..chain }
    }

    /// Ends the edge below the gap at a point. The gap continues above the next edge.
    pub fn extend_bottom(&mut self, chain: MonotoneChain, point: u32) -> MonotoneChain {
        let mut bottom = chain.bottom;
        while self.get(bottom).above != NONE {
            let above = self.get(bottom).above;
            if !self.close([bottom, above], point) {
                break;
            }
            bottom = above;
        }
        let link = self.link(Link { point, below: NONE, above: bottom });
        self.links[bottom as usize].below = link;
        MonotoneChain { bottom: link, latest: link, ..chain }
    }

    /// Ends both edges of the gap at a point.
    pub fn end(&mut self, chain: MonotoneChain, point: u32) {
        let rest = self.extend_top(chain, point);
        debug_assert_eq!(self.get(rest.bottom).above, rest.top, "the point sees the whole chain");
    }

    /// Splits the gap in two at a point inside it. The point sees the latest point of the chain,
    /// because nothing lies between the two.
    pub fn split(&mut self, chain: MonotoneChain, point: u32) -> (MonotoneChain, MonotoneChain) {
        let at = *self.get(chain.latest);
        let twin = self.link(Link { below: NONE, ..at });
        if at.above != NONE {
            self.links[at.above as usize].below = twin;
        }
        self.links[chain.latest as usize].above = NONE;
        let lower = MonotoneChain { top: chain.latest, ..chain };
        let top = if at.above == NONE { twin } else { chain.top };
        let upper = MonotoneChain { bottom: twin, top, latest: twin };
        (self.extend_top(lower, point), self.extend_bottom(upper, point))
    }

    /// Joins two gaps where the edges between them end. Both chains have been extended to that
    /// point.
    pub fn join(&mut self, lower: MonotoneChain, upper: MonotoneChain) -> MonotoneChain {
        let (joint, above) = (lower.top, self.get(upper.bottom).above);
        self.links[joint as usize].above = above;
        self.links[above as usize].below = joint;
        MonotoneChain { bottom: lower.bottom, top: upper.top, latest: joint }
    }

    /// Adds the triangle of a point and two neighbors in a chain, if the point sees both.
    fn close(&mut self, [lower, upper]: [u32; 2], point: u32) -> bool {
        let corners = [self.get(lower).point, point, self.get(upper).point];
        let [a, b, c] = corners.map(|corner| self.points[corner as usize]);
        let visible = orient2d(a, b, c) == Orientation::CounterClockwise;
        if visible {
            self.triangles.push(corners);
        }
        visible
    }

    fn get(&self, link: u32) -> &Link {
        &self.links[link as usize]
    }

    fn link(&mut self, link: Link) -> u32 {
        self.links.push(link);
        self.links.len() as u32 - 1
    }
}
