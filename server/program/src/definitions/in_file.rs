//! The predicates that a file defines by its own clauses.

use rustc_hash::{FxHashMap, FxHashSet};

use super::predicate::Predicate;
use super::run_hooks::expanded_terms;
use crate::directives::{Conditions, Presence};
use crate::language::{Clause, Functor, UnitMark, directive, unit_mark};
use crate::loading::is_home;
use crate::workspace::{Db, SourceFile, terms};

/// The clauses of a predicate collected so far, whether one of them is conditional, and the test units that contain them (0 for clauses
/// outside units).
type ClausesSoFar = (Vec<Clause>, bool, FxHashSet<usize>);

/// Returns the predicates of a file in the order of their first clauses. Discontiguous clauses are collected, clauses that a condition excludes
/// are left out ([`crate::directives::Conditions`]), and terms that the file's own hooks expand are replaced ([`super::run_hooks`]).
///
/// *Invalidated* by every edit; equal as long as the same predicates appear in the same order.
#[salsa::tracked(returns(deref))]
pub fn predicates<'db>(db: &'db dyn Db, file: SourceFile) -> Vec<Predicate<'db>> {
    let mut found: Vec<(Functor, ClausesSoFar)> = Vec::new();
    let mut at: FxHashMap<Functor, usize> = FxHashMap::default();
    let mut conditions = Conditions::for_file(db, file);
    let (mut units, mut unit) = (0_usize, 0_usize);
    // A clause usually belongs to the same predicate as the preceding clause.
    let mut last = usize::MAX;
    let expanded = &expanded_terms(db, file).clauses;
    for (number, read) in terms(db, file).clauses.iter().enumerate() {
        let goal = directive(&read.terms, read.root);
        if let Some(goal) = goal {
            conditions.read(read, goal);
            match unit_mark(&read.terms, goal) {
                Some(UnitMark::Begin) => {
                    units += 1;
                    unit = units;
                }
                Some(UnitMark::End) => unit = 0,
                None => {}
            }
        }
        if conditions.presence() == Presence::Absent {
            continue;
        }
        let replaced = expanded.get(&number);
        let itself = (goal.is_none() && replaced.is_none()).then_some((&read.terms, read.root));
        let instead = replaced.into_iter().flatten();
        let clauses = instead.map(|(terms, root)| (terms, *root)).chain(itself);
        for (terms, root) in clauses {
            let Some((functor, clause)) = Clause::of_module(terms, root, &|m| is_home(db, file, m))
            else {
                continue;
            };
            if found.get(last).is_none_or(|(known, _)| *known != functor) {
                last = *at.entry(functor.clone()).or_insert(found.len());
                if last == found.len() {
                    found.push((functor, ClausesSoFar::default()));
                }
            }
            let (_, (clauses, conditional, in_units)) = &mut found[last];
            clauses.push(clause);
            *conditional |= conditions.presence() == Presence::Open;
            in_units.insert(unit);
        }
    }
    (found.into_iter())
        .map(|(functor, (clauses, conditional, in_units))| {
            // Each clause of a test runs separately.
            let is_test = functor.name == "test" && matches!(functor.arity, 1 | 2);
            let several = in_units.len() > 1 && !is_test;
            Predicate::new(db, file, functor, clauses.into(), conditional, several)
        })
        .collect()
}

/// Returns the predicates of a file by name and arity. *Invalidated* when a predicate is added, removed or moved.
#[salsa::tracked]
pub(super) fn index<'db>(db: &'db dyn Db, file: SourceFile) -> FxHashMap<Functor, Predicate<'db>> {
    predicates(db, file)
        .iter()
        .map(|&p| (p.functor(db).clone(), p))
        .collect()
}
