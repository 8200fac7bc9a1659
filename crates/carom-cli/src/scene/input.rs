//! What a player presses, frame by frame, as a line of words.

use carom::shape::form::unknown;
use serde::de::{Deserialize, Deserializer, Error};

/// What is pressed in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Input {
    pub left: bool,
    pub right: bool,
    pub jump: bool,
    /// Down through a one-way platform.
    pub drop: bool,
}

/// What is pressed in each frame: `right 40, right jump, wait 20, left 10`. A number says for how
/// many frames; without one it is a single frame. After the end nothing is pressed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script(Vec<(Input, u32)>);

const WORDS: [&str; 5] = ["left", "right", "jump", "drop", "wait"];

impl Script {
    /// What is pressed in a frame.
    pub fn at(&self, frame: u32) -> Input {
        let mut end = 0u32;
        let part = self.0.iter().find(|(_, frames)| {
            end = end.saturating_add(*frames);
            frame < end
        });
        part.map_or(Input::default(), |&(input, _)| input)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (mut input, mut frames) = (Input::default(), 1);
            for word in part.split_whitespace() {
                match word {
                    "left" => input.left = true,
                    "right" => input.right = true,
                    "jump" => input.jump = true,
                    "drop" => input.drop = true,
                    "wait" => {}
                    _ => {
                        frames = word
                            .parse()
                            .map_err(|_| unknown("word", word, &WORDS) + ", or frames")?;
                    }
                }
            }
            parts.push((input, frames));
        }
        Ok(Self(parts))
    }
}

impl<'de> Deserialize<'de> for Script {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(|error| D::Error::custom(format!("input: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_pressed_for_as_many_frames_as_the_number_says() {
        let script = Script::parse("right 2, right jump, wait 1, left 3").unwrap();
        let keys = |frame| {
            let Input { left, right, jump, .. } = script.at(frame);
            [left, right, jump]
        };
        assert_eq!(keys(1), [false, true, false]);
        assert_eq!(keys(2), [false, true, true]);
        assert_eq!(keys(3), [false; 3]);
        assert_eq!(keys(6), [true, false, false]);
        assert_eq!(keys(7), [false; 3]);
    }

    #[test]
    fn a_misspelt_word_is_named_with_what_was_meant() {
        let error = Script::parse("righ 10").unwrap_err();
        assert!(error.contains("unknown word `righ` (did you mean `right`?)"), "{error}");
    }
}
