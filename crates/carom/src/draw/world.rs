//! A world as a picture: for debugging, and for pictures of games that have none.

use glam::Vec2;

use super::{Canvas, Color, Paint, contact, shape};
use crate::broad::{BroadPhase, Mobility};
use crate::world::{ColliderRef, Role, World};

/// What of a world is drawn, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldPaint {
    /// Solids of fixed bodies.
    pub fixed: Paint,
    /// Solids of moving bodies.
    pub moving: Paint,
    /// Sensors.
    pub sensor: Paint,
    /// Hitboxes.
    pub hitbox: Paint,
    /// Hurtboxes.
    pub hurtbox: Paint,
    /// Contacts of the last update: points, and pushes as arrows. None leaves them out.
    pub contacts: Option<Paint>,
    /// Bounding boxes of the colliders. None leaves them out.
    pub bounds: Option<Paint>,
    /// The cells of the broad phase. None leaves them out.
    pub cells: Option<Paint>,
}

impl WorldPaint {
    /// How a collider is drawn.
    pub fn of(&self, collider: &ColliderRef<'_>) -> &Paint {
        match (collider.role(), collider.body().mobility) {
            (Role::Sensor, _) => &self.sensor,
            (Role::Hitbox, _) => &self.hitbox,
            (Role::Hurtbox, _) => &self.hurtbox,
            (_, Mobility::Static) => &self.fixed,
            (_, Mobility::Moving) => &self.moving,
        }
    }
}

impl Default for WorldPaint {
    fn default() -> Self {
        Self {
            fixed: Paint::area(Color::GREY),
            moving: Paint::area(Color::BLUE),
            sensor: Paint::area(Color::SKY).dashed(),
            hitbox: Paint::area(Color::VERMILION),
            hurtbox: Paint::area(Color::GREEN),
            contacts: Some(Paint::line(Color::VERMILION)),
            bounds: None,
            cells: None,
        }
    }
}

/// Draws the colliders of a world that take part and are meant to be seen, and what the paint asks
/// for besides.
///
/// ```
/// use carom::draw::{self, Picture, View, WorldPaint};
/// use carom::prelude::*;
/// let mut world = World::new();
/// let ball = world.add_body(Body::moving([2.0, 1.0]))?;
/// world.add_collider(ball, Collider::new(Circle::new([0.0, 0.0], 1.0)))?;
/// let mut picture = Picture::new(View::new(Aabb::new([0.0, 0.0], [4.0, 2.0])));
/// draw::world(&mut picture, &world, &WorldPaint::default());
/// assert!(picture.to_svg().contains("<circle"));
/// # Ok::<(), WorldError>(())
/// ```
pub fn world<B: BroadPhase>(canvas: &mut dyn Canvas, world: &World<B>, paint: &WorldPaint) {
    if let Some(paint) = &paint.cells {
        cells(canvas, world.broad_phase(), paint);
    }
    for collider in world.colliders() {
        if collider.enabled() && collider.body().enabled && collider.body().visible {
            shape(canvas, &collider.placed(), paint.of(&collider));
            if let Some(paint) = &paint.bounds {
                shape(canvas, &collider.bounds(), paint);
            }
        }
    }
    if let Some(paint) = &paint.contacts {
        let events = world.events();
        let touches = events.began().chain(events.stayed());
        touches.filter_map(|event| event.contact).for_each(|found| contact(canvas, &found, paint));
    }
}

/// Draws the cells that a broad phase divides the plane into, where it has any.
pub fn cells(canvas: &mut dyn Canvas, broad: &impl BroadPhase, paint: &Paint) {
    broad.visit_cells(&mut |cell| {
        let corners: [Vec2; 4] = cell.corners();
        canvas.area(&[&corners], paint);
    });
}
