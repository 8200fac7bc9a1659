//! The command-line tool `carom`.
#![forbid(unsafe_code)]

mod args;
mod bench;
mod check;
mod completions;
mod explain;
mod fit;
mod import;
mod progress;
mod query;
mod render;
mod run;
mod suggest;

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use anstyle::AnsiColor;
use clap::{CommandFactory, Parser, Subcommand};

const EXIT_CODES: &str =
    "Exit codes: 0 success, even if `query` had invalid lines or the output pipe was \
closed; 1 invalid input file or I/O error; 2 invalid arguments.

Output is colored on terminals, unless the environment variable NO_COLOR is set.";

/// 2D collision detection and response for games.
///
/// Without a command, simulates a built-in scene and prints its events, like `carom run`.
#[derive(Parser)]
#[command(name = "carom", version, after_long_help = EXIT_CODES)]
struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Simulate a scene, print its events and draw it
    #[command(after_long_help = run::HELP)]
    Run(run::Options),
    /// List the contacts in a scene's initial state
    #[command(after_long_help = check::HELP)]
    Check(check::Options),
    /// Answer queries from the standard input, one JSON object per line
    #[command(after_long_help = query::HELP)]
    Query,
    /// Show the separating axis test of two shapes, as a table and a diagram
    #[command(after_long_help = explain::HELP)]
    Explain(explain::Options),
    /// Fit hitboxes to sprites
    #[command(after_long_help = fit::HELP)]
    Fit(fit::Options),
    /// Convert Aseprite, Tiled and LDtk files to sheets and scenes
    #[command(after_long_help = import::HELP)]
    Import(import::Options),
    /// Measure the broad phases on this machine
    #[command(after_long_help = bench::HELP)]
    Bench(bench::Options),
    /// Print shell completions
    #[command(after_long_help = completions::HELP)]
    Completions(completions::Completions),
    /// Print the manual page, or write those of all commands to a directory
    Man(completions::Man),
}

fn main() -> ExitCode {
    let mut out = anstream::stdout().lock();
    let done = match suggest::parse::<Args>().command {
        None => run::run(&run::Options::default(), &mut out),
        Some(Command::Run(options)) => run::run(&options, &mut out),
        Some(Command::Check(options)) => check::run(&options, &mut out),
        Some(Command::Query) => query::answer_stream(io::stdin(), out.into_inner()),
        Some(Command::Explain(options)) => explain::run(&options, &mut out),
        Some(Command::Fit(options)) => fit::run(&options, &mut out),
        Some(Command::Import(options)) => import::run(&options, &mut out),
        Some(Command::Bench(options)) => bench::run(&options, &mut out),
        Some(Command::Completions(options)) => {
            completions::complete(Args::command(), &options, &mut out)
        }
        Some(Command::Man(options)) => {
            completions::write_manual(Args::command(), &options, &mut out)
        }
    };
    match done {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let red = AnsiColor::Red.on_default().bold();
            anstream::eprintln!("{red}carom:{red:#} {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}
