//! Goals that occur in a variant but not in its original. A goal expansion, or clauses that some file adds, may change their meaning.
//!
//! ```text
//! goal_expansion(memberchk(X, L), ord_memberchk(X, L)).
//! ```

use std::collections::BTreeSet;

use costlens_program::calls::calls_in;
use costlens_program::{Functor, Predicate, SourceFile, find, may_be_expanded, predicates};

use super::callers::may_be_redefined;
use super::kept;
use super::site::Site;
use super::variant::Variant;
use crate::db::Db;
use crate::file::Edit;
use crate::present::indicator;

/// Returns the reason not to offer a variant: one of its new goals may not call the predicate with that name.
pub(super) fn refusal(site: &Site<'_>, edits: &[Edit], variant: &Variant) -> Option<String> {
    let edited = kept::edited(site, edits);
    let mut before = BTreeSet::new();
    for &p in predicates(site.db, site.file) {
        if edited.contains(p.functor(site.db)) {
            before.extend(goals(site.db, site.file, p));
        }
    }
    let mut after = BTreeSet::new();
    for &p in predicates(&variant.db, variant.file) {
        let functor = p.functor(&variant.db);
        if edited.contains(functor) || find(site.db, site.file, functor).is_none() {
            after.extend(goals(&variant.db, variant.file, p));
        }
    }
    let is_changed = |goal: &&Functor| {
        may_be_expanded(site.db, site.file, goal)
            || find(&variant.db, variant.file, goal).is_none()
                && may_be_redefined(site.db, site.file, goal)
    };
    let found = after.difference(&before).find(is_changed)?;
    Some(format!("`{}` may mean something else", indicator(found)))
}

/// Returns the predicates that the clauses of a predicate call.
fn goals(db: &dyn Db, file: SourceFile, predicate: Predicate<'_>) -> Vec<Functor> {
    let clauses = predicate.clauses(db).iter();
    let calls = clauses.flat_map(|clause| {
        let bodies = clause.guard.into_iter().chain(clause.body);
        bodies.flat_map(|body| calls_in(db, file, &clause.terms, body))
    });
    calls.map(|call| call.callee).collect()
}
