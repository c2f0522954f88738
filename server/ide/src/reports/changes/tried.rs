//! Sample sizes for evaluating two functions if a symbolic comparison is undecided, for example because of floors or Fibonacci numbers.

use std::collections::BTreeSet;

use costlens_algebra::{Expr, Rat, Region, Var};
use num_bigint::BigInt;

/// A value for each size variable.
pub(super) type Sizes = Vec<(Var, BigInt)>;

/// The sample sizes at which a function exceeds another.
pub(super) struct Greater {
    /// The first of these sizes.
    pub(super) at: Sizes,
    /// True if the function still exceeds the other at large sizes.
    pub(super) is_endless: bool,
}

/// The distance from the minimum at which a size counts as large.
const FAR: i64 = 95;

/// Returns sample sizes of a region at which a function exceeds another. Returns `None` if there are none.
pub(super) fn greater(function: &Expr, than: &Expr, region: &Region) -> Option<Greater> {
    let mut found: Option<Greater> = None;
    for (at, is_far) in sizes(function, than, region) {
        let is_greater = match (value(function, &at), value(than, &at)) {
            (Some(a), Some(b)) => a > b,
            _ => false,
        };
        if !is_greater {
            continue;
        }
        let is_endless = is_far || found.as_ref().is_some_and(|found| found.is_endless);
        let at = found.map_or(at, |found| found.at);
        found = Some(Greater { at, is_endless });
        if is_endless {
            break;
        }
    }
    found
}

/// Evaluates a function at given sizes.
pub(super) fn value(function: &Expr, at: &[(Var, BigInt)]) -> Option<Rat> {
    function.eval(&|v| {
        let size = at.iter().find(|(of, _)| *of == v);
        size.map(|(_, value)| value.clone())
    })
}

/// Returns sample sizes in a region, small sizes first, each with a flag for large sizes.
fn sizes(function: &Expr, than: &Expr, region: &Region) -> Vec<(Sizes, bool)> {
    let all: BTreeSet<Var> = (function.variables().into_iter())
        .chain(than.variables())
        .chain(region.variables())
        .collect();
    let mut found: Vec<(Sizes, i64)> = vec![(Vec::new(), 0)];
    for v in &all {
        let values = values(*v, region, all.len());
        let longer = found.iter().flat_map(|(at, distance)| {
            values.iter().map(move |(value, d)| {
                let mut at = at.clone();
                at.push((*v, value.clone()));
                (at, (*distance).max(*d))
            })
        });
        found = longer.take(MOST).collect();
    }
    found.retain(|(at, _)| {
        region.contains(&|v| {
            let size = at.iter().find(|(of, _)| *of == v);
            size.map(|(_, value)| value.clone())
        })
    });
    found.sort_by_key(|(_, distance)| *distance);
    let told = found.into_iter();
    told.map(|(at, distance)| (at, distance >= FAR)).collect()
}

/// The maximum number of sample sizes.
const MOST: usize = 20_000;

/// Returns sample values of a size, each with its distance from the first.
fn values(v: Var, region: &Region, count: usize) -> Vec<(BigInt, i64)> {
    let near = match count {
        0 | 1 => 64,
        2 => 12,
        3 => 5,
        _ => 2,
    };
    let far: &[i64] = match count {
        0 | 1 => &[
            95, 96, 97, 127, 128, 129, 255, 256, 257, 512, 729, 1_000, 1_001,
        ],
        2 => &[16, 27, 32, 63, 64, 95, 96, 127, 128, 257],
        3 => &[16, 33, 64, 96, 129],
        _ => &[97],
    };
    let distances: Vec<i64> = (0..=near).chain(far.iter().copied()).collect();
    let (least, most) = region.bounds(&Expr::var(v));
    let whole = |bound: Rat| bound.to_integer();
    match (least, most) {
        (Some(least), most) => {
            let from = whole(least.ceil());
            let is_within = |value: &BigInt| {
                (most.as_ref()).is_none_or(|most| Rat::from_integer(value.clone()) <= *most)
            };
            let values = distances.iter().map(|&d| (&from + d, d));
            values.filter(|(value, _)| is_within(value)).collect()
        }
        (None, Some(most)) => {
            let from = whole(most.floor());
            distances.iter().map(|&d| (&from - d, d)).collect()
        }
        (None, None) => {
            let both = |&d: &i64| [(BigInt::from(d), d), (BigInt::from(-d), d)];
            distances.iter().flat_map(both).collect()
        }
    }
}
