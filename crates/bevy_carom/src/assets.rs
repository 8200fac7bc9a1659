//! Sheets and levels as assets, from carom's own files and those of Aseprite, Tiled and LDtk.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bevy_app::{App, FixedPreUpdate, Plugin};
use bevy_asset::io::Reader;
use bevy_asset::{
    Asset, AssetApp, AssetEvent, AssetId, AssetLoader, AssetPath, Assets, Handle, LoadContext,
};
use bevy_ecs::prelude::*;
use bevy_math::{Vec2, Vec3};
use bevy_reflect::TypePath;
use bevy_reflect::prelude::Reflect;
use bevy_transform::components::Transform;
use carom::math::Flip;
use carom::shape::repr::Names;
use carom::sheet::Sheet;
use carom::world::LayerNames;
use carom_files::scene::{SceneBody, SceneCollider};
use carom_files::{Content, ImportResult, Importer, Scene, sheet};

use crate::placement::quaternion;
use crate::{
    Body, BodyDisabled, BodyHidden, CaromWorld, Collider, ColliderDisabled, CollisionLayers,
    InvalidComponent, OneWay, Role, SheetFrame, Team, to_bevy,
};

/// Loads sheets and levels as assets. Add it after Bevy's `AssetPlugin`, which is part of the default
/// plugins. With Bevy's feature `file_watcher`, changed files are loaded again while the game runs, also if the
/// change is in a file that a Tiled or LDtk file refers to, such as a tileset.
///
/// ```no_run
/// use bevy_app::prelude::*;
/// use bevy_asset::{AssetPlugin, AssetServer};
/// use bevy_carom::prelude::*;
/// use bevy_carom::{CaromAssetsPlugin, SpawnLevel};
/// use bevy_ecs::prelude::*;
///
/// fn spawn_level(mut commands: Commands, assets: Res<AssetServer>) {
///     commands.spawn(SpawnLevel(assets.load("cave.ldtk")));
/// }
///
/// App::new()
///     .add_plugins((AssetPlugin::default(), CaromPlugin::default(), CaromAssetsPlugin::default()))
///     .add_systems(Startup, spawn_level);
/// ```
#[derive(Clone, Debug, Default)]
pub struct CaromAssetsPlugin {
    /// The options for the files of Aseprite, Tiled and LDtk: the roles of layers by name, the level of an
    /// LDtk project, and the rate of ticks.
    pub importer: Importer,
}

impl Plugin for CaromAssetsPlugin {
    fn build(&self, app: &mut App) {
        let Self { importer } = self;
        app.init_asset::<SheetAsset>()
            .init_asset::<LevelAsset>()
            .register_asset_loader(SheetLoader { importer: importer.clone() })
            .register_asset_loader(LevelLoader { importer: importer.clone() })
            .register_type::<(SheetHandle, SpawnLevel)>()
            .add_systems(FixedPreUpdate, (show_sheets, spawn_levels));
    }
}

/// A sprite sheet: frames with named boxes. [`SheetHandle`] shows one of its frames.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct SheetAsset {
    /// The sheet.
    pub sheet: Arc<Sheet>,
    /// If `true`, y points down in the sheet, as in those of Aseprite. See [`SheetFrame::y_down`].
    pub y_down: bool,
}

/// A level: carom's scene, or a map of Tiled or LDtk. [`SpawnLevel`] spawns its bodies.
#[derive(Asset, TypePath, Clone, Debug)]
pub struct LevelAsset {
    /// The scene.
    pub scene: Scene,
    /// Notes of the import on what it assumed and ignored.
    pub warnings: Vec<String>,
}

/// Loads [`SheetAsset`]s: `.sheet.json`, `.ase` and `.aseprite`.
#[derive(Clone, Debug, TypePath)]
pub struct SheetLoader {
    importer: Importer,
}

/// Loads [`LevelAsset`]s: `.scene.json`, `.tmx`, `.tmj` and `.ldtk`.
#[derive(Clone, Debug, TypePath)]
pub struct LevelLoader {
    importer: Importer,
}

/// Imports a file, and reads the files that it refers to as assets: from the same source, and watched like it.
///
/// The importer cannot wait for a file. So it imports with the files that are there, notes those that are missing,
/// and starts again when they have been read.
async fn import(
    importer: &Importer,
    path: &Path,
    bytes: &[u8],
    context: &mut LoadContext<'_>,
) -> Result<ImportResult, LoadError> {
    let mut files: BTreeMap<PathBuf, Result<Vec<u8>, String>> = BTreeMap::new();
    loop {
        let missing = RefCell::new(BTreeSet::new());
        let imported = importer.decode_with(path, bytes, |path| match files.get(path) {
            Some(read) => read.clone().map_err(io::Error::other),
            None => {
                missing.borrow_mut().insert(path.to_owned());
                Err(io::ErrorKind::NotFound.into())
            }
        });
        let missing = missing.into_inner();
        if missing.is_empty() {
            return imported.map_err(|error| error.to_string().into());
        }
        for path in missing {
            // The path may contain `..`, which paths of assets must not.
            let root = AssetPath::from("").with_source(context.path().source().clone_owned());
            let asset = root.resolve(&AssetPath::from_path(&path));
            let read = context.read_asset_bytes(asset).await.map_err(|error| error.to_string());
            files.insert(path, read);
        }
    }
}

type LoadError = Box<dyn std::error::Error + Send + Sync>;

impl AssetLoader for SheetLoader {
    type Asset = SheetAsset;
    type Settings = ();
    type Error = LoadError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _settings: &(),
        context: &mut LoadContext<'_>,
    ) -> Result<SheetAsset, LoadError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let path = context.path().path().to_owned();
        if path.to_string_lossy().ends_with(".sheet.json") {
            let sheet = sheet::from_json(std::str::from_utf8(&bytes)?);
            let sheet = Arc::new(sheet.map_err(|error| error.to_string())?);
            return Ok(SheetAsset { sheet, y_down: false });
        }
        let imported = import(&self.importer, &path, &bytes, context).await?;
        match imported.content {
            Content::Sheet(sheet) => Ok(SheetAsset { sheet: Arc::new(sheet), y_down: true }),
            Content::Scene(_) => {
                Err(format!("{}: found a level, expected a sheet", path.display()))?
            }
        }
    }

    fn extensions(&self) -> &[&str] {
        &["sheet.json", "ase", "aseprite"]
    }
}

impl AssetLoader for LevelLoader {
    type Asset = LevelAsset;
    type Settings = ();
    type Error = LoadError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _settings: &(),
        context: &mut LoadContext<'_>,
    ) -> Result<LevelAsset, LoadError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let path = context.path().path().to_owned();
        if path.to_string_lossy().ends_with(".scene.json") {
            let scene = Scene::from_json(std::str::from_utf8(&bytes)?);
            let scene = scene.map_err(|error| error.to_string())?;
            return Ok(LevelAsset { scene, warnings: Vec::new() });
        }
        let imported = import(&self.importer, &path, &bytes, context).await?;
        match imported.content {
            Content::Scene(scene) => Ok(LevelAsset { scene, warnings: imported.warnings }),
            Content::Sheet(_) => {
                Err(format!("{}: found a sheet, expected a level", path.display()))?
            }
        }
    }

    fn extensions(&self) -> &[&str] {
        &["scene.json", "tmx", "tmj", "ldtk"]
    }
}

/// Gives an entity a [`SheetFrame`] when its sheet has been loaded, and the new sheet when it is loaded again.
#[derive(Component, Clone, Debug, Reflect)]
#[reflect(Component)]
#[require(Body)]
pub struct SheetHandle {
    /// The sheet.
    pub sheet: Handle<SheetAsset>,
    /// The name of the frame that is shown at first.
    pub frame: String,
}

/// Spawns the bodies of a level as children of its entity when the level has been loaded, and again when it
/// is loaded again.
///
/// Each body has its name as `Name`. A body with one collider is one entity; several colliders are children
/// of their body. Layers of tiles are one tile map, so that hits name the tile. Where y points down in the
/// file, as in Tiled and LDtk, the level is flipped: the first row of tiles is the lowest, then. Motions and
/// animations of scenes are not used.
#[derive(Component, Clone, Debug, Reflect)]
#[reflect(Component)]
#[require(Transform)]
pub struct SpawnLevel(pub Handle<LevelAsset>);

/// The level that [`SpawnLevel`] has spawned.
#[derive(Component)]
struct Spawned(AssetId<LevelAsset>);

/// Marks the entities that [`SpawnLevel`] has spawned.
#[derive(Component)]
struct LevelBody;

fn show_sheets(
    mut commands: Commands,
    sheets: Res<Assets<SheetAsset>>,
    mut events: MessageReader<AssetEvent<SheetAsset>>,
    mut entities: Query<(Entity, Ref<SheetHandle>, Option<&mut SheetFrame>)>,
) {
    let changed: Vec<AssetId<SheetAsset>> = events
        .read()
        .filter_map(|event| match event {
            AssetEvent::Added { id } | AssetEvent::Modified { id } => Some(*id),
            _ => None,
        })
        .collect();
    for (entity, handle, frame) in &mut entities {
        if !(handle.is_changed() || changed.contains(&handle.sheet.id())) {
            continue;
        }
        let Some(SheetAsset { sheet, y_down }) = sheets.get(&handle.sheet) else { continue };
        match frame {
            Some(mut frame) => frame.set_sheet(Arc::clone(sheet)),
            None => {
                let frame = SheetFrame::new(Arc::clone(sheet), &*handle.frame);
                let frame = if *y_down { frame.y_down() } else { frame };
                commands.entity(entity).insert(frame);
            }
        }
    }
}

fn spawn_levels(
    mut commands: Commands,
    mut carom: ResMut<CaromWorld>,
    levels: Res<Assets<LevelAsset>>,
    mut events: MessageReader<AssetEvent<LevelAsset>>,
    entities: Query<(Entity, &SpawnLevel, Option<&Spawned>, Option<&Children>)>,
    old: Query<(), With<LevelBody>>,
    mut invalid: MessageWriter<InvalidComponent>,
) {
    let modified: Vec<AssetId<LevelAsset>> = events
        .read()
        .filter_map(|event| match event {
            AssetEvent::Modified { id } => Some(*id),
            _ => None,
        })
        .collect();
    for (entity, handle, spawned, children) in &entities {
        let id = handle.0.id();
        if spawned.is_some_and(|spawned| spawned.0 == id) && !modified.contains(&id) {
            continue;
        }
        let Some(LevelAsset { scene, warnings }) = levels.get(id) else { continue };
        commands.entity(entity).insert(Spawned(id));
        for &child in children.into_iter().flatten().filter(|&&child| old.contains(child)) {
            commands.entity(child).despawn();
        }
        for warning in warnings {
            log::warn!("{warning}");
        }
        for name in &scene.layers {
            if let Err(error) = carom.get_mut().add_layer(name) {
                invalid.write(InvalidComponent { entity: Some(entity), reason: error.to_string() });
            }
        }
        let flip = Flip { x: false, y: scene.up.y < 0.0 };
        for body in &scene.bodies {
            spawn_body(&mut commands, entity, body, flip);
        }
    }
}

fn spawn_body(commands: &mut Commands, level: Entity, body: &SceneBody, flip: Flip) {
    let position = to_bevy(flip.apply(body.position));
    let transform = Transform {
        translation: position.extend(0.0),
        rotation: quaternion(if flip.y { -body.angle } else { body.angle }),
        scale: Vec3::splat(body.scale),
    };
    let kind = if body.fixed { Body::Fixed } else { Body::Moving };
    let name = Name::new(body.name.clone());
    let mut entity = commands.spawn((kind, name, transform, Team(body.team), LevelBody));
    if body.disabled {
        entity.insert(BodyDisabled);
    }
    if body.hidden {
        entity.insert(BodyHidden);
    }
    entity.insert(ChildOf(level));
    let body_entity = entity.id();
    match &body.colliders[..] {
        [collider] => insert_collider(&mut entity, collider, flip),
        colliders => {
            for collider in colliders {
                let mut child = commands.spawn(ChildOf(body_entity));
                insert_collider(&mut child, collider, flip);
            }
        }
    }
}

fn insert_collider(entity: &mut EntityCommands, collider: &SceneCollider, flip: Flip) {
    let role = match collider.role {
        carom::world::Role::Sensor => Role::Sensor,
        carom::world::Role::Hitbox => Role::Hitbox,
        carom::world::Role::Hurtbox => Role::Hurtbox,
        _ => Role::Solid,
    };
    entity.insert((Collider::new(collider.shape.flipped(flip)), role));
    if collider.layers.is_some() || collider.hits.is_some() {
        let default = CollisionLayers::default();
        entity.insert(CollisionLayers {
            layers: match &collider.layers {
                Some(Names(names)) => LayerNames::Names(names.clone()),
                None => default.layers,
            },
            mask: collider.hits.clone().map_or(default.mask, LayerNames::Names),
        });
    }
    if let Some(up) = collider.one_way {
        entity.insert(OneWay(Vec2::from_array(flip.apply(up).to_array())));
    }
    if collider.disabled {
        entity.insert(ColliderDisabled);
    }
}
