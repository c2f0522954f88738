//! The symbols of a file for outlines, and the symbols of all files for searches by name.

use std::ops::Range;

use costlens_analysis::queries::file_report;
use costlens_program::positions::{outline as read_outline, positions};
use costlens_program::{SourceFile, predicates};
use costlens_syntax::{Parsed, dialect_of};

use crate::db::Db;
use crate::document::completion::subsequence;
use crate::file::File;
use crate::hints::{cost, label};
use crate::present::indicator;

/// A predicate in an outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The indicator: `nrev/2`.
    pub name: String,
    /// The cost, as in the hint.
    pub detail: Option<String>,
    /// The range of the clauses up to the first clause of another predicate.
    pub range: Range<usize>,
    /// The range of the name in the first clause's head.
    pub selection: Range<usize>,
}

/// Returns the predicates of a file in the order of their first clauses.
pub fn document_symbols(db: &dyn Db, file: SourceFile) -> Vec<Symbol> {
    file_report(db, file);
    let (positions, predicates) = (positions(db, file), predicates(db, file));
    let mut clauses: Vec<(usize, usize, usize)> = (positions.iter().enumerate())
        .flat_map(|(i, p)| p.clauses.iter().map(move |c| (c.range.0, c.range.1, i)))
        .collect();
    clauses.sort_unstable();
    let mut symbols: Vec<Option<Symbol>> = vec![None; positions.len()];
    let mut last = None;
    for (start, end, i) in clauses {
        let p = &positions[i];
        match &mut symbols[i] {
            None => {
                let label = (predicates.get(i)).and_then(|&p| label(db, p));
                symbols[i] = Some(Symbol {
                    name: indicator(&p.functor),
                    detail: label.map(|l| l.text.clone()),
                    range: start..end,
                    selection: p.clauses[0].name.0..p.clauses[0].name.1,
                });
            }
            Some(symbol) if last == Some(i) => symbol.range.end = end,
            Some(_) => {}
        }
        last = Some(i);
    }
    symbols.into_iter().flatten().collect()
}

/// Returns the predicates of a text that does not belong to a program, in the order of their first clauses. Each has an indicator, `nrev/2`,
/// and the range of its name.
#[must_use]
pub fn outline(text: &str) -> Vec<(String, Range<usize>)> {
    let parsed = Parsed::in_dialect(text, dialect_of(text)).read_once();
    (read_outline(&parsed).into_iter())
        .map(|(functor, range)| (indicator(&functor), range.0..range.1))
        .collect()
}

/// The maximum number of symbols that are returned. Typing more of the name narrows them down.
pub const MOST_FOUND: usize = 128;

/// Ranks how well a predicate (`nrev/2`) matches a query: its name starts with the query, or contains the characters of the query in order.
/// Smaller ranks are better. Returns `None` if the predicate does not match.
#[must_use]
pub fn fit(query: &str, indicator: &str) -> Option<usize> {
    let name = indicator
        .rsplit_once('/')
        .map_or(indicator, |(name, _)| name);
    fits(query, name)
}

fn fits(query: &str, name: &str) -> Option<usize> {
    // The query may be an indicator, such as `nrev/2`.
    let query = query.split('/').next().unwrap_or(query);
    subsequence(query, name).then(|| usize::from(!name.starts_with(query)))
}

/// Returns the predicates of these files whose names contain the characters of the query in order. Names that start with the query come
/// first.
pub fn workspace_symbols(db: &dyn Db, files: &[SourceFile], query: &str) -> Vec<(File, Symbol)> {
    let mut found: Vec<(usize, &str, SourceFile, usize)> = Vec::new();
    for &file in files {
        db.unwind_if_revision_cancelled();
        for (i, predicate) in predicates(db, file).iter().enumerate() {
            let name = predicate.functor(db).name.as_str();
            if let Some(fit) = fits(query, name) {
                found.push((fit, name, file, i));
            }
        }
    }
    found.sort_by(|a, b| (a.0, a.1, a.3).cmp(&(b.0, b.1, b.3)));
    found
        .into_iter()
        .take(MOST_FOUND)
        .filter_map(|(_, _, file, i)| {
            let positions = positions(db, file);
            let place = positions.get(i)?;
            let first = place.clauses.first()?;
            let symbol = Symbol {
                name: indicator(&place.functor),
                detail: cost(db, file, &place.functor),
                range: first.range.0..first.range.1,
                selection: first.name.0..first.name.1,
            };
            Some((File(file), symbol))
        })
        .collect()
}
