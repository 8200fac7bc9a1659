//! Two shapes and all queries on them.

use carom::prelude::*;
use carom::query::RigidMotion;

use crate::support::cases::Case;
use crate::support::extent;
use crate::support::harness::CheckResult;
use crate::support::results::QueryResults;
use crate::support::rng::Rng;
use crate::{contains, exact, laws, placed_composites, rays, sweeps};

type Law = fn(&Case) -> CheckResult;

/// Checks the laws that need no oracle.
pub fn shapes(bytes: &[u8]) {
    check_laws(
        bytes,
        &[
            laws::swapping_the_arguments_mirrors_the_results,
            laws::the_results_are_consistent,
            laws::the_same_input_gives_the_same_bits,
            other_queries_agree,
            files_read_back,
        ],
    );
}

/// Checks every query against the exact oracle.
pub fn shapes_exact(bytes: &[u8]) {
    check_laws(
        bytes,
        &[
            exact::intersects_and_overlaps_are_exact,
            exact::distances_are_accurate,
            exact::depths_are_those_of_the_minimum_translation,
            contains::contains_is_exact,
            rays::ray_hits_are_neither_early_nor_late,
            sweeps::sweep_hits_are_neither_early_nor_late_nor_spurious,
            laws::closest_points_lie_on_the_shapes_at_their_distance,
            laws::the_push_ends_the_overlap,
            laws::normal_depth_and_push_agree,
        ],
    );
}

/// Generates a case from bytes and checks laws. The first two bytes determine the kinds of the shapes, the rest
/// the numbers for the generator. Of the third byte, the lowest bit tells whether both shapes are placed; the
/// others select one law, which takes less time than all; 0 selects all of them.
fn check_laws(bytes: &[u8], laws: &[Law]) {
    let &[kind_a, kind_b, select, ref rest @ ..] = bytes else { return };
    let kind = |byte: u8| Shape::KINDS[usize::from(byte) % Shape::KINDS.len()];
    let case = Case::generate(kind(kind_a), kind(kind_b), 0, Rng::from_bytes(rest));
    let case = match select % 2 {
        0 => Some(case),
        _ => placed_composites::placed(&case, &mut Rng::from_bytes(rest)),
    };
    let Some(case) = case else { return };
    let selected = usize::from(select / 2);
    let laws = if selected == 0 { laws } else { &laws[selected % laws.len()..][..1] };
    if crate::is_traced() {
        println!("{}", case.source());
    }
    for law in laws {
        if let Err(message) = law(&case) {
            panic!("{}-{}: {message}\n{}", case.a.kind(), case.b.kind(), case.source());
        }
    }
}

/// Checks the queries that no other law checks against those that are.
fn other_queries_agree(case: &Case) -> CheckResult {
    let Case { a, b, motion, .. } = case;
    let results = case.results();
    ensure!(!a.contains(b) || results.intersects, "contains, but does not intersect");
    ensure!(a.contains(a), "contains: not itself");
    ensure!(a.bounds().contains(a), "bounds: do not contain the shape");
    ensure!(!results.intersects || a.bounds().intersects(&b.bounds()), "bounds: are disjoint");
    // Distances are rounded, `is_within_distance` is not.
    let rounding = 1e-5 * results.distance + 1e-8 * extent(a, b) as f32 + f32::from_bits(8);
    let (near, far) = (results.distance - rounding, results.distance + rounding);
    ensure!(!far.is_finite() || a.is_within_distance(b, far), "is_within_distance: not {far:?}");
    ensure!(near < 0.0 || !a.is_within_distance(b, near), "is_within_distance: {near:?}");
    ensure!(a.outline_intersects(b) <= results.intersects, "outline_intersects, but apart");
    ensure!(a.outline_distance(b) >= near, "outline_distance is less");
    if let Some(explanation) = a.explain(b) {
        let found = explanation.relation.intersects();
        ensure!(found == results.intersects, "explain: {found}");
    }
    let turn = RigidMotion::try_new(*motion, 1.0, a.centroid()).ok();
    if let Some(hit) = turn.and_then(|turn| a.sweep_rotating(&turn, b)) {
        ensure!((0.0..=1.0).contains(&hit.time), "sweep_rotating: {hit:?}");
    }
    if let Ok(ray) = Ray::try_new(a.centroid(), *motion, motion.length()) {
        let (first, all) = (b.raycast(&ray), b.raycast_all(&ray));
        let nearest = all.first().map(|hit| hit.distance);
        ensure!(first.map(|hit| hit.distance) == nearest, "raycast: {first:?} and {all:?}");
    }
    Ok(())
}

/// Checks that a shape that is read back gives the same results.
fn files_read_back(case: &Case) -> CheckResult {
    let write =
        |shape: &Shape| serde_json::to_string(shape).map_err(|error| format!("written: {error}"));
    let read = |text: &str| -> Result<Shape, String> {
        serde_json::from_str(text).map_err(|error| format!("read: {error} in {text}"))
    };
    // The first reading may drop points that rounding has merged; then nothing changes any more.
    let text = write(&case.a)?;
    let first = read(&text)?;
    let second = read(&write(&first)?)?;
    ensure!(first == second, "read: {first:?} and {second:?}");
    // The vertices of boxes and ellipses are not written; those of a transformed one are rounded twice.
    let is_derived = text.contains("\"rect\"") || text.contains("\"ellipse\"");
    let same = || QueryResults::of(&first, &case.b).bits() == case.results().bits();
    ensure!(is_derived || same(), "read: other results with {first:?}");
    Ok(())
}
