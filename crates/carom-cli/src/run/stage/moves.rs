//! How bodies move in a frame: along paths, in flight and on foot.

use std::error::Error;

use carom::prelude::*;
use carom_files::scene::{Input, Motion};

use super::path::place_on;
use super::{Happening, Stage};

/// Meetings below this speed are not worth telling.
const SLIGHT: f32 = -3.0;

impl Stage<'_> {
    /// Takes a platform along its path, with what stands on it.
    pub(super) fn follow(
        &mut self,
        i: usize,
        news: &mut Vec<Happening>,
    ) -> Result<(), Box<dyn Error>> {
        let Some(Motion::Path { points, speed, end }) = &self.scene.bodies[i].motion else {
            return Ok(());
        };
        let at = |way: f32| place_on(points, way, *end);
        let (from, to) = (self.actors[i].way, self.actors[i].way + speed / self.scene.rate);
        self.actors[i].way = to;
        let riders: Vec<(BodyKey, WalkerState)> =
            self.actors.iter().filter(|a| !a.is_gone).map(|a| (a.key, a.state)).collect();
        let platform = self.actors[i].key;
        let carry = self.built.world.carry(platform, at(to) - at(from), &riders)?;
        for &body in carry.squashed() {
            news.push(self.happening("squashed", &[platform, body], |names| {
                format!("{} squashes {}", names[0], names[1])
            }));
        }
        Ok(())
    }

    /// Moves what flies.
    pub(super) fn fly(
        &mut self,
        i: usize,
        news: &mut Vec<Happening>,
    ) -> Result<(), Box<dyn Error>> {
        let Some(Motion::Travel { falls, response, responses, restitution, spin, .. }) =
            &self.scene.bodies[i].motion
        else {
            return Ok(());
        };
        let (key, rate) = (self.actors[i].key, self.scene.rate);
        let mut velocity = self.actors[i].velocity;
        if *falls {
            velocity += self.scene.gravity / rate;
        }
        if *spin != 0.0
            && let Some(body) = self.built.world.body(key)
        {
            let angle = body.pose.rotation.angle() + spin / rate;
            self.built.world.set_angle(key, angle)?;
        }
        let layers = self.built.world.layer_names().to_vec();
        let reply = |other: ColliderRef<'_>| {
            let layer = &layers[usize::from(other.layer().number())];
            responses.get(layer).copied().unwrap_or(*response)
        };
        let travel = self.built.world.travel(key, velocity / rate, |encounter| {
            reply(encounter.other()).response(*restitution)
        })?;
        for hit in travel.hits() {
            let verb = match hit.response {
                Response::Touch => "stops at",
                Response::Cross => "crosses",
                Response::Slide => "slides along",
                _ => "bounces off",
            };
            velocity = match hit.response {
                Response::Touch => Vec2::ZERO,
                Response::Slide => hit.slid(velocity),
                Response::Bounce(keep) => hit.bounced(velocity, keep),
                _ => velocity,
            };
            let at = hit.point;
            let is_on_its_way = hit.depth > 0.0 && hit.response == Response::Cross;
            let is_news = !is_on_its_way && self.actors[i].velocity.dot(hit.normal) < SLIGHT;
            if is_news {
                news.push(self.happening("met", &[key, hit.body], |names| {
                    format!("{} {verb} {} at ({:.2}, {:.2})", names[0], names[1], at.x, at.y)
                }));
            }
        }
        self.actors[i].velocity = velocity;
        Ok(())
    }

    /// Moves what walks.
    pub(super) fn walk(
        &mut self,
        i: usize,
        news: &mut Vec<Happening>,
    ) -> Result<(), Box<dyn Error>> {
        let Some(Motion::Walk { speed, jump, input, walker }) = &self.scene.bodies[i].motion else {
            return Ok(());
        };
        let walker = Walker { up: self.scene.up, ..*walker };
        let (key, rate, up) = (self.actors[i].key, self.scene.rate, walker.up.normalize_or_zero());
        let Input { left, right, jump: jumps, drop, .. } = input.at(self.frame - 1);
        let mut state = self.actors[i].state;
        // To the right in the picture, which has y down where up is down.
        let along = if up.y < 0.0 { up.perp() } else { -up.perp() };
        let rise = self.actors[i].velocity.dot(up);
        let wanted = f32::from(i8::from(right) - i8::from(left)) * speed;
        let mut velocity = along * wanted + up * rise + self.scene.gravity / rate;
        if jumps && state.was_on_floor(6) {
            velocity = along * wanted + up * *jump;
            (state.floor, state.frames_in_air) = (None, u32::MAX); // no second jump from the air
            news.push(self.happening("jumped", &[key], |names| format!("{} jumps", names[0])));
        }
        if drop {
            state.drop_through();
        }
        let walk = self.built.world.walk(key, &walker, &mut state, velocity / rate)?;
        if walk.landed
            && let Some(floor) = &walk.floor
        {
            news.push(self.happening("landed", &[key, floor.body], |names| {
                format!("{} lands on {}", names[0], names[1])
            }));
        }
        if let Some(ceiling) = &walk.ceiling {
            news.push(self.happening("bumped", &[key, ceiling.body], |names| {
                format!("{} bumps its head at {}", names[0], names[1])
            }));
        }
        self.actors[i].velocity = walk.velocity(velocity);
        self.actors[i].state = state;
        Ok(())
    }
}
