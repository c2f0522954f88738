//! Predicates that give the same for the same arguments, whenever they are called.
//!
//! An effect is looked for elsewhere; time and chance (`statistics/2`, `X is random(6)`) and what is kept between calls (`nb_getval/2`) have none, and
//! are no functions. So what is called is looked up in a list of those that are.

use std::collections::BTreeSet;

use costlens_catalog::{Answers, answers, is_changing_function};
use costlens_program::{Functor, Resolved, callees, resolve};

use super::site::{Site, is_closed};

/// The most predicates that are followed.
const MOST: usize = 64;

/// True for a predicate of the file that is such a function, and so is all that it calls.
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
