use super::*;
use crate::broad::{BroadPhase, BruteForce, Mobility};
use crate::math::Vec2;
use crate::query::Ray;
use alloc::vec::Vec;

/// Random numbers (xorshift).
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn within(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * ((self.next() >> 40) as f32 / (1 << 24) as f32)
    }

    fn bounds(&mut self, middle: f32, spread: f32, size: f32) -> Aabb {
        let min = Vec2::from([(); 2].map(|()| self.within(middle - spread, middle + spread)));
        let size = Vec2::from([(); 2].map(|()| self.within(0.0, size)));
        Aabb::new_unchecked(min, (min + size).min(Vec2::MAX))
    }
}

/// A tree, and the same boxes in a list for comparison.
#[derive(Default)]
struct Both {
    tree: PackedBvh,
    list: BruteForce,
}

impl Both {
    fn set(&mut self, id: u32, bounds: Aabb) {
        self.tree.set(id, bounds);
        self.list.set(id, bounds, Mobility::Moving);
    }

    fn remove(&mut self, id: u32) {
        assert_eq!(self.tree.remove(id), self.list.remove(id));
    }

    fn rebuild(&mut self) {
        let ids = (0..=2000).filter(|&id| self.list.get(id).is_some());
        self.tree.rebuild(ids, |id| self.list.get(id).unwrap().0);
    }

    fn compare(&self, from: &Aabb, direction: [f32; 2], end: f32) {
        let mut found = [(); 2].map(|()| Vec::new());
        self.tree.visit_intersecting(from, |id| {
            found[0].push(id);
            ControlFlow::Continue(())
        });
        self.list.visit_intersecting(from, &mut |id| {
            found[1].push(id);
            ControlFlow::Continue(())
        });
        found[0].sort_unstable();
        assert!(found[0] == found[1], "{from:?}");

        let mut paths =
            alloc::vec![SweptAabb::from_motion(from, Vec2::from(direction) * end.min(1e5))];
        if direction != [0.0; 2] {
            paths.push(SweptAabb::from_ray(&Ray::new(from.min(), direction, end)));
        }
        for path in paths {
            let mut found = [(); 2].map(|()| Vec::new());
            let mut first = [f32::INFINITY; 2];
            let time_of_impact = |id, end| path.time_of_impact(&self.list.get(id).unwrap().0, end);
            self.tree.visit_swept(&path, path.end(), |id, bounds, time| {
                assert_eq!(self.list.get(id).unwrap().0, *bounds);
                assert!(
                    time_of_impact(id, path.end()).is_none_or(|exact| time <= exact),
                    "{path:?}"
                );
                found[0].push(id);
                path.end()
            });
            self.list.visit_swept(&path, &mut |id, _, _| {
                found[1].push(id);
                path.end()
            });
            found[0].sort_unstable();
            found[0].retain(|&id| {
                let is_hit = time_of_impact(id, path.end()).is_some();
                assert!(is_hit || self.nearly_hits(&path, id), "{path:?}");
                is_hit
            });
            assert!(found[0] == found[1], "{path:?}");
            self.tree.visit_swept(&path, path.end(), |id, _, _| {
                first[0] = first[0].min(time_of_impact(id, path.end()).unwrap_or(first[0]));
                first[0]
            });
            self.list.visit_swept(&path, &mut |_, _, time| {
                first[1] = first[1].min(time);
                first[1]
            });
            assert_eq!(first[0], first[1], "{path:?}");
        }

        for within in [0.0, end, f32::INFINITY] {
            let mut found = [(); 2].map(|()| Vec::new());
            self.tree.visit_within(from, within, |id, bounds, least| {
                let exact = distance(from, bounds);
                assert!(least <= exact, "{least} instead of {exact}");
                assert!(exact <= within * 1.0001 + 1e-18, "within {within} of {from:?}");
                found[0].push(id);
                within
            });
            self.list.visit_within(from, within, &mut |id, _, _| {
                found[1].push(id);
                within
            });
            let [mut found, expected] = found;
            found.sort_unstable();
            found.retain(|id| expected.binary_search(id).is_ok());
            assert!(found == expected, "within {within} of {from:?}");
        }
    }

    /// Returns `true` if a slightly longer path hits a slightly larger box.
    fn nearly_hits(&self, path: &SweptAabb, id: u32) -> bool {
        let bounds = self.list.get(id).unwrap().0;
        let far = |bounds: &Aabb| bounds.min().abs().max(bounds.max().abs()).max_element();
        let reach = far(&bounds).max(far(&path.start()));
        let larger = bounds.fattened(f64::from(reach) * 1e-5 + 1e-37);
        path.time_of_impact(&larger, path.end() * 1.00001 + f32::MIN_POSITIVE).is_some()
    }
}

const DIRECTIONS: [[f32; 2]; 8] = [
    [1.0, 0.0],
    [0.0, -1.0],
    [0.6, 0.8],
    [-3.0, 2.0],
    [1.0, 1e-12],
    [-1e-5, 1.0],
    [0.0, 0.0],
    [1e-30, -1e-30],
];

#[test]
fn queries_agree_with_brute_force_while_boxes_are_inserted_moved_and_removed() {
    let mut random = Random(7);
    for (middle, reach, size) in [
        (0.0, 50.0, 3.0),
        (0.0, 1.0, 0.0),
        (1e6, 10.0, 1.0),
        (-1e30, 1e28, 1e27),
        (0.0, 1.7e38, 1.7e38),
        (0.0, 1e-40, 1e-41),
        (5.0, 0.0, 0.0),
    ] {
        let mut both = Both::default();
        for round in 0..12 {
            for _ in 0..if round == 0 { 900 } else { 150 } {
                let id = (random.next() % 1000) as u32;
                let outlier = random.next().is_multiple_of(100);
                match random.next() % 8 {
                    0 => both.remove(id),
                    1 if outlier => both.set(id, random.bounds(0.0, f32::MAX / 4.0, size)),
                    2 if outlier => both.set(id, Aabb::new_unchecked(Vec2::MIN, Vec2::MAX)),
                    3 => both.set(id, random.bounds(middle, reach, size)),
                    _ => match both.list.get(id) {
                        Some((last, _)) => {
                            let by = Vec2::new(random.within(-size, size), 0.0);
                            let [min, max] = [last.min(), last.max()]
                                .map(|corner| (corner + by).clamp(Vec2::MIN, Vec2::MAX));
                            both.set(id, Aabb::new_unchecked(min, max));
                        }
                        None => both.set(id, random.bounds(middle, reach, size)),
                    },
                }
            }
            if round % 4 == 0 || (both.tree.needs_refit() && !both.tree.refit()) {
                both.rebuild();
                assert!(!both.tree.needs_refit());
            }
            for _ in 0..12 {
                let from = random.bounds(middle, reach, (size * 4.0).min(f32::MAX));
                let direction = DIRECTIONS[(random.next() % 8) as usize];
                for end in [0.0, reach / 3.0, f32::INFINITY] {
                    both.compare(&from, direction, end);
                }
            }
        }
    }
}

#[test]
fn queries_of_an_empty_tree_visit_nothing() {
    let mut both = Both::default();
    both.compare(&Aabb::new([0.0, 0.0], [1.0, 1.0]), [1.0, 0.0], 1.0);
    both.rebuild();
    both.compare(&Aabb::new([0.0, 0.0], [1.0, 1.0]), [1.0, 0.0], 1.0);
    for id in 0..20 {
        both.set(id, Aabb::new([0.0, 0.0], [1.0, 1.0]));
    }
    both.rebuild();
    for id in 0..20 {
        both.remove(id);
    }
    both.compare(&Aabb::new([0.0, 0.0], [1.0, 1.0]), [1.0, 0.0], 1.0);
}

/// Returns `len` unit boxes, on average one per unit of area.
pub fn uniform(len: usize) -> Vec<Aabb> {
    let mut random = Random(3);
    let side = libm::sqrtf(len as f32);
    (0..len)
        .map(|_| {
            let min = Vec2::new(random.within(0.0, side), random.within(0.0, side));
            Aabb::new_unchecked(min, min + 1.0)
        })
        .collect()
}

pub fn tree_of(boxes: &[Aabb]) -> PackedBvh {
    let mut tree = PackedBvh::default();
    tree.rebuild(0..boxes.len() as u32, |id| boxes[id as usize]);
    tree
}

#[test]
fn outliers_and_distant_clusters_do_not_slow_down_other_queries() {
    let spoilers: [fn(usize, Vec2) -> Vec2; 4] = [
        |_, at| at,
        |i, at| if i % 1000 == 0 { at * 1e30 } else { at },
        |i, at| if i % 4 == 0 { at * 1e-3 + 1e3 } else { at },
        |i, at| if i % 2 == 0 { at * 1e-30 } else { at },
    ];
    for (which, spoil) in spoilers.into_iter().enumerate() {
        let mut boxes = uniform(20_000);
        for (i, bounds) in boxes.iter_mut().enumerate() {
            *bounds = Aabb::new_unchecked(spoil(i, bounds.min()), spoil(i, bounds.max()));
        }
        let tree = tree_of(&boxes);
        let tests: u64 = (1..100)
            .map(|i| tree.visit_intersecting(&boxes[i * 201], |_| ControlFlow::Continue(())))
            .sum();
        assert!(tests / 100 < 250, "scene {which}: {} tests for a box", tests / 100);
    }
}
