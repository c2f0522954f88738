//! `costlens check`.

mod answers;
mod definitions;
mod finding;
mod github;
mod kept;
pub(super) mod sarif;
mod text;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use costlens_algebra::Rat;
use costlens_analysis::verdict::Verdict;
use costlens_ide::diagnostics::{Diagnostic, Severity, rules, severity};
use costlens_ide::host::Host;
use costlens_ide::project::Project;
use costlens_ide::reports::changes::Change;
use costlens_ide::reports::check::FileCheck;
use costlens_ide::reports::lock::MeasuredPredicate;
use costlens_ide::resources::prices;

use self::answers::CheckSubject;
use self::finding::Finding;
use super::files::{self, Source};
use super::json::check::{Document, assertion, change};
use super::lockfile::Before;
use super::output::{Log, print};
use super::resources::platform;
use super::{CommandOutcome, ReadingOptions, json, lockfile};
use crate::disk::place::folder_place;
use crate::disk::project::ProjectFile;
use crate::lines::{Encoding, LineIndex};

#[derive(Args)]
pub(super) struct Options {
    /// Prolog files, or folders with Prolog files.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The platform for assertions on time; `costlens platforms` lists the platforms.
    #[arg(long, value_name = "NAME")]
    platform: Option<String>,
    #[command(flatten)]
    reading: ReadingOptions,
    /// A lockfile: predicates that became more expensive since the lockfile was written are errors.
    #[arg(long, value_name = "LOCK")]
    against: Option<PathBuf>,
    /// The share by which a bound may grow within its class: `10%`.
    #[arg(long, value_name = "SHARE", default_value = "0%", value_parser = lockfile::tolerance, requires = "against")]
    tolerance: Rat,
    /// Also exit with 1 if an assertion is not decided.
    #[arg(long)]
    strict: bool,
    /// The format of results.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// The format of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Text for people.
    Text,
    /// JSON for programs, stable within its schema number.
    Json,
    /// SARIF 2.1.0, for code scanning and viewers.
    Sarif,
    /// Annotations for GitHub workflows.
    Github,
}

/// A file with its findings.
pub(super) type Checked = (Source, FileCheck);

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<CommandOutcome> {
    let (sources, listed) = files::read(&options.paths, log);
    let project = options.reading.project(&options.paths)?;
    let platform = platform(options.platform.as_deref().or(project.platform.as_deref()))?;
    let prices = platform.as_ref().map(prices);
    let mut host = Host::unedited();
    let files = files::open(
        &mut host,
        &sources,
        &files::areas(&options.paths),
        &options.reading,
        &project,
        log,
    );
    let folder = lockfile::folder_of(options.against.as_deref().unwrap_or(Path::new("")));
    let names = lockfile::names(&sources, &folder);
    let before = match &options.against {
        None => None,
        Some(lock) => Some(Before::new(
            &lockfile::read(lock, log)?,
            &host,
            &files,
            &names,
            &folder,
            &listed,
        )?),
    };
    let question = CheckSubject {
        options,
        host: &host,
        files: &files,
        names: &names,
        before: before.as_ref(),
        project: &project,
        prices: prices.as_ref(),
    };
    let found = question.answers(log)?;
    let (checks, measured): (Vec<FileCheck>, Vec<Option<Vec<MeasuredPredicate>>>) =
        found.into_iter().map(|f| (f.check, f.measured)).unzip();
    let changes = match &before {
        None => Vec::new(),
        Some(before) => {
            let measured = measured.into_iter().map(Option::unwrap_or_default);
            let now = names.iter().cloned().zip(measured).collect();
            lockfile::numbered(before.changes(now, &options.tolerance), &names)
        }
    };
    let mut all: Vec<Checked> = sources.into_iter().zip(checks).collect();
    if !listed.is_partial {
        all.extend(unmet_budgets(&all, &project, &options.paths));
    }
    let name = platform.as_ref().map(|p| p.name.as_str());
    let results = Results::new(all, changes, &project.project);
    let wrong = results.print(options.format, name)?;
    let undecided = options.strict && results.has_undecided();
    Ok(listed.outcome(wrong || undecided))
}

/// Returns the budgets that match no predicate, as findings in the project file. Returns `None` unless the whole project is checked.
fn unmet_budgets(all: &[Checked], project: &ProjectFile, paths: &[PathBuf]) -> Option<Checked> {
    let root = format!("{}/", project.project.root.trim_end_matches('/'));
    let is_whole = paths.iter().filter(|path| path.is_dir()).any(|path| {
        let place = format!("{}/", folder_place(path).trim_end_matches('/'));
        root.starts_with(&place)
    });
    if !is_whole {
        return None;
    }
    let is_met = |line: &usize| {
        all.iter()
            .any(|(_, check)| check.met_budgets.contains(line))
    };
    let lines = project.project.budgets.iter().map(|budget| budget.line);
    let mut diagnostics: Vec<Diagnostic> = lines
        .filter(|line| !is_met(line))
        .map(|line| {
            let mut before = project.text.split_inclusive('\n').take(line);
            let last = before.by_ref().last().unwrap_or_default();
            let end: usize = project
                .text
                .split_inclusive('\n')
                .take(line)
                .map(str::len)
                .sum();
            let start = end - last.len();
            Diagnostic {
                range: start..start + last.trim_end().len(),
                severity: Severity::Warning,
                rule: &rules::BUDGET,
                message: "this budget is about no predicate of the project".to_owned(),
                related: Vec::new(),
            }
        })
        .collect();
    costlens_ide::diagnostics::apply(&project.project, &mut diagnostics);
    let source = Source {
        name: project.project.name.clone(),
        place: format!("{root}{}", project.project.name),
        text: project.text.clone(),
    };
    let check = FileCheck {
        diagnostics,
        ..FileCheck::default()
    };
    (!check.diagnostics.is_empty()).then_some((source, check))
}

/// The findings in all files, and the severity of regressions.
pub(super) struct Results {
    pub(super) files: Vec<Checked>,
    /// The changes, each with the index of its file.
    pub(super) changes: Vec<(usize, Change)>,
    pub(super) severity: Severity,
}

impl Results {
    /// Regressions get the project's level; if the project turns them off, they count as ignored.
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

    /// Prints all results. Returns whether the program has errors.
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

    /// Prints only changes. Returns whether a predicate became more expensive.
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

    /// Returns whether any unsuppressed assertion is neither proved nor refuted.
    fn has_undecided(&self) -> bool {
        let mut all = self.files.iter().flat_map(|(_, check)| &check.assertions);
        all.any(|a| a.judged.verdict == Verdict::Check && !a.suppressed)
    }

    fn findings(&self) -> Vec<Finding> {
        let of_files = self.files.iter();
        let of_files = of_files.flat_map(|(source, check)| finding::of_file(source, check));
        let dearer = (self.changes.iter()).filter(|(_, c)| c.kind.is_regression());
        let regressions = dearer
            .map(|(file, change)| finding::of_change(&self.files[*file].0, change, self.severity));
        of_files.chain(regressions).collect()
    }
}

fn as_json(results: &Results, platform: Option<&str>) -> Document {
    let mut document = Document::new(platform);
    document.changes = (results.changes.iter())
        .map(|(file, c)| {
            // There is no file if all files were deleted.
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
