//! `accumulate`: computes a sum on the way into a recursion instead of on the way out.
//!
//! ```text
//! sum([], 0).                                       sum(Xs, S) :- sum(Xs, 0, S).
//! sum([X|Xs], S) :-                           →
//!     sum(Xs, S0), S is S0+X.                       sum([], S, S).
//!                                                   sum([X|Xs], Acc, S) :- Acc1 is Acc+X, sum(Xs, Acc1, S).
//! ```
//!
//! The recursive call becomes the last call, so that no environment is kept for it. The order of operands does not matter for sums, products,
//! minima and maxima of integers. The summands are known before the call, and computing them raises no exception. The remaining goals run as
//! before, in the same order.
//!
//! An if-then-else after the call may add in one branch and pass the value on in the other branch. It is moved before the call if its
//! conditions compare values that are known there and its branches always succeed.
//!
//! A recursion that ends with an element instead of a number, such as computing the maximum, receives an accumulator that starts with the
//! first element ([`first`]). An if-then-else that tests for the empty list becomes clauses ([`split`]).

mod first;
mod rewriting;
mod split;

use costlens_program::Functor;
use costlens_syntax::term::{Term, TermId, Terms};

use super::extended::Extended;
use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::goals::{computed, integers_of, variable, whole};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::site::Site;
use crate::fixes::ways::{ClausePath, GoalRole, all_ways, are_all_calls};
use rewriting::Rewriting;

pub(super) fn propose(site: &Site<'_>) -> Vec<Proposal> {
    let arity = site.functor.arity;
    if !(2..=8).contains(&arity) || site.clauses.len() > 16 {
        return Vec::new();
    }
    let Some(ways) = all_ways(site).filter(|ways| ways.len() >= 2) else {
        return Vec::new();
    };
    // The result is usually the last argument.
    let mut all = (0..arity).rev().filter_map(|result| {
        split::proposal(site, &ways, result).or_else(|| proposal(site, &ways, result))
    });
    let found = all.next().or_else(|| first::proposal(site, &ways));
    found.into_iter().collect()
}

/// Operations that are associative and commutative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    /// Addition, and subtraction from the value.
    Sum,
    Product,
    Max,
    Min,
}

/// The parts of a path.
struct ValuePath<'w> {
    way: &'w ClausePath<'w>,
    part: ValueSource,
}

enum ValueSource {
    /// The path ends with this value, which appears in the head or in a goal `S = 0`.
    End {
        value: TermId,
        goal: Option<TermId>,
    },
    Step(CallUse),
}

/// A recursive call, and the goals after it that use its value.
struct CallUse {
    call: TermId,
    update: Update,
    /// The goals between the call and the update, which compute integers.
    between: Vec<TermId>,
    /// True if there is a condition between the call and the update.
    is_chosen: bool,
    /// The variables of the summand, which must be integers before the call.
    added: Vec<TermId>,
}

enum Update {
    /// The call itself returns the result.
    None,
    /// The result is the value itself: `S = S0`.
    Same(TermId),
    /// `S is S0+X` or `plus(X, S0, S)`: the goal, and the value's position in it.
    Is {
        goal: TermId,
        value: TermId,
        operation: Operation,
    },
}

impl Update {
    fn goal(&self) -> Option<TermId> {
        match *self {
            Update::None => None,
            Update::Same(goal) | Update::Is { goal, .. } => Some(goal),
        }
    }
}

fn proposal(site: &Site<'_>, ways: &[ClausePath<'_>], result: usize) -> Option<Proposal> {
    let taken: Vec<ValuePath<'_>> = ways
        .iter()
        .map(|way| taken(site, way, result))
        .collect::<Option<_>>()?;
    let complete = (0..site.clauses.len()).all(|number| are_all_calls(site, number, ways));
    complete.then_some(())?;
    let (mut start, mut operation, mut example) = (None, None, None);
    for ValuePath { way, part } in &taken {
        match part {
            ValueSource::End { value, .. } => {
                let text = site.source(way.number, *value)?;
                (*start.get_or_insert(text) == text).then_some(())?;
            }
            ValueSource::Step(step) => {
                if let Update::Is {
                    operation: here, ..
                } = step.update
                {
                    (*operation.get_or_insert(here) == here).then_some(())?;
                    example.get_or_insert(way.number);
                }
            }
        }
    }
    let (start, example) = (start?, example?);
    let mut needs = vec![Condition::Argument {
        argument: result,
        is: Shape::Unbound,
    }];
    for ValuePath { way, part } in &taken {
        if let ValueSource::Step(step) = part {
            needs.extend(
                step.added.iter().map(|&term| {
                    Condition::before_goal(way.number, step.call, term, Shape::Integer)
                }),
            );
        }
    }
    let extended = Extended::with_accumulator(site, result)?;
    let names = site.argument_names(example, &[]);
    let mut edits = vec![extended.wrapper(&names, start)?];
    for number in 0..site.clauses.len() {
        let clause = Rewriting {
            site,
            number,
            result,
            extended: &extended,
            ways: taken.iter().filter(|t| t.way.number == number).collect(),
        };
        edits.extend(clause.edits(&mut needs)?);
    }
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Carry the value along",
        // Each level adds on the way in and keeps no environment; the wrapper takes one step.
        short_runs: ShortRuns::SumNotDearerFromTwo,
        edits,
        needs,
    })
}

/// Decomposes a path. Returns `None` if its result is computed in another way.
fn taken<'w>(site: &Site<'_>, way: &'w ClausePath<'w>, result: usize) -> Option<ValuePath<'w>> {
    let terms = &way.clause.terms;
    let head = *terms.args(way.clause.head).get(result)?;
    let (name, arity) = (&site.functor.name, site.functor.arity);
    let calls: Vec<TermId> = (way.goals())
        .filter(|&g| terms.matches(g, name, arity).is_some())
        .collect();
    let found = |part| Some(ValuePath { way, part });
    if let Term::Integer(_) = terms.get(head) {
        let part = ValueSource::End {
            value: head,
            goal: None,
        };
        return calls.is_empty().then(|| found(part))?;
    }
    let of = variable(terms, head)?;
    (way.occurrences(of) == 2).then_some(())?;
    let [call] = calls[..] else {
        let (goal, value) = way.value(of).or_else(|| evaluated(way, of))?;
        let is_integer = matches!(terms.get(value), Term::Integer(_));
        let goal = Some(goal);
        return (calls.is_empty() && is_integer)
            .then(|| found(ValueSource::End { value, goal }))?;
    };
    let before = variable(terms, *terms.args(call).get(result)?)?;
    let mut step = CallUse {
        call,
        update: Update::None,
        between: Vec::new(),
        is_chosen: false,
        added: Vec::new(),
    };
    if before == of {
        return found(ValueSource::Step(step));
    }
    // The call is followed by conditions, goals that compute integers, and the update.
    let behind = way.reached.get(way.place(call)? + 1..)?;
    let (last, rest) = behind.split_last()?;
    (last.role == GoalRole::Goal && way.occurrences(before) == 2).then_some(())?;
    let same = way
        .value(of)
        .filter(|(_, value)| variable(terms, *value) == Some(before));
    (step.update, step.added) = match same {
        Some((goal, _)) => (Update::Same(goal), Vec::new()),
        None => updated(site, way, of, before)?,
    };
    (step.update.goal() == Some(last.goal)).then_some(())?;
    step.is_chosen = rest.iter().any(|r| r.role != GoalRole::Goal);
    for reached in rest.iter().filter(|r| r.role == GoalRole::Goal) {
        let [left, expression] = computed(terms, reached.goal)?;
        let integers = integers_of(terms, expression)?;
        let v = variable(terms, left)?;
        let is_new = site.is_fresh(way.number, v, reached.goal)
            && !terms.variables_of(expression).contains(&v);
        is_new.then_some(())?;
        step.between.push(reached.goal);
        step.added.extend(integers);
    }
    // Variables computed after the call are integers by construction.
    let computed: Vec<u32> = (step.between.iter())
        .filter_map(|&goal| variable(terms, *terms.args(goal).first()?))
        .collect();
    step.added
        .retain(|&id| variable(terms, id).is_none_or(|v| !computed.contains(&v)));
    found(ValueSource::Step(step))
}

/// Returns the goal that computes the result from the value, and the variables of the summand.
fn updated(
    site: &Site<'_>,
    way: &ClausePath<'_>,
    of: u32,
    before: u32,
) -> Option<(Update, Vec<TermId>)> {
    let terms = &way.clause.terms;
    if let Some((goal, expression)) = evaluated(way, of) {
        let (operation, value, added) = taken_apart(terms, expression, before)?;
        let update = Update::Is {
            goal,
            value,
            operation,
        };
        return Some((update, added));
    }
    let is_library = || site.means_library(&Functor::new("plus", 3));
    way.goals().find_map(|goal| {
        let &[x, y, result] = terms.matches(goal, "plus", 3)? else {
            return None;
        };
        let (value, added) = match (variable(terms, x), variable(terms, y)) {
            (Some(v), _) if v == before => (x, y),
            (_, Some(v)) if v == before => (y, x),
            _ => return None,
        };
        let is_number = matches!(terms.get(added), Term::Integer(_));
        (variable(terms, result) == Some(of) && is_library()).then_some(())?;
        (is_number || variable(terms, added).is_some()).then_some(())?;
        let update = Update::Is {
            goal,
            value,
            operation: Operation::Sum,
        };
        Some((update, if is_number { Vec::new() } else { vec![added] }))
    })
}

/// Returns the goal `V is E` and the expression `E`.
fn evaluated(way: &ClausePath<'_>, v: u32) -> Option<(TermId, TermId)> {
    let terms = &way.clause.terms;
    way.goals().find_map(|goal| {
        let [left, expression] = computed(terms, goal)?;
        (variable(terms, left) == Some(v)).then_some((goal, expression))
    })
}

/// Decomposes an expression that contains a variable once. Returns the operation, the variable's position, and the variables of the other
/// operands.
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

/// Returns `Acc1 is Acc+X` for `S is S0+X` and for `plus(S0, X, S)`. The expression of `is/2` keeps its form.
fn updated_goal(
    site: &Site<'_>,
    number: usize,
    goal: TermId,
    value: TermId,
    accumulator: &str,
    next: &str,
) -> Option<String> {
    let (terms, place) = (&site.clauses[number].terms, &site.places[number]);
    if let Some(&[x, y, _]) = terms.matches(goal, "plus", 3) {
        let operand = |id| match id == value {
            true => Some(accumulator),
            false => site.source(number, id),
        };
        let (x, y) = (operand(x)?, operand(y)?);
        let space = if y.starts_with('-') { " " } else { "" };
        return Some(format!("{next} is {x}{space}+{space}{y}"));
    }
    let [_, expression] = computed(terms, goal)?;
    let (from, to) = {
        let all = whole(site, number, expression)?;
        (all.start, all.end)
    };
    let (start, end) = place.range(value)?;
    Some(format!(
        "{next} is {}{accumulator}{}",
        site.text.get(from..start)?,
        site.text.get(end..to)?
    ))
}
