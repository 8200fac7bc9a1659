//! What a walker asks about the ground and the corners around it.

use crate::math::{DVec2, length, to_vec2};
use crate::motion::course::Course;
use crate::motion::front::span_of_box;
use crate::motion::meet::Meet;
use crate::query::Ray;
use crate::shape::{Aabb, AsShape, ShapeRef};

impl Course<'_> {
    /// How far a body has to go to one side to be past what it meets: of a tile map, past the tile.
    pub fn way_past(&self, meet: &Meet, side: DVec2) -> f64 {
        let own = self.shape_bounds(meet.own);
        let placed = &self.storage.placed[meet.slot() as usize];
        let other = match (placed.as_shape(), self.tile_of(meet)) {
            (ShapeRef::TileMap(map), Some(cell)) => Aabb::from_points(&map.cell_corners(cell)),
            _ => None,
        };
        let other = other.unwrap_or(meet.obstacle.bounds);
        span_of_box(&other, side).1 - span_of_box(&own, side).0
    }

    /// How high above the lowest point of a body something is met.
    pub fn height_of(&self, meet: &Meet, up: DVec2) -> f64 {
        meet.point.as_dvec2().dot(up) - span_of_box(&self.bounds(), up).0
    }

    /// The normal at the top of what is met, next to where it is met.
    pub fn top_of(&self, meet: &Meet, inwards: DVec2, up: DVec2) -> Option<DVec2> {
        let near = 0.01 * length(self.bounds().size().as_dvec2());
        let above = to_vec2(meet.point.as_dvec2() + (inwards + up) * near);
        let ray = Ray::try_new(above, to_vec2(-up), (1.5 * near) as f32).ok()?;
        let hit = self.storage.placed[meet.slot() as usize].as_shape().raycast(&ray)?;
        (hit.distance > 0.0).then(|| hit.normal.as_dvec2())
    }

    /// Goes down by next to nothing, through platforms only: then the body is in them, and passes.
    pub fn drop_through(&mut self, up: DVec2) {
        let down = to_vec2(self.position().as_dvec2() - up * (4.0 * self.skin()));
        // Fronts stop nothing that does not move.
        self.motion = DVec2::ZERO;
        if self.is_clear(down) {
            self.stand(down);
        }
    }
}
