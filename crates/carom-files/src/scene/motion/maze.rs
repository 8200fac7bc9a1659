//! Bodies that move through mazes: the empty tiles of another body's tile map.

use carom::motion::{Heading, MazeMover, open_in};
use carom::prelude::*;
use carom::shape::repr::unknown_name;
use serde::{Deserialize, Serialize};

use crate::scene::simulation::{Action, Direction, Simulation};
use crate::scene::validator::Validator;
use crate::scene::{Input, InputScript, Scene, SceneBody};

/// The settings of a body that moves through the corridors of a maze.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(inline))]
pub struct MazeMotion {
    /// The name of the body that has the tiles of the maze. The moving body starts in the tile at its position.
    pub maze: String,
    /// The speed, in tiles per second.
    pub speed: f32,
    /// The keys that are pressed: `left`, `right`, `up`, `down`. The body turns as soon as it can.
    #[serde(default)]
    pub input: InputScript,
    /// `true` if corridors that are open at the edge of the maze continue on the opposite side.
    #[serde(default)]
    pub tunnels: bool,
}

/// The state of a body in a maze.
#[derive(Clone, Copy)]
pub struct MazeState {
    /// The index of the body that has the tiles of the maze.
    maze: usize,
    mover: MazeMover,
}

/// An error in the start of a body in its maze, with its message, by the field that is wrong.
enum StartError {
    Maze(String),
    Position(String),
}

impl MazeMotion {
    pub(super) fn validate(&self, scene: &Scene, body: &SceneBody, at: &mut Validator<'_>) {
        at.field("motion").field("speed").at_least(self.speed, 0.0);
        match self.start(scene, body) {
            Ok(_) => {}
            Err(StartError::Maze(message)) => at.field("motion").field("maze").error(message),
            Err(StartError::Position(message)) => at.field("position").error(message),
        }
    }

    /// Returns the state at the start of a scene, or `None` if the body has no valid start.
    pub(in crate::scene) fn initial_state(
        &self,
        scene: &Scene,
        body: &SceneBody,
    ) -> Option<MazeState> {
        let (maze, start) = self.start(scene, body).ok()?;
        Some(MazeState { maze, mover: MazeMover::new(start) })
    }

    /// Returns the index of the body that is the maze, and the cell in which `body` starts.
    fn start(&self, scene: &Scene, body: &SceneBody) -> Result<(usize, Cell), StartError> {
        let name = &self.maze;
        let Some(index) = scene.bodies.iter().position(|body| body.name == *name) else {
            let names: Vec<&str> = scene.bodies.iter().map(|body| body.name.as_str()).collect();
            return Err(StartError::Maze(unknown_name("body", name, &names)));
        };
        let maze = &scene.bodies[index];
        let tiles = maze.colliders.iter().find_map(|collider| match &collider.shape {
            Shape::TileMap(tiles) => Some(tiles),
            _ => None,
        });
        let Some(tiles) = tiles else {
            let message = format!("`{name}` has no tiles; a maze is a body with a `tiles` shape");
            return Err(StartError::Maze(message));
        };
        let cell = tiles.transformed(&maze.pose()).cell_at(body.position);
        match cell.filter(|&cell| tiles.kind(cell).is_empty()) {
            Some(cell) => Ok((index, cell)),
            None => {
                let Vec2 { x, y } = body.position;
                let message = format!("[{x}, {y}]; must be in an empty tile of `{name}`");
                Err(StartError::Position(message))
            }
        }
    }

    pub(super) fn step(&self, simulation: &mut Simulation<'_>, i: usize) -> Result<(), WorldError> {
        let Some(MazeState { maze, mut mover }) = simulation.bodies[i].maze else { return Ok(()) };
        let Some(tiles) = tile_map(&simulation.built.world, simulation.bodies[maze].key) else {
            return Ok(());
        };
        let scene = simulation.scene;
        let distance = self.speed / scene.rate;
        let (old_heading, start) = (mover.heading(), mover.cell());
        let wanted = wanted_heading(scene, self.input.at(simulation.frame - 1));
        mover.wanted = wanted.or(mover.wanted);
        let moved = mover.advance(distance, |cell, heading| {
            let tunnel = || opposite_cell(tiles, cell, heading).filter(|_| self.tunnels);
            open_in(tiles)(cell, heading).or_else(tunnel)
        });
        let (position, cell) = (mover.position(tiles), mover.cell());
        let key = simulation.bodies[i].key;
        if let Some(heading) = mover.heading().filter(|&new| Some(new) != old_heading) {
            let direction = Direction::of(heading, scene);
            simulation.push_event(Action::Turned { direction, cell }, &[key]);
        }
        if moved < distance && mover.heading().is_some() {
            simulation.push_event(Action::Stopped { cell }, &[key]);
        }
        simulation.built.world.set_position(key, position)?;
        simulation.bodies[i].maze = Some(MazeState { maze, mover });
        // A jump over several cells is a tunnel, which the trajectory must not cross.
        let cells = start.column.abs_diff(cell.column) + start.row.abs_diff(cell.row);
        if cells as f32 > distance + 1.0 {
            simulation.bodies[i].trajectory.push(Vec::new());
        }
        Ok(())
    }
}

/// Returns the first tile map of a body, at its current pose.
fn tile_map(world: &World, body: BodyKey) -> Option<&TileMap> {
    let tiles = world.colliders_of(body).filter_map(|key| match world.collider(key)?.placed() {
        ShapeRef::TileMap(tiles) => Some(tiles),
        _ => None,
    });
    tiles.last() // the world lists colliders from the last added to the first
}

/// Returns the heading of the first direction key that is pressed.
fn wanted_heading(scene: &Scene, input: Input) -> Option<Heading> {
    let keys = [
        (input.left, Direction::Left),
        (input.right, Direction::Right),
        (input.up, Direction::Up),
        (input.down, Direction::Down),
    ];
    let (_, direction) = keys.into_iter().find(|(is_pressed, _)| *is_pressed)?;
    Heading::ALL.into_iter().find(|&heading| Direction::of(heading, scene) == direction)
}

/// Returns the cell at the opposite edge of the maze, if `cell` is at the edge and the opposite cell is empty.
fn opposite_cell(tiles: &TileMap, Cell { column, row }: Cell, heading: Heading) -> Option<Cell> {
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
