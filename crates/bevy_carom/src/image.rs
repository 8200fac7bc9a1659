//! Colliders from the alpha channel of images.

use bevy_color::Alpha;
use bevy_image::Image;
use bevy_math::Vec2;
use carom::fit;
use carom::math::Flip;
use carom::shape::{Bitmap, Compound, Mask, Shape};

use crate::Collider;

/// The kind of shape that [`ImageCollider::fit`] creates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ImageFit {
    /// Every pixel, exactly.
    #[doc(alias = "pixel-perfect")]
    Mask,
    /// The smallest rectangle.
    Rectangle,
    /// The smallest circle.
    Circle,
    /// The convex hull.
    #[default]
    ConvexHull,
    /// Polygons around the pixels, with holes. The number is the largest distance from the outline, in
    /// pixels.
    Polygons(f32),
}

/// Creates colliders from images.
///
/// The collider fits a sprite that shows the whole image at one unit per pixel, with its center at the
/// origin, as Bevy draws it. For frames of a sprite sheet, pass the rectangle of the frame.
///
/// ```
/// use bevy_carom::{ImageCollider, ImageFit};
/// # use bevy_image::Image;
/// # fn example(image: &Image) {
/// let collider = ImageCollider::new(image).fit(ImageFit::ConvexHull);
/// let frame = ImageCollider::new(image).frame([0, 0], [32, 48]).fit(ImageFit::Mask);
/// # let _ = (collider, frame);
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ImageCollider<'a> {
    image: &'a Image,
    position: [u32; 2],
    size: [u32; 2],
    threshold: f32,
}

impl<'a> ImageCollider<'a> {
    /// Uses a whole image. Pixels with an alpha value above 0.5 are solid.
    pub fn new(image: &'a Image) -> Self {
        let size = [image.width(), image.height()];
        Self { image, position: [0, 0], size, threshold: 0.5 }
    }

    /// Uses a rectangle of the image: the position of its upper left pixel, and its size.
    #[must_use]
    pub fn frame(self, position: [u32; 2], size: [u32; 2]) -> Self {
        Self { position, size, ..self }
    }

    /// Sets the alpha value above which a pixel is solid.
    #[must_use]
    pub fn threshold(self, threshold: f32) -> Self {
        Self { threshold, ..self }
    }

    /// Creates a collider. Returns `None` if no pixel is solid, if the data of the image is not accessible,
    /// or if its format is compressed.
    pub fn fit(&self, fit: ImageFit) -> Option<Collider> {
        let ([left, top], [width, height]) = (self.position, self.size);
        let is_inside = left.checked_add(width)? <= self.image.width()
            && top.checked_add(height)? <= self.image.height();
        if !is_inside || width == 0 || height == 0 {
            return None;
        }
        self.image.get_color_at(left, top).ok()?;
        let bitmap = Bitmap::from_fn(width, height, |x, y| {
            let color = self.image.get_color_at(left + x, top + y);
            color.is_ok_and(|color| color.alpha() > self.threshold)
        });
        if bitmap.is_clear() {
            return None;
        }
        // Rows of images run downwards.
        let bitmap = bitmap.flipped(Flip::Y);
        let shape: Shape = match fit {
            ImageFit::Mask => Mask::new([0.0, 0.0], 1.0, bitmap).into(),
            ImageFit::Rectangle => fit::aabb(&bitmap)?.into(),
            ImageFit::Circle => fit::circle(&bitmap)?.into(),
            ImageFit::ConvexHull => fit::hull(&bitmap)?.into(),
            ImageFit::Polygons(tolerance) => {
                Compound::try_new(fit::polygons_around(&bitmap, tolerance)).ok()?.into()
            }
        };
        let center = Vec2::new(width as f32, height as f32) / -2.0;
        Some(Collider::new(shape.translated(center)))
    }
}
