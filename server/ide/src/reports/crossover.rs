//! Crossover sizes: from which size on one of two predicates takes no more than the other one, whatever their callers do.

use std::collections::{BTreeMap, BTreeSet};

use costlens_algebra::compare::{self, Approx, JudgedInterval, Verdict, judge};
use costlens_algebra::prove::linear_side;
use costlens_algebra::{Constraint, Expr, Var, rat};
use costlens_analysis::report::{Bound, PatternReport};
use num_bigint::BigInt;
use num_traits::Zero as _;

/// The predicate of two that takes no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cheaper {
    /// The first.
    First,
    /// The second.
    Second,
    /// Both take the same.
    Same,
    /// That is not proved.
    Open,
}

/// Sizes next to each other with the same answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The least of them.
    pub from: BigInt,
    /// The greatest; none where there is no end.
    pub to: Option<BigInt>,
    /// The answer.
    pub cheaper: Cheaper,
}

/// Compares the bounds of two predicates on one resource at all sizes from 0 on; where there are several they are all the same.
///
/// The stretches follow on each other and are maximal. None where no bound mentions a size.
#[must_use]
pub fn crossover(first: &PatternReport, second: &PatternReport) -> Option<Vec<Stretch>> {
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
    let mut stretches: Vec<Stretch> = Vec::new();
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
        stretches.push(Stretch {
            from: at,
            to: None,
            cheaper,
        });
    }
    Some(stretches)
}

/// Sizes from one to another, or without end.
type Sizes = (BigInt, Option<BigInt>);

/// The bounds of a report over one size.
fn pieces(report: &PatternReport, size: Var) -> Option<Vec<compare::Piece>> {
    let same = |e: &Expr| {
        let all = e.variables().into_iter().map(|v| (v, Expr::var(size)));
        e.substitute(&all.collect::<BTreeMap<_, _>>())
    };
    // Signs are found of functions without floors.
    let bound = |bound: &Bound, up: bool| {
        let smooth = |e: Expr| linear_side(&e, up).unwrap_or(e);
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
            lower: bound(lower, false)?,
            upper: bound(upper, true)?,
        })
    };
    report.steps.iter().map(piece).collect()
}

/// The sizes at which one takes no more than the other.
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
