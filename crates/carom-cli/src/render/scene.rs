//! Drawing of scenes.

use carom::broad::Mobility;
use carom::draw::{self, Canvas, Color, Drawing, LabelPlacement, Style, View, WorldStyle};
use carom::prelude::*;
use carom::sheet::Role;
use carom::world::ColliderRef;
use carom_files::Scene;

/// The maximum number of moving bodies with names. The names of more bodies would cover each other.
const MAX_NAMES: usize = 12;

/// The things drawn for a body besides its colliders.
pub struct BodyOverlay<'a> {
    pub name: &'a str,
    pub body: BodyKey,
    /// The trajectory, in pieces. From the end of a piece to the start of the next, the body was placed, not moved.
    pub trajectory: &'a [Vec<Vec2>],
    /// The start and the end of its line of sight.
    pub line_of_sight: Option<[Vec2; 2]>,
}

/// Draws the current state of a scene's world, with the names of the moving bodies, their trajectories, dashed
/// outlines where they started, and a legend. It shows the view of the scene, or else the given area with a margin.
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
    let bodies: Vec<BodyOverlay<'_>> = bodies.collect();
    let is_moving =
        |key: BodyKey| world.body(key).is_some_and(|body| body.mobility == Mobility::Moving);
    let shows_names = bodies.iter().filter(|overlay| is_moving(overlay.body)).count() <= MAX_NAMES;
    // 1. Draw the trajectories, below everything else.
    let mut has_trajectory = false;
    for BodyOverlay { body: key, trajectory, .. } in &bodies {
        let Some(body) = world.body(*key).filter(|body| body.visible) else { continue };
        let has_moved = |piece: &&Vec<Vec2>| piece.iter().any(|position| *position != piece[0]);
        let pieces: Vec<&Vec<Vec2>> = trajectory.iter().filter(has_moved).collect();
        let Some(start) = pieces.first().map(|piece| piece[0]).filter(|_| is_moving(*key)) else {
            continue;
        };
        has_trajectory = true;
        // The line follows the middle of the body: at the feet of a character, it would be on the edge of the floor.
        // A body that turns has no fixed middle.
        let bounds = body_bounds(world, *key).filter(|_| body.pose.rotation.is_identity());
        let middle = bounds.map_or(Vec2::ZERO, |bounds| bounds.center() - body.pose.position);
        for piece in pieces {
            let line: Vec<Vec2> = piece.iter().map(|&position| position + middle).collect();
            drawing.polyline(&line, &Style::stroke(Color::PURPLE).width(1.0));
        }
        if shows_names && body.pose.rotation.is_identity() {
            let outline = Style::stroke(Color::BLUE.with_opacity(0.6)).width(1.0).dashed();
            for collider in colliders_of(world, *key) {
                let shape = collider.placed().to_shape();
                let shape = shape.translated(start - body.pose.position);
                draw::shape(&mut drawing, &shape, &outline);
            }
        }
    }

    // 2. Draw the world, and above it lines of sight and names.
    draw::world(&mut drawing, world, style);
    let mut has_line_of_sight = false;
    for BodyOverlay { name, body: key, line_of_sight, .. } in bodies {
        let Some(body) = world.body(key).filter(|body| body.visible) else { continue };
        if let Some([from, to]) = line_of_sight {
            drawing.arrow(from, to, &Style::stroke(Color::VERMILION).width(1.0));
            has_line_of_sight = true;
        }
        if body.mobility == Mobility::Fixed {
            continue;
        }
        if let Some(bounds) = body_bounds(world, key).filter(|_| shows_names) {
            let top = if view.y_up { bounds.max().y } else { bounds.min().y };
            let at = Vec2::new(body.pose.position.x, top);
            drawing.label(at, name, LabelPlacement::Above, &Style::default());
        }
    }

    // 3. Add a legend of the things that the scene contains.
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
        (
            has_trajectory,
            Color::PURPLE,
            if shows_names { "trajectory, from the dashed outline" } else { "trajectory" },
        ),
        (has_line_of_sight, Color::VERMILION, "line of sight"),
        (style.contacts.is_some(), Color::VERMILION, "contact points and pushes"),
    ] {
        if is_shown {
            drawing.add_legend(color, meaning);
        }
    }
    drawing
}

/// Returns the bounds of the colliders of a body.
fn body_bounds(world: &World, key: BodyKey) -> Option<Aabb> {
    colliders_of(world, key).map(|collider| collider.bounds()).reduce(|a, b| {
        Aabb::from_points(&[a.min().min(b.min()), a.max().max(b.max())]).unwrap_or(a)
    })
}

fn colliders_of(world: &World, key: BodyKey) -> impl Iterator<Item = ColliderRef<'_>> {
    world.colliders_of(key).filter_map(|collider| world.collider(collider))
}

/// Returns an area with a margin, which leaves room for names.
fn padded(area: Option<Aabb>) -> Aabb {
    let Some(area) = area.filter(|area| area.size().min_element() > 0.0) else {
        return Aabb::new([0.0, 0.0], [1.0, 1.0]);
    };
    let margin = 0.05 * area.size().max_element();
    Aabb::try_new(area.min() - margin, area.max() + margin).unwrap_or(area)
}
