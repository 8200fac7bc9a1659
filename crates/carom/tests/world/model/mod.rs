//! A brute-force model of a world: random calls on a world and on the model. Their results must be equal to the
//! bit, with every broad phase.
//!
//! The model keeps everything in maps, tests every pair of colliders in every update and every collider in
//! every query. It shares no code with the world except the queries about two shapes and the transforms of
//! one shape. A few thousand calls run by default; `CAROM_CALLS=N` runs `N`, `CAROM_SEED=S` begins with
//! another game:
//!
//! ```sh
//! CAROM_CALLS=10000000 cargo test --profile long -p carom --features serde --test world model -- --nocapture
//! ```

mod calls;
mod checks;
mod rules;
mod shapes;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use carom::broad::{AabbTree, BruteForce, Grid, QuadTree, Strips, SweepAndPrune};
use carom::prelude::*;
use carom::sheet::{Role, Sheet};
use carom::world::{Rehit, SheetKey, StrikeRules, Support};

use crate::support::rng::Rng;

/// The number of calls in one game.
const CALLS_PER_GAME: usize = 250;

/// The state of a world, in the simplest form.
#[derive(Clone, Default)]
struct Model {
    bodies: BTreeMap<BodyKey, ModelBody>,
    colliders: BTreeMap<ColliderKey, ModelCollider>,
    /// All keys that were ever valid: none of them may be assigned again.
    old_bodies: BTreeSet<BodyKey>,
    old_colliders: BTreeSet<ColliderKey>,
    layers: Vec<String>,
    sheets: Vec<(SheetKey, Arc<Sheet>)>,
    rules: StrikeRules,
    hidden_bodies_collide: bool,
    /// The number of updates.
    tick: u64,
    /// The pairs that touch as of the last update.
    touching: BTreeMap<[ColliderKey; 2], Touch>,
    ended: Vec<([ColliderKey; 2], [BodyKey; 2])>,
    /// `true` if the last update succeeded.
    is_complete: bool,
    strikes: Vec<ModelStrike>,
    clashes: Vec<ModelStrike>,
    /// The strikes that are not repeated for now: attacker, hitbox if each has its own swings, victim.
    struck: BTreeMap<(BodyKey, Option<ColliderKey>, BodyKey), (Rehit, u64)>,
    clashed: BTreeSet<[BodyKey; 2]>,
}

#[derive(Clone)]
struct ModelBody {
    body: Body,
    /// The colliders, from the last added to the first.
    colliders: Vec<ColliderKey>,
    frame: Option<ModelFrame>,
    support: Option<Support>,
}

#[derive(Clone)]
struct ModelFrame {
    sheet: usize,
    frame: usize,
    direction: u32,
    flip: Flip,
    /// Names and colliders, some of which may have been removed since.
    boxes: Vec<(String, ColliderKey)>,
}

#[derive(Clone)]
struct ModelCollider {
    body: BodyKey,
    /// The shape before it is placed on the body.
    shape: Shape,
    local_pose: Pose,
    layers: Layers,
    mask: Layers,
    role: Role,
    enabled: bool,
    tag: u32,
    user_data: u64,
    one_way: Option<Vec2>,
    rehit: Rehit,
    detects_hurtboxes: bool,
    /// The shape on the body, and the shape in the world.
    on_body: Shape,
    placed: Shape,
}

/// Two colliders that touch.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Touch {
    bodies: [BodyKey; 2],
    contact: Option<Contact>,
    began: bool,
}

/// Attacker and victim, hitbox and hurtbox, and their contact; or two bodies that clash, and their hitboxes.
type ModelStrike = ([BodyKey; 2], [ColliderKey; 2], Contact);

/// A world and its model.
struct Game {
    world: World,
    model: Model,
    rng: Rng,
    /// The scale of all shapes and positions. Extreme scales are rounded and underflow, and their squares overflow.
    unit: f32,
    snapshots: Vec<(World, Model)>,
}

type NewWorld = fn() -> World;

const BROAD_PHASES: [(&str, NewWorld); 6] = [
    ("strips", || World::with(Strips::new())),
    ("brute force", || World::with(BruteForce::new())),
    ("sweep and prune", || World::with(SweepAndPrune::new())),
    ("grid", || World::with(Grid::new())),
    ("quadtree", || World::with(QuadTree::new())),
    ("AABB tree", || World::with(AabbTree::new())),
];

/// Returns a world that was saved, loaded or made with one broad phase, with a random one.
fn with_any_broad_phase(world: World, rng: &mut Rng) -> World {
    match rng.below(6) {
        0 => world.with_broad_phase(Strips::new()),
        1 => world.with_broad_phase(BruteForce::new()),
        2 => world.with_broad_phase(SweepAndPrune::new()),
        3 => world.with_broad_phase(Grid::new()),
        4 => world.with_broad_phase(QuadTree::new()),
        _ => world.with_broad_phase(AabbTree::new()),
    }
}

/// A guard that prints the number of a game that fails.
struct Progress {
    broad_phase: &'static str,
    seed: u64,
    call: usize,
}

impl Drop for Progress {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let Self { broad_phase, seed, call } = self;
            eprintln!("{broad_phase}, CAROM_SEED={seed}, call {call}");
        }
    }
}

/// Plays a game of random calls. Returns the hash of the final state.
fn play(broad_phase: &'static str, new_world: NewWorld, seed: u64) -> u64 {
    let mut rng = Rng::new(seed);
    // Most games have a common size.
    let unit = rng.pick(&[0.25, 0.25, 0.25, 0.25, f32::from_bits(1), 1e-38, 1e30, 4e36]);
    let model = Model {
        layers: vec!["default".into()],
        hidden_bodies_collide: true,
        is_complete: true,
        ..Model::default()
    };
    let mut game = Game { world: new_world(), model, rng, unit, snapshots: Vec::new() };
    let mut progress = Progress { broad_phase, seed, call: 0 };
    for call in 0..CALLS_PER_GAME {
        progress.call = call;
        game.random_call();
    }
    game.check_everything();
    game.world.state_hash()
}

#[test]
fn random_games_agree_with_a_brute_force_model() {
    let variable = |name: &str| std::env::var(name).ok().map(|text| text.parse().unwrap());
    let calls: u64 = variable("CAROM_CALLS").unwrap_or(90_000);
    let first: u64 = variable("CAROM_SEED").unwrap_or(0);
    let games = calls.div_ceil((CALLS_PER_GAME * BROAD_PHASES.len()) as u64);
    for seed in first..first + games {
        let hashes = BROAD_PHASES.map(|(name, new_world)| play(name, new_world, seed));
        assert!(hashes.iter().all(|&hash| hash == hashes[0]), "seed {seed}: {hashes:x?}");
    }
    let total = games * (CALLS_PER_GAME * BROAD_PHASES.len()) as u64;
    println!("{total} calls in {games} games with each of {} broad phases", BROAD_PHASES.len());
}
