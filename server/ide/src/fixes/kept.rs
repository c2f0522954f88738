//! The parts of a text that edits must preserve: comments, and predicates whose comments disable fixes.

use costlens_program::positions::{PredicatePositions, positions};
use costlens_program::{Functor, SourceFile};

use super::site::Site;
use crate::db::Db;
use crate::diagnostics::rules;
use crate::diagnostics::suppressions::suppressions;
use crate::file::Edit;

/// Returns the reason not to offer edits: a comment would be lost, or a predicate would change for which the author has disabled fixes.
pub(super) fn refusal(site: &Site<'_>, edits: &[Edit]) -> Option<&'static str> {
    let is_kept = |text: &str| edits.iter().any(|edit| edit.text.contains(text.trim_end()));
    let loses = |edit: &Edit| {
        let inside = site.comments_between(edit.range.start, edit.range.end);
        inside.iter().any(|comment| !is_kept(&comment.text))
    };
    if edits.iter().any(loses) {
        return Some("a comment would be lost");
    }
    let mut edited = edited(site, edits).into_iter();
    let is_left_alone = edited.any(|of| is_left_alone(site.db, site.file, &of));
    is_left_alone.then_some("a comment disables fixes for a predicate that would change")
}

/// Returns the predicates whose clauses some edit changes.
pub(super) fn edited(site: &Site<'_>, edits: &[Edit]) -> Vec<Functor> {
    let is_edited = |p: &&PredicatePositions| {
        let touches = |edit: &Edit| {
            let mut clauses = p.clauses.iter();
            clauses.any(|c| c.range.0 < edit.range.end && edit.range.start < c.range.1)
        };
        edits.iter().any(touches)
    };
    let all = positions(site.db, site.file);
    let edited = all.iter().filter(is_edited);
    edited.map(|p| p.functor.clone()).collect()
}

/// Returns true for a predicate whose comment disables fixes: `% costlens: ignore[fix]`.
pub(super) fn is_left_alone(db: &dyn Db, file: SourceFile, functor: &Functor) -> bool {
    let all = positions(db, file);
    let own = all.iter().find(|p| p.functor == *functor);
    let first = own.and_then(|p| p.clauses.first());
    first.is_some_and(|c| suppressions(db, file).covers(&rules::FIX, c.range.0))
}
