//! Predicates whose clauses do not run as written because of another file or a clause that runs.
//!
//! ```prolog
//! :- include(decl).              % decl.pl:  :- dynamic edge/2.
//! :- use_module(store).
//! :- dynamic store:item/1.       % a predicate of another module
//! reset :- dynamic(count/1).
//! ```

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::called_names::called;
use super::clause_calls::callees;
use crate::definitions::{all_clauses, all_predicates};
use crate::directives::{Declared, facts};
use crate::language::{Declaration, Functor, Opened, changed, declared_by, is_declaring};
use crate::loading::image::share_a_program;
use crate::loading::{USER, home_module, unit};
use crate::workspace::{Db, Role, SourceFile, Workspace, is_installed};

/// Returns the declarations that the clauses of a file make at run time.
///
/// *Invalidated* when the calls of a predicate of the file change, or when a clause with a declaration changes.
#[salsa::tracked(returns(deref))]
fn in_bodies(db: &dyn Db, file: SourceFile) -> Vec<Declaration> {
    let mut found = Vec::new();
    if file.role(db) == Role::Library || !called(db, file).iter().any(is_declaring) {
        return found;
    }
    for predicate in all_predicates(db, file) {
        if !callees(db, predicate).iter().any(is_declaring) {
            continue;
        }
        for clause in all_clauses(db, predicate).iter() {
            for &part in clause.guard.iter().chain(&clause.body) {
                found.extend(declared_by(&clause.terms, part));
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Returns the predicates of a file whose clauses are added or removed at run time, each with a predicate that changes it.
///
/// *Invalidated* when a clause of the file changes; the result is usually equal.
#[salsa::tracked(returns(ref))]
fn changes(db: &dyn Db, file: SourceFile) -> BTreeMap<Functor, Functor> {
    let mut found = BTreeMap::new();
    for predicate in all_predicates(db, file) {
        for clause in all_clauses(db, predicate).iter() {
            let parts = clause.guard.iter().chain(&clause.body);
            for (_, target) in parts.flat_map(|&part| changed(&clause.terms, part)) {
                found
                    .entry(target)
                    .or_insert_with(|| predicate.functor(db).clone());
            }
        }
    }
    found
}

/// Returns a predicate of the file that changes the clauses of another predicate at run time.
pub fn changed_by<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> Option<&'db Functor> {
    changes(db, file).get(functor)
}

/// A declaration and the file that contains it.
type OpeningDeclaration = (SourceFile, Opened);

/// Returns the declarations about predicates of explicitly named modules.
///
/// *Invalidated* when a declaration for another module, or a file, is added or removed.
#[salsa::tracked(returns(ref))]
fn of_named_modules(
    db: &dyn Db,
    workspace: Workspace,
) -> FxHashMap<SmolStr, BTreeMap<Functor, Vec<OpeningDeclaration>>> {
    let mut found: FxHashMap<SmolStr, BTreeMap<Functor, Vec<OpeningDeclaration>>> =
        FxHashMap::default();
    for &file in workspace.files(db).values() {
        for (declared, module, functor) in &facts(db, file).elsewhere {
            if let Declared::Open(how) = declared {
                let of = found.entry(module.clone()).or_default();
                of.entry(functor.clone()).or_default().push((file, *how));
            }
        }
        // A library's declarations at run time concern its own predicates.
        if is_installed(db, file) {
            continue;
        }
        for (how, module, functor) in in_bodies(db, file) {
            if let Some(module) = module {
                let of = found.entry(module.clone()).or_default();
                of.entry(functor.clone()).or_default().push((file, *how));
            }
        }
    }
    found
}

/// Returns the declarations about the predicates of a file's module, except those in the file's own directives.
///
/// *Invalidated* when a declaration about one of these predicates, or a file, is added or removed.
#[salsa::tracked(returns(ref))]
fn opened_in(db: &dyn Db, file: SourceFile) -> FxHashMap<Functor, OpeningDeclaration> {
    let mut found: FxHashMap<Functor, OpeningDeclaration> = FxHashMap::default();
    if file.role(db) == Role::Library {
        return found;
    }
    let home = home_module(db, file).as_ref();
    let parts = std::iter::once(file).chain(unit(db, file).iter().copied());
    for part in parts {
        let facts = facts(db, part);
        if part != file {
            for (all, how) in [
                (&facts.dynamic, Opened::Dynamic),
                (&facts.tabled, Opened::Tabled),
            ] {
                for functor in all {
                    found.entry(functor.clone()).or_insert((part, how));
                }
            }
        }
        for (how, module, functor) in in_bodies(db, part) {
            if module.is_none() || module.as_ref() == home {
                found.entry(functor.clone()).or_insert((part, *how));
            }
        }
    }
    if let (Some(workspace), Some(home)) = (Workspace::try_get(db), home) {
        let all = of_named_modules(db, workspace).get(home);
        for (functor, said) in all.into_iter().flatten() {
            // Every program has a module `user`, so a declaration for it counts only if some program contains both files.
            let counts = |by: SourceFile| home != USER || share_a_program(db, file, by);
            if let Some(&first) = said.iter().find(|(by, _)| counts(*by)) {
                found.entry(functor.clone()).or_insert(first);
            }
        }
    }
    found
}

/// Returns the file that declares that a predicate's clauses do not run as written. The predicate's own file takes precedence.
pub fn opened(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<(SourceFile, Opened)> {
    let facts = facts(db, file);
    if facts.dynamic.contains(functor) {
        return Some((file, Opened::Dynamic));
    }
    if facts.tabled.contains(functor) {
        return Some((file, Opened::Tabled));
    }
    opened_in(db, file).get(functor).copied()
}
