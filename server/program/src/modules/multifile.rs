//! Predicates that several files give clauses: `:- multifile hook/1.` in one, `m:hook(X) :- …` in others.
//!
//! Which of them are put together says [`super::gathered`]; here it is found who gives clauses to whom.

use std::collections::BTreeMap;

use costlens_syntax::term::{TermId, Terms};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::home::{USER, home_module, is_home};
use super::image::programs;
use super::workspace::Workspace;
use crate::clause::{Functor, directive};
use crate::expansion::added_elsewhere;
use crate::source::{Db, SourceFile, terms};

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

/// Module and predicate of `m:p(X)`, `m:p(X) :- q`, `m:(p(X) :- q)`, `m:p --> q`.
pub(crate) fn qualified_head(terms: &Terms, root: TermId) -> Option<(SmolStr, Functor)> {
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

/// All of these files. Every program has a module `user`, so that clauses for it count where a program has both files.
pub(super) fn extending<'db>(
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

/// True where some file loads both, itself included.
fn share_a_program(db: &dyn Db, one: SourceFile, two: SourceFile) -> bool {
    let of_two = programs(db, two);
    programs(db, one).iter().any(|root| of_two.contains(root))
}
