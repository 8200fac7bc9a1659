//! The loops of `carom-simd` that are chosen for this CPU, compared with their portable versions. A loop
//! for a CPU is kept only if it is at least 1.3 times as fast.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use carom_simd::{
    AxisCells, BitOffset, BitRows, Bounds, BoxCells, BoxColumns, BoxEntry, BvhView, LANES, Lanes,
    Node, NodeTest, Overlay, Pair, StripGrid, StripIndex,
};
use carom_simd::{
    all_pairs, bitmaps_overlap, distribute, find_cells, find_ends, gather, join, portable, sweep,
    traverse_ordered,
};

use crate::harness::{Answer, Row, Verdict};
use crate::indexes::sides;
use crate::report::Bench;
use crate::results::CAROM;
use crate::scenes::{BoxScene, KINDS};

/// The number of boxes, and the side of the square that contains them.
const BOXES: usize = 10_000;
const SIDE: f32 = 100.0;

pub fn rows(bench: &mut Bench) {
    bench.queries("simd cells of 10k boxes", || {
        let setting = Setting::new();
        let ask = |cells: FindCells| {
            let (grid, boxes, out) = (setting.grid, setting.boxes.clone(), RefCell::default());
            move |_: &()| {
                let out: &mut BoxCells = &mut out.borrow_mut();
                cells(&grid, &boxes, out);
                out.firsts.len() + out.copies.len()
            }
        };
        row(vec![()], ask(find_cells), ask(portable::find_cells))
    });
    bench.queries("simd distribute 10k boxes", || {
        let Setting { boxes, grid } = Setting::new();
        let ask = |distribute: Distribute| {
            let lists = RefCell::new(vec![Vec::new(); grid.strips()]);
            let (ruler, boxes) = (grid.y, boxes.clone());
            move |_: &()| {
                let lists: &mut Vec<Vec<BoxEntry>> = &mut lists.borrow_mut();
                lists.iter_mut().for_each(Vec::clear);
                distribute(&ruler, &boxes, lists);
                lists.iter().map(Vec::len).sum()
            }
        };
        row(vec![()], ask(distribute), ask(portable::distribute))
    });
    bench.queries("simd ends of a strip", || {
        let (strip, ruler) = (strip().0, AxisCells::new(0.0, SIDE, 512));
        let cell_ends = move |strip: &BoxColumns| -> Vec<u32> {
            let end = |cell| strip.min_x().partition_point(|&x| ruler.cell(x) <= cell) as u32;
            (0..512).map(end).collect()
        };
        let ask = |find_ends: FindEnds| {
            let (strip, cell_ends, ends) = (strip.clone(), cell_ends(&strip), RefCell::default());
            move |_: &()| find_ends(&strip, &ruler, &cell_ends, &mut ends.borrow_mut()) as usize
        };
        row(
            vec![(); 16],
            ask(|row, ruler, cells, ends| find_ends(row, ruler, 0, |i| cells[i as usize], ends)),
            ask(|row, ruler, cells, ends| {
                portable::find_ends(row, ruler, 0, |i| cells[i as usize], ends)
            }),
        )
    });
    bench.queries("simd gather a strip", || {
        let Setting { boxes, .. } = Setting::new();
        let places: Vec<u32> = (0..500).map(|i| i * 7919 % BOXES as u32).collect();
        let ask = |gather: Gather| {
            let (boxes, row) = (boxes.clone(), RefCell::new(BoxColumns::new()));
            row.borrow_mut().resize(places.len());
            move |places: &Vec<u32>| {
                gather(&mut row.borrow_mut(), &boxes, places);
                row.borrow().len()
            }
        };
        row(vec![places.clone(); 16], ask(gather), ask(portable::gather))
    });
    bench.queries("simd sweep a strip", || {
        let (strip, ends) = strip();
        let ask = |sweep: Sweep| {
            let (strip, ends, pairs) = (strip.clone(), ends.clone(), RefCell::default());
            move |_: &()| {
                let pairs: &mut Vec<Pair> = &mut pairs.borrow_mut();
                pairs.clear();
                sweep(&strip, &ends, pairs);
                pairs.len()
            }
        };
        row(vec![(); 16], ask(sweep), ask(portable::sweep))
    });
    bench.queries("simd pair 100 boxes", || {
        let (boxes, places) = (uniform(100), Vec::from_iter(0..100));
        let mut few = BoxColumns::new();
        gather(&mut few, &boxes, &places);
        let ask = |all_pairs: AllPairs| {
            let (few, pairs) = (few.clone(), RefCell::default());
            move |_: &()| {
                let pairs: &mut Vec<Pair> = &mut pairs.borrow_mut();
                pairs.clear();
                all_pairs(&few, pairs);
                pairs.len()
            }
        };
        row(vec![(); 16], ask(all_pairs), ask(portable::all_pairs))
    });
    bench.queries("simd bits of 256 x 256", || {
        let ask = |meet: BitmapsOverlap| {
            let [a, b] = [[0x5555_5555_5555_5555u64; 1024], [0; 1024]];
            move |&bit: &u32| {
                let [a, b] = [&a, &b].map(|words| BitRows { words, stride: 4 });
                let offset = BitOffset { across: 0, bit };
                let overlay = Overlay { first: a, second: b, offset, words: 0..4, rows: 256 };
                usize::from(meet(&overlay))
            }
        };
        row((0..64).collect(), ask(bitmaps_overlap), ask(portable::bitmaps_overlap))
    });
    bench.queries("simd join 64 boxes with 10k", || {
        let (sorted, movers) = (Rc::new(sorted()), strip().0);
        let ask = |join: Join| {
            let (sorted, movers, pairs) = (sorted.clone(), movers.clone(), RefCell::default());
            move |&start: &usize| {
                let pairs: &mut Vec<Pair> = &mut pairs.borrow_mut();
                pairs.clear();
                join(&movers, start..start + 64, &sorted, pairs);
                pairs.len()
            }
        };
        row(vec![0, 64, 128, 192], ask(join), ask(portable::join))
    });
    bench.queries("simd walk to the nearest", || {
        let (tree, boxes) = (Rc::new(tree()), Setting::new().boxes);
        let beside = |it: &BoxEntry| Near([it.bounds[0] + 3.0, it.bounds[1] - 2.0]);
        let questions: Vec<Near> = boxes.iter().step_by(10).map(beside).collect();
        let (one, twin) = (tree.clone(), tree);
        let nearest = |_: usize, _: &Bounds, key: f32, best: f32| best.min(key);
        let chosen =
            move |near: &Near| traverse_ordered(view(&one), near, f32::INFINITY, nearest) as usize;
        let safe = move |near: &Near| {
            portable::traverse_ordered(view(&twin), near, f32::INFINITY, nearest) as usize
        };
        row(questions, chosen, safe)
    });
}

type FindCells = fn(&StripGrid, &[BoxEntry], &mut BoxCells);
type Distribute = fn(&AxisCells, &[BoxEntry], &mut [Vec<BoxEntry>]);
type FindEnds = fn(&BoxColumns, &AxisCells, &[u32], &mut Vec<u32>) -> u64;
type Gather = fn(&mut BoxColumns, &[BoxEntry], &[u32]);
type Sweep = fn(&BoxColumns, &[u32], &mut Vec<Pair>);
type AllPairs = fn(&BoxColumns, &mut Vec<Pair>);
type BitmapsOverlap = fn(&Overlay<'_>) -> bool;
type Join = fn(&BoxColumns, Range<usize>, &StripIndex, &mut Vec<Pair>) -> u64;

/// The CPU's own loop and the portable one; both return a checksum, so that they can be compared.
fn row<T: Clone + 'static>(
    items: Vec<T>,
    chosen: impl Fn(&T) -> usize + 'static,
    safe: impl Fn(&T) -> usize + 'static,
) -> Row<'static> {
    let answer = |&number: &usize| Answer::Value(number as f64);
    let truth: Vec<Answer> = items.iter().map(|item| answer(&safe(item))).collect();
    let right = truth.clone();
    let mut row = Row::new(truth, move |i, answer| match answer == right[i] {
        true => Verdict::Agrees,
        false => Verdict::Differs,
    });
    row.add(CAROM, "", items.clone(), chosen, answer);
    row.add("portable", "", items, safe, answer);
    row
}

struct Setting {
    boxes: Vec<BoxEntry>,
    /// With strips of five units.
    grid: StripGrid,
}

impl Setting {
    fn new() -> Self {
        let grid =
            StripGrid { x: AxisCells::new(0.0, SIDE, 512), y: AxisCells::new(0.0, SIDE, 20) };
        Self { boxes: uniform(BOXES), grid }
    }
}

/// Unit boxes, one per unit of area.
fn uniform(count: usize) -> Vec<BoxEntry> {
    let kind = KINDS.iter().find(|kind| kind.name == "uniform").expect("the scene exists");
    let entry = |(id, (bounds, _)): (u32, &(_, _))| BoxEntry { bounds: sides(bounds), id };
    (0..).zip(BoxScene::new(kind, count).boxes()).map(entry).collect()
}

/// The boxes of a strip, sorted by x, and for each the end of the range that it must be tested against.
fn strip() -> (BoxColumns, Vec<u32>) {
    let mut boxes = Setting::new().boxes;
    boxes.retain(|it| it.bounds[1] <= 55.0 && it.bounds[3] >= 50.0);
    boxes.sort_by(|a, b| a.bounds[0].total_cmp(&b.bounds[0]));
    let mut row = BoxColumns::new();
    gather(&mut row, &boxes, &Vec::from_iter(0..boxes.len() as u32));
    let end = |&right: &f32| row.min_x().partition_point(|&left| left <= right) as u32;
    let ends = row.max_x().iter().map(end).collect();
    (row, ends)
}

/// All boxes, sorted by cells.
fn sorted() -> StripIndex {
    let Setting { boxes, grid } = Setting::new();
    StripIndex::new(&boxes, grid, 2.0)
}

/// A tree of all boxes, by strips and then along x.
fn tree() -> (Vec<Node>, Vec<u32>) {
    let mut boxes: Vec<Bounds> = Setting::new().boxes.iter().map(|it| it.bounds).collect();
    boxes.sort_by(|a, b| a[1].total_cmp(&b[1]));
    for strip in boxes.chunks_mut(288) {
        strip.sort_by(|a, b| a[0].total_cmp(&b[0]));
    }
    let (mut nodes, mut levels) = (Vec::new(), vec![0]);
    while boxes.len() > 1 {
        let level: Vec<Node> =
            boxes.chunks(LANES).map(|eight| Node::new(eight.iter().copied())).collect();
        boxes = level.iter().map(Node::union).collect();
        nodes.extend(level);
        levels.push(nodes.len() as u32);
    }
    (nodes, levels)
}

fn view((nodes, levels): &(Vec<Node>, Vec<u32>)) -> BvhView<'_> {
    BvhView { nodes, levels }
}

/// Finds the boxes near a point; keys are squared distances.
#[derive(Clone)]
struct Near([f32; 2]);

impl NodeTest for Near {
    #[inline(always)]
    fn lanes<L: Lanes>(&self, node: &Node, limit: f32) -> (L, L) {
        let [left, low, right, high] = node.sides::<L>();
        let (none, [x, y]) = (L::splat(0.0), self.0.map(L::splat));
        let dx = left.sub(x).max(x.sub(right)).max(none);
        let dy = low.sub(y).max(y.sub(high)).max(none);
        let square = dx.mul(dx).add(dy.mul(dy));
        (square.le(L::splat(limit)).and(left.le(right)), square)
    }

    fn key_limit(&self, bound: f32) -> f32 {
        bound
    }
}
