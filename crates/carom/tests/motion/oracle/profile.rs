//! The profile of a ground under a walker: the lowest position of the walker above every `x`.
//!
//! A ground is a polyline from left to right with solid below it. It may have upright edges. The positions
//! at which a convex walker overlaps it are those below the *profile*, the upper envelope of these curves:
//!
//! - for each edge of the ground, the edge moved by the lowest point of the walker in that direction;
//! - for each vertex of the ground and each lower edge of the walker, the edge reversed;
//! - for each vertex of the ground and each round corner of the walker, an arc.
//!
//! A walker is a point that must not be below any of these curves. The region below a curve is convex, and
//! its sides are upright.

use glam::DVec2;

use super::distance::Hull;

/// Lengths below this are zero. Positions are of the order of 10, and all computations are in `f64`.
pub const SMALL: f64 = 1e-9;

#[derive(Clone, Copy, Debug)]
enum Shape {
    /// Runs from left to right.
    Line(DVec2, DVec2),
    /// The upper half of a circle.
    Arc(DVec2, f64),
}

/// A curve of the envelope, and the vertex of the ground that the walker touches on it.
#[derive(Clone, Copy, Debug)]
struct Curve {
    shape: Shape,
    vertex: Option<usize>,
}

/// The boundary that a position touches on one side, by the direction in which it leads to that side.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    /// A unit vector. It points straight up along an upright wall.
    pub tangent: DVec2,
    /// The vertex of the ground that is touched, if the rest of an edge is not.
    pub vertex: Option<usize>,
}

impl Side {
    pub fn is_wall(&self) -> bool {
        self.tangent.x.abs() < SMALL
    }
}

/// The boundary that a position touches, on both sides. Directions below the tangents are blocked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Touch {
    pub left: Option<Side>,
    pub right: Option<Side>,
}

impl Touch {
    /// Returns whether a direction leads into the ground.
    pub fn blocks(&self, direction: DVec2) -> bool {
        let least = SMALL * direction.length();
        if direction.x > least {
            self.right.is_some_and(|side| side.tangent.perp_dot(direction) < -least)
        } else if direction.x < -least {
            self.left.is_some_and(|side| side.tangent.perp_dot(direction) > least)
        } else {
            direction.y < 0.0 && self.left.is_some() && self.right.is_some()
        }
    }

    /// Returns the outward normals of the surfaces touched: of the one on the right, of the one on the left.
    pub fn normals(&self) -> [Option<DVec2>; 2] {
        let right = self.right.map(|side| side.tangent.perp());
        let left = self.left.map(|side| -side.tangent.perp());
        [right, left]
    }
}

pub struct Profile {
    curves: Vec<Curve>,
}

impl Curve {
    fn range(&self) -> [f64; 2] {
        match self.shape {
            Shape::Line(a, b) => [a.x, b.x],
            Shape::Arc(center, radius) => [center.x - radius, center.x + radius],
        }
    }

    /// Returns the height at an `x`, which is moved into the range.
    fn height(&self, x: f64) -> f64 {
        let [low, high] = self.range();
        let x = x.clamp(low, high);
        match self.shape {
            Shape::Line(a, b) => a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x)),
            Shape::Arc(center, radius) => {
                center.y + (radius * radius - (x - center.x).powi(2)).max(0.0).sqrt()
            }
        }
    }

    /// Returns the unit tangent at an `x`, to the right.
    fn tangent(&self, x: f64) -> DVec2 {
        match self.shape {
            Shape::Line(a, b) => (b - a).normalize(),
            Shape::Arc(center, radius) => {
                let sine = ((x - center.x) / radius).clamp(-1.0, 1.0);
                DVec2::new((1.0 - sine * sine).sqrt(), -sine)
            }
        }
    }

    /// Returns the distance of a position from the curve within its range, negative below it.
    fn distance(&self, p: DVec2) -> f64 {
        match self.shape {
            Shape::Line(a, b) => (b - a).normalize().perp_dot(p - a),
            Shape::Arc(center, radius) if p.y > center.y => (p - center).length() - radius,
            Shape::Arc(center, radius) => (p.x - center.x).abs() - radius,
        }
    }

    /// Returns the time in 0..=1 at which a motion that is not upright enters the region below the curve.
    fn entry(&self, p: DVec2, motion: DVec2) -> Option<f64> {
        let [low, high] = self.range();
        // 1. The times between the sides.
        let (a, b) = ((low - p.x) / motion.x, (high - p.x) / motion.x);
        let (first, last) = (f64::max(0.0, a.min(b)), f64::min(1.0, a.max(b)));
        if (last - first) * motion.x.abs() <= SMALL {
            return None;
        }
        let above = |t: f64| {
            let at = p + motion * t;
            at.y - self.height(at.x)
        };
        // 2. Through a side.
        if above(first) < -SMALL {
            return Some(first);
        }
        // 3. Through the curve.
        match self.shape {
            Shape::Line(..) => {
                let (start, end) = (above(first), above(last));
                (end < -SMALL).then(|| first + (last - first) * (start / (start - end)).max(0.0))
            }
            Shape::Arc(center, radius) => {
                let (from, a) = (p - center, motion.length_squared());
                let (b, c) = (from.dot(motion), from.length_squared() - radius * radius);
                let root = b * b - a * c;
                // The least distance along the line, and the depth there.
                let middle = (-b / a).clamp(first, last);
                if root <= 0.0 || above(middle) >= -SMALL {
                    return None;
                }
                Some(((-b - root.sqrt()) / a).clamp(first, last))
            }
        }
    }
}

impl Profile {
    pub fn new(ground: &[DVec2], walker: &Hull) -> Self {
        let mut curves = Vec::new();
        let mut line = |a: DVec2, b: DVec2, vertex: Option<usize>| {
            let (a, b) = if a.x <= b.x { (a, b) } else { (b, a) };
            if b.x - a.x > 1e-12 {
                curves.push(Curve { shape: Shape::Line(a, b), vertex });
            }
        };
        let points = &walker.points;
        // 1. The edges of the ground.
        for edge in ground.windows(2).filter(|edge| edge[1].x > edge[0].x) {
            let normal = (edge[1] - edge[0]).normalize().perp();
            let height = |p: &&DVec2| normal.dot(**p);
            let lowest = points.iter().min_by(|a, b| height(a).total_cmp(&height(b)));
            let lowest = *lowest.expect("a walker has points") - normal * walker.radius;
            line(edge[0] - lowest, edge[1] - lowest, None);
        }
        // 2. The lower edges of the walker, counter-clockwise.
        let count = points.len();
        for (vertex, &at) in ground.iter().enumerate() {
            for i in 0..count {
                let (a, b) = (points[i], points[(i + 1) % count]);
                if b.x > a.x {
                    let out = -(b - a).normalize().perp() * walker.radius;
                    line(at - (a + out), at - (b + out), Some(vertex));
                }
            }
        }
        // 3. Its round corners.
        if walker.radius > 0.0 {
            for (vertex, &at) in ground.iter().enumerate() {
                let arc = |p: &DVec2| Shape::Arc(at - *p, walker.radius);
                let arcs = points.iter().map(arc);
                curves.extend(arcs.map(|shape| Curve { shape, vertex: Some(vertex) }));
            }
        }
        Self { curves }
    }

    /// Returns the height of the profile at an `x`; of two at an upright wall, the lower one.
    pub fn height(&self, x: f64) -> f64 {
        let highest = |curves: &mut dyn Iterator<Item = &Curve>| {
            curves.map(|curve| curve.height(x)).fold(f64::NEG_INFINITY, f64::max)
        };
        let left = highest(&mut self.reaching_left(x, SMALL));
        let right = highest(&mut self.reaching_right(x, SMALL));
        left.min(right)
    }

    /// Returns the curves that begin at most a distance to the right of an `x` and reach farther than that. Those
    /// that are not much wider need not.
    fn reaching_right(&self, x: f64, distance: f64) -> impl Iterator<Item = &Curve> {
        self.curves.iter().filter(move |curve| {
            let [low, high] = curve.range();
            low - x <= distance && high - x > least_reach(high - low, distance)
        })
    }

    fn reaching_left(&self, x: f64, distance: f64) -> impl Iterator<Item = &Curve> {
        self.curves.iter().filter(move |curve| {
            let [low, high] = curve.range();
            x - high <= distance && x - low > least_reach(high - low, distance)
        })
    }

    /// Moves a position out of the ground if it is inside by a rounding error, up to a tolerance. Returns `None`
    /// if it is deeper.
    pub fn settled(&self, mut p: DVec2, tolerance: f64) -> Option<DVec2> {
        for _ in 0..4 {
            for curve in &self.curves {
                let [low, high] = curve.range();
                let is_below = p.x > low + SMALL && p.x < high - SMALL && p.y < curve.height(p.x);
                if !is_below {
                    continue;
                }
                let distance = curve.distance(p);
                if distance >= -tolerance {
                    p -= curve.tangent(p.x).perp() * distance;
                } else if p.x - low <= tolerance {
                    p.x = low;
                } else if high - p.x <= tolerance {
                    p.x = high;
                } else {
                    return None;
                }
            }
        }
        Some(p)
    }

    /// Returns what a position touches: lines and sides within a tolerance, and arcs exactly. Beside a flush seam, an arc
    /// as near as the tolerance would tilt the surface.
    pub fn touch(&self, p: DVec2, tolerance: f64) -> Touch {
        let side = |curve: &Curve, tangent: DVec2| {
            let distance = curve.distance(p);
            let near = match curve.shape {
                Shape::Arc(center, _) if p.y > center.y => 16.0 * SMALL,
                _ => tolerance,
            };
            match distance {
                d if d > near => None,
                d if d < -near => Some(Side { tangent: DVec2::Y, vertex: None }),
                _ => Some(Side { tangent, vertex: curve.vertex }),
            }
        };
        let right =
            self.reaching_right(p.x, tolerance).filter_map(|curve| side(curve, curve.tangent(p.x)));
        let left =
            self.reaching_left(p.x, tolerance).filter_map(|curve| side(curve, -curve.tangent(p.x)));
        Touch { left: left.reduce(higher), right: right.reduce(higher) }
    }

    /// Returns the normals of all curves within a distance of a position.
    pub fn normals(&self, p: DVec2, distance: f64) -> impl Iterator<Item = DVec2> {
        self.curves_near(p, distance).map(move |curve| curve.tangent(p.x).perp())
    }

    /// Returns the curves within a distance of a position. Those beside it count if it is within the distance of
    /// their lines: the ends of two lines at a small angle are nearer to each other than to the vertex.
    fn curves_near(&self, p: DVec2, distance: f64) -> impl Iterator<Item = &Curve> {
        self.curves.iter().filter(move |curve| {
            let [low, high] = curve.range();
            let beside = match curve.shape {
                Shape::Line(..) => 50.0 * distance,
                Shape::Arc(..) => distance,
            };
            let is_over = p.x > low - beside && p.x < high + beside;
            is_over && curve.distance(p).abs() <= distance
        })
    }

    /// Returns whether a position is within a distance of two lines that bend away from it where they meet.
    pub fn is_at_peak(&self, p: DVec2, distance: f64) -> bool {
        let lines = self.curves_near(p, distance).filter_map(|curve| match curve.shape {
            Shape::Line(a, b) => Some((a, b)),
            Shape::Arc(..) => None,
        });
        let lines: Vec<(DVec2, DVec2)> = lines.collect();
        let bends = |&(a, b): &(DVec2, DVec2), &(c, d): &(DVec2, DVec2)| {
            (b - a).normalize().perp_dot((d - c).normalize()) < -1e-6 && (b - c).length() < SMALL
        };
        lines.iter().any(|left| lines.iter().any(|right| bends(left, right)))
    }

    /// Returns the first time in 0..=1 at which a motion enters the ground.
    pub fn entry(&self, p: DVec2, motion: DVec2) -> Option<f64> {
        if motion.x.abs() <= 0.1 * SMALL {
            let above = p.y - self.height(p.x);
            return (above + motion.y < -SMALL).then(|| (above / -motion.y).clamp(0.0, 1.0));
        }
        self.curves.iter().filter_map(|curve| curve.entry(p, motion)).reduce(f64::min)
    }
}

fn least_reach(width: f64, distance: f64) -> f64 {
    if width > 4.0 * distance { distance } else { SMALL }
}

/// Returns the higher one of two sides; of equal ones, the one on an edge.
fn higher(one: Side, other: Side) -> Side {
    let difference = one.tangent.y - other.tangent.y;
    let is_first = match difference.abs() <= SMALL {
        true => one.vertex.is_none(),
        false => difference > 0.0,
    };
    if is_first { one } else { other }
}
