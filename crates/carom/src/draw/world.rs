//! Drawing of a whole world.

use glam::Vec2;

use super::{Canvas, Color, Style, contact, shape};
use crate::broad::{BroadPhase, Mobility};
use crate::world::{ColliderRef, Role, World};

/// The styles of a world's parts.
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
    /// Contacts of the last update: their points, and their pushes as arrows. `None` hides them.
    pub contacts: Option<Style>,
    /// Bounding boxes of the colliders. `None` hides them.
    pub bounds: Option<Style>,
    /// The cells of the broad phase. `None` hides them.
    pub cells: Option<Style>,
}

impl WorldStyle {
    /// Returns the style of a collider.
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

/// Draws the enabled colliders of visible bodies, and the parts that `style` enables.
///
/// ```
/// use carom::draw::{self, Drawing, View, WorldStyle};
/// use carom::prelude::*;
/// let mut world = World::new();
/// let ball = world.add_body(Body::moving([2.0, 1.0]))?;
/// world.add_collider(ball, Collider::new(Circle::new([0.0, 0.0], 1.0)))?;
/// let mut drawing = Drawing::new(View::new(Aabb::new([0.0, 0.0], [4.0, 2.0])));
/// draw::world(&mut drawing, &world, &WorldStyle::default());
/// assert!(drawing.to_svg().contains("<circle"));
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

/// Draws the cells of a broad phase that divides the plane into cells.
pub fn cells(canvas: &mut dyn Canvas, broad: &dyn BroadPhase, style: &Style) {
    broad.visit_cells(&mut |cell| {
        let corners: [Vec2; 4] = cell.corners();
        canvas.polygon(&[&corners], style);
    });
}
