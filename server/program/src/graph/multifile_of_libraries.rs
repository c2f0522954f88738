//! Multifile predicates of installed libraries, to which any file may add clauses.
//!
//! ```prolog
//! :- multifile expand//1.          % html_write.pl: the known clauses are the library's
//! ```
//!
//! The known clauses are those of the library. That no other file adds clauses is an assumption of every file that reaches the predicate.

use std::collections::BTreeSet;

use costlens_catalog::is_system_hook;
use rustc_hash::FxHashSet;
use smol_str::{SmolStr, format_smolstr};

use super::resolution::{find, reach};
use crate::calls::{called, callees, opened};
use crate::definitions::{Predicate, extended_in, has_given, made_in};
use crate::directives::{Declared, facts};
use crate::language::{Functor, Opened, split};
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

/// Returns the name of a predicate that a call from a file reaches and that is taken to have no clauses, as `module:name/arity`: a file
/// declares it to be multifile, and no file of the workspace gives it clauses.
///
/// ```prolog
/// :- multifile prolog:debug_print_hook/3.
/// print(T, F, As) :- prolog:debug_print_hook(T, F, As), !.     % fails
/// ```
pub fn multifile_without_clauses(
    db: &dyn Db,
    file: SourceFile,
    callee: &Functor,
) -> Option<SmolStr> {
    // The system and its libraries have clauses of these.
    let hook = callee.name.strip_prefix("user:").unwrap_or(&callee.name);
    if is_system_hook(hook, callee.arity) {
        return None;
    }
    let facts = facts(db, file);
    if let Some((module, there)) = split(callee) {
        let is_of = |declared: Declared| {
            let key = (declared, SmolStr::from(module), there.clone());
            facts.elsewhere.contains(&key)
        };
        let is_open = [Opened::Dynamic, Opened::Tabled].map(Declared::Open);
        let is_declared = is_of(Declared::Multifile) && !is_open.into_iter().any(is_of);
        let is_empty = is_declared && !has_given(db, module, &there);
        return is_empty.then(|| callee.to_string().into());
    }
    // A multifile predicate of the user's own files gets its clauses from their programs.
    let library = installed_as(db, file)?;
    let is_declared = facts.multifile.contains(callee) && opened(db, file, callee).is_none();
    let is_written = find(db, file, callee).is_some_and(|p| !p.clauses(db).is_empty());
    let is_given =
        || extended_in(db, file, callee).is_some() || made_in(db, file, callee).is_some();
    if !is_declared || is_written || is_given() {
        return None;
    }
    let module = library.rsplit('/').next().unwrap_or(library);
    Some(format_smolstr!("{module}:{callee}"))
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
        found.extend(multifile_without_clauses(db, from, &callee));
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
