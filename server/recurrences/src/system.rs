//! Systems of recurrence equations, their closed-form bounds and the proof that these are bounds.
//!
//! A [`Function`] represents one quantity of one predicate and call pattern (resolution steps of `nrev/2` in the length of its first
//! argument). Its [`Cell`]s split the integer points by which clauses can be selected; each [`Alternative`] is one clause:
//!
//! ```text
//! nrev([], []).                                    cell n = 0:   value 1
//! nrev([H|T], R) :- nrev(T, S), app(S, [H], R).    cell n >= 1:  value 1 + r1 + r2,  r1 = nrev(n-1), r2 = app(n-1)
//! ```
//!
//! The meaning is the least solution in `[0, ∞]` of "value = maximum (or minimum) over the alternatives and all values of their locals". A
//! result that is used as an argument of a later call (an output size) represents every integer from 0 up to its function's value (upper)
//! or from its value on (lower).
//!
//! *Upper bounds* are proved by Park induction: a finite non-negative `f` with `Φ(f) <= f` is above the least fixpoint. *Lower
//! bounds* `f <= Φ(f)` are below the greatest fixpoint, which is the least one only if unfolding ends or costs: every cycle of calls must
//! either cost at least 1 per turn or descend in a linear measure. [`solve`](crate::solve) may guess anything (forms through exact values,
//! linear programs); any bound that it returns as known has passed [`verify`](crate::verify).

use costlens_algebra::{Expr, Region, Var};

/// Mutually recursive functions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct System {
    /// The functions; [`CallResult::function`] is an index into them.
    pub functions: Vec<Function>,
}

/// A quantity as a function of sizes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Function {
    /// The sizes that the quantity depends on.
    pub params: Vec<Var>,
    /// Disjoint cells that together cover the admitted points.
    pub cells: Vec<Cell>,
}

/// The points where the same clauses may be selected. If no alternative can be used (no clause matches), the value is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The region over the parameters of the function.
    pub region: Region,
    /// The alternatives; the value is the maximum (upper) or minimum (lower) over these and over all values of their locals.
    pub alternatives: Vec<Alternative>,
    /// Set if a point at which none of the alternatives can be used does not occur (no tree with leaves `l` and nodes `t(L, X, R)` has size
    /// 2), so that nothing is claimed of it. Otherwise the value there is 0.
    pub exhaustive: bool,
}

/// One way to compute the value, for instance one clause: `part([E|R], C, [E|L], G) :- E < C, !, part(R, C, L, G)`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Alternative {
    /// Integers that are not determined by the parameters (how many elements go to the left part).
    pub locals: Vec<Var>,
    /// The constraints over parameters and locals.
    pub constraints: Region,
    /// The calls, in order.
    pub results: Vec<CallResult>,
    /// The value over parameters, locals and results; `None` if it is not bounded.
    pub value: Option<Expr>,
}

/// The value of a function at arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CallResult {
    /// The variable that represents the value in later arguments and in [`Alternative::value`].
    pub var: Var,
    /// The index into [`System::functions`].
    pub function: usize,
    /// One argument per parameter of that function, over parameters, locals and earlier results; integer-valued.
    pub args: Vec<Expr>,
}

/// The side from which values are bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// The maximum over alternatives; bounds from above.
    Upper,
    /// The minimum over alternatives; bounds from below.
    Lower,
}

/// A bound on a region.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A proved bound over the parameters.
    Known(Expr),
    /// The value is proved to be infinite (lower bounds only): every possible continuation makes another call of the same kind.
    Diverges,
    /// There is no bound, for this reason.
    Unknown(Why),
}

/// The reason why there is no bound.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// An alternative has no value.
    Unbounded,
    /// The value depends on a cell without a bound, or on points outside every cell.
    Callee,
    /// No form fitted.
    NoForm,
    /// This form fitted, but no proof of it was found.
    NotProved(Expr),
    /// The counted steps were used up.
    Fuel,
}

/// A region of the parameters with its bound.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SolvedPiece {
    /// The region over the parameters.
    pub region: Region,
    /// The value, which holds at every integer point of the region.
    pub value: Value,
}

/// The result of [`solve`](crate::solve).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Solution {
    /// For each function, pieces that cover its cells.
    pub functions: Vec<Vec<SolvedPiece>>,
    /// Short lines on how the pieces of functions were found and proved.
    pub proof: Vec<(usize, String)>,
    /// The number of steps that were counted.
    pub fuel_used: u64,
}

impl Solution {
    /// Returns the value at a point: that of the first piece that contains it.
    pub fn at(
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
