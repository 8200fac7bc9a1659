//! What goes through mazes.

use std::error::Error;

use carom::prelude::*;
use carom_files::Scene;
use carom_files::scene::{Input, Motion, SceneBody};

use super::{Happening, Stage};

/// Something in a maze.
#[derive(Clone, Copy)]
pub struct Wanderer {
    /// The number of the body whose tiles are the maze.
    maze: usize,
    mover: MazeMover,
}

impl Wanderer {
    /// For a body that moves in a maze.
    pub fn new(scene: &Scene, body: &SceneBody) -> Option<Self> {
        let (maze, start) = scene.start_in_maze(body).ok()??;
        Some(Self { maze, mover: MazeMover::new(start) })
    }
}

impl Stage<'_> {
    /// Moves what is in a maze.
    pub(super) fn wander(
        &mut self,
        i: usize,
        news: &mut Vec<Happening>,
    ) -> Result<(), Box<dyn Error>> {
        let (Some(Motion::Maze { speed, input, tunnels, .. }), Some(Wanderer { maze, mut mover })) =
            (&self.scene.bodies[i].motion, self.actors[i].wanderer)
        else {
            return Ok(());
        };
        let Some(tiles) = self.tiles_of(maze) else { return Ok(()) };
        let way = speed / self.scene.rate;
        let (heading, start) = (mover.heading(), mover.cell());
        mover.wanted = self.wanted(input.at(self.frame - 1)).or(mover.wanted);
        let gone = mover.advance(way, |cell, heading| {
            let tunnel = || across(tiles, cell, heading).filter(|_| *tunnels);
            open_in(tiles)(cell, heading).or_else(tunnel)
        });
        let (position, Cell { column, row }) = (mover.position(tiles), mover.cell());
        let key = self.actors[i].key;
        if let Some(heading) = mover.heading().filter(|&new| Some(new) != heading) {
            let side = self.side(heading);
            news.push(self.happening("turned", &[key], |names| {
                format!("{} turns {side} at tile ({column}, {row})", names[0])
            }));
        }
        if gone < way && mover.heading().is_some() {
            news.push(self.happening("stopped", &[key], |names| {
                format!("{} stops at tile ({column}, {row})", names[0])
            }));
        }
        self.built.world.set_position(key, position)?;
        self.actors[i].wanderer = Some(Wanderer { maze, mover });
        let far = start.column.abs_diff(column) + start.row.abs_diff(row);
        if far as f32 > way + 1.0 {
            self.actors[i].trails.push(Vec::new());
        }
        Ok(())
    }

    /// The tiles of a body, where they are now.
    fn tiles_of(&self, body: usize) -> Option<&TileMap> {
        let world = &self.built.world;
        let tiles = world.colliders_of(self.actors[body].key).filter_map(|key| {
            match world.collider(key)?.placed() {
                ShapeRef::TileMap(tiles) => Some(tiles),
                _ => None,
            }
        });
        tiles.last() // the world tells the last one added first
    }

    /// The way that the keys ask for.
    fn wanted(&self, Input { left, right, up, down, .. }: Input) -> Option<Heading> {
        let pressed = [(left, "left"), (right, "right"), (up, "up"), (down, "down")];
        let (_, side) = pressed.into_iter().find(|(pressed, _)| *pressed)?;
        Heading::ALL.into_iter().find(|&heading| self.side(heading) == side)
    }

    /// Where a heading leads in the picture.
    pub(super) fn side(&self, heading: Heading) -> &'static str {
        let y_up = self.scene.up.y >= 0.0;
        match heading {
            Heading::NegX => "left",
            Heading::PosX => "right",
            Heading::PosY if y_up => "up",
            Heading::NegY if !y_up => "up",
            Heading::NegY | Heading::PosY => "down",
        }
    }
}

/// The open cell at the other end of the maze, for a cell at its edge.
fn across(tiles: &TileMap, Cell { column, row }: Cell, heading: Heading) -> Option<Cell> {
    let last = Cell::new(tiles.columns() - 1, tiles.rows() - 1);
    let cell = match heading {
        Heading::NegX if column == 0 => Cell::new(last.column, row),
        Heading::PosX if column == last.column => Cell::new(0, row),
        Heading::NegY if row == 0 => Cell::new(column, last.row),
        Heading::PosY if row == last.row => Cell::new(column, 0),
        _ => return None,
    };
    tiles.kind(cell).is_empty().then_some(cell)
}
