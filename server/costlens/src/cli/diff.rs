//! `costlens diff`.

use std::path::{Path, PathBuf};

use clap::Args;
use costlens_algebra::Rat;
use costlens_ide::host::Host;

use super::check::{Checked, Format, Results};
use super::files;
use super::lockfile::{self, Before};
use super::output::Log;
use super::{CommandOutcome, ReadingOptions};
use crate::disk::listing::Area;
use crate::disk::place::folder_place;
use crate::disk::revision::Revision;

#[derive(Args)]
pub(super) struct Options {
    /// The revision to compare with: `main`, `HEAD~3`. The comparison uses its merge base with HEAD.
    #[arg(value_name = "REV")]
    revision: String,
    /// Prolog files, or folders with Prolog files.
    #[arg(default_value = ".", value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The share by which a bound may grow within its class: `10%`.
    #[arg(long, value_name = "SHARE", default_value = "0%", value_parser = lockfile::tolerance)]
    tolerance: Rat,
    #[command(flatten)]
    reading: ReadingOptions,
    /// The format of results.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<CommandOutcome> {
    let beside = match options.paths.first() {
        Some(path) if path.is_dir() => path.as_path(),
        Some(path) => path.parent().unwrap_or(Path::new("")),
        None => Path::new(""),
    };
    let beside = match beside.as_os_str().is_empty() {
        true => Path::new("."),
        false => beside,
    };
    let revision = Revision::check_out_base(beside, &options.revision)?;
    let top = folder_place(&revision.top);
    let (sources, listed) = files::read(&options.paths, log);
    // The same paths in the earlier revision.
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
    let project = options.reading.project(&options.paths)?;
    let old_project = options.reading.project(&before)?;
    // A file belongs to its repository, which consists of all files of the revision.
    let areas: Vec<Area> = (before.iter())
        .map(|path| match path.is_dir() {
            true => Area::Tree(path.clone()),
            false => Area::Tree(revision.files.clone()),
        })
        .collect();
    let old_top = folder_place(&revision.files);
    let reading = &options.reading;
    let mut host = Host::unedited();
    let files = files::open(&mut host, &old, &areas, reading, &old_project, &quiet);
    let names = lockfile::names(&old, &old_top);
    let old = lockfile::program(&host, &files, &names, &Before::default())?;
    let old = lockfile::rows(&old);
    let areas = files::areas(&options.paths);
    let mut host = Host::unedited();
    let files = files::open(&mut host, &sources, &areas, reading, &project, log);
    let names = lockfile::names(&sources, &top);
    let before = Before::new(&old, &host, &files, &names, &top, &listed)?;
    let now = lockfile::program(&host, &files, &names, &before)?;
    let changes = before.changes(now, &options.tolerance);
    let numbered = lockfile::numbered(changes, &names);
    let all: Vec<Checked> = (sources.into_iter())
        .map(|source| (source, Default::default()))
        .collect();
    let results = Results::new(all, numbered, &project.project);
    Ok(listed.outcome(results.print_changes(options.format)?))
}
