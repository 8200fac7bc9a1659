//! Box2D's dynamic tree, used as its world uses it: one tree for moving boxes and one for static
//! ones, and a query for each moving box. Either with exact boxes, where each move is a removal and an
//! insertion; or with enlarged boxes that are replaced when left, and partial rebuilds.

use std::ffi::{c_int, c_void};

use boxdd_sys::ffi::*;
use carom::broad::Pair;
use carom::math::Vec2;
use carom::shape::Aabb;

use super::{Split, ordered};
use crate::frames::{Finder, Frames};
use crate::indexes::{Index, Sides};
use crate::results::BOX2D;
use crate::scenes::BoxScene;

/// The margin of enlarged boxes, as in Box2D's own world.
const MARGIN: f32 = 0.1;

fn aabb(bounds: &Aabb) -> b2AABB {
    let [lower, upper] = [bounds.min(), bounds.max()].map(|it| b2Vec2 { x: it.x, y: it.y });
    b2AABB { lowerBound: lower, upperBound: upper }
}

pub fn ray(origin: Vec2, motion: Vec2) -> b2RayCastInput {
    let [origin, translation] = [origin, motion].map(|it| b2Vec2 { x: it.x, y: it.y });
    b2RayCastInput { origin, translation, maxFraction: 1.0 }
}

/// A tree that frees itself.
pub struct Tree {
    tree: b2DynamicTree,
}

impl Tree {
    /// The user data of a leaf is the id of its box.
    fn new(boxes: impl IntoIterator<Item = (b2AABB, u32)>) -> (Self, Vec<c_int>) {
        // SAFETY: a tree of Box2D's making, used by one thread.
        unsafe {
            let mut tree = b2DynamicTree_Create(16);
            let create = |(aabb, id): (b2AABB, u32)| {
                b2DynamicTree_CreateProxy(&raw mut tree, aabb, 1, id.into())
            };
            let proxies = boxes.into_iter().map(create).collect();
            b2DynamicTree_Rebuild(&raw mut tree, true);
            (Self { tree }, proxies)
        }
    }

    fn move_to(&mut self, proxy: c_int, aabb: b2AABB) {
        // SAFETY: the proxy is one of this tree's.
        unsafe { b2DynamicTree_MoveProxy(&raw mut self.tree, proxy, aabb) }
    }

    fn enlarge(&mut self, proxy: c_int, aabb: b2AABB) {
        // SAFETY: the proxy is one of this tree's.
        unsafe { b2DynamicTree_EnlargeProxy(&raw mut self.tree, proxy, aabb) }
    }

    fn rebuild(&mut self) {
        // SAFETY: the tree is valid.
        unsafe { b2DynamicTree_Rebuild(&raw mut self.tree, false) };
    }

    /// Calls `found` with the ids of the leaves that intersect a box.
    fn meeting_aabb<F: FnMut(u32)>(&self, aabb: b2AABB, mut found: F) {
        unsafe extern "C" fn call<F: FnMut(u32)>(_: c_int, id: u64, found: *mut c_void) -> bool {
            // SAFETY: `found` is the closure handed over below, of the same type.
            unsafe { (*found.cast::<F>())(id as u32) };
            true
        }
        let context = (&raw mut found).cast();
        // SAFETY: the callback gets the closure it is made for, which outlives the call.
        unsafe { b2DynamicTree_QueryAll(&raw const self.tree, aabb, Some(call::<F>), context) };
    }

    /// Casts a ray; `hit` returns the fraction at which the cast is clipped.
    pub fn cast<F: FnMut(u32, f32) -> f32>(&self, ray: &b2RayCastInput, mut hit: F) {
        unsafe extern "C" fn call<F: FnMut(u32, f32) -> f32>(
            ray: *const b2RayCastInput,
            _: c_int,
            id: u64,
            hit: *mut c_void,
        ) -> f32 {
            // SAFETY: `hit` is the closure handed over below, of the same type.
            unsafe { (*hit.cast::<F>())(id as u32, (*ray).maxFraction) }
        }
        let (tree, context) = (&raw const self.tree, (&raw mut hit).cast());
        // SAFETY: the callback gets the closure it is made for, which outlives the call.
        unsafe { b2DynamicTree_RayCast(tree, ray, 1, Some(call::<F>), context) };
    }
}

impl Index for Tree {
    fn build(boxes: &[(Aabb, u32)]) -> Self {
        Self::new(boxes.iter().map(|(bounds, id)| (aabb(bounds), *id))).0
    }

    fn meeting(&self, [left, bottom, right, top]: Sides, found: impl FnMut(u32)) {
        let (lower, upper) = (b2Vec2 { x: left, y: bottom }, b2Vec2 { x: right, y: top });
        self.meeting_aabb(b2AABB { lowerBound: lower, upperBound: upper }, found);
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        // SAFETY: the tree is valid, and not used after this.
        unsafe { b2DynamicTree_Destroy(&raw mut self.tree) };
    }
}

struct TwoTrees {
    still: Tree,
    moving: Tree,
    /// The proxies of the moving boxes, in order, and their boxes in the tree.
    proxies: Vec<(c_int, b2AABB)>,
    margin: f32,
    pairs: Vec<Pair>,
}

impl TwoTrees {
    fn new(scene: &BoxScene, margin: f32) -> Self {
        let boxes = Split::new(scene);
        let (still, _) = Tree::new(boxes.still.iter().map(|&(it, id)| (aabb(&it), id)));
        let larger: Vec<_> =
            boxes.moving.iter().map(|&(it, id)| (grown(aabb(&it), margin), id)).collect();
        let (moving, proxies) = Tree::new(larger.iter().copied());
        let proxies = proxies.into_iter().zip(larger.iter().map(|it| it.0)).collect();
        Self { still, moving, proxies, margin, pairs: Vec::new() }
    }
}

impl Finder for TwoTrees {
    fn frame(&mut self, scene: &BoxScene) {
        for ((_, bounds), (proxy, stored)) in scene.moving().zip(&mut self.proxies) {
            let aabb = aabb(&bounds);
            if self.margin == 0.0 {
                self.moving.move_to(*proxy, aabb);
            } else if !contains(stored, &aabb) {
                *stored = grown(aabb, self.margin);
                self.moving.enlarge(*proxy, *stored);
            }
        }
        if self.margin > 0.0 {
            self.moving.rebuild();
        }
        self.pairs.clear();
        let pairs = &mut self.pairs;
        for (id, bounds) in scene.moving() {
            let aabb = aabb(&bounds);
            self.moving.meeting_aabb(aabb, |other| {
                // Enlarged boxes that intersect may contain boxes that do not.
                let meets =
                    || self.margin == 0.0 || meet(&bounds, &scene.boxes()[other as usize].0);
                if other > id && meets() {
                    pairs.push([id, other]);
                }
            });
            self.still.meeting_aabb(aabb, |other| pairs.push(ordered(id, other)));
        }
    }

    fn pairs(&mut self) -> Vec<Pair> {
        self.pairs.clone()
    }
}

fn grown(mut aabb: b2AABB, margin: f32) -> b2AABB {
    aabb.lowerBound.x -= margin;
    aabb.lowerBound.y -= margin;
    aabb.upperBound.x += margin;
    aabb.upperBound.y += margin;
    aabb
}

fn contains(outer: &b2AABB, inner: &b2AABB) -> bool {
    outer.lowerBound.x <= inner.lowerBound.x
        && outer.lowerBound.y <= inner.lowerBound.y
        && inner.upperBound.x <= outer.upperBound.x
        && inner.upperBound.y <= outer.upperBound.y
}

fn meet(a: &Aabb, b: &Aabb) -> bool {
    a.min().cmple(b.max()).all() && b.min().cmple(a.max()).all()
}

pub fn add(frames: &mut Frames) {
    let exact = TwoTrees::new(frames.scene(), 0.0);
    let larger = TwoTrees::new(frames.scene(), MARGIN);
    frames.add(BOX2D, "tree, exact boxes", exact);
    frames.add(BOX2D, "tree, larger boxes", larger);
}
