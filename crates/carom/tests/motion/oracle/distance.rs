//! Shapes as rounded convex hulls, their Minkowski differences, and signed distances.

use carom::prelude::*;
use glam::DVec2;

/// A convex hull, counter-clockwise, with a radius around it.
#[derive(Clone, Debug)]
pub struct Hull {
    pub points: Vec<DVec2>,
    pub radius: f64,
}

/// A Minkowski difference, and the index of the obstacle that it belongs to.
#[derive(Clone, Debug)]
pub struct Difference {
    pub hull: Hull,
    pub obstacle: usize,
    low: DVec2,
    high: DVec2,
}

pub fn perp(v: DVec2) -> DVec2 {
    DVec2::new(-v.y, v.x)
}

fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}

impl Hull {
    /// The convex hull of points (Andrew's monotone chain).
    pub fn of(mut points: Vec<DVec2>, radius: f64) -> Self {
        points.iter_mut().for_each(|p| *p += DVec2::ZERO); // -0.0 would be sorted before 0.0
        points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        points.dedup();
        if points.len() > 2 {
            let half = |points: &mut dyn Iterator<Item = DVec2>| {
                let mut chain: Vec<DVec2> = Vec::new();
                for p in points {
                    while let [.., a, b] = chain[..]
                        && turn(a, b, p) <= 0.0
                    {
                        chain.pop();
                    }
                    chain.push(p);
                }
                chain.pop();
                chain
            };
            let lower = half(&mut points.iter().copied());
            let upper = half(&mut points.iter().rev().copied());
            points = [lower, upper].concat();
        }
        Self { points, radius }
    }

    fn bounds(&self) -> [DVec2; 2] {
        let low = self.points.iter().copied().fold(DVec2::INFINITY, DVec2::min) - self.radius;
        let high = self.points.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max) + self.radius;
        [low, high]
    }

    pub fn has_area(&self) -> bool {
        self.points.len() > 2 || self.radius > 0.0
    }

    fn edges(&self) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
        let n = self.points.len();
        (0..if n > 1 { n } else { 0 }).map(move |i| (self.points[i], self.points[(i + 1) % n]))
    }

    /// Returns the signed distance of a point from the boundary, negative inside.
    pub fn distance(&self, p: DVec2) -> f64 {
        if self.points.len() > 2 {
            let height = |(a, b): (DVec2, DVec2)| -turn(a, b, p) / (b - a).length();
            let highest = self.edges().map(height).fold(f64::NEG_INFINITY, f64::max);
            if highest <= 0.0 {
                return highest - self.radius;
            }
        }
        (p - self.closest(p)).length() - self.radius
    }

    /// Returns the point of the hull's outline, without the radius, that is closest to a point.
    fn closest(&self, p: DVec2) -> DVec2 {
        let on_edge = |(a, b): (DVec2, DVec2)| {
            a + (b - a) * ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0)
        };
        let points = self.edges().map(on_edge).chain([self.points[0]]);
        points.min_by(|a, b| (p - *a).length().total_cmp(&(p - *b).length())).expect("not empty")
    }

    /// Returns the outward normals of the surfaces whose lines are within a distance of a point that is on the
    /// boundary or nearly so.
    pub fn normals(&self, p: DVec2, tolerance: f64) -> Vec<DVec2> {
        if self.radius > 0.0 {
            return (p - self.closest(p)).try_normalize().into_iter().collect();
        }
        let near = |&(a, b): &(DVec2, DVec2)| turn(a, b, p).abs() <= tolerance * (b - a).length();
        self.edges().filter(near).map(|(a, b)| -perp(b - a).normalize()).collect()
    }
}

impl Difference {
    fn new(obstacle: &Hull, body: &Hull, index: usize) -> Self {
        let points = obstacle.points.iter().flat_map(|&a| body.points.iter().map(move |&b| a - b));
        let hull = Hull::of(points.collect(), obstacle.radius + body.radius);
        let [low, high] = hull.bounds();
        Self { hull, obstacle: index, low, high }
    }

    /// Adds to the radius.
    pub fn grow(&mut self, by: f64) {
        self.hull.radius += by;
        [self.low, self.high] = self.hull.bounds();
    }

    pub fn distance(&self, p: DVec2) -> f64 {
        self.hull.distance(p)
    }

    /// Returns whether a point is within a margin of the bounds.
    pub fn is_near(&self, p: DVec2, margin: f64) -> bool {
        p.cmpge(self.low - margin).all() && p.cmple(self.high + margin).all()
    }

    /// Returns whether a path comes within a margin of the bounds.
    pub fn is_near_path(&self, p: DVec2, motion: DVec2, margin: f64) -> bool {
        let q = p + motion;
        p.max(q).cmpge(self.low - margin).all() && p.min(q).cmple(self.high + margin).all()
    }

    /// Returns a time in 0..=1 at which the signed distance along a motion is less than a limit.
    ///
    /// The distance from a convex set is a convex function of the time, so a golden-section search finds its
    /// minimum. It also changes by no more than the body moves, which ends most searches early.
    pub fn time_below(&self, p: DVec2, motion: DVec2, limit: f64) -> Option<f64> {
        let at = |t: f64| self.distance(p + motion * t);
        const GOLDEN: f64 = 0.618_033_988_749_895;
        let length = motion.length();
        if let Some(end) = [1.0, 0.0].into_iter().find(|&end| at(end) < limit) {
            return Some(end);
        }
        let (mut low, mut high) = (0.0, 1.0);
        let (mut a, mut b) = (1.0 - GOLDEN, GOLDEN);
        let (mut at_a, mut at_b) = (at(a), at(b));
        // Down to about 1e-12 of the motion.
        for _ in 0..58 {
            let least = at_a.min(at_b);
            if least < limit {
                return Some(if at_a < limit { a } else { b });
            }
            if least - GOLDEN * (high - low) * length > limit {
                return None;
            }
            if at_a <= at_b {
                (high, b, at_b) = (b, a, at_a);
                a = high - GOLDEN * (high - low);
                at_a = at(a);
            } else {
                (low, a, at_a) = (a, b, at_b);
                b = low + GOLDEN * (high - low);
                at_b = at(b);
            }
        }
        None
    }

    /// Returns the first time at which a motion reaches the boundary, given a time at which it is inside.
    pub fn entry(&self, p: DVec2, motion: DVec2, inside: f64) -> f64 {
        if self.distance(p) <= 0.0 {
            return 0.0;
        }
        let (mut out, mut inside) = (0.0, inside);
        for _ in 0..50 {
            let middle = 0.5 * (out + inside);
            if self.distance(p + motion * middle) > 0.0 {
                out = middle;
            } else {
                inside = middle;
            }
        }
        out
    }
}

/// Returns the differences of a body, given relative to its position, and some obstacles, as far as they are within
/// a distance of a position. Differences without area get a skin.
pub fn differences(
    body: &[Hull],
    obstacles: &[Shape],
    skin: f64,
    (center, reach): (DVec2, f64),
) -> Vec<Difference> {
    let mut all = Vec::new();
    for (index, shape) in obstacles.iter().enumerate() {
        let bounds = shape.bounds();
        let [shape_low, shape_high] = [bounds.min().as_dvec2(), bounds.max().as_dvec2()];
        let is_near = |low: DVec2, high: DVec2, own: &Hull| {
            let [own_low, own_high] = own.bounds();
            (center + reach).cmpge(low - own_high).all()
                && (center - reach).cmple(high - own_low).all()
        };
        if !body.iter().any(|own| is_near(shape_low, shape_high, own)) {
            continue;
        }
        for hull in hulls(shape) {
            let [low, high] = hull.bounds();
            for own in body.iter().filter(|own| is_near(low, high, own)) {
                let mut difference = Difference::new(&hull, own, index);
                if difference.hull.radius == 0.0 && difference.hull.points.len() < 3 {
                    difference.grow(skin);
                }
                all.push(difference);
            }
        }
    }
    all
}

/// Returns a shape as convex hulls.
pub fn hulls(shape: &Shape) -> Vec<Hull> {
    let wide = |points: &[Vec2]| points.iter().map(|p| p.as_dvec2()).collect::<Vec<_>>();
    let one = |points: &[Vec2], radius: f32| vec![Hull::of(wide(points), radius.into())];
    match shape {
        Shape::Point(s) => one(&[s.position()], 0.0),
        Shape::Segment(s) => one(&[s.a(), s.b()], 0.0),
        Shape::Circle(s) => one(&[s.center()], s.radius()),
        Shape::Ellipse(s) => one(s.points(), 0.0),
        Shape::Capsule(s) => one(&[s.a(), s.b()], s.radius()),
        Shape::Aabb(s) => {
            let (min, max) = (s.min(), s.max());
            one(&[min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)], 0.0)
        }
        Shape::Obb(s) => one(s.corners(), 0.0),
        Shape::Triangle(s) => one(s.points(), 0.0),
        Shape::ConvexPolygon(s) => one(s.points(), s.radius()),
        Shape::Polygon(s) => match s.holes().next() {
            // A frame: the hole has as many vertices as the outline, each beside its own.
            Some(hole) => {
                let (outer, mut hole) = (wide(s.outer()), wide(hole));
                hole.reverse();
                let n = outer.len();
                assert_eq!(n, hole.len(), "the oracle knows only frames");
                let nearest = |p: DVec2| {
                    let distance = |i: &usize| (hole[*i] - p).length();
                    hole[(0..n).min_by(|a, b| distance(a).total_cmp(&distance(b))).expect("some")]
                };
                let quad = |i: usize| {
                    let (a, b) = (outer[i], outer[(i + 1) % n]);
                    Hull::of(vec![a, b, nearest(b), nearest(a)], 0.0)
                };
                (0..n).map(quad).collect()
            }
            None => triangles(wide(s.outer())),
        },
        Shape::Chain(s) => s.segments().flat_map(|(a, b)| one(&[a, b], 0.0)).collect(),
        Shape::Compound(s) => s.parts().iter().flat_map(hulls).collect(),
        Shape::TileMap(s) => {
            s.tiles().filter_map(|cell| s.tile_shape(cell)).flat_map(|tile| hulls(&tile)).collect()
        }
        Shape::Mask(s) => {
            let pixels = s.bitmap().pixels().filter_map(|pixel| s.pixel_shape(pixel));
            pixels.flat_map(|pixel| hulls(&pixel)).collect()
        }
        _ => panic!("the oracle does not know {}", shape.kind()),
    }
}

/// Cuts a simple polygon into triangles, ear by ear.
fn triangles(mut ring: Vec<DVec2>) -> Vec<Hull> {
    let area: f64 = (0..ring.len()).map(|i| ring[i].perp_dot(ring[(i + 1) % ring.len()])).sum();
    if area < 0.0 {
        ring.reverse();
    }
    let mut all = Vec::new();
    while ring.len() > 3 {
        let n = ring.len();
        let corner = |i: usize| [ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]];
        // The ear with the largest least angle, roughly: the one whose height over its base is largest.
        let is_ear = |&i: &usize| {
            let [a, b, c] = corner(i);
            let is_inside =
                |p: &DVec2| turn(a, b, *p) >= 0.0 && turn(b, c, *p) >= 0.0 && turn(c, a, *p) >= 0.0;
            let others = ring.iter().filter(|p| **p != a && **p != b && **p != c);
            turn(a, b, c) > 0.0 && !others.into_iter().any(is_inside)
        };
        let height = |i: usize| {
            let [a, b, c] = corner(i);
            turn(a, b, c) / (c - a).length().max((b - a).length()).max((c - b).length())
        };
        let ear = (0..n).filter(is_ear).max_by(|a, b| height(*a).total_cmp(&height(*b)));
        let Some(ear) = ear else { break };
        all.push(Hull::of(corner(ear).to_vec(), 0.0));
        ring.remove(ear);
        // Drop vertices that are left on a straight line.
        let n = ring.len();
        ring = (0..n)
            .filter(|&i| turn(ring[(i + n - 1) % n], ring[i], ring[(i + 1) % n]) != 0.0)
            .map(|i| ring[i])
            .collect();
    }
    if ring.len() == 3 {
        all.push(Hull::of(ring, 0.0));
    }
    all
}
