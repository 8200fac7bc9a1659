//! `carom completions` and `carom man`: what shells and readers of manuals need.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Command;
use clap_complete::Shell;

/// What the long help of completions says after the options.
pub const HELP: &str = r#"For bash, in one of its start-up files:
  source <(carom completions bash)
For zsh, to a folder that is in $fpath; for fish:
  carom completions fish > ~/.config/fish/completions/carom.fish"#;

/// For which shell.
#[derive(clap::Args)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

/// Where manual pages go.
#[derive(clap::Args)]
pub struct Man {
    /// Write carom.1, carom-run.1 and so on to this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Prints completions.
///
/// # Errors
/// Where writing fails.
pub fn complete(mut carom: Command, options: &Completions, out: &mut impl Write) -> io::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut carom, "carom", &mut script);
    out.write_all(&script)
}

/// Prints or writes manual pages.
///
/// # Errors
/// Where writing fails.
pub fn write_manual(carom: Command, options: &Man, out: &mut impl Write) -> io::Result<()> {
    let Some(folder) = &options.out else {
        return clap_mangen::Man::new(carom).render(out);
    };
    fs::create_dir_all(folder)?;
    clap_mangen::generate_to(carom, folder)?;
    writeln!(out, "Written: the pages in {}", folder.display())
}
