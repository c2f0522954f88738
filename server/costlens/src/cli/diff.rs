//! `costlens diff`.

use std::path::{Path, PathBuf};

use clap::Args;
use costlens_algebra::Rat;
use costlens_ide::host::Host;

use super::check::{Checked, Format, Results};
use super::files::{self, Source};
use super::lockfile::{self, Program};
use super::output::Log;
use super::{Outcome, ReadingOptions};
use crate::disk::place::folder_place;
use crate::disk::revision::Revision;

#[derive(Args)]
pub(super) struct Options {
    /// The revision to compare with: `main`, `HEAD~3`.
    #[arg(value_name = "REV")]
    revision: String,
    /// Prolog files, or folders of them.
    #[arg(default_value = ".", value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// How much more is no regression, within a class of growth: `10%`.
    #[arg(long, value_name = "SHARE", default_value = "0%", value_parser = lockfile::tolerance)]
    tolerance: Rat,
    #[command(flatten)]
    reading: ReadingOptions,
    /// How results are printed.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<Outcome> {
    let beside = match options.paths.first() {
        Some(path) if path.is_dir() => path.as_path(),
        Some(path) => path.parent().unwrap_or(Path::new("")),
        None => Path::new(""),
    };
    let beside = match beside.as_os_str().is_empty() {
        true => Path::new("."),
        false => beside,
    };
    let revision = Revision::check_out(beside, &options.revision)?;
    let top = folder_place(&revision.top);
    let (sources, usable) = files::read(&options.paths, log);
    if !usable {
        return Ok(Outcome::Unusable);
    }
    // The same paths as they were.
    let before: Vec<PathBuf> = (options.paths.iter())
        .map(|path| {
            let place = folder_place(path);
            let within = place.strip_prefix(top.as_str()).unwrap_or(&place);
            revision.files.join(within.trim_start_matches('/'))
        })
        .filter(|path| path.exists())
        .collect();
    let quiet = Log::new(true, 0, None)?;
    let (old, _) = files::read(&before, &quiet);
    let old = program(
        &before,
        &old,
        &folder_place(&revision.files),
        options,
        &quiet,
    )?;
    let now = program(&options.paths, &sources, &top, options, log)?;
    let names: Vec<String> = now.iter().map(|(name, _)| name.clone()).collect();
    let looked_at = (top.as_str(), options.paths.as_slice());
    let changes = lockfile::compare(&lockfile::rows(&old), now, looked_at, &options.tolerance);
    let numbered = lockfile::numbered(changes, &names);
    let all: Vec<Checked> = (sources.into_iter())
        .map(|source| (source, Default::default()))
        .collect();
    let project = options.reading.project(&options.paths)?;
    let results = Results::new(all, numbered, &project.project);
    Ok(match results.print_changes(options.format)? {
        true => Outcome::Wrong,
        false => Outcome::Fine,
    })
}

/// The predicates of one version.
fn program(
    paths: &[PathBuf],
    sources: &[Source],
    folder: &str,
    options: &Options,
    log: &Log,
) -> anyhow::Result<Program> {
    let project = options.reading.project(paths)?;
    let mut host = Host::unedited();
    let files = files::open(
        &mut host,
        sources,
        &files::areas(paths),
        (&options.reading, &project),
        log,
    );
    lockfile::program(&host, sources, &files, folder)
}
