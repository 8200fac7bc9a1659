//! What a player presses, frame by frame, as a line of words.

use std::fmt;
use std::str::FromStr;

use carom::shape::repr::unknown_name;
use schemars::JsonSchema;
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

/// What is pressed in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// To the left.
    pub left: bool,
    /// To the right.
    pub right: bool,
    /// Up in a maze.
    pub up: bool,
    /// Down in a maze.
    pub down: bool,
    /// Up into the air.
    pub jump: bool,
    /// Down through a one-way platform.
    pub drop: bool,
}

/// What is pressed in each frame: `right 40, right jump, wait 20, left 10`. A number says for how
/// many frames; without one it is a single frame. After the end nothing is pressed.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema)]
pub struct Script(#[schemars(with = "String")] Vec<(Input, u32)>);

const WORDS: [&str; 7] = ["left", "right", "up", "down", "jump", "drop", "wait"];

impl Input {
    /// Whether each of the [`WORDS`] holds.
    fn words(self) -> [bool; 7] {
        let Self { left, right, up, down, jump, drop } = self;
        [left, right, up, down, jump, drop, self == Self::default()]
    }

    /// What a word presses.
    fn press(&mut self, word: &str) -> Option<()> {
        match word {
            "left" => self.left = true,
            "right" => self.right = true,
            "up" => self.up = true,
            "down" => self.down = true,
            "jump" => self.jump = true,
            "drop" => self.drop = true,
            "wait" => {}
            _ => return None,
        }
        Some(())
    }
}

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
}

impl FromStr for Script {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (mut input, mut frames) = (Input::default(), 1);
            for word in part.split_whitespace() {
                if input.press(word).is_none() {
                    let error = |_| unknown_name("word", word, &WORDS) + ", or frames";
                    frames = word.parse().map_err(error)?;
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
        text.parse().map_err(D::Error::custom)
    }
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (input, frames)) in self.0.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            let words = WORDS.iter().zip(input.words()).filter(|(_, pressed)| *pressed);
            let words: Vec<&str> = words.map(|(word, _)| *word).collect();
            write!(f, "{comma}{} {frames}", words.join(" "))?;
        }
        Ok(())
    }
}

impl Serialize for Script {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_pressed_for_as_many_frames_as_the_number_says() {
        let script = Script::from_str("right 2, right jump, wait 1, left 3").unwrap();
        let keys = |frame| {
            let Input { left, right, jump, .. } = script.at(frame);
            [left, right, jump]
        };
        assert_eq!(keys(1), [false, true, false]);
        assert_eq!(keys(2), [false, true, true]);
        assert_eq!(keys(3), [false; 3]);
        assert_eq!(keys(6), [true, false, false]);
        assert_eq!(keys(7), [false; 3]);
        assert_eq!(script.to_string(), "right 2, right jump 1, wait 1, left 3");
    }

    #[test]
    fn a_misspelt_word_is_named_with_what_was_meant() {
        let error = Script::from_str("righ 10").unwrap_err();
        assert!(error.contains("unknown word `righ` (did you mean `right`?)"), "{error}");
    }
}
