//! Systems of recurrence equations, their closed-form bounds, and the proof of these bounds.
//!
//! A [`Function`] represents one quantity of a predicate with a call pattern, such as the resolution steps of `nrev/2` in terms of the
//! length of its first argument. Its [`Cell`]s partition the integer points by the clauses that can be selected; each [`Alternative`] is a
//! clause:
//!
//! ```text
//! nrev([], []).                                    cell n = 0:   value 1
//! nrev([H|T], R) :- nrev(T, S), app(S, [H], R).    cell n >= 1:  value 1 + r1 + r2,  r1 = nrev(n-1), r2 = app(n-1)
//! ```
//!
//! The meaning of a system is the least solution in `[0, ∞]` of "value = maximum (or minimum) over the alternatives and all values of their
//! locals". A result that occurs as an argument of a later call (an output size) represents every integer from 0 to its function's value
//! (for upper bounds) or from its value upwards (for lower bounds).
//!
//! *Upper bounds* are proved by Park induction: a finite non-negative `f` with `Φ(f) <= f` is above the least fixpoint. *Lower bounds*
//! `f <= Φ(f)` are below the greatest fixpoint. It equals the least fixpoint only if unfolding ends or has a cost: every cycle of calls
//! must either cost at least 1 per iteration or decrease a linear measure. [`solve`](crate::solve) may guess bounds in any way (forms
//! through exact values, linear programs); every bound that it returns as known has been proved by [`verify`](crate::verify).

use costlens_algebra::{Expr, Region, Var};
use serde::{Deserialize, Serialize};

/// Mutually recursive functions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct System {
    /// The functions; [`CallResult::function`] is an index into this list.
    pub functions: Vec<Function>,
}

/// A quantity as a function of sizes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Function {
    /// The sizes on which the quantity depends.
    pub params: Vec<Var>,
    /// Disjoint cells that together cover all admitted points.
    pub cells: Vec<Cell>,
}

/// The points at which the same clauses may be selected. If no alternative is feasible (no clause matches), the value is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Cell {
    /// The region, over the function's parameters.
    pub region: Region,
    /// The alternatives; the value is the maximum (for upper bounds) or minimum (for lower bounds) over the alternatives and all values of
    /// their locals.
    pub alternatives: Vec<Alternative>,
    /// True if points at which no alternative is feasible do not occur (no tree with leaves `l` and nodes `t(L, X, R)` has size 2), so that
    /// the value there is undefined. Otherwise the value there is 0.
    pub exhaustive: bool,
}

/// One way to compute the value, such as a clause: `part([E|R], C, [E|L], G) :- E < C, !, part(R, C, L, G)`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Alternative {
    /// Integers that the parameters do not determine (such as the number of elements in the left part).
    pub locals: Vec<Var>,
    /// The constraints over parameters and locals.
    pub constraints: Region,
    /// The calls, in order.
    pub results: Vec<CallResult>,
    /// The value, over parameters, locals and results; `None` if it is unbounded.
    pub value: Option<Expr>,
}

/// The value of a function at given arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CallResult {
    /// The variable that represents the value in later arguments and in [`Alternative::value`].
    pub var: Var,
    /// The called function, as an index into [`System::functions`].
    pub function: usize,
    /// The arguments, one per parameter of the called function, over parameters, locals and earlier results; integer-valued.
    pub args: Vec<Expr>,
}

/// The direction of bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// Upper bounds; the value is the maximum over alternatives.
    Upper,
    /// Lower bounds; the value is the minimum over alternatives.
    Lower,
}

/// A bound on a region.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Value {
    /// A proved bound in terms of the parameters.
    Known(Expr),
    /// The value is proved infinite (lower bounds only): every possible continuation makes another call of the same kind.
    Diverges,
    /// There is no bound, for the given reason.
    Unknown(Why),
}

/// The reason why there is no bound.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Why {
    /// An alternative has no value.
    Unbounded,
    /// The value depends on a cell without a bound, or on points outside every cell.
    Callee,
    /// No form fitted.
    NoForm,
    /// A form fitted, but could not be proved.
    NotProved(Expr),
    /// The fuel was used up.
    Fuel,
}

/// A region of the parameters with its bound.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SolvedPiece {
    /// The region, over the parameters.
    pub region: Region,
    /// The value, which holds at every integer point of the region.
    pub value: Value,
}

/// The result of [`solve`](crate::solve).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Solution {
    /// For each function, pieces that cover its cells.
    pub functions: Vec<Vec<SolvedPiece>>,
    /// Short descriptions of how the pieces of functions were inferred and proved, each with the function's index.
    pub proof: Vec<(usize, String)>,
    /// The number of counted steps.
    pub fuel_used: u64,
}

impl Solution {
    /// Returns the value at a point, taken from the first piece that contains the point.
    pub fn value_at(
        &self,
        function: usize,
        point: &dyn Fn(Var) -> Option<num_bigint::BigInt>,
    ) -> Option<&Value> {
        self.functions
            .get(function)?
            .iter()
            .find(|piece| piece.region.contains(point))
            .map(|piece| &piece.value)
    }
}
