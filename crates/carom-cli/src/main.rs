//! The program `carom`: questions about shapes, on the command line.
//!
//! Exit codes: 0 when all input was answered (also if some lines were in error, and if whoever
//! reads the output has stopped reading), 1 when reading, writing or a check failed, 2 for bad
//! arguments.

mod bench;
mod demo;
mod explain;
mod fit;
mod picture;
mod query;

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// 2D collision detection: ask any question about any two shapes.
///
/// Without a command: a tour of all shapes and questions on a built-in scene.
#[derive(Parser)]
#[command(version)]
struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Answer questions, one JSON object a line, from the standard input
    #[command(after_long_help = query::HELP)]
    Query,
    /// Explain why two shapes overlap, touch or stay apart
    #[command(after_long_help = explain::HELP)]
    Explain(explain::Options),
    /// Fit shapes to sprites: hitboxes from pictures
    #[command(after_long_help = fit::HELP)]
    Fit(fit::Options),
    /// Time the broad phases on this machine
    #[command(after_long_help = bench::HELP)]
    Bench(bench::Options),
}

fn main() -> ExitCode {
    let done = match Args::parse().command {
        None => demo::show(&mut io::stdout().lock()),
        Some(Command::Query) => query::answer_all(io::stdin(), io::stdout().lock()),
        Some(Command::Explain(options)) => explain::run(&options, &mut io::stdout().lock()),
        Some(Command::Fit(options)) => fit::run(&options, &mut io::stdout().lock()),
        Some(Command::Bench(options)) => bench::run(&options, &mut io::stdout().lock()),
    };
    match done {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            eprintln!("carom: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}
