//! Checks that the crate builds on a new machine, without packages of the system.
#![cfg(target_os = "linux")]

use std::process::Command;

/// Crates that only declare constants and functions of the kernel and of the C library.
const BINDINGS: [&str; 2] = ["inotify-sys", "linux-raw-sys"];

/// Crates that look for libraries of the system, or build them.
const FINDERS: [&str; 4] = ["pkg-config", "system-deps", "cmake", "bindgen"];

#[test]
fn no_dependency_needs_a_library_of_the_system() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--all-features", "--edges=all"])
        .args(["--prefix=none", "--format={p}"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("cargo writes UTF-8");
    let mut names: Vec<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    names.sort_unstable();
    names.dedup();
    assert!(names.len() > 100 && names.contains(&"linux-raw-sys"), "{names:?}");
    let found = names.iter().filter(|name| {
        name.ends_with("-sys") && !BINDINGS.contains(name) || FINDERS.contains(name)
    });
    let found: Vec<_> = found.collect();
    assert!(found.is_empty(), "crates that need packages of the system: {found:?}");
}
