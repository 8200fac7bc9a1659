//! Collision layers and masks, which decide which colliders can touch each other.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::BitOr;

use crate::world::{World, WorldError};

/// A collision layer. Every collider is on one layer or on several, and a world has up to [`Layers::MAX`] of
/// them.
///
/// [`World::add_layer`] adds a layer with a name, and numbers the layers in order: `"default"` is layer 0,
/// the first one added is layer 1. Games that do not want names use [`Layer::new`] with a number. A game
/// should not mix both: `Layer::new(3)` is the layer with number 3, and if it has a name, it is that layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u8", into = "u8"))]
#[doc(alias = "collision layer")]
#[doc(alias = "collision group")]
#[doc(alias = "collision matrix")]
pub struct Layer(u8);

impl Layer {
    /// The layer of colliders that are not put on another one: number 0, `"default"`.
    pub const DEFAULT: Self = Self(0);

    /// Returns the layer with a number.
    ///
    /// # Panics
    /// Panics if `number` is not less than [`Layers::MAX`].
    pub const fn new(number: u8) -> Self {
        assert!(
            (number as usize) < Layers::MAX,
            "the number of a layer must be less than Layers::MAX"
        );
        Self(number)
    }

    /// Returns the number of the layer.
    pub const fn number(self) -> u8 {
        self.0
    }
}

impl TryFrom<u8> for Layer {
    type Error = &'static str;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        if usize::from(number) < Layers::MAX {
            Ok(Self(number))
        } else {
            Err("the number of a layer must be less than 64")
        }
    }
}

impl From<Layer> for u8 {
    fn from(layer: Layer) -> Self {
        layer.0
    }
}

/// A set of layers: those that a collider is on, or its collision mask.
///
/// ```
/// use carom::world::{Layer, Layers};
/// let (wall, enemy) = (Layer::new(1), Layer::new(2));
/// let both = wall | enemy;
/// assert!(both.contains(enemy) && !both.without(enemy).contains(enemy));
/// assert_eq!(both, [wall, enemy].into());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
#[doc(alias = "collision layers")]
#[doc(alias = "collision mask")]
#[doc(alias = "LayerMask")]
#[doc(alias = "collision matrix")]
pub struct Layers(u64);

impl Layers {
    /// The largest number of layers that a world can have.
    pub const MAX: usize = 64;
    /// The empty set.
    pub const NONE: Self = Self(0);
    /// All layers, including those that have not been added yet.
    pub const ALL: Self = Self(u64::MAX);

    /// Returns `true` if the set contains a layer.
    #[inline]
    pub const fn contains(self, layer: Layer) -> bool {
        self.0 >> layer.0 & 1 == 1
    }

    /// Returns `true` if two sets have a layer in common.
    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the set with a layer added.
    #[must_use]
    pub const fn with(self, layer: Layer) -> Self {
        Self(self.0 | 1 << layer.0)
    }

    /// Returns the set with a layer removed.
    #[must_use]
    pub const fn without(self, layer: Layer) -> Self {
        Self(self.0 & !(1 << layer.0))
    }

    /// Returns an iterator over the layers of the set, in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Layer> {
        (0..Self::MAX as u8).map(Layer).filter(move |&layer| self.contains(layer))
    }

    /// Returns the set as bits, one for each layer. Layer 0 is the lowest bit.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Converts bits, one for each layer, to a set.
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}

impl From<Layer> for Layers {
    fn from(layer: Layer) -> Self {
        Self::NONE.with(layer)
    }
}

impl<const N: usize> From<[Layer; N]> for Layers {
    fn from(layers: [Layer; N]) -> Self {
        layers.into_iter().collect()
    }
}

impl FromIterator<Layer> for Layers {
    fn from_iter<I: IntoIterator<Item = Layer>>(layers: I) -> Self {
        layers.into_iter().fold(Self::NONE, Self::with)
    }
}

impl BitOr for Layers {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOr for Layer {
    type Output = Layers;

    fn bitor(self, other: Self) -> Layers {
        Layers::from(self).with(other)
    }
}

impl BitOr<Layer> for Layers {
    type Output = Self;

    fn bitor(self, other: Layer) -> Self {
        self.with(other)
    }
}

/// A layer, or the name of one.
#[derive(Clone, Debug, PartialEq)]
pub enum LayerName {
    /// A layer.
    Layer(Layer),
    /// A name, which the world resolves.
    Name(String),
}

/// A set of layers, or the names of layers.
#[derive(Clone, Debug, PartialEq)]
pub enum LayerNames {
    /// A set of layers.
    Layers(Layers),
    /// Names, which the world resolves.
    Names(Vec<String>),
}

impl From<Layer> for LayerName {
    fn from(layer: Layer) -> Self {
        Self::Layer(layer)
    }
}

impl From<&str> for LayerName {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

impl From<Layers> for LayerNames {
    fn from(layers: Layers) -> Self {
        Self::Layers(layers)
    }
}

impl From<Layer> for LayerNames {
    fn from(layer: Layer) -> Self {
        Self::Layers(layer.into())
    }
}

impl<const N: usize> From<[Layer; N]> for LayerNames {
    fn from(layers: [Layer; N]) -> Self {
        Self::Layers(layers.into())
    }
}

impl From<LayerName> for LayerNames {
    fn from(layer: LayerName) -> Self {
        match layer {
            LayerName::Layer(layer) => layer.into(),
            LayerName::Name(name) => Self::Names(alloc::vec![name]),
        }
    }
}

impl From<&str> for LayerNames {
    fn from(name: &str) -> Self {
        [name].into()
    }
}

impl<const N: usize> From<[&str; N]> for LayerNames {
    fn from(names: [&str; N]) -> Self {
        names[..].into()
    }
}

impl From<&[&str]> for LayerNames {
    fn from(names: &[&str]) -> Self {
        Self::Names(names.iter().map(|&name| name.to_owned()).collect())
    }
}

/// The names of a world's layers. Clones share the list until one of them adds a layer.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Vec<String>", into = "Vec<String>"))]
pub(crate) struct LayerRegistry(Arc<Vec<String>>);

impl LayerRegistry {
    pub fn new() -> Self {
        alloc::vec!["default".to_owned()].into()
    }

    /// Checks the number of layers and their names.
    #[cfg(feature = "serde")]
    pub fn check(&self) -> Result<(), String> {
        let count = self.0.len();
        if !(1..=Layers::MAX).contains(&count) {
            return Err(alloc::format!(
                "layers: found {count} names, expected 1 to {}",
                Layers::MAX
            ));
        }
        match self.0.iter().position(String::is_empty) {
            Some(number) => Err(alloc::format!("layers[{number}]: the name is empty")),
            None => Ok(()),
        }
    }

    pub fn names(&self) -> &[String] {
        &self.0
    }

    /// Adds a layer, or returns the layer of that name. `is_in_use` returns whether a collider is on a layer.
    fn add(&mut self, name: &str, is_in_use: impl Fn(Layer) -> bool) -> Result<Layer, WorldError> {
        if name.is_empty() {
            return Err(WorldError::EmptyLayerName);
        }
        if let Ok(layer) = self.find(name) {
            return Ok(layer);
        }
        if self.0.len() == Layers::MAX {
            return Err(WorldError::TooManyLayers { name: name.to_owned() });
        }
        let number = self.0.len() as u8;
        if is_in_use(Layer(number)) {
            return Err(WorldError::LayerInUse { name: name.to_owned(), number });
        }
        Arc::make_mut(&mut self.0).push(name.to_owned());
        Ok(Layer(number))
    }

    fn find(&self, name: &str) -> Result<Layer, WorldError> {
        match self.0.iter().position(|known| known == name) {
            Some(number) => Ok(Layer(number as u8)),
            None => Err(WorldError::UnknownLayer { name: name.to_owned(), known: self.0.to_vec() }),
        }
    }

    pub fn layer(&self, layer: impl Into<LayerName>) -> Result<Layer, WorldError> {
        match layer.into() {
            LayerName::Layer(layer) => Ok(layer),
            LayerName::Name(name) => self.find(&name),
        }
    }

    pub fn layers(&self, layers: impl Into<LayerNames>) -> Result<Layers, WorldError> {
        match layers.into() {
            LayerNames::Layers(layers) => Ok(layers),
            LayerNames::Names(names) => names.iter().map(|name| self.find(name)).collect(),
        }
    }
}

impl From<Vec<String>> for LayerRegistry {
    fn from(names: Vec<String>) -> Self {
        Self(Arc::new(names))
    }
}

impl From<LayerRegistry> for Vec<String> {
    fn from(registry: LayerRegistry) -> Self {
        registry.0.to_vec()
    }
}

/// # Layers
impl World {
    /// Adds a layer with a name, or returns the existing layer of that name.
    ///
    /// # Errors
    /// Returns [`WorldError::EmptyLayerName`] if the name is empty, [`WorldError::TooManyLayers`] if there
    /// are [`Layers::MAX`] layers already, and [`WorldError::LayerInUse`] if the layer would get a number
    /// that a collider uses already, by [`Layer::new`]: two kinds of things would share a layer.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let enemy = world.add_layer("enemy")?;
    /// assert_eq!(world.layer("enemy")?, enemy);
    /// assert_eq!(world.layer_names(), ["default", "enemy"]);
    /// # Ok::<(), WorldError>(())
    /// ```
    pub fn add_layer(&mut self, name: &str) -> Result<Layer, WorldError> {
        let Self { layers, storage, .. } = self;
        layers.add(name, |layer| {
            let colliders = storage.colliders.iter();
            // A collider on all layers is meant to be on the new one, too.
            let is_on_it = |layers: Layers| layers != Layers::ALL && layers.contains(layer);
            colliders
                .map(|(slot, ..)| slot)
                .any(|slot| is_on_it(storage.props[slot as usize].layers))
        })
    }

    /// Returns the layer with a name.
    ///
    /// # Errors
    /// Returns [`WorldError::UnknownLayer`], which lists all names, if no layer has this name.
    pub fn layer(&self, name: impl Into<LayerName>) -> Result<Layer, WorldError> {
        self.layers.layer(name)
    }

    /// Returns the set of the layers with these names: `world.layers(["wall", "enemy"])`.
    ///
    /// # Errors
    /// Returns [`WorldError::UnknownLayer`] for the first name that no layer has.
    pub fn layers(&self, names: impl Into<LayerNames>) -> Result<Layers, WorldError> {
        self.layers.layers(names)
    }

    /// Returns the names of all layers, ordered by their numbers.
    pub fn layer_names(&self) -> &[String] {
        self.layers.names()
    }
}
