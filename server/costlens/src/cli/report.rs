//! `costlens report`: one page about a workspace.

mod chains;
mod fixes;
mod groups;
mod page;
mod rows;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use clap::Args;
use costlens_ide::host::{File, Host};
use costlens_ide::reports::overview::{Class, OverviewRequest};
use costlens_ide::resources::prices;
use costlens_ide::settings::Chosen;
use costlens_platform::Platform;

use self::rows::FileRows;
use super::files::{self, Source, threads};
use super::json::report::{Cause, ClassCount, Document, Platform as PlatformRow};
use super::output::{Log, print};
use super::remembered::{answers, fingerprints};
use super::resources::platform;
use super::{CommandOutcome, Format, ReadingOptions, interrupted, json, running};
use crate::disk::place::place_of;
use crate::disk::platforms::{self, calibrated};
use crate::disk::project::ProjectFile;
use crate::report::counted;

/// The maximum number of causes in the summary.
const MOST_CAUSES: usize = 10;

/// The default name of the page.
const USUAL: &str = "costlens-report.html";

#[derive(Args)]
pub(super) struct Options {
    /// Prolog files, or folders with Prolog files.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The page to write. Default: `costlens-report.html` in the current folder; no page with `--format json`.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The platform for times and for assertions on times; `costlens platforms` lists the platforms. Default: the project's platform, if it has one.
    #[arg(long, value_name = "NAME")]
    platform: Option<String>,
    /// The value used for all sizes when times are computed.
    #[arg(long, value_name = "N", default_value_t = 100)]
    size: i64,
    /// The link to a line of a file, with `{file}` and `{line}`: `https://example.org/blob/main/{file}#L{line}`. Default: the path of the file,
    /// relative to the page.
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    link: Option<String>,
    /// Seconds after which the search for cheaper variants stops; 0 disables the search.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = running::seconds)]
    fix_time: f64,
    #[command(flatten)]
    reading: ReadingOptions,
    /// The format of the output.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

fn address(text: &str) -> Result<String, String> {
    match text.contains("{file}") {
        true => Ok(text.to_owned()),
        false => Err("an address with `{file}` is expected".to_owned()),
    }
}

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<CommandOutcome> {
    let begun = Instant::now();
    let (sources, listed) = files::read(&options.paths, log);
    let usable = !listed.is_partial;
    let project = options.reading.project(&options.paths)?;
    let named = platform(options.platform.as_deref().or(project.platform.as_deref()))?;
    let mut host = Host::unedited();
    let opened = files::open(
        &mut host,
        &sources,
        &files::areas(&options.paths),
        &options.reading,
        &project,
        log,
    );
    let workspace = Workspace {
        options,
        host: &host,
        sources: &sources,
        files: &opened,
        project: &project,
        platform: named.as_ref(),
    };
    let document = workspace.document(log)?;
    log.detail(&format!("gathered in {:?}", begun.elapsed()));
    let output = match (&options.output, options.format) {
        (Some(path), _) => Some(path.clone()),
        (None, Format::Text) => Some(PathBuf::from(USUAL)),
        (None, Format::Json) => None,
    };
    if let Some(path) = &output {
        let place = place_of(path);
        if sources.iter().any(|source| source.place == place) {
            bail!(
                "`{}` is one of the files that the report is about: name another one with `--output`",
                path.display()
            );
        }
        let text = page::html(&document, &workspace.links(path), &options.paths);
        std::fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    match options.format {
        Format::Json => print(&json::lines(&document)?)?,
        Format::Text => print(&summary(&document, output.as_deref()))?,
    }
    Ok(match usable {
        true => CommandOutcome::Fine,
        false => CommandOutcome::Unusable,
    })
}

/// A workspace after reading.
struct Workspace<'w> {
    options: &'w Options,
    host: &'w Host,
    sources: &'w [Source],
    files: &'w [File],
    project: &'w ProjectFile,
    platform: Option<&'w Platform>,
}

impl Workspace<'_> {
    fn document(&self, log: &Log) -> anyhow::Result<Document> {
        let rows = self.rows(log)?;
        let chains = chains::chains(self, &rows)?;
        let time = Duration::from_secs_f64(self.options.fix_time);
        let on = self.platform.map(|found| Chosen::Stored(calibrated(found)));
        let fixes = fixes::fixes(self, &rows, time, on.as_ref())?;
        let mut document = Document {
            schema: json::SCHEMA,
            platform: self.platform.map(|p| p.name.clone()),
            size: self.options.size,
            files: self.files.len(),
            classes: Vec::new(),
            predicates: Vec::new(),
            assertions: Vec::new(),
            chains,
            unknown: Vec::new(),
            platforms: stored(),
            fixes,
            diagnostics: Vec::new(),
        };
        for of_file in rows {
            document.predicates.extend(of_file.predicates);
            document.assertions.extend(of_file.assertions);
            document.diagnostics.extend(of_file.diagnostics);
        }
        document.classes = classes(&document);
        document.unknown = groups::causes(&document.predicates);
        Ok(document)
    }

    /// Returns the rows of each file. Cached rows are used if none of their dependencies has changed.
    fn rows(&self, log: &Log) -> anyhow::Result<Vec<FileRows>> {
        let prices = self.platform.map(prices);
        let asked = OverviewRequest {
            prices: prices.as_ref(),
            size: self.options.size,
            project: Some(&self.project.project),
        };
        let anew = |files: &[File]| -> anyhow::Result<Vec<FileRows>> {
            let snapshot = self.host.snapshot();
            snapshot.prepare(files, threads()).map_err(interrupted)?;
            let found = snapshot.overviews(files, threads(), &asked);
            let found = found.map_err(interrupted)?.into_iter().zip(files);
            let rows = found.filter_map(|(overview, file)| {
                let place = self.files.iter().position(|f| f == file)?;
                Some(rows::of_file(&self.sources[place], &overview))
            });
            Ok(rows.collect())
        };
        let Some(cache) = self
            .options
            .reading
            .cache
            .open("report", &self.options.paths)
        else {
            return anew(self.files);
        };
        let rest = [
            format!("{prices:?}"),
            format!("{:?}", self.options.reading.no_trust),
            format!("report {}", self.options.size),
        ];
        let fingerprints = fingerprints(self.host, self.files, self.project, &rest, &[])?;
        answers::<FileRows>(&cache, self.files, fingerprints, anew, log)
    }

    /// Returns the addresses of lines, relative to a page.
    fn links(&self, page: &Path) -> page::Links {
        page::Links::new(self.options.link.as_deref(), page, self.sources)
    }
}

/// Returns the stored platforms, excluding platforms from papers.
fn stored() -> Vec<PlatformRow> {
    let all = platforms::list().0;
    let of_today = all.iter().filter(|p| p.source != "paper");
    of_today
        .map(|p| PlatformRow {
            name: p.name.clone(),
            engine: p.engine.clone(),
            source: p.source.clone(),
            date: p.date.clone(),
            here: calibrated(p).here,
        })
        .collect()
}

fn classes(document: &Document) -> Vec<ClassCount> {
    let count = |class: Class| {
        let all = document.predicates.iter();
        all.filter(|p| p.class == class.name()).count()
    };
    (Class::ALL.into_iter())
        .map(|class| ClassCount {
            class: class.name(),
            label: class.label(),
            predicates: count(class),
        })
        .collect()
}

/// Formats the name of the written page, and its most interesting facts.
fn summary(document: &Document, output: Option<&Path>) -> String {
    let mut out = String::new();
    if let Some(path) = output {
        out.push_str(&format!("{}: ", path.display()));
    }
    let of = |verdict: &str| {
        let all = document.assertions.iter();
        all.filter(|a| a.verdict == verdict && !a.suppressed)
            .count()
    };
    let unbounded = document.predicates.iter().filter(|p| p.unknown.is_some());
    out.push_str(&format!(
        "{}, {}, {} without an upper bound, {}, {} false\n",
        counted(document.files, "file", "files"),
        counted(document.predicates.len(), "predicate", "predicates"),
        unbounded.count(),
        counted(document.assertions.len(), "assertion", "assertions"),
        of("false"),
    ));
    out.push_str(&most_unlocking(&document.unknown));
    out
}

/// Formats the causes whose removal gives most predicates a bound, each with an action.
fn most_unlocking(causes: &[Cause]) -> String {
    let listed = &causes[..causes.len().min(MOST_CAUSES)];
    let mut out = String::new();
    for cause in listed {
        let missing = &cause.missing;
        let place = match (&missing.file, missing.line) {
            (Some(file), Some(line)) => format!("  {file}:{line}"),
            _ => String::new(),
        };
        let counts = match cause.predicates - cause.alone {
            0 => format!("{:>6}", cause.predicates),
            others => format!(
                "{:>6} (and {others} that also have other causes)",
                cause.alone
            ),
        };
        out.push_str(&format!("{counts}  {}{place}\n", missing.reason));
        if !missing.help.is_empty() {
            out.push_str(&format!("        {}\n", missing.help));
        }
    }
    match out.is_empty() {
        true => out,
        false => format!("\npredicates that get a bound once the cause is removed\n{out}"),
    }
}
