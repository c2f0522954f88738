//! Constraints of `library(clpfd)` between integers, by their meaning: they take no step. If one would remain on a variable, the run is
//! abandoned. They are compared with clauses as loaded by SWI-Prolog.

use std::cmp::Ordering;

use libtest_mimic::{Failed, Trial};

use crate::builtins::Answer;
use crate::heap::{Cell, Ref};
use crate::machine::{Machine, Stop};
use crate::property;
use crate::swipl::{META, compare, ours_with, trial_with_swipl};

impl Machine {
    /// Runs `X #> Y` and similar constraints.
    pub(crate) fn constraint(&mut self, name: &str, left: Ref, right: Ref) -> Answer {
        if name == "in" {
            let Some([low, high]) = self.heap.matches::<2>(right, "..") else {
                return given_up(name);
            };
            return match [low, left, high].map(|r| self.is_of_integers(r)) {
                [Some(_), Some(_), Some(_)] => {
                    Ok(self.numbers(low, left, is_at_most)?
                        && self.numbers(left, high, is_at_most)?)
                }
                _ => given_up(name),
            };
        }
        match (self.is_of_integers(left), self.is_of_integers(right)) {
            (Some(()), Some(())) => self.numbers(left, right, |o| match name {
                "#=" => o == Some(Ordering::Equal),
                "#>=" => matches!(o, Some(Ordering::Greater | Ordering::Equal)),
                "#=<" => is_at_most(o),
                "#>" => o == Some(Ordering::Greater),
                _ => o == Some(Ordering::Less),
            }),
            (None, Some(())) if name == "#=" && self.heap.is_unbound(left) => {
                let value = self.evaluate(right)?;
                Ok(self.heap.unify(left, value)?)
            }
            (Some(()), None) if name == "#=" && self.heap.is_unbound(right) => {
                let value = self.evaluate(left)?;
                Ok(self.heap.unify(right, value)?)
            }
            _ => given_up(name),
        }
    }

    /// Returns `Some` if an expression contains only integers, and its value is one.
    fn is_of_integers(&mut self, expression: Ref) -> Option<()> {
        let mut stack = vec![expression];
        for _ in 0..1000 {
            let Some(top) = stack.pop() else {
                return self.evaluate(expression).ok().map(|_| ());
            };
            let top = self.heap.deref(top);
            match self.heap.value(top).clone() {
                Cell::Int(_) => {}
                Cell::Compound(name, first, arity) if is_function(&name, arity) => {
                    stack.extend(first..first + arity);
                }
                _ => return None,
            }
        }
        None
    }
}

fn is_at_most(order: Option<Ordering>) -> bool {
    matches!(order, Some(Ordering::Less | Ordering::Equal))
}

fn is_function(name: &str, arity: usize) -> bool {
    matches!(
        (name, arity),
        ("-" | "abs", 1) | ("+" | "-" | "*" | "//" | "mod" | "min" | "max", 2)
    )
}

fn given_up(name: &str) -> Answer {
    Err(Stop::Unsupported(format!("{name}/2 on a variable")))
}

const PROGRAM: &str = "
:- use_module(library(clpfd)).
down(0).
down(N) :- N #> 0, M #= N-1, down(M).
product(0, 1).
product(N, P) :- N #> 0, M #= N-1, product(M, Q), P #= N*Q.
element([X|_], 1, X).
element([_|Xs], K, X) :- K #> 1, J #= K-1, element(Xs, J, X).
sign(X, -1) :- X #< 0.
sign(0, 0).
sign(X, 1) :- X #>= 1.
chosen(X, Y) :- ( X mod 2 #= 0 -> Y #= X // 2 ; X #=< 5 -> 3*X+1 #= Y ; Y = none ).
ways(X, S) :- ( X #=< 3, S = low ; X #>= 2, S = high ), \\+ X #= 100.
digit(X) :- X in 0..9.
all(Xs, Ys) :- findall(X, ( one_of(X, Xs), X #> 2 ), Ys).
one_of(X, [X|_]).
one_of(X, [_|Xs]) :- one_of(X, Xs).
functions(X, Y, Z) :- Z #= max(X, Y) - min(X, -Y) + abs(X * Y) mod 7.
fresh(Y) :- X #= Y, X #= 3.
literal(X) :- 4 #= X.
length_of([], 0).
length_of([_|T], N) :- length_of(T, M), N #= M+1.
";

const GOALS: &[&str] = &[
    "down(0)",
    "down(7)",
    "down(-2)",
    "product(5, P)",
    "product(5, 120)",
    "product(5, 7)",
    "product(30, P)",
    "element([a,b,c,d], 3, X)",
    "element([a], 3, X)",
    "element([a,b], -1, X)",
    "sign(3, S)",
    "sign(0, S)",
    "sign(-100000000000000000000, S)",
    "chosen(6, Y)",
    "chosen(3, Y)",
    "chosen(3, 10)",
    "chosen(3, 11)",
    "chosen(7, Y)",
    "ways(3, S)",
    "ways(100, S)",
    "digit(9)",
    "digit(-1)",
    "digit(10)",
    "all([1,2,3,4], Ys)",
    "functions(-3, 5, Z)",
    "functions(100000000000000000000, 5, Z)",
    "fresh(3)",
    "fresh(4)",
    "literal(X)",
    "literal(4)",
    "literal(5)",
    "length_of([a,b,c], N)",
    "length_of([a,b,c], 2)",
];

/// Returns the test: ignored if SWI-Prolog is missing, except in CI.
pub(crate) fn trial() -> Trial {
    trial_with_swipl(
        "constraints_count_as_the_clauses_that_swi_prolog_loads",
        agree,
    )
}

fn agree() -> Result<(), Failed> {
    let library = property::library();
    compare(PROGRAM, GOALS, META, |goal| {
        ours_with(PROGRAM, &library, goal)
    })
}
