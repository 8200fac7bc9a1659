//! Random calls, made on the world and on the model.

use std::sync::Arc;

use carom::broad::Mobility;
use carom::prelude::*;
use carom::sheet::{Frame, FrameBox, FrameRef, Role, Sheet};
use carom::world::{Layer, LayerNames, Rehit, StrikeRules, Support, Swings};

use super::shapes::{angle, any_shape, as_stored, pose, position};
use super::{Game, ModelBody, ModelCollider, ModelFrame, with_any_broad_phase};
use crate::support::rng::Rng;

/// The maximum number of bodies.
const MANY: usize = 14;

fn role(rng: &mut Rng) -> Role {
    let (solid, sensor, hit, hurt) = (Role::Solid, Role::Sensor, Role::Hitbox, Role::Hurtbox);
    rng.pick(&[solid, solid, sensor, hit, hit, hurt, hurt])
}

fn mask(rng: &mut Rng) -> Layers {
    if rng.one_in(4) { Layers::from_bits(rng.next()) } else { Layers::ALL }
}

fn rehit(rng: &mut Rng) -> Rehit {
    let ticks = Rehit::AfterTicks(rng.below(4) as u32);
    rng.pick(&[Rehit::PerSwing, Rehit::PerSwing, Rehit::AfterParting, ticks])
}

impl Game {
    pub fn random_call(&mut self) {
        match self.rng.below(64) {
            0..=3 => self.add_body(),
            4 => self.remove_body(),
            5 => self.add_collider(),
            6 => self.remove_collider(),
            7..=18 => self.move_body(),
            19..=21 => self.change_body(),
            22..=27 => self.change_collider(),
            28 => self.change_rules(),
            29 => self.add_layer(),
            30..=33 => self.set_frame(),
            34 => self.start_swing(),
            35..=46 => self.update(),
            47 => self.fail_update(),
            48..=57 => self.query(),
            58 => self.take_snapshot(),
            59 => self.restore_snapshot(),
            60 => self.save_and_load(),
            61 => self.fail_call(),
            62 => self.change_broad_phase(),
            _ => self.check_everything(),
        }
    }

    pub fn any_body(&mut self) -> Option<BodyKey> {
        let keys: Vec<BodyKey> = self.model.bodies.keys().copied().collect();
        (!keys.is_empty()).then(|| self.rng.pick(&keys))
    }

    pub fn any_collider(&mut self) -> Option<ColliderKey> {
        let keys: Vec<ColliderKey> = self.model.colliders.keys().copied().collect();
        (!keys.is_empty()).then(|| self.rng.pick(&keys))
    }

    /// Returns a layer that has a name, several of them, none or all.
    fn any_layers(&mut self) -> Layers {
        let known = self.model.layers.len();
        match self.rng.below(8) {
            0 => Layers::ALL,
            1..=3 => Layers::from_bits(self.rng.next() % (1 << known)),
            _ => Layer::new(self.rng.below(known) as u8).into(),
        }
    }

    /// Returns layers by their names, if all of them have one.
    fn names_of(&self, layers: Layers) -> LayerNames {
        let names = &self.model.layers;
        if layers.bits() >> names.len() > 0 {
            return layers.into();
        }
        let name = |layer: Layer| names[usize::from(layer.number())].clone();
        LayerNames::Names(layers.iter().map(name).collect())
    }

    fn add_body(&mut self) {
        if self.model.bodies.len() >= MANY {
            return self.remove_body();
        }
        let mobility = if self.rng.one_in(3) { Mobility::Fixed } else { Mobility::Moving };
        let mut body = Body::moving([0.0, 0.0]).with_mobility(mobility);
        body = body.with_pose(pose(&mut self.rng, self.unit)).with_team(self.rng.below(3) as u32);
        body = body.with_user_data(self.rng.next());
        body.enabled = !self.rng.one_in(12);
        body.visible = !self.rng.one_in(6);
        let key = self.world.add_body(body).unwrap();
        assert!(self.model.old_bodies.insert(key), "{key} was assigned before");
        let new = ModelBody { body, colliders: Vec::new(), frame: None, support: None };
        self.model.bodies.insert(key, new);
        for _ in 0..1 + self.rng.below(2) {
            self.add_collider_to(key);
        }
    }

    fn remove_body(&mut self) {
        let Some(key) = self.any_body() else { return };
        assert_eq!(self.world.remove_body(key), Ok(self.model.remove_body(key)));
    }

    fn add_collider(&mut self) {
        if let Some(body) = self.any_body() {
            self.add_collider_to(body);
        }
    }

    fn add_collider_to(&mut self, body: BodyKey) {
        let layers = self.any_layers();
        let names = self.names_of(layers);
        let (rng, unit) = (&mut self.rng, self.unit);
        let shape = any_shape(rng, unit);
        let mut new = ModelCollider {
            body,
            on_body: shape.clone(),
            placed: shape.clone(),
            shape,
            local_pose: if rng.one_in(4) { pose(rng, unit) } else { Pose::IDENTITY },
            layers,
            mask: mask(rng),
            role: role(rng),
            enabled: !rng.one_in(10),
            tag: rng.below(4) as u32,
            user_data: rng.next(),
            one_way: rng.one_in(8).then_some(Vec2::Y),
            rehit: rehit(rng),
            detects_hurtboxes: rng.one_in(3),
        };
        let mut collider = Collider::new(new.shape.clone())
            .with_mask(new.mask)
            .with_role(new.role)
            .with_tag(new.tag)
            .with_user_data(new.user_data)
            .with_rehit(new.rehit)
            .at(new.local_pose)
            .one_way(new.one_way.unwrap_or_default());
        let names = if rng.one_in(2) { names } else { layers.into() };
        collider = collider.on_layers(names);
        collider = if new.enabled { collider } else { collider.disabled() };
        collider = if new.detects_hurtboxes { collider.detecting_hurtboxes() } else { collider };
        let key = self.world.add_collider(body, collider).unwrap();
        new.place(&self.model.bodies[&body].body.pose);
        self.insert_collider(key, new);
    }

    /// Adds a collider that the world has added.
    fn insert_collider(&mut self, key: ColliderKey, new: ModelCollider) {
        assert!(self.model.old_colliders.insert(key), "{key} was assigned before");
        self.model.body_mut(new.body).colliders.insert(0, key);
        self.model.colliders.insert(key, new);
    }

    fn remove_collider(&mut self) {
        let Some(key) = self.any_collider() else { return };
        self.world.remove_collider(key).unwrap();
        self.model.remove_collider(key);
    }

    fn move_body(&mut self) {
        let Some(key) = self.any_body() else { return };
        let (rng, unit) = (&mut self.rng, self.unit);
        let mut new = self.model.bodies[&key].body.pose;
        match rng.below(6) {
            0 => {
                new = pose(rng, unit);
                self.world.set_pose(key, new).unwrap();
            }
            1 => {
                let angle = angle(rng);
                new.rotation = Rotation::from_angle(angle);
                self.world.set_angle(key, angle).unwrap();
            }
            2 => {
                new.position = position(rng, unit);
                self.world.set_positions([(key, new.position)]).unwrap();
            }
            3 => {
                new.position = position(rng, unit);
                self.world.set_position(key, new.position).unwrap();
            }
            4 if rng.one_in(4) => self.world.set_pose(key, new).unwrap(), // no change
            _ => {
                let by = position(rng, unit) / 4.0;
                let sum = new.position.as_dvec2() + by.as_dvec2();
                let max = f64::from(f32::MAX);
                new.position = sum
                    .clamp(carom::glam::DVec2::splat(-max), carom::glam::DVec2::splat(max))
                    .as_vec2();
                self.world.translate(key, by).unwrap();
            }
        }
        assert_eq!(self.world.position(key), Ok(new.position));
        self.model.set_pose(key, new);
    }

    fn change_body(&mut self) {
        let Some(key) = self.any_body() else { return };
        let yes = !self.rng.one_in(3);
        let other = self.any_body();
        let (world, rng) = (&mut self.world, &mut self.rng);
        let model = self.model.body_mut(key);
        match rng.below(6) {
            0 => {
                model.body.enabled = yes;
                world.set_enabled(key, yes).unwrap();
            }
            1 => {
                model.body.visible = yes;
                world.set_visible(key, yes).unwrap();
            }
            2 => {
                model.body.mobility = if yes { Mobility::Moving } else { Mobility::Fixed };
                world.set_mobility(key, model.body.mobility).unwrap();
            }
            3 => {
                model.body.team = rng.below(3) as u32;
                world.set_team(key, model.body.team).unwrap();
            }
            4 => {
                let hash = world.state_hash();
                model.body.user_data = rng.next();
                world.set_user_data(key, model.body.user_data).unwrap();
                assert_eq!(world.state_hash(), hash);
            }
            _ => {
                let normal = Vec2::new(0.0, 1.0);
                model.support = other.filter(|_| yes).map(|body| Support { body, normal });
                world.set_support(key, model.support).unwrap();
            }
        }
    }

    fn change_collider(&mut self) {
        let Some(key) = self.any_collider() else { return };
        let (layers, yes) = (self.any_layers(), !self.rng.one_in(3));
        let (world, model, rng, unit) =
            (&mut self.world, &mut self.model, &mut self.rng, self.unit);
        match rng.below(11) {
            0 => {
                world.set_collider_enabled(key, yes).unwrap();
                model.change(key, |it| it.enabled = yes);
            }
            1 => {
                world.set_layers(key, layers).unwrap();
                model.change(key, |it| it.layers = layers);
            }
            2 => {
                let mask = mask(rng);
                world.set_mask(key, mask).unwrap();
                model.change(key, |it| it.mask = mask);
            }
            3 | 4 => {
                let role = role(rng);
                world.set_role(key, role).unwrap();
                model.change(key, |it| it.role = role);
            }
            5 => {
                let tag = rng.below(4) as u32;
                world.set_tag(key, tag).unwrap();
                model.change(key, |it| it.tag = tag);
            }
            6 => {
                let user_data = rng.next();
                world.set_collider_user_data(key, user_data).unwrap();
                model.change(key, |it| it.user_data = user_data);
            }
            7 => {
                let up = rng.one_in(2).then_some(Vec2::Y);
                world.set_one_way(key, up).unwrap();
                model.change(key, |it| it.one_way = up);
            }
            8 => {
                let rehit = rehit(rng);
                world.set_rehit(key, rehit).unwrap();
                model.change(key, |it| it.rehit = rehit);
            }
            9 => {
                let shape = any_shape(rng, unit);
                world.set_shape(key, shape.clone()).unwrap();
                model.change(key, |it| it.shape = shape);
            }
            _ => {
                let pose = if yes { pose(rng, unit) } else { Pose::IDENTITY };
                world.set_local_pose(key, pose).unwrap();
                model.change(key, |it| it.local_pose = pose);
            }
        }
    }

    fn change_rules(&mut self) {
        let rng = &mut self.rng;
        if rng.one_in(3) {
            self.model.hidden_bodies_collide = rng.one_in(2);
            return self.world.set_hidden_bodies_collide(self.model.hidden_bodies_collide);
        }
        let swings = rng.pick(&[Swings::PerBody, Swings::PerHitbox]);
        let rules = StrikeRules::default()
            .with_friendly_fire(rng.one_in(2))
            .with_clashes(rng.one_in(2))
            .with_touching(rng.one_in(2))
            .with_swings(swings);
        if swings != self.model.rules.swings {
            self.model.struck.clear();
        }
        self.model.rules = rules;
        self.world.set_strike_rules(rules);
    }

    fn add_layer(&mut self) {
        let layers = &mut self.model.layers;
        let name = format!("layer {}", self.rng.below(5));
        let number = layers.iter().position(|known| *known == name).unwrap_or_else(|| {
            layers.push(name.clone());
            layers.len() - 1
        });
        assert_eq!(self.world.add_layer(&name), Ok(Layer::new(number as u8)));
        assert_eq!(self.world.layer(name.as_str()), Ok(Layer::new(number as u8)));
    }

    fn start_swing(&mut self) {
        let Some(key) = self.any_body() else { return };
        self.world.start_swing(key).unwrap();
        self.model.struck.retain(|(attacker, ..), _| *attacker != key);
        self.model.clashed.retain(|bodies| !bodies.contains(&key));
    }

    fn update(&mut self) {
        self.model.begin_update();
        self.model.update();
        if self.rng.one_in(2) {
            self.world.update();
        } else {
            self.world.try_update().unwrap();
        }
        self.check_events();
    }

    /// Makes an update that fails if there is a pair to test.
    fn fail_update(&mut self) {
        let max_pairs = self.world.max_pairs();
        self.world.set_max_pairs(0);
        self.model.begin_update();
        match self.world.try_update() {
            Ok(_) => self.model.update(),
            Err(error) => {
                assert_eq!(error, WorldError::TooManyPairs { limit: 0 });
                self.model.is_complete = false;
            }
        }
        self.check_events();
        self.world.set_max_pairs(max_pairs);
    }

    fn add_sheet(&mut self) {
        let layer = self.model.layers.last().unwrap().clone();
        let frames: Vec<Frame> = (0..3)
            .map(|i| {
                let mut frame =
                    Frame::new(format!("frame {i}")).pivot(position(&mut self.rng, self.unit));
                for name in ["head", "body", "fist", "feet"] {
                    if self.rng.one_in(2) {
                        let mut new = FrameBox::new(
                            name,
                            role(&mut self.rng),
                            any_shape(&mut self.rng, self.unit),
                        );
                        if self.rng.one_in(3) {
                            new = new.mask(["default"]);
                            new = match self.rng.below(3) {
                                0 => new.layers([layer.as_str(), "default"]),
                                1 => new.layers([""; 0]),
                                _ => new.layer(layer.clone()),
                            };
                        }
                        frame = frame.with(new);
                    }
                }
                frame
            })
            .collect();
        let directions = if self.rng.one_in(2) { 4 } else { 3 };
        let sheet = Sheet::from_frames(frames).unwrap().with_directions(directions).unwrap();
        let sheet = Arc::new(sheet);
        let key = self.world.add_sheet(Arc::clone(&sheet)).unwrap();
        self.model.sheets.push((key, sheet));
    }

    fn set_frame(&mut self) {
        let Some(body) = self.any_body() else { return };
        if self.model.sheets.is_empty() || self.rng.one_in(30) {
            return self.add_sheet();
        }
        if self.rng.one_in(8) {
            self.world.clear_frame(body).unwrap();
            let old = self.model.body_mut(body).frame.take();
            self.remove_boxes(old.map_or(Vec::new(), |old| old.boxes), &[]);
            return;
        }
        let sheet = self.rng.below(self.model.sheets.len());
        let (key, sheet_data) = self.model.sheets[sheet].clone();
        let (frame, direction) = (self.rng.below(3), self.rng.below(3) as u32);
        let flip = self.rng.pick(&[Flip::NONE, Flip::X, Flip::Y]);
        let shown = FrameRef::from(frame).direction(direction).flipped(flip);
        self.world.set_frame(body, key, shown).unwrap();
        // The boxes of the model: those with the same names keep their colliders.
        let old = self.model.bodies[&body].frame.clone();
        if let Some(old) = &old {
            let is_same =
                (old.sheet, old.frame, old.direction, old.flip) == (sheet, frame, direction, flip);
            let are_there = old.boxes.iter().all(|(_, key)| self.model.colliders.contains_key(key));
            if is_same && are_there {
                return;
            }
        }
        let old = old.map_or(Vec::new(), |old| old.boxes);
        let mut boxes = Vec::new();
        for new in sheet_data.boxes(shown).unwrap() {
            let layers = match new.layers {
                None => Layer::DEFAULT.into(),
                Some(names) => {
                    names.iter().map(|it| self.world.layer(it.as_str()).unwrap()).collect()
                }
            };
            let mask = new.mask.map_or(Layers::ALL, |_| Layer::DEFAULT.into());
            let shape = as_stored(&new.shape);
            let kept = old.iter().find(|(name, _)| name == new.name).map(|&(_, key)| key);
            let kept = kept.filter(|key| self.model.colliders.contains_key(key));
            let found = self.world.box_of(body, new.name).unwrap();
            match kept {
                Some(kept) => {
                    assert_eq!(found, kept);
                    self.model.change(kept, |it| {
                        (it.role, it.layers, it.mask, it.shape) = (new.role, layers, mask, shape);
                    });
                }
                None => {
                    let mut collider = ModelCollider {
                        body,
                        on_body: shape.clone(),
                        placed: shape.clone(),
                        shape,
                        local_pose: Pose::IDENTITY,
                        layers,
                        mask,
                        role: new.role,
                        enabled: true,
                        tag: 0,
                        user_data: 0,
                        one_way: None,
                        rehit: Rehit::PerSwing,
                        detects_hurtboxes: false,
                    };
                    collider.place(&self.model.bodies[&body].body.pose);
                    self.insert_collider(found, collider);
                }
            }
            boxes.push((new.name.to_owned(), found));
        }
        self.remove_boxes(old, &boxes);
        self.model.body_mut(body).frame = Some(ModelFrame { sheet, frame, direction, flip, boxes });
    }

    /// Removes the boxes of a frame, except some.
    fn remove_boxes(&mut self, old: Vec<(String, ColliderKey)>, kept: &[(String, ColliderKey)]) {
        for (_, key) in old {
            let is_kept = kept.iter().any(|&(_, other)| other == key);
            if !is_kept && self.model.colliders.contains_key(&key) {
                self.model.remove_collider(key);
            }
        }
    }

    fn take_snapshot(&mut self) {
        let snapshot = (self.world.clone(), self.model.clone());
        assert_eq!(snapshot.0.state_hash(), self.world.state_hash());
        if self.snapshots.len() < 3 {
            self.snapshots.push(snapshot);
        } else {
            let index = self.rng.below(3);
            self.snapshots[index].0.clone_from(&snapshot.0);
            self.snapshots[index].1 = snapshot.1;
        }
    }

    fn restore_snapshot(&mut self) {
        if self.snapshots.is_empty() {
            return;
        }
        let (world, model) = &self.snapshots[self.rng.below(self.snapshots.len())];
        self.world.clone_from(world);
        self.model = model.clone();
        assert_eq!(self.world.state_hash(), world.state_hash());
        self.check_everything();
    }

    fn save_and_load(&mut self) {
        let text = serde_json::to_string(&self.world).unwrap();
        let loaded: World = serde_json::from_str(&text).unwrap_or_else(|error| {
            let end = error.column().min(text.len());
            panic!("{error}: {}", &text[end.saturating_sub(300)..end])
        });
        // Both zeros are equal, and which one it is decides nothing.
        let [saved, again] =
            [text, serde_json::to_string(&loaded).unwrap()].map(|text| text.replace("-0.0", "0.0"));
        let first = saved.bytes().zip(again.bytes()).position(|(a, b)| a != b);
        if let Some(at) = first {
            let around = at.saturating_sub(300)..at + 40;
            panic!("saved {}, and again {}", &saved[around.clone()], &again[around]);
        }
        assert_eq!(loaded.state_hash(), self.world.state_hash());
        self.world = with_any_broad_phase(loaded, &mut self.rng);
        self.check_everything();
    }

    fn change_broad_phase(&mut self) {
        let hash = self.world.state_hash();
        let world = core::mem::take(&mut self.world);
        self.world = with_any_broad_phase(world, &mut self.rng);
        assert_eq!(self.world.state_hash(), hash);
    }

    /// Makes calls that fail, which must change nothing.
    fn fail_call(&mut self) {
        let hash = self.world.state_hash();
        let (world, model) = (&mut self.world, &self.model);
        let gone = model.old_bodies.iter().find(|key| !model.bodies.contains_key(key));
        if let Some(&gone) = gone {
            let error = WorldError::NoSuchBody(gone);
            assert_eq!(world.set_position(gone, [0.0, 0.0]), Err(error.clone()));
            assert_eq!(world.remove_body(gone), Err(error.clone()));
            assert_eq!(world.start_swing(gone), Err(error.clone()));
            assert_eq!(world.clear_frame(gone), Err(error.clone()));
            assert_eq!(world.set_support(gone, None), Err(error));
            assert!(world.body(gone).is_none() && world.frame(gone).is_none());
            assert_eq!(world.colliders_of(gone).count() + world.struck_by(gone).count(), 0);
        }
        let gone = model.old_colliders.iter().find(|key| !model.colliders.contains_key(key));
        if let Some(&gone) = gone {
            let error = WorldError::NoSuchCollider(gone);
            assert_eq!(world.set_role(gone, Role::Sensor), Err(error.clone()));
            assert_eq!(world.remove_collider(gone), Err(error));
            assert_eq!(world.touching(gone).count(), 0);
            assert_eq!(world.box_name(gone), None);
        }
        if let Some(&body) = model.bodies.keys().next() {
            assert!(world.set_position(body, [f32::NAN, 0.0]).is_err());
            assert!(world.translate(body, [0.0, f32::INFINITY]).is_err());
            let collider = || Collider::new(Circle::new([0.0, 0.0], 1.0));
            assert!(world.add_collider(body, collider().on_layer("no such layer")).is_err());
            let bad_pose = Pose::IDENTITY.with_scale(-1.0);
            assert!(world.add_collider(body, collider().at(bad_pose)).is_err());
            if let Some(&(sheet, _)) = model.sheets.first() {
                assert!(world.set_frame(body, sheet, "no such frame").is_err());
            }
        }
        assert!(world.add_layer("").is_err());
        assert_eq!(world.state_hash(), hash);
    }
}
