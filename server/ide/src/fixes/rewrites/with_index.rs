//! `elements-with-index`: indices are counted, and the element at each is looked up.
//!
//! ```text
//! length(Xs, N), between(1, N, I), nth1(I, Xs, X)   →   nth1(I, Xs, X)
//! ```
//!
//! With an unbound index `nth1/3` goes through a list once, and gives its elements with their indices in the same order.

use costlens_program::Functor;
use costlens_syntax::term::TermId;

use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::copies::Known;
use crate::fixes::goals::{rows, small, variable};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    let mut found = Vec::new();
    for (number, clause) in site.rules() {
        for row in rows(clause) {
            let triples = row.goals.windows(3);
            found.extend(triples.filter_map(|goals| counted(site, number, goals)));
        }
    }
    found
}

fn counted(site: &Site<'_>, clause: usize, goals: &[TermId]) -> Option<Proposal> {
    let terms = &site.clauses[clause].terms;
    let &[measure, count, access] = goals else {
        return None;
    };
    let &[low, high, index] = terms.matches(count, "between", 3)? else {
        return None;
    };
    let (&[list, length], &[at, of, _]) = (terms.args(measure), terms.matches(access, "nth1", 3)?)
    else {
        return None;
    };
    let (n, i) = (variable(terms, length)?, variable(terms, index)?);
    let fits = small(terms, low)? == 1
        && variable(terms, high)? == n
        && variable(terms, at)? == i
        && variable(terms, list)? == variable(terms, of)?
        && site.occurrences(clause, n) == 2
        && n != i
        && site.known_goal(clause, measure)? == Known::Length
        && site.means_library(&Functor::new("between", 3))
        && site.means_library(&Functor::new("nth1", 3));
    fits.then_some(())?;
    let mut needs = vec![Condition::before(clause, measure, list, Shape::List)];
    needs.extend(Condition::unbound(site, clause, count, index));
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Let `nth1/3` count the indices",
        short_runs: ShortRuns::NotDearer,
        edits: vec![
            site.remove(clause, measure, count)?,
            site.remove(clause, count, access)?,
        ],
        needs,
    })
}
