//! The positions of clauses and heads, and the names of their variables. Only presentation code reads them.

use std::sync::Arc;

use costlens_syntax::term::{ReadClause, Spans, TermId};
use costlens_syntax::{Parsed, ReadOptions, read};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::definitions::{expanded_terms, stands_in};
use crate::directives::{Conditions, Presence};
use crate::language::{Clause, Functor, directive, qualified_head};
use crate::loading::{home_module, is_home};
use crate::workspace::{Db, SourceFile, terms};

/// A byte range in a file: the first byte, and the byte after the last.
pub type Range = (usize, usize);

/// The positions of the clauses of a predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PredicatePositions {
    /// The predicate.
    pub functor: Functor,
    /// The positions of the clauses, in the order of [`crate::Predicate::clauses`].
    pub clauses: Vec<ClausePosition>,
}

/// The position of one clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClausePosition {
    /// The range of the whole clause, including the end token.
    pub range: Range,
    /// The range of the head.
    pub head: Range,
    /// The range of the name in the head: `nrev` in `nrev([], [])`; the whole head if the name is between its arguments.
    pub name: Range,
    /// The positions of the clause's terms, relative to the start of [`ClausePosition::range`], and the variable names. Terms that Costlens
    /// adds to translate a grammar rule have the position of the term that they represent, or no position.
    pub spans: Arc<Spans>,
}

impl ClausePosition {
    /// Returns the range of a term in the file. Returns `None` for a term that is not in the text.
    #[must_use]
    pub fn range(&self, id: TermId) -> Option<Range> {
        let &(from, to) = self
            .spans
            .ranges
            .get(id.index())
            .filter(|(from, to)| from < to)?;
        Some((self.range.0 + from as usize, self.range.0 + to as usize))
    }
}

/// Returns the position of a clause, by its index among [`crate::definitions::all_clauses`]. For a multifile predicate it may be in another
/// file.
pub fn clause_position(
    db: &dyn Db,
    file: SourceFile,
    functor: &Functor,
    clause: usize,
) -> Option<(SourceFile, ClausePosition)> {
    let (there, number) = stands_in(db, file, functor, clause);
    let module = home_module(db, file).as_deref();
    if there == file || home_module(db, there).as_deref() == module {
        let all = positions(db, there);
        let places = all.iter().find(|p| p.functor == *functor)?;
        return Some((there, places.clauses.get(number)?.clone()));
    }
    let text = &*there.parsed(db).text;
    let read = terms(db, there);
    let mut conditions = Conditions::for_file(db, there);
    let mut given = read.clauses.iter().filter(|clause| {
        if let Some(goal) = directive(&clause.terms, clause.root) {
            conditions.read(clause, goal);
            return false;
        }
        let key = || qualified_head(&clause.terms, clause.root);
        conditions.presence() != Presence::Absent
            && key().is_some_and(|(m, f)| Some(&*m) == module && f == *functor)
    });
    let found = given.nth(number)?;
    let (_, parts, origin) = Clause::with_origin(&found.terms, found.root, &|m| Some(m) == module)?;
    Some((there, position(found, &parts, &origin, text)))
}

/// Returns the positions of the predicates of a file, in the order of [`crate::predicates`].
///
/// *Invalidated* by every edit.
#[salsa::tracked(returns(clone), no_eq)]
pub fn positions(db: &dyn Db, file: SourceFile) -> Arc<Vec<PredicatePositions>> {
    let read = terms(db, file);
    let text = &*file.parsed(db).text;
    let mut found: Vec<PredicatePositions> = Vec::new();
    let mut at: FxHashMap<Functor, usize> = FxHashMap::default();
    let mut conditions = Conditions::for_file(db, file);
    // A clause usually belongs to the same predicate as the preceding clause.
    let mut last = usize::MAX;
    let expanded = &expanded_terms(db, file).clauses;
    for (number, clause) in read.clauses.iter().enumerate() {
        if let Some(goal) = directive(&clause.terms, clause.root) {
            conditions.read(clause, goal);
        }
        if conditions.presence() == Presence::Absent {
            continue;
        }
        let is_own = |m: &str| is_home(db, file, m);
        let mut placed: Vec<(Functor, ClausePosition)> = Vec::new();
        match expanded.get(&number) {
            Some(clauses) => {
                let functors = clauses
                    .iter()
                    .filter_map(|(terms, root)| Clause::of_module(terms, *root, &is_own));
                placed.extend(functors.map(|(functor, _)| (functor, expanded_position(clause))));
            }
            None => {
                let parts = Clause::with_origin(&clause.terms, clause.root, &is_own);
                placed.extend(parts.map(|(functor, parts, origin)| {
                    (functor, position(clause, &parts, &origin, text))
                }));
            }
        }
        for (functor, place) in placed {
            if found.get(last).is_none_or(|p| p.functor != functor) {
                last = *at.entry(functor.clone()).or_insert(found.len());
                if last == found.len() {
                    found.push(PredicatePositions {
                        functor,
                        clauses: Vec::new(),
                    });
                }
            }
            found[last].clauses.push(place);
        }
    }
    Arc::new(found)
}

/// Returns likely clause heads in text with syntax errors, each with the position after it, in text order.
pub fn unread_heads(db: &dyn Db, file: SourceFile) -> Vec<(Functor, usize)> {
    let mut found: Vec<(Functor, usize)> = Vec::new();
    let mut seen: FxHashSet<Functor> = FxHashSet::default();
    for clause in &terms(db, file).clauses {
        for head in clause.error.iter().flat_map(|error| &error.heads) {
            let Some(arity) = head.arity else {
                continue;
            };
            let functor = Functor::new(head.name.clone(), arity);
            if seen.insert(functor.clone()) {
                let behind = usize::try_from(head.end).unwrap_or(0);
                found.push((functor, clause.range.0 + behind));
            }
        }
    }
    found
}

/// Returns the predicates in a text outside any program, each with the range of the name in its first clause, in text order. Contributions
/// of other files, especially operators, are unknown.
#[must_use]
pub fn outline(parsed: &Parsed) -> Vec<(Functor, Range)> {
    let file = read(parsed, &ReadOptions::default());
    let mut found: Vec<(Functor, Range)> = Vec::new();
    let mut seen: FxHashSet<Functor> = FxHashSet::default();
    for clause in &file.clauses {
        // Clauses for another module (`user:portray(X) :- …`) are also included.
        let Some((functor, parts, _)) = Clause::with_origin(&clause.terms, clause.root, &|_| true)
        else {
            continue;
        };
        if seen.insert(functor.clone()) {
            let (from, to) = clause.spans.range(parts.head);
            let head = (clause.range.0 + from, clause.range.0 + to);
            let name = name_range(clause, &parts, head, &parsed.text);
            found.push((functor, name));
        }
    }
    found
}

/// Returns the position of a clause that replaces a term: that of the term, without its parts.
fn expanded_position(read: &ReadClause) -> ClausePosition {
    let (from, to) = read.spans.range(read.root);
    let term = (read.range.0 + from, read.range.0 + to);
    ClausePosition {
        range: read.range,
        head: term,
        name: term,
        spans: Arc::default(),
    }
}

fn position(
    read: &ReadClause,
    parts: &Clause,
    origin: &[Option<TermId>],
    text: &str,
) -> ClausePosition {
    let mut spans = Arc::clone(&read.spans);
    if !origin.is_empty() {
        let mut with_new = Spans::clone(&spans);
        with_new.ranges.extend(origin.iter().map(|of| {
            of.map_or((0, 0), |of| {
                read.spans
                    .ranges
                    .get(of.index())
                    .copied()
                    .unwrap_or_default()
            })
        }));
        spans = Arc::new(with_new);
    }
    let (from, to) = spans.range(parts.head);
    let head = (read.range.0 + from, read.range.0 + to);
    ClausePosition {
        range: read.range,
        head,
        name: name_range(read, parts, head, text),
        spans,
    }
}

/// Returns the range of the predicate's name: it precedes the bracket of the arguments, except for an operator.
fn name_range(read: &ReadClause, parts: &Clause, head: Range, text: &str) -> Range {
    // The implicit arguments of a grammar rule have no position.
    let first_argument = match parts.terms.args(parts.head).first() {
        Some(&a) if a.index() < read.terms.len() => read.range.0 + read.spans.range(a).0,
        _ => head.1,
    };
    let Some(before) = text.get(head.0..first_argument.max(head.0)) else {
        return head;
    };
    // In `p(`, the bracket comes immediately after the name; there may be layout between bracket and argument.
    match before.trim_end().strip_suffix('(') {
        Some(name) if !name.is_empty() => (head.0, head.0 + name.len()),
        _ => head,
    }
}
