//! Random levels and bodies, on a grid and off it.

use carom::prelude::*;

use crate::stage::Random;

/// Sizes and positions are multiples of a quarter if `is_grid`, else anything; all are multiplied by `unit`.
pub struct Maker<'r> {
    pub random: &'r mut Random,
    pub is_grid: bool,
    pub unit: f32,
}

impl Maker<'_> {
    /// A number between two, in units.
    fn number(&mut self, low: f32, high: f32) -> f32 {
        let n = self.random.between(low, high);
        self.unit * if self.is_grid { (n * 4.0).round() / 4.0 } else { n }
    }

    /// A size of at least a quarter of a unit.
    fn size(&mut self, high: f32) -> f32 {
        self.number(0.25, high).max(0.25 * self.unit)
    }

    pub fn place(&mut self, reach: f32) -> Vec2 {
        Vec2::new(self.number(-reach, reach), self.number(-reach, reach))
    }

    fn angle(&mut self) -> f32 {
        match self.random.below(4) {
            0 => 0.0,
            1 => std::f32::consts::FRAC_PI_4,
            _ => self.random.between(-3.0, 3.0),
        }
    }

    /// A convex polygon around a center: points of an ellipse, with radii and angles of its own.
    fn polygon_points(&mut self, corners: usize, center: Vec2, size: f32) -> Vec<Vec2> {
        let turn = self.random.between(0.0, 6.0);
        let (a, b) = (self.random.between(0.4, 1.0) * size, self.random.between(0.4, 1.0) * size);
        let point = |i: usize, jitter: f32| {
            let angle = turn + (i as f32 + jitter) / corners as f32 * std::f32::consts::TAU;
            center + Vec2::new(a * angle.cos(), b * angle.sin())
        };
        (0..corners)
            .map(|i| {
                let jitter = self.random.between(-0.3, 0.3);
                point(i, jitter)
            })
            .collect()
    }

    /// A convex shape around a center.
    pub fn convex(&mut self, center: Vec2, size: f32) -> Shape {
        let [w, h] = [(); 2].map(|()| self.size(size));
        let half = Vec2::new(w, h);
        match self.random.below(9) {
            0 | 1 => Aabb::new(center - half, center + half).into(),
            2 => Obb::new(center, half, self.angle()).into(),
            3 => Circle::new(center, w).into(),
            4 => Capsule::new(center - Vec2::new(0.0, h), center + Vec2::new(0.0, h), w).into(),
            5 => {
                let lean = self.number(-0.5, 0.5);
                Capsule::new(center - Vec2::new(w, lean), center + Vec2::new(w, lean), h).into()
            }
            6 => {
                let [a, b] = [(); 2].map(|()| self.number(-size, size));
                let points = [Vec2::new(-w, -a), Vec2::new(w, -b), Vec2::new(0.0, h + self.unit)];
                let [a, b, c] = points.map(|p| p + center);
                Triangle::try_new(a, b, c)
                    .map_or_else(|_| Circle::new(center, h).into(), Shape::from)
            }
            7 if self.is_grid => {
                let points = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
                ConvexPolygon::new(&points.map(|p| center + Vec2::from(p) * half)).into()
            }
            _ => {
                let corners = 3 + self.random.below(5);
                let points = self.polygon_points(corners, center, size * self.unit);
                let rounded = self.random.chance(0.3);
                let made = if rounded {
                    ConvexPolygon::try_rounded(&points, 0.25 * self.unit)
                } else {
                    ConvexPolygon::try_new(&points)
                };
                made.map_or_else(|_| Circle::new(center, h).into(), Shape::from)
            }
        }
    }

    /// A shape of several convex parts around a center.
    pub fn composite(&mut self, center: Vec2, size: f32) -> Shape {
        let unit = self.unit;
        match self.random.below(6) {
            0 => {
                let [x, y] = [(); 2].map(|()| self.size(size));
                let outlines: [&[[f32; 2]]; 4] = [
                    &[[0., 0.], [3., 0.], [3., 2.], [2., 2.], [1.5, 0.5], [0., 2.]],
                    &[
                        [0., 0.],
                        [3., 0.],
                        [3., 2.],
                        [2., 2.],
                        [2., 1.],
                        [1., 1.],
                        [1., 2.],
                        [0., 2.],
                    ],
                    &[[0., 0.], [2., 0.], [4., 1.], [2., 0.75], [0., 2.]],
                    &[
                        [0., 0.],
                        [4., 0.],
                        [4., 1.],
                        [3., 1.],
                        [3., 0.5],
                        [1., 0.5],
                        [1., 2.],
                        [0., 2.],
                    ],
                ];
                let outline = outlines[self.random.below(4)];
                let points: Vec<Vec2> = outline
                    .iter()
                    .map(|[u, v]| center + Vec2::new((u - 1.5) * x, (v - 1.0) * y))
                    .collect();
                Polygon::new(&points).into()
            }
            1 => {
                let [x, y] = [(); 2].map(|()| self.size(size));
                let half = Vec2::new(x, y) + 0.5 * unit;
                let corners = [[-1., -1.], [1., -1.], [1., 1.], [-1., 1.]].map(Vec2::from);
                let outer = corners.map(|c| center + c * (half + 0.5 * unit));
                Polygon::with_holes(&outer, &[corners.map(|c| center + c * half).to_vec()]).into()
            }
            2 => {
                let at = center - unit;
                let legend = [
                    ('#', TileKind::SOLID),
                    ('/', TileKind::slope(0.0, 1.0, [0.0, 1.0])),
                    ('\\', TileKind::slope(1.0, 0.0, [0.0, 1.0])),
                    ('^', TileKind::slope(0.0, 0.5, [0.0, -1.0])),
                ];
                let rows: Vec<String> = (0..4)
                    .map(|_| {
                        (0..5)
                            .map(|_| ['.', '.', '#', '#', '/', '\\', '^'][self.random.below(7)])
                            .collect()
                    })
                    .collect();
                let tile = [self.size(1.0), self.size(1.0)];
                let map = TileMap::from_rows(at, tile, &rows, &legend);
                if map.tiles().next().is_none() {
                    Circle::new(center, unit).into()
                } else {
                    map.into()
                }
            }
            3 => {
                let rows: Vec<String> = (0..6)
                    .map(|_| {
                        (0..7).map(|_| if self.random.chance(0.6) { '#' } else { '.' }).collect()
                    })
                    .collect();
                Mask::from_rows(center - unit, 0.25 * unit, &rows).into()
            }
            4 => {
                let parts = (0..2 + self.random.below(2)).map(|i| {
                    let aside = center + self.place(0.5) + Vec2::X * (i as f32 * 0.5 * unit);
                    self.convex(aside, 0.5 * size)
                });
                Compound::new(parts.collect::<Vec<_>>()).into()
            }
            _ => {
                let size = self.size(size);
                let boxes = (0..3).map(|i| {
                    let low = center + Vec2::X * (i as f32 * size);
                    let high = if i == 1 { size } else { self.size(1.0) };
                    Aabb::new(low, low + Vec2::new(size, high)).into()
                });
                Compound::new(boxes.collect::<Vec<Shape>>()).into()
            }
        }
    }

    /// A line or a chain around a center.
    pub fn line(&mut self, center: Vec2) -> Shape {
        let count = 2 + self.random.below(4);
        let points: Vec<Vec2> = (0..count)
            .map(|i| {
                let x = (i as f32 - 1.0) * self.unit;
                center + Vec2::new(x, 0.0) + self.place(0.45)
            })
            .collect();
        match Chain::try_new(&points) {
            Ok(chain) => chain.into(),
            Err(_) => Segment::new(center, center + Vec2::X * self.unit).into(),
        }
    }

    /// An obstacle, or some that are flush with each other. Lines only for bodies that have area: the difference
    /// of two lines has none, and a path can only cross it.
    pub fn obstacles(&mut self, all: &mut Vec<Shape>, reach: f32, has_lines: bool) {
        let center = self.place(reach);
        match self.random.below(10) {
            6 | 7 if !has_lines => all.push(self.convex(center, 1.0)),
            0..=3 => all.push(self.convex(center, 1.5)),
            4 | 5 => all.push(self.composite(center, 1.0)),
            6 => all.push(self.line(center)),
            7 => {
                let b = center + self.place(2.0);
                if b != center {
                    all.push(Segment::new(center, b).into());
                }
            }
            _ => {
                // A row of flush boxes.
                let size = Vec2::new(self.size(1.0), self.size(1.0));
                let step = if self.random.chance(0.5) { Vec2::X * size } else { Vec2::Y * size };
                for i in 0..3 {
                    let low = center + step * i as f32;
                    all.push(Aabb::new(low, low + size).into());
                }
            }
        }
    }

    /// A body around the origin.
    pub fn body(&mut self) -> Shape {
        match self.random.below(12) {
            0 => self.composite(Vec2::ZERO, 0.5),
            1 => Segment::new([0.0, 0.0], self.place(0.5) + 0.75 * self.unit).into(),
            2 => Point::new([0.0, 0.0]).into(),
            3 => {
                let radii = [self.size(0.75), self.size(0.75)];
                Ellipse::new([0.0, 0.0], radii, self.angle()).into()
            }
            _ => self.convex(Vec2::ZERO, 0.75),
        }
    }

    /// A motion from a position: often towards an obstacle, along an axis or a diagonal, now and then long.
    pub fn motion(&mut self, at: Vec2, obstacles: &[Shape]) -> Vec2 {
        let length = self.unit * [0.25, 0.5, 1.0, 2.0, 4.0, 12.0][self.random.below(6)];
        let is_outside = at.abs().max_element() > 5.5 * self.unit;
        if is_outside || self.random.chance(0.5) {
            let bounds = obstacles[self.random.below(obstacles.len())].bounds();
            let size = bounds.max() - bounds.min();
            let share = Vec2::new(self.random.between(0.0, 1.0), self.random.between(0.0, 1.0));
            let share = if self.is_grid { (share * 2.0).round() / 2.0 } else { share };
            return (bounds.min() + size * share - at) * [1.0, 1.0, 2.0][self.random.below(3)];
        }
        if self.random.chance(0.5) {
            let directions = [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [-1, 1], [1, -1], [-1, -2]];
            let [x, y] = directions[self.random.below(8)];
            Vec2::new(x as f32, y as f32) * length
        } else {
            Vec2::new(self.random.between(-1.0, 1.0), self.random.between(-1.0, 1.0)) * length
        }
    }
}
