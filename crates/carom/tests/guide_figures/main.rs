//! The figures of the guide are what the library draws today.
//!
//! `CAROM_BLESS=1 cargo test -p carom --test guide_figures` draws them anew; look at them then.

mod reaction;

use std::fs;
use std::path::PathBuf;

use carom::broad::{BroadPhase, Mobility, QuadTree};
use carom::draw::{
    self, Canvas, Color, Drawing, LabelPlacement, SatDiagram, Style, View, WorldStyle,
};
use carom::prelude::*;

fn check(name: &str, picture: &Drawing) {
    let file = format!("../../docs/src/figures/{name}.svg");
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file);
    let drawn = picture.to_svg();
    if std::env::var_os("CAROM_BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, drawn).unwrap();
        return;
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(drawn == committed, "{name}.svg is not what is drawn now; bless it if it should be");
}

fn picture(min: [f32; 2], max: [f32; 2]) -> Drawing {
    Drawing::new(View::new(Aabb::new(min, max)))
}

fn write(picture: &mut Drawing, at: [f32; 2], text: &str) {
    picture.label(at.into(), text, LabelPlacement::Center, &Style::default());
}

#[test]
fn one_shape_of_each_kind() {
    let mut picture = picture([0.0, 0.0], [21.0, 11.0]);
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
        draw::shape(&mut picture, shape, &Style::translucent(Color::BLUE));
        write(&mut picture, *name_at, name);
    }
    check("shapes", &picture);
}

#[test]
fn apart_touching_overlapping() {
    let mut picture = picture([0.0, -0.6], [15.0, 3.2]);
    for (x, gap, what) in [
        (0.5, 0.5, "apart: neither"),
        (5.5, 0.0, "touching: intersects"),
        (10.5, -0.35, "overlapping: both"),
    ] {
        let floor = Aabb::new([x, 0.0], [x + 4.0, 1.0]);
        let ball = Circle::new([x + 2.0, 1.75 + gap], 0.75);
        draw::shape(&mut picture, &floor, &Style::translucent(Color::GREY));
        draw::shape(&mut picture, &ball, &Style::translucent(Color::BLUE));
        assert_eq!((ball.intersects(&floor), ball.overlaps(&floor)), (gap <= 0.0, gap < 0.0));
        if let Some(contact) = ball.contact(&floor) {
            draw::contact(&mut picture, &contact, &Style::stroke(Color::VERMILION));
        }
        write(&mut picture, [x + 2.0, -0.4], what);
    }
    picture.add_legend(Color::VERMILION, "where they meet, and the push");
    check("touching", &picture);
}

#[test]
fn separating_axes() {
    let triangle = Triangle::new([0.0, 0.0], [3.0, 0.0], [1.0, 2.0]);
    for (name, center) in [("axes-apart", [4.0, 2.2]), ("axes-overlap", [2.9, 1.2])] {
        let rect = Obb::new(center, [1.0, 0.7], 0.5);
        let axes = SatDiagram::new(&triangle, &rect).unwrap();
        let mut picture = Drawing::new(axes.view());
        axes.draw(&mut picture);
        for (color, what) in [(Color::BLUE, "A"), (Color::ORANGE, "B")] {
            picture.add_legend(color, what);
        }
        picture.add_legend(Color::GREEN, "gap");
        picture.add_legend(Color::VERMILION, "overlap");
        check(name, &picture);
    }
}

#[test]
fn circles_at_a_box() {
    let mut picture = picture([-1.0, -0.8], [7.5, 4.0]);
    let wall = Aabb::new([0.0, 0.0], [4.0, 2.0]);
    draw::shape(&mut picture, &wall, &Style::translucent(Color::GREY));
    for (center, what, at) in [
        ([1.5, 2.5], "side", [1.5, 3.6]),
        ([4.6, 2.6], "corner", [5.6, 3.6]),
        ([3.2, 0.9], "inside", [2.0, 0.6]),
    ] {
        let ball = Circle::new(center, 0.75);
        draw::shape(&mut picture, &ball, &Style::translucent(Color::BLUE));
        let closest = ball.closest_points(&wall).on_b;
        match ball.contact(&wall) {
            Some(contact) => {
                draw::contact(&mut picture, &contact, &Style::stroke(Color::VERMILION));
            }
            None => {
                let style = Style::stroke(Color::PURPLE).dashed();
                picture.polyline(&[center.into(), closest], &style);
                picture.dot(closest, &style);
            }
        }
        write(&mut picture, at, what);
    }
    picture.add_legend(Color::VERMILION, "contact and push");
    picture.add_legend(Color::PURPLE, "to the closest point: further than the radius");
    check("circle-box", &picture);
}

#[test]
fn a_polygon_its_parts_and_a_push() {
    let mut picture = picture([-0.5, -0.8], [20.5, 4.8]);
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
    draw::shape(&mut picture, &shape, &Style::translucent(Color::BLUE));
    write(&mut picture, [3.0, -0.5], "a polygon with a hole");
    let colors = [Color::BLUE, Color::ORANGE, Color::GREEN, Color::PURPLE, Color::SKY];
    for (part, color) in shape.convex_parts().zip(colors.iter().cycle()) {
        draw::shape(&mut picture, &part.translated([7.0, 0.0]), &Style::translucent(*color));
    }
    write(&mut picture, [10.0, -0.5], "its convex parts");
    let moved = shape.translated([14.0, 0.0]);
    let plug = Aabb::new([15.5, 0.6], [17.4, 3.0]);
    let contact = plug.contact(&moved).unwrap();
    draw::shape(&mut picture, &moved, &Style::translucent(Color::GREY));
    draw::shape(&mut picture, &plug, &Style::translucent(Color::ORANGE));
    let style = Style::stroke(Color::ORANGE).dashed();
    draw::shape(&mut picture, &plug.translated(contact.push), &style);
    let middle = plug.center();
    picture.arrow(middle, middle + contact.push, &Style::stroke(Color::VERMILION));
    write(&mut picture, [17.0, -0.5], "one push out of both sides");
    check("polygon", &picture);
}

#[test]
fn two_masks_and_a_push() {
    let mut picture = picture([-0.5, -1.2], [27.5, 8.2]);
    let rows = ["...##...", "..####..", ".######.", "########", "##.##.##", "#..##..#", "...##..."];
    let ship = Mask::from_rows([0.0, 0.0], 1.0, &rows);
    let rock =
        Mask::from_rows([5.0, 0.0], 1.0, &["..#####", ".######", "#######", ".######", "...###."]);
    for (x, push) in [(0.0, Vec2::ZERO), (15.0, ship.contact(&rock).unwrap().push)] {
        let (ship, rock) = (ship.translated(push + Vec2::X * x), rock.translated([x, 0.0]));
        assert_eq!(ship.overlaps(&rock), push == Vec2::ZERO);
        draw::shape(&mut picture, &rock, &Style::translucent(Color::GREY));
        draw::shape(&mut picture, &ship, &Style::translucent(Color::BLUE));
        let shared = rock.bitmap().overlap(ship.bitmap(), [-5, 0]);
        for pixel in shared.pixels().filter(|_| push == Vec2::ZERO) {
            let pixel = ConvexPolygon::new(&rock.pixel_corners(pixel));
            draw::shape(&mut picture, &pixel, &Style::translucent(Color::VERMILION));
        }
        if push != Vec2::ZERO {
            let from = Vec2::new(x + 4.0, 3.5);
            picture.arrow(from, from + push, &Style::stroke(Color::VERMILION));
        }
    }
    write(&mut picture, [5.5, -0.8], "they share pixels");
    write(&mut picture, [20.5, -0.8], "after the shortest push they touch");
    picture.add_legend(Color::VERMILION, "shared pixels, and the push");
    check("masks", &picture);
}

#[test]
fn a_quad_tree_over_crowds() {
    let mut picture = picture([0.0, 0.0], [64.0, 40.0]);
    let mut broad = QuadTree::with_boxes_per_cell(4);
    let mut state = 7u32;
    let mut next = |range: f32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32 * range
    };
    for id in 0..140 {
        let crowd = [[12.0, 10.0], [46.0, 28.0], [32.0, 20.0]][(id % 3) as usize];
        let spread = if id % 3 == 2 { 60.0 } else { 14.0 };
        let x = crowd[0] + next(spread) - spread / 2.0;
        let y = (crowd[1] + next(spread.min(38.0)) - spread.min(38.0) / 2.0).clamp(0.5, 39.0);
        let bounds = Aabb::from_min_size([x, y], [0.9, 0.9]);
        broad.set(id, bounds, Mobility::Moving);
        draw::shape(&mut picture, &bounds, &Style::translucent(Color::BLUE));
    }
    draw::cells(&mut picture, &broad, &Style::stroke(Color::GREY).width(0.7));
    picture.add_legend(Color::BLUE, "boxes");
    picture.add_legend(Color::GREY, "cells");
    check("quad-tree", &picture);
}

#[test]
fn a_ray_through_a_level() {
    let mut picture = picture([-1.0, -1.0], [22.0, 5.0]);
    let level: [Shape; 4] = [
        Aabb::new([-1.0, -1.0], [22.0, 0.0]).into(),
        Obb::new([9.0, 1.0], [0.6, 1.0], 0.2).into(),
        Circle::new([14.0, 2.5], 1.2).into(),
        Triangle::new([17.0, 0.0], [21.0, 0.0], [21.0, 4.0]).into(),
    ];
    level
        .iter()
        .for_each(|thing| draw::shape(&mut picture, thing, &Style::translucent(Color::GREY)));
    for direction in [[1.0, 0.3], [1.0, 0.08], [1.0, -0.02], [1.0, -0.25]] {
        let ray = Ray::new([0.0, 1.5], direction, 22.0);
        let hits = level.iter().filter_map(|thing| thing.raycast(&ray));
        let first = hits.min_by(|a, b| a.distance.total_cmp(&b.distance));
        draw::ray(&mut picture, &ray, first.as_ref(), 0.8, &Style::stroke(Color::VERMILION));
    }
    picture.add_legend(Color::VERMILION, "rays up to their first hit, and the normal there");
    check("rays", &picture);
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
    let fist = Obb::new([0.95, 1.85], [0.6, 0.16], 0.25);
    let sheet = Sheet::from_frames([frame("idle"), frame("punch").hitbox("fist", fist)])?;
    let sheet = world.add_sheet(sheet)?;
    let ann = world.add_body(Body::moving([1.0, 0.0]).with_team(1))?;
    let bob = world.add_body(Body::moving([2.6, 0.0]).with_team(2))?;
    world.set_frame(ann, sheet, "punch")?;
    world.set_frame(bob, sheet, FrameRef::from("idle").flipped(Flip::X))?;
    world.update();
    assert_eq!(world.strikes().len(), 1);
    let mut picture = Drawing::new(View::new(Aabb::new([0.0, -0.1], [4.0, 2.8])).scale(130.0));
    draw::world(&mut picture, &world, &WorldStyle::default());
    picture.add_legend(Color::GREEN, "hurtboxes");
    picture.add_legend(Color::VERMILION, "hitbox");
    check("fighters", &picture);
    Ok(())
}

#[test]
fn a_bullet_and_paper() {
    let mut picture = picture([0.0, 0.0], [24.0, 7.4]);
    for (y, what) in [(4.6, "frame by frame"), (0.8, "swept")] {
        let paper = Aabb::new([13.4, y - 0.5], [13.6, y + 1.5]);
        draw::shape(&mut picture, &paper, &Style::translucent(Color::GREY));
        picture.label(Vec2::new(0.2, y + 2.0), what, LabelPlacement::Right, &Style::default());
        let bullet = Circle::new([1.5, y + 0.5], 0.4);
        let motion = Vec2::new(8.0, 0.0);
        for frame in 0..3 {
            let start = bullet.translated(motion * frame as f32);
            draw::shape(&mut picture, &start, &Style::translucent(Color::BLUE));
            let hit = start.sweep(motion, &paper).filter(|_| what == "swept");
            let time = hit.map_or(1.0, |hit| hit.time);
            let end = start.translated(motion * time);
            let style = Style::stroke(Color::PURPLE).dashed();
            if frame < 2 {
                picture.arrow(start.center(), end.center(), &style);
            }
            if let Some(hit) = hit {
                draw::shape(&mut picture, &end, &Style::translucent(Color::VERMILION));
                draw::hit(&mut picture, &hit, 1.0, &Style::stroke(Color::VERMILION));
                break;
            }
        }
    }
    picture.add_legend(Color::BLUE, "a frame each");
    picture.add_legend(Color::VERMILION, "the hit");
    check("bullet", &picture);
}
