//! Clauses of multifile predicates that run differently in their predicate's file than in their own.

use costlens_catalog::is_leading_test;

use super::expansion::{expanded_in, macros, rdf_meta};
use crate::calls::called_by;
use crate::definitions::{Apart, ONE_FILE, Predicate, gathered};
use crate::directives::is_ambiguous_in;
use crate::language::{Functor, join};
use crate::loading::home_module;
use crate::names::reach_written;
use crate::workspace::Db;

/// Returns the reason why clauses added by other files run differently in the predicate's file than in their own.
///
/// *Invalidated* when a clause changes in one of these files, or the predicate to which a name in one of them refers.
#[salsa::tracked(returns(clone))]
pub fn misunderstood<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<Apart> {
    let (file, functor) = (predicate.file(db), predicate.functor(db));
    let Some(Ok(all)) = gathered(db, file, functor) else {
        return None;
    };
    let elsewhere = || all.iter().filter(|g| g.file != file);
    for given in elsewhere() {
        if given.body_in.is_some() && *is_ambiguous_in(db, given.file) {
            return Some(Apart {
                reason: format!(
                    "it is multifile: in `{}` an atom looks like a name with its module",
                    given.file.path(db)
                ),
                help: ONE_FILE,
            });
        }
        let called = called_by(db, given.file, std::slice::from_ref(&given.written));
        let unrolled = || {
            let is_about = called.iter().any(macros::is_about);
            (is_about && macros::reach(db, given.file)).then_some(&macros::HOOK)
        };
        let translated = || rdf_meta::changes_clause(db, given.file, functor, &given.written);
        let hook = expanded_in(db, given.file, functor, &called);
        if let Some(hook) = hook.or_else(unrolled).or_else(translated) {
            return Some(Apart {
                reason: format!(
                    "it is multifile: its clauses in `{}` may be expanded by {hook}",
                    given.file.path(db)
                ),
                help: "Give the expansion's first argument the form of the terms that it is meant for, or write what it gives.",
            });
        }
        // `m:(p :- q)` runs in the predicate's module, whichever file contains the clause.
        if given.body_in.is_none() && home_module(db, given.file) != home_module(db, file) {
            continue;
        }
        for callee in called {
            let there = reach_written(db, given.file, &callee).predicate();
            let here = |name: &Functor| reach_written(db, file, name).predicate();
            let same = |found: Option<Predicate<'_>>| {
                found == there
                    || [found, there]
                        .into_iter()
                        .all(|p| p.is_some_and(|p| is_it(db, p, predicate)))
            };
            // Tests are kept as written.
            let joined = (given.body_in.as_ref())
                .filter(|_| !is_leading_test(&callee.name, callee.arity))
                .and_then(|module| join(module, &callee.name));
            let found = match joined {
                Some(name) => {
                    same(here(&Functor::new(name, callee.arity)))
                        || there.is_some_and(|p| p.file(db) == file)
                }
                None => same(here(&callee)),
            };
            if !found {
                return Some(Apart {
                    reason: format!(
                        "it is multifile: `{callee}` in the clauses that `{}` gives it is not what `{}` means by that",
                        given.file.path(db),
                        file.path(db)
                    ),
                    help: ONE_FILE,
                });
            }
        }
    }
    None
}

/// Returns whether two predicates are the same multifile predicate, seen from two of its files.
fn is_it(db: &dyn Db, one: Predicate<'_>, other: Predicate<'_>) -> bool {
    let home = |p: Predicate<'_>| home_module(db, p.file(db)).clone();
    one.functor(db) == other.functor(db) && home(one).is_some() && home(one) == home(other)
}
