//! Conditions, negations and disjunctions as clauses of separate predicates: the form that PPDP'08's machine, which has no instructions for
//! them, runs. Counting its instructions over these programs determines what the code of control constructs has to count.
//!
//! ```prolog
//! p(X, Y) :- ( X > 0 -> q(X, Y) ; r(Y) ), s.     % p(X, Y) :- 'p/2#1'(X, Y), s.
//!                                                % 'p/2#1'(X, Y) :- X > 0, !, q(X, Y).
//!                                                % 'p/2#1'(_, Y) :- r(Y).
//! ```

use std::rc::Rc;

use costlens_syntax::term::{Term, TermId, Terms};

use crate::program::{Clause, Program};

/// Returns the program without control constructs, except for those that contain a cut or have no such reading.
pub(crate) fn without_conditions(program: &Program) -> Program {
    let mut made = program.clone();
    let mut all: Vec<_> = program.predicates.iter().collect();
    all.sort_by_key(|(key, _)| *key);
    for ((name, arity), clauses) in all {
        let mut number = 0;
        let mut rewritten = Vec::new();
        for clause in clauses.iter() {
            let mut terms = clause.terms.clone();
            let mut new = Vec::new();
            let mut goals = clause.goals_and_tests();
            let mut name = || {
                number += 1;
                format!("{name}/{arity}#{number}")
            };
            replace(&mut terms, clause.head, &mut goals, &mut name, &mut new);
            for (head, body) in new {
                assert!(made.add(terms.clone(), head, body, false));
            }
            let tests = clause.tests.clone();
            rewritten.push(Rc::new(Clause {
                terms,
                head: clause.head,
                goals: goals.split_off(tests.len()),
                tests,
                is_single_sided: clause.is_single_sided,
            }));
        }
        made.predicates
            .insert((name.clone(), *arity), Rc::new(rewritten));
    }
    made
}

/// Replaces control constructs among the goals of a clause with calls, and adds their clauses.
fn replace(
    terms: &mut Terms,
    head: TermId,
    goals: &mut [TermId],
    name: &mut dyn FnMut() -> String,
    new: &mut Vec<(TermId, Option<TermId>)>,
) {
    for i in 0..goals.len() {
        let Some(bodies) = bodies(terms, goals[i]) else {
            continue;
        };
        let elsewhere: Vec<u32> = (goals.iter().enumerate())
            .filter(|(j, _)| *j != i)
            .map(|(_, &g)| g)
            .chain([head])
            .flat_map(|t| terms.variables_of(t))
            .collect();
        let mut shared = terms.variables_of(goals[i]);
        shared.retain(|v| elsewhere.contains(v));
        shared.sort_unstable();
        shared.dedup();
        let arguments: Vec<TermId> = shared.iter().map(|&v| terms.push(Term::Var(v))).collect();
        let call = terms.compound(name(), &arguments);
        for mut body in bodies {
            replace(terms, call, &mut body, name, new);
            let all = body.into_iter().rev();
            let all = all.reduce(|rest, goal| terms.compound(",", &[goal, rest]));
            new.push((call, all));
        }
        goals[i] = call;
    }
}

/// Returns the bodies of the clauses that a control construct is replaced with.
fn bodies(terms: &mut Terms, goal: TermId) -> Option<Vec<Vec<TermId>>> {
    let is_cut = |&t: &TermId| terms.as_atom(t).is_some_and(|name| name == "!");
    if terms.subterms(goal).iter().any(is_cut) {
        return None;
    }
    let (cut, fail) = (
        terms.push(Term::Atom("!".into())),
        terms.push(Term::Atom("fail".into())),
    );
    let committed = |terms: &Terms, condition: TermId, then: &[TermId]| {
        let mut body = terms.chain(condition, ",");
        body.push(cut);
        body.extend_from_slice(then);
        body
    };
    let (name, arguments) = (terms.functor(goal)?.0.clone(), terms.args(goal).to_vec());
    match (name.as_str(), arguments.as_slice()) {
        (";" | "|", &[_, _]) => {
            let mut made = Vec::new();
            let mut rest = Some(goal);
            while let Some(this) = rest.take() {
                let mut alternative = this;
                for name in [";", "|"] {
                    if let Some(&[left, right]) = terms.matches(this, name, 2) {
                        (alternative, rest) = (left, Some(right));
                    }
                }
                if terms.matches(alternative, "*->", 2).is_some() {
                    return None;
                }
                made.push(match terms.matches(alternative, "->", 2) {
                    Some(&[condition, then]) => {
                        committed(terms, condition, &terms.chain(then, ","))
                    }
                    _ => terms.chain(alternative, ","),
                });
            }
            Some(made)
        }
        ("->", &[condition, then]) => {
            Some(vec![committed(terms, condition, &terms.chain(then, ","))])
        }
        ("\\+" | "not", &[inner]) => Some(vec![committed(terms, inner, &[fail]), Vec::new()]),
        ("once", &[inner]) => Some(vec![committed(terms, inner, &[])]),
        ("ignore", &[inner]) => Some(vec![committed(terms, inner, &[]), Vec::new()]),
        _ => None,
    }
}
