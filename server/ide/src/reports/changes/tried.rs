//! Sizes at which two functions are evaluated where the comparison of their formulas is undecided: floors, Fibonacci's numbers.

use std::collections::BTreeSet;

use costlens_algebra::{Expr, Rat, Region, Var};
use num_bigint::BigInt;

/// A value for each size.
pub(super) type Sizes = Vec<(Var, BigInt)>;

/// The sizes at which a function is greater than another one, as far as they were tried.
pub(super) struct Greater {
    /// The first of them.
    pub(super) at: Sizes,
    /// True where they reach as far as was tried.
    pub(super) is_endless: bool,
}

/// From this distance on a size counts as large.
const FAR: i64 = 95;

/// Returns sizes of a region at which a function is greater than another one. Returns `None` if it is not at any that is tried.
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

/// The value of a function at some sizes.
pub(super) fn value(function: &Expr, at: &[(Var, BigInt)]) -> Option<Rat> {
    function.eval(&|v| {
        let size = at.iter().find(|(of, _)| *of == v);
        size.map(|(_, value)| value.clone())
    })
}

/// The sizes of a region that are tried, small ones first, and whether they are large.
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

/// No more sizes than these are tried.
const MOST: usize = 20_000;

/// The values of a size that are tried, and how far each is from the first.
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
