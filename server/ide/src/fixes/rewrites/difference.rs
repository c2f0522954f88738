//! `difference-list`: lists of the parts of a term are not joined, but each is written in front of the next one.
//!
//! ```text
//! flat(l, []).                                       flat(T, Xs) :- flat(T, Xs, []).
//! flat(t(L, X, R), F) :-                       →
//!     flat(L, A), flat(R, B),                        flat(l, Rest, Rest).
//!     append(A, [X|B], F).                           flat(t(L, X, R), A, Rest) :- flat(L, A, [X|B]), flat(R, B, Rest).
//! ```
//!
//! `flat(T, Xs, Rest)` says that `Xs` is the list of `T` with `Rest` behind it. Every list of the clauses is a proper one, since each ends in `[]` or in one of
//! another call. So `append/3` has one solution, and the goals that stay run as before, in the same order.

use std::collections::BTreeMap;

use costlens_program::{Clause, ClauseKind};
use costlens_syntax::term::{CONS, NIL, TermId};

use crate::file::Edit;
use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::copies::Known;
use crate::fixes::goals::variable;
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::{Site, occurrences};

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    let arity = site.functor.arity;
    // Lists are mostly the last argument.
    let all = (0..arity).rev().filter_map(|result| proposal(site, result));
    match (2..=8).contains(&arity) && site.clauses.len() <= 32 {
        true => all.take(1).collect(),
        false => Vec::new(),
    }
}

/// A part of a list: an element, or the list of a recursive call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Element(TermId),
    Call(u32),
}

/// A clause, taken apart.
struct Taken {
    /// The result, from left to right.
    parts: Vec<Part>,
    goals: Vec<TermId>,
    /// The recursive calls with the variables of their lists.
    calls: Vec<(TermId, u32)>,
    appends: Vec<TermId>,
}

fn proposal(site: &Site<'_>, result: usize) -> Option<Proposal> {
    let taken: Vec<Taken> = (0..site.clauses.len())
        .map(|number| taken(site, number, result))
        .collect::<Option<_>>()?;
    // With one call in each clause an accumulator says it better.
    let joins = |t: &Taken| t.calls.len() > 1 && !t.appends.is_empty();
    if !taken.iter().any(joins) {
        return None;
    }
    let helper = site.helper_name(site.functor.arity + 1, "_rest")?;
    let mut edits = Vec::new();
    for (number, taken) in taken.iter().enumerate() {
        edits.extend(rewritten(site, number, result, taken, &helper)?);
    }
    let end = site.line_end();
    let names = |last: &str| -> String {
        let name = |i: usize| match i == result {
            true => format!("List{last}"),
            false => char::from(b'A' + u8::try_from(i).unwrap_or(0)).to_string(),
        };
        let all: Vec<String> = (0..site.functor.arity).map(name).collect();
        all.join(", ")
    };
    let place = site.places.first()?;
    let own = site.text.get(place.name.0..place.name.1)?;
    edits.push(Edit {
        range: place.range.0..place.range.0,
        text: format!(
            "{own}({}) :- {helper}({}).{end}{end}",
            names(""),
            names(", []")
        ),
    });
    Some(Proposal {
        beside: String::new(),
        what: "Write the lists one in front of the other",
        short_runs: ShortRuns::NotDearer,
        edits,
        needs: vec![Condition::Argument {
            argument: result,
            is: Shape::Unbound,
        }],
    })
}

/// Takes a clause apart. None where its result is more than elements and lists of recursive calls.
fn taken(site: &Site<'_>, number: usize, result: usize) -> Option<Taken> {
    let clause = &site.clauses[number];
    let terms = &clause.terms;
    if !matches!(clause.kind, ClauseKind::Fact | ClauseKind::Rule) || clause.grammar_rule {
        return None;
    }
    let goals = clause
        .body
        .map_or(Vec::new(), |body| terms.chain(body, ","));
    let (mut calls, mut appends, mut joined) = (Vec::new(), Vec::new(), BTreeMap::new());
    let head_result = *terms.args(clause.head).get(result)?;
    for &goal in &goals {
        if let Some(args) = terms.matches(goal, &site.functor.name, site.functor.arity) {
            calls.push((goal, variable(terms, args[result])?));
        } else if site.known_goal(number, goal) == Some(Known::Append)
            && let &[front, back, whole] = terms.args(goal)
            && let Some(whole) = variable(terms, whole)
            && !joined.contains_key(&whole)
        {
            joined.insert(whole, (front, back));
            appends.push(goal);
        }
    }
    // A join before the calls would look for the lists.
    let place = |goal: &TermId| goals.iter().position(|g| g == goal);
    let last_call = calls.iter().filter_map(|(goal, _)| place(goal)).max();
    let joins_before = |a: TermId, i: usize| {
        let parts = terms.args(a).iter().take(2);
        let mut inside = parts.flat_map(|&part| terms.variables_of(part));
        inside.any(|v| {
            let made = |&b: &TermId| variable(terms, terms.args(b)[2]) == Some(v);
            appends[i..].iter().any(made)
        })
    };
    let too_early = |(i, a): (usize, &TermId)| place(a) < last_call || joins_before(*a, i);
    if appends.iter().enumerate().any(too_early) {
        return None;
    }
    // Calls inside of control constructs keep the list that they give.
    let inner = terms
        .subterms(clause.body.unwrap_or(clause.head))
        .into_iter();
    let named = |&t: &TermId| {
        let (name, arity) = (&site.functor.name, site.functor.arity);
        t != clause.head && terms.matches(t, name, arity).is_some()
    };
    if inner.filter(named).count() != calls.len() {
        return None;
    }
    let lists: Vec<u32> = calls.iter().map(|(_, v)| *v).collect();
    let mut parts = Vec::new();
    let mut waiting = vec![head_result];
    // Each list and each join is used once, so that this ends.
    let mut used = Vec::new();
    while let Some(at) = waiting.pop() {
        if let Some(v) = variable(terms, at) {
            if used.contains(&v) || occurrences(clause, v) != 2 {
                return None;
            }
            used.push(v);
            if lists.contains(&v) {
                parts.push(Part::Call(v));
            } else {
                let (front, back) = joined.get(&v)?;
                waiting.extend([*back, *front]);
            }
        } else if let Some(&[element, rest]) = terms.matches(at, CONS, 2) {
            parts.push(Part::Element(element));
            waiting.push(rest);
        } else if terms.as_atom(at).is_none_or(|name| name != NIL) {
            return None;
        }
    }
    // All of them, and elements that know nothing of them.
    let elements = parts.iter().filter_map(|part| match part {
        Part::Element(e) => Some(terms.variables_of(*e)),
        Part::Call(_) => None,
    });
    let free = elements.flatten().all(|v| !used.contains(&v));
    let complete = used.len() == lists.len() + appends.len() && distinct(&lists);
    (free && complete).then_some(Taken {
        parts,
        goals,
        calls,
        appends,
    })
}

fn distinct(all: &[u32]) -> bool {
    (0..all.len()).all(|i| !all[..i].contains(&all[i]))
}

/// The edits that make a clause one with a rest behind its list.
fn rewritten(
    site: &Site<'_>,
    number: usize,
    result: usize,
    taken: &Taken,
    helper: &str,
) -> Option<Vec<Edit>> {
    let clause: &Clause = &site.clauses[number];
    let terms = &clause.terms;
    let place = &site.places[number];
    let rest = site.new_variable(number, &["Rest", "Rest0", "Tail", "Tail0"])?;
    let name = |v: u32| {
        let name = place.spans.variables.get(v as usize)?;
        (name != "_").then(|| name.to_string())
    };
    // The text of the list from a part on, up to the list of the next call.
    let from = |parts: &[Part]| -> Option<String> {
        let mut elements = Vec::new();
        let mut end = rest.to_owned();
        for part in parts {
            match part {
                Part::Element(e) => elements.push(site.argument(number, *e)?),
                Part::Call(v) => {
                    end = name(*v)?;
                    break;
                }
            }
        }
        Some(match elements.is_empty() {
            true => end,
            false => format!("[{}|{end}]", elements.join(", ")),
        })
    };
    let goal = |of: TermId, list: String, rest: String| -> Option<String> {
        let mut arguments = Vec::new();
        for (i, &argument) in terms.args(of).iter().enumerate() {
            match i == result {
                true => arguments.extend([list.clone(), rest.clone()]),
                false => arguments.push(site.argument(number, argument)?),
            }
        }
        Some(format!("{helper}({})", arguments.join(", ")))
    };
    let mut edits = site.without(number, &taken.goals, &|g| taken.appends.contains(&g))?;
    edits.push(Edit {
        range: place.head.0..place.head.1,
        text: goal(clause.head, from(&taken.parts)?, rest.to_owned())?,
    });
    for &(call, v) in &taken.calls {
        let at = taken.parts.iter().position(|p| *p == Part::Call(v))?;
        let text = goal(call, name(v)?, from(&taken.parts[at + 1..])?)?;
        edits.push(site.replace(number, call, text)?);
    }
    Some(edits)
}
