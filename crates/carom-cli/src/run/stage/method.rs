//! What moves by the classic methods.

use std::error::Error;

use carom::prelude::*;
use carom_files::scene::{Method, Motion};

use super::{Happening, Stage};

/// Something in the way.
struct Obstacle {
    shape: Shape,
    bounds: BoxObstacle,
}

impl Stage<'_> {
    /// Moves what goes by a method.
    pub(super) fn go(&mut self, i: usize, news: &mut Vec<Happening>) -> Result<(), Box<dyn Error>> {
        let Some(Motion::Method { method, falls, .. }) = &self.scene.bodies[i].motion else {
            return Ok(());
        };
        let (key, rate) = (self.actors[i].key, self.scene.rate);
        let mut velocity = self.actors[i].velocity;
        if *falls {
            velocity += self.scene.gravity / rate;
        }
        let wanted = velocity / rate;
        let step = match self.shape_of(key) {
            Some(mover) => stepped(*method, &mover, wanted, &self.obstacles(key, &mover, wanted)),
            None => AxisMove { motion: wanted, pushed: Vec2::ZERO },
        };
        // What pushes against an axis of the motion ends it.
        let stopped = (step.pushed * velocity).cmplt(Vec2::ZERO);
        if stopped.any() {
            let side = self.side(heading_of(step.pushed));
            news.push(
                self.happening("pushed", &[key], |names| format!("{} is pushed {side}", names[0])),
            );
        }
        self.actors[i].velocity = Vec2::select(stopped, Vec2::ZERO, velocity);
        Ok(self.built.world.translate(key, step.motion)?)
    }

    /// The first solid shape of a body.
    fn shape_of(&self, key: BodyKey) -> Option<Shape> {
        let world = &self.built.world;
        let colliders = world.colliders_of(key).filter_map(|key| world.collider(key));
        let solid = colliders.filter(|collider| collider.role() == Role::Solid);
        solid.last().map(|collider| collider.placed().to_shape())
    }

    /// The solid shapes around a motion, tile by tile.
    fn obstacles(&self, key: BodyKey, mover: &Shape, motion: Vec2) -> Vec<Obstacle> {
        let world = &self.built.world;
        let ends = [mover.bounds(), mover.translated(motion).bounds()];
        let Some(area) = Aabb::from_points(&ends.map(|end| end.corners()).concat()) else {
            return Vec::new();
        };
        let mut obstacles = Vec::new();
        for near in world.intersecting_box(&area, &Filter::new().solid().exclude(key)) {
            let Some(collider) = world.collider(near) else { continue };
            let up = collider.one_way();
            match collider.placed() {
                ShapeRef::TileMap(tiles) => {
                    for cell in tiles.cells_under(&area) {
                        let up =
                            if tiles.kind(cell).is_one_way() { Some(self.scene.up) } else { up };
                        let tile = tiles.tile_shape(cell);
                        obstacles.extend(tile.map(|tile| self.obstacle(&collider, tile, up)));
                    }
                }
                shape => obstacles.push(self.obstacle(&collider, shape.to_shape(), up)),
            }
        }
        obstacles
    }

    fn obstacle(&self, collider: &ColliderRef<'_>, shape: Shape, up: Option<Vec2>) -> Obstacle {
        let now = collider.body().pose.position;
        let actor = self.actors.iter().find(|actor| actor.key == collider.body_key());
        let before = actor.and_then(|actor| actor.trails.last()?.last()).unwrap_or(&now);
        let after = shape.bounds();
        let moved = BoxObstacle::moving(after.translated(*before - now), after);
        Obstacle { shape, bounds: BoxObstacle { one_way: up, ..moved } }
    }
}

/// Which way a vector leads for the most part.
fn heading_of(way: Vec2) -> Heading {
    let along = |heading: &Heading| heading.vector().dot(way);
    let best = Heading::ALL.into_iter().max_by(|p, q| along(p).total_cmp(&along(q)));
    best.unwrap_or(Heading::PosY)
}

/// What a method makes of a motion.
fn stepped(method: Method, mover: &Shape, motion: Vec2, obstacles: &[Obstacle]) -> AxisMove {
    let shapes = obstacles.iter().map(|obstacle| &obstacle.shape);
    match method {
        Method::DirectionVelocity => direction_velocity(mover, motion, shapes),
        Method::ShallowAxis => shallow_axis(mover, motion, shapes),
        Method::BeforeAfter => {
            before_after(&mover.bounds(), motion, obstacles.iter().map(|it| &it.bounds))
        }
        Method::PushOut => {
            let push = push_out(&mover.translated(motion), shapes);
            AxisMove { motion: motion + push, pushed: push.normalize_or_zero() }
        }
        Method::Speculative => {
            let short = shapes.fold(motion, |motion, shape| speculative(mover, motion, shape));
            AxisMove { motion: short, pushed: (short - motion).normalize_or_zero() }
        }
    }
}
