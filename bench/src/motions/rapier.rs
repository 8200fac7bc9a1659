//! rapier2d's `KinematicCharacterController`; the tiles as cuboids, or all as one collider of voxels.
//! Moving characters are not colliders; their position is an argument, which is the least work.

use std::cell::RefCell;

use rapier2d::control::{
    CharacterLength, EffectiveCharacterMovement, KinematicCharacterController,
};
use rapier2d::prelude::*;

use super::OFFSET;
use super::cave::{Cave, CavePath, HALF};
use super::walkers::{self, Walker, WalkerScene};
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

    /// Updates the moved colliders.
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

fn add(row: &mut Row<'_>, variant: &'static str, cave: &Cave, builders: Vec<ColliderBuilder>) {
    let colliders = Colliders::new(builders);
    let controller = KinematicCharacterController {
        offset: CharacterLength::Absolute(OFFSET as f32),
        snap_to_ground: None,
        ..KinematicCharacterController::default()
    };
    let shape = Cuboid::new(Vector::new(HALF as f32, HALF as f32));
    let slide = move |path: &CavePath| {
        let (start, motion) = (Vector::from(path.start), Vector::from(path.motion));
        let pose = Pose::from_translation(start);
        let queries = colliders.queries();
        let moved = controller.move_shape(1.0 / 60.0, &queries, &shape, &pose, motion, |_| {});
        (*path, start + moved.translation)
    };
    let off = |(path, end): &(CavePath, Vector)| Answer::Value(path.off([end.x, end.y]));
    row.add(RAPIER, variant, cave.paths.clone(), slide, off);
}

/// Platforms are colliders without bodies, walkers are positions only. The controller carries nothing, so
/// the motion of a platform is added to that of its riders.
struct WalkerRun {
    colliders: Colliders,
    platforms: Vec<ColliderHandle>,
    walkers: Vec<(Vector, f32, bool)>,
    controller: KinematicCharacterController,
    frame: usize,
}

impl WalkerRun {
    fn new(scene: &WalkerScene, tiles: Vec<ColliderBuilder>) -> Self {
        let [x, y] = walkers::PLATFORM;
        let platform =
            |middle: &[f32; 2]| ColliderBuilder::cuboid(x, y).translation(Vector::from(*middle));
        let first = tiles.len();
        let colliders =
            Colliders::new(tiles.into_iter().chain(scene.platforms.iter().map(platform)).collect());
        let handles: Vec<ColliderHandle> =
            colliders.colliders.iter().map(|(handle, _)| handle).collect();
        let offset = Vector::new(0.0, OFFSET as f32);
        let walkers = scene.walkers.iter().map(|walker| {
            (Vector::from(walker.start) + offset, walker.direction, walker.platform.is_some())
        });
        let mut all = Self {
            colliders,
            platforms: handles[first..].to_vec(),
            walkers: walkers.collect(),
            controller: KinematicCharacterController {
                offset: CharacterLength::Absolute(OFFSET as f32),
                snap_to_ground: Some(CharacterLength::Absolute(0.1)),
                ..KinematicCharacterController::default()
            },
            frame: 0,
        };
        for i in 0..all.walkers.len() {
            all.step(i, Vector::new(0.0, -walkers::FALL)); // down to the floor
        }
        all
    }

    fn move_platforms(&mut self) {
        let motion = Vector::new(walkers::platform_motion(self.frame), 0.0);
        self.frame += 1;
        for &platform in &self.platforms {
            let collider = self.colliders.colliders.get_mut(platform).expect("none was removed");
            collider.set_translation(collider.translation() + motion);
        }
        self.colliders.update();
    }

    fn walk(&mut self, i: usize) -> [f32; 2] {
        if i == 0 {
            self.move_platforms();
        }
        let (_, direction, rides) = self.walkers[i];
        let carried = if rides { walkers::platform_motion(self.frame - 1) } else { 0.0 };
        let motion = Vector::new(direction * walkers::SPEED + carried, -walkers::FALL);
        let moved = self.step(i, motion);
        let (place, direction, rides) = &mut self.walkers[i];
        if moved.translation.x.abs() < motion.x.abs() / 2.0 {
            *direction = -*direction;
        }
        *rides &= moved.grounded;
        (*place).into()
    }

    fn step(&mut self, i: usize, motion: Vector) -> EffectiveCharacterMovement {
        let place = &mut self.walkers[i].0;
        let shape = Cuboid::new(Vector::from(walkers::HALF));
        let (pose, queries) = (Pose::from_translation(*place), self.colliders.queries());
        let moved = self.controller.move_shape(1.0 / 60.0, &queries, &shape, &pose, motion, |_| {});
        *place += moved.translation;
        moved
    }
}

pub fn add_walkers(row: &mut Row<'_>, scene: &WalkerScene) {
    let runs = scene.runs().into_iter().map(|[x, y, count]| {
        let half = count as f32 / 2.0;
        ColliderBuilder::cuboid(half, 0.5).translation(Vector::new(x as f32 + half, y as f32 + 0.5))
    });
    add_walker_scene(row, "KinematicCharacterController, merged cuboids", scene, runs.collect());
    let cells: Vec<IVector> = scene.tiles().map(|[x, y]| IVector::new(x as _, y as _)).collect();
    let voxels = ColliderBuilder::voxels(Vector::new(1.0, 1.0), &cells);
    add_walker_scene(row, "KinematicCharacterController, voxels", scene, vec![voxels]);
}

fn add_walker_scene(
    row: &mut Row<'_>,
    variant: &'static str,
    scene: &WalkerScene,
    tiles: Vec<ColliderBuilder>,
) {
    let all = RefCell::new(WalkerRun::new(scene, tiles));
    let walk = move |&(i, walker): &(usize, Walker)| (walker, all.borrow_mut().walk(i));
    let off = |(walker, end): &(Walker, [f32; 2])| Answer::Value(walker.off(*end));
    row.add(RAPIER, variant, scene.items(), walk, off);
}
