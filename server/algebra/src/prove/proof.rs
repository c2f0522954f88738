//! Proofs as data, and the search that records them on request.
//!
//! Every rule of the prover has a constructor. The meaning of a rule is defined by the checker, independently, in `server/verify`; the
//! constructors only hold the results of the search: the rule, its place and its multipliers.

use num_bigint::BigInt;

use crate::atom::Atom;
use crate::expr::{Expr, Rat, Var};
use crate::linear::{Cover, Implied, Refutation, Region};

/// A proof that an expression is not negative at the integer points of a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// A proof by a rule that is not recorded.
    Missing,
    /// The expression is a constant of at least 0.
    Constant,
    /// The region has no point.
    Empty(Refutation),
    /// The expression is linear, and the constraint that it is not negative is implied.
    Linear(Implied),
    /// Equalities with a coefficient of 1 or -1 are substituted.
    Solve {
        /// The place of each equality among the remaining constraints, and the variable that it is solved for.
        steps: Vec<(usize, Var)>,
        /// The proof of the remaining expression.
        then: Box<Proof>,
    },
    /// The region is replaced by one that contains it.
    Weaken {
        /// The larger region.
        region: Region,
        /// Proofs of its constraints.
        by: Vec<Implied>,
        /// The proof on that region.
        then: Box<Proof>,
    },
    /// The region is covered by parts.
    Cases {
        /// The constraints that define each part.
        parts: Vec<Region>,
        /// The proof that the parts cover the region.
        cover: Cover,
        /// The proof for each part.
        then: Vec<Proof>,
    },
    /// The variables are replaced by combinations of constraints, which become variables over the natural numbers.
    Corner {
        /// The constraints, by place; the i-th becomes the variable of slack i.
        rows: Vec<usize>,
        /// Each variable in terms of the slacks.
        values: Vec<(Var, Expr)>,
        /// The proof for all natural numbers: [`Proof::Coefficients`] or [`Proof::Induction`].
        then: Box<Proof>,
    },
    /// No coefficient is negative, and all variables are natural numbers.
    Coefficients,
    /// `e(t+1) - rate·e(t) >= 0` and `e(0) >= 0` for a natural number t.
    Induction {
        /// The variable t.
        var: Var,
        /// The rate, at least 0.
        rate: Rat,
        /// The proof of the step.
        step: Box<Proof>,
        /// The proof at 0.
        first: Box<Proof>,
    },
    /// The expression is evaluated at every point.
    Points {
        /// The only variable.
        var: Var,
        /// The least value.
        low: BigInt,
        /// The greatest value.
        high: BigInt,
        /// Proofs of these bounds.
        by: [Implied; 2],
    },
    /// The expression is a polynomial of one variable, proved by Vincent's transformation of intervals.
    Interval {
        /// The variable.
        var: Var,
        /// The ends of the intervals, from the least value to the greatest.
        ends: Vec<BigInt>,
        /// Proofs that the variable is between the outermost ends.
        by: [Implied; 2],
    },
    /// The expression is a sum of products of constraints and of squares (Handelman 1988).
    Products {
        /// Non-negative factors, and the places of the constraints.
        terms: Vec<(Rat, Vec<usize>)>,
        /// Non-negative factors, and the squared expressions.
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
        /// The proofs for r = 0, 1, … below the period.
        then: Vec<Proof>,
    },
    /// Atoms become variables, constrained by their definitions: see [`Fact`].
    Atoms {
        /// The variable of each atom; for a logarithm the next variable is the power.
        names: Vec<(Atom, Var)>,
        /// A proof that each atom has a value, or, for a floor whose variable is already one of the region, that it is this floor.
        defined: Vec<Implied>,
        /// The proof with the definitions of floors and logarithms as constraints.
        then: Box<Proof>,
    },
    /// A known property of atoms becomes a constraint.
    Fact {
        /// The fact.
        fact: Fact,
        /// Proofs of its conditions, in the order in which [`Fact`] names them.
        by: Vec<Implied>,
        /// The proof with the constraint.
        then: Box<Proof>,
    },
    /// A convex function `c = e·v - w·p` of a logarithm (w is `b/(b-1)` rounded down, `1/(b-1)` up) is replaced by its line of slope `t`,
    /// `e·t - w·b^t`, where t differs by a number from another logarithm of the base.
    Line {
        /// The logarithm, by place among the atoms of the expression, or among the named ones.
        atom: usize,
        /// The other logarithm.
        reference: usize,
        /// The difference of t from the other logarithm.
        by: i64,
        /// The factor of the convex function, at least 0.
        factor: Rat,
        /// Proofs that both have values, if they are not named.
        defined: Vec<Implied>,
        /// The proof of the remaining expression.
        then: Box<Proof>,
    },
    /// A sum with sequences, which a recurrence makes vanish: `e(n+d) - Σ aᵢ·e(n+d-i) >= 0` from `start` on, and `e >= 0` from `low` to
    /// `start+d-1`.
    Sequence {
        /// The variable n.
        var: Var,
        /// The coefficients aᵢ >= 0.
        coefficients: Vec<Rat>,
        /// The least value of n.
        low: BigInt,
        /// The number from which the induction begins.
        start: BigInt,
        /// The proof that n is at least `low`.
        by: Implied,
        /// The step on `n >= start`; `None` if it is 0.
        step: Option<Box<Proof>>,
    },
}

/// An axiom about logarithms or sequences. Places count the named atoms; `v` is the variable of an atom, `p = b^v` the power of a
/// logarithm, `e` its argument, `b` its base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// `v >= k`, if `e >= b^k` (rounded down) or `e >= b^(k-1) + 1` (up); without a condition for 0.
    Least(usize, u32),
    /// `v <= k`, if `e <= b^(k+1) - 1` (down) or `e <= b^k` (up).
    Most(usize, u32),
    /// `p >= b^t + (b^(t+1) - b^t)·(v - t)`.
    Tangent(usize, u32),
    /// `p = b^k`, if `v = k`.
    Power(usize, u32),
    /// `p >= b^k`, if `v >= k`.
    PowerFrom(usize, u32),
    /// `v <= w + d` for two logarithms of one base and rounding, the second with argument f. For d >= 0 if `e <= b^d·f + b^d - 1` (down),
    /// `e <= b^d·f` (up); for d = -c if `f >= b^c·e` (down), `f >= b^c·(e-1) + 1` and `e >= 2` (up).
    AtMost(usize, usize, i32),
    /// `p = b^d·q` (`b^-d·p = q`), if `v = w + d`.
    Powers(usize, usize, i32),
    /// Rounded down and up, of one argument: `v = w` and `p = q`, if `e = p`.
    Same(usize, usize),
    /// Rounded down and up, of one argument: `w = v + 1` and `q = b·p`, if `e >= p + 1`.
    Next(usize, usize),
    /// `v >= least`, if the index is at least `first`: of d neighbours from there on none is less, no coefficient is negative and their sum
    /// is at least 1.
    Sequence(usize, u32, Rat),
}

/// The fuel of a search, and its proofs so far if they are recorded. Each success of a recorded rule leaves one proof.
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

    /// Returns the length of the record so far.
    pub(super) fn mark(&self) -> usize {
        self.trace.as_ref().map_or(0, Vec::len)
    }

    /// Drops the proofs recorded after a mark.
    pub(super) fn undo(&mut self, mark: usize) {
        if let Some(trace) = &mut self.trace {
            trace.truncate(mark);
        }
    }

    /// Records a success, with a proof if one can be made. Rules return its result.
    pub(super) fn done(&mut self, proof: impl FnOnce() -> Option<Proof>) -> bool {
        if let Some(trace) = &mut self.trace {
            trace.push(proof().unwrap_or(Proof::Missing));
        }
        true
    }

    /// Records a success of a rule that uses the proofs recorded since the mark.
    pub(super) fn from(
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

    /// Ensures that a success has left one proof since the mark, and a failure none.
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

/// Returns the only element of a list of proofs.
pub(super) fn only(mut parts: Vec<Proof>) -> Option<Box<Proof>> {
    match (parts.pop(), parts.is_empty()) {
        (Some(part), true) => Some(Box::new(part)),
        _ => None,
    }
}

impl Proof {
    /// Returns the proof on a region that contains the given one, or `None` if that is not proved.
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
