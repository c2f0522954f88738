//! The predicates that a file defines by clauses of its own, wherever these stand in it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::predicate::Predicate;
use crate::directives::{Conditions, Presence};
use crate::language::{Clause, Functor, UnitMark, directive, unit_mark};
use crate::loading::is_home;
use crate::workspace::{Db, SourceFile, terms};

/// The clauses of a predicate while they are gathered, whether one is conditional, and the units of tests that they stand in (0 for none).
type ClausesSoFar = (Vec<Clause>, bool, FxHashSet<usize>);

/// The predicates of a file in the order of their first clauses; discontiguous clauses are gathered, those left out that a condition excludes
/// ([`crate::directives::Conditions`]).
///
/// *Invalidated* by every edit; equal as long as the same predicates come in the same order.
#[salsa::tracked(returns(deref))]
pub fn predicates<'db>(db: &'db dyn Db, file: SourceFile) -> Vec<Predicate<'db>> {
    let mut found: Vec<(Functor, ClausesSoFar)> = Vec::new();
    let mut at: FxHashMap<Functor, usize> = FxHashMap::default();
    let mut conditions = Conditions::of(db, file);
    let (mut units, mut unit) = (0_usize, 0_usize);
    // Mostly a clause is of the same predicate as the one before.
    let mut last = usize::MAX;
    for read in &terms(db, file).clauses {
        if let Some(goal) = directive(&read.terms, read.root) {
            conditions.read(read, goal);
            match unit_mark(&read.terms, goal) {
                Some(UnitMark::Begin) => {
                    units += 1;
                    unit = units;
                }
                Some(UnitMark::End) => unit = 0,
                None => {}
            }
        } else if conditions.presence() != Presence::Absent
            && let Some((functor, clause)) =
                Clause::of_module(&read.terms, read.root, &|m| is_home(db, file, m))
        {
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
            // Each clause of a test runs by itself.
            let is_test = functor.name == "test" && matches!(functor.arity, 1 | 2);
            let several = in_units.len() > 1 && !is_test;
            Predicate::new(db, file, functor, clauses.into(), conditional, several)
        })
        .collect()
}

/// The predicates of a file by name and arity. *Invalidated* when a predicate comes, goes or moves.
#[salsa::tracked]
pub(super) fn index<'db>(db: &'db dyn Db, file: SourceFile) -> FxHashMap<Functor, Predicate<'db>> {
    predicates(db, file)
        .iter()
        .map(|&p| (p.functor(db).clone(), p))
        .collect()
}
