//! Measurements of carom's steps.

use std::time::Instant;

use bevy_app::{App, Plugin, Update};
use bevy_diagnostic::{Diagnostic, DiagnosticPath, Diagnostics, RegisterDiagnostic};
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;

use crate::{CaromSystems, CaromWorld};

/// Measures the time of a step and counts bodies, colliders and touching pairs, as Bevy's diagnostics: its
/// `LogDiagnosticsPlugin` shows them.
#[derive(Clone, Debug)]
pub struct CaromDiagnosticsPlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

impl Default for CaromDiagnosticsPlugin {
    fn default() -> Self {
        Self { schedule: bevy_app::FixedPostUpdate.intern() }
    }
}

impl CaromDiagnosticsPlugin {
    /// The time of a step in milliseconds.
    pub const STEP_TIME: DiagnosticPath = DiagnosticPath::const_new("carom/step_time");
    /// The number of bodies.
    pub const BODIES: DiagnosticPath = DiagnosticPath::const_new("carom/bodies");
    /// The number of colliders.
    pub const COLLIDERS: DiagnosticPath = DiagnosticPath::const_new("carom/colliders");
    /// The number of pairs of colliders that touch.
    pub const TOUCHES: DiagnosticPath = DiagnosticPath::const_new("carom/touches");

    /// Measures the steps in a schedule instead of `FixedPostUpdate`: that of the
    /// [`CaromPlugin`](crate::CaromPlugin).
    #[must_use]
    pub fn in_schedule(self, schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }
}

/// The time at which a step began, and the duration of the last one in milliseconds.
#[derive(Resource, Default)]
struct StepTime {
    began: Option<Instant>,
    milliseconds: Option<f64>,
}

impl Plugin for CaromDiagnosticsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<StepTime>()
            .register_diagnostic(Diagnostic::new(Self::STEP_TIME).with_suffix("ms"))
            .register_diagnostic(Diagnostic::new(Self::BODIES))
            .register_diagnostic(Diagnostic::new(Self::COLLIDERS))
            .register_diagnostic(Diagnostic::new(Self::TOUCHES))
            .add_systems(
                self.schedule,
                (begin.before(CaromSystems::Sync), end.after(CaromSystems::Touch)),
            )
            .add_systems(Update, measure);
    }
}

fn begin(mut time: ResMut<StepTime>) {
    time.began = Some(Instant::now());
}

fn end(mut time: ResMut<StepTime>) {
    time.milliseconds = time.began.take().map(|began| began.elapsed().as_secs_f64() * 1e3);
}

fn measure(mut diagnostics: Diagnostics, mut time: ResMut<StepTime>, carom: Res<CaromWorld>) {
    type Paths = CaromDiagnosticsPlugin;
    if let Some(milliseconds) = time.milliseconds.take() {
        let world = carom.get();
        diagnostics.add_measurement(&Paths::STEP_TIME, || milliseconds);
        diagnostics.add_measurement(&Paths::BODIES, || world.body_count() as f64);
        diagnostics.add_measurement(&Paths::COLLIDERS, || world.collider_count() as f64);
        let touches = || (world.events().began().count() + world.events().stayed().count()) as f64;
        diagnostics.add_measurement(&Paths::TOUCHES, touches);
    }
}
