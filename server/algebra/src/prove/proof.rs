//! Proofs as data, and the search that records them on request.
//!
//! Every rule of the prover has a constructor. A constructor only holds the results of the search: the rule, the position where it applies
//! and its multipliers. The checker in `server/verify` independently defines what each rule means.

use num_bigint::BigInt;

use crate::atom::Atom;
use crate::expr::{Expr, Rat, Var};
use crate::linear::{Cover, Implied, Refutation, Region};

/// A proof that an expression is non-negative at the integer points of a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// A proof by a rule that does not record its proofs.
    Missing,
    /// The expression is a non-negative constant.
    Constant,
    /// The region is empty.
    Empty(Refutation),
    /// The expression is linear, and the region's constraints imply that it is non-negative.
    Linear(Implied),
    /// Equalities with a coefficient of 1 or -1 are solved and substituted.
    Solve {
        /// The index of each equality among the remaining constraints, and the variable for which it is solved.
        steps: Vec<(usize, Var)>,
        /// The proof of the remaining expression.
        then: Box<Proof>,
    },
    /// The region is replaced by a larger region.
    Weaken {
        /// The larger region.
        region: Region,
        /// Proofs that the smaller region implies the constraints of the larger region.
        by: Vec<Implied>,
        /// The proof on the larger region.
        then: Box<Proof>,
    },
    /// The region is covered by several parts.
    Cases {
        /// The constraints that define each part.
        parts: Vec<Region>,
        /// The proof that the parts cover the region.
        cover: Cover,
        /// The proof for each part.
        then: Vec<Proof>,
    },
    /// Each variable is replaced by a combination of constraints, and each constraint becomes a new variable over the natural numbers.
    Corner {
        /// The indices of the constraints; the i-th constraint becomes slack variable i.
        rows: Vec<usize>,
        /// Each variable in terms of the slack variables.
        values: Vec<(Var, Expr)>,
        /// The proof for all natural numbers: [`Proof::Coefficients`] or [`Proof::Induction`].
        then: Box<Proof>,
    },
    /// All coefficients are non-negative, and all variables are natural numbers.
    Coefficients,
    /// Induction on a natural number t: `e(t+1) - rate·e(t) >= 0` and `e(0) >= 0`.
    Induction {
        /// The variable t.
        var: Var,
        /// The rate, which is non-negative.
        rate: Rat,
        /// The proof of the induction step.
        step: Box<Proof>,
        /// The proof of the base case, t = 0.
        first: Box<Proof>,
    },
    /// The expression is evaluated at every point of a bounded range.
    Points {
        /// The only variable.
        var: Var,
        /// The least value.
        low: BigInt,
        /// The greatest value.
        high: BigInt,
        /// Proofs that the variable lies between these values.
        by: [Implied; 2],
    },
    /// The expression is a polynomial in one variable, proved by Vincent's transformation on intervals.
    Interval {
        /// The variable.
        var: Var,
        /// The endpoints of the intervals, in ascending order.
        ends: Vec<BigInt>,
        /// Proofs that the variable lies between the outermost endpoints.
        by: [Implied; 2],
    },
    /// The expression is a sum of products of constraints and of squares (Handelman 1988).
    Products {
        /// The products: a non-negative factor and the indices of the multiplied constraints.
        terms: Vec<(Rat, Vec<usize>)>,
        /// The squares: a non-negative factor and the squared expression.
        squares: Vec<(Rat, Expr)>,
    },
    /// A variable is written as `period·m + r`.
    Residues {
        /// The variable.
        var: Var,
        /// The period.
        period: u32,
        /// The variable m.
        quotient: Var,
        /// The proofs for the residues r = 0, …, period - 1.
        then: Vec<Proof>,
    },
    /// Atoms are replaced by variables that their definitions constrain: see [`Fact`].
    Atoms {
        /// The variable for each atom. For a logarithm, the next variable is its power.
        names: Vec<(Atom, Var)>,
        /// A proof that each atom is defined. For a floor whose variable already exists in the region, a proof that this variable is the
        /// floor.
        defined: Vec<Implied>,
        /// The proof after the definitions of floors and logarithms have been added as constraints.
        then: Box<Proof>,
    },
    /// A known property of atoms is added as a constraint.
    Fact {
        /// The fact.
        fact: Fact,
        /// Proofs of its conditions, in the order listed in [`Fact`].
        by: Vec<Implied>,
        /// The proof with the additional constraint.
        then: Box<Proof>,
    },
    /// A convex function `c = e·v - w·p` of a logarithm (w is `b/(b-1)` when rounding down, `1/(b-1)` when rounding up) is replaced by its
    /// line of slope `t`, `e·t - w·b^t`, where t differs by a constant from another logarithm with the same base.
    Line {
        /// The index of the logarithm among the atoms of the expression, or among the named atoms.
        atom: usize,
        /// The index of the other logarithm.
        reference: usize,
        /// The difference between t and the other logarithm.
        by: i64,
        /// The non-negative factor of the convex function.
        factor: Rat,
        /// Proofs that both logarithms are defined, if they are not named atoms.
        defined: Vec<Implied>,
        /// The proof of the remaining expression.
        then: Box<Proof>,
    },
    /// An expression with sequences that a linear recurrence annihilates: `e(n+d) - Σ aᵢ·e(n+d-i) >= 0` for `n >= start`, and `e >= 0` for
    /// `low <= n <= start+d-1`.
    Sequence {
        /// The variable n.
        var: Var,
        /// The coefficients aᵢ, which are non-negative.
        coefficients: Vec<Rat>,
        /// The least value of n.
        low: BigInt,
        /// The value of n at which the induction starts.
        start: BigInt,
        /// The proof that n is at least `low`.
        by: Implied,
        /// The proof of the induction step for `n >= start`; `None` if the step is identically 0.
        step: Option<Box<Proof>>,
    },
}

/// An axiom about logarithms or sequences. Numbers are indices of named atoms; `v` is the variable for an atom. For a logarithm, `p = b^v`
/// is its power, `e` its argument and `b` its base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// `v >= k`, if `e >= b^k` (rounded down) or `e >= b^(k-1) + 1` (rounded up); unconditional for k = 0.
    Least(usize, u32),
    /// `v <= k`, if `e <= b^(k+1) - 1` (rounded down) or `e <= b^k` (rounded up).
    Most(usize, u32),
    /// `p >= b^t + (b^(t+1) - b^t)·(v - t)`.
    Tangent(usize, u32),
    /// `p = b^k`, if `v = k`.
    Power(usize, u32),
    /// `p >= b^k`, if `v >= k`.
    PowerFrom(usize, u32),
    /// `v <= w + d` for two logarithms with the same base and rounding, where the second has argument f. For d >= 0 the condition is
    /// `e <= b^d·f + b^d - 1` (rounded down) or `e <= b^d·f` (rounded up). For d = -c it is `f >= b^c·e` (rounded down), or
    /// `f >= b^c·(e-1) + 1` and `e >= 2` (rounded up).
    AtMost(usize, usize, i32),
    /// `p = b^d·q` (`b^-d·p = q`), if `v = w + d`.
    Powers(usize, usize, i32),
    /// For logarithms of the same argument, one rounded down and one rounded up: `v = w` and `p = q`, if `e = p`.
    Same(usize, usize),
    /// For logarithms of the same argument, one rounded down and one rounded up: `w = v + 1` and `q = b·p`, if `e >= p + 1`.
    Next(usize, usize),
    /// `v >= least`, if the index is at least `first`: beginning with `first`, d consecutive values are all at least `least`, all
    /// coefficients are non-negative and their sum is at least 1.
    Sequence(usize, u32, Rat),
}

/// The fuel of a search, and the proofs found so far if they are recorded. Each success of a recorded rule adds one proof.
pub(super) struct Search {
    pub(super) fuel: u64,
    trace: Option<Vec<Proof>>,
}

impl Search {
    pub(super) fn silent(fuel: u64) -> Self {
        Self { fuel, trace: None }
    }

    pub(super) fn recorded(fuel: u64) -> Self {
        let trace = Some(Vec::new());
        Self { fuel, trace }
    }

    pub(super) fn proof(self) -> Option<Proof> {
        self.trace?.pop()
    }

    /// Returns the current length of the record.
    pub(super) fn mark(&self) -> usize {
        self.trace.as_ref().map_or(0, Vec::len)
    }

    /// Removes the proofs recorded after a mark.
    pub(super) fn undo(&mut self, mark: usize) {
        if let Some(trace) = &mut self.trace {
            trace.truncate(mark);
        }
    }

    /// Records a success, with a proof if one can be constructed. Returns true, as the result of the rule.
    pub(super) fn done(&mut self, proof: impl FnOnce() -> Option<Proof>) -> bool {
        if let Some(trace) = &mut self.trace {
            trace.push(proof().unwrap_or(Proof::Missing));
        }
        true
    }

    /// Records a success of a rule that uses the proofs recorded since the mark.
    pub(super) fn combine(
        &mut self,
        mark: usize,
        proof: impl FnOnce(Vec<Proof>) -> Option<Proof>,
    ) -> bool {
        if let Some(trace) = &mut self.trace {
            let parts = trace.split_off(mark.min(trace.len()));
            trace.push(proof(parts).unwrap_or(Proof::Missing));
        }
        true
    }

    /// Ensures that since the mark a success has recorded exactly one proof, and a failure none.
    pub(super) fn settle(&mut self, mark: usize, proved: bool) -> bool {
        if let Some(trace) = &mut self.trace {
            if !proved {
                trace.truncate(mark);
            } else if trace.len() != mark + 1 {
                trace.truncate(mark);
                trace.push(Proof::Missing);
            }
        }
        proved
    }
}

/// Returns the single element of a list of proofs.
pub(super) fn only(mut parts: Vec<Proof>) -> Option<Box<Proof>> {
    match (parts.pop(), parts.is_empty()) {
        (Some(part), true) => Some(Box::new(part)),
        _ => None,
    }
}

impl Proof {
    /// Extends a proof on a larger region to the given region. Returns `None` if the larger region is not proved to contain it.
    pub(super) fn weakened(self, from: &Region, to: &Region) -> Option<Self> {
        if from == to {
            return Some(self);
        }
        let by = to.constraints().iter().map(|c| from.implication(c));
        Some(Self::Weaken {
            region: to.clone(),
            by: by.collect::<Option<_>>()?,
            then: Box::new(self),
        })
    }
}
