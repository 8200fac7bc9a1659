//! The buffers that a move works in. They are plain data; the algorithms are in the motion module.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::ops::Deref;

use crate::math::{DVec2, Vec2};
use crate::shape::Aabb;
use crate::world::BodyKey;
use crate::world::bit_set::BitSet;
use crate::world::placed_shape::PlacedShape;

/// Scratch buffers reused between moves. Not part of the simulation state.
///
/// A [`World`](crate::world::World) keeps one for the calls that move bodies. The dry runs, which take
/// `&World`, allocate fresh buffers; [`World::plan_travel_in`](crate::world::World::plan_travel_in) and
/// [`World::plan_walk_in`](crate::world::World::plan_walk_in) take the caller's instead.
#[derive(Debug, Default)]
pub struct MoveBuffers {
    /// The slots of the body's solid colliders.
    pub(crate) colliders: Vec<u32>,
    /// The convex parts of those colliders, relative to the body's position.
    pub(crate) body_parts: Vec<ConvexPart>,
    /// The colliders placed at a candidate position.
    pub(crate) placed: Vec<PlacedShape>,
    /// Placed shapes of other kinds, kept for their memory.
    pub(crate) spares: Vec<PlacedShape>,
    /// The slots that the broad phase returned.
    pub(crate) found: Vec<u32>,
    pub(crate) obstacles: Vec<Obstacle>,
    pub(crate) obstacle_parts: Vec<ConvexPart>,
    /// The points of all convex parts, of the body and of the obstacles.
    pub(crate) points: Vec<DVec2>,
    pub(crate) cspace: CSpace,
    /// Lists of contacts that are not in use, some of them still valid.
    pub(crate) contacts: Vec<ContactList>,
    /// The number of changes, over all moves, to the set of colliders that block bodies. A list of contacts
    /// from before the last change is invalid.
    pub(crate) changes: u64,
    /// The half-planes that a stop has to keep clear of: unit normals and offsets.
    pub(crate) planes: Vec<(DVec2, f64)>,
    /// The slots of colliders that are passed through for the rest of the move.
    pub(crate) crossed: Vec<u32>,
    /// The slots of colliders that the body overlaps and cannot leave, and its depth in each.
    pub(crate) stuck_in: Vec<(u32, f64)>,
    /// The slots of bodies that have been pushed as far as they can be in this move.
    pub(crate) settled: Vec<u32>,
    /// The positions that a swept body has reached, without the first one.
    pub(crate) path: Vec<Vec2>,
    pub(crate) carry: CarryBuffers,
    /// Boxes are treated like other polygons, so that a test can compare both paths.
    #[cfg(test)]
    pub(crate) is_general: bool,
}

/// Buffers are not state: a clone starts with empty ones.
impl Clone for MoveBuffers {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// A convex part of a shape: a convex point set and a radius.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConvexPart {
    /// The first of its points in [`MoveBuffers::points`]. Empty for a box, which is its bounds.
    pub first: u32,
    pub len: u32,
    pub radius: f64,
    /// A bit for each of the first 32 edges that is internal to the shape: shared with another part.
    pub internal_edges: u32,
    /// The bounds, with the radius.
    pub bounds: Bounds,
    /// For a part of the body: the index of its collider in [`MoveBuffers::colliders`].
    pub collider: u32,
}

impl ConvexPart {
    pub fn is_box(&self) -> bool {
        self.len == 0
    }
}

/// An axis-aligned box in `f64`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub min: DVec2,
    pub max: DVec2,
}

/// A collider, or a box-shaped part of one, that may block the body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Obstacle {
    pub slot: u32,
    pub bounds: Aabb,
    pub kind: ObstacleKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ObstacleKind {
    /// A box: a collider, or some full tiles of a tile map.
    Box,
    /// A collider of any other shape.
    Solid,
    /// A collider of which some parts are one-way surfaces.
    PartlyOneWay,
    /// A collider all of which is a one-way surface.
    OneWay,
}

/// The configuration-space obstacles of a move.
///
/// A body that only translates is a point, its position, among the Minkowski differences
/// `O - B` of the convex parts O of its obstacles and its own convex parts B: the body overlaps the
/// obstacle where the point is inside the difference.
#[derive(Debug, Default)]
pub(crate) struct CSpace {
    pub obstacles: Vec<CObstacle>,
    pub convexes: Vec<CConvex>,
    pub fronts: Vec<Front>,
    pub joints: Vec<Joint>,
    pub faces: Vec<Face>,
    pub corners: Vec<DVec2>,
    /// `true` if some obstacles are [`CForm::Unbuilt`].
    pub has_unbuilt: bool,
}

/// The Minkowski difference of a convex part of an obstacle and one of the body.
///
/// Every step of a move tests the bounds of all obstacles first, so they are small; the rest is elsewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CObstacle {
    pub bounds: Bounds,
    /// The index in [`MoveBuffers::obstacles`].
    pub obstacle: u32,
    /// The index in [`MoveBuffers::obstacle_parts`].
    pub part: u32,
    /// The index in [`MoveBuffers::body_parts`].
    pub body_part: u32,
    pub form: CForm,
    /// `true` if this is a one-way surface and the body was in front of it at the last position that was kept.
    pub is_in_front: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum CForm {
    /// The difference of two boxes: a box, which is equal to the bounds.
    Box,
    /// A difference that has not been needed yet: the body has not come near the bounds.
    Unbuilt,
    /// A convex polygon, segment or point, rounded by a radius: an index in [`CSpace::convexes`].
    Convex(u32),
    /// The front of a one-way edge, a segment that blocks motion against its normal: an index in
    /// [`CSpace::fronts`].
    Front(u32),
    /// A convex vertex between two one-way edges: an index in [`CSpace::joints`].
    Joint(u32),
}

/// A convex vertex between two one-way edges. It blocks with the normals of a wedge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Joint {
    /// All of the difference if it is round, so that the nearest point of it is known; else only the faces
    /// with which the joint blocks.
    pub convex: CConvex,
    pub wedge: [DVec2; 2],
    /// The normal of the edge that ends here. A body with a parallel edge stands on the edge, not on its end.
    pub edge: Option<DVec2>,
}

/// The boundary of a rounded convex polygon, as ranges in [`CSpace`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct CConvex {
    pub first_face: u32,
    pub faces: u32,
    pub first_corner: u32,
    pub corners: u32,
    pub radius: f64,
    /// The least distance between two parallel supporting lines.
    pub width: f64,
    /// The part of the radius that keeps points and lines out of the cracks between flush obstacles; zero if
    /// the body's part has area.
    pub skin: f64,
}

/// An edge of a polygon in configuration space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    pub normal: DVec2,
    /// The distance of the edge's line from the origin along the normal.
    pub offset: f64,
    pub start: DVec2,
    pub direction: DVec2,
    pub length: f64,
}

/// The front of a one-way edge in configuration space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Front {
    pub normal: DVec2,
    pub offset: f64,
    /// The start and the end of the front along the normal turned left.
    pub from: f64,
    pub to: f64,
    /// `true` if the ends belong to the front, because the body stands on a vertex or a round part.
    pub is_closed: bool,
}

/// The contacts at a position.
#[derive(Debug, Default)]
pub(crate) struct ContactList {
    pub contacts: Vec<Contact>,
    pub position: Vec2,
    /// The value of [`MoveBuffers::changes`] that the list is valid for.
    pub changes: u64,
}

impl Deref for ContactList {
    type Target = [Contact];

    fn deref(&self) -> &[Contact] {
        &self.contacts
    }
}

/// A configuration-space obstacle that a position touches, and the directions that it blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contact {
    /// The index in [`CSpace::obstacles`].
    pub index: u32,
    /// The slot of the collider.
    pub slot: u32,
    pub arc: Arc,
    /// The normals of the faces that are touched, clockwise end first; the same twice for one face.
    pub normals: [DVec2; 2],
}

/// The open arc of directions from `from` counterclockwise to `to`, at most a half circle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Arc {
    pub from: DVec2,
    pub to: DVec2,
}

/// The bodies that a platform moves.
#[derive(Debug, Default)]
pub(crate) struct CarryBuffers {
    /// The pushed bodies, each once, and after the body that moves it.
    pub pushed: Vec<PushedBody>,
    /// The bodies that have been found, but perhaps not with their longest push.
    pub open: BinaryHeap<PushedBody>,
    /// The bodies near a path.
    pub near: Vec<BodyKey>,
    /// The slots of the pushed bodies.
    pub members: BitSet,
    /// For each body slot, the index in `pushed` if it is a member.
    pub index_of: Vec<u32>,
    /// The slots of bodies that are no obstacles at present.
    pub ignored: BitSet,
    /// Pairs of indices: moving the first body enters the second one. Sorted.
    pub presses: Vec<[u32; 2]>,
    /// The indices of the pushed bodies, those that are pressed on before the ones that press.
    pub order: Vec<u32>,
    /// The depth-first search through `presses`: an index in `pushed`, and one in `presses`.
    pub stack: Vec<[u32; 2]>,
    /// The bodies that one step of the platform has moved, each once, as it was found first.
    pub all: Vec<PushedBody>,
    /// The slots of the bodies in `all`.
    pub known: BitSet,
    /// The slots of the bodies that have gone with the platform, by the same displacement.
    pub together: BitSet,
    /// The slots of the bodies that have been reported as moved and as squashed.
    pub reported: [BitSet; 2],
}

/// A body that a platform carries or pushes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PushedBody {
    pub body: BodyKey,
    /// The body that carries or pushes this one.
    pub pusher: BodyKey,
    /// The position before the move.
    pub from: Vec2,
    /// The motion that it should make.
    pub motion: DVec2,
    /// The part of the motion with which it pushes others.
    pub push: DVec2,
    /// The direction out of the pusher, towards the body; not a unit vector.
    pub normal: DVec2,
    pub is_rider: bool,
    /// The number of bodies between this one and the platform.
    pub depth: u32,
    /// The squared length of the motion, its length along the motion of the platform, and the position of the body
    /// along that motion and across it.
    pub rank: [f64; 4],
    /// `true` if it presses on something that does not move with it.
    pub is_obstructed: bool,
    /// `true` if it overlaps something from the start.
    pub is_embedded: bool,
    pub progress: PushProgress,
}

/// The progress of a pushed body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PushProgress {
    Waiting,
    /// The body waits for the bodies that it presses on.
    Listed,
    /// The body has moved with the others, by the same displacement.
    Together,
    /// The body has moved on its own.
    Moved,
    /// The body has moved less than it should.
    Stopped,
}
