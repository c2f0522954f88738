//! Hovers: a predicate's cost, on its name in a clause head and on calls of it.

use std::ops::Range;

use costlens_analysis::report::PredicateName;
use costlens_program::goals::calls;
use costlens_program::positions::{ClausePosition, positions};
use costlens_program::{Clause, ClauseKind, Functor, SourceFile, find};

use crate::arguments::argument_names;
use crate::markdown;
use crate::reports::{Db, functor, report};

/// What hovering shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The bytes that it is about.
    pub range: Range<usize>,
    /// Markdown.
    pub markdown: String,
}

/// The cost of the predicate whose name stands at the offset, if there is one.
pub fn hover(db: &dyn Db, file: SourceFile, offset: usize) -> Option<Hover> {
    let (range, functor) = predicate_at(db, file, offset)?;
    let markdown = explained(db, file, &functor)?;
    Some(Hover { range, markdown })
}

/// The same for a predicate by name.
pub fn tooltip(db: &dyn Db, file: SourceFile, predicate: &PredicateName) -> Option<String> {
    explained(db, file, &functor(predicate))
}

fn explained(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<String> {
    let report = report(db, file, functor)?;
    Some(markdown::predicate(
        &report,
        &argument_names(db, file, functor),
    ))
}

/// The predicate whose name stands at an offset, in a head or a body, and the bytes of the name.
fn predicate_at(db: &dyn Db, file: SourceFile, offset: usize) -> Option<(Range<usize>, Functor)> {
    for p in positions(db, file).iter() {
        for (i, clause) in p.clauses.iter().enumerate() {
            if !(clause.range.0..clause.range.1).contains(&offset) {
                continue;
            }
            if (clause.name.0..=clause.name.1).contains(&offset) {
                return Some((clause.name.0..clause.name.1, p.functor.clone()));
            }
            let clauses = find(db, file, &p.functor)?.clauses(db);
            let text = &file.parsed(db).text;
            return call_at(clauses.get(i)?, clause, text, offset);
        }
    }
    None
}

/// The innermost call whose name stands at the offset.
fn call_at(
    clause: &Clause,
    position: &ClausePosition,
    text: &str,
    offset: usize,
) -> Option<(Range<usize>, Functor)> {
    let bodies = clause.guard.into_iter().chain(clause.body);
    let mut best: Option<(Range<usize>, Functor)> = None;
    for call in bodies.flat_map(|body| calls(&clause.terms, body)) {
        let Some((from, to)) = position.of(call.goal) else {
            continue;
        };
        let Some(written) = text.get(from..to) else {
            continue;
        };
        // `name(…)` or `name`; of an infix goal the place is not known, and no predicate of the user's is meant.
        let arguments = clause.terms.args(call.goal);
        let length = match arguments.first().and_then(|&a| position.of(a)) {
            None => written.len(),
            Some((first, _)) => match text.get(from..first).map(str::trim_end) {
                Some(before) if before.len() > 1 && before.ends_with('(') => before.len() - 1,
                _ => continue,
            },
        };
        if !(from..=from + length).contains(&offset) {
            continue;
        }
        let mut callee = call.callee;
        if clause.kind == ClauseKind::Dcg {
            callee.arity += 2;
        }
        best = Some((from..from + length, callee));
    }
    best
}
