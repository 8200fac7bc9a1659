//! Static spatial indexes of boxes: built once, then queried.

use bvh::aabb::{Aabb as BvhAabb, Bounded};
use bvh::bounding_hierarchy::BHShape;
use bvh::bvh::Bvh;
use bvh::ray::Ray as BvhRay;
use carom::query::Ray;
use carom::shape::Aabb;
use geo_index::rtree::sort::HilbertSort;
use geo_index::rtree::{RTree as GeoTree, RTreeBuilder, RTreeIndex};
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, RTree};
use static_aabb2d_index::{Control, StaticAABB2DIndex, StaticAABB2DIndexBuilder};

/// The operations that all indexes support.
pub trait Index: 'static {
    /// Builds the index of boxes with their ids.
    fn build(boxes: &[(Aabb, u32)]) -> Self;

    /// Calls `found` with the ids of the boxes that intersect another box, which may be a point.
    fn meeting(&self, bounds: Sides, found: impl FnMut(u32));
}

/// Left, bottom, right and top.
pub type Sides = [f32; 4];

pub fn sides(bounds: &Aabb) -> Sides {
    let ([left, bottom], [right, top]) = (bounds.min().to_array(), bounds.max().to_array());
    [left, bottom, right, top]
}

pub struct Rstar(pub RTree<GeomWithData<Rectangle<[f32; 2]>, u32>>);

impl Index for Rstar {
    fn build(boxes: &[(Aabb, u32)]) -> Self {
        let entry = |&(bounds, id): &(Aabb, u32)| {
            let [min, max] = [bounds.min(), bounds.max()].map(|corner| corner.to_array());
            GeomWithData::new(Rectangle::from_corners(min, max), id)
        };
        Self(RTree::bulk_load(boxes.iter().map(entry).collect()))
    }

    fn meeting(&self, [left, bottom, right, top]: Sides, mut found: impl FnMut(u32)) {
        let envelope = AABB::from_corners([left, bottom], [right, top]);
        for entry in self.0.locate_in_envelope_intersecting(envelope) {
            found(entry.data);
        }
    }
}

pub struct StaticAabb2d {
    pub index: StaticAABB2DIndex<f32>,
    pub ids: Vec<u32>,
}

impl Index for StaticAabb2d {
    fn build(boxes: &[(Aabb, u32)]) -> Self {
        let mut builder = StaticAABB2DIndexBuilder::new(boxes.len());
        for (bounds, _) in boxes {
            let [left, bottom, right, top] = sides(bounds);
            builder.add(left, bottom, right, top);
        }
        let index = builder.build().expect("as many boxes were added as told");
        Self { index, ids: boxes.iter().map(|&(_, id)| id).collect() }
    }

    fn meeting(&self, [left, bottom, right, top]: Sides, mut found: impl FnMut(u32)) {
        self.index.visit_query(left, bottom, right, top, &mut |place: usize| {
            found(self.ids[place]);
            Control::<()>::Continue
        });
    }
}

pub struct GeoIndex {
    pub tree: Option<GeoTree<f32>>,
    pub ids: Vec<u32>,
}

impl Index for GeoIndex {
    fn build(boxes: &[(Aabb, u32)]) -> Self {
        let build = || {
            let mut builder = RTreeBuilder::new(boxes.len() as u32);
            for (bounds, _) in boxes {
                let [left, bottom, right, top] = sides(bounds);
                builder.add(left, bottom, right, top);
            }
            builder.finish::<HilbertSort>()
        };
        let tree = (!boxes.is_empty()).then(build); // it cannot be made of nothing
        Self { tree, ids: boxes.iter().map(|&(_, id)| id).collect() }
    }

    fn meeting(&self, [left, bottom, right, top]: Sides, mut found: impl FnMut(u32)) {
        for place in self.tree.iter().flat_map(|tree| tree.search(left, bottom, right, top)) {
            found(self.ids[place as usize]);
        }
    }
}

impl GeoIndex {
    pub fn nearest(&self, [x, y]: [f32; 2], count: usize) -> Vec<u32> {
        let tree = self.tree.as_ref().expect("there are boxes");
        tree.neighbors(x, y, Some(count), None)
    }
}

/// The crate `bvh`, which is designed for ray casts.
pub struct RayBvh {
    bvh: Bvh<f32, 2>,
    leaves: Vec<Leaf>,
}

struct Leaf {
    aabb: BvhAabb<f32, 2>,
    node: usize,
}

impl Bounded<f32, 2> for Leaf {
    fn aabb(&self) -> BvhAabb<f32, 2> {
        self.aabb
    }
}

impl BHShape<f32, 2> for Leaf {
    fn set_bh_node_index(&mut self, node: usize) {
        self.node = node;
    }

    fn bh_node_index(&self) -> usize {
        self.node
    }
}

impl RayBvh {
    pub fn new(boxes: &[(Aabb, u32)]) -> Self {
        let leaf = |(bounds, _): &(Aabb, u32)| {
            let [min, max] = [bounds.min(), bounds.max()].map(|it| it.to_array().into());
            Leaf { aabb: BvhAabb::with_bounds(min, max), node: 0 }
        };
        let mut leaves: Vec<Leaf> = boxes.iter().map(leaf).collect();
        Self { bvh: Bvh::build(&mut leaves), leaves }
    }

    pub fn ray(ray: &Ray) -> BvhRay<f32, 2> {
        BvhRay::new(ray.origin().to_array().into(), ray.direction().to_array().into())
    }

    /// Returns the distance of the first hit. Leaves are visited in the order of distance, without a limit.
    pub fn first(&self, ray: &BvhRay<f32, 2>, max: f32) -> Option<f32> {
        let leaf = self.bvh.nearest_traverse_iterator(ray, &self.leaves).next()?;
        let (enter, _) = ray.intersection_slice_for_aabb(&leaf.aabb)?;
        (enter <= max).then_some(enter)
    }
}
