//! Animations: which frame is shown when.

use alloc::string::String;

/// In which order the frames of an animation are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Playback {
    /// From the first to the last.
    #[default]
    Forward,
    /// From the last to the first.
    Reverse,
    /// To the last and back again; the ends are shown once.
    PingPong,
}

/// Frames that follow each other in a sheet, under one name: what drawing programs call a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Animation {
    /// What it is called, once in a sheet.
    pub name: String,
    /// The place of its first frame in the sheet.
    pub first: usize,
    /// The place of its last frame.
    pub last: usize,
    /// In which order they are shown.
    pub playback: Playback,
}

impl Animation {
    /// The places of the frames in the order of one round.
    pub fn frames(&self) -> impl Iterator<Item = usize> {
        let (first, last) = (self.first, self.last);
        let count = last + 1 - first;
        let steps = match self.playback {
            Playback::PingPong => (2 * count - 2).max(1),
            Playback::Forward | Playback::Reverse => count,
        };
        let playback = self.playback;
        (0..steps).map(move |step| match playback {
            Playback::Forward => first + step,
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
        assert_eq!(order(2, 5, Playback::Reverse), [5, 4, 3, 2]);
        assert_eq!(order(2, 5, Playback::PingPong), [2, 3, 4, 5, 4, 3]);
        assert_eq!(order(2, 3, Playback::PingPong), [2, 3]);
        for playback in [Playback::Forward, Playback::Reverse, Playback::PingPong] {
            assert_eq!(order(7, 7, playback), [7]);
        }
    }
}
