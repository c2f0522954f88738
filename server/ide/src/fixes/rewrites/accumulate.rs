//! `accumulate`: a sum is made on the way into a recursion, not on the way back.
//!
//! ```text
//! sum([], 0).                                       sum(Xs, S) :- sum(Xs, 0, S).
//! sum([X|Xs], S) :-                           →
//!     sum(Xs, S0), S is S0+X.                       sum([], S, S).
//!                                                   sum([X|Xs], Acc, S) :- Acc1 is Acc+X, sum(Xs, Acc1, S).
//! ```
//!
//! The recursive call becomes the last one, so that no environment waits for it. Of integers sums, products, least and greatest ones do not depend on the
//! order. What is added is known before the call, and computing it raises no exception; the goals that stay run as before, in the same order.

use costlens_program::{Clause, ClauseKind};
use costlens_syntax::term::{Term, TermId, Terms};

use crate::file::Edit;
use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::goals::{integers_of, variable};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::{Site, occurrences};

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    let arity = site.functor.arity;
    // Results are mostly the last argument.
    let all = (0..arity).rev().filter_map(|result| proposal(site, result));
    match (2..=8).contains(&arity) && (2..=16).contains(&site.clauses.len()) {
        true => all.take(1).collect(),
        false => Vec::new(),
    }
}

/// The operations that are associative and commutative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    /// Sums, and differences whose first operand is the value.
    Sum,
    Product,
    Max,
    Min,
}

/// A clause, taken apart.
enum Part {
    /// It ends with a value, at this place.
    End(TermId),
    /// It hands its result on.
    Pass(TermId),
    Step(Step),
}

struct Step {
    call: TermId,
    is: TermId,
    /// The variable that the call binds, in the expression.
    value: TermId,
    operation: Operation,
    /// The variables of what is added.
    added: Vec<TermId>,
}

fn proposal(site: &Site<'_>, result: usize) -> Option<Proposal> {
    let parts: Vec<Part> = (site.clauses.iter().enumerate())
        .map(|(number, _)| part(site, number, result))
        .collect::<Option<_>>()?;
    let (mut start, mut operation, mut example) = (None, None, None);
    for (number, part) in parts.iter().enumerate() {
        match part {
            Part::End(value) => {
                let text = site.source(number, *value)?;
                (*start.get_or_insert(text) == text).then_some(())?;
            }
            Part::Step(step) => {
                (*operation.get_or_insert(step.operation) == step.operation).then_some(())?;
                example.get_or_insert(number);
            }
            Part::Pass(_) => {}
        }
    }
    let (start, example) = (start?, example?);
    let mut needs = vec![Condition::Argument {
        argument: result,
        is: Shape::Unbound,
    }];
    for (clause, part) in parts.iter().enumerate() {
        if let Part::Step(step) = part {
            needs.extend(
                step.added
                    .iter()
                    .map(|&term| Condition::before(clause, step.call, term, Shape::Integer)),
            );
        }
    }
    let helper = site.helper_name(site.functor.arity + 1, "_acc")?;
    let mut edits = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        edits.extend(rewritten(site, number, result, part, &helper)?);
    }
    let names = site.argument_names(example, &[]);
    let mut inner = names.clone();
    inner.insert(result, start.to_owned());
    let place = site.places.first()?;
    let own = site.text.get(place.name.0..place.name.1)?;
    let end = site.line_end();
    edits.push(Edit {
        range: place.range.0..place.range.0,
        text: format!(
            "{own}({}) :- {helper}({}).{end}{end}",
            names.join(", "),
            inner.join(", ")
        ),
    });
    Some(Proposal {
        beside: String::new(),
        what: "Carry the value along",
        short_runs: ShortRuns::NotDearer,
        edits,
        needs,
    })
}

/// Takes a clause apart. None where its result is something else.
fn part(site: &Site<'_>, number: usize, result: usize) -> Option<Part> {
    let clause: &Clause = &site.clauses[number];
    let terms = &clause.terms;
    if !matches!(clause.kind, ClauseKind::Fact | ClauseKind::Rule) || clause.grammar_rule {
        return None;
    }
    let head = *terms.args(clause.head).get(result)?;
    let goals = (clause.body).map_or(Vec::new(), |body| terms.chain(body, ","));
    let (name, arity) = (&site.functor.name, site.functor.arity);
    let inside = (clause.body).map_or(Vec::new(), |body| terms.subterms(body));
    let calls = (inside.iter())
        .filter(|&&t| terms.matches(t, name, arity).is_some())
        .count();
    if let Term::Integer(_) = terms.get(head) {
        return (calls == 0).then_some(Part::End(head));
    }
    let of = variable(terms, head)?;
    if calls != 1 || occurrences(clause, of) != 2 {
        return None;
    }
    let &last = goals.last()?;
    let given = |call| {
        let arguments = terms.matches(call, name, arity)?;
        variable(terms, *arguments.get(result)?)
    };
    if given(last) == Some(of) {
        return Some(Part::Pass(last));
    }
    let [.., call, is] = goals[..] else {
        return None;
    };
    let &[left, expression] = terms.matches(is, "is", 2)? else {
        return None;
    };
    let before = given(call)?;
    if variable(terms, left)? != of || before == of || occurrences(clause, before) != 2 {
        return None;
    }
    let (operation, value, added) = taken_apart(terms, expression, before)?;
    Some(Part::Step(Step {
        call,
        is,
        value,
        operation,
        added,
    }))
}

/// The operation of an expression in which a variable stands once, its place, and the variables of what it is combined with.
fn taken_apart(
    terms: &Terms,
    expression: TermId,
    v: u32,
) -> Option<(Operation, TermId, Vec<TermId>)> {
    let (mut at, mut operation, mut added) = (expression, None, Vec::new());
    while variable(terms, at) != Some(v) {
        let (name, 2) = terms.functor(at)? else {
            return None;
        };
        let &[left, right] = terms.args(at) else {
            return None;
        };
        let is_left = terms.variables_of(left).contains(&v);
        let here = match (name.as_str(), is_left) {
            ("+", _) | ("-", true) => Operation::Sum,
            ("*", _) => Operation::Product,
            ("max", _) => Operation::Max,
            ("min", _) => Operation::Min,
            _ => return None,
        };
        (*operation.get_or_insert(here) == here).then_some(())?;
        let (inner, other) = match is_left {
            true => (left, right),
            false => (right, left),
        };
        added.extend(integers_of(terms, other)?);
        at = inner;
    }
    Some((operation?, at, added))
}

fn rewritten(
    site: &Site<'_>,
    number: usize,
    result: usize,
    part: &Part,
    helper: &str,
) -> Option<Vec<Edit>> {
    let clause = &site.clauses[number];
    let terms = &clause.terms;
    let place = &site.places[number];
    let goal = |of: TermId, accumulator: &str, value: &str| -> Option<String> {
        let mut arguments = Vec::new();
        for (i, &argument) in terms.args(of).iter().enumerate() {
            match i == result {
                true => arguments.extend([accumulator.to_owned(), value.to_owned()]),
                false => arguments.push(site.argument(number, argument)?),
            }
        }
        Some(format!("{helper}({})", arguments.join(", ")))
    };
    let head = |accumulator: &str, value: &str| {
        Some(Edit {
            range: place.head.0..place.head.1,
            text: goal(clause.head, accumulator, value)?,
        })
    };
    let free = |names: &[&'static str]| site.new_variable(number, names);
    let accumulator = free(&["Acc", "Acc0", "Sofar", "Sofar0"])?;
    let own = || site.source(number, *terms.args(clause.head).get(result)?);
    Some(match part {
        Part::End(_) => vec![head(accumulator, accumulator)?],
        Part::Pass(call) => {
            let result = own()?;
            let text = goal(*call, accumulator, result)?;
            vec![
                head(accumulator, result)?,
                site.replace(number, *call, text)?,
            ]
        }
        Part::Step(step) => {
            let next = free(&["Acc1", "Acc2", "Sofar1", "Sofar2"])?;
            let &[_, expression] = terms.args(step.is) else {
                return None;
            };
            let (from, to) = place.of(expression)?;
            let (start, end) = place.of(step.value)?;
            let expression = format!(
                "{}{accumulator}{}",
                site.text.get(from..start)?,
                site.text.get(end..to)?
            );
            let result = own()?;
            let call = goal(step.call, next, result)?;
            vec![
                head(accumulator, result)?,
                site.replace(number, step.call, format!("{next} is {expression}"))?,
                site.replace(number, step.is, call)?,
            ]
        }
    })
}
