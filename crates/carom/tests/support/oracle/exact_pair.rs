//! Two shapes on one integer grid, as unions of convex pieces.
//!
//! Floats are multiples of powers of two, so multiplication with a large enough power makes all of them integers.
//! Outlines are cut into trapezoids by horizontal lines through their vertices; multiplication with the common
//! denominator makes their corners integers, too. From there on, nothing is rounded.

use num_bigint::BigInt;
use num_traits::One;

use super::bigint::{Fraction, Int, Lossy, Q, decode};
use super::geometry::{Piece, V};

/// A part of a shape, as the numbers that define it.
#[derive(Clone, Debug)]
pub enum Part {
    /// The convex hull of points, with a radius.
    Convex { points: Vec<[f64; 2]>, radius: f64 },
    /// A polygon with holes, by the even-odd rule, including its boundary.
    Outline { rings: Vec<Vec<[f64; 2]>> },
    /// A polyline.
    Line { points: Vec<[f64; 2]>, closed: bool },
}

impl Part {
    /// Returns all coordinates and radii.
    pub fn numbers(&self) -> impl Iterator<Item = f64> {
        let (rings, radius) = match self {
            Self::Convex { points, radius } => (std::slice::from_ref(points), *radius),
            Self::Outline { rings } => (&rings[..], 0.0),
            Self::Line { points, .. } => (std::slice::from_ref(points), 0.0),
        };
        rings.iter().flatten().flatten().copied().chain([radius])
    }

    /// Returns the part after a motion, each coordinate rounded to `f32`.
    pub fn moved(&self, by: [f64; 2]) -> Self {
        let add = |x: f64, d: f64| f64::from((x + d) as f32);
        let moved = |points: &Vec<[f64; 2]>| {
            points.iter().map(|p| [add(p[0], by[0]), add(p[1], by[1])]).collect()
        };
        match self {
            Self::Convex { points, radius } => {
                Self::Convex { points: moved(points), radius: *radius }
            }
            Self::Outline { rings } => Self::Outline { rings: rings.iter().map(moved).collect() },
            Self::Line { points, closed } => Self::Line { points: moved(points), closed: *closed },
        }
    }
}

/// A polyline without repeated points.
#[derive(Clone, Debug)]
pub struct Line {
    pub points: Vec<V>,
    pub closed: bool,
}

impl Line {
    pub fn segments(&self) -> impl Iterator<Item = [&V; 2]> {
        let count = self.points.len() - usize::from(!self.closed);
        (0..count).map(|i| [&self.points[i], &self.points[(i + 1) % self.points.len()]])
    }
}

/// A shape as a union of areas, lines and points.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    pub areas: Vec<Piece>,
    pub lines: Vec<Line>,
    pub dots: Vec<V>,
}

impl Figure {
    /// Returns all parts as convex pieces.
    pub fn pieces(&self) -> Vec<Piece> {
        let segments = self.lines.iter().flat_map(Line::segments);
        let segments = segments.map(|[p, q]| Piece::new(vec![p.clone(), q.clone()], Int::ZERO));
        let dots = self.dots.iter().cloned().map(Piece::dot);
        self.areas.iter().cloned().chain(segments).chain(dots).collect()
    }

    fn map(&self, f: impl Fn(&V) -> V, radius: impl Fn(&Int) -> Int) -> Self {
        let points = |points: &[V]| points.iter().map(&f).collect();
        Self {
            areas: self.areas.iter().map(|p| p.map(&f, radius(&p.radius))).collect(),
            lines: self
                .lines
                .iter()
                .map(|l| Line { points: points(&l.points), closed: l.closed })
                .collect(),
            dots: points(&self.dots),
        }
    }
}

/// Two shapes on one grid.
#[derive(Clone, Debug)]
pub struct ExactPair {
    pub a: Figure,
    pub b: Figure,
    /// One step of the grid is `2^exponent / divisor`.
    exponent: i32,
    divisor: BigInt,
    /// The step, rounded.
    step: f64,
}

impl ExactPair {
    pub fn new(a: &[Part], b: &[Part]) -> Self {
        let numbers = || a.iter().chain(b).flat_map(Part::numbers);
        let decoded = numbers().filter(|&n| n != 0.0).map(|n| decode(n).1);
        let exponent = decoded.min().unwrap_or(0);
        // The first point becomes the origin: far-away shapes get short coordinates.
        let mut first = numbers();
        let origin = [first.next(), first.next()].map(|n| int(n.unwrap_or(0.0), exponent));
        let grid = Grid { exponent, origin };
        let mut sketches = [grid.figure(a), grid.figure(b)];
        let corners = sketches.iter().flat_map(|sketch| sketch.trapezoids.iter().flatten());
        let divisor = corners.fold(Int::from(1), |lcm, (x, _)| lcm.lcm(&x.den));
        let [a, b] = sketches.each_mut().map(|sketch| {
            let mut figure = std::mem::take(&mut sketch.figure);
            if divisor != Int::from(1) {
                figure = figure.map(|p| p.times(&divisor), |r| r * &divisor);
            }
            let pieces = sketch.trapezoids.iter().map(|corners| {
                let corners = corners
                    .iter()
                    .map(|(x, y)| V { x: &x.num * &divisor.over(&x.den), y: y * &divisor });
                Piece::new(corners.collect(), Int::ZERO)
            });
            // A trapezoid flattened by rounding has no interior, and is not a line either.
            figure.areas.extend(pieces.filter(Piece::has_area));
            figure
        });
        let divisor = divisor.big();
        let step = step(exponent, &divisor);
        Self { a, b, exponent, divisor, step }
    }

    /// Returns the pair with `a` moved exactly.
    pub fn moved(&self, by: [f64; 2]) -> Self {
        let (mut pair, by) = self.with_motion(by);
        pair.a = pair.a.map(|p| p + &by, Int::clone);
        pair
    }

    /// Returns the pair on a grid that also contains a vector, and that vector.
    pub fn with_motion(&self, by: [f64; 2]) -> (Self, V) {
        let decoded = by.map(decode);
        let finest = decoded.iter().filter(|d| d.0 != 0).map(|d| d.1).min();
        let exponent = finest.unwrap_or(self.exponent).min(self.exponent);
        let shift = (self.exponent - exponent) as u32;
        let divisor = Int::from(self.divisor.clone());
        let [x, y] = decoded.map(|(mantissa, e)| {
            let e = if mantissa == 0 { 0 } else { (e - exponent) as u32 };
            &Int::shifted(mantissa, e) * &divisor
        });
        let grown = |figure: &Figure| {
            figure.map(|p| V { x: p.x.shl(shift), y: p.y.shl(shift) }, |r| r.shl(shift))
        };
        let (a, b) = (grown(&self.a), grown(&self.b));
        let step = step(exponent, &self.divisor);
        (Self { a, b, exponent, divisor: self.divisor.clone(), step }, V { x, y })
    }

    pub fn swapped(&self) -> Self {
        let mut swapped = self.clone();
        std::mem::swap(&mut swapped.a, &mut swapped.b);
        swapped
    }

    /// Returns one step of the grid, rounded.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// Converts a vector of the grid to the units of the input, rounded.
    pub fn real(&self, v: &V) -> [f64; 2] {
        [self.real_length(&v.x), self.real_length(&v.y)]
    }

    pub fn real_length(&self, length: &Int) -> f64 {
        match length {
            Int::Small(n) if self.step.is_normal() => *n as f64 * self.step,
            _ => {
                let den = power(-self.exponent) * &self.divisor;
                Q::new(length.big() * power(self.exponent), den).to_f64_lossy()
            }
        }
    }
}

/// Returns two to the exponent, or 1 if the exponent is negative.
fn power(exponent: i32) -> BigInt {
    BigInt::one() << exponent.max(0)
}

fn step(exponent: i32, divisor: &BigInt) -> f64 {
    if divisor.is_one() {
        return 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
    }
    Q::new(power(exponent), power(-exponent) * divisor).to_f64_lossy()
}

struct Grid {
    exponent: i32,
    origin: [Int; 2],
}

/// A figure on the grid, with the trapezoids of outlines apart: their corners have integer y, but not always
/// integer x.
struct Sketch {
    figure: Figure,
    trapezoids: Vec<Trapezoid>,
}

type Trapezoid = [(Fraction, Int); 4];

/// Returns a number in steps of two to the exponent.
fn int(value: f64, exponent: i32) -> Int {
    let (mantissa, own) = decode(value);
    if mantissa == 0 { Int::ZERO } else { Int::shifted(mantissa, (own - exponent) as u32) }
}

impl Grid {
    fn int(&self, value: f64) -> Int {
        int(value, self.exponent)
    }

    fn point(&self, [x, y]: [f64; 2]) -> V {
        let [u, v] = &self.origin;
        V { x: &self.int(x) - u, y: &self.int(y) - v }
    }

    fn figure(&self, parts: &[Part]) -> Sketch {
        let mut sketch = Sketch { figure: Figure::default(), trapezoids: Vec::new() };
        let figure = &mut sketch.figure;
        for part in parts {
            let points = |points: &[[f64; 2]]| points.iter().map(|&p| self.point(p)).collect();
            match part {
                Part::Convex { points: list, radius } => {
                    let piece = Piece::new(points(list), self.int(*radius));
                    match &piece.points[..] {
                        _ if piece.has_area() => figure.areas.push(piece),
                        [p] => figure.dots.push(p.clone()),
                        _ => figure.lines.push(Line { points: piece.points, closed: false }),
                    }
                }
                Part::Line { points: list, closed } => {
                    let mut points: Vec<V> = points(list);
                    points.dedup();
                    // Coinciding ends form a joint like any other.
                    let meets = points.len() > 2 && points.first() == points.last();
                    if meets {
                        points.pop();
                    }
                    match &points[..] {
                        [p] => figure.dots.push(p.clone()),
                        _ => figure.lines.push(Line { points, closed: *closed || meets }),
                    }
                }
                Part::Outline { rings } => {
                    let rings: Vec<Vec<V>> = rings.iter().map(|r| points(r)).collect();
                    // Rounding may have flattened it.
                    let all = Piece::new(rings.concat(), Int::ZERO);
                    match &all.points[..] {
                        _ if all.has_area() => sketch.trapezoids.extend(trapezoids(&rings)),
                        [p] => figure.dots.push(p.clone()),
                        _ => figure.lines.push(Line { points: all.points, closed: false }),
                    }
                }
            }
        }
        sketch
    }
}

/// Cuts the area between rings into trapezoids by horizontal lines through all vertices. Slabs
/// between the same two edges stay in one piece.
fn trapezoids(rings: &[Vec<V>]) -> Vec<Trapezoid> {
    let mut levels: Vec<&Int> = rings.iter().flatten().map(|p| &p.y).collect();
    levels.sort();
    levels.dedup();
    // Edges from their lower to their upper end; horizontal ones bound no slab.
    let edges: Vec<(&V, &V)> = rings
        .iter()
        .flat_map(|ring| (0..ring.len()).map(move |i| (&ring[i], &ring[(i + 1) % ring.len()])))
        .filter(|(p, q)| p.y != q.y)
        .map(|(p, q)| if p.y < q.y { (p, q) } else { (q, p) })
        .collect();
    // The x coordinate of an edge at y = `level / over`.
    let x_at = |edge: usize, level: &Int, over: &Int| {
        let (p, q) = edges[edge];
        let (rise, up) = (&q.y - &p.y, level - &(&p.y * over));
        let den = &rise * over;
        Fraction { num: &(&p.x * &den) + &(&up * &(&q.x - &p.x)), den }
    };
    let (one, two) = (Int::from(1), Int::from(2));
    let corner = |edge: usize, level: &Int| {
        let (p, q) = edges[edge];
        let end = [p, q].into_iter().find(|end| end.y == *level);
        let x = end.map(|end| Fraction::whole(end.x.clone()));
        (x.unwrap_or_else(|| x_at(edge, level, &one).reduced()), level.clone())
    };
    let mut open: Vec<([usize; 2], &Int)> = Vec::new(); // edges left and right, and the lower level
    let mut result = Vec::new();
    let mut close = |([left, right], low): ([usize; 2], &Int), high: &Int| {
        result.push(
            [(left, low), (right, low), (right, high), (left, high)].map(|(e, y)| corner(e, y)),
        );
    };
    for slab in levels.windows(2) {
        let middle = slab[0] + slab[1];
        let mut crossing: Vec<(Fraction, usize)> = (0..edges.len())
            .filter(|&i| edges[i].0.y <= *slab[0] && edges[i].1.y >= *slab[1])
            .map(|i| (x_at(i, &middle, &two), i))
            .collect();
        crossing.sort_by(|p, q| p.0.cmp(&q.0).then(p.1.cmp(&q.1)));
        let pairs: Vec<[usize; 2]> = crossing.chunks_exact(2).map(|c| [c[0].1, c[1].1]).collect();
        let (kept, ended): (Vec<_>, Vec<_>) = open.into_iter().partition(|o| pairs.contains(&o.0));
        ended.into_iter().for_each(|o| close(o, slab[0]));
        open = kept;
        for pair in pairs {
            if open.iter().all(|o| o.0 != pair) {
                open.push((pair, slab[0]));
            }
        }
    }
    if let Some(&top) = levels.last() {
        open.into_iter().for_each(|o| close(o, top));
    }
    result
}

/// Returns twice the area of a ring of exact points.
pub fn double_area(ring: &[(Q, Q)]) -> Q {
    let next = ring.iter().cycle().skip(1);
    let zero = Q::from_integer(BigInt::from(0));
    ring.iter().zip(next).fold(zero, |sum, (p, q)| sum + &p.0 * &q.1 - &p.1 * &q.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
        points.to_vec()
    }

    fn frame() -> Part {
        Part::Outline {
            rings: vec![
                ring(&[[0.0, 0.0], [8.0, 0.0], [8.0, 8.0], [0.0, 8.0]]),
                ring(&[[2.0, 3.0], [3.0, 5.0], [5.0, 2.0]]),
            ],
        }
    }

    #[test]
    fn trapezoids_cover_an_outline_without_its_holes() {
        let point = |[x, y]: [i64; 2]| V { x: x.into(), y: y.into() };
        let rings = [
            [[0, 0], [8, 0], [8, 8], [0, 8]].map(point).to_vec(),
            [[2, 3], [3, 5], [5, 2]].map(point).to_vec(),
        ];
        let all = trapezoids(&rings);
        let exact = |x: &Fraction| Q::new(x.num.big(), x.den.big());
        let corners = |t: &Trapezoid| t.each_ref().map(|(x, y)| (exact(x), y.to_q()));
        let total = all.iter().map(|t| double_area(&corners(t))).sum::<Q>();
        assert_eq!(total, Q::from_integer(BigInt::from(128 - 7)));
    }

    #[test]
    fn moving_is_exact_at_any_scale() {
        let dot = |x: f64, y: f64| vec![Part::Convex { points: vec![[x, y]], radius: 0.0 }];
        for scale in [1.0, 2f64.powi(100), 2f64.powi(-149)] {
            let pair = ExactPair::new(&dot(3.0 * scale, scale), &dot(5.0 * scale, -scale));
            let moved = pair.moved([2.0 * scale, -2.0 * scale]);
            assert_eq!(moved.a.dots, moved.b.dots);
            let moved = pair.moved([2.0 * scale * (1.0 + f64::EPSILON), -2.0 * scale]);
            assert_ne!(moved.a.dots, moved.b.dots);
        }
        let pair = ExactPair::new(&[frame()], &dot(1.0, 1.0));
        assert_eq!(pair.moved([0.1, 0.0]).real(&pair.moved([0.1, 0.0]).b.dots[0]), [1.0, 1.0]);
    }
}
