//! Clauses that goals add to predicates at run time, as far as they are written.
//!
//! ```prolog
//! :- dynamic score/2.
//! note(N, S) :- integer(S), assertz(score(N, S)).     % adds score(N, S), after integer(S)
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use costlens_body::{Goal, conjuncts};
use costlens_catalog::{ClauseChange, clause_change};
use costlens_syntax::term::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::language::{AddedClause, Functor, MOST_ADDED};
use crate::workspace::{Db, SourceFile, Workspace, is_installed, terms};

/// A clause that a goal adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredClause {
    /// The terms of the clause or directive with the goal.
    pub terms: Arc<Terms>,
    /// The added clause, possibly with its module.
    pub clause: TermId,
    /// The goals that have succeeded before it is added.
    pub before: Vec<TermId>,
}

/// The clauses that goals of some files may add.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Stored {
    /// The clauses written in goals that add them, by predicate.
    clauses: BTreeMap<Functor, Vec<StoredClause>>,
    /// The predicates of rules that are data: `assert_all([(p(X) :- q(X))])`.
    rules: BTreeSet<Functor>,
    /// True if a goal adds a clause that is not written in it: `assertz(C)`, `maplist(assertz, Cs)`.
    any: bool,
}

/// Returns the clauses that goals in a file may add.
///
/// *Invalidated* by every edit; the result is nearly always equal.
#[salsa::tracked(returns(ref))]
fn stored_in(db: &dyn Db, file: SourceFile) -> Stored {
    let mut found = Stored::default();
    for read in &terms(db, file).clauses {
        let all = &read.terms;
        let predicate = |clause| AddedClause::read(all, clause, &|t| t).predicate(all);
        let mut parents: Option<FxHashMap<TermId, TermId>> = None;
        for id in all.subterms(read.root) {
            let Some((name, arity)) = all.functor(id) else {
                continue;
            };
            if matches!((name.as_str(), arity), (":-" | "=>", 2)) && id != read.root {
                found.rules.extend(predicate(id));
            }
            let adds = |arity: usize| clause_change(name, arity) == Some(ClauseChange::Add);
            found.any |= arity == 0 && (1..=MOST_ADDED).any(adds);
            let Some(&clause) = all.args(id).first().filter(|_| adds(arity)) else {
                continue;
            };
            let Some(functor) = predicate(clause) else {
                found.any = true;
                continue;
            };
            let parents = parents.get_or_insert_with(|| parents_in(all, read.root));
            found
                .clauses
                .entry(functor)
                .or_default()
                .push(StoredClause {
                    terms: Arc::clone(all),
                    clause,
                    before: goals_before(all, parents, id),
                });
        }
    }
    found
}

fn parents_in(terms: &Terms, root: TermId) -> FxHashMap<TermId, TermId> {
    let all = terms.subterms(root).into_iter();
    all.flat_map(|id| terms.args(id).iter().map(move |&part| (part, id)))
        .collect()
}

/// Returns the goals that have succeeded whenever a goal is reached: those to its left in conjunctions and conditions.
fn goals_before(terms: &Terms, parents: &FxHashMap<TermId, TermId>, goal: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let (mut at, mut seen) = (goal, FxHashSet::default());
    while let Some(&parent) = parents.get(&at).filter(|_| seen.insert(at)) {
        if let (Goal::Conjunction(..) | Goal::IfThen { .. }, &[left, right]) =
            (Goal::lower(terms, parent), terms.args(parent))
            && right == at
        {
            found.extend(conjuncts(terms, left));
        }
        at = parent;
    }
    found
}

/// Returns the clauses that goals in the user's files may add, regardless of modules.
///
/// *Invalidated* when such a goal or its clause changes, or a file is added or removed.
#[salsa::tracked(returns(ref))]
fn stored(db: &dyn Db, workspace: Workspace) -> Stored {
    let mut found = Stored::default();
    for &file in workspace.files(db).values() {
        if is_installed(db, file) {
            continue;
        }
        let own = stored_in(db, file);
        for (functor, clauses) in &own.clauses {
            let all = found.clauses.entry(functor.clone()).or_default();
            all.extend_from_slice(clauses);
        }
        found.rules.extend(own.rules.iter().cloned());
        found.any |= own.any;
    }
    found
}

/// Returns what the goals of the known files may add, and what those of this file may add.
fn stored_for(db: &dyn Db, file: SourceFile) -> impl Iterator<Item = &Stored> {
    let of_workspace = Workspace::try_get(db).map(|workspace| stored(db, workspace));
    of_workspace.into_iter().chain([stored_in(db, file)])
}

/// Returns the clauses that goals in known files add to a predicate of a file. Predicates of other modules with the same name also count.
pub fn stored_clauses(db: &dyn Db, file: SourceFile, functor: &Functor) -> Vec<StoredClause> {
    let mut all: Vec<StoredClause> = Vec::new();
    for stored in stored_for(db, file) {
        for clause in stored.clauses.get(functor).into_iter().flatten() {
            if !all.contains(clause) {
                all.push(clause.clone());
            }
        }
    }
    all
}

/// Returns whether a rule for a predicate of a file is data in a known file.
pub fn has_stored_rule(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    stored_for(db, file).any(|stored| stored.rules.contains(functor))
}

/// Returns whether a goal of a known file adds clauses that are not written in it.
pub fn stores_any_clause(db: &dyn Db, file: SourceFile) -> bool {
    stored_for(db, file).any(|stored| stored.any)
}
