//! The edited text of a file in a separate database, isolated from all other queries.

use std::collections::BTreeSet;

use costlens_analysis::report::Origin;
use costlens_program::language::calls;
use costlens_program::positions::{PredicatePositions, positions};
use costlens_program::{
    Functor, Role, SourceFile, callees, callers_of, facts, find, predicates, started_goals,
};
use costlens_syntax::Parsed;

use super::site::Site;
use crate::db::{Database, Db, reached_report};
use crate::file::Edit;

/// An edited file in its own database.
pub(crate) struct Variant {
    pub(crate) db: Database,
    pub(crate) file: SourceFile,
}

impl Variant {
    /// Applies edits to a file for the analysis of one predicate.
    pub(crate) fn with_edits(
        db: &dyn Db,
        file: SourceFile,
        functor: &Functor,
        edits: &[Edit],
    ) -> Self {
        Self::of_text(db, file, edited(db, file, functor, edits))
    }

    /// Applies edits to a file for the analysis of several predicates.
    pub(crate) fn of_all(
        db: &dyn Db,
        file: SourceFile,
        functors: &[Functor],
        edits: &[Edit],
    ) -> Self {
        Self::of_text(db, file, edited_for(db, file, functors, edits))
    }

    /// Applies edits to the file of a predicate, and appends clauses.
    pub(crate) fn with_clauses(site: &Site<'_>, edits: &[Edit], clauses: &str) -> Self {
        let mut text = edited(site.db, site.file, site.functor, edits);
        text.push_str(clauses);
        Self::of_text(site.db, site.file, text)
    }

    fn of_text(db: &dyn Db, file: SourceFile, text: String) -> Self {
        db.unwind_if_revision_cancelled();
        let variants = Database::new();
        let dialect = file.parsed(db).dialect();
        let file = SourceFile::new(
            &variants,
            file.path(db).to_owned(),
            Parsed::in_dialect(text, dialect),
            Role::User,
        );
        Self { db: variants, file }
    }
}

/// Returns the text of a file after edits, without the predicates on which `functor` does not depend. The editor requests actions whenever
/// the cursor moves, so the text should be small. Predicates that `functor` reaches are kept. If it has no declaration, its callers
/// determine its call patterns; then the callers and the predicates that they reach are also kept.
pub(crate) fn edited(db: &dyn Db, file: SourceFile, functor: &Functor, edits: &[Edit]) -> String {
    edited_for(db, file, std::slice::from_ref(functor), edits)
}

fn edited_for(db: &dyn Db, file: SourceFile, functors: &[Functor], edits: &[Edit]) -> String {
    let is_called = |functor: &&Functor| {
        let report = reached_report(db, file, functor);
        let first = report.as_ref().and_then(|r| r.patterns.first());
        first.is_some_and(|p| p.origin == Origin::Called)
    };
    let called = functors.iter().filter(is_called).cloned().collect();
    // New text may call predicates that were not reached before.
    let is_named = |functor: &Functor| edits.iter().any(|e| e.text.contains(functor.name.as_str()));
    let named = predicates(db, file).iter().map(|p| p.functor(db));
    let named = named.filter(|functor| is_named(functor)).cloned();
    let callers = closure(called, |functor| {
        let callers = callers_of(db, file, functor).iter();
        callers.flat_map(|c| c.members(db).iter()).collect()
    });
    // A directive that calls a caller may pass on results of its other goals.
    let started = started_goals(db, file).iter().flat_map(|started| {
        let calls = calls(&started.terms, started.goal);
        let passes_on = calls.iter().any(|call| callers.contains(&call.callee));
        let passes_on = passes_on.then_some(calls);
        passes_on.into_iter().flatten().map(|call| call.callee)
    });
    let started: Vec<Functor> = started.collect();
    let positions = positions(db, file);
    let is_edited = |p: &&PredicatePositions| {
        let mut clauses = p.clauses.iter();
        clauses
            .any(|c| (edits.iter()).any(|e| c.range.0 < e.range.end && e.range.start < c.range.1))
    };
    let changed = positions
        .iter()
        .filter(is_edited)
        .map(|p| p.functor.clone());
    let begin = functors.iter().cloned().chain(named).chain(changed);
    let begin = begin.chain(callers).chain(started);
    let reached = closure(begin.collect(), |functor| {
        find(db, file, functor).map_or(Vec::new(), |p| callees(db, p).iter().collect())
    });
    // Types are named only by assertions.
    let types = &facts(db, file).regtypes;
    let unreached =
        (positions.iter()).filter(|p| !reached.contains(&p.functor) && !types.contains(&p.functor));
    let removed = unreached.flat_map(|p| &p.clauses).map(|c| Edit {
        range: c.range.0..c.range.1,
        text: String::new(),
    });
    let mut edits: Vec<Edit> = edits.iter().cloned().chain(removed).collect();
    edits.sort_by_key(|e| e.range.start);
    applied(&file.parsed(db).text, &edits)
}

/// Returns the predicates that are reachable from some other predicates by a relation.
fn closure<'a>(
    begin: Vec<Functor>,
    next: impl Fn(&Functor) -> Vec<&'a Functor>,
) -> BTreeSet<Functor> {
    let mut found: BTreeSet<Functor> = begin.iter().cloned().collect();
    let mut open = begin;
    while let Some(functor) = open.pop() {
        for other in next(&functor) {
            if found.insert(other.clone()) {
                open.push(other.clone());
            }
        }
    }
    found
}

/// Returns a part of a text after the edits inside it, which must be sorted and disjoint.
pub(crate) fn applied_to_part(
    text: &str,
    from: usize,
    to: usize,
    edits: impl Iterator<Item = Edit>,
) -> Option<String> {
    let moved = edits.map(|edit| Edit {
        range: edit.range.start - from..edit.range.end - from,
        text: edit.text,
    });
    let moved: Vec<Edit> = moved.collect();
    Some(applied(text.get(from..to)?, &moved))
}

/// Returns a text after edits, which must be sorted and disjoint.
pub(crate) fn applied(before: &str, edits: &[Edit]) -> String {
    let (mut text, mut from) = (String::new(), 0);
    for e in edits {
        text.push_str(before.get(from..e.range.start).unwrap_or_default());
        text.push_str(&e.text);
        from = e.range.end;
    }
    text.push_str(before.get(from..).unwrap_or_default());
    text
}
