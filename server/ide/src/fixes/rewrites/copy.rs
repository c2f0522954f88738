//! `needless-copy`: a list is copied that could be used as it is.
//!
//! ```text
//! findall(X, member(X, Xs), Ys)   →   Ys = Xs
//! append(Xs, [], Ys)              →   Ys = Xs
//! copy_term(T, U)                 →   U = T
//! ```
//!
//! `findall/3` and `copy_term/2` make new variables, so that there must be none; for `append/3` a proper list is enough.

use costlens_syntax::term::{NIL, TermId};

use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::copies::Known;
use crate::fixes::goals::{collected, rows, variable};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    let mut found = Vec::new();
    for (number, clause) in site.rules() {
        for row in rows(clause) {
            for &goal in &row.goals {
                found.extend(needless(site, number, goal));
            }
        }
    }
    found
}

fn needless(site: &Site<'_>, clause: usize, goal: TermId) -> Option<Proposal> {
    let terms = &site.clauses[clause].terms;
    let mut needs = Vec::new();
    let (original, copy, is) = match (collected(terms, goal), terms.args(goal)) {
        (Some([template, inner, copy]), _) => {
            let &[element, list] = terms.args(inner) else {
                return None;
            };
            let v = variable(terms, template)?;
            // Anything but an unbound variable may be no list, which is an exception of `findall/3`.
            let to = variable(terms, copy)?;
            let member = site.known_goal(clause, inner)? == Known::Member
                && variable(terms, element)? == v
                && site.occurrences(clause, v) == 2;
            if !member || is_inside(site, clause, to, list) {
                return None;
            }
            if !site.is_fresh(clause, to, goal) {
                needs.push(Condition::before(clause, goal, copy, Shape::Unbound));
            }
            (list, copy, Shape::GroundList)
        }
        (None, &[original, copy]) if terms.matches(goal, "copy_term", 2).is_some() => {
            (original, copy, Shape::Ground)
        }
        (None, &[list, end, copy])
            if terms.as_atom(end).is_some_and(|name| name == NIL)
                && site.known_goal(clause, goal)? == Known::Append =>
        {
            (list, copy, Shape::List)
        }
        _ => return None,
    };
    let text = format!(
        "{} = {}",
        site.operand(clause, copy)?,
        site.operand(clause, original)?
    );
    needs.push(Condition::before(clause, goal, original, is));
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Use the original instead of a copy",
        short_runs: ShortRuns::NotDearer,
        edits: vec![site.replace(clause, goal, text)?],
        needs,
    })
}

fn is_inside(site: &Site<'_>, clause: usize, v: u32, term: TermId) -> bool {
    site.clauses[clause].terms.variables_of(term).contains(&v)
}
