//! Bodies that move by the classic methods, for comparison with sweeps.

use carom::motion::{
    AxisMove, BoxObstacle, Heading, before_after, direction_velocity, push_out, shallow_axis,
    speculative,
};
use carom::prelude::*;
use carom::sheet::Role;
use serde::{Deserialize, Serialize};

use crate::scene::simulation::{Action, Direction, Simulation};

/// The settings of a body that moves by a classic method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, schemars(inline))]
pub struct ClassicMotion {
    /// The method.
    pub method: ClassicMethod,
    /// The velocity at the start, in units per second.
    #[cfg_attr(test, schemars(with = "[f32; 2]"))]
    pub velocity: Vec2,
    /// `true` if gravity accelerates the body.
    #[serde(default)]
    pub falls: bool,
}

/// A method that moves a body without a sweep, and so may tunnel through thin obstacles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, schemars(rename = "Method"))]
pub enum ClassicMethod {
    /// Moves, then pushes the body out of all overlaps by the minimum translation.
    PushOut,
    /// Moves one axis at a time, and resolves overlaps against the velocity.
    DirectionVelocity,
    /// Resolves each overlap along the axis on which it is shallowest.
    ShallowAxis,
    /// Resolves each overlap of bounding boxes through the side at which the body entered.
    BeforeAfter,
    /// Shortens the motion towards the closest point to the distance at the start of the motion.
    Speculative,
}

/// A solid shape near a motion.
struct Obstacle {
    shape: Shape,
    bounds: BoxObstacle,
}

impl ClassicMotion {
    pub(super) fn step(&self, simulation: &mut Simulation<'_>, i: usize) -> Result<(), WorldError> {
        let (key, scene) = (simulation.bodies[i].key, simulation.scene);
        let mut velocity = simulation.bodies[i].velocity;
        if self.falls {
            velocity += scene.gravity / scene.rate;
        }
        let motion = velocity / scene.rate;
        let step = match solid_shape(&simulation.built.world, key) {
            Some(shape) => {
                self.classic_move(&shape, motion, &obstacles(simulation, key, &shape, motion))
            }
            None => AxisMove { motion, pushed: Vec2::ZERO },
        };
        // A push against the velocity stops the body on that axis.
        let stopped = (step.pushed * velocity).cmplt(Vec2::ZERO);
        if stopped.any() {
            let direction = Direction::of(main_heading(step.pushed), scene);
            simulation.push_event(Action::Pushed { direction }, &[key]);
        }
        simulation.bodies[i].velocity = Vec2::select(stopped, Vec2::ZERO, velocity);
        simulation.built.world.translate(key, step.motion)
    }

    fn classic_move(&self, mover: &Shape, motion: Vec2, obstacles: &[Obstacle]) -> AxisMove {
        let shapes = obstacles.iter().map(|obstacle| &obstacle.shape);
        match self.method {
            ClassicMethod::DirectionVelocity => direction_velocity(mover, motion, shapes),
            ClassicMethod::ShallowAxis => shallow_axis(mover, motion, shapes),
            ClassicMethod::BeforeAfter => {
                let bounds = obstacles.iter().map(|obstacle| &obstacle.bounds);
                before_after(&mover.bounds(), motion, bounds)
            }
            ClassicMethod::PushOut => {
                let push = push_out(&mover.translated(motion), shapes);
                AxisMove { motion: motion + push, pushed: push.normalize_or_zero() }
            }
            ClassicMethod::Speculative => {
                let short = shapes.fold(motion, |motion, shape| speculative(mover, motion, shape));
                AxisMove { motion: short, pushed: (short - motion).normalize_or_zero() }
            }
        }
    }
}

/// Returns the first solid shape of a body.
fn solid_shape(world: &World, body: BodyKey) -> Option<Shape> {
    let colliders = world.colliders_of(body).filter_map(|key| world.collider(key));
    let solid = colliders.filter(|collider| collider.role() == Role::Solid);
    solid.last().map(|collider| collider.placed().to_shape())
}

/// Returns the solid shapes near a motion; tile maps as one shape per tile.
fn obstacles(
    simulation: &Simulation<'_>,
    body: BodyKey,
    shape: &Shape,
    motion: Vec2,
) -> Vec<Obstacle> {
    let world = &simulation.built.world;
    let ends = [shape.bounds(), shape.translated(motion).bounds()];
    let Some(area) = Aabb::from_points(&ends.map(|end| end.corners()).concat()) else {
        return Vec::new();
    };
    let mut obstacles = Vec::new();
    for near in world.intersecting_box(&area, &Filter::new().solid().exclude(body)) {
        let Some(collider) = world.collider(near) else { continue };
        let mut push = |shape: Shape, one_way: Option<Vec2>| {
            let now = collider.body().pose.position;
            let before = simulation.last_position(collider.body_key()).unwrap_or(now);
            let after = shape.bounds();
            let moved = BoxObstacle::moving(after.translated(before - now), after);
            obstacles.push(Obstacle { shape, bounds: BoxObstacle { one_way, ..moved } });
        };
        match collider.placed() {
            ShapeRef::TileMap(tiles) => {
                for cell in tiles.cells_under(&area) {
                    let is_one_way = tiles.kind(cell).is_one_way();
                    let one_way =
                        if is_one_way { Some(simulation.scene.up) } else { collider.one_way() };
                    if let Some(tile) = tiles.tile_shape(cell) {
                        push(tile, one_way);
                    }
                }
            }
            shape => push(shape.to_shape(), collider.one_way()),
        }
    }
    obstacles
}

/// Returns the heading closest to a vector.
fn main_heading(vector: Vec2) -> Heading {
    let along = |heading: &Heading| heading.vector().dot(vector);
    let best = Heading::ALL.into_iter().max_by(|p, q| along(p).total_cmp(&along(q)));
    best.unwrap_or(Heading::PosY)
}
