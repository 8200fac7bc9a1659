//! Comparisons of a world with its model.

use carom::prelude::*;
use carom::sheet::Role;
use carom::world::ColliderRef;

use super::rules::simple;
use super::shapes::{any_shape, position};
use super::{Game, ModelCollider};

impl Game {
    /// Compares the events and strikes of the last update.
    pub fn check_events(&self) {
        let (world, model) = (&self.world, &self.model);
        let events: Vec<_> = world.events().iter().map(simple).collect();
        assert_eq!(events, model.events());
        let strikes = world.strikes().iter();
        let strikes = strikes.map(|s| ([s.attacker, s.victim], [s.hitbox, s.hurtbox], s.contact));
        assert_eq!(strikes.collect::<Vec<_>>(), model.strikes);
        let clashes = world.clashes().iter().map(|c| (c.bodies, c.hitboxes, c.contact));
        assert_eq!(clashes.collect::<Vec<_>>(), model.clashes);
        for &body in model.bodies.keys() {
            assert!(world.struck_by(body).eq(model.struck_by(body)), "struck by {body}");
        }
    }

    /// Compares everything that can be read.
    pub fn check_everything(&self) {
        let (world, model) = (&self.world, &self.model);
        self.check_events();
        assert_eq!(world.layer_names(), model.layers);
        assert_eq!(world.strike_rules(), model.rules);
        assert_eq!(world.hidden_bodies_collide(), model.hidden_bodies_collide);
        assert_eq!(world.body_count(), model.bodies.len());
        assert_eq!(world.collider_count(), model.colliders.len());
        assert!(world.bodies().map(|(key, _)| key).eq(model.bodies.keys().copied()));
        assert!(world.colliders().map(|it| it.key()).eq(model.colliders.keys().copied()));
        for (&key, expected) in &model.bodies {
            assert_eq!(world.body(key), Some(&expected.body));
            assert!(world.colliders_of(key).eq(expected.colliders.iter().copied()));
            assert_eq!(world.support(key), expected.support);
            let shown = world.frame(key).map(|it| (it.sheet, it.frame, it.direction, it.flip));
            let frame = expected.frame.as_ref();
            let sheet = |index: usize| model.sheets[index].0;
            let frame = frame.map(|it| (sheet(it.sheet), it.frame, it.direction, it.flip));
            assert_eq!(shown, frame);
            for (name, collider) in expected.frame.iter().flat_map(|it| &it.boxes) {
                let is_there = model.colliders.contains_key(collider);
                assert_eq!(world.box_of(key, name), is_there.then_some(*collider));
                assert_eq!(world.box_name(*collider), is_there.then_some(name.as_str()));
            }
            let others = expected.colliders.iter().flat_map(|&collider| model.touching(collider));
            let mut others: Vec<_> =
                others.map(|(other, ..)| model.colliders[&other].body).collect();
            assert_eq!(world.touching_body(key).count(), others.len());
            others.sort_unstable();
            others.dedup();
            assert_eq!(world.touching_bodies(key), others);
        }
        for (&key, expected) in &model.colliders {
            check_collider(&world.collider(key).unwrap(), expected);
            let touching = world.touching(key).inspect(|event| {
                assert_eq!((event.colliders[0], event.bodies[0]), (key, expected.body));
            });
            let touching: Vec<_> =
                touching.map(|event| (event.colliders[1], event.contact, event.kind)).collect();
            assert_eq!(touching, model.touching(key));
        }
    }

    /// Makes a query of every kind with a random filter.
    pub fn query(&mut self) {
        let shape =
            any_shape(&mut self.rng, self.unit).translated(position(&mut self.rng, self.unit));
        let motion = position(&mut self.rng, self.unit);
        let (layers, roles) = (Layers::from_bits(self.rng.next()), [Role::Solid, Role::Hurtbox]);
        let excluded = self.any_body();
        let even = |it: ColliderRef<'_>| it.tag().is_multiple_of(2);
        let mut filter = Filter::new();
        let mut all = self.model.active();
        all.retain(|(_, it)| it.layers != Layers::NONE);
        if self.rng.one_in(3) {
            filter = filter.layers(layers);
            all.retain(|(_, it)| layers.intersects(it.layers));
        }
        if self.rng.one_in(3) {
            filter = filter.roles(roles);
            all.retain(|(_, it)| roles.contains(&it.role));
        }
        if let Some(excluded) = excluded.filter(|_| self.rng.one_in(3)) {
            filter = filter.exclude(excluded);
            all.retain(|(_, it)| it.body != excluded);
        }
        if self.rng.one_in(3) {
            filter = filter.predicate(&even);
            all.retain(|(_, it)| it.tag.is_multiple_of(2));
        }
        if self.rng.one_in(3) {
            filter = filter.visible();
            all.retain(|(_, it)| self.model.bodies[&it.body].body.visible);
        }
        check_shape(&self.world, &filter, &all, &shape);
        check_sweep(&self.world, &filter, &all, &shape, motion);
        check_ray(&self.world, &filter, &all, shape.bounds().center(), motion);
        check_nearest(&self.world, &filter, &all, position(&mut self.rng, self.unit));
    }
}

fn check_collider(found: &ColliderRef<'_>, expected: &ModelCollider) {
    assert_eq!(**found.shape(), expected.on_body);
    assert_eq!(found.placed().to_shape(), expected.placed);
    assert_eq!(found.bounds(), expected.placed.bounds());
    assert_eq!((found.body_key(), found.local_pose()), (expected.body, expected.local_pose));
    assert_eq!((found.layers(), found.mask()), (expected.layers, expected.mask));
    assert_eq!((found.role(), found.enabled()), (expected.role, expected.enabled));
    assert_eq!((found.tag(), found.user_data()), (expected.tag, expected.user_data));
    assert_eq!((found.one_way(), found.rehit()), (expected.one_way, expected.rehit));
    assert_eq!(found.detects_hurtboxes(), expected.detects_hurtboxes);
}

type All<'a> = [(ColliderKey, &'a ModelCollider)];

fn check_shape(world: &World, filter: &Filter<'_>, all: &All<'_>, shape: &Shape) {
    let those = |test: &dyn Fn(&Shape) -> bool| -> Vec<ColliderKey> {
        all.iter().filter(|(_, it)| test(&it.placed)).map(|&(key, _)| key).collect()
    };
    assert_eq!(world.intersecting(shape, filter), those(&|it| it.intersects(shape)));
    let overlapping = those(&|it| it.overlaps(shape));
    assert_eq!(world.overlapping(shape, filter), overlapping);
    assert_eq!(world.is_free(shape, filter), overlapping.is_empty());
    let contacts = all.iter().filter_map(|(key, it)| Some((*key, shape.contact(&it.placed)?)));
    assert_eq!(world.contacts(shape, filter), contacts.collect::<Vec<_>>());
    let area = shape.bounds();
    assert_eq!(world.intersecting_box(&area, filter), those(&|it| it.intersects(&area)));
    let point = Point::new(area.center());
    assert_eq!(world.at_point(area.center(), filter), those(&|it| it.intersects(&point)));
}

fn check_sweep(world: &World, filter: &Filter<'_>, all: &All<'_>, shape: &Shape, motion: Vec2) {
    let hits = all.iter().filter_map(|(key, it)| Some((*key, shape.sweep(motion, &it.placed)?)));
    let mut hits: Vec<_> = hits.collect();
    hits.sort_by(|a, b| a.1.time.total_cmp(&b.1.time).then(a.0.cmp(&b.0)));
    assert_eq!(world.sweep_all(shape, motion, filter), hits);
    assert_eq!(world.sweep(shape, motion, filter), hits.first().copied());
}

fn check_ray(world: &World, filter: &Filter<'_>, all: &All<'_>, origin: Vec2, direction: Vec2) {
    let Ok(ray) = Ray::try_new(origin, direction, f32::INFINITY) else { return };
    let hits = all.iter().filter_map(|(key, it)| Some((*key, it.placed.raycast(&ray)?)));
    let mut hits: Vec<_> = hits.collect();
    hits.sort_by(|a, b| a.1.distance.total_cmp(&b.1.distance).then(a.0.cmp(&b.0)));
    assert_eq!(world.raycast_all(&ray, filter), hits);
    assert_eq!(world.raycast(&ray, filter), hits.first().copied());
}

fn check_nearest(world: &World, filter: &Filter<'_>, all: &All<'_>, point: Vec2) {
    let from = Point::new(point);
    let mut near: Vec<_> = all.iter().map(|(key, it)| (*key, it.placed.distance(&from))).collect();
    near.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    for count in [1, 4, 1000] {
        assert_eq!(world.nearest(point, count, filter), near[..count.min(near.len())]);
    }
}
