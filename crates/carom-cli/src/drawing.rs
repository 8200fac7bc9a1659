//! A scene at play as a picture.

use carom::broad::Mobility;
use carom::draw::{self, Canvas, Color, LabelPlace, Paint, Picture, View, WorldPaint};
use carom::prelude::*;
use carom_files::Scene;

/// The names of more than these would cover each other.
const MOST_NAMES: usize = 12;

/// A body of a scene, and where it has been if that is to be seen.
pub struct Drawn<'a> {
    pub name: &'a str,
    pub body: BodyKey,
    pub trail: &'a [Vec2],
}

/// Draws the world as it is now, with the names of what can move.
pub fn picture<'a>(
    scene: &Scene,
    world: &World,
    bodies: impl Iterator<Item = Drawn<'a>>,
    paint: &WorldPaint,
) -> Picture {
    let area = scene.view.and_then(|area| area.aabb().ok()).unwrap_or_else(|| around(world));
    let view = View { y_up: scene.up.y >= 0.0, ..View::new(area) };
    let mut picture = Picture::new(view);
    draw::world(&mut picture, world, paint);
    let way = Paint::line(Color::PURPLE).width(1.0);
    let mut has_ways = false;
    let bodies: Vec<Drawn<'_>> = bodies.collect();
    let moves = |drawn: &&Drawn<'_>| {
        world.body(drawn.body).is_some_and(|body| body.mobility == Mobility::Moving)
    };
    let has_names = bodies.iter().filter(moves).count() <= MOST_NAMES;
    for Drawn { name, body: key, trail } in bodies {
        let Some(body) = world.body(key) else { continue };
        if body.mobility == Mobility::Static {
            continue;
        }
        if trail.first() != trail.last() {
            picture.line(trail, &way);
            has_ways = true;
        }
        let top = world.colliders().filter(|c| c.body_key() == key);
        let top = top.map(|c| c.bounds()).reduce(|a, b| {
            Aabb::from_points(&[a.min().min(b.min()), a.max().max(b.max())]).unwrap_or(a)
        });
        if let Some(bounds) = top.filter(|_| has_names) {
            let y = if view.y_up { bounds.max().y } else { bounds.min().y };
            let at = Vec2::new(body.pose.position.x, y);
            picture.label(at, name, LabelPlace::Above, &Paint::default());
        }
    }
    let has = |role: Role| world.colliders().any(|collider| collider.role() == role);
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
    if has_ways {
        picture.explain(Color::PURPLE, "ways");
    }
    if paint.contacts.is_some() {
        picture.explain(Color::VERMILION, "contacts, pushes");
    }
    picture
}

/// A box around everything, with room for names above.
fn around(world: &World) -> Aabb {
    let corners: Vec<Vec2> =
        world.colliders().flat_map(|collider| collider.bounds().corners()).collect();
    let bounds = Aabb::from_points(&corners).filter(|bounds| bounds.size().min_element() > 0.0);
    let Some(bounds) = bounds else { return Aabb::new([0.0, 0.0], [1.0, 1.0]) };
    let room = 0.05 * bounds.size().max_element();
    Aabb::try_new(bounds.min() - room, bounds.max() + room).unwrap_or(bounds)
}
