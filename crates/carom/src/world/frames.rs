//! Animation frames on bodies: colliders that change with the frame.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use smallvec::SmallVec;

use crate::math::Flip;
use crate::shape::canonical::canonical_form;
use crate::sheet::{Frame, FrameBox, FrameId, FrameRef, ResolvedBox, Sheet};
use crate::world::layers::LayerRegistry;
use crate::world::snapshot::StateHash;
use crate::world::storage::NONE;
use crate::world::{BodyKey, Collider, ColliderKey, Layer, LayerNames, Layers, World, WorldError};

/// The key of a sheet in a [`World`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct SheetKey(u32);

impl fmt::Display for SheetKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sheet {}", self.0)
    }
}

impl fmt::Debug for SheetKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The frame that a body shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ShownFrame {
    /// The sheet that contains the frame.
    pub sheet: SheetKey,
    /// The index of the frame in the sheet.
    pub frame: usize,
    /// The direction that is shown.
    pub direction: u32,
    /// The axes along which the frame is mirrored.
    pub flip: Flip,
}

/// The sheets of a world, and the frames that its bodies show.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "data::FramesData", into = "data::FramesData"))]
pub(crate) struct Frames {
    sheets: Vec<RegisteredSheet>,
    /// The frame of each body that shows one, in no particular order.
    shown: Vec<BodyFrame>,
    /// For each body slot, the index in `shown`, or [`NONE`].
    index: Vec<u32>,
}

/// A sheet and the hash of its contents. The sheet never changes, so it is hashed once.
#[derive(Clone, Debug, PartialEq)]
struct RegisteredSheet {
    sheet: Arc<Sheet>,
    hash: u64,
}

impl RegisteredSheet {
    fn new(sheet: Arc<Sheet>) -> Self {
        let mut hash = StateHash::new();
        for frame in sheet.frames() {
            hash.text(&frame.name);
            hash.vector(frame.pivot);
            hash.words([frame.ticks, frame.boxes.len() as u32].map(u64::from));
            hash_boxes(&mut hash, &frame.boxes);
            for (&direction, boxes) in &frame.directions {
                hash.words([u64::from(direction), boxes.len() as u64]);
                hash_boxes(&mut hash, boxes);
            }
        }
        for it in sheet.animations() {
            hash.text(&it.name);
            hash.words([it.first as u64, it.last as u64, it.playback as u64]);
        }
        hash.word(u64::from(sheet.directions()));
        Self { sheet, hash: hash.value() }
    }
}

fn hash_boxes(hash: &mut StateHash, boxes: &[FrameBox]) {
    for FrameBox { name, role, shape, layers, mask } in boxes {
        hash.text(name);
        hash.word(*role as u64);
        hash.shape(shape);
        for names in [layers, mask] {
            hash.word(names.as_ref().map_or(u64::MAX, |names| names.len() as u64));
            names.iter().flatten().for_each(|name| hash.text(name));
        }
    }
}

/// The frame that a body shows, and the colliders that were made from its boxes.
#[derive(Clone, Debug, PartialEq)]
struct BodyFrame {
    body: BodyKey,
    sheet: SheetKey,
    frame_id: FrameId,
    /// The collider of each box of the frame, in order.
    colliders: SmallVec<[ColliderKey; 4]>,
}

impl Frames {
    fn sheet(&self, key: SheetKey) -> Result<&Arc<Sheet>, WorldError> {
        let found = self.sheets.get(key.0 as usize);
        found.map(|it| &it.sheet).ok_or(WorldError::NoSuchSheet(key))
    }

    fn index_of(&self, body: BodyKey) -> Option<usize> {
        let index = *self.index.get(body.slot as usize)? as usize;
        self.shown.get(index).filter(|shown| shown.body == body).map(|_| index)
    }

    fn of(&self, body: BodyKey) -> Option<&BodyFrame> {
        self.index_of(body).map(|index| &self.shown[index])
    }

    /// Returns the frames that are shown, ordered by body.
    fn iter_sorted(&self) -> impl Iterator<Item = &BodyFrame> {
        self.index.iter().filter_map(|&index| self.shown.get(index as usize))
    }

    /// Returns the boxes of the frame that a body shows, with their colliders.
    fn boxes(&self, body: BodyKey) -> impl Iterator<Item = (&FrameBox, ColliderKey)> {
        self.of(body).into_iter().flat_map(|shown| {
            let boxes = self.sheets[shown.sheet.0 as usize].sheet.source_boxes(shown.frame_id);
            boxes.iter().zip(shown.colliders.iter().copied())
        })
    }

    pub fn hash(&self, hash: &mut StateHash) {
        hash.word(self.sheets.len() as u64);
        hash.words(self.sheets.iter().map(|it| it.hash));
        hash.word(self.shown.len() as u64);
        for BodyFrame { body, sheet, frame_id, colliders } in self.iter_sorted() {
            let FrameId { frame, direction, flip } = *frame_id;
            hash.words([
                body.to_bits(),
                u64::from(sheet.0),
                u64::from(frame),
                u64::from(direction),
            ]);
            hash.words([u64::from(flip.x), u64::from(flip.y)]);
            hash.words(colliders.iter().map(|key| key.to_bits()));
        }
    }

    /// Removes the record of the frame that a body shows.
    pub fn remove(&mut self, body: BodyKey) {
        if let Some(index) = self.index_of(body) {
            self.shown.swap_remove(index);
            if let Some(moved) = self.shown.get(index) {
                self.index[moved.body.slot as usize] = index as u32;
            }
            self.index[body.slot as usize] = NONE;
        }
    }

    fn set(&mut self, new: BodyFrame) {
        if let Some(index) = self.index_of(new.body) {
            self.shown[index] = new;
            return;
        }
        let slot = new.body.slot as usize;
        if slot >= self.index.len() {
            self.index.resize(slot + 1, NONE);
        }
        self.index[slot] = self.shown.len() as u32;
        self.shown.push(new);
    }
}

/// # Animation frames
///
/// A body that shows a frame of a [`Sheet`] has the boxes of that frame as colliders, in addition to
/// those that were added one by one. Showing the next frame changes them: a box with the same name keeps
/// its collider, so pairs that still touch have *stayed*. Boxes that the new frame does not have are
/// removed, which ends their pairs; new boxes are added.
///
/// ```
/// use carom::prelude::*;
/// use carom::sheet::{Frame, FrameRef, Sheet};
/// let mut world = World::new();
/// let body = Aabb::new([-1.0, 0.0], [1.0, 4.0]);
/// let fighter = world.add_sheet(Sheet::from_frames([
///     Frame::new("idle").hurtbox("body", body),
///     Frame::new("punch").hurtbox("body", body).hitbox("fist", Circle::new([2.0, 3.0], 0.5)),
/// ])?)?;
/// let ann = world.add_body(Body::moving([0.0, 0.0]))?;
/// let bob = world.add_body(Body::moving([3.0, 0.0]))?;
/// world.set_frame(ann, fighter, "idle")?;
/// world.set_frame(bob, fighter, FrameRef::from("idle").flipped(Flip::X))?; // he faces her
/// world.update();
///
/// world.set_frame(ann, fighter, "punch")?;
/// world.update();
/// let strike = world.strikes()[0];
/// assert_eq!((strike.attacker, strike.victim), (ann, bob));
/// assert_eq!(world.box_name(strike.hitbox), Some("fist"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl World {
    /// Adds a sheet to the world. Any number of bodies can show its frames.
    ///
    /// # Errors
    /// Returns [`WorldError::UnknownLayer`] if the layer or mask of a box has a name that no layer has.
    pub fn add_sheet(&mut self, sheet: impl Into<Arc<Sheet>>) -> Result<SheetKey, WorldError> {
        let mut sheet = sheet.into();
        self.layers.check_sheet(&sheet)?;
        // A loaded world has the boxes in the canonical form, so this one has them, too.
        if let Some(canonical) = sheet.map_shapes(canonical_form) {
            sheet = Arc::new(canonical);
        }
        let key = SheetKey(self.frames.sheets.len() as u32);
        self.frames.sheets.push(RegisteredSheet::new(sheet));
        Ok(key)
    }

    /// Returns a sheet, or `None` if the key is invalid.
    pub fn sheet(&self, key: SheetKey) -> Option<&Arc<Sheet>> {
        self.frames.sheet(key).ok()
    }

    /// Makes a body show a frame of a sheet, selected by name or index, and optionally
    /// [mirrored](FrameRef::flipped) or [in a direction](FrameRef::direction). If it shows that frame
    /// already, nothing happens, except that boxes whose colliders have been removed come back.
    ///
    /// Colliders that stay keep the settings of the game, such as user data or being disabled. Shape, role
    /// and layers are those of the new frame.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchBody`] or [`WorldError::NoSuchSheet`] if a key is invalid, and
    /// [`WorldError::Sheet`] if the sheet does not have the frame or direction. The body then shows what
    /// it showed before.
    #[doc(alias = "hitbox")]
    #[doc(alias = "hurtbox")]
    #[doc(alias = "sprite animation")]
    pub fn set_frame<'a>(
        &mut self,
        body: BodyKey,
        sheet: SheetKey,
        frame: impl Into<FrameRef<'a>>,
    ) -> Result<(), WorldError> {
        self.storage.body(body).ok_or(WorldError::NoSuchBody(body))?;
        let from = Arc::clone(self.frames.sheet(sheet)?);
        let frame_id = from.find(&frame.into()).map_err(WorldError::Sheet)?;
        let is_shown = |shown: &BodyFrame| {
            (shown.sheet, shown.frame_id) == (sheet, frame_id)
                && shown.colliders.iter().all(|&key| self.storage.collider(key).is_some())
        };
        if self.frames.of(body).is_some_and(is_shown) {
            return Ok(());
        }
        let mut colliders = SmallVec::new();
        for new in from.placed(frame_id) {
            let old = self.frames.boxes(body).find(|(source, _)| source.name == new.name);
            let old = old.map(|(_, key)| key).filter(|&key| self.collider(key).is_some());
            colliders.push(match old {
                Some(key) => self.update_box(key, new)?,
                None => self.add_box(body, new)?,
            });
        }
        self.remove_boxes(body, &colliders);
        self.frames.set(BodyFrame { body, sheet, frame_id, colliders });
        Ok(())
    }

    /// Removes the colliders that a body has from the frame it shows. It shows no frame then.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchBody`] if the key is invalid.
    pub fn clear_frame(&mut self, body: BodyKey) -> Result<(), WorldError> {
        self.storage.body(body).ok_or(WorldError::NoSuchBody(body))?;
        self.remove_boxes(body, &[]);
        self.frames.remove(body);
        Ok(())
    }

    /// Returns the frame that a body shows, if it shows one.
    pub fn frame(&self, body: BodyKey) -> Option<ShownFrame> {
        let shown = self.frames.of(body)?;
        let FrameId { frame, direction, flip } = shown.frame_id;
        Some(ShownFrame { sheet: shown.sheet, frame: frame as usize, direction, flip })
    }

    /// Returns the name of the box that a collider comes from, in the frame that its body shows; `None` if
    /// the collider is not from a frame.
    pub fn box_name(&self, collider: ColliderKey) -> Option<&str> {
        let body = self.collider(collider)?.body_key();
        let mut boxes = self.frames.boxes(body);
        boxes.find(|&(_, key)| key == collider).map(|(source, _)| source.name.as_str())
    }

    /// Returns the collider of the box with a name, in the frame that a body shows.
    pub fn box_of(&self, body: BodyKey, name: &str) -> Option<ColliderKey> {
        let (_, key) = self.frames.boxes(body).find(|(source, _)| source.name == name)?;
        self.collider(key).map(|_| key)
    }

    fn add_box(&mut self, body: BodyKey, new: ResolvedBox<'_>) -> Result<ColliderKey, WorldError> {
        let (layers, mask) = self.layers.resolve_box(new.layers, new.mask)?;
        self.add_collider(
            body,
            Collider::new(new.shape).with_role(new.role).on_layers(layers).with_mask(mask),
        )
    }

    /// Changes a collider to its box in the new frame. Properties that are equal are not set, so that
    /// the collider is not tested again without need.
    fn update_box(
        &mut self,
        key: ColliderKey,
        new: ResolvedBox<'_>,
    ) -> Result<ColliderKey, WorldError> {
        let (layers, mask) = self.layers.resolve_box(new.layers, new.mask)?;
        let Some(old) = self.collider(key) else { return Err(WorldError::NoSuchCollider(key)) };
        let moved = *old.unplaced_shape() != new.shape;
        let props = (old.role(), old.layers(), old.mask());
        if props != (new.role, layers, mask) {
            self.set_props(key, |props| {
                (props.role, props.layers, props.mask) = (new.role, layers, mask);
            })?;
        }
        if moved {
            self.set_shape(key, new.shape)?;
        }
        Ok(key)
    }

    /// Removes the colliders of the frame that a body shows, except those in `kept`.
    fn remove_boxes(&mut self, body: BodyKey, kept: &[ColliderKey]) {
        let old: SmallVec<[ColliderKey; 8]> =
            self.frames.boxes(body).map(|(_, key)| key).filter(|key| !kept.contains(key)).collect();
        for key in old {
            // It fails if the game has removed the collider itself, which is fine.
            let _ = self.remove_collider(key);
        }
    }
}

impl LayerRegistry {
    /// Resolves the layers and the mask of a box.
    fn resolve_box(
        &self,
        layers: Option<&[String]>,
        mask: Option<&[String]>,
    ) -> Result<(Layers, Layers), WorldError> {
        let resolve = |names: Option<&[String]>, default: Layers| match names {
            Some(names) => self.layers(LayerNames::Names(names.to_vec())),
            None => Ok(default),
        };
        Ok((resolve(layers, Layer::DEFAULT.into())?, resolve(mask, Layers::ALL)?))
    }

    /// Checks that all layers that a sheet names exist.
    pub(crate) fn check_sheet(&self, sheet: &Sheet) -> Result<(), WorldError> {
        let mut boxes = sheet.frames().iter().flat_map(Frame::all_boxes);
        boxes
            .try_for_each(|it| self.resolve_box(it.layers.as_deref(), it.mask.as_deref()).map(drop))
    }
}

/// The serialized form of [`Frames`].
#[cfg(feature = "serde")]
mod data {
    use alloc::format;
    use alloc::string::String;
    use alloc::sync::Arc;
    use alloc::vec::Vec;
    use core::fmt;

    use super::{BodyFrame, Frames, RegisteredSheet, SheetKey};
    use crate::broad::MAX_ID;
    use crate::math::Flip;
    use crate::sheet::{FrameRef, Sheet};
    use crate::world::{BodyKey, ColliderKey};

    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct FramesData {
        sheets: Vec<Sheet>,
        shown: Vec<BodyFrameData>,
    }

    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct BodyFrameData {
        body: BodyKey,
        sheet: SheetKey,
        frame: usize,
        #[serde(rename = "phase")]
        direction: u32,
        mirror: Flip,
        colliders: Vec<ColliderKey>,
    }

    impl From<Frames> for FramesData {
        fn from(frames: Frames) -> Self {
            let shown = frames.iter_sorted().map(|shown| BodyFrameData {
                body: shown.body,
                sheet: shown.sheet,
                frame: shown.frame_id.frame as usize,
                direction: shown.frame_id.direction,
                mirror: shown.frame_id.flip,
                colliders: shown.colliders.to_vec(),
            });
            let sheets = frames.sheets.iter().map(|it| Sheet::clone(&it.sheet));
            Self { sheets: sheets.collect(), shown: shown.collect() }
        }
    }

    impl TryFrom<FramesData> for Frames {
        type Error = String;

        fn try_from(data: FramesData) -> Result<Self, String> {
            let sheets = data
                .sheets
                .into_iter()
                .map(|sheet| RegisteredSheet::new(Arc::new(sheet)))
                .collect();
            let mut frames = Self { sheets, ..Self::default() };
            let mut last = None;
            for it in data.shown {
                let shown = frames.shown(it)?;
                if last.replace(shown.body.slot) >= Some(shown.body.slot) {
                    return Err(format!("frames: {} is not sorted", shown.body));
                }
                if shown.body.slot > MAX_ID {
                    return Err(format!("frames: {} does not exist", shown.body));
                }
                frames.set(shown);
            }
            Ok(frames)
        }
    }

    impl Frames {
        /// Returns all sheets.
        pub(crate) fn sheets(&self) -> impl Iterator<Item = &Sheet> {
            self.sheets.iter().map(|it| &*it.sheet)
        }

        /// Returns the bodies that show a frame, with the colliders they have from it.
        pub(crate) fn owners(&self) -> impl Iterator<Item = (BodyKey, &[ColliderKey])> {
            self.iter_sorted().map(|shown| (shown.body, &*shown.colliders))
        }

        /// Restores the frame that a body shows, if the sheet has it.
        fn shown(&self, data: BodyFrameData) -> Result<BodyFrame, String> {
            let BodyFrameData { body, sheet, frame, direction, mirror, colliders } = data;
            let fault = |error: &dyn fmt::Display| format!("frames: {body}: {error}");
            let frame_ref = FrameRef::from(frame).direction(direction).flipped(mirror);
            let from = self.sheet(sheet).map_err(|error| fault(&error))?;
            let frame_id = from.find(&frame_ref).map_err(|error| fault(&error))?;
            let (found, expected) = (colliders.len(), from.source_boxes(frame_id).len());
            if found != expected {
                return Err(fault(&format_args!("found {found} colliders for {expected} boxes")));
            }
            Ok(BodyFrame { body, sheet, frame_id, colliders: colliders.into() })
        }
    }
}
