//! Step 3b of an update: adds the pairs of bodies and their supports.
//!
//! Positions are `f32`, so on most slopes no position touches exactly: the closest free one is a few units
//! in the last place above the surface. A body that [stands on](crate::world::World::support) another one
//! within that distance nevertheless counts as touching it. Otherwise the pair would begin and end from frame
//! to frame.

use core::ops::ControlFlow;

use super::Scratch;
use super::contact_pairs::ContactPair;
use crate::broad::{BroadPhase, Mobility};
use crate::math::{DVec2, Vec2, round_down, round_up};
use crate::query::{Contact, ContactPoints};
use crate::shape::{Aabb, AsShape};
use crate::world::storage::{NONE, Storage};
use crate::world::{StrikeRules, Support};

/// The largest gap between a body and its support, in units in the last place of its coordinates: a little
/// more than the distance below which moves count shapes as touching.
const MAX_GAP_ULPS: f64 = 8.0;

impl Scratch {
    /// Adds the pairs of colliders that touch because one body stands on the other. Only pairs with a
    /// collider that has changed are tested.
    pub(super) fn add_supported(
        &mut self,
        storage: &Storage,
        broad: &dyn BroadPhase,
        rules: StrikeRules,
    ) {
        let exact = self.found.len();
        for (body, support) in (0..).zip(&storage.supports) {
            let Some(support) = support.map(|known| known.support) else { continue };
            if storage.body(support.body).is_none() {
                continue;
            }
            let gap = MAX_GAP_ULPS * f64::from(f32::EPSILON) * largest_coordinate(storage, body);
            for own in colliders_of(storage, body) {
                self.add_supported_collider(storage, broad, rules, own, &support, gap, exact);
            }
        }
        if self.found.len() > exact {
            self.found.sort_unstable_by_key(|found| found.pair);
            self.found.dedup_by_key(|found| found.pair);
        }
    }

    /// Adds the pairs of one collider with colliders no farther away than a gap. The first `exact` pairs that were
    /// found are sorted.
    #[allow(clippy::too_many_arguments)] // the world as parts, and one pair
    fn add_supported_collider(
        &mut self,
        storage: &Storage,
        broad: &dyn BroadPhase,
        rules: StrikeRules,
        own: u32,
        support: &Support,
        gap: f64,
        exact: usize,
    ) {
        let placed = &storage.placed[own as usize];
        let props = &storage.props[own as usize];
        let bounds = placed.bounds();
        let [min, max] = [bounds.min().as_dvec2() - gap, bounds.max().as_dvec2() + gap];
        let region = Aabb::new_unchecked(
            Vec2::new(round_down(min.x), round_down(min.y)),
            Vec2::new(round_up(max.x), round_up(max.y)),
        );
        // The colliders of the support near it that do not touch exactly.
        broad.visit_intersecting(&region, &mut |other| {
            let other_props = &storage.props[other as usize];
            let pair = if own < other { [own, other] } else { [other, own] };
            let is_moving = |slot: u32| storage.mobility_of(slot) == Some(Mobility::Moving);
            let is_candidate = other_props.body == support.body.slot
                && (is_moving(own) || is_moving(other)) // two fixed bodies do not touch
                && (storage.dirty.contains(own) || storage.dirty.contains(other))
                && props.makes_contact_with(other_props)
                && props.should_collide_with(other_props, rules)
                && self.found[..exact].binary_search_by_key(&pair, |found| found.pair).is_err();
            if is_candidate {
                let closest = placed.as_shape().closest_points(&storage.placed[other as usize]);
                if f64::from(closest.distance) <= gap {
                    let contact = touch(support.normal, closest.on_b.as_dvec2());
                    let contact = if own < other { contact } else { contact.swapped() };
                    self.found.push(ContactPair::new(pair, Some(contact), props.is_combat_box()));
                }
            }
            ControlFlow::Continue(())
        });
    }
}

/// Returns the slots of the colliders of a body that take part in updates.
fn colliders_of(storage: &Storage, body: u32) -> impl Iterator<Item = u32> {
    let slot = |slot: u32| (slot != NONE).then_some(slot);
    let first = slot(storage.first_collider(body));
    let all = core::iter::successors(first, move |&own| slot(storage.next_collider(own)));
    all.filter(|&own| storage.mobility_of(own).is_some())
}

/// Returns the largest number that the coordinates of a body are computed from: of its position, and of all its
/// colliders relative to it.
fn largest_coordinate(storage: &Storage, body: u32) -> f64 {
    let Some(record) = storage.bodies.get_slot(body) else { return 0.0 };
    let at = record.body.pose.position.as_dvec2();
    let reaches = colliders_of(storage, body).map(|own| {
        let bounds = storage.placed[own as usize].bounds();
        let [min, max] = [bounds.min(), bounds.max()].map(|corner| corner.as_dvec2() - at);
        min.abs().max(max.abs()).max_element()
    });
    reaches.fold(0.0, f64::max) + at.abs().max_element()
}

/// Returns the contact of a body that stands on a surface.
fn touch(normal: Vec2, point: DVec2) -> Contact {
    Contact { normal, depth: 0.0, push: Vec2::ZERO, points: ContactPoints::one(point) }
}
