//! A scene at play as a picture.

use carom::draw::{self, Canvas, Color, LabelPlace, Paint, Picture, View, WorldPaint};
use carom::prelude::*;

use super::stage::Stage;
use crate::scene::Scene;

/// Whether the ways of what moved are drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Trails {
    Drawn,
    Left,
}

/// Draws the world as it is now.
pub fn picture(scene: &Scene, stage: &Stage<'_>, trails: Trails) -> Picture {
    let area = scene.view.map_or_else(|| around(&stage.world), |area| area.aabb());
    let view = View { y_up: scene.up().y >= 0.0, ..View::new(area) };
    let mut picture = Picture::new(view);
    let paint = WorldPaint { contacts: None, ..WorldPaint::default() };
    draw::world(&mut picture, &stage.world, &paint);
    let trail = Paint::line(Color::PURPLE).width(1.0);
    for (name, actor) in stage.actors() {
        let Some(body) = stage.world.body(actor.key) else { continue };
        if body.mobility == carom::broad::Mobility::Static {
            continue;
        }
        if trails == Trails::Drawn && actor.trail.first() != actor.trail.last() {
            picture.line(&actor.trail, &trail);
        }
        let top = stage.world.colliders().filter(|c| c.body_key() == actor.key);
        let top = top.map(|c| c.bounds()).reduce(|a, b| {
            Aabb::from_points(&[a.min().min(b.min()), a.max().max(b.max())]).unwrap_or(a)
        });
        if let Some(bounds) = top {
            let y = if view.y_up { bounds.max().y } else { bounds.min().y };
            let at = Vec2::new(body.pose.position.x, y);
            picture.label(at, name, LabelPlace::Above, &Paint::default());
        }
    }
    let has = |role: Role| stage.world.colliders().any(|collider| collider.role() == role);
    picture.explain(Color::GREY, "stands still");
    picture.explain(Color::BLUE, "moves");
    for (role, color, meaning) in [
        (Role::Sensor, Color::SKY, "sensor"),
        (Role::Hitbox, Color::VERMILION, "hitbox"),
        (Role::Hurtbox, Color::GREEN, "hurtbox"),
    ] {
        if has(role) {
            picture.explain(color, meaning);
        }
    }
    if trails == Trails::Drawn {
        picture.explain(Color::PURPLE, "ways");
    }
    picture
}

/// A box around everything.
fn around(world: &World) -> Aabb {
    let corners: Vec<Vec2> =
        world.colliders().flat_map(|collider| collider.bounds().corners()).collect();
    let bounds = Aabb::from_points(&corners);
    bounds.filter(|b| b.size().min_element() > 0.0).unwrap_or(Aabb::new([0.0, 0.0], [1.0, 1.0]))
}
