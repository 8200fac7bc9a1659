//! A collector of the errors of a scene, each with its path.

use std::fmt::Display;

use carom::shape::repr::FieldPath;

use crate::Diagnostic;

/// A list of errors, and the path of the value that is being checked.
pub struct Validator<'e> {
    path: FieldPath,
    errors: &'e mut Vec<Diagnostic>,
}

impl<'e> Validator<'e> {
    /// Creates a validator for the root of a file.
    pub fn new(errors: &'e mut Vec<Diagnostic>) -> Self {
        Self { path: FieldPath::default(), errors }
    }

    /// Returns a validator for a field of the current value.
    pub fn field(&mut self, name: &str) -> Validator<'_> {
        Validator { path: self.path.field(name), errors: self.errors }
    }

    /// Returns a validator for an item of the current value.
    pub fn index(&mut self, index: usize) -> Validator<'_> {
        Validator { path: self.path.index(index), errors: self.errors }
    }

    /// Reports an error about the current value.
    pub fn error(&mut self, message: impl Display) {
        self.errors.push(Diagnostic::new(self.path.clone(), message));
    }

    /// Reports the error of a result, or returns its value.
    pub fn check<T, E: Display>(&mut self, result: Result<T, E>) -> Option<T> {
        result.map_err(|error| self.error(error)).ok()
    }

    /// Reports the current value, a number, if it is less than `min` or not finite.
    pub fn at_least(&mut self, value: f32, min: f32) {
        if !(value >= min && value.is_finite()) {
            self.error(format_args!("{value}; must be at least {min}"));
        }
    }
}
