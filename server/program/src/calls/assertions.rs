//! Goals of `assertion/1`, which flags may remove.

use costlens_catalog::{Relation, relation};

use super::callees;
use crate::definitions::{Alteration, Predicate, leaving_out_assertions};
use crate::language::Functor;
use crate::workspace::Db;

/// Returns the directive that removes the `assertion/1` goals of a predicate: `:- set_prolog_flag(optimise, true).` Returns `None` if the
/// predicate contains no such goal.
///
/// *Invalidated* when a directive of this kind is added or removed, and when the calls of the predicate's clauses change.
#[salsa::tracked(returns(ref))]
pub fn assertions_left_out<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<Alteration> {
    let is_assertion = |f: &Functor| relation(&f.name, f.arity) == Some(Relation::Assertion);
    if !callees(db, predicate).iter().any(is_assertion) {
        return None;
    }
    leaving_out_assertions(db, predicate.file(db)).clone()
}
