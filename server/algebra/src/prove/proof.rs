//! Proofs as data, and the search that writes them down when it is asked to.
//!
//! Every rule of the prover has a constructor. What a rule says is in the checker's own words in `server/verify`; here is only what
//! the search found: which rule, at which place, with which multipliers.

use num_bigint::BigInt;

use crate::atom::Atom;
use crate::expr::{Expr, Rat, Var};
use crate::linear::{Cover, Implied, Refutation, Region};

/// A proof that an expression is not negative at the integer points of a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// By a rule that is not written down.
    Missing,
    /// It is a constant of at least 0.
    Constant,
    /// There is no point.
    Empty(Refutation),
    /// It is linear, and the constraint that it is not negative is implied.
    Linear(Implied),
    /// Equalities with a coefficient of 1 or -1 are substituted.
    Solve {
        /// The place of the equality among the constraints that are left, and the variable that it is solved for.
        steps: Vec<(usize, Var)>,
        /// Of what is left.
        then: Box<Proof>,
    },
    /// The region is replaced by one that contains it.
    Weaken {
        /// That region.
        region: Region,
        /// Proofs of its constraints.
        by: Vec<Implied>,
        /// On that region.
        then: Box<Proof>,
    },
    /// The region is covered by parts.
    Cases {
        /// The constraints that make each part.
        parts: Vec<Region>,
        /// The proof that nothing is left out.
        cover: Cover,
        /// For each part.
        then: Vec<Proof>,
    },
    /// The variables are replaced by combinations of constraints, which become variables that are natural numbers.
    Corner {
        /// The constraints, by place; the i-th becomes the variable of slack i.
        rows: Vec<usize>,
        /// Each variable in terms of these.
        values: Vec<(Var, Expr)>,
        /// For all natural numbers: [`Proof::Coefficients`] or [`Proof::Induction`].
        then: Box<Proof>,
    },
    /// No coefficient is negative, and all variables are natural numbers.
    Coefficients,
    /// `e(t+1) - rate·e(t) >= 0` and `e(0) >= 0` for a natural number t.
    Induction {
        /// t.
        var: Var,
        /// At least 0.
        rate: Rat,
        /// The step.
        step: Box<Proof>,
        /// At 0.
        first: Box<Proof>,
    },
    /// It is evaluated everywhere.
    Points {
        /// Its only variable.
        var: Var,
        /// The least value.
        low: BigInt,
        /// The greatest value.
        high: BigInt,
        /// Proofs of these bounds.
        by: [Implied; 2],
    },
    /// A polynomial of one variable, by Vincent's transformation of intervals.
    Interval {
        /// The variable.
        var: Var,
        /// The ends of the intervals, from the least value to the greatest.
        ends: Vec<BigInt>,
        /// Proofs that it is between the outermost ends.
        by: [Implied; 2],
    },
    /// It is a sum of products of constraints and of squares (Handelman 1988).
    Products {
        /// Factors at least 0, and the places of the constraints.
        terms: Vec<(Rat, Vec<usize>)>,
        /// Factors at least 0, and what is squared.
        squares: Vec<(Rat, Expr)>,
    },
    /// A variable is `period·m + r`.
    Residues {
        /// The variable.
        var: Var,
        /// The period.
        period: u32,
        /// m.
        quotient: Var,
        /// For r = 0, 1, … below the period.
        then: Vec<Proof>,
    },
    /// Atoms become variables, with what their definitions say: see [`Fact`].
    Atoms {
        /// For each atom its variable; for a logarithm the next one stands for the power.
        names: Vec<(Atom, Var)>,
        /// A proof that each atom has a value; for a floor whose variable is one of the region already, that it is this floor.
        defined: Vec<Implied>,
        /// With the definitions of floors and logarithms as constraints.
        then: Box<Proof>,
    },
    /// Something that is known of atoms becomes a constraint.
    Fact {
        /// The fact.
        fact: Fact,
        /// Proofs of its conditions, in the order in which [`Fact`] names them.
        by: Vec<Implied>,
        /// With the constraint.
        then: Box<Proof>,
    },
    /// A convex function `c = e·v - w·p` of a logarithm (w is `b/(b-1)` rounded down, `1/(b-1)` up) is replaced by its line of slope `t`,
    /// `e·t - w·b^t`, where t differs by a number from another logarithm of the base.
    Line {
        /// The logarithm, by place among the atoms of the expression, or among the named ones.
        atom: usize,
        /// The other one.
        reference: usize,
        /// t less the other one.
        by: i64,
        /// The factor of the convex function, at least 0.
        factor: Rat,
        /// Proofs that both have values, where they are not named.
        defined: Vec<Implied>,
        /// Of what is left.
        then: Box<Proof>,
    },
    /// A sum with sequences, which a recurrence makes vanish: `e(n+d) - Σ aᵢ·e(n+d-i) >= 0` from `start` on, and `e >= 0` from `low` to
    /// `start+d-1`.
    Sequence {
        /// n.
        var: Var,
        /// aᵢ >= 0.
        coefficients: Vec<Rat>,
        /// The least value of n.
        low: BigInt,
        /// The number from which the induction begins.
        start: BigInt,
        /// The proof that n is at least `low`.
        by: Implied,
        /// The step on `n >= start`; none where it is 0.
        step: Option<Box<Proof>>,
    },
}

/// An axiom about logarithms or sequences. Places count the named atoms; `v` is the variable of an atom, `p = b^v` the power of a
/// logarithm, `e` its argument, `b` its base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// `v >= k`, if `e >= b^k` (rounded down) or `e >= b^(k-1) + 1` (up); without condition for 0.
    Least(usize, u32),
    /// `v <= k`, if `e <= b^(k+1) - 1` (down) or `e <= b^k` (up).
    Most(usize, u32),
    /// `p >= b^t + (b^(t+1) - b^t)·(v - t)`.
    Tangent(usize, u32),
    /// `p = b^k`, if `v = k`.
    Power(usize, u32),
    /// `p >= b^k`, if `v >= k`.
    PowerFrom(usize, u32),
    /// `v <= w + d` for two logarithms alike, the second with argument f. For d >= 0 if `e <= b^d·f + b^d - 1` (down), `e <= b^d·f` (up); for
    /// d = -c if `f >= b^c·e` (down), `f >= b^c·(e-1) + 1` and `e >= 2` (up).
    AtMost(usize, usize, i32),
    /// `p = b^d·q` (`b^-d·p = q`), if `v = w + d`.
    Powers(usize, usize, i32),
    /// Rounded down and up, of one argument: `v = w` and `p = q`, if `e = p`.
    Same(usize, usize),
    /// Rounded down and up, of one argument: `w = v + 1` and `q = b·p`, if `e >= p + 1`.
    Next(usize, usize),
    /// `v >= least`, if the index is at least `first`: of d neighbours from there on none is less, no coefficient is negative and
    /// their sum is at least 1.
    Sequence(usize, u32, Rat),
}

/// The fuel of a search, and what it has proved so far, if that is written down. Each success of a recorded rule leaves one proof.
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

    /// The length of what is written down so far.
    pub(super) fn mark(&self) -> usize {
        self.trace.as_ref().map_or(0, Vec::len)
    }

    /// Forgets what came after a mark.
    pub(super) fn undo(&mut self, mark: usize) {
        if let Some(trace) = &mut self.trace {
            trace.truncate(mark);
        }
    }

    /// A success; with a proof if one can be made. To be the value of the rule.
    pub(super) fn done(&mut self, proof: impl FnOnce() -> Option<Proof>) -> bool {
        if let Some(trace) = &mut self.trace {
            trace.push(proof().unwrap_or(Proof::Missing));
        }
        true
    }

    /// A success of a rule that rests on what was written down since the mark.
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

    /// Sees to it that since the mark a success has left one proof and a failure none.
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

/// The only one of some proofs.
pub(super) fn only(mut parts: Vec<Proof>) -> Option<Box<Proof>> {
    match (parts.pop(), parts.is_empty()) {
        (Some(part), true) => Some(Box::new(part)),
        _ => None,
    }
}

impl Proof {
    /// The proof on a region that contains the one given; none where that is not seen.
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
