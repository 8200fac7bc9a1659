//! A packed tree of boxes: nodes of eight, without pointers, made all at once.

mod build;
mod node;
#[cfg(test)]
mod tests;

use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::broad::meet;
use crate::broad::path::{Path, distance};
use crate::shape::Aabb;
use node::{BoxTest, NearTest, Node, PathTest, Span, Test, WIDTH};

/// A tree for look-ups. It is made anew in a few nanoseconds a box, so it need not be kept in shape:
/// a box that moves a little widens the nodes above it, and one that comes or goes far is put on a
/// list beside the tree, until [`is_worn`](Self::is_worn) says that a new tree would pay.
///
/// The leaves come first, eight boxes each; then the level above, eight leaves to a node, and so on up
/// to the root. Which are the children of a node follows from its place.
#[derive(Clone, Debug, Default)]
pub(crate) struct PackedTree {
    nodes: Vec<Node>,
    /// Where each level begins in `nodes`, the leaves first, and the end of the last.
    levels: Vec<u32>,
    /// The ids of the boxes in the leaves.
    ids: Vec<[u32; WIDTH]>,
    /// Boxes beside the tree.
    loose: Vec<(u32, Aabb)>,
    /// Where each box is, by its id.
    places: Vec<u32>,
    /// How many boxes the tree was made of.
    built: usize,
    /// How often a node had to be widened.
    widened: usize,
    scratch: build::Scratch,
}

/// No box has this id.
const NOWHERE: u32 = u32::MAX;
/// Marks places in the list beside the tree.
const LOOSE: u32 = 1 << 31;

impl PackedTree {
    /// Puts a box under an id, in place of the last one if there is one.
    pub fn set(&mut self, id: u32, bounds: Aabb) {
        if id as usize >= self.places.len() {
            self.places.resize(id as usize + 1, NOWHERE);
        }
        match self.places[id as usize] {
            NOWHERE => self.put_aside(id, bounds),
            place if place & LOOSE != 0 => self.loose[(place & !LOOSE) as usize].1 = bounds,
            place => self.move_within(id, place as usize, bounds),
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
            place => self.nodes[place as usize / WIDTH].set(place as usize % WIDTH, Span::EMPTY),
        }
        true
    }

    /// Whether a tree made anew would soon have earned what it takes.
    pub fn is_worn(&self) -> bool {
        self.loose.len() > self.built / 32 + 64 || self.widened > self.built
    }

    fn put_aside(&mut self, id: u32, bounds: Aabb) {
        self.places[id as usize] = LOOSE | self.loose.len() as u32;
        self.loose.push((id, bounds));
    }

    /// Gives a box in a leaf new bounds. It stays there if it still is among its neighbours.
    fn move_within(&mut self, id: u32, place: usize, bounds: Aabb) {
        let span = Span::of(bounds);
        let (mut node, mut lane) = (place / WIDTH, place % WIDTH);
        for level in 1..self.levels.len() - 1 {
            let (parent, side) = self.parent(node, level);
            let around = self.nodes[parent].get(side);
            if level == 1 && !around.meets(span) {
                self.nodes[node].set(lane, Span::EMPTY);
                return self.put_aside(id, bounds);
            }
            if level == 1 {
                self.nodes[node].set(lane, span);
            }
            if around.holds(span) {
                return;
            }
            self.widened += usize::from(level == 1);
            self.nodes[parent].set(side, around.with(span));
            (node, lane) = (parent, side);
        }
        if self.levels.len() == 2 {
            self.nodes[node].set(lane, span);
        }
    }

    /// The node above a node, and its lane there.
    fn parent(&self, node: usize, level: usize) -> (usize, usize) {
        let [below, above] = [level - 1, level].map(|level| self.levels[level] as usize);
        (above + (node - below) / WIDTH, (node - below) % WIDTH)
    }

    /// Visits the boxes that share a point with another, until told to break. Gives the number of
    /// tests made.
    pub fn visit_box(&self, bounds: &Aabb, mut visit: impl FnMut(u32) -> ControlFlow<()>) -> u64 {
        let mut tests = 0;
        for (id, other) in &self.loose {
            tests += 1;
            if meet(bounds, other) && visit(*id).is_break() {
                return tests;
            }
        }
        let test = BoxTest::new(bounds);
        let mut stack = Stack::new(self);
        while let Some(Entry { place, level, .. }) = stack.pop() {
            tests += WIDTH as u64;
            let mut lanes = test.lanes(&self.nodes[(self.levels[level as usize] + place) as usize]);
            if level > 0 {
                while lanes != 0 {
                    let child = place * WIDTH as u32 + lanes.trailing_zeros();
                    stack.push(Entry { key: 0.0, level: level - 1, place: child });
                    lanes &= lanes - 1;
                }
                continue;
            }
            let ids = &self.ids[place as usize];
            while lanes != 0 {
                if visit(ids[lanes.trailing_zeros() as usize]).is_break() {
                    return tests;
                }
                lanes &= lanes - 1;
            }
        }
        tests
    }

    /// Visits the boxes on a path; see [`BroadPhase`](crate::broad::BroadPhase).
    pub fn visit_path(&self, path: &Path, mut visit: impl FnMut(u32, f32) -> f32) -> u64 {
        let mut end = path.end();
        for (id, bounds) in &self.loose {
            if let Some(time) = path.meets(bounds, end) {
                end = visit(*id, time);
            }
        }
        let root = self.nodes.last().map_or(Span::EMPTY, Node::span);
        self.visit_in_order(PathTest::new(path, root), end, |id, bounds, end| {
            path.meets(&bounds, end).map_or(end, |time| visit(id, time))
        })
    }

    /// Visits the boxes near another; see [`BroadPhase`](crate::broad::BroadPhase).
    pub fn visit_near(
        &self,
        from: &Aabb,
        mut within: f32,
        mut visit: impl FnMut(u32, f32) -> f32,
    ) -> u64 {
        let mut consider = |id, bounds: &Aabb, within| {
            let distance = distance(from, bounds);
            if distance <= within { visit(id, distance) } else { within }
        };
        for (id, bounds) in &self.loose {
            within = consider(*id, bounds, within);
        }
        self.visit_in_order(NearTest::new(from), within, |id, bounds, within| {
            consider(id, &bounds, within)
        })
    }

    /// Goes down to the boxes that pass a test, those of least key first as far as a node can tell;
    /// the visitor gets the limit and gives the new one. Gives the number of tests made, those of the
    /// loose boxes included.
    #[inline(always)]
    fn visit_in_order(
        &self,
        test: impl Test,
        mut told: f32,
        mut visit: impl FnMut(u32, Aabb, f32) -> f32,
    ) -> u64 {
        let mut tests = self.loose.len() as u64;
        let mut limit = test.limit(told);
        let mut stack = Stack::new(self);
        while let Some(Entry { key, level, place }) = stack.pop() {
            if key > limit {
                continue;
            }
            if level == BOX {
                let (node, lane) = (place as usize / WIDTH, place as usize % WIDTH);
                told = visit(self.ids[node][lane], self.nodes[node].get(lane).bounds(), told);
                limit = test.limit(told);
                continue;
            }
            tests += WIDTH as u64;
            let node = &self.nodes[(self.levels[level as usize] + place) as usize];
            let (mut lanes, keys) = test.lanes(node, limit);
            let keys = keys.to_array();
            let bottom = stack.len;
            while lanes != 0 {
                let lane = lanes.trailing_zeros();
                let child = place * WIDTH as u32 + lane;
                let key = keys[lane as usize];
                stack.insert(bottom, Entry { key, level: level.wrapping_sub(1), place: child });
                lanes &= lanes - 1;
            }
        }
        tests
    }
}

/// What is still to be looked at: a node, or a box in a leaf.
#[derive(Clone, Copy)]
struct Entry {
    key: f32,
    /// The node's level, or [`BOX`].
    level: u32,
    /// Which one of its level.
    place: u32,
}

/// One below the level of the leaves.
const BOX: u32 = u32::MAX;

/// Entries, the next one on top. A node is replaced by at most eight, and there are eleven levels at
/// most and the boxes below.
struct Stack {
    entries: [Entry; 12 * WIDTH],
    len: usize,
}

impl Stack {
    /// With the root of a tree, if it has one.
    #[inline(always)]
    fn new(tree: &PackedTree) -> Self {
        let height = tree.levels.len().saturating_sub(1) as u32;
        let root = Entry { key: 0.0, level: height.wrapping_sub(1), place: 0 };
        Self { entries: [root; 12 * WIDTH], len: usize::from(height > 0) }
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<Entry> {
        self.len = self.len.checked_sub(1)?;
        Some(self.entries[self.len])
    }

    #[inline(always)]
    fn push(&mut self, entry: Entry) {
        self.entries[self.len] = entry;
        self.len += 1;
    }

    /// Puts an entry under those of lesser key, but above the bottom.
    #[inline(always)]
    fn insert(&mut self, bottom: usize, entry: Entry) {
        let mut place = self.len;
        while place > bottom && self.entries[place - 1].key < entry.key {
            self.entries[place] = self.entries[place - 1];
            place -= 1;
        }
        self.entries[place] = entry;
        self.len += 1;
    }
}
