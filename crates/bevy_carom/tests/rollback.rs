//! Rollback: two sessions that guess the input of the other one, by hand and with ggrs.

mod support;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use bevy_app::prelude::*;
use bevy_carom::prelude::*;
use bevy_carom::{CaromSnapshot, RollbackApp, SpawnOrder};
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_transform::prelude::*;
use ggrs::{
    Config, DesyncDetection, GgrsError, GgrsEvent, GgrsRequest, Message, NonBlockingSocket,
    P2PSession, PlayerType, PredictRepeatLast, SessionBuilder, SessionState,
};
use support::*;

/// A component of the game that rollback has to restore, too.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
struct Coins(u32);

/// Counts coins, which are despawned, and spawns bullets: what a step does depends on all of the state.
fn play_step(
    mut commands: Commands,
    mut heroes: Query<(&SpawnOrder, &Transform, &mut Velocity, &mut Footing, &Coins, &Input)>,
    mut next: ResMut<NextOrder>,
) {
    // The order of a query depends on archetypes.
    let heroes = heroes.iter_mut().sort_by_key::<&SpawnOrder, _>(|order| order.0);
    for (_, transform, mut velocity, mut footing, coins, input) in heroes {
        velocity.0.x = f32::from(input.0 % 3) * 4.0 - 4.0;
        if input.0 & 8 != 0 {
            footing.request_jump();
        }
        if footing.jump(JumpGrace::frames(4, 4)) {
            velocity.0.y = 10.0;
        }
        if input.0 & 48 == 48 {
            next.0 += 1;
            commands.spawn((
                Mover::Bounce(0.8),
                Collider::circle(0.2),
                Velocity(Vec2::new(6.0, coins.0 as f32)),
                *transform,
                SpawnOrder(next.0),
            ));
        }
    }
}

fn collect(
    mut commands: Commands,
    mut touches: MessageReader<TouchBegan>,
    sensors: Query<&Role>,
    mut heroes: Query<&mut Coins>,
) {
    for touch in touches.read() {
        let is_sensor = sensors.get(touch.other).is_ok_and(|role| *role == Role::Sensor);
        if is_sensor && let Ok(mut coins) = heroes.get_mut(touch.body) {
            coins.0 += 1;
            commands.entity(touch.other).try_despawn();
        }
    }
}

#[derive(Component, Clone, Copy)]
struct Input(u8);

#[derive(Resource, Clone, Copy)]
struct NextOrder(u64);

fn session_app() -> App {
    let mut app = app();
    app.insert_resource(NextOrder(1000))
        .rollback_component::<Coins>()
        .rollback_component::<Input>()
        .add_systems(FixedUpdate, play_step)
        .add_systems(FixedLast, collect);
    let rows = ["########################", "#......................#", "#.....==......##.......#"];
    let kinds = [('#', TileKind::SOLID), ('=', TileKind::one_way([0.0, 1.0]))];
    let map = TileMap::from_rows([0.0, 0.0], [1.0, 1.0], &rows, &kinds);
    let world = app.world_mut();
    world.spawn((Body::Fixed, Collider::tiles(map), SpawnOrder(0)));
    let lift = (Mover::Platform, Velocity(Vec2::new(0.3, 0.1)), Collider::rectangle(3.0, 0.5));
    world.spawn((lift, AngularVelocity(0.05), at(8.0, 1.5), SpawnOrder(1)));
    for n in 0..3 {
        let hero = (Walker::default(), Collider::capsule(0.3, 0.6), Coins(0), Input(0));
        let hero = world.spawn((hero, at(3.0 + n as f32 * 5.0, 4.0), SpawnOrder(10 + n))).id();
        let arm = world.spawn((at(0.3, 0.0), ChildOf(hero))).id();
        let hand = (Collider::circle(0.1), Role::Hitbox, at(0.2, 0.0), SpawnOrder(20 + n));
        world.spawn((hand, ChildOf(arm)));
    }
    for n in 0..12 {
        let coin = (Collider::circle(0.25), Role::Sensor, at(2.0 + n as f32 * 1.7, 1.5));
        world.spawn((coin, SpawnOrder(100 + n)));
    }
    app
}

fn step(app: &mut App, inputs: [u8; 3]) {
    let mut heroes = app.world_mut().query::<(&SpawnOrder, &mut Input)>();
    for (order, mut input) in heroes.iter_mut(app.world_mut()) {
        input.0 = inputs[order.0 as usize - 10];
    }
    app.update();
}

#[test]
fn two_sessions_with_random_rollbacks_have_the_same_hashes() {
    for seed in 1..=6 {
        let mut random = random(seed);
        let script: Vec<[u8; 3]> = (0..240).map(|_| [0; 3].map(|_: u8| random(64) as u8)).collect();
        // The first session knows all input in time.
        let mut app = session_app();
        let mut hashes = Vec::new();
        let mut coins = Vec::new();
        for &inputs in &script {
            step(&mut app, inputs);
            hashes.push(hash(&app));
            let mut heroes = app.world_mut().query::<&Coins>();
            let mut all: Vec<u32> = heroes.iter(app.world()).map(|coins| coins.0).collect();
            all.sort_unstable();
            coins.push(all);
        }
        assert!(coins[239].iter().sum::<u32>() > 0, "no coins were collected");

        // The second one guesses, and rolls back when it learns better.
        let mut app = session_app();
        let mut frame = 0;
        let mut rollbacks = 0;
        while frame < script.len() {
            let guessed = random(9) as usize;
            if guessed == 0 || frame + guessed > script.len() {
                step(&mut app, script[frame]);
            } else {
                let snapshot = CaromSnapshot::take(app.world_mut());
                let next = *app.world().resource::<NextOrder>();
                let before = hash(&app);
                for _ in 0..guessed {
                    step(&mut app, [0; 3].map(|_: u8| random(64) as u8));
                }
                snapshot.restore(app.world_mut());
                app.insert_resource(next);
                assert_eq!(hash(&app), before);
                rollbacks += 1;
                step(&mut app, script[frame]);
            }
            let mut heroes = app.world_mut().query::<&Coins>();
            let mut all: Vec<u32> = heroes.iter(app.world()).map(|coins| coins.0).collect();
            all.sort_unstable();
            assert_eq!(all, coins[frame], "seed {seed}, frame {frame}");
            assert_eq!(hash(&app), hashes[frame], "seed {seed}, frame {frame}");
            frame += 1;
        }
        assert!(rollbacks > 100);
    }
}

/// The network: messages on their way, with the number of polls until they arrive. Some are lost.
struct Network {
    messages: Vec<(usize, u64, Message)>,
    random: Box<dyn FnMut(u64) -> u64>,
}

/// The socket of a player, whose address is its number.
struct Socket {
    player: usize,
    network: Rc<RefCell<Network>>,
}

impl NonBlockingSocket<usize> for Socket {
    fn send_to(&mut self, message: &Message, to: &usize) {
        let network = &mut *self.network.borrow_mut();
        if (network.random)(11) != 0 {
            let delay = (network.random)(6);
            network.messages.push((*to, delay, message.clone()));
        }
    }

    fn receive_all_messages(&mut self) -> Vec<(usize, Message)> {
        let mut received = Vec::new();
        self.network.borrow_mut().messages.retain_mut(|(to, delay, message)| {
            if *to != self.player {
                return true;
            }
            let has_arrived = *delay == 0;
            *delay = delay.saturating_sub(1);
            if has_arrived {
                received.push((1 - self.player, message.clone()));
            }
            !has_arrived
        });
        received
    }
}

#[derive(Debug)]
struct Game;

impl Config for Game {
    type Input = u8;
    type InputPredictor = PredictRepeatLast;
    type State = (CaromSnapshot, NextOrder);
    type Address = usize;
}

/// A player: its game, its session, and the hash of each frame as it was played last.
struct Player {
    app: App,
    session: P2PSession<Game>,
    hashes: BTreeMap<i32, u64>,
    rollbacks: usize,
}

impl Player {
    fn new(player: usize, network: &Rc<RefCell<Network>>) -> Self {
        let socket = Socket { player, network: Rc::clone(network) };
        let session = SessionBuilder::<Game>::new()
            .with_desync_detection_mode(DesyncDetection::On { interval: 1 })
            .add_player(PlayerType::Local, player)
            .and_then(|builder| builder.add_player(PlayerType::Remote(1 - player), 1 - player))
            .and_then(|builder| builder.start_p2p_session(socket))
            .unwrap();
        Self { app: session_app(), session, hashes: BTreeMap::new(), rollbacks: 0 }
    }

    /// Plays a frame, with guessed input if that of the other player has not arrived.
    fn advance(&mut self, input: u8) {
        self.session.poll_remote_clients();
        for event in self.session.events() {
            assert!(!matches!(event, GgrsEvent::DesyncDetected { .. }), "{event:?}");
        }
        if self.session.current_state() != SessionState::Running {
            return;
        }
        for player in self.session.local_player_handles() {
            self.session.add_local_input(player, input).unwrap();
        }
        let requests = match self.session.advance_frame() {
            Err(GgrsError::PredictionThreshold) => return, // too far ahead
            requests => requests.unwrap(),
        };
        for request in requests {
            match request {
                GgrsRequest::SaveGameState { cell, frame } => {
                    let snapshot = CaromSnapshot::take(self.app.world_mut());
                    let next = *self.app.world().resource::<NextOrder>();
                    let hash = hash(&self.app);
                    self.hashes.insert(frame, hash);
                    cell.save(frame, Some((snapshot, next)), Some(hash.into()));
                }
                GgrsRequest::LoadGameState { cell, .. } => {
                    let (snapshot, next) = cell.load().unwrap();
                    snapshot.restore(self.app.world_mut());
                    self.app.insert_resource(next);
                    self.rollbacks += 1;
                }
                GgrsRequest::AdvanceFrame { inputs } => {
                    step(&mut self.app, [inputs[0].0, inputs[1].0, 0]);
                }
            }
        }
    }
}

#[test]
fn two_players_of_ggrs_have_the_same_hashes() {
    let network = Network { messages: Vec::new(), random: Box::new(random(7)) };
    let network = Rc::new(RefCell::new(network));
    let mut players = [0, 1].map(|player| Player::new(player, &network));
    let mut random = random(42);
    let mut inputs = [0, 0];
    while players.iter().any(|player| player.session.confirmed_frame() < 240) {
        for (player, input) in players.iter_mut().zip(&mut inputs) {
            // Players hold their keys for a while.
            if random(6) == 0 {
                *input = random(64) as u8;
            }
            // One is ahead of the other, in turn: it guesses, and rolls back.
            if random(4) != 0 {
                player.advance(*input);
            }
        }
        // The handshake measures real time.
        std::thread::sleep(std::time::Duration::from_micros(200));
    }
    let [a, b] = &players;
    assert!(a.rollbacks + b.rollbacks > 20, "{} and {}", a.rollbacks, b.rollbacks);
    for frame in 1..240 {
        assert_eq!(a.hashes[&frame], b.hashes[&frame], "frame {frame}");
    }
    assert!((1..239).all(|frame| a.hashes[&frame] != a.hashes[&(frame + 1)]));
}
