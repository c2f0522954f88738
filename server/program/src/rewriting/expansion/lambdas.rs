//! Lambda expressions that `library(yall)` compiles. This happens if the library is loaded before the clause is read, and if the predicate
//! that receives the expression is known to call it: because the program declares this, because it is a built-in (`call/N`), or because
//! `library(apply)` is also loaded.
//!
//! ```prolog
//! :- use_module(library(yall)).
//! :- use_module(library(apply)).
//! add(Xs, K, Ys) :- maplist([X,Y]>>(Y is X+K), Xs, Ys).       % K is a fresh variable of the predicate that is made from it
//! add(Xs, K, Ys) :- maplist({K}/[X,Y]>>(Y is X+K), Xs, Ys).   % K is passed on
//! ```
//!
//! An expression that is not compiled is copied when it is called, with the bindings that its variables have at that time. An expression
//! that shares variables with the clause without declaring them may therefore behave in either way.

use costlens_body::Goal;
use costlens_catalog::{find, meta_arguments};
use costlens_syntax::term::{Term, TermId, Terms};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::touched;
use crate::definitions::{Predicate, all_clauses};
use crate::directives::{LoadKind, facts, loads};
use crate::language::{Clause, Functor, only_parameters};
use crate::loading::loaded_with;
use crate::workspace::{Db, Role, SourceFile};

/// The description of the hook.
pub(super) static HOOK: SmolStr = SmolStr::new_static("`goal_expansion/2` of `library(yall)`");

/// Returns whether lambda expressions in a file may be compiled.
pub(super) fn reach(db: &dyn Db, file: SourceFile) -> bool {
    loads_library(db, file, "yall")
}

fn loads_library(db: &dyn Db, file: SourceFile, name: &str) -> bool {
    loaded_with(db, file).into_iter().any(|f| {
        loads(db, f).loads.iter().any(|load| {
            load.kind != LoadKind::Autoload
                && load.spec.alias.as_deref() == Some("library")
                && load.spec.path == name
        })
    })
}

/// Returns whether the lambda expressions in a file are compiled. Returns `None` if that depends on the predicates that receive them.
pub(in crate::rewriting) fn compiles(db: &dyn Db, file: SourceFile) -> Option<bool> {
    let (compiles, has_apply) = (reach(db, file), loads_library(db, file, "apply"));
    (!compiles || has_apply).then_some(compiles)
}

/// Returns the description of the hook, if compilation may separate a variable in a lambda expression of the predicate's clauses from its
/// clause.
pub(super) fn compiled<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<&'db SmolStr> {
    let file = predicate.file(db);
    if file.role(db) == Role::Library || !touched(db, file).has_lambdas {
        return None;
    }
    (*loses_variables(db, predicate)).then_some(&HOOK)
}

/// *Invalidated* when a clause of the predicate changes; the result is usually equal, so that callers are not recomputed.
#[salsa::tracked]
fn loses_variables<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> bool {
    let file = predicate.file(db);
    let has_apply = loads_library(db, file, "apply");
    let declares = |functor: &Functor| {
        let mut files = loaded_with(db, file).into_iter();
        files.any(|f| facts(db, f).meta.contains_key(functor))
    };
    // A term that neither the catalogue nor a declaration treats as a call is data, or a goal of a predicate that SWI-Prolog does not know to call
    // its argument.
    let expands =
        |terms: &Terms, term: TermId| match (Goal::lower(terms, term), terms.functor(term)) {
            (Goal::Unify(..), _) | (_, None) => false,
            (Goal::Qualified { .. }, _) => true,
            (_, Some((name, _))) if matches!(name.as_str(), ">>" | "/") => true,
            (_, Some((name, arity))) => match find(name, arity).and_then(|p| p.library()) {
                Some("apply") => has_apply,
                _ => {
                    !meta_arguments(name, arity).is_empty()
                        || declares(&Functor::new(name.clone(), arity))
                }
            },
        };
    all_clauses(db, predicate)
        .iter()
        .any(|clause| shares(clause, &expands))
}

/// Returns whether a goal that `expands` selects has a lambda expression as an argument that shares a variable with its clause without
/// declaring it.
fn shares(clause: &Clause, expands: &dyn Fn(&Terms, TermId) -> bool) -> bool {
    let terms = &clause.terms;
    let parts = || clause.guard.iter().chain(&clause.body).copied();
    let lambdas: Vec<TermId> = (parts().flat_map(|part| terms.subterms(part)))
        .filter(|&t| (terms.functor(t)).is_some_and(|(name, arity)| name == ">>" && arity >= 2))
        .collect();
    if lambdas.is_empty() {
        return false;
    }
    let roots = || parts().chain([clause.head]);
    let handed = |lambda: TermId| {
        let mut around = parts().flat_map(|part| terms.subterms(part));
        around.any(|t| terms.args(t).contains(&lambda) && expands(terms, t))
    };
    let (all, own) = (occurrences(terms, roots()), only_parameters(terms, roots()));
    let is_inside = |&inner: &TermId| {
        let mut others = lambdas.iter().filter(|&&outer| outer != inner);
        others.any(|&outer| terms.subterms(outer).contains(&inner))
    };
    lambdas.iter().any(|lambda| {
        let is_inner = is_inside(lambda);
        let lambda = *lambda;
        if !is_inner && !handed(lambda) {
            return false;
        }
        let free = (terms.args(lambda).first())
            .and_then(|&parameters| terms.matches(parameters, "/", 2))
            .map(|free| occurrences(terms, [free[0]]))
            .unwrap_or_default();
        occurrences(terms, [lambda])
            .iter()
            .any(|(variable, inside)| {
                !free.contains_key(variable)
                    && all.get(variable) > Some(inside)
                    && (is_inner || !own.contains(variable))
            })
    })
}

/// Counts the occurrences of each variable.
fn occurrences(terms: &Terms, roots: impl IntoIterator<Item = TermId>) -> FxHashMap<u32, usize> {
    let mut found = FxHashMap::default();
    for term in roots.into_iter().flat_map(|root| terms.subterms(root)) {
        if let Term::Var(v) = terms.get(term) {
            *found.entry(*v).or_default() += 1;
        }
    }
    found
}
