//! Functions of integers that return one of their arguments or depend on a sign. Which case applies is queried from the sizes of the call.
//!
//! ```prolog
//! spread(A, B) :- D is max(A, B) - min(A, B), down(D).     % A-B if A >= B, else B-A
//! ```

use costlens_algebra::Expr;
use costlens_algebra::linear::Constraint;
use costlens_syntax::term::{Term, TermId};

use super::arith::evaluate;
use super::{Scope, State};
use crate::lattice::types::Type;
use crate::world::questions::{Split, Truth};

/// The maximum number of subexpressions that are inspected.
const MOST_PARTS: usize = 24;

/// Before `X is E` is evaluated, queries which case applies to each `max`, `min`, `abs` and `sign` in `E`.
pub(crate) fn ask(state: &State, scope: &Scope<'_>, t: TermId) -> Result<(), Split> {
    let mut open = vec![t];
    let mut left = MOST_PARTS;
    while let Some(t) = open.pop() {
        let t = state.resolve(scope.terms, t);
        let Term::Compound(name, _) = scope.terms.get(t) else {
            continue;
        };
        left -= 1;
        if left == 0 {
            return Ok(());
        }
        match (name.as_str(), scope.terms.args(t)) {
            ("max" | "min", &[a, b]) => {
                if let (Some(a), Some(b)) = (exact(state, scope, a), exact(state, scope, b)) {
                    ask_sign(scope, &(&a - &b))?;
                }
            }
            ("abs", &[a]) => {
                if let Some(a) = exact(state, scope, a) {
                    ask_sign(scope, &a)?;
                }
            }
            ("sign", &[a]) => {
                if let Some(a) = exact(state, scope, a)
                    && ask_sign(scope, &a)? == Truth::True
                {
                    ask_sign(scope, &(&a - &Expr::int(1)))?;
                }
            }
            _ => {}
        }
        open.extend(scope.terms.args(t));
    }
    Ok(())
}

/// Returns the value of an expression if it is linear in the sizes of the call.
fn exact(state: &State, scope: &Scope<'_>, t: TermId) -> Option<Expr> {
    let value = evaluate(state, scope, t).datum;
    let size = value.size.as_exact().filter(|e| e.is_linear())?;
    (value.ty == Type::Int).then(|| size.clone())
}

/// Queries whether a value is non-negative.
fn ask_sign(scope: &Scope<'_>, value: &Expr) -> Result<Truth, Split> {
    match Constraint::ge(value, &Expr::zero()) {
        Some(c) => scope.world.sizes(&c, (scope.is_param)(value)),
        None => Ok(Truth::Maybe),
    }
}
