//! The predicates of a file, for outlines.

use std::ops::Range;

use costlens_program::SourceFile;
use costlens_program::positions::positions;

use crate::markdown::indicator;
use crate::present::hint_text;
use crate::reports::{Db, name, reports};

/// A predicate in an outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// `nrev/2`.
    pub name: String,
    /// Its cost, as the hint says it.
    pub detail: Option<String>,
    /// Its clauses up to the first clause of another predicate.
    pub range: Range<usize>,
    /// The head's name in the first clause.
    pub selection: Range<usize>,
}

/// The predicates of a file in the order of their first clauses.
pub fn document_symbols(db: &dyn Db, file: SourceFile) -> Vec<Symbol> {
    let (positions, reports) = (positions(db, file), reports(db, file));
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
                let label = (reports.get(i))
                    .and_then(|r| hint_text(r.patterns.first()?))
                    .map(|(_, label)| label);
                symbols[i] = Some(Symbol {
                    name: indicator(&name(&p.functor)),
                    detail: label,
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
