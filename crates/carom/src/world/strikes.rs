//! Strikes: who struck whom, with which boxes.

use alloc::vec::Vec;

use crate::query::Contact;
use crate::world::contact_pairs::ContactPair;
use crate::world::snapshot::StateHash;
use crate::world::storage::{NONE, Storage};
use crate::world::{BodyKey, ColliderKey, Role, World, WorldError};

/// A hitbox of one body has met a hurtbox of another.
///
/// Each victim is struck once in a swing, however many boxes meet and however long they do: by the
/// two that are deepest in each other (of equally deep ones, those with the least keys).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Strike {
    /// Who struck.
    pub attacker: BodyKey,
    /// Who was struck.
    pub victim: BodyKey,
    /// With which box; [`World::box_name`] tells its name in the sheet.
    pub hitbox: ColliderKey,
    /// Where; [`World::box_name`] tells its name in the sheet.
    pub hurtbox: ColliderKey,
    /// How the hitbox meets the hurtbox. The normal points from the victim to the attacker: to
    /// knock the victim back, go against it.
    pub contact: Contact,
}

/// Two hitboxes have met: blade on blade.
///
/// Two bodies clash once in a swing of either, as they strike.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Clash {
    /// The two bodies, the lesser key first.
    pub bodies: [BodyKey; 2],
    /// Their hitboxes, in the same order.
    pub hitboxes: [ColliderKey; 2],
    /// How the first hitbox meets the second.
    pub contact: Contact,
}

/// What counts as a strike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StrikeRules {
    /// Whether bodies of one team strike each other.
    pub friendly_fire: bool,
    /// Whether hitboxes meet hitboxes, and clashes are told.
    pub clashes: bool,
}

/// The strikes of the last update, and those of swings that still go on.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Strikes {
    rules: StrikeRules,
    /// Attacker and victim of each strike in a swing that goes on, in order.
    struck: Vec<[BodyKey; 2]>,
    /// The bodies of each clash in swings that go on, the lesser first, in order.
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

    /// Nothing has changed, so nothing is new.
    pub fn settle(&mut self) {
        self.strikes.clear();
        self.clashes.clear();
    }

    /// Goes on from a settled state, given the touches in which something has changed. The others
    /// have struck already, if they could.
    pub fn advance(&mut self, storage: &Storage, fresh: &[ContactPair]) {
        self.struck.retain(|&[attacker, victim]| {
            is_swinging(storage, attacker) && storage.body(victim).is_some()
        });
        self.clashed.retain(|bodies| bodies.iter().all(|&body| is_swinging(storage, body)));
        for touch in fresh.iter().filter(|touch| touch.is_combat) {
            self.consider(storage, touch);
        }
        self.choose();
    }

    /// That what is searched can be.
    #[cfg(feature = "serde")]
    pub fn is_in_order(&self) -> bool {
        self.struck.is_sorted() && self.clashed.is_sorted()
    }

    /// Takes part in the hash of the world.
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

    /// Notes a touch that may be a strike or a clash.
    fn consider(&mut self, storage: &Storage, touch: &ContactPair) {
        let (Some(contact), [a, b]) = (touch.contact, touch.pair) else { return };
        let [first, second] = touch.pair.map(|slot| storage.body_key_of(slot));
        if !self.rules.friendly_fire && are_allies(storage, a, b) {
            return;
        }
        let [a_role, b_role] = [a, b].map(|slot| storage.props[slot as usize].role);
        let [a, b] = [a, b].map(|slot| storage.collider_key(slot));
        match (a_role, b_role) {
            (Role::Hitbox, Role::Hitbox) => self.clash([first, second], [a, b], contact),
            (Role::Hitbox, _) => self.strike([first, second], [a, b], contact),
            _ => self.strike([second, first], [b, a], contact.swapped()),
        }
    }

    fn strike(&mut self, bodies: [BodyKey; 2], boxes: [ColliderKey; 2], contact: Contact) {
        if self.struck.binary_search(&bodies).is_err() {
            let ([attacker, victim], [hitbox, hurtbox]) = (bodies, boxes);
            self.strikes.push(Strike { attacker, victim, hitbox, hurtbox, contact });
        }
    }

    fn clash(&mut self, bodies: [BodyKey; 2], hitboxes: [ColliderKey; 2], contact: Contact) {
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

    /// Leaves the deepest of the blows between two bodies, and remembers it.
    fn choose(&mut self) {
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

/// Whether two colliders are of bodies on the same side.
fn are_allies(storage: &Storage, a: u32, b: u32) -> bool {
    let team = |slot| storage.body_of(slot).map_or(0, |body| body.team);
    team(a) != 0 && team(a) == team(b)
}

/// Whether a body is there and has a hitbox that takes part.
fn is_swinging(storage: &Storage, body: BodyKey) -> bool {
    storage.colliders_of(body).any(|collider| {
        storage.props[collider.slot as usize].role == Role::Hitbox
            && storage.mobility_of(collider.slot).is_some()
    })
}

/// # Strikes
///
/// A hitbox that meets a hurtbox of another body strikes it: once in a swing. A swing goes on for as
/// long as the body has a hitbox that takes part; the next one starts when a hitbox appears again, or
/// with [`start_swing`](Self::start_swing) at any time. Bodies of one team do not strike each other,
/// and hitboxes do not meet hitboxes, unless the [rules](StrikeRules) say so.
///
/// ```
/// use carom::prelude::*;
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
    /// Starts a new swing of a body's hitboxes: with the next update they strike anew whom they meet.
    ///
    /// # Errors
    /// [`WorldError::NoSuchBody`]
    pub fn start_swing(&mut self, body: BodyKey) -> Result<(), WorldError> {
        self.storage.body(body).ok_or(WorldError::NoSuchBody(body))?;
        self.strikes.struck.retain(|&[attacker, _]| attacker != body);
        self.strikes.clashed.retain(|bodies| !bodies.contains(&body));
        self.mark_combat_boxes_dirty(body);
        Ok(())
    }

    /// Who struck whom in the last update: the same as [`Events::strikes`](crate::world::Events::strikes).
    pub fn strikes(&self) -> &[Strike] {
        self.strikes.strikes()
    }

    /// Whose hitboxes clashed in the last update: the same as [`Events::clashes`](crate::world::Events::clashes).
    pub fn clashes(&self) -> &[Clash] {
        self.strikes.clashes()
    }

    /// Whom a body has struck in the swing that goes on, as of the last update, in the order of
    /// their keys.
    pub fn struck_by(&self, attacker: BodyKey) -> impl Iterator<Item = BodyKey> {
        let struck = &self.strikes.struck;
        let start = struck.partition_point(|&[other, _]| other < attacker);
        let swing = struck[start..].iter().take_while(move |&&[other, _]| other == attacker);
        swing.map(|&[_, victim]| victim)
    }

    /// What counts as a strike.
    pub fn strike_rules(&self) -> StrikeRules {
        self.strikes.rules
    }

    /// Sets what counts as a strike, from the next update on.
    pub fn set_strike_rules(&mut self, rules: StrikeRules) {
        self.strikes.rules = rules;
        let bodies: Vec<BodyKey> = self.bodies().map(|(key, _)| key).collect();
        bodies.into_iter().for_each(|body| self.mark_combat_boxes_dirty(body));
    }

    /// Has the next update ask about what strikes and is struck of a body as if it had moved.
    pub(crate) fn mark_combat_boxes_dirty(&mut self, body: BodyKey) {
        let mut slot = self.storage.first_collider(body.slot);
        while slot != NONE {
            if self.storage.props[slot as usize].is_combat_box() {
                self.storage.dirty.set(slot);
            }
            slot = self.storage.next_collider(slot);
        }
        self.is_up_to_date = false;
    }
}
