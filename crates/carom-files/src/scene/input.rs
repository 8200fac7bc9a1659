//! Scripted input: the keys that are pressed in each frame, as a line of text.

use std::fmt;
use std::str::FromStr;

use carom::shape::repr::unknown_name;
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

/// The keys that are pressed in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// `true` if the key that moves left is pressed.
    pub left: bool,
    /// `true` if the key that moves right is pressed.
    pub right: bool,
    /// `true` if the key that moves up in a maze is pressed.
    pub up: bool,
    /// `true` if the key that moves down in a maze is pressed.
    pub down: bool,
    /// `true` if the key that jumps is pressed.
    pub jump: bool,
    /// `true` if the key that drops through a one-way platform is pressed.
    pub drop: bool,
}

/// The keys that are pressed in each frame, such as `right 40, right jump, wait 20, left 10`. The number is the
/// number of frames, 1 if left out. After the end, no key is pressed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Script"))]
pub struct InputScript(#[cfg_attr(test, schemars(with = "String"))] Vec<(Input, u32)>);

const KEYS: [&str; 7] = ["left", "right", "up", "down", "jump", "drop", "wait"];

impl Input {
    /// Returns, for each of the [`KEYS`], `true` if it is pressed.
    fn pressed(self) -> [bool; 7] {
        let Self { left, right, up, down, jump, drop } = self;
        [left, right, up, down, jump, drop, self == Self::default()]
    }

    /// Presses the key with a name. Returns `None` if there is no such key.
    fn press(&mut self, key: &str) -> Option<()> {
        match key {
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

impl InputScript {
    /// Returns the keys that are pressed in a frame, counted from 0.
    pub fn at(&self, frame: u32) -> Input {
        let mut end = 0u32;
        let part = self.0.iter().find(|(_, frames)| {
            end = end.saturating_add(*frames);
            frame < end
        });
        part.map_or(Input::default(), |&(input, _)| input)
    }
}

impl FromStr for InputScript {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (mut input, mut frames) = (Input::default(), 1);
            for word in part.split_whitespace() {
                if input.press(word).is_none() {
                    let error = |_| unknown_name("key", word, &KEYS) + ", or a number of frames";
                    frames = word.parse().map_err(error)?;
                }
            }
            parts.push((input, frames));
        }
        Ok(Self(parts))
    }
}

impl<'de> Deserialize<'de> for InputScript {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

impl fmt::Display for InputScript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (input, frames)) in self.0.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            let keys = KEYS.iter().zip(input.pressed()).filter(|(_, is_pressed)| *is_pressed);
            let keys: Vec<&str> = keys.map(|(key, _)| *key).collect();
            write!(f, "{comma}{} {frames}", keys.join(" "))?;
        }
        Ok(())
    }
}

impl Serialize for InputScript {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_pressed_for_the_given_number_of_frames() {
        let script = InputScript::from_str("right 2, right jump, wait 1, left 3").unwrap();
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
    fn a_misspelled_key_gets_a_suggestion() {
        let error = InputScript::from_str("righ 10").unwrap_err();
        assert!(error.contains("unknown key `righ` (did you mean `right`?)"), "{error}");
    }
}
