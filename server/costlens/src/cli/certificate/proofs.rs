//! Encoding of proofs as JSON: the name of the rule, and its fields.

use costlens_algebra::Var;
use costlens_algebra::linear::{Cover, Refutation};
use costlens_algebra::prove::{Fact, Proof};
use costlens_recurrences::certify::{
    AlternativeProof, ArgumentProofs, BranchNode, CellProof, Descent, Judged, Landing, PieceProof,
};
use serde_json::Value;

use super::encode::{Encode, object};

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

impl Encode for Cover {
    fn encode(&self) -> Option<Value> {
        match self {
            Cover::Empty(empty) => object!(empty),
            Cover::Outside { part, rest } => object!(part, rest),
        }
    }
}

impl Encode for PieceProof {
    fn encode(&self) -> Option<Value> {
        match self {
            PieceProof::Bound {
                level,
                defined,
                cover,
                nonnegative,
                cells,
            } => object!(level, defined, cover, nonnegative, cells),
            PieceProof::Divergence { cover, cells } => object!(cover, cells),
        }
    }
}

impl Encode for CellProof {
    fn encode(&self) -> Option<Value> {
        match self {
            CellProof::Apart(apart) => object!(apart),
            CellProof::NoClaim(no_claim) => object!(no_claim),
            CellProof::Unfolded {
                usable,
                alternatives,
            } => object!(usable, alternatives),
        }
    }
}

impl Encode for AlternativeProof {
    fn encode(&self) -> Option<Value> {
        match self {
            AlternativeProof::Impossible(impossible) => object!(impossible),
            AlternativeProof::NoClaim(no_claim) => object!(no_claim),
            AlternativeProof::Branches { monotone, nodes } => object!(monotone, nodes),
            AlternativeProof::Endless {
                monotone,
                call,
                arguments,
                cover,
                cost,
                coefficient,
            } => object!(monotone, call, arguments, cover, cost, coefficient),
        }
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

impl Encode for Judged {
    fn encode(&self) -> Option<Value> {
        match self {
            Judged::NoClaim(no_claim) => object!(no_claim),
            Judged::Infinite {
                result,
                coefficient,
            } => object!(infinite = result, coefficient),
            Judged::Difference {
                zero,
                nonnegative,
                extremes,
                proof,
                descent,
            } => object!(zero, nonnegative, extremes, proof, descent),
        }
    }
}

impl Encode for Descent {
    fn encode(&self) -> Option<Value> {
        match self {
            Descent::Costs { cost, natural } => object!(cost, natural),
            Descent::Measure {
                least,
                bounded,
                decreases,
                natural,
            } => object!(least, bounded, decreases, natural),
        }
    }
}

impl Encode for Proof {
    fn encode(&self) -> Option<Value> {
        match self {
            Proof::Missing => None,
            Proof::Constant => object!(rule = "constant"),
            Proof::Empty(by) => object!(rule = "empty", by),
            Proof::Linear(by) => object!(rule = "linear", by),
            Proof::Solve { steps, then } => object!(rule = "solve", steps, then),
            Proof::Weaken { region, by, then } => object!(rule = "weaken", region, by, then),
            Proof::Cases { parts, cover, then } => object!(rule = "cases", parts, cover, then),
            Proof::Corner { rows, values, then } => object!(rule = "corner", rows, values, then),
            Proof::Coefficients => object!(rule = "coefficients"),
            Proof::Induction {
                var,
                rate,
                step,
                first,
            } => object!(rule = "induction", var, rate, step, first),
            Proof::Points { var, low, high, by } => object!(rule = "points", var, low, high, by),
            Proof::Interval { var, ends, by } => object!(rule = "interval", var, ends, by),
            Proof::Products { terms, squares } => object!(rule = "products", terms, squares),
            Proof::Residues {
                var,
                period,
                quotient,
                then,
            } => object!(rule = "residues", var, period, quotient, then),
            Proof::Atoms {
                names,
                defined,
                then,
            } => {
                let names: Vec<Var> = names.iter().map(|(_, var)| *var).collect();
                object!(rule = "atoms", names, defined, then)
            }
            Proof::Fact { fact, by, then } => object!(rule = "fact", fact, by, then),
            Proof::Line {
                atom,
                reference,
                by,
                factor,
                defined,
                then,
            } => object!(rule = "line", atom, reference, by, factor, defined, then),
            Proof::Sequence {
                var,
                coefficients,
                low,
                start,
                by,
                step,
            } => object!(rule = "sequence", var, coefficients, low, start, by, step),
        }
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
