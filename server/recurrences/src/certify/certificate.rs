//! Certificates as data.

use costlens_algebra::linear::{Cover, Implied, Refutation};
use costlens_algebra::prove::Proof;
use costlens_algebra::{Expr, Rat, Var};

/// The proofs of a solution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// For each function and piece its proof, if the piece makes a claim and there is a proof.
    pub pieces: Vec<Vec<Option<PieceProof>>>,
    /// The levels of lower bounds: how the pieces of each may call each other.
    pub levels: Vec<Level>,
}

/// The rule by which pieces of one level may depend on each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// For each function, the measure that decreases in calls inside the level; `None` if each call costs at least 1.
    pub measures: Vec<Option<Expr>>,
    /// Set if the measure decreases in all of these calls, so that multipliers need not be integers.
    pub always: bool,
}

/// The proof that a piece is a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PieceProof {
    /// The proof of an expression.
    Bound {
        /// The level: a lower bound depends only on pieces of the same or a lower level.
        level: usize,
        /// Proofs that its atoms have values.
        defined: Vec<Implied>,
        /// The proof that the piece lies in the cells.
        cover: Cover,
        /// The proof that an upper bound is not negative.
        nonnegative: Option<Proof>,
        /// A proof for each cell of the function.
        cells: Vec<CellProof>,
    },
    /// The proof of divergence.
    Divergence {
        /// The proof that the piece lies in the cells.
        cover: Cover,
        /// A proof for each cell.
        cells: Vec<CellProof>,
    },
}

/// The proof of the bound where a piece meets a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellProof {
    /// The piece and the cell do not meet.
    Apart(Refutation),
    /// A lower bound that is at most 0.
    NoClaim(Proof),
    /// The proof of one unfolding.
    Unfolded {
        /// The proof that the alternatives without locals cover the cell, for a lower bound and a cell that is not marked exhaustive.
        usable: Option<Cover>,
        /// A proof for each alternative.
        alternatives: Vec<AlternativeProof>,
    },
}

/// The proof of the bound for an alternative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AlternativeProof {
    /// The alternative cannot be used here.
    Impossible(Refutation),
    /// A lower bound that is at most 0.
    NoClaim(Proof),
    /// The bound is compared with the value, for all combinations of pieces in which the calls land.
    Branches {
        /// Proofs that the value does not decrease in results: one for each factor that is not constant.
        monotone: Vec<Proof>,
        /// The nodes of the tree of branches, the root first.
        nodes: Vec<Node>,
    },
    /// A call that never terminates.
    Endless {
        /// Proofs that the value does not decrease in results.
        monotone: Vec<Proof>,
        /// The position of the call.
        call: usize,
        /// Proofs about its arguments.
        arguments: ArgumentProofs,
        /// The proof that the call only reaches points where the callee diverges: a cover by the diverging pieces, in order.
        cover: Cover,
        /// The proof that the clause itself costs at least 1.
        cost: Box<Proof>,
        /// The proof that the result counts at least once.
        coefficient: Box<Proof>,
    },
}

/// Proofs that arguments are integers, and facts about arguments that are not linear.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArgumentProofs {
    /// Proofs that the exponents in them are not negative.
    pub natural: Vec<(Var, Implied)>,
    /// Floors in them, with their variables; if a variable already is that floor, with the proof of that.
    pub floors: Vec<(Expr, Var, Option<[Implied; 2]>)>,
    /// Lower bounds of arguments by position, each with its proof.
    pub at_least: Vec<(usize, i64, Proof)>,
}

/// A step of a branch: the next call, or the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// The next call.
    Call {
        /// Proofs about its arguments.
        arguments: ArgumentProofs,
        /// The proof that the call lands in one of the pieces; `None` if one of the landings has no piece.
        cover: Option<Cover>,
        /// The pieces of the callee in which the call lands; one without a piece if a lower bound uses 0.
        landings: Vec<Landing>,
    },
    /// All calls have landed.
    Judged(Box<Judged>),
}

/// A piece that a call may land in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Landing {
    /// The piece; `None` if nothing is known but that the value is at least 0.
    pub piece: Option<usize>,
    /// For a result that occurs in arguments: a linear expression on its side of the bound, with the proof.
    pub side: Option<(Expr, Proof)>,
    /// The next node.
    pub node: usize,
}

/// The proof of the inequality at the end of a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judged {
    /// The bound is at most 0 (lower bounds only).
    NoClaim(Proof),
    /// A result is infinite and counts at least once (lower bounds only).
    Infinite {
        /// The result.
        result: usize,
        /// The proof that it counts.
        coefficient: Proof,
    },
    /// The difference is not negative.
    Difference {
        /// The results that are replaced by 0 (lower bounds only).
        zero: Vec<usize>,
        /// Proofs that bounds in place of results are not negative, for lower bounds with products of results.
        nonnegative: Vec<(usize, Proof)>,
        /// The results in arguments that are replaced by their bounds, in this order, since the difference is least there, with a proof for
        /// each factor that is not constant.
        extremes: Vec<(usize, Vec<Proof>)>,
        /// The proof that the difference is not negative.
        proof: Proof,
        /// The proof that calls inside the level may be used, for lower bounds.
        descent: Option<Box<Descent>>,
    },
}

/// The proof that calls inside a level may be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Descent {
    /// The clause itself costs at least 1, and the exponents in its value are natural numbers.
    Costs {
        /// The proof of the cost.
        cost: Proof,
        /// Proofs that value and results are integers.
        natural: Vec<(Var, Implied)>,
    },
    /// The measure decreases in each such call.
    Measure {
        /// A lower bound of the measure.
        least: Rat,
        /// The proof of the lower bound.
        bounded: Implied,
        /// The proof for each call inside the level that the measure decreases.
        decreases: Vec<Proof>,
        /// Proofs that value and results are integers, if other calls of the level have a cost.
        natural: Vec<(Var, Implied)>,
    },
}
