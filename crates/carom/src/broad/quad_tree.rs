//! Squares cut into four, again and again.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::broad::boxes::{Boxes, NONE, Places};
use crate::broad::swept_aabb::SweptAabb;
use crate::broad::walk::{Below, Tree};
use crate::broad::{BroadPhase, Mobility, Pair, can_pair, meet, pair};
use crate::math::Vec2;
use crate::shape::Aabb;

/// Cuts the plane into four cells, each of these into four, and so on wherever many boxes are.
///
/// A cell that holds more than a few boxes is split, and each box goes down into the quarter that it
/// fits into. One that straddles the line between two quarters stays above, in the cell that was
/// split. So a box can only meet those in its own cell, in the cells above and in those below. A box
/// outside of all makes the tree grow a new root around the old one.
///
/// Strength: it adapts to where the boxes are, a move within a cell costs nothing, and it is easily
/// understood. Weakness: a small box on the line between two large cells stays high up and is held
/// against much that is nowhere near it.
///
/// ```
/// use carom::broad::{BroadPhase, BroadPhaseExt, Mobility, QuadTree};
/// use carom::prelude::*;
///
/// let mut broad = QuadTree::with_boxes_per_cell(4);
/// for id in 0..100 {
///     let corner = Vec2::new((id % 10) as f32, (id / 10) as f32) * 3.0;
///     broad.set(id, Aabb::from_min_size(corner, [1.0, 1.0]), Mobility::Moving);
/// }
/// let mut pairs = Vec::new();
/// let tests = broad.find_pairs(&mut pairs);
/// assert!(pairs.is_empty() && tests < 100 * 99 / 2); // brute force takes 4950
/// assert_eq!(broad.at_point([3.5, 6.5]), [21]);
/// ```
#[derive(Clone, Debug)]
pub struct QuadTree {
    boxes: Boxes,
    /// The cell each box is in, and where in its list.
    cell_of: Places,
    place_of: Places,
    cells: Vec<Cell>,
    root: u32,
    /// Four cells that are free again, each group by its first.
    free: Vec<u32>,
    boxes_per_cell: u32,
    above: Vec<Item>,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    id: u32,
    bounds: Aabb,
    mobility: Mobility,
}

#[derive(Clone, Debug)]
struct Cell {
    bounds: Aabb,
    /// Where it is or would be split.
    split: Vec2,
    /// How many times it can still be split.
    level: u32,
    parent: u32,
    /// The first of four, or none.
    children: u32,
    items: Vec<Item>,
    /// How many boxes are in it and below.
    count: u32,
}

impl Cell {
    fn new(bounds: Aabb, split: Vec2, level: u32, parent: u32) -> Self {
        Self { bounds, split, level, parent, children: NONE, items: Vec::new(), count: 0 }
    }
}

/// How many times the first root can be split, which ends the splitting of boxes in one place.
const FIRST_LEVEL: u32 = 16;
/// How far roots grow: to four thousand million times the size of the first. Boxes further out
/// stay in the root.
const LAST_LEVEL: u32 = FIRST_LEVEL + 32;

impl Default for QuadTree {
    fn default() -> Self {
        Self::new()
    }
}

impl QuadTree {
    /// With no boxes yet, and a usual number of boxes per cell.
    pub fn new() -> Self {
        Self::with_boxes_per_cell(8)
    }

    /// With no boxes yet. A cell with more boxes than this is split.
    pub fn with_boxes_per_cell(count: u32) -> Self {
        Self {
            boxes: Boxes::default(),
            cell_of: Places::default(),
            place_of: Places::default(),
            cells: Vec::new(),
            root: NONE,
            free: Vec::new(),
            boxes_per_cell: count,
            above: Vec::new(),
        }
    }

    fn cell(&mut self, place: u32) -> &mut Cell {
        &mut self.cells[place as usize]
    }

    /// Puts a box into the cell where it belongs.
    fn insert(&mut self, item: Item) {
        let bounds = &item.bounds;
        if self.root == NONE {
            self.root = 0;
            let (split, reach) = (bounds.min(), first_reach(bounds));
            let cell = cell_bounds(split - reach, split + reach);
            self.cells.push(Cell::new(cell, split, FIRST_LEVEL, NONE));
        }
        while !takes(&self.cells[self.root as usize].bounds, bounds)
            && self.cells[self.root as usize].level < LAST_LEVEL
        {
            self.grow(bounds);
        }
        let mut at = self.root;
        loop {
            self.cell(at).count += 1;
            match self.child_for(at, bounds) {
                Some(child) => at = child,
                None => break,
            }
        }
        self.put(item, at);
        if self.cells[at as usize].children == NONE {
            self.split(at);
        }
    }

    /// The child that takes a box.
    fn child_for(&self, at: u32, bounds: &Aabb) -> Option<u32> {
        let cell = &self.cells[at as usize];
        if cell.children == NONE {
            return None;
        }
        let right = u32::from(bounds.min().x >= cell.split.x);
        let upper = u32::from(bounds.min().y >= cell.split.y);
        let child = cell.children + right + 2 * upper;
        takes(&self.cells[child as usize].bounds, bounds).then_some(child)
    }

    /// Makes the root twice as large, towards a box.
    fn grow(&mut self, towards: &Aabb) {
        let old = &self.cells[self.root as usize];
        let (min, max) = (old.bounds.min(), old.bounds.max());
        let size = (max - min).min(Vec2::MAX);
        let to_left = towards.min().x < min.x;
        let to_lower = towards.min().y < min.y;
        let (low_x, high_x) =
            if to_left { (min.x - size.x, max.x) } else { (min.x, max.x + size.x) };
        let (low_y, high_y) =
            if to_lower { (min.y - size.y, max.y) } else { (min.y, max.y + size.y) };
        let split =
            Vec2::new(if to_left { min.x } else { max.x }, if to_lower { min.y } else { max.y });
        let bounds = cell_bounds(Vec2::new(low_x, low_y), Vec2::new(high_x, high_y));
        let (level, count) = (old.level + 1, old.count);
        let old = self.root;
        if self.cells[old as usize].children == NONE {
            let cell = self.cell(old);
            (cell.bounds, cell.split, cell.level) = (bounds, split, level);
            return;
        }
        let root = self.cells.len() as u32;
        self.root = root;
        self.cells.push(Cell { count, ..Cell::new(bounds, split, level, NONE) });
        self.add_children(root);
        // The old root takes the place of one of the children: what refers to it has to follow.
        let place =
            self.cells[root as usize].children + u32::from(to_left) + 2 * u32::from(to_lower);
        self.cells.swap(old as usize, place as usize);
        self.cell(place).parent = root;
        let children = self.cells[place as usize].children;
        for child in children..children + 4 {
            self.cell(child).parent = place;
        }
        // Boxes that the old root has kept though they are not in it belong to the new one.
        for nth in (0..self.cells[place as usize].items.len()).rev() {
            let item = self.cells[place as usize].items[nth];
            self.cell_of.set(item.id, place);
            if !takes(&self.cells[place as usize].bounds, &item.bounds) {
                self.cell(place).count -= 1;
                self.pick(item.id);
                self.put(item, root);
            }
        }
    }

    /// Splits a cell if it is too full, and its children if they are.
    fn split(&mut self, at: u32) {
        let cell = &self.cells[at as usize];
        if cell.count <= self.boxes_per_cell || cell.level == 0 {
            return;
        }
        self.add_children(at);
        for nth in (0..self.cells[at as usize].items.len()).rev() {
            let item = self.cells[at as usize].items[nth];
            if let Some(child) = self.child_for(at, &item.bounds) {
                self.pick(item.id);
                self.put(item, child);
                self.cell(child).count += 1;
            }
        }
        let children = self.cells[at as usize].children;
        for child in children..children + 4 {
            self.split(child);
        }
    }

    fn add_children(&mut self, at: u32) {
        let first = self.free.pop().unwrap_or(self.cells.len() as u32);
        let Cell { bounds, split, level, .. } = self.cells[at as usize];
        self.cell(at).children = first;
        for (place, quarter) in (first..).zip(0..4) {
            let (mut min, mut max) = (bounds.min(), bounds.max());
            *(if quarter & 1 == 0 { &mut max.x } else { &mut min.x }) = split.x;
            *(if quarter & 2 == 0 { &mut max.y } else { &mut min.y }) = split.y;
            let middle = min * 0.5 + max * 0.5;
            let child = Cell::new(Aabb::new_unchecked(min, max), middle, level - 1, at);
            match self.cells.get_mut(place as usize) {
                // A list that was there keeps its memory.
                Some(cell) => *cell = Cell { items: core::mem::take(&mut cell.items), ..child },
                None => self.cells.push(child),
            }
        }
    }

    /// Takes a box out of its cell, and joins the cells above that have become nearly empty.
    fn take_out(&mut self, id: u32) {
        let mut at = self.cell_of.get(id);
        self.pick(id);
        while at != NONE {
            self.cell(at).count -= 1;
            if self.cells[at as usize].count <= self.boxes_per_cell / 2 {
                self.join(at);
            }
            at = self.cells[at as usize].parent;
        }
    }

    /// Pulls all boxes from below into a cell.
    fn join(&mut self, at: u32) {
        let children = core::mem::replace(&mut self.cell(at).children, NONE);
        if children == NONE {
            return;
        }
        for child in children..children + 4 {
            self.join(child);
            while let Some(item) = self.cell(child).items.pop() {
                self.put(item, at);
            }
        }
        self.free.push(children);
    }

    /// Puts an item on the list of a cell.
    fn put(&mut self, item: Item, at: u32) {
        let items = &mut self.cells[at as usize].items;
        self.cell_of.set(item.id, at);
        self.place_of.set(item.id, items.len() as u32);
        items.push(item);
    }

    /// Takes an item off the list of its cell.
    fn pick(&mut self, id: u32) {
        let (at, place) = (self.cell_of.get(id), self.place_of.get(id));
        let items = &mut self.cells[at as usize].items;
        items.swap_remove(place as usize);
        if let Some(moved) = items.get(place as usize) {
            self.place_of.set(moved.id, place);
        }
    }

    /// Finds the pairs in a cell and below. The boxes from the cells above that reach into this one are
    /// in the list, from a place on. `None` if there are more pairs than a limit.
    fn pairs_below(
        &self,
        at: u32,
        above: &mut Vec<Item>,
        from: usize,
        limit: usize,
        pairs: &mut Vec<Pair>,
    ) -> Option<u64> {
        let cell = &self.cells[at as usize];
        let mut tests = 0;
        for item in &cell.items {
            for other in &above[from..] {
                if can_pair(item.mobility, other.mobility) {
                    tests += 1;
                    if meet(&item.bounds, &other.bounds) {
                        pairs.push(pair(item.id, other.id));
                    }
                }
            }
            if pairs.len() > limit {
                return None;
            }
            above.push(*item);
        }
        let end = above.len();
        for child in self.children(cell) {
            for i in from..end {
                if meet(&above[i].bounds, &self.cells[child as usize].bounds) {
                    above.push(above[i]);
                }
            }
            tests += (end - from) as u64;
            tests += self.pairs_below(child, above, end, limit, pairs)?;
            above.truncate(end);
        }
        Some(tests)
    }

    /// The children of a cell that are not empty.
    fn children(&self, cell: &Cell) -> impl Iterator<Item = u32> {
        let first = cell.children;
        let all = if first == NONE { 0..0 } else { first..first + 4 };
        all.filter(|&child| self.cells[child as usize].count > 0)
    }
}

/// Whether a box belongs into a cell. The upper sides do not belong to it: two boxes that touch across
/// a line are never in cells beside each other.
fn takes(cell: &Aabb, bounds: &Aabb) -> bool {
    cell.min().cmple(bounds.min()).all() && bounds.max().cmplt(cell.max()).all()
}

/// How far the first root reaches around the first box: some times its size, and far enough for the
/// sides to be different numbers.
fn first_reach(bounds: &Aabb) -> f32 {
    let size = bounds.size().max_element().min(f32::MAX / 64.0);
    let far = bounds.max().abs().max(bounds.min().abs()).max_element();
    if size > 0.0 { (16.0 * size).max(far * 1e-6) } else { far.max(1.0) }
}

/// A cell between two corners, as far as numbers go.
fn cell_bounds(min: Vec2, max: Vec2) -> Aabb {
    Aabb::new_unchecked(min.max(Vec2::MIN), max.min(Vec2::MAX))
}

impl Tree for QuadTree {
    fn root(&self) -> Option<u32> {
        (self.root != NONE).then_some(self.root)
    }

    fn open(&self, node: u32, mut show: impl FnMut(Below) -> ControlFlow<()>) -> ControlFlow<()> {
        let cell = &self.cells[node as usize];
        cell.items.iter().try_for_each(|item| show(Below::Box(item.id, item.bounds)))?;
        self.children(cell)
            .try_for_each(|child| show(Below::Node(child, self.cells[child as usize].bounds)))
    }
}

impl BroadPhase for QuadTree {
    fn set(&mut self, id: u32, bounds: Aabb, mobility: Mobility) {
        let item = Item { id, bounds, mobility };
        if self.boxes.set(id, bounds, mobility).is_some() {
            let at = self.cell_of.get(id);
            if takes(&self.cells[at as usize].bounds, &bounds)
                && self.child_for(at, &bounds).is_none()
            {
                let place = self.place_of.get(id) as usize;
                self.cell(at).items[place] = item;
                return;
            }
            self.take_out(id);
        }
        self.insert(item);
    }

    fn remove(&mut self, id: u32) -> bool {
        let found = self.boxes.get(id).is_some();
        if found {
            self.take_out(id);
            self.boxes.remove(id);
        }
        found
    }

    fn get(&self, id: u32) -> Option<(Aabb, Mobility)> {
        self.boxes.get(id)
    }

    fn len(&self) -> usize {
        self.boxes.len()
    }

    fn find_pairs(&mut self, pairs: &mut Vec<Pair>) -> u64 {
        self.find_pairs_within(usize::MAX, pairs).unwrap_or_default()
    }

    fn find_pairs_within(&mut self, limit: usize, pairs: &mut Vec<Pair>) -> Option<u64> {
        pairs.clear();
        let mut above = core::mem::take(&mut self.above);
        above.clear();
        let tests = match self.root() {
            Some(root) => self.pairs_below(root, &mut above, 0, limit, pairs),
            None => Some(0),
        };
        self.above = above;
        tests
    }

    fn visit_intersecting(
        &self,
        bounds: &Aabb,
        visit: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> u64 {
        self.walk_box(bounds, visit)
    }

    fn visit_swept(&self, path: &SweptAabb, visit: &mut dyn FnMut(u32, f32) -> f32) -> u64 {
        self.walk_path(path, visit)
    }

    fn visit_within(
        &self,
        from: &Aabb,
        within: f32,
        visit: &mut dyn FnMut(u32, f32) -> f32,
    ) -> u64 {
        self.walk_near(from, within, visit)
    }

    fn visit_cells(&self, visit: &mut dyn FnMut(&Aabb)) {
        let mut below = Vec::from_iter(Some(self.root).filter(|&root| root != NONE));
        while let Some(place) = below.pop() {
            let cell = &self.cells[place as usize];
            visit(&cell.bounds);
            if cell.children != NONE {
                below.extend(cell.children..cell.children + 4);
            }
        }
    }
}
