//! Lockfiles. A lockfile records the bounds of one version of a program, one line for each predicate and call pattern, so that later versions
//! can be compared with it.
//!
//! ```text
//! # costlens.lock 2: bounds on resolution steps; `costlens snapshot` writes it
//! src/lists.pl   nrev/2   (+list(any), -)   n=length(1)   1/2*n^2+3/2*n+1   1/2*n^2+3/2*n+1   app/3   n>=0|…|…|…   excluded
//! ```
//!
//! The fields are separated by tabs: the file relative to the lockfile's folder, the predicate, its call pattern, the sizes that the bounds
//! mention, the lower and the upper bound in the exact syntax (`?` if unknown, `inf` for proved divergence), the predicates with clauses that
//! it calls, the regions of sizes, and whether exceptions are excluded. A region lists its constraints, the lower bound, and the upper bounds
//! to the first solution and over all solutions. Lines are sorted and contain no line numbers, so that unrelated edits and reordered clauses
//! leave them unchanged.
//!
//! Version 1 had only the first seven fields, for one pattern of each predicate. It can still be read; fields that it lacks are not compared.

use std::fmt::Write as _;

use costlens_algebra::text::{Names, to_text};
use costlens_algebra::{Region, Relation};
use costlens_analysis::queries::{file_report, pattern_written, report_of_calls};
use costlens_analysis::report::{
    Bound, Determinism, Functor, Origin, PatternReport, PredicateReport, SizeVariable,
};
use costlens_analysis::types::Metric;
use costlens_program::positions::positions;
use costlens_program::{SourceFile, predicates, resolve};

use crate::db::Db;
use crate::diagnostics::rules;
use crate::diagnostics::suppressions::suppressions;
use crate::navigate::hierarchy::calls_of;
use crate::present::{exact_text, indicator, names, pattern_head};

/// The first line of a lockfile, without the version number.
const HEAD: &str = "# costlens.lock ";
/// The format version that is written.
pub const VERSION: u32 = 2;
/// Placeholder for an empty field.
const NONE: &str = "-";
/// Replacement for a blank within an entry; entries are separated by plain blanks.
const BLANK: &str = "\u{a0}";
/// Characters in names that would end a field or a line, each with its replacement.
const ENDS: [(char, &str); 3] = [('\t', "\u{2409}"), ('\n', "\u{240a}"), ('\r', "\u{240d}")];
/// Placeholder for an unknown bound.
const UNKNOWN: &str = "?";
/// Placeholder for the region that contains all sizes.
const EVERY_SIZE: &str = "true";
/// Marks a pattern whose calls raise no exception.
const EXCLUDED: &str = "excluded";
/// Marks a pattern whose calls may raise an exception.
const POSSIBLE: &str = "possible";

/// A line of a lockfile.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LockRow {
    /// The file, relative to the lockfile's folder.
    pub file: String,
    /// Name and arity.
    pub predicate: String,
    /// The modes and types of the arguments: `(+list(any), -)`.
    pub pattern: String,
    /// The sizes that the bounds mention, each with its meaning: `n`, `length(1)`.
    pub sizes: Vec<(String, String)>,
    /// The lower bound. `None` if unknown.
    pub lower: Option<String>,
    /// The upper bound. `None` if unknown.
    pub upper: Option<String>,
    /// The predicates with clauses that the predicate calls, sorted.
    pub calls: Vec<String>,
    /// The regions of sizes. Empty in version 1.
    pub regions: Vec<RegionRow>,
    /// True if an exception is possible. `None` in version 1.
    pub is_exception_possible: Option<bool>,
}

/// The bounds in one region of sizes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RegionRow {
    /// The constraints of the region: `n-1>=0`, `n=0`.
    pub when: Vec<String>,
    /// The lower bound.
    pub lower: Option<String>,
    /// The upper bound up to the first solution.
    pub first: Option<String>,
    /// The upper bound over all solutions.
    pub all: Option<String>,
}

/// A lockfile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lockfile {
    /// The format version.
    pub version: u32,
    /// The lines.
    pub rows: Vec<LockRow>,
}

/// An error in a text that should be a lockfile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MalformedLockfile {
    /// The first line is not that of a lockfile.
    #[error("the first line is not that of a lockfile (`{HEAD}{VERSION}`)")]
    Head,
    /// The lockfile was written by a later version of Costlens.
    #[error(
        "it is of version {0}, and this Costlens reads versions up to {VERSION}: update Costlens, or write the file again with `costlens snapshot`"
    )]
    Version(u32),
    /// The lockfile contains a Git merge conflict.
    #[error(
        "line {0}: a conflict of versions is not resolved; write the file again with `costlens snapshot`"
    )]
    Conflict(usize),
    /// A line lacks fields.
    #[error("line {0}: {1} fields where there should be {2}")]
    Fields(usize, usize, usize),
}

/// Formats the text of a lockfile.
#[must_use]
pub fn to_lockfile(rows: &[LockRow]) -> String {
    let mut sorted: Vec<&LockRow> = rows.iter().collect();
    sorted.sort();
    sorted.dedup();
    let mut out =
        format!("{HEAD}{VERSION}: bounds on resolution steps; `costlens snapshot` writes it\n");
    for row in sorted {
        let sizes: Vec<String> = (row.sizes.iter())
            .map(|(name, meaning)| format!("{name}={meaning}"))
            .collect();
        let regions: Vec<String> = row.regions.iter().map(region_entry).collect();
        let fields = [
            row.file.clone(),
            row.predicate.clone(),
            row.pattern.clone(),
            list(&sizes),
            bound_field(&row.lower),
            bound_field(&row.upper),
            list(&row.calls),
            list(&regions),
            match row.is_exception_possible {
                None => NONE.to_owned(),
                Some(true) => POSSIBLE.to_owned(),
                Some(false) => EXCLUDED.to_owned(),
            },
        ];
        let whole = |field: String, (end, picture): (char, &str)| field.replace(end, picture);
        let fields = fields.map(|field| ENDS.into_iter().fold(field, whole));
        let _ = writeln!(out, "{}", fields.join("\t"));
    }
    out
}

fn bound_field(bound: &Option<String>) -> String {
    bound.clone().unwrap_or_else(|| UNKNOWN.to_owned())
}

fn bound_read(text: &str) -> Option<String> {
    (text != UNKNOWN).then(|| text.to_owned())
}

/// Formats a region as constraints, lower bound, and upper bounds to the first solution and over all solutions: `n-1>=0&m>=0|n+1|n+1|2*n+1`.
fn region_entry(region: &RegionRow) -> String {
    let when = match region.when.as_slice() {
        [] => EVERY_SIZE.to_owned(),
        constraints => constraints.join("&"),
    };
    let bounds = [&region.lower, &region.first, &region.all].map(bound_field);
    format!("{when}|{}", bounds.join("|"))
}

fn region_read(entry: &str) -> Option<RegionRow> {
    let parts: Vec<&str> = entry.split('|').collect();
    let &[when, lower, first, all] = parts.as_slice() else {
        return None;
    };
    let constraints = when.split('&').filter(|&c| c != EVERY_SIZE);
    Some(RegionRow {
        when: constraints.map(str::to_owned).collect(),
        lower: bound_read(lower),
        first: bound_read(first),
        all: bound_read(all),
    })
}

fn list(entries: &[String]) -> String {
    match entries {
        [] => NONE.to_owned(),
        entries => {
            let quoted: Vec<String> = (entries.iter())
                .map(|entry| entry.replace(' ', BLANK))
                .collect();
            quoted.join(" ")
        }
    }
}

/// Parses a lockfile.
///
/// # Errors
/// See [`MalformedLockfile`].
pub fn read(text: &str) -> Result<Lockfile, MalformedLockfile> {
    let mut lines = text.lines().enumerate();
    let (_, first) = lines.next().ok_or(MalformedLockfile::Head)?;
    let version = first.strip_prefix(HEAD).ok_or(MalformedLockfile::Head)?;
    let version: String = version.chars().take_while(char::is_ascii_digit).collect();
    let version: u32 = version.parse().map_err(|_| MalformedLockfile::Head)?;
    let count = match version {
        1 => 7,
        2 => 9,
        later => return Err(MalformedLockfile::Version(later)),
    };
    let mut rows = Vec::new();
    for (i, line) in lines {
        if ["<<<<<<<", "=======", ">>>>>>>", "|||||||"]
            .iter()
            .any(|mark| line.starts_with(mark))
        {
            return Err(MalformedLockfile::Conflict(i + 1));
        }
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let mut fields: Vec<&str> = line.split('\t').collect();
        let found = fields.len();
        if version == 1 && found == count {
            fields.extend([NONE, NONE]);
        }
        let &[
            file,
            predicate,
            pattern,
            sizes,
            lower,
            upper,
            calls,
            regions,
            exceptions,
        ] = fields.as_slice()
        else {
            return Err(MalformedLockfile::Fields(i + 1, found, count));
        };
        let entries = |text: &str| -> Vec<String> {
            let entries = text.split(' ').filter(|&entry| entry != NONE);
            entries.map(|entry| entry.replace(BLANK, " ")).collect()
        };
        let sizes = entries(sizes).into_iter().filter_map(|size| {
            let (name, meaning) = size.split_once('=')?;
            Some((name.to_owned(), meaning.to_owned()))
        });
        let ended = |field: String, (end, picture): (char, &str)| {
            field.replace(picture, end.encode_utf8(&mut [0; 4]))
        };
        let name = |field: &str| ENDS.into_iter().fold(field.to_owned(), ended);
        rows.push(LockRow {
            file: name(file),
            predicate: name(predicate),
            pattern: name(pattern),
            sizes: sizes.collect(),
            lower: bound_read(lower),
            upper: bound_read(upper),
            calls: entries(calls).iter().map(|call| name(call)).collect(),
            regions: (entries(regions).iter())
                .filter_map(|entry| region_read(entry))
                .collect(),
            is_exception_possible: match exceptions {
                EXCLUDED => Some(false),
                POSSIBLE => Some(true),
                _ => None,
            },
        });
    }
    Ok(Lockfile { version, rows })
}

/// A predicate of the current program.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredPredicate {
    /// Name and arity.
    pub predicate: String,
    /// The offset of the first clause's head.
    pub offset: usize,
    /// The bounds under the call patterns that belong in a lockfile: the first pattern, and all declared patterns.
    pub patterns: Vec<PatternBounds>,
    /// The lockfile lines for the comparison, each with the current bounds under the line's pattern.
    pub asked: Vec<LineBounds>,
    /// True if a comment suppresses regressions of the predicate.
    pub is_suppressed: bool,
    /// The callees with clauses, each with the offset of its first call.
    pub calls: Vec<(String, usize)>,
}

impl MeasuredPredicate {
    /// Returns the current bounds under the pattern of a line. Returns `None` if the pattern contains a type that is no longer defined.
    #[must_use]
    pub fn current_bounds(&self, row: &LockRow) -> Option<&PatternBounds> {
        let asked = self.asked.iter().find(|asked| asked.is_of(row))?;
        asked.found.as_ref()
    }

    /// Returns true if a new lockfile would contain the pattern of a line: the pattern is declared, or displayed first.
    #[must_use]
    pub fn is_locked_now(&self, row: &LockRow) -> bool {
        (self.patterns.iter()).any(|pattern| pattern.row.pattern == row.pattern)
    }
}

/// The current bounds for one line of a lockfile.
#[derive(Clone, Debug, PartialEq)]
pub struct LineBounds {
    /// The pattern of the line.
    pub pattern: String,
    /// The sizes of the line.
    pub sizes: Vec<(String, String)>,
    /// The current bounds under the pattern. `None` if the pattern contains a type that is no longer defined.
    pub found: Option<PatternBounds>,
}

impl LineBounds {
    fn is_of(&self, row: &LockRow) -> bool {
        self.pattern == row.pattern && self.sizes == row.sizes
    }
}

/// The bounds of a predicate under a call pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternBounds {
    /// The lockfile line, without the file.
    pub row: LockRow,
    /// The size variables, in order.
    pub sizes: Vec<SizeVariable>,
    /// The lower bound.
    pub lower: Bound,
    /// The upper bound.
    pub upper: Bound,
    /// The bounds in each region of sizes.
    pub regions: Vec<RegionBounds>,
    /// The index of the region in which sizes grow.
    pub main: usize,
    /// True if no call under the pattern has a solution.
    pub always_fails: bool,
}

/// The bounds in a region of sizes.
#[derive(Clone, Debug, PartialEq)]
pub struct RegionBounds {
    /// The region.
    pub when: Region,
    /// The lower bound.
    pub lower: Bound,
    /// The upper bound up to the first solution.
    pub first: Bound,
    /// The upper bound over all solutions.
    pub all: Bound,
}

/// Computes the current bounds of a file's predicates. `before` contains the lockfile's lines for the file.
pub fn measured(db: &dyn Db, file: SourceFile, before: &[&LockRow]) -> Vec<MeasuredPredicate> {
    let (places, reports) = (positions(db, file), file_report(db, file));
    let suppressed = suppressions(db, file);
    let all = places.iter().zip(reports.iter());
    all.filter_map(|(place, report)| {
        let offset = place.clauses.first()?.head.0;
        let calls = called(db, file, &place.functor);
        let mut names: Vec<String> = calls.iter().map(|(name, _)| name.clone()).collect();
        names.sort();
        let predicate = indicator(&report.predicate);
        let patterns = locked(report).map(|pattern| of_pattern(&predicate, pattern, &names));
        let lines = before.iter().filter(|row| row.predicate == predicate);
        let asked = lines.map(|row| LineBounds {
            pattern: row.pattern.clone(),
            sizes: row.sizes.clone(),
            found: now_under(db, file, report, row)
                .map(|report| of_pattern(&predicate, &report, &names)),
        });
        Some(MeasuredPredicate {
            offset,
            is_suppressed: suppressed.covers(&rules::REGRESSION, offset),
            patterns: patterns.collect(),
            asked: asked.collect(),
            calls,
            predicate,
        })
    })
    .collect()
}

/// Returns the predicates that a file defines, by name and arity, without analysing them.
pub fn defined(db: &dyn Db, file: SourceFile) -> Vec<String> {
    let all = predicates(db, file).iter();
    all.map(|p| indicator(p.functor(db))).collect()
}

/// Returns the patterns of a predicate that belong in a lockfile: the pattern that a user would most likely expect, and all declared
/// patterns.
fn locked(report: &PredicateReport) -> impl Iterator<Item = &PatternReport> {
    let is_stated = |p: &PatternReport| matches!(p.origin, Origin::Declared | Origin::Entry);
    let all = report.patterns.iter().enumerate();
    all.filter(move |(i, p)| *i == 0 || is_stated(p))
        .map(|(_, pattern)| pattern)
}

/// Returns the current report for the calls of a lockfile line, regardless of the patterns that are displayed for the predicate now.
fn now_under(
    db: &dyn Db,
    file: SourceFile,
    report: &PredicateReport,
    row: &LockRow,
) -> Option<PatternReport> {
    let is_meant = |p: &&PatternReport| {
        pattern_text(p) == row.pattern && (row.sizes.iter()).all(|s| has_meaning(p, &s.1))
    };
    if let Some(shown) = report.patterns.iter().find(is_meant) {
        return Some(shown.clone());
    }
    let is_measured = |argument: usize, element: bool| {
        let meaning = written_meaning("chars", argument, element);
        row.sizes.iter().any(|(_, of)| *of == meaning)
    };
    let pattern = pattern_written(db, file, &row.pattern, &is_measured)?;
    report_of_calls(db, file, &report.predicate, &pattern)
}

fn has_meaning(report: &PatternReport, of: &str) -> bool {
    quantities(report).iter().any(|(_, meaning)| meaning == of)
}

fn pattern_text(report: &PatternReport) -> String {
    let head = pattern_head("p", &report.pattern, &[]);
    match head.strip_prefix('p') {
        Some("") | None => "()".to_owned(),
        Some(arguments) => arguments.to_owned(),
    }
}

fn of_pattern(predicate: &str, report: &PatternReport, calls: &[String]) -> PatternBounds {
    let (lower, upper) = report.headline.envelope();
    let quantities = quantities(report);
    let sizes: Vec<SizeVariable> = quantities.iter().map(|(size, _)| size.clone()).collect();
    let names = names(&sizes);
    let regions: Vec<RegionBounds> = (report.steps.iter())
        .map(|piece| RegionBounds {
            when: piece.when.clone(),
            lower: piece.first.lower.clone(),
            first: piece.first.upper.clone(),
            all: piece.all.upper.clone(),
        })
        .collect();
    PatternBounds {
        row: LockRow {
            file: String::new(),
            predicate: predicate.to_owned(),
            pattern: pattern_text(report),
            sizes: (quantities.iter())
                .map(|(size, meaning)| (size.name.clone(), meaning.clone()))
                .collect(),
            lower: exact_text(lower, &names),
            upper: exact_text(upper, &names),
            calls: calls.to_vec(),
            regions: regions.iter().map(|r| region_row(r, &names)).collect(),
            is_exception_possible: Some(report.errors_possible),
        },
        sizes: sizes.clone(),
        lower: lower.clone(),
        upper: upper.clone(),
        regions,
        main: report.main,
        always_fails: report.determinism == Determinism::Failure,
    }
}

/// Formats a region in the exact syntax.
#[must_use]
pub fn region_row(region: &RegionBounds, names: &Names<'_>) -> RegionRow {
    let constraints = region.when.constraints().iter().map(|c| {
        let left = to_text(&c.expr(), names);
        match c.relation() {
            Relation::NonNegative => format!("{left}>=0"),
            Relation::Zero => format!("{left}=0"),
        }
    });
    RegionRow {
        when: constraints.collect(),
        lower: exact_text(&region.lower, names),
        first: exact_text(&region.first, names),
        all: exact_text(&region.all, names),
    }
}

/// Returns the quantities on which the bounds of a report depend, each with its meaning: sizes, then parameters, which are natural numbers
/// like lengths. A parameter whose name is not a word gets a name that is one.
fn quantities(report: &PatternReport) -> Vec<(SizeVariable, String)> {
    let sizes = report
        .sizes
        .iter()
        .map(|size| (size.clone(), meaning(size)));
    let parameters = report.parameters.iter().enumerate().map(|(i, p)| {
        let is_word = p.name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let size = SizeVariable {
            var: p.var,
            argument: 0,
            metric: Metric::Length,
            element: false,
            name: match is_word {
                true => p.name.clone(),
                false => format!("x{}", i + 1),
            },
        };
        (size, field_text(&p.parameter.to_string()))
    });
    sizes.chain(parameters).collect()
}

/// Escapes the characters that separate the parts of a line.
fn field_text(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '(' | ')' | '$');
    let escape = |c: char| match is_plain(c) {
        true => c.to_string(),
        false => format!("%{:x}", u32::from(c)),
    };
    text.chars().map(escape).collect()
}

/// Formats the meaning of a size: `length(1)`, or `int(2.e)` for the largest element.
pub(super) fn meaning(size: &SizeVariable) -> String {
    written_meaning(&size.metric.to_string(), size.argument, size.element)
}

fn written_meaning(metric: &str, argument: usize, element: bool) -> String {
    let element = if element { ".e" } else { "" };
    format!("{metric}({argument}{element})")
}

/// Returns the predicates with clauses that a predicate calls, except the predicate itself.
fn called(db: &dyn Db, file: SourceFile, predicate: &Functor) -> Vec<(String, usize)> {
    let calls = calls_of(db, file, predicate).into_iter();
    let others = calls.filter(|(callee, _)| {
        callee.functor != *predicate && resolve(db, file, &callee.functor).is_some()
    });
    others
        .filter_map(|(callee, calls)| {
            let first = calls.iter().map(|call| call.start).min()?;
            Some((indicator(&callee.functor), first))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(predicate: &str) -> LockRow {
        LockRow {
            file: "src/lists.pl".to_owned(),
            predicate: predicate.to_owned(),
            pattern: "(+list(any), -)".to_owned(),
            sizes: vec![("n".to_owned(), "length(1)".to_owned())],
            lower: Some("n+1".to_owned()),
            upper: None,
            calls: vec!["'an append'/3".to_owned(), "app/3".to_owned()],
            regions: vec![
                RegionRow {
                    when: vec!["n-1>=0".to_owned(), "n-m=0".to_owned()],
                    lower: Some("n+1".to_owned()),
                    first: None,
                    all: Some("inf".to_owned()),
                },
                RegionRow {
                    when: Vec::new(),
                    lower: Some("0".to_owned()),
                    first: Some("1".to_owned()),
                    all: Some("1".to_owned()),
                },
            ],
            is_exception_possible: Some(false),
        }
    }

    #[test]
    fn a_lockfile_is_read_as_it_was_written_whatever_the_order() {
        let (one, two) = (row("nrev/2"), row("app/3"));
        let text = to_lockfile(&[one.clone(), two.clone()]);
        assert_eq!(text, to_lockfile(&[two.clone(), one.clone(), two.clone()]));
        assert_eq!(read(&text).unwrap().rows, [two, one]);
        let mut bare = row("go/0");
        (bare.sizes, bare.calls, bare.regions) = Default::default();
        let text = to_lockfile(std::slice::from_ref(&bare));
        assert_eq!(read(&text).unwrap().rows, [bare]);
        // A name may contain characters that separate fields and lines.
        let mut odd = row("'a\tb\nc\rd'/1");
        odd.calls = vec!["'x\ty z'/2".to_owned()];
        let text = to_lockfile(std::slice::from_ref(&odd));
        assert_eq!(text.lines().count(), 2);
        assert_eq!(read(&text).unwrap().rows, [odd]);
    }

    #[test]
    fn a_lockfile_of_version_1_is_read_without_what_it_has_not() {
        let mut old = row("app/3");
        (old.regions, old.is_exception_possible) = (Vec::new(), None);
        let text = to_lockfile(std::slice::from_ref(&old));
        let text = text.replace("lock 2", "lock 1").replace("\t-\t-\n", "\n");
        let rows = vec![old];
        assert_eq!(read(&text), Ok(Lockfile { version: 1, rows }));
    }

    #[test]
    fn what_is_no_lockfile_is_said_with_its_line() {
        let conflict = format!("{HEAD}2\n<<<<<<< ours\n");
        for (text, expected) in [
            ("", MalformedLockfile::Head),
            ("p(1).\n", MalformedLockfile::Head),
            (conflict.as_str(), MalformedLockfile::Conflict(2)),
            ("# costlens.lock 9\n", MalformedLockfile::Version(9)),
            (
                &format!("{HEAD}2\n\na.pl\tp/1\n"),
                MalformedLockfile::Fields(3, 2, 9),
            ),
            (
                &format!("{HEAD}1\n\na.pl\tp/1\n"),
                MalformedLockfile::Fields(3, 2, 7),
            ),
        ] {
            assert_eq!(read(text), Err(expected), "{text}");
        }
    }
}
