//! Certificates as data.

use costlens_algebra::linear::{Cover, Implied, Refutation};
use costlens_algebra::prove::Proof;
use costlens_algebra::{Expr, Rat, Var};

/// The proofs of a solution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// The proof for each function and piece; `None` if the piece makes no claim or has no proof.
    pub pieces: Vec<Vec<Option<PieceProof>>>,
    /// The levels of lower bounds, which determine how their pieces may call each other.
    pub levels: Vec<Level>,
}

/// The rule under which pieces of the same level may depend on each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// For each function, the measure that decreases in calls within the level; `None` if each call costs at least 1.
    pub measures: Vec<Option<Expr>>,
    /// True if the measure decreases in all these calls, so that multipliers need not be integers.
    pub always: bool,
}

/// The proof that a piece is a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PieceProof {
    /// The proof of an expression as a bound.
    Bound {
        /// The level: a lower bound depends only on pieces of the same or a lower level.
        level: usize,
        /// Proofs that the expression's atoms are defined.
        defined: Vec<Implied>,
        /// The proof that the cells cover the piece.
        cover: Cover,
        /// The proof that an upper bound is non-negative.
        nonnegative: Option<Proof>,
        /// A proof for each cell of the function.
        cells: Vec<CellProof>,
    },
    /// The proof of divergence.
    Divergence {
        /// The proof that the cells cover the piece.
        cover: Cover,
        /// A proof for each cell.
        cells: Vec<CellProof>,
    },
}

/// The proof of the bound on the intersection of a piece and a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellProof {
    /// The intersection is empty.
    Apart(Refutation),
    /// The lower bound is at most 0.
    NoClaim(Proof),
    /// The proof of one unfolding.
    Unfolded {
        /// For a lower bound and a cell not marked exhaustive, the proof that the alternatives without locals cover the cell.
        usable: Option<Cover>,
        /// A proof for each alternative.
        alternatives: Vec<AlternativeProof>,
    },
}

/// The proof of the bound for an alternative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AlternativeProof {
    /// The alternative is infeasible on the intersection.
    Impossible(Refutation),
    /// The lower bound is at most 0.
    NoClaim(Proof),
    /// The bound is compared with the value, for all combinations of pieces in which the calls may land.
    Branches {
        /// Proofs that the value is non-decreasing in the results, one for each non-constant factor.
        monotone: Vec<Proof>,
        /// The nodes of the tree of branches; the root comes first.
        nodes: Vec<BranchNode>,
    },
    /// The alternative contains a call that never terminates.
    Endless {
        /// Proofs that the value is non-decreasing in the results.
        monotone: Vec<Proof>,
        /// The index of the call.
        call: usize,
        /// Proofs about the call's arguments.
        arguments: ArgumentProofs,
        /// The proof that the call only reaches points where the callee diverges: a cover by the diverging pieces, in order.
        cover: Cover,
        /// The proof that the clause itself costs at least 1.
        cost: Box<Proof>,
        /// The proof that the result's coefficient is at least 1.
        coefficient: Box<Proof>,
    },
}

/// Proofs that arguments are integers, and facts about nonlinear arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArgumentProofs {
    /// Proofs that the exponents in the arguments are non-negative.
    pub natural: Vec<(Var, Implied)>,
    /// Floors in the arguments, each with its variable; if the variable already exists, with a proof that it equals the floor.
    pub floors: Vec<(Expr, Var, Option<[Implied; 2]>)>,
    /// Lower bounds on arguments, by index, each with its proof.
    pub at_least: Vec<(usize, i64, Proof)>,
}

/// A step of a branch: the next call, or its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BranchNode {
    /// The next call.
    Call {
        /// Proofs about the call's arguments.
        arguments: ArgumentProofs,
        /// The proof that the call lands in one of the pieces; `None` if some landing has no piece.
        cover: Option<Cover>,
        /// The pieces of the callee in which the call may land; a landing without a piece uses the lower bound 0.
        landings: Vec<Landing>,
    },
    /// The end of the branch: all calls have landed.
    Judged(Box<Judged>),
}

/// A piece in which a call may land.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Landing {
    /// The piece; `None` if the value is only known to be at least 0.
    pub piece: Option<usize>,
    /// For a result that occurs in arguments: a linear expression on the same side of the result as the bound, with the proof.
    pub side: Option<(Expr, Proof)>,
    /// The index of the next node.
    pub node: usize,
}

/// The proof of the inequality at the end of a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judged {
    /// The bound is at most 0 (lower bounds only).
    NoClaim(Proof),
    /// A result is infinite and its coefficient is at least 1 (lower bounds only).
    Infinite {
        /// The index of the result.
        result: usize,
        /// The proof about the coefficient.
        coefficient: Proof,
    },
    /// The difference is non-negative.
    Difference {
        /// The results replaced by 0 (lower bounds only).
        zero: Vec<usize>,
        /// For lower bounds with products of results, proofs that the bounds substituted for results are non-negative.
        nonnegative: Vec<(usize, Proof)>,
        /// The results in arguments that are replaced by their bounds, in this order, which minimises the difference; each with a proof for
        /// every non-constant factor.
        extremes: Vec<(usize, Vec<Proof>)>,
        /// The proof that the difference is non-negative.
        proof: Proof,
        /// For lower bounds, the proof that calls within the level may be used.
        descent: Option<Box<Descent>>,
    },
}

/// The proof that calls within a level may be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Descent {
    /// The clause itself costs at least 1, and the exponents in its value are natural numbers.
    Costs {
        /// The proof of this cost.
        cost: Proof,
        /// Proofs that the value and the results are integers.
        natural: Vec<(Var, Implied)>,
    },
    /// The measure decreases in each such call.
    Measure {
        /// A lower bound on the measure.
        least: Rat,
        /// The proof of the lower bound.
        bounded: Implied,
        /// For each call within the level, the proof that the measure decreases.
        decreases: Vec<Proof>,
        /// Proofs that the value and the results are integers, if other calls of the level have a cost.
        natural: Vec<(Var, Implied)>,
    },
}
