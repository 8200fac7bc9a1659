//! Compares sweeps and rays against one-sided chains and one-way tiles with the oracle: slopes, solid tiles and
//! platforms of any direction in one map, chains, compounds of them, placed, rotated and flipped.

use crate::support::cases::Case;
use crate::support::harness::CheckResult;
use crate::support::oracle::decompose::{Facing, facing};
use crate::support::rng::Rng;
use crate::{placed_composites, rays, sweeps};
use carom::prelude::*;

/// Makes chains one-sided and adds one-way platforms to tile maps.
fn one_sided(case: &Case, rng: &mut Rng) -> Case {
    fn change(shape: &Shape) -> Shape {
        match shape {
            Shape::Chain(chain) => chain.clone().one_sided().into(),
            Shape::Compound(all) => Compound::new(all.parts().iter().map(change)).into(),
            _ => shape.clone(),
        }
    }
    let case = placed_composites::with_platforms(case, rng);
    Case::of(case.seed, change(&case.a), change(&case.b), case.motion)
}

/// Returns the case with the parts of both shapes that face the motion, or `None` if rounding decides what
/// faces it. If one of them has no such part, there must be no hit, and the error says so.
fn facing_case(case: &Case) -> Option<Result<Case, &'static str>> {
    let Case { seed, a, b, motion, .. } = case;
    match (facing(a, -*motion), facing(b, *motion)) {
        (Facing::Uncertain, _) | (_, Facing::Uncertain) => None,
        (Facing::Part(a), Facing::Part(b)) => Some(Ok(Case::of(*seed, a, b, *motion))),
        _ => Some(Err("hit from behind")),
    }
}

fn sweeps_hit_fronts(case: &Case) -> CheckResult {
    let hit = case.a.sweep(case.motion, &case.b);
    match facing_case(case) {
        None => Ok(()),
        Some(Ok(facing)) => sweeps::check_hit(&facing, hit),
        Some(Err(message)) => hit.map_or(Ok(()), |hit| Err(format!("{message}: {hit:?}"))),
    }
}

fn rays_hit_fronts(case: &Case) -> CheckResult {
    let Some(ray) = rays::ray_of(case) else { return Ok(()) };
    let hit = case.b.raycast(&ray);
    match facing(&case.b, case.motion) {
        Facing::Uncertain => Ok(()),
        Facing::Part(b) => {
            rays::check_hit(&Case::of(case.seed, case.a.clone(), b, case.motion), hit)
        }
        Facing::Nothing => hit.map_or(Ok(()), |hit| Err(format!("hit from behind: {hit:?}"))),
    }
}

/// Checks a number of cases of each kind of one-sided shape with each kind of shape. `CAROM_CASES` overrides
/// the number.
fn check(law: fn(&Case) -> CheckResult, cases: u64) {
    let cases = std::env::var("CAROM_CASES").map_or(cases, |n| n.parse().expect("a number"));
    let (mut checked, mut hits, mut passed, mut failures) = (0, 0, 0, Vec::new());
    for (i, kind) in ["TileMap", "Chain", "Compound"].into_iter().enumerate() {
        for other in Shape::KINDS {
            for round in 0..cases {
                let mut rng = Rng::new(round * 64 + 11 + i as u64);
                let pair = if rng.one_in(3) { [kind, other] } else { [other, kind] };
                let case = one_sided(&Case::new(pair[0], pair[1], rng.next()), &mut rng);
                let place = !rng.one_in(3);
                let placed = if place { placed_composites::placed(&case, &mut rng) } else { None };
                let case = placed.unwrap_or(case);
                checked += 1;
                let starts_across = case.a.overlaps(&case.b);
                match case.a.sweep(case.motion, &case.b) {
                    Some(_) => hits += 1,
                    None if starts_across => passed += 1,
                    None => {}
                }
                if let Err(message) = law(&case) {
                    failures.push(format!("{pair:?}: {message}\n{}", case.source()));
                }
            }
        }
    }
    assert!(hits > checked / 5 && passed > checked / 100, "{hits} and {passed} of {checked}");
    failures.sort_by_key(String::len);
    let shortest = failures[..failures.len().min(5)].join("\n\n");
    assert!(failures.is_empty(), "{} of {checked} cases:\n{shortest}", failures.len());
}

#[test]
fn sweeps_hit_one_sided_edges_from_their_front_only() {
    check(sweeps_hit_fronts, 40);
}

#[test]
fn rays_hit_one_sided_edges_from_their_front_only() {
    check(rays_hit_fronts, 100);
}
