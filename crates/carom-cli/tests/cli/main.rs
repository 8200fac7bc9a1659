//! The program `carom`, run as its users run it.

mod bench;
mod explain;
mod fit;
mod help;
mod import;
mod png_snapshots;
mod query;
mod run;
