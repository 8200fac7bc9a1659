use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};

use crate::sweep_steps::{SPLIT_COST, SweepSteps};
use crate::{
    ALL_PAIRS_MAX, AxisCells, BitOffset, BitRows, Bounds, BoxCells, BoxColumns, BoxEntry, BvhView,
    COPY_FLAG, LANES, Lanes, Node, NodeTest, Overlay, Pair, StripGrid, StripIndex, all_pairs,
    bitmaps_overlap, distribute, find_cells, find_ends, gather, join, portable, sweep, test_range,
    traverse_intersecting, traverse_ordered,
};

/// A pseudo-random number generator (xorshift64*).
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32) as u32
    }

    fn below(&mut self, bound: u32) -> u32 {
        self.next() % bound
    }

    /// Returns one of a few values, so that boxes touch, coincide or have no size.
    fn coordinate(&mut self) -> f32 {
        const ODD: [f32; 6] = [f32::MIN, -0.0, 0.0, f32::MIN_POSITIVE, 1e-45, f32::MAX];
        match self.below(8) {
            0 => ODD[self.below(6) as usize],
            _ => self.below(12) as f32 - 6.0,
        }
    }

    fn bounds(&mut self) -> Bounds {
        let [a, b, c, d] = core::array::from_fn(|_| self.coordinate());
        [a.min(b), c.min(d), a.max(b), c.max(d)]
    }

    /// Returns boxes in columns that were longer before, so that there is old data after the last box.
    fn row(&mut self, len: usize) -> BoxColumns {
        let mut row = BoxColumns::new();
        row.resize(len + 20);
        for at in 0..len + 20 {
            row.set(at, BoxEntry { bounds: self.bounds(), id: self.next() });
        }
        row.resize(len);
        row
    }

    /// Returns small boxes far apart, some of which touch; a few are very far away.
    fn sparse_row(&mut self, len: usize) -> BoxColumns {
        let mut row = self.row(len);
        for at in 0..len {
            let [mut x, y, width, height] = [600, 200, 5, 5].map(|end| self.below(end) as f32);
            if self.below(50) == 0 {
                x *= 1e6;
            }
            let bounds = [x / 4.0, y / 4.0, (x + width) / 4.0, (y + height) / 4.0];
            row.set(at, BoxEntry { bounds, id: row.get(at).id });
        }
        row
    }

    /// Returns a list of boxes, none of which is a copy.
    fn boxes(&mut self, len: u32) -> Vec<BoxEntry> {
        (0..len).map(|_| BoxEntry { bounds: self.bounds(), id: self.next() >> 1 }).collect()
    }
}

/// Returns the pair of a box with the one at an index, if they intersect and are not both copies.
fn pair_at(row: &BoxColumns, at: usize, bounds: &Bounds, id: u32) -> Option<Pair> {
    let other = row.get(at);
    let (one, two) = (id & !COPY_FLAG, other.id & !COPY_FLAG);
    (intersect(bounds, &other.bounds) && id & other.id & COPY_FLAG == 0)
        .then(|| [one.min(two), one.max(two)])
}

fn intersect(one: &Bounds, other: &Bounds) -> bool {
    (0..2).all(|i| one[i] <= other[i + 2] && other[i] <= one[i + 2])
}

#[track_caller]
fn assert_each_pair_once(mut pairs: Vec<Pair>, row: &BoxColumns) {
    let len = row.len();
    let all = (0..len).flat_map(|i| (i + 1..len).map(move |j| (row.get(i), j)));
    let mut all: Vec<Pair> = all.filter_map(|(it, j)| pair_at(row, j, &it.bounds, it.id)).collect();
    all.sort_unstable();
    pairs.sort_unstable();
    assert_eq!(pairs, all, "{len} boxes, each pair once");
}

#[test]
fn sweeps_of_strips_that_are_not_sorted_read_nothing_out_of_bounds() {
    // Each box is tested at least against those before its end, and never reported with a box that it does not
    // intersect. More pairs may be found, in an unspecified order.
    let mut rng = Rng(22);
    for round in 0..2000 {
        let len = rng.below(60) as usize;
        let row = rng.row(len);
        let ends: Vec<u32> = (0..len).map(|_| rng.below(len as u32 + 1)).collect();
        for sweep in [sweep, portable::sweep] {
            let mut found = Vec::new();
            sweep(&row, &ends, &mut found);
            let mut all = Vec::new();
            for (i, &end) in ends.iter().enumerate() {
                let BoxEntry { bounds, id } = row.get(i);
                for j in i + 1..len {
                    let pair = pair_at(&row, j, &bounds, id);
                    all.extend(pair);
                    let is_required = j < end as usize;
                    assert!(
                        !is_required || pair.is_none_or(|pair| found.contains(&pair)),
                        "{round}"
                    );
                }
            }
            assert!(found.iter().all(|pair| all.contains(pair)), "{round}: {found:?} of {all:?}");
        }
    }
}

/// Returns boxes sorted by their left sides, often mostly narrow ones, so that they have few or many tests.
fn sorted_row(rng: &mut Rng, len: usize) -> BoxColumns {
    let mut row = rng.row(len);
    let mut boxes: Vec<_> = (0..len).map(|at| row.get(at)).collect();
    boxes.sort_by(|a, b| a.bounds[0].total_cmp(&b.bounds[0]));
    let narrow = rng.below(4) > 0;
    for (at, BoxEntry { mut bounds, id }) in boxes.into_iter().enumerate() {
        if narrow && rng.below(8) > 0 {
            bounds[2] = bounds[2].min(bounds[0] + rng.below(3) as f32);
        }
        row.set(at, BoxEntry { bounds, id });
    }
    row
}

#[test]
fn sweeps_give_the_same_pairs_in_the_same_order_on_every_path() {
    let mut rng = Rng(1);
    let (mut test_counts, mut alone) = ([0; 5], 0);
    for len in (0..40).chain([64, 100, 333]).cycle().take(2000) {
        let row = sorted_row(&mut rng, len);
        let end = |right: &f32| row.min_x().partition_point(|left| left <= right) as u32;
        let ends: Vec<u32> = row.max_x().iter().map(end).collect();
        let pair = |i: usize, j: usize| {
            let BoxEntry { bounds, id } = row.get(i);
            pair_at(&row, j, &bounds, id)
        };
        let mut expected = Vec::from([[7, 8]]); // must be kept
        let (eights, rest) = SweepSteps::groups(&row, &ends);
        for (start, ends) in (0..).step_by(LANES).zip(eights.iter().copied().chain(rest)) {
            let steps = SweepSteps::new(start, &ends);
            for step in 1..=steps.shared {
                let eight = start..(start + LANES).min(len - step);
                expected.extend(eight.filter_map(|i| pair(i, i + step)));
            }
            for lane in steps.straggler_lanes() {
                let (i, end) = (start + lane, ends[lane] as usize);
                expected.extend((i + 1 + steps.shared..end).filter_map(|j| pair(i, j)));
                alone += 1;
            }
        }
        let (mut chosen, mut safe) = (Vec::from([[7, 8]]), Vec::from([[7, 8]]));
        sweep(&row, &ends, &mut chosen);
        portable::sweep(&row, &ends, &mut safe);
        assert_eq!(chosen, expected, "{len} boxes");
        assert_eq!(safe, expected, "{len} boxes");

        chosen.remove(0);
        assert_each_pair_once(chosen, &row);
        for (i, &end) in (1..).zip(&ends) {
            test_counts[(end as usize - i).div_ceil(LANES).min(4)] += 1;
        }
    }
    assert!(test_counts.iter().all(|&boxes| boxes > 1000), "{test_counts:?}");
    assert!(alone > 1000, "{alone} stragglers");
}

#[test]
fn ends_are_the_same_on_every_path_and_leave_out_nothing() {
    let mut rng = Rng(12);
    for len in (0..50).cycle().take(2000) {
        let [low, _, high, _] = rng.bounds();
        let axis = AxisCells::new(low, high, 1 + rng.below(9) as usize);
        let mut row = rng.row(len);
        let mut boxes: Vec<_> = (0..len).map(|at| row.get(at)).collect();
        boxes.sort_by_key(|it| axis.cell(it.bounds[0]));
        for (at, entry) in boxes.iter().enumerate() {
            row.set(at, *entry);
        }
        let start = rng.below(100);
        let end = |cell| start + boxes.partition_point(|it| axis.cell(it.bounds[0]) <= cell) as u32;
        let (mut chosen, mut safe) = (Vec::from([1]), Vec::new());
        let tests = find_ends(&row, &axis, start, end, &mut chosen);
        assert_eq!(tests, portable::find_ends(&row, &axis, start, end, &mut safe));
        assert_eq!(tests, (1..).zip(&safe).map(|(next, &end)| u64::from(end) - next).sum());
        assert_eq!(chosen, safe);
        for (it, &end) in boxes.iter().zip(&chosen) {
            let mut behind = boxes[end as usize..].iter();
            assert!(behind.all(|behind| behind.bounds[0] > it.bounds[2]));
        }
    }
}

#[test]
fn boxes_are_distributed_to_the_same_lists_in_the_same_order_on_every_path() {
    let mut rng = Rng(13);
    for len in (0..40).chain([600, 1100]).cycle().take(1000) {
        let [low, _, high, _] = rng.bounds();
        let axis = AxisCells::new(low, high, 1 + rng.below(9) as usize);
        let boxes = rng.boxes(len);
        let before = rng.boxes(1); // must be kept
        let mut chosen = alloc::vec![before.clone(); axis.len() + 1];
        let mut safe = chosen.clone();
        distribute(&axis, &boxes, &mut chosen);
        portable::distribute(&axis, &boxes, &mut safe);
        for (cell, (chosen, safe)) in (0..).zip(chosen.iter().zip(&mut safe)) {
            assert_eq!(chosen, safe);
            let expected_boxes = boxes.iter().filter_map(|&BoxEntry { bounds, id }| {
                let [first, last] = [bounds[1], bounds[3]].map(|y| axis.cell(y));
                let flag = u32::from(first < cell) << 31;
                (first <= cell && cell <= last).then_some(BoxEntry { bounds, id: id | flag })
            });
            let mut expected: Vec<BoxEntry> =
                before.iter().copied().chain(expected_boxes).collect();
            expected.sort_by_key(|it| it.id);
            safe.sort_by_key(|it| it.id);
            assert_eq!(*safe, expected);
        }
    }
}

#[test]
#[should_panic(expected = "expected one list per cell: 3 cells, 2 lists")]
fn boxes_need_one_list_per_cell() {
    distribute(&AxisCells::new(0.0, 3.0, 3), &[BoxEntry::default()], &mut [Vec::new(), Vec::new()]);
}

#[test]
fn all_pairs_are_found_in_the_same_order_on_every_path() {
    let mut rng = Rng(8);
    for (round, len) in (0..=ALL_PAIRS_MAX).cycle().take(4000).enumerate() {
        let row = if round % 3 == 0 { rng.row(len) } else { rng.sparse_row(len) };
        let pair = |one: usize, other: usize| {
            let BoxEntry { bounds, id } = row.get(one);
            pair_at(&row, other, &bounds, id)
        };
        let mut expected = Vec::from([[7, 8]]); // must be kept
        for others in (0..len).step_by(LANES) {
            for ones in (0..=others).step_by(LANES) {
                for step in 1..=LANES {
                    let lanes = 0..LANES.min(len.saturating_sub(others + step));
                    expected
                        .extend(lanes.filter_map(|lane| pair(ones + lane, others + step + lane)));
                }
            }
        }
        let (mut chosen, mut safe) = (Vec::from([[7, 8]]), Vec::from([[7, 8]]));
        all_pairs(&row, &mut chosen);
        portable::all_pairs(&row, &mut safe);
        assert_eq!(chosen, expected, "{len} boxes");
        assert_eq!(safe, expected, "{len} boxes");

        chosen.remove(0);
        assert_each_pair_once(chosen, &row);
    }
}

#[test]
#[should_panic(expected = "129 boxes are more than 128")]
fn too_many_boxes_for_all_pairs_are_refused() {
    all_pairs(&Rng(3).row(ALL_PAIRS_MAX + 1), &mut Vec::new());
}

#[test]
fn a_range_is_tested_in_its_order() {
    let mut rng = Rng(2);
    for len in (1..70).cycle().take(5000) {
        let row = rng.row(len);
        let start = rng.below(len as u32) as usize;
        let range = start..start + rng.below((len - start) as u32 + 1) as usize;
        let (bounds, id) = (rng.bounds(), rng.next());
        let expected: Vec<_> =
            range.clone().filter_map(|at| pair_at(&row, at, &bounds, id)).collect();
        let mut found = Vec::new();
        test_range(&row, range.clone(), (&bounds, id), &mut found);
        assert_eq!(found, expected, "{range:?} of {len}");
    }
}

#[test]
fn joins_give_the_same_pairs_in_the_same_order_on_every_path() {
    let mut rng = Rng(9);
    for len in (0..60).cycle().take(2000) {
        let boxes = rng.boxes(len);
        let mut axis = || {
            let [low, _, high, _] = rng.bounds();
            AxisCells::new(low, high, 1 + rng.below(9) as usize)
        };
        let grid = StripGrid { x: axis(), y: axis() };
        let reach = [0.0, 1.0, 3.5, f32::MAX][rng.below(4) as usize];
        let sorted = StripIndex::new(&boxes, grid, reach);

        let count = rng.below(150) as usize;
        let movers = rng.row(count);
        let start = rng.below(count as u32 + 1) as usize;
        let (mut chosen, mut safe) = (Vec::new(), Vec::new());
        let tests = join(&movers, start..count, &sorted, &mut chosen);
        assert_eq!(tests, portable::join(&movers, start..count, &sorted, &mut safe));
        assert_eq!(chosen, safe, "{boxes:?}");
        let mut expected: Vec<Pair> = (start..count)
            .map(|at| movers.get(at))
            .filter(|mover| mover.id & COPY_FLAG == 0)
            .flat_map(|BoxEntry { bounds, id }| {
                let found = boxes.iter().filter(move |it| intersect(&bounds, &it.bounds));
                found.map(move |it| [id.min(it.id), id.max(it.id)])
            })
            .collect();
        chosen.sort_unstable();
        expected.sort_unstable();
        assert_eq!(chosen, expected, "each once: {boxes:?}");
    }
}

#[test]
fn cells_are_the_same_on_every_path() {
    let mut rng = Rng(5);
    for len in (0..50).cycle().take(3000) {
        let boxes = rng.boxes(len);
        let mut axis = || {
            let [low, _, high, _] = rng.bounds();
            AxisCells::new(low, high, 1 + rng.below(9) as usize)
        };
        let grid = StripGrid { x: axis(), y: axis() };
        let (mut chosen, mut safe) = (BoxCells::default(), BoxCells::default());
        find_cells(&grid, &boxes, &mut chosen);
        portable::find_cells(&grid, &boxes, &mut safe);
        assert_eq!((chosen.firsts, chosen.copies), (safe.firsts, safe.copies), "{boxes:?}");
    }
}

#[test]
fn boxes_are_gathered_alike_on_every_path() {
    let mut rng = Rng(6);
    for len in (1..50).cycle().take(1000) {
        let boxes = rng.boxes(len);
        let indices: Vec<u32> =
            (0..rng.below(60)).map(|_| rng.below(len) | (rng.next() & COPY_FLAG)).collect();
        let (mut row, mut safe) = (BoxColumns::new(), BoxColumns::new());
        gather(&mut row, &boxes, &indices);
        portable::gather(&mut safe, &boxes, &indices);
        assert_eq!(row.len(), indices.len());
        for (at, &index) in indices.iter().enumerate() {
            let BoxEntry { bounds, id } = boxes[(index & !COPY_FLAG) as usize];
            assert_eq!(row.get(at), BoxEntry { bounds, id: id | (index & COPY_FLAG) });
            assert_eq!(row.get(at), safe.get(at));
        }
    }
}

/// Returns a BVH over some boxes, in the order of the list.
fn tree(boxes: &[Bounds]) -> (Vec<Node>, Vec<u32>) {
    let mut nodes: Vec<Node> =
        boxes.chunks(LANES).map(|eight| Node::new(eight.iter().copied())).collect();
    let (mut begin, mut levels) = (0, Vec::from([0]));
    while begin < nodes.len() {
        let end = nodes.len();
        levels.push(end as u32);
        let around: Vec<Bounds> = nodes[begin..].iter().map(Node::union).collect();
        if around.len() > 1 {
            nodes.extend(around.chunks(LANES).map(|eight| Node::new(eight.iter().copied())));
        }
        begin = end;
    }
    (nodes, levels)
}

/// A test for boxes that reach to the right of a vertical line, ordered by their distance from it.
struct RightOf(f32);

impl NodeTest for RightOf {
    #[inline(always)]
    fn lanes<L: Lanes>(&self, node: &Node, limit: f32) -> (L, L) {
        let [left, low, right, high] = node.sides::<L>();
        let line = L::splat(self.0);
        let far = left.max(low.min(left)).sub(line).max(L::splat(0.0)).mul(L::splat(1.0));
        let far = line.le(right).select(far, L::splat(-1.0)).add(L::splat(0.0));
        let on = L::splat(0.0).le(far).and(far.le(L::splat(limit)));
        (on.and(left.le(right)).and(low.le(high)), far)
    }

    fn key_limit(&self, bound: f32) -> f32 {
        bound
    }
}

#[test]
fn traversals_visit_the_same_boxes_in_the_same_order_on_every_path() {
    let mut rng = Rng(8);
    for len in (0..80).chain([600, 5000]).cycle().take(1000) {
        let boxes: Vec<Bounds> = (0..len).map(|_| rng.bounds()).collect();
        let (nodes, levels) = tree(&boxes);
        let tree = BvhView { nodes: &nodes, levels: &levels };
        let (bounds, enough) = (rng.bounds(), rng.below(40) as usize);

        let mut visited = Vec::new();
        traverse_intersecting(tree, &bounds, |leaf, found| {
            let lanes = (0..LANES).filter(|lane| found >> lane & 1 == 1);
            visited.extend(lanes.map(|lane| leaf * LANES + lane));
            if visited.len() > enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let is_found = |b: &Bounds| intersect(b, &bounds);
        assert!(visited.iter().all(|&index| is_found(&boxes[index])));
        let all = boxes.iter().filter(|b| is_found(b)).count();
        let soon_after = enough + 1..=enough + LANES;
        assert!(visited.len() == all || soon_after.contains(&visited.len()));

        let mut visited = [(); 2].map(|()| Vec::new());
        let [chosen, safe] = &mut visited;
        let test = RightOf(bounds[0]);
        let nearest = |list: &mut Vec<_>, index: usize, sides: &Bounds, key: f32, bound: f32| {
            list.push((index, *sides, key.to_bits()));
            if list.len() > enough { bound.min(key) } else { bound }
        };
        let opened = traverse_ordered(tree, &test, 1e9, |p, b, key, bound| {
            nearest(chosen, p, b, key, bound)
        });
        let expected = portable::traverse_ordered(tree, &test, 1e9, |p, b, key, bound| {
            nearest(safe, p, b, key, bound)
        });
        assert_eq!((opened, &*chosen), (expected, &*safe));
        assert!(chosen.iter().all(|&(index, sides, _)| boxes[index] == sides));
    }
}

#[test]
#[should_panic(expected = "end 6 out of bounds for 5 boxes")]
fn ends_out_of_bounds_are_refused() {
    sweep(&Rng(3).row(5), &[5, 5, 6, 5, 5], &mut Vec::new());
}

#[test]
#[should_panic(expected = "expected one end per box")]
fn a_strip_needs_one_end_per_box() {
    sweep(&Rng(3).row(5), &[5; 4], &mut Vec::new());
}

#[test]
#[should_panic(expected = "range end 6 out of bounds for 5 boxes")]
fn ranges_out_of_bounds_are_refused() {
    test_range(&Rng(4).row(5), 0..6, (&[0.0; 4], 0), &mut Vec::new());
}

#[test]
fn bitmaps_overlap_as_their_bits_do_one_by_one() {
    let mut rng = Rng(11);
    let mut overlapping = 0;
    for round in 0..4000u64 {
        let mut below = |end: u32| rng.below(end) as usize;
        let (rows, strides) = (1 + below(5), [1 + below(9), 1 + below(9)]);
        let start = below(strides[0] as u32);
        let words = start..start + below((strides[0] - start) as u32 + 1);
        let bit = if round % 3 == 0 { 0 } else { below(64) as u32 };
        let across = below(14) as isize - 7;
        // Few bits, so that about half of the bitmaps overlap.
        let mut bits = |len: usize| -> Vec<u64> {
            (0..len).map(|_| [(); 9].iter().fold(0, |word, ()| word | 1 << below(64))).collect()
        };
        let bitmaps = strides.map(|stride| bits(rows * stride));
        let bit_of = |i: usize, row: usize, at: isize| {
            let exists = (0..64 * strides[i] as isize).contains(&at);
            exists && bitmaps[i][row * strides[i] + at as usize / 64] >> (at % 64) & 1 == 1
        };
        let expected = (0..rows).any(|row| {
            (64 * words.start as isize..64 * words.end as isize)
                .any(|at| bit_of(0, row, at) && bit_of(1, row, at + 64 * across + bit as isize))
        });
        let [first, second] = [0, 1].map(|i| BitRows { words: &bitmaps[i], stride: strides[i] });
        let overlay = Overlay { first, second, offset: BitOffset { across, bit }, words, rows };
        assert_eq!(bitmaps_overlap(&overlay), expected);
        assert_eq!(portable::bitmaps_overlap(&overlay), expected);
        overlapping += u32::from(expected);
    }
    assert!((400..3600).contains(&overlapping), "{overlapping} of 4000 overlap");
}

#[test]
fn a_single_common_bit_is_found_wherever_it_is() {
    let mut rng = Rng(12);
    for round in 0..2000 {
        let mut below = |end: u32| rng.below(end) as usize;
        let (rows, stride) = (1 + below(300), 1 + below(12));
        let shift = if round % 2 == 0 { 0 } else { below(64 * stride as u32) };
        // Bit `at` of the first bitmap is over bit `at + shift` of the second.
        let (row, at) = (below(rows as u32), below((64 * stride - shift) as u32));
        let one = |at: usize| {
            let mut words = std::vec![0; rows * stride];
            words[row * stride + at / 64] = 1 << (at % 64);
            words
        };
        let (a, b, other) = (one(at), one(at + shift), one((at + shift + 1) % (64 * stride)));
        let compare = |overlap: fn(&Overlay<'_>) -> bool, second: &[u64]| {
            let [first, second] = [&a[..], second].map(|words| BitRows { words, stride });
            let offset = BitOffset { across: (shift / 64) as isize, bit: (shift % 64) as u32 };
            overlap(&Overlay { first, second, offset, words: 0..stride, rows })
        };
        assert!(compare(bitmaps_overlap, &b) && compare(portable::bitmaps_overlap, &b));
        assert!(!compare(bitmaps_overlap, &other) && !compare(portable::bitmaps_overlap, &other));
    }
}

/// Runs functions that must panic, and returns the messages.
#[track_caller]
fn panics<const N: usize>(paths: [&dyn Fn(); N]) -> [std::string::String; N] {
    paths.map(|path| {
        let run = std::panic::AssertUnwindSafe(path);
        let panic = std::panic::catch_unwind(run).expect_err("the arguments must be refused");
        *panic.downcast().expect("the message is formatted")
    })
}

/// Returns a function that compares two bitmaps of one word after a change to the overlay.
fn overlay(change: impl FnOnce(&mut Overlay<'_>)) -> impl Fn(fn(&Overlay<'_>) -> bool) -> bool {
    static WORD: [u64; 1] = [1];
    let bits = BitRows { words: &WORD, stride: 1 };
    let offset = BitOffset { across: 0, bit: 0 };
    let mut overlay = Overlay { first: bits, second: bits, offset, words: 0..1, rows: 1 };
    change(&mut overlay);
    move |overlap| overlap(&overlay)
}

#[track_caller]
fn assert_refused(change: impl FnOnce(&mut Overlay<'_>), expected: &str) {
    let compare = overlay(change);
    let chosen = || assert!(!compare(bitmaps_overlap));
    let safe = || assert!(!compare(portable::bitmaps_overlap));
    for message in panics([&chosen, &safe]) {
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn bitmaps_with_fewer_words_than_rows_need_are_refused() {
    let half = usize::MAX / 2 + 1;
    // If the product wrapped, two rows of 2⁶³ words would need no words at all.
    assert_refused(
        |it| (it.rows, it.first.stride, it.words) = (2, half, half - 1..half),
        "words do not fit in 1 words",
    );
    assert_refused(
        |it| (it.rows, it.first.stride, it.words, it.second.stride) = (2, 0, 0..0, half),
        "words do not fit in 1 words",
    );
    assert_refused(|it| it.rows = 2, "2 rows of 1 words do not fit in 1 words");
    assert_refused(|it| it.words = 0..2, "words 0..2 out of bounds for rows of 1 words");
    assert_refused(|it| it.words = Range { start: 1, end: 0 }, "words 1..0 out of bounds");
}

#[test]
fn a_product_of_rows_and_stride_that_wraps_to_zero_is_refused() {
    // In a release build, 2⁶³ rows of 2 words wrapped to no words at all, and were read out of bounds.
    let empty = BitRows { words: &[], stride: 2 };
    for change in
        [&|it: &mut Overlay<'_>| it.first = empty, &|it: &mut Overlay<'_>| it.second = empty]
            as [&dyn Fn(&mut Overlay<'_>); 2]
    {
        let expected = "9223372036854775808 rows of";
        assert_refused(
            |it| {
                (it.rows, it.words) = (1 << 63, 0..1);
                change(it);
            },
            expected,
        );
    }
}

#[test]
fn bit_offsets_above_63_are_refused() {
    for bit in [64, 65, u32::MAX] {
        assert_refused(|it| it.offset.bit = bit, "is not below 64");
    }
}

#[test]
fn a_bitmap_without_words_has_no_bit_in_common() {
    for bit in [0, 1, 63] {
        let compare = overlay(|it| (it.second.stride, it.offset.bit) = (0, bit));
        assert!(!compare(bitmaps_overlap) && !compare(portable::bitmaps_overlap));
    }
}

#[test]
fn bitmaps_far_apart_have_no_bit_in_common() {
    for across in [isize::MIN, isize::MIN + 1, -2, 2, isize::MAX - 1, isize::MAX] {
        for bit in [0, 1, 63] {
            let compare = overlay(|it| it.offset = BitOffset { across, bit });
            assert!(
                !compare(bitmaps_overlap) && !compare(portable::bitmaps_overlap),
                "{across} words, {bit} bits"
            );
        }
    }
}

#[test]
fn lists_too_long_for_32_bit_arithmetic_are_refused() {
    // They are refused before any memory is allocated, of which there would not be enough.
    for len in [BoxColumns::MAX_LEN + 1, 3 << 30, usize::MAX] {
        let [message] = panics([&|| BoxColumns::new().resize(len)]);
        assert!(message.contains("boxes are more than 1073741808"), "{message}");
    }
    // The numbers that the loops compute in `i32` fit for the longest row.
    let longest = i32::try_from(BoxColumns::MAX_LEN).unwrap();
    assert!((2 * (longest - 1)).checked_add(SPLIT_COST as i32).is_some());
    assert!((BoxColumns::MAX_LEN as u32) < COPY_FLAG);
}

#[test]
fn grids_with_too_many_cells_are_refused() {
    let axis = |cells| AxisCells::new(0.0, 1.0, cells);
    let grid = StripGrid { x: axis(1 << 22), y: axis((1 << 9) + 1) };
    let chosen = || find_cells(&grid, &[], &mut BoxCells::default());
    let safe = || portable::find_cells(&grid, &[], &mut BoxCells::default());
    let sorted = || drop(StripIndex::new(&[], grid, 0.0));
    for message in panics([&chosen, &safe, &sorted]) {
        assert!(message.contains("are more than 2147483648 cells"), "{message}");
    }
    assert_eq!(StripGrid { x: axis(1 << 22), y: axis(1 << 9) }.cell_count(), StripGrid::MAX_CELLS);
}
