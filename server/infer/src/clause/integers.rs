//! The integers that arithmetic reads and computes; they determine whether its time is known ([`crate::summary::integers`]).

use costlens_algebra::Expr;
use costlens_body::{Call, Collector, Goal};
use costlens_catalog::{Integers, Relation, integers, is_float_function, relation};
use costlens_syntax::term::{Term, TermId, Terms};

use super::Runner;
use super::point::Point;
use crate::lattice::size::Size;
use crate::lattice::types::Type;
use crate::state::{Scope, State, arith};
use crate::tree::Step;

/// The maximum number of inspected functions per expression. The integers of larger expressions are unknown.
const MOST_FUNCTIONS: usize = 40;

impl Runner<'_> {
    /// Records the integers of an arithmetic goal before it runs, for models whose events may have times.
    pub(super) fn note_integers(&self, point: &mut Point, terms: &Terms, goal: TermId) {
        let values = match Goal::lower(terms, goal) {
            Goal::Is { expression, .. } => self.integers_in(&point.state, terms, &[expression]),
            Goal::Compare(_, left, right) => {
                let mut values = self.integers_in(&point.state, terms, &[left, right]);
                values.extend(self.compared(&point.state, terms, [left, right]));
                values
            }
            Goal::Collect {
                collector: Collector::Aggregate,
                template,
                ..
            } if self.computes(&point.state, terms, template) => vec![Size::unknown()],
            Goal::Call(call) => self.integers_of(&point.state, terms, call),
            _ => return,
        };
        if !values.is_empty() {
            point.steps.push(Step::Integers(values.into()));
        }
    }

    /// Returns the integers with which a built-in other than arithmetic computes.
    fn integers_of(&self, state: &State, terms: &Terms, call: Call<'_>) -> Vec<Size> {
        let (name, arity) = (call.name, call.args.len());
        if relation(name, arity) == Some(Relation::Aggregate) {
            return match call.args.first() {
                Some(&what) if self.computes(state, terms, what) => vec![Size::unknown()],
                _ => Vec::new(),
            };
        }
        match integers(name, arity) {
            Some(Integers::Arguments) => {
                let data = call.args.iter().map(|&t| state.datum(terms, t));
                (data.filter(|d| d.ty != Type::Free))
                    .map(|d| d.size)
                    .collect()
            }
            // `flag/3` keeps its integer between calls. Reading a number with n digits takes more than n units of time.
            Some(Integers::Any) => vec![Size::unknown()],
            None => Vec::new(),
        }
    }

    /// Returns the numbers that a comparison reads. Comparing an integer with a machine word takes constant time, regardless of the
    /// integer's size.
    ///
    /// ```prolog
    /// most([X|Xs], M, N) :- X > M, most(Xs, X, N).    % two elements of any size
    /// count(N) :- N > 0, M is N-1, count(M).          % the sign of one
    /// ```
    fn compared(&self, state: &State, terms: &Terms, sides: [TermId; 2]) -> Vec<Size> {
        let is_param = |e: &Expr| self.is_param(e);
        let scope = self.scope(terms, &is_param);
        let sides = sides.map(|t| state.resolve(terms, t));
        let is_word = |t: TermId| match terms.get(t) {
            Term::Integer(n) => n.bits() < 63,
            _ => is_float(state, &scope, t),
        };
        match sides.iter().any(|&t| is_word(t)) {
            true => Vec::new(),
            false => (sides.iter())
                .map(|&t| arith::evaluate(state, &scope, t).datum.size)
                .collect(),
        }
    }

    /// Returns whether an aggregate computes with its solutions or compares them: a sum, a maximum or a minimum.
    fn computes(&self, state: &State, terms: &Terms, what: TermId) -> bool {
        let functor = terms.functor(state.resolve(terms, what));
        functor.is_some_and(|(name, arity)| {
            matches!((name.as_str(), arity), ("sum", 1) | ("max" | "min", 1 | 2))
        })
    }

    /// Returns the integers that the functions of expressions read and compute.
    fn integers_in(&self, state: &State, terms: &Terms, expressions: &[TermId]) -> Vec<Size> {
        let is_param = |e: &Expr| self.is_param(e);
        let scope = self.scope(terms, &is_param);
        let (mut found, mut open) = (Vec::new(), expressions.to_vec());
        let mut functions = 0;
        while let Some(top) = open.pop() {
            let top = state.resolve(terms, top);
            let Term::Compound(..) = terms.get(top) else {
                continue;
            };
            functions += 1;
            if functions > MOST_FUNCTIONS {
                return vec![Size::unknown()];
            }
            open.extend(terms.args(top));
            if is_float(state, &scope, top) {
                continue;
            }
            for &t in [top].iter().chain(terms.args(top)) {
                if !is_float(state, &scope, t) {
                    let value = arith::evaluate(state, &scope, t).datum;
                    let is_constant = |e: &Expr| e.as_constant().is_some();
                    let is_written = value.size.as_exact().is_some_and(is_constant)
                        && value.ty == Type::Int
                        && matches!(terms.get(t), Term::Integer(n) if n.bits() < 63);
                    if !is_written && !found.contains(&value.size) {
                        found.push(value.size);
                    }
                }
            }
        }
        match found.iter().any(|s| s.lower.is_none() || s.upper.is_none()) {
            true => vec![Size::unknown()],
            false => found,
        }
    }
}

/// Returns whether an expression certainly evaluates to a float.
fn is_float(state: &State, scope: &Scope<'_>, expression: TermId) -> bool {
    let mut open = vec![expression];
    let mut left = MOST_FUNCTIONS;
    while let Some(top) = open.pop() {
        let top = state.resolve(scope.terms, top);
        left = match left.checked_sub(1) {
            Some(left) => left,
            None => return false,
        };
        match scope.terms.get(top) {
            Term::Float(_) => return true,
            Term::Atom(name) if is_float_function(name, 0) => return true,
            Term::Compound(name, _) => {
                let args = scope.terms.args(top);
                if is_float_function(name, args.len()) {
                    return true;
                }
                // One float operand makes the result a float.
                if matches!(
                    (name.as_str(), args.len()),
                    ("+" | "-" | "*" | "/" | "**" | "^", 2)
                ) || matches!((name.as_str(), args.len()), ("-" | "+" | "abs", 1))
                {
                    open.extend(args);
                }
            }
            _ => {}
        }
    }
    false
}
