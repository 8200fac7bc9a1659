//! Step 1: gather. Collects the colliders near a motion that can block the body, once, and builds their
//! configuration-space obstacles.

use core::ops::ControlFlow;

use smallvec::SmallVec;

use crate::broad::{Mobility, SweptAabb};
use crate::math::{DVec2, Pose, Vec2, cross, length, perp_cw, round_down, round_up};
use crate::motion::mover::cspace::{Foot, is_in_wedge, left_normal, part_points};
use crate::motion::mover::{Bodies, Mover, SKIN_ULPS, power_of_two};
use crate::shape::convex::Convex;
use crate::shape::parts::{Part, QueryRegion};
use crate::shape::{Aabb, AsShape, Shape, ShapeRef};
use crate::sheet::Role;
use crate::world::BodyKey;
use crate::world::move_buffers::{
    Bounds, CForm, CObstacle, ConvexPart, Front, Joint, MoveBuffers, Obstacle, ObstacleKind,
};
use crate::world::placed_shape::{InlineShape, PlacedShape};
use crate::world::storage::Storage;

/// A one-way edge: bodies on the left of the direction from `start` to `end` are stopped.
#[derive(Clone, Copy)]
struct OneWayEdge {
    start: DVec2,
    end: DVec2,
    normal: DVec2,
    radius: f64,
    obstacle: u32,
    /// For a one-way collider: the direction that it faces.
    up: Option<DVec2>,
}

type OneWayEdges = SmallVec<[OneWayEdge; 8]>;

/// An edge of a one-way collider counts as facing `up` if its normal rises by at least this much.
const LEAST_RISE: f64 = 1e-3;

/// The number of placed shapes that are kept for bodies with other shapes.
const MAX_SPARES: usize = 32;

impl MoveBuffers {
    /// Collects the convex parts of the body at a pose, relative to its position. Returns their bounds, and
    /// the body's shape if it is one axis-aligned box with an area.
    #[inline]
    pub(super) fn collect_body_parts(
        &mut self,
        storage: &Storage,
        pose: &Pose,
    ) -> (Option<Aabb>, Bounds) {
        self.body_parts.clear();
        self.points.clear();
        let single_box = self.as_single_box(storage, pose);
        let bounds = match &single_box {
            Some(local) => {
                let bounds = bounds_of(local);
                self.body_parts.push(box_part(bounds, 0));
                bounds
            }
            None => self.collect_placed_parts(storage, Pose { position: Vec2::ZERO, ..*pose }),
        };
        (single_box, bounds)
    }

    #[inline]
    fn as_single_box(&self, storage: &Storage, pose: &Pose) -> Option<Aabb> {
        #[cfg(test)]
        if self.is_general {
            return None;
        }
        let [slot] = self.colliders[..] else { return None };
        let record = storage.colliders.get_slot(slot)?;
        let local = record.local.as_box().filter(|_| pose.is_translation())?;
        has_area(local).then_some(*local)
    }

    fn collect_placed_parts(&mut self, storage: &Storage, pose: Pose) -> Bounds {
        let Self { colliders, body_parts, points, placed, spares, .. } = &mut *self;
        for (index, &slot) in colliders.iter().enumerate() {
            let Some(record) = storage.colliders.get_slot(slot) else { continue };
            if placed.len() <= index {
                placed.push(PlacedShape::default());
            }
            if !placed[index].can_hold(&record.local, &pose) {
                // Shapes that do not fit are kept for other bodies: they own memory.
                let spare = spares.iter().position(|spare| spare.can_hold(&record.local, &pose));
                let fitting = match spare {
                    Some(spare) => spares.swap_remove(spare),
                    None => PlacedShape::new(&record.local, &pose),
                };
                let old = core::mem::replace(&mut placed[index], fitting);
                if spares.len() < MAX_SPARES {
                    spares.push(old);
                }
            }
            placed[index].place_at(&record.local, &pose);
            placed[index].as_shape().for_each_part(&mut |part| {
                let mut own = add_part(points, &part.convex, index as u32);
                for edge in 0..own.len.min(32) {
                    if part.is_internal_edge(edge as usize) {
                        own.internal_edges |= 1 << edge;
                    }
                }
                body_parts.push(own);
            });
        }
        let all = body_parts.iter().map(|part| part.bounds).reduce(Bounds::union);
        #[cfg(test)]
        for own in 0..self.body_parts.len() {
            self.body_parts[own] = self.as_polygon(self.body_parts[own]);
        }
        all.unwrap_or(Bounds { min: DVec2::ZERO, max: DVec2::ZERO })
    }

    /// Returns a part as a polygon even if it is a box, for tests of the general path.
    #[cfg(test)]
    fn as_polygon(&mut self, part: ConvexPart) -> ConvexPart {
        if !self.is_general || !part.is_box() {
            return part;
        }
        let mut corners = [DVec2::ZERO; 4];
        part_points(&part, &[], &mut corners);
        add_points(&mut self.points, corners.into_iter(), part.radius, part.collider)
    }
}

impl Mover<'_> {
    /// Gathers all obstacles for a motion from the position, unless it is long and is gathered piece by piece.
    pub fn gather_motion(&mut self, motion: DVec2) {
        if !self.is_long(motion) {
            self.ensure_gathered(motion);
        }
    }

    /// Makes sure that all obstacles on a short motion from the position are known.
    #[inline]
    pub fn ensure_gathered(&mut self, motion: DVec2) {
        if !self.is_gathered(motion) {
            let p = self.at();
            let positions = Bounds { min: p, max: p }.swept(motion);
            self.gather_around(positions, self.margin(motion));
        }
    }

    /// Returns whether all obstacles on a motion from the position are known.
    #[inline]
    pub(super) fn is_gathered(&self, motion: DVec2) -> bool {
        let (from, to) = (self.at(), self.at() + motion);
        self.gathered.is_some_and(|known| known.is_within(from, 0.0) && known.is_within(to, 0.0))
    }

    /// Gathers all obstacles for positions of the body between `low` and `high`, relative to here.
    pub fn gather_between(&mut self, low: DVec2, high: DVec2) {
        let p = self.at();
        let positions = Bounds { min: p + low, max: p + high };
        self.gather_around(positions, self.margin(high - low));
    }

    /// The distance beyond the motion within which obstacles matter: stops, steps and skins stay within it.
    fn margin(&self, motion: DVec2) -> f64 {
        32.0 * self.contact_tolerance(self.at().abs() + motion.abs())
    }

    fn gather_around(&mut self, positions: Bounds, margin: f64) {
        let positions = positions.grown(margin);
        let region = to_aabb(&Bounds {
            min: positions.min + self.bounds.min,
            max: positions.max + self.bounds.max,
        });
        let mut found = core::mem::take(&mut self.buffers.found);
        found.clear();
        match self.bodies {
            Bodies::Only(body) => self.collect_of(body, &region, &mut found),
            _ => drop(self.broad.collect_intersecting(&region, &mut found)),
        }
        let corners = region.corners();
        self.build(found, &QueryRegion::of_corners(&corners), Some(&region));
        (self.gathered, self.is_path_gathered) = (Some(positions), false);
    }

    /// Gathers all obstacles along a piece of a long motion, which starts at an offset from here.
    pub(super) fn gather_path(&mut self, offset: DVec2, motion: DVec2) {
        let from = self.bounds.translated(self.at() + offset);
        let start = to_aabb(&from.grown(self.margin(offset + motion)));
        let mut found = core::mem::take(&mut self.buffers.found);
        found.clear();
        if let Bodies::Only(body) = self.bodies {
            let swept = to_aabb(&bounds_of(&start).swept(motion));
            self.collect_of(body, &swept, &mut found);
        } else {
            let path = SweptAabb::from_motion(&start, crate::math::to_vec2(motion));
            self.broad.visit_swept(&path, &mut |slot, _, _| {
                found.push(slot);
                path.end()
            });
        }
        let corners = start.corners();
        self.build(found, &QueryRegion::of_corners(&corners).swept(DVec2::ZERO, motion), None);
        (self.gathered, self.is_path_gathered) = (None, true);
    }

    /// Lists the colliders of a body near a region.
    fn collect_of(&self, body: BodyKey, region: &Aabb, found: &mut alloc::vec::Vec<u32>) {
        let slots = self.storage.colliders_of(body).map(|collider| collider.slot);
        found.extend(slots.filter(|&slot| {
            self.storage.mobility_of(slot).is_some()
                && self.storage.placed[slot as usize].bounds().intersects_aabb(region)
        }));
    }

    /// Builds the configuration-space obstacles of the colliders that were found.
    fn build(
        &mut self,
        mut found: alloc::vec::Vec<u32>,
        near: &QueryRegion<'_>,
        region: Option<&Aabb>,
    ) {
        let buffers = &mut *self.buffers;
        buffers.obstacles.clear();
        buffers.obstacle_parts.clear();
        buffers.points.truncate(self.own_points);
        buffers.cspace.clear();
        buffers.changes += 1;
        self.skin = SKIN_ULPS * power_of_two(self.ulp(self.at()));
        (self.has_one_way, self.has_flat) = (false, false);
        self.is_box_among_boxes = self.single_box.is_some();
        found.sort_unstable();
        found.dedup();
        let mut edges = OneWayEdges::new();
        for &slot in &found {
            if self.is_obstacle(slot) {
                self.add_obstacle(slot, near, region, &mut edges);
            }
        }
        if !edges.is_empty() {
            self.has_one_way = true;
            self.add_joints(&edges);
            self.update_fronts();
        }
        self.buffers.found = found;
    }

    /// Returns whether a collider can block the body.
    fn is_obstacle(&self, slot: u32) -> bool {
        let colliders = &self.buffers.colliders[..];
        let should_collide = match colliders {
            [first, ..] if self.is_uniform => self.should_collide(*first, slot),
            _ => colliders.iter().any(|&own| self.should_collide(own, slot)),
        };
        should_collide && self.concerns_body_of(slot) && self.filter.passes(self.storage, slot)
    }

    #[inline]
    fn concerns_body_of(&self, slot: u32) -> bool {
        let body = || self.storage.props[slot as usize].body;
        match self.bodies {
            Bodies::All => true,
            Bodies::Only(only) => only.slot == body(),
            Bodies::NotIn(bodies) => !bodies.contains(body()),
            Bodies::FixedAnd(moving) => {
                moving.slot == body() || self.storage.mobility_of(slot) != Some(Mobility::Moving)
            }
        }
    }

    /// Returns whether two colliders block each other.
    #[inline]
    pub fn should_collide(&self, own: u32, other: u32) -> bool {
        let [own, other] = [own, other].map(|slot| &self.storage.props[slot as usize]);
        other.role == Role::Solid
            && own.body != other.body
            && own.mask.intersects(other.layers)
            && other.mask.intersects(own.layers)
    }

    fn add_obstacle(
        &mut self,
        slot: u32,
        near: &QueryRegion<'_>,
        region: Option<&Aabb>,
        edges: &mut OneWayEdges,
    ) {
        let storage = self.storage;
        let placed = &storage.placed[slot as usize];
        let up = self.one_way_direction(slot);
        let shape = placed.as_shape();
        if up.is_none() {
            match placed {
                PlacedShape::Inline(InlineShape::Aabb(aabb)) if has_area(aabb) => {
                    return self.add_box(slot, *aabb);
                }
                PlacedShape::Other(shape) => {
                    if let (Shape::TileMap(map), Some(region)) = (&**shape, region)
                        && self.add_full_tiles(slot, map, region)
                    {
                        return;
                    }
                }
                _ => {}
            }
        }
        self.build_boxes();
        let kind = match shape {
            ShapeRef::Aabb(_) if up.is_none() => ObstacleKind::Box,
            _ if up.is_some() => ObstacleKind::OneWay,
            ShapeRef::Chain(chain) if chain.is_one_sided() => ObstacleKind::OneWay,
            _ if has_one_way_parts(shape) => ObstacleKind::PartlyOneWay,
            _ => ObstacleKind::Solid,
        };
        let obstacle = self.buffers.obstacles.len() as u32;
        self.buffers.obstacles.push(Obstacle { slot, bounds: placed.bounds(), kind });
        let _ = shape.visit_parts_in::<()>(near, &mut |part| {
            self.add_part_of(obstacle, &part, up, &near.bounds, edges);
            ControlFlow::Continue(())
        });
    }

    /// The direction that a one-way collider faces, in the world.
    fn one_way_direction(&self, slot: u32) -> Option<DVec2> {
        let up = self.storage.colliders.get_slot(slot)?.one_way()?;
        let pose = self.storage.body_of(slot).map_or(Pose::IDENTITY, |body| body.pose);
        crate::math::try_normalize(pose.rotation.rotate_f64(up.as_dvec2()))
    }

    /// Adds a box with an area.
    #[inline]
    fn add_box(&mut self, slot: u32, bounds: Aabb) {
        let obstacle = self.buffers.obstacles.len();
        self.buffers.obstacles.push(Obstacle { slot, bounds, kind: ObstacleKind::Box });
        if !self.is_box_among_boxes {
            self.add_convex(obstacle as u32, box_part(bounds_of(&bounds), 0));
        }
    }

    /// Leaves the fast path of a box among boxes: builds the differences that it does without. Their indices
    /// are those of the obstacles, so contacts stay valid.
    pub(super) fn build_boxes(&mut self) {
        if core::mem::take(&mut self.is_box_among_boxes) {
            for obstacle in 0..self.buffers.obstacles.len() {
                let bounds = bounds_of(&self.buffers.obstacles[obstacle].bounds);
                self.add_convex(obstacle as u32, box_part(bounds, 0));
            }
        }
    }

    /// Adds the full tiles near a box as boxes, those side by side as one. Returns `false` and adds
    /// nothing if there are other tiles near.
    fn add_full_tiles(&mut self, slot: u32, map: &crate::shape::TileMap, region: &Aabb) -> bool {
        let before = self.buffers.obstacles.len();
        let obstacles = &mut self.buffers.obstacles;
        let are_all_full = map.visit_full_tiles(region, &mut |tiles| {
            obstacles.push(Obstacle { slot, bounds: tiles, kind: ObstacleKind::Box });
        });
        if !are_all_full {
            self.buffers.obstacles.truncate(before);
        } else if !self.is_box_among_boxes {
            for obstacle in before..self.buffers.obstacles.len() {
                let bounds = bounds_of(&self.buffers.obstacles[obstacle].bounds);
                self.add_convex(obstacle as u32, box_part(bounds, 0));
            }
        }
        are_all_full
    }

    /// Adds a convex part of an obstacle: as a solid, or its edges that face the one-way direction.
    fn add_part_of(
        &mut self,
        obstacle: u32,
        part: &Part<'_>,
        up: Option<DVec2>,
        region: &Aabb,
        edges: &mut OneWayEdges,
    ) {
        let core = &part.convex;
        let radius = f64::from(core.radius);
        let wide = |point: Vec2| point.as_dvec2();
        if let Some(direction) = part.one_way_direction {
            let [a, b] = [wide(core.points[0]), wide(core.points[core.points.len() - 1])];
            let (start, end) =
                if (b - a).dot(direction.as_dvec2()) >= 0.0 { (a, b) } else { (b, a) };
            let Some(normal) = left_normal(end - start) else { return };
            let edge = OneWayEdge { start, end, normal, radius, obstacle, up: None };
            return self.add_front(edge, edges);
        }
        let Some(up) = up else {
            let bounds = Bounds::of_points_f32(core.points, radius);
            if !bounds.intersects(&bounds_of(region)) {
                return;
            }
            let part = add_part(&mut self.buffers.points, core, 0);
            return self.add_convex(obstacle, part);
        };
        if let [center] = *core.points {
            // A disc stops with all of its upper half.
            let [right, left] = facing_limits(up);
            return self.add_joint(obstacle, wide(center), radius, [right, left], None);
        }
        for (start, end) in core.edges() {
            // The outside of a counter-clockwise polygon is on the right of its edges.
            let (start, end) = (wide(end), wide(start));
            let Some(normal) = left_normal(end - start) else { continue };
            if normal.dot(up) > LEAST_RISE {
                let edge = OneWayEdge { start, end, normal, radius, obstacle, up: Some(up) };
                self.add_front(edge, edges);
            }
        }
    }

    /// Adds the front of a one-way edge.
    fn add_front(&mut self, edge: OneWayEdge, edges: &mut OneWayEdges) {
        edges.push(edge);
        let ends = [edge.start, edge.end];
        let buffers = &mut *self.buffers;
        let part = add_points(&mut buffers.points, ends.into_iter(), edge.radius, 0);
        let index = buffers.obstacle_parts.len() as u32;
        buffers.obstacle_parts.push(part);
        for own in 0..self.buffers.body_parts.len() {
            let body = self.buffers.body_parts[own];
            if !self.blocks(edge.obstacle, &body) {
                continue;
            }
            let foot = self.foot(&body, edge.normal);
            let is_end = |other: &ConvexPart| foot.is_end_of(&self.foot(other, edge.normal));
            let is_closed = foot.is_pointed() && !self.buffers.body_parts.iter().any(is_end);
            let front = Front::new(ends, edge.radius, &foot, edge.normal, is_closed);
            let fronts = &mut self.buffers.cspace.fronts;
            let form = CForm::Front(fronts.len() as u32);
            fronts.push(front);
            self.push(edge.obstacle, index, own, form, part.bounds.minus(&body.bounds));
        }
    }

    /// The foot of a part of the body for a surface with some normal.
    fn foot(&self, part: &ConvexPart, normal: DVec2) -> Foot {
        let mut corners = [DVec2::ZERO; 4];
        let points = part_points(part, &self.buffers.points, &mut corners);
        Foot::new(points, part.radius, normal)
    }

    /// Adds the vertices where one-way edges bend away from their fronts. A flat foot stands on such a
    /// vertex, not on the edges beside it.
    fn add_joints(&mut self, edges: &[OneWayEdge]) {
        for before in edges {
            let next = |after: &&OneWayEdge| after.start == before.end;
            for after in edges.iter().filter(next) {
                if cross(after.normal, before.normal) > 1e-9 {
                    let wedge = [after.normal, before.normal];
                    self.add_joint(before.obstacle, before.end, before.radius, wedge, None);
                    if after.obstacle != before.obstacle {
                        self.add_joint(after.obstacle, before.end, after.radius, wedge, None);
                    }
                }
            }
            // A free end holds a flat foot that is over it, and what comes down on it about as steeply as
            // a walker can stand. A rounded collider holds with all that faces up.
            let parallel = Some(before.normal);
            let [right, left] = match before.up {
                Some(up) if before.radius > 0.0 => facing_limits(up),
                _ => end_limits(before.normal),
            };
            if !edges.iter().any(|after| after.start == before.end) {
                self.add_joint(
                    before.obstacle,
                    before.end,
                    before.radius,
                    [right, before.normal],
                    parallel,
                );
            }
            if !edges.iter().any(|other| other.end == before.start) {
                self.add_joint(
                    before.obstacle,
                    before.start,
                    before.radius,
                    [before.normal, left],
                    parallel,
                );
            }
        }
    }

    /// Adds a vertex that stops with the normals of a wedge, but not with faces parallel to an edge: what
    /// is parallel to it stands on the edge itself.
    fn add_joint(
        &mut self,
        obstacle: u32,
        point: DVec2,
        radius: f64,
        wedge: [DVec2; 2],
        edge: Option<DVec2>,
    ) {
        self.has_one_way = true;
        let buffers = &mut *self.buffers;
        let part = add_points(&mut buffers.points, core::iter::once(point), radius, 0);
        let index = buffers.obstacle_parts.len() as u32;
        buffers.obstacle_parts.push(part);
        let mut corners = [DVec2::ZERO; 4];
        for own in 0..self.buffers.body_parts.len() {
            let body = self.buffers.body_parts[own];
            if !self.blocks(obstacle, &body) {
                continue;
            }
            let MoveBuffers { cspace, points, .. } = &mut *self.buffers;
            let points = part_points(&body, points, &mut corners);
            let mut convex = cspace.difference(&[point], points, radius + body.radius, 0.0);
            // Edges inside the body have no surface.
            let is_internal = |normal: DVec2| {
                (0..body.len.min(32)).any(|edge| {
                    let [start, end] = [edge, (edge + 1) % body.len].map(|i| points[i as usize]);
                    body.internal_edges & 1 << edge != 0
                        && cross(perp_cw(start - end), normal).abs() <= 1e-9 * length(start - end)
                        && normal.dot(perp_cw(start - end)) > 0.0
                })
            };
            // The distance from a rounded body needs all of its faces; the normal decides then.
            if convex.radius == 0.0 {
                cspace.retain_last_faces(&mut convex, |normal| {
                    let is_parallel = edge.is_some_and(|edge| cross(normal, edge).abs() <= 1e-9);
                    is_in_wedge(normal, wedge) && !is_parallel && !is_internal(normal)
                });
            }
            let form = CForm::Joint(cspace.joints.len() as u32);
            cspace.joints.push(Joint { convex, wedge, edge });
            self.push(obstacle, index, own, form, part.bounds.minus(&body.bounds));
        }
    }

    /// Adds a solid convex part of an obstacle.
    #[inline]
    fn add_convex(&mut self, obstacle: u32, part: ConvexPart) {
        #[cfg(test)]
        let part = self.buffers.as_polygon(part);
        let index = self.buffers.obstacle_parts.len() as u32;
        self.buffers.obstacle_parts.push(part);
        if self.single_box.is_some() && part.is_box() {
            let bounds = part.bounds.minus(&self.bounds);
            return self.push(obstacle, index, 0, CForm::Box, bounds);
        }
        for own in 0..self.buffers.body_parts.len() {
            let body = &self.buffers.body_parts[own];
            if !self.blocks(obstacle, body) {
                continue;
            }
            let mut bounds = part.bounds.minus(&body.bounds);
            let form = if part.is_box() && body.is_box() {
                CForm::Box
            } else {
                if is_flat(body) {
                    bounds = bounds.grown(self.skin);
                    self.has_flat = true;
                }
                self.buffers.cspace.has_unbuilt = true;
                CForm::Unbuilt
            };
            self.push(obstacle, index, own, form, bounds);
        }
    }

    /// Builds the differences of the obstacles whose bounds intersect a region of positions. Of a body or an
    /// obstacle with many parts, most are never needed.
    #[inline]
    pub(super) fn build_near(&mut self, region: &Bounds) {
        self.build_boxes();
        if self.buffers.cspace.has_unbuilt {
            self.build_differences(region);
        }
    }

    fn build_differences(&mut self, region: &Bounds) {
        let MoveBuffers { cspace, points, obstacle_parts, body_parts, .. } = &mut *self.buffers;
        let mut corners = [[DVec2::ZERO; 4]; 2];
        for index in 0..cspace.obstacles.len() {
            let CObstacle { form, bounds, part, body_part, .. } = cspace.obstacles[index];
            if matches!(form, CForm::Unbuilt) && bounds.intersects(region) {
                let [part_corners, body_corners] = &mut corners;
                let (part, body) =
                    (&obstacle_parts[part as usize], &body_parts[body_part as usize]);
                let body_points = part_points(body, points, body_corners);
                let part_points = part_points(part, points, part_corners);
                let skin = if is_flat(body) { self.skin } else { 0.0 };
                let radius = part.radius + body.radius;
                let convex = cspace.difference(part_points, body_points, radius, skin);
                cspace.obstacles[index].form = CForm::Convex(cspace.convexes.len() as u32);
                cspace.convexes.push(convex);
            }
        }
    }

    /// Returns whether an obstacle blocks the collider that a part of the body belongs to.
    #[inline]
    fn blocks(&self, obstacle: u32, body: &ConvexPart) -> bool {
        let own = self.buffers.colliders[body.collider as usize];
        self.is_uniform || self.should_collide(own, self.buffers.obstacles[obstacle as usize].slot)
    }

    #[inline]
    fn push(&mut self, obstacle: u32, part: u32, body_part: usize, form: CForm, bounds: Bounds) {
        self.buffers.cspace.obstacles.push(CObstacle {
            bounds,
            obstacle,
            part,
            body_part: body_part as u32,
            form,
            is_in_front: true,
        });
    }
}

/// Returns whether a body's part is a point or a line, whose differences get a skin.
fn is_flat(body: &ConvexPart) -> bool {
    body.radius == 0.0 && !body.is_box() && body.len < 3
}

impl Bounds {
    /// The bounds of the Minkowski difference.
    #[inline(always)]
    pub(super) fn minus(&self, other: &Self) -> Self {
        Self { min: self.min - other.max, max: self.max - other.min }
    }

    fn of_points_f32(points: &[Vec2], radius: f64) -> Self {
        let (mut min, mut max) = (points[0], points[0]);
        for &point in &points[1..] {
            (min, max) = (min.min(point), max.max(point));
        }
        Self { min: min.as_dvec2(), max: max.as_dvec2() }.grown(radius)
    }
}

/// The normals farthest to the right and to the left of `up` that still face it.
fn facing_limits(up: DVec2) -> [DVec2; 2] {
    let rise = up * 0.05;
    [rise + perp_cw(up), rise - perp_cw(up)]
        .map(|limit| crate::math::try_normalize(limit).unwrap_or(up))
}

/// The normals farthest to the right and to the left of an edge's normal that its free ends stop with: 46
/// degrees, the steepest slope that walkers stand on unless set.
fn end_limits(normal: DVec2) -> [DVec2; 2] {
    let (sin, cos) = (0.719_339_800_338_651, 0.694_658_370_458_997);
    [normal * cos + perp_cw(normal) * sin, normal * cos - perp_cw(normal) * sin]
}

fn has_area(aabb: &Aabb) -> bool {
    aabb.min().cmplt(aabb.max()).all()
}

pub(in crate::motion) fn bounds_of(aabb: &Aabb) -> Bounds {
    Bounds { min: aabb.min().as_dvec2(), max: aabb.max().as_dvec2() }
}

fn to_aabb(bounds: &Bounds) -> Aabb {
    let Bounds { min, max } = bounds;
    Aabb::new_unchecked(
        Vec2::new(round_down(min.x), round_down(min.y)),
        Vec2::new(round_up(max.x), round_up(max.y)),
    )
}

pub(super) fn box_part(bounds: Bounds, collider: u32) -> ConvexPart {
    ConvexPart { first: 0, len: 0, radius: 0.0, internal_edges: 0, bounds, collider }
}

/// Copies a convex part. An axis-aligned box is stored by its bounds alone.
fn add_part(points: &mut alloc::vec::Vec<DVec2>, core: &Convex<'_>, collider: u32) -> ConvexPart {
    if let [a, b, c, d] = *core.points
        && core.radius == 0.0
        && (a.y == b.y && b.x == c.x && c.y == d.y && d.x == a.x
            || a.x == b.x && b.y == c.y && c.x == d.x && d.y == a.y)
    {
        return box_part(Bounds::of_points_f32(core.points, 0.0), collider);
    }
    add_points(points, core.points.iter().map(|p| p.as_dvec2()), core.radius.into(), collider)
}

fn add_points(
    points: &mut alloc::vec::Vec<DVec2>,
    part: impl Iterator<Item = DVec2>,
    radius: f64,
    collider: u32,
) -> ConvexPart {
    let first = points.len();
    points.extend(part);
    let bounds = Bounds::of_points(&points[first..], radius);
    let len = (points.len() - first) as u32;
    ConvexPart { first: first as u32, len, radius, internal_edges: 0, bounds, collider }
}

/// Returns whether a shape has one-way parts of its own.
fn has_one_way_parts(shape: ShapeRef<'_>) -> bool {
    match shape {
        ShapeRef::TileMap(map) => map.kinds().iter().any(|kind| kind.is_one_way()),
        ShapeRef::Chain(chain) => chain.is_one_sided(),
        ShapeRef::Compound(compound) => {
            compound.parts().iter().any(|part| has_one_way_parts(part.as_shape()))
        }
        _ => false,
    }
}
