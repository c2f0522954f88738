//! `costlens completions`: shell completions for commands and options.

use clap::Args;
use clap_complete::Shell;

use super::CommandOutcome;
use super::output::print;

#[derive(Args)]
pub(super) struct Options {
    /// The shell.
    shell: Shell,
}

pub(super) fn run(options: &Options, mut command: clap::Command) -> anyhow::Result<CommandOutcome> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut command, "costlens", &mut script);
    print(&String::from_utf8(script)?)?;
    Ok(CommandOutcome::Fine)
}
