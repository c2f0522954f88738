//! Lockfiles: the bounds of a version of a program, a line for each predicate, so that a later version can be compared with them.
//!
//! ```text
//! # costlens.lock 1: bounds on resolution steps; `costlens snapshot` writes it
//! src/lists.pl   nrev/2   (+list(any), -)   n=length(1)   1/2*n^2+3/2*n+1   1/2*n^2+3/2*n+1   app/3
//! ```
//!
//! The fields are separated by tabs: the file as seen from the lockfile's folder, the predicate, its call pattern, the sizes that the bounds
//! mention, lower and upper bound in the exact syntax (`?` where none is known, `inf` for a proved divergence), and the predicates with clauses
//! that it calls. Lines are sorted and say nothing of places, so that neither an edit elsewhere nor the order of clauses changes them.

use std::fmt::Write as _;

use costlens_algebra::Region;
use costlens_analysis::queries::file_report;
use costlens_analysis::report::{Bound, Functor, PatternReport, SizeVariable};
use costlens_program::positions::positions;
use costlens_program::{SourceFile, resolve};

use crate::db::Db;
use crate::diagnostics::rules;
use crate::diagnostics::suppressions::suppressions;
use crate::navigate::hierarchy::calls_of;
use crate::present::{exact_text, indicator, names, pattern_head};

/// The first line of a lockfile, up to what is for people.
const HEAD: &str = "# costlens.lock 1";
/// A field without anything in it.
const NONE: &str = "-";
/// A blank inside of an entry: those between entries are plain ones.
const BLANK: &str = "\u{a0}";
/// A bound that is not known.
const UNKNOWN: &str = "?";

/// A line of a lockfile.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row {
    /// The file as seen from the lockfile's folder.
    pub file: String,
    /// Name and arity.
    pub predicate: String,
    /// The modes and types of the arguments: `(+list(any), -)`.
    pub pattern: String,
    /// The sizes that the bounds mention, each with its meaning: `n`, `length(1)`.
    pub sizes: Vec<(String, String)>,
    /// The lower bound; none where nothing is known.
    pub lower: Option<String>,
    /// The upper bound; none where nothing is known.
    pub upper: Option<String>,
    /// The predicates with clauses that it calls, sorted.
    pub calls: Vec<String>,
}

/// A fault in a text that should be a lockfile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// The first line is that of something else.
    #[error("the first line is not that of a lockfile (`{HEAD}`)")]
    Head,
    /// Git could not merge two versions.
    #[error(
        "line {0}: a conflict of versions is not resolved; write the file again with `costlens snapshot`"
    )]
    Conflict(usize),
    /// A line has not all fields.
    #[error("line {0}: {1} fields where there should be 7")]
    Fields(usize, usize),
}

/// The text of a lockfile.
#[must_use]
pub fn to_text(rows: &[Row]) -> String {
    let mut sorted: Vec<&Row> = rows.iter().collect();
    sorted.sort();
    sorted.dedup();
    let mut out = format!("{HEAD}: bounds on resolution steps; `costlens snapshot` writes it\n");
    for row in sorted {
        let sizes: Vec<String> = (row.sizes.iter())
            .map(|(name, meaning)| format!("{name}={meaning}"))
            .collect();
        let bound = |bound: &Option<String>| bound.clone().unwrap_or_else(|| UNKNOWN.to_owned());
        let fields = [
            row.file.clone(),
            row.predicate.clone(),
            row.pattern.clone(),
            list(&sizes),
            bound(&row.lower),
            bound(&row.upper),
            list(&row.calls),
        ];
        let fields = fields.map(|field| field.replace(['\t', '\n', '\r'], " "));
        let _ = writeln!(out, "{}", fields.join("\t"));
    }
    out
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

/// Reads a lockfile.
///
/// # Errors
/// See [`Malformed`].
pub fn read(text: &str) -> Result<Vec<Row>, Malformed> {
    let mut lines = text.lines().enumerate();
    match lines.next() {
        Some((_, line)) if line.starts_with(HEAD) => {}
        _ => return Err(Malformed::Head),
    }
    let mut rows = Vec::new();
    for (i, line) in lines {
        if ["<<<<<<<", "=======", ">>>>>>>", "|||||||"]
            .iter()
            .any(|mark| line.starts_with(mark))
        {
            return Err(Malformed::Conflict(i + 1));
        }
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let fields: Vec<&str> = line.split('\t').collect();
        let &[file, predicate, pattern, sizes, lower, upper, calls] = fields.as_slice() else {
            return Err(Malformed::Fields(i + 1, fields.len()));
        };
        let bound = |text: &str| (text != UNKNOWN).then(|| text.to_owned());
        let entries = |text: &str| -> Vec<String> {
            let entries = text.split(' ').filter(|&entry| entry != NONE);
            entries.map(|entry| entry.replace(BLANK, " ")).collect()
        };
        let sizes = entries(sizes).into_iter().filter_map(|size| {
            let (name, meaning) = size.split_once('=')?;
            Some((name.to_owned(), meaning.to_owned()))
        });
        rows.push(Row {
            file: file.to_owned(),
            predicate: predicate.to_owned(),
            pattern: pattern.to_owned(),
            sizes: sizes.collect(),
            lower: bound(lower),
            upper: bound(upper),
            calls: entries(calls),
        });
    }
    Ok(rows)
}

/// A predicate of a program as it is now.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The first byte of its first clause's head.
    pub offset: usize,
    /// Its bounds under each call pattern; the first is what a lockfile has.
    pub patterns: Vec<Pattern>,
    /// True where a comment asks not to be told that it became dearer.
    pub is_suppressed: bool,
    /// The calls of predicates with clauses: each predicate, and the first byte of its first call.
    pub calls: Vec<(String, usize)>,
}

/// The bounds of a predicate under a call pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// As a lockfile has it; the file is left open.
    pub row: Row,
    /// The variables of its sizes, in their order.
    pub sizes: Vec<SizeVariable>,
    /// The region in which sizes grow.
    pub region: Region,
    /// The lower bound.
    pub lower: Bound,
    /// The upper bound.
    pub upper: Bound,
}

/// The predicates of a file.
pub fn measured(db: &dyn Db, file: SourceFile) -> Vec<Measured> {
    let (places, reports) = (positions(db, file), file_report(db, file));
    let suppressed = suppressions(db, file);
    let all = places.iter().zip(reports.iter());
    all.filter_map(|(place, report)| {
        let offset = place.clauses.first()?.head.0;
        let calls = called(db, file, &place.functor);
        let mut names: Vec<String> = calls.iter().map(|(name, _)| name.clone()).collect();
        names.sort();
        let patterns = report.patterns.iter();
        let patterns = patterns.map(|pattern| of_pattern(&report.predicate, pattern, &names));
        Some(Measured {
            offset,
            is_suppressed: suppressed.covers(&rules::REGRESSION, offset),
            patterns: patterns.collect(),
            calls,
        })
    })
    .collect()
}

fn of_pattern(predicate: &Functor, report: &PatternReport, calls: &[String]) -> Pattern {
    let (lower, upper) = report.headline.envelope();
    let names = names(&report.sizes);
    let head = pattern_head("p", &report.pattern, &[]);
    let region = report.main_piece().map(|piece| piece.when.clone());
    Pattern {
        row: Row {
            file: String::new(),
            predicate: indicator(predicate),
            pattern: match head.strip_prefix('p') {
                Some("") | None => "()".to_owned(),
                Some(arguments) => arguments.to_owned(),
            },
            sizes: (report.sizes.iter())
                .map(|size| (size.name.clone(), meaning(size)))
                .collect(),
            lower: exact_text(lower, &names),
            upper: exact_text(upper, &names),
            calls: calls.to_vec(),
        },
        sizes: report.sizes.clone(),
        region: region.unwrap_or_else(Region::everything),
        lower: lower.clone(),
        upper: upper.clone(),
    }
}

/// The meaning of a size: `length(1)`, of the largest element `int(2.e)`.
pub(super) fn meaning(size: &SizeVariable) -> String {
    let element = if size.element { ".e" } else { "" };
    format!("{}({}{element})", size.metric, size.argument)
}

/// The predicates with clauses that a predicate calls, itself left out.
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

    fn row(predicate: &str) -> Row {
        Row {
            file: "src/lists.pl".to_owned(),
            predicate: predicate.to_owned(),
            pattern: "(+list(any), -)".to_owned(),
            sizes: vec![("n".to_owned(), "length(1)".to_owned())],
            lower: Some("n+1".to_owned()),
            upper: None,
            calls: vec!["'an append'/3".to_owned(), "app/3".to_owned()],
        }
    }

    #[test]
    fn a_lockfile_is_read_as_it_was_written_whatever_the_order() {
        let (one, two) = (row("nrev/2"), row("app/3"));
        let text = to_text(&[one.clone(), two.clone()]);
        assert_eq!(text, to_text(&[two.clone(), one.clone(), two.clone()]));
        assert_eq!(read(&text), Ok(vec![two, one]));
        let mut bare = row("go/0");
        (bare.sizes, bare.calls) = (Vec::new(), Vec::new());
        assert_eq!(read(&to_text(std::slice::from_ref(&bare))), Ok(vec![bare]));
    }

    #[test]
    fn what_is_no_lockfile_is_said_with_its_line() {
        let conflict = format!("{HEAD}\n<<<<<<< ours\n");
        for (text, expected) in [
            ("", Malformed::Head),
            ("p(1).\n", Malformed::Head),
            (conflict.as_str(), Malformed::Conflict(2)),
            (&format!("{HEAD}\n\na.pl\tp/1\n"), Malformed::Fields(3, 2)),
        ] {
            assert_eq!(read(text), Err(expected), "{text}");
        }
    }
}
