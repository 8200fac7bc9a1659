//! Animations: named ranges of frames.

use alloc::string::String;

/// The order in which the frames of an animation are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Playback {
    /// Shows the frames from the first to the last, and starts again.
    #[default]
    Forward,
    /// Shows the frames from the last to the first, and starts again.
    Reverse,
    /// Shows the frames from the first to the last and back. Both ends are shown once per cycle.
    PingPong,
    /// Shows the frames from the first to the last, and then keeps the last one. Use it for attacks, doors and
    /// explosions.
    #[doc(alias = "one-shot")]
    Once,
}

/// A named range of consecutive frames of a sheet. Drawing programs call it a tag.
#[doc(alias = "tag")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Animation {
    /// The name, unique in the sheet.
    pub name: String,
    /// The index of the first frame.
    pub first: usize,
    /// The index of the last frame.
    pub last: usize,
    /// The order of the frames.
    pub playback: Playback,
}

impl Animation {
    /// Returns the indices of the frames in the order of one cycle.
    pub fn frames(&self) -> impl Iterator<Item = usize> {
        let (first, last) = (self.first, self.last);
        let count = last + 1 - first;
        let steps = match self.playback {
            Playback::PingPong => (2 * count - 2).max(1),
            Playback::Forward | Playback::Reverse | Playback::Once => count,
        };
        let playback = self.playback;
        (0..steps).map(move |step| match playback {
            Playback::Forward | Playback::Once => first + step,
            Playback::Reverse => last - step,
            Playback::PingPong => first + step.min(2 * (count - 1) - step),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn order(first: usize, last: usize, playback: Playback) -> Vec<usize> {
        Animation { name: "walk".into(), first, last, playback }.frames().collect()
    }

    #[test]
    fn frames_come_in_the_order_of_the_playback() {
        assert_eq!(order(2, 5, Playback::Forward), [2, 3, 4, 5]);
        assert_eq!(order(2, 5, Playback::Once), [2, 3, 4, 5]);
        assert_eq!(order(2, 5, Playback::Reverse), [5, 4, 3, 2]);
        assert_eq!(order(2, 5, Playback::PingPong), [2, 3, 4, 5, 4, 3]);
        assert_eq!(order(2, 3, Playback::PingPong), [2, 3]);
        for playback in [Playback::Forward, Playback::Reverse, Playback::PingPong] {
            assert_eq!(order(7, 7, playback), [7]);
        }
    }
}
