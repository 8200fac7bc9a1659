//! A scene at play: frame by frame, with an account of what happens.

use std::error::Error;
use std::fmt::Write as _;

use carom::prelude::*;
use carom_files::Scene;
use carom_files::scene::{Built, Input, Motion, PathEnd, Unfit};

/// A scene that is being played.
pub struct Stage<'s> {
    scene: &'s Scene,
    built: Built,
    actors: Vec<Actor>,
    frame: u32,
    /// What goes on since the last frame, and is not told again.
    going_on: Vec<(&'static str, Vec<String>)>,
}

/// A body of the scene, and what it is up to.
pub struct Actor {
    pub key: BodyKey,
    velocity: Vec2,
    state: WalkerState,
    /// How far along its path it is.
    way: f32,
    is_gone: bool,
    /// Where it has been.
    pub trail: Vec<Vec2>,
}

/// Meetings below this speed are not worth telling.
const SLIGHT: f32 = -3.0;

/// Something happened.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Happening {
    pub frame: u32,
    /// What, as a word for machines.
    pub kind: &'static str,
    /// The bodies that take part.
    pub bodies: Vec<String>,
    /// The whole in words.
    pub text: String,
}

impl<'s> Stage<'s> {
    /// Sets up a scene.
    ///
    /// # Errors
    /// With what is wrong with it.
    pub fn new(scene: &'s Scene) -> Result<Self, Unfit> {
        let built = scene.build()?;
        let actors = built.bodies.iter().zip(&scene.bodies).map(|(&key, body)| Actor {
            key,
            velocity: match &body.motion {
                Some(Motion::Travel { velocity, .. }) => *velocity,
                _ => Vec2::ZERO,
            },
            state: WalkerState::new(),
            way: 0.0,
            is_gone: false,
            trail: Vec::new(),
        });
        let actors = actors.collect();
        Ok(Self { scene, built, actors, frame: 0, going_on: Vec::new() })
    }

    /// The world as it is now.
    pub fn world(&self) -> &World {
        &self.built.world
    }

    /// The bodies, with their names.
    pub fn actors(&self) -> impl Iterator<Item = (&str, &Actor)> {
        let all = self.scene.bodies.iter().zip(&self.actors);
        all.filter(|(_, actor)| !actor.is_gone).map(|(body, actor)| (body.name.as_str(), actor))
    }

    /// Plays a frame.
    ///
    /// # Errors
    /// Where a body has left the numbers there are.
    pub fn step(&mut self) -> Result<Vec<Happening>, Box<dyn Error>> {
        let mut news = Vec::new();
        self.frame += 1;
        for i in 0..self.actors.len() {
            if !self.actors[i].is_gone {
                self.scene.show(&mut self.built, i, self.frame.into())?;
                match &self.scene.bodies[i].motion {
                    Some(Motion::Path { .. }) => self.follow(i, &mut news)?,
                    Some(Motion::Travel { .. }) => self.fly(i, &mut news)?,
                    Some(Motion::Walk { .. }) => self.walk(i, &mut news)?,
                    None => {}
                }
            }
        }
        self.tell_once(&mut news);
        self.built.world.update();
        self.tell_touches(&mut news);
        self.tell_strikes(&mut news);
        self.take(&mut news)?;
        for actor in self.actors.iter_mut().filter(|actor| !actor.is_gone) {
            if let Some(body) = self.built.world.body(actor.key) {
                actor.trail.push(body.pose.position);
            }
        }
        Ok(news)
    }

    /// Leaves out what happened in the last frame too: a crossing, a squeeze.
    fn tell_once(&mut self, news: &mut Vec<Happening>) {
        let now = news.iter().map(|news| (news.kind, news.bodies.clone())).collect();
        let last = std::mem::replace(&mut self.going_on, now);
        news.retain(|news| {
            !last.iter().any(|(kind, bodies)| (*kind, bodies) == (news.kind, &news.bodies))
        });
    }

    fn name(&self, i: usize) -> &str {
        &self.scene.bodies[i].name
    }

    fn name_of(&self, key: BodyKey) -> &str {
        let found = self.actors.iter().position(|actor| actor.key == key);
        found.map_or("?", |i| self.name(i))
    }

    fn happening(
        &self,
        kind: &'static str,
        bodies: &[BodyKey],
        text: impl FnOnce(&[&str]) -> String,
    ) -> Happening {
        let names: Vec<&str> = bodies.iter().map(|&key| self.name_of(key)).collect();
        let text = text(&names);
        let bodies = names.into_iter().map(Into::into).collect();
        Happening { frame: self.frame, kind, bodies, text }
    }

    /// Takes a platform along its path, with what stands on it.
    fn follow(&mut self, i: usize, news: &mut Vec<Happening>) -> Result<(), Box<dyn Error>> {
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
    fn fly(&mut self, i: usize, news: &mut Vec<Happening>) -> Result<(), Box<dyn Error>> {
        let Some(Motion::Travel { falls, response, restitution, spin, .. }) =
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
        let response = response.response(*restitution);
        let travel = self.built.world.travel(key, velocity / rate, |_| response)?;
        for hit in travel.hits() {
            let verb = match response {
                Response::Touch => "stops at",
                Response::Cross => "crosses",
                Response::Slide => "slides along",
                _ => "bounces off",
            };
            velocity = match response {
                Response::Touch => Vec2::ZERO,
                Response::Slide => hit.slid(velocity),
                Response::Bounce(keep) => hit.bounced(velocity, keep),
                _ => velocity,
            };
            let at = hit.point;
            let is_news = self.actors[i].velocity.dot(hit.normal) < SLIGHT;
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
    fn walk(&mut self, i: usize, news: &mut Vec<Happening>) -> Result<(), Box<dyn Error>> {
        let Some(Motion::Walk { speed, jump, input, walker }) = &self.scene.bodies[i].motion else {
            return Ok(());
        };
        let walker = Walker { up: self.scene.up, ..*walker };
        let (key, rate, up) = (self.actors[i].key, self.scene.rate, walker.up.normalize_or_zero());
        let Input { left, right, jump: jumps, drop } = input.at(self.frame - 1);
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

    /// Tells what began and ended, but for solids: their meetings are told by who moves.
    fn tell_touches(&self, news: &mut Vec<Happening>) {
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

    fn tell_strikes(&self, news: &mut Vec<Happening>) {
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

    /// Lets walkers take what they touch.
    fn take(&mut self, news: &mut Vec<Happening>) -> Result<(), Box<dyn Error>> {
        let is_walker = |i: usize| matches!(self.scene.bodies[i].motion, Some(Motion::Walk { .. }));
        let walkers: Vec<BodyKey> =
            (0..self.actors.len()).filter(|&i| is_walker(i)).map(|i| self.actors[i].key).collect();
        for i in 0..self.actors.len() {
            let key = self.actors[i].key;
            if !self.scene.bodies[i].pick_up || self.actors[i].is_gone {
                continue;
            }
            let taker = self
                .built
                .world
                .touching_body(key)
                .find_map(|event| event.bodies.into_iter().find(|body| walkers.contains(body)));
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

/// A place on a path, after some way.
fn place_on(points: &[Vec2], way: f32, end: PathEnd) -> Vec2 {
    let mut points = points.to_vec();
    match end {
        PathEnd::Stop => {}
        PathEnd::Back => points.extend(points.clone().into_iter().rev().skip(1)),
        PathEnd::Around => points.extend(points.first().copied()),
    }
    let length: f32 = points.windows(2).map(|ends| ends[0].distance(ends[1])).sum();
    let mut left = if end == PathEnd::Stop { way } else { way % length };
    for ends in points.windows(2) {
        let far = ends[0].distance(ends[1]);
        if left < far {
            return ends[0] + (ends[1] - ends[0]) * (left / far);
        }
        left -= far;
    }
    points[points.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_end_as_they_say() {
        let points = [Vec2::ZERO, Vec2::new(4.0, 0.0), Vec2::new(4.0, 3.0)];
        assert_eq!(place_on(&points, 5.0, PathEnd::Stop), Vec2::new(4.0, 1.0));
        assert_eq!(place_on(&points, 99.0, PathEnd::Stop), Vec2::new(4.0, 3.0));
        assert_eq!(place_on(&points, 9.0, PathEnd::Back), Vec2::new(4.0, 1.0));
        assert_eq!(place_on(&points, 12.0, PathEnd::Around), Vec2::ZERO);
    }
}
