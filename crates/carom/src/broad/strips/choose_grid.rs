//! Step 1: choosing the height of the strips and the width of the cells from a sample of the boxes.

use carom_simd::{AxisCells, Bounds, BoxEntry, StripGrid};

/// The maximum size of the sample.
const MAX_SAMPLE: usize = 256;

/// The minimum size of the sample, if there are as many boxes.
const MIN_SAMPLE: usize = 32;

/// The number of boxes per sample, between these limits. With half of it, choosing a grid for a thousand boxes
/// would take a twentieth of the whole search.
const SAMPLE_RATE: usize = 32;

/// The number of samples per ignored sample: at each end of every distribution, outliers are ignored.
const TRIM_RATE: usize = 50;

/// The maximum number of strips. Dense strips are divided again.
const MAX_STRIPS: usize = 2048;

/// The maximum number of copies of a box on average.
const MAX_COPIES: usize = 3;

/// Returns strips and cells that fit most boxes, judging by a sample. A few giants or outliers do not change
/// the grid. They cost more than other boxes, but the pairs are right with any grid.
///
/// `strip_height` is the height of a strip relative to that of a typical box: the smaller it is, the more
/// boxes are in several strips; the greater, the more boxes overlap in x but not in y. A strip contains at
/// least `min_boxes` boxes on average. Where boxes come in clusters, strips may be lower and contain fewer.
pub(super) fn choose_grid(boxes: &[BoxEntry], strip_height: f64, min_boxes: usize) -> StripGrid {
    let len = boxes.len();
    if len == 0 {
        return StripGrid::default();
    }
    // 1. Sample the boxes.
    let mut sample = [[0.0; 4]; MAX_SAMPLE];
    let sample = &mut sample[..(len / SAMPLE_RATE).clamp(MIN_SAMPLE, MAX_SAMPLE).min(len)];
    take_sample(boxes, sample);
    let Distribution { x: [left, right], y: [low, high], typical_height } =
        Distribution::new(sample);

    // 2. Choose the number of strips. In clusters, more boxes overlap in x, so strips should be lower.
    let clustering = clustering(sample, [left, right], [low, high]);
    let strip_height = if clustering > 1 { 0.7 * strip_height } else { strip_height };
    let max_strips = (len * clustering / min_boxes).clamp(1, MAX_STRIPS);
    let height = f64::from(high) - f64::from(low);
    // The cast saturates: 0 if the quotient is NaN, `usize::MAX` if it is infinite.
    let mut strips =
        ((height / (strip_height * typical_height) + 0.5) as usize).clamp(1, max_strips);
    let mut y = AxisCells::new(low, high, strips);

    // 3. Halve it while there would be too many copies.
    let copies =
        |y: &AxisCells| sample.iter().map(|b| (y.cell(b[3]) - y.cell(b[1])) as usize).sum();
    while strips > 1 && MAX_COPIES * sample.len() < copies(&y) {
        strips /= 2;
        y = AxisCells::new(low, high, strips);
    }

    // 4. Divide the strips into about as many cells as there are boxes.
    let cells = (len * clustering / strips).clamp(1, AxisCells::MAX_CELLS / strips);
    StripGrid { x: AxisCells::new(left, right, cells), y }
}

/// The least x and y of the boxes, and the height of a typical box.
struct Distribution {
    x: [f32; 2],
    y: [f32; 2],
    typical_height: f64,
}

impl Distribution {
    fn new(sample: &[Bounds]) -> Self {
        let trimmed = sample.len() / TRIM_RATE;
        let half_height = |b: &Bounds| 0.5 * b[3] - 0.5 * b[1]; // differences of halves cannot overflow
        // The `trimmed + 1` smallest values of five measures, in ascending order, by insertion. All measures
        // are processed by the same vector instructions.
        let mut smallest = [[f32::INFINITY; 8]; MAX_SAMPLE / TRIM_RATE + 1];
        for b in sample {
            let mut values = [b[0], b[1], -b[0], -b[1], -half_height(b), 0.0, 0.0, 0.0];
            for smallest in &mut smallest[..=trimmed] {
                for (smallest, value) in smallest.iter_mut().zip(&mut values) {
                    let (a, b) = (*smallest, *value);
                    (*smallest, *value) = (if b < a { b } else { a }, if b < a { a } else { b });
                }
            }
        }
        let [left, low, right, high, tallest, ..] = smallest[trimmed];
        // The samples that were ignored may be as close together as the others: extend the ranges by as much.
        let steps = (sample.len() - 1).saturating_sub(2 * trimmed).max(1);
        let range = |low: f32, high: f32| {
            let (low, high) = (f64::from(low), f64::from(high));
            let extension = (high - low) * (trimmed + 1) as f64 / steps as f64;
            [low - extension, high + extension]
                .map(|end| end.clamp(f32::MIN.into(), f32::MAX.into()) as f32)
        };
        let typical = || sample.iter().map(half_height).filter(|&height| height <= -tallest);
        let mean = typical().map(f64::from).sum::<f64>() / typical().count() as f64;
        Self { x: range(left, -right), y: range(low, -high), typical_height: 2.0 * mean }
    }
}

/// Samples boxes from all parts of a list, at irregular steps: lists may have a pattern.
fn take_sample(boxes: &[BoxEntry], sample: &mut [Bounds]) {
    // Indices in fixed point, with 24 bits after the point.
    let step = ((boxes.len() as u64) << 24) / sample.len() as u64;
    let mut noise = 1u32;
    for (i, to) in (0..).zip(sample) {
        noise = noise.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let index = i * step + ((u64::from(noise >> 16) * step) >> 16);
        *to = boxes[(index >> 24) as usize].bounds;
    }
}

/// Returns the factor by which it pays to increase the number of cells: in clustered scenes, most cells stay
/// empty. It is estimated from the number of boxes of the sample that share the cells of a coarse grid.
fn clustering(sample: &[Bounds], [left, right]: [f32; 2], [low, high]: [f32; 2]) -> usize {
    const SIDE: usize = 16;
    let (x, y) = (AxisCells::new(left, right, SIDE), AxisCells::new(low, high, SIDE));
    let mut counts = [0u16; SIDE * SIDE];
    let mut squares = 0; // the sum of the squared counts
    for b in sample {
        let count = &mut counts[y.cell(b[1]) as usize * SIDE + x.cell(b[0]) as usize];
        squares += 2 * usize::from(*count) + 1;
        *count += 1;
    }
    // Without clusters, a box shares its cell with about one other.
    (squares / sample.len()).saturating_sub(1).clamp(1, 8).next_power_of_two()
}
