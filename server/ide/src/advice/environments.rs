//! `non-tail-recursion`: a recursion that keeps an environment at each level for goals that could run before the recursive call.
//!
//! ```text
//! total([X|Xs], S) :- total(Xs, S0), S is S0+X.      % a sum: an accumulator needs no environment
//! names([P|Ps], Ns) :- names(Ps, Ms), Ns = [P|Ms].   % a structure: built before the call, with a hole that the call fills
//! ```
//!
//! The hint is shown if the predicate is deterministic, makes at most one recursive call in each clause, and has a recursion depth that grows
//! with the input. If the quick fix `accumulate` is offered, it replaces the hint.

use costlens_algebra::growth::growth;
use costlens_algebra::{Expr, Region};
use costlens_analysis::report::{Determinism, PatternReport};
use costlens_analysis::types::Type;
use costlens_body::{Goal, conjuncts};
use costlens_program::{Clause, ClauseKind};
use costlens_syntax::term::{Term, TermId, Terms};

use super::told::sizes_told;
use super::{Look, Remark, choice_points};
use crate::diagnostics::rules;
use crate::fixes::callers::is_alone;
use crate::fixes::goals::{computed, integers_of, variable};
use crate::present::{formula, indicator, names_in, rank};
use crate::settings::Threshold;

pub(super) fn remarks(look: &Look<'_>) -> Vec<Remark> {
    match look.report.determinism == Determinism::Det {
        true => remark(look).into_iter().collect(),
        false => Vec::new(),
    }
}

fn remark(look: &Look<'_>) -> Option<Remark> {
    let (site, report) = (look.site, look.report);
    let calls: Vec<Vec<TermId>> = site.clauses.iter().map(|c| own_calls(look, c)).collect();
    // Several calls form a tree, whose depth is smaller than the number of calls.
    calls.iter().all(|of| of.len() <= 1).then_some(())?;
    let mut found: Option<(usize, TermId, Waiting)> = None;
    for (number, of) in calls.iter().enumerate() {
        let Some(&call) = of.first() else {
            continue;
        };
        if is_last(look, number, call) {
            continue;
        }
        // A sum of products needs more than one accumulator.
        let here = waiting(look, number, call)?;
        let others = found.as_ref().map_or(here.how, |(_, _, first)| first.how);
        (others == here.how).then_some(())?;
        found.get_or_insert((number, call, here));
    }
    let (clause, call, waiting) = found?;
    // A choice point would keep the environment in any case.
    (!choice_points::is_left_by(look, clause)).then_some(())?;
    is_alone(site.db, site.file, site.functor).then_some(())?;
    let levels = levels(look)?;
    (rank(&growth(&levels)) >= Threshold::Linear).then_some(())?;
    if look.has_fix(&[
        &rules::ACCUMULATE,
        &rules::REVERSE_WITH_ACCUMULATOR,
        &rules::DIFFERENCE_LIST,
    ]) {
        return None;
    }
    let goal = site.source(clause, waiting.goal)?;
    let mut goal = goal.split_whitespace().collect::<Vec<_>>().join(" ");
    // The range of a term excludes brackets that close its last operand.
    let many = |sign: char| goal.matches(sign).count();
    let open = many('(').saturating_sub(many(')'));
    goal.push_str(&")".repeat(open));
    let of = indicator(site.functor);
    let shown = formula(&levels, &names_in(report));
    let help = match waiting.how {
        How::Structure => format!("In front of the call, `{goal}` leaves none waiting."),
        How::Value(operation) => {
            let rounds = matches!(operation, Operation::Sum | Operation::Product);
            let is_exact = has_integers_alone(report) && are_integers(look, clause, &waiting);
            let rounded = match rounds && !is_exact {
                true => "; floats may be rounded otherwise then",
                false => "",
            };
            format!(
                "With the value carried along the call is the last goal, and none waits{rounded}."
            )
        }
    };
    let message = format!(
        "`{of}` keeps an environment on each of up to {shown} levels{}: `{goal}` waits for the recursive call. {help}",
        sizes_told(look, [&levels])
    );
    look.remark(&rules::NON_TAIL_RECURSION, clause, call, message)
}

/// Returns the recursive calls in a body, at any position.
fn own_calls(look: &Look<'_>, clause: &Clause) -> Vec<TermId> {
    let (name, arity) = (&look.site.functor.name, look.site.functor.arity);
    let body = clause.guard.into_iter().chain(clause.body);
    let all = body.flat_map(|body| clause.terms.subterms(body));
    all.filter(|&t| clause.terms.matches(t, name, arity).is_some())
        .collect()
}

/// Returns the maximum recursion depth: the number of entries of the predicate's own clauses, since each entry makes one recursive call.
fn levels(look: &Look<'_>) -> Option<Expr> {
    let main = look.report.main_piece()?;
    let entries = &look.breakdown()?.entries;
    let holds = |region: &Region| main.when.implies_all(region);
    let (_, most) = entries.iter().find(|(region, _)| holds(region))?;
    let known = |v| look.report.sizes.iter().any(|size| size.var == v);
    most.variables()
        .into_iter()
        .all(known)
        .then(|| most.clone())
}

/// A goal after the recursive call.
struct Waiting {
    goal: TermId,
    how: How,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// The goal computes a sum, a product, a minimum or a maximum.
    Value(Operation),
    /// The goal builds a structure that contains the result of the call.
    Structure,
}

/// Operations whose operands may be reordered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    Sum,
    Product,
    Max,
    Min,
}

/// Returns true for a call that is the last goal of its clause.
fn is_last(look: &Look<'_>, number: usize, call: TermId) -> bool {
    let clause = &look.site.clauses[number];
    let goals = clause.body.map(|body| conjuncts(&clause.terms, body));
    goals.is_some_and(|goals| goals.last() == Some(&call))
}

/// Returns the only goal after the call, if it computes the result from the output of the call.
fn waiting(look: &Look<'_>, number: usize, call: TermId) -> Option<Waiting> {
    let clause = &look.site.clauses[number];
    let plain = clause.kind == ClauseKind::Rule && !clause.grammar_rule;
    let terms = &clause.terms;
    let goals = conjuncts(terms, clause.body.filter(|_| plain)?);
    let [.., before, goal] = goals[..] else {
        return None;
    };
    (before == call).then_some(())?;
    // The result is the argument that is unbound in every call, both in the head and in the recursive call.
    let types = &look.report.pattern.0;
    let (head, arguments) = (terms.args(clause.head), terms.args(call));
    let (left, right, is_value) = match Goal::lower(terms, goal) {
        Goal::Is { result, expression } => (result, expression, true),
        Goal::Unify(left, right) => (left, right, false),
        _ => return None,
    };
    let made = variable(terms, left)?;
    let result = (0..head.len())
        .find(|&i| types.get(i) == Some(&Type::Free) && variable(terms, head[i]) == Some(made))?;
    let given = variable(terms, arguments[result])?;
    let fresh = |v: u32| look.site.occurrences(number, v) == 2;
    (fresh(made) && fresh(given) && given != made).then_some(())?;
    // Other outputs of the call are unknown before it.
    let others: Vec<u32> = (arguments.iter().enumerate())
        .filter(|(i, _)| *i != result && types.get(*i) == Some(&Type::Free))
        .flat_map(|(_, &argument)| terms.variables_of(argument))
        .collect();
    let before = |v: &u32| *v == given || !others.contains(v);
    terms.variables_of(right).iter().all(before).then_some(())?;
    let how = match is_value {
        true => How::Value(accumulated(terms, right, given)?),
        false => is_around(terms, right, given).then_some(How::Structure)?,
    };
    Some(Waiting { goal, how })
}

/// Returns the operation that combines a variable with an expression in which it does not occur.
fn accumulated(terms: &Terms, expression: TermId, value: u32) -> Option<Operation> {
    let (name, 2) = terms.functor(expression)? else {
        return None;
    };
    let &[left, right] = terms.args(expression) else {
        return None;
    };
    let is_it = |id| variable(terms, id) == Some(value);
    let without = |id| !terms.variables_of(id).contains(&value);
    let before = is_it(left) && without(right);
    let behind = without(left) && is_it(right);
    match name.as_str() {
        "+" if before || behind => Some(Operation::Sum),
        "-" if before => Some(Operation::Sum),
        "*" if before || behind => Some(Operation::Product),
        "max" if before || behind => Some(Operation::Max),
        "min" if before || behind => Some(Operation::Min),
        _ => None,
    }
}

/// Returns true for a structure that contains a variable.
fn is_around(terms: &Terms, structure: TermId, value: u32) -> bool {
    let is_structure = terms.functor(structure).is_some_and(|(_, arity)| arity > 0);
    is_structure && terms.variables_of(structure).contains(&value)
}

/// Returns true if all summands or factors are computed from integers in the head by functions that return integers, and no clause contains a
/// float. `S is S0+X/3` does not qualify.
fn are_integers(look: &Look<'_>, number: usize, waiting: &Waiting) -> bool {
    let has_float = |clause: &Clause| {
        let mut ids = clause.terms.ids();
        ids.any(|id| matches!(clause.terms.get(id), Term::Float(_)))
    };
    if look.site.clauses.iter().any(has_float) {
        return false;
    }
    let clause = &look.site.clauses[number];
    let terms = &clause.terms;
    let goals = conjuncts(terms, clause.body.unwrap_or(clause.head));
    let computed = |v: u32| {
        goals.iter().find_map(|&goal| {
            let [left, right] = computed(terms, goal)?;
            (variable(terms, left) == Some(v)).then_some(right)
        })
    };
    let calls = own_calls(look, clause);
    let is_given = |v: u32| {
        calls
            .iter()
            .any(|&call| terms.variables_of(call).contains(&v))
    };
    let head = terms.variables_of(clause.head);
    let (mut waiting, mut seen) = (terms.args(waiting.goal)[1..].to_vec(), Vec::new());
    while let Some(expression) = waiting.pop() {
        let Some(leaves) = integers_of(terms, expression) else {
            return false;
        };
        for v in leaves.into_iter().filter_map(|id| variable(terms, id)) {
            if seen.contains(&v) {
                continue;
            }
            seen.push(v);
            match computed(v) {
                Some(expression) => waiting.push(expression),
                None if head.contains(&v) || is_given(v) => {}
                None => return false,
            }
        }
    }
    true
}

/// Returns true if no argument of a call may contain a float.
fn has_integers_alone(report: &PatternReport) -> bool {
    fn has_no_float(ty: &Type) -> bool {
        match ty {
            Type::Int | Type::Free | Type::Atom | Type::Text(_) | Type::None => true,
            Type::List(element) => has_no_float(element),
            _ => false,
        }
    }
    report.pattern.0.iter().all(has_no_float)
}
