//! Clauses that a file gives to predicates of other modules: `m:hook(X) :- …`.
//!
//! Which of them are put together says [`super::multifile`]; here it is found who gives clauses to whom.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::expansion_hooks::hooks_of;
use super::term_form::TermForm;
use crate::language::{Functor, directive, qualified_head};
use crate::loading::image::share_a_program;
use crate::loading::{USER, home_module, is_home};
use crate::workspace::{Db, SourceFile, Workspace, terms};

/// The predicates of other modules that a file gives clauses, expansions included: module and predicate.
///
/// *Invalidated* by every edit, nearly always equal.
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

/// For each module and predicate the files that give it clauses from outside.
type Added = FxHashMap<(SmolStr, Functor), Vec<SourceFile>>;

/// *Invalidated* when such a clause comes or goes, or a file.
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

/// Another file that gives a predicate clauses: `m:p(X) :- …`.
pub fn extended_in(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<SourceFile> {
    extending(db, file, functor).next()
}

/// The other files that give a predicate clauses. Every program has a module `user`, so that clauses for it count where a program has
/// both files.
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

/// Clauses that expansions of a file's terms may add to predicates of other modules.
fn added_elsewhere(db: &dyn Db, file: SourceFile) -> Vec<(SmolStr, Functor)> {
    let outputs = hooks_of(db, file).iter().filter_map(|h| h.outputs.as_ref());
    let elsewhere = outputs.flatten().filter_map(|form| match form {
        TermForm::Elsewhere(module, functor) => Some((module.clone(), functor.clone())),
        _ => None,
    });
    elsewhere.collect()
}
