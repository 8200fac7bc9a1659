//! Generates random shapes close to those generated before, so that they often touch.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use carom::prelude::*;

use super::hard_outlines;
use super::oracle::decompose;
use super::rng::Rng;

/// The numbers from which coordinates are chosen.
#[derive(Clone, Copy, Debug)]
enum Space {
    /// Multiples of a unit around an origin.
    Grid { unit: f32, origin: Vec2 },
    /// Arbitrary numbers of this magnitude around an origin.
    Free { unit: f32, origin: Vec2 },
    /// Numbers of all magnitudes.
    Wild,
}

impl Space {
    fn pick(rng: &mut Rng) -> Self {
        let far = [1e6, -1e6, 8_388_608.0, -8_388_600.0, 65_536.0];
        let origin = |rng: &mut Rng| Vec2::new(rng.pick(&far), rng.pick(&far));
        match rng.below(20) {
            0..=6 => Self::Grid { unit: 1.0, origin: Vec2::ZERO },
            7..=9 => Self::Grid { unit: 0.5, origin: Vec2::ZERO },
            10 | 11 => Self::Grid { unit: 1.0, origin: origin(rng) },
            12 => Self::Grid { unit: 1e30, origin: Vec2::ZERO },
            13 => {
                Self::Grid { unit: f32::from_bits(1 + rng.below(700) as u32), origin: Vec2::ZERO }
            }
            14 => Self::Grid { unit: 0.1, origin: Vec2::ZERO },
            15 | 16 => Self::Free { unit: 1.0, origin: Vec2::ZERO },
            17 => Self::Free { unit: 1.0, origin: origin(rng) },
            18 => Self::Free { unit: rng.pick(&[1e30, 1e-42, 1e-3, 1e4]), origin: Vec2::ZERO },
            _ => Self::Wild,
        }
    }

    fn unit(self) -> f32 {
        match self {
            Self::Grid { unit, .. } | Self::Free { unit, .. } => unit,
            Self::Wild => 1.0,
        }
    }
}

/// Generates shapes, and remembers their points for the next ones.
pub struct Generator {
    pub rng: Rng,
    space: Space,
    /// Points of the shapes generated so far, to be reused.
    pool: Vec<Vec2>,
    sizes: Vec<f32>,
}

impl Generator {
    pub fn new(mut rng: Rng) -> Self {
        let space = Space::pick(&mut rng);
        Self { rng, space, pool: Vec::new(), sizes: Vec::new() }
    }

    /// Generates shapes until the library accepts one.
    pub fn shape(&mut self, kind: &str) -> Shape {
        (0..200).find_map(|_| self.try_shape(kind).ok()).unwrap_or_else(|| self.simple_shape(kind))
    }

    /// Falls back to a simple space, for kinds that cannot be generated in the current one.
    fn simple_shape(&mut self, kind: &str) -> Shape {
        self.space = Space::Grid { unit: 1.0, origin: Vec2::ZERO };
        self.pool.clear();
        self.sizes.clear();
        self.shape(kind)
    }

    fn try_shape(&mut self, kind: &str) -> Result<Shape, ShapeError> {
        Ok(match kind {
            "Point" => Point::try_new(self.point())?.into(),
            "Segment" => {
                let a = self.point();
                let b = if self.rng.one_in(20) { a } else { self.point() };
                Segment::try_new(a, b)?.into()
            }
            "Circle" => {
                let (center, radius) = self.center_and_radius();
                Circle::try_new(center, radius)?.into()
            }
            "Ellipse" => {
                let x = self.size();
                let radii = Vec2::new(x, if self.rng.one_in(8) { x } else { self.size() });
                Ellipse::try_new(self.beside_point(radii), radii, self.angle())?.into()
            }
            "Capsule" => {
                let (a, radius) = self.center_and_radius();
                let b = match self.rng.below(12) {
                    0 => a,
                    1..=3 => self.point(),
                    4 | 5 => a + self.pythagorean(),
                    6..=8 => a + self.rng.pick(&[Vec2::X, Vec2::Y]) * self.size(),
                    _ => Vec2::new(self.coordinate(0), self.coordinate(1)),
                };
                Capsule::try_new(a, b, radius)?.into()
            }
            "Aabb" => {
                let (p, mut q) = (self.point(), self.point());
                if self.rng.one_in(4) {
                    q = p + Vec2::new(self.size(), self.size());
                }
                if p.x == q.x {
                    q.x += self.size();
                }
                if p.y == q.y {
                    q.y += self.size();
                }
                Aabb::try_new(p.min(q), p.max(q))?.into()
            }
            "Obb" => {
                let half = Vec2::new(self.size(), self.size());
                Obb::try_new(self.beside_point(half), half, self.angle())?.into()
            }
            "Triangle" => {
                let points = self.points(3);
                let (a, b) = (points[0], points[1]);
                let c = if self.rng.one_in(6) { self.sliver(a, b) } else { points[2] };
                Triangle::try_new(a, b, c)?.into()
            }
            "ConvexPolygon" => self.convex_polygon()?.into(),
            "Polygon" => self.polygon()?.into(),
            "Chain" => {
                let count = 2 + self.rng.below(5);
                let points = self.points(count);
                let closed = count > 2 && self.rng.one_in(3);
                let chain = if closed { Chain::try_closed } else { Chain::try_new }(&points)?;
                chain.into()
            }
            "Compound" => self.compound()?.into(),
            "TileMap" => self.tile_map()?.into(),
            "Mask" => self.mask()?.into(),
            _ => panic!("no generator for {kind} yet"),
        })
    }

    fn convex_polygon(&mut self) -> Result<ConvexPolygon, ShapeError> {
        let count = 3 + self.rng.below(6);
        let mut points = ConvexPolygon::hull(&self.points(count))?.points().to_vec();
        if self.rng.one_in(3) {
            points.reverse();
        }
        if self.rng.one_in(3) {
            let radius = self.size();
            return ConvexPolygon::try_rounded(&points, radius);
        }
        ConvexPolygon::try_new(&points)
    }

    fn polygon(&mut self) -> Result<Polygon, ShapeError> {
        match self.rng.below(6) {
            0 => {
                let count = 4 + self.rng.below(2);
                Polygon::try_new(&self.points(count))
            }
            1 => {
                let count = 4 + self.rng.below(5);
                let points = self.points(count);
                Polygon::try_new(&sorted_by_angle(points))
            }
            _ => {
                let rings = self.rng.pick(hard_outlines::OUTLINES);
                let place = self.placement(rings[0]);
                let mut rings = rings.iter().map(|ring| ring.iter().map(&place).collect());
                let outer: Vec<Vec2> = rings.next().expect("an outline has a ring");
                Polygon::try_with_holes(&outer, &rings.collect::<Vec<_>>())
            }
        }
    }

    fn compound(&mut self) -> Result<Compound, ShapeError> {
        if self.rng.one_in(2) {
            // Boxes side by side, like tiles.
            let cells: Vec<[i32; 2]> = (0..2 + self.rng.below(4))
                .map(|_| [self.rng.below(3) as i32, self.rng.below(3) as i32])
                .collect();
            let place = self.placement(&cells);
            let boxes = cells.iter().map(|&[x, y]| {
                let (p, q) = (place(&[x, y]), place(&[x + 1, y + 1]));
                Aabb::try_new(p.min(q), p.max(q))
            });
            return Compound::try_new(boxes.collect::<Result<Vec<_>, _>>()?);
        }
        let kinds = [
            "Aabb",
            "Aabb",
            "Circle",
            "Circle",
            "Triangle",
            "Capsule",
            "Obb",
            "ConvexPolygon",
            "Polygon",
            "Segment",
            "Chain",
            "Point",
            "Compound",
            "TileMap",
            "Mask",
        ];
        let count = 1 + self.rng.below(3);
        let parts: Result<Vec<Shape>, _> = (0..count)
            .map(|_| {
                let kind = self.rng.pick(&kinds);
                let part = self.try_shape(kind)?;
                self.remember(&part);
                Ok(part)
            })
            .collect();
        Compound::try_new(parts?)
    }

    fn tile_map(&mut self) -> Result<TileMap, ShapeError> {
        let (x, y) = (self.size(), self.size());
        let tile = Vec2::new(x, if self.rng.one_in(2) { x } else { y });
        let mut map =
            TileMap::try_new(Vec2::ZERO, tile, [1, 1].map(|n| n + self.rng.below(4) as u32))?;
        let height = |rng: &mut Rng| rng.pick(&[0.0, 0.5, 1.0]);
        let kinds = (0..2).filter_map(|_| {
            let (from, to) = (height(&mut self.rng), height(&mut self.rng));
            let up = self.rng.pick(&[Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y]);
            let free = [(); 4].map(|()| [self.rng.signed().abs(), self.rng.signed().abs()]);
            let free =
                ConvexPolygon::hull(&free).and_then(|form| TileKind::try_convex(form.points()));
            let kind = if self.rng.one_in(4) { free } else { TileKind::try_slope(from, to, up) };
            kind.ok().map(|kind| map.add_kind(kind))
        });
        let kinds: Vec<u16> = kinds.collect();
        let (columns, rows) = (map.columns(), map.rows());
        for cell in (0..rows).flat_map(|y| (0..columns).map(move |x| [x, y])) {
            let kind = match self.rng.below(6) {
                0 | 1 => TileMap::EMPTY,
                2 if !kinds.is_empty() => self.rng.pick(&kinds),
                _ => TileMap::SOLID,
            };
            map.set(cell, kind);
        }
        if map.tiles().next().is_none() {
            map.set([0, 0], TileMap::SOLID);
        }
        let map = map.rotated(self.grid_angle(), Vec2::ZERO);
        let anchor = [map.columns(), map.rows()].map(|n| self.rng.below(n as usize) as u32);
        let corner = self.rng.pick(&map.cell_corners(anchor));
        // Move the grid so that one of its corners is at a point, often a known one.
        Self::in_range(map.translated(self.point() - corner))
    }

    fn mask(&mut self) -> Result<Mask, ShapeError> {
        let [width, height] = [1, 1].map(|n| n + self.rng.below(4) as u32);
        let mut pixels = Bitmap::from_fn(width, height, |_, _| !self.rng.one_in(3));
        if pixels.is_clear() {
            pixels.set([0, 0], true);
        }
        let mask = Mask::try_new(Vec2::ZERO, self.size(), pixels)?;
        let mask = if self.rng.one_in(4) { mask.flipped(Flip::X) } else { mask };
        let mask = mask.rotated(self.grid_angle(), Vec2::ZERO);
        let anchor = [width, height].map(|n| self.rng.below(n as usize) as u32);
        let corner = self.rng.pick(&mask.pixel_corners(anchor));
        // Move the grid so that one of its corners is at a point, often a known one.
        Self::in_range(mask.translated(self.point() - corner))
    }

    /// Returns an angle for a grid: 0 two times out of three.
    fn grid_angle(&mut self) -> f32 {
        if self.rng.one_in(3) { self.angle() } else { 0.0 }
    }

    /// Returns an error if a moved grid exceeds the range of `f32`.
    fn in_range<S: Clone + Into<Shape>>(grid: S) -> Result<S, ShapeError> {
        let reach = decompose::points(&grid.clone().into()).into_iter();
        match reach.enumerate().find(|(_, point)| point.abs().max_element() >= f32::MAX) {
            Some((index, point)) => Err(ShapeError::PointNotFinite { index, point }),
            None => Ok(grid),
        }
    }

    /// Returns a map from small integers to the plane: scaled, flipped, rotated by quarter turns, and moved,
    /// often so that one of them lands on a known point.
    fn placement(&mut self, anchors: &[[i32; 2]]) -> impl Fn(&[i32; 2]) -> Vec2 + use<> {
        let scale = self.space.unit() * self.rng.pick(&[0.5, 1.0, 1.0, 2.0]);
        let [flip_x, flip_y, swap] = [(); 3].map(|()| self.rng.one_in(2));
        let local = move |&[x, y]: &[i32; 2]| {
            let (x, y) = (x as f32 * scale, y as f32 * scale);
            let (x, y) = (if flip_x { -x } else { x }, if flip_y { -y } else { y });
            if swap { Vec2::new(y, x) } else { Vec2::new(x, y) }
        };
        let by = self.point() - local(&self.rng.pick(anchors));
        move |p| local(p) + by
    }

    /// Returns points from everywhere, or points on one side of a point that is often known.
    fn points(&mut self, count: usize) -> Vec<Vec2> {
        if self.rng.one_in(2) {
            return (0..count).map(|_| self.point()).collect();
        }
        let base = self.point();
        let side = Vec2::new(self.rng.pick(&[-1.0, 1.0]), self.rng.pick(&[-1.0, 1.0]));
        let near = (1..count).map(|_| {
            let free = Vec2::new(self.rng.signed().abs(), self.rng.signed().abs()) * 3.0;
            let reach = if matches!(self.space, Space::Grid { .. }) { free.round() } else { free };
            base + side * reach * self.space.unit()
        });
        [base].into_iter().chain(near).collect()
    }

    fn point(&mut self) -> Vec2 {
        let fresh = Vec2::new(self.coordinate(0), self.coordinate(1));
        if self.pool.is_empty() || self.rng.one_in(2) {
            return fresh;
        }
        let (p, q) = (self.rng.pick(&self.pool), self.rng.pick(&self.pool));
        match self.rng.below(12) {
            0..=3 => p,
            4 => Vec2::new(p.x, fresh.y),
            5 => Vec2::new(fresh.x, p.y),
            6 => Vec2::new(p.x, q.y),
            7 => p * 0.5 + q * 0.5,
            8 => p + self.pythagorean(),
            9 => p + (q - p) * 2.0,
            10 => Vec2::new(self.beside(p.x), p.y),
            _ => {
                let size = self.size();
                p + self.rng.pick(&[Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y]) * size
            }
        }
    }

    /// Returns a center and a radius, often such that the circle passes exactly through a known point or touches
    /// a known circle.
    fn center_and_radius(&mut self) -> (Vec2, f32) {
        if self.pool.is_empty() || self.rng.one_in(2) {
            return (self.point(), self.size());
        }
        let offset = self.pythagorean();
        let distance = offset.x.abs().max(offset.y.abs()) * 1.25; // 5, for a 3-4-5 triangle
        let distance =
            if offset.x == 0.0 || offset.y == 0.0 { offset.abs().max_element() } else { distance };
        let other = self.size();
        let radius =
            self.rng.pick(&[distance, distance - other, distance - other, distance + other]);
        let center = self.rng.pick(&self.pool) + offset;
        (center, if radius > 0.0 { radius } else { other })
    }

    /// Returns a center for a shape of this half size, often such that a known point lies on its edge or
    /// corner.
    fn beside_point(&mut self, reach: Vec2) -> Vec2 {
        let [x, y] = [(); 2].map(|()| self.rng.pick(&[0.0, 0.0, 1.0, -1.0]));
        self.point() + Vec2::new(x, y) * self.rng.pick(&[reach, reach, Vec2::new(reach.y, reach.x)])
    }

    /// Returns a vector whose length is a multiple of the unit (if the unit is exact).
    fn pythagorean(&mut self) -> Vec2 {
        let (x, y) = self.rng.pick(&[
            (3.0, 4.0),
            (4.0, 3.0),
            (1.0, 0.0),
            (0.0, 1.0),
            (6.0, 8.0),
            (0.0, 8.0),
            (4.0, 0.0),
        ]);
        let signs = Vec2::new(self.rng.pick(&[-1.0, 1.0]), self.rng.pick(&[-1.0, 1.0]));
        Vec2::new(x, y) * signs * self.space.unit() * self.rng.pick(&[0.5, 1.0, 1.0])
    }

    fn coordinate(&mut self, axis: usize) -> f32 {
        match self.space {
            Space::Grid { unit, origin } => origin[axis] + unit * self.rng.below(9) as f32,
            Space::Free { unit, origin } => origin[axis] + unit * 4.0 * self.rng.signed(),
            Space::Wild => self.rng.signed() * 2f32.powi(self.rng.between(-30, 30) as i32),
        }
    }

    fn size(&mut self) -> f32 {
        if !self.sizes.is_empty() && self.rng.one_in(3) {
            return self.rng.pick(&self.sizes);
        }
        match self.space {
            Space::Grid { unit, .. } => {
                unit * self.rng.pick(&[0.5, 1.0, 1.0, 2.0, 2.0, 3.0, 5.0, 8.0])
            }
            Space::Free { unit, .. } => unit * 2.0 * self.rng.signed().abs(),
            Space::Wild => self.coordinate(0).abs(),
        }
    }

    fn angle(&mut self) -> f32 {
        let any = self.rng.signed() * PI;
        self.rng.pick(&[0.0, 0.0, FRAC_PI_2, -FRAC_PI_2, PI, FRAC_PI_4, any, any])
    }

    /// Returns the next float above or below a coordinate.
    fn beside(&mut self, x: f32) -> f32 {
        if self.rng.one_in(2) { x.next_up() } else { x.next_down() }
    }

    /// Returns a point very close to the line through two others.
    fn sliver(&mut self, a: Vec2, b: Vec2) -> Vec2 {
        let share = self.rng.pick(&[0.5, 0.25, 1.5, -1.0]);
        let on_line = a + (b - a) * share;
        Vec2::new(on_line.x, self.beside(on_line.y))
    }

    /// Adds a shape's points, the corners of its bounds and its sizes to the pool.
    pub fn remember(&mut self, shape: &Shape) {
        let points = decompose::points(shape);
        let radius = decompose::radius(shape);
        let low = points.iter().copied().reduce(Vec2::min).expect("a shape has a point");
        let high = points.iter().copied().reduce(Vec2::max).expect("a shape has a point");
        let step = points.len().div_ceil(12);
        self.pool.extend(points.iter().step_by(step));
        self.pool.push(low * 0.5 + high * 0.5);
        if radius > 0.0 {
            self.sizes.push(radius);
            let p = points[0];
            let sides = [Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y].map(|side| p + side * radius);
            self.pool.extend(sides);
        }
        let extent = high - low;
        let sizes = [extent.x, extent.y, extent.x * 0.5, extent.y * 0.5];
        self.sizes.extend(sizes.into_iter().filter(|&s| s > 0.0 && s.is_finite()));
        self.pool.retain(|p| p.is_finite());
    }

    pub fn motion(&mut self) -> Vec2 {
        let (p, q) = (self.rng.pick(&self.pool), self.rng.pick(&self.pool));
        let unit = self.space.unit();
        let motion = match self.rng.below(8) {
            0..=2 => p - q,
            3 => (p - q) * 3.0,
            4 => Vec2::X * unit * self.rng.between(-12, 12) as f32,
            5 => Vec2::Y * unit * self.rng.between(-12, 12) as f32,
            6 => Vec2::new(self.rng.signed(), self.rng.signed()) * 8.0 * unit,
            _ => self.pythagorean() * 2.0,
        };
        if motion.is_finite() { motion } else { Vec2::X * unit }
    }
}

/// Sorts points by their angle around their center: a star-shaped outline.
fn sorted_by_angle(mut points: Vec<Vec2>) -> Vec<Vec2> {
    let middle = points
        .iter()
        .fold([0.0f64; 2], |sum, p| [sum[0] + f64::from(p.x), sum[1] + f64::from(p.y)]);
    let middle = middle.map(|s| s / points.len() as f64);
    let angle = |p: &Vec2| (f64::from(p.y) - middle[1]).atan2(f64::from(p.x) - middle[0]);
    points.sort_by(|p, q| angle(p).total_cmp(&angle(q)));
    points
}
