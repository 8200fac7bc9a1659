//! Layers: which colliders pay attention to which.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::BitOr;

use crate::world::{World, WorldError};

/// A layer: every collider is on one. A world has up to [`Layers::MAX`] of them.
///
/// Layers are made by name with [`World::add_layer`], which numbers them from 0 on; where names are
/// not wanted, [`Layer::new`] gives one by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u8", into = "u8"))]
pub struct Layer(u8);

impl Layer {
    /// The layer that colliders are on if nothing else is said: number 0, `"default"`.
    pub const DEFAULT: Self = Self(0);

    /// The layer of a number.
    ///
    /// # Panics
    /// If the number is not below [`Layers::MAX`].
    pub const fn new(number: u8) -> Self {
        assert!((number as usize) < Layers::MAX, "a layer's number must be below Layers::MAX");
        Self(number)
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self.0
    }
}

impl TryFrom<u8> for Layer {
    type Error = &'static str;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        if usize::from(number) < Layers::MAX { Ok(Self(number)) } else { Err("no such layer") }
    }
}

impl From<Layer> for u8 {
    fn from(layer: Layer) -> Self {
        layer.0
    }
}

/// A set of layers.
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
pub struct Layers(u64);

impl Layers {
    /// How many layers there can be.
    pub const MAX: usize = 64;
    /// No layer.
    pub const NONE: Self = Self(0);
    /// Every layer, also those that are yet to be made.
    pub const ALL: Self = Self(u64::MAX);

    /// Whether a layer belongs to the set.
    #[inline]
    pub const fn contains(self, layer: Layer) -> bool {
        self.0 >> layer.0 & 1 == 1
    }

    /// The set with a layer more.
    #[must_use]
    pub const fn with(self, layer: Layer) -> Self {
        Self(self.0 | 1 << layer.0)
    }

    /// The set without a layer.
    #[must_use]
    pub const fn without(self, layer: Layer) -> Self {
        Self(self.0 & !(1 << layer.0))
    }

    /// The layers of the set, in the order of their numbers.
    pub fn iter(self) -> impl Iterator<Item = Layer> {
        (0..Self::MAX as u8).map(Layer).filter(move |&layer| self.contains(layer))
    }

    /// One bit for each layer, that of layer 0 the lowest.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The set of these bits.
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

/// A layer, itself or by its name.
#[derive(Clone, Debug, PartialEq)]
pub enum LayerName {
    /// The layer itself.
    Layer(Layer),
    /// Its name, which the world will look up.
    Name(String),
}

/// A set of layers, themselves or by their names.
#[derive(Clone, Debug, PartialEq)]
pub enum LayerNames {
    /// The layers themselves.
    Layers(Layers),
    /// Their names, which the world will look up.
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

/// The names of a world's layers; clones share them.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Vec<String>", into = "Vec<String>"))]
pub(crate) struct LayerRegistry(Arc<Vec<String>>);

impl LayerRegistry {
    pub fn new() -> Self {
        alloc::vec!["default".to_owned()].into()
    }

    /// That there are neither too few nor too many.
    #[cfg(feature = "serde")]
    pub fn check(&self) -> Result<(), String> {
        let count = self.0.len();
        if (1..=Layers::MAX).contains(&count) {
            Ok(())
        } else {
            Err(alloc::format!("layers: found {count}, expected 1 to {}", Layers::MAX))
        }
    }

    pub fn names(&self) -> &[String] {
        &self.0
    }

    fn add(&mut self, name: &str) -> Result<Layer, WorldError> {
        if let Ok(layer) = self.find(name) {
            return Ok(layer);
        }
        if self.0.len() == Layers::MAX {
            return Err(WorldError::TooManyLayers { name: name.to_owned() });
        }
        Arc::make_mut(&mut self.0).push(name.to_owned());
        Ok(Layer(self.0.len() as u8 - 1))
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
    /// Makes a layer with a name, or gives the one that has it already.
    ///
    /// # Errors
    /// [`WorldError::TooManyLayers`] beyond [`Layers::MAX`].
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
        self.layers.add(name)
    }

    /// The layer of a name.
    ///
    /// # Errors
    /// [`WorldError::UnknownLayer`], which lists the names there are.
    pub fn layer(&self, name: impl Into<LayerName>) -> Result<Layer, WorldError> {
        self.layers.layer(name)
    }

    /// The set of layers of these names: `world.layers(["wall", "enemy"])`.
    ///
    /// # Errors
    /// [`WorldError::UnknownLayer`] for the first name that no layer has.
    pub fn layers(&self, names: impl Into<LayerNames>) -> Result<Layers, WorldError> {
        self.layers.layers(names)
    }

    /// The names of all layers; their places in the list are their numbers.
    pub fn layer_names(&self) -> &[String] {
        self.layers.names()
    }
}
