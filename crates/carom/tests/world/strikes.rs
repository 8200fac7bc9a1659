//! Strikes (W3): attacker, victim and boxes, once per swing.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::rng::Rng;
use carom::prelude::*;
use carom::sheet::Role;
use carom::world::{Layer, Rehit, StrikeRules, Swings};

fn fist(at: [f32; 2], radius: f32) -> Collider {
    Collider::new(Circle::new(at, radius)).with_role(Role::Hitbox)
}

fn body(at: [f32; 2], radius: f32) -> Collider {
    Collider::new(Circle::new(at, radius)).with_role(Role::Hurtbox)
}

/// Returns a world of bodies, each with its colliders.
fn world(bodies: Vec<(Body, Vec<Collider>)>) -> (World, Vec<BodyKey>, Vec<ColliderKey>) {
    let (mut world, mut keys, mut boxes) = (World::new(), Vec::new(), Vec::new());
    for (body, colliders) in bodies {
        let key = world.add_body(body).unwrap();
        boxes.extend(colliders.into_iter().map(|it| world.add_collider(key, it).unwrap()));
        keys.push(key);
    }
    (world, keys, boxes)
}

/// Updates the world and returns attacker and victim of each strike.
fn strikes(world: &mut World) -> Vec<[BodyKey; 2]> {
    world.update().strikes().iter().map(|strike| [strike.attacker, strike.victim]).collect()
}

#[test]
fn w3_a_strike_names_attacker_victim_boxes_and_contact() {
    let (mut world, bodies, boxes) = world(vec![
        (Body::moving([9.0, 0.0]), vec![body([0.0, 0.0], 1.0)]),
        (Body::moving([0.0, 0.0]), vec![body([0.0, 0.0], 1.0), fist([8.0, 0.0], 0.5)]),
    ]);
    let events = world.update();
    let [strike] = events.strikes() else { panic!("one strike") };
    assert_eq!((strike.attacker, strike.victim), (bodies[1], bodies[0]));
    assert_eq!((strike.hitbox, strike.hurtbox), (boxes[2], boxes[0]));
    assert_eq!(strike.contact.depth, 0.5);
    assert_eq!(strike.contact.normal, Vec2::new(-1.0, 0.0)); // out of the victim, towards the attacker
    assert_eq!(events.began().count(), 1); // strikes come with the events
}

#[test]
fn w3_a_victim_is_struck_once_per_swing() {
    let (mut world, bodies, boxes) = world(vec![
        (Body::moving([0.0, 0.0]), vec![fist([2.0, 0.0], 0.5)]),
        (Body::moving([3.0, 0.0]), vec![body([0.0, 0.0], 1.0)]),
        (Body::moving([30.0, 0.0]), vec![body([0.0, 0.0], 1.0)]),
    ]);
    assert_eq!(strikes(&mut world), [[bodies[0], bodies[1]]]);
    for _ in 0..3 {
        world.translate(bodies[1], [-0.125, 0.0]).unwrap();
        assert!(strikes(&mut world).is_empty()); // still the same swing
    }
    assert!(world.struck_by(bodies[0]).eq([bodies[1]]));
    world.set_position(bodies[2], [2.0, 0.0]).unwrap();
    assert_eq!(strikes(&mut world), [[bodies[0], bodies[2]]]); // another victim
    assert!(strikes(&mut world).is_empty());

    world.start_swing(bodies[0]).unwrap();
    assert_eq!(strikes(&mut world), [[bodies[0], bodies[1]], [bodies[0], bodies[2]]]);

    // A hitbox that was disabled during an update starts a new swing; without an update in between it does not.
    world.set_collider_enabled(boxes[0], false).unwrap();
    world.set_collider_enabled(boxes[0], true).unwrap();
    assert!(strikes(&mut world).is_empty());
    world.set_collider_enabled(boxes[0], false).unwrap();
    assert!(strikes(&mut world).is_empty());
    world.set_collider_enabled(boxes[0], true).unwrap();
    assert_eq!(strikes(&mut world).len(), 2);
}

#[test]
fn w3_the_deepest_pair_of_boxes_is_reported() {
    let (mut world, bodies, boxes) = world(vec![
        (Body::moving([0.0, 0.0]), vec![fist([0.0, 0.0], 0.5), fist([0.0, 5.0], 1.0)]),
        (Body::moving([1.0, 0.0]), vec![body([0.0, 0.0], 1.0), body([0.0, 5.0], 1.0)]),
        (Body::moving([-1.0, 0.0]), vec![body([0.0, 0.0], 0.625), body([0.0, 0.0], 0.625)]),
    ]);
    let events = world.update();
    let reported: Vec<_> =
        events.strikes().iter().map(|s| (s.victim, s.hitbox, s.hurtbox)).collect();
    assert_eq!(
        reported,
        [(bodies[1], boxes[1], boxes[3]), (bodies[2], boxes[0], boxes[4])] // the first of equally deep pairs
    );
}

#[test]
fn w3_self_and_team_are_spared_without_friendly_fire() {
    let fighter = |x: f32, team| {
        let boxes = vec![body([0.0, 0.0], 1.0), fist([0.0, 0.0], 1.0)];
        (Body::moving([x, 0.0]).with_team(team), boxes)
    };
    let (mut world, keys, _) = world(vec![fighter(0.0, 1), fighter(1.0, 1), fighter(0.5, 2)]);
    let [a, b, foe] = keys[..] else { panic!("three") };
    assert_eq!(strikes(&mut world), [[a, foe], [b, foe], [foe, a], [foe, b]]);

    world.set_strike_rules(StrikeRules::default().with_friendly_fire(true));
    assert_eq!(strikes(&mut world), [[a, b], [b, a]]);

    world.set_strike_rules(StrikeRules::default());
    for key in [a, b, foe] {
        world.set_team(key, 0).unwrap(); // no team
        world.start_swing(key).unwrap();
    }
    assert_eq!(strikes(&mut world).len(), 6);
    world.start_swing(foe).unwrap();
    world.set_team(foe, 7).unwrap();
    world.set_team(a, 7).unwrap();
    assert_eq!(strikes(&mut world), [[foe, b]]);
    world.set_team(a, 8).unwrap(); // changes teams during the swing
    assert_eq!(strikes(&mut world), [[foe, a]]);
}

#[test]
fn w3_hitboxes_clash_only_if_the_rules_allow_it() {
    let (mut world, bodies, boxes) = world(vec![
        (Body::moving([0.0, 0.0]), vec![fist([1.0, 0.0], 0.5), fist([1.25, 0.0], 0.5)]),
        (Body::moving([3.0, 0.0]), vec![fist([-1.0, 0.0], 0.5)]),
    ]);
    let events = world.update();
    assert!(events.is_empty() && events.strikes().is_empty() && events.clashes().is_empty());

    world.set_strike_rules(StrikeRules::default().with_clashes(true));
    let events = world.update();
    assert!(events.strikes().is_empty());
    let [clash] = events.clashes() else { panic!("one clash") };
    assert_eq!(clash.bodies, [bodies[0], bodies[1]]);
    assert_eq!(clash.hitboxes, [boxes[1], boxes[2]]); // the deepest
    assert_eq!(clash.contact.normal, Vec2::new(-1.0, 0.0)); // towards the first

    world.translate(bodies[0], [0.125, 0.0]).unwrap();
    assert!(world.update().clashes().is_empty()); // once per swing
    world.start_swing(bodies[1]).unwrap();
    assert_eq!(world.update().clashes().len(), 1); // of either
}

#[test]
fn w3_a_body_with_a_new_key_can_be_struck_again() {
    let (mut world, bodies, _) = world(vec![
        (Body::moving([0.0, 0.0]), vec![fist([0.0, 0.0], 1.0)]),
        (Body::moving([1.0, 0.0]), vec![body([0.0, 0.0], 1.0)]),
    ]);
    assert_eq!(strikes(&mut world).len(), 1);
    world.remove_body(bodies[1]).unwrap();
    assert!(strikes(&mut world).is_empty());
    assert_eq!(world.struck_by(bodies[0]).count(), 0);
    let heir = world.add_body(Body::moving([1.0, 0.0])).unwrap();
    world.add_collider(heir, body([0.0, 0.0], 1.0)).unwrap();
    assert_eq!(heir.to_bits() as u32, bodies[1].to_bits() as u32); // the same slot
    assert_eq!(strikes(&mut world), [[bodies[0], heir]]);
}

#[test]
fn w3_a_stale_key_cannot_swing() {
    let (mut world, bodies, _) = world(vec![(Body::moving([0.0, 0.0]), vec![])]);
    world.remove_body(bodies[0]).unwrap();
    assert_eq!(world.start_swing(bodies[0]), Err(WorldError::NoSuchBody(bodies[0])));
    assert_eq!(world.struck_by(bodies[0]).count(), 0);
}

/// Computes the expected strikes from the rules, for all pairs of colliders.
#[derive(Default)]
struct Model {
    struck: BTreeSet<[BodyKey; 2]>,
}

impl Model {
    fn update(&mut self, world: &World) -> Vec<[u64; 5]> {
        let active: Vec<_> =
            world.colliders().filter(|it| it.enabled() && it.body().enabled).collect();
        let of = |role| active.iter().filter(move |it| it.role() == role);
        self.struck.retain(|&[attacker, victim]| {
            of(Role::Hitbox).any(|it| it.body_key() == attacker) && world.body(victim).is_some()
        });
        let mut best = BTreeMap::new();
        for hit in of(Role::Hitbox) {
            for hurt in of(Role::Hurtbox) {
                let (a, b) = (hit.body(), hurt.body());
                let apart = hit.body_key() == hurt.body_key()
                    || a.mobility == b.mobility && a.mobility == carom::broad::Mobility::Fixed
                    || a.team == b.team && a.team != 0 && !world.strike_rules().friendly_fire
                    || !hit.mask().intersects(hurt.layers())
                    || !hurt.mask().intersects(hit.layers());
                let bodies = [hit.body_key(), hurt.body_key()];
                if apart || self.struck.contains(&bodies) {
                    continue;
                }
                let contact = hit.placed().contact(&hurt.placed());
                if let Some(contact) = contact.filter(|contact| contact.depth > 0.0) {
                    let blow = (-contact.depth, hit.key(), hurt.key());
                    let best = best.entry(bodies).or_insert(blow);
                    if blow < *best {
                        *best = blow;
                    }
                }
            }
        }
        self.struck.extend(best.keys());
        let reported = best.iter().map(|([a, v], (depth, hit, hurt))| {
            let depth = (-depth).to_bits().into();
            [a.to_bits(), v.to_bits(), hit.to_bits(), hurt.to_bits(), depth]
        });
        reported.collect()
    }
}

fn reported(world: &World) -> Vec<[u64; 5]> {
    let strikes = world.strikes().iter().map(|s| {
        let boxes = [s.hitbox, s.hurtbox].map(ColliderKey::to_bits);
        let depth = s.contact.depth.to_bits().into();
        [s.attacker.to_bits(), s.victim.to_bits(), boxes[0], boxes[1], depth]
    });
    strikes.collect()
}

/// Applies a random event of a fight.
fn stir(rng: &mut Rng, world: &mut World, model: &mut Model) -> Result<(), WorldError> {
    let bodies: Vec<BodyKey> = world.bodies().map(|(key, _)| key).collect();
    let boxes: Vec<ColliderKey> = world.colliders().map(|it| it.key()).collect();
    let place = |rng: &mut Rng| [rng.between(0, 8) as f32 * 0.5, rng.between(0, 4) as f32 * 0.5];
    if bodies.len() < 6 || rng.one_in(20) {
        let at = place(rng);
        let body = if rng.one_in(5) { Body::fixed(at) } else { Body::moving(at) };
        let key = world.add_body(body.with_team(rng.below(3) as u32))?;
        for _ in 0..rng.between(1, 4) {
            let shape: Shape = match rng.below(3) {
                0 => Circle::new(place(rng), rng.between(1, 3) as f32 * 0.5).into(),
                1 => Aabb::from_min_size(place(rng), [1.0, 0.5]).into(),
                _ => Segment::new(place(rng), place(rng)).into(),
            };
            let role = rng.pick(&[Role::Hitbox, Role::Hurtbox, Role::Hurtbox, Role::Solid]);
            let mask = rng.pick(&[Layers::ALL, Layers::ALL, Layer::DEFAULT.into()]);
            let layer = rng.pick(&[Layer::DEFAULT, Layer::DEFAULT, Layer::new(3)]);
            world.add_collider(
                key,
                Collider::new(shape).with_role(role).on_layer(layer).with_mask(mask),
            )?;
        }
        return Ok(());
    }
    let key = rng.pick(&bodies);
    match rng.below(10) {
        0 => world.set_team(key, rng.below(3) as u32),
        1 => {
            model.struck.retain(|&[attacker, _]| attacker != key);
            world.start_swing(key)
        }
        2 => world.set_enabled(key, !rng.one_in(3)),
        3 if rng.one_in(3) => world.remove_body(key).map(drop),
        4 => world.set_collider_enabled(rng.pick(&boxes), !rng.one_in(3)),
        5 => world.set_role(rng.pick(&boxes), rng.pick(&[Role::Hitbox, Role::Hurtbox])),
        6 if rng.one_in(3) => {
            let rules = StrikeRules::default().with_friendly_fire(rng.one_in(2));
            world.set_strike_rules(rules.with_clashes(rng.one_in(2)));
            Ok(())
        }
        _ => world.set_position(key, place(rng)),
    }
}

#[test]
fn w3_random_fights_and_their_copies_follow_the_rules() {
    let mut count = 0;
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let (mut world, mut model) = (World::new(), Model::default());
        let mut copy = None;
        for tick in 0..150 {
            for _ in 0..rng.below(6) {
                stir(&mut rng, &mut world, &mut model).unwrap();
            }
            if rng.one_in(10) {
                copy = Some(world.clone());
            }
            world.update();
            let expected = model.update(&world);
            assert_eq!(reported(&world), expected, "seed {seed}, tick {tick}");
            count += expected.len();
            if let Some(mut copy) = copy.take() {
                copy.update();
                assert_eq!(reported(&copy), expected, "seed {seed}, tick {tick}: the copy");
                world = copy; // and the fight goes on in it
            }
        }
    }
    assert!(count > 60 * 20, "only {count} strikes: these are no fights");
}

#[test]
fn struck_by_does_not_list_a_removed_body() {
    let (mut world, bodies, _) = world(vec![
        (Body::moving([0.0, 0.0]), vec![fist([1.0, 0.0], 0.5)]),
        (Body::moving([1.0, 0.0]), vec![body([0.0, 0.0], 0.5)]),
    ]);
    world.update();
    assert_eq!(world.struck_by(bodies[0]).collect::<Vec<_>>(), [bodies[1]]);
    let snapshot = world.clone();
    world.remove_body(bodies[1]).unwrap();
    assert_eq!(world.struck_by(bodies[0]).count(), 0);
    world.clone_from(&snapshot);
    world.remove_body(bodies[0]).unwrap();
    assert_eq!(world.struck_by(bodies[0]).count(), 0);
}

#[test]
fn a_change_of_the_hitboxes_that_share_a_swing_restarts_all_swings() {
    let (mut world, bodies, _) = world(vec![
        (Body::moving([0.0, 0.0]), vec![fist([0.0, 0.5], 1.0), fist([0.0, -0.5], 1.0)]),
        (Body::moving([1.0, 0.0]), vec![body([0.0, 0.0], 1.0)]),
    ]);
    assert_eq!(world.update().strikes().len(), 1);
    world.set_strike_rules(StrikeRules::default().with_swings(Swings::PerHitbox));
    assert_eq!(world.struck_by(bodies[0]).count(), 0);
    assert_eq!(world.update().strikes().len(), 2);
    world.set_strike_rules(StrikeRules::default());
    assert_eq!(world.update().strikes().len(), 1);
}

/// Returns the ticks of the next updates in which there are strikes, counted from 0.
fn strike_ticks(world: &mut World, updates: usize) -> Vec<usize> {
    (0..updates).filter(|_| !world.update().strikes().is_empty()).collect()
}

#[test]
fn lava_strikes_again_after_some_ticks_although_nothing_moves() {
    let lava = fist([0.0, 0.0], 1.0).with_rehit(Rehit::AfterTicks(3));
    let (mut world, bodies, _) = world(vec![
        (Body::fixed([0.0, 0.0]), vec![lava]),
        (Body::moving([1.0, 0.0]), vec![body([0.0, 0.0], 1.0)]),
    ]);
    assert_eq!(strike_ticks(&mut world, 10), [0, 3, 6, 9]);
    let snapshot = world.clone();
    assert_eq!(strike_ticks(&mut world, 4), [2]);
    world.clone_from(&snapshot);
    world.set_position(bodies[1], [9.0, 0.0]).unwrap();
    assert_eq!(strike_ticks(&mut world, 4).len(), 0);
    world.set_position(bodies[1], [1.0, 0.0]).unwrap();
    assert_eq!(strike_ticks(&mut world, 4), [0, 3]);
}

#[test]
fn spikes_strike_again_after_parting() {
    let spikes = fist([0.0, 0.0], 1.0).with_rehit(Rehit::AfterParting);
    let (mut world, bodies, _) = world(vec![
        (Body::fixed([0.0, 0.0]), vec![spikes]),
        (Body::moving([1.0, 0.0]), vec![body([0.0, 0.0], 1.0), body([0.5, 0.0], 1.0)]),
    ]);
    assert_eq!(strike_ticks(&mut world, 3), [0]);
    world.set_position(bodies[1], [1.75, 0.0]).unwrap(); // one of its boxes has parted
    assert_eq!(strike_ticks(&mut world, 3).len(), 0);
    world.set_position(bodies[1], [2.75, 0.0]).unwrap(); // both have
    assert_eq!(strike_ticks(&mut world, 3).len(), 0);
    world.set_position(bodies[1], [1.0, 0.0]).unwrap();
    assert_eq!(strike_ticks(&mut world, 3), [0]);
}

#[test]
fn a_hurtbox_that_becomes_a_hitbox_counts_as_parted() {
    let spikes = fist([0.0, 0.0], 1.0).with_rehit(Rehit::AfterParting);
    let (mut world, bodies, boxes) = world(vec![
        (Body::fixed([0.0, 0.0]), vec![spikes]),
        (Body::moving([1.0, 0.0]), vec![body([0.0, 0.0], 1.0)]),
    ]);
    world.set_strike_rules(StrikeRules::default().with_clashes(true));
    assert_eq!(strike_ticks(&mut world, 2), [0]);
    world.set_role(boxes[1], Role::Hitbox).unwrap();
    assert_eq!(world.update().stayed().count(), 1); // the pair goes on as a clash
    assert_eq!(world.struck_by(bodies[0]).count(), 0);
    world.set_role(boxes[1], Role::Hurtbox).unwrap();
    assert_eq!(strike_ticks(&mut world, 2), [0]);
}

#[test]
fn two_guns_have_separate_swings_if_the_rules_allow_it() {
    for (swings, expected) in [(Swings::PerBody, 1), (Swings::PerHitbox, 2)] {
        let (mut world, bodies, boxes) = world(vec![
            (Body::moving([0.0, 0.0]), vec![fist([0.0, 0.5], 1.0), fist([0.0, -0.5], 1.0)]),
            (Body::moving([1.0, 0.0]), vec![body([0.0, 0.0], 1.0)]),
        ]);
        world.set_strike_rules(StrikeRules::default().with_swings(swings));
        assert_eq!(world.update().strikes().len(), expected);
        assert_eq!(world.struck_by(bodies[0]).collect::<Vec<_>>(), [bodies[1]]);
        // A gun that pauses strikes again, if the other one does not keep its swing going.
        world.set_collider_enabled(boxes[1], false).unwrap();
        assert_eq!(world.update().strikes().len(), 0);
        world.set_collider_enabled(boxes[1], true).unwrap();
        assert_eq!(world.update().strikes().len(), expected - 1);
    }
}

#[test]
fn chained_attacks_are_separate_swings_if_each_hitbox_has_its_own() {
    use carom::sheet::{Frame, Sheet};
    let frame =
        |name: &str, limb: &str| Frame::new(name).hitbox(limb, Circle::new([1.0, 0.0], 1.0));
    let mut world = World::new();
    world.set_strike_rules(StrikeRules::default().with_swings(Swings::PerHitbox));
    let frames = [frame("punch", "fist"), frame("punch on", "fist"), frame("kick", "foot")];
    let sheet = world.add_sheet(Sheet::from_frames(frames).unwrap()).unwrap();
    let ann = world.add_body(Body::moving([0.0, 0.0])).unwrap();
    world.spawn(Body::moving([2.0, 0.0]), [body([0.0, 0.0], 1.0)]).unwrap();
    let mut found = Vec::new();
    for frame in ["punch", "punch on", "kick", "kick"] {
        world.set_frame(ann, sheet, frame).unwrap();
        found.push(world.update().strikes().len());
    }
    assert_eq!(found, [1, 0, 1, 0]);
}

#[test]
fn neighbors_on_a_grid_do_not_strike_each_other_by_default() {
    let cell = || Collider::new(Aabb::new([0.0, 0.0], [1.0, 1.0]));
    let (mut world, bodies, _) = world(vec![
        (Body::moving([0.0, 0.0]), vec![cell().with_role(Role::Hitbox)]),
        (Body::moving([1.0, 0.0]), vec![cell().with_role(Role::Hurtbox)]),
    ]);
    let events = world.update();
    assert_eq!((events.strikes().len(), events.began().count()), (0, 1));
    world.translate(bodies[1], [-0.125, 0.0]).unwrap();
    assert_eq!(world.update().strikes().len(), 1);
    world.translate(bodies[1], [0.125, 0.0]).unwrap();
    world.start_swing(bodies[0]).unwrap();
    assert_eq!(world.update().strikes().len(), 0);
    world.set_strike_rules(StrikeRules::default().with_touching(true));
    assert_eq!(world.update().strikes().len(), 1);
}

#[test]
fn a_range_sensor_can_see_enemies_that_have_hurtboxes_only() {
    let range = || Collider::sensor(Circle::new([0.0, 0.0], 3.0));
    let (mut world, bodies, sensors) = world(vec![
        (Body::fixed([0.0, 0.0]), vec![range(), range().detecting_hurtboxes()]),
        (Body::moving([2.0, 0.0]), vec![body([0.0, 0.0], 0.5)]),
    ]);
    let events = world.update();
    assert_eq!((events.began().count(), events.strikes().len()), (1, 0));
    assert_eq!(world.touching(sensors[0]).count(), 0);
    assert_eq!(world.touching(sensors[1]).next().unwrap().bodies, bodies[..]);
}
