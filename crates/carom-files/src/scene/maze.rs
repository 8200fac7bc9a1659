//! Mazes: the tiles of one body that others go through.

use carom::prelude::*;
use carom::shape::repr::unknown_name;

use super::{Motion, Scene, SceneBody};
use crate::form::Fault;

impl Scene {
    /// The number of the body that is a body's maze, and the cell in which that body starts; `None`
    /// for what moves otherwise.
    ///
    /// # Errors
    /// Where there is no such maze, or no open tile under the body.
    pub fn start_in_maze(&self, body: &SceneBody) -> Result<Option<(usize, Cell)>, Fault> {
        let Some(Motion::Maze { maze, .. }) = &body.motion else { return Ok(None) };
        let fault = |message| Err(Fault::new("motion.maze", message));
        let Some(number) = self.bodies.iter().position(|body| body.name == *maze) else {
            let names: Vec<&str> = self.bodies.iter().map(|body| body.name.as_str()).collect();
            return fault(unknown_name("body", maze, &names));
        };
        let Some(tiles) = self.bodies[number].tiles() else {
            return fault(format!("`{maze}` has no tiles; a maze is a body with a shape of tiles"));
        };
        let cell = tiles.transformed(&self.bodies[number].pose()).cell_at(body.position);
        match cell.filter(|&cell| tiles.kind(cell).is_empty()) {
            Some(cell) => Ok(Some((number, cell))),
            None => {
                let Vec2 { x, y } = body.position;
                let message = format!("[{x}, {y}]; it must be in an empty tile of `{maze}`");
                Err(Fault::new("position", message))
            }
        }
    }
}

impl SceneBody {
    fn tiles(&self) -> Option<&TileMap> {
        self.colliders.iter().find_map(|collider| match &collider.shape {
            Shape::TileMap(tiles) => Some(tiles),
            _ => None,
        })
    }
}
