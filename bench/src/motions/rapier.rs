//! rapier2d's `KinematicCharacterController`; the tiles as cuboids, or all as one collider of voxels.
//! Moving characters are not colliders; their position is an argument, which is the least work.

use std::cell::RefCell;

use rapier2d::control::{
    CharacterLength, EffectiveCharacterMovement, KinematicCharacterController,
};
use rapier2d::prelude::*;

use super::OFFSET;
use super::cave::{Cave, HALF, Way};
use super::parade::{self, Parade, Walker};
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

/// Platforms are colliders without bodies, walkers are positions only. The controller carries nothing, so
/// the motion of a platform is added to that of its riders.
struct Parading {
    colliders: Colliders,
    platforms: Vec<ColliderHandle>,
    walkers: Vec<(Vector, f32, bool)>,
    controller: KinematicCharacterController,
    frame: usize,
}

impl Parading {
    fn new(parade: &Parade, tiles: Vec<ColliderBuilder>) -> Self {
        let [x, y] = parade::PLATFORM;
        let platform =
            |middle: &[f32; 2]| ColliderBuilder::cuboid(x, y).translation(Vector::from(*middle));
        let first = tiles.len();
        let colliders = Colliders::new(
            tiles.into_iter().chain(parade.platforms.iter().map(platform)).collect(),
        );
        let handles: Vec<ColliderHandle> =
            colliders.colliders.iter().map(|(handle, _)| handle).collect();
        let offset = Vector::new(0.0, OFFSET as f32);
        let walkers = parade.walkers.iter().map(|walker| {
            (Vector::from(walker.start) + offset, walker.way, walker.platform.is_some())
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
            all.step(i, Vector::new(0.0, -parade::FALL)); // down to the floor
        }
        all
    }

    fn move_platforms(&mut self) {
        let motion = Vector::new(parade::platform_motion(self.frame), 0.0);
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
        let (_, way, rides) = self.walkers[i];
        let carried = if rides { parade::platform_motion(self.frame - 1) } else { 0.0 };
        let motion = Vector::new(way * parade::SPEED + carried, -parade::FALL);
        let moved = self.step(i, motion);
        let (place, way, rides) = &mut self.walkers[i];
        if moved.translation.x.abs() < motion.x.abs() / 2.0 {
            *way = -*way;
        }
        *rides &= moved.grounded;
        (*place).into()
    }

    fn step(&mut self, i: usize, motion: Vector) -> EffectiveCharacterMovement {
        let place = &mut self.walkers[i].0;
        let shape = Cuboid::new(Vector::from(parade::HALF));
        let (pose, queries) = (Pose::from_translation(*place), self.colliders.queries());
        let moved = self.controller.move_shape(1.0 / 60.0, &queries, &shape, &pose, motion, |_| {});
        *place += moved.translation;
        moved
    }
}

pub fn add_walkers(row: &mut Row<'_>, parade: &Parade) {
    let runs = parade.runs().into_iter().map(|[x, y, count]| {
        let half = count as f32 / 2.0;
        ColliderBuilder::cuboid(half, 0.5).translation(Vector::new(x as f32 + half, y as f32 + 0.5))
    });
    add_parade(row, "KinematicCharacterController, merged cuboids", parade, runs.collect());
    let cells: Vec<IVector> = parade.tiles().map(|[x, y]| IVector::new(x as _, y as _)).collect();
    let voxels = ColliderBuilder::voxels(Vector::new(1.0, 1.0), &cells);
    add_parade(row, "KinematicCharacterController, voxels", parade, vec![voxels]);
}

fn add_parade(row: &mut Row<'_>, way: &'static str, parade: &Parade, tiles: Vec<ColliderBuilder>) {
    let all = RefCell::new(Parading::new(parade, tiles));
    let walk = move |&(i, walker): &(usize, Walker)| (walker, all.borrow_mut().walk(i));
    let off = |(walker, end): &(Walker, [f32; 2])| Answer::Value(walker.off(*end));
    row.add(RAPIER, way, parade.items(), walk, off);
}
