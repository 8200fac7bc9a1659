//! Measures `app.update()` with one fixed step for the same scenes in bevy_carom, avian2d and bevy_rapier2d, and
//! the same in carom without Bevy.
//!
//! ```sh
//! cargo run --release --ignore-rust-version -- [NAME…]
//! ```
//!
//! - `movers`: 10,000 moving circles and boxes among 2,000 fixed boxes. Nothing is pushed or stopped; the
//!   libraries move the bodies by their velocity and report the touches that begin and end.
//! - `sensors`: the same, but the movers are sensors, without contact points.
//! - `characters`: 1,000 characters walk and jump on 8,474 tiles, and touch 2,000 coins.
//!
//! Times are CPU times, so other programs disturb them little. The results are printed beside the times: the events,
//! and the share of bodies whose final position is that of the first contestant. All libraries use one thread. Nothing
//! was tuned. The peers simulate rigid bodies; the first two scenes are not what they are made for.

use std::time::Duration;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::prelude::*;
use rustix::time::{ClockId, clock_gettime};

mod characters;
mod movers;

use movers::Mode::{Movers, Sensors};

const WARM_UP: usize = 60;
const TIMED: usize = 300;
/// Every contestant runs this often, in turn with the others.
const PASSES: usize = 3;
/// The length of a step.
const SECONDS: f32 = 1.0 / 64.0;
/// Bodies that are closer together than this count as being at the same position. The peers keep a gap of 0.01 to
/// floors and walls, and a character may turn around one step earlier or later.
const SAME_PLACE: f32 = 0.1;

/// The events of a scene.
#[derive(Resource, Default, Debug, Clone, Copy, PartialEq)]
struct Counts {
    /// Touches that have begun and ended.
    began: usize,
    ended: usize,
    /// Characters that have landed.
    landed: usize,
}

/// The results of a scene.
struct Answers {
    counts: Counts,
    places: Vec<Vec2>,
}

/// A scene in one of the libraries.
trait Scene {
    fn step(&mut self);
    fn answers(&mut self) -> Answers;
}

/// The index of a body that moves, by which libraries are compared.
#[derive(Component, Clone, Copy)]
struct Index(usize);

impl Scene for App {
    fn step(&mut self) {
        self.update();
    }

    fn answers(&mut self) -> Answers {
        let mut bodies = self.world_mut().query::<(&Index, &Transform)>();
        let mut bodies: Vec<_> = bodies.iter(self.world()).collect();
        bodies.sort_unstable_by_key(|(index, _)| index.0);
        let places = bodies.iter().map(|(_, at)| at.translation.truncate()).collect();
        Answers { counts: *self.world().resource::<Counts>(), places }
    }
}

/// Creates an app with the plugins that all libraries need.
fn app() -> App {
    let mut app = App::new();
    app.add_plugins((bevy_app::TaskPoolPlugin::default(), TimePlugin, TransformPlugin));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1)).init_resource::<Counts>();
    app
}

/// Finishes an app. Its first frame takes no time.
fn started(mut app: App) -> Box<dyn Scene> {
    app.finish();
    app.cleanup();
    app.update();
    Box::new(app)
}

/// Returns pseudo-random numbers from -1 to 1, the same in every run.
fn random() -> impl FnMut() -> f32 {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }
}

/// A scene, a library, and how to start the scene in it.
type Contestant = (&'static str, &'static str, fn() -> Box<dyn Scene>);

/// The contestants of each scene are adjacent. The others are compared with the first one.
const CONTESTANTS: &[Contestant] = &[
    ("movers", "carom without Bevy", || Box::new(movers::Alone::new())),
    ("movers", "bevy_carom", || started(movers::carom(Movers))),
    #[cfg(feature = "avian")]
    ("movers", "avian2d", || started(movers::avian(Movers))),
    #[cfg(feature = "rapier")]
    ("movers", "bevy_rapier2d", || started(movers::rapier(Movers))),
    ("sensors", "bevy_carom", || started(movers::carom(Sensors))),
    #[cfg(feature = "avian")]
    ("sensors", "avian2d", || started(movers::avian(Sensors))),
    #[cfg(feature = "rapier")]
    ("sensors", "bevy_rapier2d", || started(movers::rapier(Sensors))),
    ("characters", "carom without Bevy", || Box::new(characters::Alone::new())),
    ("characters", "bevy_carom", || started(characters::carom())),
    #[cfg(feature = "avian")]
    ("characters", "avian2d", || started(characters::avian())),
    #[cfg(feature = "rapier")]
    ("characters", "bevy_rapier2d", || started(characters::rapier())),
];

/// Returns the CPU time that this process has used.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Runs a scene. Returns the duration of each timed step, and the results.
fn run(start: fn() -> Box<dyn Scene>) -> (Vec<Duration>, Answers) {
    let mut scene = start();
    let mut step = || {
        let start = cpu_time();
        scene.step();
        cpu_time() - start
    };
    let times = (0..WARM_UP + TIMED).map(|_| step()).skip(WARM_UP).collect();
    (times, scene.answers())
}

fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let is_wanted = |&&(scene, library, _): &&Contestant| {
        let row = format!("{scene}: {library}");
        names.is_empty() || names.iter().any(|name| row.contains(name.as_str()))
    };
    let wanted: Vec<&Contestant> = CONTESTANTS.iter().filter(is_wanted).collect();
    println!(
        "{:<32}{:>10}{:>10}{:>10}{:>10}{:>10}{:>12}",
        "ms of CPU time per update", "best", "median", "began", "ended", "landed", "same place"
    );
    for contestants in wanted.chunk_by(|a, b| a.0 == b.0) {
        let passes: Vec<Vec<_>> = (0..PASSES)
            .map(|_| contestants.iter().map(|(.., start)| run(*start)).collect())
            .collect();
        let expected = &passes[0][0].1.places;
        for (n, (scene, library, _)) in contestants.iter().enumerate() {
            let mut times: Vec<Duration> =
                passes.iter().flat_map(|pass| pass[n].0.iter().copied()).collect();
            times.sort_unstable();
            let ms = |time: Duration| time.as_secs_f64() * 1000.0;
            let (best, median) = (ms(times[0]), ms(times[times.len() / 2]));
            let Answers { counts: Counts { began, ended, landed }, places } = &passes[0][n].1;
            assert_eq!(places.len(), expected.len());
            let same = places.iter().zip(expected).filter(|(a, b)| a.distance(**b) < SAME_PLACE);
            let same = 100.0 * same.count() as f32 / expected.len() as f32;
            println!(
                "{:<32}{best:>10.3}{median:>10.3}{began:>10}{ended:>10}{landed:>10}{same:>10.1} %",
                format!("{scene}: {library}")
            );
        }
    }
}
