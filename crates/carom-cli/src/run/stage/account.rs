//! What is told of a frame, beside what the moves tell: touches, strikes and what is taken.

use std::error::Error;
use std::fmt::Write as _;

use carom::prelude::*;
use carom_files::scene::Motion;

use super::{Actor, Happening, Stage};

impl Stage<'_> {
    /// Tells what began and ended, but for solids: their meetings are told by who moves.
    pub(super) fn tell_touches(&self, news: &mut Vec<Happening>) {
        for event in self.built.world.events().iter() {
            let verb = match event.kind {
                EventKind::Began => "touches",
                EventKind::Ended => "leaves",
                EventKind::Stayed => continue,
            };
            if event.contact.is_some() || self.is_solid(&event) || self.is_blow(&event) {
                continue;
            }
            let kind = if event.kind == EventKind::Began { "began" } else { "ended" };
            news.push(self.happening(kind, &event.bodies, |names| {
                format!("{} {verb} {}", names[0], names[1])
            }));
        }
    }

    fn is_solid(&self, event: &Event) -> bool {
        self.roles(event).iter().all(|role| *role == Some(Role::Solid))
    }

    fn is_blow(&self, event: &Event) -> bool {
        let blow = [Some(Role::Hitbox), Some(Role::Hurtbox)];
        self.roles(event).iter().any(|role| blow.contains(role))
    }

    fn roles(&self, event: &Event) -> [Option<Role>; 2] {
        event.colliders.map(|key| self.built.world.collider(key).map(|collider| collider.role()))
    }

    pub(super) fn tell_strikes(&self, news: &mut Vec<Happening>) {
        self.tell_clashes(news);
        for strike in self.built.world.strikes() {
            let boxes = [strike.hitbox, strike.hurtbox].map(|key| self.built.world.box_name(key));
            news.push(self.happening("struck", &[strike.attacker, strike.victim], |names| {
                let mut text = format!("{} strikes {}", names[0], names[1]);
                if let [Some(hitbox), Some(hurtbox)] = boxes {
                    let _ = write!(text, ": {hitbox} on {hurtbox}");
                }
                text
            }));
        }
    }

    /// Tells what is seen first by those who look.
    pub(super) fn tell_sights(&self, news: &mut Vec<Happening>) {
        for i in (0..self.actors.len()).filter(|&i| !self.actors[i].is_gone) {
            let Some((_, Some((seen, at)))) = self.sight(i) else { continue };
            news.push(self.happening("saw", &[self.actors[i].key, seen], |names| {
                format!("{} sees {} at ({:.2}, {:.2})", names[0], names[1], at.x, at.y)
            }));
        }
    }

    /// The ray that a body looks along, and what is first on it.
    pub(super) fn sight(&self, i: usize) -> Option<(Ray, Option<(BodyKey, Vec2)>)> {
        let (world, key) = (&self.built.world, self.actors[i].key);
        let sight = self.scene.bodies[i].sight.as_ref()?;
        let ray = sight.ray(&world.body(key)?.pose).ok()?;
        let filter = Filter::new().visible().exclude(key).layers(sight.layers(world).ok()?);
        let seen = world.raycast(&ray, &filter);
        let seen = seen.and_then(|(seen, hit)| Some((world.collider(seen)?.body_key(), hit.point)));
        Some((ray, seen))
    }

    fn tell_clashes(&self, news: &mut Vec<Happening>) {
        for clash in self.built.world.clashes() {
            news.push(self.happening("clashed", &clash.bodies, |names| {
                format!("{} and {} clash", names[0], names[1])
            }));
        }
    }

    /// From where to where a body looks.
    pub fn line_of_sight(&self, actor: &Actor) -> Option<[Vec2; 2]> {
        let i = self.actors.iter().position(|other| other.key == actor.key)?;
        let (ray, seen) = self.sight(i)?;
        Some([ray.origin(), seen.map_or(ray.point_at(ray.max_distance()), |(_, at)| at)])
    }

    /// Lets players take what they touch.
    pub(super) fn take(&mut self, news: &mut Vec<Happening>) -> Result<(), Box<dyn Error>> {
        let is_player = |i: &usize| {
            let motion = &self.scene.bodies[*i].motion;
            matches!(motion, Some(Motion::Walk { .. } | Motion::Maze { .. }))
        };
        let players: Vec<BodyKey> =
            (0..self.actors.len()).filter(is_player).map(|i| self.actors[i].key).collect();
        for i in 0..self.actors.len() {
            let key = self.actors[i].key;
            if !self.scene.bodies[i].pick_up || self.actors[i].is_gone {
                continue;
            }
            let taker = self
                .built
                .world
                .touching_body(key)
                .find_map(|event| event.bodies.into_iter().find(|body| players.contains(body)));
            if let Some(taker) = taker {
                news.push(self.happening("took", &[taker, key], |names| {
                    format!("{} takes {}", names[0], names[1])
                }));
                self.built.world.remove_body(key)?;
                self.actors[i].is_gone = true;
            }
        }
        Ok(())
    }
}
