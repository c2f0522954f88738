//! Certificates as JSON: `bounds --certificate FILE` (`docs/certificates.md`).

mod encode;
mod proofs;

use costlens_algebra::linear::{Region, Relation};
use costlens_algebra::prove::RESERVED_VARIABLES;
use costlens_algebra::text::{Names, to_text};
use costlens_algebra::{Expr, Var};
use costlens_analysis::Certified;
use costlens_ide::host::InputTexts;
use costlens_recurrences::certify::Level;
use costlens_recurrences::{Alternative, Direction, Function, Value as Claim};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::digest::sha256;

/// Builds the certificate of some systems, with the texts from which their equations were derived.
pub(super) fn document(systems: &[Value], texts: &InputTexts) -> Value {
    let program: Vec<Value> = (texts.program.iter())
        .map(|(file, text)| json!({"file": file, "sha256": sha256(text.as_bytes())}))
        .collect();
    let shipped = texts.shipped.concat();
    json!({
        "certificate": 1,
        "costlens": env!("CARGO_PKG_VERSION"),
        "texts": program,
        "library": {"sha256": sha256(shipped.as_bytes())},
        "systems": systems,
    })
}

/// A source text, compared with the texts that a certificate names.
pub(super) struct Compared {
    /// The file's name.
    pub(super) file: String,
    /// True if the certificate names the same text.
    pub(super) is_same: bool,
}

/// The texts that a certificate names.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct NamedTexts {
    /// The version of Costlens that wrote the certificate.
    pub(super) costlens: Option<String>,
    /// The files of the program.
    #[serde(default)]
    pub(super) texts: Vec<NamedText>,
    /// The libraries that ship with Costlens.
    pub(super) library: Option<NamedText>,
}

/// A text, identified by its SHA-256.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct NamedText {
    /// The file's name, if the text is a file.
    #[serde(default)]
    pub(super) file: String,
    pub(super) sha256: String,
}

/// Returns the texts that a certificate names. Certificates of earlier versions do not name texts.
pub(super) fn named(text: &str) -> NamedTexts {
    serde_json::from_str(text).unwrap_or_default()
}

/// Encodes a system with its claims and their proofs.
pub(super) fn system(of: &Certified) -> Value {
    let mut functions = Vec::new();
    for (f, function) in of.system.functions.iter().enumerate() {
        let none = Vec::new();
        let proofs = of.certificate.pieces.get(f).unwrap_or(&none);
        let pieces = of.pieces.get(f).into_iter().flatten();
        let pieces: Vec<Value> = pieces
            .enumerate()
            .map(|(p, piece)| {
                let value = match &piece.value {
                    Claim::Known(e) => expr(e),
                    Claim::Diverges => json!("diverges"),
                    Claim::Unknown(_) => Value::Null,
                };
                let proof = proofs.get(p).and_then(Option::as_ref);
                json!({
                    "region": region(&piece.region),
                    "value": value,
                    "proof": proof.map_or(Value::Null, proofs::piece),
                })
            })
            .collect();
        functions.push(self::function(&of.names[f], function, &pieces));
    }
    let direction = match of.direction {
        Direction::Upper => "upper",
        Direction::Lower => "lower",
    };
    let levels: Vec<Value> = of.certificate.levels.iter().map(level).collect();
    json!({"direction": direction, "functions": functions, "levels": levels})
}

fn function(name: &str, function: &Function, pieces: &[Value]) -> Value {
    let cells = function.cells.iter().map(|cell| {
        json!({
            "region": region(&cell.region),
            "exhaustive": cell.exhaustive,
            "alternatives": cell.alternatives.iter().map(alternative).collect::<Vec<_>>(),
        })
    });
    json!({
        "name": name,
        "params": function.params.iter().map(|v| var(*v)).collect::<Vec<_>>(),
        "cells": cells.collect::<Vec<_>>(),
        "pieces": pieces,
    })
}

fn alternative(a: &Alternative) -> Value {
    let calls = a.results.iter().map(|call| {
        json!({
            "result": var(call.var),
            "function": call.function,
            "args": call.args.iter().map(expr).collect::<Vec<_>>(),
        })
    });
    json!({
        "locals": a.locals.iter().map(|v| var(*v)).collect::<Vec<_>>(),
        "where": region(&a.constraints),
        "calls": calls.collect::<Vec<_>>(),
        "value": a.value.as_ref().map(expr),
    })
}

fn level(level: &Level) -> Value {
    let measures: Vec<Option<Value>> = level
        .measures
        .iter()
        .map(|m| m.as_ref().map(expr))
        .collect();
    json!({"measures": measures, "always": level.always})
}

/// Returns the name of a variable: `x0`, `x1`, … in equations, `t0`, … in proofs.
fn var(v: Var) -> Value {
    Value::String(name(v))
}

fn name(v: Var) -> String {
    match v.0.checked_sub(RESERVED_VARIABLES) {
        Some(number) => format!("t{number}"),
        None => format!("x{}", v.0),
    }
}

fn expr(e: &Expr) -> Value {
    Value::String(to_text(e, &Names::new(name)))
}

fn region(region: &Region) -> Value {
    let constraints = region.constraints().iter().map(|c| {
        let left = to_text(&c.expr(), &Names::new(name));
        match c.relation() {
            Relation::NonNegative => json!(format!("{left}>=0")),
            Relation::Zero => json!(format!("{left}=0")),
        }
    });
    Value::Array(constraints.collect())
}
