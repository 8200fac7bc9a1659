//! Checks the links of the guide, the READMEs and the other pages of the repository, since mdBook is not part
//! of the tests.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the names of the chapters in `docs/src`, without `SUMMARY.md`.
fn chapters() -> BTreeSet<String> {
    let entries = fs::read_dir(root().join("docs/src")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".md") && name != "SUMMARY.md").collect()
}

/// Returns the text without fenced code blocks, in which brackets are no links.
fn without_code(text: &str) -> String {
    text.split("\n```").step_by(2).collect()
}

/// Returns the targets of all links and images: `[text](target)`.
fn targets(text: &str) -> Vec<String> {
    let text = without_code(text);
    let ends = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    ends.map(|target| target.split(' ').next().unwrap_or_default().to_owned()).collect()
}

/// Returns the anchors that GitHub and mdBook give to the headings of a text.
fn anchors(text: &str) -> BTreeSet<String> {
    let text = without_code(text);
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |line: &str| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let mut files: Vec<PathBuf> =
        chapters().iter().map(|it| root().join("docs/src").join(it)).collect();
    files.push(root().join("docs/src/SUMMARY.md"));
    for folder in [
        "bench",
        "crates/bevy_carom",
        "crates/carom-cli",
        "crates/carom-files",
        "crates/carom-simd",
        "examples",
        "fuzz",
    ] {
        files.push(root().join(folder).join("README.md"));
    }
    for name in ["README", "ARCHITECTURE", "CHANGELOG", "CONTRIBUTING", "SECURITY"] {
        files.push(root().join(name).with_extension("md"));
    }
    let mut count = 0;
    for file in files {
        for target in targets(&read(&file)) {
            if target.contains("://") {
                continue;
            }
            count += 1;
            let (path, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let path =
                if path.is_empty() { file.clone() } else { file.parent().unwrap().join(path) };
            assert!(path.exists(), "{}: no such file: {target}", file.display());
            let is_known = anchor.is_empty() || anchors(&read(&path)).contains(anchor);
            assert!(is_known, "{}: no such heading: {target}", file.display());
        }
    }
    assert!(count > 100, "only {count} links were found");
}

#[test]
fn every_chapter_is_in_the_summary_and_its_code_is_tested() {
    let listed: BTreeSet<String> =
        targets(&read(&root().join("docs/src/SUMMARY.md"))).into_iter().collect();
    assert_eq!(listed, chapters());
    let tested = read(&root().join("crates/carom/src/lib.rs"));
    let tested_in_bevy = read(&root().join("crates/bevy_carom/src/lib.rs"));
    for chapter in chapters() {
        let has_rust = read(&root().join("docs/src").join(&chapter)).contains("```rust");
        let is_tested = tested.contains(&format!("\"{chapter}\""))
            || tested_in_bevy.contains(&format!("docs/src/{chapter}\""));
        assert!(is_tested || !has_rust, "{chapter} is missing from the list in lib.rs");
    }
}

#[test]
fn every_figure_is_shown_somewhere() {
    let mut texts = read(&root().join("README.md"));
    chapters().iter().for_each(|it| texts += &read(&root().join("docs/src").join(it)));
    for entry in fs::read_dir(root().join("docs/src/figures")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(texts.contains(&format!("figures/{name})")), "{name} is in no chapter");
    }
}

/// Checks that listings have no hidden lines, because GitHub shows the lines that rustdoc hides.
#[test]
fn no_listing_has_hidden_lines() {
    let mut files: Vec<PathBuf> =
        chapters().iter().map(|it| root().join("docs/src").join(it)).collect();
    files.push(root().join("README.md"));
    files.push(root().join("crates/bevy_carom/README.md"));
    for file in files {
        let text = read(&file);
        for listing in text.split("\n```rust\n").skip(1) {
            let listing = listing.split("\n```").next().unwrap_or_default();
            let hidden = listing.lines().find(|line| *line == "#" || line.starts_with("# "));
            assert_eq!(hidden, None, "{}", file.display());
        }
    }
}
