//! Goals that `library(apply_macros)` compiles, in all files that are loaded after it, even if another library loads it (as
//! `library(clpfd)` does).
//!
//! ```prolog
//! p(Xs, Ys) :- maplist(q, Xs, Ys).     % an auxiliary predicate instead of maplist_/3: no entry of maplist/3
//! r(X, Y) :- maplist(q, [X, Y]).       % q(X), q(Y)
//! s(G, Xs) :- maplist(G, Xs).          % as it is written
//! ```
//!
//! `once/1`, `ignore/1`, `forall/2`, `phrase/2,3` and `call_dcg/3` become control constructs and goals, and are counted as such in any
//! case. The expansion of a call to `maplist` depends on the files loaded before the clause with the call, and on the closure at that time.
//! The entry of `maplist` may therefore count or not ([`PERHAPS_ENTERED`]), and predicates with calls that may disappear entirely are
//! reported as expanded.

use costlens_body::build;
use costlens_catalog::{Relation, is_expanded_by_apply_macros, is_locked, relation};
use costlens_syntax::term::{NIL, Term, TermId, Terms};
use smol_str::SmolStr;

use super::touched;
use crate::calls::callees;
use crate::definitions::{Predicate, all_clauses};
use crate::language::{Clause, Functor};
use crate::names::{Reach, reach_written};
use crate::workspace::{Db, Role, SourceFile, is_installed};

/// The library's name.
pub(super) const LIBRARY: &str = "apply_macros";

/// The description of the library's hook.
pub(crate) static HOOK: SmolStr =
    SmolStr::new_static("`goal_expansion/2` of `library(apply_macros)`");

/// The first goal in a clause of `maplist` whose calls may have been compiled away.
pub const PERHAPS_ENTERED: &str = "$perhaps_entered";

/// The minimum number of elements of a literal list that is not unrolled.
const TOO_LONG: usize = 10;

/// Returns whether calls to `maplist` in a file may be compiled to auxiliary predicates.
pub(crate) fn reach(db: &dyn Db, file: SourceFile) -> bool {
    file.role(db) != Role::Library && touched(db, file).has_macros
}

/// Returns whether the library compiles calls to this predicate.
pub(crate) fn is_about(functor: &Functor) -> bool {
    relation(&functor.name, functor.arity) == Some(Relation::Maps)
}

/// Returns the description of the hook, if calls in the predicate's clauses may become one goal for each element.
pub(super) fn unrolled<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<&'db SmolStr> {
    if !reach(db, predicate.file(db)) {
        return None;
    }
    let replaced = || {
        let mut called = callees(db, predicate).iter();
        called.any(|c| is_replaced(db, predicate.file(db), c))
    };
    (*is_unrolled_in(db, predicate) || replaced()).then_some(&HOOK)
}

/// *Invalidated* when a clause of the predicate changes; the result is usually equal, so that callers are not recomputed.
#[salsa::tracked]
fn is_unrolled_in<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> bool {
    all_clauses(db, predicate).iter().any(has_unrolled)
}

/// Returns whether the library expands calls to `called` even though the program defines a predicate with that name.
fn is_replaced(db: &dyn Db, file: SourceFile, called: &Functor) -> bool {
    let is_expanded = is_expanded_by_apply_macros(&called.name, called.arity);
    let is_own = |reached: Reach<'_>| match reached {
        Reach::Own(_) | Reach::Ambiguous(..) => true,
        Reach::Other(p) => !is_installed(db, p.file(db)),
        _ => false,
    };
    is_expanded && !is_locked(&called.name, called.arity) && is_own(reach_written(db, file, called))
}

/// Returns whether a call in the clause may become one goal for each element of literal lists. A term with the form of such a call may be a
/// call in any position.
fn has_unrolled(clause: &Clause) -> bool {
    let parts = clause.guard.iter().chain(&clause.body);
    parts
        .flat_map(|&part| clause.terms.subterms(part))
        .any(|term| is_unrolled(&clause.terms, term))
}

fn is_unrolled(terms: &Terms, term: TermId) -> bool {
    let Some(functor) = terms.functor(term).map(|(n, a)| Functor::new(n.clone(), a)) else {
        return false;
    };
    let [closure, lists @ ..] = terms.args(term) else {
        return false;
    };
    let length = |&list: &TermId| {
        let (elements, rest) = terms.list(list);
        match terms.get(rest) {
            // A flag may define the string as a list of codes or characters.
            Term::String(text) if elements.is_empty() => Some(text.chars().count()),
            _ => (terms.as_atom(rest)? == NIL).then_some(elements.len()),
        }
    };
    let lengths: Option<Vec<usize>> = lists.iter().map(length).collect();
    let same = lengths.and_then(|l| {
        let first = *l.first()?;
        l.iter().all(|&n| n == first).then_some(first)
    });
    is_about(&functor)
        && !matches!(terms.get(*closure), Term::Var(_))
        && same.is_some_and(|n| n < TOO_LONG)
}

/// Returns a clause of `maplist` whose entry may count or not.
pub(crate) fn perhaps_entered(clause: &Clause) -> Clause {
    let Some(body) = clause.body else {
        return clause.clone();
    };
    let mut terms = Terms::clone(&clause.terms);
    let mark = terms.atom(PERHAPS_ENTERED);
    let body = build::conjunction(&mut terms, mark, body);
    Clause {
        terms: std::sync::Arc::new(terms),
        body: Some(body),
        ..clause.clone()
    }
}
