//! `carom completions` and `carom man`: shell completions and manual pages.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Command;
use clap_complete::Shell;

/// The help text after the options.
pub const HELP: &str = r#"For bash, add this line to ~/.bashrc:
  source <(carom completions bash)
For zsh, write them to a file _carom in a directory of $fpath. For fish:
  carom completions fish > ~/.config/fish/completions/carom.fish"#;

/// The options of `carom completions`.
#[derive(clap::Args)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

/// The options of `carom man`.
#[derive(clap::Args)]
pub struct Man {
    /// Write carom.1, carom-run.1 and so on to this directory
    #[arg(long, value_name = "DIRECTORY")]
    out: Option<PathBuf>,
}

/// Prints the completions for a shell.
///
/// # Errors
/// Returns an error if writing fails.
pub fn complete(mut carom: Command, options: &Completions, out: &mut impl Write) -> io::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut carom, "carom", &mut script);
    out.write_all(&script)
}

/// Prints the manual page of `carom`, or writes the pages of all commands.
///
/// # Errors
/// Returns an error if writing fails.
pub fn write_manual(carom: Command, options: &Man, out: &mut impl Write) -> io::Result<()> {
    let Some(folder) = &options.out else {
        return clap_mangen::Man::new(carom).render(out);
    };
    let with_path =
        |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(with_path)?;
    clap_mangen::generate_to(carom, folder).map_err(with_path)?;
    writeln!(out, "Wrote the manual pages to {}", folder.display())
}
