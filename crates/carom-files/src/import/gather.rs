//! A scene in the making: bodies with names that come once, and notes about them.

use std::collections::BTreeSet;
use std::path::Path;

use carom::prelude::*;
use carom::shape::repr::PathSegment;
use carom::sheet::Role;

use super::{Import, Imported, Job, Names, properties::Properties};
use crate::scene::SceneBody;
use crate::{FileError, Scene};

/// On screens y points down, and so it does in Tiled and `LDtk`.
pub const UP: Vec2 = Vec2::new(0.0, -1.0);

/// What has been gathered of a level so far.
pub struct Gather<'i> {
    pub job: &'i Job<'i>,
    pub path: &'i Path,
    pub scene: Scene,
    pub notes: Vec<String>,
    names: Names,
}

impl<'i> Gather<'i> {
    pub fn new(job: &'i Job<'i>, path: &'i Path) -> Self {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let about = format!("Imported from {file}.");
        let scene = Scene { about, up: UP, ..Scene::default() };
        Self { job, path, scene, notes: Vec::new(), names: Names::default() }
    }

    /// An error about something in the level.
    pub fn fault(&self, place: &str, error: impl std::fmt::Display) -> FileError {
        FileError::invalid(self.path, format!("{place}: {error}"))
    }

    /// Says something once.
    pub fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// What something is there for: what the caller says about its names, what its properties say and
    /// those of what it is in, what the names say, or what goes without saying. None: it is left out.
    pub fn role(
        &self,
        names: &[&str],
        properties: &[&Properties],
        otherwise: Role,
    ) -> Result<Option<Role>, String> {
        if let Some(role) = self.job.role_of(names) {
            return Ok(role);
        }
        for properties in properties {
            if let Some(role) = properties.role()? {
                return Ok(role);
            }
        }
        let named = names.iter().find_map(|name| super::properties::role_in(name));
        Ok(Some(named.unwrap_or(otherwise)))
    }

    /// Makes a cell of a map a tile of some kind.
    pub fn set_tile(
        &self,
        map: &mut TileMap,
        cell: [u32; 2],
        kind: TileKind,
    ) -> Result<(), FileError> {
        if map.kinds().len() > usize::from(u16::MAX) && !map.kinds().contains(&kind) {
            return Err(self.fault("the map", "a layer has more than 65536 kinds of tiles"));
        }
        let kind = map.add_kind(kind);
        map.set(cell, kind);
        Ok(())
    }

    /// Adds a body that has colliders, as its properties say, and those of what it is in.
    pub fn add(
        &mut self,
        mut body: SceneBody,
        properties: &[&Properties],
    ) -> Result<(), FileError> {
        let applied = Properties::merged(properties).apply(&mut body, self.scene.up);
        applied.map_err(|error| self.fault(&body.name, error))?;
        body.name = self.names.take(&body.name);
        self.scene.bodies.push(body);
        Ok(())
    }

    /// The scene, with all layers that are named in it.
    pub fn finish(mut self, program: &'static str) -> Result<Import, FileError> {
        let colliders = self.scene.bodies.iter().flat_map(|body| &body.colliders);
        let named: BTreeSet<&str> = colliders
            .flat_map(|collider| collider.layer.iter().chain(collider.hits.iter().flatten()))
            .map(String::as_str)
            .filter(|&name| name != "default")
            .collect();
        self.scene.layers = named.into_iter().map(String::from).collect();
        if let Some(error) = self.scene.validate().first() {
            let body = match error.path.0[..] {
                [PathSegment::Field(_), PathSegment::Index(i), ..] => self.scene.bodies.get(i),
                _ => None,
            };
            let name = body.map_or("the map", |body| &body.name);
            return Err(self.fault(name, error));
        }
        if self.scene.bodies.is_empty() {
            self.notes.push("nothing in it collides".into());
        }
        let Self { scene, notes, .. } = self;
        Ok(Import { program, what: Imported::Scene(scene), notes, pictures: Vec::new() })
    }
}
