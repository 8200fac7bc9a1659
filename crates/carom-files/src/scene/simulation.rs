//! Simulation of a scene, frame by frame.
//!
//! ```
//! use carom_files::Scene;
//! use carom_files::scene::Simulation;
//!
//! let scene = Scene::from_json(r#"{
//!   "carom": 1,
//!   "gravity": [0, -60],
//!   "bodies": [
//!     {"name": "floor", "fixed": true, "colliders": [
//!       {"shape": {"type": "aabb", "min": [0, -1], "max": [20, 0]}}]},
//!     {"name": "ball", "position": [3, 9], "colliders": [
//!       {"shape": {"type": "circle", "center": [0, 0], "radius": 1}}],
//!      "motion": {"type": "travel", "velocity": [0, 0], "falls": true, "response": "touch"}}
//!   ]
//! }"#)?;
//! let mut simulation = Simulation::new(&scene)?;
//! let mut events = Vec::new();
//! for _ in 0..scene.frames {
//!     events.extend(simulation.step()?);
//! }
//! assert_eq!(events[0].to_string(), "ball stops at floor at (3.00, 0.00)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;

use carom::motion::Heading;
use carom::prelude::*;
use carom::sheet::Role;
use carom::world::EventKind;
use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::motion::MazeState;
use super::{BuiltScene, Motion, Scene};
use crate::Diagnostics;

/// A scene that is being simulated.
pub struct Simulation<'s> {
    pub(super) scene: &'s Scene,
    pub(super) built: BuiltScene,
    pub(super) bodies: Vec<BodyState>,
    /// The number of frames simulated so far.
    pub(super) frame: u32,
    events: Vec<SceneEvent>,
    /// The events of the last frame's motions and lines of sight, which are not repeated.
    previous: Vec<SceneEvent>,
    /// The bounds of all colliders in all past frames; not updated if the scene has a `view`.
    bounds: Option<Aabb>,
}

/// A body of a simulation.
pub struct BodyState {
    /// The body's key in the world.
    pub key: BodyKey,
    /// The positions so far: one polyline, or several if the body went through tunnels of a maze.
    pub trajectory: Vec<Vec<Vec2>>,
    pub(super) velocity: Vec2,
    pub(super) walker: WalkerState,
    /// The distance traveled along a path.
    pub(super) distance: f32,
    pub(super) maze: Option<MazeState>,
    /// `true` if the body was picked up.
    pub(super) is_removed: bool,
}

impl<'s> Simulation<'s> {
    /// Builds the world of a scene. Crowds count as one body each; see [`Scene::expand_crowds`].
    ///
    /// # Errors
    /// Returns all errors of the scene. A scene that was read from a file has none.
    pub fn new(scene: &'s Scene) -> Result<Self, Diagnostics> {
        let built = scene.build()?;
        let bodies = built.bodies.iter().zip(&scene.bodies).map(|(&key, body)| BodyState {
            key,
            trajectory: vec![vec![body.position]],
            velocity: body.motion.as_ref().map_or(Vec2::ZERO, Motion::initial_velocity),
            walker: WalkerState::new(),
            distance: 0.0,
            maze: match &body.motion {
                Some(Motion::Maze(maze)) => maze.initial_state(scene, body),
                _ => None,
            },
            is_removed: false,
        });
        let (bodies, bounds) = (bodies.collect(), world_bounds(&built.world));
        let (events, previous) = (Vec::new(), Vec::new());
        Ok(Self { scene, built, bodies, frame: 0, events, previous, bounds })
    }

    /// Returns the world in its current state.
    pub fn world(&self) -> &World {
        &self.built.world
    }

    /// Returns the bounds of all colliders in all frames so far, or of the first frame only if the scene
    /// has a `view`.
    pub fn bounds(&self) -> Option<Aabb> {
        self.bounds
    }

    /// Returns the bodies that have not been picked up, with their names.
    pub fn bodies(&self) -> impl Iterator<Item = (&str, &BodyState)> {
        let all = self.scene.bodies.iter().zip(&self.bodies);
        all.filter(|(_, state)| !state.is_removed).map(|(body, state)| (body.name.as_str(), state))
    }

    /// Simulates one frame and returns its events.
    ///
    /// # Errors
    /// Returns an error if a coordinate is no longer finite, or too many bodies are at one position.
    pub fn step(&mut self) -> Result<Vec<SceneEvent>, WorldError> {
        let scene = self.scene;
        self.frame += 1;
        // 1. Show the current animation frames and move the bodies, in the order of the file.
        for (i, body) in scene.bodies.iter().enumerate() {
            if !self.bodies[i].is_removed {
                scene.apply_frame(&mut self.built, i, self.frame.into())?;
                if let Some(motion) = &body.motion {
                    motion.step(self, i)?;
                }
            }
        }
        // 2. Test the lines of sight, and drop the events that also happened in the last frame.
        self.push_sight_events();
        self.remove_repeated();
        // 3. Find contacts and strikes, and pick up items.
        self.built.world.try_update()?;
        self.push_touch_events();
        self.push_strike_events();
        self.collect_pickups()?;
        // 4. Record the positions and the bounds.
        for body in self.bodies.iter_mut().filter(|body| !body.is_removed) {
            let line = body.trajectory.last_mut();
            if let (Some(line), Some(body)) = (line, self.built.world.body(body.key)) {
                line.push(body.pose.position);
            }
        }
        if scene.view.is_none() {
            let both = [self.bounds, world_bounds(&self.built.world)];
            let corners: Vec<Vec2> = both.iter().flatten().flat_map(Aabb::corners).collect();
            self.bounds = Aabb::from_points(&corners);
        }
        Ok(std::mem::take(&mut self.events))
    }

    /// Returns the ends of a body's line of sight: its position, and the point that it sees or the end of its
    /// reach.
    pub fn line_of_sight(&self, body: &BodyState) -> Option<[Vec2; 2]> {
        let i = self.bodies.iter().position(|other| other.key == body.key)?;
        let (ray, seen) = self.look(i)?;
        Some([ray.origin(), seen.map_or(ray.point_at(ray.max_distance()), |(_, at)| at)])
    }

    /// Returns the position of a body at the end of the last frame.
    pub(super) fn last_position(&self, key: BodyKey) -> Option<Vec2> {
        let body = self.bodies.iter().find(|body| body.key == key)?;
        body.trajectory.last()?.last().copied()
    }

    /// Adds an event of the current frame; the body that acts comes first.
    pub(super) fn push_event(&mut self, action: Action, bodies: &[BodyKey]) {
        let name = |key: &BodyKey| {
            let index = self.bodies.iter().position(|body| body.key == *key);
            index.map_or("?", |i| &self.scene.bodies[i].name).to_owned()
        };
        let bodies = bodies.iter().map(name).collect();
        self.events.push(SceneEvent { frame: self.frame, bodies, action });
    }

    /// Removes the events that also happened in the last frame, such as an ongoing crossing.
    fn remove_repeated(&mut self) {
        let previous = std::mem::replace(&mut self.previous, self.events.clone());
        let is_same = |a: &SceneEvent, b: &SceneEvent| a.kind() == b.kind() && a.bodies == b.bodies;
        self.events.retain(|event| !previous.iter().any(|other| is_same(event, other)));
    }

    /// Returns the ray of a body's line of sight, and the body and point that it hits first.
    fn look(&self, i: usize) -> Option<(Ray, Option<(BodyKey, Vec2)>)> {
        let (world, key) = (&self.built.world, self.bodies[i].key);
        let sight = self.scene.bodies[i].sight.as_ref()?;
        let ray = sight.ray(&world.body(key)?.pose).ok()?;
        let filter = Filter::new().visible().exclude(key).layers(sight.layers(world).ok()?);
        let seen = world.raycast(&ray, &filter);
        let seen = seen.and_then(|(seen, hit)| Some((world.collider(seen)?.body_key(), hit.point)));
        Some((ray, seen))
    }

    fn push_sight_events(&mut self) {
        for i in (0..self.bodies.len()).filter(|&i| !self.bodies[i].is_removed).collect::<Vec<_>>()
        {
            if let Some((_, Some((seen, point)))) = self.look(i) {
                self.push_event(Action::Saw { point }, &[self.bodies[i].key, seen]);
            }
        }
    }

    /// Reports the touches of sensors that began or ended. The motions of bodies report the contacts of solids, and
    /// strikes report those of hitboxes.
    fn push_touch_events(&mut self) {
        let mut touches = Vec::new();
        for event in self.built.world.events().iter() {
            let action = match event.kind {
                EventKind::Began => Action::Began,
                EventKind::Ended => Action::Ended,
                _ => continue,
            };
            let role = |key| self.built.world.collider(key).map(|collider| collider.role());
            let roles = event.colliders.map(role);
            let is_solid = roles == [Some(Role::Solid); 2];
            let is_strike =
                roles.iter().any(|role| matches!(role, Some(Role::Hitbox | Role::Hurtbox)));
            if event.contact.is_none() && !is_solid && !is_strike {
                touches.push((action, event.bodies));
            }
        }
        for (action, bodies) in touches {
            self.push_event(action, &bodies);
        }
    }

    fn push_strike_events(&mut self) {
        let world = &self.built.world;
        let clashes = world.clashes().iter().map(|clash| (Action::Clashed, clash.bodies));
        let strikes = world.strikes().iter().map(|strike| {
            let name = |key| world.box_name(key).map(ToOwned::to_owned);
            let boxes = name(strike.hitbox).zip(name(strike.hurtbox));
            (Action::Struck { boxes }, [strike.attacker, strike.victim])
        });
        for (action, bodies) in clashes.chain(strikes).collect::<Vec<_>>() {
            self.push_event(action, &bodies);
        }
    }

    /// Removes the items that a player touches.
    fn collect_pickups(&mut self) -> Result<(), WorldError> {
        let bodies = self.scene.bodies.iter().zip(&self.bodies);
        let players: Vec<BodyKey> = bodies
            .filter(|(body, _)| body.motion.as_ref().is_some_and(Motion::is_player))
            .map(|(_, state)| state.key)
            .collect();
        for i in 0..self.bodies.len() {
            let key = self.bodies[i].key;
            if !self.scene.bodies[i].pick_up || self.bodies[i].is_removed {
                continue;
            }
            let mut touching = self.built.world.touching_body(key);
            let player = touching
                .find_map(|event| event.bodies.into_iter().find(|body| players.contains(body)));
            drop(touching);
            if let Some(player) = player {
                self.push_event(Action::PickedUp, &[player, key]);
                self.built.world.remove_body(key)?;
                self.bodies[i].is_removed = true;
            }
        }
        Ok(())
    }
}

/// Returns the bounds of all colliders of a world.
pub fn world_bounds(world: &World) -> Option<Aabb> {
    let corners: Vec<Vec2> =
        world.colliders().flat_map(|collider| collider.bounds().corners()).collect();
    Aabb::from_points(&corners)
}

/// An event in a frame of a simulation. Its [`Display`](fmt::Display) text is a sentence. The event is serialized
/// with the fields `frame`, `kind`, `bodies` and `text`.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneEvent {
    /// The frame, counted from 1.
    pub frame: u32,
    /// The names of the bodies that are involved; the one that acts comes first.
    pub bodies: Vec<String>,
    /// The action of the body.
    pub action: Action,
}

/// The action of a body in a [`SceneEvent`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Action {
    /// The body hits an obstacle.
    Hit {
        /// The response to the hit.
        response: Response,
        /// The point of the hit.
        point: Vec2,
    },
    /// A moving platform squashes another body.
    Squashed,
    /// The body jumps.
    Jumped,
    /// The body lands on a floor.
    Landed,
    /// The body hits a ceiling.
    HitCeiling,
    /// The body turns in a maze.
    Turned {
        /// The new direction.
        direction: Direction,
        /// The cell in which the body turns.
        cell: Cell,
    },
    /// The body stops at a wall of a maze.
    Stopped {
        /// The cell in which the body stops.
        cell: Cell,
    },
    /// The body walks and pushes another body ahead.
    PushedBody,
    /// A classic method pushes the body back.
    Pushed {
        /// The direction of the push.
        direction: Direction,
    },
    /// The body sees another body.
    Saw {
        /// The point at which the line of sight hits.
        point: Vec2,
    },
    /// The body begins to touch a sensor.
    Began,
    /// The body no longer touches a sensor.
    Ended,
    /// A hitbox of the body strikes a hurtbox.
    Struck {
        /// The names of the hitbox and the hurtbox, if they are boxes of sheets.
        boxes: Option<(String, String)>,
    },
    /// A hitbox of the body touches another hitbox.
    Clashed,
    /// The body picks up an item.
    PickedUp,
}

/// A direction on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Towards negative x.
    Left,
    /// Towards positive x.
    Right,
    /// Along the scene's up direction.
    Up,
    /// Against the scene's up direction.
    Down,
}

impl Direction {
    /// Returns the direction of a heading on the screen, where y points down if the scene's up direction does.
    pub(super) fn of(heading: Heading, scene: &Scene) -> Self {
        let y_up = scene.up.y >= 0.0;
        match heading {
            Heading::NegX => Self::Left,
            Heading::PosX => Self::Right,
            Heading::PosY if y_up => Self::Up,
            Heading::NegY if !y_up => Self::Up,
            Heading::NegY | Heading::PosY => Self::Down,
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Up => "up",
            Self::Down => "down",
        })
    }
}

impl SceneEvent {
    /// Returns the kind of event as a word, as in the output of `carom run --json`.
    pub fn kind(&self) -> &'static str {
        match self.action {
            Action::Hit { .. } => "met",
            Action::Squashed => "squashed",
            Action::Jumped => "jumped",
            Action::Landed => "landed",
            Action::HitCeiling => "bumped",
            Action::Turned { .. } => "turned",
            Action::Stopped { .. } => "stopped",
            Action::PushedBody => "pushed_body",
            Action::Pushed { .. } => "pushed",
            Action::Saw { .. } => "saw",
            Action::Began => "began",
            Action::Ended => "ended",
            Action::Struck { .. } => "struck",
            Action::Clashed => "clashed",
            Action::PickedUp => "took",
        }
    }
}

impl fmt::Display for SceneEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |i: usize| self.bodies.get(i).map_or("?", String::as_str);
        let (a, b) = (name(0), name(1));
        match &self.action {
            Action::Hit { response, point: Vec2 { x, y } } => {
                let verb = match response {
                    Response::Touch => "stops at",
                    Response::Cross => "crosses",
                    Response::Slide => "slides along",
                    Response::Push(_) => "pushes",
                    _ => "bounces off",
                };
                write!(f, "{a} {verb} {b} at ({x:.2}, {y:.2})")
            }
            Action::Squashed => write!(f, "{a} squashes {b}"),
            Action::Jumped => write!(f, "{a} jumps"),
            Action::Landed => write!(f, "{a} lands on {b}"),
            Action::HitCeiling => write!(f, "{a} bumps its head at {b}"),
            Action::Turned { direction, cell: Cell { column, row } } => {
                write!(f, "{a} turns {direction} at tile ({column}, {row})")
            }
            Action::Stopped { cell: Cell { column, row } } => {
                write!(f, "{a} stops at tile ({column}, {row})")
            }
            Action::PushedBody => write!(f, "{a} pushes {b}"),
            Action::Pushed { direction } => write!(f, "{a} is pushed {direction}"),
            Action::Saw { point: Vec2 { x, y } } => write!(f, "{a} sees {b} at ({x:.2}, {y:.2})"),
            Action::Began => write!(f, "{a} touches {b}"),
            Action::Ended => write!(f, "{a} leaves {b}"),
            Action::Struck { boxes: Some((hitbox, hurtbox)) } => {
                write!(f, "{a} strikes {b}: {hitbox} on {hurtbox}")
            }
            Action::Struck { boxes: None } => write!(f, "{a} strikes {b}"),
            Action::Clashed => write!(f, "{a} and {b} clash"),
            Action::PickedUp => write!(f, "{a} takes {b}"),
        }
    }
}

impl Serialize for SceneEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("SceneEvent", 4)?;
        object.serialize_field("frame", &self.frame)?;
        object.serialize_field("kind", self.kind())?;
        object.serialize_field("bodies", &self.bodies)?;
        object.serialize_field("text", &self.to_string())?;
        object.end()
    }
}
