//! `costlens snapshot`.

use std::path::PathBuf;

use clap::Args;
use costlens_ide::host::Host;

use super::files;
use super::output::{Log, print};
use super::{Outcome, ReadingOptions, lockfile};

#[derive(Args)]
pub(super) struct Options {
    /// Prolog files, or folders of them.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The lockfile to write.
    #[arg(short, long, value_name = "FILE", default_value = lockfile::NAME)]
    output: PathBuf,
    #[command(flatten)]
    reading: ReadingOptions,
}

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<Outcome> {
    let (sources, usable) = files::read(&options.paths, log);
    if !usable {
        return Ok(Outcome::Unusable);
    }
    let mut host = Host::unedited();
    let areas = files::areas(&options.paths);
    let project = options.reading.project(&options.paths)?;
    let reading = (&options.reading, &project);
    let files = files::open(&mut host, &sources, &areas, reading, log);
    let folder = lockfile::folder_of(&options.output);
    let rows = lockfile::rows(&lockfile::program(&host, &sources, &files, &folder)?);
    lockfile::write(&options.output, &rows)?;
    let bounded = rows.iter().filter(|row| row.upper.is_some()).count();
    let (count, name) = (rows.len(), options.output.display());
    print(&format!(
        "{name}: {count} predicates, {bounded} with an upper bound\n"
    ))?;
    Ok(Outcome::Fine)
}
