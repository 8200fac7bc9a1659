//! Colours that people tell apart, and how to use them.

/// A colour: red, green, blue and opacity.
///
/// The named ones are those of Okabe and Ito: people who see colours differently tell them apart
/// too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub [u8; 4]);

impl Color {
    /// For outlines and letters.
    pub const BLACK: Self = Self([0x22, 0x22, 0x22, 0xff]);
    /// For what stands still.
    pub const GREY: Self = Self([0x8c, 0x8c, 0x8c, 0xff]);
    /// For paper.
    pub const WHITE: Self = Self([0xff, 0xff, 0xff, 0xff]);
    /// The first colour to take.
    pub const BLUE: Self = Self([0x00, 0x72, 0xb2, 0xff]);
    /// The second.
    pub const ORANGE: Self = Self([0xe6, 0x9f, 0x00, 0xff]);
    /// The third.
    pub const GREEN: Self = Self([0x00, 0x9e, 0x73, 0xff]);
    /// For warnings: contacts, strikes.
    pub const VERMILION: Self = Self([0xd5, 0x5e, 0x00, 0xff]);
    /// For motion and rays.
    pub const PURPLE: Self = Self([0xcc, 0x79, 0xa7, 0xff]);
    /// For sensors.
    pub const SKY: Self = Self([0x56, 0xb4, 0xe9, 0xff]);

    /// The same colour, letting what is behind shine through: 0 is nothing, 1 all of it.
    #[must_use]
    pub fn with_opacity(self, opacity: f32) -> Self {
        let [red, green, blue, _] = self.0;
        Self([red, green, blue, (opacity.clamp(0.0, 1.0) * 255.0 + 0.5) as u8])
    }
}

/// How something is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// What areas are filled with.
    pub fill: Option<Color>,
    /// What lines, outlines, dots and letters are drawn with.
    pub stroke: Option<Color>,
    /// How wide lines are, in pixels.
    pub width: f32,
    /// Whether lines are dashed.
    pub dashed: bool,
}

impl Style {
    /// A light fill with an outline in full colour.
    pub fn translucent(color: Color) -> Self {
        Self { fill: Some(color.with_opacity(0.3)), ..Self::stroke(color) }
    }

    /// Lines only.
    pub fn stroke(color: Color) -> Self {
        Self { fill: None, stroke: Some(color), width: 1.5, dashed: false }
    }

    /// A fill only.
    pub fn fill(color: Color) -> Self {
        Self { fill: Some(color), stroke: None, width: 0.0, dashed: false }
    }

    /// With dashed lines.
    #[must_use]
    pub fn dashed(self) -> Self {
        Self { dashed: true, ..self }
    }

    /// With lines of another width in pixels.
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
