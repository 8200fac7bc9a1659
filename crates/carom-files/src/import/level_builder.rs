//! Construction of the scene of an imported level.

use std::collections::BTreeSet;
use std::path::Path;

use carom::prelude::*;
use carom::shape::repr::PathSegment;
use carom::sheet::Role;

use super::properties::{Properties, role_in};
use super::{Content, ImportContext, ImportResult, UniqueNames};
use crate::scene::{SceneBody, SceneCollider};
use crate::{FileError, Scene};

/// The up direction of Tiled and `LDtk`, where y points down.
pub const UP: Vec2 = Vec2::new(0.0, -1.0);

/// The scene of a level, and the warnings about it.
pub struct LevelBuilder<'i> {
    pub context: &'i ImportContext<'i>,
    pub path: &'i Path,
    pub scene: Scene,
    warnings: Vec<String>,
    names: UniqueNames,
}

impl<'i> LevelBuilder<'i> {
    pub fn new(context: &'i ImportContext<'i>, path: &'i Path) -> Self {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let about = format!("Imported from {file}.");
        let scene = Scene { about, up: UP, ..Scene::default() };
        Self { context, path, scene, warnings: Vec::new(), names: UniqueNames::default() }
    }

    /// Returns an error about a part of the level.
    pub fn error(&self, location: &str, error: impl std::fmt::Display) -> FileError {
        FileError::invalid(self.path, format!("{location}: {error}"))
    }

    /// Adds a warning, unless it was added before.
    pub fn warn(&mut self, warning: String) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Returns the role of an object, from the first of these sources that has one:
    ///
    /// 1. the roles that the caller gave for names;
    /// 2. the properties, the innermost first;
    /// 3. the role that a name implies;
    /// 4. the default.
    ///
    /// `Ok(None)` means that the object is skipped.
    pub fn role(
        &self,
        names: &[&str],
        properties: &[&Properties],
        default: Role,
    ) -> Result<Option<Role>, String> {
        if let Some(role) = self.context.role_of(names) {
            return Ok(role);
        }
        for properties in properties {
            if let Some(role) = properties.role()? {
                return Ok(role);
            }
        }
        let named = names.iter().find_map(|name| role_in(name));
        Ok(Some(named.unwrap_or(default)))
    }

    /// Sets the tile of a cell.
    pub fn set_tile(
        &self,
        map: &mut TileMap,
        cell: [u32; 2],
        kind: TileKind,
    ) -> Result<(), FileError> {
        if map.kinds().len() > usize::from(u16::MAX) && !map.kinds().contains(&kind) {
            return Err(self.error("map", "a layer has more than 65536 kinds of tiles"));
        }
        let kind = map.add_kind(kind);
        map.set(cell, kind);
        Ok(())
    }

    /// Applies properties to a body, the innermost first in the list, and adds it to the scene.
    pub fn add(
        &mut self,
        mut body: SceneBody,
        properties: &[&Properties],
    ) -> Result<(), FileError> {
        let applied = Properties::merged(properties).apply(&mut body, self.scene.up);
        applied.map_err(|error| self.error(&body.name, error))?;
        body.name = self.names.claim(&body.name);
        self.scene.bodies.push(body);
        Ok(())
    }

    /// Declares the layers that colliders use, and validates the scene.
    pub fn finish(mut self, program: &'static str) -> Result<ImportResult, FileError> {
        let colliders = self.scene.bodies.iter().flat_map(|body| &body.colliders);
        let named: BTreeSet<&str> = colliders
            .flat_map(SceneCollider::layer_names)
            .map(String::as_str)
            .filter(|&name| name != "default")
            .collect();
        self.scene.layers = named.into_iter().map(String::from).collect();
        if let Some(error) = self.scene.validate().first() {
            let body = match error.path.0[..] {
                [PathSegment::Field(_), PathSegment::Index(i), ..] => self.scene.bodies.get(i),
                _ => None,
            };
            let name = body.map_or("map", |body| &body.name);
            return Err(self.error(name, error));
        }
        if self.scene.bodies.is_empty() {
            self.warnings.push("no colliders found".into());
        }
        let Self { scene, warnings, .. } = self;
        let (content, images) = (Content::Scene(scene), Vec::new());
        Ok(ImportResult { program, content, warnings, images })
    }
}
