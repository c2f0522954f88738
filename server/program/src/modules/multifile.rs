//! Predicates that several files give clauses: `:- multifile hook/1.` in one, `m:hook(X) :- …` in others.
//!
//! Clauses of other files are not put together, since their order is that of loading. It is said which file adds them, or may.

use std::collections::BTreeMap;

use costlens_syntax::term::{TermId, Terms};
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};

use super::home::{home_module, is_home};
use super::load::{LoadKind, is_library, loads};
use super::workspace::{Workspace, place_of, target};
use crate::clause::{Functor, directive};
use crate::directives::facts;
use crate::expansion::{added_elsewhere, loaded_with};
use crate::predicate::shipped_library;
use crate::source::{Db, Role, SourceFile, terms};

/// The predicates of other modules that a file gives clauses, expansions included: module and predicate.
///
/// *Invalidated* by every edit, nearly always equal.
#[salsa::tracked(returns(deref))]
fn adds(db: &dyn Db, file: SourceFile) -> Vec<(SmolStr, Functor)> {
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

/// Module and predicate of `m:p(X)`, `m:p(X) :- q`, `m:(p(X) :- q)`, `m:p --> q`.
fn qualified_head(terms: &Terms, root: TermId) -> Option<(SmolStr, Functor)> {
    let mut module: Option<SmolStr> = None;
    let mut hidden = 0;
    let mut at = root;
    loop {
        let (name, arity) = terms.functor(at)?;
        at = match (name.as_str(), terms.args(at)) {
            (":", &[m, inner]) => {
                module = Some(terms.as_atom(m)?.clone());
                inner
            }
            (":-", &[head, _]) => head,
            (arrow @ ("-->" | "=>"), &[head, _]) => {
                hidden = if arrow == "-->" { 2 } else { 0 };
                match terms.matches(head, ",", 2) {
                    Some(&[first, _]) => first,
                    _ => head,
                }
            }
            _ => return Some((module?, Functor::new(name.clone(), arity + hidden))),
        };
    }
}

/// For each module and predicate the files that give it clauses from outside.
type Added = FxHashMap<(SmolStr, Functor), Vec<SourceFile>>;

/// *Invalidated* when such a clause comes or goes, or a file.
#[salsa::tracked(returns(ref))]
fn added(db: &dyn Db, workspace: Workspace) -> Added {
    let places: &BTreeMap<SmolStr, SourceFile> = workspace.files(db);
    let mut found = Added::default();
    for &file in places.values() {
        for key in adds(db, file) {
            found.entry(key.clone()).or_default().push(file);
        }
    }
    found
}

/// Another file that gives a predicate clauses: `m:p(X) :- …`.
pub fn extended_in(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<SourceFile> {
    extending(db, file, functor).next()
}

/// All of these files.
pub(super) fn extending<'db>(
    db: &'db dyn Db,
    file: SourceFile,
    functor: &Functor,
) -> impl Iterator<Item = SourceFile> + use<'db> {
    let added = Workspace::try_get(db).map(|workspace| added(db, workspace));
    let files = added.filter(|all| !all.is_empty()).and_then(|all| {
        let module = home_module(db, file).clone()?;
        all.get(&(module, functor.clone()))
    });
    files
        .into_iter()
        .flatten()
        .copied()
        .filter(move |&f| f != file)
}

/// Who may give a multifile predicate clauses that are not read, in words; none where all files of the program are known. Only a file without
/// a module that no other one loads is taken for a whole program.
pub fn may_be_extended(db: &dyn Db, file: SourceFile, functor: &Functor) -> Option<SmolStr> {
    if file.role(db) == Role::Library || facts(db, file).module.is_some() {
        return Some("files that load this one".into());
    }
    if place_of(db, file).is_none() {
        return Some("other files".into());
    }
    if SYSTEM_HOOKS.contains(&(functor.name.as_str(), functor.arity)) {
        return Some("libraries".into());
    }
    let all = loaded_with(db, file);
    for &part in &all {
        let uses = loads(db, part);
        if uses.unreadable > 0 {
            return Some(format_smolstr!(
                "a file that `{}` names by a variable",
                part.path(db)
            ));
        }
        for (number, load) in uses.loads.iter().enumerate() {
            let known = target(db, part, number);
            let is_shipped = || is_library(&load.spec) && shipped_library(db, &load.spec.path);
            if known.is_none() && load.kind != LoadKind::Autoload && !is_shipped() {
                return Some(format_smolstr!("`{}`, which was not read,", load.spec));
            }
            if known == Some(file) && part != file {
                return Some("files that load this one".into());
            }
        }
    }
    None
}

/// Predicates of `user` that SWI-Prolog calls, and that libraries add clauses to.
const SYSTEM_HOOKS: &[(&str, usize)] = &[
    ("portray", 1),
    ("message_hook", 3),
    ("message_property", 2),
    ("file_search_path", 2),
    ("library_directory", 1),
    ("prolog_file_type", 2),
    ("prolog_load_file", 2),
    ("exception", 3),
    ("expand_query", 4),
    ("expand_answer", 2),
    ("prolog_list_goal", 1),
    ("prolog_event_hook", 1),
    ("thread_message_hook", 3),
    ("prolog_exception_hook", 4),
    ("prolog_exception_hook", 5),
];
