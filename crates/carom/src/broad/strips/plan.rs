//! How high the strips are to be, and how wide the cells in them.

use carom_simd::{AxisCells, Bounds, BoxEntry, StripGrid};

/// How many boxes are looked at, at most.
const SAMPLE: usize = 256;

/// How many at least, if there are so many.
const SMALLEST: usize = 32;

/// One in so many, in between. With twice as many, the plan for a thousand boxes takes a twentieth of
/// the search.
const ONE_IN: usize = 32;

/// One in so many of them is left out at either end, be it very tall or far off.
const TRIMMED: usize = 50;

/// The most strips at a time; dense ones are cut again.
const MOST_STRIPS: usize = 2048;

/// A box lies in at most so many strips on average.
const COPIES: usize = 3;

/// Cuts the plane into strips and cells that suit most boxes, going by a sample. A few giants or
/// outliers do not change the plan; they cost more than others, but the pairs are right under every
/// plan.
///
/// `heights` is the height of a strip in heights of a typical box: the lower it is, the more boxes lie
/// in several strips; the higher, the more boxes meet in x and not in y. A strip has at least `fewest`
/// boxes on average. Where boxes crowd, strips may be lower and have fewer.
pub(super) fn plan(boxes: &[BoxEntry], heights: f64, fewest: usize) -> StripGrid {
    let len = boxes.len();
    if len == 0 {
        return StripGrid::default();
    }
    let mut sample = [[0.0; 4]; SAMPLE];
    let sample = &mut sample[..(len / ONE_IN).clamp(SMALLEST, SAMPLE).min(len)];
    take_sample(boxes, sample);
    let Extent { x: [left, right], y: [low, high], typical } = Extent::of(sample);

    let crowding = crowding(sample, [left, right], [low, high]);
    // Where they crowd, more of them meet in x.
    let heights = if crowding > 1 { 0.7 * heights } else { heights };
    let most = (len * crowding / fewest).clamp(1, MOST_STRIPS);
    let extent = f64::from(high) - f64::from(low);
    // As a cast does it: none if it is not a number, the most if it is infinite.
    let mut strips = ((extent / (heights * typical) + 0.5) as usize).clamp(1, most);
    let mut y = AxisCells::new(low, high, strips);
    let copies =
        |y: &AxisCells| sample.iter().map(|b| (y.cell(b[3]) - y.cell(b[1])) as usize).sum();
    while strips > 1 && COPIES * sample.len() < copies(&y) {
        strips /= 2;
        y = AxisCells::new(low, high, strips);
    }
    let cells = len * crowding / strips;
    StripGrid { x: AxisCells::new(left, right, cells.clamp(1, AxisCells::MAX_CELLS / strips)), y }
}

/// From where to where boxes begin, and how high a typical one is.
struct Extent {
    x: [f32; 2],
    y: [f32; 2],
    typical: f64,
}

impl Extent {
    fn of(sample: &[Bounds]) -> Self {
        let trimmed = sample.len() / TRIMMED;
        let half_height = |b: &Bounds| 0.5 * b[3] - 0.5 * b[1]; // halves do not overflow
        // The least of each number, ascending. Side by side, they take one instruction for all.
        let mut least = [[f32::INFINITY; 8]; SAMPLE / TRIMMED + 1];
        for b in sample {
            let mut numbers = [b[0], b[1], -b[0], -b[1], -half_height(b), 0.0, 0.0, 0.0];
            for least in &mut least[..=trimmed] {
                for (least, number) in least.iter_mut().zip(&mut numbers) {
                    let (a, b) = (*least, *number);
                    (*least, *number) = (if b < a { b } else { a }, if b < a { a } else { b });
                }
            }
        }
        let [left, low, right, high, tallest, ..] = least[trimmed];
        // The ones left out may be as close together as the others.
        let steps = (sample.len() - 1).saturating_sub(2 * trimmed).max(1);
        let range = |low: f32, high: f32| {
            let (low, high) = (f64::from(low), f64::from(high));
            let more = (high - low) * (trimmed + 1) as f64 / steps as f64;
            [low - more, high + more].map(|end| end.clamp(f32::MIN.into(), f32::MAX.into()) as f32)
        };
        let usual = || sample.iter().map(half_height).filter(|&height| height <= -tallest);
        let typical = 2.0 * usual().map(f64::from).sum::<f64>() / usual().count() as f64;
        Self { x: range(left, -right), y: range(low, -high), typical }
    }
}

/// Boxes from all parts of a list, but not every so many: lists may have a pattern.
fn take_sample(boxes: &[BoxEntry], sample: &mut [Bounds]) {
    let step = ((boxes.len() as u64) << 24) / sample.len() as u64;
    let mut noise = 1u32;
    for (i, place) in (0..).zip(sample) {
        noise = noise.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let at = i * step + ((u64::from(noise >> 16) * step) >> 16);
        *place = boxes[(at >> 24) as usize].bounds;
    }
}

/// How many times as many cells as usual are worth it: where boxes come in clusters, most cells stay
/// empty. Counts them on a coarse grid.
fn crowding(sample: &[Bounds], [left, right]: [f32; 2], [low, high]: [f32; 2]) -> usize {
    const SIDE: usize = 16;
    let (x, y) = (AxisCells::new(left, right, SIDE), AxisCells::new(low, high, SIDE));
    let mut counts = [0u16; SIDE * SIDE];
    let mut squares = 0;
    for b in sample {
        let count = &mut counts[y.cell(b[1]) as usize * SIDE + x.cell(b[0]) as usize];
        squares += 2 * usize::from(*count) + 1;
        *count += 1;
    }
    // Without clusters, a box shares its cell with about one other.
    (squares / sample.len()).saturating_sub(1).clamp(1, 8).next_power_of_two()
}
