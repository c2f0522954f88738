//! Functional notation on dicts, which SWI-Prolog makes calls of before the goals and heads that it stands in.
//!
//! ```prolog
//! area(R, A) :- A is R.width*R.height.            % two calls of ./3 first, which raise an exception where there is no such key
//! M.scale(F) := M.put(width, W) :- W is M.width*F.  % a clause of scale/3
//! ```

use smol_str::SmolStr;

use crate::modules::all_clauses;
use crate::predicate::Predicate;
use crate::source::{Db, Role};

/// What it is called where a predicate uses it.
pub(super) static NOTATION: SmolStr = SmolStr::new_static("functional notation on dicts");

/// The notation in words, where a clause of the predicate uses it.
pub(super) fn functional<'db>(db: &'db dyn Db, predicate: Predicate<'db>) -> Option<&'db SmolStr> {
    if predicate.file(db).role(db) == Role::Library {
        return None;
    }
    let clauses = all_clauses(db, predicate);
    let uses = clauses
        .iter()
        .any(|c| (c.terms.ids()).any(|id| c.terms.matches(id, ".", 2).is_some()));
    uses.then_some(&NOTATION)
}
