//! Parses equations and claims from JSON. Proofs remain JSON until they are used.

use std::collections::BTreeSet;

use costlens_algebra::parse::parse;
use costlens_algebra::{Constraint, Expr, Rat, Region, Relation, Var};
use num_bigint::BigInt;
use serde_json::Value;

use crate::{Check, Refused, must, refuse};

/// Variables with at least this number are written `t0`, `t1`, … and occur only in proofs.
pub(crate) const OF_PROOFS: u32 = 0xFFFF_0000;

/// The maximum length of an expression's text.
const TEXT_LIMIT: usize = 100_000;

/// Mutually recursive functions, with claims about them.
pub(crate) struct System<'v> {
    pub(crate) upper: bool,
    pub(crate) functions: Vec<Function<'v>>,
    pub(crate) levels: Vec<Level>,
}

pub(crate) struct Function<'v> {
    pub(crate) name: String,
    pub(crate) params: Vec<Var>,
    pub(crate) cells: Vec<Cell>,
    pub(crate) pieces: Vec<Piece<'v>>,
}

pub(crate) struct Cell {
    pub(crate) region: Region,
    pub(crate) exhaustive: bool,
    pub(crate) alternatives: Vec<Alternative>,
}

pub(crate) struct Alternative {
    pub(crate) has_locals: bool,
    pub(crate) constraints: Region,
    pub(crate) calls: Vec<Call>,
    /// The results of the calls.
    pub(crate) results: Vec<Var>,
    /// The results that occur in arguments.
    pub(crate) nested: Vec<Var>,
    pub(crate) value: Option<Expr>,
}

pub(crate) struct Call {
    pub(crate) function: usize,
    pub(crate) args: Vec<Expr>,
}

pub(crate) struct Piece<'v> {
    pub(crate) region: Region,
    pub(crate) claim: Claim,
    pub(crate) text: String,
    pub(crate) proof: &'v Value,
}

pub(crate) enum Claim {
    Bound(Expr),
    Diverges,
    Nothing,
}

/// The rule under which lower bounds of one level may depend on each other.
pub(crate) struct Level {
    pub(crate) measures: Vec<Option<Expr>>,
    pub(crate) always: bool,
}

pub(crate) fn field<'v>(v: &'v Value, name: &str) -> Check<&'v Value> {
    v.get(name)
        .ok_or_else(|| Refused(format!("`{name}` expected")))
}

pub(crate) fn items<'v>(v: &'v Value, name: &str) -> Check<&'v [Value]> {
    match field(v, name)?.as_array() {
        Some(items) => Ok(items),
        None => refuse(format!("`{name}` is no list")),
    }
}

pub(crate) fn text(v: &Value) -> Check<&str> {
    match v.as_str() {
        Some(t) if t.len() <= TEXT_LIMIT => Ok(t),
        Some(_) => refuse("a text is too long"),
        None => refuse("a text expected"),
    }
}

pub(crate) fn index(v: &Value) -> Check<usize> {
    match v.as_u64().and_then(|n| usize::try_from(n).ok()) {
        Some(n) => Ok(n),
        None => refuse("a natural number expected"),
    }
}

pub(crate) fn small(v: &Value) -> Check<u32> {
    match u32::try_from(index(v)?) {
        Ok(n) if n <= 4096 => Ok(n),
        _ => refuse("a number is too large"),
    }
}

pub(crate) fn flag(v: &Value, name: &str) -> Check<bool> {
    match field(v, name)?.as_bool() {
        Some(b) => Ok(b),
        None => refuse(format!("`{name}` is no truth value")),
    }
}

pub(crate) fn variable(name: &str) -> Option<Var> {
    let (kind, number) = name.split_at_checked(1)?;
    let number: u32 = number.parse().ok()?;
    match kind {
        "x" if number < OF_PROOFS => Some(Var(number)),
        "t" if number < 0xFFFF => Some(Var(OF_PROOFS + number)),
        _ => None,
    }
}

pub(crate) fn var(v: &Value) -> Check<Var> {
    let name = text(v)?;
    variable(name).ok_or_else(|| Refused(format!("`{name}` is no variable")))
}

pub(crate) fn expr(v: &Value) -> Check<Expr> {
    expr_of(text(v)?)
}

fn expr_of(text: &str) -> Check<Expr> {
    parse(text, &mut variable).map_err(|e| Refused(format!("`{text}`: {e}")))
}

pub(crate) fn rational(v: &Value) -> Check<Rat> {
    match expr(v)?.as_constant() {
        Some(c) => Ok(c),
        None => refuse("a number expected"),
    }
}

pub(crate) fn integer(v: &Value) -> Check<BigInt> {
    let c = rational(v)?;
    must(c.is_integer(), "an integer expected")?;
    Ok(c.to_integer())
}

/// Parses a region: `["x0-1>=0","x1=0"]`.
pub(crate) fn region(v: &Value) -> Check<Region> {
    let Some(all) = v.as_array() else {
        return refuse("a list of constraints expected");
    };
    let mut region = Region::everything();
    for c in all {
        let c = text(c)?;
        let (left, relation) = match (c.strip_suffix(">=0"), c.strip_suffix("=0")) {
            (Some(left), _) => (left, Relation::NonNegative),
            (None, Some(left)) => (left, Relation::Zero),
            _ => return refuse(format!("`{c}` is no constraint")),
        };
        match Constraint::new(&expr_of(left)?, relation) {
            Some(c) => region = region.and(c),
            None => return refuse(format!("`{c}` is not linear with moderate coefficients")),
        }
    }
    Ok(region)
}

/// Checks that only known variables occur.
fn check_variables(vars: impl IntoIterator<Item = Var>, known: &BTreeSet<Var>) -> Check {
    must(
        vars.into_iter().all(|v| known.contains(&v)),
        "a variable occurs where it has no meaning",
    )
}

/// Introduces new variables of equations. Each must occur only once.
fn introduce(vars: &[Var], known: &mut BTreeSet<Var>) -> Check {
    for &v in vars {
        must(
            v.0 < OF_PROOFS && known.insert(v),
            "a variable is introduced twice, or is one of proofs",
        )?;
    }
    Ok(())
}

pub(crate) fn system(v: &Value) -> Check<System<'_>> {
    let upper = match text(field(v, "direction")?)? {
        "upper" => true,
        "lower" => false,
        other => return refuse(format!("`{other}` is no direction")),
    };
    let functions = items(v, "functions")?;
    let side = if upper { "upper" } else { "lower" };
    let read: Check<Vec<Function<'_>>> = functions.iter().map(|f| function(f, side)).collect();
    let functions = read?;
    for call in (functions.iter().flat_map(|f| &f.cells))
        .flat_map(|c| &c.alternatives)
        .flat_map(|a| &a.calls)
    {
        let callee = functions.get(call.function);
        must(
            callee.is_some_and(|f| f.params.len() == call.args.len()),
            "a call of no function, or with the wrong number of arguments",
        )?;
    }
    let mut levels = Vec::new();
    for level in items(v, "levels")? {
        let mut measures = Vec::new();
        for (measure, f) in items(level, "measures")?.iter().zip(&functions) {
            if measure.is_null() {
                measures.push(None);
                continue;
            }
            let measure = expr(measure)?;
            check_variables(measure.variables(), &f.params.iter().copied().collect())?;
            must(measure.is_linear(), "a measure is not linear")?;
            measures.push(Some(measure));
        }
        let always = flag(level, "always")?;
        levels.push(Level { measures, always });
    }
    Ok(System {
        upper,
        functions,
        levels,
    })
}

fn function<'v>(v: &'v Value, side: &str) -> Check<Function<'v>> {
    let params: Vec<Var> = items(v, "params")?.iter().map(var).collect::<Check<_>>()?;
    let mut known = BTreeSet::new();
    introduce(&params, &mut known)?;
    let cells: Check<Vec<Cell>> = (items(v, "cells")?.iter())
        .map(|c| cell(c, &known))
        .collect();
    let mut pieces = Vec::new();
    for piece in items(v, "pieces")? {
        let region = region(field(piece, "region")?)?;
        check_variables(region.variables(), &known)?;
        let value = field(piece, "value")?;
        let claim = match value.as_str() {
            None if value.is_null() => Claim::Nothing,
            Some("diverges") => Claim::Diverges,
            _ => Claim::Bound(expr(value)?),
        };
        if let Claim::Bound(e) = &claim {
            check_variables(e.variables(), &known)?;
        }
        let when: Vec<&str> = (items(piece, "region")?.iter())
            .filter_map(Value::as_str)
            .collect();
        let what = value.as_str().unwrap_or("");
        pieces.push(Piece {
            region,
            claim,
            text: format!("{side} bound {what} for [{}]", when.join(", ")),
            proof: field(piece, "proof")?,
        });
    }
    Ok(Function {
        name: text(field(v, "name")?)?.to_owned(),
        params,
        cells: cells?,
        pieces,
    })
}

fn cell(v: &Value, params: &BTreeSet<Var>) -> Check<Cell> {
    let within = region(field(v, "region")?)?;
    check_variables(within.variables(), params)?;
    let mut alternatives = Vec::new();
    for a in items(v, "alternatives")? {
        let constraints = region(field(a, "where")?)?;
        let mut results: Vec<Var> = Vec::new();
        let mut used: BTreeSet<Var> = BTreeSet::new();
        let mut calls = Vec::new();
        for call in items(a, "calls")? {
            let args: Vec<Expr> = items(call, "args")?
                .iter()
                .map(expr)
                .collect::<Check<_>>()?;
            used.extend(args.iter().flat_map(Expr::variables));
            let result = var(field(call, "result")?)?;
            // Arguments may mention only results of earlier calls.
            let is_new = !used.contains(&result) && !results.contains(&result);
            must(is_new, "a result is mentioned before its call")?;
            results.push(result);
            let function = index(field(call, "function")?)?;
            calls.push(Call { function, args });
        }
        let value = match field(a, "value")? {
            Value::Null => None,
            e => Some(expr(e)?),
        };
        // A variable that is neither a parameter nor a result is a local, declared or not, and ranges over all integers.
        let mentioned = value.iter().flat_map(Expr::variables);
        let all: BTreeSet<Var> = (constraints.variables().into_iter())
            .chain(used.iter().copied())
            .chain(mentioned)
            .chain(results.iter().copied())
            .collect();
        must(
            all.iter().all(|v| v.0 < OF_PROOFS),
            "equations have a variable of proofs",
        )?;
        let in_constraints = constraints.variables();
        must(
            (results.iter()).all(|r| !params.contains(r) && !in_constraints.contains(r)),
            "a result is a parameter, or in a constraint",
        )?;
        let is_local = |v: &Var| !params.contains(v) && !results.contains(v);
        alternatives.push(Alternative {
            has_locals: all.iter().any(is_local),
            constraints,
            calls,
            nested: (results.iter().copied())
                .filter(|r| used.contains(r))
                .collect(),
            results,
            value,
        });
    }
    Ok(Cell {
        region: within,
        exhaustive: flag(v, "exhaustive")?,
        alternatives,
    })
}
