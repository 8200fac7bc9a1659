//! `bevy_transform_interpolation` in place of `CaromInterpolationPlugin`.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::{TimePlugin, TimeUpdateStrategy};
use bevy_carom::CaromWorld;
use bevy_carom::prelude::*;
use bevy_transform_interpolation::prelude::*;

/// An app with a ball that bounces between two walls. Its frames are shorter than its fixed steps.
fn app(is_smooth: bool) -> (App, Entity) {
    let mut app = App::new();
    app.add_plugins((TimePlugin, TransformPlugin, CaromPlugin::default()))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(5)));
    if is_smooth {
        app.add_plugins(TransformInterpolationPlugin::interpolate_all());
    }
    app.finish();
    for x in [-3.0, 3.0] {
        let wall = (Body::Fixed, Collider::rectangle(1.0, 4.0));
        app.world_mut().spawn((wall, Transform::from_xyz(x, 0.0, 0.0)));
    }
    let ball = (Mover::Bounce(1.0), Velocity(Vec2::new(8.0, 0.0)), Collider::circle(0.5));
    let ball = app.world_mut().spawn(ball).id();
    (app, ball)
}

#[test]
fn a_ball_is_drawn_between_the_steps_and_the_world_is_the_same() {
    let (mut plain, ball) = app(false);
    let (mut smooth, smooth_ball) = app(true);
    let x = |app: &App, ball| app.world().get::<Transform>(ball).unwrap().translation.x;
    let (mut stops, mut smooth_stops, mut last) = (0, 0, [0.0; 2]);
    for frame in 0..400 {
        plain.update();
        smooth.update();
        let hashes = [&plain, &smooth].map(|app| app.world().resource::<CaromWorld>().state_hash());
        assert_eq!(hashes[0], hashes[1], "frame {frame}");
        let now = [x(&plain, ball), x(&smooth, smooth_ball)];
        assert!((now[0] - now[1]).abs() <= 8.0 / 64.0 + 1e-5, "frame {frame}: {now:?}");
        stops += usize::from(now[0] == last[0]);
        smooth_stops += usize::from(now[1] == last[1]);
        last = now;
    }
    // Without interpolation the ball stands still in the frames without a step, which are about two of three.
    assert!(stops > 200 && smooth_stops < 20, "{stops}, {smooth_stops}");
}
