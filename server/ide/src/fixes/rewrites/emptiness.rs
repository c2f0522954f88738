//! `any-solution`: all solutions are collected to see whether there is one.
//!
//! ```text
//! findall(X, p(X), Xs), Xs == []      →   \+ p(_)
//! findall(X, p(X), Xs), Xs \== []     →   \+ \+ p(_)
//! findall(X, p(X), Xs), Xs = [_|_]    →   \+ \+ p(_)
//! findall(X, p(X), [])                →   \+ p(_)
//! ```
//!
//! Neither binds anything. Further solutions are not looked for any more, so that their exceptions must not matter.

use costlens_syntax::term::{CONS, NIL, TermId, Terms};

use crate::file::Edit;
use crate::fixes::conditions::Condition;
use crate::fixes::goals::{collected, equality, for_goals, for_neighbours, variable};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    let mut found = for_neighbours(site, |clause, first, second| {
        tested(site, clause, first, second)
    });
    found.extend(for_goals(site, |clause, goal| matched(site, clause, goal)));
    found
}

/// `findall(X, p(X), [])`.
fn matched(site: &Site<'_>, clause: usize, all: TermId) -> Option<Proposal> {
    let terms = &site.clauses[clause].terms;
    let [template, goal, list] = collected(terms, all)?;
    // A goal that is a variable may hold a cut or anything else.
    terms.functor(goal)?;
    let is_empty = terms.as_atom(list).is_some_and(|n| n == NIL);
    if !is_empty && !is_any_cell(site, clause, terms, list) {
        return None;
    }
    let text = goal_text(site, clause, goal, template)?;
    let edit = site.replace(clause, all, format!("{}{text}", prefix(is_empty)))?;
    Some(proposal(vec![edit]))
}

fn prefix(is_empty: bool) -> &'static str {
    match is_empty {
        true => "\\+ ",
        false => "\\+ \\+ ",
    }
}

fn proposal(edits: Vec<Edit>) -> Proposal {
    Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Look for one solution only",
        short_runs: ShortRuns::NotDearer,
        edits,
        needs: vec![Condition::NoException],
    }
}

fn tested(site: &Site<'_>, clause: usize, all: TermId, test: TermId) -> Option<Proposal> {
    let terms = &site.clauses[clause].terms;
    let [template, goal, list] = collected(terms, all)?;
    let v = variable(terms, list)?;
    // A goal that is a variable may hold a cut or anything else.
    terms.functor(goal)?;
    if site.occurrences(clause, v) != 2 {
        return None;
    }
    let prefix = prefix(empty(site, clause, test, v)?);
    let text = format!("{prefix}{}", goal_text(site, clause, goal, template)?);
    Some(proposal(site.replace_both(clause, (all, test), text)?))
}

/// True for a test that a list is empty, false for one that it is not.
fn empty(site: &Site<'_>, clause: usize, test: TermId, v: u32) -> Option<bool> {
    let terms = &site.clauses[clause].terms;
    let equality = equality(terms, test)?;
    let [left, right] = equality.sides;
    let other = match (variable(terms, left), variable(terms, right)) {
        (Some(l), _) if l == v => right,
        (_, Some(r)) if r == v => left,
        _ => return None,
    };
    let is_nil = terms.as_atom(other).is_some_and(|n| n == NIL);
    let is_cell = || equality.unifies && is_any_cell(site, clause, terms, other);
    (is_nil || is_cell()).then_some(equality.holds == is_nil)
}

/// `[_|_]`.
fn is_any_cell(site: &Site<'_>, clause: usize, terms: &Terms, id: TermId) -> bool {
    let parts = terms.matches(id, CONS, 2);
    let single =
        |&part: &TermId| variable(terms, part).is_some_and(|v| site.occurrences(clause, v) == 1);
    parts.is_some_and(|parts| parts.iter().all(single))
}

/// The goal as an operand of a negation, with `_` for variables that stand nowhere else but in the template.
fn goal_text(site: &Site<'_>, clause: usize, goal: TermId, template: TermId) -> Option<String> {
    let terms = &site.clauses[clause].terms;
    let place = &site.places[clause];
    let (from, to) = place.of(goal)?;
    let in_template = terms.variables_of(template);
    let inside = terms.variables_of(goal);
    let count = |all: &[u32], v: u32| all.iter().filter(|&&w| w == v).count();
    // A variable that the template has, and one other place, would stand there alone.
    let is_left_alone = |&v: &u32| {
        !inside.contains(&v) && site.occurrences(clause, v) == 1 + count(&in_template, v)
    };
    (!in_template.iter().any(is_left_alone)).then_some(())?;
    let mut singles: Vec<(usize, usize)> = (terms.subterms(goal).into_iter())
        .filter(|&t| {
            variable(terms, t).is_some_and(|v| {
                count(&inside, v) == 1 && site.occurrences(clause, v) == 1 + count(&in_template, v)
            })
        })
        .map(|t| place.of(t))
        .collect::<Option<_>>()?;
    singles.sort_unstable();
    let (mut text, mut at) = (String::new(), from);
    for (start, end) in singles {
        text.push_str(site.text.get(at..start)?);
        text.push('_');
        at = end;
    }
    text.push_str(site.text.get(at..to)?);
    let (name, arity) = terms.functor(goal)?;
    let is_plain = arity == 0 || text.starts_with(&format!("{name}("));
    Some(match is_plain {
        true => text,
        false => format!("( {text} )"),
    })
}
