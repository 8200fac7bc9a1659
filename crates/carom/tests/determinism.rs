//! Same input, same bits: on every platform, in debug and release, with and without `std`.
//!
//! A fixed list of queries runs over every ordered pair of shapes, and all bits of all results go into
//! one hash per query. A hash that differs on one platform only is a bug. If a result was changed on
//! purpose, `CAROM_BLESS=1 cargo test -p carom --test determinism` rewrites the hashes below; explain
//! the change in the commit.

#[path = "support/one_of_each.rs"]
mod one_of_each;

use carom::prelude::*;
use carom::query::RigidMotion;
use one_of_each::sample;

/// The queries, and the hash of all results of each.
const HASHES: [(&str, u64); 9] = [
    ("placed", 0xdbb5f7ec73692864),
    ("verdicts", 0x4709f73e4187d195),
    ("contact", 0xd3280beca2e972c1),
    ("closest_points", 0x20e096a9d8668f83),
    ("sweep", 0x53de659788ed2425),
    ("sweep_rotating", 0xc629bcccdc209281),
    ("raycast", 0x2efa752b4e907ba6),
    ("outline", 0xbcaa6647885f23c9),
    ("measure", 0xe0a466a39eb4fa33),
];

/// The number of placements tested for each ordered pair.
const ROUNDS: u32 = 3;

/// FNV-1a over the bits of numbers.
struct Hash(u64);

impl Hash {
    fn add(&mut self, bits: u32) {
        for byte in bits.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn numbers(&mut self, numbers: &[f32]) {
        numbers.iter().for_each(|number| self.add(number.to_bits()));
    }

    fn points(&mut self, points: &[Vec2]) {
        points.iter().for_each(|point| self.numbers(&point.to_array()));
    }

    fn hit(&mut self, hit: Option<SweepHit>) {
        self.add(hit.is_some().into());
        if let Some(SweepHit { time, normal, point, depth, .. }) = hit {
            self.numbers(&[time, depth]);
            self.points(&[normal, point]);
        }
    }

    fn ray_hit(&mut self, hit: Option<RayHit>) {
        self.add(hit.is_some().into());
        if let Some(RayHit { distance, point, normal, exit, .. }) = hit {
            self.numbers(&[distance, exit]);
            self.points(&[point, normal]);
        }
    }
}

/// Numbers of few bits, from a linear congruential generator (Numerical Recipes).
struct Numbers(u32);

impl Numbers {
    /// Returns a multiple of 1/64 from -4 to 4.
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((self.0 >> 23) as f32 - 256.0) / 64.0
    }

    fn vector(&mut self) -> Vec2 {
        Vec2::new(self.next(), self.next())
    }

    /// Rotations that need sines, and sizes that leave few round numbers.
    fn pose(&mut self) -> Pose {
        let scale = 1.0 + self.next().abs() / 3.0;
        Pose::new(self.vector(), self.next()).with_scale(scale)
    }
}

fn hashes() -> [u64; HASHES.len()] {
    let mut hashes = [const { Hash(0xcbf2_9ce4_8422_2325) }; HASHES.len()];
    let [placed, verdicts, contact, closest, sweep, turning, raycast, outline, measure] =
        &mut hashes;
    let mut numbers = Numbers(1);
    let rounds = (0..ROUNDS).flat_map(|_| Shape::KINDS);
    for (a, b) in rounds.flat_map(|a| Shape::KINDS.iter().map(move |b| (a, b))) {
        let (pose_a, pose_b) = (numbers.pose(), numbers.pose());
        let (a, b) = (sample(a).transformed(&pose_a), sample(b).transformed(&pose_b));
        let (from, along) = (numbers.vector() * 2.0, numbers.vector());

        let (bounds_a, bounds_b) = (a.bounds(), b.bounds());
        placed.points(&[bounds_a.min(), bounds_a.max(), bounds_b.min(), bounds_b.max()]);
        placed.points(&[pose_a.transform_point(from), pose_b.transform_point(along)]);

        let says = [a.intersects(&b), a.overlaps(&b), a.contains(&b), b.contains(&a)];
        says.into_iter().for_each(|answer| verdicts.add(answer.into()));

        let found = a.contact(&b);
        contact.add(found.is_some().into());
        if let Some(Contact { normal, depth, push, points, .. }) = found {
            contact.numbers(&[depth]);
            contact.points(&[normal, push]);
            contact.points(&points);
        }

        let ClosestPoints { distance, on_a, on_b, .. } = a.closest_points(&b);
        closest.numbers(&[distance, a.distance(&b)]);
        closest.points(&[on_a, on_b]);

        sweep.hit(a.sweep(along * 4.0, &b));
        turning.hit(a.sweep_rotating(&RigidMotion::new(along * 2.0, 1.5, pose_a.position), &b));

        if let Ok(ray) = Ray::try_from_to(from, pose_b.position) {
            raycast.ray_hit(b.raycast(&ray));
            b.raycast_all(&ray).into_iter().for_each(|hit| raycast.ray_hit(Some(hit)));
            outline.ray_hit(b.outline_raycast(&ray));
        }
        outline.add(a.outline_intersects(&b).into());
        outline.numbers(&[a.outline_distance(&b)]);

        let around = a.bounding_circle();
        measure.numbers(&[a.area(), around.radius()]);
        measure.points(&[a.centroid(), a.support(along), around.center()]);
    }
    hashes.map(|hash| hash.0)
}

#[test]
fn l7_same_input_gives_the_same_bits_everywhere() {
    let found = hashes();
    if std::env::var_os("CAROM_BLESS").is_some() {
        return bless(&found);
    }
    for ((question, expected), found) in HASHES.iter().zip(found) {
        assert!(
            *expected == found,
            "{question}: {found:#018x} in place of {expected:#018x}. If the answers were changed \
             on purpose: CAROM_BLESS=1 cargo test -p carom --test determinism"
        );
    }
}

#[test]
fn l7_repeating_a_query_gives_the_same_bits() {
    assert_eq!(hashes(), hashes());
}

/// Writes the hashes found into this file.
fn bless(found: &[u64]) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/determinism.rs");
    let mut source = std::fs::read_to_string(path).expect("the source is there");
    for ((question, old), new) in HASHES.iter().zip(found) {
        let line = |hash: u64| format!("(\"{question}\", {hash:#018x})");
        source = source.replace(&line(*old), &line(*new));
    }
    std::fs::write(path, source).expect("the source can be written");
}
