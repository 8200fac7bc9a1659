//! Step 4 of an update: finds the strikes, hitboxes that overlap hurtboxes.

use alloc::vec::Vec;

use super::contact_pairs::{ContactPair, ContactPairs};
use crate::query::Contact;
use crate::world::bit_set::BitSet;
use crate::world::snapshot::StateHash;
use crate::world::storage::Storage;
use crate::world::{BodyKey, ColliderKey, Role, World, WorldError};

/// A hitbox of one body that overlaps a hurtbox of another.
///
/// An attacker strikes each victim once per swing, regardless of the number of boxes that overlap and of the
/// duration of the overlap, unless the hitbox has another [rule](Rehit). The strike reports the two boxes with
/// the deepest contact, and of equally deep ones those with the least keys.
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

/// Two hitboxes that overlap, such as the blades of two swords.
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

/// The rules that decide which pairs of hitboxes and hurtboxes count as strikes.
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
#[cfg_attr(
    feature = "schemars",
    schemars(description = "The rules that decide which pairs count as strikes.")
)]
#[non_exhaustive]
pub struct StrikeRules {
    /// `true` if bodies of the same team strike each other.
    pub friendly_fire: bool,
    /// `true` if hitboxes touch hitboxes and clashes are reported.
    pub clashes: bool,
    /// `true` if boxes that only touch strike. Otherwise they must overlap: neighbors on a grid, whose boxes
    /// share an edge, do not strike each other.
    pub touching: bool,
    /// The hitboxes that share a swing: all of a body, or none.
    pub swings: Swings,
}

/// The hitboxes that share a swing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Swings {
    /// All hitboxes of a body share a swing, which lasts as long as any of them is active: an attack with
    /// several boxes strikes each victim once.
    #[default]
    PerBody,
    /// Each hitbox has separate swings, which last as long as it is active: two guns of a ship both
    /// strike, and so do a punch and a kick that follow each other without a frame between. A box of a
    /// sheet that has the same name in the next frame is the same hitbox.
    PerHitbox,
}

/// The rule that decides when a hitbox strikes the same victim again. See
/// [`Collider::with_rehit`](crate::world::Collider::with_rehit).
///
/// The rule of the hitbox that has struck applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Rehit {
    /// The hitbox strikes the same victim again in the next swing. Use it for swords and fists.
    #[default]
    PerSwing,
    /// The hitbox strikes the same victim again after their boxes have parted, or in the next swing. Use it
    /// for spikes, which hurt each time that somebody steps on them.
    #[doc(alias = "spikes")]
    AfterParting,
    /// The hitbox strikes the same victim again after a number of updates, at least one, also while the
    /// boxes touch, or in the next swing. Use it for lava and saws, which hurt again and again.
    #[doc(alias = "damage over time")]
    #[doc(alias = "lava")]
    AfterTicks(u32),
}

impl Rehit {
    /// Returns a number that differs for all rules.
    pub(crate) fn to_bits(self) -> u64 {
        match self {
            Self::PerSwing => 0,
            Self::AfterParting => 1,
            Self::AfterTicks(ticks) => 2 | u64::from(ticks) << 32,
        }
    }
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

    /// Sets whether boxes strike that only touch.
    #[must_use]
    pub fn with_touching(self, touching: bool) -> Self {
        Self { touching, ..self }
    }

    /// Sets whether all hitboxes of a body share a swing, or each has its own.
    #[must_use]
    pub fn with_swings(self, swings: Swings) -> Self {
        Self { swings, ..self }
    }
}

/// The strikes and clashes of the last update, and those of swings that are still going on.
#[derive(Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Strikes {
    rules: StrikeRules,
    /// The strikes that are not reported again for now, sorted by their keys.
    struck: Vec<Struck>,
    /// The bodies of each clash in swings that are going on, the lesser key first, sorted.
    clashed: Vec<[BodyKey; 2]>,
    strikes: Vec<Strike>,
    clashes: Vec<Clash>,
    /// The slots of the bodies that have started a new swing since the last update. Their entries in
    /// `struck` and `clashed` are void, and are removed by the next update, all at once.
    #[cfg_attr(feature = "serde", serde(skip))]
    restarted: BitSet,
    /// The number of past updates. Only differences matter.
    tick: u64,
    /// No strike becomes due before this tick.
    #[cfg_attr(feature = "serde", serde(skip))]
    next_due: u64,
}

/// A strike that is not reported again for now.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Struck {
    attacker: BodyKey,
    /// The hitbox, if each hitbox has separate swings.
    hitbox: Option<ColliderKey>,
    victim: BodyKey,
    rehit: Rehit,
    /// The tick of the strike.
    tick: u64,
    /// `true` if a hitbox and a hurtbox still touch. Only valid while parted pairs are searched for.
    #[cfg_attr(feature = "serde", serde(skip))]
    touches: bool,
}

/// Attacker, hitbox if each has separate swings, and victim.
type StruckKey = (BodyKey, Option<ColliderKey>, BodyKey);

impl Struck {
    fn key(&self) -> StruckKey {
        (self.attacker, self.hitbox, self.victim)
    }

    /// Returns the tick from which on the strike is reported again; `None` if it does not depend on time.
    fn due(&self) -> Option<u64> {
        match self.rehit {
            Rehit::AfterTicks(ticks) => Some(self.tick + u64::from(ticks.max(1))),
            _ => None,
        }
    }
}

impl Clone for Strikes {
    fn clone(&self) -> Self {
        let mut new = Self::default();
        new.clone_from(self);
        new
    }

    fn clone_from(&mut self, source: &Self) {
        self.rules = source.rules;
        self.struck.clone_from(&source.struck);
        self.clashed.clone_from(&source.clashed);
        self.strikes.clone_from(&source.strikes);
        self.clashes.clone_from(&source.clashes);
        self.restarted.clone_from(&source.restarted);
        (self.tick, self.next_due) = (source.tick, source.next_due);
    }
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

    /// Begins an update: forgets the strikes and clashes of the last one. Those of swings that are going on
    /// stay known, so they are not reported again.
    pub fn begin_update(&mut self) {
        self.strikes.clear();
        self.clashes.clear();
        self.tick += 1;
    }

    /// Forgets the strikes that are to be reported again by now if the boxes still touch. Calls `retest`
    /// with each attacker.
    pub fn forget_due(&mut self, mut retest: impl FnMut(BodyKey)) {
        if self.tick < self.next_due {
            return;
        }
        self.next_due = u64::MAX;
        self.struck.retain(|struck| match struck.due() {
            Some(due) if due <= self.tick => {
                retest(struck.attacker);
                false
            }
            due => {
                self.next_due = self.next_due.min(due.unwrap_or(u64::MAX));
                true
            }
        });
    }

    /// Finds the new strikes and clashes among the pairs that the narrow phase found. Pairs that it did
    /// not test have not changed, so they have been reported already.
    pub fn update(&mut self, storage: &Storage, found: &[ContactPair]) {
        // 1. Forget the strikes of swings that are over. Those of one swing are adjacent.
        let mut swing = None;
        let restarted = &self.restarted;
        self.struck.retain(|it| {
            let key = (it.attacker, it.hitbox);
            let is_going_on = match swing {
                Some((known, is_going_on)) if known == key => is_going_on,
                _ => !restarted.contains_slot(it.attacker.slot) && is_swinging(storage, key),
            };
            swing = Some((key, is_going_on));
            is_going_on && storage.body(it.victim).is_some()
        });
        self.clashed.retain(|bodies| {
            bodies.iter().all(|&body| {
                !restarted.contains_slot(body.slot) && is_swinging(storage, (body, None))
            })
        });
        self.restarted.clear();
        // 2. Collect the pairs of boxes, and 3. keep the deepest one for each pair of bodies.
        for pair in found.iter().filter(|pair| pair.is_combat) {
            self.add_pair(storage, pair);
        }
        self.keep_deepest(storage);
    }

    /// Forgets the strikes that are to be reported again after the boxes have parted, if they have.
    pub fn forget_parted(&mut self, storage: &Storage, contact_pairs: &ContactPairs) {
        // A pair that still touches may have other roles now, so the pairs that ended are not sufficient.
        if self.struck.iter().all(|struck| struck.rehit != Rehit::AfterParting) {
            return;
        }
        self.struck.iter_mut().for_each(|struck| struck.touches = false);
        for pair in contact_pairs.pairs() {
            let roles = pair.pair.map(|slot| storage.props[slot as usize].role);
            let [hitbox, hurtbox] = match roles {
                [Role::Hitbox, Role::Hurtbox] => pair.pair,
                [Role::Hurtbox, Role::Hitbox] => [pair.pair[1], pair.pair[0]],
                _ => continue,
            };
            let [attacker, victim] = [hitbox, hurtbox].map(|slot| storage.body_key_of(slot));
            let key = self.struck_key([attacker, victim], storage.collider_key(hitbox));
            if let Ok(index) = self.struck.binary_search_by_key(&key, Struck::key) {
                self.struck[index].touches = true;
            }
        }
        self.struck.retain(|struck| struck.touches || struck.rehit != Rehit::AfterParting);
        self.struck.iter_mut().for_each(|struck| struck.touches = false);
    }

    /// Starts a new swing of a body.
    fn restart(&mut self, body: BodyKey) {
        self.restarted.grow(body.slot as usize + 1);
        self.restarted.insert(body.slot);
    }

    /// Returns the same strikes without those of swings that have been restarted since the last update.
    #[cfg(feature = "serde")]
    pub fn without_old_swings(&self) -> Self {
        let mut strikes = self.clone();
        strikes.restarted.clear();
        strikes.struck.retain(|it| !self.restarted.contains_slot(it.attacker.slot));
        strikes.clashed.retain(|bodies| !self.is_restarted(bodies));
        strikes
    }

    fn is_restarted(&self, bodies: &[BodyKey; 2]) -> bool {
        bodies.iter().any(|body| self.restarted.contains_slot(body.slot))
    }

    /// Returns `true` if the lists that are searched are sorted.
    #[cfg(feature = "serde")]
    pub fn is_sorted(&self) -> bool {
        self.struck.is_sorted_by_key(Struck::key) && self.clashed.is_sorted()
    }

    pub fn hash(&self, hash: &mut StateHash) {
        let StrikeRules { friendly_fire, clashes, touching, swings } = self.rules;
        hash.words([friendly_fire, clashes, touching].map(u64::from));
        hash.word(swings as u64);
        let current = |it: &&Struck| !self.restarted.contains_slot(it.attacker.slot);
        hash.word(self.struck.iter().filter(current).count() as u64);
        for it in self.struck.iter().filter(current) {
            hash.words([it.attacker, it.victim].map(|body| body.to_bits()));
            hash.words([u64::from(it.hitbox.is_some()), it.hitbox.map_or(0, ColliderKey::to_bits)]);
            hash.word(it.rehit.to_bits());
            // The number of updates itself does not matter, and idle ones must not change the hash.
            hash.word(it.due().map_or(0, |due| due.saturating_sub(self.tick)));
        }
        let clashed = || self.clashed.iter().filter(|bodies| !self.is_restarted(bodies));
        hash.word(clashed().count() as u64);
        hash.words(clashed().flatten().map(|body| body.to_bits()));
        hash.word(self.strikes.len() as u64);
        for Strike { attacker, victim, hitbox, hurtbox, contact } in &self.strikes {
            hash.words([attacker, victim].map(|body| body.to_bits()));
            hash.words([hitbox, hurtbox].map(|collider| collider.to_bits()));
            hash.contact(contact);
        }
        hash.word(self.clashes.len() as u64);
        for Clash { bodies, hitboxes, contact } in &self.clashes {
            hash.words(bodies.map(|body| body.to_bits()));
            hash.words(hitboxes.map(|collider| collider.to_bits()));
            hash.contact(contact);
        }
    }

    /// Returns the key by which a strike is remembered.
    fn struck_key(&self, [attacker, victim]: [BodyKey; 2], hitbox: ColliderKey) -> StruckKey {
        (attacker, (self.rules.swings == Swings::PerHitbox).then_some(hitbox), victim)
    }

    /// Adds a pair of boxes that may be a strike or a clash.
    fn add_pair(&mut self, storage: &Storage, pair: &ContactPair) {
        let (Some(contact), [a, b]) = (pair.contact, pair.pair) else { return };
        if contact.depth == 0.0 && !self.rules.touching && !pair.is_passed {
            return;
        }
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
        let key = self.struck_key(bodies, boxes[0]);
        if self.struck.binary_search_by_key(&key, Struck::key).is_err() {
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

    /// Keeps the deepest strike and the deepest clash of each swing and pair of bodies, and records them.
    fn keep_deepest(&mut self, storage: &Storage) {
        if !self.strikes.is_empty() {
            let is_per_hitbox = self.rules.swings == Swings::PerHitbox;
            let swing = |it: &Strike| (it.attacker, it.victim, is_per_hitbox.then_some(it.hitbox));
            self.strikes.sort_unstable_by(|a, b| {
                let depth = || b.contact.depth.total_cmp(&a.contact.depth);
                let boxes = || (a.hitbox, a.hurtbox).cmp(&(b.hitbox, b.hurtbox));
                swing(a).cmp(&swing(b)).then_with(depth).then_with(boxes)
            });
            self.strikes.dedup_by_key(|strike| swing(strike));
            for it in &self.strikes {
                let (attacker, hitbox, victim) =
                    self.struck_key([it.attacker, it.victim], it.hitbox);
                let rehit = storage.collider(it.hitbox).map_or(Rehit::PerSwing, |it| it.rehit());
                let struck =
                    Struck { attacker, hitbox, victim, rehit, tick: self.tick, touches: false };
                self.next_due = self.next_due.min(struck.due().unwrap_or(u64::MAX));
                self.struck.push(struck);
            }
            self.struck.sort_unstable_by_key(Struck::key);
        }
        if !self.clashes.is_empty() {
            self.clashes.sort_unstable_by(|a, b| {
                let depth = || b.contact.depth.total_cmp(&a.contact.depth);
                a.bodies.cmp(&b.bodies).then_with(depth).then_with(|| a.hitboxes.cmp(&b.hitboxes))
            });
            self.clashes.dedup_by_key(|clash| clash.bodies);
            self.clashed.extend(self.clashes.iter().map(|clash| clash.bodies));
            self.clashed.sort_unstable();
        }
    }
}

/// Returns `true` if the bodies of two colliders are on the same team. Bodies of team 0 are in no team.
fn are_allies(storage: &Storage, a: u32, b: u32) -> bool {
    let team = |slot| storage.body_of(slot).map_or(0, |body| body.team);
    team(a) != 0 && team(a) == team(b)
}

/// Returns `true` if a swing is going on: the hitbox is active, or any hitbox of the body if none is
/// given.
fn is_swinging(storage: &Storage, (body, hitbox): (BodyKey, Option<ColliderKey>)) -> bool {
    let is_active = |hitbox: ColliderKey| {
        storage.collider(hitbox).is_some()
            && storage.props[hitbox.slot as usize].role == Role::Hitbox
            && storage.mobility_of(hitbox.slot).is_some()
    };
    match hitbox {
        Some(hitbox) => is_active(hitbox),
        None => storage.colliders_of(body).any(is_active),
    }
}

/// # Strikes: hitboxes and hurtboxes
///
/// A hitbox that overlaps a hurtbox of another body strikes it, once per swing. A swing lasts as long as
/// the body has an enabled hitbox. The next swing begins when a hitbox appears again, or with
/// [`start_swing`](Self::start_swing) at any time. Bodies of the same team do not strike each other, and
/// hitboxes ignore hitboxes, unless the [rules](StrikeRules) change that.
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
        self.strikes.restart(body);
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
    /// by their keys. Bodies that have been removed since are left out.
    pub fn struck_by(&self, attacker: BodyKey) -> impl Iterator<Item = BodyKey> {
        let struck = &self.strikes.struck;
        let is_void = self.storage.body(attacker).is_none()
            || self.strikes.restarted.contains_slot(attacker.slot);
        let start = struck.partition_point(|it| it.attacker < attacker);
        let swing = struck[start..].iter().take_while(|it| it.attacker == attacker && !is_void);
        let mut victims: Vec<BodyKey> = swing.map(|it| it.victim).collect();
        victims.sort_unstable();
        victims.dedup();
        victims.into_iter().filter(|&victim| self.storage.body(victim).is_some())
    }

    /// Returns the rules that decide which pairs count as strikes.
    pub fn strike_rules(&self) -> StrikeRules {
        self.strikes.rules
    }

    /// Sets the rules that decide which pairs count as strikes, from the next update on. If
    /// [`StrikeRules::swings`] changes, all swings start again.
    pub fn set_strike_rules(&mut self, rules: StrikeRules) {
        if rules == self.strikes.rules {
            return;
        }
        if rules.swings != self.strikes.rules.swings {
            self.strikes.struck.clear();
        }
        self.strikes.rules = rules;
        let bodies: Vec<BodyKey> = self.bodies().map(|(key, _)| key).collect();
        bodies.into_iter().for_each(|body| self.mark_combat_boxes_dirty(body));
    }

    /// Makes this update test the hitboxes of bodies whose strikes have become due again.
    pub(super) fn retest_due_strikes(&mut self) {
        let Self { strikes, storage, is_up_to_date, .. } = self;
        strikes.forget_due(|attacker| {
            if storage.body(attacker).is_some() {
                storage.mark_combat_boxes_dirty(attacker.slot);
                *is_up_to_date = false;
            }
        });
    }

    /// Makes the next update test the hitboxes and hurtboxes of a body as if it had moved.
    pub(crate) fn mark_combat_boxes_dirty(&mut self, body: BodyKey) {
        self.storage.mark_combat_boxes_dirty(body.slot);
        self.is_up_to_date = false;
    }
}
