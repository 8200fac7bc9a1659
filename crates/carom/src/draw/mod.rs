//! What to draw: shapes, contacts, worlds and separating axes, on any canvas.
//!
//! A [`Canvas`] is whatever can fill an area and draw a line: the [`Picture`] here, or your engine, for
//! debug drawing in the running game. Everything else is made of those:
//!
//! ```
//! use carom::draw::{self, Canvas, Color, Paint, Picture, View};
//! use carom::prelude::*;
//!
//! let hero = Capsule::new([2.0, 1.0], [2.0, 2.0], 0.5);
//! let floor = Aabb::new([0.0, 0.0], [6.0, 0.75]);
//! let mut picture = Picture::new(View::new(Aabb::new([0.0, 0.0], [6.0, 3.0])));
//! draw::shape(&mut picture, &floor, &Paint::area(Color::GREY));
//! draw::shape(&mut picture, &hero, &Paint::area(Color::BLUE));
//! draw::contact(&mut picture, &hero.contact(&floor).unwrap(), &Paint::line(Color::VERMILION));
//! let svg: String = picture.to_svg();
//! assert!(svg.starts_with("<svg "));
//! ```
//!
//! In an engine, the trait takes two functions at the least:
//!
//! ```
//! use carom::draw::{self, Canvas, Paint};
//! use carom::prelude::*;
//!
//! struct Gizmos(Vec<[Vec2; 2]>); // lines for the engine to draw this frame
//! impl Canvas for Gizmos {
//!     fn area(&mut self, rings: &[&[Vec2]], paint: &Paint) {
//!         for ring in rings {
//!             self.line(ring, paint);
//!             self.line(&[ring[ring.len() - 1], ring[0]], paint);
//!         }
//!     }
//!     fn line(&mut self, points: &[Vec2], _paint: &Paint) {
//!         self.0.extend(points.windows(2).map(|ends| [ends[0], ends[1]]));
//!     }
//! }
//! let mut gizmos = Gizmos(Vec::new());
//! draw::shape(&mut gizmos, &Aabb::new([0.0, 0.0], [1.0, 1.0]), &Paint::default());
//! assert_eq!(gizmos.0.len(), 4);
//! ```

mod axes;
mod paint;
mod picture;
mod shapes;
mod svg;
mod view;
mod world;

pub use axes::AxesPicture;
pub use paint::{Color, Paint};
pub use picture::{Anchor, Mark, Picture};
pub use shapes::{contact, hit, ray, shape};
pub use view::{Place as LabelPlace, View};
pub use world::{WorldPaint, cells, world};

use alloc::vec::Vec;

use crate::math::{DVec2, Vec2, length, outward, round};

/// Whatever can be drawn on. Coordinates are those of the world; widths of lines, dots and letters
/// are in pixels, so that they stay readable at every scale.
pub trait Canvas {
    /// Fills what lies within an odd number of rings, and draws their outlines, as the paint says.
    /// A ring is closed without repeating its first point.
    fn area(&mut self, rings: &[&[Vec2]], paint: &Paint);

    /// Draws a line through points.
    fn line(&mut self, points: &[Vec2], paint: &Paint);

    /// A filled circle. Unless a canvas knows better, it is a polygon.
    fn circle(&mut self, center: Vec2, radius: f32, paint: &Paint) {
        self.area(&[&arc(center, radius, 0, FULL)], paint);
    }

    /// A dot of a few pixels. A canvas without pixels of its own leaves it out.
    fn dot(&mut self, _at: Vec2, _paint: &Paint) {}

    /// A few words beside a point. A canvas without letters leaves them out.
    fn label(&mut self, _at: Vec2, _text: &str, _place: LabelPlace, _paint: &Paint) {}

    /// An arrow from one point to another.
    fn arrow(&mut self, from: Vec2, to: Vec2, paint: &Paint) {
        self.line(&[from, to], paint);
        let way = to.as_dvec2() - from.as_dvec2();
        let size = length(way);
        if size > 0.0 {
            let head = way * (f64::min(size / 3.0, self.arrow_head()) / size);
            let side = |turn: f64| round(to.as_dvec2() - head + outward(head) * turn);
            self.area(&[&[to, side(0.5), side(-0.5)]], &Paint { fill: paint.line, ..*paint });
        }
    }

    /// How long the head of an arrow is at most, in units of the world.
    fn arrow_head(&self) -> f64 {
        f64::INFINITY
    }
}

/// Steps of a full turn in circles made of lines.
const FULL: u32 = 64;

/// Points on a circle, from one step of a turn on, over so many more; both ends count unless it is
/// a full turn.
fn arc(center: Vec2, radius: f32, from: u32, steps: u32) -> Vec<Vec2> {
    let last = if steps == FULL { steps - 1 } else { steps };
    let at = |step: u32| {
        let angle = f64::from((from + step) % FULL) * (core::f64::consts::TAU / f64::from(FULL));
        let way = DVec2::new(libm::cos(angle), libm::sin(angle));
        round(center.as_dvec2() + way * f64::from(radius))
    };
    (0..=last).map(at).collect()
}
