//! `reverse-with-accumulator`: makes naive reverse linear.
//!
//! ```text
//! nrev([], []).                                      nrev(Xs, Ys) :- nrev(Xs, [], Ys).
//! nrev([X|Xs], Ys) :- nrev(Xs, Zs),          →       nrev([], Acc, Acc).
//!     app(Zs, [X], Ys).                              nrev([X|Xs], Acc, Ys) :- nrev(Xs, [X|Acc], Ys).
//! ```
//!
//! For calls with a proper list, both versions have the same single answer. With a partial list, they differ in answers and termination.
//! `app/3` is the library's `append/3` or a copy of it in the file. Other arguments may be passed on unchanged, and the list element may be
//! any term over variables of the head. Similar programs with more clauses, goals and conditions are handled like those in
//! [lists](super::lists).

use costlens_body::conjuncts;
use costlens_program::{Clause, ClauseKind};
use costlens_syntax::term::{CONS, NIL, Term, TermId, Terms};

use super::extended::Extended;
use super::lists::{self, ListProgram};
use crate::file::Edit;
use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::goals::variable;
use crate::fixes::known::LibraryPredicate;
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    let found = plain(site);
    match found.is_empty() {
        true => lists::propose(site, ListProgram::Reversed),
        false => found,
    }
}

/// Returns the proposals for a predicate of two clauses without other goals. For these, the result may also be bound in a call.
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
        let clause = RecursiveClause::recognise(site, step, &roles)?;
        Some((roles, clause))
    });
    let (roles, clause) = fitting.next()?;
    let argument = |argument, is| Condition::Argument { argument, is };
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Reverse with an accumulator",
        short_runs: ShortRuns::Open,
        edits: edits(site, base, step, &roles, &clause)?,
        needs: vec![
            argument(roles.list, Shape::List),
            argument(roles.result, Shape::UnboundOrList),
        ],
    })
}

/// The argument indices of the list and its reversal.
struct Roles {
    list: usize,
    result: usize,
}

/// Returns the indices of the two arguments of `p([], []).` that are lists. The other arguments must be variables that occur once.
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
    /// The head argument `[H|T]`.
    list: TermId,
    /// The appended element `E`.
    element: TermId,
    /// The first element, as in the head.
    first: TermId,
    rest: TermId,
    result: TermId,
}

impl RecursiveClause {
    fn recognise(site: &Site<'_>, number: usize, roles: &Roles) -> Option<Self> {
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
        if append.known != LibraryPredicate::Append {
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

/// Returns the text between two terms of a clause if it is punctuation on a single line.
fn punctuation<'a>(site: &Site<'a>, clause: usize, a: TermId, b: TermId) -> Option<&'a str> {
    let place = &site.places[clause];
    let text = site.text.get(place.range(a)?.1..place.range(b)?.0)?;
    (text.len() <= 4 && !text.contains('\n')).then_some(text)
}

fn edits(
    site: &Site<'_>,
    base: usize,
    step: usize,
    roles: &Roles,
    clause: &RecursiveClause,
) -> Option<Vec<Edit>> {
    let writing = Writing::new(site, step, roles)?;
    let source = |id| site.argument(step, id);
    let (element, rest) = (source(clause.element)?, source(clause.rest)?);
    let (list, result) = (source(clause.list)?, source(clause.result)?);
    let bar = punctuation(site, step, clause.first, clause.rest)
        .filter(|t| t.trim() == "|")
        .unwrap_or("|");
    let names = ["Acc", "Acc0", "Acc1", "Acc2", "Acc3", "Accumulator"];
    let accumulator = site.new_variable(step, &names)?;
    let end = site.line_end();
    let start = writing.start(&rest, &result)?;
    let idle = writing.arguments("[]", accumulator, |_| Some("_".to_owned()))?;
    let stop = format!("{}.", writing.extended.goal(idle, accumulator));
    let pushed = format!("[{element}{bar}{accumulator}]");
    let step_text = format!(
        "{}{}{}.",
        writing.goal(&list, accumulator, &result)?,
        writing.neck,
        writing.goal(&rest, &pushed, &result)?
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

/// The new clauses, in the layout of the recursive clause.
struct Writing<'a> {
    site: &'a Site<'a>,
    step: usize,
    roles: &'a Roles,
    extended: Extended<'a>,
    /// The text between head and body. They are on the same line, or the body is indented on the next line.
    neck: String,
}

impl<'a> Writing<'a> {
    fn new(site: &'a Site<'a>, step: usize, roles: &'a Roles) -> Option<Self> {
        let mut extended = Extended::with_accumulator(site, roles.result)?;
        let (clause, place) = (&site.clauses[step], &site.places[step]);
        let mut pairs = clause.terms.args(clause.head).windows(2);
        let comma = pairs.find_map(|pair| punctuation(site, step, pair[0], pair[1]));
        extended.separator = comma.filter(|t| t.starts_with(',')).unwrap_or(", ");
        let body = *conjuncts(&clause.terms, clause.body?).first()?;
        let neck = site.text.get(place.head.1..place.range(body)?.0)?;
        let neck = match neck.rsplit_once('\n') {
            Some((_, indentation)) if indentation.trim().is_empty() => {
                format!(" :-{}{indentation}", site.line_end())
            }
            _ => " :- ".to_owned(),
        };
        Some(Self {
            site,
            step,
            roles,
            extended,
            neck,
        })
    }

    fn arguments(
        &self,
        list: &str,
        result: &str,
        other: impl Fn(TermId) -> Option<String>,
    ) -> Option<Vec<String>> {
        let clause = &self.site.clauses[self.step];
        let head = clause.terms.args(clause.head).iter().enumerate();
        head.map(|(i, &argument)| match i {
            _ if i == self.roles.list => Some(list.to_owned()),
            _ if i == self.roles.result => Some(result.to_owned()),
            _ => other(argument),
        })
        .collect()
    }

    /// Returns the text of a head or a goal of the recursive clause.
    fn goal(&self, list: &str, accumulator: &str, result: &str) -> Option<String> {
        let source = |id| self.site.argument(self.step, id);
        let arguments = self.arguments(list, result, source)?;
        Some(self.extended.goal(arguments, accumulator))
    }

    /// Returns the text of the clause with the original name.
    fn start(&self, rest: &str, result: &str) -> Option<String> {
        let name = self.site.places[self.step].name;
        let source = |id| self.site.argument(self.step, id);
        Some(format!(
            "{}({}){}{}.",
            self.site.text.get(name.0..name.1)?,
            self.arguments(rest, result, source)?
                .join(self.extended.separator),
            self.neck,
            self.goal(rest, "[]", result)?
        ))
    }
}
