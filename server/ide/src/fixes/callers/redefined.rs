//! Names of the library that may be defined by clauses without a place in a file: asserted ones, and those that `term_expansion/2` makes.
//!
//! ```text
//! :- assertz(memberchk(_, _)).
//! :- forall(member(C, [memberchk(_, _)]), assertz(C)).
//! ```

use costlens_analysis::report::Functor;
use costlens_catalog::{ClauseChange, all, is_fixed};
use costlens_program::SourceFile;
use costlens_program::workspace::terms;
use costlens_syntax::term::{TermId, Terms};
use rustc_hash::FxHashSet;

use super::index::{data, files};
use crate::db::Db;

/// Returns true if some file of the workspace may add clauses to a predicate of the library while the program runs or loads.
pub(in crate::fixes) fn may_be_redefined(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    !is_fixed(&functor.name, functor.arity) && redefined(db, file).contains(functor)
}

/// Returns the library predicates that the files around one may redefine.
///
/// *Invalidated* when some file adds other clauses, or uses the names of other library predicates as data.
#[salsa::tracked(returns(ref))]
fn redefined(db: &dyn Db, file: SourceFile) -> FxHashSet<Functor> {
    let files = files(db, file);
    let mut found = FxHashSet::default();
    let mut adds_any = false;
    for &other in &files {
        let added = added(db, other);
        adds_any |= added.any;
        found.extend(added.known.iter().cloned());
    }
    let of_data = files.into_iter().filter(|_| adds_any);
    found.extend(of_data.flat_map(|other| library_data(db, other).iter().cloned()));
    found
}

/// The clauses that the goals of a file add.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Added {
    /// The predicates whose clauses are given explicitly.
    known: FxHashSet<Functor>,
    /// True if some clause is not given explicitly.
    any: bool,
}

/// Returns the names of the predicates that add clauses: `assertz/1`, `compile_aux_clauses/1`.
fn adding() -> impl Iterator<Item = &'static str> {
    (all().iter())
        .filter(|p| p.clause_change == Some(ClauseChange::Add) || p.name == "compile_aux_clauses")
        .map(|p| p.name)
}

/// *Invalidated* by every edit of a clause of a file that adds clauses; the result is usually equal.
#[salsa::tracked(returns(ref))]
fn added(db: &dyn Db, file: SourceFile) -> Added {
    let mut found = Added::default();
    let text = &file.parsed(db).text;
    found.any = text.contains("term_expansion");
    if !adding().any(|name| text.contains(name)) {
        return found;
    }
    for clause in &terms(db, file).clauses {
        let terms = &clause.terms;
        for id in terms.ids() {
            let Some((name, arity)) = terms.functor(id) else {
                continue;
            };
            if !adding().any(|adds| adds == name) {
                continue;
            }
            // `maplist(assertz, Clauses)`
            let written = terms.args(id).first().and_then(|&of| head(terms, of));
            match written {
                Some(functor) => drop(found.known.insert(functor)),
                None => found.any |= arity <= 2,
            }
        }
    }
    found
}

/// Returns the predicate of a clause. Returns `None` if the clause is not given explicitly.
fn head(terms: &Terms, mut clause: TermId) -> Option<Functor> {
    loop {
        match (terms.functor(clause)?, terms.args(clause)) {
            ((name, 2), &[_, inner]) if name == ":" => clause = inner,
            ((name, 2), &[inner, _]) if name == ":-" => clause = inner,
            ((name, arity), _) => return Some(Functor::new(name.clone(), arity)),
        }
    }
}

/// Returns the library predicates that occur in a file as data: with all their arguments, or by name if the file builds terms from names.
///
/// *Invalidated* by every edit of a clause; the result is usually equal.
#[salsa::tracked(returns(ref))]
fn library_data(db: &dyn Db, file: SourceFile) -> FxHashSet<Functor> {
    let text = &file.parsed(db).text;
    let makes_terms = text.contains("=..") || text.contains("functor(");
    let of_name = data(db, file);
    let is_there = |name: &str, arity: usize| {
        let mut all = of_name.get(name).into_iter().flatten();
        all.any(|datum| datum.arity == arity || makes_terms && datum.arity == 0)
    };
    (all().iter())
        .filter(|p| is_there(p.name, p.arity))
        .map(|p| Functor::new(p.name, p.arity))
        .collect()
}
