//! A quadtree: square cells, split into four wherever there are many boxes.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use crate::broad::shared::box_table::{BoxTable, IdMap, Item, NONE};
use crate::broad::shared::box_tree::{BoxTree, Child, visit_by_traversal};
use crate::broad::shared::visitors::PairSink;
use crate::broad::swept_aabb::SweptAabb;
use crate::broad::{BroadPhase, Mobility, Pair, PairLimit};
use crate::math::Vec2;
use crate::shape::Aabb;

/// A quadtree: a cell with more than a few boxes is split into four, and so on.
///
/// When a cell is split, each box moves down into the quarter that contains it. A box on the line between two
/// quarters stays in the cell that was split. So a box can only intersect boxes in its own cell, in the cells
/// above it and in those below it.
///
/// By default there are no bounds: a box outside of the tree makes it grow a new root around the old one. If
/// the extent of the level is known, it can be given, along with the two usual parameters:
///
/// ```
/// use carom::broad::{BroadPhase, BroadPhaseExt, Mobility, QuadTree};
/// use carom::prelude::*;
///
/// let level = Aabb::new([0.0, 0.0], [32.0, 32.0]);
/// let mut broad = QuadTree::with_bounds(level).capacity(4).max_depth(6);
/// for id in 0..100 {
///     let min = Vec2::new((id % 10) as f32, (id / 10) as f32) * 3.0;
///     broad.set(id, Aabb::from_min_size(min, [1.0, 1.0]), Mobility::Moving);
/// }
/// let mut pairs = Vec::new();
/// let tests = broad.find_pairs(&mut pairs);
/// assert!(pairs.is_empty() && tests < 100 * 99 / 2); // brute force makes 4950 tests
/// assert_eq!(broad.at_point([3.5, 6.5]), [21]);
/// ```
///
/// **Strengths:** adapts to where the boxes are; a move within a cell costs nothing; easy to understand.
/// **Weaknesses:** a small box on the line between two large cells stays high up in the tree and is tested
/// against many boxes that are nowhere near it.
#[derive(Clone, Debug)]
#[doc(alias = "quad tree")]
pub struct QuadTree {
    boxes: BoxTable,
    /// The cell of each box, and its index among the cell's items.
    cell_of: IdMap,
    index_of: IdMap,
    cells: Vec<Cell>,
    root: u32,
    /// Groups of four unused cells, each given by its first.
    free: Vec<u32>,
    capacity: u32,
    max_depth: u32,
    /// `true` if the root has fixed bounds.
    is_bounded: bool,
    /// Scratch buffer of [`find_pairs_below`](Self::find_pairs_below).
    above: Vec<Item>,
}

#[derive(Clone, Debug)]
struct Cell {
    bounds: Aabb,
    /// The point at which it is or would be split.
    split: Vec2,
    /// The number of times that it can still be split.
    level: u32,
    parent: u32,
    /// The first of its four children, which are adjacent, or [`NONE`].
    children: u32,
    items: Vec<Item>,
    /// The number of boxes in this cell and below.
    count: u32,
}

impl Cell {
    fn new(bounds: Aabb, split: Vec2, level: u32, parent: u32) -> Self {
        Self { bounds, split, level, parent, children: NONE, items: Vec::new(), count: 0 }
    }
}

const DEFAULT_CAPACITY: u32 = 8;
const DEFAULT_MAX_DEPTH: u32 = 16;
/// The largest maximum depth. With more levels, cells would be smaller than the precision of `f32`.
const MAX_MAX_DEPTH: u32 = 32;
/// The number of times that a root can grow, doubling its size each time. Boxes further out are kept in the root.
const MAX_GROWTH: u32 = 32;

impl Default for QuadTree {
    fn default() -> Self {
        Self::new()
    }
}

impl QuadTree {
    /// Creates an empty tree that grows to wherever boxes are.
    pub fn new() -> Self {
        Self {
            boxes: BoxTable::default(),
            cell_of: IdMap::default(),
            index_of: IdMap::default(),
            cells: Vec::new(),
            root: NONE,
            free: Vec::new(),
            capacity: DEFAULT_CAPACITY,
            max_depth: DEFAULT_MAX_DEPTH,
            is_bounded: false,
            above: Vec::new(),
        }
    }

    /// Creates an empty tree that divides the given bounds and never grows. Boxes that are not inside the
    /// bounds are kept in the root: they are found like any other, but cost a test against every box.
    pub fn with_bounds(bounds: Aabb) -> Self {
        let center = bounds.min() * 0.5 + bounds.max() * 0.5;
        let root = Cell::new(bounds, center, DEFAULT_MAX_DEPTH, NONE);
        Self { cells: Vec::from([root]), root: 0, is_bounded: true, ..Self::new() }
    }

    /// Sets the number of boxes above which a cell is split; 8 by default. The count includes the boxes in
    /// the cells below.
    ///
    /// # Panics
    /// Panics if the tree is not empty.
    #[must_use]
    pub fn capacity(mut self, boxes: u32) -> Self {
        self.check_empty("capacity");
        self.capacity = boxes;
        self
    }

    /// Sets the maximum number of levels below the root; 16 by default. In a tree without bounds, this refers
    /// to the first root: when the tree doubles its size, one more level is added.
    ///
    /// # Panics
    /// Panics if the tree is not empty, or if the depth is greater than 32.
    #[must_use]
    pub fn max_depth(mut self, depth: u32) -> Self {
        self.check_empty("maximum depth");
        assert!(depth <= MAX_MAX_DEPTH, "maximum depth {depth} is greater than {MAX_MAX_DEPTH}");
        self.max_depth = depth;
        self.cells.iter_mut().for_each(|root| root.level = depth);
        self
    }

    fn check_empty(&self, setting: &str) {
        let count = self.boxes.len();
        assert!(count == 0, "the {setting} of a quadtree with {count} boxes cannot be changed");
    }

    fn cell(&self, index: u32) -> &Cell {
        &self.cells[index as usize]
    }

    fn cell_mut(&mut self, index: u32) -> &mut Cell {
        &mut self.cells[index as usize]
    }

    /// Inserts a box into the cell where it belongs.
    fn insert(&mut self, item: Item) {
        let bounds = &item.bounds;
        // 1. Make sure that there is a root, and that it contains the box if it can.
        if self.root == NONE {
            self.root = 0;
            let (split, half_size) = (bounds.min(), first_half_size(bounds));
            let root_bounds = clamped_bounds(split - half_size, split + half_size);
            self.cells.push(Cell::new(root_bounds, split, self.max_depth, NONE));
        }
        while !self.is_bounded
            && !cell_contains(&self.cell(self.root).bounds, bounds)
            && self.cell(self.root).level < self.max_depth + MAX_GROWTH
        {
            self.grow(bounds);
        }
        // 2. Descend as far as a child contains the box.
        let mut cell = self.root;
        loop {
            self.cell_mut(cell).count += 1;
            match self.child_for(cell, bounds) {
                Some(child) => cell = child,
                None => break,
            }
        }
        // 3. Insert it, and split the cell if it is too full.
        self.push_item(item, cell);
        if self.cell(cell).children == NONE {
            self.split(cell);
        }
    }

    /// Returns the child of a cell that contains a box, if there is one.
    fn child_for(&self, index: u32, bounds: &Aabb) -> Option<u32> {
        let cell = self.cell(index);
        if cell.children == NONE {
            return None;
        }
        let right = u32::from(bounds.min().x >= cell.split.x);
        let upper = u32::from(bounds.min().y >= cell.split.y);
        let child = cell.children + right + 2 * upper;
        cell_contains(&self.cell(child).bounds, bounds).then_some(child)
    }

    /// Doubles the size of the root towards a box.
    fn grow(&mut self, towards: &Aabb) {
        let old = self.root;
        let Cell { bounds, level, count, children, .. } = *self.cell(old);
        let (min, max) = (bounds.min(), bounds.max());
        let size = (max - min).min(Vec2::MAX);
        let to_left = towards.min().x < min.x;
        let to_lower = towards.min().y < min.y;
        let (low_x, high_x) =
            if to_left { (min.x - size.x, max.x) } else { (min.x, max.x + size.x) };
        let (low_y, high_y) =
            if to_lower { (min.y - size.y, max.y) } else { (min.y, max.y + size.y) };
        let split =
            Vec2::new(if to_left { min.x } else { max.x }, if to_lower { min.y } else { max.y });
        let bounds = clamped_bounds(Vec2::new(low_x, low_y), Vec2::new(high_x, high_y));
        let level = level + 1;
        // 1. A root without children just becomes larger.
        if children == NONE {
            let cell = self.cell_mut(old);
            (cell.bounds, cell.split, cell.level) = (bounds, split, level);
            return;
        }
        // 2. Otherwise, it becomes one of the four children of a new root: swap it with that child, and
        //    correct the references to it.
        let root = self.cells.len() as u32;
        self.root = root;
        self.cells.push(Cell { count, ..Cell::new(bounds, split, level, NONE) });
        self.add_children(root);
        let moved = self.cell(root).children + u32::from(to_left) + 2 * u32::from(to_lower);
        self.cells.swap(old as usize, moved as usize);
        self.cell_mut(moved).parent = root;
        for child in children..children + 4 {
            self.cell_mut(child).parent = moved;
        }
        // 3. Boxes that the old root has kept although it does not contain them belong to the new root.
        for index in (0..self.cell(moved).items.len()).rev() {
            let item = self.cell(moved).items[index];
            self.cell_of.set(item.id, moved);
            if !cell_contains(&self.cell(moved).bounds, &item.bounds) {
                self.cell_mut(moved).count -= 1;
                self.remove_item(item.id);
                self.push_item(item, root);
            }
        }
    }

    /// Splits a cell if it is too full, and then its children if they are.
    fn split(&mut self, index: u32) {
        let cell = self.cell(index);
        if cell.count <= self.capacity || cell.level == 0 {
            return;
        }
        self.add_children(index);
        for nth in (0..self.cell(index).items.len()).rev() {
            let item = self.cell(index).items[nth];
            if let Some(child) = self.child_for(index, &item.bounds) {
                self.remove_item(item.id);
                self.push_item(item, child);
                self.cell_mut(child).count += 1;
            }
        }
        let children = self.cell(index).children;
        for child in children..children + 4 {
            self.split(child);
        }
    }

    fn add_children(&mut self, parent: u32) {
        let first = self.free.pop().unwrap_or(self.cells.len() as u32);
        let Cell { bounds, split, level, .. } = *self.cell(parent);
        self.cell_mut(parent).children = first;
        for (index, quarter) in (first..).zip(0..4) {
            let (mut min, mut max) = (bounds.min(), bounds.max());
            *(if quarter & 1 == 0 { &mut max.x } else { &mut min.x }) = split.x;
            *(if quarter & 2 == 0 { &mut max.y } else { &mut min.y }) = split.y;
            let center = min * 0.5 + max * 0.5;
            let child = Cell::new(Aabb::new_unchecked(min, max), center, level - 1, parent);
            match self.cells.get_mut(index as usize) {
                // A cell that is used again keeps the memory of its list.
                Some(cell) => *cell = Cell { items: core::mem::take(&mut cell.items), ..child },
                None => self.cells.push(child),
            }
        }
    }

    /// Removes a box from its cell, and merges the cells above it that have become nearly empty.
    fn take_out(&mut self, id: u32) {
        let mut cell = self.cell_of.get(id);
        self.remove_item(id);
        while cell != NONE {
            self.cell_mut(cell).count -= 1;
            if self.cell(cell).count <= self.capacity / 2 {
                self.merge_children(cell);
            }
            cell = self.cell(cell).parent;
        }
    }

    /// Moves all boxes from the cells below into a cell.
    fn merge_children(&mut self, index: u32) {
        let children = core::mem::replace(&mut self.cell_mut(index).children, NONE);
        if children == NONE {
            return;
        }
        for child in children..children + 4 {
            self.merge_children(child);
            while let Some(item) = self.cell_mut(child).items.pop() {
                self.push_item(item, index);
            }
        }
        self.free.push(children);
    }

    /// Appends an item to the list of a cell.
    fn push_item(&mut self, item: Item, cell: u32) {
        let items = &mut self.cells[cell as usize].items;
        self.cell_of.set(item.id, cell);
        self.index_of.set(item.id, items.len() as u32);
        items.push(item);
    }

    /// Removes an item from the list of its cell.
    fn remove_item(&mut self, id: u32) {
        let cell = &mut self.cells[self.cell_of.get(id) as usize];
        self.index_of.swap_remove(&mut cell.items, id, |item| item.id);
    }

    /// Finds the pairs in a cell and below. The boxes from the cells above that intersect this one are in
    /// `above`, from `from` on.
    fn find_pairs_below(
        &self,
        index: u32,
        above: &mut Vec<Item>,
        from: usize,
        sink: &mut PairSink<'_>,
    ) {
        // 1. Test each box of the cell against those from above and those before it.
        let cell = self.cell(index);
        for item in &cell.items {
            above[from..].iter().for_each(|other| sink.test(item, other));
            if sink.is_over_limit() {
                return;
            }
            above.push(*item);
        }
        // 2. Continue in each child, with the boxes that intersect it.
        let end = above.len();
        for child in self.children(cell) {
            for i in from..end {
                if above[i].bounds.intersects_aabb(&self.cell(child).bounds) {
                    above.push(above[i]);
                }
            }
            sink.tests += (end - from) as u64;
            self.find_pairs_below(child, above, end, sink);
            if sink.is_over_limit() {
                return;
            }
            above.truncate(end);
        }
    }

    /// Returns the children of a cell that are not empty.
    fn children(&self, cell: &Cell) -> impl Iterator<Item = u32> {
        let first = cell.children;
        let all = if first == NONE { 0..0 } else { first..first + 4 };
        all.filter(|&child| self.cell(child).count > 0)
    }
}

/// Returns `true` if a box belongs into a cell. The upper sides of a cell are not part of it, so two boxes
/// that touch across a line are never in neighboring cells.
fn cell_contains(cell: &Aabb, bounds: &Aabb) -> bool {
    cell.min().cmple(bounds.min()).all() && bounds.max().cmplt(cell.max()).all()
}

/// Returns half the size of the first root: several times the size of the first box, and large enough that
/// its sides differ as `f32`.
fn first_half_size(bounds: &Aabb) -> f32 {
    let size = bounds.size().max_element().min(f32::MAX / 64.0);
    let farthest = bounds.max().abs().max(bounds.min().abs()).max_element();
    if size > 0.0 { (16.0 * size).max(farthest * 1e-6) } else { farthest.max(1.0) }
}

/// Returns a box between two corners, clamped to finite coordinates.
fn clamped_bounds(min: Vec2, max: Vec2) -> Aabb {
    Aabb::new_unchecked(min.max(Vec2::MIN), max.min(Vec2::MAX))
}

impl BoxTree for QuadTree {
    fn root(&self) -> Option<u32> {
        (self.root != NONE).then_some(self.root)
    }

    fn for_each_child(
        &self,
        node: u32,
        mut visit: impl FnMut(Child) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let cell = self.cell(node);
        cell.items.iter().try_for_each(|item| visit(Child::Box(item.id, item.bounds)))?;
        self.children(cell).try_for_each(|child| visit(Child::Node(child, self.cell(child).bounds)))
    }
}

impl BroadPhase for QuadTree {
    fn set(&mut self, id: u32, bounds: Aabb, mobility: Mobility) {
        let item = Item { id, bounds, mobility };
        if self.boxes.set(id, bounds, mobility).is_some() {
            let cell = self.cell_of.get(id);
            if cell_contains(&self.cell(cell).bounds, &bounds)
                && self.child_for(cell, &bounds).is_none()
            {
                let index = self.index_of.get(id) as usize;
                self.cell_mut(cell).items[index] = item;
                return;
            }
            self.take_out(id);
        }
        self.insert(item);
    }

    fn remove(&mut self, id: u32) -> bool {
        let found = self.boxes.remove(id).is_some();
        if found {
            self.take_out(id);
        }
        found
    }

    fn get(&self, id: u32) -> Option<(Aabb, Mobility)> {
        self.boxes.get(id)
    }

    fn len(&self) -> usize {
        self.boxes.len()
    }

    fn find_pairs_filtered(&mut self, limit: PairLimit<'_>, pairs: &mut Vec<Pair>) -> Option<u64> {
        let mut sink = PairSink::new(limit, pairs);
        let mut above = core::mem::take(&mut self.above);
        above.clear();
        if let Some(root) = self.root() {
            self.find_pairs_below(root, &mut above, 0, &mut sink);
        }
        self.above = above;
        sink.finish()
    }

    visit_by_traversal!();

    fn visit_cells(&self, visit: &mut dyn FnMut(&Aabb)) {
        let mut stack = Vec::from_iter(self.root());
        while let Some(index) = stack.pop() {
            let cell = self.cell(index);
            visit(&cell.bounds);
            if cell.children != NONE {
                stack.extend(cell.children..cell.children + 4);
            }
        }
    }
}
