//! Step 4: stop. Finds the free position nearest to the point that a cast leads to.
//!
//! Positions are `f32` and obstacles are not aligned with them, so the point of contact is seldom
//! representable. A position counts as free by the exact `overlaps` of the placed shapes.

use core::ops::ControlFlow;

use smallvec::SmallVec;

use crate::math::{DVec2, Pose, Vec2, cross, length, to_vec2};
use crate::motion::mover::cspace::{BOX_NORMALS, SignedDistance, box_sides};
use crate::motion::mover::gather::bounds_of;
use crate::motion::mover::{Mover, SKIN_ULPS};
use crate::query::composite::ConvexParts;
use crate::query::overlap::composites_overlap;
use crate::shape::parts::{Part, QueryRegion};
use crate::shape::{Aabb, AsShape, ShapeRef, Transform};
use crate::world::move_buffers::{Bounds, CForm, CObstacle, MoveBuffers, Obstacle, ObstacleKind};

/// The margins to the surfaces around a stop that are tried in turn, in units in the last place. The
/// first margin keeps the body flush where that is representable.
const MARGINS: [f64; 11] = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0];

/// A stop is no farther from the point of contact than the path is long, or than this many units in the last
/// place.
const FAR: f64 = 32.0;

/// A position behind a one-way surface by less than this many tolerances is not free. Farther behind,
/// the body has passed beside the surface, or the cast would have stopped it.
const BAND: f64 = 4.0;

/// A piece of the boundary of a configuration-space obstacle, without its ends.
#[derive(Clone, Copy, Debug)]
pub(in crate::motion) enum Surface {
    /// A face: a unit normal, and the distance from the origin along it.
    Line { normal: DVec2, offset: f64 },
    /// The part around a corner.
    Circle { center: DVec2, radius: f64 },
}

/// The maximum number of times that a body is pushed out of the obstacle it is deepest in.
const MAX_PUSHES: usize = 16;

/// The maximum number of times that a body is lifted onto the one-way surface it is deepest behind.
const MAX_LIFTS: usize = 64;

impl Mover<'_> {
    /// Returns whether the body may be at a position. Every position that is kept has passed this test.
    ///
    /// The body must overlap nothing there, or nothing deeper than it did at the start if it could not
    /// be pushed out, and must not have sunk into a one-way surface that it was in front of.
    #[inline]
    pub fn is_free(&mut self, position: Vec2) -> bool {
        self.is_clear_of_solids(position)
            && (!self.has_thin() || !self.is_in_thin(position.as_dvec2()))
    }

    /// Returns whether the body overlaps no solid at a position, or none deeper than it did at the start.
    pub fn is_clear_of_solids(&mut self, position: Vec2) -> bool {
        let at = position.as_dvec2();
        if !self.is_gathered_at(at) {
            let offset = at - self.at();
            self.gather_between(offset.min(DVec2::ZERO), offset.max(DVec2::ZERO));
        }
        match self.single_box {
            Some(local) if self.buffers.crossed.is_empty() && self.buffers.stuck_in.is_empty() => {
                // The fast path: one box, mostly among boxes.
                let own = local.apply_translation(position);
                let overlaps = |obstacle: &Obstacle| {
                    obstacle.bounds.overlaps_aabb(&own)
                        && (obstacle.kind == ObstacleKind::Box
                            || self.overlaps(&own.as_shape(), obstacle))
                };
                !self.buffers.obstacles.iter().any(overlaps)
            }
            _ => self.is_clear_as_placed(position),
        }
    }

    fn is_gathered_at(&self, at: DVec2) -> bool {
        let point = Bounds { min: at, max: at };
        self.is_path_gathered || self.gathered.is_some_and(|known| known.contains(&point))
    }

    fn is_clear_as_placed(&mut self, position: Vec2) -> bool {
        let at = position.as_dvec2();
        let bounds = self.bounds.translated(at).grown(self.ulp(at));
        let mut is_placed = false;
        for index in 0..self.buffers.obstacles.len() {
            let obstacle = self.buffers.obstacles[index];
            if obstacle.kind == ObstacleKind::OneWay
                || !bounds.intersects(&bounds_of(&obstacle.bounds))
                || self.is_crossed(obstacle.slot)
            {
                continue;
            }
            if let Some(depth) = self.initial_depth(obstacle.slot) {
                if self.depth_in(obstacle.slot, at) > depth {
                    return false;
                }
                continue;
            }
            if !is_placed {
                self.place_at(position);
                is_placed = true;
            }
            let MoveBuffers { colliders, placed, .. } = &*self.buffers;
            let mut own = colliders.iter().zip(placed);
            if own.any(|(&own, shape)| {
                (self.is_uniform || self.should_collide(own, obstacle.slot))
                    && self.overlaps(&shape.as_shape(), &obstacle)
            }) {
                return false;
            }
        }
        true
    }

    /// Places the body's colliders at a position.
    fn place_at(&mut self, position: Vec2) {
        let pose = Pose { position, ..self.pose };
        let MoveBuffers { colliders, placed, .. } = &mut *self.buffers;
        if placed.len() < colliders.len() {
            placed.resize_with(colliders.len(), Default::default);
        }
        for (placed, &slot) in placed.iter_mut().zip(&*colliders) {
            if let Some(record) = self.storage.colliders.get_slot(slot) {
                placed.place_at(&record.local, &pose);
            }
        }
    }

    /// Returns whether a shape overlaps the solid parts of an obstacle.
    fn overlaps(&self, shape: &ShapeRef<'_>, obstacle: &Obstacle) -> bool {
        let other = &self.storage.placed[obstacle.slot as usize];
        match obstacle.kind {
            ObstacleKind::Box => shape.overlaps(&obstacle.bounds),
            ObstacleKind::Solid => shape.overlaps(other),
            ObstacleKind::PartlyOneWay => composites_overlap(shape, &SolidParts(other.as_shape())),
            ObstacleKind::OneWay => false,
        }
    }

    #[inline]
    fn has_thin(&self) -> bool {
        self.has_one_way || self.has_flat
    }

    /// The skin of the points and lines around, if there are any. It has the size of the coordinates where it was
    /// made, which may be much larger than those at the end of a motion towards the origin.
    fn kept_skin(&self) -> f64 {
        if self.has_flat { self.skin } else { 0.0 }
    }

    /// Returns whether a position is just behind a one-way surface that the body was in front of, or
    /// within the skin that points and lines keep from each other.
    fn is_in_thin(&mut self, at: DVec2) -> bool {
        self.has_flat && self.is_in_skin(at, 0.0) || self.has_one_way && self.is_just_behind(at)
    }

    /// Returns whether a position is in the skin of a point or line by more than a depth.
    fn is_in_skin(&mut self, at: DVec2, depth: f64) -> bool {
        self.build_near(&Bounds { min: at, max: at });
        let cspace = &self.buffers.cspace;
        cspace.obstacles.iter().any(|c| match c.form {
            CForm::Convex(index) if cspace.convexes[index as usize].skin > 0.0 => {
                c.bounds.is_within(at, 0.0)
                    && !self.is_crossed(self.slot_of(c))
                    && self.initial_depth(self.slot_of(c)).is_none()
                    && cspace.distance(c, at).distance < -depth
            }
            _ => false,
        })
    }

    /// Returns whether a position is just behind a one-way surface that the body was in front of.
    fn is_just_behind(&mut self, at: DVec2) -> bool {
        let tolerance = self.contact_tolerance(at);
        let cspace = &self.buffers.cspace;
        let mut fronts = cspace.obstacles.iter().filter(|c| c.is_one_way());
        fronts.any(|c| {
            c.bounds.is_within(at, BAND * tolerance)
                && !self.is_ignored(c)
                && cspace
                    .height_over(c, at, tolerance)
                    .is_some_and(|height| height < 0.0 && height > -BAND * tolerance)
        })
    }

    /// Moves a point or line that slides along a surface out of the skins that contain its position. A game may
    /// have placed it there, or the skins may have grown with the coordinates. Flush obstacles would block it at
    /// their seams otherwise. Returns `true` if it has moved.
    pub fn leave_skins(&mut self, motion: DVec2) -> bool {
        if !self.is_in_skin(self.at(), self.tolerance()) {
            return false;
        }
        let contacts = self.contacts();
        let slides = contacts.iter().any(|contact| contact.is_along(motion));
        self.recycle(contacts);
        let position = if slides { self.nearest_free(self.at(), &MARGINS) } else { None };
        position.inspect(|&position| self.keep(position)).is_some()
    }

    /// Lets the body stay in what it overlaps here: it may leave, but not enter deeper.
    pub fn accept_overlaps(&mut self) {
        let at = self.at();
        let known = self.buffers.stuck_in.len();
        // Only what truly overlaps: what the body merely touches must not be entered at all.
        for slot in self.overlapped() {
            if !self.is_crossed(slot) && self.initial_depth(slot).is_none() {
                self.buffers.stuck_in.push((slot, 0.0));
            }
        }
        self.build_near(&Bounds { min: at, max: at });
        let MoveBuffers { cspace, obstacles, stuck_in, .. } = &mut *self.buffers;
        let solids = cspace.obstacles.iter().filter(|c| !c.is_one_way());
        for c in solids.filter(|c| c.bounds.is_within(at, 0.0)) {
            let slot = obstacles[c.obstacle as usize].slot;
            if let Some((_, depth)) = stuck_in[known..].iter_mut().find(|it| it.0 == slot) {
                *depth = depth.max(-cspace.distance(c, at).distance);
            }
        }
    }

    /// The depth of the body in a collider at the start, if it could not be pushed out.
    fn initial_depth(&self, slot: u32) -> Option<f64> {
        let mut all = self.buffers.stuck_in.iter();
        all.find(|(stuck, _)| *stuck == slot).map(|&(_, depth)| depth)
    }

    /// Returns the depth of a position in a collider.
    pub fn depth_in(&mut self, slot: u32, at: DVec2) -> f64 {
        self.deepest_at(at, |own| own == slot)
    }

    /// Returns the depth of a position in the deepest of some colliders.
    pub fn deepest_at(&mut self, at: DVec2, counts: impl Fn(u32) -> bool) -> f64 {
        self.build_near(&Bounds { min: at, max: at });
        let cspace = &self.buffers.cspace;
        let counts = |c: &&CObstacle| {
            c.bounds.is_within(at, 0.0) && !c.is_one_way() && counts(self.slot_of(c))
        };
        let depths =
            cspace.obstacles.iter().filter(counts).map(|c| -cspace.distance(c, at).distance);
        depths.fold(0.0, f64::max)
    }

    /// Returns the free position for a motion from here that leads to a target: a few units in the last
    /// place from it, or as far along the path as is free.
    #[inline]
    pub(in crate::motion) fn stop(&mut self, target: DVec2) -> Vec2 {
        let rounded = to_vec2(target);
        if self.is_free(rounded) {
            return rounded; // mostly
        }
        self.free_on_path(target, target, &MARGINS).unwrap_or_else(|| self.back_off(target))
    }

    /// Returns the closest free position to a point of the path to a target. In a flat wedge, where both surfaces
    /// cross far away, even behind the body, there is none.
    fn free_on_path(&mut self, point: DVec2, target: DVec2, margins: &[f64]) -> Option<Vec2> {
        let path = length(target - self.at());
        let reach = path.max(FAR * self.ulp(target)).max(2.0 * self.kept_skin());
        let position = self.nearest_free(point, margins)?;
        (length(position.as_dvec2() - target) <= reach).then_some(position)
    }

    /// Returns the closest representable position to a target that is free: the target itself, or else the
    /// closest point outside the half-planes of all surfaces nearby.
    pub fn nearest_free(&mut self, target: DVec2, margins: &[f64]) -> Option<Vec2> {
        let rounded = to_vec2(target);
        if self.is_free(rounded) {
            return Some(rounded);
        }
        let mut planes = core::mem::take(&mut self.buffers.planes);
        self.collect_planes(target, &mut planes);
        let ulp = self.ulp(target).max(self.kept_skin() / SKIN_ULPS);
        let position = margins.iter().find_map(|margin| {
            let position = to_vec2(closest_outside(target, &planes, margin * ulp)?);
            self.is_free(position).then_some(position)
        });
        self.buffers.planes = planes;
        position
    }

    /// Collects the surfaces near a position, as half-planes.
    fn collect_planes(&mut self, p: DVec2, planes: &mut alloc::vec::Vec<(DVec2, f64)>) {
        planes.clear();
        let tolerance = self.contact_tolerance(p);
        let near = (BAND * tolerance).max(2.0 * self.kept_skin());
        self.build_near(&Bounds { min: p, max: p }.grown(near));
        let (cspace, motion) = (&self.buffers.cspace, p - self.at());
        let mut all: SmallVec<[(&CObstacle, (DVec2, f64)); 8]> = SmallVec::new();
        for c in &cspace.obstacles {
            if c.bounds.is_within(p, near)
                && !self.is_ignored(c)
                && (!c.is_one_way() || cspace.height_over(c, p, tolerance).is_some())
                && cspace.distance(c, p).distance.abs() < near
            {
                all.push((c, cspace.nearest_plane(c, p, motion)));
            }
        }
        // A vertex on a flush surface adds nothing: all of its obstacle is behind that surface. Tiles in
        // a row are one obstacle, in a column several, and must stop a body at the same position.
        let is_behind = |i: usize, j: usize| {
            let (normal, offset) = all[j].1;
            cspace.highest(all[i].0, normal) <= offset + 1e-12 * offset.abs()
        };
        for (i, (_, plane)) in all.iter().enumerate() {
            let is_covered = (0..all.len()).any(|j| i != j && is_behind(i, j) && !is_behind(j, i));
            if !is_covered && !planes.contains(plane) {
                planes.push(*plane);
            }
        }
    }

    /// Collects the surfaces of all solid obstacles within a distance.
    pub fn collect_surfaces(&mut self, distance: f64, surfaces: &mut SmallVec<[Surface; 32]>) {
        let p = self.at();
        self.build_near(&Bounds { min: p, max: p }.grown(distance));
        let cspace = &self.buffers.cspace;
        for c in cspace.obstacles.iter().filter(|c| !c.is_one_way() && !self.is_ignored(c)) {
            if !c.bounds.is_within(p, distance) {
                continue;
            }
            let line = |normal: DVec2, offset: f64| Surface::Line { normal, offset };
            if let CForm::Convex(index) = c.form {
                let convex = &cspace.convexes[index as usize];
                let radius = convex.radius;
                let faces = cspace.faces(convex).iter();
                surfaces.extend(faces.map(|face| line(face.normal, face.offset + radius)));
                if radius > 0.0 {
                    let corners = cspace.corners(convex).iter();
                    surfaces.extend(corners.map(|&center| Surface::Circle { center, radius }));
                }
            } else {
                let Bounds { min, max } = c.bounds;
                surfaces.extend([line(DVec2::X, max.x), line(DVec2::Y, max.y)]);
                surfaces.extend([line(DVec2::NEG_X, -min.x), line(DVec2::NEG_Y, -min.y)]);
            }
        }
    }

    /// Goes back along the path until a position is free, if necessary to the start of the motion.
    fn back_off(&mut self, target: DVec2) -> Vec2 {
        let path = target - self.at();
        let long = length(path);
        let mut back = 0.5 * self.ulp(target);
        while back < long {
            let at = target - path * (back / long);
            if let Some(position) = self.free_on_path(at, target, &MARGINS[..5]) {
                return position;
            }
            back *= 2.0;
        }
        self.position()
    }

    /// Pushes the body out of what it overlaps at the start, by no more than its own size.
    #[cold]
    pub fn depenetrate(&mut self) {
        self.depenetrate_within(self.size);
    }

    /// Pushes the body out of what it overlaps, by no more than a distance. If there is no free position, it
    /// is stuck: what it overlaps stays an obstacle, which it may leave but not enter deeper.
    #[cold]
    pub fn depenetrate_within(&mut self, reach: f64) {
        let mut planes = core::mem::take(&mut self.buffers.planes);
        let target = self.push_out(reach, &mut planes);
        self.buffers.planes = planes;
        if let Some(target) = target
            && let Some(position) = self.nearest_free(target, &MARGINS)
            // In a flat wedge, both surfaces cross far away.
            && length(position.as_dvec2() - self.at()) <= reach.max(FAR * self.ulp(target))
        {
            return self.keep(position);
        }
        self.is_stuck = true;
        self.accept_overlaps();
    }

    /// Returns a position outside all solids, no farther away than a distance, if pushes lead to one.
    ///
    /// 1. Find the obstacle that the position is deepest in, and the plane of the surface that is nearest.
    /// 2. Go to the point outside the planes of all pushes so far that is closest to the start. An obstacle is
    ///    convex and so behind its plane: the body never enters it again, so two obstacles do not push the body
    ///    back and forth.
    /// 3. If the planes leave no room, keep only the last ones, and continue from the current position: once from
    ///    each position, since the search would repeat itself otherwise.
    fn push_out(
        &mut self,
        reach: f64,
        planes: &mut alloc::vec::Vec<(DVec2, f64)>,
    ) -> Option<DVec2> {
        planes.clear();
        let here = self.at();
        let (mut start, mut at) = (here, here);
        let mut starts: SmallVec<[DVec2; MAX_PUSHES]> = SmallVec::new();
        for _ in 0..MAX_PUSHES {
            if !self.is_gathered(at - here) {
                let offset = at - here;
                self.gather_between(offset.min(DVec2::ZERO), offset.max(DVec2::ZERO));
            }
            let least = 1e-4 * self.ulp(at);
            let known = planes.len();
            if self.deepest_planes(at, planes) >= -least {
                return Some(at);
            }
            at = closest_outside(start, planes, least).or_else(|| {
                planes.drain(..known);
                start = at;
                let is_repeated = starts.contains(&start);
                starts.push(start);
                if is_repeated { None } else { closest_outside(start, planes, least) }
            })?;
            if length(at - here) > reach {
                break;
            }
        }
        None
    }

    /// Appends the nearest surface of the solid that a position is deepest in, and of equally deep ones, to a
    /// list of planes. Returns the signed distance from these surfaces; infinity if there are none.
    fn deepest_planes(&mut self, at: DVec2, planes: &mut alloc::vec::Vec<(DVec2, f64)>) -> f64 {
        self.build_near(&Bounds { min: at, max: at });
        let cspace = &self.buffers.cspace;
        let solids = cspace
            .obstacles
            .iter()
            .filter(|c| !c.is_one_way() && c.bounds.is_within(at, 0.0) && !self.is_ignored(c));
        let (mut deepest, known) = (f64::INFINITY, planes.len());
        let rounding = self.contact_tolerance(at);
        for c in solids {
            let SignedDistance { distance, normal, .. } = cspace.distance(c, at);
            if distance < deepest {
                deepest = distance;
                planes.truncate(known);
            }
            if distance > deepest {
                continue;
            }
            // In the last bits, two sides of a box are often equally near. Neither comes first.
            let is_box = matches!(c.form, CForm::Box) && distance >= -rounding;
            let sides = is_box.then(|| box_sides(&c.bounds, at).into_iter().zip(BOX_NORMALS));
            let equal = sides
                .into_iter()
                .flatten()
                .filter(|&(height, side)| height == distance && side.dot(normal) == 0.0);
            for normal in equal.map(|(_, side)| side).chain([normal]) {
                let plane = (normal, normal.dot(at) - distance);
                if !planes[known..].contains(&plane) {
                    planes.push(plane);
                }
            }
        }
        deepest
    }

    /// Moves a body that stood on a one-way surface in front of it again, after the surface has turned into
    /// the body by no more than a distance.
    pub fn lift_onto_fronts(&mut self, distance: f64) {
        self.ensure_gathered(DVec2::ZERO);
        let mut at = self.at();
        for _ in 0..MAX_LIFTS {
            let tolerance = self.contact_tolerance(at);
            let cspace = &self.buffers.cspace;
            let fronts = cspace.obstacles.iter().filter(|c| c.is_one_way());
            let heights = fronts.filter_map(|c| {
                let height = cspace.height_over(c, at, tolerance)?;
                (height < 0.0 && height > -distance)
                    .then_some((height, cspace.distance(c, at).normal))
            });
            let Some((height, normal)) = heights.min_by(|a, b| a.0.total_cmp(&b.0)) else { break };
            at -= normal * height;
        }
        let position = to_vec2(at);
        if position != self.position() && self.is_clear_of_solids(position) {
            self.keep(position);
        }
    }

    /// Returns the depth of the body in the obstacle that it is deepest in.
    pub fn deepest_overlap(&mut self) -> f64 {
        self.deepest_at(self.at(), |_| true)
    }

    /// The slots of the obstacles that the body overlaps where it is, each once.
    pub fn overlapped(&mut self) -> SmallVec<[u32; 4]> {
        let position = self.position();
        self.ensure_gathered(DVec2::ZERO);
        self.place_at(position);
        let mut slots = SmallVec::new();
        let MoveBuffers { colliders, placed, obstacles, .. } = &*self.buffers;
        for obstacle in obstacles {
            let mut own = colliders.iter().zip(placed);
            let overlaps = own.any(|(&own, shape)| {
                self.should_collide(own, obstacle.slot)
                    && self.overlaps(&shape.as_shape(), obstacle)
            });
            if overlaps && !slots.contains(&obstacle.slot) {
                slots.push(obstacle.slot);
            }
        }
        slots
    }

    /// Returns the contact of the body with a collider that it overlaps: the deepest of its colliders'.
    pub fn deepest_contact(&self, slot: u32) -> Option<(u32, crate::query::Contact)> {
        let other = &self.storage.placed[slot as usize];
        let MoveBuffers { colliders, placed, .. } = &*self.buffers;
        let contacts = colliders.iter().zip(placed).filter_map(|(&own, shape)| {
            let contact = shape.as_shape().contact(other).filter(|contact| contact.depth > 0.0)?;
            self.should_collide(own, slot).then_some((own, contact))
        });
        contacts.reduce(|a, b| if b.1.depth > a.1.depth { b } else { a })
    }
}

/// Returns the closest point to `p` that is in front of all planes by a margin: `p` itself, a point on one
/// plane, or one where two planes cross.
fn closest_outside(p: DVec2, planes: &[(DVec2, f64)], margin: f64) -> Option<DVec2> {
    let is_outside = |q: DVec2| {
        planes.iter().all(|(normal, offset)| {
            normal.dot(q) >= offset + margin - 1e-3 * margin - 1e-12 * offset.abs()
        })
    };
    if is_outside(p) {
        return Some(p);
    }
    let mut best: Option<(f64, DVec2)> = None;
    let mut consider = |q: DVec2| {
        let distance = (q - p).dot(q - p);
        if best.is_none_or(|best| distance < best.0) && is_outside(q) {
            best = Some((distance, q));
        }
    };
    for (i, (normal, offset)) in planes.iter().enumerate() {
        let gap = offset + margin - normal.dot(p);
        consider(p + *normal * gap);
        for (other, other_offset) in &planes[..i] {
            let determinant = cross(*normal, *other);
            if determinant.abs() < 1e-6 {
                continue;
            }
            let other_gap = other_offset + margin - other.dot(p);
            let x = (gap * other.y - other_gap * normal.y) / determinant;
            let y = (other_gap * normal.x - gap * other.x) / determinant;
            consider(p + DVec2::new(x, y));
        }
    }
    best.map(|(_, point)| point)
}

/// A shape without its one-way parts.
struct SolidParts<'a>(ShapeRef<'a>);

impl ConvexParts for SolidParts<'_> {
    fn bounds(&self) -> Aabb {
        self.0.bounds()
    }

    fn visit_parts_in(
        &self,
        region: &QueryRegion<'_>,
        visit: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.0.visit_parts_in(region, &mut |part| match part.one_way_direction {
            None => visit(part),
            Some(_) => ControlFlow::Continue(()),
        })
    }

    fn cell_size(&self) -> Option<f64> {
        self.0.cell_size()
    }

    fn may_have_zero_area_parts(&self) -> bool {
        self.0.may_have_zero_area_parts()
    }

    fn may_have_area(&self) -> bool {
        self.0.may_have_area()
    }
}
