//! Crossover sizes: the sizes from which one of two predicates costs no more than the other, regardless of their callers.

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::compare::{self, Approx, JudgedInterval, Verdict, judge};
use costlens_algebra::prove::linear_side;
use costlens_algebra::{Constraint, Expr, Rounding, Var, rat};
use costlens_analysis::report::{Bound, PatternReport};
use num_bigint::BigInt;
use num_traits::Zero as _;

/// The cheaper of two predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cheaper {
    /// The first predicate.
    First,
    /// The second predicate.
    Second,
    /// Both predicates cost the same.
    Same,
    /// The comparison is undecided.
    Open,
}

/// A range of consecutive sizes with the same result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeStretch {
    /// The minimum size.
    pub from: BigInt,
    /// The maximum size. `None` if the range is unbounded.
    pub to: Option<BigInt>,
    /// The result for these sizes.
    pub cheaper: Cheaper,
}

/// Compares the bounds of two predicates on one resource for all sizes of at least 0. If there are several sizes, all have the same value.
///
/// The ranges are consecutive and maximal. Returns `None` if no bound mentions a size.
#[must_use]
pub fn crossover(first: &PatternReport, second: &PatternReport) -> Option<Vec<SizeStretch>> {
    // Parameters of different predicates have no common values.
    if !first.parameters.is_empty() || !second.parameters.is_empty() {
        return None;
    }
    let size = first
        .sizes
        .iter()
        .chain(&second.sizes)
        .map(|s| s.var)
        .next()?;
    let (first, second) = (pieces(first, size)?, pieces(second, size)?);
    let first_is = no_more(&first, &second, size)?;
    let second_is = no_more(&second, &first, size)?;
    let mut starts = BTreeSet::from([BigInt::zero()]);
    for (from, to) in first_is.iter().chain(&second_is) {
        starts.insert(from.clone());
        starts.extend(to.iter().map(|to| to + 1));
    }
    let within = |all: &[Sizes], at: &BigInt| {
        all.iter()
            .any(|(from, to)| from <= at && to.as_ref().is_none_or(|to| at <= to))
    };
    let mut stretches: Vec<SizeStretch> = Vec::new();
    for at in starts {
        let cheaper = match (within(&first_is, &at), within(&second_is, &at)) {
            (true, true) => Cheaper::Same,
            (true, false) => Cheaper::First,
            (false, true) => Cheaper::Second,
            (false, false) => Cheaper::Open,
        };
        if let Some(last) = stretches.last_mut() {
            if last.cheaper == cheaper {
                continue;
            }
            last.to = Some(&at - 1);
        }
        stretches.push(SizeStretch {
            from: at,
            to: None,
            cheaper,
        });
    }
    Some(stretches)
}

/// A range of sizes, possibly unbounded.
type Sizes = (BigInt, Option<BigInt>);

/// Returns the bounds of a report as functions of one size.
fn pieces(report: &PatternReport, size: Var) -> Option<Vec<compare::Piece>> {
    let same = |e: &Expr| {
        let all = e.variables().into_iter().map(|v| (v, Expr::var(size)));
        e.substitute(&all.collect::<BTreeMap<_, _>>())
    };
    // Signs can be determined only for functions without floors.
    let bound = |bound: &Bound, to: Rounding| {
        let smooth = |e: Expr| linear_side(&e, to).unwrap_or(e);
        Some(match bound {
            Bound::Finite(e) => compare::Bound::Finite(smooth(same(e)?)),
            Bound::Infinite => compare::Bound::Infinite,
            Bound::Unknown => compare::Bound::Unknown,
        })
    };
    let piece = |piece: &costlens_analysis::report::Piece| {
        let variables = piece.when.variables().into_iter();
        let all: BTreeMap<Var, Expr> = variables.map(|v| (v, Expr::var(size))).collect();
        let (lower, upper) = piece.envelope();
        Some(compare::Piece {
            region: piece.when.substitute(&all)?,
            lower: bound(lower, Rounding::Down)?,
            upper: bound(upper, Rounding::Up)?,
        })
    };
    report.steps.iter().map(piece).collect()
}

/// Returns the sizes for which one predicate costs no more than the other.
fn no_more(one: &[compare::Piece], other: &[compare::Piece], size: Var) -> Option<Vec<Sizes>> {
    let from_zero = Constraint::ge(&Expr::var(size), &Expr::constant(rat(0)))?;
    let mut found = Vec::new();
    for piece in other {
        let compare::Bound::Finite(least) = &piece.lower else {
            continue;
        };
        let domain = piece.region.and(from_zero.clone());
        if domain.is_empty() {
            continue;
        }
        let judged = judge(Approx::Ub, least, one, &domain);
        let checked = |i: &&JudgedInterval| i.verdict == Verdict::Checked;
        found.extend(judged.intervals.iter().filter(checked).map(|i| {
            let from = i.from.clone().unwrap_or_default();
            (from, i.to.clone())
        }));
        if judged.intervals.is_empty() && judged.overall == Verdict::Checked {
            let (from, to) = domain.bounds(&Expr::var(size));
            let from = from.map_or_else(BigInt::zero, |from| from.ceil().to_integer());
            found.push((from, to.map(|to| to.floor().to_integer())));
        }
    }
    Some(found)
}
