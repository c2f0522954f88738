//! The predicates of a file, for outlines.

use std::ops::Range;

use costlens_analysis::queries::file_report;
use costlens_program::positions::positions;
use costlens_program::{SourceFile, predicates};

use crate::hints::label;
use crate::markdown::indicator;
use crate::reports::{Db, name};

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
                    name: indicator(&name(&p.functor)),
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
