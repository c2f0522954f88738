//! `costlens fix`.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use clap::Args;
use costlens_analysis::report::Functor;
use costlens_ide::advice::Remark;
use costlens_ide::diagnostics::rules::{self, Level, RULES, Rule};
use costlens_ide::fixes::Action;
use costlens_ide::fixes::rewrites::REWRITES;
use costlens_ide::host::{File, Host, Snapshot};
use costlens_ide::project::Project;
use costlens_ide::settings::{Chosen, Settings};
use smol_str::SmolStr;

use super::files::{self, Source};
use super::json::fix::{Document, Fix, fix, hint};
use super::output::{Log, print};
use super::resources::platform;
use super::{CommandOutcome, Format, ReadingOptions, interrupted, json, unified};
use crate::disk::encoding::{decoded, encoded, encoding_of};
use crate::disk::platforms::calibrated;
use crate::lines::{Encoding, LineIndex};

/// The number of rounds after which a file is left unchanged. Each round makes some predicate cheaper, so few rounds are needed.
const MOST_ROUNDS: usize = 20;

#[derive(Args)]
pub(super) struct Options {
    /// Prolog files, or folders with Prolog files.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Print the changes as a unified diff.
    #[arg(long, conflicts_with = "apply")]
    diff: bool,
    /// Write the changes to the files.
    #[arg(long)]
    apply: bool,
    /// Consider only this rule; may be given several times. Default: all rules that make a predicate cheaper, and the hints without an edit.
    #[arg(long, value_name = "RULE", value_parser = rule)]
    rule: Vec<&'static Rule>,
    /// Also show times on this platform, and offer no variant that is slower there; `costlens platforms` lists the platforms.
    #[arg(long, value_name = "NAME")]
    platform: Option<String>,
    #[command(flatten)]
    reading: ReadingOptions,
    /// The format of results.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

fn rule(name: &str) -> Result<&'static Rule, String> {
    let is_group = |rule: &Rule| *rule == rules::FIX || *rule == rules::HINT;
    let is_named =
        |rule: &&Rule| matches!(rule.level(), Level::Fix | Level::Hint) && !is_group(rule);
    let mut all = RULES.into_iter().filter(is_named);
    all.clone().find(|r| r.id() == name).ok_or_else(|| {
        let names: Vec<&str> = all.by_ref().map(Rule::id).collect();
        format!("there are {}", names.join(", "))
    })
}

pub(super) fn run(options: &Options, log: &Log) -> anyhow::Result<CommandOutcome> {
    if options.diff && options.format == Format::Json {
        bail!("a diff is text: `--format json` lists the changes without `--diff`");
    }
    let (sources, listed) = files::read(&options.paths, log);
    let usable = !listed.is_partial;
    let project = options.reading.project(&options.paths)?;
    let platform = platform(options.platform.as_deref().or(project.platform.as_deref()))?;
    let on = platform.map(|found| Chosen::Stored(calibrated(&found)));
    let mut host = Host::unedited();
    let areas = files::areas(&options.paths);
    files::open(&mut host, &sources, &areas, &options.reading, &project, log);
    let mut outcome = match usable {
        true => CommandOutcome::Fine,
        false => CommandOutcome::Unusable,
    };
    if options.apply && !listed.unlisted.is_empty() {
        bail!(
            "nothing is changed: files that cannot be listed may call what would be; `--diff` shows the changes"
        );
    }
    let mut document = Document::default();
    let mut text = String::new();
    let (mut count, mut hints) = (0, 0);
    for source in &sources {
        let fixed = fixed(&mut host, source, options, &project.project, on.as_ref())?;
        if options.apply
            && fixed.text != source.text
            && let Err(error) = write(source, &fixed.text)
        {
            log.error(&format!("{error:#}"));
            outcome = CommandOutcome::Unusable;
            continue;
        }
        count += fixed.actions.len();
        hints += fixed.hints.len();
        if options.diff {
            text.push_str(&unified::diff(&source.name, &source.text, &fixed.text));
        }
        for (before, action) in &fixed.actions {
            let line = line_of(before, action.offset);
            document.fixes.push(fix(&source.name, line, action));
            if !options.diff {
                text.push_str(&format!(
                    "{}:{line}: {}: {} [{}]\n",
                    source.name,
                    action.predicate,
                    action.title,
                    action.rule.id()
                ));
            }
        }
        for told in &fixed.hints {
            let line = line_of(&source.text, told.offset());
            document.fixes.push(told.fix(&source.name, line));
            text.push_str(&format!(
                "{}:{line}: {}: {} [{}]\n",
                source.name,
                told.predicate(),
                told.message(),
                told.rule().id()
            ));
        }
    }
    if options.format == Format::Json {
        print(&json::lines(&document)?)?;
    } else {
        if !options.diff {
            text.push_str(&last_line(count, hints, options.apply));
        }
        print(&text)?;
    }
    Ok(outcome)
}

fn last_line(count: usize, hints: usize, applied: bool) -> String {
    let many = |many: usize, noun: &str| match many {
        1 => format!("1 {noun}"),
        many => format!("{many} {noun}s"),
    };
    let told = match hints {
        0 => String::new(),
        hints => format!(" and {}", many(hints, "hint")),
    };
    match (count, applied) {
        (0, _) if hints > 0 => format!("no cheaper variant found, {}\n", many(hints, "hint")),
        (0, _) => "no cheaper variant found\n".to_owned(),
        (count, true) => format!("{} applied\n", many(count, "cheaper variant")),
        (count, false) => format!(
            "{}{told}; `--diff` shows the changes, `--apply` writes them\n",
            many(count, "cheaper variant")
        ),
    }
}

/// A file with its variants.
struct Fixed {
    /// The actions, each with the text to which its edits apply.
    actions: Vec<(String, Action)>,
    /// The hints without an edit; empty if changes are shown or written.
    hints: Vec<Told>,
    /// The text after all changes.
    text: String,
}

/// A hint.
enum Told {
    /// A hint without an edit.
    Remark(Remark),
    /// A declaration or another condition that would permit a cheaper variant.
    Missing(Action),
}

impl Told {
    fn offset(&self) -> usize {
        match self {
            Told::Remark(remark) => remark.range.start,
            Told::Missing(action) => action.offset,
        }
    }

    fn predicate(&self) -> &Functor {
        match self {
            Told::Remark(remark) => &remark.predicate,
            Told::Missing(action) => &action.predicate,
        }
    }

    fn message(&self) -> &str {
        match self {
            Told::Remark(remark) => &remark.message,
            Told::Missing(action) => &action.title,
        }
    }

    fn rule(&self) -> &'static Rule {
        match self {
            Told::Remark(remark) => remark.rule,
            Told::Missing(action) => action.rule,
        }
    }

    fn fix(&self, file: &str, line: usize) -> Fix {
        match self {
            Told::Remark(remark) => hint(file, line, remark),
            Told::Missing(action) => fix(file, line, action),
        }
    }
}

/// Returns the hints of a file. For a predicate with a cheaper variant, only the hint about tabling is kept, since the variant makes the
/// other hints redundant.
fn hints(
    snapshot: &Snapshot,
    file: File,
    options: &Options,
    project: &Arc<Project>,
    actions: &[Action],
) -> anyhow::Result<Vec<Told>> {
    let settings = Settings {
        project: Some(Arc::clone(project)),
        ..Settings::default()
    };
    let is_wanted = |rule: &Rule| options.rule.is_empty() || options.rule.contains(&rule);
    let has_variant = |predicate: &Functor| {
        let mut cheaper = actions.iter().filter(|action| action.is_cheaper());
        cheaper.any(|action| action.predicate == *predicate)
    };
    let of_hints = options.rule.is_empty() || options.rule.iter().any(|r| r.level() == Level::Hint);
    let remarks = match of_hints {
        true => snapshot.advice(file, &settings).map_err(interrupted)?,
        false => Vec::new(),
    };
    let remarks = remarks.into_iter().map(Told::Remark);
    let declarations = actions.iter().filter(|action| !action.missing.is_empty());
    let mut all: Vec<Told> = remarks
        .chain(declarations.cloned().map(Told::Missing))
        .filter(|told| {
            let is_tabling = *told.rule() == rules::TABLING;
            let asked = !options.rule.is_empty();
            is_wanted(told.rule()) && (is_tabling || asked || !has_variant(told.predicate()))
        })
        .collect();
    all.sort_by_key(Told::offset);
    Ok(all)
}

/// Returns the variants of a file. If they are to be applied, repeats until none remain, since one variant may enable another.
fn fixed(
    host: &mut Host,
    source: &Source,
    options: &Options,
    project: &Arc<Project>,
    on: Option<&Chosen>,
) -> anyhow::Result<Fixed> {
    let mut fixed = Fixed {
        actions: Vec::new(),
        hints: Vec::new(),
        text: source.text.clone(),
    };
    let wanted = wanted(options);
    for _ in 0..MOST_ROUNDS {
        let file = host.open_at(&source.name, &source.place, &fixed.text);
        let snapshot = host.snapshot();
        let all = snapshot
            .actions_by(file, 0..fixed.text.len(), on, &wanted)
            .map_err(interrupted)?;
        if !options.apply && !options.diff {
            fixed.hints = hints(&snapshot, file, options, project, &all)?;
        }
        drop(snapshot);
        let mut found: Vec<Action> = all
            .into_iter()
            .filter(|action| match options.rule.is_empty() {
                true => action.is_cheaper(),
                false => options.rule.contains(&action.rule),
            })
            // A variant that needs a declaration is not applied automatically, since only the user can confirm the declaration.
            .filter(|action| action.missing.is_empty())
            .collect();
        if !options.apply && !options.diff {
            fixed.actions = with_text(&fixed.text, found);
            break;
        }
        // Each variant was proved for the text without the other variants of the predicate. The names of new predicates begin with its
        // name.
        found.sort_by_key(|action| action.offset);
        let mut taken: Vec<SmolStr> = Vec::new();
        let mut edited: Vec<Range<usize>> = Vec::new();
        found.retain(|action| {
            let name = &action.predicate.name;
            let may_meet = |other: &SmolStr| {
                name.starts_with(other.as_str()) || other.starts_with(name.as_str())
            };
            // A variant may also edit callers.
            let ranges = action.edits.iter().map(|edit| &edit.range);
            let meets = |r: &Range<usize>| {
                let mut others = edited.iter();
                others.any(|other| r.start <= other.end && other.start <= r.end)
            };
            let is_apart = !taken.iter().any(may_meet) && !ranges.clone().any(meets);
            taken.push(name.clone());
            if is_apart {
                edited.extend(ranges.cloned());
            }
            is_apart
        });
        if found.is_empty() {
            break;
        }
        let mut edits: Vec<_> = found.iter().flat_map(|a| a.edits.clone()).collect();
        edits.sort_by_key(|e| (e.range.start, e.range.end));
        let mut text = fixed.text.clone();
        for edit in edits.iter().rev() {
            text.replace_range(edit.range.clone(), &edit.text);
        }
        fixed.actions.extend(with_text(&fixed.text, found));
        fixed.text = text;
    }
    Ok(fixed)
}

/// Returns the rules whose actions are computed: the named rules, otherwise all rewrites and, if hints are shown, the rules that would
/// enable a rewrite.
fn wanted(options: &Options) -> Vec<&'static Rule> {
    if !options.rule.is_empty() {
        return options.rule.clone();
    }
    let missing = [
        &rules::DECLARE_AND_REWRITE,
        &rules::DECLARE_FOR_VARIANT,
        &rules::CONDITION_MISSING,
    ];
    let hints = missing
        .into_iter()
        .filter(|_| !options.apply && !options.diff);
    let rewrites = REWRITES.iter().map(|rewrite| rewrite.rule);
    rewrites.chain(hints).collect()
}

fn with_text(text: &str, actions: Vec<Action>) -> Vec<(String, Action)> {
    let actions = actions.into_iter();
    actions.map(|action| (text.to_owned(), action)).collect()
}

/// Returns the line number of a byte, from 1.
fn line_of(text: &str, offset: usize) -> usize {
    LineIndex::new(text)
        .position(text, offset, Encoding::Utf8)
        .0
        + 1
}

/// Writes a file in its encoding, unless it has changed since it was read.
///
/// # Errors
/// Fails if the file has changed, if it contains invalid bytes, or if it cannot be written.
fn write(source: &Source, text: &str) -> anyhow::Result<()> {
    let path = Path::new(&source.name);
    let bytes = std::fs::read(path).with_context(|| format!("cannot read `{}`", source.name))?;
    let (now, replaced) = decoded(&bytes);
    if now != source.text {
        bail!("`{}` has changed meanwhile: not written", source.name);
    }
    let encoding = encoding_of(&bytes).name();
    let written = match replaced {
        true => bail!("`{}` is not {encoding}: not written", source.name),
        false => encoded(text, &bytes),
    };
    let Some(written) = written else {
        bail!(
            "`{}`: the variant has a character that is not in {encoding}: not written",
            source.name
        );
    };
    std::fs::write(path, written).with_context(|| format!("cannot write `{}`", source.name))
}
