//! Arguments and errors that several commands share.

use std::io;

use carom::sheet::Role;
use carom_files::{FileError, Scene};
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::suggest::similar_file;

/// Returns a parser for the name of a role.
pub fn role() -> impl TypedValueParser<Value = Role> {
    let names = PossibleValuesParser::new(Role::ALL.map(Role::name));
    names.map(|name| name.parse().expect("clap accepts only the names of roles"))
}

/// Reads a scene from a file, or from the standard input if the path is `-`.
///
/// # Errors
/// Returns all errors of the scene, with their positions.
pub fn scene(path: &str) -> io::Result<Scene> {
    let scene = match path {
        "-" => Scene::from_json(&io::read_to_string(io::stdin())?)
            .map_err(|errors| FileError::Invalid { path: path.into(), errors }),
        _ => Scene::load(path),
    };
    scene.map_err(file_error)
}

/// Converts an error about an input file. If the file does not exist, the message suggests one with a similar
/// name.
pub fn file_error(error: FileError) -> io::Error {
    if let FileError::Read { path, error: cause } = &error
        && cause.kind() == io::ErrorKind::NotFound
        && let Some(similar) = similar_file(path)
    {
        return input_error(format_args!("{error} (did you mean {}?)", similar.display()));
    }
    input_error(error)
}

/// Creates an error about invalid input.
pub fn input_error(error: impl std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, error.to_string())
}

/// Parses a number of ticks per second.
pub fn rate(text: &str) -> Result<f32, String> {
    let rate = text.parse().ok().filter(|rate: &f32| *rate > 0.0 && rate.is_finite());
    rate.ok_or_else(|| "expected a positive number of ticks per second".into())
}
