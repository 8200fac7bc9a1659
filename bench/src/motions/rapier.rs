//! rapier2d's `KinematicCharacterController`, without snapping to the ground; the tiles as a collider
//! each, or all as one of voxels. Nothing has to be moved for it: the place is an argument.

use rapier2d::control::{CharacterLength, KinematicCharacterController};
use rapier2d::prelude::*;

use super::OFFSET;
use super::cave::{Cave, HALF, Way};
use crate::harness::{Answer, Row};
use crate::results::RAPIER;

pub fn add_slides(row: &mut Row<'_>, cave: &Cave) {
    let middle = |[x, y]: [usize; 2]| Vector::new(x as f32 + 0.5, y as f32 + 0.5);
    let boxes =
        cave.tiles().map(|tile| ColliderBuilder::cuboid(0.5, 0.5).translation(middle(tile)));
    add(row, "KinematicCharacterController, cuboids", cave, boxes.collect());
    let cells: Vec<IVector> = cave.tiles().map(|[x, y]| IVector::new(x as _, y as _)).collect();
    let voxels = ColliderBuilder::voxels(Vector::new(1.0, 1.0), &cells);
    add(row, "KinematicCharacterController, voxels", cave, vec![voxels]);
}

/// Colliders without bodies.
pub struct Colliders {
    pipeline: CollisionPipeline,
    islands: IslandManager,
    broad: BroadPhaseBvh,
    narrow: NarrowPhase,
    bodies: RigidBodySet,
    pub colliders: ColliderSet,
}

impl Colliders {
    pub fn new(builders: Vec<ColliderBuilder>) -> Self {
        let mut colliders = ColliderSet::new();
        for builder in builders {
            colliders.insert(builder);
        }
        let mut all = Self {
            pipeline: CollisionPipeline::new(),
            islands: IslandManager::new(),
            broad: BroadPhaseBvh::new(),
            narrow: NarrowPhase::new(),
            bodies: RigidBodySet::new(),
            colliders,
        };
        all.update();
        all
    }

    /// Takes over what has moved.
    pub fn update(&mut self) {
        let Self { pipeline, islands, broad, narrow, bodies, colliders } = self;
        pipeline.step(0.0, islands, broad, narrow, bodies, colliders, &(), &());
    }

    pub fn queries(&self) -> QueryPipeline<'_> {
        let dispatcher = self.narrow.query_dispatcher();
        let filter = QueryFilter::default();
        self.broad.as_query_pipeline(dispatcher, &self.bodies, &self.colliders, filter)
    }
}

fn add(row: &mut Row<'_>, way: &'static str, cave: &Cave, builders: Vec<ColliderBuilder>) {
    let colliders = Colliders::new(builders);
    let controller = KinematicCharacterController {
        offset: CharacterLength::Absolute(OFFSET as f32),
        snap_to_ground: None,
        ..KinematicCharacterController::default()
    };
    let shape = Cuboid::new(Vector::new(HALF as f32, HALF as f32));
    let slide = move |way: &Way| {
        let (start, motion) = (Vector::from(way.start), Vector::from(way.motion));
        let pose = Pose::from_translation(start);
        let queries = colliders.queries();
        let moved = controller.move_shape(1.0 / 60.0, &queries, &shape, &pose, motion, |_| {});
        (*way, start + moved.translation)
    };
    let off = |(way, end): &(Way, Vector)| Answer::Value(way.off([end.x, end.y]));
    row.add(RAPIER, way, cave.ways.clone(), slide, off);
}
