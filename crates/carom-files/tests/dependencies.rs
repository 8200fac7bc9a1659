//! Checks the dependencies of the workspace with nothing but cargo: their licenses, and where they come from.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

/// The licenses of `deny.toml`.
fn allowed_licenses() -> Vec<String> {
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../deny.toml"));
    let text = text.expect("deny.toml can be read");
    let list = text.split("allow = [").nth(1).and_then(|rest| rest.split(']').next());
    let lines = list.expect("deny.toml lists the licenses").lines();
    lines
        .filter_map(|line| Some(line.trim().strip_prefix('"')?.strip_suffix("\",")?.into()))
        .collect()
}

/// Returns whether an SPDX expression can be satisfied with some licenses.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let expression = expression.replace('/', " OR ").replace(['(', ')'], " ");
    // `OR` binds less than `AND`. Parentheses are dropped, which is right for `A AND (B OR C)` only if each
    // alternative is allowed; so every name in such an expression must be.
    if expression.contains(" AND ") && expression.contains(" OR ") {
        let names = expression.split(" AND ").flat_map(|part| part.split(" OR "));
        return names.map(str::trim).all(|name| allowed.iter().any(|known| known == name));
    }
    let is_known = |name: &str| allowed.iter().any(|known| known == name.trim());
    expression.split(" OR ").any(|part| part.split(" AND ").all(is_known))
}

#[test]
fn dependencies_have_known_licenses_and_come_from_the_registry() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--workspace", "--offline", "--locked", "--edges=normal,build"])
        .args(["--prefix=none", "--no-dedupe", "--format={p}|{l}"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("cargo writes UTF-8");
    let packages: BTreeMap<&str, &str> =
        text.lines().filter_map(|line| line.split_once('|')).collect();
    let allowed = allowed_licenses();
    assert!(allowed.len() > 4 && packages.len() > 50, "{allowed:?} {packages:?}");
    let wrong = packages.iter().filter(|package| !is_allowed(package.1, &allowed));
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "licenses that are not in deny.toml: {wrong:?}");
    // A package of the workspace, or from a path or git repository, is listed with that in parentheses.
    let other =
        packages.keys().filter(|name| name.contains('(') && !name.ends_with("(proc-macro)"));
    let other: Vec<_> = other.filter(|name| !name.starts_with("carom")).collect();
    assert!(other.is_empty(), "packages that are not from the registry: {other:?}");
}

#[test]
fn expressions_of_licenses_are_understood() {
    let allowed = ["MIT", "Apache-2.0", "Zlib"].map(String::from);
    for (expression, expected) in [
        ("MIT", true),
        ("MIT OR GPL-3.0", true),
        ("GPL-3.0/MIT", true),
        ("MIT AND Zlib", true),
        ("MIT AND GPL-3.0", false),
        ("(MIT OR Apache-2.0) AND Zlib", true),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", false),
        ("none", false),
    ] {
        assert_eq!(is_allowed(expression, &allowed), expected, "{expression}");
    }
}
