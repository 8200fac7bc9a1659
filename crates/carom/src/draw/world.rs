//! Drawing of a whole world.

use glam::Vec2;

use super::{Canvas, Color, Style, contact, shape, shape_in};
use crate::broad::{BroadPhase, Mobility};
use crate::shape::Aabb;
use crate::world::{ColliderRef, Filter, Role, World};

/// The styles of a world's parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldStyle {
    /// The style of the solids of fixed bodies.
    pub fixed: Style,
    /// The style of the solids of moving bodies.
    pub moving: Style,
    /// The style of sensors.
    pub sensor: Style,
    /// The style of hitboxes.
    pub hitbox: Style,
    /// The style of hurtboxes.
    pub hurtbox: Style,
    /// The style of the contacts of the last update: their points, and their pushes as arrows. `None` hides them.
    pub contacts: Option<Style>,
    /// The style of the bounding boxes of the colliders. `None` hides them.
    pub bounds: Option<Style>,
    /// The style of the cells of the broad phase. `None` hides them.
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

/// Draws the part of a world that is in view, for the debug lines of a running game: the enabled colliders of
/// visible bodies that intersect a box, with their contacts and bounding boxes. Tile maps and masks are drawn as
/// by [`shape_in`], so the cost depends only on what is in view.
///
/// ```
/// use carom::draw::{self, Drawing, View, WorldStyle};
/// use carom::prelude::*;
/// let mut world = World::new();
/// for x in 0..1000 {
///     let ball = Collider::new(Circle::new([0.0, 0.0], 0.5));
///     world.spawn(Body::moving([x as f32 * 2.0, 0.0]), [ball])?;
/// }
/// let in_view = Aabb::new([10.0, -2.0], [14.0, 2.0]);
/// let mut drawing = Drawing::new(View::new(in_view));
/// draw::world_in(&mut drawing, &world, &in_view, &WorldStyle::default());
/// assert_eq!(drawing.to_svg().matches("<circle").count(), 3);
/// # Ok::<(), WorldError>(())
/// ```
pub fn world_in(canvas: &mut dyn Canvas, world: &World, area: &Aabb, style: &WorldStyle) {
    for key in world.intersecting_box(area, &Filter::new().visible()) {
        let Some(collider) = world.collider(key) else { continue };
        shape_in(canvas, &collider.placed(), area, style.of(&collider));
        if let Some(style) = &style.bounds {
            shape(canvas, &collider.bounds(), style);
        }
    }
    if let Some(style) = &style.contacts {
        let events = world.events();
        let touches = events.began().chain(events.stayed()).filter_map(|event| event.contact);
        for found in touches {
            if found.points.iter().any(|&point| area.contains(&crate::shape::Point::new(point))) {
                contact(canvas, &found, style);
            }
        }
    }
}

/// Draws the cells of a broad phase that divides the plane into cells.
pub fn cells(canvas: &mut dyn Canvas, broad: &dyn BroadPhase, style: &Style) {
    broad.visit_cells(&mut |cell| {
        let corners: [Vec2; 4] = cell.corners();
        canvas.polygon(&[&corners], style);
    });
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::draw;
    use crate::math::Pose;
    use crate::shape::{AsShape, Circle, Mask, TileKind, TileMap};
    use crate::world::{Body, Collider};

    /// The lines of everything that is drawn.
    #[derive(Default)]
    struct Lines(Vec<[Vec2; 2]>);

    impl Canvas for Lines {
        fn polygon(&mut self, rings: &[&[Vec2]], style: &Style) {
            for ring in rings {
                self.polyline(ring, style);
                self.polyline(&[ring[ring.len() - 1], ring[0]], style);
            }
        }

        fn polyline(&mut self, points: &[Vec2], _style: &Style) {
            self.0.extend(points.windows(2).map(|ends| [ends[0], ends[1]]));
        }
    }

    impl Lines {
        fn length(&self) -> f32 {
            self.0.iter().map(|[a, b]| a.distance(*b)).sum()
        }
    }

    fn map() -> TileMap {
        let up = [0.0, 1.0];
        let kinds = [
            ('#', TileKind::SOLID),
            ('=', TileKind::one_way(up)),
            ('/', TileKind::slope(0.0, 1.0, up)),
        ];
        let rows = ["##########", "#..../#..#", "#==..#...#", "#.......##"];
        TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &rows, &kinds)
    }

    fn check_shape(shape: &impl AsShape) {
        let style = Style::default();
        let (mut whole, mut all) = (Lines::default(), Lines::default());
        draw::shape(&mut whole, shape, &style);
        let bounds = shape.as_shape().bounds();
        draw::shape_in(&mut all, shape, &bounds, &style);
        assert!((whole.length() - all.length()).abs() < 1e-3 * whole.length());
        // Each quarter of the box shows the lines near it, and together they show all lines.
        let (center, mut found) = (bounds.center(), Vec::new());
        for corner in bounds.corners() {
            let area = Aabb::new(center.min(corner), center.max(corner));
            let mut part = Lines::default();
            draw::shape_in(&mut part, shape, &area, &style);
            assert!(part.0.len() < all.0.len());
            found.extend(part.0);
        }
        assert!(all.0.iter().all(|line| found.contains(line)));
        assert!(found.iter().all(|line| all.0.contains(line)));
    }

    #[test]
    fn a_part_of_a_map_or_mask_has_the_lines_of_the_whole() {
        let turned = Pose::new([3.0, -2.0], 0.3).with_scale(2.0);
        check_shape(&map());
        check_shape(&map().transformed(&turned));
        let mask =
            Mask::from_rows([0.0, 0.0], 0.5, &["##..##..", "#.##...#", "...#.###", "####...#"]);
        check_shape(&mask);
        check_shape(&mask.transformed(&turned));
    }

    #[test]
    fn a_part_of_a_world_has_visible_colliders_and_contacts_in_view() {
        let mut world = World::new();
        world.spawn(Body::fixed([0.0, 0.0]), [Collider::new(map())]).unwrap();
        let ball = || [Collider::new(Circle::new([0.0, 0.0], 0.6))];
        for x in [2.5, 3.0, 7.5] {
            world.spawn(Body::moving([x, 2.0]), ball()).unwrap();
        }
        world.spawn(Body::moving([7.5, 2.0]).hidden(), ball()).unwrap();
        world.update();
        let lines = |area: Aabb, contacts: Option<Style>| {
            let mut lines = Lines::default();
            let style = WorldStyle { contacts, ..WorldStyle::default() };
            draw::world_in(&mut lines, &world, &area, &style);
            lines.0.len()
        };
        let mut circle = Lines::default();
        draw::shape(&mut circle, &Circle::new([0.0, 0.0], 0.6), &Style::default());
        let circle = circle.0.len();
        let (left, contacts) = (Aabb::new([2.0, 1.5], [3.5, 2.5]), WorldStyle::default().contacts);
        assert!(lines(left, None) >= 2 * circle);
        assert!(lines(left, contacts) > lines(left, None));
        let right = Aabb::new([7.0, 1.5], [8.0, 2.5]);
        assert!((circle..2 * circle).contains(&lines(right, None))); // one of the two circles is hidden
        assert_eq!(lines(Aabb::new([20.0, 0.0], [30.0, 9.0]), contacts), 0);
        // Everything is in view, and tiles are single edges.
        let mut all = Lines::default();
        draw::world(&mut all, &world, &WorldStyle::default());
        assert!(lines(Aabb::new([-9.0, -9.0], [30.0, 9.0]), contacts) >= all.0.len());
    }
}
