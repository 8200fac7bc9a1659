//! The flipped and quarter-turned images of a bitmap, kept for the next comparison.
//!
//! Two masks that are flipped or turned relative to each other are compared by laying the image of
//! the one over the other. A character that faces left is compared in every frame, so its image is
//! computed once, and again only after an edit.

use alloc::boxed::Box;

use once_cell::race::OnceBox;

use super::Bitmap;
use crate::math::Flip;
use crate::shape::grid::Orientation;

/// The number of orientations other than that of the bitmap itself.
const IMAGES: usize = 7;

/// The images that have been needed so far. They follow from the pixels, so bitmaps compare equal
/// regardless of their images, and a copy starts without any.
#[derive(Default)]
pub(super) struct Images(OnceBox<[OnceBox<Bitmap>; IMAGES]>);

impl Images {
    /// Discards the images, because the pixels have changed.
    #[inline]
    pub fn clear(&mut self) {
        if self.0.get().is_some() {
            *self = Self::default();
        }
    }
}

impl Clone for Images {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Images {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Images {}

impl Bitmap {
    /// Returns the bitmap in another orientation: with rows and columns swapped or not, and then
    /// flipped. Computes it at the first call after an edit.
    pub(crate) fn image(&self, Orientation { is_transposed, flip }: Orientation) -> &Self {
        let index = 4 * usize::from(is_transposed) + 2 * usize::from(flip.y) + usize::from(flip.x);
        let Some(index) = index.checked_sub(1) else { return self };
        let images = self.images.0.get_or_init(Box::default);
        images[index].get_or_init(|| {
            Box::new(match (is_transposed, flip == Flip::NONE) {
                (false, _) => self.flipped(flip),
                (true, true) => self.transposed(),
                (true, false) => self.transposed().flipped(flip),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_computed_once_and_again_after_an_edit() {
        let mut bitmap = Bitmap::from_fn(70, 9, |x, y| (x * 7 + y * 3) % 5 == 0);
        for edit in 0..2 {
            for is_transposed in [false, true] {
                for flip in [Flip::NONE, Flip::X, Flip::Y, Flip::BOTH] {
                    let orientation = Orientation { is_transposed, flip };
                    let turned = if is_transposed { bitmap.transposed() } else { bitmap.clone() };
                    let image = bitmap.image(orientation);
                    assert_eq!(*image, turned.flipped(flip), "edit {edit}, {orientation:?}");
                    assert!(core::ptr::eq(image, bitmap.image(orientation)));
                }
            }
            // An edit of one pixel, and an edit of several.
            if edit == 0 {
                bitmap.set([3, 4], true);
            } else {
                bitmap.erase(&Bitmap::from_rows(&["###", "###"]), [1, 1]);
            }
        }
        let image = bitmap.image(Orientation { is_transposed: false, flip: Flip::X });
        assert_eq!(*image, bitmap.flipped(Flip::X));
    }
}
