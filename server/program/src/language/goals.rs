//! The predicates that a body calls, including calls in control constructs and in meta-calls with a known closure.
//!
//! `p(Xs) :- maplist(q(a), Xs), \+ r.` calls `maplist/2`, `q/2`, `\+/1` and `r/0`.

use std::collections::BTreeMap;

use costlens_body::Goal;
use costlens_catalog::{MetaArgument, belongs_to_no_module, meta_arguments};
use costlens_syntax::term::{CONS, Term, TermId, Terms};
use smol_str::SmolStr;

use super::assignment::is_assignment;
use super::functor::Functor;
use super::qualified_name::join;

/// One call in a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyCall {
    /// The goal or closure as written.
    pub goal: TermId,
    /// The callee; for a closure, with the arguments that its caller appends.
    pub callee: Functor,
    /// The number of arguments that the caller of a closure appends.
    pub added: usize,
}

/// Returns every call that a body makes, in textual order. Goals that are unbound when the clause is read (`call(G)`) are not included.
#[must_use]
pub fn calls(terms: &Terms, body: TermId) -> Vec<BodyCall> {
    all_calls(terms, body, &|_| None, &mut OtherGoals::default())
}

/// Returns every call that a body makes, like [`calls`]. Returns `None` if some goal is a variable, runs in another module, or is a lambda
/// expression.
#[must_use]
pub fn plain_calls(terms: &Terms, body: TermId) -> Option<Vec<BodyCall>> {
    let mut others = OtherGoals::default();
    let calls = all_calls(terms, body, &|_| None, &mut others);
    let is_plain = !(others.unbound || others.handed || others.qualified || others.lambda);
    is_plain.then_some(calls)
}

/// Returns true if some goal or closure of a body is a variable.
#[must_use]
pub fn has_unbound_goal(terms: &Terms, body: TermId) -> bool {
    let mut others = OtherGoals::default();
    all_calls(terms, body, &|_| None, &mut others);
    others.unbound || others.handed
}

/// The kinds of goals in a body other than calls of a predicate by its unqualified name.
#[derive(Default)]
pub(crate) struct OtherGoals {
    /// True if a goal is a variable.
    pub(crate) unbound: bool,
    /// True if a goal is module-qualified.
    pub(crate) qualified: bool,
    /// True if a goal is a lambda expression.
    pub(crate) lambda: bool,
    /// True if a variable is passed to a meta-call: `call(G)`, `maplist(P, Xs)`.
    pub(crate) handed: bool,
}

/// A goal or closure that remains to be visited.
#[derive(Clone, Copy)]
struct Unvisited<'t> {
    term: TermId,
    /// The number of arguments appended when it is called.
    added: usize,
    /// The module in which it runs, if it is qualified.
    module: Option<&'t SmolStr>,
}

/// Returns the calls of a body, and records the kinds of its other goals.
pub(crate) fn all_calls<'d>(
    terms: &Terms,
    body: TermId,
    declared: &dyn Fn(&Functor) -> Option<&'d Vec<MetaArgument>>,
    others: &mut OtherGoals,
) -> Vec<BodyCall> {
    let mut found = Vec::new();
    let mut stack = vec![Unvisited {
        term: body,
        added: 0,
        module: None,
    }];
    while let Some(at) = stack.pop() {
        let Unvisited {
            term: goal,
            added,
            module,
        } = at;
        let Some((name, arity)) = terms.functor(goal) else {
            others.unbound |= matches!(terms.get(goal), Term::Var(_));
            continue;
        };
        if push_subgoals(terms, at, others, &mut stack) {
            continue;
        }
        // A goal that runs in a module is looked up in that module; control constructs and similar predicates are the same in all modules.
        let there = module
            .filter(|_| !belongs_to_no_module(name, arity + added))
            .and_then(|module| join(module, name));
        found.push(BodyCall {
            goal,
            callee: Functor::new(there.unwrap_or_else(|| name.clone()), arity + added),
            added,
        });
        let args = terms.args(goal);
        let mut closures = meta_arguments(name, arity + added);
        if closures.is_empty() && !args.is_empty() {
            let own = declared(&Functor::new(name.clone(), arity + added));
            closures.extend(own.into_iter().flatten().copied());
        }
        for meta in closures.into_iter().rev() {
            let Some(&term) = args.get(meta.argument) else {
                continue;
            };
            match terms.get(term) {
                Term::Atom(_) | Term::Compound(..) => stack.push(Unvisited {
                    term,
                    added: meta.added,
                    module,
                }),
                Term::Var(_) => others.handed = true,
                _ => {}
            }
        }
    }
    found
}

/// Pushes the subgoals of a term that is not itself a call, with the first on top: the subgoals of a module-qualified goal, of a lambda
/// expression, or of a part of a grammar body. Returns false for a call.
fn push_subgoals<'t>(
    terms: &'t Terms,
    at: Unvisited<'t>,
    others: &mut OtherGoals,
    stack: &mut Vec<Unvisited<'t>>,
) -> bool {
    let with = |term: TermId, added: usize| Unvisited { term, added, ..at };
    // Only control constructs in a grammar body have subgoals with two added arguments.
    let is_grammar = at.added == 2;
    match Goal::lower(terms, at.term) {
        Goal::Qualified { module, goal } => {
            others.qualified = true;
            let module = terms.as_atom(module);
            stack.push(Unvisited {
                module,
                ..with(goal, at.added)
            });
        }
        // `X^goal` in bagof/3 and setof/3, and in yall's `\X^goal`.
        Goal::Quantified { goal, .. } => stack.push(with(goal, at.added.saturating_sub(1))),
        Goal::Cut => return is_grammar,
        // yall's `\X^goal`, `[X,Y]>>goal`, `Free/[X]>>goal`, and the other constructs of grammar bodies.
        Goal::Call(call) => match (call.name.as_str(), call.args) {
            ("\\", &[inner]) if at.added > 0 => stack.push(with(inner, at.added)),
            (">>", &[parameters, inner]) => {
                others.lambda |= at.added == 0;
                let parameters = match terms.matches(parameters, "/", 2) {
                    Some(&[_, list]) => list,
                    _ => parameters,
                };
                let bound = terms.list(parameters).0.len();
                stack.push(with(inner, at.added.saturating_sub(bound)));
            }
            ("/", &[free, inner])
                if at.added > 0 && is_free(terms, free)
                    || terms.matches(inner, ">>", 2).is_some() =>
            {
                stack.push(with(inner, at.added));
            }
            ("{}", &[inner]) if is_grammar => stack.push(with(inner, 0)),
            ("[]" | "{}", []) | (CONS, [_, _]) => return is_grammar,
            _ => return false,
        },
        lowered if is_grammar => {
            let parts = lowered.operands();
            stack.extend(parts.iter().rev().map(|&part| with(part, 2)));
            return !parts.is_empty();
        }
        _ => return false,
    }
    true
}

/// Returns whether a term is the `{X,Y}` of `{X,Y}/Closure`.
fn is_free(terms: &Terms, term: TermId) -> bool {
    (terms.functor(term)).is_some_and(|(name, arity)| name == "{}" && arity <= 1)
}

/// Returns the built-ins that modify terms destructively, wherever they are mentioned.
pub(crate) fn assigning(terms: &Terms, all: &[TermId]) -> impl Iterator<Item = Functor> {
    let named = |&t: &TermId| terms.functor(t).map(|(name, _)| name);
    let found = all
        .iter()
        .filter_map(named)
        .filter(|name| is_assignment(name));
    found.map(|name| Functor::new(name.clone(), 3))
}

/// The maximum number of arguments with which a closure is called.
pub(crate) const MOST_ADDED: usize = 7;

/// Returns the goals and closures of a body with a module that may come from a variable: `M = m, M:p(X)`, `G = p(X), m:G` and
/// `G = m:p(X), call(G)` yield `m` and `p(X)`. Some of them may never be called.
pub(crate) fn modules_bound<'t>(terms: &'t Terms, all: &[TermId]) -> Vec<(&'t SmolStr, TermId)> {
    let (mut pairs, mut bound) = (Vec::new(), BTreeMap::<u32, Vec<TermId>>::new());
    for &part in all {
        if let Goal::Unify(left, right) = Goal::lower(terms, part) {
            for (variable, value) in [(left, right), (right, left)] {
                if let Term::Var(v) = terms.get(variable) {
                    bound.entry(*v).or_default().push(value);
                }
            }
        }
    }
    if bound.is_empty() {
        return pairs;
    }
    let values = |t: TermId| match terms.get(t) {
        Term::Var(v) => bound.get(v).cloned().unwrap_or_default(),
        _ => vec![t],
    };
    let is_variable = |t: TermId| matches!(terms.get(t), Term::Var(_));
    let is_bound = |t: TermId| bound.values().flatten().any(|&value| value == t);
    for &part in all {
        if let Goal::Qualified { module, goal } = Goal::lower(terms, part)
            && (is_variable(module) || is_variable(goal) || is_bound(part))
        {
            for module in values(module).into_iter().filter_map(|m| terms.as_atom(m)) {
                pairs.extend(values(goal).into_iter().map(|goal| (module, goal)));
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use costlens_syntax::read_text;

    use super::*;

    #[test]
    fn goals_are_called_through_meta_predicates_of_the_catalogue() {
        for (body, expected) in [
            ("maplist(q(a), Xs), \\+ r", "maplist/2 q/2 \\+/1 r/0"),
            (
                "with_mutex(m, q), transaction(r)",
                "with_mutex/2 q/0 transaction/1 r/0",
            ),
            ("call(q, A, B, C, D, E, F, G, H, I)", "call/10 q/9"),
            ("phrase(q, Xs, Ys)", "phrase/3 q/2"),
            // SWI-Prolog does not define these predicates.
            (
                "findall_count(q), apply_macros(q)",
                "findall_count/1 apply_macros/1",
            ),
        ] {
            let file = read_text(&format!("p :- {body}.\n"));
            let clause = &file.clauses[0];
            let &[_, body] = clause.terms.matches(clause.root, ":-", 2).unwrap() else {
                unreachable!()
            };
            let mut found: Vec<String> = (calls(&clause.terms, body).iter())
                .map(|call| call.callee.to_string())
                .collect();
            found.retain(|callee| callee != ",/2");
            assert_eq!(found.join(" "), expected);
        }
    }
}
