//! The program `carom`: scenes, questions and pictures, on the command line.
//!
//! Exit codes: 0 when all was done (also if some lines of `query` were in error, and if whoever
//! reads the output has stopped reading), 1 when a scene or a shape was refused or reading or writing
//! failed, 2 for bad arguments.

mod bench;
mod check;
mod explain;
mod fit;
mod picture;
mod query;
mod run;
mod scene;

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// 2D collision detection and reaction for games.
///
/// Without a command: plays a built-in scene and tells what happens in it, as `carom run` does.
#[derive(Parser)]
#[command(version)]
struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Play a scene, tell what happens, and draw it
    #[command(after_long_help = run::HELP)]
    Run(run::Options),
    /// Tell what touches what in a scene, right now
    Check(check::Options),
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
        None => run::run(&run::Options::default(), &mut io::stdout().lock()),
        Some(Command::Run(options)) => run::run(&options, &mut io::stdout().lock()),
        Some(Command::Check(options)) => check::run(&options, &mut io::stdout().lock()),
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
