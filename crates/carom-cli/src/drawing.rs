//! A scene at play as a picture.

use carom::broad::Mobility;
use carom::draw::{self, Canvas, Color, Drawing, LabelPlacement, Style, View, WorldStyle};
use carom::prelude::*;
use carom::sheet::Role;
use carom::world::ColliderRef;
use carom_files::Scene;

/// The names of more than these would cover each other.
const MOST_NAMES: usize = 12;

/// A body of a scene, and where it has been if that is to be seen.
pub struct Drawn<'a> {
    pub name: &'a str,
    pub body: BodyKey,
    pub trails: &'a [Vec<Vec2>],
    /// From where to where it looks.
    pub sight: Option<[Vec2; 2]>,
}

/// Draws the world as it is now, with the names of what can move: what the scene wants to be seen, or
/// an area with some room around it.
pub fn picture<'a>(
    scene: &Scene,
    world: &World,
    area: Option<Aabb>,
    bodies: impl Iterator<Item = Drawn<'a>>,
    style: &WorldStyle,
) -> Drawing {
    let view = scene.view.and_then(|area| area.aabb().ok());
    let area = view.unwrap_or_else(|| with_room(area));
    let view = View { y_up: scene.up.y >= 0.0, ..View::new(area) };
    let mut picture = Drawing::new(view);
    draw::world(&mut picture, world, style);
    let way = Style::stroke(Color::PURPLE).width(1.0);
    let (mut has_ways, mut has_sights) = (false, false);
    let bodies: Vec<Drawn<'_>> = bodies.collect();
    let moves = |drawn: &&Drawn<'_>| {
        world.body(drawn.body).is_some_and(|body| body.mobility == Mobility::Moving)
    };
    let has_names = bodies.iter().filter(moves).count() <= MOST_NAMES;
    for Drawn { name, body: key, trails, sight } in bodies {
        let Some(body) = world.body(key).filter(|body| body.visible) else { continue };
        if let Some([from, to]) = sight {
            picture.arrow(from, to, &Style::stroke(Color::VERMILION).width(1.0));
            has_sights = true;
        }
        if body.mobility == Mobility::Fixed {
            continue;
        }
        let moved = |trail: &&Vec<Vec2>| trail.iter().any(|place| *place != trail[0]);
        for trail in trails.iter().filter(moved) {
            picture.polyline(trail, &way);
            has_ways = true;
        }
        let top = world.colliders().filter(|c| c.body_key() == key);
        let top = top.map(|c| c.bounds()).reduce(|a, b| {
            Aabb::from_points(&[a.min().min(b.min()), a.max().max(b.max())]).unwrap_or(a)
        });
        if let Some(bounds) = top.filter(|_| has_names) {
            let y = if view.y_up { bounds.max().y } else { bounds.min().y };
            let at = Vec2::new(body.pose.position.x, y);
            picture.label(at, name, LabelPlacement::Above, &Style::default());
        }
    }
    let has = |role: Role| world.colliders().any(|collider| collider.role() == role);
    for (mobility, color, meaning) in
        [(Mobility::Fixed, Color::GREY, "stands still"), (Mobility::Moving, Color::BLUE, "moves")]
    {
        let is_solid = |collider: &ColliderRef<'_>| {
            collider.role() == Role::Solid && collider.body().mobility == mobility
        };
        if world.colliders().any(|collider| is_solid(&collider)) {
            picture.add_legend(color, meaning);
        }
    }
    for (role, color, meaning) in [
        (Role::Sensor, Color::SKY, "sensor"),
        (Role::Hitbox, Color::VERMILION, "hitbox"),
        (Role::Hurtbox, Color::GREEN, "hurtbox"),
    ] {
        if has(role) {
            picture.add_legend(color, meaning);
        }
    }
    if has_ways {
        picture.add_legend(Color::PURPLE, "ways");
    }
    if has_sights {
        picture.add_legend(Color::VERMILION, "sights");
    }
    if style.contacts.is_some() {
        picture.add_legend(Color::VERMILION, "contacts, pushes");
    }
    picture
}

/// With room for names above.
fn with_room(area: Option<Aabb>) -> Aabb {
    let Some(area) = area.filter(|area| area.size().min_element() > 0.0) else {
        return Aabb::new([0.0, 0.0], [1.0, 1.0]);
    };
    let room = 0.05 * area.size().max_element();
    Aabb::try_new(area.min() - room, area.max() + room).unwrap_or(area)
}
