//! Two fighters with the hitboxes and hurtboxes of a sprite sheet. One punches the other.

mod headless;

use std::sync::Arc;

use bevy_app::prelude::*;
use bevy_carom::prelude::*;
use bevy_ecs::prelude::*;
use bevy_input::ButtonInput;
use bevy_input::keyboard::KeyCode;
use bevy_math::Vec3;
use bevy_transform::prelude::*;
use carom::shape::{Aabb, Circle};
use carom::sheet::{Frame, Sheet};

#[derive(Component)]
pub struct Health(pub u32);

#[derive(Component)]
pub struct Player;

pub fn example(app: &mut App) {
    app.add_plugins(CaromPlugin::default())
        .add_systems(Startup, spawn)
        .add_systems(RunFixedMainLoop, punch.in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop));
}

fn spawn(mut commands: Commands) {
    let body = Aabb::new([-0.5, 0.0], [0.5, 2.0]);
    let frames = [
        Frame::new("idle").hurtbox("body", body),
        Frame::new("punch").hurtbox("body", body).hitbox("fist", Circle::new([1.0, 1.5], 0.3)),
    ];
    let sheet: Arc<Sheet> = Sheet::from_frames(frames).expect("the frames have names").into();
    let ann = (Player, Health(3), Team(1), SheetFrame::new(sheet.clone(), "idle"));
    commands.spawn(ann);
    // Bob looks to the left: a negative scale flips his boxes.
    let place = Transform::from_xyz(1.6, 0.0, 0.0).with_scale(Vec3::new(-1.0, 1.0, 1.0));
    commands.spawn((Health(3), Team(2), SheetFrame::new(sheet, "idle"), place)).observe(
        |strike: On<Struck>, mut health: Query<&mut Health>| {
            if let Ok(mut health) = health.get_mut(strike.entity) {
                health.0 -= 1; // once per punch
            }
        },
    );
}

fn punch(keys: Res<ButtonInput<KeyCode>>, mut player: Single<&mut SheetFrame, With<Player>>) {
    if keys.just_pressed(KeyCode::Space) {
        player.set_frame("punch");
    } else if keys.just_released(KeyCode::Space) {
        player.set_frame("idle");
    }
}

pub const SCRIPT: headless::Script =
    &[(&[], 10), (&[KeyCode::Space], 10), (&[], 10), (&[KeyCode::Space], 10), (&[], 10)];
pub const AREA: headless::Area = [[-2.0, -1.0], [4.0, 3.0]];

fn main() {
    headless::film("fighter", example, SCRIPT, AREA);
}
