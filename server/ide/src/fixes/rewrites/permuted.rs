//! `sort-instead-of-permutation`: of all permutations of a list the one that is in order is looked for.
//!
//! ```text
//! permutation(Xs, Ys), ordered(Ys), !   →   msort(Xs, Ys), !
//! ```
//!
//! Integers that are equal are the same, so that there is one list in order; it may be found several times, and only the first time may matter. `ordered/1` is
//! known by its clauses.

use costlens_body::Goal;
use costlens_program::Functor;
use costlens_syntax::term::TermId;

use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::copies::Known;
use crate::fixes::goals::{rows, variable};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    let mut found = Vec::new();
    if !site.means_library(&Functor::new("msort", 2)) {
        return found;
    }
    for (number, clause) in site.rules() {
        for row in rows(clause) {
            for (i, pair) in row.goals.windows(2).enumerate() {
                let once = match row.goals.get(i + 2) {
                    None => row.once,
                    Some(&next) => Goal::of(&clause.terms, next) == Goal::Cut,
                };
                if once {
                    found.extend(sorted(site, number, pair[0], pair[1]));
                }
            }
        }
    }
    found
}

fn sorted(site: &Site<'_>, clause: usize, made: TermId, test: TermId) -> Option<Proposal> {
    let terms = &site.clauses[clause].terms;
    let (makes, tests) = (
        site.recognised(clause, made)?,
        site.recognised(clause, test)?,
    );
    let (arguments, tested) = (makes.arguments(terms, made), tests.arguments(terms, test));
    let (&[list, permuted], &[tested]) = (&arguments[..], &tested[..]) else {
        return None;
    };
    let v = variable(terms, permuted)?;
    if variable(terms, tested)? != v
        || makes.known != Known::Permutation
        || tests.known != Known::Ordered
    {
        return None;
    }
    let text = |id| site.argument(clause, id);
    let text = format!("msort({}, {})", text(list)?, text(permuted)?);
    let mut needs = vec![Condition::before(clause, made, list, Shape::Integers)];
    needs.extend(Condition::unbound(site, clause, made, permuted));
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Sort the list",
        // Each permutation that is tried is a step at least.
        short_runs: ShortRuns::NotDearerWhere {
            runs: "where the list in order is not among the first n·log₂ n permutations",
            least: 0,
        },
        edits: site.replace_both(clause, (made, test), text)?,
        needs,
    })
}
