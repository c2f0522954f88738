//! Functional notation on dicts, which SWI-Prolog replaces with calls that precede the goal with the notation (`expand_functions/7` in its
//! `boot/expand.pl`).
//!
//! ```prolog
//! area(R, A) :- A is R.width*R.height.
//! % area(R, A) :- .(R, width, W), .(R, height, H), A is W*H.
//! M.scale(F) := M.put(width, W) :- W is M.width*F.  % a clause of scale/3
//! ```
//!
//! The analysed clauses contain these calls. A predicate is reported as expanded if the position of a call is uncertain, or if it defines a
//! function.

mod evaluate;

use std::sync::Arc;

use costlens_catalog::{MetaArgument, is_built_in, meta_arguments};
use costlens_syntax::Dialect;
use smol_str::SmolStr;

use self::evaluate::{Goals, evaluated, is_function, is_quasi_quotation};
use super::clpfd;
use crate::definitions::{Predicate, all_clauses, find_written, gathered};
use crate::directives::facts;
use crate::language::{Clause, Functor, closures, split_name};
use crate::names::reach_written;
use crate::workspace::{Db, Role, SourceFile};

/// The description of the notation.
pub(super) static NOTATION: SmolStr = SmolStr::new_static("functional notation on dicts");

/// The description of quasi-quotations.
pub(super) static QUASI: SmolStr = SmolStr::new_static("the syntax of a quasi-quotation");

/// Returns the description of the notation, if a clause of the predicate uses it in an unsupported way.
pub(super) fn functional<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<&'db SmolStr> {
    if !is_concerned(db, predicate) || clauses(db, predicate).is_some() {
        return None;
    }
    let all = all_clauses(db, predicate);
    let mut terms = all.iter().map(|c| &c.terms);
    let is_quasi = terms.any(|t| t.ids().any(|id| is_quasi_quotation(t, id)));
    Some(if is_quasi { &QUASI } else { &NOTATION })
}

/// Returns the clauses of a predicate with the notation replaced by calls. Returns `None` if the notation is not used, or not supported.
pub(crate) fn clauses<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<Arc<[Clause]>> {
    is_concerned(db, predicate)
        .then(|| followed(db, predicate))
        .flatten()
}

pub(crate) fn is_concerned<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> bool {
    predicate.file(db).role(db) != Role::Library && *uses_it(db, predicate)
}

/// *Invalidated* when a clause of the predicate changes; the result is usually equal, so that callers are not recomputed.
#[salsa::tracked]
fn uses_it<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> bool {
    let clauses = all_clauses(db, predicate);
    clauses
        .iter()
        .any(|c| (c.terms.ids()).any(|id| is_function(&c.terms, id)))
}

/// Returns the clauses after the expansion. Returns `None` if a call is not supported.
///
/// *Invalidated* when a clause changes, or the predicates to which its names refer; the result is usually equal.
#[salsa::tracked(returns(clone))]
fn followed<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<Arc<[Clause]>> {
    let (file, functor) = (predicate.file(db), predicate.functor(db));
    if file.parsed(db).dialect() != Dialect::Swi
        // Predicates made from lambda expressions and closures have no clauses at load time.
        || find_written(db, file, functor) != Some(predicate)
        || gathered(db, file, functor).is_some()
        || clpfd::is_concerned(db, predicate)
        // The definition of a function on dicts is a clause of another predicate.
        || functor.name == ":=" && functor.arity == 2
    {
        return None;
    }
    let goals = Goals {
        called: &|functor| called(db, file, functor),
        is_system: &|functor| {
            is_built_in(&functor.name, functor.arity)
                && reach_written(db, file, functor).predicate().is_none()
        },
    };
    (all_clauses(db, predicate).iter())
        .map(|clause| evaluated(clause, &goals))
        .collect()
}

/// Returns the arguments that a predicate is declared to call.
fn called(db: &dyn Db, file: SourceFile, functor: &Functor) -> Vec<MetaArgument> {
    let plain = split_name(&functor.name).map_or(&*functor.name, |(_, name)| name);
    let mut found = meta_arguments(plain, functor.arity).to_vec();
    if let Some(reached) = reach_written(db, file, functor).predicate() {
        let modes = facts(db, reached.file(db)).meta.get(reached.functor(db));
        found.extend(modes.into_iter().flat_map(|modes| closures(modes)));
    }
    found
}
