use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};

use crate::{
    ALL_PAIRS_MAX, AxisCells, BitOffset, BitRows, Bounds, BoxCells, BoxColumns, BoxEntry, BvhView,
    COPY_FLAG, LANES, Lanes, Node, NodeTest, Overlay, Pair, StripGrid, StripIndex, all_pairs,
    bitmaps_overlap, distribute, exclusive_prefix_sum, find_cells, find_ends, gather, join,
    portable, steps::Steps, sweep, test_range, traverse_intersecting, traverse_ordered,
};

/// xorshift64*
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

    /// A few values only, so that boxes touch, coincide and have no size.
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

    /// A row of boxes, longer before than it is now, so that boxes have stood behind it.
    fn row(&mut self, len: usize) -> BoxColumns {
        let mut row = BoxColumns::new();
        row.resize(len + 20);
        for at in 0..len + 20 {
            row.put(at, BoxEntry { bounds: self.bounds(), id: self.next() });
        }
        row.resize(len);
        row
    }

    /// A row of small boxes far apart from each other, some of which touch; now and then one is far off.
    fn sparse_row(&mut self, len: usize) -> BoxColumns {
        let mut row = self.row(len);
        for at in 0..len {
            let [mut x, y, width, height] = [600, 200, 5, 5].map(|end| self.below(end) as f32);
            if self.below(50) == 0 {
                x *= 1e6;
            }
            let bounds = [x / 4.0, y / 4.0, (x + width) / 4.0, (y + height) / 4.0];
            row.put(at, BoxEntry { bounds, id: row.get(at).id });
        }
        row
    }

    /// A list of boxes, none of which is marked.
    fn boxes(&mut self, len: u32) -> Vec<BoxEntry> {
        (0..len).map(|_| BoxEntry { bounds: self.bounds(), id: self.next() >> 1 }).collect()
    }
}

/// What the loops do, one box at a time.
fn meet(row: &BoxColumns, at: usize, bounds: &Bounds, id: u32) -> Option<Pair> {
    let other = row.get(at);
    let (one, two) = (id & !COPY_FLAG, other.id & !COPY_FLAG);
    (share_a_point(bounds, &other.bounds) && id & other.id & COPY_FLAG == 0)
        .then(|| [one.min(two), one.max(two)])
}

fn share_a_point(one: &Bounds, other: &Bounds) -> bool {
    (0..2).all(|i| one[i] <= other[i + 2] && other[i] <= one[i + 2])
}

#[track_caller]
fn assert_each_pair_once(mut pairs: Vec<Pair>, row: &BoxColumns) {
    let len = row.len();
    let all = (0..len).flat_map(|i| (i + 1..len).map(move |j| (row.get(i), j)));
    let mut all: Vec<Pair> = all.filter_map(|(it, j)| meet(row, j, &it.bounds, it.id)).collect();
    all.sort_unstable();
    pairs.sort_unstable();
    assert_eq!(pairs, all, "{len} boxes, each pair once");
}

/// Boxes that begin one after the other in x, mostly narrow, so that their ways are of all lengths.
fn sorted_row(rng: &mut Rng, len: usize) -> BoxColumns {
    let mut row = rng.row(len);
    let mut boxes: Vec<_> = (0..len).map(|at| row.get(at)).collect();
    boxes.sort_by(|a, b| a.bounds[0].total_cmp(&b.bounds[0]));
    let narrow = rng.below(4) > 0;
    for (at, BoxEntry { mut bounds, id }) in boxes.into_iter().enumerate() {
        if narrow && rng.below(8) > 0 {
            bounds[2] = bounds[2].min(bounds[0] + rng.below(3) as f32);
        }
        row.put(at, BoxEntry { bounds, id });
    }
    row
}

#[test]
fn sweeps_give_the_same_pairs_in_the_same_order_on_every_path() {
    let mut rng = Rng(1);
    let (mut ways, mut alone) = ([0; 5], 0);
    for len in (0..40).chain([64, 100, 333]).cycle().take(2000) {
        let row = sorted_row(&mut rng, len);
        let end = |right: &f32| row.min_x().partition_point(|left| left <= right) as u32;
        let ends: Vec<u32> = row.max_x().iter().map(end).collect();
        let pair = |i: usize, j: usize| {
            let BoxEntry { bounds, id } = row.get(i);
            meet(&row, j, &bounds, id)
        };
        let mut expected = Vec::from([[7, 8]]); // what is in the list stays
        let (eights, rest) = Steps::eights(&ends, len);
        for (start, ends) in (0..).step_by(LANES).zip(eights.iter().copied().chain(rest)) {
            let steps = Steps::new(start, &ends);
            for step in 1..=steps.together {
                let eight = start..(start + LANES).min(len - step);
                expected.extend(eight.filter_map(|i| pair(i, i + step)));
            }
            for lane in steps.lanes_alone() {
                let (i, end) = (start + lane, ends[lane] as usize);
                expected.extend((i + 1 + steps.together..end).filter_map(|j| pair(i, j)));
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
            ways[(end as usize - i).div_ceil(LANES).min(4)] += 1;
        }
    }
    assert!(ways.iter().all(|&boxes| boxes > 1000), "{ways:?}");
    assert!(alone > 1000, "{alone} boxes went on alone");
}

#[test]
fn numbers_are_added_up_on_every_path() {
    let mut rng = Rng(14);
    for len in (0..50).cycle().take(500) {
        let numbers: Vec<u32> = (0..len).map(|_| rng.below(1 << 26)).collect();
        let mut expected: Vec<u32> = numbers
            .iter()
            .scan(0, |sum, number| Some(core::mem::replace(sum, *sum + number)))
            .collect();
        expected.push(numbers.iter().sum());
        for exclusive_prefix_sum in [exclusive_prefix_sum, portable::exclusive_prefix_sum] {
            let mut sums = numbers.clone();
            let sum = exclusive_prefix_sum(&mut sums);
            sums.push(sum);
            assert_eq!(sums, expected);
        }
    }
}

#[test]
fn ends_are_the_same_on_every_path_and_leave_out_nothing() {
    let mut rng = Rng(12);
    for len in (0..50).cycle().take(2000) {
        let [low, _, high, _] = rng.bounds();
        let ruler = AxisCells::new(low, high, 1 + rng.below(9) as usize);
        let mut row = rng.row(len);
        let mut boxes: Vec<_> = (0..len).map(|at| row.get(at)).collect();
        boxes.sort_by_key(|it| ruler.cell(it.bounds[0]));
        for (at, entry) in boxes.iter().enumerate() {
            row.put(at, *entry);
        }
        let start = rng.below(100);
        let end =
            |cell| start + boxes.partition_point(|it| ruler.cell(it.bounds[0]) <= cell) as u32;
        let (mut chosen, mut safe) = (Vec::from([1]), Vec::new());
        let tests = find_ends(&row, &ruler, start, end, &mut chosen);
        assert_eq!(tests, portable::find_ends(&row, &ruler, start, end, &mut safe));
        assert_eq!(tests, (1..).zip(&safe).map(|(next, &end)| u64::from(end) - next).sum());
        assert_eq!(chosen, safe);
        for (it, &end) in boxes.iter().zip(&chosen) {
            let mut behind = boxes[end as usize..].iter();
            assert!(behind.all(|behind| behind.bounds[0] > it.bounds[2]));
        }
    }
}

#[test]
fn boxes_are_dealt_to_the_same_lists_in_the_same_order_on_every_path() {
    let mut rng = Rng(13);
    for len in (0..40).chain([600, 1100]).cycle().take(1000) {
        let [low, _, high, _] = rng.bounds();
        let ruler = AxisCells::new(low, high, 1 + rng.below(9) as usize);
        let boxes = rng.boxes(len);
        let before = rng.boxes(1); // what is in the lists stays
        let mut chosen = alloc::vec![before.clone(); ruler.len() + 1];
        let mut safe = chosen.clone();
        distribute(&ruler, &boxes, &mut chosen);
        portable::distribute(&ruler, &boxes, &mut safe);
        for (cell, (chosen, safe)) in (0..).zip(chosen.iter().zip(&mut safe)) {
            assert_eq!(chosen, safe);
            let dealt = boxes.iter().filter_map(|&BoxEntry { bounds, id }| {
                let [first, last] = [bounds[1], bounds[3]].map(|y| ruler.cell(y));
                let mark = u32::from(first < cell) << 31;
                (first <= cell && cell <= last).then_some(BoxEntry { bounds, id: id | mark })
            });
            let mut expected: Vec<BoxEntry> = before.iter().copied().chain(dealt).collect();
            expected.sort_by_key(|it| it.id);
            safe.sort_by_key(|it| it.id);
            assert_eq!(*safe, expected);
        }
    }
}

#[test]
#[should_panic(expected = "3 cells have 2 lists")]
fn boxes_are_not_dealt_to_lists_that_are_not_there() {
    distribute(&AxisCells::new(0.0, 3.0, 3), &[BoxEntry::default()], &mut [Vec::new(), Vec::new()]);
}

#[test]
fn all_boxes_of_a_row_are_paired_in_the_same_order_on_every_path() {
    let mut rng = Rng(8);
    for (round, len) in (0..=ALL_PAIRS_MAX).cycle().take(4000).enumerate() {
        let row = if round % 3 == 0 { rng.row(len) } else { rng.sparse_row(len) };
        let pair = |one: usize, other: usize| {
            let BoxEntry { bounds, id } = row.get(one);
            meet(&row, other, &bounds, id)
        };
        let mut expected = Vec::from([[7, 8]]); // what is in the list stays
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
#[should_panic(expected = "129 has more boxes than 128")]
fn more_than_few_boxes_are_not_paired_with_all() {
    all_pairs(&Rng(3).row(ALL_PAIRS_MAX + 1), &mut Vec::new());
}

#[test]
fn scans_give_the_same_pairs_in_the_same_order_on_every_path() {
    let mut rng = Rng(2);
    for len in (1..70).cycle().take(5000) {
        let row = rng.row(len);
        let start = rng.below(len as u32) as usize;
        let places = start..start + rng.below((len - start) as u32 + 1) as usize;
        let (bounds, id, continuing) = (rng.bounds(), rng.next() >> 1, rng.below(2) == 0);
        let mark = if continuing { 0 } else { COPY_FLAG };
        let expected: Vec<_> =
            places.clone().filter_map(|at| meet(&row, at, &bounds, id | mark)).collect();
        let (mut chosen, mut safe) = (Vec::new(), Vec::new());
        test_range(&row, places.clone(), (&bounds, id), continuing, &mut chosen);
        portable::test_range(&row, places.clone(), (&bounds, id), continuing, &mut safe);
        assert_eq!(chosen, expected, "{places:?} of {len}");
        assert_eq!(safe, expected, "{places:?} of {len}");
    }
}

#[test]
fn joins_give_the_same_pairs_in_the_same_order_on_every_path() {
    let mut rng = Rng(9);
    for len in (0..60).cycle().take(2000) {
        let boxes = rng.boxes(len);
        let mut ruler = || {
            let [low, _, high, _] = rng.bounds();
            AxisCells::new(low, high, 1 + rng.below(9) as usize)
        };
        let grid = StripGrid { x: ruler(), y: ruler() };
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
                let met = boxes.iter().filter(move |it| share_a_point(&bounds, &it.bounds));
                met.map(move |it| [id.min(it.id), id.max(it.id)])
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
        let mut ruler = || {
            let [low, _, high, _] = rng.bounds();
            AxisCells::new(low, high, 1 + rng.below(9) as usize)
        };
        let grid = StripGrid { x: ruler(), y: ruler() };
        let (mut chosen, mut safe) = (BoxCells::default(), BoxCells::default());
        find_cells(&grid, &boxes, &mut chosen);
        portable::find_cells(&grid, &boxes, &mut safe);
        assert_eq!((chosen.firsts, chosen.others), (safe.firsts, safe.others), "{boxes:?}");
    }
}

#[test]
fn rows_are_gathered_in_the_same_way_on_every_path() {
    let mut rng = Rng(6);
    for len in (1..50).cycle().take(1000) {
        let boxes = rng.boxes(len);
        let places: Vec<u32> =
            (0..rng.below(60)).map(|_| rng.below(len) | (rng.next() & COPY_FLAG)).collect();
        let (mut row, mut safe) = (BoxColumns::new(), BoxColumns::new());
        gather(&mut row, &boxes, &places);
        safe.resize(places.len());
        portable::gather(&mut safe, &boxes, &places);
        assert_eq!(row.len(), places.len());
        for (at, &place) in places.iter().enumerate() {
            let BoxEntry { bounds, id } = boxes[(place & !COPY_FLAG) as usize];
            assert_eq!(row.get(at), BoxEntry { bounds, id: id | (place & COPY_FLAG) });
            assert_eq!(row.get(at), safe.get(at));
        }
    }
}

/// A tree of eights over some boxes, in no good order.
fn tree(boxes: &[Bounds]) -> (Vec<Node>, Vec<u32>) {
    let mut nodes: Vec<Node> =
        boxes.chunks(LANES).map(|eight| Node::new(eight.iter().copied())).collect();
    let (mut begin, mut levels) = (0, Vec::from([0]));
    while begin < nodes.len() {
        let end = nodes.len();
        levels.push(end as u32);
        let around: Vec<Bounds> = nodes[begin..].iter().map(Node::around).collect();
        if around.len() > 1 {
            nodes.extend(around.chunks(LANES).map(|eight| Node::new(eight.iter().copied())));
        }
        begin = end;
    }
    (nodes, levels)
}

/// Boxes right of a line, by how far.
struct RightOf(f32);

impl NodeTest for RightOf {
    #[inline(always)]
    fn lanes<L: Lanes>(&self, node: &Node, limit: f32) -> (L, L) {
        let [left, low, right, high] = node.rows::<L>();
        let line = L::splat(self.0);
        let far = left.max(low.min(left)).minus(line).max(L::splat(0.0)).times(L::splat(1.0));
        let far = line.at_most(right).select(far, L::splat(-1.0)).plus(L::splat(0.0));
        let on = L::splat(0.0).at_most(far).and(far.at_most(L::splat(limit)));
        (on.and(left.at_most(right)).and(low.at_most(high)), far)
    }

    fn limit(&self, told: f32) -> f32 {
        told
    }
}

#[test]
fn walks_find_all_and_in_order_the_same_on_every_path() {
    let mut rng = Rng(8);
    for len in (0..80).chain([600, 5000]).cycle().take(1000) {
        let boxes: Vec<Bounds> = (0..len).map(|_| rng.bounds()).collect();
        let (nodes, levels) = tree(&boxes);
        let tree = BvhView { nodes: &nodes, levels: &levels };
        let (bounds, patience) = (rng.bounds(), rng.below(40) as usize);

        let mut visited = Vec::new();
        traverse_intersecting(tree, &bounds, |leaf, met| {
            let lanes = (0..LANES).filter(|lane| met >> lane & 1 == 1);
            visited.extend(lanes.map(|lane| leaf * LANES + lane));
            if visited.len() > patience {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        let meets = |b: &Bounds| (0..2).all(|i| b[i] <= bounds[i + 2] && bounds[i] <= b[i + 2]);
        assert!(visited.iter().all(|&place| meets(&boxes[place])));
        let all = boxes.iter().filter(|b| meets(b)).count();
        let soon_after = patience + 1..=patience + LANES;
        assert!(visited.len() == all || soon_after.contains(&visited.len()));

        let mut visited = [(); 2].map(|()| Vec::new());
        let [chosen, safe] = &mut visited;
        let test = RightOf(bounds[0]);
        let nearest = |list: &mut Vec<_>, place: usize, sides: &Bounds, key: f32, told: f32| {
            list.push((place, *sides, key.to_bits()));
            if list.len() > patience { told.min(key) } else { told }
        };
        let opened =
            traverse_ordered(tree, &test, 1e9, |p, b, key, told| nearest(chosen, p, b, key, told));
        let of_twin = portable::traverse_ordered(tree, &test, 1e9, |p, b, key, told| {
            nearest(safe, p, b, key, told)
        });
        assert_eq!((opened, &*chosen), (of_twin, &*safe));
        assert!(chosen.iter().all(|&(place, sides, _)| boxes[place] == sides));
    }
}

#[test]
#[should_panic(expected = "no end 6")]
fn ends_behind_a_row_are_refused() {
    sweep(&Rng(3).row(5), &[5, 5, 6, 5, 5], &mut Vec::new());
}

#[test]
#[should_panic(expected = "an end for each")]
fn a_row_needs_an_end_for_every_box() {
    sweep(&Rng(3).row(5), &[5; 4], &mut Vec::new());
}

#[test]
#[should_panic(expected = "no place 6")]
fn places_behind_a_row_are_refused() {
    test_range(&Rng(4).row(5), 0..6, (&[0.0; 4], 0), true, &mut Vec::new());
}

#[test]
fn bits_meet_as_they_do_one_by_one() {
    let mut rng = Rng(11);
    let mut met = 0;
    for round in 0..4000u64 {
        let mut below = |end: u32| rng.below(end) as usize;
        let (rows, strides) = (1 + below(5), [1 + below(9), 1 + below(9)]);
        let start = below(strides[0] as u32);
        let words = start..start + below((strides[0] - start) as u32 + 1);
        let bit = if round % 3 == 0 { 0 } else { below(64) as u32 };
        let across = below(14) as isize - 7;
        // Few bits, so that they meet about every other time.
        let mut bits = |len: usize| -> Vec<u64> {
            (0..len).map(|_| [(); 9].iter().fold(0, |word, ()| word | 1 << below(64))).collect()
        };
        let bitmaps = strides.map(|stride| bits(rows * stride));
        let bit_of = |i: usize, row: usize, at: isize| {
            let is_there = (0..64 * strides[i] as isize).contains(&at);
            is_there && bitmaps[i][row * strides[i] + at as usize / 64] >> (at % 64) & 1 == 1
        };
        let expected = (0..rows).any(|row| {
            (64 * words.start as isize..64 * words.end as isize)
                .any(|at| bit_of(0, row, at) && bit_of(1, row, at + 64 * across + bit as isize))
        });
        let [first, second] = [0, 1].map(|i| BitRows { words: &bitmaps[i], stride: strides[i] });
        let overlay = Overlay { first, second, shift: BitOffset { across, bit }, words, rows };
        assert_eq!(bitmaps_overlap(&overlay), expected);
        assert_eq!(portable::bitmaps_overlap(&overlay), expected);
        met += u32::from(expected);
    }
    assert!((400..3600).contains(&met), "{met} of 4000 meet");
}

#[test]
fn a_single_common_bit_is_found_wherever_it_is() {
    let mut rng = Rng(12);
    for round in 0..2000 {
        let mut below = |end: u32| rng.below(end) as usize;
        let (rows, stride) = (1 + below(300), 1 + below(12));
        let shift = if round % 2 == 0 { 0 } else { below(64 * stride as u32) };
        // Bit `at` of the first lies on bit `at + shift` of the second.
        let (row, at) = (below(rows as u32), below((64 * stride - shift) as u32));
        let one = |at: usize| {
            let mut words = std::vec![0; rows * stride];
            words[row * stride + at / 64] = 1 << (at % 64);
            words
        };
        let (a, b, other) = (one(at), one(at + shift), one((at + shift + 1) % (64 * stride)));
        let meets = |meet: fn(&Overlay<'_>) -> bool, second: &[u64]| {
            let [first, second] = [&a[..], second].map(|words| BitRows { words, stride });
            let shift = BitOffset { across: (shift / 64) as isize, bit: (shift % 64) as u32 };
            meet(&Overlay { first, second, shift, words: 0..stride, rows })
        };
        assert!(meets(bitmaps_overlap, &b) && meets(portable::bitmaps_overlap, &b));
        assert!(!meets(bitmaps_overlap, &other) && !meets(portable::bitmaps_overlap, &other));
    }
}

/// Runs a loop on every path, and returns the messages with which it panics.
#[track_caller]
fn panics<const N: usize>(paths: [&dyn Fn(); N]) -> [std::string::String; N] {
    paths.map(|path| {
        let run = std::panic::AssertUnwindSafe(path);
        let panic = std::panic::catch_unwind(run).expect_err("the arguments are refused");
        *panic.downcast().expect("the message is formatted")
    })
}

/// Two bitmaps of one word, and a change to how they are compared.
fn overlay(change: impl FnOnce(&mut Overlay<'_>)) -> impl Fn(fn(&Overlay<'_>) -> bool) -> bool {
    static WORD: [u64; 1] = [1];
    let bits = BitRows { words: &WORD, stride: 1 };
    let shift = BitOffset { across: 0, bit: 0 };
    let mut overlay = Overlay { first: bits, second: bits, shift, words: 0..1, rows: 1 };
    change(&mut overlay);
    move |meet| meet(&overlay)
}

#[track_caller]
fn assert_refused(change: impl FnOnce(&mut Overlay<'_>), expected: &str) {
    let meet = overlay(change);
    let chosen = || assert!(!meet(bitmaps_overlap));
    let safe = || assert!(!meet(portable::bitmaps_overlap));
    for message in panics([&chosen, &safe]) {
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn bitmaps_whose_words_cannot_be_counted_are_refused() {
    let half = usize::MAX / 2 + 1;
    // Two rows of half of all words are no words at all, if the product wraps.
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
fn bitmaps_are_not_shifted_by_more_bits_than_a_word_has() {
    for bit in [64, 65, u32::MAX] {
        assert_refused(|it| it.shift.bit = bit, "bits is more than a word");
    }
}

#[test]
fn a_bitmap_without_words_has_no_bit_in_common() {
    for bit in [0, 1, 63] {
        let meet = overlay(|it| (it.second.stride, it.shift.bit) = (0, bit));
        assert!(!meet(bitmaps_overlap) && !meet(portable::bitmaps_overlap));
    }
}

#[test]
fn bitmaps_far_beside_each_other_have_no_bit_in_common() {
    for across in [isize::MIN, isize::MIN + 1, -2, 2, isize::MAX - 1, isize::MAX] {
        for bit in [0, 1, 63] {
            let meet = overlay(|it| it.shift = BitOffset { across, bit });
            assert!(
                !meet(bitmaps_overlap) && !meet(portable::bitmaps_overlap),
                "{across} words, {bit} bits"
            );
        }
    }
}

#[test]
fn rows_longer_than_the_loops_can_count_are_refused() {
    // Refused before any memory is asked for, of which there would not be enough.
    for len in [BoxColumns::MAX_LEN + 1, 3 << 30, usize::MAX] {
        let [message] = panics([&|| BoxColumns::new().resize(len)]);
        assert!(message.contains("a row has at most 1073741808 boxes"), "{message}");
    }
    // What the loops compute in `i32` fits for the longest row.
    let longest = i32::try_from(BoxColumns::MAX_LEN).unwrap();
    assert!((2 * (longest - 1)).checked_add(crate::steps::PARTING as i32).is_some());
    assert!((BoxColumns::MAX_LEN as u32) < COPY_FLAG);
}

#[test]
fn grids_whose_cells_cannot_be_numbered_are_refused() {
    let ruler = |cells| AxisCells::new(0.0, 1.0, cells);
    let grid = StripGrid { x: ruler(1 << 22), y: ruler((1 << 9) + 1) };
    let chosen = || find_cells(&grid, &[], &mut BoxCells::default());
    let safe = || portable::find_cells(&grid, &[], &mut BoxCells::default());
    let sorted = || drop(StripIndex::new(&[], grid, 0.0));
    for message in panics([&chosen, &safe, &sorted]) {
        assert!(message.contains("has more than 2147483648 cells"), "{message}");
    }
    assert_eq!(StripGrid { x: ruler(1 << 22), y: ruler(1 << 9) }.cells(), StripGrid::MAX_CELLS);
}
