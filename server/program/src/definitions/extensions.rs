//! Clauses that a file adds to predicates of other modules: `m:hook(X) :- …`.
//!
//! [`super::multifile`] determines which of these clauses are combined; this file determines which files add clauses to which predicates.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::expansion_hooks::hooks_of;
use super::find::find_written;
use super::term_form::TermForm;
use crate::language::{Functor, directive, qualified_head};
use crate::loading::image::share_a_program;
use crate::loading::{USER, home_module, is_home};
use crate::workspace::{Db, SourceFile, Workspace, terms};

/// Returns the predicates of other modules to which a file adds clauses, including expansions: module and predicate.
///
/// *Invalidated* by every edit; the result is nearly always equal.
#[salsa::tracked(returns(deref))]
pub fn given_elsewhere(db: &dyn Db, file: SourceFile) -> Vec<(SmolStr, Functor)> {
    let mut found = added_elsewhere(db, file);
    for read in &terms(db, file).clauses {
        if directive(&read.terms, read.root).is_none()
            && let Some((module, functor)) = qualified_head(&read.terms, read.root)
            && !is_home(db, file, &module)
        {
            found.push((module, functor));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The files that add clauses from outside, by module and predicate.
type Added = FxHashMap<(SmolStr, Functor), Vec<SourceFile>>;

/// *Invalidated* when a clause for another module, or a file, is added or removed.
#[salsa::tracked(returns(ref))]
fn added(db: &dyn Db, workspace: Workspace) -> Added {
    let places: &BTreeMap<SmolStr, SourceFile> = workspace.files(db);
    let mut found = Added::default();
    for &file in places.values() {
        for key in given_elsewhere(db, file) {
            found.entry(key.clone()).or_default().push(file);
        }
    }
    found
}

/// Returns whether a file of the workspace defines a predicate of a module, or adds clauses to it: `m:p(X) :- …`.
pub(crate) fn has_given(db: &dyn Db, module: &str, functor: &Functor) -> bool {
    let Some(workspace) = Workspace::try_get(db) else {
        return false;
    };
    let key = (SmolStr::from(module), functor.clone());
    let mut files = workspace.files(db).values();
    added(db, workspace).contains_key(&key)
        || files.any(|&file| {
            let is_of = home_module(db, file).as_deref() == Some(module);
            is_of && find_written(db, file, functor).is_some_and(|p| !p.clauses(db).is_empty())
        })
}

/// Returns the files whose expansions may add clauses to predicates of other modules.
///
/// *Invalidated* when such an expansion, or a file, is added or removed.
#[salsa::tracked(returns(ref))]
fn made(db: &dyn Db, workspace: Workspace) -> Added {
    let mut found = Added::default();
    for &file in workspace.files(db).values() {
        for key in added_elsewhere(db, file) {
            found.entry(key).or_default().push(file);
        }
    }
    found
}

/// Returns another file whose expansions may add clauses to a predicate: `term_expansion(extra, [user:p(7)])`.
pub fn made_in(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<SourceFile> {
    let made = made(db, Workspace::try_get(db)?);
    if made.is_empty() {
        return None;
    }
    let module = home_module(db, file).clone()?;
    let mut files = made.get(&(module, functor.clone()))?.iter().copied();
    files.find(|&other| other != file && share_a_program(db, file, other))
}

/// Returns another file that adds clauses to a predicate: `m:p(X) :- …`.
pub fn extended_in(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<SourceFile> {
    extending(db, file, functor).next()
}

/// Returns the other files that add clauses to a predicate. Every program has a module `user`, so clauses for it count if some program contains both
/// files.
pub(crate) fn extending<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> impl Iterator<Item = SourceFile> + use<'db> {
    let added = Workspace::try_get(db).map(|workspace| added(db, workspace));
    let module = home_module(db, file).clone();
    let is_user = module.as_deref() == Some(USER);
    let files = added.filter(|all| !all.is_empty()).and_then(|all| {
        let key = (module?, functor.clone());
        all.get(&key)
    });
    (files.into_iter().flatten().copied())
        .filter(move |&f| f != file && (!is_user || share_a_program(db, file, f)))
}

/// Returns clauses that expansions of a file's terms may add to predicates of other modules.
fn added_elsewhere(db: &dyn Db, file: SourceFile) -> Vec<(SmolStr, Functor)> {
    let outputs = hooks_of(db, file).iter().filter_map(|h| h.outputs.as_ref());
    let elsewhere = outputs.flatten().filter_map(|form| match form {
        TermForm::Elsewhere(module, functor) => Some((module.clone(), functor.clone())),
        _ => None,
    });
    elsewhere.collect()
}
