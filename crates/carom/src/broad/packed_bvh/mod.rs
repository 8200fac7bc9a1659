//! A packed tree of boxes: nodes of eight, without pointers, made all at once.

mod build;
mod keys;
mod span;
#[cfg(test)]
pub(crate) mod tests;

use alloc::vec::Vec;
use core::ops::ControlFlow;

use carom_simd::{BvhView, LANES, Node, traverse_intersecting, traverse_ordered};

use crate::broad::meet;
use crate::broad::swept_aabb::{SweptAabb, distance};
use crate::shape::Aabb;
use keys::{NearTest, PathTest};
use span::Span;

/// A tree for look-ups. It is made quickly, so it need not be kept in shape all the time: a box that
/// moves a little widens the nodes above it, one that moves far takes a place that another has left
/// near where it goes, and if there is none, it is put on a list beside the tree; until
/// [`is_worn`](Self::is_worn) says that it should be [tidied](Self::tidy).
///
/// Eight boxes make a leaf, eight leaves a node above them, and so on: see [`BvhView`].
#[derive(Clone, Debug, Default)]
pub(crate) struct PackedBvh {
    nodes: Vec<Node>,
    /// Where each level begins in `nodes`, the leaves first, and the end of the last.
    levels: Vec<u32>,
    /// The ids of the boxes in the leaves, [`NOWHERE`] for a lane without a box.
    ids: Vec<u32>,
    /// Boxes beside the tree.
    loose: Vec<(u32, Aabb)>,
    /// Where each box is, by its id.
    places: Vec<u32>,
    /// How many boxes the tree was made of.
    built: usize,
    /// The sizes of all leaves it was made with, added up.
    built_size: f32,
    /// How often a leaf had to be widened since the nodes were as narrow as can be.
    widened: usize,
    scratch: build::Scratch,
}

/// No box has this id.
const NOWHERE: u32 = u32::MAX;
/// Marks places in the list beside the tree.
const LOOSE: u32 = 1 << 31;

/// # Changes
impl PackedBvh {
    /// Puts a box under an id, in place of the last one if there is one.
    #[inline]
    pub fn set(&mut self, id: u32, bounds: Aabb) {
        let place = self.places.get(id as usize).copied().unwrap_or(NOWHERE);
        if place & LOOSE != 0
            && let Some((_, last)) = self.loose.get_mut((place & !LOOSE) as usize)
        {
            *last = bounds;
        } else {
            self.set_in_tree(id, bounds);
        }
    }

    #[inline(never)]
    fn set_in_tree(&mut self, id: u32, bounds: Aabb) {
        if id as usize >= self.places.len() {
            self.places.resize(id as usize + 1, NOWHERE);
        }
        match self.places[id as usize] {
            NOWHERE => self.put(id, bounds),
            place if self.may_stay(place as usize, bounds) => {
                self.put_at(place as usize, Span::of(bounds));
            }
            place => {
                self.clear(place as usize);
                self.put(id, bounds);
            }
        }
    }

    /// Takes a box out. Whether there was one under this id.
    pub fn remove(&mut self, id: u32) -> bool {
        let Some(place) = self.places.get_mut(id as usize) else { return false };
        match core::mem::replace(place, NOWHERE) {
            NOWHERE => return false,
            place if place & LOOSE != 0 => {
                self.loose.swap_remove((place & !LOOSE) as usize);
                if let Some(&(moved, _)) = self.loose.get((place & !LOOSE) as usize) {
                    self.places[moved as usize] = place;
                }
            }
            place => self.clear(place as usize),
        }
        true
    }

    /// Whether tidying would soon have earned what it takes.
    pub fn is_worn(&self) -> bool {
        self.has_many_loose() || self.widened > self.built
    }

    /// Narrows what has been widened. Whether the tree is as good as new then; else a new one would
    /// soon have earned what it takes.
    pub fn tidy(&mut self) -> bool {
        if self.widened > 0 {
            self.narrow();
        }
        !self.has_many_loose() && self.size() <= 1.5 * self.built_size
    }

    /// A loose box costs every look-up about a tenth of what a box costs in making a tree.
    fn has_many_loose(&self) -> bool {
        let loose = self.loose.len();
        loose > 32 && loose > 4 * self.built.isqrt() + 32
    }

    /// Puts a box that is nowhere yet where there is room for it.
    fn put(&mut self, id: u32, bounds: Aabb) {
        if let Some(place) = self.room_near(Span::of(bounds)) {
            self.places[id as usize] = place as u32;
            self.ids[place] = id;
            self.put_at(place, Span::of(bounds));
        } else {
            self.places[id as usize] = LOOSE | self.loose.len() as u32;
            self.loose.push((id, bounds));
        }
    }

    fn clear(&mut self, place: usize) {
        self.ids[place] = NOWHERE;
        self.nodes[place / LANES].set(place % LANES, &Node::NO_BOX);
    }

    /// Whether a leaf is as good a place as any for what one of its boxes will be.
    fn may_stay(&self, place: usize, bounds: Aabb) -> bool {
        match self.above(place / LANES, 1) {
            Some((parent, lane)) => {
                Span::in_lane(&self.nodes[parent], lane).is_near(Span::of(bounds))
            }
            None => true,
        }
    }

    /// A free place in a leaf that a box would not widen by much.
    fn room_near(&self, span: Span) -> Option<usize> {
        let mut node = 0;
        for level in (1..=self.levels.len().checked_sub(2)?).rev() {
            let children = node * LANES..self.count(level - 1).min((node + 1) * LANES);
            let around = |child: usize| {
                Span::in_lane(&self.nodes[self.levels[level] as usize + node], child % LANES)
            };
            let growth = |child: &usize| around(*child).with(span).size() - around(*child).size();
            let fits = |&child: &usize| {
                level > 1 || around(child).is_near(span) && self.free_lane(child).is_some()
            };
            node = children.filter(fits).min_by(|a, b| growth(a).total_cmp(&growth(b)))?;
        }
        Some(node * LANES + self.free_lane(node)?)
    }

    fn free_lane(&self, leaf: usize) -> Option<usize> {
        self.ids[leaf * LANES..][..LANES].iter().position(|&id| id == NOWHERE)
    }

    /// Writes a box, and widens the nodes above until one holds it.
    fn put_at(&mut self, place: usize, span: Span) {
        let mut node = place / LANES;
        self.nodes[node].set(place % LANES, &span.sides());
        let mut level = 1;
        while let Some((parent, lane)) = self.above(node, level) {
            let around = Span::in_lane(&self.nodes[parent], lane);
            if around.holds(span) {
                return;
            }
            self.widened += usize::from(level == 1);
            self.nodes[parent].set(lane, &around.with(span).sides());
            (node, level) = (parent, level + 1);
        }
    }

    /// The node on a level that is above one of the level below, and its lane there; `None` above the
    /// root.
    fn above(&self, node: usize, level: usize) -> Option<(usize, usize)> {
        let below = node - self.levels[level - 1] as usize;
        (level + 1 < self.levels.len())
            .then(|| (self.levels[level] as usize + below / LANES, below % LANES))
    }

    /// How many nodes there are on a level.
    fn count(&self, level: usize) -> usize {
        (self.levels[level + 1] - self.levels[level]) as usize
    }
}

/// # Look-ups
impl PackedBvh {
    /// Whether there are no boxes.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.loose.is_empty()
    }

    /// Visits the boxes that share a point with another, until told to break. Gives the number of
    /// tests made.
    #[inline]
    pub fn visit_intersecting(
        &self,
        bounds: &Aabb,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> u64 {
        for (tests, (id, other)) in (1..).zip(&self.loose) {
            if meet(bounds, other) && visit(*id).is_break() {
                return tests;
            }
        }
        let sides = Span::of(*bounds).sides();
        self.tests(traverse_intersecting(self.tree(), &sides, |leaf, mut met| {
            let ids = &self.ids[leaf * LANES..][..LANES];
            while met != 0 {
                visit(ids[met.trailing_zeros() as usize % LANES])?;
                met &= met - 1;
            }
            ControlFlow::Continue(())
        }))
    }

    /// Visits the boxes on a path until a time; see [`BroadPhase`](crate::broad::BroadPhase).
    #[inline]
    pub fn visit_swept(
        &self,
        path: &SweptAabb,
        mut end: f32,
        mut visit: impl FnMut(u32, &Aabb, f32) -> f32,
    ) -> u64 {
        for (id, bounds) in &self.loose {
            if let Some(time) = path.time_of_impact(bounds, end) {
                end = visit(*id, bounds, time);
            }
        }
        let around = || self.nodes.last().map_or(Span::EMPTY, |it| Span::from_sides(&it.union()));
        let test = PathTest::new(path, around);
        let opened = traverse_ordered(self.tree(), &test, end, |place, sides, key, end| {
            let bounds = Span::from_sides(sides).bounds();
            if test.is_vague(key) && path.time_of_impact(&bounds, end).is_none() {
                return end;
            }
            visit(self.ids[place], &bounds, test.time(key))
        });
        self.tests(opened)
    }

    /// Visits the boxes near another; see [`BroadPhase`](crate::broad::BroadPhase).
    #[inline]
    pub fn visit_within(
        &self,
        from: &Aabb,
        mut within: f32,
        mut visit: impl FnMut(u32, &Aabb, f32) -> f32,
    ) -> u64 {
        for (id, bounds) in &self.loose {
            let distance = distance(from, bounds);
            if distance <= within {
                within = visit(*id, bounds, distance);
            }
        }
        let test = NearTest::new(from);
        let opened = traverse_ordered(self.tree(), &test, within, |place, sides, key, within| {
            let bounds = Span::from_sides(sides).bounds();
            let distance = match NearTest::distance(key) {
                f32::INFINITY => distance(from, &bounds), // only its square is too large
                distance => distance,
            };
            if distance <= within { visit(self.ids[place], &bounds, distance) } else { within }
        });
        self.tests(opened)
    }

    #[inline(always)]
    fn tree(&self) -> BvhView<'_> {
        BvhView { nodes: &self.nodes, levels: &self.levels }
    }

    /// How many tests there were, if all loose boxes were tested and so many nodes opened.
    fn tests(&self, opened: u64) -> u64 {
        self.loose.len() as u64 + opened * LANES as u64
    }
}
