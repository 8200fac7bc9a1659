//! Code that the games share: a clock with a fixed time step, and drawing carom's shapes with macroquad.
//!
//! macroquad and carom may depend on different versions of `glam`, whose vectors do not mix. So the
//! functions here take carom's vectors, or anything that converts to them, such as arrays.
#![forbid(unsafe_code)]

use std::path::PathBuf;

use carom::prelude::*;
pub use macroquad::color::Color;
use macroquad::prelude as mq;

/// The length of a step in seconds. A game that always advances by the same time plays the same on
/// every computer, however fast its screen is.
pub const STEP: f32 = 1.0 / 60.0;

/// Counts how many steps to simulate before the next frame is drawn.
#[derive(Default)]
pub struct Clock {
    unspent: f32,
}

impl Clock {
    /// Returns how many steps have become due since the last frame.
    pub fn steps(&mut self) -> u32 {
        // After a long pause, the game slows down instead of catching up.
        self.unspent += mq::get_frame_time().min(0.1);
        let steps = (self.unspent / STEP) as u32;
        self.unspent -= steps as f32 * STEP;
        steps
    }
}

/// Returns the settings of a window that shows `size` units of the world, at `scale` pixels per unit.
pub fn window(title: &str, size: [f32; 2], scale: f32) -> mq::Conf {
    mq::Conf {
        window_title: title.to_owned(),
        window_width: (size[0] * scale) as i32,
        window_height: (size[1] * scale) as i32,
        window_resizable: false,
        sample_count: 4, // smooth edges
        ..Default::default()
    }
}

/// Makes the window show the part of the world that starts at `corner` and is `size` units large.
pub fn show(corner: impl Into<Vec2>, size: [f32; 2]) {
    let ([width, height], center) = (size, corner.into() + Vec2::from(size) / 2.0);
    mq::set_camera(&mq::Camera2D {
        target: mq::vec2(center.x, center.y),
        zoom: mq::vec2(2.0 / width, 2.0 / height),
        ..Default::default()
    });
}

/// Returns the position of the mouse in a world of which the window shows `size` units from `corner`.
pub fn mouse(corner: impl Into<Vec2>, size: [f32; 2]) -> Vec2 {
    let (x, y) = mq::mouse_position();
    let window = Vec2::new(mq::screen_width(), mq::screen_height());
    corner.into() + Vec2::new(x, y) / window * Vec2::from(size)
}

/// Lists the letters of a level that is written as text, with the position of each: one unit per letter,
/// y down.
pub fn letters<'a>(rows: &'a [&'a str]) -> impl Iterator<Item = (char, Vec2)> + 'a {
    let row = |(y, row): (usize, &'a &'a str)| {
        row.chars().enumerate().map(move |(x, letter)| (letter, Vec2::new(x as f32, y as f32)))
    };
    rows.iter().enumerate().flat_map(row)
}

/// Makes a tile map of the letters of a level that the legend has. All others are empty.
pub fn tiles(rows: &[&str], legend: &[(char, TileKind)]) -> TileMap {
    TileMap::from_rows_lossy([0.0, 0.0], [1.0, 1.0], rows, legend)
}

/// Adds a body with its colliders. `kind` becomes its user data.
pub fn spawn<const N: usize>(
    world: &mut World,
    kind: u64,
    body: Body,
    colliders: [Collider; N],
) -> Result<BodyKey, WorldError> {
    world.spawn(body.with_user_data(kind), colliders)
}

/// Returns the position of a body that is in the world.
pub fn position(world: &World, body: BodyKey) -> Vec2 {
    world.position(body).expect("the body is in the world")
}

/// Returns whether one of several keys is down.
pub fn is_down(keys: &[mq::KeyCode]) -> bool {
    keys.iter().any(|&key| mq::is_key_down(key))
}

/// Returns -1, 0 or 1 for two keys of opposite directions.
pub fn axis(minus: bool, plus: bool) -> f32 {
    f32::from(i8::from(plus) - i8::from(minus))
}

/// Writes a line of text at a position of the window, in pixels from its upper left corner.
pub fn text(line: &str, at: [f32; 2], color: Color) {
    mq::set_default_camera();
    let size = mq::measure_text(line, None, 22, 1.0);
    let backdrop = Color::new(0.0, 0.0, 0.0, 0.6);
    mq::draw_rectangle(at[0] - 6.0, at[1] - 18.0, size.width + 12.0, 26.0, backdrop);
    mq::draw_text(line, at[0], at[1], 22.0, color);
}

/// Writes the state of a game and its keys into the upper left corner of the window.
pub fn hud(state: &str, keys: &str) {
    text(state, [14.0, 24.0], mq::WHITE);
    text(keys, [14.0, 50.0], mq::LIGHTGRAY);
}

/// The second line of the banner at the end of a game.
pub const PLAY_AGAIN: &str = "Enter: play again";

/// Writes a large line across the window, and a small one below it.
pub fn banner(line: &str, note: &str) {
    mq::set_default_camera();
    let (width, middle) = (mq::screen_width(), mq::screen_height() * 0.4);
    mq::draw_rectangle(0.0, middle - 60.0, width, 110.0, Color::new(0.0, 0.0, 0.0, 0.7));
    for (line, y, size) in [(line, middle, 64), (note, middle + 32.0, 22)] {
        let left = (width - mq::measure_text(line, None, size, 1.0).width) / 2.0;
        mq::draw_text(line, left, y, f32::from(size), mq::WHITE);
    }
}

/// Fills a shape.
pub fn fill(shape: &impl AsShape, color: Color) {
    match shape.as_shape() {
        ShapeRef::Circle(circle) => disc(circle.center(), circle.radius(), color),
        ShapeRef::Capsule(capsule) => {
            let (a, b) = (capsule.a(), capsule.b());
            mq::draw_line(a.x, a.y, b.x, b.y, 2.0 * capsule.radius(), color);
            disc(a, capsule.radius(), color);
            disc(b, capsule.radius(), color);
        }
        ShapeRef::Aabb(aabb) => fill_convex(&aabb.corners(), color),
        ShapeRef::Obb(obb) => fill_convex(obb.corners(), color),
        ShapeRef::Triangle(triangle) => fill_convex(triangle.points(), color),
        ShapeRef::ConvexPolygon(polygon) => fill_convex(polygon.points(), color),
        ShapeRef::Polygon(polygon) => polygon.triangles().for_each(|t| fill_convex(&t, color)),
        ShapeRef::Compound(compound) => compound.parts().iter().for_each(|part| fill(part, color)),
        ShapeRef::TileMap(map) => {
            for shape in map.tiles().filter_map(|cell| map.tile_shape(cell)) {
                fill(&shape, color);
            }
        }
        ShapeRef::Mask(mask) => fill_mask(mask, color),
        ShapeRef::Segment(segment) => line(segment.a(), segment.b(), color),
        ShapeRef::Chain(chain) => chain.segments().for_each(|(a, b)| line(a, b, color)),
        other => {
            let bounds = other.bounds();
            let (min, size) = (bounds.min(), (bounds.max() - bounds.min()).max(Vec2::splat(0.15)));
            mq::draw_rectangle(min.x, min.y, size.x, size.y, color);
        }
    }
}

/// Draws a line that is thicker the longer it is.
fn line(a: Vec2, b: Vec2, color: Color) {
    let width = (a.distance(b) / 200.0).clamp(0.15, 6.0);
    mq::draw_line(a.x, a.y, b.x, b.y, width, color);
}

fn disc(center: Vec2, radius: f32, color: Color) {
    mq::draw_poly(center.x, center.y, 36, radius, 0.0, color);
}

fn fill_convex(points: &[Vec2], color: Color) {
    let corners: Vec<_> = points.iter().map(|p| mq::vec2(p.x, p.y)).collect();
    for pair in corners[1..].windows(2) {
        mq::draw_triangle(corners[0], pair[0], pair[1], color);
    }
}

/// Fills the pixels of a mask that is neither turned nor flipped: a rectangle for each run in a row.
fn fill_mask(mask: &Mask, color: Color) {
    let (pixels, size) = (mask.bitmap(), mask.pixel());
    for y in 0..pixels.height() {
        let mut x = 0;
        while x < pixels.width() {
            let start = x;
            while pixels.get([x, y]) {
                x += 1;
            }
            if x > start {
                let corner = mask.pixel_corners([start, y])[0];
                mq::draw_rectangle(corner.x, corner.y, (x - start) as f32 * size, size, color);
            }
            x += 1;
        }
    }
}

/// Draws one frame in a window and saves it in the directory that the environment variable
/// `CAROM_SCREENSHOTS` names. Does nothing if it is not set, so tests can call this without a window.
pub fn screenshot(name: &str, conf: mq::Conf, draw: impl Fn() + 'static) {
    let Some(directory) = std::env::var_os("CAROM_SCREENSHOTS") else { return };
    let file = PathBuf::from(directory).join(format!("{name}.png"));
    macroquad::Window::from_config(conf, async move {
        for _ in 0..2 {
            draw();
            mq::next_frame().await;
        }
        draw();
        let mut image = mq::get_screen_data();
        image.bytes.chunks_mut(4).for_each(|pixel| pixel[3] = 255); // opaque, whatever was blended
        image.export_png(&file.to_string_lossy());
    });
}
