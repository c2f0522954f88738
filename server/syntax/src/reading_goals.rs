//! Goals that change how the following text is read, in the forms that the reader recognises.
//!
//! ```prolog
//! :- op(700, xfx, ===>).
//! :- call(op(700, xfx), ===>).
//! :- maplist(op(700, xfx), [===>, <===]).
//! :- forall(member(O, [===>, <===]), op(700, xfx, O)).
//! :- push_operators([op(700, xfx, ===>)]).          % up to `:- pop_operators.`
//! :- maplist(set_prolog_flag(double_quotes), [codes]).
//! :- catch(op(700, xfx, ===>), _, true).            % once/1 and ignore/1 in the same way
//! ```

use smol_str::SmolStr;

use crate::term::{NIL, Term, TermId, Terms};

/// The priority, type and names in a written `op/3`.
pub type OperatorGoal = [TermId; 3];

/// A goal that changes how the following text is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadingGoal {
    /// `op/3`, one or more times.
    Declare(Vec<OperatorGoal>),
    /// `op/3`, one or more times, until the next `pop_operators/0`; true for the goal that opens this range.
    Push(Vec<OperatorGoal>, bool),
    /// `pop_operators/0`.
    Pop,
    /// `set_prolog_flag/2`, one or more times: flag and value.
    Flags(Vec<(TermId, TermId)>),
}

/// Classifies a goal. Returns `None` for a goal that does not change how text is read, or that has a form that the reader does not
/// recognise.
#[must_use]
pub fn reading_goal(terms: &Terms, mut goal: TermId) -> Option<ReadingGoal> {
    while let Some(inner) = run_once(terms, goal) {
        goal = inner;
    }
    let (name, _) = terms.functor(goal)?;
    let args = terms.args(goal);
    match (name.as_str(), args) {
        ("op", &[p, t, n]) => Some(ReadingGoal::Declare(vec![[p, t, n]])),
        ("push_op", &[p, t, n]) => Some(ReadingGoal::Push(vec![[p, t, n]], false)),
        ("push_operators", &[list]) => {
            let all = elements(terms, list)?.into_iter().map(|e| {
                let &[p, t, n] = terms.matches(e, "op", 3)? else {
                    return None;
                };
                // A list of names raises an error.
                let is_one = terms.as_atom(n).is_some_and(|name| name != NIL);
                let is_written = matches!(terms.get(p), Term::Integer(_));
                (is_one && is_written && terms.as_atom(t).is_some()).then_some([p, t, n])
            });
            Some(ReadingGoal::Push(all.collect::<Option<_>>()?, true))
        }
        ("pop_operators", []) => Some(ReadingGoal::Pop),
        ("set_prolog_flag", &[flag, value]) => Some(ReadingGoal::Flags(vec![(flag, value)])),
        ("call", &[closure, ref added @ ..]) => of_closure(terms, closure, added),
        ("maplist", &[closure, list]) => for_each(terms, list, &|element| {
            of_closure(terms, closure, &[element])
        }),
        ("forall", &[condition, action]) => {
            let (member, list) = member_of(terms, condition)?;
            let (name, _) = terms.functor(action)?;
            for_each(terms, list, &|element| {
                let argument = |&argument: &TermId| match terms.get(argument) == member {
                    true => element,
                    false => argument,
                };
                let args: Vec<TermId> = terms.args(action).iter().take(4).map(argument).collect();
                let is_written = args.iter().all(|&a| terms.variables_of(a).is_empty());
                of_call(name, &args).filter(|_| is_written)
            })
        }
        _ => None,
    }
}

/// Returns the goal that `once/1`, `ignore/1` or `catch/3` runs.
fn run_once(terms: &Terms, goal: TermId) -> Option<TermId> {
    match (terms.functor(goal)?.0.as_str(), terms.args(goal)) {
        ("once" | "ignore", &[inner]) | ("catch", &[inner, _, _]) => Some(inner),
        _ => None,
    }
}

/// Returns the `op(P, T, N)` in `( current_op(_, T, N) -> true ; op(P, T, N) )` or in `( \+ current_op(_, T, N) -> op(P, T, N) ; true )`,
/// which runs if the operator does not exist yet.
pub(crate) fn missing_operator(terms: &Terms, goal: TermId) -> Option<OperatorGoal> {
    let &[chosen, otherwise] = terms.matches(goal, ";", 2)? else {
        return None;
    };
    let &[condition, then] = terms.matches(chosen, "->", 2)? else {
        return None;
    };
    let (condition, then, otherwise) = match terms.matches(condition, "\\+", 1) {
        Some(&[inner]) => (inner, otherwise, then),
        _ => (condition, then, otherwise),
    };
    let &[_, _, asked] = terms.matches(condition, "current_op", 3)? else {
        return None;
    };
    let &[p, t, n] = terms.matches(otherwise, "op", 3)? else {
        return None;
    };
    let nothing_else = terms.as_atom(then).is_some_and(|name| name == "true");
    (nothing_else && terms.as_atom(asked)? == terms.as_atom(n)?).then_some([p, t, n])
}

/// Returns the name of the predicate that loads each file of a list, and the list: `maplist(consult, [a, b])`,
/// `forall(member(F, [a, b]), consult(F))`.
pub(crate) fn loading_each(terms: &Terms, goal: TermId) -> Option<(&SmolStr, TermId)> {
    let (name, list) = if let Some(&[called, list]) = terms.matches(goal, "maplist", 2) {
        (terms.as_atom(called)?, list)
    } else {
        let &[condition, action] = terms.matches(goal, "forall", 2)? else {
            return None;
        };
        let (member, list) = member_of(terms, condition)?;
        let &[argument] = terms.args(action) else {
            return None;
        };
        let (name, _) = terms.functor(action)?;
        (terms.get(argument) == member).then_some((name, list))?
    };
    let loads = ["consult", "ensure_loaded", "use_module"];
    loads.contains(&name.as_str()).then_some((name, list))
}

/// Returns `X` and `List` for `member(X, List)`.
fn member_of(terms: &Terms, condition: TermId) -> Option<(&Term, TermId)> {
    let &[member, list] = terms.matches(condition, "member", 2)? else {
        return None;
    };
    let member = terms.get(member);
    matches!(member, Term::Var(_)).then_some((member, list))
}

/// Combines the goals for the elements of a list.
fn for_each(
    terms: &Terms,
    list: TermId,
    of: &dyn Fn(TermId) -> Option<ReadingGoal>,
) -> Option<ReadingGoal> {
    let (mut operators, mut flags) = (Vec::new(), Vec::new());
    for element in elements(terms, list)? {
        match of(element)? {
            ReadingGoal::Declare(more) => operators.extend(more),
            ReadingGoal::Flags(more) => flags.extend(more),
            ReadingGoal::Push(..) | ReadingGoal::Pop => return None,
        }
    }
    match (operators.is_empty(), flags.is_empty()) {
        (false, true) => Some(ReadingGoal::Declare(operators)),
        (true, false) => Some(ReadingGoal::Flags(flags)),
        _ => None,
    }
}

/// Classifies `op` or `set_prolog_flag` with its written arguments and those that the caller appends.
fn of_closure(terms: &Terms, closure: TermId, added: &[TermId]) -> Option<ReadingGoal> {
    let (name, _) = terms.functor(closure)?;
    let args = terms.args(closure).iter().chain(added).copied();
    let args: Vec<TermId> = args.take(4).collect();
    of_call(name, &args)
}

/// Classifies `op/3` or `set_prolog_flag/2`.
fn of_call(name: &str, args: &[TermId]) -> Option<ReadingGoal> {
    match (name, args) {
        ("op", &[p, t, n]) => Some(ReadingGoal::Declare(vec![[p, t, n]])),
        ("set_prolog_flag", &[flag, value]) => Some(ReadingGoal::Flags(vec![(flag, value)])),
        _ => None,
    }
}

/// Returns the elements of a proper list.
fn elements(terms: &Terms, list: TermId) -> Option<Vec<TermId>> {
    let (elements, rest) = terms.list(list);
    (terms.as_atom(rest)? == NIL).then_some(elements)
}
