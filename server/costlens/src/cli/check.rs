//! `costlens check`.

mod answers;
mod finding;
mod github;
mod kept;
pub(super) mod sarif;
mod text;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use costlens_algebra::Rat;
use costlens_ide::diagnostics::{Severity, rules, severity};
use costlens_ide::host::Host;
use costlens_ide::project::Project;
use costlens_ide::reports::changes::Change;
use costlens_ide::reports::check::FileCheck;
use costlens_ide::reports::lock::Measured;
use costlens_ide::resources::prices;

use self::answers::Question;
use self::finding::Finding;
use super::files::{self, Source};
use super::json::check::{Document, assertion, change};
use super::output::{Log, print};
use super::remembered::CacheOptions;
use super::resources::platform;
use super::{Outcome, ReadingOptions, json, lockfile};
use crate::lines::{Encoding, LineIndex};

#[derive(Args)]
pub(super) struct Options {
    /// Prolog files, or folders of them.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The platform that assertions on time are about; `costlens platforms` lists them.
    #[arg(long, value_name = "NAME")]
    platform: Option<String>,
    #[command(flatten)]
    reading: ReadingOptions,
    /// A lockfile: what became dearer since it was written is wrong, too.
    #[arg(long, value_name = "LOCK")]
    against: Option<PathBuf>,
    /// The share by which a bound may grow within its class: `10%`.
    #[arg(long, value_name = "SHARE", default_value = "0%", value_parser = lockfile::tolerance, requires = "against")]
    tolerance: Rat,
    #[command(flatten)]
    cache: CacheOptions,
    /// The format of results.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// The format of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For a person.
    Text,
    /// For a program: stable within its schema number.
    Json,
    /// For code scanning and viewers: SARIF 2.1.0.
    Sarif,
    /// For a workflow of GitHub: annotations.
    Github,
}

/// A file, and what was found in it.
pub(super) type Checked = (Source, FileCheck);

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<Outcome> {
    let (sources, usable) = files::read(&options.paths, log);
    let project = options.reading.project(&options.paths)?;
    let platform = platform(options.platform.as_deref().or(project.platform.as_deref()))?;
    let prices = platform.as_ref().map(prices);
    let mut host = Host::unedited();
    let files = files::open(
        &mut host,
        &sources,
        &files::areas(&options.paths),
        (&options.reading, &project),
        log,
    );
    let question = Question {
        options,
        host: &host,
        files: &files,
        project: &project,
        prices: prices.as_ref(),
    };
    let found = question.answers(log)?;
    let (checks, measured): (Vec<FileCheck>, Vec<Option<Vec<Measured>>>) =
        found.into_iter().map(|f| (f.check, f.measured)).unzip();
    let changes = match &options.against {
        None => Vec::new(),
        Some(lock) => since(lock, options, &sources, measured)?,
    };
    let all: Vec<Checked> = sources.into_iter().zip(checks).collect();
    let name = platform.as_ref().map(|p| p.name.as_str());
    let wrong = Results::new(all, changes, &project.project).print(options.format, name)?;
    Ok(match (usable, wrong) {
        (false, _) => Outcome::Unusable,
        (true, true) => Outcome::Wrong,
        (true, false) => Outcome::Fine,
    })
}

/// The changes since a lockfile was written, each with the number of its file; files that are gone count as the first.
fn since(
    lock: &Path,
    options: &Options,
    sources: &[Source],
    measured: Vec<Option<Vec<Measured>>>,
) -> anyhow::Result<Vec<(usize, Change)>> {
    let before = lockfile::read(lock)?;
    let folder = lockfile::folder_of(lock);
    let measured = measured.into_iter().map(Option::unwrap_or_default);
    let now = lockfile::named(sources, measured, &folder);
    let names: Vec<String> = now.iter().map(|(name, _)| name.clone()).collect();
    let looked_at = (folder.as_str(), options.paths.as_slice());
    let changes = lockfile::compare(&before, now, looked_at, &options.tolerance);
    Ok(lockfile::numbered(changes, &names))
}

/// The findings in files, and the severity of regressions.
pub(super) struct Results {
    pub(super) files: Vec<Checked>,
    /// Each with the number of its file.
    pub(super) changes: Vec<(usize, Change)>,
    pub(super) severity: Severity,
}

impl Results {
    /// The level of regressions is that of the project; where it wants to hear nothing of them they count as ignored.
    pub(super) fn new(
        files: Vec<Checked>,
        mut changes: Vec<(usize, Change)>,
        project: &Project,
    ) -> Self {
        let severity = severity(project, &rules::REGRESSION, Severity::Error);
        if severity.is_none() {
            (changes.iter_mut()).for_each(|(_, change)| change.is_suppressed = true);
        }
        Self {
            files,
            changes,
            severity: severity.unwrap_or(Severity::Error),
        }
    }

    /// Prints everything; tells whether something is wrong.
    fn print(&self, format: Format, platform: Option<&str>) -> anyhow::Result<bool> {
        let found = self.findings();
        match format {
            Format::Json => print(&json::lines(&as_json(self, platform))?)?,
            Format::Text => print(&text::text(self))?,
            Format::Sarif => print(&json::lines(&sarif::document(&found))?)?,
            Format::Github => print(&github::commands(&found))?,
        }
        let is_wrong = |f: &Finding| !f.is_suppressed && f.severity == Severity::Error;
        Ok(found.iter().any(is_wrong))
    }

    /// Prints changes alone; tells whether something became dearer.
    pub(super) fn print_changes(&self, format: Format) -> anyhow::Result<bool> {
        match format {
            Format::Text => print(&text::changes(self))?,
            _ => {
                self.print(format, None)?;
            }
        }
        let is_dearer = self
            .changes
            .iter()
            .any(|(_, change)| change.is_regression());
        Ok(is_dearer && self.severity == Severity::Error)
    }

    fn findings(&self) -> Vec<Finding> {
        let of_files = self.files.iter();
        let of_files = of_files.flat_map(|(source, check)| finding::of_file(source, check));
        let dearer = self.changes.iter().filter(|(_, c)| c.kind.is_dearer());
        let regressions = dearer
            .map(|(file, change)| finding::of_change(&self.files[*file].0, change, self.severity));
        of_files.chain(regressions).collect()
    }
}

fn as_json(results: &Results, platform: Option<&str>) -> Document {
    let mut document = Document::new(platform);
    document.changes = (results.changes.iter())
        .map(|(file, c)| {
            // Where everything is gone there is no file.
            let source = results.files.get(*file).map(|(source, _)| source);
            change(
                c,
                source.and_then(|source| finding::line_of(source, c.offset)),
            )
        })
        .collect();
    for (source, check) in &results.files {
        let lines = LineIndex::new(&source.text);
        let line = |offset| lines.position(&source.text, offset, Encoding::Utf8).0 + 1;
        let assertions = check.assertions.iter();
        (document.assertions)
            .extend(assertions.map(|a| assertion(&source.name, line(a.range.start), a)));
        let diagnostics = json::diagnostics(source, &check.diagnostics);
        document.diagnostics.extend(diagnostics);
    }
    document
}
