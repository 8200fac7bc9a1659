//! The program `carom`: scenes, questions and pictures, on the command line.
//!
//! Exit codes: see `EXIT_CODES`.

mod arguments;
mod bench;
mod check;
mod drawing;
mod explain;
mod fit;
mod import;
mod picture;
mod query;
mod run;
mod shell;
mod spelling;

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use anstyle::AnsiColor;
use clap::{CommandFactory, Parser, Subcommand};

const EXIT_CODES: &str = "Exit codes: 0 when all was done (also if some lines of `query` were in error, \
and if whoever reads the output has stopped reading), 1 when a scene, a shape or a picture was refused \
or reading or writing failed, 2 for bad arguments.

Colour is for terminals only, and never where NO_COLOR is set.";

/// 2D collision detection and reaction for games.
///
/// Without a command: plays a built-in scene and tells what happens in it, as `carom run` does.
#[derive(Parser)]
#[command(name = "carom", version, after_long_help = EXIT_CODES)]
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
    #[command(after_long_help = check::HELP)]
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
    /// Make sheets and scenes of files of Aseprite, Tiled and LDtk
    #[command(after_long_help = import::HELP)]
    Import(import::Options),
    /// Time the broad phases on this machine
    #[command(after_long_help = bench::HELP)]
    Bench(bench::Options),
    /// Print completions for a shell
    #[command(after_long_help = shell::HELP)]
    Completions(shell::Completions),
    /// Print the manual page, or write those of all commands to a folder
    Man(shell::Man),
}

fn main() -> ExitCode {
    let mut out = anstream::stdout().lock();
    let done = match spelling::parse::<Args>().command {
        None => run::run(&run::Options::default(), &mut out),
        Some(Command::Run(options)) => run::run(&options, &mut out),
        Some(Command::Check(options)) => check::run(&options, &mut out),
        Some(Command::Query) => query::answer_all(io::stdin(), out.into_inner()),
        Some(Command::Explain(options)) => explain::run(&options, &mut out),
        Some(Command::Fit(options)) => fit::run(&options, &mut out),
        Some(Command::Import(options)) => import::run(&options, &mut out),
        Some(Command::Bench(options)) => bench::run(&options, &mut out),
        Some(Command::Completions(options)) => shell::complete(Args::command(), &options, &mut out),
        Some(Command::Man(options)) => shell::write_manual(Args::command(), &options, &mut out),
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
