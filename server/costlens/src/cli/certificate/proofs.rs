//! Encoding of proofs as JSON: the name of the rule, and its fields.

use costlens_algebra::linear::{Cover, Refutation};
use costlens_algebra::prove::{Fact, Proof};
use costlens_algebra::{Atom, Var};
use costlens_recurrences::certify::{
    AlternativeProof, ArgumentProofs, BranchNode, CellProof, Descent, Judged, Landing, PieceProof,
};
use serde_json::Value;

use super::encode::{Encode, object, objects};

/// The maximum depth of encoded proofs, because JSON parsers limit the depth.
const DEPTH_LIMIT: usize = 90;

/// Encodes the proof of a piece. Returns null if certificates do not support a part of the proof.
pub(super) fn piece(proof: &PieceProof) -> Value {
    match proof.encode() {
        Some(value) if is_shallow(&value) => value,
        _ => Value::Null,
    }
}

fn is_shallow(value: &Value) -> bool {
    let mut open = vec![(value, 0)];
    while let Some((value, depth)) = open.pop() {
        if depth > DEPTH_LIMIT {
            return false;
        }
        match value {
            Value::Array(items) => open.extend(items.iter().map(|v| (v, depth + 1))),
            Value::Object(fields) => open.extend(fields.values().map(|v| (v, depth + 1))),
            _ => {}
        }
    }
    true
}

impl Encode for Refutation {
    fn encode(&self) -> Option<Value> {
        self.cuts.encode()
    }
}

objects! {
    Cover {
        Empty(empty),
        Outside { part, rest },
    }
    PieceProof {
        Bound { level, defined, cover, nonnegative, cells },
        Divergence { cover, cells },
    }
    CellProof {
        Apart(apart),
        NoClaim(no_claim),
        Unfolded { usable, alternatives },
    }
    AlternativeProof {
        Impossible(impossible),
        NoClaim(no_claim),
        Branches { monotone, nodes },
        Endless { monotone, call, arguments, cover, cost, coefficient },
    }
    Judged {
        NoClaim(no_claim),
        Infinite { result: infinite, coefficient },
        Difference { zero, nonnegative, extremes, proof, descent },
    }
    Descent {
        Costs { cost, natural },
        Measure { least, bounded, decreases, natural },
    }
}

objects! {
    Proof by rule except Missing {
        Constant {},
        Empty(by),
        Linear(by),
        Solve { steps, then },
        Weaken { region, by, then },
        Cases { parts, cover, then },
        Corner { rows, values, then },
        Coefficients {},
        Induction { var, rate, step, first },
        Points { var, low, high, by },
        Interval { var, ends, by },
        Products { terms, squares },
        Residues { var, period, quotient, then },
        Atoms { names, defined, then },
        Fact { fact, by, then },
        Line { atom, reference, by, factor, defined, then },
        Sequence { var, coefficients, low, start, by, step },
    }
}

impl Encode for ArgumentProofs {
    fn encode(&self) -> Option<Value> {
        let natural = &self.natural;
        let floors = self.floors.iter();
        let floors: Vec<_> = floors
            .map(|(floor, var, same)| (floor, var, same.as_ref().map(|both| both.concat())))
            .collect();
        let at_least = self.at_least.iter();
        let at_least: Vec<_> = at_least
            .map(|(place, least, proof)| (place, least.to_string(), proof))
            .collect();
        object!(natural, floors, at_least)
    }
}

impl Encode for BranchNode {
    fn encode(&self) -> Option<Value> {
        match self {
            BranchNode::Call {
                arguments,
                cover,
                landings,
            } => object!(arguments, cover, landings),
            BranchNode::Judged(judged) => judged.encode(),
        }
    }
}

impl Encode for Landing {
    fn encode(&self) -> Option<Value> {
        let Landing { piece, side, node } = self;
        match side {
            None => object!(piece, node),
            Some((side, by)) => object!(piece, node, side, by),
        }
    }
}

/// An atom of [`Proof::Atoms`] is encoded as its variable.
impl Encode for (Atom, Var) {
    fn encode(&self) -> Option<Value> {
        self.1.encode()
    }
}

impl Encode for Fact {
    fn encode(&self) -> Option<Value> {
        match self {
            Fact::Least(i, k) => ("least", i, k).encode(),
            Fact::Most(i, k) => ("most", i, k).encode(),
            Fact::Tangent(i, t) => ("tangent", i, t).encode(),
            Fact::Power(i, k) => ("power", i, k).encode(),
            Fact::PowerFrom(i, k) => ("power_from", i, k).encode(),
            Fact::AtMost(i, j, d) => ("at_most", i, j, d).encode(),
            Fact::Powers(i, j, d) => ("powers", i, j, d).encode(),
            Fact::Same(i, j) => ("same", i, j).encode(),
            Fact::Next(i, j) => ("next", i, j).encode(),
            Fact::Sequence(i, first, least) => ("sequence", i, first, least).encode(),
        }
    }
}
