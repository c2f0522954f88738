//! Containment: calls of a narrower pattern are calls of the wider one, so its bounds should not be worse.
//!
//! Of the truth this holds by definition. The analysis might lose something: where it does, more knowledge of the arguments
//! makes for a worse answer, which no user would understand.

use std::collections::BTreeMap;
use std::fmt;

use costlens_algebra::system::{SolvedPiece, Value};
use costlens_algebra::{Rat, Var};
use costlens_analysis::infer::{Pieces, Summary};
use costlens_analysis::types::Type;
use num_bigint::BigInt;

use crate::{programs, summaries};

/// What the check of one program did.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) pairs: usize,
    pub(crate) points: usize,
    pub(crate) violations: Vec<String>,
}

/// One pair of so many may lose something: what more is known of the arguments can make for more cases than the solver has
/// fuel for, or for equations that it has no form for.
const TOLERATED: usize = 50;

impl Report {
    /// What the test says: nothing where hardly any pair loses.
    pub(crate) fn findings(&self) -> &[String] {
        if self.violations.len() * TOLERATED > self.pairs {
            &self.violations
        } else {
            &[]
        }
    }
}

/// Types that are narrower than a type by one step or two.
pub(crate) fn narrower(ty: &Type) -> Vec<Type> {
    let list = |t| Type::List(Box::new(t));
    let candidates = [
        Type::Int,
        Type::Number,
        Type::Atom,
        Type::Free,
        Type::Ground,
        list(Type::Any),
        list(Type::Int),
        list(Type::Ground),
        list(list(Type::Any)),
    ];
    (candidates.into_iter())
        .filter(|t| t != ty && t.is_within(ty))
        .collect()
}

/// Checks every summary of a program text against those of narrower patterns.
pub(crate) fn check(name: &str, text: &str) -> Result<Report, String> {
    let mut report = Report::default();
    for (wide, narrow) in summaries::with_narrower(text)? {
        report.pairs += 1;
        let told = report.violations.len();
        for point in points(&narrow) {
            report.points += 1;
            compare(name, &wide, &narrow, &point, &mut report.violations);
            if report.violations.len() > told {
                break;
            }
        }
    }
    Ok(report)
}

/// The same of programs by chance.
pub(crate) fn by_chance(from: u64, many: u64) -> Result<Report, String> {
    let mut whole = Report::default();
    for seed in from..from + many {
        let text = programs::program(seed);
        let report = check(&format!("program {seed}"), &text)?;
        whole.pairs += report.pairs;
        whole.points += report.points;
        if !report.violations.is_empty() {
            whole.violations.extend(report.violations);
            whole.violations.push(format!("program {seed} is\n{text}"));
        }
    }
    Ok(whole)
}

/// Small sizes of the parameters of a summary, as many combinations as can be afforded.
fn points(summary: &Summary) -> Vec<BTreeMap<Var, BigInt>> {
    let mut points = vec![BTreeMap::new()];
    for (i, p) in summary.params.iter().enumerate() {
        let values: &[i64] = match (p.metric.to_string().as_str(), i) {
            ("int", 0 | 1) => &[-3, -1, 0, 1, 2, 3, 5, 8, 13, 40],
            ("int", _) => &[-1, 0, 2, 5],
            (_, 0 | 1) => &[0, 1, 2, 3, 4, 5, 8, 13, 40],
            _ => &[0, 1, 4],
        };
        points = (points.iter())
            .flat_map(|point: &BTreeMap<Var, BigInt>| {
                values.iter().map(|&value| {
                    let mut point = point.clone();
                    point.insert(p.var, value.into());
                    point
                })
            })
            .collect();
    }
    let inside = |p: &BTreeMap<Var, BigInt>| summary.domain.contains(&|v| p.get(&v).cloned());
    points.retain(inside);
    points
}

fn compare(
    name: &str,
    wide: &Summary,
    narrow: &Summary,
    point: &BTreeMap<Var, BigInt>,
    found: &mut Vec<String>,
) {
    // The same sizes under the names of the wider pattern.
    let mut same = BTreeMap::new();
    for p in &wide.params {
        let there = (narrow.params.iter())
            .find(|q| q.argument == p.argument && q.metric == p.metric && q.element == p.element)
            .and_then(|q| point.get(&q.var));
        if let Some(value) = there {
            same.insert(p.var, value.clone());
        }
    }
    for (what, w, n) in [
        ("first", &wide.first, &narrow.first),
        ("all", &wide.all, &narrow.all),
        ("solutions", &wide.solutions, &narrow.solutions),
    ] {
        for (side, w, n) in [("lower", &w.lower, &n.lower), ("upper", &w.upper, &n.upper)] {
            let (Some(w), Some(n)) = (value(w, &same), value(n, point)) else {
                continue;
            };
            if is_worse(side == "upper", &n, &w) {
                let sizes: Vec<String> = (narrow.params.iter())
                    .filter_map(|p| Some(format!("{}={}", p.name, point.get(&p.var)?)))
                    .collect();
                found.push(format!(
                    "{name}: {} has {what}.{side} {w}, but for {} it is {n}, at {}",
                    format_args!("{}{}", wide.predicate, wide.pattern),
                    narrow.pattern,
                    sizes.join(", "),
                ));
                return;
            }
        }
    }
}

/// A bound at given sizes.
#[derive(Clone, Debug, PartialEq)]
enum At {
    Number(Rat),
    /// Proved to be without end.
    Endless,
    /// Nothing was proved: as an upper bound the worst of all, as a lower one 0.
    Unknown,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            At::Number(n) => n.fmt(f),
            At::Endless => f.write_str("infinite"),
            At::Unknown => f.write_str("unknown"),
        }
    }
}

fn is_worse(upper: bool, n: &At, w: &At) -> bool {
    let zero = Rat::from_integer(0.into());
    match (upper, n, w) {
        (true, At::Unknown, w) => *w != At::Unknown,
        (true, _, At::Unknown) => false,
        (false, At::Unknown, w) => is_worse(false, &At::Number(zero), w),
        (false, n, At::Unknown) => is_worse(false, n, &At::Number(zero)),
        (true, At::Number(n), At::Number(w)) => n > w,
        (false, At::Number(n), At::Number(w)) => n < w,
        (true, n, w) => *n == At::Endless && *w != At::Endless,
        (false, n, w) => *n != At::Endless && *w == At::Endless,
    }
}

fn value(pieces: &Pieces, sizes: &BTreeMap<Var, BigInt>) -> Option<At> {
    let given = |v: Var| sizes.get(&v).cloned();
    // A size that the other pattern does not measure: nothing can be compared.
    let known = |p: &SolvedPiece| p.region.variables().iter().all(|v| sizes.contains_key(v));
    if !pieces.iter().all(known) {
        return None;
    }
    let Some(piece) = pieces.iter().find(|p| p.region.contains(&given)) else {
        return Some(At::Unknown);
    };
    match &piece.value {
        Value::Known(e) => e.eval(&given).map(At::Number),
        Value::Diverges => Some(At::Endless),
        Value::Unknown(_) => Some(At::Unknown),
    }
}
