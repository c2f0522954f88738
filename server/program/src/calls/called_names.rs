//! The calls of all clauses in a file.

use std::collections::BTreeSet;

use super::clause_calls::{called_by, callees};
use crate::definitions::{ContributionKind, all_predicates, contributions, predicates};
use crate::language::Functor;
use crate::workspace::{Db, SourceFile};

/// Returns the calls of all clauses written in a file, including clauses for predicates of other files; sorted and without duplicates.
pub fn called_in(db: &dyn Db, file: SourceFile) -> Vec<Functor> {
    let own = predicates(db, file).iter();
    let mut found: Vec<Functor> = own
        .flat_map(|p| called_by(db, file, p.clauses(db)))
        .chain(called_for_others(db, file))
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the calls of the clauses that a file adds to multifile predicates of other modules.
fn called_for_others(db: &dyn Db, file: SourceFile) -> Vec<Functor> {
    let all = contributions(db, file).values().flatten();
    let mut found: Vec<Functor> = all
        .filter_map(|given| match &given.what {
            ContributionKind::Clause(part) if part.is_qualified => Some(&part.clause),
            _ => None,
        })
        .flat_map(|clause| called_by(db, file, std::slice::from_ref(clause)))
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns all predicates that a file's clauses call. *Invalidated* when the calls of one of its predicates change.
#[salsa::tracked(returns(ref))]
pub(crate) fn called(db: &dyn Db, file: SourceFile) -> BTreeSet<Functor> {
    let own = all_predicates(db, file)
        .flat_map(|p| callees(db, p))
        .cloned();
    own.chain(called_for_others(db, file)).collect()
}
