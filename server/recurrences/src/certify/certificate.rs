//! Certificates as data.

use costlens_algebra::linear::{Cover, Implied, Refutation};
use costlens_algebra::prove::Proof;
use costlens_algebra::{Expr, Rat, Var};

/// The proofs of a solution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// For each function and piece: its proof, if it claims something and there is one.
    pub pieces: Vec<Vec<Option<PieceProof>>>,
    /// The levels of lower bounds: how the pieces of each may call each other.
    pub levels: Vec<Level>,
}

/// The rule by which pieces of one level may rest on each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// For each function, what decreases in calls inside the level; none where each call costs at least 1.
    pub measures: Vec<Option<Expr>>,
    /// Set where it decreases in all of them, so that multipliers need not be integers.
    pub always: bool,
}

/// The proof that a piece is a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PieceProof {
    /// The proof of an expression.
    Bound {
        /// Lower bounds rest on pieces of the same level or lower ones.
        level: usize,
        /// Proofs that its atoms have values.
        defined: Vec<Implied>,
        /// The proof that it lies in the cells.
        cover: Cover,
        /// The proof that an upper bound is not negative.
        nonnegative: Option<Proof>,
        /// For each cell of the function.
        cells: Vec<CellProof>,
    },
    /// The proof of divergence.
    Divergence {
        /// The proof that it lies in the cells.
        cover: Cover,
        /// For each cell.
        cells: Vec<CellProof>,
    },
}

/// The proof of the bound where a piece meets a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellProof {
    /// They do not meet.
    Apart(Refutation),
    /// A lower bound that is at most 0.
    NoClaim(Proof),
    /// One unfolding.
    Unfolded {
        /// The proof that the alternatives without locals cover the cell, for a lower bound and a cell that is not said to be exhaustive.
        usable: Option<Cover>,
        /// For each alternative.
        alternatives: Vec<AlternativeProof>,
    },
}

/// The proof of the bound for an alternative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AlternativeProof {
    /// It cannot be used here.
    Impossible(Refutation),
    /// A lower bound that is at most 0.
    NoClaim(Proof),
    /// The bound is compared with the value, wherever the calls go.
    Branches {
        /// Proofs that the value does not decrease in results: one for each factor that is not constant.
        monotone: Vec<Proof>,
        /// The first is where it begins.
        nodes: Vec<Node>,
    },
    /// A call that goes on for ever.
    Endless {
        /// Proofs that the value does not decrease in results.
        monotone: Vec<Proof>,
        /// The call.
        call: usize,
        /// Proofs about its arguments.
        arguments: ArgumentProofs,
        /// The proof that it goes where the callee diverges: over the pieces that do, in order.
        cover: Cover,
        /// The proof that the clause itself costs at least 1.
        cost: Box<Proof>,
        /// The proof that the result counts at least once.
        coefficient: Box<Proof>,
    },
}

/// Proofs that arguments are integers, and facts about those that are not linear.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArgumentProofs {
    /// Proofs that the exponents in them are not negative.
    pub natural: Vec<(Var, Implied)>,
    /// Floors in them, with their variables; where a variable is that floor already, why.
    pub floors: Vec<(Expr, Var, Option<[Implied; 2]>)>,
    /// For arguments by position: a number that it is at least, and why.
    pub at_least: Vec<(usize, i64, Proof)>,
}

/// A step of a branch: the next call, or the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// The next call.
    Call {
        /// Proofs about its arguments.
        arguments: ArgumentProofs,
        /// The proof that it goes to one of the pieces; none if one of the landings is nowhere in particular.
        cover: Option<Cover>,
        /// The pieces of the callee; none for a lower bound that takes 0.
        landings: Vec<Landing>,
    },
    /// All calls have landed.
    Judged(Box<Judged>),
}

/// A piece that a call may land in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Landing {
    /// The piece; none for "nothing is known, at least 0".
    pub piece: Option<usize>,
    /// For a result that occurs in arguments: a linear expression on its side of the bound, and why it is.
    pub side: Option<(Expr, Proof)>,
    /// The next node.
    pub node: usize,
}

/// The proof of the inequality at the end of a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judged {
    /// The bound is at most 0 (lower).
    NoClaim(Proof),
    /// A result is infinite and counts at least once (lower).
    Infinite {
        /// The result.
        result: usize,
        /// The proof that it counts.
        coefficient: Proof,
    },
    /// The difference is not negative.
    Difference {
        /// The results that are replaced by 0 (lower).
        zero: Vec<usize>,
        /// Proofs that bounds in place of results are not negative, for lower bounds with products of results.
        nonnegative: Vec<(usize, Proof)>,
        /// The results in arguments that are replaced by their bound, in this order, since the difference is least there: why, for each
        /// factor that is not constant.
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
    /// The clause itself costs at least 1; the exponents in its value are natural numbers.
    Costs {
        /// The proof of that.
        cost: Proof,
        /// Proofs that value and results are integers.
        natural: Vec<(Var, Implied)>,
    },
    /// The measure decreases in each such call.
    Measure {
        /// A number that it is at least.
        least: Rat,
        /// The proof of that.
        bounded: Implied,
        /// For each call inside the level.
        decreases: Vec<Proof>,
        /// Proofs that value and results are integers, where other calls of the level cost.
        natural: Vec<(Var, Implied)>,
    },
}
