//! Input as text: `right 10, right+jump, wait 3`.

/// The keys that are held down in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Input {
    pub left: bool,
    pub right: bool,
    pub up: bool,
    pub down: bool,
    pub jump: bool,
}

impl Input {
    /// Returns the direction along x and y: −1, 0 or 1. y points down.
    pub fn direction(self) -> [f32; 2] {
        let way = |back: bool, ahead: bool| f32::from(ahead) - f32::from(back);
        [way(self.left, self.right), way(self.up, self.down)]
    }
}

/// Returns the input of every frame of a script.
pub fn frames(script: &str) -> Vec<Input> {
    script.split(',').flat_map(|item| one(item.trim())).collect()
}

/// Parses the keys that are held for one or more frames: `right+jump 5`.
fn one(item: &str) -> Vec<Input> {
    let (keys, count) = item.split_once(' ').unwrap_or((item, "1"));
    let count = count.trim().parse().unwrap_or_else(|_| panic!("how many frames is {item:?}?"));
    let mut input = Input::default();
    for key in keys.split('+') {
        match key {
            "wait" => {}
            "left" => input.left = true,
            "right" => input.right = true,
            "up" => input.up = true,
            "down" => input.down = true,
            "jump" => input.jump = true,
            _ => panic!("no key is called {key:?}"),
        }
    }
    vec![input; count]
}

#[test]
fn scripts_list_the_held_keys_and_their_durations() {
    let right = Input { right: true, ..Input::default() };
    let jump = Input { jump: true, ..right };
    assert_eq!(frames("right 2, right+jump, wait"), [right, right, jump, Input::default()]);
    assert_eq!(jump.direction(), [1.0, 0.0]);
}
