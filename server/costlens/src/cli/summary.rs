//! `costlens bounds --summary`: counts the predicates with bounds.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use costlens_analysis::report::Functor;
use costlens_ide::host::{File, Host};
use costlens_ide::present::markup::aligned;
use costlens_ide::reports::coverage::Coverage;

use super::json::bounds::{Cause, Shares, Summary};
use super::output::print;
use super::{Format, interrupted, json};
use crate::report::counted;

/// The maximum number of kinds of causes shown.
const MOST_CAUSES: usize = 10;

/// Counts the requested predicates of files with bounds, and prints the numbers. Returns the defined predicates.
pub(super) fn print_summary(
    host: &Host,
    files: &[File],
    threads: usize,
    predicates: &[Functor],
    format: Format,
) -> anyhow::Result<BTreeSet<Functor>> {
    let found: Mutex<BTreeSet<Functor>> = Mutex::default();
    let asked = |name: &Functor| {
        let is_named = predicates.contains(name);
        if is_named {
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.insert(name.clone());
        }
        is_named || predicates.is_empty()
    };
    let of_files = (host.snapshot())
        .count(files, threads, &asked)
        .map_err(interrupted)?;
    let (mut coverage, mut counted) = (Coverage::default(), 0);
    for of_file in of_files {
        counted += usize::from(predicates.is_empty() || of_file.predicates > 0);
        coverage.add_all(of_file);
    }
    match format {
        Format::Json => print(&json::lines(&as_json(&coverage, counted))?)?,
        Format::Text => print(&as_text(&coverage, counted))?,
    }
    Ok(found.into_inner().unwrap_or_else(PoisonError::into_inner))
}

fn as_text(coverage: &Coverage, files: usize) -> String {
    let all = coverage.predicates;
    let row = |what: &str, n: usize| vec![what.to_owned(), n.to_string(), percent(n, all)];
    let mut rows = vec![
        row("bounded above", coverage.upper),
        row("exponential", coverage.exponential),
        row("exponential, may be loose", coverage.loose),
        row("bounded below by more than 0", coverage.lower),
        row("proved to run for ever", coverage.diverges),
        row("out of fuel", coverage.fuel),
    ];
    rows.retain(|row| row[1] != "0");
    let mut out = format!(
        "{}, {}\n{}",
        counted(files, "file", "files"),
        counted(all, "predicate", "predicates"),
        aligned(&rows, "  ")
    );
    if !coverage.causes.is_empty() {
        out.push_str("no upper bound, by what is to blame\n");
        let causes: Vec<Vec<String>> = (coverage.causes.iter().take(MOST_CAUSES))
            .map(|(cause, n)| vec![n.to_string(), percent(*n, all), cause.clone()])
            .collect();
        out.push_str(&aligned(&causes, "  "));
        let others: usize = coverage.causes.iter().skip(MOST_CAUSES).map(|c| c.1).sum();
        if others > 0 {
            let kinds = coverage.causes.len() - MOST_CAUSES;
            let kinds = counted(kinds, "other kind", "other kinds");
            out.push_str(&format!("  {others} of {kinds}\n"));
        }
    }
    out
}

fn as_json(coverage: &Coverage, files: usize) -> Summary {
    let causes = coverage.causes.iter().map(|(cause, n)| Cause {
        reason: cause.clone(),
        predicates: *n,
    });
    Summary {
        schema: json::SCHEMA,
        platform: None,
        shares: Shares {
            files,
            predicates: coverage.predicates,
            upper: coverage.upper,
            exponential: coverage.exponential,
            loose: coverage.loose,
            lower: coverage.lower,
            diverges: coverage.diverges,
            fuel: coverage.fuel,
            causes: causes.collect(),
        },
    }
}

/// Returns a percentage rounded to an integer.
fn percent(n: usize, of: usize) -> String {
    let of = of.max(1);
    format!("{}%", (n * 100 + of / 2) / of)
}
