//! Counts the events that follow from the text of a clause (PADL'07 §2.2, §2.3).
//!
//! With modes `app(+, +, -)`, the entry of `app([H|T], Y, [H|Z]) :- …` counts one step, three arguments, one symbol in a bound argument
//! (the cell of `[H|T]`), one symbol in an unbound argument (the cell of `[H|Z]`), three variable occurrences in bound arguments (`H`, `T`,
//! `Y`) and two in unbound arguments (`H`, `Z`).

mod found;

use std::collections::BTreeSet;

use costlens_body::{Goal, leaves};
use costlens_catalog::meta_arguments;
use costlens_events::{Counts, Event};
use costlens_syntax::term::{Term, TermId, Terms};

pub use found::{IndexedBy, found_by, groups, indexed_by, is_told_by_key};

/// The mode of an argument of a call. An argument is *unbound* if its term is a variable without a value when the call is made, before any
/// argument is unified (PADL'07 §2.2: "known to be a variable at run-time").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallMode {
    /// Bound.
    Input,
    /// Unbound.
    Output,
    /// Unknown.
    Either,
}

/// Counts the head arguments that are variables and occur in an earlier argument ([`Event::SharedArgument`]): one for `len([], N, N)`.
#[must_use]
pub fn shared_arguments(terms: &Terms, head: TermId) -> u64 {
    let mut before = BTreeSet::new();
    let mut shared = 0;
    for &argument in terms.args(head) {
        if let Term::Var(variable) = terms.get(argument) {
            shared += u64::from(!before.insert(*variable));
        } else {
            before.extend(terms.variables_of(argument));
        }
    }
    shared
}

/// Counts the events of entering a clause other than the step: *nargs*, *giunif*, *gounif*, *viunif*, *vounif* of its head (PADL'07 §2.2).
/// Symbols and variables count at every written occurrence, including `_` and occurrences inside structures.
///
/// `p(f(X, a), Y)` with modes `(+, -)` counts 2 for *nargs* and *giunif* (`f/2`, `a`), 1 for *viunif* (`X`) and *vounif* (`Y`).
#[must_use]
pub fn head(terms: &Terms, head: TermId, modes: &[CallMode]) -> Counts {
    let mut counts = Counts::default();
    let arguments = terms.args(head);
    counts.add(Event::Nargs, arguments.len() as u64);
    for (i, &argument) in arguments.iter().enumerate() {
        let (symbols, variables) = occurrences(terms, argument);
        match modes.get(i).copied().unwrap_or(CallMode::Either) {
            CallMode::Input => {
                counts.add(Event::Giunif, symbols);
                counts.add(Event::Viunif, variables);
            }
            CallMode::Output => {
                counts.add(Event::Gounif, symbols);
                counts.add(Event::Vounif, variables);
            }
            CallMode::Either => {
                counts.add_between(Event::Giunif, 0, symbols);
                counts.add_between(Event::Gounif, 0, symbols);
                counts.add_between(Event::Viunif, 0, variables);
                counts.add_between(Event::Vounif, 0, variables);
            }
        }
    }
    counts
}

/// Counts the terms that a literal builds: one *giunif* for each function symbol and constant written in its arguments. `app(Zs, [X], Ys)`
/// counts 2, the cell and the `[]`; `V is V1*X+C` counts 2, `*/2` and `+/2`.
///
/// PADL'07 §2.1 includes the creation of terms for body literals without naming the event; its Table 4 can be reproduced only if these
/// symbols count as *giunif*. Goals inside a meta-call are separate literals.
#[must_use]
pub fn written(terms: &Terms, literal: TermId) -> Counts {
    let goals = terms
        .functor(literal)
        .map(|(name, arity)| meta_arguments(name, arity))
        .unwrap_or_default();
    let is_goal = |i: usize| goals.iter().any(|m| m.argument == i && m.added == 0);
    let mut counts = Counts::default();
    for (i, &argument) in terms.args(literal).iter().enumerate() {
        if !is_goal(i) {
            counts.add(Event::Giunif, occurrences(terms, argument).0);
        }
    }
    counts
}

/// Counts the events of passing a literal's arguments: *body_arguments*, *body_symbols*, *body_variables*. Arithmetic passes no arguments,
/// since its evaluation is counted separately. `app(Zs, [X], Ys)` counts 3 arguments, 2 symbols and 3 variables.
///
/// A last call leaves an argument in place if the head has the same variable in the same position: `app(T, L, R)` in
/// `app([H|T], L, [H|R]) :- app(T, L, R)` counts 2 arguments and 2 variables. `head` is the clause's head if the literal is its last call.
#[must_use]
pub fn handed(terms: &Terms, literal: TermId, head: Option<TermId>) -> Counts {
    let mut counts = Counts::default();
    if let Goal::Is { .. } | Goal::Compare(..) = Goal::lower(terms, literal) {
        return counts;
    }
    let places = head.map_or(&[][..], |head| terms.args(head));
    for (i, &argument) in terms.args(literal).iter().enumerate() {
        let is_kept = places.get(i).is_some_and(|&place| {
            matches!((terms.get(place), terms.get(argument)), (Term::Var(v), Term::Var(w)) if v == w)
        });
        if is_kept {
            continue;
        }
        counts.add(Event::BodyArguments, 1);
        let (symbols, variables) = occurrences(terms, argument);
        counts.add(Event::BodySymbols, symbols);
        counts.add(Event::BodyVariables, variables);
    }
    counts
}

/// Returns the literals `Y is X+1` and `Y is X-1` of a body: an integer is added to a variable, and the result variable does not occur
/// earlier.
#[must_use]
pub fn increments(terms: &Terms, head: TermId, body: TermId) -> Vec<TermId> {
    let mut seen: BTreeSet<u32> = terms.variables_of(head).into_iter().collect();
    let mut literals = Vec::new();
    for goal in leaves(terms, body) {
        if incremented(terms, goal).is_some_and(|to| !seen.contains(&to)) {
            literals.push(goal);
        }
        seen.extend(terms.variables_of(goal));
    }
    literals
}

/// Returns the variable on the left side of `Y is X+1` or `Y is X-1`.
fn incremented(terms: &Terms, literal: TermId) -> Option<u32> {
    let Goal::Is { result, expression } = Goal::lower(terms, literal) else {
        return None;
    };
    let sum = terms.matches(expression, "+", 2);
    let &[from, by] = sum.or_else(|| terms.matches(expression, "-", 2))? else {
        return None;
    };
    match (terms.get(result), terms.get(from), terms.get(by)) {
        (Term::Var(to), Term::Var(from), Term::Integer(_)) => (to != from).then_some(*to),
        _ => None,
    }
}

/// Counts a call of a built-in, without the terms that it builds: the call, and the arithmetic functions that it evaluates. `V is V1*X+C`
/// counts `is/2`, `op(*/2)` and `op(+/2)`.
#[must_use]
pub fn builtin(terms: &Terms, literal: TermId) -> Counts {
    let Some((name, arity)) = terms.functor(literal) else {
        return Counts::default();
    };
    let mut counts = Counts::once(Event::Builtin(name.clone(), arity));
    match Goal::lower(terms, literal) {
        Goal::Is { expression, .. } => evaluation(terms, expression, &mut counts),
        Goal::Compare(_, left, right) => {
            evaluation(terms, left, &mut counts);
            evaluation(terms, right, &mut counts);
        }
        _ => {}
    }
    counts
}

/// Counts the evaluations of each arithmetic function in an expression: *EvCost* of PADL'07 §2.3 for all functions together. As in the
/// paper, variables, numbers and constants such as `pi` are not counted.
fn evaluation(terms: &Terms, expression: TermId, counts: &mut Counts) {
    for id in terms.subterms(expression) {
        if let Term::Compound(name, _) = terms.get(id) {
            counts.add(Event::Operator(name.clone(), terms.args(id).len()), 1);
        }
    }
}

/// Counts the function symbols and constants in a term, and the occurrences of variables.
fn occurrences(terms: &Terms, id: TermId) -> (u64, u64) {
    let (mut symbols, mut variables) = (0, 0);
    for id in terms.subterms(id) {
        match terms.get(id) {
            Term::Var(_) => variables += 1,
            Term::Error => {}
            _ => symbols += 1,
        }
    }
    (symbols, variables)
}

#[cfg(test)]
mod tests {
    use costlens_syntax::read_text;

    use super::*;

    /// Returns the head and the body of the only clause in a text.
    fn clause(text: &str) -> (std::sync::Arc<Terms>, TermId, Option<TermId>) {
        let file = read_text(text);
        let clause = file.clauses[0].clone();
        match clause.terms.matches(clause.root, ":-", 2) {
            Some(&[head, body]) => (clause.terms, head, Some(body)),
            _ => (clause.terms, clause.root, None),
        }
    }

    fn show(counts: &Counts) -> String {
        let parts: Vec<String> = counts
            .events()
            .map(|e| {
                let count = counts.get(e);
                if count.least == count.most {
                    format!("{e} {}", count.most)
                } else {
                    format!("{e} {}..{}", count.least, count.most)
                }
            })
            .collect();
        parts.join(", ")
    }

    fn head_of(text: &str, modes: &str) -> String {
        let (terms, h, _) = clause(text);
        let modes: Vec<CallMode> = modes
            .chars()
            .map(|c| match c {
                '+' => CallMode::Input,
                '-' => CallMode::Output,
                _ => CallMode::Either,
            })
            .collect();
        show(&head(&terms, h, &modes))
    }

    fn body_of(text: &str) -> String {
        let (terms, _, body) = clause(text);
        let body = body.unwrap();
        format!(
            "{} | {}",
            show(&written(&terms, body)),
            show(&builtin(&terms, body))
        )
    }

    #[test]
    fn heads_count_symbols_and_variables_by_mode() {
        assert_eq!(
            head_of("app([], X, X).", "++-"),
            "nargs 3, giunif 1, viunif 1, vounif 1"
        );
        assert_eq!(
            head_of("app([H|T], Y, [H|Z]) :- true.", "++-"),
            "nargs 3, giunif 1, gounif 1, viunif 3, vounif 2"
        );
        assert_eq!(
            head_of("hanoi(0, _, _, _, []).", "++++-"),
            "nargs 5, giunif 1, gounif 1, viunif 3"
        );
        assert_eq!(
            head_of("p(f(X, 'a', \"s\", 1.5), X).", "?-"),
            "nargs 2, giunif 0..4, gounif 0..4, viunif 0..1, vounif 1..2"
        );
        assert_eq!(head_of("p.", ""), "");
    }

    #[test]
    fn literals_count_what_they_build_and_evaluate() {
        assert_eq!(body_of("p :- app(Zs, [X], Ys)."), "giunif 2 | app/3 1");
        assert_eq!(
            body_of("p :- V is V1*X+C*2."),
            "giunif 4 | is/2 1, op(*/2) 2, op(+/2) 1"
        );
        assert_eq!(body_of("p :- X-1 < pi."), "giunif 3 | </2 1, op(-/2) 1");
        assert_eq!(body_of("p :- X = f(Y+1)."), "giunif 3 | =/2 1");
        assert_eq!(
            body_of("p :- findall(f(X), q(a), L)."),
            "giunif 1 | findall/3 1"
        );
        // Goals are separate literals regardless of the predicate that calls them; closures are arguments.
        assert_eq!(
            body_of("p :- with_output_to(string(S), q(a))."),
            "giunif 1 | with_output_to/2 1"
        );
        assert_eq!(
            body_of("p :- setup_call_cleanup(a, q(b), c)."),
            " | setup_call_cleanup/3 1"
        );
        assert_eq!(body_of("p :- maplist(q(a), Xs)."), "giunif 2 | maplist/2 1");
    }
}
