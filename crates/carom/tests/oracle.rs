//! The library's answers against the oracle's.
mod support;
