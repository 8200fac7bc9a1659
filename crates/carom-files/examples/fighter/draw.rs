//! The sprites of a fighter, drawn of discs and bars: 48 by 48 pixels a frame, y down, looking right.

use image::{Rgba, RgbaImage};

/// The side of a frame.
pub const SIDE: u32 = 48;

/// The colour of hitboxes.
pub const STRIKING: [u8; 4] = [230, 40, 40, 255];

const SKIN: [u8; 4] = [240, 190, 150, 255];
const SUIT: [u8; 4] = [60, 80, 170, 255];
const BELT: [u8; 4] = [30, 30, 40, 255];

/// A bar with round ends: from, to, radius, colour. A disc has both ends in one place.
type Bar = ([f32; 2], [f32; 2], f32, [u8; 4]);

/// The frames, from left to right.
pub const FRAMES: [&str; 5] = ["idle", "punch_1", "punch_2", "kick_1", "kick_2"];

fn bars(frame: &str) -> Vec<Bar> {
    let mut bars: Vec<Bar> = vec![
        ([22.0, 30.0], [17.0, 46.0], 2.0, SUIT),
        ([22.0, 17.0], [22.0, 30.0], 4.5, SUIT),
        ([18.0, 29.5], [26.0, 29.5], 1.0, BELT),
        ([22.0, 7.0], [22.0, 7.0], 4.5, SKIN),
    ];
    let standing: Bar = ([23.0, 30.0], [28.0, 46.0], 2.0, SUIT);
    let resting: Bar = ([22.0, 16.0], [28.0, 22.0], 1.5, SKIN);
    bars.extend(match frame {
        "punch_1" => vec![standing, ([22.0, 16.0], [16.0, 20.0], 1.5, SKIN)],
        "punch_2" => vec![
            standing,
            ([22.0, 16.0], [38.0, 16.0], 1.5, SKIN),
            ([39.0, 16.0], [39.0, 16.0], 3.0, STRIKING),
        ],
        "kick_1" => vec![resting, ([23.0, 30.0], [31.0, 34.0], 2.0, SUIT)],
        "kick_2" => vec![
            resting,
            ([23.0, 30.0], [39.0, 25.0], 2.0, SUIT),
            ([40.0, 24.5], [43.0, 21.0], 2.5, STRIKING),
        ],
        _ => vec![standing, resting],
    });
    bars
}

/// All frames side by side.
pub fn sheet() -> RgbaImage {
    RgbaImage::from_fn(SIDE * FRAMES.len() as u32, SIDE, |x, y| {
        let bars = bars(FRAMES[(x / SIDE) as usize]);
        let at = [(x % SIDE) as f32 + 0.5, y as f32 + 0.5];
        let holds = |&&(from, to, radius, _): &&Bar| is_within(at, from, to, radius);
        Rgba(bars.iter().rev().find(holds).map_or([0; 4], |bar| bar.3))
    })
}

fn is_within(at: [f32; 2], from: [f32; 2], to: [f32; 2], radius: f32) -> bool {
    let way = [to[0] - from[0], to[1] - from[1]];
    let out = [at[0] - from[0], at[1] - from[1]];
    let dot = |a: [f32; 2], b: [f32; 2]| a[0] * b[0] + a[1] * b[1];
    let along = (dot(out, way) / dot(way, way).max(1e-9)).clamp(0.0, 1.0);
    let off = [out[0] - way[0] * along, out[1] - way[1] * along];
    dot(off, off) <= radius * radius
}
