//! Step 4 of an update: strikes, hitboxes that meet hurtboxes.

use alloc::vec::Vec;

use super::contact_pairs::ContactPair;
use crate::query::Contact;
use crate::world::snapshot::StateHash;
use crate::world::storage::{NONE, Storage};
use crate::world::{BodyKey, ColliderKey, Role, World, WorldError};

/// A hitbox of one body that touches a hurtbox of another.
///
/// An attacker strikes each victim once per swing, however many boxes touch and for however long. The
/// strike reports the two boxes with the deepest contact, and of equally deep ones those with the least
/// keys.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
#[doc(alias = "hit event")]
#[doc(alias = "damage")]
pub struct Strike {
    /// The body that struck.
    pub attacker: BodyKey,
    /// The body that was struck.
    pub victim: BodyKey,
    /// The attacker's hitbox. [`World::box_name`] returns its name in the sheet.
    pub hitbox: ColliderKey,
    /// The victim's hurtbox. [`World::box_name`] returns its name in the sheet.
    pub hurtbox: ColliderKey,
    /// The contact of the hitbox with the hurtbox. The normal points from the victim to the attacker:
    /// to knock the victim back, move it against the normal.
    pub contact: Contact,
}

/// Two hitboxes that touch: blade on blade.
///
/// Two bodies clash once per swing of either.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
#[doc(alias = "parry")]
pub struct Clash {
    /// The two bodies, the lesser key first.
    pub bodies: [BodyKey; 2],
    /// Their hitboxes, in the same order.
    pub hitboxes: [ColliderKey; 2],
    /// The contact of the first hitbox with the second.
    pub contact: Contact,
}

/// Which pairs of hitboxes and hurtboxes count as strikes.
///
/// ```
/// use carom::prelude::*;
/// use carom::world::StrikeRules;
/// let mut world = World::new();
/// world.set_strike_rules(StrikeRules::default().with_clashes(true));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename = "Strikes", default, deny_unknown_fields))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemars", schemars(description = "Which strikes count."))]
#[non_exhaustive]
pub struct StrikeRules {
    /// Whether bodies of the same team strike each other.
    pub friendly_fire: bool,
    /// Whether hitboxes touch hitboxes and clashes are reported.
    pub clashes: bool,
}

impl StrikeRules {
    /// Sets whether bodies of the same team strike each other.
    #[must_use]
    pub fn with_friendly_fire(self, friendly_fire: bool) -> Self {
        Self { friendly_fire, ..self }
    }

    /// Sets whether hitboxes touch hitboxes and clashes are reported.
    #[must_use]
    pub fn with_clashes(self, clashes: bool) -> Self {
        Self { clashes, ..self }
    }
}

/// The strikes and clashes of the last update, and those of swings that are still going on.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Strikes {
    rules: StrikeRules,
    /// Attacker and victim of each strike in a swing that is going on, sorted.
    struck: Vec<[BodyKey; 2]>,
    /// The bodies of each clash in swings that are going on, the lesser key first, sorted.
    clashed: Vec<[BodyKey; 2]>,
    strikes: Vec<Strike>,
    clashes: Vec<Clash>,
}

impl Strikes {
    pub fn rules(&self) -> StrikeRules {
        self.rules
    }

    pub fn strikes(&self) -> &[Strike] {
        &self.strikes
    }

    pub fn clashes(&self) -> &[Clash] {
        &self.clashes
    }

    /// Forgets the strikes and clashes of the last update. Those of swings that are going on stay
    /// known, so they are not reported again.
    pub fn clear_reported(&mut self) {
        self.strikes.clear();
        self.clashes.clear();
    }

    /// Finds the new strikes and clashes among the pairs that the narrow phase found. Pairs that it did
    /// not test have not changed, so they have been reported already.
    pub fn update(&mut self, storage: &Storage, found: &[ContactPair]) {
        // 1. Forget the strikes of swings that are over.
        self.struck.retain(|&[attacker, victim]| {
            is_swinging(storage, attacker) && storage.body(victim).is_some()
        });
        self.clashed.retain(|bodies| bodies.iter().all(|&body| is_swinging(storage, body)));
        // 2. Collect the pairs of boxes, and 3. keep the deepest one for each pair of bodies.
        for pair in found.iter().filter(|pair| pair.is_combat) {
            self.add_pair(storage, pair);
        }
        self.keep_deepest();
    }

    /// Returns whether the lists that are searched are sorted.
    #[cfg(feature = "serde")]
    pub fn is_sorted(&self) -> bool {
        self.struck.is_sorted() && self.clashed.is_sorted()
    }

    pub fn hash(&self, hash: &mut StateHash) {
        let StrikeRules { friendly_fire, clashes } = self.rules;
        hash.words([u64::from(friendly_fire), u64::from(clashes)]);
        for pairs in [&self.struck, &self.clashed] {
            hash.word(pairs.len() as u64);
            hash.words(pairs.iter().flatten().map(|body| body.to_bits()));
        }
        for Strike { attacker, victim, hitbox, hurtbox, contact } in &self.strikes {
            hash.words([attacker, victim].map(|body| body.to_bits()));
            hash.words([hitbox, hurtbox].map(|collider| collider.to_bits()));
            hash.contact(contact);
        }
        for Clash { bodies, hitboxes, contact } in &self.clashes {
            hash.words(bodies.map(|body| body.to_bits()));
            hash.words(hitboxes.map(|collider| collider.to_bits()));
            hash.contact(contact);
        }
    }

    /// Adds a pair of boxes that may be a strike or a clash.
    fn add_pair(&mut self, storage: &Storage, pair: &ContactPair) {
        let (Some(contact), [a, b]) = (pair.contact, pair.pair) else { return };
        let [first, second] = pair.pair.map(|slot| storage.body_key_of(slot));
        if !self.rules.friendly_fire && are_allies(storage, a, b) {
            return;
        }
        let [a_role, b_role] = [a, b].map(|slot| storage.props[slot as usize].role);
        let [a, b] = [a, b].map(|slot| storage.collider_key(slot));
        match (a_role, b_role) {
            (Role::Hitbox, Role::Hitbox) => self.add_clash([first, second], [a, b], contact),
            (Role::Hitbox, _) => self.add_strike([first, second], [a, b], contact),
            _ => self.add_strike([second, first], [b, a], contact.swapped()),
        }
    }

    fn add_strike(&mut self, bodies: [BodyKey; 2], boxes: [ColliderKey; 2], contact: Contact) {
        if self.struck.binary_search(&bodies).is_err() {
            let ([attacker, victim], [hitbox, hurtbox]) = (bodies, boxes);
            self.strikes.push(Strike { attacker, victim, hitbox, hurtbox, contact });
        }
    }

    fn add_clash(&mut self, bodies: [BodyKey; 2], hitboxes: [ColliderKey; 2], contact: Contact) {
        let clash = if bodies[0] < bodies[1] {
            Clash { bodies, hitboxes, contact }
        } else {
            let ([a, b], [c, d]) = (bodies, hitboxes);
            Clash { bodies: [b, a], hitboxes: [d, c], contact: contact.swapped() }
        };
        if self.clashed.binary_search(&clash.bodies).is_err() {
            self.clashes.push(clash);
        }
    }

    /// Keeps the deepest strike and the deepest clash of each pair of bodies, and records them for the
    /// swing.
    fn keep_deepest(&mut self) {
        self.strikes.sort_unstable_by(|a, b| {
            let bodies = (a.attacker, a.victim).cmp(&(b.attacker, b.victim));
            let depth = || b.contact.depth.total_cmp(&a.contact.depth);
            bodies.then_with(depth).then_with(|| (a.hitbox, a.hurtbox).cmp(&(b.hitbox, b.hurtbox)))
        });
        self.strikes.dedup_by_key(|strike| (strike.attacker, strike.victim));
        self.struck.extend(self.strikes.iter().map(|strike| [strike.attacker, strike.victim]));
        self.struck.sort_unstable();

        self.clashes.sort_unstable_by(|a, b| {
            let depth = || b.contact.depth.total_cmp(&a.contact.depth);
            a.bodies.cmp(&b.bodies).then_with(depth).then_with(|| a.hitboxes.cmp(&b.hitboxes))
        });
        self.clashes.dedup_by_key(|clash| clash.bodies);
        self.clashed.extend(self.clashes.iter().map(|clash| clash.bodies));
        self.clashed.sort_unstable();
    }
}

/// Returns whether the bodies of two colliders are on the same team. Team 0 is nobody's.
fn are_allies(storage: &Storage, a: u32, b: u32) -> bool {
    let team = |slot| storage.body_of(slot).map_or(0, |body| body.team);
    team(a) != 0 && team(a) == team(b)
}

/// Returns whether a body exists and has an active hitbox.
fn is_swinging(storage: &Storage, body: BodyKey) -> bool {
    storage.colliders_of(body).any(|collider| {
        storage.props[collider.slot as usize].role == Role::Hitbox
            && storage.mobility_of(collider.slot).is_some()
    })
}

/// # Strikes: hitboxes and hurtboxes
///
/// A hitbox that touches a hurtbox of another body strikes it, once per swing. A swing lasts as long as
/// the body has an enabled hitbox. The next swing begins when a hitbox appears again, or with
/// [`start_swing`](Self::start_swing) at any time. Bodies of the same team do not strike each other, and
/// hitboxes ignore hitboxes, unless the [rules](StrikeRules) say otherwise.
///
/// ```
/// use carom::prelude::*;
/// use carom::sheet::Role;
/// let mut world = World::new();
/// let knight = world.add_body(Body::moving([0.0, 0.0]))?;
/// let sword = Collider::new(Aabb::new([1.0, 0.0], [3.0, 0.25])).with_role(Role::Hitbox);
/// let sword = world.add_collider(knight, sword)?;
/// let troll = world.add_body(Body::moving([3.5, 0.0]))?;
/// let belly = Collider::new(Circle::new([0.0, 0.0], 1.0)).with_role(Role::Hurtbox);
/// let belly = world.add_collider(troll, belly)?;
///
/// let strike = world.update().strikes()[0];
/// assert_eq!((strike.attacker, strike.victim), (knight, troll));
/// assert_eq!((strike.hitbox, strike.hurtbox), (sword, belly));
///
/// world.translate(troll, [-0.1, 0.0])?;
/// assert!(world.update().strikes().is_empty()); // not again in the same swing
/// world.start_swing(knight)?;
/// assert_eq!(world.update().strikes().len(), 1);
/// # Ok::<(), WorldError>(())
/// ```
impl World {
    /// Starts a new swing of a body's hitboxes: the next update reports strikes again, also on bodies
    /// that the last swing has struck.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchBody`] if the body has been removed.
    pub fn start_swing(&mut self, body: BodyKey) -> Result<(), WorldError> {
        self.storage.body(body).ok_or(WorldError::NoSuchBody(body))?;
        self.strikes.struck.retain(|&[attacker, _]| attacker != body);
        self.strikes.clashed.retain(|bodies| !bodies.contains(&body));
        self.mark_combat_boxes_dirty(body);
        Ok(())
    }

    /// Returns the strikes of the last update, as [`Events::strikes`](crate::world::Events::strikes)
    /// does.
    #[doc(alias = "hitbox")]
    #[doc(alias = "hurtbox")]
    pub fn strikes(&self) -> &[Strike] {
        self.strikes.strikes()
    }

    /// Returns the clashes of the last update, as [`Events::clashes`](crate::world::Events::clashes)
    /// does.
    pub fn clashes(&self) -> &[Clash] {
        self.strikes.clashes()
    }

    /// Returns the bodies that `attacker` has struck in its current swing, as of the last update, ordered
    /// by their keys.
    pub fn struck_by(&self, attacker: BodyKey) -> impl Iterator<Item = BodyKey> {
        let struck = &self.strikes.struck;
        let start = struck.partition_point(|&[other, _]| other < attacker);
        let swing = struck[start..].iter().take_while(move |&&[other, _]| other == attacker);
        swing.map(|&[_, victim]| victim)
    }

    /// Returns the rules of what counts as a strike.
    pub fn strike_rules(&self) -> StrikeRules {
        self.strikes.rules
    }

    /// Sets the rules of what counts as a strike, from the next update on.
    pub fn set_strike_rules(&mut self, rules: StrikeRules) {
        self.strikes.rules = rules;
        let bodies: Vec<BodyKey> = self.bodies().map(|(key, _)| key).collect();
        bodies.into_iter().for_each(|body| self.mark_combat_boxes_dirty(body));
    }

    /// Makes the next update test the hitboxes and hurtboxes of a body as if it had moved.
    pub(crate) fn mark_combat_boxes_dirty(&mut self, body: BodyKey) {
        let mut slot = self.storage.first_collider(body.slot);
        while slot != NONE {
            if self.storage.props[slot as usize].is_combat_box() {
                self.storage.dirty.insert(slot);
            }
            slot = self.storage.next_collider(slot);
        }
        self.is_up_to_date = false;
    }
}
