//! `computed-instead-of-searched`: a number is looked for whose value is known.
//!
//! ```text
//! between(L, H, X), X =:= E   →   X is E, between(L, H, X)
//! ```
//!
//! One integer at the most passes the test. `E` is a sum, difference or product of integers, so that its value is an integer and it raises no exception
//! where nothing would have been looked for.

use costlens_program::Functor;
use costlens_syntax::term::TermId;

use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::goals::{for_neighbours, integers_of, small, variable};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    if !site.means_library(&Functor::new("between", 3)) {
        return Vec::new();
    }
    for_neighbours(site, |clause, first, second| {
        computed(site, clause, first, second)
    })
}

fn computed(site: &Site<'_>, clause: usize, search: TermId, test: TermId) -> Option<Proposal> {
    let terms = &site.clauses[clause].terms;
    let &[low, high, value] = terms.matches(search, "between", 3)? else {
        return None;
    };
    let &[left, right] = terms.matches(test, "=:=", 2)? else {
        return None;
    };
    let x = variable(terms, value)?;
    let expression = match (variable(terms, left), variable(terms, right)) {
        (Some(v), _) if v == x => right,
        (_, Some(v)) if v == x => left,
        _ => return None,
    };
    if terms.variables_of(expression).contains(&x) {
        return None;
    }
    let mut integers = integers_of(terms, expression)?;
    for bound in [low, high] {
        if small(terms, bound).is_none() {
            variable(terms, bound).filter(|&v| v != x)?;
            integers.push(bound);
        }
    }
    let text = |id| site.source(clause, id);
    let computed = format!("{} is {}", text(value)?, text(expression)?);
    let edits = vec![
        site.replace(clause, search, computed)?,
        site.replace(clause, test, text(search)?.to_owned())?,
    ];
    let integer = |term| Condition::before(clause, search, term, Shape::Integer);
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Compute the number instead of looking for it",
        short_runs: ShortRuns::NotDearer,
        edits,
        needs: (integers.into_iter().map(integer))
            .chain(Condition::unbound(site, clause, search, value))
            .collect(),
    })
}
