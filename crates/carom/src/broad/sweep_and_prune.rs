//! Boxes in a row.

use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};

use crate::broad::boxes::{Boxes, Places};
use crate::broad::swept_aabb::{SweptAabb, distance};
use crate::broad::{BroadPhase, Mobility, Pair, can_pair, meet, pair};
use crate::math::Vec2;
use crate::shape::Aabb;

/// Keeps the boxes in the order of their lower sides along one axis, and tests only those whose
/// extents along that axis overlap.
///
/// The order is kept from one time to the next. Where little moves it is nearly right already, and
/// putting a box to its right place again (insertion sort) takes a step or two.
///
/// Strength: simple, light on memory, and fast where things are spread along one axis, as in many
/// side-scrolling games. Weakness: things that lie above each other are all tested against each other,
/// so a large level as high as wide takes long. Look-ups use the order only until the next change;
/// before pairs are found again, they look at every box.
///
/// ```
/// use carom::broad::{BroadPhase, Mobility, SweepAndPrune};
/// use carom::prelude::*;
///
/// let mut broad = SweepAndPrune::new();
/// for id in 0..100 { // a row of boxes, each of which touches the next
///     let corner = [id as f32, 0.0];
///     broad.set(id, Aabb::from_min_size(corner, [1.0, 1.0]), Mobility::Moving);
/// }
/// let mut pairs = Vec::new();
/// assert_eq!(broad.find_pairs(&mut pairs), 99); // tests, not one of them in vain
/// assert_eq!(pairs.len(), 99);
/// ```
#[derive(Clone, Debug, Default)]
pub struct SweepAndPrune {
    boxes: Boxes,
    /// The boxes in their order, as far as it is right.
    row: Vec<Item>,
    place_of: Places,
    /// Which axis the row runs along.
    along_y: bool,
    is_sorted: bool,
    /// How many were in the row when the axis was chosen.
    chosen_for: usize,
    /// How far up the boxes reach, from the first to each.
    reach: Vec<f32>,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    id: u32,
    bounds: Aabb,
    mobility: Mobility,
}

/// As many steps for each box are cheaper than sorting all anew.
const STEPS: usize = 8;

impl SweepAndPrune {
    /// With no boxes yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn along(&self, point: Vec2) -> f32 {
        if self.along_y { point.y } else { point.x }
    }

    /// Puts the row in order.
    fn sort(&mut self) {
        if self.is_sorted {
            return;
        }
        let len = self.row.len();
        if len > 2 * self.chosen_for || !self.insertion_sort() {
            self.along_y = is_higher_than_wide(&self.row);
            self.chosen_for = len;
            let along_y = self.along_y;
            self.row
                .sort_unstable_by(|a, b| key(a, along_y).partial_cmp(&key(b, along_y)).unwrap());
        }
        self.is_sorted = true;
        self.reach.clear();
        let mut reach = f32::MIN;
        for (place, item) in (0..).zip(&self.row) {
            self.place_of.set(item.id, place);
            let upper = item.bounds.max();
            reach = reach.max(if self.along_y { upper.y } else { upper.x });
            self.reach.push(reach);
        }
    }

    /// Moves each item down to its place. `false` if that takes too many steps.
    fn insertion_sort(&mut self) -> bool {
        let mut steps = STEPS * self.row.len();
        for i in 1..self.row.len() {
            let item = self.row[i];
            let own = key(&item, self.along_y);
            let mut place = i;
            while place > 0 && key(&self.row[place - 1], self.along_y) > own {
                self.row[place] = self.row[place - 1];
                place -= 1;
            }
            self.row[place] = item;
            match steps.checked_sub(i - place) {
                Some(rest) => steps = rest,
                None => return false,
            }
        }
        true
    }

    /// Where in the row boxes can be that reach over an extent along the axis.
    fn part(&self, low: f64, high: f64) -> Range<usize> {
        if !self.is_sorted {
            return 0..self.row.len();
        }
        let first = self.reach.partition_point(|&reach| f64::from(reach) < low);
        let end = self.row.partition_point(|item| f64::from(self.along(item.bounds.min())) <= high);
        first..end.max(first)
    }

    /// By how much more than its extent a path may seem to reach for rounding; see [`SweptAabb::time_of_impact`].
    fn room(&self, path: &SweptAabb) -> f64 {
        let far = |bounds: &Aabb| {
            f64::from(self.along(bounds.min()).abs().max(self.along(bounds.max()).abs()))
        };
        let ends = self.row.first().into_iter().map(|item| far(&item.bounds));
        let reach = self.reach.last().map(|reach| f64::from(reach.abs()));
        2e-11 * (ends.chain(reach).fold(0.0, f64::max) + far(&path.start()))
    }
}

/// Ascending lower sides, and ids where these are equal: what the row looks like does not depend on
/// what it was before.
#[inline(always)]
fn key(item: &Item, along_y: bool) -> (f32, u32) {
    let low = item.bounds.min();
    (if along_y { low.y } else { low.x }, item.id)
}

/// Whether boxes are spread further along y than along x.
fn is_higher_than_wide(row: &[Item]) -> bool {
    let middles =
        || row.iter().map(|item| item.bounds.min().as_dvec2() + item.bounds.max().as_dvec2());
    let mean = middles().sum::<crate::math::DVec2>() / row.len().max(1) as f64;
    let spread = middles().map(|middle| (middle - mean) * (middle - mean));
    let spread = spread.sum::<crate::math::DVec2>();
    spread.y > spread.x
}

impl BroadPhase for SweepAndPrune {
    fn set(&mut self, id: u32, bounds: Aabb, mobility: Mobility) {
        let item = Item { id, bounds, mobility };
        match self.boxes.set(id, bounds, mobility) {
            Some((last, _)) => {
                self.is_sorted &= last == bounds;
                self.row[self.place_of.get(id) as usize] = item;
            }
            None => {
                self.is_sorted = false;
                self.place_of.set(id, self.row.len() as u32);
                self.row.push(item);
            }
        }
    }

    fn remove(&mut self, id: u32) -> bool {
        let found = self.boxes.remove(id).is_some();
        if found {
            let place = self.place_of.get(id);
            self.row.swap_remove(place as usize);
            if let Some(moved) = self.row.get(place as usize) {
                self.place_of.set(moved.id, place);
            }
            self.is_sorted = false;
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
        self.sort();
        let mut tests = 0;
        for (i, item) in self.row.iter().enumerate() {
            let high = self.along(item.bounds.max());
            for other in &self.row[i + 1..] {
                if self.along(other.bounds.min()) > high {
                    break;
                }
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
        }
        Some(tests)
    }

    fn visit_intersecting(
        &self,
        bounds: &Aabb,
        visit: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> u64 {
        let mut tests = 0;
        let (low, high) = (self.along(bounds.min()), self.along(bounds.max()));
        for item in &self.row[self.part(low.into(), high.into())] {
            tests += 1;
            if meet(bounds, &item.bounds) && visit(item.id).is_break() {
                break;
            }
        }
        tests
    }

    fn visit_swept(&self, path: &SweptAabb, visit: &mut dyn FnMut(u32, f32) -> f32) -> u64 {
        let mut end = path.end();
        let (mut low, mut high) = path.extent(end, self.along_y);
        let room = if self.is_sorted { self.room(path) } else { f64::INFINITY };
        let part = self.part(low - room, high + room);
        let is_forward = path.velocity()[usize::from(self.along_y)] >= 0.0;
        let mut tests = 0;
        for nth in 0..part.len() {
            let place = if is_forward { part.start + nth } else { part.end - 1 - nth };
            let item = &self.row[place];
            // The rest of the row is out of reach, on the side that the path goes to.
            let is_beyond = match is_forward {
                true => f64::from(self.along(item.bounds.min())) > high + room,
                false => self.is_sorted && f64::from(self.reach[place]) < low - room,
            };
            if is_beyond {
                break;
            }
            tests += 1;
            if let Some(time) = path.time_of_impact(&item.bounds, end) {
                end = visit(item.id, time);
                (low, high) = path.extent(end, self.along_y);
            }
        }
        tests
    }

    fn visit_within(
        &self,
        from: &Aabb,
        mut within: f32,
        visit: &mut dyn FnMut(u32, f32) -> f32,
    ) -> u64 {
        // Out from the middle: what is near along the axis tends to be near.
        let (low, high) = (f64::from(self.along(from.min())), f64::from(self.along(from.max())));
        let middle = self.part(high, high).end;
        let mut tests = 0;
        let mut consider = |item: &Item, within: f32| {
            tests += 1;
            let distance = distance(from, &item.bounds);
            if distance <= within { visit(item.id, distance) } else { within }
        };
        for item in &self.row[middle..] {
            if self.is_sorted && f64::from(self.along(item.bounds.min())) - high > within.into() {
                break;
            }
            within = consider(item, within);
        }
        for (place, item) in self.row[..middle].iter().enumerate().rev() {
            if self.is_sorted && low - f64::from(self.reach[place]) > within.into() {
                break;
            }
            within = consider(item, within);
        }
        tests
    }
}
