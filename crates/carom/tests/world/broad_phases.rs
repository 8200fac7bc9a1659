//! Every broad phase finds the pairs of brute force and gives the same results for every query. Tests of
//! features (B) start with their id.

use std::ops::ControlFlow;

use carom::broad::*;
use carom::prelude::*;

use crate::support::box_scenes::{BOX_SCENES, BoxScene, spanning};
use crate::support::rng::Rng;

type Named = (&'static str, Box<dyn BroadPhase>);

/// Returns every broad phase except brute force, empty.
fn methods() -> Vec<Named> {
    macro_rules! named {
        ($($method:expr),* $(,)?) => { vec![$((stringify!($method), Box::new($method))),*] };
    }
    named![
        Strips::new(),
        QuadTree::new(),
        QuadTree::new().capacity(0),
        Grid::new(),
        Grid::with_cell_size(1.5),
        SweepAndPrune::new(),
        AabbTree::new(),
    ]
}

/// Brute force, and the broad phases that must agree with it.
struct Rivals {
    model: BruteForce,
    methods: Vec<Named>,
}

impl Rivals {
    fn new() -> Self {
        Self { model: BruteForce::new(), methods: methods() }
    }

    fn set(&mut self, id: u32, bounds: Aabb, mobility: Mobility) {
        self.model.set(id, bounds, mobility);
        for (_, method) in &mut self.methods {
            method.set(id, bounds, mobility);
        }
    }

    fn remove(&mut self, id: u32) {
        let was_there = self.model.remove(id);
        for (name, method) in &mut self.methods {
            assert_eq!(method.remove(id), was_there, "{name}");
            assert_eq!(method.get(id), None, "{name}");
        }
    }

    /// Fills all broad phases with boxes of a scene.
    fn of(scene: &BoxScene, count: u32, rng: &mut Rng) -> Self {
        let mut rivals = Self::new();
        for id in 0..count {
            rivals.set(id, scene.bounds(rng), mobility(rng));
        }
        rivals
    }

    /// Inserts, removes, moves boxes or changes whether they move.
    fn change(&mut self, scene: &BoxScene, count: u32, rng: &mut Rng) {
        let id = rng.below(count as usize) as u32;
        match (self.model.get(id), rng.below(8)) {
            (Some(_), 0) => self.remove(id),
            (Some((bounds, mobility)), 2..) => self.set(id, scene.nudged(&bounds, rng), mobility),
            _ => self.set(id, scene.bounds(rng), mobility(rng)),
        }
    }

    #[track_caller]
    fn compare_pairs(&mut self, context: &str) {
        let mut expected = Vec::new();
        self.model.find_pairs(&mut expected);
        let mut pairs = vec![[7, 7]]; // to be replaced
        for (name, method) in &mut self.methods {
            method.find_pairs(&mut pairs);
            assert!(
                pairs.iter().all(|[a, b]| a < b),
                "{name}, {context}: an id before a lesser one"
            );
            pairs.sort_unstable();
            let wrong = pairs.iter().zip(&expected).position(|(found, expected)| found != expected);
            assert!(
                pairs.len() == expected.len() && wrong.is_none(),
                "{name}, {context}: {} pairs in place of {}, the first wrong one at {wrong:?}",
                pairs.len(),
                expected.len(),
            );
            assert_eq!(method.len(), self.model.len(), "{name}, {context}");
        }
    }

    #[track_caller]
    fn compare<T: PartialEq + core::fmt::Debug>(
        &self,
        context: &str,
        ask: impl Fn(&dyn BroadPhase) -> T,
    ) {
        let expected = ask(&self.model);
        for (name, method) in &self.methods {
            let found = ask(&**method);
            assert!(found == expected, "{name}, {context}:\n{found:?}\nin place of\n{expected:?}");
        }
    }

    /// Compares one query of each kind, at a random position of the scene.
    fn compare_look_ups(&self, scene: &BoxScene, rng: &mut Rng) {
        let some_size = scene.size.max(scene.reach / 16.0).max(f32::MIN_POSITIVE);
        let corner = match self.model.get(rng.below(self.model.len().max(1)) as u32) {
            Some((bounds, _)) if rng.one_in(2) => bounds.max(), // to touch one
            _ => scene.point(rng),
        };
        let bounds = spanning(corner, corner + some_size * rng.signed().abs());
        let circle = Circle::new(corner, some_size);
        let any = Vec2::new(rng.signed(), rng.signed() + 2.0);
        let direction = rng.pick(&[
            Vec2::X,
            Vec2::NEG_Y,
            Vec2::new(0.6, -0.8),
            Vec2::new(-3.0, 1.0),
            Vec2::new(1e-12, 1.0),
            any,
        ]);
        let far = rng.pick(&[scene.size, scene.reach, 0.0, f32::MAX]);
        let ray = Ray::new(corner, direction, if far == f32::MAX { f32::INFINITY } else { far });
        let motion = (direction * far.min(scene.reach)).clamp(Vec2::MIN, Vec2::MAX);
        let from = format!("{}, from {bounds:?} along {direction}, {far} far", scene.name);

        self.compare(&format!("point {from}"), |broad| broad.at_point(corner));
        self.compare(&format!("box {from}"), |broad| broad.intersecting_box(&bounds));
        self.compare(&format!("shape {from}"), |broad| broad.intersecting(&circle));
        self.compare(&format!("first on ray {from}"), |broad| broad.raycast_first(&ray));
        self.compare(&format!("all on ray {from}"), |broad| broad.raycast_all(&ray));
        self.compare(&format!("sweep {from}"), |broad| broad.sweep_first(&circle, motion));
        self.compare(&format!("still {from}"), |broad| broad.sweep_first(&bounds, Vec2::ZERO));
        for count in [0, 1, 5, self.model.len() + 1] {
            self.compare(&format!("{count} near {from}"), |broad| broad.nearest(corner, count));
        }
    }
}

fn mobility(rng: &mut Rng) -> Mobility {
    if rng.one_in(3) { Mobility::Fixed } else { Mobility::Moving }
}

#[test]
fn b1_every_broad_phase_yields_the_pairs_of_brute_force() {
    let mut rng = Rng::new(1);
    for scene in &BOX_SCENES {
        for count in [0, 1, 2, 9, 70, 400] {
            let mut rivals = Rivals::of(scene, count, &mut rng);
            rivals.compare_pairs(scene.name);
            rivals.compare_pairs("a second time");
        }
    }
}

#[test]
fn b1_pairs_stay_those_of_brute_force_while_boxes_come_move_and_go() {
    let mut rng = Rng::new(2);
    for scene in &BOX_SCENES {
        for count in [120, 400] {
            let mut rivals = Rivals::of(scene, count, &mut rng);
            for frame in 0..60 {
                for _ in 0..rng.pick(&[0, 1, 30, 150]) {
                    rivals.change(scene, count + 40, &mut rng);
                }
                rivals.compare_pairs(&format!("{}, frame {frame}", scene.name));
            }
        }
    }
}

#[test]
fn b1_pairs_stay_correct_when_the_scene_changes_completely() {
    let mut rng = Rng::new(3);
    let mut rivals = Rivals::new();
    for _ in 0..40 {
        let scene = rng.pick(&BOX_SCENES);
        for _ in 0..250 {
            rivals.change(&scene, 500, &mut rng);
        }
        rivals.compare_pairs(scene.name);
        rivals.compare_look_ups(&scene, &mut rng);
    }
}

#[test]
fn b3_every_query_agrees_across_broad_phases() {
    let mut rng = Rng::new(4);
    for scene in &BOX_SCENES {
        for count in [0, 1, 12, 150] {
            let mut rivals = Rivals::of(scene, count, &mut rng);
            for round in 0..30 {
                rivals.compare_look_ups(scene, &mut rng);
                rivals.change(scene, count.max(1), &mut rng);
                if round % 7 == 0 {
                    rivals.compare_pairs(scene.name); // a pair search may reorganize the structure
                }
            }
        }
    }
}

#[test]
fn b3_removed_boxes_are_not_found() {
    let mut rng = Rng::new(5);
    let mut rivals = Rivals::of(&BOX_SCENES[0], 100, &mut rng);
    for id in 0..101 {
        rivals.remove(id);
    }
    rivals.compare_pairs("empty");
    let everywhere = spanning(Vec2::MIN, Vec2::MAX);
    rivals.compare("empty", |broad| (broad.intersecting_box(&everywhere), broad.is_empty()));
    rivals.set(3, everywhere, Mobility::Moving);
    rivals.compare("one", |broad| (broad.intersecting_box(&everywhere), broad.is_empty()));
}

#[test]
fn b3_a_query_stops_at_break() {
    let rivals = Rivals::of(&BOX_SCENES[6], 50, &mut Rng::new(6));
    rivals.compare("all in one place", |broad| {
        let mut visits = 0;
        broad.visit_intersecting(&spanning(Vec2::splat(3.5), Vec2::splat(3.5)), &mut |_| {
            visits += 1;
            if visits == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        visits
    });
}

#[test]
fn b4_every_search_returns_its_number_of_tests() {
    let mut rng = Rng::new(7);
    let scene = BoxScene { reach: 40.0, ..BOX_SCENES[0] };
    let mut rivals = Rivals::of(&scene, 2000, &mut rng);
    let mut pairs = Vec::new();
    let most = rivals.model.find_pairs(&mut pairs);
    for (name, method) in &mut rivals.methods {
        let tests = method.find_pairs(&mut pairs);
        assert!(tests >= pairs.len() as u64, "{name}: {tests} tests for {} pairs", pairs.len());
        assert!(tests < most / 4, "{name}: {tests} tests where brute force makes {most}");

        let mut found = 0;
        let tests = method.visit_intersecting(&spanning(Vec2::ZERO, Vec2::splat(4.0)), &mut |_| {
            found += 1;
            ControlFlow::Continue(())
        });
        assert!((found..500).contains(&tests), "{name}: {tests} tests for {found} of 2000 boxes");
    }
}

#[test]
fn quad_trees_with_bounds_find_boxes_outside_of_them_too() {
    let mut rng = Rng::new(9);
    for scene in &BOX_SCENES {
        // Most boxes are outside, across a side, or inside.
        for share in [0.0, 0.01, 0.5, 2.0] {
            let half = (scene.reach * share).max(f32::MIN_POSITIVE) * Vec2::ONE;
            let center = scene.point(&mut rng);
            let [min, max] =
                [center - half, center + half].map(|corner| corner.clamp(Vec2::MIN, Vec2::MAX));
            let bounded = |capacity, max_depth| -> Box<dyn BroadPhase> {
                let tree = QuadTree::with_bounds(spanning(min, max));
                Box::new(tree.capacity(capacity).max_depth(max_depth))
            };
            let mut rivals = Rivals {
                model: BruteForce::new(),
                methods: vec![("shallow", bounded(0, 2)), ("deep", bounded(3, 32))],
            };
            for step in 0..300 {
                rivals.change(scene, 120, &mut rng);
                if step % 20 == 0 {
                    rivals.compare_pairs(scene.name);
                    rivals.compare_look_ups(scene, &mut rng);
                }
            }
        }
    }
}

#[test]
fn a_quad_tree_divides_its_bounds_up_to_its_depth() {
    let level = Aabb::new([0.0, 0.0], [64.0, 64.0]);
    for (capacity, max_depth, deepest) in [(8, 3, 3), (8, 0, 0), (100, 9, 0), (0, 2, 2)] {
        let mut tree = QuadTree::with_bounds(level).capacity(capacity).max_depth(max_depth);
        for id in 0..100 {
            let min = Vec2::new((id % 10) as f32, (id / 10) as f32) * 0.3;
            tree.set(id, Aabb::from_min_size(min, [0.1, 0.1]), Mobility::Moving);
        }
        let mut smallest = level.size();
        tree.visit_cells(&mut |cell| smallest = smallest.min(cell.size()));
        assert_eq!(smallest, level.size() / (1 << deepest) as f32, "{capacity} boxes, {max_depth}");
    }
}

#[test]
#[should_panic = "maximum depth 33 is greater than 32"]
fn quad_trees_deeper_than_32_levels_are_refused() {
    let _ = QuadTree::new().max_depth(33);
}

#[test]
#[should_panic = "the capacity of a quadtree with 1 boxes cannot be changed"]
fn a_quad_tree_with_boxes_keeps_its_capacity() {
    let mut tree = QuadTree::new();
    tree.set(0, spanning(Vec2::ZERO, Vec2::ONE), Mobility::Moving);
    let _ = tree.capacity(4);
}

#[test]
fn the_same_calls_give_the_same_order() {
    for scene in &BOX_SCENES {
        let [mut one, mut other] = [(); 2].map(|()| {
            let mut rng = Rng::new(8);
            let mut rivals = Rivals::of(scene, 200, &mut rng);
            (0..300).for_each(|_| rivals.change(scene, 200, &mut rng));
            rivals
        });
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for ((name, one), (_, other)) in one.methods.iter_mut().zip(&mut other.methods) {
            one.find_pairs(&mut first);
            other.find_pairs(&mut second);
            assert!(first == second, "{name}, {}", scene.name);
        }
    }
}

/// Adds, finds and removes boxes that all share a point, and may have no size.
fn in_one_place() -> [Aabb; 2] {
    [spanning(Vec2::ZERO, Vec2::ONE), spanning(Vec2::ZERO, Vec2::ZERO)]
}

#[test]
fn coincident_boxes_are_added_found_and_removed() {
    let count = 2000;
    for bounds in in_one_place() {
        for (name, mut method) in methods() {
            for id in 0..count {
                method.set(id, bounds, Mobility::Moving);
            }
            let mut pairs = Vec::new();
            assert_eq!(method.find_pairs_within(1000, &mut pairs), None, "{name}");
            assert_eq!(method.at_point(Vec2::ZERO).len(), count as usize, "{name}");
            for id in 0..count {
                method.remove(id);
            }
            assert_eq!(method.find_pairs_within(0, &mut pairs), Some(0), "{name}");
        }
    }
}

#[test]
fn the_pair_search_stops_soon_after_the_limit() {
    let count = 20_000;
    for bounds in in_one_place() {
        for (name, mut method) in methods() {
            for id in 0..count {
                method.set(id, bounds, Mobility::Moving);
            }
            let mut pairs = Vec::new();
            assert_eq!(method.find_pairs_within(1000, &mut pairs), None, "{name}");
            assert!(pairs.len() <= 1000 + count as usize, "{name}: {} pairs", pairs.len());
        }
    }
}

#[test]
#[should_panic = "the largest is"]
fn an_id_above_the_maximum_panics() {
    QuadTree::new().set(MAX_ID + 1, spanning(Vec2::ZERO, Vec2::ONE), Mobility::Moving);
}
