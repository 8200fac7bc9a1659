//! The help texts, the manual pages and the completions.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const CAROM: &str = env!("CARGO_BIN_EXE_carom");
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn carom(arguments: &[&str]) -> Output {
    Command::new(CAROM).args(arguments).output().expect("carom runs")
}

fn printed(arguments: &[&str]) -> String {
    let output = carom(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("it is text")
}

/// The commands, as the help lists them.
fn commands() -> Vec<String> {
    let help = printed(&["--help"]);
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = list.take_while(|line| !line.is_empty()).filter_map(|line| {
        let name = line.strip_prefix("  ")?.split(' ').next()?;
        (!name.is_empty() && name != "help").then(|| name.to_owned())
    });
    names.collect()
}

/// Returns a command line of a help text without the description that follows it.
fn without_meaning(line: &str) -> &str {
    line.split("   ").next().unwrap_or(line)
}

/// Lines that end with a backslash go on in the next one.
fn continued(text: &str) -> String {
    let parts: Vec<&str> = text.split("\\\n").collect();
    let trimmed =
        parts.iter().enumerate().map(|(i, part)| if i == 0 { part } else { part.trim_start() });
    trimmed.collect()
}

/// Every line of every help text that starts with the program's name is run as it stands, by a shell in
/// a folder that has the scenes and the sprites that the texts speak of. Not those of `bench`, which
/// take long; it has tests of its own.
#[cfg(unix)]
#[test]
fn every_example_in_the_help_runs() {
    let folder = tempfile::tempdir().unwrap();
    let copy = |from: &str, name: &str| {
        fs::copy(Path::new(ROOT).join(from), folder.path().join(name)).unwrap();
    };
    fs::create_dir(folder.path().join("scenes")).unwrap();
    for scene in ["scenes/crowd.json", "scenes/one_way.json", "scenes/seams.json"] {
        copy(scene, scene);
    }
    for (file, name) in [
        ("art/fighter.png", "fighter.png"),
        ("fixtures/aseprite/hero.aseprite", "hero.aseprite"),
        ("fixtures/aseprite/hero_hash.json", "hero.json"),
        ("fixtures/tiled/level.tmx", "level.tmx"),
        ("fixtures/tiled/ground.tsx", "ground.tsx"),
        ("fixtures/tiled/coin.tx", "coin.tx"),
        ("fixtures/ldtk/world.ldtk", "world.ldtk"),
    ] {
        copy(&format!("crates/carom-files/tests/{file}"), name);
    }
    fs::create_dir_all(folder.path().join(".config/fish/completions")).unwrap();
    let path = format!("{}:{}", Path::new(CAROM).parent().unwrap().display(), env!("PATH"));
    let mut count = 0;
    for command in commands().iter().filter(|command| *command != "bench") {
        let help = printed(&[command, "--help"]);
        let help = continued(&help);
        for line in help.lines().map(str::trim_start) {
            if !(line.starts_with("carom ") || line.starts_with("echo ")) {
                continue;
            }
            count += 1;
            let example = without_meaning(line);
            assert!(example.contains("carom "), "{example}");
            let mut shell = Command::new("sh");
            let shell = shell.args(["-c", example]).env("PATH", &path).env("HOME", folder.path());
            let output = shell.current_dir(folder.path()).output().unwrap();
            assert!(output.status.success(), "{example}: {output:?}");
        }
    }
    assert!(count >= 10, "{count}");
}

#[test]
fn the_help_has_no_line_too_long_for_a_terminal() {
    for command in commands() {
        for line in printed(&[&command, "--help"]).lines() {
            assert!(line.chars().count() <= 100, "{command}: {line}");
        }
    }
}

#[test]
fn there_are_completions_for_shells_and_a_manual() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(printed(&["completions", shell]).contains("explain"), "{shell}");
    }
    assert!(printed(&["man"]).contains(".TH carom 1 "));
    let folder = tempfile::tempdir().unwrap();
    printed(&["man", "--out", folder.path().to_str().unwrap()]);
    let page = fs::read_to_string(folder.path().join("carom-run.1")).unwrap();
    assert!(page.contains("animated\\-svg"), "{page}");
}

#[test]
fn a_directory_for_the_manual_that_cannot_be_written_is_named() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let output = carom(&["man", "--out", file.path().to_str().unwrap()]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains(file.path().to_str().unwrap()), "{error}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn mistyped_names_are_answered_with_the_right_ones() {
    for (arguments, hint) in [
        (&["rum"][..], "'run'"),
        (&["rnu"], "'run'"), // swapped letters are one mistake
        (&["run", "--pgn", "a.png"], "'--png'"),
        (&["run", "--frame", "3"], "'--frames'"),
        (&["completions", "bsh"], "'bash'"),
    ] {
        let output = carom(arguments);
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("similar") && error.contains(hint), "{error}");
    }
    for command in ["run", "check", "import", "fit"] {
        let output = carom(&[command, &format!("{ROOT}/scenes/one_wya.json")]);
        assert_eq!(output.status.code(), Some(1));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("scenes/one_way.json?)"), "{command}: {error}");
    }
}

/// Colour is for terminals: nothing that is piped has any, unless it is forced, and NO_COLOR wins over all.
#[test]
fn there_is_no_colour_in_pipes() {
    let scene = format!("{ROOT}/scenes/duel.json");
    let printed = |force: bool, forbid: bool| {
        let mut carom = Command::new(CAROM);
        carom.args(["run", &scene]).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        if force {
            carom.env("CLICOLOR_FORCE", "1");
        }
        if forbid {
            carom.env("NO_COLOR", "1");
        }
        carom.output().unwrap().stdout.contains(&0x1b)
    };
    assert!(!printed(false, false));
    assert!(printed(true, false));
    assert!(!printed(false, true));
}
