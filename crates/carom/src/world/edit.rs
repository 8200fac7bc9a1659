//! Editing the shapes of colliders in place: tiles that break, ground that is carved.

use alloc::sync::Arc;

use crate::shape::{Mask, Shape, TileMap};
use crate::world::collider::place_on_body;
use crate::world::placed_shape::LocalShape;
use crate::world::{ColliderKey, World, WorldError};

/// # Editing shapes in place
impl World {
    /// Edits the tile map of a collider in place and returns the result of `edit`. The next update reports the pairs
    /// that have begun or ended, and a walker without a floor falls with its next walk.
    ///
    /// The cost does not depend on the size of the map, unless its tiles are shared: with another collider, with a
    /// copy of the map, or with a snapshot of the world. Then the first edit copies them.
    ///
    /// The map is the one that was given to [`Collider::new`](crate::world::Collider::new), in body space.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchCollider`] if the key is invalid, and [`WorldError::WrongShape`] if the shape is
    /// not a tile map.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let bricks = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &["#####"], &[('#', TileKind::SOLID)]);
    /// let wall = world.add_body(Body::fixed([0.0, 4.0]))?;
    /// let wall = world.add_collider(wall, Collider::new(bricks))?;
    /// let ball = world.spawn(Body::moving([2.5, 0.0]), [Collider::new(Circle::new([0.0, 0.0], 0.25))])?;
    ///
    /// let travel = world.travel(ball, [0.0, 9.0], |_| Response::Touch)?;
    /// let tile = travel.hits()[0].tile.unwrap();
    /// let broken = world.edit_tiles(wall, |map| map.set(tile, TileMap::EMPTY))?;
    /// assert_eq!((tile, broken), (Cell::new(2, 0), TileMap::SOLID));
    /// let travel = world.travel(ball, [0.0, 9.0], |_| Response::Touch)?;
    /// assert!(travel.hits().is_empty());
    /// # Ok::<(), WorldError>(())
    /// ```
    #[doc(alias = "destructible terrain")]
    pub fn edit_tiles<R>(
        &mut self,
        key: ColliderKey,
        edit: impl FnOnce(&mut TileMap) -> R,
    ) -> Result<R, WorldError> {
        self.edit_shape(key, "TileMap", |shape| match shape {
            Shape::TileMap(map) => Some(edit(map)),
            _ => None,
        })
    }

    /// Edits the pixel mask of a collider in place and returns the result of `edit`. It works like
    /// [`edit_tiles`](Self::edit_tiles), with the same cost apart from that of the edit itself.
    ///
    /// # Errors
    /// Returns [`WorldError::NoSuchCollider`] if the key is invalid, and [`WorldError::WrongShape`] if the shape is
    /// not a mask.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::new();
    /// let ground = Mask::from_rows([0.0, 0.0], 1.0, &["######", "######"]);
    /// let island = world.add_body(Body::fixed([0.0, 0.0]))?;
    /// let ground = world.add_collider(island, Collider::new(ground))?;
    /// let crater = Bitmap::from_rows(&["##"]);
    /// world.edit_mask(ground, |mask| mask.edit(|pixels| pixels.erase(&crater, [2, 1])))?;
    /// assert!(world.at_point([3.0, 1.5], &Filter::new()).is_empty());
    ///
    /// let error = world.edit_tiles(ground, |map| map.columns()).unwrap_err();
    /// assert_eq!(error.to_string(), format!("{ground} is a Mask, expected a TileMap"));
    /// # Ok::<(), WorldError>(())
    /// ```
    #[doc(alias = "destructible terrain")]
    pub fn edit_mask<R>(
        &mut self,
        key: ColliderKey,
        edit: impl FnOnce(&mut Mask) -> R,
    ) -> Result<R, WorldError> {
        self.edit_shape(key, "Mask", |shape| match shape {
            Shape::Mask(mask) => Some(edit(mask)),
            _ => None,
        })
    }

    /// Edits a shape of a kind that shares its content between copies. `edit` returns `None` for other kinds.
    fn edit_shape<R>(
        &mut self,
        key: ColliderKey,
        expected: &'static str,
        edit: impl FnOnce(&mut Shape) -> Option<R>,
    ) -> Result<R, WorldError> {
        let slot = key.slot as usize;
        let record = self.storage.colliders.get_mut(key.slot, key.generation);
        let record = record.ok_or(WorldError::NoSuchCollider(key))?;
        let found = record.local.shape().kind();
        let wrong = WorldError::WrongShape { key, found, expected };
        if found != expected {
            return Err(wrong);
        }
        // 1. Release the placed shape, which shares the content: `Arc::make_mut` would copy it. The shape is
        //    placed again below.
        self.storage.placed[slot].release();
        // 2. Edit the original shape. A shape with a pose on the body exists twice.
        let result = match record.extras.as_mut().filter(|extras| extras.local_pose.is_some()) {
            None => edit(Arc::make_mut(record.local.shape_mut())),
            Some(extras) => {
                record.local = LocalShape::default();
                match &mut Arc::make_mut(extras).local_pose {
                    Some((pose, shape)) => {
                        let result = edit(Arc::make_mut(shape));
                        (record.local, _) = place_on_body(Arc::clone(shape), *pose);
                        result
                    }
                    None => None,
                }
            }
        };
        // 3. Update everything that depends on the shape.
        self.storage.forget_hashes(key.slot);
        self.update_placed(key.slot);
        self.sync_collider(key.slot);
        result.ok_or(wrong)
    }
}
