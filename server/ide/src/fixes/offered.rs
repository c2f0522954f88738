//! Quick fixes that are offered for a predicate, for hints that say the same in other words.

use costlens_program::positions::positions;
use costlens_program::{Functor, Role, SourceFile};
use costlens_syntax::{Dialect, Parsed};

use super::if_cheaper;
use super::rewrites::REWRITES;
use super::site::Site;
use crate::db::Database;
use crate::diagnostics::rules::Rule;

/// True where some rewrite of these rules has the shape of a predicate: most predicates have that of none.
pub(crate) fn may_be_offered(site: &Site<'_>, rules: &[&'static Rule]) -> bool {
    let mut all = REWRITES
        .iter()
        .filter(|rewrite| rules.contains(&rewrite.rule));
    all.any(|rewrite| !(rewrite.propose)(site).is_empty())
}

/// True where a variant of one of these rules is offered for a predicate of a text. Times are not looked at.
pub(crate) fn is_offered(
    (text, dialect): (&str, Dialect),
    functor: &Functor,
    rules: &[&'static Rule],
    wanted: &dyn Fn(),
) -> bool {
    let db = Database::new();
    let parsed = Parsed::in_dialect(text.to_owned(), dialect);
    let file = SourceFile::new(&db, String::new(), parsed, Role::User);
    let places = positions(&db, file);
    let Some(places) = places.iter().find(|p| p.functor == *functor) else {
        return false;
    };
    let mut found = false;
    Site::visit(&db, file, functor, &places.clauses, |site| {
        let all = REWRITES
            .iter()
            .filter(|rewrite| rules.contains(&rewrite.rule));
        found = all
            .flat_map(|rewrite| {
                (rewrite.propose)(site)
                    .into_iter()
                    .map(move |p| (rewrite, p))
            })
            .any(|(rewrite, proposal)| {
                wanted();
                if_cheaper(site, rewrite.rule, &proposal, None).is_ok()
            });
    });
    found
}
