//! `reverse-with-accumulator`: naive reverse becomes linear.
//!
//! ```text
//! nrev([], []).                                      nrev(Xs, Ys) :- nrev(Xs, [], Ys).
//! nrev([X|Xs], Ys) :- nrev(Xs, Zs),          →       nrev([], Acc, Acc).
//!     app(Zs, [X], Ys).                              nrev([X|Xs], Acc, Ys) :- nrev(Xs, [X|Acc], Ys).
//! ```
//!
//! For calls with a proper list both have the same single answer. With a partial list they differ in answers and termination. `app/3` is the library's
//! `append/3` or a predicate of the file with its clauses. Further arguments may be handed on as they are, and what is put into the list may be
//! any term over the variables of the head. Other programs of the kind, with more clauses, goals and conditions, are rewritten as [lists](super::lists) are.

use costlens_body::conjuncts;
use costlens_program::{Clause, ClauseKind};
use costlens_syntax::term::{CONS, NIL, Term, TermId, Terms};

use super::lists::{self, Kind};

use crate::file::Edit;
use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::copies::Known;
use crate::fixes::goals::variable;
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    let found = plain(site);
    match found.is_empty() {
        true => lists::propose(site, Kind::Reversed),
        false => found,
    }
}

/// The proposal for two clauses that do nothing else: the reversal may be known, too.
fn plain(site: &Site<'_>) -> Vec<Proposal> {
    let [_, _] = site.clauses else {
        return Vec::new();
    };
    let numbered = [(0, 1), (1, 0)].into_iter();
    numbered
        .filter_map(|(base, step)| proposal(site, base, step))
        .take(1)
        .collect()
}

fn proposal(site: &Site<'_>, base: usize, step: usize) -> Option<Proposal> {
    let [first, second] = ends(&site.clauses[base])?;
    let either = [(first, second), (second, first)].into_iter();
    let mut fitting = either.filter_map(|(list, result)| {
        let roles = Roles { list, result };
        let clause = RecursiveClause::of(site, step, &roles)?;
        Some((roles, clause))
    });
    let (roles, clause) = fitting.next()?;
    let argument = |argument, is| Condition::Argument { argument, is };
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Reverse with an accumulator",
        short_runs: ShortRuns::Open,
        edits: edits(site, (base, step), &roles, &clause)?,
        needs: vec![
            argument(roles.list, Shape::List),
            argument(roles.result, Shape::UnboundOrList),
        ],
    })
}

/// The arguments of the list and of its reversal.
struct Roles {
    list: usize,
    result: usize,
}

/// The two arguments of `p([], []).` that are lists; others are variables that stand once.
fn ends(clause: &Clause) -> Option<[usize; 2]> {
    let t = &clause.terms;
    let args = t.args(clause.head);
    if clause.kind != ClauseKind::Fact {
        return None;
    }
    let mut others: Vec<u32> = Vec::new();
    let mut ends = Vec::new();
    for (i, &argument) in args.iter().enumerate() {
        match t.get(argument) {
            Term::Atom(name) if name == NIL => ends.push(i),
            Term::Var(v) if !others.contains(v) => others.push(*v),
            _ => return None,
        }
    }
    let [first, second] = ends[..] else {
        return None;
    };
    Some([first, second])
}

/// The parts of `p([H|T], R) :- p(T, R1), append(R1, [E], R).` that the rewrite uses.
struct RecursiveClause {
    /// The argument of the head, `[H|T]`.
    list: TermId,
    /// The `E` that is appended.
    element: TermId,
    /// The first element as the head has it.
    first: TermId,
    rest: TermId,
    result: TermId,
}

impl RecursiveClause {
    fn of(site: &Site<'_>, number: usize, roles: &Roles) -> Option<Self> {
        let (clause, functor) = (&site.clauses[number], site.functor);
        let t: &Terms = &clause.terms;
        let head = t.args(clause.head);
        let (&list, &result) = (head.get(roles.list)?, head.get(roles.result)?);
        let &[first, rest] = t.matches(list, CONS, 2)? else {
            return None;
        };
        if clause.kind != ClauseKind::Rule || clause.grammar_rule {
            return None;
        }
        let goals = conjuncts(t, clause.body?);
        let &[recursive, join] = goals.as_slice() else {
            return None;
        };
        let inner = t.matches(recursive, &functor.name, functor.arity)?;
        let append = site.recognised(number, join)?;
        if append.known != Known::Append {
            return None;
        }
        let &[front, last, whole] = &append.arguments(t, join)[..] else {
            return None;
        };
        let &[element, end] = t.matches(last, CONS, 2)? else {
            return None;
        };
        let var = |id: TermId| variable(t, id);
        let (tail, out, before) = (var(rest)?, var(result)?, var(*inner.get(roles.result)?)?);
        let is_other = |i: usize| i != roles.list && i != roles.result;
        let mut single: Vec<u32> = vec![tail, out, before];
        for i in (0..head.len()).filter(|&i| is_other(i)) {
            let v = var(head[i])?;
            if var(inner[i])? != v {
                return None;
            }
            single.push(v);
        }
        let distinct = (0..single.len()).all(|i| (0..i).all(|j| single[i] != single[j]));
        let of_head = t.variables_of(first);
        let known = |v: &u32| *v != out && *v != before;
        let same = var(inner[roles.list])? == tail
            && var(front)? == before
            && t.as_atom(end).is_some_and(|n| n == NIL)
            && var(whole)? == out
            && of_head.iter().all(|v| !single.contains(v))
            && t.variables_of(element).iter().all(known);
        (distinct && same).then_some(RecursiveClause {
            list,
            element,
            first,
            rest,
            result,
        })
    }
}

/// The text between two terms of a clause, if it is punctuation on one line.
fn between<'a>(site: &Site<'a>, clause: usize, a: TermId, b: TermId) -> Option<&'a str> {
    let place = &site.places[clause];
    let text = site.text.get(place.of(a)?.1..place.of(b)?.0)?;
    (text.len() <= 4 && !text.contains('\n')).then_some(text)
}

fn edits(
    site: &Site<'_>,
    (base, step): (usize, usize),
    roles: &Roles,
    clause: &RecursiveClause,
) -> Option<Vec<Edit>> {
    let helper = site.helper_name(site.functor.arity + 1, "_acc")?;
    let place = &site.places[step];
    let own = site.text.get(place.name.0..place.name.1)?;
    let source = |id| site.argument(step, id);
    let (element, rest) = (source(clause.element)?, source(clause.rest)?);
    let (list, result) = (source(clause.list)?, source(clause.result)?);
    let terms = &site.clauses[step].terms;
    let head = terms.args(site.clauses[step].head);
    let comma = head
        .windows(2)
        .find_map(|pair| between(site, step, pair[0], pair[1]))
        .filter(|t| t.starts_with(','))
        .unwrap_or(", ");
    let bar = between(site, step, clause.first, clause.rest)
        .filter(|t| t.trim() == "|")
        .unwrap_or("|");
    let names = ["Acc", "Acc0", "Acc1", "Acc2", "Acc3", "Accumulator"];
    let accumulator = site.new_variable(step, &names)?;
    let end = site.line_end();
    // The body begins as that of the recursive clause does: on the same line, or on the next one with its indentation.
    let body = *conjuncts(terms, site.clauses[step].body?).first()?;
    let neck = site.text.get(place.head.1..place.of(body)?.0)?;
    let neck = match neck.rsplit_once('\n') {
        Some((_, indentation)) if indentation.trim().is_empty() => {
            format!(" :-{end}{indentation}")
        }
        _ => " :- ".to_owned(),
    };
    // The arguments, with the accumulator before a result that is the last one, else behind all: those that tell clauses apart stay where they are.
    let call = |name: &str, list: &str, accumulator: Option<&str>, result: &str, others: bool| {
        let mut arguments = Vec::new();
        for (i, &argument) in head.iter().enumerate() {
            if i == roles.list {
                arguments.push(list.to_owned());
            } else if i == roles.result {
                arguments.push(result.to_owned());
            } else {
                arguments.push(match others {
                    true => source(argument)?,
                    false => "_".to_owned(),
                });
            }
        }
        if let Some(accumulator) = accumulator {
            let place = match roles.result + 1 == arguments.len() {
                true => roles.result,
                false => arguments.len(),
            };
            arguments.insert(place, accumulator.to_owned());
        }
        Some(format!("{name}({})", arguments.join(comma)))
    };
    let start = format!(
        "{}{neck}{}.",
        call(own, &rest, None, &result, true)?,
        call(&helper, &rest, Some("[]"), &result, true)?
    );
    let stop = format!(
        "{}.",
        call(&helper, "[]", Some(accumulator), accumulator, false)?
    );
    let pushed = format!("[{element}{bar}{accumulator}]");
    let step_text = format!(
        "{}{neck}{}.",
        call(&helper, &list, Some(accumulator), &result, true)?,
        call(&helper, &rest, Some(&pushed), &result, true)?
    );
    let (first, second) = match base < step {
        true => (stop, step_text),
        false => (step_text, stop),
    };
    let edit = |number: usize, text: String| Edit {
        range: site.places[number].range.0..site.places[number].range.1,
        text: format!("{}{text}", site.comments(number)),
    };
    Some(vec![
        edit(0, format!("{start}{end}{end}{first}")),
        edit(1, second),
    ])
}
