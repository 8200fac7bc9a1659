//! A packed tree of boxes: nodes of eight, without pointers, made all at once.

mod build;
mod node;
#[cfg(test)]
pub(crate) mod tests;

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
        while let Some(entry) = stack.pop() {
            tests += WIDTH as u64;
            let (level, place) = (entry.level(), entry.place());
            let lanes = test.lanes(&self.nodes[self.levels[level] as usize + place]);
            if level > 0 {
                for lane in Lanes(lanes) {
                    stack.push(Entry::new(0.0, level - 1, place * WIDTH + lane));
                }
                continue;
            }
            let ids = &self.ids[place];
            for lane in Lanes(lanes) {
                if visit(ids[lane]).is_break() {
                    return tests;
                }
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
        let test = PathTest::new(path, || self.nodes.last().map_or(Span::EMPTY, Node::span));
        self.visit_in_order(test, end, |id, bounds, end| {
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

    /// Goes down to the boxes that pass a test, by way of the children of least key first; the visitor
    /// gets the limit and gives the new one. Gives the number of tests made, those of the loose boxes
    /// included.
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
        while let Some(entry) = stack.pop() {
            if entry.key() > limit {
                continue;
            }
            tests += WIDTH as u64;
            let (level, place) = (entry.level(), entry.place());
            let node = &self.nodes[self.levels[level] as usize + place];
            let (lanes, keys) = test.lanes(node, limit);
            let keys = keys.to_array();
            if level > 0 {
                stack.push_in_order(lanes, &keys, level - 1, place * WIDTH);
                continue;
            }
            for lane in Lanes(lanes) {
                if keys[lane] <= limit {
                    told = visit(self.ids[place][lane], node.get(lane).bounds(), told);
                    limit = test.limit(told);
                }
            }
        }
        tests
    }
}

/// The places of the bits of a number, from the lowest.
struct Lanes(u32);

impl Iterator for Lanes {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let lowest = self.0.trailing_zeros() as usize;
        (self.0 != 0).then(|| {
            self.0 &= self.0 - 1;
            lowest
        })
    }
}

/// A node still to be looked at: its key, which is not negative, its level and its place there. There
/// are at most eleven levels, and an eighth as many leaves as ids.
#[derive(Clone, Copy)]
struct Entry(u64);

impl Entry {
    const PLACE_BITS: u32 = 28;

    #[inline(always)]
    fn new(key: f32, level: usize, place: usize) -> Self {
        Self(u64::from(key.to_bits()) << 32 | (level << Self::PLACE_BITS | place) as u64)
    }

    #[inline(always)]
    fn key(self) -> f32 {
        f32::from_bits((self.0 >> 32) as u32)
    }

    #[inline(always)]
    fn level(self) -> usize {
        (self.0 as u32 >> Self::PLACE_BITS) as usize
    }

    #[inline(always)]
    fn place(self) -> usize {
        self.0 as usize & ((1 << Self::PLACE_BITS) - 1)
    }
}

/// The nodes still to be looked at, the next one on top. Each is replaced by at most eight of the
/// level below.
struct Stack {
    entries: [Entry; Self::SIZE],
    len: usize,
}

impl Stack {
    const SIZE: usize = 12 * WIDTH;

    /// With the root of a tree, if it has one.
    #[inline(always)]
    fn new(tree: &PackedTree) -> Self {
        let mut stack = Self { entries: [Entry(0); Self::SIZE], len: 0 };
        if let Some(level) = tree.levels.len().checked_sub(2) {
            stack.push(Entry::new(0.0, level, 0));
        }
        stack
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

    /// Puts children on top, those of lesser key above the others.
    #[inline(always)]
    fn push_in_order(&mut self, lanes: u32, keys: &[f32; WIDTH], level: usize, first: usize) {
        if lanes & lanes.wrapping_sub(1) == 0 {
            for lane in Lanes(lanes) {
                self.push(Entry::new(keys[lane], level, first + lane));
            }
            return;
        }
        // How many of the lanes come before each, without a branch. Keys are not negative, so they
        // compare as whole numbers; the lowest bits are spent on telling all of them apart.
        let mut ordered = [i32::MAX; WIDTH];
        for lane in 0..WIDTH {
            let key = keys[lane].to_bits() as i32 & !(WIDTH as i32 - 1) | lane as i32;
            ordered[lane] = if lanes >> lane & 1 == 1 { key } else { i32::MAX };
        }
        let mut before = [0; WIDTH];
        for other in ordered {
            for (before, key) in before.iter_mut().zip(ordered) {
                *before += i32::from(other < key);
            }
        }
        let top = self.len + lanes.count_ones() as usize;
        for lane in Lanes(lanes) {
            let place = top - 1 - before[lane] as usize;
            self.entries[place] = Entry::new(keys[lane], level, first + lane);
        }
        self.len = top;
    }
}
