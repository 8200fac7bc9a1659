//! A world as a picture: for debugging, and for pictures of games that have none.

use glam::Vec2;

use super::{Canvas, Color, Style, contact, shape};
use crate::broad::{BroadPhase, Mobility};
use crate::world::{ColliderRef, Role, World};

/// What of a world is drawn, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldStyle {
    /// Solids of fixed bodies.
    pub fixed: Style,
    /// Solids of moving bodies.
    pub moving: Style,
    /// Sensors.
    pub sensor: Style,
    /// Hitboxes.
    pub hitbox: Style,
    /// Hurtboxes.
    pub hurtbox: Style,
    /// Contacts of the last update: points, and pushes as arrows. None leaves them out.
    pub contacts: Option<Style>,
    /// Bounding boxes of the colliders. None leaves them out.
    pub bounds: Option<Style>,
    /// The cells of the broad phase. None leaves them out.
    pub cells: Option<Style>,
}

impl WorldStyle {
    /// How a collider is drawn.
    pub fn of(&self, collider: &ColliderRef<'_>) -> &Style {
        match (collider.role(), collider.body().mobility) {
            (Role::Sensor, _) => &self.sensor,
            (Role::Hitbox, _) => &self.hitbox,
            (Role::Hurtbox, _) => &self.hurtbox,
            (_, Mobility::Fixed) => &self.fixed,
            (_, Mobility::Moving) => &self.moving,
        }
    }
}

impl Default for WorldStyle {
    fn default() -> Self {
        Self {
            fixed: Style::translucent(Color::GREY),
            moving: Style::translucent(Color::BLUE),
            sensor: Style::translucent(Color::SKY).dashed(),
            hitbox: Style::translucent(Color::VERMILION),
            hurtbox: Style::translucent(Color::GREEN),
            contacts: Some(Style::stroke(Color::VERMILION)),
            bounds: None,
            cells: None,
        }
    }
}

/// Draws the colliders of a world that take part and are meant to be seen, and what the style asks
/// for besides.
///
/// ```
/// use carom::draw::{self, Drawing, View, WorldStyle};
/// use carom::prelude::*;
/// let mut world = World::new();
/// let ball = world.add_body(Body::moving([2.0, 1.0]))?;
/// world.add_collider(ball, Collider::new(Circle::new([0.0, 0.0], 1.0)))?;
/// let mut picture = Drawing::new(View::new(Aabb::new([0.0, 0.0], [4.0, 2.0])));
/// draw::world(&mut picture, &world, &WorldStyle::default());
/// assert!(picture.to_svg().contains("<circle"));
/// # Ok::<(), WorldError>(())
/// ```
pub fn world(canvas: &mut dyn Canvas, world: &World, style: &WorldStyle) {
    if let Some(style) = &style.cells {
        cells(canvas, world.broad_phase(), style);
    }
    for collider in world.colliders() {
        if collider.enabled() && collider.body().enabled && collider.body().visible {
            shape(canvas, &collider.placed(), style.of(&collider));
            if let Some(style) = &style.bounds {
                shape(canvas, &collider.bounds(), style);
            }
        }
    }
    if let Some(style) = &style.contacts {
        let events = world.events();
        let touches = events.began().chain(events.stayed());
        touches.filter_map(|event| event.contact).for_each(|found| contact(canvas, &found, style));
    }
}

/// Draws the cells that a broad phase divides the plane into, where it has any.
pub fn cells(canvas: &mut dyn Canvas, broad: &dyn BroadPhase, style: &Style) {
    broad.visit_cells(&mut |cell| {
        let corners: [Vec2; 4] = cell.corners();
        canvas.polygon(&[&corners], style);
    });
}
