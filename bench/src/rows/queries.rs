//! Spatial queries among many boxes. All indexes are built before the measurement.

use std::cell::RefCell;

use carom::broad::{BroadPhase, BroadPhaseExt, Strips, SweptAabb};
use carom::prelude::*;
use packed_spatial_index::{NeighborWorkspace, Point2D, Ray2D};
use parry2d::math::Vector;
use parry2d::query::{PointQuery, Ray as ParryRay, RayCast};
use static_aabb2d_index::Control;

use crate::harness::{Answer, Row, Verdict};
use crate::indexes::{GeoIndex, Index, RayBvh, Rstar, Sides, StaticAabb2d, sides};
use crate::pair_finders::{box2d, packed, parry};
use crate::queries::{NEAREST, Queries, RAY_LENGTH};
use crate::report::Bench;
use crate::results::{BOX2D, CAROM, PARRY};
use crate::scenes::{BoxScene, KINDS};

const QUESTIONS: usize = 1024;

const PACKED: &str = "packed_spatial_index";
const RSTAR: &str = "rstar";
const STATIC: &str = "static_aabb2d_index";
const GEO: &str = "geo-index";

/// The boxes of a scene with their ids, and the queries.
struct Setting {
    scene: BoxScene,
    boxes: Vec<(Aabb, u32)>,
    queries: Queries,
}

impl Setting {
    fn new(name: &str, boxes: usize) -> Self {
        let kind = KINDS.iter().find(|kind| kind.name == name).expect("the scene exists");
        let scene = BoxScene::new(kind, boxes);
        let queries = Queries::new(&scene, QUESTIONS);
        let boxes = (0..).zip(scene.boxes()).map(|(id, &(bounds, _))| (bounds, id)).collect();
        Self { scene, boxes, queries }
    }

    fn carom(&self) -> Strips {
        let mut broad = Strips::new();
        for (id, &(bounds, mobility)) in (0..).zip(self.scene.boxes()) {
            broad.set(id, bounds, mobility);
        }
        broad
    }
}

pub fn rows(bench: &mut Bench) {
    let (size, boxes) = if bench.is_quick() { ("10k", 10_000) } else { ("100k", 100_000) };
    for (density, scene) in [("dense", "uniform"), ("sparse", "sparse")] {
        let setting = || Setting::new(scene, boxes);
        bench.queries(&format!("look-up point {density} {size}"), || points(&setting()));
        bench.queries(&format!("look-up box {density} {size}"), || boxes_row(&setting()));
        bench.queries(&format!("look-up ray {density} {size}"), || rays(&setting()));
        bench.queries(&format!("look-up nearest 8 {density} {size}"), || nearest(&setting()));
        bench.queries(&format!("look-up nearest {density} {size}"), || nearest_one(&setting()));
    }
}

fn points(setting: &Setting) -> Row<'static> {
    let points = &setting.queries.points;
    let mut row = meeting(setting, points.iter().map(|it| [it.x, it.y, it.x, it.y]).collect());
    let broad = setting.carom();
    let ask = move |&point: &Vec2| broad.at_point(point);
    row.add(CAROM, "Strips", points.clone(), ask, |ids| sum(ids.iter().map(|&id| id.into())));
    row
}

fn boxes_row(setting: &Setting) -> Row<'static> {
    let boxes = &setting.queries.boxes;
    let mut row = meeting(setting, boxes.iter().map(sides).collect());
    let read = |ids: &Vec<u32>| sum(ids.iter().map(|&id| id.into()));
    let broad = setting.carom();
    let ask = move |bounds: &Aabb| broad.intersecting_box(bounds);
    row.add(CAROM, "Strips, in order", boxes.clone(), ask, read);
    let broad = setting.carom();
    let ask = move |bounds: &Aabb| {
        let mut ids = Vec::new();
        broad.collect_intersecting(bounds, &mut ids);
        ids
    };
    row.add(CAROM, "Strips, in any order", boxes.clone(), ask, read);
    row
}

/// Every contender lists the ids of the boxes that it finds.
fn meeting(setting: &Setting, questions: Vec<Sides>) -> Row<'static> {
    let truth = questions.iter().map(|[left, bottom, right, top]| {
        let met = setting.boxes.iter().filter(|(bounds, _)| {
            let [l, b, r, t] = &sides(bounds);
            l <= right && left <= r && b <= top && bottom <= t
        });
        sum(met.map(|&(_, id)| id.into()))
    });
    let mut row = exact_row(truth.collect());
    add_index::<Rstar>(&mut row, RSTAR, setting, &questions);
    add_index::<StaticAabb2d>(&mut row, STATIC, setting, &questions);
    add_index::<GeoIndex>(&mut row, GEO, setting, &questions);
    add_index::<parry::Leaves>(&mut row, PARRY, setting, &questions);
    add_index::<box2d::Tree>(&mut row, BOX2D, setting, &questions);

    let simd = packed::builder(&setting.boxes).finish_simd().expect("all boxes were added");
    let ask = move |&question: &Sides| simd.search(packed::box2d(question));
    row.add(PACKED, "SimdIndex2D", questions, ask, |ids| sum(ids.iter().map(|&id| id as u64)));
    row
}

fn add_index<I: Index>(
    row: &mut Row<'_>,
    name: &'static str,
    setting: &Setting,
    questions: &[Sides],
) {
    let index = I::build(&setting.boxes);
    let ask = move |&question: &Sides| {
        let mut ids = Vec::new();
        index.meeting(question, |id| ids.push(id));
        ids
    };
    row.add(name, "", questions.to_vec(), ask, |ids| sum(ids.iter().map(|&id| id.into())));
}

/// The first hit: box and distance. carom (in one variant) and parry2d also return the normal.
fn rays(setting: &Setting) -> Row<'static> {
    let boxes: Vec<Aabb> = setting.boxes.iter().map(|&(bounds, _)| bounds).collect();
    let rays = &setting.queries.rays;
    let truth = rays.iter().map(|ray| {
        let hits = boxes.iter().filter_map(|bounds| enter(ray.origin(), ray.direction(), bounds));
        hits.min_by(f64::total_cmp).filter(|&hit| hit <= RAY_LENGTH.into())
    });
    let mut row = value_row(truth.collect());
    let broad = setting.carom();
    let read = |hit: &Option<(u32, RayHit)>| hit.map(|(_, hit)| hit.distance).into();
    row.add(CAROM, "Strips", rays.clone(), move |ray| broad.raycast_first(ray), read);
    let broad = setting.carom();
    let ask = move |ray: &Ray| {
        let path = SweptAabb::from_ray(ray);
        let (mut first, mut end) = (None, RAY_LENGTH);
        broad.visit_swept(&path, &mut |id, bounds, _| {
            if let Some(distance) = enter32(ray, bounds).filter(|&distance| distance <= end) {
                (first, end) = (Some((id, distance)), distance);
            }
            end
        });
        first
    };
    row.add(CAROM, "Strips, without normals", rays.clone(), ask, |hit: &Option<(u32, f32)>| {
        hit.map(|hit| hit.1).into()
    });

    let tree = parry::tree(&setting.boxes);
    let parry_boxes: Vec<_> = boxes.iter().map(|&bounds| parry::aabb(bounds)).collect();
    let items = rays.iter().map(|ray| {
        let [origin, along] = [ray.origin(), ray.direction()].map(|it| Vector::new(it.x, it.y));
        ParryRay::new(origin, along)
    });
    let ask = move |ray: &ParryRay| {
        let hit = |id: u32, best| parry_boxes[id as usize].cast_local_ray(ray, best, true);
        let (id, _) = tree.cast_ray(ray, RAY_LENGTH, hit)?;
        parry_boxes[id as usize].cast_local_ray_and_get_normal(ray, RAY_LENGTH, true)
    };
    row.add(PARRY, "Bvh", items.collect(), ask, |hit| hit.map(|hit| hit.time_of_impact).into());

    let tree = box2d::Tree::build(&setting.boxes);
    let leaves = boxes.clone();
    let ask = move |ray: &Ray| {
        let mut first: Option<(u32, f32)> = None;
        tree.cast(
            &box2d::ray(ray.origin(), ray.direction() * RAY_LENGTH),
            |id, end| match enter32(ray, &leaves[id as usize]) {
                Some(distance) if distance < end * RAY_LENGTH => {
                    first = Some((id, distance));
                    distance / RAY_LENGTH
                }
                _ => end,
            },
        );
        first
    };
    row.add(BOX2D, "tree", rays.clone(), ask, |hit| hit.map(|hit| hit.1).into());

    let simd = packed::builder(&setting.boxes).finish_simd().expect("all boxes were added");
    let workspace = RefCell::new(NeighborWorkspace::new());
    let items = rays.iter().map(|ray| {
        let ([x, y], [along_x, along_y]) = (wide(ray.origin()), wide(ray.direction()));
        Ray2D::new(Point2D::new(x, y), along_x, along_y, RAY_LENGTH.into())
    });
    let ask = move |ray: &_| simd.raycast_closest_with(*ray, &mut workspace.borrow_mut());
    row.add(PACKED, "SimdIndex2D", items.collect(), ask, |hit| hit.map(|hit| hit.1 as f32).into());

    let bvh = RayBvh::new(&setting.boxes);
    let items = rays.iter().map(RayBvh::ray).collect();
    row.add("bvh", "", items, move |ray| bvh.first(ray, RAY_LENGTH), |&hit| hit.into());
    row
}

fn nearest(setting: &Setting) -> Row<'static> {
    let mut row = nearest_row(setting, NEAREST);
    add_nearest(&mut row, setting, NEAREST);
    row
}

fn nearest_one(setting: &Setting) -> Row<'static> {
    let mut row = nearest_row(setting, 1);
    add_nearest(&mut row, setting, 1);
    let tree = parry::tree(&setting.boxes);
    let boxes: Vec<_> = setting.boxes.iter().map(|&(bounds, _)| parry::aabb(bounds)).collect();
    let points = setting.queries.points.iter().map(|it| Vector::new(it.x, it.y)).collect();
    let ask = move |&point: &Vector| {
        let project = |id: u32, _| Some(boxes[id as usize].project_local_point(point, true));
        tree.project_point(point, f32::MAX, project)
    };
    row.add(PARRY, "Bvh", points, ask, |hit| {
        hit.as_ref().map(|(_, (distance, _))| *distance).into()
    });
    row
}

/// Returns the distance of the `count`th nearest box.
fn nearest_row(setting: &Setting, count: usize) -> Row<'static> {
    let truth = setting.queries.points.iter().map(|point| {
        let mut all: Vec<f64> = setting.boxes.iter().map(|(it, _)| distance(*point, it)).collect();
        let (_, &mut last, _) = all.select_nth_unstable_by(count - 1, f64::total_cmp);
        Some(last)
    });
    value_row(truth.collect())
}

fn add_nearest(row: &mut Row<'static>, setting: &Setting, k: usize) {
    let boxes: Vec<Aabb> = setting.boxes.iter().map(|&(bounds, _)| bounds).collect();
    let points = &setting.queries.points;
    let broad = setting.carom();
    let read = |found: &Vec<(u32, f32)>| found.last().map(|it| it.1).into();
    row.add(CAROM, "Strips", points.clone(), move |&point| broad.nearest(point, k), read);
    let Rstar(tree) = Rstar::build(&setting.boxes);
    let far = move |point: Vec2, id: Option<u32>| {
        id.map(|id| distance(point, &boxes[id as usize]) as f32).into()
    };
    let read = far.clone();
    let ask = move |&point: &Vec2| -> (Vec2, Vec<u32>) {
        let found = tree.nearest_neighbor_iter(point.to_array()).take(k);
        (point, found.map(|entry| entry.data).collect())
    };
    row.add(RSTAR, "", points.clone(), ask, move |(point, ids)| read(*point, ids.last().copied()));

    let StaticAabb2d { index, .. } = StaticAabb2d::build(&setting.boxes);
    let read = far.clone();
    let ask = move |&point: &Vec2| {
        let mut ids = Vec::with_capacity(k);
        index.visit_neighbors(point.x, point.y, &mut |id: usize, _: f32| {
            ids.push(id as u32);
            if ids.len() < k { Control::Continue } else { Control::Break(()) }
        });
        (point, ids)
    };
    row.add(STATIC, "", points.clone(), ask, move |(point, ids)| read(*point, ids.last().copied()));

    let index = GeoIndex::build(&setting.boxes);
    let read = far.clone();
    let ask = move |&point: &Vec2| (point, index.nearest(point.to_array(), k));
    row.add(GEO, "", points.clone(), ask, move |(point, ids)| read(*point, ids.last().copied()));

    let simd = packed::builder(&setting.boxes).finish_simd().expect("all boxes were added");
    let workspace = RefCell::new(NeighborWorkspace::new());
    let ask = move |&point: &Vec2| {
        let [x, y] = wide(point);
        let workspace = &mut workspace.borrow_mut();
        let found = simd.neighbors_with(Point2D::new(x, y), k, f64::INFINITY, workspace);
        (point, found.to_vec())
    };
    row.add(PACKED, "SimdIndex2D", points.clone(), ask, move |(point, ids)| {
        far(*point, ids.last().map(|&id| id as u32))
    });
}

/// Reduces a list to a value that does not depend on its order.
fn sum(ids: impl Iterator<Item = u64>) -> Answer {
    Answer::Value(ids.sum::<u64>() as f64)
}

/// Judges results that must be exact.
fn exact_row(truth: Vec<Answer>) -> Row<'static> {
    let right = truth.clone();
    Row::new(truth, move |i, answer| match answer == right[i] {
        true => Verdict::Agrees,
        false => Verdict::Differs,
    })
}

/// Judges distances of boxes a few hundred units away from the origin.
fn value_row(truth: Vec<Option<f64>>) -> Row<'static> {
    const TOLERANCE: f64 = 1e-3;
    let answers = truth.iter().map(|it| it.map_or(Answer::No, Answer::Value)).collect();
    Row::new(answers, move |i, answer| match (answer, truth[i]) {
        (Answer::No, None) => Verdict::Agrees,
        (Answer::Value(a), Some(b)) if (a - b).abs() <= TOLERANCE => Verdict::Agrees,
        _ => Verdict::Differs,
    })
}

fn wide(vector: Vec2) -> [f64; 2] {
    vector.to_array().map(f64::from)
}

/// Returns where a ray of any length enters a box; 0 if it starts inside.
fn enter(origin: Vec2, along: Vec2, bounds: &Aabb) -> Option<f64> {
    let (origin, along) = (wide(origin), wide(along));
    let sides = sides(bounds).map(f64::from);
    let (mut enter, mut leave) = (0.0f64, f64::INFINITY);
    for axis in 0..2 {
        let [a, b] = [0, 2].map(|side| (sides[axis + side] - origin[axis]) / along[axis]);
        enter = enter.max(a.min(b));
        leave = leave.min(a.max(b));
    }
    (enter <= leave).then_some(enter)
}

/// Computes the entry in `f32`, for libraries that leave this test to the caller.
fn enter32(ray: &Ray, bounds: &Aabb) -> Option<f32> {
    let (origin, along) = (ray.origin(), ray.direction());
    let (a, b) = ((bounds.min() - origin) / along, (bounds.max() - origin) / along);
    let (enter, leave) = (a.min(b).max_element().max(0.0), a.max(b).min_element());
    (enter <= leave).then_some(enter)
}

fn distance(point: Vec2, bounds: &Aabb) -> f64 {
    let ([x, y], [left, bottom, right, top]) = (wide(point), sides(bounds).map(f64::from));
    let (dx, dy) = ((left - x).max(x - right).max(0.0), (bottom - y).max(y - top).max(0.0));
    dx.hypot(dy)
}
