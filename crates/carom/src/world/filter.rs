//! Filters: which colliders a query is about.

use smallvec::SmallVec;

use crate::world::storage::Storage;
use crate::world::{BodyKey, ColliderRef, Layers, Role};

/// Which colliders a query is about. A new filter lets all through that are enabled; each call
/// narrows it down.
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
pub struct Filter<'a> {
    layers: Layers,
    /// One bit for each role.
    roles: u8,
    visible: bool,
    exclude: SmallVec<[BodyKey; 2]>,
    predicate: Option<&'a dyn Fn(ColliderRef<'_>) -> bool>,
}

impl<'a> Filter<'a> {
    /// Lets all through.
    pub fn new() -> Self {
        Self {
            layers: Layers::ALL,
            roles: u8::MAX,
            visible: false,
            exclude: SmallVec::new(),
            predicate: None,
        }
    }

    /// Only what is on one of these layers.
    #[must_use]
    pub fn layers(self, layers: impl Into<Layers>) -> Self {
        Self { layers: layers.into(), ..self }
    }

    /// Only what has one of these roles.
    #[must_use]
    pub fn roles(self, roles: impl IntoIterator<Item = Role>) -> Self {
        Self { roles: roles.into_iter().fold(0, |roles, role| roles | 1 << role as u8), ..self }
    }

    /// Only what stops things: no sensors, hitboxes or hurtboxes.
    #[must_use]
    pub fn solid(self) -> Self {
        self.roles([Role::Solid])
    }

    /// Only colliders of bodies that are visible.
    #[must_use]
    pub fn visible(self) -> Self {
        Self { visible: true, ..self }
    }

    /// Not the colliders of this body; may be called for several.
    #[must_use]
    pub fn exclude(mut self, body: BodyKey) -> Self {
        self.exclude.push(body);
        self
    }

    /// Only what a closure says yes to. It is asked last, about what has passed the rest but before
    /// the shape is looked at.
    #[must_use]
    pub fn predicate(self, predicate: &'a dyn Fn(ColliderRef<'_>) -> bool) -> Self {
        Self { predicate: Some(predicate), ..self }
    }

    #[inline]
    pub(crate) fn passes(&self, storage: &Storage, slot: u32) -> bool {
        let props = &storage.props[slot as usize];
        self.layers.contains(props.layer)
            && self.roles >> props.role as u8 & 1 == 1
            && (!self.visible || storage.body_of(slot).is_some_and(|body| body.visible))
            && (self.exclude.is_empty() || !self.exclude.contains(&storage.body_key_of(slot)))
            && self
                .predicate
                .is_none_or(|predicate| ColliderRef::new(storage, slot).is_some_and(predicate))
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
