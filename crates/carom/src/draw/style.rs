//! Colors and styles.

/// A color: red, green, blue and opacity (alpha).
///
/// The named colors are the palette of Okabe and Ito, which people with color vision deficiencies can
/// distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub [u8; 4]);

impl Color {
    /// The color of outlines and text.
    pub const BLACK: Self = Self([0x22, 0x22, 0x22, 0xff]);
    /// The color of fixed bodies.
    pub const GREY: Self = Self([0x8c, 0x8c, 0x8c, 0xff]);
    /// The color of the background.
    pub const WHITE: Self = Self([0xff, 0xff, 0xff, 0xff]);
    /// The color of moving bodies, and the first choice for other things.
    pub const BLUE: Self = Self([0x00, 0x72, 0xb2, 0xff]);
    /// The second choice for other things.
    pub const ORANGE: Self = Self([0xe6, 0x9f, 0x00, 0xff]);
    /// The color of hurtboxes, and the third choice for other things.
    pub const GREEN: Self = Self([0x00, 0x9e, 0x73, 0xff]);
    /// The color of contacts and hitboxes.
    pub const VERMILION: Self = Self([0xd5, 0x5e, 0x00, 0xff]);
    /// The color of trajectories and rays.
    pub const PURPLE: Self = Self([0xcc, 0x79, 0xa7, 0xff]);
    /// The color of sensors.
    pub const SKY: Self = Self([0x56, 0xb4, 0xe9, 0xff]);

    /// Returns the color with another opacity, from 0 (invisible) to 1 (opaque).
    #[must_use]
    pub fn with_opacity(self, opacity: f32) -> Self {
        let [red, green, blue, _] = self.0;
        Self([red, green, blue, (opacity.clamp(0.0, 1.0) * 255.0 + 0.5) as u8])
    }
}

/// The fill and stroke of a drawn element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// The color of the interior, if it is filled.
    pub fill: Option<Color>,
    /// The color of lines, outlines, dots and text.
    pub stroke: Option<Color>,
    /// The stroke width in pixels.
    pub width: f32,
    /// `true` if lines are dashed.
    pub dashed: bool,
}

impl Style {
    /// Creates a style with a translucent fill and an opaque outline.
    pub fn translucent(color: Color) -> Self {
        Self { fill: Some(color.with_opacity(0.3)), ..Self::stroke(color) }
    }

    /// Creates a style with a stroke and no fill.
    pub fn stroke(color: Color) -> Self {
        Self { fill: None, stroke: Some(color), width: 1.5, dashed: false }
    }

    /// Creates a style with a fill and no stroke.
    pub fn fill(color: Color) -> Self {
        Self { fill: Some(color), stroke: None, width: 0.0, dashed: false }
    }

    /// Returns the style with dashed lines.
    #[must_use]
    pub fn dashed(self) -> Self {
        Self { dashed: true, ..self }
    }

    /// Returns the style with another stroke width in pixels.
    #[must_use]
    pub fn width(self, width: f32) -> Self {
        Self { width, ..self }
    }
}

impl Default for Style {
    fn default() -> Self {
        Self::stroke(Color::BLACK)
    }
}
