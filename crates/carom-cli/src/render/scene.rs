//! Drawing of scenes.

use carom::broad::Mobility;
use carom::draw::{self, Canvas, Color, Drawing, LabelPlacement, Style, View, WorldStyle};
use carom::prelude::*;
use carom::sheet::Role;
use carom_files::Scene;

/// If more bodies than this can move, their names are left out, because they would cover each other.
const MAX_NAMES: usize = 12;

/// The things drawn for a body besides its colliders.
pub struct BodyOverlay<'a> {
    pub name: &'a str,
    pub body: BodyKey,
    /// The trajectory, in pieces between which the body was not moved but placed.
    pub trajectory: &'a [Vec<Vec2>],
    /// The start and the end of its line of sight.
    pub line_of_sight: Option<[Vec2; 2]>,
}

/// Draws the current state of a scene's world, with the names of the moving bodies and a legend. It shows the
/// view of the scene, or else the given area with a margin.
pub fn draw_scene<'a>(
    scene: &Scene,
    world: &World,
    area: Option<Aabb>,
    bodies: impl Iterator<Item = BodyOverlay<'a>>,
    style: &WorldStyle,
) -> Drawing {
    let area = scene.view.and_then(|view| view.aabb().ok()).unwrap_or_else(|| padded(area));
    let view = View { y_up: scene.up.y >= 0.0, ..View::new(area) };
    let mut drawing = Drawing::new(view);
    draw::world(&mut drawing, world, style);

    let bodies: Vec<BodyOverlay<'_>> = bodies.collect();
    let is_moving =
        |key: BodyKey| world.body(key).is_some_and(|body| body.mobility == Mobility::Moving);
    let shows_names = bodies.iter().filter(|overlay| is_moving(overlay.body)).count() <= MAX_NAMES;
    let (mut has_trajectory, mut has_line_of_sight) = (false, false);
    for BodyOverlay { name, body: key, trajectory, line_of_sight } in bodies {
        let Some(body) = world.body(key).filter(|body| body.visible) else { continue };
        if let Some([from, to]) = line_of_sight {
            drawing.arrow(from, to, &Style::stroke(Color::VERMILION).width(1.0));
            has_line_of_sight = true;
        }
        if body.mobility == Mobility::Fixed {
            continue;
        }
        let has_moved = |piece: &&Vec<Vec2>| piece.iter().any(|position| *position != piece[0]);
        for piece in trajectory.iter().filter(has_moved) {
            drawing.polyline(piece, &Style::stroke(Color::PURPLE).width(1.0));
            has_trajectory = true;
        }
        let colliders = world.colliders().filter(|collider| collider.body_key() == key);
        let bounds = colliders.map(|collider| collider.bounds()).reduce(|a, b| {
            Aabb::from_points(&[a.min().min(b.min()), a.max().max(b.max())]).unwrap_or(a)
        });
        if let Some(bounds) = bounds.filter(|_| shows_names) {
            let top = if view.y_up { bounds.max().y } else { bounds.min().y };
            let at = Vec2::new(body.pose.position.x, top);
            drawing.label(at, name, LabelPlacement::Above, &Style::default());
        }
    }

    // The legend lists only what is in the scene.
    let has = |role: Role, mobility: Option<Mobility>| {
        world.colliders().any(|collider| {
            collider.role() == role && mobility.is_none_or(|it| collider.body().mobility == it)
        })
    };
    for (is_shown, color, meaning) in [
        (has(Role::Solid, Some(Mobility::Fixed)), Color::GREY, "fixed"),
        (has(Role::Solid, Some(Mobility::Moving)), Color::BLUE, "moving"),
        (has(Role::Sensor, None), Color::SKY, "sensor"),
        (has(Role::Hitbox, None), Color::VERMILION, "hitbox"),
        (has(Role::Hurtbox, None), Color::GREEN, "hurtbox"),
        (has_trajectory, Color::PURPLE, "trajectory"),
        (has_line_of_sight, Color::VERMILION, "line of sight"),
        (style.contacts.is_some(), Color::VERMILION, "contact points and pushes"),
    ] {
        if is_shown {
            drawing.add_legend(color, meaning);
        }
    }
    drawing
}

/// Returns an area with a margin, which leaves room for names.
fn padded(area: Option<Aabb>) -> Aabb {
    let Some(area) = area.filter(|area| area.size().min_element() > 0.0) else {
        return Aabb::new([0.0, 0.0], [1.0, 1.0]);
    };
    let margin = 0.05 * area.size().max_element();
    Aabb::try_new(area.min() - margin, area.max() + margin).unwrap_or(area)
}
