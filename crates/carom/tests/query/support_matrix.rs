//! Runs every query on every ordered pair of shapes, overlapping, touching and disjoint, checks the results, and
//! writes the table of supported pairs to `support.md`, which is part of the documentation.
//!
//! `CAROM_BLESS=1 cargo test -p carom --test query support_matrix` rewrites that file.

use std::fmt::Write;

use crate::support::one_of_each::sample;
use carom::prelude::*;
use carom::query::{RigidMotion, contact_each, intersecting_pairs, intersects_each};

/// The outcome of a query: the expected result, unsupported, or an error.
type Outcome = Result<bool, String>;

/// Two shapes in the three placements.
struct PairSetup {
    a: Shape,
    /// Centered on `a`.
    deep: Shape,
    /// To the right of `a`, sharing a point with it.
    touching: Shape,
    /// One unit further to the right.
    disjoint: Shape,
    /// `true` if the pair can overlap: points and lines cannot overlap points.
    can_overlap: bool,
}

impl PairSetup {
    fn new(a: &str, b: &str) -> Self {
        // A quarter turn, so that lines cross.
        let (a, b) = (sample(a), sample(b).rotated(core::f32::consts::FRAC_PI_2, [0.0, 0.0]));
        let area = a.area() > 0.0 || b.area() > 0.0;
        let points = [&a, &b].iter().any(|shape| shape.kind() == "Point");
        let gap = a.bounds().max().x - b.bounds().min().x;
        Self {
            touching: b.translated([gap, 0.0]),
            disjoint: b.translated([gap + 1.0, 0.0]),
            deep: b,
            can_overlap: area || !points,
            a,
        }
    }

    fn placements(&self) -> [&Shape; 3] {
        [&self.deep, &self.touching, &self.disjoint]
    }
}

/// A query with the function that runs and checks it.
type QueryCheck = (&'static str, fn(&PairSetup) -> Outcome);

const OF_PAIRS: &[QueryCheck] = &[
    ("intersects", |s| {
        holds(s.placements().map(|b| s.a.intersects(b)) == [true, true, false], "results")
    }),
    ("overlaps", |s| {
        holds(s.placements().map(|b| s.a.overlaps(b)) == [s.can_overlap, false, false], "results")
    }),
    ("contains", |s| {
        let around = s.a.scaled(8.0, [0.0, 0.0]);
        let is_area = s.a.area() > 0.0;
        holds(!is_area || around.contains(&s.deep), "the middle")?;
        holds(s.a.contains(&s.a.clone()), "itself")?;
        holds(!s.a.contains(&s.disjoint), "disjoint")
    }),
    ("contact", contact),
    ("distance", |s| {
        let [deep, touching, disjoint] = s.placements().map(|b| s.a.distance(b));
        holds(deep == 0.0 && touching == 0.0, "zero")?;
        holds(near(disjoint, 1.0), "one")
    }),
    ("closest_points", |s| {
        let closest = s.a.closest_points(&s.disjoint);
        let edge = s.a.bounds().max().x;
        holds(near(closest.distance, 1.0), "the distance")?;
        holds(near(closest.on_a.x, edge) && near(closest.on_b.x, edge + 1.0), "the points")?;
        let shared = s.a.closest_points(&s.deep);
        holds(shared.distance == 0.0 && shared.on_a == shared.on_b, "a point of both")
    }),
    ("is_within_distance", |s| {
        holds(
            s.a.is_within_distance(&s.disjoint, 1.001)
                && !s.a.is_within_distance(&s.disjoint, 0.999),
            "one",
        )?;
        holds(s.a.is_within_distance(&s.touching, 0.0), "zero")
    }),
    ("sweep", |s| {
        let leaving = s.a.sweep([-2.0, 0.0], &s.touching);
        holds(leaving.is_none(), "leaving")?;
        let motion = Vec2::new(2.0, 0.0);
        let stuck = s.a.sweep(motion, &s.deep).filter(|hit| hit.time == 0.0 && hit.depth > 0.0);
        holds(stuck.is_some() == s.can_overlap, "starting in overlap")?;
        arrives(s, s.a.sweep(motion, &s.disjoint), |time| s.a.translated(motion * time))
    }),
    ("sweep_rotating", |s| {
        // The rotation is too small to matter.
        let motion = RigidMotion::new([2.0, 0.0], 1e-6, [0.0, 0.0]);
        let hit = s.a.sweep_rotating(&motion, &s.disjoint);
        arrives(s, hit, |time| s.a.transformed(&motion.at(time)))
    }),
    ("outline_intersects", |s| {
        let [_, touching, disjoint] = s.placements().map(|b| s.a.outline_intersects(b));
        holds(touching && !disjoint, "results")
    }),
    ("outline_distance", |s| {
        let [_, touching, disjoint] = s.placements().map(|b| s.a.outline_distance(b));
        holds(near(touching, 0.0) && near(disjoint, 1.0), "distances")
    }),
    ("intersects_each", |s| {
        let many = s.placements().map(Clone::clone);
        let one_by_one = s.placements().map(|b| s.a.intersects(b));
        holds(intersects_each(&s.a, &many) == one_by_one, "results")?;
        let one_by_one = s.placements().map(|b| s.a.contact(b));
        holds(contact_each(&s.a, &many) == one_by_one, "contacts")
    }),
    ("intersecting_pairs", |s| {
        let many = s.placements().map(Clone::clone);
        holds(intersecting_pairs(std::slice::from_ref(&s.a), &many) == [(0, 0), (0, 1)], "indices")
    }),
    ("explain", |s| {
        let expected = [
            if s.can_overlap { Relation::Overlapping } else { Relation::Touching },
            Relation::Touching,
            Relation::Disjoint,
        ];
        for (b, expected) in s.placements().into_iter().zip(expected) {
            let Some(explanation) = s.a.explain(b) else { return Ok(false) };
            let (verdict, gap) = (explanation.relation, explanation.deciding().gap);
            holds(verdict == expected, "results")?;
            holds((verdict == Relation::Disjoint) == (gap > 0.0), "the gap")?;
        }
        Ok(true)
    }),
];

const OF_ONE: &[QueryCheck] = &[
    ("raycast", |s| {
        let hit = s.a.raycast(&ray(&s.a)).ok_or("no hit")?;
        holds(near(hit.distance, 3.0) && hit.exit >= hit.distance, "the distance")?;
        holds(near(hit.normal.length(), 1.0) && hit.normal.x > 0.0, "the normal")?;
        holds(s.a.raycast(&Ray::new([8.0, 0.0], [1.0, 0.0], 99.0)).is_none(), "a miss")
    }),
    ("raycast_all", |s| {
        let (first, all) = (s.a.raycast(&ray(&s.a)), s.a.raycast_all(&ray(&s.a)));
        holds(all.first() == first.as_ref(), "the first")?;
        holds(all.windows(2).all(|two| two[0].exit <= two[1].distance), "the order")
    }),
    ("outline_raycast", |s| {
        let hit = s.a.outline_raycast(&ray(&s.a)).ok_or("no hit")?;
        holds(near(hit.distance, 3.0), "the distance")
    }),
    ("bounds", |s| {
        holds(s.a.bounds().contains(&s.a) && s.a.bounding_circle().contains(&s.a), "around")
    }),
    ("area", |s| holds(s.a.area().is_finite() && s.a.area() >= 0.0, "a number")),
    ("centroid", |s| holds(s.a.bounds().contains(&Point::new(s.a.centroid())), "the middle")),
    ("support", |s| holds(s.a.support([1.0, 0.0]).x == s.a.bounds().max().x, "the rightmost")),
    ("transformed", |s| {
        let pose = Pose::new([3.0, 4.0], 0.0).with_scale(2.0);
        holds(s.a.transformed(&pose).contains(&Point::new([3.0, 4.0])), "the origin")
    }),
    ("grown", |s| {
        let grown = s.a.grown(0.5).map_err(|error| error.to_string())?;
        holds(near(grown.bounds().max().x, s.a.bounds().max().x + 0.5), "the margin")
    }),
    ("resized", |s| {
        let half = s.a.resized(50.0).map_err(|error| error.to_string())?;
        holds(near(half.bounds().size().x, s.a.bounds().size().x / 2.0), "the width")
    }),
];

fn contact(s: &PairSetup) -> Outcome {
    let [deep, touching, disjoint] = s.placements().map(|b| s.a.contact(b));
    let (deep, touching) = (deep.ok_or("no contact deep")?, touching.ok_or("none in touch")?);
    holds(disjoint.is_none(), "disjoint")?;
    holds((deep.depth > 0.0) == s.can_overlap && touching.depth == 0.0, "the depth")?;
    holds([deep, touching].iter().all(|c| near(c.normal.length(), 1.0)), "a unit normal")?;
    holds([deep, touching].iter().all(|c| !c.points.is_empty()), "the points")?;
    holds(!s.a.translated(deep.push).overlaps(&s.deep), "pushed out means out")
}

/// Checks that a motion of two units hits after one, unless the pair cannot overlap.
fn arrives(s: &PairSetup, hit: Option<SweepHit>, placed_at: impl Fn(f32) -> Shape) -> Outcome {
    let Some(hit) = hit else {
        return holds(!s.can_overlap && !placed_at(0.75).overlaps(&s.disjoint), "missed");
    };
    holds((hit.time - 0.5).abs() < 1e-3, "the time")?;
    holds(hit.depth == 0.0 && near(hit.normal.length(), 1.0), "the hit")?;
    holds(!placed_at(hit.time).overlaps(&s.disjoint), "lands in overlap")
}

/// Returns a ray that starts three units to the right of a shape and points to the left.
fn ray(shape: &Shape) -> Ray {
    Ray::new([shape.bounds().max().x + 3.0, 0.0], [-1.0, 0.0], 99.0)
}

fn near(found: f32, expected: f32) -> bool {
    (found - expected).abs() < 1e-3
}

fn holds(condition: bool, message: &str) -> Outcome {
    if condition { Ok(true) } else { Err(message.into()) }
}

/// Runs all queries; returns the names of the unsupported ones, and adds errors to the list.
fn unsupported(
    queries: &[QueryCheck],
    setup: &PairSetup,
    errors: &mut Vec<String>,
) -> Vec<&'static str> {
    let mut unsupported = Vec::new();
    for (name, run) in queries {
        match run(setup) {
            Ok(true) => {}
            Ok(false) => unsupported.push(*name),
            Err(message) => errors.push(format!(
                "{name} of {} and {}: {message}",
                setup.a.kind(),
                setup.deep.kind()
            )),
        }
    }
    unsupported
}

/// Joins the names of queries, formatted as code.
fn names(queries: &[QueryCheck]) -> String {
    queries.iter().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn matrix(errors: &mut Vec<String>) -> String {
    let kinds = Shape::KINDS;
    let mut grid = String::from("| |");
    kinds
        .iter()
        .for_each(|kind| write!(grid, " {kind} |").expect("writing to a string cannot fail"));
    grid += "\n|---|";
    grid += &":-:|".repeat(kinds.len());
    grid.push('\n');
    let mut exceptions = vec![0; OF_PAIRS.len()];
    for a in kinds {
        write!(grid, "| **{a}** |").expect("writing to a string cannot fail");
        for b in kinds {
            let missing = unsupported(OF_PAIRS, &PairSetup::new(a, b), errors);
            for (count, (name, _)) in exceptions.iter_mut().zip(OF_PAIRS) {
                *count += usize::from(missing.contains(name));
            }
            let cell = match &*missing.join(", ") {
                "" => "all".to_string(),
                missing => format!("all but {missing}"),
            };
            write!(grid, " {cell} |").expect("writing to a string cannot fail");
        }
        grid.push('\n');
    }
    let mut ones = String::from("| shape | methods |\n|---|---|\n");
    for kind in kinds {
        let missing = unsupported(OF_ONE, &PairSetup::new(kind, kind), errors);
        let cell = if missing.is_empty() { "all".into() } else { format!("all but {missing:?}") };
        writeln!(ones, "| {kind} | {cell} |").expect("writing to a string cannot fail");
    }
    let all = kinds.len() * kinds.len();
    let mut counts = String::from("| query | ordered pairs |\n|---|--:|\n");
    for (count, (name, _)) in exceptions.iter().zip(OF_PAIRS) {
        writeln!(counts, "| `{name}` | {} of {all} |", all - count)
            .expect("writing to a string cannot fail");
    }
    format!(
        "<!-- Generated by tests/query/support_matrix.rs; do not edit. -->\n\
         Every query was run on every ordered pair of shapes, overlapping, touching and disjoint, \
         and the results were checked. `explain` supports convex shapes only.\n\n\
         {counts}\n\
         The same by pairs; rows are the first shape:\n\n\
         {grid}\n\
         Methods of a single shape: {}.\n\n{ones}",
        names(OF_ONE)
    )
}

#[test]
fn every_query_supports_every_pair() {
    let mut errors = Vec::new();
    let table = matrix(&mut errors);
    assert!(errors.is_empty(), "{} errors:\n{}", errors.len(), errors.join("\n"));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/support.md");
    if std::env::var_os("CAROM_BLESS").is_some() {
        std::fs::write(path, table).expect("support.md can be written");
    } else {
        let committed = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            committed.replace('\r', "") == table,
            "support.md is out of date: CAROM_BLESS=1 cargo test -p carom --test query support_matrix"
        );
    }
}
