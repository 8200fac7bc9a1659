//! The motions of bodies: one file per type, with its settings, its validation and its step.

mod classic;
mod maze;
mod path;
mod travel;
mod walk;

pub use classic::{ClassicMethod, ClassicMotion};
pub use maze::MazeMotion;
pub use path::{PathEnd, PathMotion};
pub use travel::{ResponseKind, TravelMotion};
pub use walk::{WalkMotion, WalkerSettings};

pub(super) use maze::MazeState;

use carom::prelude::*;
use serde::{Deserialize, Serialize};

use super::simulation::Simulation;
use super::validator::Validator;
use super::{Scene, SceneBody};

/// The motion of a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Motion {
    /// Flies, and responds to the obstacles that it hits.
    Travel(TravelMotion),
    /// Moves by one of the classic methods, which test only the start and the end of a motion.
    Method(ClassicMotion),
    /// Walks and jumps, controlled by scripted input.
    Walk(WalkMotion),
    /// Moves from point to point, relative to its start, and carries the bodies that stand on it.
    Path(PathMotion),
    /// Moves through the corridors of a maze, from tile to tile, and turns where the corridors allow it.
    Maze(MazeMotion),
}

impl Motion {
    /// Returns the velocity at the start.
    pub(super) fn initial_velocity(&self) -> Vec2 {
        match self {
            Self::Travel(TravelMotion { velocity, .. })
            | Self::Method(ClassicMotion { velocity, .. }) => *velocity,
            _ => Vec2::ZERO,
        }
    }

    /// Returns whether the body is controlled by a player, and so picks up what it touches.
    pub(super) fn is_player(&self) -> bool {
        matches!(self, Self::Walk(_) | Self::Maze(_))
    }

    /// Reports invalid settings of the motion of `body`. `world` has the layers of the scene.
    pub(super) fn validate(
        &self,
        scene: &Scene,
        body: &SceneBody,
        world: &World,
        at: &mut Validator<'_>,
    ) {
        let mut at_motion = at.field("motion");
        match self {
            Self::Travel(travel) => travel.validate(world, &mut at_motion),
            Self::Method(_) => {}
            Self::Walk(walk) => walk.validate(&mut at_motion),
            Self::Path(path) => path.validate(&mut at_motion),
            Self::Maze(maze) => maze.validate(scene, body, at),
        }
    }

    /// Moves body `i` of a simulation by one frame.
    pub(super) fn step(&self, simulation: &mut Simulation<'_>, i: usize) -> Result<(), WorldError> {
        match self {
            Self::Travel(travel) => travel.step(simulation, i),
            Self::Method(classic) => classic.step(simulation, i),
            Self::Walk(walk) => walk.step(simulation, i),
            Self::Path(path) => path.step(simulation, i),
            Self::Maze(maze) => maze.step(simulation, i),
        }
    }
}
