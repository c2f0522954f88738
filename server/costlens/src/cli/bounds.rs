//! `costlens bounds`.

mod text;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::Args;
use costlens_analysis::report::Functor;
use costlens_ide::diagnostics::{Diagnostic, rules};
use costlens_ide::host::files::{LibraryInUse, Version};
use costlens_ide::host::{File, Host, InputTexts, Snapshot};
use costlens_ide::present::indicator;
use costlens_ide::present::values::GivenSize;
use costlens_ide::reports::bounds::{Assumption, FileBounds};
use costlens_platform::Platform;
use serde_json::{Value, json};

use super::files::{self, Source};
use super::json::bounds::Document;
use super::json::predicate::{all_at, predicate};
use super::output::{Log, print};
use super::resources::{
    BoundsRow, NamedResource, RequestedResource, ResourceBounds, asked, parse_resource, platform,
    platform_for, platform_note,
};
use super::sizes::{SizeList, parse_at, parse_indicator, parse_point};
use super::{CommandOutcome, Format, ReadingOptions, certificate, interrupted, json, summary};
use crate::disk::project::ProjectFile;
use crate::lines::{Encoding, LineIndex};

#[derive(Args)]
pub(super) struct Options {
    /// Prolog files, or folders with Prolog files.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Show only this predicate; may be given several times.
    #[arg(long, value_name = "NAME/ARITY", value_parser = parse_indicator)]
    predicate: Vec<Functor>,
    /// The resource to bound: `steps` (the default), `time` on a platform, an event such as `giunif`, `is/2` or `op(+/2)`, or one that
    /// the files declare. May be given several times.
    #[arg(long, value_name = "NAME", value_parser = parse_resource)]
    resource: Vec<NamedResource>,
    /// The platform whose constants convert events to time; `costlens platforms` lists the platforms. Default: the platform for the files' dialect
    /// that was measured on this machine, or else one that ships with Costlens.
    #[arg(long, value_name = "NAME")]
    platform: Option<String>,
    /// Evaluate the bounds: `1=30,2=5` gives argument 1 the size 30 and argument 2 the size 5.
    #[arg(long, value_name = "SIZES", value_parser = |s: &str| parse_at(s).map(SizeList))]
    at: Option<SizeList>,
    /// Evaluate the bounds at the points in a file, with lines like `{"pred":"nrev/2","sizes":{"1":30}}`.
    #[arg(long, value_name = "FILE.jsonl", conflicts_with = "at")]
    sizes: Option<PathBuf>,
    /// Write the equations, the bounds and their proofs to a file, for `costlens verify`.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Print a summary instead of the bounds: the number of predicates with bounds, and the causes of missing bounds.
    #[arg(long, conflicts_with_all = ["at", "sizes", "resource", "certificate"])]
    summary: bool,
    /// Print the bounds as assertions in Ciao's syntax, which Costlens and other tools can read.
    #[arg(long, conflicts_with_all = ["at", "sizes", "resource", "certificate", "summary", "format"])]
    assertions: bool,
    #[command(flatten)]
    reading: ReadingOptions,
    /// The format of results.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// The bounds of a file's predicates on the requested resources.
struct FileRows {
    source: Source,
    file: File,
    module: String,
    diagnostics: Vec<Diagnostic>,
    rests_on: Vec<Assumption>,
    predicates: Vec<BoundsRow>,
}

/// The bounds of a file's predicates on steps, then on each requested resource.
type Found = (FileBounds, Vec<Vec<ResourceBounds>>);

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<CommandOutcome> {
    let (sources, listed) = files::read(&options.paths, log);
    let outcome = match listed.is_partial {
        true => CommandOutcome::Unusable,
        false => CommandOutcome::Fine,
    };
    let project = options.reading.project(&options.paths)?;
    let (platform, note) = chosen_platform(options, &project)?;
    let asked = asked(&options.resource, platform.as_ref())?;
    let mut host = Host::unedited();
    let files = files::open(
        &mut host,
        &sources,
        &files::areas(&options.paths),
        &options.reading,
        &project,
        log,
    );
    let threads = files::threads();
    (host.snapshot())
        .prepare(&files, threads)
        .map_err(interrupted)?;
    if options.summary {
        let predicates = options.predicate.as_slice();
        let defined = summary::print_summary(&host, &files, threads, predicates, options.format)?;
        return Ok(outcome.max(complain_of_missing(options, &defined, log)));
    }
    let mut certificate = Certificate::new(options, &host, &files)?;
    let mut all: Vec<FileRows> = Vec::new();
    let found = (host.snapshot())
        .of_each(&files, threads, &|snapshot, file| {
            Ok(found(snapshot, file, &asked))
        })
        .map_err(interrupted)?;
    for ((source, file), found) in sources.into_iter().zip(files).zip(found) {
        let rows = rows(options, source, file, found?, log);
        if let Some(certificate) = &mut certificate {
            let systems = certified(options, &host, &rows)?;
            certificate.systems.extend(systems);
        }
        all.push(rows);
    }
    let predicates = all.iter().flat_map(|f| &f.predicates);
    let defined = predicates.map(|p| p.steps.report.predicate.clone());
    let outcome = outcome.max(complain_of_missing(options, &defined.collect(), log));
    if !options.predicate.is_empty() {
        for file in &mut all {
            (file.predicates).retain(|p| options.asks_for(&p.steps.report.predicate));
        }
        all.retain(|file| !file.predicates.is_empty());
    }
    if let Some(certificate) = certificate {
        certificate.write()?;
    }
    if let Some(points) = &options.sizes {
        evaluate_points(points, &all)?;
    } else if options.assertions {
        print(&text::as_assertions(&all))?;
    } else {
        evaluate(options, &host, &mut all)?;
        let platform = platform.as_ref().map(|platform| platform.name.as_str());
        print_bounds(options, &host, &all, platform, note)?;
    }
    Ok(outcome)
}

/// Returns the platform for times, with a note if the user did not name one.
fn chosen_platform(
    options: &Options,
    project: &ProjectFile,
) -> anyhow::Result<(Option<Platform>, Option<String>)> {
    let named = platform(options.platform.as_deref().or(project.platform.as_deref()))?;
    if named.is_some() || !options.resource.contains(&NamedResource::Time) {
        return Ok((named, None));
    }
    let usual = platform_for(options.reading.dialect.or(project.dialect))?;
    let note = platform_note(&usual);
    Ok((Some(usual), Some(note)))
}

/// The certificate of all bounds, with its output file.
struct Certificate<'o> {
    path: &'o Path,
    texts: InputTexts,
    systems: Vec<Value>,
}

impl<'o> Certificate<'o> {
    /// Begins the certificate if one was requested.
    fn new(options: &'o Options, host: &Host, files: &[File]) -> anyhow::Result<Option<Self>> {
        let Some(path) = &options.certificate else {
            return Ok(None);
        };
        Ok(Some(Certificate {
            path,
            texts: host.snapshot().texts(files).map_err(interrupted)?,
            systems: Vec::new(),
        }))
    }

    fn write(self) -> anyhow::Result<()> {
        let text = certificate::document(&self.systems, &self.texts).to_string();
        let name = self.path.display();
        std::fs::write(self.path, text).with_context(|| format!("cannot write `{name}`"))
    }
}

/// Evaluates the bounds at the sizes given by `--at`.
fn evaluate(options: &Options, host: &Host, all: &mut [FileRows]) -> anyhow::Result<()> {
    let Some(SizeList(given)) = &options.at else {
        return Ok(());
    };
    for file in all {
        for row in &mut file.predicates {
            row.evaluate(host, file.file, given)?;
        }
    }
    Ok(())
}

fn print_bounds(
    options: &Options,
    host: &Host,
    all: &[FileRows],
    platform: Option<&str>,
    note: Option<String>,
) -> anyhow::Result<()> {
    let at = options.at.as_ref().map(|at| at.0.as_slice());
    let library = host.library_in_use();
    match options.format {
        Format::Json => {
            let shapes = all.iter().flat_map(|file| shapes(file, at));
            let document = without_predicates(all, platform, library);
            json::write_with_list(&document, "predicates", shapes, &mut |text| print(text))?;
        }
        Format::Text => {
            let mut text = text::as_text(all, at);
            for note in note.into_iter().chain(library_note(&library)) {
                text.push_str(&format!("\n{note}\n"));
            }
            print(&text)?;
        }
    }
    Ok(())
}

/// Returns a note about the library used, unless it is the oldest shipped version.
fn library_note(library: &LibraryInUse) -> Option<String> {
    let version = library.version.map(|v| format!("SWI-Prolog {v}"));
    match (version, library.places.as_slice()) {
        (Some(_), []) if library.version == Some(Version::default()) => None,
        (Some(version), []) => Some(format!("library predicates are those of {version}")),
        (None, []) => None,
        (version, places) => {
            let all: Vec<String> = places.iter().map(|place| format!("`{place}`")).collect();
            let version = version.map_or_else(String::new, |v| format!(", {v}"));
            Some(format!(
                "library predicates are those of {}{version}",
                all.join(", ")
            ))
        }
    }
}

impl Options {
    /// Returns whether the user requested a predicate; without names, all predicates are requested.
    fn asks_for(&self, predicate: &Functor) -> bool {
        self.predicate.is_empty() || self.predicate.contains(predicate)
    }
}

/// Returns the bounds of a file's predicates on the requested resources.
fn found(snapshot: &Snapshot, file: File, asked: &[RequestedResource]) -> anyhow::Result<Found> {
    let bounds = snapshot.bounds(file).map_err(interrupted)?;
    let mut on: Vec<Vec<ResourceBounds>> = bounds.predicates.iter().map(|_| Vec::new()).collect();
    for asked in asked {
        let found = asked.bounds(snapshot, file, &bounds.predicates)?;
        for (row, on) in on.iter_mut().zip(found) {
            row.push(on);
        }
    }
    Ok((bounds, on))
}

fn rows(options: &Options, source: Source, file: File, (bounds, on): Found, log: &Log) -> FileRows {
    let count = bounds.predicates.len();
    log.detail(&format!("`{}`: {count} predicates", source.name));
    if options.format != Format::Json {
        warn_of_unread(&source, &bounds.diagnostics, log);
    }
    let rows = bounds.predicates.into_iter().zip(on);
    FileRows {
        source,
        file,
        module: bounds.module,
        diagnostics: bounds.diagnostics,
        rests_on: bounds.rests_on,
        predicates: rows
            .map(|(steps, on)| BoundsRow {
                steps,
                on,
                evaluated: Vec::new(),
            })
            .collect(),
    }
}

/// Returns the equation systems from which the requested bounds of a file's predicates were derived.
fn certified(options: &Options, host: &Host, of: &FileRows) -> anyhow::Result<Vec<Value>> {
    let snapshot = host.snapshot();
    let mut systems = Vec::new();
    let reports = of.predicates.iter().map(|p| &p.steps.report);
    for report in reports.filter(|r| options.asks_for(&r.predicate)) {
        for pattern in &report.patterns {
            let found = snapshot.certificates(of.file, &report.predicate, &pattern.pattern);
            systems.extend(found.map_err(interrupted)?.iter().map(certificate::system));
        }
    }
    Ok(systems)
}

/// Reports predicates that the user named and that are not defined.
fn complain_of_missing(
    options: &Options,
    defined: &BTreeSet<Functor>,
    log: &Log,
) -> CommandOutcome {
    let mut outcome = CommandOutcome::Fine;
    for wanted in options.predicate.iter().filter(|p| !defined.contains(p)) {
        log.error(&format!("no file defines `{}`", indicator(wanted)));
        outcome = CommandOutcome::Unusable;
    }
    outcome
}

/// Evaluates the bounds at the points of a file, and prints one line for each.
fn evaluate_points(path: &Path, all: &[FileRows]) -> anyhow::Result<()> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{name}`"))?;
    let mut out = String::new();
    for (i, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let point = parse_point(line).map_err(|e| anyhow!("{name}, line {}: {e}", i + 1))?;
        let found = (all.iter().flat_map(|f| &f.predicates)).find(|p| p.is(&point.predicate));
        let at = (found.filter(|p| !p.steps.report.patterns.is_empty()))
            .map(|p| all_at(&p.on, 0, &point.given));
        let mut answer = point.fields;
        answer.insert("at".to_owned(), json!(at));
        out.push_str(&Value::Object(answer).to_string());
        out.push('\n');
    }
    print(&out)?;
    Ok(())
}

/// The maximum number of syntax errors of a file that are reported individually.
const MOST_UNREAD: usize = 10;

/// Warns about clauses with syntax errors: bounds of their predicates, and of callers, disregard these clauses.
fn warn_of_unread(source: &Source, diagnostics: &[Diagnostic], log: &Log) {
    let unread: Vec<&Diagnostic> = (diagnostics.iter())
        .filter(|d| *d.rule == rules::SYNTAX)
        .collect();
    let lines = LineIndex::new(&source.text);
    for d in unread.iter().take(MOST_UNREAD) {
        let (line, column) = lines.position(&source.text, d.range.start, Encoding::Utf8);
        log.warning(&format!(
            "{}:{}:{}: {}: the clause is not read",
            source.name,
            line + 1,
            column + 1,
            d.message
        ));
    }
    if let Some(more @ 1..) = unread.len().checked_sub(MOST_UNREAD) {
        log.warning(&format!("{}: and {more} more clauses", source.name));
    }
}

/// Builds the document without its predicates.
fn without_predicates(all: &[FileRows], platform: Option<&str>, library: LibraryInUse) -> Document {
    let library = json::bounds::LibraryInUse {
        version: library.version.map(|version| version.to_string()),
        files: library.places,
    };
    let mut document = Document::new(platform, library);
    for file in all {
        let source = &file.source;
        document.files.push(json::bounds::File {
            file: source.name.clone(),
            module: file.module.clone(),
            rests_on: file.rests_on.iter().map(ToString::to_string).collect(),
        });
        let diagnostics = json::diagnostics(source, &file.diagnostics);
        document.diagnostics.extend(diagnostics);
    }
    document
}

/// Returns an iterator over the bounds of a file's predicates, in the document's form.
fn shapes<'r>(
    file: &'r FileRows,
    at: Option<&'r [GivenSize]>,
) -> impl Iterator<Item = json::predicate::Predicate> + 'r {
    let text = &file.source.text;
    let lines = LineIndex::new(text);
    file.predicates.iter().map(move |p| {
        let line = lines.position(text, p.steps.offset, Encoding::Utf8).0 + 1;
        predicate(&file.source.name, &file.module, line, p, at)
    })
}
