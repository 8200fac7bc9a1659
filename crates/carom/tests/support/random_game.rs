//! A random game: calls on a world that depend only on its state and a seed, so that the same frame can be
//! played again.

use std::collections::BTreeMap;

use carom::broad::Mobility;
use carom::prelude::*;
use carom::sheet::Role;
use carom::world::{ColliderRef, EventKind, Layer};

use super::rng::Rng;

/// The contacts, by the colliders' keys.
pub type Touches = BTreeMap<[ColliderKey; 2], Option<Contact>>;

/// Plays one frame: a few calls of every kind.
pub fn play(world: &mut World, seed: u64, frame: u64) {
    let mut rng = Rng::new(seed ^ frame << 20);
    if world.body_count() < 40 {
        for _ in 0..3 {
            add_body(world, &mut rng);
        }
    }
    for _ in 0..rng.below(30) {
        random_call(world, &mut rng);
    }
}

fn random_call(world: &mut World, rng: &mut Rng) {
    let bodies: Vec<BodyKey> = world.bodies().map(|(key, _)| key).collect();
    let colliders: Vec<ColliderKey> = world.colliders().map(|collider| collider.key()).collect();
    if bodies.is_empty() || colliders.is_empty() {
        return add_body(world, rng);
    }
    let (body, collider) = (rng.pick(&bodies), rng.pick(&colliders));
    let done = match rng.below(34) {
        0 => {
            add_body(world, rng);
            Ok(())
        }
        1 => world.remove_body(body).map(|_| ()),
        2 => world.remove_collider(collider),
        3 => world.add_collider(body, any_collider(rng)).map(|_| ()),
        4 => world.set_enabled(body, rng.one_in(2)),
        5 => world.set_collider_enabled(collider, rng.one_in(2)),
        6 => world.set_layers(collider, any_layer(rng)),
        7 => world.set_mask(collider, Layers::from_bits(rng.next())),
        8 => world.set_role(collider, any_role(rng)),
        9 => world.set_shape(collider, any_shape(rng)),
        10 => world.set_mobility(body, any_mobility(rng)),
        11 => world.set_pose(body, Pose::new(place(rng), rng.signed() * 3.0)),
        12 => world.set_pose(
            body,
            Pose::from_translation(place(rng)).with_scale(0.5 + rng.below(3) as f32),
        ),
        13 => world.set_pushable(body, rng.one_in(2)),
        14 => world.set_swept(body, rng.one_in(2)),
        15 => {
            let (motion, limit) = ([quarter(rng, 12), quarter(rng, 12)], rng.below(4) as u32);
            world.travel(body, motion, |_| Response::Push(limit)).map(|_| ())
        }
        16 => {
            let (motion, mut state) = ([quarter(rng, 12), -0.25], WalkerState::new());
            world.walk(body, &Walker::new(), &mut state, motion).map(|_| ())
        }
        17 => world.carry(body, [quarter(rng, 4), quarter(rng, 4)]).map(|_| ()),
        18 => {
            let Pose { position, rotation, .. } = world.body(body).expect("it is there").pose;
            let turned = Pose::new(position, rotation.angle() + rng.signed());
            world.carry_to(body, turned).map(|_| ())
        }
        19 | 20 => edit(world, collider, rng),
        _ => world.translate(body, [quarter(rng, 8), quarter(rng, 8)]),
    };
    done.expect("the keys are good");
}

/// Changes a tile or a pixel. Colliders of other shapes become a map or a mask.
fn edit(world: &mut World, collider: ColliderKey, rng: &mut Rng) -> Result<(), WorldError> {
    let (cell, fills) = ([rng.below(4) as u32, rng.below(4) as u32], rng.one_in(2));
    let kind = if fills { TileMap::SOLID } else { TileMap::EMPTY };
    let has_map = world.edit_tiles(collider, |map| map.set(cell, kind)).is_ok();
    let has_mask =
        world.edit_mask(collider, |mask| mask.edit(|pixels| _ = pixels.set(cell, fills))).is_ok();
    match (has_map || has_mask, fills) {
        (true, _) => Ok(()),
        (false, true) => world.set_shape(collider, TileMap::new([-1.0, -1.0], [0.5, 0.5], [4, 4])),
        (false, false) => {
            let mut pixels = Bitmap::new(4, 4);
            pixels.fill();
            world.set_shape(collider, Mask::new([-1.0, -1.0], 0.5, pixels))
        }
    }
}

fn add_body(world: &mut World, rng: &mut Rng) {
    let mobility = any_mobility(rng);
    let body = Body::moving(place(rng)).with_mobility(mobility);
    let key = world.add_body(body).expect("the pose is good");
    for _ in 0..1 + rng.below(3) {
        world.add_collider(key, any_collider(rng)).expect("the body is there");
    }
}

fn any_collider(rng: &mut Rng) -> Collider {
    let collider = Collider::new(any_shape(rng)).on_layer(any_layer(rng)).with_role(any_role(rng));
    collider.with_tag(rng.below(4) as u32).with_user_data(rng.next())
}

fn any_layer(rng: &mut Rng) -> Layer {
    Layer::new(rng.below(3) as u8)
}

fn any_role(rng: &mut Rng) -> Role {
    rng.pick(&[Role::Solid, Role::Solid, Role::Solid, Role::Sensor, Role::Hitbox, Role::Hurtbox])
}

fn any_mobility(rng: &mut Rng) -> Mobility {
    rng.pick(&[Mobility::Moving, Mobility::Moving, Mobility::Fixed])
}

/// Returns a shape around the origin, usually with grid coordinates, so that exact touching is common.
pub fn any_shape(rng: &mut Rng) -> Shape {
    let half = [0.25 + quarter(rng, 4).abs(), 0.25 + quarter(rng, 4).abs()];
    let square = |at: f32| Aabb::from_center_half_size([at, 0.0], half);
    match rng.below(10) {
        0 => Circle::new([quarter(rng, 4), 0.0], half[0]).into(),
        1 => Obb::new([0.0, 0.0], half, rng.signed() * 3.0).into(),
        2 => Capsule::new([-half[0], 0.0], [half[0], quarter(rng, 4)], half[1]).into(),
        3 => ConvexPolygon::new(&[[-half[0], 0.0], [0.0, -half[1]], [half[0], 0.0], [0.0, 1.0]])
            .into(),
        4 => Segment::new([-half[0], 0.0], half).into(),
        5 => Point::new([quarter(rng, 4), quarter(rng, 4)]).into(),
        6 => Chain::new(&[[-2.0, 0.0], [0.0, half[1]], [2.0, 0.0]]).into(),
        7 => Compound::new([square(-half[0]), square(half[0])]).into(),
        _ => square(quarter(rng, 4)).into(),
    }
}

fn quarter(rng: &mut Rng, most: i64) -> f32 {
    rng.between(-most, most) as f32 / 4.0
}

fn place(rng: &mut Rng) -> Vec2 {
    Vec2::new(quarter(rng, 40), quarter(rng, 40))
}

/// Returns the contacts of a world by testing every pair of colliders.
pub fn all_touches(world: &World) -> Touches {
    let colliders: Vec<ColliderRef<'_>> = world.colliders().collect();
    let takes_part = |c: &ColliderRef<'_>| c.enabled() && c.body().enabled;
    let mut touches = Touches::new();
    for (i, a) in colliders.iter().enumerate().filter(|(_, a)| takes_part(a)) {
        for b in colliders[i + 1..].iter().filter(|b| takes_part(b)) {
            if can_touch(a, b) && a.placed().intersects(&b.placed()) {
                let notices = a.role() == Role::Sensor || b.role() == Role::Sensor;
                let contact = if notices { None } else { a.placed().contact(&b.placed()) };
                touches.insert([a.key(), b.key()], contact);
            }
        }
    }
    touches
}

/// Adds the pairs of bodies and what they stand on: they touch if they are within eight units in the last place of
/// the coordinates.
pub fn add_supported(world: &World, touches: &mut Touches) {
    for (body, record) in world.bodies() {
        let Some(support) = world.support(body) else { continue };
        for own in world.colliders_of(body).filter_map(|key| world.collider(key)) {
            let at = record.pose.position.as_dvec2();
            let [min, max] =
                [own.bounds().min(), own.bounds().max()].map(|corner| corner.as_dvec2());
            let reach =
                (min - at).abs().max((max - at).abs()).max_element() + at.abs().max_element();
            let gap = 8.0 * f64::from(f32::EPSILON) * reach;
            for other in world.colliders_of(support.body).filter_map(|key| world.collider(key)) {
                let takes_part = |c: &ColliderRef<'_>| c.enabled() && c.body().enabled;
                let is_solid = |c: &ColliderRef<'_>| c.role() != Role::Sensor;
                let is_near = f64::from(own.placed().distance(&other.placed())) <= gap;
                let colliders = [&own, &other];
                if !is_near
                    || !can_touch(&own, &other)
                    || !colliders.into_iter().all(|c| takes_part(c) && is_solid(c))
                {
                    continue;
                }
                let is_first = own.key() < other.key();
                let pair =
                    if is_first { [own.key(), other.key()] } else { [other.key(), own.key()] };
                touches.entry(pair).or_insert_with(|| {
                    let event = world.events().iter().find(|event| event.colliders == pair);
                    let contact = event.expect("a body touches its support").contact;
                    let (normal, depth) = contact.map(|it| (it.normal, it.depth)).unwrap();
                    let expected = if is_first { support.normal } else { -support.normal };
                    assert_eq!((normal, depth), (expected, 0.0));
                    contact
                });
            }
        }
    }
}

/// Adds the pairs that swept bodies have passed before the last update. The contact of a pair that does not touch
/// now is that of the moment of entering.
pub fn add_passed(world: &World, touches: &mut Touches) {
    for passage in world.passages() {
        let slots = [passage.collider, passage.other];
        let [Some(own), Some(other)] = slots.map(|key| world.collider(key)) else { continue };
        let takes_part = |c: &ColliderRef<'_>| c.enabled() && c.body().enabled;
        if !takes_part(&own) || !takes_part(&other) {
            continue;
        }
        let pair = if own.key() < other.key() { slots } else { [slots[1], slots[0]] };
        touches.entry(pair).or_insert_with(|| {
            let event = world.events().iter().find(|event| event.colliders == pair);
            let contact = event.expect("a passed pair has an event").contact;
            if let Some(contact) = contact {
                let normal = if pair == slots { passage.normal } else { -passage.normal };
                assert_eq!((contact.normal, contact.depth), (normal, 0.0));
            }
            contact
        });
    }
}

fn can_touch(a: &ColliderRef<'_>, b: &ColliderRef<'_>) -> bool {
    let fixed = |c: &ColliderRef<'_>| c.body().mobility == Mobility::Fixed;
    let roles = [a.role(), b.role()];
    let strike = roles.contains(&Role::Hitbox) && roles.contains(&Role::Hurtbox);
    let plain = roles.iter().all(|role| [Role::Solid, Role::Sensor].contains(role));
    a.body_key() != b.body_key()
        && !(fixed(a) && fixed(b))
        && a.mask().intersects(b.layers())
        && b.mask().intersects(a.layers())
        && (strike || plain)
}

/// Returns the expected events between two states.
pub fn expected_events(
    before: &Touches,
    now: &Touches,
) -> Vec<(EventKind, [ColliderKey; 2], Option<Contact>)> {
    let mut events: Vec<_> = now
        .iter()
        .map(|(&pair, &contact)| {
            let stayed = before.contains_key(&pair);
            (if stayed { EventKind::Stayed } else { EventKind::Began }, pair, contact)
        })
        .collect();
    let ended = before.keys().filter(|pair| !now.contains_key(*pair));
    events.extend(ended.map(|&pair| (EventKind::Ended, pair, None)));
    events.sort_by_key(|&(_, pair, _)| pair);
    events
}
