//! Accumulators for a clause whose if-then-else tests whether a list is empty. The branches become clauses, which the index distinguishes.
//!
//! ```text
//! product(Xs, P) :-                                 product(Xs, P) :- product(Xs, 1, P).
//!     (   Xs = [X|Rest]
//!     ->  product(Rest, P0), P is X*P0        →      product([], Acc, Acc).
//!     ;   P = 1                                     product([X|Rest], Acc, P) :- Acc1 is X*Acc, product(Rest, Acc1, P).
//!     ).
//! ```
//!
//! The list must be proper and occur nowhere else, so that each branch runs for the same lists as the corresponding clause. The condition may
//! also be `Xs == []`, `Xs = []` or `Xs \== []`.

use costlens_body::Goal;
use costlens_syntax::Dialect;
use costlens_syntax::term::{CONS, NIL, TermId};

use super::{CallUse, Update, ValuePath, ValueSource, taken, updated_goal};
use crate::file::Edit;
use crate::fixes::conditions::{Condition, Shape};
use crate::fixes::goals::{equality, variable, whole_text};
use crate::fixes::proposal::{Proposal, ShortRuns};
use crate::fixes::rewrites::extended::Extended;
use crate::fixes::site::Site;
use crate::fixes::ways::{ClausePath, GoalRole};

pub(super) fn proposal(
    site: &Site<'_>,
    ways: &[ClausePath<'_>],
    result: usize,
) -> Option<Proposal> {
    let ([one, other], [clause]) = (ways, site.clauses) else {
        return None;
    };
    (!site.has_comments(0)).then_some(())?;
    let (one, other) = (taken(site, one, result)?, taken(site, other, result)?);
    let (end, step) = match one.part {
        ValueSource::End { .. } => (one, other),
        ValueSource::Step(_) => (other, one),
    };
    let terms = &clause.terms;
    let mut head: Vec<u32> = (terms.args(clause.head).iter())
        .map(|&id| variable(terms, id))
        .collect::<Option<_>>()?;
    let list = list_of(site, &end, &step, &head)?;
    head.sort_unstable();
    head.dedup();
    // Other systems index only the first argument.
    let is_told_apart = list.argument == 0 || site.file.parsed(site.db).dialect() == Dialect::Swi;
    (head.len() == site.functor.arity && is_told_apart).then_some(())?;
    let (ValueSource::End { value: start, .. }, ValueSource::Step(taken)) = (&end.part, &step.part)
    else {
        return None;
    };
    let text = clauses(site, &list, *start, taken, &step, result)?;
    let mut needs = vec![
        Condition::Argument {
            argument: result,
            is: Shape::Unbound,
        },
        Condition::Argument {
            argument: list.argument,
            is: Shape::List,
        },
    ];
    let added = taken.added.iter();
    needs.extend(added.map(|&term| Condition::before_goal(0, taken.call, term, Shape::Integer)));
    let (from, to) = site.places.first()?.range;
    Some(Proposal {
        seen_by: None,
        beside: String::new(),
        what: "Carry the value along",
        short_runs: ShortRuns::SumNotDearerFromTwo,
        edits: vec![Edit {
            range: from..to,
            text,
        }],
        needs,
    })
}

/// The list tested by the condition.
struct List {
    argument: usize,
    /// The term `[X|Rest]`.
    cell: TermId,
    /// The number of goals that precede the other goals of the step: the condition, and the unification after it.
    tests: usize,
}

/// Returns the list that determines which branch runs.
fn list_of(
    site: &Site<'_>,
    end: &ValuePath<'_>,
    step: &ValuePath<'_>,
    head: &[u32],
) -> Option<List> {
    let (terms, at_end, at_step) = (&step.way.clause.terms, &end.way.reached, &step.way.reached);
    let (condition, decided) = (at_step.first()?, at_end.first()?);
    let is_both = condition.goal == decided.goal && at_end.len() == 2;
    let all_goals = at_step.iter().skip(1).all(|r| r.role == GoalRole::Goal);
    (is_both && all_goals && decided.role != condition.role).then_some(())?;
    let equality = equality(terms, condition.goal)?;
    let [left, right] = equality.sides;
    let (v, other) = match (variable(terms, left), variable(terms, right)) {
        (Some(v), None) => (v, right),
        (None, Some(v)) => (v, left),
        _ => return None,
    };
    let argument = head.iter().position(|&w| w == v)?;
    let is_nil = terms.as_atom(other).is_some_and(|name| name == NIL);
    let (goal, cell, tests) = match (is_nil, equality.holds, condition.role) {
        (false, true, GoalRole::Passed) if equality.unifies => (condition.goal, other, 1),
        (true, true, GoalRole::Failed) | (true, false, GoalRole::Passed) => {
            let unified = at_step.get(1)?.goal;
            let Goal::Unify(a, b) = Goal::lower(terms, unified) else {
                return None;
            };
            let cell = match (variable(terms, a), variable(terms, b)) {
                (Some(w), None) if w == v => b,
                (None, Some(w)) if w == v => a,
                _ => return None,
            };
            (unified, cell, 2)
        }
        _ => return None,
    };
    let &[element, rest] = terms.matches(cell, CONS, 2)? else {
        return None;
    };
    let (x, xs) = (variable(terms, element)?, variable(terms, rest)?);
    let fresh = |v: u32| site.is_fresh(0, v, goal);
    let alone = site.occurrences(0, v) == 1 + tests && x != xs && fresh(x) && fresh(xs);
    alone.then_some(List {
        argument,
        cell,
        tests,
    })
}

/// Returns the edits that write the new clauses.
fn clauses(
    site: &Site<'_>,
    list: &List,
    start: TermId,
    step: &CallUse,
    taken: &ValuePath<'_>,
    result: usize,
) -> Option<String> {
    let Update::Is { goal, value, .. } = step.update else {
        return None;
    };
    let (terms, arity) = (&taken.way.clause.terms, site.functor.arity);
    let acc = site.new_variable(0, &["Acc", "Acc0", "Sofar", "Sofar0"])?;
    let next = site.new_variable(0, &["Acc1", "Acc2", "Sofar1", "Sofar2"])?;
    let extended = Extended::with_accumulator(site, result)?;
    let head = terms.args(taken.way.clause.head);
    let written = |args: &[TermId]| -> Option<Vec<String>> {
        args.iter().map(|&id| site.argument(0, id)).collect()
    };
    let mut at_end = vec!["_".to_owned(); arity];
    at_end[list.argument] = "[]".to_owned();
    at_end[result] = acc.to_owned();
    let mut at_step = written(head)?;
    at_step[list.argument] = site.source(0, list.cell)?.to_owned();
    let mut called = written(terms.args(step.call))?;
    called[result] = site.source(0, head[result])?.to_owned();
    let mut goals = Vec::new();
    for reached in &taken.way.reached[list.tests..] {
        (Goal::lower(terms, reached.goal) != Goal::Cut).then_some(())?;
        if reached.goal == goal {
            goals.push(updated_goal(site, 0, goal, value, acc, next)?);
        } else if reached.goal != step.call {
            goals.push(whole_text(site, 0, reached.goal)?.to_owned());
        }
    }
    goals.push(extended.goal(called, next));
    let end = site.line_end();
    let wrapper = extended.wrapper(&site.argument_names(0, &[]), site.source(0, start)?)?;
    let lines = [
        format!("{}.", extended.goal(at_end, acc)),
        format!("{} :-", extended.goal(at_step, acc)),
        format!("    {}.", goals.join(&format!(",{end}    "))),
    ];
    Some(format!("{}{}", wrapper.text, lines.join(end)))
}
