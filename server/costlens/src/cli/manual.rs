//! `costlens man`: the manual pages, for those who make packages.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use super::CommandOutcome;

#[derive(Args)]
pub(super) struct Options {
    /// The folder, which is created if needed.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

pub(super) fn run(options: &Options, command: clap::Command) -> anyhow::Result<CommandOutcome> {
    let folder = &options.folder;
    std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(command, folder))
        .with_context(|| format!("cannot write to `{}`", folder.display()))?;
    Ok(CommandOutcome::Fine)
}
