//! A scene at play: frame by frame, with an account of what happens.

mod account;
mod maze;
mod method;
mod moves;
mod path;

use std::error::Error;

use carom::prelude::*;
use carom_files::Scene;
use carom_files::scene::{Built, Motion, Unfit};

use crate::drawing;
use maze::Wanderer;

/// A scene that is being played.
pub struct Stage<'s> {
    scene: &'s Scene,
    built: Built,
    actors: Vec<Actor>,
    frame: u32,
    /// Where anything has been.
    area: Option<Aabb>,
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
    wanderer: Option<Wanderer>,
    is_gone: bool,
    /// Where it has been, in one line until a tunnel takes it elsewhere.
    pub trails: Vec<Vec<Vec2>>,
}

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
                Some(Motion::Travel { velocity, .. } | Motion::Method { velocity, .. }) => {
                    *velocity
                }
                _ => Vec2::ZERO,
            },
            state: WalkerState::new(),
            way: 0.0,
            wanderer: Wanderer::new(scene, body),
            is_gone: false,
            trails: vec![vec![body.position]],
        });
        let actors = actors.collect();
        let area = drawing::around(&built.world);
        Ok(Self { scene, built, actors, frame: 0, area, going_on: Vec::new() })
    }

    /// The world as it is now.
    pub fn world(&self) -> &World {
        &self.built.world
    }

    /// A box around all places where anything has been so far.
    pub fn area(&self) -> Option<Aabb> {
        self.area
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
                    Some(Motion::Maze { .. }) => self.wander(i, &mut news)?,
                    Some(Motion::Method { .. }) => self.go(i, &mut news)?,
                    None => {}
                }
            }
        }
        self.tell_sights(&mut news);
        self.tell_once(&mut news);
        self.built.world.update();
        self.tell_touches(&mut news);
        self.tell_strikes(&mut news);
        self.take(&mut news)?;
        for actor in self.actors.iter_mut().filter(|actor| !actor.is_gone) {
            let line = actor.trails.last_mut();
            if let (Some(line), Some(body)) = (line, self.built.world.body(actor.key)) {
                line.push(body.pose.position);
            }
        }
        if self.scene.view.is_none() {
            let now = drawing::around(&self.built.world);
            let all: Vec<Vec2> =
                [self.area, now].iter().flatten().flat_map(Aabb::corners).collect();
            self.area = Aabb::from_points(&all);
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
}
