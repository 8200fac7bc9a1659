//! Debug drawing of shapes, contacts, rays, worlds and separating axes.
//!
//! A [`Canvas`] can fill polygons and draw polylines. [`Drawing`] is a canvas that records a picture for
//! an SVG file; implement the trait for your engine's debug lines (gizmos) to draw in the running game.
//! Everything else is drawn with these two operations:
//!
//! ```
//! use carom::draw::{self, Canvas, Color, Style, Drawing, View};
//! use carom::prelude::*;
//!
//! let hero = Capsule::new([2.0, 1.0], [2.0, 2.0], 0.5);
//! let floor = Aabb::new([0.0, 0.0], [6.0, 0.75]);
//! let mut drawing = Drawing::new(View::new(Aabb::new([0.0, 0.0], [6.0, 3.0])));
//! draw::shape(&mut drawing, &floor, &Style::translucent(Color::GREY));
//! draw::shape(&mut drawing, &hero, &Style::translucent(Color::BLUE));
//! draw::contact(&mut drawing, &hero.contact(&floor).unwrap(), &Style::stroke(Color::VERMILION));
//! let svg: String = drawing.to_svg();
//! assert!(svg.starts_with("<svg "));
//! ```
//!
//! An engine has to implement two methods:
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
pub use shapes::{contact, hit, ray, shape, shape_in};
pub use style::{Color, Style};
pub use view::{LabelPlacement, View};
pub use world::{WorldStyle, cells, world, world_in};

use alloc::vec::Vec;

use crate::math::{DVec2, Vec2, length, perp_cw, to_vec2};

/// A target for drawing. Coordinates are in world units. Stroke widths, dots and text have sizes in
/// pixels, so that they stay readable at every scale.
pub trait Canvas {
    /// Draws a polygon with the fill and stroke of `style`. Points inside an odd number of rings are
    /// filled (even-odd rule). A ring does not repeat its first point.
    fn polygon(&mut self, rings: &[&[Vec2]], style: &Style);

    /// Draws line segments from each point to the next.
    fn polyline(&mut self, points: &[Vec2], style: &Style);

    /// Draws a circle. By default it is drawn as a polygon.
    fn circle(&mut self, center: Vec2, radius: f32, style: &Style) {
        self.polygon(&[&arc(center, radius, 0, FULL)], style);
    }

    /// Draws a dot with a diameter of a few pixels. By default this does nothing.
    fn dot(&mut self, _at: Vec2, _style: &Style) {}

    /// Draws text at or beside a point. By default this does nothing.
    fn label(&mut self, _at: Vec2, _text: &str, _placement: LabelPlacement, _style: &Style) {}

    /// Draws an arrow.
    fn arrow(&mut self, from: Vec2, to: Vec2, style: &Style) {
        self.polyline(&[from, to], style);
        let shaft = to.as_dvec2() - from.as_dvec2();
        let size = length(shaft);
        if size > 0.0 {
            let head = shaft * (f64::min(size / 3.0, self.arrow_head()) / size);
            let side = |turn: f64| to_vec2(to.as_dvec2() - head + perp_cw(head) * turn);
            self.polygon(&[&[to, side(0.5), side(-0.5)]], &Style { fill: style.stroke, ..*style });
        }
    }

    /// Returns the maximum length of an arrow's head, in world units.
    fn arrow_head(&self) -> f64 {
        f64::INFINITY
    }
}

/// The number of segments of a circle that is drawn as a polygon.
const FULL: u32 = 64;

/// Returns the points of a circular arc that starts at step `from` of a full turn and spans `steps`
/// steps. A full circle does not have the last point, because it is equal to the first one.
fn arc(center: Vec2, radius: f32, from: u32, steps: u32) -> Vec<Vec2> {
    let last = if steps == FULL { steps - 1 } else { steps };
    let at = |step: u32| {
        let angle = f64::from((from + step) % FULL) * (core::f64::consts::TAU / f64::from(FULL));
        let direction = DVec2::new(libm::cos(angle), libm::sin(angle));
        to_vec2(center.as_dvec2() + direction * f64::from(radius))
    };
    (0..=last).map(at).collect()
}
