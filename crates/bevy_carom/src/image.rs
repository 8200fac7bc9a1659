//! Colliders from the alpha channel of images.

use bevy_app::{App, FixedPreUpdate, Plugin};
use bevy_asset::{AssetEvent, AssetId, Assets, Handle};
use bevy_color::Alpha;
use bevy_ecs::prelude::*;
use bevy_image::Image;
use bevy_math::{Mat2, URect, Vec2};
use bevy_reflect::prelude::{Reflect, ReflectDefault};
use carom::fit;
use carom::math::Flip;
use carom::shape::{Bitmap, Compound, Mask, Shape};

use crate::placement::map_shape;
use crate::{Collider, InvalidComponent};

/// The kind of shape that an [`ImageCollider`] creates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Default, PartialEq)]
pub enum ImageFit {
    /// Exactly the solid pixels.
    #[doc(alias = "pixel-perfect")]
    Mask,
    /// The smallest rectangle that contains the solid pixels.
    Rectangle,
    /// The smallest circle that contains the solid pixels.
    Circle,
    /// The convex hull of the solid pixels.
    #[default]
    ConvexHull,
    /// Polygons around the solid pixels, with holes. The number is the largest distance from the outline, in
    /// pixels.
    Polygons(f32),
}

/// Creates the [`Collider`] of an entity from an image, when the image is loaded and whenever it changes.
/// Needs the [`CaromImagePlugin`].
///
/// The collider fits a sprite with the same image, rectangle and size, as Bevy draws it: one unit per pixel
/// unless there is a size, and the center at the origin. The image must be in main memory, which Bevy's setting
/// `asset_usage` decides.
///
/// ```no_run
/// use bevy_asset::{AssetServer, Handle};
/// use bevy_carom::prelude::*;
/// use bevy_carom::{ImageCollider, ImageFit};
/// use bevy_ecs::prelude::*;
/// use bevy_image::Image;
///
/// fn spawn_rock(mut commands: Commands, assets: Res<AssetServer>) {
///     let image: Handle<Image> = assets.load("rock.png");
///     // Add `Sprite::from_image(image.clone())` in a game.
///     commands.spawn((Body::Fixed, ImageCollider::new(image).with_fit(ImageFit::Polygons(1.0))));
/// }
/// ```
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(Component, PartialEq)]
#[doc(alias = "SpriteCollider")]
pub struct ImageCollider {
    /// The image.
    pub image: Handle<Image>,
    /// The kind of shape.
    pub fit: ImageFit,
    /// The alpha value above which a pixel is solid. 0.5 by default.
    pub threshold: f32,
    /// The rectangle of the image that is used, as `Sprite::rect`; the whole image by default.
    pub rect: Option<URect>,
    /// The size in the world, as `Sprite::custom_size`; one unit per pixel by default.
    pub size: Option<Vec2>,
}

impl ImageCollider {
    /// Creates the component for a whole image.
    pub fn new(image: Handle<Image>) -> Self {
        Self { image, fit: ImageFit::default(), threshold: 0.5, rect: None, size: None }
    }

    /// Sets the kind of shape.
    #[must_use]
    pub fn with_fit(self, fit: ImageFit) -> Self {
        Self { fit, ..self }
    }

    /// Sets the rectangle of the image that is used.
    #[must_use]
    pub fn with_rect(self, rect: URect) -> Self {
        Self { rect: Some(rect), ..self }
    }

    /// Sets the size in the world.
    #[must_use]
    pub fn with_size(self, size: Vec2) -> Self {
        Self { size: Some(size), ..self }
    }

    /// Sets the alpha value above which a pixel is solid.
    #[must_use]
    pub fn with_threshold(self, threshold: f32) -> Self {
        Self { threshold, ..self }
    }

    /// Creates the collider from the image, which may be another one than that of the handle.
    ///
    /// # Errors
    /// Returns a message if no pixel is solid, if the rectangle is not in the image, if the data of the image is
    /// not in main memory or in a compressed format, or if the shape cannot be scaled to the size.
    pub fn create(&self, image: &Image) -> Result<Collider, String> {
        let whole = URect::new(0, 0, image.width(), image.height());
        let rect = self.rect.unwrap_or(whole);
        if rect.is_empty() || whole.union(rect) != whole {
            return Err(format!("the rectangle {rect:?} is not in the image, which is {whole:?}"));
        }
        let (URect { min, .. }, size) = (rect, rect.size());
        image.get_color_at(min.x, min.y).map_err(|error| format!("the image: {error}"))?;
        let bitmap = Bitmap::from_fn(size.x, size.y, |x, y| {
            let color = image.get_color_at(min.x + x, min.y + y);
            color.is_ok_and(|color| color.alpha() > self.threshold)
        });
        // Rows of images run downwards.
        let bitmap = bitmap.flipped(Flip::Y);
        let shape: Option<Shape> = match self.fit {
            _ if bitmap.is_clear() => None,
            ImageFit::Mask => Some(Mask::new([0.0, 0.0], 1.0, bitmap).into()),
            ImageFit::Rectangle => fit::aabb(&bitmap).map(Into::into),
            ImageFit::Circle => fit::circle(&bitmap).map(Into::into),
            ImageFit::ConvexHull => fit::hull(&bitmap).map(Into::into),
            ImageFit::Polygons(tolerance) => {
                Compound::try_new(fit::polygons_around(&bitmap, tolerance)).ok().map(Into::into)
            }
        };
        let shape = shape.ok_or("no pixel of the image is solid")?;
        let shape = shape.translated(size.as_vec2() / -2.0);
        match self.size {
            Some(wanted) => {
                map_shape(&shape, Mat2::from_diagonal(wanted / size.as_vec2())).map(Collider::new)
            }
            None => Ok(Collider::new(shape)),
        }
    }
}

/// Creates the colliders of [`ImageCollider`]. Needs Bevy's `ImagePlugin`, which is part of the default plugins.
#[derive(Clone, Copy, Debug, Default)]
pub struct CaromImagePlugin;

impl Plugin for CaromImagePlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<ImageCollider>().add_systems(FixedPreUpdate, create_colliders);
    }
}

fn create_colliders(
    mut commands: Commands,
    images: Res<Assets<Image>>,
    mut events: MessageReader<AssetEvent<Image>>,
    entities: Query<(Entity, Ref<ImageCollider>)>,
    mut invalid: MessageWriter<InvalidComponent>,
) {
    let changed: Vec<AssetId<Image>> = events
        .read()
        .filter_map(|event| match event {
            AssetEvent::Added { id } | AssetEvent::Modified { id } => Some(*id),
            _ => None,
        })
        .collect();
    for (entity, collider) in &entities {
        if !(collider.is_changed() || changed.contains(&collider.image.id())) {
            continue;
        }
        let Some(image) = images.get(&collider.image) else { continue };
        match collider.create(image) {
            Ok(collider) => {
                commands.entity(entity).insert(collider);
            }
            Err(reason) => {
                invalid.write(InvalidComponent { entity: Some(entity), reason });
            }
        }
    }
}
