//! Draws the figures of the guide and compares them with the committed ones.
//!
//! `CAROM_BLESS=1 cargo test -p carom --test guide_figures` writes them. Look at them afterwards. Where a
//! figure stands beside a listing, both use the same numbers.

mod game;
mod geometry;
mod links;
mod reaction;

use std::fs;
use std::path::PathBuf;

use carom::broad::{BroadPhase, Mobility, QuadTree};
use carom::draw::{
    self, Canvas, Color, Drawing, LabelPlacement, SatDiagram, Style, View, WorldStyle,
};
use carom::prelude::*;
use carom::sheet::{Frame, FrameRef, Sheet};

fn check(name: &str, drawing: &Drawing) {
    let file = format!("../../docs/src/figures/{name}.svg");
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file);
    let drawn = drawing.to_svg();
    if std::env::var_os("CAROM_BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, drawn).unwrap();
        return;
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        drawn == committed,
        "{name}.svg differs from what is drawn now; bless it if that is intended"
    );
}

fn drawing(min: [f32; 2], max: [f32; 2]) -> Drawing {
    Drawing::new(View::new(Aabb::new(min, max)))
}

fn write(drawing: &mut Drawing, at: [f32; 2], text: &str) {
    drawing.label(at.into(), text, LabelPlacement::Center, &Style::default());
}

/// Draws the first figure of the README.
#[test]
fn overview() -> Result<(), WorldError> {
    let mut drawing = drawing([-0.5, -1.4], [32.5, 7.2]);
    let obstacle = Style::translucent(Color::GREY);
    let normal = Style::stroke(Color::VERMILION).width(2.0);
    let enlarged = |shape: Shape, x: f32| shape.scaled(2.0, [0.0, 0.0]).translated([x, 0.0]);

    // 1. A contact and its push.
    let floor = enlarged(Aabb::new([1.5, 0.0], [4.5, 0.5]).into(), -3.0);
    let hero = enlarged(Capsule::new([3.0, 0.75], [3.0, 1.75], 0.5).into(), -3.0);
    let contact = hero.contact(&floor).unwrap();
    draw::shape(&mut drawing, &floor, &obstacle);
    draw::shape(&mut drawing, &hero, &Style::stroke(Color::BLUE).dashed());
    let standing = hero.translated(contact.push);
    draw::shape(&mut drawing, &standing, &Style::translucent(Color::GREEN));
    draw::contact(&mut drawing, &contact, &normal);
    write(&mut drawing, [3.0, -0.8], "contact and push");

    // 2. The sweep of a fast bullet.
    let (floor, hero) = (Aabb::new([8.0, 0.0], [15.0, 1.0]), standing.translated([10.0, 0.0]));
    let (bullet, motion) = (Circle::new([8.5, 3.0], 0.25), Vec2::new(10_000.0, 0.0));
    let hit = bullet.sweep(motion, &hero).unwrap();
    let end = bullet.translated(motion * hit.time);
    draw::shape(&mut drawing, &floor, &obstacle);
    draw::shape(&mut drawing, &hero, &Style::translucent(Color::GREY));
    draw::shape(&mut drawing, &bullet, &Style::stroke(Color::BLUE).dashed());
    drawing.arrow(bullet.center(), end.center(), &Style::stroke(Color::PURPLE).dashed());
    draw::shape(&mut drawing, &end, &Style::translucent(Color::GREEN));
    draw::hit(&mut drawing, &hit, 1.5, &normal);
    write(&mut drawing, [11.5, -0.8], "sweep of a bullet");

    // 3. A walk over tiles: up a slope, and a jump onto a one-way platform.
    let mut world = World::new();
    let up = [0.0, 1.0];
    let rows = ["################", "....../##\\......", "................", ".............---"];
    let kinds = [
        ('#', TileKind::SOLID),
        ('/', TileKind::slope(0.0, 1.0, up)),
        ('\\', TileKind::slope(1.0, 0.0, up)),
        ('-', TileKind::one_way(up)),
    ];
    let level = world.add_body(Body::fixed([16.5, 0.0]))?;
    let tiles = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &rows, &kinds);
    world.add_collider(level, Collider::new(tiles))?;
    draw::world(&mut drawing, &world, &WorldStyle::default());
    let body = world.add_body(Body::moving([17.5, 1.0]))?;
    let shape = Capsule::new([0.0, 0.4], [0.0, 1.2], 0.4);
    world.add_collider(body, Collider::new(shape))?;
    let (walker, mut state, mut velocity) = (Walker::new(), WalkerState::new(), Vec2::ZERO);
    let mut path = Vec::new();
    for frame in 0..131 {
        velocity = Vec2::new(6.0, velocity.y - 30.0 / 60.0);
        if frame == 86 {
            velocity.y = 13.5; // rises 13.5² / 60 = 3 units
            state.leave_floor();
        }
        let walk = world.walk(body, &walker, &mut state, velocity / 60.0)?;
        velocity = walk.velocity(velocity);
        path.push(walk.end + Vec2::new(0.0, 0.8));
        if frame % 13 == 0 {
            let color = if frame == 130 { Color::GREEN } else { Color::BLUE };
            draw::shape(&mut drawing, &shape.translated(walk.end), &Style::translucent(color));
        }
    }
    assert!(state.on_floor() && world.body(body).unwrap().pose.position.y == 4.0);
    drawing.polyline(&path, &Style::stroke(Color::PURPLE).width(1.0));
    write(&mut drawing, [24.5, -0.8], "walk over a slope, and jump onto a one-way platform");

    drawing.add_legend(Color::BLUE, "before");
    drawing.add_legend(Color::GREEN, "after");
    drawing.add_legend(Color::VERMILION, "push, normal");
    drawing.add_legend(Color::PURPLE, "motion");
    check("overview", &drawing);
    Ok(())
}

#[test]
fn one_shape_of_each_kind() {
    let mut drawing = drawing([0.0, 0.0], [21.0, 9.9]);
    let rows = ["####", "#..#", "#.##"];
    let map = TileMap::from_rows([16.5, 4.5], [0.8, 0.8], &rows, &[('#', TileKind::SOLID)]);
    let cart = [
        Shape::from(Aabb::new([13.3, 0.9], [15.3, 1.9])),
        Circle::new([13.8, 0.9], 0.4).into(),
        Circle::new([14.8, 0.9], 0.4).into(),
    ];
    let ship = ["..####..", ".######.", "########", "##.##.##", "#..##..#", "...##..."];
    let shapes: [(Shape, [f32; 2], &str); 14] = [
        (Aabb::new([0.5, 8.5], [2.5, 10.5]).into(), [1.5, 7.8], "Aabb"),
        (Obb::new([5.5, 9.5], [1.2, 0.6], 0.5).into(), [5.5, 7.8], "Obb"),
        (Circle::new([9.5, 9.5], 1.0).into(), [9.5, 7.8], "Circle"),
        (Capsule::new([13.0, 9.2], [15.0, 9.8], 0.6).into(), [14.0, 7.8], "Capsule"),
        (Ellipse::new([18.5, 9.5], [1.6, 0.8], 0.3).into(), [18.5, 7.8], "Ellipse"),
        (Triangle::new([0.5, 4.8], [2.8, 4.8], [1.2, 6.8]).into(), [1.5, 4.0], "Triangle"),
        (
            ConvexPolygon::rounded(
                &[[4.8, 5.0], [6.2, 5.0], [6.6, 6.0], [5.5, 6.8], [4.4, 6.0]],
                0.2,
            )
            .into(),
            [5.5, 4.0],
            "ConvexPolygon",
        ),
        (
            Polygon::with_holes(
                &[[8.3, 4.7], [10.7, 4.7], [10.7, 6.9], [9.5, 6.1], [8.3, 6.9]],
                &[vec![[9.1, 5.1], [9.9, 5.1], [9.5, 5.7]]],
            )
            .into(),
            [9.5, 4.0],
            "Polygon",
        ),
        (
            Chain::new(&[[12.7, 5.0], [13.5, 6.5], [14.3, 5.2], [15.3, 6.0]]).into(),
            [14.0, 4.0],
            "Chain",
        ),
        (map.into(), [18.1, 4.0], "TileMap"),
        (Mask::from_rows([0.5, 0.7], 0.25, &ship).into(), [1.5, 0.2], "Mask"),
        (Segment::new([4.5, 0.9], [6.5, 1.9]).into(), [5.5, 0.2], "Segment"),
        (Point::new([9.5, 1.3]).into(), [9.5, 0.2], "Point"),
        (Compound::new(cart).into(), [14.3, 0.2], "Compound"),
    ];
    for (shape, name_at, name) in &shapes {
        assert_eq!(shape.kind(), *name);
        // The shapes of the last row are lower than the others.
        let down = if name_at[1] > 1.0 { [0.0, -0.9] } else { [0.0, 0.0] };
        draw::shape(&mut drawing, &shape.translated(down), &Style::translucent(Color::BLUE));
        write(&mut drawing, [name_at[0], name_at[1] + down[1]], name);
    }
    check("shapes", &drawing);
}

#[test]
fn disjoint_touching_overlapping() {
    let mut drawing = drawing([0.0, -0.6], [15.0, 3.2]);
    for (x, gap, name) in [
        (0.5, 0.5, "disjoint"),
        (5.5, 0.0, "touching: they intersect"),
        (10.5, -0.35, "overlapping: they intersect and overlap"),
    ] {
        let floor = Aabb::new([x, 0.0], [x + 4.0, 1.0]);
        let ball = Circle::new([x + 2.0, 1.75 + gap], 0.75);
        draw::shape(&mut drawing, &floor, &Style::translucent(Color::GREY));
        draw::shape(&mut drawing, &ball, &Style::translucent(Color::BLUE));
        assert_eq!((ball.intersects(&floor), ball.overlaps(&floor)), (gap <= 0.0, gap < 0.0));
        if let Some(contact) = ball.contact(&floor) {
            draw::contact(&mut drawing, &contact, &Style::stroke(Color::VERMILION));
        }
        write(&mut drawing, [x + 2.0, -0.4], name);
    }
    drawing.add_legend(Color::VERMILION, "contact points and push");
    check("touching", &drawing);
}

#[test]
fn separating_axes() {
    let triangle = Triangle::new([0.0, 0.0], [3.0, 0.0], [1.0, 2.0]);
    for (name, center) in [("axes-apart", [4.0, 2.2]), ("axes-overlap", [2.9, 1.2])] {
        let rect = Obb::new(center, [1.0, 0.7], 0.5);
        let axes = SatDiagram::new(&triangle, &rect).unwrap();
        let mut drawing = Drawing::new(axes.view());
        axes.draw(&mut drawing);
        if name == "axes-apart" {
            let chapter = include_str!("../../../../docs/src/separating-axes.md");
            assert!(chapter.contains(&axes.explanation().to_string()), "{}", axes.explanation());
        }
        for (color, name) in [(Color::BLUE, "A"), (Color::ORANGE, "B")] {
            drawing.add_legend(color, name);
        }
        if name == "axes-apart" {
            drawing.add_legend(Color::GREEN, "gap");
        }
        drawing.add_legend(Color::VERMILION, "overlap");
        check(name, &drawing);
    }
}

#[test]
fn circles_at_a_box() {
    let mut drawing = drawing([-1.0, -0.8], [7.5, 3.8]);
    let wall = Aabb::new([0.0, 0.0], [4.0, 2.0]);
    for (from, to) in [
        ([0.0, -0.8], [0.0, 3.8]),
        ([4.0, -0.8], [4.0, 3.8]),
        ([-1.0, 0.0], [7.5, 0.0]),
        ([-1.0, 2.0], [7.5, 2.0]),
    ] {
        drawing.polyline(&[from.into(), to.into()], &Style::stroke(Color::GREY).width(0.5));
    }
    draw::shape(&mut drawing, &wall, &Style::translucent(Color::GREY));
    let enlarged = Aabb::new([-0.75, -0.75], [4.75, 2.75]);
    draw::shape(&mut drawing, &enlarged, &Style::stroke(Color::ORANGE).dashed());
    for (center, name) in
        [([1.5, 2.5], "at a side"), ([4.6, 2.6], "at a corner"), ([3.25, 1.0], "inside")]
    {
        let ball = Circle::new(center, 0.75);
        draw::shape(&mut drawing, &ball, &Style::translucent(Color::BLUE));
        let closest = ball.closest_points(&wall).on_b;
        match ball.contact(&wall) {
            Some(contact) => {
                draw::contact(&mut drawing, &contact, &Style::stroke(Color::VERMILION));
            }
            None => {
                let style = Style::stroke(Color::PURPLE).dashed();
                drawing.polyline(&[center.into(), closest], &style);
                drawing.dot(closest, &style);
            }
        }
        let offset = if name == "inside" { Vec2::new(-1.4, 0.0) } else { Vec2::new(0.0, 0.9) };
        write(&mut drawing, (Vec2::from(center) + offset).into(), name);
    }
    drawing.add_legend(Color::VERMILION, "contact point and push");
    drawing.add_legend(Color::PURPLE, "to the closest point of the box: longer than the radius");
    drawing.add_legend(Color::ORANGE, "the box enlarged by the radius contains that center");
    check("circle-box", &drawing);
}

#[test]
fn a_polygon_its_parts_and_a_push() {
    let mut drawing = drawing([-0.5, -0.8], [20.5, 4.8]);
    let notch = [
        [0.0, 0.0],
        [6.0, 0.0],
        [6.0, 4.0],
        [4.0, 4.0],
        [4.0, 1.0],
        [2.0, 1.0],
        [2.0, 4.0],
        [0.0, 4.0],
    ];
    let hole = vec![[0.5, 0.5], [1.5, 0.5], [1.0, 2.5]];
    let shape = Polygon::with_holes(&notch, &[hole]);
    draw::shape(&mut drawing, &shape, &Style::translucent(Color::BLUE));
    write(&mut drawing, [3.0, -0.5], "a polygon with a hole");
    let colors = [Color::BLUE, Color::ORANGE, Color::GREEN, Color::PURPLE, Color::SKY];
    for (part, color) in shape.convex_parts().zip(colors.iter().cycle()) {
        draw::shape(&mut drawing, &part.translated([7.0, 0.0]), &Style::translucent(*color));
    }
    write(&mut drawing, [10.0, -0.5], "its convex parts");
    let moved = shape.translated([14.0, 0.0]);
    let plug = Aabb::new([15.5, 0.625], [17.5, 3.0]);
    let contact = plug.contact(&moved).unwrap();
    draw::shape(&mut drawing, &moved, &Style::translucent(Color::GREY));
    draw::shape(&mut drawing, &plug, &Style::translucent(Color::ORANGE));
    let style = Style::stroke(Color::ORANGE).dashed();
    draw::shape(&mut drawing, &plug.translated(contact.push), &style);
    let middle = plug.center();
    drawing.arrow(middle, middle + contact.push, &Style::stroke(Color::VERMILION));
    write(&mut drawing, [17.0, -0.5], "one push out of both sides");
    check("polygon", &drawing);
}

#[test]
fn two_masks_and_a_push() {
    let mut drawing = drawing([-0.5, -1.0], [26.5, 4.8]);
    let ship = Mask::from_rows([2.0, 0.0], 1.0, &["..##..", ".####.", "######", ".#..#."]);
    let rock = Mask::from_rows([5.0, 0.0], 1.0, &["#####", ".####", "..###", ".####"]);
    for (x, push) in [(0.0, Vec2::ZERO), (14.0, ship.contact(&rock).unwrap().push)] {
        let (ship, rock) = (ship.translated(push + Vec2::X * x), rock.translated([x, 0.0]));
        assert_eq!(ship.overlaps(&rock), push == Vec2::ZERO);
        for (mask, color) in [(&rock, Color::GREY), (&ship, Color::BLUE)] {
            for pixel in mask.bitmap().pixels() {
                let pixel = ConvexPolygon::new(&mask.pixel_corners(pixel));
                draw::shape(&mut drawing, &pixel, &Style::translucent(color).width(0.5));
            }
            draw::shape(&mut drawing, mask, &Style::stroke(color));
        }
        let shared = rock.bitmap().overlap(ship.bitmap(), [-3, 0]);
        for pixel in shared.pixels().filter(|_| push == Vec2::ZERO) {
            let pixel = ConvexPolygon::new(&rock.pixel_corners(pixel));
            draw::shape(&mut drawing, &pixel, &Style::fill(Color::VERMILION));
        }
        if push != Vec2::ZERO {
            let from = Vec2::new(x + 4.0, 2.5);
            drawing.arrow(from, from + push, &Style::stroke(Color::VERMILION).width(2.5));
        }
    }
    write(&mut drawing, [6.0, -0.6], "the masks share pixels");
    write(&mut drawing, [20.0, -0.6], "after the shortest push they touch");
    drawing.add_legend(Color::BLUE, "ship");
    drawing.add_legend(Color::GREY, "rock");
    drawing.add_legend(Color::VERMILION, "shared pixels, and the push");
    check("masks", &drawing);
}

#[test]
fn a_quadtree_and_a_query() {
    let mut tree = QuadTree::new().capacity(4);
    let mut state = 11u32;
    let mut random = |range: f32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32 * range
    };
    let mut boxes = Vec::new();
    for id in 0..70 {
        // Two clusters, and some boxes everywhere.
        let (center, spread) =
            [([7.0, 8.0], 10.0), ([24.0, 22.0], 12.0), ([16.0, 16.0], 31.0)][id % 3];
        let corner = center.map(|middle| middle + random(spread) - spread / 2.0);
        boxes.push(Aabb::from_min_size(corner, [0.7, 0.7]));
        tree.set(id as u32, boxes[id], Mobility::Moving);
    }
    let mut cells = Vec::new();
    tree.visit_cells(&mut |cell| cells.push(*cell));
    let width = |cell: &Aabb| cell.max().x - cell.min().x;
    let root = *cells.iter().max_by(|a, b| width(a).total_cmp(&width(b))).unwrap();
    let query = Aabb::new([20.5, 23.5], [23.0, 26.0]);
    let mut found = Vec::new();
    let tests = tree.collect_intersecting(&query, &mut found);
    // A box belongs to the smallest cell that contains it. The query tests the boxes of the cells it visits.
    let cell_of = |bounds: &Aabb| {
        let around = cells.iter().filter(|cell| cell.contains(bounds));
        around.min_by(|a, b| width(a).total_cmp(&width(b))).unwrap()
    };
    let is_tested = |bounds: &Aabb| cell_of(bounds).intersects(&query);
    let tested = boxes.iter().filter(|bounds| is_tested(bounds)).count();
    let tested_cells = tests - tested as u64;

    let mut drawing = Drawing::new(View::new(root));
    for cell in &cells {
        let is_leaf = !cells.iter().any(|other| cell.contains(other) && cell != other);
        if is_leaf && cell.intersects(&query) {
            draw::shape(&mut drawing, cell, &Style::fill(Color::ORANGE.with_opacity(0.2)));
        }
        draw::shape(&mut drawing, cell, &Style::stroke(Color::GREY).width(0.7));
    }
    for (id, bounds) in boxes.iter().enumerate() {
        let color = match found.contains(&(id as u32)) {
            true => Color::VERMILION,
            false if is_tested(bounds) => Color::GREEN,
            false => Color::BLUE,
        };
        draw::shape(&mut drawing, bounds, &Style::translucent(color));
    }
    draw::shape(&mut drawing, &query, &Style::stroke(Color::ORANGE).width(2.5));
    drawing.add_legend(Color::BLUE, "boxes that are not tested");
    drawing.add_legend(Color::GREEN, "boxes of the visited cells and of larger ones around them");
    drawing.add_legend(Color::GREY, "cells, split where they hold more than 4 boxes");
    let tests = format!("a query: it tests {tested} of 70 boxes, and {tested_cells} cells");
    drawing.add_legend(Color::ORANGE, &tests);
    drawing.add_legend(Color::VERMILION, "boxes that the query finds");
    check("quad-tree", &drawing);
}

#[test]
fn a_ray_through_a_level() {
    let mut drawing = drawing([-1.0, -1.0], [22.0, 5.5]);
    let level: [Shape; 4] = [
        Aabb::new([-1.0, -1.0], [22.0, 0.0]).into(),
        Obb::new([9.0, 1.0], [0.6, 1.0], 0.2).into(),
        Circle::new([13.0, 2.2], 1.0).into(),
        Triangle::new([16.0, 0.0], [21.0, 0.0], [21.0, 5.0]).into(),
    ];
    level
        .iter()
        .for_each(|thing| draw::shape(&mut drawing, thing, &Style::translucent(Color::GREY)));
    for (slope, length) in [(0.25, 12.0), (0.15, 22.0), (0.08, 22.0), (-0.02, 22.0), (-0.25, 22.0)]
    {
        let ray = Ray::new([0.0, 1.5], [1.0, slope], length);
        let hits = level.iter().filter_map(|thing| thing.raycast(&ray));
        let first = hits.min_by(|a, b| a.distance.total_cmp(&b.distance));
        draw::ray(&mut drawing, &ray, first.as_ref(), 0.8, &Style::stroke(Color::VERMILION));
        if first.is_none() {
            let end = ray.point_at(ray.max_distance());
            drawing.label(
                end,
                "no hit within its length",
                LabelPlacement::Right,
                &Style::default(),
            );
        }
    }
    drawing.add_legend(Color::VERMILION, "rays up to their first hit, with the normal there");
    check("rays", &drawing);
}

#[test]
fn two_fighters() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new();
    let frame = |name| {
        Frame::new(name)
            .hurtbox("head", Circle::new([0.0, 2.3], 0.35))
            .hurtbox("body", Aabb::new([-0.4, 0.9], [0.4, 1.95]))
            .hurtbox("legs", Aabb::new([-0.35, 0.0], [0.35, 0.9]))
    };
    let fist = Circle::new([1.15, 1.95], 0.22);
    let sheet = Sheet::from_frames([frame("idle"), frame("punch").hitbox("fist", fist)])?;
    let sheet = world.add_sheet(sheet)?;
    let ann = world.add_body(Body::moving([1.0, 0.0]).with_team(1))?;
    let bob = world.add_body(Body::moving([2.6, 0.0]).with_team(2))?;
    world.set_frame(ann, sheet, "punch")?;
    world.set_frame(bob, sheet, FrameRef::from("idle").flipped(Flip::X))?;
    world.update();
    assert_eq!(world.strikes().len(), 1);
    let mut drawing = Drawing::new(View::new(Aabb::new([0.0, -0.5], [3.6, 2.8])).scale(130.0));
    // The arm is only drawn: it neither strikes nor can be struck.
    drawing.polyline(
        &[[1.35, 1.75].into(), [2.0, 1.95].into()],
        &Style::stroke(Color::GREY).width(9.0),
    );
    draw::world(&mut drawing, &world, &WorldStyle { contacts: None, ..WorldStyle::default() });
    write(&mut drawing, [1.0, -0.25], "attacker");
    write(&mut drawing, [2.6, -0.25], "victim");
    drawing.add_legend(Color::GREEN, "hurtboxes: can be struck");
    drawing.add_legend(Color::VERMILION, "hitbox: strikes");
    check("fighters", &drawing);
    Ok(())
}

#[test]
fn a_bullet_and_a_wall() {
    let mut drawing = drawing([0.0, -0.5], [38.0, 14.0]);
    let motion = Vec2::new(15.0, 0.0);
    for (y, name, is_swept) in [(7.5, "tested frame by frame", false), (0.0, "swept", true)] {
        let wall = Aabb::new([23.0, y], [25.0, y + 5.0]);
        draw::shape(&mut drawing, &wall, &Style::translucent(Color::GREY));
        drawing.label(Vec2::new(0.5, y + 4.5), name, LabelPlacement::Right, &Style::default());
        let mut bullet = Circle::new([3.0, y + 2.5], 0.5);
        for _frame in 0..3 {
            draw::shape(&mut drawing, &bullet, &Style::translucent(Color::BLUE));
            let hit = bullet.sweep(motion, &wall).filter(|_| is_swept);
            let end = bullet.translated(motion * hit.map_or(1.0, |hit| hit.time));
            if end.center().x < 38.0 {
                let style = Style::stroke(Color::PURPLE).dashed();
                drawing.arrow(bullet.center(), end.center(), &style);
            }
            if let Some(hit) = hit {
                draw::shape(&mut drawing, &end, &Style::translucent(Color::VERMILION));
                draw::hit(&mut drawing, &hit, 2.0, &Style::stroke(Color::VERMILION));
                break;
            }
            bullet = end;
        }
    }
    drawing.add_legend(Color::BLUE, "the bullet in each frame");
    drawing.add_legend(Color::PURPLE, "its motion");
    drawing.add_legend(Color::VERMILION, "the hit, with the normal");
    check("bullet", &drawing);
}
