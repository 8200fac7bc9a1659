//! Suggestions for mistyped commands, options and files.

use std::path::{Path, PathBuf};

use carom::shape::repr::closest_match;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Error, Parser};

/// Parses the arguments of the program. Exits with a message if they are invalid.
pub fn parse<P: Parser>() -> P {
    P::try_parse().unwrap_or_else(|mut error| {
        let command = std::env::args().nth(1).unwrap_or_default();
        add_suggestion(&mut error, &P::command(), &command);
        error.exit()
    })
}

/// Adds a suggestion if clap has found none. Unlike clap, this counts swapped letters as one mistake.
fn add_suggestion(error: &mut Error, program: &Command, command: &str) {
    let text = |error: &Error, kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        _ => String::new(),
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand if error.get(ContextKind::SuggestedSubcommand).is_none() => {
            let names: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
            if let Some(name) = closest_match(&text(error, ContextKind::InvalidSubcommand), &names)
            {
                let names = ContextValue::Strings(vec![name.into()]);
                error.insert(ContextKind::SuggestedSubcommand, names);
            }
        }
        ErrorKind::UnknownArgument if error.get(ContextKind::SuggestedArg).is_none() => {
            let options = program.find_subcommand(command).into_iter();
            let options = options.flat_map(Command::get_arguments).filter_map(|it| it.get_long());
            let names: Vec<String> = options.map(|name| format!("--{name}")).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            if let Some(name) = closest_match(&text(error, ContextKind::InvalidArg), &names) {
                error.remove(ContextKind::Suggested); // clap suggests passing it as a value
                error.insert(ContextKind::SuggestedArg, ContextValue::String(name.into()));
            }
        }
        _ => {}
    }
}

/// Returns the file with the most similar name in the directory of a missing file.
pub fn similar_file(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let names: Vec<String> =
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let name = closest_match(path.file_name()?.to_str()?, &names)?;
    Some(path.with_file_name(name))
}
