//! The types of terms (`:- regtype`) that are known in a file, as incremental queries: its own types, imported types and, for guesses, the
//! types of loaded libraries.

use costlens_infer::regular::Regulars;
use costlens_program::definitions;
use costlens_program::directives;
use costlens_program::graph;
use costlens_program::names;
use costlens_program::{Functor, SourceFile, facts, find};
use smol_str::SmolStr;

use crate::db::Db;
use crate::open::is_open;

/// Returns the types of terms that are known in a file: types that it defines, and types that it imports. *Invalidated* when a directive or
/// a clause that defines a type changes.
#[salsa::tracked(returns(ref))]
pub(crate) fn regulars(db: &dyn Db, file: SourceFile) -> Regulars {
    let mut imported = Regulars::default();
    for &other in names::depends_on(db, file) {
        if facts(db, other).regtypes.is_empty() {
            continue;
        }
        let is_visible = |name: &SmolStr| {
            let functor = Functor::new(name.clone(), 1);
            let found = graph::reach(db, file, &functor).predicate();
            found.is_some_and(|p| p.file(db) == other && *p.functor(db) == functor)
        };
        imported.joined(&own_regulars(db, other).exported(&is_visible));
    }
    if imported == Regulars::default() {
        return own_regulars(db, file).clone();
    }
    defined(db, file, &imported)
}

/// Returns the types that are known in a file and, for use in guesses, the types of loaded libraries with shipped assertions. Declarations
/// cannot refer to the latter: the name `assoc` in a declaration need not denote a type with ground values.
///
/// *Invalidated* together with [`regulars`].
#[salsa::tracked(returns(ref))]
pub(crate) fn guessed_types(db: &dyn Db, file: SourceFile) -> Regulars {
    let mut types = regulars(db, file).clone();
    for home in directives::stated_loaded(db, file) {
        types.joined(own_regulars(db, home));
    }
    types
}

/// Returns the types that a file defines itself. *Invalidated* when a directive or a clause that defines a type changes.
#[salsa::tracked(returns(ref))]
fn own_regulars(db: &dyn Db, file: SourceFile) -> Regulars {
    defined(db, file, &Regulars::default())
}

fn defined(db: &dyn Db, file: SourceFile, imported: &Regulars) -> Regulars {
    let names = &facts(db, file).regtypes;
    Regulars::defined(
        names.iter().filter(|f| f.arity == 1).map(|f| &f.name),
        &|name| {
            let predicate = find(db, file, &Functor::new(name.clone(), 1))?;
            // A predicate to which clauses may be added may have more shapes.
            (!is_open(db, predicate)).then(|| definitions::all_clauses(db, predicate))
        },
        imported,
    )
}
