//! From a scene to a world.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use carom::prelude::*;
use carom::shape::repr::unknown_name;

use super::{Motion, Scene, SceneBody, Sight, Strikes};
use crate::form::{Fault, VERSION};

/// A scene that has become a world.
#[derive(Clone, Debug)]
pub struct Built {
    /// The world with all bodies in it, showing the first frame of what they play.
    pub world: World,
    /// The bodies, in the order in which they are written.
    pub bodies: Vec<BodyKey>,
    /// The sheets, by their names.
    pub sheets: BTreeMap<String, SheetKey>,
}

/// All that keeps a scene from becoming a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit(pub Vec<Fault>);

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(Fault::to_string).collect();
        write!(f, "{}", lines.join("\n"))
    }
}

impl std::error::Error for Unfit {}

impl Scene {
    /// The world of this scene.
    ///
    /// # Errors
    /// With all that is wrong with it. A scene that was read from a file has no faults.
    pub fn build(&self) -> Result<Built, Unfit> {
        let mut building = Building::default();
        building.layers(&self.layers);
        let Strikes { friendly_fire, clashes } = self.strikes;
        building.built.world.set_strike_rules(StrikeRules { friendly_fire, clashes });
        for (i, body) in self.bodies.iter().enumerate() {
            building.body(body, &format!("bodies[{i}]"));
        }
        building.sheets(&self.sheets);
        for (i, body) in self.bodies.iter().enumerate() {
            let place = format!("bodies[{i}].plays");
            if let Err(error) = self.frame_of(body, 0) {
                building.faults.push(Fault::new(place, error));
            } else if building.faults.is_empty() {
                let shown = self.show(&mut building.built, i, 0);
                building.note(place, shown);
            }
        }
        let Building { built, faults } = building;
        if faults.is_empty() { Ok(built) } else { Err(Unfit(faults)) }
    }

    /// All that is wrong with it.
    pub fn faults(&self) -> Vec<Fault> {
        let mut faults = self.own_faults();
        faults.extend(self.build().err().map_or(Vec::new(), |unfit| unfit.0));
        faults
    }

    /// Shows the frame that a body plays at some tick.
    ///
    /// # Errors
    /// Where it plays something that there is not.
    ///
    /// # Panics
    /// Where there is no body of that number.
    pub fn show(&self, built: &mut Built, body: usize, tick: u64) -> Result<(), String> {
        let Some((sheet, frame)) = self.frame_of(&self.bodies[body], tick)? else { return Ok(()) };
        let SceneBody { phase, mirrored, upside_down, .. } = self.bodies[body];
        let look =
            FrameRef::from(frame).direction(phase).flipped(Flip { x: mirrored, y: upside_down });
        let shown = built.world.set_frame(built.bodies[body], built.sheets[sheet], look);
        shown.map_err(|error| error.to_string())
    }

    /// The sheet that a body plays, and the frame of it at some tick.
    fn frame_of<'s>(
        &'s self,
        body: &'s SceneBody,
        tick: u64,
    ) -> Result<Option<(&'s str, usize)>, String> {
        let Some((name, plays)) = body.playing() else { return Ok(None) };
        let Some(sheet) = self.sheets.get(name) else {
            let names: Vec<&str> = self.sheets.keys().map(String::as_str).collect();
            return Err(unknown_name("sheet", name, &names));
        };
        let frame = sheet.frame_at(plays, tick).or_else(|_| sheet.index_of(plays));
        Ok(Some((name, frame.map_err(|error| error.to_string())?)))
    }

    /// What is wrong with its numbers and names.
    fn own_faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut fault = |path: String, message: String| faults.push(Fault::new(path, message));
        if self.carom != VERSION {
            let found = self.carom;
            fault("carom".into(), format!("version {found}; this reads version {VERSION}"));
        }
        if !(self.rate > 0.0 && self.rate.is_finite()) {
            fault("rate".into(), format!("{}; it must be above zero", self.rate));
        }
        if self.up == Vec2::ZERO {
            fault("up".into(), "[0, 0]; it must have a direction".into());
        }
        if let Some(Err(error)) = self.view.map(|area| area.aabb()) {
            fault("view".into(), error.to_string());
        }
        let mut names = BTreeSet::new();
        for (i, body) in self.bodies.iter().enumerate() {
            let place = format!("bodies[{i}]");
            if !names.insert(&body.name) {
                fault(format!("{place}.name"), format!("another body is called `{}`", body.name));
            }
            for Fault { path, message } in body.motion.iter().flat_map(|motion| motion.faults()) {
                fault(format!("{place}.motion.{path}"), message);
            }
            for Fault { path, message } in body.sight.iter().filter_map(Sight::fault) {
                fault(format!("{place}.sight.{path}"), message);
            }
            for Fault { path, message } in body.crowd.iter().flat_map(|crowd| crowd.faults()) {
                fault(format!("{place}.crowd.{path}"), message);
            }
            if let Err(Fault { path, message }) = self.start_in_maze(body) {
                fault(format!("{place}.{path}"), message);
            }
            if body.fixed && body.motion.is_some() {
                fault(format!("{place}.fixed"), "what is fixed has no motion".into());
            }
        }
        faults
    }
}

/// A world in the making, and what is wrong with it so far.
#[derive(Default)]
struct Building {
    built: Built,
    faults: Vec<Fault>,
}

impl Default for Built {
    fn default() -> Self {
        Self { world: World::new(), bodies: Vec::new(), sheets: BTreeMap::new() }
    }
}

impl Building {
    fn note<T, E: fmt::Display>(&mut self, place: String, done: Result<T, E>) -> Option<T> {
        done.map_err(|error| self.faults.push(Fault::new(place, error))).ok()
    }

    fn layers(&mut self, layers: &[String]) {
        for (i, layer) in layers.iter().enumerate() {
            let added = self.built.world.add_layer(layer);
            self.note(format!("layers[{i}]"), added);
        }
    }

    fn body(&mut self, body: &SceneBody, place: &str) {
        let added = self.built.world.add_body(body.body());
        let Some(key) = self.note(place.into(), added) else { return };
        self.built.bodies.push(key);
        for (j, collider) in body.colliders.iter().enumerate() {
            let added = self.built.world.add_collider(key, collider.collider());
            self.note(format!("{place}.colliders[{j}]"), added);
        }
        if let Some(Motion::Travel { responses, .. }) = &body.motion {
            for layer in responses.keys() {
                let known = self.built.world.layer(layer.as_str());
                self.note(format!("{place}.motion.responses"), known);
            }
        }
        if let Some(sight) = &body.sight {
            let seen = sight.layers(&self.built.world);
            self.note(format!("{place}.sight.layers"), seen);
        }
    }

    fn sheets(&mut self, sheets: &BTreeMap<String, Sheet>) {
        for (name, sheet) in sheets {
            let added = self.built.world.add_sheet(sheet.clone());
            if let Some(key) = self.note(format!("sheets.{name}"), added) {
                self.built.sheets.insert(name.clone(), key);
            }
        }
    }
}
