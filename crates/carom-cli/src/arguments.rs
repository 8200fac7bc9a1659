//! What several commands take and tell alike.

use std::io;

use carom::sheet::Role;
use carom_files::{FileError, Scene};
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::spelling::nearest_file;

/// Reads the name of a role.
pub fn role() -> impl TypedValueParser<Value = Role> {
    let names = PossibleValuesParser::new(Role::ALL.map(Role::name));
    names.map(|name| name.parse().expect("one of the names"))
}

/// Reads a scene from a file, or from the standard input if the name is `-`.
///
/// # Errors
/// With all that is wrong with it, each with its place.
pub fn scene(path: &str) -> io::Result<Scene> {
    let scene = match path {
        "-" => Scene::from_json(&io::read_to_string(io::stdin())?)
            .map_err(|errors| FileError::Invalid { path: path.into(), errors }),
        _ => Scene::load(path),
    };
    scene.map_err(refused)
}

/// An error about a file that a command was given; if there is none of its name, with the one that was
/// probably meant.
pub fn refused(error: FileError) -> io::Error {
    if let FileError::Read { path, error: cause } = &error
        && cause.kind() == io::ErrorKind::NotFound
        && let Some(meant) = nearest_file(path)
    {
        return invalid(format_args!("{error} (did you mean {}?)", meant.display()));
    }
    invalid(error)
}

/// An error about what a command was given.
pub fn invalid(error: impl std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, error.to_string())
}

/// How many ticks a second has.
pub fn rate(text: &str) -> Result<f32, String> {
    let rate = text.parse().ok().filter(|rate: &f32| *rate > 0.0 && rate.is_finite());
    rate.ok_or_else(|| "expected ticks per second, above zero".into())
}
