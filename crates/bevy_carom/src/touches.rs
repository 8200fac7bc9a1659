//! Finds touches and strikes, and reports them.

use bevy_ecs::prelude::*;
use carom::query::Contact;
use carom::world::EventKind;

use crate::{
    BodyTouchBegan, BodyTouchEnded, CaromWorld, InvalidComponent, Struck, TouchBegan, TouchEnded,
    linked,
};

pub(crate) fn report_touches(
    mut carom: ResMut<CaromWorld>,
    mut began: MessageWriter<TouchBegan>,
    mut ended: MessageWriter<TouchEnded>,
    mut bodies_began: MessageWriter<BodyTouchBegan>,
    mut bodies_ended: MessageWriter<BodyTouchEnded>,
    mut struck: MessageWriter<Struck>,
    mut invalid: MessageWriter<InvalidComponent>,
    mut commands: Commands,
) {
    let CaromWorld { collisions, bodies, colliders, .. } = &mut *carom;
    let events = match collisions.try_update() {
        Ok(events) => events,
        Err(error) => {
            invalid.write(InvalidComponent { entity: None, reason: error.to_string() });
            return;
        }
    };
    for event in events.iter().filter(|event| event.kind != EventKind::Stayed) {
        for side in [0, 1] {
            let [entity, other] =
                [side, 1 - side].map(|side| linked(colliders, event.colliders[side]));
            let [body, other_body] =
                [side, 1 - side].map(|side| linked(bodies, event.bodies[side]));
            if event.kind == EventKind::Began {
                let contact =
                    if side == 0 { event.contact } else { event.contact.map(Contact::swapped) };
                let touch =
                    TouchBegan { entity, collider: entity, body, other, other_body, contact };
                began.write(touch);
                commands.trigger(touch);
            } else {
                let touch = TouchEnded { entity, collider: entity, body, other, other_body };
                ended.write(touch);
                commands.trigger(touch);
            }
        }
    }
    for event in events.body_events() {
        for side in [0, 1] {
            let [entity, other] = [side, 1 - side].map(|side| linked(bodies, event.bodies[side]));
            match event.kind {
                EventKind::Began => {
                    let touch = BodyTouchBegan { entity, other };
                    bodies_began.write(touch);
                    commands.trigger(touch);
                }
                EventKind::Ended => {
                    let touch = BodyTouchEnded { entity, other };
                    bodies_ended.write(touch);
                    commands.trigger(touch);
                }
                _ => {}
            }
        }
    }
    for strike in events.strikes() {
        let event = Struck {
            entity: linked(bodies, strike.victim),
            attacker: linked(bodies, strike.attacker),
            hitbox: linked(colliders, strike.hitbox),
            hurtbox: linked(colliders, strike.hurtbox),
            contact: strike.contact,
            keys: [strike.hitbox, strike.hurtbox],
        };
        struck.write(event);
        commands.trigger(event);
    }
}
