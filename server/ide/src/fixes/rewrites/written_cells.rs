//! `written-cells`: elements that are written in the clause are put in front of a list without a call.
//!
//! ```text
//! append([X], Xs, Ys)       →   Ys = [X|Xs]
//! append([X, Y], Xs, Ys)    →   Ys = [X, Y|Xs]
//! ```
//!
//! `append/3` enters one clause for each element that is written, whatever else is bound. Where the list that comes of it is bound, it unifies the elements one after the
//! other, and wakes goals that wait for them meanwhile: so the list is unbound, or the elements have no variables.

use costlens_syntax::term::{CONS, NIL, TermId};

use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::copies::Known;
use crate::fixes::goals::for_goals;
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    let mut found = for_goals(site, |clause, goal| {
        joined(site, clause, goal, Waking::Unbound)
    });
    found.extend(for_goals(site, |clause, goal| {
        joined(site, clause, goal, Waking::Ground)
    }));
    found
}

/// The reason that no goals wait for elements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Waking {
    /// The list is unbound.
    Unbound,
    /// The elements have no variables.
    Ground,
}

fn joined(site: &Site<'_>, clause: usize, goal: TermId, waking: Waking) -> Option<Proposal> {
    let terms = &site.clauses[clause].terms;
    let &[front, back, whole] = terms.args(goal) else {
        return None;
    };
    let is_nil = |id| terms.as_atom(id).is_some_and(|name| name == NIL);
    let (elements, end) = terms.list(front);
    if elements.is_empty() || !is_nil(end) || site.known_goal(clause, goal)? != Known::Append {
        return None;
    }
    let with_variables = |&e: &TermId| !terms.variables_of(e).is_empty();
    let open: Vec<TermId> = elements.into_iter().filter(with_variables).collect();
    let needs: Vec<Condition> = match waking {
        Waking::Unbound if open.is_empty() => Vec::new(),
        Waking::Unbound => Condition::unbound(site, clause, goal, whole)
            .into_iter()
            .collect(),
        Waking::Ground if open.is_empty() => return None,
        Waking::Ground => (open.into_iter())
            .map(|element| Condition::before(clause, goal, element, Shape::Ground))
            .collect(),
    };
    let cells = site.source(clause, front)?;
    let cells = cells.strip_prefix('[')?.strip_suffix(']')?;
    let whole = site.operand(clause, whole)?;
    let text = match (is_nil(back), terms.matches(back, CONS, 2).is_some()) {
        (true, _) => format!("{whole} = [{cells}]"),
        (_, true) => format!(
            "{whole} = [{cells}, {}",
            site.source(clause, back)?.strip_prefix('[')?
        ),
        _ => format!("{whole} = [{cells}|{}]", site.argument(clause, back)?),
    };
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Write the elements in front of the list",
        short_runs: ShortRuns::NotDearer,
        edits: vec![site.replace(clause, goal, text)?],
        needs,
    })
}
