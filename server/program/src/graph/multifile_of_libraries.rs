//! Multifile predicates of installed libraries, to which any file may add clauses.
//!
//! ```prolog
//! :- multifile expand//1.          % html_write.pl: the known clauses are the library's
//! ```
//!
//! The known clauses are those of the library. That no other file adds clauses is an assumption of every file that reaches the predicate.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use smol_str::{SmolStr, format_smolstr};

use super::resolution::reach;
use crate::calls::{called, callees};
use crate::definitions::{Predicate, extended_in};
use crate::directives::facts;
use crate::language::Functor;
use crate::workspace::{Db, Role, SourceFile, installed_as, is_installed};

/// The maximum number of library predicates that are searched from one file.
const MOST_SEARCHED: usize = 4_000;

/// Returns whether the clauses of a multifile predicate of an installed library are taken to be all: the library has some, and no file of
/// the workspace adds others.
pub fn is_multifile_of_library(db: &dyn Db, predicate: Predicate<'_>) -> bool {
    let (file, functor) = (predicate.file(db), predicate.functor(db));
    is_installed(db, file)
        && facts(db, file).multifile.contains(functor)
        && !predicate.clauses(db).is_empty()
        && extended_in(db, file, functor).is_none()
}

/// Returns the multifile predicates of installed libraries that a user's file reaches, as `module:name/arity`; sorted.
///
/// *Invalidated* when the calls of the file, or of a library predicate on the way, change.
#[salsa::tracked(returns(deref))]
pub fn library_multifile(db: &dyn Db, file: SourceFile) -> Vec<SmolStr> {
    let mut found = BTreeSet::new();
    if file.role(db) == Role::Library || is_installed(db, file) {
        return Vec::new();
    }
    let mut open: Vec<(SourceFile, Functor)> = called(db, file)
        .iter()
        .map(|callee| (file, callee.clone()))
        .collect();
    let mut seen = FxHashSet::default();
    while let Some((from, callee)) = open.pop() {
        let Some(predicate) = reach(db, from, &callee).predicate() else {
            continue;
        };
        let home = predicate.file(db);
        let Some(library) = installed_as(db, home) else {
            continue;
        };
        if seen.len() >= MOST_SEARCHED || !seen.insert(predicate) {
            continue;
        }
        if is_multifile_of_library(db, predicate) {
            let module = library.rsplit('/').next().unwrap_or(library);
            found.insert(format_smolstr!("{module}:{}", predicate.functor(db)));
        }
        open.extend(
            callees(db, predicate)
                .iter()
                .map(|callee| (home, callee.clone())),
        );
    }
    found.into_iter().collect()
}
