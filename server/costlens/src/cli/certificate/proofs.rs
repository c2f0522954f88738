//! Proofs as JSON: each with its rule and the rule's data.

use costlens_algebra::linear::{Cover, Implied, Refutation};
use costlens_algebra::prove::{Fact, Proof};
use costlens_algebra::{Expr, Var};
use costlens_recurrences::certify::{
    AlternativeProof, ArgumentProofs, CellProof, Descent, Judged, Landing, Node, PieceProof,
};
use serde_json::{Value, json};

use super::{expr, region, var};

/// Deeper proofs are left out: readers of JSON limit its depth.
const DEPTH_LIMIT: usize = 90;

/// Encodes the proof of a piece; returns nothing if a part of it is not written down.
pub(super) fn piece(proof: &PieceProof) -> Value {
    let written = match proof {
        PieceProof::Bound {
            level,
            defined,
            cover,
            nonnegative,
            cells,
        } => (|| {
            let nonnegative = match nonnegative {
                Some(proof) => self::proof(proof)?,
                None => Value::Null,
            };
            Some(json!({
                "level": level,
                "defined": defined.iter().map(implied).collect::<Vec<_>>(),
                "cover": self::cover(cover),
                "nonnegative": nonnegative,
                "cells": all(cells, cell)?,
            }))
        })(),
        PieceProof::Divergence { cover, cells } => (|| {
            let cells = all(cells, cell)?;
            Some(json!({"cover": self::cover(cover), "cells": cells}))
        })(),
    };
    match written {
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

fn all<T>(items: &[T], write: impl Fn(&T) -> Option<Value>) -> Option<Value> {
    let items: Option<Vec<Value>> = items.iter().map(write).collect();
    Some(Value::Array(items?))
}

fn refutation(r: &Refutation) -> Value {
    let cut = |cut: &Vec<(usize, costlens_algebra::Rat)>| -> Vec<Value> {
        cut.iter().map(|(i, c)| json!([i, c.to_string()])).collect()
    };
    json!(r.cuts.iter().map(cut).collect::<Vec<_>>())
}

fn implied(by: &Implied) -> Value {
    json!(by.iter().map(refutation).collect::<Vec<_>>())
}

fn cover(cover: &Cover) -> Value {
    match cover {
        Cover::Empty(r) => json!({"empty": refutation(r)}),
        Cover::Outside { part, rest } => {
            json!({"part": part, "rest": rest.iter().map(self::cover).collect::<Vec<_>>()})
        }
    }
}

fn naturals(all: &[(Var, Implied)]) -> Value {
    json!(
        all.iter()
            .map(|(v, by)| json!([var(*v), implied(by)]))
            .collect::<Vec<_>>()
    )
}

fn cell(proof: &CellProof) -> Option<Value> {
    Some(match proof {
        CellProof::Apart(r) => json!({"apart": refutation(r)}),
        CellProof::NoClaim(proof) => json!({"no_claim": self::proof(proof)?}),
        CellProof::Unfolded {
            usable,
            alternatives,
        } => json!({
            "usable": usable.as_ref().map(cover),
            "alternatives": all(alternatives, alternative)?,
        }),
    })
}

fn alternative(proof: &AlternativeProof) -> Option<Value> {
    Some(match proof {
        AlternativeProof::Impossible(r) => json!({"impossible": refutation(r)}),
        AlternativeProof::NoClaim(proof) => json!({"no_claim": self::proof(proof)?}),
        AlternativeProof::Branches { monotone, nodes } => json!({
            "monotone": all(monotone, self::proof)?,
            "nodes": all(nodes, node)?,
        }),
        AlternativeProof::Endless {
            monotone,
            call,
            arguments,
            cover,
            cost,
            coefficient,
        } => json!({
            "monotone": all(monotone, self::proof)?,
            "call": call,
            "arguments": self::arguments(arguments)?,
            "cover": self::cover(cover),
            "cost": self::proof(cost)?,
            "coefficient": self::proof(coefficient)?,
        }),
    })
}

fn arguments(proofs: &ArgumentProofs) -> Option<Value> {
    let at_least = all(&proofs.at_least, |(i, least, proof)| {
        Some(json!([i, least.to_string(), self::proof(proof)?]))
    })?;
    let floors = proofs.floors.iter().map(|(of, v, why)| {
        let why = why.as_ref().map(|both| implied(&both.concat()));
        json!([expr(of), var(*v), why])
    });
    Some(json!({
        "natural": naturals(&proofs.natural),
        "floors": floors.collect::<Vec<_>>(),
        "at_least": at_least,
    }))
}

fn node(node: &Node) -> Option<Value> {
    Some(match node {
        Node::Call {
            arguments,
            cover,
            landings,
        } => json!({
            "arguments": self::arguments(arguments)?,
            "cover": cover.as_ref().map(self::cover),
            "landings": all(landings, landing)?,
        }),
        Node::Judged(judged) => self::judged(judged)?,
    })
}

fn landing(landing: &Landing) -> Option<Value> {
    let mut value = json!({"piece": landing.piece, "node": landing.node});
    if let Some((side, proof)) = &landing.side {
        value["side"] = expr(side);
        value["by"] = self::proof(proof)?;
    }
    Some(value)
}

fn judged(judged: &Judged) -> Option<Value> {
    Some(match judged {
        Judged::NoClaim(proof) => json!({"no_claim": self::proof(proof)?}),
        Judged::Infinite {
            result,
            coefficient,
        } => json!({"infinite": result, "coefficient": proof(coefficient)?}),
        Judged::Difference {
            zero,
            nonnegative,
            extremes,
            proof,
            descent,
        } => json!({
            "zero": zero,
            "nonnegative": all(nonnegative, |(i, p)| Some(json!([i, self::proof(p)?])))?,
            "extremes": all(extremes, |(i, p)| Some(json!([i, all(p, self::proof)?])))?,
            "proof": self::proof(proof)?,
            "descent": match descent {
                Some(descent) => self::descent(descent)?,
                None => Value::Null,
            },
        }),
    })
}

fn descent(descent: &Descent) -> Option<Value> {
    Some(match descent {
        Descent::Costs { cost, natural } => {
            json!({"cost": proof(cost)?, "natural": naturals(natural)})
        }
        Descent::Measure {
            least,
            bounded,
            decreases,
            natural,
        } => json!({
            "least": least.to_string(),
            "bounded": implied(bounded),
            "decreases": all(decreases, proof)?,
            "natural": naturals(natural),
        }),
    })
}

/// Encodes a proof with its rule. The function is long because each rule has its own fields and match arm.
fn proof(of: &Proof) -> Option<Value> {
    let pair = |(v, e): &(Var, Expr)| json!([var(*v), expr(e)]);
    Some(match of {
        Proof::Missing => return None,
        Proof::Constant => json!({"rule": "constant"}),
        Proof::Empty(r) => json!({"rule": "empty", "by": refutation(r)}),
        Proof::Linear(by) => json!({"rule": "linear", "by": implied(by)}),
        Proof::Solve { steps, then } => {
            let steps: Vec<Value> = steps.iter().map(|(i, v)| json!([i, var(*v)])).collect();
            json!({"rule": "solve", "steps": steps, "then": proof(then)?})
        }
        Proof::Weaken { region, by, then } => json!({
            "rule": "weaken",
            "region": self::region(region),
            "by": by.iter().map(implied).collect::<Vec<_>>(),
            "then": proof(then)?,
        }),
        Proof::Cases { parts, cover, then } => json!({
            "rule": "cases",
            "parts": parts.iter().map(region).collect::<Vec<_>>(),
            "cover": self::cover(cover),
            "then": all(then, proof)?,
        }),
        Proof::Corner { rows, values, then } => json!({
            "rule": "corner",
            "rows": rows,
            "values": values.iter().map(pair).collect::<Vec<_>>(),
            "then": proof(then)?,
        }),
        Proof::Coefficients => json!({"rule": "coefficients"}),
        Proof::Induction {
            var,
            rate,
            step,
            first,
        } => json!({
            "rule": "induction",
            "var": self::var(*var),
            "rate": rate.to_string(),
            "step": proof(step)?,
            "first": proof(first)?,
        }),
        Proof::Points { var, low, high, by } => json!({
            "rule": "points",
            "var": self::var(*var),
            "low": low.to_string(),
            "high": high.to_string(),
            "by": by.iter().map(implied).collect::<Vec<_>>(),
        }),
        Proof::Interval { var, ends, by } => json!({
            "rule": "interval",
            "var": self::var(*var),
            "ends": ends.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "by": by.iter().map(implied).collect::<Vec<_>>(),
        }),
        Proof::Products { terms, squares } => {
            let terms: Vec<Value> = terms
                .iter()
                .map(|(c, places)| json!([c.to_string(), places]))
                .collect();
            let squares: Vec<Value> = squares
                .iter()
                .map(|(c, e)| json!([c.to_string(), expr(e)]))
                .collect();
            json!({"rule": "products", "terms": terms, "squares": squares})
        }
        Proof::Residues {
            var,
            period,
            quotient,
            then,
        } => json!({
            "rule": "residues",
            "var": self::var(*var),
            "period": period,
            "quotient": self::var(*quotient),
            "then": all(then, proof)?,
        }),
        Proof::Atoms {
            names,
            defined,
            then,
        } => json!({
            "rule": "atoms",
            "names": names.iter().map(|(_, v)| var(*v)).collect::<Vec<_>>(),
            "defined": defined.iter().map(implied).collect::<Vec<_>>(),
            "then": proof(then)?,
        }),
        Proof::Fact { fact, by, then } => json!({
            "rule": "fact",
            "fact": self::fact(fact),
            "by": by.iter().map(implied).collect::<Vec<_>>(),
            "then": proof(then)?,
        }),
        Proof::Line {
            atom,
            reference,
            by,
            factor,
            defined,
            then,
        } => json!({
            "rule": "line",
            "atom": atom,
            "reference": reference,
            "by": by,
            "factor": factor.to_string(),
            "defined": defined.iter().map(implied).collect::<Vec<_>>(),
            "then": proof(then)?,
        }),
        Proof::Sequence {
            var,
            coefficients,
            low,
            start,
            by,
            step,
        } => json!({
            "rule": "sequence",
            "var": self::var(*var),
            "coefficients": coefficients.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "low": low.to_string(),
            "start": start.to_string(),
            "by": implied(by),
            "step": match step {
                Some(step) => proof(step)?,
                None => Value::Null,
            },
        }),
    })
}

fn fact(fact: &Fact) -> Value {
    match fact {
        Fact::Least(i, k) => json!(["least", i, k]),
        Fact::Most(i, k) => json!(["most", i, k]),
        Fact::Tangent(i, t) => json!(["tangent", i, t]),
        Fact::Power(i, k) => json!(["power", i, k]),
        Fact::PowerFrom(i, k) => json!(["power_from", i, k]),
        Fact::AtMost(i, j, d) => json!(["at_most", i, j, d]),
        Fact::Powers(i, j, d) => json!(["powers", i, j, d]),
        Fact::Same(i, j) => json!(["same", i, j]),
        Fact::Next(i, j) => json!(["next", i, j]),
        Fact::Sequence(i, first, least) => json!(["sequence", i, first, least.to_string()]),
    }
}
