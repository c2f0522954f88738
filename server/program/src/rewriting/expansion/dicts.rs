//! Functional notation on dicts, which SWI-Prolog makes calls of before the goals and heads that it stands in.
//!
//! ```prolog
//! area(R, A) :- A is R.width*R.height.            % two calls of ./3 first, which raise an exception where there is no such key
//! M.scale(F) := M.put(width, W) :- W is M.width*F.  % a clause of scale/3
//! ```

use smol_str::SmolStr;

use crate::definitions::{Predicate, all_clauses};
use crate::workspace::{Db, Role};

/// The notation in words.
pub(super) static NOTATION: SmolStr = SmolStr::new_static("functional notation on dicts");

/// The notation in words, where a clause of the predicate uses it.
pub(super) fn functional<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<&'db SmolStr> {
    let may_use = predicate.file(db).role(db) != Role::Library;
    (may_use && *uses_it(db, predicate)).then_some(&NOTATION)
}

/// *Invalidated* when its clauses change; mostly equal then, so that callers need not look again.
#[salsa::tracked]
fn uses_it<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> bool {
    let clauses = all_clauses(db, predicate);
    clauses
        .iter()
        .any(|c| (c.terms.ids()).any(|id| c.terms.matches(id, ".", 2).is_some()))
}
