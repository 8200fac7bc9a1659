//! What to draw: shapes, contacts, worlds and separating axes, on any canvas.
//!
//! A [`Canvas`] is whatever can fill an area and draw a line: the [`Drawing`] here, or your engine, for
//! debug drawing in the running game. Everything else is made of those:
//!
//! ```
//! use carom::draw::{self, Canvas, Color, Style, Drawing, View};
//! use carom::prelude::*;
//!
//! let hero = Capsule::new([2.0, 1.0], [2.0, 2.0], 0.5);
//! let floor = Aabb::new([0.0, 0.0], [6.0, 0.75]);
//! let mut picture = Drawing::new(View::new(Aabb::new([0.0, 0.0], [6.0, 3.0])));
//! draw::shape(&mut picture, &floor, &Style::translucent(Color::GREY));
//! draw::shape(&mut picture, &hero, &Style::translucent(Color::BLUE));
//! draw::contact(&mut picture, &hero.contact(&floor).unwrap(), &Style::stroke(Color::VERMILION));
//! let svg: String = picture.to_svg();
//! assert!(svg.starts_with("<svg "));
//! ```
//!
//! In an engine, the trait takes two functions at the least:
//!
//! ```
//! use carom::draw::{self, Canvas, Style};
//! use carom::prelude::*;
//!
//! struct Gizmos(Vec<[Vec2; 2]>); // lines for the engine to draw this frame
//! impl Canvas for Gizmos {
//!     fn polygon(&mut self, rings: &[&[Vec2]], style: &Style) {
//!         for ring in rings {
//!             self.polyline(ring, style);
//!             self.polyline(&[ring[ring.len() - 1], ring[0]], style);
//!         }
//!     }
//!     fn polyline(&mut self, points: &[Vec2], _style: &Style) {
//!         self.0.extend(points.windows(2).map(|ends| [ends[0], ends[1]]));
//!     }
//! }
//! let mut gizmos = Gizmos(Vec::new());
//! draw::shape(&mut gizmos, &Aabb::new([0.0, 0.0], [1.0, 1.0]), &Style::default());
//! assert_eq!(gizmos.0.len(), 4);
//! ```

mod drawing;
mod sat;
mod shapes;
mod style;
mod svg;
mod view;
mod world;

pub use drawing::{Anchor, Drawing, Element, Layout};
pub use sat::SatDiagram;
pub use shapes::{contact, hit, ray, shape};
pub use style::{Color, Style};
pub use view::{LabelPlacement, View};
pub use world::{WorldStyle, cells, world};

use alloc::vec::Vec;

use crate::math::{DVec2, Vec2, length, perp_cw, to_vec2};

/// Whatever can be drawn on. Coordinates are those of the world; widths of lines, dots and letters
/// are in pixels, so that they stay readable at every scale.
pub trait Canvas {
    /// Fills what lies within an odd number of rings, and draws their outlines, as the style says.
    /// A ring is closed without repeating its first point.
    fn polygon(&mut self, rings: &[&[Vec2]], style: &Style);

    /// Draws a line through points.
    fn polyline(&mut self, points: &[Vec2], style: &Style);

    /// A filled circle. Unless a canvas knows better, it is a polygon.
    fn circle(&mut self, center: Vec2, radius: f32, style: &Style) {
        self.polygon(&[&arc(center, radius, 0, FULL)], style);
    }

    /// A dot of a few pixels. A canvas without pixels of its own leaves it out.
    fn dot(&mut self, _at: Vec2, _style: &Style) {}

    /// A few words beside a point. A canvas without letters leaves them out.
    fn label(&mut self, _at: Vec2, _text: &str, _place: LabelPlacement, _style: &Style) {}

    /// An arrow from one point to another.
    fn arrow(&mut self, from: Vec2, to: Vec2, style: &Style) {
        self.polyline(&[from, to], style);
        let way = to.as_dvec2() - from.as_dvec2();
        let size = length(way);
        if size > 0.0 {
            let head = way * (f64::min(size / 3.0, self.arrow_head()) / size);
            let side = |turn: f64| to_vec2(to.as_dvec2() - head + perp_cw(head) * turn);
            self.polygon(&[&[to, side(0.5), side(-0.5)]], &Style { fill: style.stroke, ..*style });
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
        to_vec2(center.as_dvec2() + way * f64::from(radius))
    };
    (0..=last).map(at).collect()
}
