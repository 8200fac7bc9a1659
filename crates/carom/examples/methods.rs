//! The classic collision response methods in the same small levels, and where each of them fails.
//!
//! `cargo run -p carom --example methods`

use carom::motion::{
    BoxObstacle, Heading, MazeMover, before_after, direction_velocity, open_in, push_out,
    shallow_axis,
};
use carom::prelude::*;

/// One step of a method: returns the motion that the hero makes instead of the intended one.
type Method = fn(&Aabb, Vec2, &[Aabb]) -> Vec2;

const METHODS: [(&str, Method); 4] = [
    ("push out", |hero, motion, walls| motion + push_out(&hero.translated(motion), walls)),
    ("direction + velocity", |hero, motion, walls| direction_velocity(hero, motion, walls).motion),
    ("shallow axis", |hero, motion, walls| shallow_axis(hero, motion, walls).motion),
    ("before and after", |hero, motion, walls| {
        let walls: Vec<BoxObstacle> = walls.iter().map(|&wall| BoxObstacle::still(wall)).collect();
        before_after(hero, motion, &walls).motion
    }),
];

fn main() {
    stage("Into a corner", &["......#", "....@.#", "#######"], [1.5, -0.5]);
    stage("Falling onto the edge of a ledge", &[".@.....", ".......", "..####."], [0.25, -1.75]);
    stage("Fast against a thin wall", &["...#...", "@..#...", "#######"], [4.75, 0.0]);
    platform();
    maze();
}

/// Prints the result of each method for the same motion. The first row is the highest; y points up.
fn stage(title: &str, rows: &[&str], motion: [f32; 2]) {
    let tiles = |wanted: char| {
        rows.iter().rev().enumerate().flat_map(move |(y, row)| {
            let columns = row.chars().enumerate().filter(move |&(_, tile)| tile == wanted);
            columns.map(move |(x, _)| Aabb::from_min_size([x as f32, y as f32], [1.0, 1.0]))
        })
    };
    let walls: Vec<Aabb> = tiles('#').collect();
    let hero = tiles('@').next().expect("every stage has a hero");
    println!("{title}: the intended motion is {motion:?}");
    for (name, method) in METHODS {
        let step = method(&hero, motion.into(), &walls);
        let end = hero.translated(step).center();
        println!("\n  {name}: moves by {step}");
        for (y, row) in rows.iter().enumerate() {
            let y = rows.len() - 1 - y;
            let here = |x: usize| end.x.floor() as usize == x && end.y.floor() as usize == y;
            let draw = |(x, tile): (usize, char)| if here(x) { 'H' } else { tile };
            println!("    {}", row.chars().enumerate().map(draw).collect::<String>());
        }
    }
    println!();
}

/// Jumps through a one-way platform and lands on it.
fn platform() {
    println!("Through a one-way platform (top at 3) with before and after:");
    let platform = BoxObstacle::still(Aabb::new([0.0, 2.5], [8.0, 3.0])).one_way([0.0, 1.0]);
    let mut hero = Aabb::new([2.0, 0.0], [3.0, 2.0]);
    let mut speed = 1.5;
    for frame in 1.. {
        let step = before_after(&hero, [0.0, speed], [&platform]);
        hero = hero.translated(step.motion);
        println!("  frame {frame}: feet at {}", hero.min().y);
        speed -= 0.25;
        if step.pushed.y > 0.0 {
            break;
        }
    }
    println!();
}

/// Requests a turn early; it is made where the grid allows it.
fn maze() {
    println!("Tile and offset: down is requested early, at 3/8 of a tile per frame");
    let rows = ["#######", "#.....#", "###.###", "###...#", "#######"];
    let maze = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &rows, &[('#', TileKind::SOLID)]);
    let mut hero = MazeMover::new([1, 1]);
    hero.wanted = Some(Heading::PosX);
    hero.advance(0.375, open_in(&maze));
    hero.wanted = Some(Heading::PosY);
    let mut trail = vec![hero.cell()];
    while hero.advance(0.375, open_in(&maze)) > 0.0 {
        trail.push(hero.cell());
    }
    for (row, text) in (0..).zip(rows) {
        let draw =
            |(column, tile)| if trail.contains(&Cell::new(column, row)) { '*' } else { tile };
        println!("    {}", (0..).zip(text.chars()).map(draw).collect::<String>());
    }
}
