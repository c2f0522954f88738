//! Predicates that always return the same results for the same arguments.
//!
//! Side effects are checked elsewhere. Time, randomness (`statistics/2`, `X is random(6)`) and state kept between calls (`nb_getval/2`) do
//! not count as side effects, but predicates that depend on them are not functions. Callees are therefore looked up in a list of predicates
//! that are known to be functions.

use std::collections::BTreeSet;

use costlens_catalog::{Answers, answers, is_changing_function};
use costlens_program::{Functor, Resolved, callees, resolve};

use super::site::{Site, is_closed};

/// The maximum number of predicates that are followed.
const MOST: usize = 64;

/// Returns true for a predicate of the file that, including all its direct and indirect callees, is such a function.
pub(crate) fn is_function(site: &Site<'_>, functor: &Functor) -> bool {
    let (db, file) = (site.db, site.file);
    let mut seen = BTreeSet::from([functor.clone()]);
    let mut open = vec![functor.clone()];
    while let Some(next) = open.pop() {
        let Some(Resolved::Own(predicate)) = resolve(db, file, &next) else {
            let depends = answers(&next.name, next.arity);
            match depends == Some(Answers::Arguments) && site.means_library(&next) {
                true => continue,
                false => return false,
            }
        };
        let mut clauses = predicate.clauses(db).iter();
        let changes = clauses.any(|clause| {
            let mut named = clause.terms.ids().filter_map(|id| clause.terms.functor(id));
            named.any(|(name, arity)| is_changing_function(name, arity))
        });
        if changes || !is_closed(db, predicate) || seen.len() > MOST {
            return false;
        }
        for callee in callees(db, predicate) {
            if seen.insert(callee.clone()) {
                open.push(callee.clone());
            }
        }
    }
    true
}
