//! Smooth movement between the fixed steps.

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec2};
use bevy_reflect::prelude::{Reflect, ReflectDefault};
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;

use crate::Body;

/// Draws bodies between their positions after the last two fixed steps, so that they move smoothly on screens whose
/// rate differs from that of the steps. The picture is one step behind.
///
/// Between the steps, the `Transform` of an [`Interpolated`] entity is the one that is drawn. Before the next step
/// it is set back to the bits that the last one has left, so that the world is the same with and without
/// interpolation. If the game changes a `Transform` between the steps, the body is drawn there at once, without
/// smoothing. The scale and z are never smoothed.
///
/// The plugin is for worlds that run in `FixedPostUpdate`, as by default.
///
/// ```
/// use bevy_app::prelude::*;
/// use bevy_carom::prelude::*;
/// use bevy_carom::CaromInterpolationPlugin;
/// use bevy_time::TimePlugin;
/// App::new().add_plugins((
///     TimePlugin,
///     CaromPlugin::default(),
///     CaromInterpolationPlugin::all_bodies(),
/// ));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CaromInterpolationPlugin {
    all_bodies: bool,
}

impl CaromInterpolationPlugin {
    /// Gives every [`Body`] an [`Interpolated`]. Without this, add it to the entities that need it.
    pub fn all_bodies() -> Self {
        Self { all_bodies: true }
    }
}

/// Lets [`CaromInterpolationPlugin`] smooth the movement of an entity.
#[derive(Component, Clone, Copy, Debug, Default, Reflect)]
#[reflect(Component, Default)]
#[require(Transform)]
pub struct Interpolated {
    #[reflect(ignore)]
    steps: Option<Steps>,
}

impl Interpolated {
    /// Lets the entity appear at its new position at once. Call it in a fixed step in which the game moves it to
    /// another position, so that it is not drawn in between.
    #[doc(alias = "teleport")]
    pub fn reset(&mut self) {
        self.steps = None;
    }
}

/// A position and a rotation.
type Place = (Vec2, Quat);

#[derive(Clone, Copy, Debug)]
struct Steps {
    /// The place before the last step.
    last: Place,
    /// The place after the last step.
    now: Place,
    /// The place that was written to the transform.
    shown: Place,
}

impl Steps {
    fn at(place: Place) -> Self {
        Self { last: place, now: place, shown: place }
    }
}

fn place(transform: &Transform) -> Place {
    (transform.translation.truncate(), transform.rotation)
}

/// Writes a place to a transform if it differs.
fn write(mut transform: Mut<Transform>, (position, rotation): Place) {
    let translation = position.extend(transform.translation.z);
    transform.set_if_neq(Transform { translation, rotation, ..*transform });
}

impl Plugin for CaromInterpolationPlugin {
    fn build(&self, app: &mut App) {
        if self.all_bodies {
            app.register_required_components::<Body, Interpolated>();
        }
        app.register_type::<Interpolated>()
            .add_systems(FixedFirst, restore)
            .add_systems(FixedLast, record)
            .add_systems(
                RunFixedMainLoop,
                ease.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
            );
    }
}

/// Sets transforms back to the place after the last step, unless the game has changed them since.
fn restore(mut entities: Query<(&mut Transform, &mut Interpolated)>) {
    for (transform, mut interpolated) in &mut entities {
        let found = place(&transform);
        let steps = interpolated.steps.get_or_insert(Steps::at(found));
        if found.0 != steps.shown.0 {
            steps.now.0 = found.0;
        }
        if found.1 != steps.shown.1 {
            steps.now.1 = found.1;
        }
        let now = steps.now;
        write(transform, now);
    }
}

/// Stores the place after a step.
fn record(mut entities: Query<(&Transform, &mut Interpolated)>) {
    for (transform, mut interpolated) in &mut entities {
        let now = place(transform);
        let last = interpolated.steps.map_or(now, |steps| steps.now);
        interpolated.steps = Some(Steps { last, now, shown: now });
    }
}

/// Writes the places to draw.
fn ease(mut entities: Query<(&mut Transform, &mut Interpolated)>, time: Res<Time<Fixed>>) {
    let t = time.overstep_fraction();
    for (transform, mut interpolated) in &mut entities {
        let Some(steps) = &mut interpolated.steps else { continue };
        let found = place(&transform);
        let Steps { last, now, shown } = *steps;
        let eased = (last.0.lerp(now.0, t), last.1.slerp(now.1, t));
        // Changes that the game has made since the last frame stay.
        let position = if found.0 == shown.0 && last.0 != now.0 { eased.0 } else { found.0 };
        let rotation = if found.1 == shown.1 && last.1 != now.1 { eased.1 } else { found.1 };
        if found.0 == shown.0 {
            steps.shown.0 = position;
        }
        if found.1 == shown.1 {
            steps.shown.1 = rotation;
        }
        write(transform, (position, rotation));
    }
}
