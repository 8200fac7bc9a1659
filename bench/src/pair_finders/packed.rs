//! packed_spatial_index: rebuilt each frame, optionally on all threads, then joined with
//! itself and with the index of the static boxes, which is kept. It works in `f64`.

use carom::broad::Pair;
use carom::shape::Aabb;
use packed_spatial_index::{Box2D, Index2D, Index2DBuilder, SimdIndex2D};

use super::{Split, ordered};
use crate::frames::{Finder, Frames};
use crate::indexes::{Sides, sides};
use crate::scenes::BoxScene;

const NAME: &str = "packed_spatial_index";

pub fn builder(boxes: &[(Aabb, u32)]) -> Index2DBuilder {
    let mut builder = Index2DBuilder::new(boxes.len());
    for (bounds, _) in boxes {
        builder.add(box2d(sides(bounds)));
    }
    builder
}

pub fn box2d(sides: Sides) -> Box2D {
    let [left, bottom, right, top] = sides.map(f64::from);
    Box2D::new(left, bottom, right, top)
}

/// The operations that both kinds of index share.
trait Join {
    fn build(boxes: &[(Aabb, u32)]) -> Self;
    fn pairs(&self) -> Vec<(usize, usize)>;
    fn join(&self, other: &Self) -> Vec<(usize, usize)>;
}

macro_rules! joins {
    ($($index:ident: $finish:ident;)*) => {$(
        impl Join for $index {
            fn build(boxes: &[(Aabb, u32)]) -> Self {
                builder(boxes).$finish().expect("as many boxes were added as told")
            }

            fn pairs(&self) -> Vec<(usize, usize)> {
                self.pairs()
            }

            fn join(&self, other: &Self) -> Vec<(usize, usize)> {
                self.join(other)
            }
        }
    )*};
}

joins! {
    Index2D: finish;
    SimdIndex2D: finish_simd;
}

struct Packed<I> {
    boxes: Split,
    still: I,
    among_moving: Vec<(usize, usize)>,
    with_still: Vec<(usize, usize)>,
}

impl<I: Join> Packed<I> {
    fn new(scene: &BoxScene) -> Self {
        let boxes = Split::new(scene);
        let still = I::build(&boxes.still);
        Self { boxes, still, among_moving: Vec::new(), with_still: Vec::new() }
    }
}

impl<I: Join> Finder for Packed<I> {
    fn frame(&mut self, scene: &BoxScene) {
        self.boxes.update(scene);
        let moving = I::build(&self.boxes.moving);
        self.among_moving = moving.pairs();
        if !self.boxes.still.is_empty() {
            self.with_still = moving.join(&self.still);
        }
    }

    fn pairs(&mut self) -> Vec<Pair> {
        let moving = |place: usize| self.boxes.moving[place].1;
        let still = |place: usize| self.boxes.still[place].1;
        let among_moving = self.among_moving.iter().map(|&(a, b)| ordered(moving(a), moving(b)));
        let with_still = self.with_still.iter().map(|&(a, b)| ordered(moving(a), still(b)));
        among_moving.chain(with_still).collect()
    }
}

pub fn add(frames: &mut Frames) {
    let plain = || Packed::<Index2D>::new(frames.scene());
    let (one, all) = (plain(), plain());
    let simd = Packed::<SimdIndex2D>::new(frames.scene());
    frames.add(NAME, "Index2D, one thread", one);
    frames.add_on_all_threads(NAME, "Index2D, all threads", all);
    frames.add(NAME, "SimdIndex2D, one thread", simd);
}
