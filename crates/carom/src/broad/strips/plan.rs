//! How high the strips are to be, and how wide the cells in them.

use carom_simd::{Bounds, Grid, Ruler};

/// How many boxes are looked at.
const SAMPLE: usize = 256;

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
pub(super) fn plan(boxes: &[Bounds], heights: f64, fewest: usize) -> Grid {
    let len = boxes.len();
    if len == 0 {
        return Grid { x: Ruler::new(0.0, 0.0, 1), y: Ruler::new(0.0, 0.0, 1) };
    }
    let mut sample = [[0.0; 4]; SAMPLE];
    let sample = &mut sample[..(len / 16).clamp(1, SAMPLE)];
    take_sample(boxes, sample);

    let trimmed = sample.len() / TRIMMED;
    let height = |b: &Bounds| f64::from(b[3]) - f64::from(b[1]);
    let tallest = -nth_least(sample.iter().map(|b| -height(b)), trimmed);
    let usual = || sample.iter().map(height).filter(|&height| height <= tallest);
    let typical = usual().sum::<f64>() / usual().count() as f64;
    // From where to where boxes begin, if the ones left out are as close together as the others.
    let range = |side: usize| {
        let places = sample.iter().map(|b| f64::from(b[side]));
        let low = nth_least(places.clone(), trimmed);
        let high = -nth_least(places.map(|place| -place), trimmed);
        let steps = (sample.len() - 1).saturating_sub(2 * trimmed).max(1);
        let more = (high - low) * trimmed as f64 / steps as f64;
        [low - more, high + more].map(|end| end.clamp(f32::MIN.into(), f32::MAX.into()) as f32)
    };
    let ([left, right], [low, high]) = (range(0), range(1));

    let crowding = crowding(sample, [left, right], [low, high]);
    // Where they crowd, more of them meet in x.
    let heights = if crowding > 1 { 0.7 * heights } else { heights };
    let most = (len * crowding / fewest).clamp(1, MOST_STRIPS);
    let extent = f64::from(high) - f64::from(low);
    // As a cast does it: none if it is not a number, the most if it is infinite.
    let mut strips = ((extent / (heights * typical)) as usize).clamp(1, most);
    let mut y = Ruler::new(low, high, strips);
    let copies = |y: &Ruler| sample.iter().map(|b| (y.cell(b[3]) - y.cell(b[1])) as usize).sum();
    while strips > 1 && COPIES * sample.len() < copies(&y) {
        strips /= 2;
        y = Ruler::new(low, high, strips);
    }
    let cells = len.next_power_of_two() * crowding / strips;
    Grid { x: Ruler::new(left, right, cells.clamp(1, Ruler::MAX_CELLS / strips)), y }
}

/// The number that would stand at a place near the front if they were sorted.
fn nth_least(numbers: impl Iterator<Item = f64>, nth: usize) -> f64 {
    let mut least = [f64::INFINITY; SAMPLE / TRIMMED + 1];
    let least = &mut least[..=nth];
    for number in numbers {
        let mut at = nth;
        if number < least[at] {
            while at > 0 && number < least[at - 1] {
                least[at] = least[at - 1];
                at -= 1;
            }
            least[at] = number;
        }
    }
    least[nth]
}

/// Boxes from all parts of a list, but not every so many: lists may have a pattern.
fn take_sample(boxes: &[Bounds], sample: &mut [Bounds]) {
    let (len, count) = (boxes.len(), sample.len());
    let mut noise = 1u32;
    for (i, place) in sample.iter_mut().enumerate() {
        noise = noise.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let (start, end) = (i * len / count, (i + 1) * len / count);
        *place = boxes[start + (noise >> 8) as usize % (end - start)];
    }
}

/// How many times as many cells as usual are worth it: where boxes come in clusters, most cells stay
/// empty. Counts them on a coarse grid.
fn crowding(sample: &[Bounds], [left, right]: [f32; 2], [low, high]: [f32; 2]) -> usize {
    const SIDE: usize = 16;
    let (x, y) = (Ruler::new(left, right, SIDE), Ruler::new(low, high, SIDE));
    let mut counts = [0u16; SIDE * SIDE];
    for b in sample {
        counts[y.cell(b[1]) as usize * SIDE + x.cell(b[0]) as usize] += 1;
    }
    let squares: usize = counts.iter().map(|&count| usize::from(count) * usize::from(count)).sum();
    // Without clusters, a box shares its cell with about one other.
    (squares / sample.len()).saturating_sub(1).clamp(1, 8).next_power_of_two()
}
