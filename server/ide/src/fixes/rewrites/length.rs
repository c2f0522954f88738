//! `match-instead-of-length`: a list is matched, not measured.
//!
//! ```text
//! length(Xs, N), N > 0       →   Xs = [_|_]
//! length(Xs, 2)              →   Xs = [_,_]
//! ```
//!
//! For a proper list a length has one value, and the match binds nothing. `length/2` may be a copy with its clauses, and the test the first goal of a condition.

use costlens_body::Comparison;
use costlens_syntax::term::TermId;

use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::copies::Known;
use crate::fixes::goals::{compared, first_condition, rows, small, variable};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;

/// Longer patterns are harder to read than a length.
const LONGEST: i64 = 3;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    let mut found = Vec::new();
    for (number, clause) in site.rules() {
        for row in rows(clause) {
            for (i, &goal) in row.goals.iter().enumerate() {
                let terms = &clause.terms;
                let &[list, length] = terms.args(goal) else {
                    continue;
                };
                if variable(terms, list).is_none()
                    || site.known_goal(number, goal) != Some(Known::Length)
                {
                    continue;
                }
                found.extend(match variable(terms, length) {
                    None => of_constant(site, number, goal, list, length),
                    Some(n) => of_test(site, number, (&row.goals[i..], list), n),
                });
            }
        }
    }
    found
}

/// `length(Xs, 2)`.
fn of_constant(
    site: &Site<'_>,
    clause: usize,
    goal: TermId,
    list: TermId,
    length: TermId,
) -> Option<Proposal> {
    let k = small(&site.clauses[clause].terms, length)?;
    let pattern = pattern(Length::Exactly(k))?;
    let text = format!("{} = {pattern}", site.source(clause, list)?);
    Some(proposal(
        vec![site.replace(clause, goal, text)?],
        (clause, goal, list),
    ))
}

/// `length(Xs, N), …, N > 0`, where `N` stands nowhere else.
fn of_test(
    site: &Site<'_>,
    clause: usize,
    (goals, list): (&[TermId], TermId),
    n: u32,
) -> Option<Proposal> {
    let terms = &site.clauses[clause].terms;
    let &[goal, next, ..] = goals else {
        return None;
    };
    if site.occurrences(clause, n) != 2 {
        return None;
    }
    let (test, length) = goals[1..].iter().find_map(|&behind| {
        let test = first_condition(terms, behind).unwrap_or(behind);
        Some((test, tested(compared(terms, test, n)?)?))
    })?;
    let text = format!("{} = {}", site.source(clause, list)?, pattern(length)?);
    let mut edits = match site.remove(clause, goal, next) {
        Some(edit) => vec![edit],
        None => site.take_out(clause, &|g| g == goal)?,
    };
    edits.push(site.replace(clause, test, text)?);
    Some(proposal(edits, (clause, goal, list)))
}

fn proposal(
    edits: Vec<crate::file::Edit>,
    (clause, goal, list): (usize, TermId, TermId),
) -> Proposal {
    Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Match the list instead of measuring it",
        short_runs: ShortRuns::Open,
        edits,
        needs: vec![Condition::before(clause, goal, list, Shape::List)],
    }
}

/// The lengths that a test lets through.
enum Length {
    Exactly(i64),
    AtLeast(i64),
}

/// The lengths for which `N test K` holds.
fn tested((test, k): (Comparison, i64)) -> Option<Length> {
    Some(match (test, k) {
        (Comparison::Greater, _) => Length::AtLeast(k.checked_add(1)?),
        (Comparison::GreaterOrEqual, _) => Length::AtLeast(k),
        (Comparison::NotEqual, 0) => Length::AtLeast(1),
        (Comparison::Equal, _) => Length::Exactly(k),
        (Comparison::Less, 1) | (Comparison::LessOrEqual, 0) => Length::Exactly(0),
        _ => return None,
    })
}

/// `[_,_]`, `[_|_]`.
fn pattern(length: Length) -> Option<String> {
    let cells = |k: i64| vec!["_"; usize::try_from(k).unwrap_or(0)].join(",");
    match length {
        Length::Exactly(k @ 0..=LONGEST) => Some(format!("[{}]", cells(k))),
        Length::AtLeast(k @ 1..=LONGEST) => Some(format!("[{}|_]", cells(k))),
        _ => None,
    }
}
