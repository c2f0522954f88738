//! The text of a file after edits, in a database of its own: a variant is nobody else's business.

use std::collections::BTreeSet;

use costlens_analysis::report::Origin;
use costlens_program::positions::positions;
use costlens_program::{Functor, Role, SourceFile, callees, facts, find, predicates};
use costlens_syntax::Parsed;

use super::site::Site;
use crate::db::{Database, Db, reached_report};
use crate::file::Edit;

/// An edited file.
pub(crate) struct Variant {
    pub(crate) db: Database,
    pub(crate) file: SourceFile,
}

impl Variant {
    /// A file after edits.
    pub(crate) fn of(db: &dyn Db, file: SourceFile, functor: &Functor, edits: &[Edit]) -> Self {
        Self::of_text(db, file, edited(db, file, functor, edits))
    }

    /// A file after edits, for the costs of several predicates.
    pub(crate) fn of_all(
        db: &dyn Db,
        file: SourceFile,
        functors: &[Functor],
        edits: &[Edit],
    ) -> Self {
        Self::of_text(db, file, edited_for(db, file, functors, edits))
    }

    /// The file of a predicate after edits, with clauses behind it.
    pub(crate) fn with(site: &Site<'_>, edits: &[Edit], clauses: &str) -> Self {
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

/// The text of a file after edits, without the predicates that `functor` does not reach: its cost does not depend on them, and
/// an editor asks for actions whenever the cursor moves. Where nothing is declared, callers say what it is called with, and all stay.
pub(crate) fn edited(db: &dyn Db, file: SourceFile, functor: &Functor, edits: &[Edit]) -> String {
    edited_for(db, file, std::slice::from_ref(functor), edits)
}

fn edited_for(db: &dyn Db, file: SourceFile, functors: &[Functor], edits: &[Edit]) -> String {
    let is_called = |functor: &Functor| {
        let report = reached_report(db, file, functor);
        let first = report.as_ref().and_then(|r| r.patterns.first());
        first.is_some_and(|p| p.origin == Origin::Called)
    };
    if functors.iter().any(is_called) {
        return applied(&file.parsed(db).text, edits);
    }
    // What is written anew may call what was not reached before.
    let is_named = |functor: &Functor| edits.iter().any(|e| e.text.contains(functor.name.as_str()));
    let named = predicates(db, file).iter().map(|p| p.functor(db));
    let named = named.filter(|functor| is_named(functor));
    let mut open: Vec<Functor> = functors.iter().chain(named).cloned().collect();
    let mut reached: BTreeSet<Functor> = open.iter().cloned().collect();
    while let Some(next) = open.pop() {
        let Some(predicate) = find(db, file, &next) else {
            continue;
        };
        for callee in callees(db, predicate) {
            if reached.insert(callee.clone()) {
                open.push(callee.clone());
            }
        }
    }
    let positions = positions(db, file);
    // Types are named by assertions alone.
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

/// A text after edits, which are in order and do not overlap.
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
