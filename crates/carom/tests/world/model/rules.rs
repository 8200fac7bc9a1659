//! The rules of a world, in the simplest form: collisions, the events of an update, and strikes.

use std::collections::BTreeMap;

use carom::broad::Mobility;
use carom::prelude::*;
use carom::sheet::Role;
use carom::world::{Event, EventKind, Rehit, Swings};

use super::shapes::{as_stored, place};
use super::{Model, ModelBody, ModelCollider, ModelStrike, Touch};

impl ModelCollider {
    /// Recomputes the shape on the body and in the world.
    pub fn place(&mut self, pose: &Pose) {
        self.on_body = as_stored(&place(&self.shape, &self.local_pose));
        self.placed = place(&self.on_body, pose);
    }
}

/// The kind of an event, the colliders, their bodies and the contact.
pub type ModelEvent = (EventKind, [ColliderKey; 2], [BodyKey; 2], Option<Contact>);

impl Model {
    pub fn body_mut(&mut self, key: BodyKey) -> &mut ModelBody {
        self.bodies.get_mut(&key).unwrap()
    }

    pub fn set_pose(&mut self, key: BodyKey, pose: Pose) {
        self.body_mut(key).body.pose = pose;
        let colliders = self.bodies[&key].colliders.clone();
        for collider in colliders {
            self.change(collider, |_| ());
        }
    }

    /// Changes a collider.
    pub fn change(&mut self, key: ColliderKey, change: impl FnOnce(&mut ModelCollider)) {
        let collider = self.colliders.get_mut(&key).unwrap();
        change(collider);
        collider.place(&self.bodies[&collider.body].body.pose);
    }

    pub fn remove_collider(&mut self, key: ColliderKey) {
        let collider = self.colliders.remove(&key).unwrap();
        self.body_mut(collider.body).colliders.retain(|&other| other != key);
    }

    pub fn remove_body(&mut self, key: BodyKey) -> Body {
        let body = self.bodies.remove(&key).unwrap();
        self.colliders.retain(|_, collider| collider.body != key);
        body.body
    }

    pub fn is_active(&self, collider: &ModelCollider) -> bool {
        let body = &self.bodies[&collider.body].body;
        collider.enabled && body.enabled && (body.visible || self.hidden_bodies_collide)
    }

    /// Returns the colliders that can touch and be found, in order.
    pub fn active(&self) -> Vec<(ColliderKey, &ModelCollider)> {
        let all = self.colliders.iter().map(|(&key, collider)| (key, collider));
        all.filter(|(_, collider)| self.is_active(collider)).collect()
    }

    fn is_fixed(&self, collider: &ModelCollider) -> bool {
        self.bodies[&collider.body].body.mobility == Mobility::Fixed
    }

    fn can_touch(&self, a: &ModelCollider, b: &ModelCollider) -> bool {
        let sees = |sensor: &ModelCollider, other: &ModelCollider| {
            sensor.role == Role::Sensor && sensor.detects_hurtboxes && other.role == Role::Hurtbox
        };
        let interact = match [a.role, b.role] {
            [Role::Hitbox, Role::Hurtbox] | [Role::Hurtbox, Role::Hitbox] => true,
            [Role::Hitbox, Role::Hitbox] => self.rules.clashes,
            [Role::Solid | Role::Sensor, Role::Solid | Role::Sensor] => true,
            _ => sees(a, b) || sees(b, a),
        };
        interact
            && a.body != b.body
            && !(self.is_fixed(a) && self.is_fixed(b))
            && a.mask.iter().any(|layer| b.layers.contains(layer))
            && b.mask.iter().any(|layer| a.layers.contains(layer))
    }

    /// Begins an update, also one that fails: time passes.
    pub fn begin_update(&mut self) {
        self.tick += 1;
        self.strikes.clear();
        self.clashes.clear();
        let now = self.tick;
        self.struck.retain(|_, &mut (rehit, tick)| match rehit {
            Rehit::AfterTicks(ticks) => now < tick + u64::from(ticks.max(1)),
            _ => true,
        });
    }

    /// Adds the pairs of colliders that do not touch exactly, but of which one belongs to the support of the other
    /// one's body and is within 8 units in the last place of the coordinates of that body.
    fn add_supported(
        &self,
        active: &[(ColliderKey, &ModelCollider)],
        touching: &mut BTreeMap<[ColliderKey; 2], Touch>,
    ) {
        let of = |body: BodyKey| active.iter().filter(move |(_, it)| it.body == body);
        for (&body, ModelBody { body: settings, support, .. }) in &self.bodies {
            let Some(support) = support else { continue };
            let at = settings.pose.position.as_dvec2();
            let corners = of(body).flat_map(|(_, it)| it.placed.bounds().corners());
            let reach = corners.map(|corner| (corner.as_dvec2() - at).abs().max_element());
            let coordinates = reach.fold(0.0, f64::max) + at.abs().max_element();
            let gap = 8.0 * f64::from(f32::EPSILON) * coordinates;
            for &(own_key, own) in of(body) {
                for &(other_key, other) in of(support.body) {
                    let pair = [own_key.min(other_key), own_key.max(other_key)];
                    let has_sensor = [own.role, other.role].contains(&Role::Sensor);
                    if has_sensor || !self.can_touch(own, other) || touching.contains_key(&pair) {
                        continue;
                    }
                    let closest = own.placed.closest_points(&other.placed);
                    if f64::from(closest.distance) <= gap {
                        let point = Point::new(closest.on_b);
                        let mut contact = point.contact(&point).expect("a point touches itself");
                        contact.normal =
                            if own_key < other_key { support.normal } else { -support.normal };
                        let bodies = pair.map(|key| self.colliders[&key].body);
                        let began = !self.touching.contains_key(&pair);
                        touching.insert(pair, Touch { bodies, contact: Some(contact), began });
                    }
                }
            }
        }
    }

    /// Completes an update that succeeds.
    pub fn update(&mut self) {
        // 1. Every pair.
        let active = self.active();
        let mut touching = BTreeMap::new();
        for (i, &(a_key, a)) in active.iter().enumerate() {
            for &(b_key, b) in &active[i + 1..] {
                let has_sensor = [a.role, b.role].contains(&Role::Sensor);
                let contact = match self.can_touch(a, b) {
                    true if has_sensor => a.placed.intersects(&b.placed).then_some(None),
                    true => a.placed.contact(&b.placed).map(Some),
                    false => None,
                };
                if let Some(contact) = contact {
                    let began = !self.touching.contains_key(&[a_key, b_key]);
                    let touch = Touch { bodies: [a.body, b.body], contact, began };
                    touching.insert([a_key, b_key], touch);
                }
            }
        }
        self.add_supported(&active, &mut touching);
        // 2. Swings that are over are forgotten.
        let swinging = |body: BodyKey, hitbox: Option<ColliderKey>| {
            let is_it = |key: ColliderKey| hitbox.is_none_or(|hitbox| key == hitbox);
            active.iter().any(|&(key, it)| it.body == body && it.role == Role::Hitbox && is_it(key))
        };
        let mut struck = self.struck.clone();
        struck.retain(|&(attacker, hitbox, victim), _| {
            swinging(attacker, hitbox) && self.bodies.contains_key(&victim)
        });
        let mut clashed = self.clashed.clone();
        clashed.retain(|bodies| bodies.iter().all(|&body| swinging(body, None)));
        // 3. The deepest new strike of each attacker and victim, or of each hitbox and victim.
        let mut strikes: BTreeMap<_, ModelStrike> = BTreeMap::new();
        let mut clashes: BTreeMap<[BodyKey; 2], ModelStrike> = BTreeMap::new();
        for (&keys, touch) in &touching {
            let colliders = keys.map(|key| &self.colliders[&key]);
            let team = touch.bodies.map(|body| self.bodies[&body].body.team);
            let are_allies = team[0] != 0 && team[0] == team[1] && !self.rules.friendly_fire;
            let Some(contact) = touch.contact.filter(|it| it.depth > 0.0 || self.rules.touching)
            else {
                continue;
            };
            let ([a, b], [c, d]) = (touch.bodies, keys);
            let (same, other) =
                ((touch.bodies, keys, contact), ([b, a], [d, c], contact.swapped()));
            match colliders.map(|it| it.role) {
                _ if are_allies => {}
                [Role::Hitbox, Role::Hitbox] => {
                    let clash = if a < b { same } else { other };
                    if !clashed.contains(&clash.0) {
                        keep_deepest(&mut clashes, clash.0, clash);
                    }
                }
                [Role::Hitbox, _] | [_, Role::Hitbox] => {
                    let strike = if colliders[0].role == Role::Hitbox { same } else { other };
                    let ([attacker, victim], [hitbox, _], _) = strike;
                    let hitbox = (self.rules.swings == Swings::PerHitbox).then_some(hitbox);
                    if !struck.contains_key(&(attacker, hitbox, victim)) {
                        keep_deepest(&mut strikes, (attacker, victim, hitbox), strike);
                    }
                }
                _ => {}
            }
        }
        for (&(attacker, victim, hitbox), strike) in &strikes {
            let rehit = self.colliders[&strike.1[0]].rehit;
            struck.insert((attacker, hitbox, victim), (rehit, self.tick));
        }
        clashed.extend(clashes.keys());
        // 4. Strikes that are repeated after parting are forgotten when no two boxes touch any more.
        struck.retain(|&(attacker, hitbox, victim), &mut (rehit, _)| {
            rehit != Rehit::AfterParting
                || touching.iter().any(|(&[a, b], touch)| {
                    let is_it = |hit: ColliderKey, hurt: ColliderKey, bodies: [BodyKey; 2]| {
                        self.colliders[&hit].role == Role::Hitbox
                            && self.colliders[&hurt].role == Role::Hurtbox
                            && bodies == [attacker, victim]
                            && hitbox.is_none_or(|hitbox| hitbox == hit)
                    };
                    let [c, d] = touch.bodies;
                    is_it(a, b, [c, d]) || is_it(b, a, [d, c])
                })
        });
        self.strikes = strikes.into_values().collect();
        self.clashes = clashes.into_values().collect();
        (self.struck, self.clashed) = (struck, clashed);
        // 5. What no longer touches has ended.
        let ended = self.touching.iter().filter(|(pair, _)| !touching.contains_key(*pair));
        self.ended = ended.map(|(&pair, touch)| (pair, touch.bodies)).collect();
        self.touching = touching;
        self.is_complete = true;
    }

    /// Returns the events of the last update.
    pub fn events(&self) -> Vec<ModelEvent> {
        if !self.is_complete {
            return Vec::new();
        }
        let kind = |touch: &Touch| if touch.began { EventKind::Began } else { EventKind::Stayed };
        let now = self.touching.iter();
        let now = now.map(|(&pair, touch)| (kind(touch), pair, touch.bodies, touch.contact));
        let ended = self.ended.iter().map(|&(pair, bodies)| (EventKind::Ended, pair, bodies, None));
        let mut events: Vec<_> = now.chain(ended).collect();
        events.sort_by_key(|&(_, pair, ..)| pair);
        events
    }

    /// Returns the bodies that a body has struck in its current swing.
    pub fn struck_by(&self, attacker: BodyKey) -> Vec<BodyKey> {
        let of_it = self.struck.keys().filter(|(by, ..)| *by == attacker);
        let mut victims: Vec<_> = of_it.map(|&(.., victim)| victim).collect();
        victims.retain(|victim| self.bodies.contains_key(victim));
        victims.retain(|_| self.bodies.contains_key(&attacker));
        victims.sort_unstable();
        victims.dedup();
        victims
    }

    /// Returns the other colliders that a collider touches, with the contacts seen from it.
    pub fn touching(&self, key: ColliderKey) -> Vec<(ColliderKey, Option<Contact>, EventKind)> {
        let kind = |touch: &Touch| if touch.began { EventKind::Began } else { EventKind::Stayed };
        let seen = self.touching.iter().filter_map(|(&[a, b], touch)| {
            let (other, contact) = if a == key {
                (b, touch.contact)
            } else if b == key {
                (a, touch.contact.map(Contact::swapped))
            } else {
                return None;
            };
            Some((other, contact, kind(touch)))
        });
        let live = seen.filter(|(other, ..)| {
            self.colliders.contains_key(other) && self.colliders.contains_key(&key)
        });
        let mut all: Vec<_> = live.collect();
        all.sort_by_key(|&(other, ..)| other);
        all
    }
}

/// Keeps the deepest of two strikes, and of equally deep ones that with the least keys.
fn keep_deepest<K: Ord>(best: &mut BTreeMap<K, ModelStrike>, key: K, new: ModelStrike) {
    let rank = |(_, boxes, contact): &ModelStrike| (-contact.depth, *boxes);
    let kept = best.entry(key).or_insert(new);
    if rank(&new) < rank(kept) {
        *kept = new;
    }
}

/// Returns an event in the form of the model.
pub fn simple(event: Event) -> (EventKind, [ColliderKey; 2], [BodyKey; 2], Option<Contact>) {
    (event.kind, event.colliders, event.bodies, event.contact)
}
