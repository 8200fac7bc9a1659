//! Conversion of arguments to [`Vec2`].

use crate::math::Vec2;

/// A value that functions accept as a vector: [`Vec2`], an array or a tuple.
///
/// With the feature `mint`, the vectors and points of the `mint` crate are accepted. The features
/// `glam-027` to `glam-033` accept the vectors of other versions of `glam`, for example those of macroquad
/// and Bevy. Results are always [`Vec2`]; use `to_array` to convert them back.
///
/// ```
/// use carom::prelude::*;
/// assert_eq!(Circle::new([1.0, 2.0], 0.5), Circle::new((1.0, 2.0), 0.5));
/// assert_eq!(Circle::new([1.0, 2.0], 0.5), Circle::new(Vec2::new(1.0, 2.0), 0.5));
/// ```
///
/// Implement the trait for your own vector type to pass it directly.
pub trait IntoVec2: Copy {
    /// Converts the value to a vector.
    fn into_vec2(self) -> Vec2;
}

impl IntoVec2 for Vec2 {
    #[inline(always)]
    fn into_vec2(self) -> Vec2 {
        self
    }
}

impl IntoVec2 for [f32; 2] {
    #[inline(always)]
    fn into_vec2(self) -> Vec2 {
        Vec2::from_array(self)
    }
}

impl IntoVec2 for (f32, f32) {
    #[inline(always)]
    fn into_vec2(self) -> Vec2 {
        Vec2::new(self.0, self.1)
    }
}

/// Implements the trait for vectors of other crates, which have public fields `x` and `y`.
macro_rules! accept {
    ($($feature:literal: $($vector:ty),+;)*) => {$($(
        #[cfg(feature = $feature)]
        impl IntoVec2 for $vector {
            #[inline]
            fn into_vec2(self) -> Vec2 {
                Vec2::new(self.x, self.y)
            }
        }
    )+)*};
}

accept! {
    "mint": mint::Vector2<f32>, mint::Point2<f32>;
    "glam-027": glam_027::Vec2;
    "glam-028": glam_028::Vec2;
    "glam-029": glam_029::Vec2;
    "glam-030": glam_030::Vec2;
    "glam-031": glam_031::Vec2;
    "glam-032": glam_032::Vec2;
    "glam-033": glam_033::Vec2;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(all(feature = "mint", feature = "glam-027", feature = "glam-033"))]
    #[test]
    fn vectors_of_other_crates_are_accepted() {
        use crate::shape::Circle;
        let expected = Circle::new([1.0, 2.0], 0.5);
        assert_eq!(Circle::new(mint::Vector2 { x: 1.0, y: 2.0 }, 0.5), expected);
        assert_eq!(Circle::new(mint::Point2 { x: 1.0, y: 2.0 }, 0.5), expected);
        assert_eq!(Circle::new(glam_027::Vec2::new(1.0, 2.0), 0.5), expected);
        assert_eq!(Circle::new(glam_033::Vec2::new(1.0, 2.0), 0.5), expected);
    }

    #[test]
    fn arrays_and_tuples_are_accepted() {
        assert_eq!([1.0, 2.0].into_vec2(), Vec2::new(1.0, 2.0));
        assert_eq!((1.0, 2.0).into_vec2(), Vec2::new(1.0, 2.0));
    }
}
