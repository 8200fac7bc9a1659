//! Filters, which select the colliders that a query considers.

use alloc::sync::Arc;

use smallvec::SmallVec;

use crate::world::storage::Storage;
use crate::world::{BodyKey, ColliderRef, Layers, Role};

/// Selects the colliders that a query considers. A new filter lets all enabled colliders pass that are on a
/// layer, and each method narrows it down.
///
/// ```
/// use carom::prelude::*;
/// let mut world = World::new();
/// world.add_layer("enemy")?;
/// let hero = world.add_body(Body::moving([0.0, 0.0]))?;
/// let enemies = Filter::new().layers(world.layers("enemy")?).exclude(hero);
/// let weak = enemies.predicate(&|collider| collider.body().user_data < 10);
/// assert_eq!(world.nearest([0.0, 0.0], 3, &weak), []);
/// # Ok::<(), WorldError>(())
/// ```
#[derive(Clone)]
#[doc(alias = "QueryFilter")]
#[doc(alias = "collision mask")]
pub struct Filter<'a> {
    layers: Layers,
    /// One bit for each role.
    roles: u8,
    visible: bool,
    exclude: SmallVec<[BodyKey; 2]>,
    predicate: Option<Predicate<'a>>,
}

/// A test that the game supplies.
#[derive(Clone)]
enum Predicate<'a> {
    Borrowed(&'a dyn Fn(ColliderRef<'_>) -> bool),
    Owned(Arc<dyn Fn(ColliderRef<'_>) -> bool + Send + Sync>),
}

impl<'a> Filter<'a> {
    /// Creates a filter that lets all enabled colliders pass that are on a layer.
    pub fn new() -> Self {
        Self {
            layers: Layers::ALL,
            roles: u8::MAX,
            visible: false,
            exclude: SmallVec::new(),
            predicate: None,
        }
    }

    /// Restricts the filter to colliders that are on one of these layers or more.
    #[must_use]
    pub fn layers(self, layers: impl Into<Layers>) -> Self {
        Self { layers: layers.into(), ..self }
    }

    /// Restricts the filter to colliders with one of these roles.
    #[must_use]
    pub fn roles(self, roles: impl IntoIterator<Item = Role>) -> Self {
        Self { roles: roles.into_iter().fold(0, |roles, role| roles | 1 << role as u8), ..self }
    }

    /// Restricts the filter to solid colliders: no sensors, hitboxes or hurtboxes.
    #[must_use]
    pub fn solid(self) -> Self {
        self.roles([Role::Solid])
    }

    /// Restricts the filter to colliders of [visible](crate::world::Body::visible) bodies.
    #[must_use]
    pub fn visible(self) -> Self {
        Self { visible: true, ..self }
    }

    /// Excludes the colliders of a body. Can be called for several bodies.
    #[must_use]
    pub fn exclude(mut self, body: BodyKey) -> Self {
        self.exclude.push(body);
        self
    }

    /// Restricts the filter to colliders for which `predicate` returns `true`. It is called for colliders
    /// that pass the rest of the filter, before their shapes are tested.
    #[must_use]
    pub fn predicate(self, predicate: &'a dyn Fn(ColliderRef<'_>) -> bool) -> Self {
        Self { predicate: Some(Predicate::Borrowed(predicate)), ..self }
    }

    /// Does the same as [`predicate`](Self::predicate) with a closure that the filter owns, so that the
    /// filter can be kept in a struct:
    ///
    /// ```
    /// use carom::prelude::*;
    /// struct Tower {
    ///     targets: Filter<'static>,
    /// }
    /// let min_health = 10;
    /// let targets = Filter::new().with_predicate(move |it| it.body().user_data >= min_health);
    /// let tower = Tower { targets };
    /// assert_eq!(World::new().nearest([0.0, 0.0], 1, &tower.targets), []);
    /// ```
    #[must_use]
    pub fn with_predicate(
        self,
        predicate: impl Fn(ColliderRef<'_>) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self { predicate: Some(Predicate::Owned(Arc::new(predicate))), ..self }
    }

    /// Returns `true` if a collider passes the filter.
    #[inline]
    pub(crate) fn passes(&self, storage: &Storage, slot: u32) -> bool {
        let props = &storage.props[slot as usize];
        self.layers.intersects(props.layers)
            && self.roles >> props.role as u8 & 1 == 1
            && (!self.visible || storage.body_of(slot).is_some_and(|body| body.visible))
            && (self.exclude.is_empty() || !self.exclude.contains(&storage.body_key_of(slot)))
            && self.predicate.as_ref().is_none_or(|predicate| {
                ColliderRef::new(storage, slot).is_some_and(|collider| match predicate {
                    Predicate::Borrowed(test) => test(collider),
                    Predicate::Owned(test) => test(collider),
                })
            })
    }
}

impl Default for Filter<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl core::fmt::Debug for Filter<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Filter")
            .field("layers", &self.layers)
            .field("roles", &self.roles)
            .field("visible", &self.visible)
            .field("exclude", &self.exclude)
            .field("predicate", &self.predicate.is_some())
            .finish()
    }
}
