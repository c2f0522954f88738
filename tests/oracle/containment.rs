//! Containment: calls of a narrower pattern are calls of the wider one, so its bounds should not be worse.
//!
//! For the true costs this holds by definition. The analysis might lose precision: then more knowledge of the arguments gives a worse answer,
//! which no user would understand.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use costlens_algebra::{Rat, Var};
use costlens_analysis::report::SizeVariable;
use costlens_analysis::types::{Pattern, Type};
use costlens_infer::{Pieces, Summary};
use costlens_recurrences::{SolvedPiece, Value};
use num_bigint::BigInt;

use crate::{programs, summaries};

/// The cause in predicates that write lists of elements with sizes.
const LARGER_ELEMENT: &str = "a written list asks which of its elements is larger, which cuts its calls into more regions than there are bounds for";

/// Known losses, with their cause: a file, a predicate.
const KNOWN: &[(&str, &str, &str)] = &[
    ("awkward_lists", "l16/3", LARGER_ELEMENT),
    ("awkward_undeclared", "uni/3", LARGER_ELEMENT),
    ("undeclared_modes", "doubled_beads/2", LARGER_ELEMENT),
    ("undeclared_modes", "doubled_beads/3", LARGER_ELEMENT),
    (
        "awkward_undeclared",
        "comp/2",
        "neither pattern has a bound for long lists; at how many small sizes one is found depends on where cells are cut",
    ),
    (
        "trees_with_variables",
        "mirror/2",
        "trees without variables are any ground terms, and what takes them apart may not match",
    ),
    (
        "awkward_generators",
        "nth/3",
        "the length of an output that may be known at the call cuts the cell of all lists with elements in two, and the lower bound of one is 2",
    ),
];

/// The result of checking one program.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) pairs: usize,
    pub(crate) points: usize,
    pub(crate) violations: Vec<String>,
    /// Cases in which each bound is better at some sizes, because they are in different sizes ([`Loss::is_either`]).
    pub(crate) either: Vec<String>,
}

/// Returns types that are narrower than a type by one step or two.
fn narrower(ty: &Type) -> Vec<Type> {
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

/// Returns patterns with one narrower argument, and some in which all are narrower.
pub(crate) fn narrower_patterns(pattern: &Pattern) -> Vec<Pattern> {
    let choices: Vec<Vec<Type>> = pattern.0.iter().map(narrower).collect();
    let mut found = Vec::new();
    for (i, types) in choices.iter().enumerate() {
        for ty in types {
            let mut types = pattern.0.clone();
            types[i] = ty.clone();
            found.push(Pattern(types));
        }
    }
    if choices.iter().filter(|c| !c.is_empty()).count() > 1 {
        let most = choices.iter().map(Vec::len).max().unwrap_or(0);
        for k in (0..most).step_by(2) {
            let types = pattern.0.iter().zip(&choices);
            let narrowed = types.map(|(ty, c)| c.get(k % c.len().max(1)).unwrap_or(ty).clone());
            found.push(Pattern(narrowed.collect()));
        }
    }
    found
}

/// Checks every summary of a program text against those of narrower patterns.
pub(crate) fn check(name: &str, text: &str) -> Result<Report, String> {
    let mut report = Report::default();
    for (wide, narrow) in summaries::with_narrower(text)? {
        report.pairs += 1;
        let points = points(&narrow);
        report.points += points.len();
        for bound in bounds(&wide, &narrow) {
            let Some(loss) = bound.loss(&wide, &narrow, &points) else {
                continue;
            };
            let predicate = wide.predicate.to_string();
            let is_known = KNOWN
                .iter()
                .any(|(file, of, _)| name.contains(file) && predicate == *of);
            let found = if loss.is_either || is_known {
                &mut report.either
            } else {
                &mut report.violations
            };
            found.push(format!(
                "{name}: {}{} has {}, but for {} {}",
                wide.predicate, wide.pattern, loss.wide, narrow.pattern, loss.narrow
            ));
            break;
        }
    }
    Ok(report)
}

/// Checks random programs in the same way.
pub(crate) fn by_chance(from: u64, many: u64) -> Result<Report, String> {
    let mut whole = Report::default();
    for seed in from..from + many {
        let text = programs::program(seed);
        let report = check(&format!("program {seed}"), &text)?;
        whole.pairs += report.pairs;
        whole.points += report.points;
        whole.either.extend(report.either);
        if !report.violations.is_empty() {
            whole.violations.extend(report.violations);
            whole.violations.push(format!("program {seed} is\n{text}"));
        }
    }
    Ok(whole)
}

/// Returns small sizes of the parameters of a summary, in as many combinations as is affordable.
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

/// The same bound of two patterns.
struct Both<'a> {
    /// `first.upper`.
    what: String,
    upper: bool,
    wide: &'a Pieces,
    narrow: &'a Pieces,
}

/// A point at which the narrower pattern has the worse bound.
struct Loss {
    wide: String,
    narrow: String,
    /// Lists of n elements and terms of size m may be walked together in at most n+1 and in at most m/2 steps. The solver has no form for the
    /// minimum of the two: it gives one of them. If the narrower pattern measures a size that the wider one does not, it may be the other
    /// one, which is better elsewhere. A missing bound is no such form: if the narrower pattern has no bound at all, that is a loss.
    is_either: bool,
}

fn bounds<'a>(wide: &'a Summary, narrow: &'a Summary) -> Vec<Both<'a>> {
    let mut all = Vec::new();
    for (what, w, n) in [
        ("first", &wide.first, &narrow.first),
        ("all", &wide.all, &narrow.all),
        ("solutions", &wide.solutions, &narrow.solutions),
    ] {
        for (side, wide, narrow) in [("lower", &w.lower, &n.lower), ("upper", &w.upper, &n.upper)] {
            all.push(Both {
                what: format!("{what}.{side}"),
                upper: side == "upper",
                wide,
                narrow,
            });
        }
    }
    all
}

impl Both<'_> {
    /// Returns the first point at which the narrower pattern loses something.
    fn loss(
        &self,
        wide: &Summary,
        narrow: &Summary,
        points: &[BTreeMap<Var, BigInt>],
    ) -> Option<Loss> {
        let (mut loss, mut gains) = (None, false);
        for point in points {
            // The same sizes under the names of the wider pattern.
            let mut same = BTreeMap::new();
            for p in &wide.params {
                if let Some(value) = counterpart(narrow, p).and_then(|v| point.get(&v)) {
                    same.insert(p.var, value.clone());
                }
            }
            let (Some((w, used)), Some((n, uses))) = (
                value(wide, self.wide, &same),
                value(narrow, self.narrow, point),
            ) else {
                continue;
            };
            gains |= is_worse(self.upper, &w, &n);
            if loss.is_none() && is_worse(self.upper, &n, &w) {
                let sizes: Vec<String> = (narrow.params.iter())
                    .filter_map(|p| Some(format!("{}={}", p.name, point.get(&p.var)?)))
                    .collect();
                let known = |v: &Var| {
                    let there = wide
                        .params
                        .iter()
                        .find(|p| counterpart(narrow, p) == Some(*v));
                    there.is_some_and(|p| used.contains(&p.var))
                };
                loss = Some(Loss {
                    wide: format!("{} {w}", self.what),
                    narrow: format!("it is {n}, at {}", sizes.join(", ")),
                    is_either: n != At::Unknown && !uses.iter().all(known),
                });
            }
        }
        loss.map(|loss| Loss {
            is_either: loss.is_either && gains,
            ..loss
        })
    }
}

/// Returns the size variable of the narrower pattern that measures the same size.
fn counterpart(narrow: &Summary, p: &SizeVariable) -> Option<Var> {
    let same = |q: &&SizeVariable| {
        q.argument == p.argument && q.metric == p.metric && q.element == p.element
    };
    narrow.params.iter().find(same).map(|q| q.var)
}

/// A bound at given sizes.
#[derive(Clone, Debug, PartialEq)]
enum At {
    Number(Rat),
    /// Proved to be infinite.
    Endless,
    /// Nothing was proved: the worst possible upper bound, and the lower bound 0.
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

/// Returns the bound at given sizes, and the sizes that it depends on.
fn value(
    summary: &Summary,
    pieces: &Pieces,
    sizes: &BTreeMap<Var, BigInt>,
) -> Option<(At, BTreeSet<Var>)> {
    let given = |v: Var| sizes.get(&v).cloned();
    // A size that the other pattern does not measure makes comparison impossible.
    let known = |p: &SolvedPiece| p.region.variables().iter().all(|v| sizes.contains_key(v));
    if !pieces.iter().all(known) {
        return None;
    }
    let Some(piece) = pieces.iter().find(|p| p.region.contains(&given)) else {
        return Some((At::Unknown, BTreeSet::new()));
    };
    let admitted = summary.domain.constraints();
    let cuts = (piece.region.constraints().iter()).filter(|c| !admitted.contains(c));
    let mut used: BTreeSet<Var> = cuts.flat_map(|c| c.variables()).collect();
    let value = match &piece.value {
        Value::Known(e) => {
            used.extend(e.variables());
            At::Number(e.eval(&given)?)
        }
        Value::Diverges => At::Endless,
        Value::Unknown(_) => At::Unknown,
    };
    Some((value, used))
}
