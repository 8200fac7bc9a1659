//! Making a packed tree: the boxes are cut into strips of equally many along y, each strip is put in
//! order along x, and every eight neighbours become a leaf (sort-tile-recursive).
//!
//! Sorting is what takes the time, so it is done by counting: y picks one of some thousand bins, whose
//! counts tell where the strips begin, and x becomes a number of a few bits. Both are measured on the
//! middle of the scene, taken from a sample, and not on all of it: one box far out must not put all
//! others into the same bin. What the bins are too coarse for is then sorted by comparing.

use alloc::vec::Vec;

use super::node::{Node, Span, WIDTH};
use super::{NOWHERE, PackedTree};
use crate::math::Vec2;
use crate::shape::Aabb;

/// Memory kept for the next time.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// A key in the upper half, an id in the lower.
    order: Vec<u64>,
    sorted: Vec<u64>,
    counts: [Vec<u32>; 2],
    sample: Vec<f32>,
}

/// How many bins y is counted in, as bits.
const BIN_BITS: u32 = 11;
/// How many boxes are looked at for the extent of the scene.
const SAMPLE: usize = 256;
/// More boxes than this with the same key are sorted by comparing.
const LONGEST_RUN: usize = 2 * RUN_STEP;
const RUN_STEP: usize = 16;

impl PackedTree {
    /// Makes the tree anew from the boxes with these ids, which must be different.
    pub fn rebuild(&mut self, ids: impl Iterator<Item = u32>, bounds: impl Fn(u32) -> Aabb) {
        let Scratch { order, .. } = &mut self.scratch;
        order.clear();
        order.extend(ids.map(u64::from));
        let ends = order.iter().max().map_or(0, |&greatest| greatest as usize + 1);
        self.places.clear();
        self.places.resize(ends, NOWHERE);
        self.scratch.arrange(&bounds);
        self.pack_leaves(bounds);
        self.stack_levels();
        self.loose.clear();
        self.widened = 0;
    }

    fn pack_leaves(&mut self, bounds: impl Fn(u32) -> Aabb) {
        let order = &self.scratch.order;
        self.built = order.len();
        self.nodes.clear();
        self.ids.clear();
        self.nodes.reserve(order.len() / 6);
        for (leaf, eight) in order.chunks(WIDTH).enumerate() {
            let mut ids = [NOWHERE; WIDTH];
            for (lane, (place, &entry)) in ids.iter_mut().zip(eight).enumerate() {
                *place = entry as u32;
                self.places[entry as u32 as usize] = (leaf * WIDTH + lane) as u32;
            }
            self.ids.push(ids);
            self.nodes.push(match <&[u64; WIDTH]>::try_from(eight) {
                Ok(eight) => Node::new(eight.map(|entry| Span::of(bounds(entry as u32)))),
                Err(_) => Node::new(eight.iter().map(|&entry| Span::of(bounds(entry as u32)))),
            });
        }
    }

    fn stack_levels(&mut self) {
        self.levels.clear();
        self.levels.push(0);
        let (mut begin, mut end) = (0, self.nodes.len());
        while end > begin {
            self.levels.push(end as u32);
            if end - begin == 1 {
                break;
            }
            for first in (begin..end).step_by(WIDTH) {
                let eight = &self.nodes[first..end.min(first + WIDTH)];
                let node = Node::new(eight.iter().map(Node::span));
                self.nodes.push(node);
            }
            (begin, end) = (end, self.nodes.len());
        }
    }
}

/// A linear map from coordinates to whole numbers below a limit.
struct Scale {
    from: f32,
    factor: f32,
    last: u32,
}

impl Scale {
    /// For the middle of a sample and half as much again.
    fn new(sample: &mut [f32], bits: u32) -> Self {
        sample.sort_unstable_by(f32::total_cmp);
        let aside = sample.len() / 32;
        let (low, high) = (sample[aside], sample[sample.len() - 1 - aside]);
        let quarter = (high - low) / 4.0;
        let last = (1 << bits) - 1;
        Self { from: low - quarter, factor: last as f32 / (6.0 * quarter), last }
    }

    /// Where a coordinate comes to lie. What is too low, too high or not a number (where all of the
    /// sample is in one place) gets an end.
    #[inline(always)]
    fn of(&self, coordinate: f32) -> u32 {
        (((coordinate - self.from) * self.factor) as u32).min(self.last)
    }
}

/// An eighth of the middle of a box, so that differences do not get too large for a number.
#[inline(always)]
fn middle(bounds: Aabb) -> Vec2 {
    bounds.min() * 0.0625 + bounds.max() * 0.0625
}

impl Scratch {
    /// Puts the ids in `order` into the order of the leaves.
    fn arrange(&mut self, bounds: &impl Fn(u32) -> Aabb) {
        let len = self.order.len();
        if len <= WIDTH {
            return;
        }
        let middle_of = |entry: u64| middle(bounds(entry as u32));
        // As many strips as there are leaves in one.
        let strips = libm::sqrtf((len / WIDTH) as f32) as usize + 1;
        let quota = len.div_ceil(strips);
        let strip_bits = (2 * strips + 1).ilog2() + 1; // see `cut`
        let digit_bits = (len.ilog2() + 7).div_ceil(2).clamp(strip_bits, 11);
        let x_bits = 2 * digit_bits - strip_bits;

        let step = (len / SAMPLE).max(1);
        let mut scale = |axis: fn(Vec2) -> f32, bits| {
            self.sample.clear();
            self.sample
                .extend(self.order.iter().step_by(step).map(|&entry| axis(middle_of(entry))));
            Scale::new(&mut self.sample, bits)
        };
        let (x_scale, y_scale) = (scale(|m| m.x, x_bits), scale(|m| m.y, BIN_BITS));

        let [strip_of, _] = &mut self.counts;
        strip_of.clear();
        strip_of.resize(1 << BIN_BITS, 0);
        for entry in &mut self.order {
            let middle = middle_of(*entry);
            let (x, bin) = (x_scale.of(middle.x), y_scale.of(middle.y));
            strip_of[bin as usize] += 1;
            *entry |= u64::from(bin << (32 - BIN_BITS) | x) << 32;
        }
        cut(strip_of, quota);
        for entry in &mut self.order {
            let key = (*entry >> 32) as u32;
            let strip = strip_of[(key >> (32 - BIN_BITS)) as usize];
            let x = key & x_scale.last;
            // Every other strip runs backwards: the next one begins where the last has ended.
            let x = if strip & 1 == 0 { x } else { x_scale.last - x };
            *entry = u64::from(strip << x_bits | x) << 32 | u64::from(*entry as u32);
        }
        self.sort(digit_bits);
        self.refine(x_bits, quota, middle_of);
    }

    /// Sorts by two digits of the key.
    fn sort(&mut self, digit_bits: u32) {
        let digit = |entry: u64, which: u32| {
            (entry >> (32 + which * digit_bits)) as usize & ((1 << digit_bits) - 1)
        };
        for counts in &mut self.counts {
            counts.clear();
            counts.resize(1 << digit_bits, 0);
        }
        let [low, high] = &mut self.counts;
        for &entry in &self.order {
            low[digit(entry, 0)] += 1;
            high[digit(entry, 1)] += 1;
        }
        self.sorted.resize(self.order.len(), 0);
        for which in 0..2 {
            let counts = &mut self.counts[which as usize];
            let mut place = 0;
            for count in counts.iter_mut() {
                place += core::mem::replace(count, place);
            }
            for &entry in &self.order {
                let place = &mut counts[digit(entry, which)];
                self.sorted[*place as usize] = entry;
                *place += 1;
            }
            core::mem::swap(&mut self.order, &mut self.sorted);
        }
    }

    /// Sorts by comparing what has the same key, and cuts anew what has become too full a strip.
    fn refine(&mut self, x_bits: u32, quota: usize, middle_of: impl Fn(u64) -> Vec2) {
        let strip_of = |entry: u64| (entry >> 32) as u32 >> x_bits;
        let along_x = |backwards: bool| {
            let middle_of = &middle_of;
            move |a: &u64, b: &u64| {
                let (a, b) = if backwards { (b, a) } else { (a, b) };
                middle_of(*a).x.total_cmp(&middle_of(*b).x).then(a.cmp(b))
            }
        };
        let mut rest = &mut self.order[..];
        while let Some(&first) = rest.first() {
            let strip = strip_of(first);
            let len = rest.partition_point(|&entry| strip_of(entry) == strip);
            let (this, others) = rest.split_at_mut(len);
            rest = others;
            if len > 4 * quota {
                this.sort_unstable_by(|a, b| {
                    middle_of(*a).y.total_cmp(&middle_of(*b).y).then(a.cmp(b))
                });
                for (part, entries) in this.chunks_mut(quota).enumerate() {
                    entries.sort_unstable_by(along_x((strip as usize + part) % 2 == 1));
                }
                continue;
            }
            let mut begin = 0;
            while begin + RUN_STEP < len {
                let key = this[begin] >> 32;
                if this[begin + RUN_STEP] >> 32 == key {
                    let before =
                        this[..begin].iter().rev().take_while(|&&e| e >> 32 == key).count();
                    let after = this[begin..].iter().take_while(|&&e| e >> 32 == key).count();
                    if before + after > LONGEST_RUN {
                        let run = &mut this[begin - before..begin + after];
                        run.sort_unstable_by(along_x(strip % 2 == 1));
                    }
                    begin += after;
                } else {
                    begin += RUN_STEP;
                }
            }
        }
    }
}

/// Turns the count of boxes in each bin into the number of the strip it belongs to. Two strips that
/// follow each other hold more than the quota, so there are at most twice as many as asked for, and
/// one.
fn cut(bins: &mut [u32], quota: usize) {
    let (mut strip, mut held) = (0, 0);
    for bin in bins {
        let count = *bin as usize;
        if held > 0 && held + count / 2 > quota {
            (strip, held) = (strip + 1, 0);
        }
        held += count;
        *bin = strip;
    }
}
