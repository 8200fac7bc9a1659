//! Validation of a scene and construction of its world.

use std::collections::{BTreeMap, BTreeSet};

use carom::prelude::*;
use carom::shape::repr::{FieldPath, unknown_name};
use carom::sheet::FrameRef;
use carom::world::SheetKey;

use super::validator::Validator;
use super::{Scene, SceneBody};
use crate::json::VERSION;
use crate::{Diagnostic, Diagnostics};

/// The world of a scene.
#[derive(Clone, Debug)]
pub struct BuiltScene {
    /// The world with all bodies, showing the first frames of their animations.
    pub world: World,
    /// The bodies, in the order of the scene.
    pub bodies: Vec<BodyKey>,
    /// The sheets, by name.
    pub sheets: BTreeMap<String, SheetKey>,
}

impl Scene {
    /// Builds the world of the scene.
    ///
    /// # Errors
    /// Returns all errors of the scene. A scene that was read from a file has none.
    pub fn build(&self) -> Result<BuiltScene, Diagnostics> {
        let errors = self.validate();
        if !errors.is_empty() {
            return Err(Diagnostics(errors));
        }
        let failed = |error| Diagnostics(vec![Diagnostic::new(FieldPath::default(), error)]);
        self.build_valid().map_err(failed)
    }

    fn build_valid(&self) -> Result<BuiltScene, WorldError> {
        let (mut world, sheets) = (World::new(), BTreeMap::new());
        for layer in &self.layers {
            world.add_layer(layer)?;
        }
        world.set_strike_rules(self.strikes);
        let mut built = BuiltScene { world, bodies: Vec::new(), sheets };
        for (name, sheet) in &self.sheets {
            let key = built.world.add_sheet(sheet.clone())?;
            built.sheets.insert(name.clone(), key);
        }
        for body in &self.bodies {
            let key = built.world.add_body(body.body())?;
            built.bodies.push(key);
            for collider in &body.colliders {
                built.world.add_collider(key, collider.collider())?;
            }
        }
        for i in 0..self.bodies.len() {
            self.apply_frame(&mut built, i, 0)?;
        }
        Ok(built)
    }

    /// Returns all errors in the values and names of the scene.
    pub fn validate(&self) -> Vec<Diagnostic> {
        let mut errors = Vec::new();
        let mut at = Validator::new(&mut errors);
        if self.carom != VERSION {
            let found = self.carom;
            at.field("carom")
                .error(format_args!("unsupported version {found}; expected {VERSION}"));
        }
        if !(self.rate > 0.0 && self.rate.is_finite()) {
            at.field("rate").error(format_args!("{}; must be positive", self.rate));
        }
        if self.frames > Self::MAX_FRAMES {
            let (found, max) = (self.frames, Self::MAX_FRAMES);
            at.field("frames").error(format_args!("{found}; must be at most {max}"));
        }
        if self.up == Vec2::ZERO {
            at.field("up").error("[0, 0]; must not be zero");
        }
        if let Some(view) = &self.view {
            at.field("view").check(view.aabb());
        }
        // Create a world with the layers and sheets to look up their names, and with a single body to check the
        // frames of all bodies.
        let mut world = World::new();
        for (i, layer) in self.layers.iter().enumerate() {
            at.field("layers").index(i).check(world.add_layer(layer));
        }
        let mut sheets = BTreeMap::new();
        for (name, sheet) in &self.sheets {
            if let Some(key) = at.field("sheets").field(name).check(world.add_sheet(sheet.clone()))
            {
                sheets.insert(name.as_str(), key);
            }
        }
        let player = world.add_body(Body::moving(Vec2::ZERO)).ok();
        let mut names = BTreeSet::new();
        for (i, body) in self.bodies.iter().enumerate() {
            let mut at = at.field("bodies");
            let mut at = at.index(i);
            if !names.insert(&body.name) {
                at.field("name").error(format_args!("another body is named `{}`", body.name));
            }
            body.validate(self, &world, &mut at);
            let frame = at.field("plays").check(self.current_frame(body, 0)).flatten();
            if let (Some((name, frame)), Some(player)) = (frame, player)
                && let Some(&sheet) = sheets.get(name)
            {
                at.field("plays").check(world.set_frame(player, sheet, frame));
            }
        }
        errors
    }

    /// Makes a body show the frame of its animation at `tick`.
    ///
    /// # Errors
    /// Returns an error if the sheet has no such frame.
    ///
    /// # Panics
    /// Panics if there is no body with this index.
    pub fn apply_frame(
        &self,
        built: &mut BuiltScene,
        body: usize,
        tick: u64,
    ) -> Result<(), WorldError> {
        match self.current_frame(&self.bodies[body], tick) {
            Ok(Some((sheet, frame))) => {
                built.world.set_frame(built.bodies[body], built.sheets[sheet], frame)
            }
            _ => Ok(()), // `validate` reports unknown names
        }
    }

    /// Returns the name of the sheet that a body plays, and its frame at `tick`.
    fn current_frame<'s>(
        &'s self,
        body: &'s SceneBody,
        tick: u64,
    ) -> Result<Option<(&'s str, FrameRef<'static>)>, String> {
        let Some((name, animation)) = body.sheet_and_animation() else { return Ok(None) };
        let Some(sheet) = self.sheets.get(name) else {
            let names: Vec<&str> = self.sheets.keys().map(String::as_str).collect();
            return Err(unknown_name("sheet", name, &names));
        };
        let frame = sheet.frame_at(animation, tick).or_else(|_| sheet.index_of(animation));
        let frame = FrameRef::from(frame.map_err(|error| error.to_string())?);
        let flip = Flip { x: body.mirrored, y: body.upside_down };
        Ok(Some((name, frame.direction(body.phase).flipped(flip))))
    }
}
