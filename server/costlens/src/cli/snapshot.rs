//! `costlens snapshot`.

use std::path::PathBuf;

use clap::Args;
use costlens_ide::host::Host;

use super::files;
use super::lockfile::Before;
use super::output::{Log, print};
use super::{CommandOutcome, ReadingOptions, lockfile};

#[derive(Args)]
pub(super) struct Options {
    /// Prolog files, or folders with Prolog files.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The lockfile to write.
    #[arg(short, long, value_name = "FILE", default_value = lockfile::NAME)]
    output: PathBuf,
    #[command(flatten)]
    reading: ReadingOptions,
}

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<CommandOutcome> {
    let (sources, listed) = files::read(&options.paths, log);
    if listed.is_partial {
        // The lockfile would lack clauses with syntax errors from now on.
        let name = options.output.display();
        log.error(&format!(
            "`{name}` is not written: it would not have what cannot be read"
        ));
        return Ok(CommandOutcome::Unusable);
    }
    let mut host = Host::unedited();
    let areas = files::areas(&options.paths);
    let project = options.reading.project(&options.paths)?;
    let reading = &options.reading;
    let files = files::open(&mut host, &sources, &areas, reading, &project, log);
    let folder = lockfile::folder_of(&options.output);
    let names = lockfile::names(&sources, &folder);
    let program = lockfile::program(&host, &files, &names, &Before::default())?;
    lockfile::write(&options.output, &lockfile::rows(&program))?;
    let all = program.iter().flat_map(|(_, measured)| measured);
    let first = all.filter_map(|m| m.patterns.first());
    let (count, bounded) = first.fold((0, 0), |(count, bounded), pattern| {
        (
            count + 1,
            bounded + usize::from(pattern.row.upper.is_some()),
        )
    });
    let name = options.output.display();
    print(&format!(
        "{name}: {count} predicates, {bounded} with an upper bound\n"
    ))?;
    Ok(CommandOutcome::Fine)
}
