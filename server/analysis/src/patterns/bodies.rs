//! Lists the literals of a body in execution order.

use costlens_body::{Goal, TypeTest};
use costlens_catalog::{MetaArgument, counts_nothing, meta_arguments};
use costlens_program::Functor;
use costlens_syntax::term::{Term, TermId, Terms};

/// The maximum number of literals; further literals are ignored.
pub(super) const MOST_LITERALS: usize = 200;

/// A part of a body, in execution order.
#[derive(Clone, Copy)]
pub(super) enum BodyEvent {
    Goal(TermId),
    /// The exception `E` in `catch(G, E, R)`, which is bound once `R` runs.
    Caught(TermId),
    /// The module `M` in `M:G`, which is bound when the goal runs.
    Module(TermId),
    Mark(Mark),
}

/// A point between goals at which the set of bound variables changes.
#[derive(Clone, Copy)]
pub(super) enum Mark {
    /// A variable is bound for the rest of this branch, but not necessarily in the other branches: `X` after `nonvar(X) ->`, or in the
    /// branch `E` of `( var(X) -> T ; E )`.
    Bound(u32),
    /// The start of a disjunction.
    Either,
    /// The start of the second branch of a disjunction.
    Or,
    /// The end of a disjunction.
    Joined,
    /// The start of goals whose bindings are undone, such as those of `\+ G`.
    Aside,
    /// The end of goals whose bindings are undone.
    Undone,
}

/// Returns the parameters and the goal of a lambda expression: `[X]>>G` and `Free/[X]>>G`.
pub(super) fn lambda(terms: &Terms, goal: TermId) -> Option<(Vec<TermId>, TermId)> {
    let &[parameters, inner] = terms.matches(goal, ">>", 2)? else {
        return None;
    };
    let list = match terms.matches(parameters, "/", 2) {
        Some(&[_, list]) => list,
        _ => parameters,
    };
    Some((terms.list(list).0, inner))
}

/// Returns the literals of a body in text order, including those inside control constructs and called closures. `declared` returns the goal
/// arguments of a predicate of the program.
pub(super) fn parts(
    terms: &Terms,
    body: TermId,
    declared: &dyn Fn(&Functor) -> Vec<MetaArgument>,
) -> Vec<BodyEvent> {
    let (mut found, mut stack) = (Vec::new(), vec![(BodyEvent::Goal(body), true)]);
    while let Some((part, open)) = stack.pop() {
        if found.len() >= MOST_LITERALS {
            break;
        }
        let (BodyEvent::Goal(goal), true) = (part, open) else {
            found.push(part);
            continue;
        };
        match Goal::lower(terms, goal) {
            Goal::Variable(_) | Goal::NotCallable | Goal::Unreadable => found.push(part),
            // A predicate of another module is not a callee under its unqualified name: a guess for a local predicate with this name must
            // not be used.
            Goal::Qualified { module, .. } if terms.as_atom(module).is_some() => {}
            Goal::Qualified { module, goal } => {
                stack.push((BodyEvent::Goal(goal), true));
                stack.push((BodyEvent::Module(module), true));
            }
            Goal::Quantified { goal, .. } => stack.push((BodyEvent::Goal(goal), true)),
            Goal::Disjunction(left, right) | Goal::Bar(left, right) => {
                either(
                    &[BodyEvent::Goal(left)],
                    &[BodyEvent::Goal(right)],
                    &mut stack,
                );
            }
            Goal::IfThenElse {
                condition,
                then,
                otherwise,
                ..
            } => {
                let (then, otherwise) = (BodyEvent::Goal(then), BodyEvent::Goal(otherwise));
                let bound = |v: u32| BodyEvent::Mark(Mark::Bound(v));
                match binding_test(terms, condition) {
                    Some((v, true)) => either(&[bound(v), then], &[otherwise], &mut stack),
                    Some((v, false)) => either(&[then], &[bound(v), otherwise], &mut stack),
                    None => either(
                        &[BodyEvent::Goal(condition), then],
                        &[otherwise],
                        &mut stack,
                    ),
                }
            }
            lowered => push_goal(terms, goal, lowered, declared, &mut stack),
        }
    }
    found
}

/// Pushes the parts of a disjunction onto the stack, the parts of the first branch last.
fn either(first: &[BodyEvent], second: &[BodyEvent], stack: &mut Vec<(BodyEvent, bool)>) {
    let branches = [
        (Mark::Joined, second),
        (Mark::Or, first),
        (Mark::Either, &[]),
    ];
    for (mark, before) in branches {
        stack.push((BodyEvent::Mark(mark), true));
        stack.extend(before.iter().rev().map(|&part| (part, true)));
    }
}

/// Returns the variable that `nonvar(X)` or `var(X)` tests, and whether the test is `nonvar(X)`.
pub(super) fn binding_test(terms: &Terms, goal: TermId) -> Option<(u32, bool)> {
    let (tested, is_bound) = match Goal::lower(terms, goal) {
        Goal::Type(TypeTest::Nonvar, tested) => (tested, true),
        Goal::Type(TypeTest::Var, tested) => (tested, false),
        _ => return None,
    };
    match terms.get(tested) {
        Term::Var(v) => Some((*v, is_bound)),
        _ => None,
    }
}

/// Pushes a goal that is not a disjunction, preceded by the goals that it calls.
fn push_goal(
    terms: &Terms,
    goal: TermId,
    lowered: Goal<'_>,
    declared: &dyn Fn(&Functor) -> Vec<MetaArgument>,
    stack: &mut Vec<(BodyEvent, bool)>,
) {
    let Some((name, arity)) = terms.functor(goal) else {
        return;
    };
    let args = terms.args(goal);
    let mut meta: Vec<MetaArgument> = meta_arguments(name, arity).into_iter().collect();
    if meta.is_empty() && arity > 0 {
        meta = declared(&Functor::new(name.clone(), arity));
    }
    // A called goal is a separate literal.
    let undone = is_undone(lowered);
    let control = match lowered {
        Goal::Assertion(_) | Goal::CallN { .. } => false,
        _ => undone || arity > 0 && counts_nothing(name, arity),
    };
    if undone {
        stack.push((BodyEvent::Mark(Mark::Undone), true));
    }
    // The goals are pushed for text order; the goals of `findall/3` run before its result is bound.
    if !control {
        stack.push((BodyEvent::Goal(goal), false));
    }
    let catcher = catcher(lowered);
    if catcher.is_some() {
        stack.push((BodyEvent::Mark(Mark::Joined), true));
    }
    for called in meta.into_iter().rev().filter(|m| m.added == 0) {
        let Some(&inner) = args.get(called.argument) else {
            continue;
        };
        stack.push((BodyEvent::Goal(inner), true));
        // The bindings of the goal are undone when the recovery runs.
        if let Some(catcher) = catcher.filter(|_| called.argument == 2) {
            stack.push((BodyEvent::Caught(catcher), true));
            stack.push((BodyEvent::Mark(Mark::Or), true));
        }
    }
    if catcher.is_some() {
        stack.push((BodyEvent::Mark(Mark::Either), true));
    }
    if undone {
        stack.push((BodyEvent::Mark(Mark::Aside), true));
    }
}

/// Returns whether a goal runs subgoals and undoes their bindings.
pub(super) fn is_undone(goal: Goal<'_>) -> bool {
    matches!(
        goal,
        Goal::Not(_) | Goal::NotCalled(_) | Goal::Assertion(_) | Goal::Forall { .. }
    )
}

/// Returns the term with which an exception is unified before the recovery goal runs.
pub(super) fn catcher(goal: Goal<'_>) -> Option<TermId> {
    match goal {
        Goal::Catch { ball, .. } => Some(ball),
        _ => None,
    }
}
